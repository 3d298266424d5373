#pragma once
// Pytree specs: how nested Python containers were flattened into a program's inputs and outputs. The file holds them as JSON texts,
// ModuleCall::in_spec and out_spec.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace pt2 {

struct TreeSpecNode {
  std::string type;                // "builtins.tuple", "builtins.dict", "collections.namedtuple", a registered name; empty: a leaf
  std::string context;             // the type's context as text; empty for null
  std::vector<std::string> keys;   // of dicts (numbers as text), fields of dataclasses and old namedtuples; empty where children are numbered
  std::vector<uint32_t> children;  // indices into TreeSpec::nodes
  bool is_leaf() const { return type.empty(); }
};

struct TreeSpec {
  std::vector<TreeSpecNode> nodes;  // depth first; nodes[0] is the root, the n-th leaf is the n-th user input or output
  size_t leaf_count() const;
};

// Limits: JSON depth 512. An empty text (very old files) is an error of kind Failed.
Result<TreeSpec> parse_tree_spec(std::string_view json);

// How Python would reach each leaf from the root, "[0]['mask'].x": dict keys, fields of namedtuples and dataclasses, positions.
// `namedtuple_fields`: Program::namedtuple_fields.
std::vector<std::string> leaf_paths(const TreeSpec& spec, const std::map<std::string, std::vector<std::string>>& namedtuple_fields);
// The containers as Python writes them, each leaf as *: "(*, {'mask': *})"; namedtuples without their fields, which some releases do not write.
std::string tree_text(const TreeSpec& spec);
// The same tree with the keys of every dict in the order of their texts: equal for trees that a caller reads by key alike.
TreeSpec with_sorted_keys(TreeSpec spec);

}  // namespace pt2
