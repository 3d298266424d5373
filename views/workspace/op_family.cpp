#include "views/workspace/op_family.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "embedded/op_families.h"

namespace pt2::views {
namespace {

struct FamilyRow { std::string_view code, name; };
constexpr std::array<FamilyRow, kOpFamilyCount> kFamilies{{
    {"CNV", "Convolution, pooling"}, {"MM", "Matrix product, attention"}, {"NRM", "Normalization"}, {"ACT", "Activation"},
    {"EW", "Element-wise"}, {"SHP", "Shape, indexing, copy"}, {"RED", "Reduction, sorting"}, {"Q", "Quantization"},
    {"CTL", "Control flow, symbolic"}, {"I/O", "Input, output"}, {"···", "Other"}}};

OpFamily family_from_code(std::string_view code) {
  for (int i = 0; i < kOpFamilyCount; ++i)
    if (kFamilies[i].code == code) return OpFamily(i);
  return OpFamily::Other;
}

using Rules = std::vector<std::pair<std::string_view, OpFamily>>;

Rules read_rules() {
  auto bytes = embedded::op_families();
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  Rules rules;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    size_t tab = line.find('\t');
    if (line.starts_with('#') || tab == line.npos) continue;
    OpFamily family = family_from_code(line.substr(0, tab));
    std::string_view patterns = line.substr(tab + 1);
    while (!patterns.empty()) {
      std::string_view pattern = patterns.substr(0, patterns.find(' '));
      patterns.remove_prefix(std::min(pattern.size() + 1, patterns.size()));
      if (!pattern.empty()) rules.emplace_back(pattern, family);
    }
  }
  return rules;
}

bool matches(std::string_view pattern, std::string_view base, std::string_view without_underscore) {
  return glob_match(pattern, base) || glob_match(pattern, without_underscore);
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0, star = pattern.npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string_view short_target(std::string_view target) {
  if (target.starts_with("torch.ops.")) return target.substr(10);
  if (target.starts_with("_operator.")) return target.substr(1);
  return target;
}

std::string_view target_base(std::string_view target) {
  std::string_view name = short_target(target);
  if (name.starts_with("torch.") || name.starts_with("operator.") || name.starts_with("higher_order.")) return name;
  size_t first = name.find('.'), last = name.rfind('.');
  return first == last ? name : name.substr(0, last);
}

OpFamily op_family(std::string_view target) {
  static const Rules rules = read_rules();
  std::string_view base = target_base(target), plain = base;
  if (plain.ends_with('_') && !plain.ends_with("__")) plain.remove_suffix(1);
  for (const auto& [pattern, family] : rules)
    if (matches(pattern, base, plain)) return family;
  return OpFamily::Other;
}

std::string_view family_code(OpFamily family) { return kFamilies[size_t(family)].code; }
std::string_view family_name(OpFamily family) { return kFamilies[size_t(family)].name; }

}  // namespace pt2::views
