#pragma once
// How edits of a value come together, and what becomes of them where a node gives memory that it wrote to.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interp/what_if.h"

namespace pt2::interp {

// What holds of a node in the call with this frame path: one edit of its whole value, or those of some elements, as they were made.
std::vector<const ValueEdit*> value_edits_of(const Edits& edits, NodeRef node, std::optional<std::string_view> path = {});

// What an edit of a value is said of.
struct EditedPart {
  NodeRef node;
  std::string call, index;
  // Whether an edit of this takes the place of one of `before`: not where they are of different elements.
  bool replaces(const EditedPart& before) const;
};

// Whether the result of the call is the argument it wrote to: add_, copy_, those with `out`. Another result is then written to that memory.
bool returns_what_it_wrote(const Node& node);

// Spreads `source` over `target` and converts it.
void copy_onto(const Tensor& target, const Tensor& source);

}  // namespace pt2::interp
