#include "interp/promote.h"

#include <cmath>
#include <limits>

#include "interp/check.h"

namespace pt2::interp {

namespace {

bool is_float8(DType d) {
  return d == DType::Float8E4M3Fn || d == DType::Float8E5M2 || d == DType::Float8E4M3Fnuz || d == DType::Float8E5M2Fnuz || d == DType::Float8E8M0Fnu;
}
bool is_barebones_unsigned(DType d) { return d == DType::UInt16 || d == DType::UInt32 || d == DType::UInt64; }

// Wider kinds have higher numbers within a category; bfloat16 and float16 share one and meet in float32.
int width(DType d) {
  switch (d) {
    case DType::Float16: case DType::BFloat16: case DType::Complex32: return 1;
    case DType::Float32: case DType::Complex64: return 2;
    case DType::Float64: case DType::Complex128: return 3;
    default: return 0;
  }
}

DType promote_known(DType a, DType b) { return a == DType::Unknown ? b : b == DType::Unknown ? a : promote_types(a, b); }

DType combine_categories(DType higher, DType lower) {
  if (is_complex(higher)) return higher;
  if (is_floating(higher)) return is_complex(lower) ? complex_of(higher) : higher;
  if (higher == DType::Bool || is_floating(lower) || is_complex(lower)) return promote_known(higher, lower);
  return higher != DType::Unknown ? higher : lower;
}

}  // namespace

std::string_view scalar_type_name(DType dtype) {
  switch (dtype) {
    case DType::UInt8: return "Byte";
    case DType::Int8: return "Char";
    case DType::Int16: return "Short";
    case DType::Int32: return "Int";
    case DType::Int64: return "Long";
    case DType::Float16: return "Half";
    case DType::Float32: return "Float";
    case DType::Float64: return "Double";
    case DType::Complex32: return "ComplexHalf";
    case DType::Complex64: return "ComplexFloat";
    case DType::Complex128: return "ComplexDouble";
    case DType::Bool: return "Bool";
    case DType::BFloat16: return "BFloat16";
    case DType::UInt16: return "UInt16";
    case DType::UInt32: return "UInt32";
    case DType::UInt64: return "UInt64";
    case DType::Float8E4M3Fn: return "Float8_e4m3fn";
    case DType::Float8E5M2: return "Float8_e5m2";
    case DType::Float8E4M3Fnuz: return "Float8_e4m3fnuz";
    case DType::Float8E5M2Fnuz: return "Float8_e5m2fnuz";
    case DType::Float8E8M0Fnu: return "Float8_e8m0fnu";
    default: return dtype_name(dtype);
  }
}

DType promote_types(DType a, DType b) {
  if (a == b) return a;
  check(!is_float8(a) && !is_float8(b), "Promotion for Float8 Types is not supported, attempted to promote ", scalar_type_name(a), " and ", scalar_type_name(b));
  if (is_barebones_unsigned(a) || is_barebones_unsigned(b)) {
    if (is_floating(a)) return a;
    if (is_floating(b)) return b;
    fail("Promotion for uint16, uint32, uint64 types is not supported, attempted to promote ", scalar_type_name(a), " and ", scalar_type_name(b));
  }
  if (a == DType::Bool) return b;
  if (b == DType::Bool) return a;
  const bool a_integral = is_integral(a), b_integral = is_integral(b);
  if (a_integral && b_integral) {
    if (a == DType::UInt8 || b == DType::UInt8) {
      const DType other = a == DType::UInt8 ? b : a;
      return other == DType::Int8 ? DType::Int16 : other;
    }
    return item_size(a) > item_size(b) ? a : b;
  }
  if (a_integral) return b;
  if (b_integral) return a;
  if (is_complex(a) || is_complex(b)) {
    const DType real_a = real_of(a), real_b = real_of(b);
    return complex_of(real_a == real_b ? real_a : promote_types(real_a, real_b));
  }
  if (width(a) == width(b)) return DType::Float32;
  return width(a) > width(b) ? a : b;
}

bool can_cast(DType from, DType to) {
  if (is_complex(from) && !is_complex(to)) return false;
  if (is_floating(from) && (is_integral(to) || to == DType::Bool)) return false;
  return from == DType::Bool || to != DType::Bool;
}

void check_can_cast(DType from, DType to) {
  check(can_cast(from, to), "result type ", scalar_type_name(from), " can't be cast to the desired output type ", scalar_type_name(to));
}

void check_convertible(const Scalar& number, DType dtype) {
  if (dtype == DType::Bool || is_complex(dtype)) return;
  bool fits = number.to_complex().imag() == 0;
  const double value = number.to_double();
  if (is_floating(dtype)) {
    const double largest = dtype == DType::Float16    ? 65504.0
                           : dtype == DType::BFloat16 ? 0x1.FEp127
                           : dtype == DType::Float32  ? static_cast<double>(std::numeric_limits<float>::max())
                                                      : std::numeric_limits<double>::max();
    fits &= !std::isfinite(value) || std::fabs(value) <= largest;
  } else {
    const int bits = item_size(dtype) * 8 - (is_signed(dtype) ? 1 : 0);
    if (number.is_integral()) {
      const int64_t i = number.to_int();
      // Unsigned types take negative numbers, which wrap around.
      const uint64_t magnitude = i < 0 ? (is_signed(dtype) ? ~static_cast<uint64_t>(i) : -static_cast<uint64_t>(i)) : static_cast<uint64_t>(i);
      fits &= bits >= 63 || magnitude >> bits == 0;
    } else {
      fits &= value < std::ldexp(1.0, bits) && value >= -std::ldexp(1.0, bits);
    }
  }
  check(fits, "value cannot be converted to type ", dtype, " without overflow");
}

DType dtype_of(const Scalar& number) {
  switch (number.kind()) {
    case Scalar::Kind::Bool: return DType::Bool;
    case Scalar::Kind::Int: return DType::Int64;
    case Scalar::Kind::Float: return DType::Float32;
    default: return DType::Complex64;
  }
}

DType floating_result(DType dtype) { return is_floating(dtype) || is_complex(dtype) ? dtype : DType::Float32; }

DType real_of(DType dtype) {
  switch (dtype) {
    case DType::Complex32: return DType::Float16;
    case DType::Complex64: return DType::Float32;
    case DType::Complex128: return DType::Float64;
    default: return dtype;
  }
}

DType complex_of(DType dtype) {
  switch (dtype) {
    case DType::Float16: return DType::Complex32;
    case DType::BFloat16: case DType::Float32: return DType::Complex64;
    case DType::Float64: return DType::Complex128;
    default: check(is_complex(dtype), "there is no complex type for ", dtype); return dtype;
  }
}

Promotion& Promotion::add(const Tensor& tensor) {
  DType dtype = tensor.dtype;
  if (tensor.wrapped_number) dtype = is_complex(dtype) ? DType::Complex64 : is_floating(dtype) ? DType::Float32 : dtype;
  DType& slot = tensor.dim() > 0 ? with_dims_ : tensor.wrapped_number ? number_ : zero_dim_;
  slot = promote_known(slot, dtype);
  return *this;
}

Promotion& Promotion::add(const Scalar& number) {
  number_ = promote_known(number_, dtype_of(number));
  return *this;
}

DType Promotion::result() const { return combine_categories(with_dims_, combine_categories(zero_dim_, number_)); }

DType result_type_of(std::span<const Tensor> tensors) {
  Promotion promotion;
  for (const Tensor& tensor : tensors) promotion.add(tensor);
  return promotion.result();
}

}  // namespace pt2::interp
