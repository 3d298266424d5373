#pragma once
// Pictures as PNG files.
#include <cstdint>
#include <span>
#include <string>

#include "core/base/result.h"

namespace pt2 {

// Pixels are RGBA, bytes in that order. A failure leaves no half file.
Result<void> write_png(const std::string& path, int width, int height, std::span<const uint32_t> pixels);

}  // namespace pt2
