#pragma once
// What a breakpoint writes into the log: "{name} max={max} {relu.mean() * 2}", fields and expressions as in a watch.
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/graph/program.h"
#include "interp/runtime_value.h"

namespace pt2::interp {

// The message with what `text_of` gives in place of each part in braces.
std::string filled_message(std::string_view message, const std::function<std::string(std::string_view part)>& text_of);
// {value}, {min}, {max}, {nan} and {inf} of a value; none: the part is an expression.
std::optional<std::string> value_field(std::string_view part, const RuntimeValue& value);
// The first name in braces that stands for nothing in this program; empty: there is none.
std::string unknown_in_message(std::string_view message, const Program& program);

}  // namespace pt2::interp
