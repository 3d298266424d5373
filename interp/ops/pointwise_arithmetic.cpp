// add, mul, div, pow … and what is made of them.
#include "interp/ops/all_ops.h"
#include "interp/ops/pointwise.h"
#include "interp/stepwise.h"

namespace pt2::interp {

namespace {

Signature promoted(std::string_view name, const Tensor& self, const Tensor& other) { return in_type(name, result_type(self, other)); }
Signature precise(std::string_view name, DType common) { return {name, common, common, true}; }
// A number that is the first operand is rounded to the common type as elements are.
Tensor first_operand(const Tensor& self, DType common) { return self.numel() == 1 ? to_dtype(self, common) : self; }

void check_alpha(DType common, const Scalar& alpha) {
  check(!alpha.is_bool() || common == DType::Bool, "Boolean alpha only supported for Boolean results.");
  check(is_floating(common) || is_complex(common) || alpha.is_integral(),
        "For integral input tensors, argument alpha must not be a floating point number.");
  check(is_complex(common) || !alpha.is_complex(), "For non-complex input tensors, argument alpha must not be a complex number.");
}

void add_scaled(const Tensor& result, DType common, const Tensor& self, const Tensor& other, const Scalar& alpha, std::string_view name) {
  if (alpha.is_integral() && alpha.to_int() == 1)
    return map_into<NumberTypes>(result, in_type(name, common), [](auto a, auto b) { return wrapping_add(a, b); }, self, other);
  map_into<NumberTypes>(result, in_type(name, common), [alpha, rounded = half_steps(common)](auto a, auto b) {
    return wrapping_add(a, wrapping_multiply(b, rounded(alpha.to<decltype(b)>())));
  }, self, other);
}

DType add_type(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  const DType common = result_type(self, other);
  check_alpha(common, alpha);
  return common;
}

Tensor add(const Tensor& self, const Tensor& other, Scalar alpha) {
  const DType common = add_type(self, other, alpha);
  Tensor result = map_result(common, self, other);
  add_scaled(result, common, self, other, alpha, "add");
  return result;
}

void check_in_place(const Tensor& self, const Tensor& other, DType common) {
  check_can_cast(common, self.dtype);
  check_writable(self);
  const Shape sizes = broadcast_shapes(self.sizes, other.sizes);
  check(sizes == self.sizes, "output with shape ", self.sizes, " doesn't match the broadcast shape ", sizes);
}
// An operand that overlaps what is written without being it must be read first.
Tensor apart_from(const Tensor& written, const Tensor& operand) {
  const bool same = operand.bytes() == written.bytes() && operand.sizes == written.sizes && operand.strides == written.strides && operand.dtype == written.dtype;
  return same || !memory_overlaps(written, operand) ? operand : to_dtype(operand, operand.dtype, MemoryFormat::Contiguous);
}

void add_(const Tensor& self, const Tensor& other, Scalar alpha) {
  const DType common = add_type(self, other, alpha);
  check_in_place(self, other, common);
  add_scaled(self, common, self, apart_from(self, other), alpha, "add");
}
void add__scalar(const Tensor& self, Scalar other, Scalar alpha) { add_(self, wrapped_scalar(other), alpha); }
Tensor add_scalar(const Tensor& self, Scalar other, Scalar alpha) { return add(self, wrapped_scalar(other), alpha); }

void check_subtraction(const Tensor& self, const Tensor& other) {
  check(self.dtype != DType::Bool || other.dtype != DType::Bool,
        "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.");
  check(self.dtype != DType::Bool && other.dtype != DType::Bool,
        "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` "
        "operator instead.");
}
Scalar negated(const Scalar& alpha) {
  if (alpha.is_complex()) return -alpha.to_complex();
  if (alpha.is_floating()) return -alpha.to_double();
  return wrapping_negate(alpha.to_int());
}
Tensor sub(const Tensor& self, const Tensor& other, Scalar alpha) {
  check_subtraction(self, other);
  check_alpha(result_type(self, other), alpha);
  return add(self, other, negated(alpha));
}
Tensor sub_scalar(const Tensor& self, Scalar other, Scalar alpha) { return sub(self, wrapped_scalar(other), alpha); }
Tensor rsub(const Tensor& self, const Tensor& other, Scalar alpha) { return sub(other, self, alpha); }
Tensor rsub_scalar(const Tensor& self, Scalar other, Scalar alpha) { return sub(wrapped_scalar(other), self, alpha); }

void multiply_into(const Tensor& result, DType common, const Tensor& self, const Tensor& other) {
  map_into<NumberTypes>(result, precise("mul", common), [](auto a, auto b) { return wrapping_multiply(a, b); }, first_operand(self, common), other);
}
Tensor mul(const Tensor& self, const Tensor& other) {
  const DType common = result_type(self, other);
  Tensor result = map_result(common, self, other);
  multiply_into(result, common, self, other);
  return result;
}
void mul_(const Tensor& self, const Tensor& other) {
  const DType common = result_type(self, other);
  check_in_place(self, other, common);
  multiply_into(self, common, self, apart_from(self, other));
}

Tensor div(const Tensor& self, const Tensor& other) {
  const DType common = floating_result(result_type(self, other));
  return map<FieldTypes>(precise("div", common), [](auto a, auto b) { return quotient(a, b); }, first_operand(self, common), other);
}

template <class T>
T remainder_of(T a, T b) {  // of the sign of b, as Python's %
  if constexpr (std::is_same_v<T, int64_t>) {
    if (b == 0) fail("ZeroDivisionError");
    if (b == -1) return 0;
    const T r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
  } else {
    const T r = std::fmod(a, b);
    return r != 0 && (b < 0) != (r < 0) ? r + b : r;
  }
}
// Half types are divided step by step, unless the divisor is one number.
template <class T>
T quotient_trunc(T a, T b, StepRounding rounded = {}) {
  if constexpr (std::is_same_v<T, int64_t>) {
    if (b == 0) fail("ZeroDivisionError");
    return b == -1 ? wrapping_negate(a) : a / b;
  } else {
    return std::trunc(rounded(a / b));
  }
}
template <class T>
T quotient_floor(T a, T b, StepRounding rounded = {}) {
  if constexpr (std::is_same_v<T, int64_t>) {
    const T q = quotient_trunc(a, b);
    return b != -1 && a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
  } else {  // CPython's and PyTorch's: exact even where a / b rounds up to an integer
    if (b == 0) return a / b;
    const T r = std::fmod(a, b);
    T q = rounded(rounded(a - r) / b);
    if (r != 0 && (b < 0) != (r < 0)) q = rounded(q - 1);
    if (q == 0) return std::copysign(T(0), a / b);
    const T floored = std::floor(q);
    return q - floored > T(0.5) ? floored + 1 : floored;
  }
}

Tensor div_mode(const Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode) {
  if (!rounding_mode) return div(self, other);
  const DType common = result_type(self, other);
  check(*rounding_mode == "trunc" || *rounding_mode == "floor",
        "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '", *rounding_mode, "'");
  no_bool("div", common);
  const bool by_number = other.numel() == 1;
  const StepRounding rounded = by_number ? StepRounding() : half_steps(common);
  const Signature signature = by_number ? precise("div", common) : in_type("div", common);
  const Tensor dividend = as_dtype(self, common);
  if (*rounding_mode == "trunc") return map<RealTypes>(signature, [rounded](auto a, auto b) { return quotient_trunc(a, b, rounded); }, dividend, other);
  return map<RealTypes>(signature, [rounded](auto a, auto b) { return quotient_floor(a, b, rounded); }, dividend, other);
}
Tensor div_scalar_mode(const Tensor& self, Scalar other, std::optional<std::string_view> rounding_mode) {
  return div_mode(self, wrapped_scalar(other), rounding_mode);
}
Tensor floor_divide(const Tensor& self, const Tensor& other) { return div_mode(self, other, "floor"); }

Tensor remainder(const Tensor& self, const Tensor& other) {
  const Signature signature = promoted("remainder", self, other);
  no_bool("remainder", signature.common);
  return map<RealTypes>(signature, [](auto a, auto b) { return remainder_of(a, b); }, self, other);
}
Tensor fmod(const Tensor& self, const Tensor& other) {
  const Signature signature = promoted("fmod", self, other);
  no_bool("fmod", signature.common);
  return map<RealTypes>(signature, [](auto a, auto b) {
    if constexpr (std::is_same_v<decltype(a), int64_t>) {
      if (b == 0) fail("ZeroDivisionError");
      return b == -1 ? 0 : a % b;
    } else {
      return std::fmod(a, b);
    }
  }, self, other);
}

// ---- Powers

int64_t integer_power(int64_t base, int64_t exponent) {
  if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
  uint64_t result = 1, square = static_cast<uint64_t>(base);
  for (auto e = static_cast<uint64_t>(exponent); e; e >>= 1, square *= square)
    if (e & 1) result *= square;
  return static_cast<int64_t>(result);
}

Tensor power(DType common, const Tensor& self, const Tensor& exponent) {
  no_bool("pow", common);
  if (is_complex(common)) return map<Types<Complex>>(in_type("pow", common), [](Complex a, Complex b) { return std::pow(a, b); }, self, exponent);
  if (!is_floating(common)) return map<IntTypes>(in_type("pow", common), [](int64_t a, int64_t b) { return integer_power(a, b); }, self, exponent);
  return vector_binary("pow", common, self, exponent, vector_math().pow);
}
Tensor pow(const Tensor& self, const Tensor& exponent) { return power(result_type(self, exponent), self, exponent); }

Tensor pow_tensor_scalar(const Tensor& self, Scalar exponent) {
  const DType common = result_type(self, exponent);
  const bool integral = !is_floating(common) && !is_complex(common);
  check(!(integral && exponent.is_integral() && exponent.to_int() < 0), "Integers to negative integer powers are not allowed.");
  check_convertible(exponent, common);
  const double e = exponent.is_complex() ? NAN : exponent.to_double();
  if (e == 0) return map<NumberTypes>(in_type("pow", common), []<class T>(T) { return T(1); }, self);
  if (e == 1) return to_dtype(self, common);
  no_bool("pow", common);
  // The exponents PyTorch multiplies out; they differ from pow in infinities and rounding.
  if (e == 2) return map<NumberTypes>(in_type("pow", common), [](auto x) { return wrapping_multiply(x, x); }, self);
  const StepRounding rounded = common == DType::BFloat16 ? half_steps(common) : StepRounding();  // float16 is raised in float
  if (e == 3) return map<NumberTypes>(in_type("pow", common), [rounded](auto x) { return wrapping_multiply(rounded(wrapping_multiply(x, x)), x); }, self);
  if (is_floating(common) && common != DType::Float16) {  // which goes through pow
    if (e == 0.5) return vector_unary("pow", self.dtype == common ? self : to_dtype(self, common), vector_math().sqrt);
    if (e == -0.5) return vector_unary("pow", self.dtype == common ? self : to_dtype(self, common), vector_math().rsqrt);
    if (e == -1) return map<FloatTypes>(in_type("pow", common), [](auto x) { return 1 / x; }, self);
    if (e == -2) return map<FloatTypes>(in_type("pow", common), [rounded](auto x) { return 1 / rounded(x * x); }, self);
  }
  return power(common, self, wrapped_scalar(exponent));
}
Tensor pow_scalar(Scalar self, const Tensor& exponent) {
  const DType common = result_type(self, exponent);
  if (!self.is_complex() && !self.is_bool() && self.to_double() == 1) return map<NumberTypes>(in_type("pow", common), []<class T>(T) { return T(1); }, exponent);
  return power(common, wrapped_scalar(self), exponent);
}
DType float_power_type(DType common) { return is_complex(common) ? DType::Complex128 : DType::Float64; }
Tensor float_power(const Tensor& self, const Tensor& exponent) { return power(float_power_type(result_type(self, exponent)), self, exponent); }
Tensor float_power_tensor_scalar(const Tensor& self, Scalar exponent) {
  return pow_tensor_scalar(to_dtype(self, float_power_type(result_type(self, exponent))), exponent);
}
Tensor float_power_scalar(Scalar self, const Tensor& exponent) { return float_power(wrapped_scalar(self), exponent); }
Tensor square(const Tensor& self) { return pow_tensor_scalar(self, 2); }

// ---- Fused

Tensor addcmul(const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, Scalar value) {
  const DType common = result_type(self, tensor1, tensor2);
  no_bool("addcmul", common);
  return map<NumberTypes>(in_type("addcmul", common), [value](auto a, auto b, auto c) {
    return wrapping_add(a, wrapping_multiply(value.to<decltype(a)>(), wrapping_multiply(b, c)));
  }, self, tensor1, tensor2);
}
Tensor addcdiv(const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, Scalar value) {
  const auto integral = [](const Tensor& t) { return !is_floating(t.dtype) && !is_complex(t.dtype); };
  check(!(integral(tensor1) && integral(tensor2)), "Integer division with addcdiv is no longer supported");
  return map<FieldTypes>(in_type("addcdiv", result_type(self, tensor1, tensor2)),
                         [value](auto a, auto b, auto c) { return a + quotient(value.to<decltype(a)>() * b, c); }, self, tensor1, tensor2);
}

template <class T>
T lerp_of(T a, T b, T weight) {
  return std::abs(weight) < 0.5 ? a + weight * (b - a) : b - (b - a) * (T(1) - weight);
}
void check_same_dtype(const Tensor& self, const Tensor& other, std::string_view what) {
  check(self.dtype == other.dtype, "expected dtype ", self.dtype, " for `", what, "` but got dtype ", other.dtype);
}
Tensor lerp_scalar(const Tensor& self, const Tensor& end, Scalar weight) {
  check_same_dtype(self, end, "end");
  return map<FieldTypes>(in_type("lerp", self.dtype), [weight](auto a, auto b) { return lerp_of(a, b, weight.to<decltype(a)>()); }, self, end);
}
Tensor lerp_tensor(const Tensor& self, const Tensor& end, const Tensor& weight) {
  check_same_dtype(self, end, "end");
  if (weight.dim() > 0 || !is_floating(weight.dtype)) check_same_dtype(self, weight, "weight");
  return map<FieldTypes>(in_type("lerp", self.dtype), [](auto a, auto b, auto w) { return lerp_of(a, b, w); }, self, end, weight);
}

}  // namespace

void add_arithmetic_ops(OpTable& ops) {
  ops.add("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", add);
  ops.add("aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)", add_);
  ops.add("aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", add_scalar);
  ops.add("aten::add_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)", add__scalar);
  ops.add("aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", sub);
  ops.add("aten::sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", sub_scalar);
  ops.add("aten::subtract.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", sub);
  ops.add("aten::subtract.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", sub_scalar);
  ops.add("aten::rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", rsub);
  ops.add("aten::rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", rsub_scalar);
  ops.add("aten::mul.Tensor(Tensor self, Tensor other) -> Tensor", mul);
  ops.add("aten::mul_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", mul_);
  ops.add("aten::mul.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<mul>);
  ops.add("aten::multiply.Tensor(Tensor self, Tensor other) -> Tensor", mul);
  ops.add("aten::multiply.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<mul>);
  ops.add("aten::div.Tensor(Tensor self, Tensor other) -> Tensor", div);
  ops.add("aten::div.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<div>);
  ops.add("aten::div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor", div_mode);
  ops.add("aten::div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor", div_scalar_mode);
  ops.add("aten::divide.Tensor(Tensor self, Tensor other) -> Tensor", div);
  ops.add("aten::divide.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<div>);
  ops.add("aten::divide.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor", div_mode);
  ops.add("aten::divide.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor", div_scalar_mode);
  ops.add("aten::true_divide.Tensor(Tensor self, Tensor other) -> Tensor", div);
  ops.add("aten::true_divide.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<div>);
  ops.add("aten::floor_divide(Tensor self, Tensor other) -> Tensor", floor_divide);
  ops.add("aten::floor_divide.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<floor_divide>);
  ops.add("aten::remainder.Tensor(Tensor self, Tensor other) -> Tensor", remainder);
  ops.add("aten::remainder.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<remainder>);
  ops.add("aten::remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", scalar_with<remainder>);
  ops.add("aten::fmod.Tensor(Tensor self, Tensor other) -> Tensor", fmod);
  ops.add("aten::fmod.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<fmod>);
  ops.add("aten::pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor", pow);
  ops.add("aten::pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor", pow_tensor_scalar);
  ops.add("aten::pow.Scalar(Scalar self, Tensor exponent) -> Tensor", pow_scalar);
  ops.add("aten::float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor", float_power);
  ops.add("aten::float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor", float_power_tensor_scalar);
  ops.add("aten::float_power.Scalar(Scalar self, Tensor exponent) -> Tensor", float_power_scalar);
  ops.add("aten::square(Tensor self) -> Tensor", square);
  ops.add("aten::addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor", addcmul);
  ops.add("aten::addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor", addcdiv);
  ops.add("aten::lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor", lerp_scalar);
  ops.add("aten::lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor", lerp_tensor);
}

}  // namespace pt2::interp
