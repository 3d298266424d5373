#include "app/offscreen_gl.h"

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "app/screenshot.h"

#if PT2_HAVE_EGL
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>
#endif

namespace pt2::app {

void OffscreenGl::start() {
  end();
  problem_ = make_context();
}

void OffscreenGl::end() {
#if PT2_HAVE_EGL
  backend_.reset();
  if (context_) {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
  }
  if (display_) eglTerminate(display_);
  context_ = display_ = nullptr;
#endif
}

std::string OffscreenGl::draw_and_write(const std::string& path) {
  if (!backend_) return problem_;
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  backend_->draw(width_, height_);
  return write_framebuffer(path, width_, height_);
}

std::string OffscreenGl::make_context() {
#if PT2_HAVE_EGL
  auto get_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  display_ = get_display ? get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr) : eglGetDisplay(EGL_DEFAULT_DISPLAY);
  if (!display_ || !eglInitialize(display_, nullptr, nullptr)) return "no picture can be made: EGL does not start here (Debian: apt-get install libegl1 libgl1-mesa-dri)";
  eglBindAPI(EGL_OPENGL_API);
  const EGLint config_attributes[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint configs = 0;
  eglChooseConfig(display_, config_attributes, &config, 1, &configs);
  const EGLint context_attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  context_ = configs ? eglCreateContext(display_, config, EGL_NO_CONTEXT, context_attributes) : EGL_NO_CONTEXT;
  if (!context_ || !eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) return "no picture can be made: there is no OpenGL 3.3 without a display here";
  std::unique_ptr<GlBackend> backend = GlBackend::make([](const char* name) { return eglGetProcAddress(name); });
  if (!backend) return "no picture can be made: OpenGL functions are missing";
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width_, height_, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glGenFramebuffers(1, &framebuffer_);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) return "no picture of " + std::to_string(width_) + "x" + std::to_string(height_) + " pixels can be made";
  backend_ = std::move(backend);
  return {};
#else
  return "this build has no EGL: pictures of the window need a display";
#endif
}

}  // namespace pt2::app
