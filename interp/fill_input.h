#pragma once
// Values for inputs that nobody gave, and the reading of those given as text.
#include <optional>
#include <string>

#include "core/graph/program.h"
#include "interp/random.h"
#include "interp/runtime_value.h"
#include "interp/solve_symbols.h"

namespace pt2::interp {

// Normal numbers, bools by coin, ints small enough to index what they index in the program; shapes by the solved symbols.
// Throws KernelError where the shape is unknown or too large.
RuntimeValue fill_input(const Program& program, const InputSpec& spec, const SymbolSolver& symbols, Generator& generator);

// A number that a tensor input of this dtype can be filled with; nothing where the text is none, or does not fit.
std::optional<RuntimeValue> parse_fill_number(DType dtype, const std::string& text);
// A tensor of the declared type in the shape that the symbols give, its elements not set. Throws as fill_input does.
Tensor empty_input(const TensorMeta& meta, const SymbolSolver& symbols);

// "0.5", "-inf", "1+2j", "true", "none" or a string as the program's type for the input says; nothing where it does not fit.
std::optional<RuntimeValue> parse_number_input(const ValueMeta& declared, const Argument* constant, const std::string& text);
// A one-element tensor given for an input that is a number.
RuntimeValue number_like(const ValueMeta& declared, const Argument* constant, const Tensor& tensor);

// The same values in the strides the file declares, where those are known numbers and lay the elements out densely (channels last).
Tensor with_declared_strides(Tensor tensor, const TensorMeta& meta);

}  // namespace pt2::interp
