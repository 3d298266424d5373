#pragma once
// OpenGL without a display: a surfaceless EGL context and a framebuffer object.
#include <memory>
#include <string>

#include "app/gl_backend.h"

namespace pt2::app {

class OffscreenGl {
 public:
  OffscreenGl(int width, int height) : width_(width), height_(height) {}
  ~OffscreenGl() { end(); }
  OffscreenGl(const OffscreenGl&) = delete;
  OffscreenGl& operator=(const OffscreenGl&) = delete;

  // Again after a loss. What is wrong is told by draw_and_write().
  void start();
  void end();
  GlBackend* backend() { return backend_.get(); }  // null without GL
  // An error text or nothing.
  std::string draw_and_write(const std::string& path);

 private:
  std::string make_context();

  int width_, height_;
  std::string problem_;
  std::unique_ptr<GlBackend> backend_;
  unsigned framebuffer_ = 0;
  void *display_ = nullptr, *context_ = nullptr;
};

}  // namespace pt2::app
