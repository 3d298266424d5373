#include "interp/ops/pointwise.h"

#include "interp/item.h"

namespace pt2::interp {

namespace {
constexpr int64_t kFunctionGrain = 4096;  // elementary functions cost some ten times an addition
}

Scalar converted(const Scalar& number, DType dtype) {
  check_convertible(number, dtype);
  return item(full({}, dtype, number));
}

void vector_unary_into(const Tensor& result, std::string_view name, const Tensor& self, const VectorFunction& function,
                       Complex (*complex)(const Complex&)) {
  const Signature signature = in_floating(name, self.dtype);
  if (is_complex(signature.common)) {
    check(complex, "\"", name, "\" not implemented for '", scalar_type_name(self.dtype), "'");
    return map_into<Types<Complex>>(result, signature, [complex](Complex x) { return complex(x); }, self);
  }
  const Compute compute = compute_type(signature.common);
  const BlockOperand operands[] = {{&result, compute}, detail::input_operand(self, compute, signature)};
  map_blocks(result.sizes, operands, 1, [&](void* const* b, int64_t count) {
    if (compute == Compute::F32) function(static_cast<const float*>(b[1]), static_cast<float*>(b[0]), count);
    else function(static_cast<const double*>(b[1]), static_cast<double*>(b[0]), count);
  }, kFunctionGrain);
}

Tensor vector_unary(std::string_view name, const Tensor& self, const VectorFunction& function, Complex (*complex)(const Complex&)) {
  Tensor result = map_result(floating_result(self.dtype), self);
  vector_unary_into(result, name, self, function, complex);
  return result;
}

Tensor vector_binary(std::string_view name, DType common, const Tensor& a, const Tensor& b, const VectorFunction2& function) {
  check(is_floating(common), "\"", name, "\" not implemented for '", scalar_type_name(common), "'");
  Tensor result = map_result(common, a, b);
  const Signature signature = in_type(name, common);
  const Compute compute = compute_type(common);
  const BlockOperand operands[] = {{&result, compute}, detail::input_operand(a, compute, signature), detail::input_operand(b, compute, signature)};
  map_blocks(result.sizes, operands, 1, [&](void* const* p, int64_t count) {
    if (compute == Compute::F32) function(static_cast<const float*>(p[1]), static_cast<const float*>(p[2]), static_cast<float*>(p[0]), count);
    else function(static_cast<const double*>(p[1]), static_cast<const double*>(p[2]), static_cast<double*>(p[0]), count);
  }, kFunctionGrain);
  return result;
}

}  // namespace pt2::interp
