#include "core/tensor/element.h"

#include <charconv>
#include <cmath>
#include <cstring>

#include "core/tensor/float_formats.h"

namespace pt2 {

namespace {

template <class T>
T load(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

// sign, two bits of exponent, one of mantissa.
double float4(unsigned code) {
  constexpr double kMagnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  return code & 8 ? -kMagnitudes[code & 7] : kMagnitudes[code & 7];
}

// As Python's repr: the fewest digits that give the value back, an exponent only for very small and very large numbers.
template <class T>
std::string shortest(T value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const double magnitude = std::abs(static_cast<double>(value));
  const bool fixed = magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16);
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value, fixed ? std::chars_format::fixed : std::chars_format::scientific).ptr;
  std::string result(text, end);
  if (fixed && result.find('.') == result.npos) result += ".0";
  return result;
}

// The same for float16 and bfloat16: the fewest digits that round to the value.
std::string shortest_small(DType dtype, double value) {
  if (!std::isfinite(value)) return shortest(value);
  const auto round = [&](double v) -> double {
    const auto f = static_cast<float>(v);
    return dtype == DType::Float16 ? float_from_half(half_from_float(f)) : float_from_bfloat16(bfloat16_from_float(f));
  };
  for (int digits = 1; digits < 9; ++digits) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr;
    double parsed = 0;
    std::from_chars(text, end, parsed);
    if (round(parsed) == value) return shortest(parsed);
  }
  return shortest(static_cast<float>(value));
}

std::string number_text(DType dtype, double value) {
  switch (dtype) {
    case DType::Float64:
    case DType::Complex128: return shortest(value);
    case DType::Float32:
    case DType::Complex64: return shortest(static_cast<float>(value));
    case DType::Complex32: return shortest_small(DType::Float16, value);
    case DType::Float16:
    case DType::BFloat16: return shortest_small(dtype, value);
    default: return shortest(static_cast<float>(value));  // the few values of float8 are short as they are
  }
}

}  // namespace

Element read_element(DType dtype, const std::byte* bytes) {
  switch (dtype) {
    case DType::Unknown: return std::monostate();
    case DType::Bool: return load<uint8_t>(bytes) != 0;
    case DType::UInt8:
    case DType::QUInt8:
    case DType::QUInt4x2:
    case DType::QUInt2x4: return int64_t{load<uint8_t>(bytes)};
    case DType::Int8:
    case DType::QInt8: return int64_t{load<int8_t>(bytes)};
    case DType::Int16: return int64_t{load<int16_t>(bytes)};
    case DType::Int32:
    case DType::QInt32: return int64_t{load<int32_t>(bytes)};
    case DType::Int64: return load<int64_t>(bytes);
    case DType::UInt16: return int64_t{load<uint16_t>(bytes)};
    case DType::UInt32: return int64_t{load<uint32_t>(bytes)};
    case DType::UInt64: return load<uint64_t>(bytes);
    case DType::Float16: return double{float_from_half(load<uint16_t>(bytes))};
    case DType::BFloat16: return double{float_from_bfloat16(load<uint16_t>(bytes))};
    case DType::Float32: return double{load<float>(bytes)};
    case DType::Float64: return load<double>(bytes);
    case DType::Complex32: return std::complex<double>(float_from_half(load<uint16_t>(bytes)), float_from_half(load<uint16_t>(bytes + 2)));
    case DType::Complex64: return std::complex<double>(load<float>(bytes), load<float>(bytes + 4));
    case DType::Complex128: return std::complex<double>(load<double>(bytes), load<double>(bytes + 8));
    case DType::Float8E4M3Fn:
    case DType::Float8E5M2:
    case DType::Float8E4M3Fnuz:
    case DType::Float8E5M2Fnuz:
    case DType::Float8E8M0Fnu: return double{float_from_float8(dtype, load<uint8_t>(bytes))};
    case DType::Float4E2M1FnX2: {
      const auto pair = load<uint8_t>(bytes);
      return std::complex<double>(float4(pair & 15), float4(pair >> 4));
    }
  }
  return std::monostate();
}

const std::byte* element_bytes(const Tensor& tensor, std::span<const int64_t> index) {
  int64_t at = 0;
  for (size_t d = 0; d < index.size(); ++d) at += index[d] * tensor.strides[d];
  return tensor.bytes() + at * item_size(tensor.dtype);
}

double as_double(const Element& element) {
  struct Visitor {
    double operator()(std::monostate) const { return std::nan(""); }
    double operator()(bool value) const { return value; }
    double operator()(int64_t value) const { return static_cast<double>(value); }
    double operator()(uint64_t value) const { return static_cast<double>(value); }
    double operator()(double value) const { return value; }
    double operator()(std::complex<double> value) const { return std::abs(value); }
  };
  return std::visit(Visitor{}, element);
}

std::string element_text(DType dtype, const Element& element) {
  if (const auto* value = std::get_if<bool>(&element)) return *value ? "True" : "False";
  if (const auto* value = std::get_if<int64_t>(&element)) return std::to_string(*value);
  if (const auto* value = std::get_if<uint64_t>(&element)) return std::to_string(*value);
  if (const auto* value = std::get_if<double>(&element)) return number_text(dtype, *value);
  if (const auto* value = std::get_if<std::complex<double>>(&element)) {
    if (dtype == DType::Float4E2M1FnX2) return shortest(value->real()) + "|" + shortest(value->imag());
    const std::string imaginary = number_text(dtype, value->imag());
    return number_text(dtype, value->real()) + (imaginary.starts_with('-') ? "" : "+") + imaginary + "j";
  }
  return "?";
}

std::string element_hex(DType dtype, const std::byte* bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (int i = item_size(dtype); i-- > 0;) {
    const auto byte = std::to_integer<unsigned>(bytes[i]);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace pt2
