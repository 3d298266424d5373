#include "app/png.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace pt2::app {

std::string png_bytes(int width, int height, std::span<const uint8_t> rgba) {
  std::string png;
  const auto append = [](void* context, void* data, int size) { static_cast<std::string*>(context)->append(static_cast<char*>(data), static_cast<size_t>(size)); };
  stbi_write_png_to_func(append, &png, width, height, 4, rgba.data(), width * 4);
  return png;
}

}  // namespace pt2::app
