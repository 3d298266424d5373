#pragma once
// One element of a tensor: its value, and its text. For whoever shows values; loops over many elements use the types directly.
#include <complex>
#include <cstdint>
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
// The shortest text that gives the same value back in the element's own type: "0.1" for a float32, "True", "1+2j", "nan", "-inf".
std::string element_text(DType dtype, const Element& element);
// The bits, most significant first: "3f800000".
std::string element_hex(DType dtype, const std::byte* bytes);

}  // namespace pt2
