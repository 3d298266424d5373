#pragma once
// What a tensor input can be filled with: one number for each element, or numbers made as PyTorch makes them,
//   0.5  normal()  normal(0, 0.02)  uniform(-1, 1)  randint(0, 10)  bernoulli(0.5)  arange()
#include <optional>
#include <string>

#include "core/graph/program.h"
#include "interp/random.h"
#include "interp/runtime_value.h"
#include "interp/solve_symbols.h"

namespace pt2::interp {

struct InputRecipe {
  enum class Kind : uint8_t { Number, Normal, Uniform, Integers, Bernoulli, Range };
  Kind kind = Kind::Number;
  RuntimeValue number;   // of Number
  double a = 0, b = 0;   // mean and deviation, bounds, probability
  bool random() const { return kind != Kind::Number && kind != Kind::Range; }
};

// Nothing where the text is no recipe, or does not fit the dtype.
std::optional<InputRecipe> parse_recipe(DType dtype, const std::string& text);

// The input in the shape that the symbols give. Random numbers are those of the tensor's method of that name (`normal_`, `uniform_`, `random_`,
// `bernoulli_`) after torch.manual_seed, one input after the other. Throws KernelError where the shape is unknown or too large.
RuntimeValue fill_by_recipe(const Program& program, const InputSpec& spec, const SymbolSolver& symbols, const InputRecipe& recipe, Generator& generator);

}  // namespace pt2::interp
