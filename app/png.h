#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace pt2::app {

// The bytes of a PNG file; empty where the picture is too large.
std::string png_bytes(int width, int height, std::span<const uint8_t> rgba);

}  // namespace pt2::app
