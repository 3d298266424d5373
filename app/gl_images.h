#pragma once
// Pictures of panes as GL textures, kept while they are drawn.
#include <map>
#include <string>

#include "views/shell/images.h"

namespace pt2::app {

class GlImages final : public views::ImageStore {
 public:
  ~GlImages() override;
  ImTextureID texture(const std::string& key, int width, int height, std::span<const uint32_t> pixels) override;
  // Lets go of what has not been drawn for a while. Needs a current GL context, like everything here.
  void end_frame();

 private:
  struct Texture {
    unsigned int name = 0;
    uint64_t used = 0;  // the frame
  };
  std::map<std::string, Texture> textures_;
  uint64_t frame_ = 0;
};

}  // namespace pt2::app
