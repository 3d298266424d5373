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

// The same for float16 and bfloat16: the fewest digits that round to the value; whole numbers in full, as PyTorch writes them: 65504, not 65500.
std::string shortest_small(DType dtype, double value) {
  if (!std::isfinite(value) || (std::abs(value) < 1e16 && value == std::trunc(value))) return shortest(value);
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

// How a floating-point number lies in its bits: sign, exponent, mantissa.
struct FloatLayout { int sign, exponent, mantissa; };
std::optional<FloatLayout> layout_of(DType dtype) {
  switch (dtype) {
    case DType::Float64: return FloatLayout{1, 11, 52};
    case DType::Float32: return FloatLayout{1, 8, 23};
    case DType::Float16: return FloatLayout{1, 5, 10};
    case DType::BFloat16: return FloatLayout{1, 8, 7};
    case DType::Float8E4M3Fn:
    case DType::Float8E4M3Fnuz: return FloatLayout{1, 4, 3};
    case DType::Float8E5M2:
    case DType::Float8E5M2Fnuz: return FloatLayout{1, 5, 2};
    case DType::Float8E8M0Fnu: return FloatLayout{0, 8, 0};
    default: return std::nullopt;
  }
}

uint64_t bits_of(DType dtype, const std::byte* bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, size_t(item_size(dtype)));
  return bits;
}

double value_of_bits(DType dtype, uint64_t bits) { return as_double(read_element(dtype, reinterpret_cast<const std::byte*>(&bits))); }

bool finite_float(DType dtype, const std::byte* bytes) {
  const Element element = read_element(dtype, bytes);
  const auto* value = std::get_if<double>(&element);
  return value && std::isfinite(*value);
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

double element_difference(const Element& actual, const Element& expected) {
  const auto* a = std::get_if<std::complex<double>>(&actual);
  const auto* b = std::get_if<std::complex<double>>(&expected);
  if (a || b) {
    const std::complex<double> x = a ? *a : as_double(actual), y = b ? *b : as_double(expected);
    return x == y ? 0 : std::abs(x - y);
  }
  if (const auto *x = std::get_if<int64_t>(&actual), *y = std::get_if<int64_t>(&expected); x && y)
    return *x < *y ? -double(uint64_t(*y) - uint64_t(*x)) : double(uint64_t(*x) - uint64_t(*y));
  const double x = as_double(actual), y = as_double(expected);
  return x == y || (std::isnan(x) && std::isnan(y)) ? 0 : x - y;
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

std::string element_bits(DType dtype, const std::byte* bytes) {
  const auto layout = layout_of(dtype);
  const int count = item_size(dtype) * 8;
  std::string text;
  for (int i = count; i-- > 0;) {
    text += std::to_integer<unsigned>(bytes[i / 8]) >> (i % 8) & 1 ? '1' : '0';
    const bool gap = layout ? i == layout->exponent + layout->mantissa || i == layout->mantissa : i % 8 == 0;
    if (gap && i) text += ' ';
  }
  return text;
}

bool is_denormal(DType dtype, const std::byte* bytes) {
  const auto layout = layout_of(dtype);
  if (!layout || !layout->mantissa) return false;
  const uint64_t bits = bits_of(dtype, bytes), mantissa = (uint64_t{1} << layout->mantissa) - 1, exponent = ((uint64_t{1} << layout->exponent) - 1) << layout->mantissa;
  return (bits & exponent) == 0 && (bits & mantissa) != 0;
}

double ulp_size(DType dtype, const std::byte* bytes) {
  const auto layout = layout_of(dtype);
  if (!layout || !finite_float(dtype, bytes)) return std::nan("");
  const uint64_t magnitude = bits_of(dtype, bytes) & ((uint64_t{1} << (layout->exponent + layout->mantissa)) - 1);
  const double value = value_of_bits(dtype, magnitude), next = value_of_bits(dtype, magnitude + 1);
  return std::isfinite(next) && next > value ? next - value : value - value_of_bits(dtype, magnitude - 1);
}

std::optional<uint64_t> ulp_distance(DType dtype, const std::byte* a, const std::byte* b) {
  const auto layout = layout_of(dtype);
  if (!layout || !finite_float(dtype, a) || !finite_float(dtype, b)) return std::nullopt;
  const int sign_at = layout->exponent + layout->mantissa;
  const uint64_t mask = (uint64_t{1} << sign_at) - 1, x = bits_of(dtype, a), y = bits_of(dtype, b);
  const bool same_side = !layout->sign || (x >> sign_at) == (y >> sign_at);
  const uint64_t from = x & mask, to = y & mask;
  return !same_side ? from + to : from > to ? from - to : to - from;
}

}  // namespace pt2
