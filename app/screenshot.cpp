#include "app/screenshot.h"

#include <vector>

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

#include "app/settings.h"

namespace pt2::app {

std::string write_framebuffer(const std::string& path, int width, int height) {
  std::vector<unsigned char> pixels(size_t(width) * size_t(height) * 4);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  for (size_t i = 3; i < pixels.size(); i += 4) pixels[i] = 255;
  // GL's rows go upwards.
  const int stride = width * 4;
  std::string png;
  stbi_write_png_to_func([](void* context, void* data, int size) { static_cast<std::string*>(context)->append(static_cast<char*>(data), size_t(size)); }, &png, width, height, 4,
                         pixels.data() + size_t(stride) * size_t(height - 1), -stride);
  if (png.empty()) return "cannot make a picture of " + std::to_string(width) + "x" + std::to_string(height) + " pixels";
  return replace_file(path, png, 0644);
}

}  // namespace pt2::app
