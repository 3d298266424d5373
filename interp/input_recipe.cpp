#include "interp/input_recipe.h"

#include <cmath>
#include <cstdlib>
#include <vector>

#include "interp/check.h"
#include "interp/fill_input.h"
#include "interp/kernel_context.h"
#include "interp/ops/call.h"

namespace pt2::interp {

namespace {

using Kind = InputRecipe::Kind;

struct RecipeForm {
  std::string_view name;
  Kind kind;
  size_t least, most;  // numbers in the parentheses
  double a, b;         // those left out
};
constexpr RecipeForm kForms[] = {
    {"normal", Kind::Normal, 0, 2, 0, 1}, {"uniform", Kind::Uniform, 0, 2, 0, 1}, {"randint", Kind::Integers, 2, 2, 0, 0}, {"bernoulli", Kind::Bernoulli, 0, 1, 0.5, 0}, {"arange", Kind::Range, 0, 0, 0, 0},
};

// "0, 0.02" in its numbers; nothing where something else stands there.
std::optional<std::vector<double>> numbers_in(const std::string& text) {
  std::vector<double> numbers;
  const char* at = text.c_str();
  while (std::isspace(static_cast<unsigned char>(*at))) ++at;
  while (*at) {
    char* end = nullptr;
    numbers.push_back(std::strtod(at, &end));
    if (end == at || !std::isfinite(numbers.back())) return std::nullopt;
    while (std::isspace(static_cast<unsigned char>(*end))) ++end;
    if (*end && *end != ',') return std::nullopt;
    at = *end ? end + 1 : end;
  }
  return numbers;
}

// Whether PyTorch can draw such numbers in this dtype.
bool possible(const InputRecipe& recipe, DType dtype) {
  switch (recipe.kind) {
    case Kind::Normal: return (is_floating(dtype) || is_complex(dtype)) && recipe.b >= 0;
    case Kind::Uniform: return is_floating(dtype) && recipe.a <= recipe.b;
    case Kind::Integers: return !is_complex(dtype) && recipe.a < recipe.b && std::trunc(recipe.a) == recipe.a && std::trunc(recipe.b) == recipe.b && std::abs(recipe.a) < 0x1p53 && std::abs(recipe.b) < 0x1p53;
    case Kind::Bernoulli: return recipe.a >= 0 && recipe.a <= 1;
    case Kind::Number:
    case Kind::Range: return true;
  }
  return false;
}

Tensor filled(const Tensor& tensor, const InputRecipe& recipe) {
  switch (recipe.kind) {
    case Kind::Number: return *call_with("aten.fill_.Scalar", {tensor, recipe.number}).at(0).as<Tensor>();
    case Kind::Normal: return call("aten.normal_.default", tensor, recipe.a, recipe.b);
    case Kind::Uniform: return call("aten.uniform_.default", tensor, recipe.a, recipe.b);
    case Kind::Integers: return call("aten.random_.from", tensor, static_cast<int64_t>(recipe.a), static_cast<int64_t>(recipe.b));
    case Kind::Bernoulli: return call("aten.bernoulli_.float", tensor, recipe.a);
    case Kind::Range: return call("aten.copy_.default", tensor, call("aten.view.default", call("aten.arange.default", tensor.numel()), tensor.sizes));
  }
  return tensor;
}

}  // namespace

std::optional<InputRecipe> parse_recipe(DType dtype, const std::string& text) {
  if (auto number = parse_fill_number(dtype, text)) return InputRecipe{Kind::Number, std::move(*number), 0, 0};
  const size_t open = text.find('(');
  if (open == text.npos || text.back() != ')') return std::nullopt;
  const auto numbers = numbers_in(text.substr(open + 1, text.size() - open - 2));
  for (const RecipeForm& form : kForms) {
    if (text.compare(0, open, form.name) != 0 || !numbers || numbers->size() < form.least || numbers->size() > form.most) continue;
    const InputRecipe recipe{form.kind, {}, numbers->empty() ? form.a : numbers->at(0), numbers->size() < 2 ? form.b : numbers->at(1)};
    return possible(recipe, dtype) ? std::optional(recipe) : std::nullopt;
  }
  return std::nullopt;
}

RuntimeValue fill_by_recipe(const Program& program, const InputSpec& spec, const SymbolSolver& symbols, const InputRecipe& recipe, Generator& generator) {
  const TensorMeta* meta = tensor_meta(program.root_graph().node(spec.node).val);
  check(meta, "the file does not say what it is");
  KernelContext context = current_context();
  context.generator = &generator;
  const ContextScope scope(context);
  return with_declared_strides(filled(empty_input(*meta, symbols), recipe), *meta);
}

}  // namespace pt2::interp
