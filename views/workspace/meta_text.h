#pragma once
// What the file says of a tensor's sizes, strides and memory, as texts.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/program.h"

namespace pt2::views {

// "[1, s77, 16]".
std::string sizes_text(const std::vector<SymInt>& sizes);
// "s77=4, s3=16": the values symbols had for the example inputs.
std::string hints_text(const std::vector<SymInt>& sizes);
// Contiguous, channels last or neither; empty where symbols leave it open.
std::string memory_format_text(const TensorMeta& meta);
// None where a symbol has no value, or where they are more than can be counted.
std::optional<uint64_t> byte_count(const TensorMeta& meta);
bool any_symbolic(const TensorMeta& meta);  // of its sizes

}  // namespace pt2::views
