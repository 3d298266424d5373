#include "core/base/png.h"

#include "core/base/file_writer.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace pt2 {

Result<void> write_png(const std::string& path, int width, int height, std::span<const uint32_t> pixels) {
  std::string png;
  const auto append = [](void* context, void* data, int size) { static_cast<std::string*>(context)->append(static_cast<char*>(data), static_cast<size_t>(size)); };
  stbi_write_png_to_func(append, &png, width, height, 4, pixels.data(), width * 4);
  if (png.empty()) return Error{ErrorKind::Limit, "there is no memory for the picture", "", "Take a part of it."};
  return write_file(path, png);
}

}  // namespace pt2
