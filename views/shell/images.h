#pragma once
// Pictures made of pixels. Panes hand over RGBA pixels under a key; whoever owns the graphics device keeps them as textures while they
// are drawn. Without a device (tests) there is none, and nothing is drawn.
#include <cstdint>
#include <span>
#include <string>

#include "imgui.h"

namespace pt2::views {

class ImageStore {
 public:
  virtual ~ImageStore() = default;
  // The texture of these pixels, without smoothing; 0 where the device has no room for it. `key` names their content in full; call it in every frame that draws it.
  virtual ImTextureID texture(const std::string& key, int width, int height, std::span<const uint32_t> pixels) = 0;
};

}  // namespace pt2::views
