#pragma once
// ImGui's drawing and the pictures of panes in the GL context that is current. Nothing of the session lives in GL: when the driver is reset
// the context goes with all in it, and another one gets another of these.
#include <memory>

#include "app/gl_images.h"

namespace pt2::app {

class GlBackend {
 public:
  using Lookup = void (*(*)(const char* name))();  // of OpenGL functions
  // Null: functions are missing.
  static std::unique_ptr<GlBackend> make(Lookup lookup);
  ~GlBackend();
  GlBackend(const GlBackend&) = delete;
  GlBackend& operator=(const GlBackend&) = delete;

  // Before each frame: draw commands name the font texture, so it is made before they are.
  void prepare(int fonts_revision);
  // The last frame, into the framebuffer that is bound.
  void draw(int width, int height);
  // Whether the driver was reset. Asked once a frame.
  bool lost() const;
  void lose() { told_lost_ = true; }  // as if it had been

  GlImages images;

 private:
  GlBackend() = default;
  unsigned (*reset_status_)() = nullptr;
  bool told_lost_ = false;
  int fonts_revision_ = -1;
};

}  // namespace pt2::app
