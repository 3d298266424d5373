#pragma once
// One element of a tensor: its value, and its text. For whoever shows values; loops over many elements use the types directly.
#include <complex>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "core/tensor/tensor.h"

namespace pt2 {

// monostate: a type without numbers of its own.
using Element = std::variant<std::monostate, bool, int64_t, uint64_t, double, std::complex<double>>;

// float4_e2m1fn_x2 holds two numbers in a byte; they come as a complex one.
Element read_element(DType dtype, const std::byte* bytes);
const std::byte* element_bytes(const Tensor& tensor, std::span<const int64_t> index);
inline Element element_at(const Tensor& tensor, std::span<const int64_t> index) { return read_element(tensor.dtype, element_bytes(tensor, index)); }

// As a real number: false and true are 0 and 1, complex numbers their magnitude.
double as_double(const Element& element);
// actual - expected as real numbers: 0 where they are equal or both NaN; of complex numbers their distance.
double element_difference(const Element& actual, const Element& expected);
// The shortest text that gives the same value back in the element's own type: "0.1" for a float32, "True", "1+2j", "nan", "-inf".
std::string element_text(DType dtype, const Element& element);
// The bits, most significant first: "3f800000".
std::string element_hex(DType dtype, const std::byte* bytes);
// The bits in groups: sign, exponent and mantissa of floating-point numbers ("0 01111111 00000000000000000000000"), else bytes.
std::string element_bits(DType dtype, const std::byte* bytes);

// A number smaller than the type's normal ones.
bool is_denormal(DType dtype, const std::byte* bytes);
// The distance to the next number of the type away from zero, one unit in the last place. NaN where there is none: for integers, complex
// numbers, NaN and infinities.
double ulp_size(DType dtype, const std::byte* bytes);
// How many steps from one number of the type to the next lead from a to b; none where there are no such steps. Both zeros are one number.
std::optional<uint64_t> ulp_distance(DType dtype, const std::byte* a, const std::byte* b);

}  // namespace pt2
