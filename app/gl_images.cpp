#include "app/gl_images.h"

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "views/compat.h"

namespace pt2::app {

namespace {
constexpr uint64_t kKeptFrames = 120;
}

GlImages::~GlImages() {
  for (auto& [key, texture] : textures_) glDeleteTextures(1, &texture.name);
}

ImTextureID GlImages::texture(const std::string& key, int width, int height, std::span<const uint32_t> pixels) {
  Texture& texture = textures_[key];
  texture.used = frame_;
  if (!texture.name && width > 0 && height > 0 && pixels.size() >= size_t(width) * size_t(height)) {
    glGenTextures(1, &texture.name);
    glBindTexture(GL_TEXTURE_2D, texture.name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    while (glGetError() != GL_NO_ERROR) {}
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    if (glGetError() != GL_NO_ERROR) {  // too large, or there is no memory for it
      glDeleteTextures(1, &texture.name);
      texture.name = 0;
    }
  }
  return views::compat::texture_id(texture.name);
}

void GlImages::end_frame() {
  ++frame_;
  std::erase_if(textures_, [&](auto& item) {
    if (item.second.used + kKeptFrames > frame_) return false;
    glDeleteTextures(1, &item.second.name);
    return true;
  });
}

}  // namespace pt2::app
