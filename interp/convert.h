#pragma once
// Elements to and from the few types kernels compute in. Twenty element types times every operator would be thousands of loops; instead each
// block of elements is loaded into one of five compute types, computed there and stored, which costs little while it is in the first-level cache.
// float16, bfloat16 and float8 compute in float and are rounded when stored, as PyTorch does.
#include <complex>
#include <cstddef>
#include <cstdint>

#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"

namespace pt2::interp {

enum class Compute : uint8_t { F32, F64, I64, C128, Bool };  // float, double, int64_t, std::complex<double>, bool

template <class T>
constexpr Compute compute_of();
template <> constexpr Compute compute_of<float>() { return Compute::F32; }
template <> constexpr Compute compute_of<double>() { return Compute::F64; }
template <> constexpr Compute compute_of<int64_t>() { return Compute::I64; }
template <> constexpr Compute compute_of<std::complex<double>>() { return Compute::C128; }
template <> constexpr Compute compute_of<bool>() { return Compute::Bool; }

// What a dtype computes in. Integers, bool too, in int64_t: storing wraps around, and any value but 0 is true.
Compute compute_type(DType dtype);
int compute_size(Compute compute);
// The element type whose bytes are those of the compute type: such operands need no conversion.
DType native_dtype(Compute compute);

// `from` is read every `stride_bytes`, `to` is dense.
using LoadFunction = void (*)(const std::byte* from, int64_t stride_bytes, void* to, int64_t count);
using StoreFunction = void (*)(const void* from, std::byte* to, int64_t stride_bytes, int64_t count);
LoadFunction loader(DType dtype, Compute compute);
StoreFunction storer(Compute compute, DType dtype);

// Rounds or wraps computed values as storing them in `dtype` and loading them again does.
void round_to(DType dtype, Compute compute, void* values, int64_t count);
// False where round_to would change nothing for values that come from `from`.
bool needs_rounding(DType from, DType to);

}  // namespace pt2::interp
