#pragma once
// The header of a .npy array: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }, a Python dict as text, padded.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/tensor/tensor.h"

namespace pt2 {

struct NpyHeader {
  DType dtype = DType::Unknown;
  Shape sizes, strides;
  bool big_endian = false;
  uint64_t size_bytes = 0;  // of magic, length and header: where the data begins
};

bool looks_like_npy(std::string_view first_bytes);
// `bytes`: the beginning of the file, at least limits::kNpyHeaderBytes + 12 of it where it has so many.
Result<NpyHeader> parse_npy_header(std::string_view bytes);
// Magic, length and header of an array in row-major order; what NumPy has no type for is to be widened first.
std::string npy_header_text(DType dtype, std::span<const int64_t> sizes);

}  // namespace pt2
