#pragma once
// The header of a .safetensors file: 8 bytes of length, then JSON {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, …}.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/finding.h"
#include "core/base/result.h"
#include "core/tensor/tensor.h"

namespace pt2 {

struct SafetensorsEntry {
  std::string name, dtype_text;
  DType dtype = DType::Unknown;  // Unknown: one that PyTorch has not; dtype_text says which
  Shape sizes;
  uint64_t begin = 0, end = 0;   // from the end of the header
};
struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;  // in the order of the header
  std::map<std::string, std::string> metadata;
  std::vector<Finding> findings;
};

// Every entry lies inside `data_bytes`, none overlap, shapes fit their bytes; else an error.
Result<SafetensorsHeader> parse_safetensors_header(std::string_view json, uint64_t data_bytes);
// "F32"; quantized integers as plain ones. Complex types have none: they are stored as pairs.
std::string_view safetensors_dtype(DType dtype);

}  // namespace pt2
