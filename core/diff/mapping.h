#pragma once
// Pairs set by hand, kept in a text file: a line `LEFT = RIGHT` says that two nodes belong together, `LEFT ! RIGHT` that they do not.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/diff/diff.h"

namespace pt2 {

struct Mapping {
  std::vector<std::pair<std::string, std::string>> linked, unlinked;  // qualified names
  bool empty() const { return linked.empty() && unlinked.empty(); }
};

// `where` names the text in errors: "pairs.map:3".
Result<Mapping> parse_mapping(std::string_view text, const std::string& where);
Result<Mapping> read_mapping(const std::string& path);
std::string mapping_text(const Mapping& mapping);

// The pairs as nodes; the first name that is no node is an error.
Result<void> apply_mapping(const Mapping& mapping, const Program& left, const Program& right, DiffOptions& options);

}  // namespace pt2
