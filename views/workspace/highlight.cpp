#include "views/workspace/highlight.h"

#include <algorithm>

#include "core/base/text.h"

namespace pt2::views {

std::string highlight_text(const Highlight& highlight, const Program& program) {
  if (highlight.kind == Highlight::Kind::None) return {};
  constexpr const char* kNames[] = {"", "upstream", "downstream", "up- and downstream", "path", "NaN/Inf from its origin"};
  const auto count = std::count_if(highlight.nodes.begin(), highlight.nodes.end(), [&](NodeRef node) { return program.node(node).kind == NodeKind::CallFunction; }) - highlight.from_operator;
  return std::string(kNames[size_t(highlight.kind)]) + ": " + with_commas(uint64_t(count)) + (count == 1 ? " operator" : " operators");
}

}  // namespace pt2::views
