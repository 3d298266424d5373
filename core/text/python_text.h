#pragma once
// Values as Python's str and repr print them.
#include <complex>
#include <functional>
#include <string>
#include <string_view>

#include "core/graph/argument.h"

namespace pt2 {

std::string python_float(double value);                   // 1e-05, 2.0, inf
std::string python_complex(std::complex<double> value);   // (1+2j), 2j
std::string python_repr(std::string_view text);           // 'a', "it's": Python's choice of quotes and escapes
// A `custom` annotation, a JSON object, as FX shows it: {'a': [1, None, True]}, each value cut at 40 characters. Empty for anything else.
std::string python_annotation(std::string_view json);

using NodeName = std::function<std::string(NodeId)>;

enum class ArgumentStyle {
  GraphText,  // as in str(graph): nodes with %, texts without quotes
  Code,       // as in generated code: nodes by name, otherwise repr; operators by their qualified name
  Repr,       // repr of everything, nodes by name
};
std::string argument_text(const Argument& argument, ArgumentStyle style, const NodeName& name);

}  // namespace pt2
