// Comparisons, logic and bits.
#include "interp/ops/all_ops.h"
#include "interp/ops/pointwise.h"

namespace pt2::interp {

namespace {

template <class List, class Compare>
Tensor compared(std::string_view name, const Tensor& self, const Tensor& other, Compare compare) {
  return map<List>({name, result_type(self, other), DType::Bool}, compare, self, other);
}
Tensor eq(const Tensor& self, const Tensor& other) { return compared<NumberTypes>("eq", self, other, [](auto a, auto b) { return a == b; }); }
Tensor ne(const Tensor& self, const Tensor& other) { return compared<NumberTypes>("ne", self, other, [](auto a, auto b) { return a != b; }); }
Tensor lt(const Tensor& self, const Tensor& other) { return compared<RealTypes>("lt", self, other, [](auto a, auto b) { return a < b; }); }
Tensor le(const Tensor& self, const Tensor& other) { return compared<RealTypes>("le", self, other, [](auto a, auto b) { return a <= b; }); }
Tensor gt(const Tensor& self, const Tensor& other) { return compared<RealTypes>("gt", self, other, [](auto a, auto b) { return a > b; }); }
Tensor ge(const Tensor& self, const Tensor& other) { return compared<RealTypes>("ge", self, other, [](auto a, auto b) { return a >= b; }); }

template <class Test>
Tensor tested(std::string_view name, const Tensor& self, Test test) {
  return map<NumberTypes>({name, self.dtype, DType::Bool}, test, self);
}
Tensor isnan(const Tensor& self) { return tested("isnan", self, [](auto x) { return is_nan(x); }); }
template <class T>
bool is_infinite(T x) {
  if constexpr (std::is_same_v<T, Complex>) return std::isinf(x.real()) || std::isinf(x.imag());
  else if constexpr (std::is_floating_point_v<T>) return std::isinf(x);
  else return false;
}
Tensor isinf(const Tensor& self) { return tested("isinf", self, [](auto x) { return is_infinite(x); }); }
Tensor isfinite(const Tensor& self) { return tested("isfinite", self, [](auto x) { return !is_infinite(x) && !is_nan(x); }); }
Tensor isposinf(const Tensor& self) {
  check(!is_complex(self.dtype), "isposinf does not support complex inputs.");
  return tested("isposinf", self, [](auto x) { return std::real(x) > 0 && is_infinite(x); });
}
Tensor isneginf(const Tensor& self) {
  check(!is_complex(self.dtype), "isneginf does not support complex inputs.");
  return tested("isneginf", self, [](auto x) { return std::real(x) < 0 && is_infinite(x); });
}
Tensor signbit(const Tensor& self) {
  check(!is_complex(self.dtype), "signbit is not implemented for complex tensors.");
  return map<RealTypes>({"signbit", self.dtype, DType::Bool}, [](auto x) {
    if constexpr (std::is_floating_point_v<decltype(x)>) return std::signbit(x);
    else return x < 0;
  }, self);
}
Tensor isreal(const Tensor& self) { return tested("isreal", self, [](auto x) { return std::imag(x) == 0; }); }

Tensor isclose(const Tensor& self, const Tensor& other, double rtol, double atol, bool equal_nan) {
  check(self.dtype == other.dtype, scalar_type_name(self.dtype), " did not match ", scalar_type_name(other.dtype));
  check(rtol >= 0, "rtol must be greater than or equal to zero, but got ", rtol);
  check(atol >= 0, "atol must be greater than or equal to zero, but got ", atol);
  return map<FieldTypes>({"isclose", self.dtype == DType::Float64 || is_complex(self.dtype) ? self.dtype : floating_result(self.dtype), DType::Bool},
                         [=]<class T>(T a, T b) {
                           if (a == b || (equal_nan && is_nan(a) && is_nan(b))) return true;
                           const auto gap = std::abs(a - b);
                           return std::isfinite(gap) && gap <= static_cast<decltype(gap)>(atol) + std::abs(static_cast<decltype(gap)>(rtol) * b);
                         },
                         self, other);
}
bool all_true(const Tensor& mask) {
  const Tensor dense = as_contiguous(mask);
  for (int64_t i = 0; i < dense.numel(); ++i)
    if (!dense.data<uint8_t>()[i]) return false;
  return true;
}
bool allclose(const Tensor& self, const Tensor& other, double rtol, double atol, bool equal_nan) {
  return all_true(isclose(self, other, rtol, atol, equal_nan));
}
bool equal(const Tensor& self, const Tensor& other) {
  check(self.dtype == other.dtype, "Expected object of data type ", scalar_type_name(self.dtype), " but got data type ", scalar_type_name(other.dtype),
        " for argument 'other' in call to equal");
  return self.sizes == other.sizes && all_true(eq(self, other));
}

// ---- Logic: every dtype as truth

template <class Op>
Tensor logical(const Tensor& self, const Tensor& other, Op op) {
  Tensor result = map_result(DType::Bool, self, other);
  const BlockOperand operands[] = {{&result, Compute::Bool}, {&self, Compute::Bool}, {&other, Compute::Bool}};
  map_blocks(result.sizes, operands, 1, [&](void* const* b, int64_t count) {
    for (int64_t i = 0; i < count; ++i) static_cast<bool*>(b[0])[i] = op(static_cast<const bool*>(b[1])[i], static_cast<const bool*>(b[2])[i]);
  });
  return result;
}
Tensor logical_and(const Tensor& self, const Tensor& other) { return logical(self, other, [](bool a, bool b) { return a && b; }); }
Tensor logical_or(const Tensor& self, const Tensor& other) { return logical(self, other, [](bool a, bool b) { return a || b; }); }
Tensor logical_xor(const Tensor& self, const Tensor& other) { return logical(self, other, [](bool a, bool b) { return a != b; }); }
Tensor logical_not(const Tensor& self) { return logical(self, self, [](bool a, bool) { return !a; }); }

// ---- Bits

Tensor bitwise_and(const Tensor& self, const Tensor& other) {
  return map<IntTypes>(in_type("bitwise_and_cpu", result_type(self, other)), [](int64_t a, int64_t b) { return a & b; }, self, other);
}
Tensor bitwise_or(const Tensor& self, const Tensor& other) {
  return map<IntTypes>(in_type("bitwise_or_cpu", result_type(self, other)), [](int64_t a, int64_t b) { return a | b; }, self, other);
}
Tensor bitwise_xor(const Tensor& self, const Tensor& other) {
  return map<IntTypes>(in_type("bitwise_xor_cpu", result_type(self, other)), [](int64_t a, int64_t b) { return a ^ b; }, self, other);
}
Tensor bitwise_not(const Tensor& self) {
  if (self.dtype == DType::Bool) return logical_not(self);
  return map<IntTypes>(in_type("bitwise_not_cpu", self.dtype), [](int64_t a) { return ~a; }, self);
}

// Shifts by less than 0 or by the width and more: everything is shifted out.
Tensor shifted_left(const Tensor& self, const Tensor& other) {
  const Signature signature = in_type("lshift_cpu", result_type(self, other));
  no_bool("lshift_cpu", signature.common);
  const int64_t width = item_size(signature.common) * 8;
  return map<IntTypes>(signature, [width](int64_t a, int64_t b) {
    return b < 0 || b >= width ? int64_t{0} : static_cast<int64_t>(static_cast<uint64_t>(a) << b);
  }, self, other);
}
Tensor shifted_right(const Tensor& self, const Tensor& other) {
  const Signature signature = in_type("rshift_cpu", result_type(self, other));
  no_bool("rshift_cpu", signature.common);
  const int64_t width = item_size(signature.common) * 8;
  const bool has_sign = is_signed(signature.common);
  return map<IntTypes>(signature, [=](int64_t a, int64_t b) {
    if (b >= 0 && b < width) return a >> b;
    return has_sign ? a >> (width - 1) : int64_t{0};
  }, self, other);
}

}  // namespace

void add_comparison_ops(OpTable& ops) {
  ops.add("aten::eq.Tensor(Tensor self, Tensor other) -> Tensor", eq);
  ops.add("aten::eq.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<eq>);
  ops.add("aten::ne.Tensor(Tensor self, Tensor other) -> Tensor", ne);
  ops.add("aten::ne.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<ne>);
  ops.add("aten::not_equal.Tensor(Tensor self, Tensor other) -> Tensor", ne);
  ops.add("aten::not_equal.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<ne>);
  ops.add("aten::lt.Tensor(Tensor self, Tensor other) -> Tensor", lt);
  ops.add("aten::lt.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<lt>);
  ops.add("aten::less.Tensor(Tensor self, Tensor other) -> Tensor", lt);
  ops.add("aten::less.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<lt>);
  ops.add("aten::le.Tensor(Tensor self, Tensor other) -> Tensor", le);
  ops.add("aten::le.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<le>);
  ops.add("aten::less_equal.Tensor(Tensor self, Tensor other) -> Tensor", le);
  ops.add("aten::less_equal.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<le>);
  ops.add("aten::gt.Tensor(Tensor self, Tensor other) -> Tensor", gt);
  ops.add("aten::gt.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<gt>);
  ops.add("aten::greater.Tensor(Tensor self, Tensor other) -> Tensor", gt);
  ops.add("aten::greater.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<gt>);
  ops.add("aten::ge.Tensor(Tensor self, Tensor other) -> Tensor", ge);
  ops.add("aten::ge.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<ge>);
  ops.add("aten::greater_equal.Tensor(Tensor self, Tensor other) -> Tensor", ge);
  ops.add("aten::greater_equal.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<ge>);
  ops.add("aten::isnan(Tensor self) -> Tensor", isnan);
  ops.add("aten::isinf(Tensor self) -> Tensor", isinf);
  ops.add("aten::isfinite(Tensor self) -> Tensor", isfinite);
  ops.add("aten::isposinf(Tensor self) -> Tensor", isposinf);
  ops.add("aten::isneginf(Tensor self) -> Tensor", isneginf);
  ops.add("aten::isreal(Tensor self) -> Tensor", isreal);
  ops.add("aten::signbit(Tensor self) -> Tensor", signbit);
  ops.add("aten::isclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> Tensor", isclose);
  ops.add("aten::allclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> bool", allclose);
  ops.add("aten::equal(Tensor self, Tensor other) -> bool", equal);
  ops.add("aten::logical_and(Tensor self, Tensor other) -> Tensor", logical_and);
  ops.add("aten::logical_or(Tensor self, Tensor other) -> Tensor", logical_or);
  ops.add("aten::logical_xor(Tensor self, Tensor other) -> Tensor", logical_xor);
  ops.add("aten::logical_not(Tensor self) -> Tensor", logical_not);
  ops.add("aten::bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor", bitwise_and);
  ops.add("aten::bitwise_and.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<bitwise_and>);
  ops.add("aten::bitwise_and.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", scalar_with<bitwise_and>);
  ops.add("aten::__and__.Tensor(Tensor self, Tensor other) -> Tensor", bitwise_and);
  ops.add("aten::__and__.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<bitwise_and>);
  ops.add("aten::bitwise_or.Tensor(Tensor self, Tensor other) -> Tensor", bitwise_or);
  ops.add("aten::bitwise_or.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<bitwise_or>);
  ops.add("aten::bitwise_or.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", scalar_with<bitwise_or>);
  ops.add("aten::__or__.Tensor(Tensor self, Tensor other) -> Tensor", bitwise_or);
  ops.add("aten::__or__.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<bitwise_or>);
  ops.add("aten::bitwise_xor.Tensor(Tensor self, Tensor other) -> Tensor", bitwise_xor);
  ops.add("aten::bitwise_xor.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<bitwise_xor>);
  ops.add("aten::bitwise_xor.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", scalar_with<bitwise_xor>);
  ops.add("aten::__xor__.Tensor(Tensor self, Tensor other) -> Tensor", bitwise_xor);
  ops.add("aten::__xor__.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<bitwise_xor>);
  ops.add("aten::bitwise_not(Tensor self) -> Tensor", bitwise_not);
  ops.add("aten::bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor", shifted_left);
  ops.add("aten::bitwise_left_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<shifted_left>);
  ops.add("aten::bitwise_left_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", scalar_with<shifted_left>);
  ops.add("aten::__lshift__.Tensor(Tensor self, Tensor other) -> Tensor", shifted_left);
  ops.add("aten::__lshift__.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<shifted_left>);
  ops.add("aten::bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor", shifted_right);
  ops.add("aten::bitwise_right_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<shifted_right>);
  ops.add("aten::bitwise_right_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", scalar_with<shifted_right>);
  ops.add("aten::__rshift__.Tensor(Tensor self, Tensor other) -> Tensor", shifted_right);
  ops.add("aten::__rshift__.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<shifted_right>);
}

}  // namespace pt2::interp
