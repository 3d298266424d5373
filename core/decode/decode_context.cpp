#include "core/decode/decode_context.h"

namespace pt2::decode {

namespace {
constexpr size_t kMostFindings = 1000;
}

void Context::finding(Severity severity, std::string rule, std::string message, std::string where, std::string advice, NodeRef node) {
  if (program.findings.size() >= kMostFindings) {
    ++left_out_;
    return;
  }
  program.findings.push_back({severity, std::move(rule), std::move(message), at(where), std::move(advice), node});
}

void Context::finish_findings() {
  if (left_out_ > 0)
    program.findings.push_back({Severity::Warning, "format.more", "and " + std::to_string(left_out_) + " more such problems", place, "", {}});
}

std::optional<UnionMember> union_member(JsonCursor object) {
  std::optional<UnionMember> found;
  for (JsonCursor member : object.members()) {
    if (member.is_null()) continue;
    if (found) {
      found->ambiguous = true;
      break;
    }
    found = UnionMember{member.key(), member};
  }
  return found;
}

}  // namespace pt2::decode
