#pragma once
// Node + frame + schema → the arguments of a call: by name, then by position, then the default.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interp/frame.h"
#include "interp/op_table.h"

namespace pt2::interp {

// An argument's value in a frame. Lists are looked through; a missing value inside stays a MissingValue.
RuntimeValue argument_value(const Argument& argument, const Frame& frame);

// The first missing value among (the items of) `values`.
std::optional<NodeRef> first_missing(std::span<const RuntimeValue> values);

// In the schema's order, defaults filled in. Throws KernelError for arguments that are missing, doubled or unknown.
std::vector<RuntimeValue> bind_arguments(const OpSchema& schema, std::span<const RuntimeValue> defaults,
                                         std::span<const std::pair<std::string_view, RuntimeValue>> named);

// A node's arguments as (name, value); the name is empty for positional ones.
std::vector<std::pair<std::string_view, RuntimeValue>> argument_values(const Node& node, const Frame& frame);

}  // namespace pt2::interp
