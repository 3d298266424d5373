// The same frames without any display: a surfaceless EGL context and a framebuffer object. GL is made only when a picture is wanted;
// a script that asks for none runs the whole interface without it.
#include <cstdio>
#include <optional>

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "app/cli/cli.h"
#include "app/gl_images.h"
#include "app/screenshot.h"
#include "app/script.h"
#include "app/window.h"
#include "backends/imgui_impl_opengl3.h"
#include "imgui.h"

#if PT2_HAVE_EGL
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>
#endif

namespace pt2::app {

namespace {

constexpr double kFrame = 1.0 / 60;

class OffscreenGl {
 public:
  OffscreenGl(int width, int height) : width_(width), height_(height) {}
  ~OffscreenGl() {
#if PT2_HAVE_EGL
    images_.reset();
    if (ready_) ImGui_ImplOpenGL3_Shutdown();
    if (context_) {
      eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
      eglDestroyContext(display_, context_);
    }
    if (display_) eglTerminate(display_);
#endif
  }

  // Before each frame: draw commands name the font texture, so it is made before they are.
  void prepare(int fonts_revision) {
    if (!ready_) return;
    if (fonts_revision != fonts_revision_ && fonts_revision_ >= 0) {
      ImGui_ImplOpenGL3_DestroyFontsTexture();
      ImGui_ImplOpenGL3_CreateFontsTexture();  // NewFrame() makes one the first time only
    }
    fonts_revision_ = fonts_revision;
    ImGui_ImplOpenGL3_NewFrame();
  }

  // An error text or nothing.
  std::string draw_and_write(const std::string& path) {
    if (!ready_) return problem_;
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glViewport(0, 0, width_, height_);
    glClearColor(0.08f, 0.09f, 0.12f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    return write_framebuffer(path, width_, height_);
  }

  void start() {
    problem_ = make_context();
    if (ready_) images_.emplace();
  }
  // Null without GL.
  GlImages* images() { return images_ ? &*images_ : nullptr; }

 private:
  std::string make_context() {
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
    if (!ImGui_ImplOpenGL3_Init("#version 330 core")) return "no picture can be made: OpenGL functions are missing";
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width_, height_, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glGenFramebuffers(1, &framebuffer_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) return "no picture of " + std::to_string(width_) + "x" + std::to_string(height_) + " pixels can be made";
    ready_ = true;
    return {};
#else
    return "this build has no EGL: pictures of the window need a display";
#endif
  }

  int width_, height_;
  std::string problem_;
  std::optional<GlImages> images_;
  bool ready_ = false;
  int fonts_revision_ = -1;
  GLuint framebuffer_ = 0;
#if PT2_HAVE_EGL
  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
#endif
};

}  // namespace

int run_offscreen(const WindowOptions& options) {
  std::string text = "wait idle";
  if (!options.script.empty() && !read_script(options, text)) return kCannotOpen;
  WindowOptions own = options;
  own.application.probes = own.application.reduced_motion = true;
  own.application.keep_settings = false;
  if (!own.application.scale) own.application.scale = 1;
  Application application(own.application);
  OffscreenGl gl(options.width, options.height);
  auto screenshot = [&](const std::string& path) { return gl.draw_and_write(path); };
  if (!options.screenshot.empty() || text.find("screenshot") != std::string::npos) gl.start();
  application.images = gl.images();
  Script script(application, options.script.empty() ? "offscreen" : options.script, text, screenshot);
  double time = 0;
  while (!application.quit()) {
    script.advance();
    if (script.finished()) break;
    // Nothing to draw: wait for the worker instead of spinning.
    if (!application.wants_frame() || !application.jobs().idle()) application.jobs().wait(0.02);
    application.update_theme();
    gl.prepare(application.fonts_revision());
    views::FrameInput input;
    input.width = float(options.width), input.height = float(options.height);
    input.time = time += kFrame;
    input.delta = kFrame;
    input.events = application.input.take_frame();
    application.frame(std::move(input));
  }
  int status = script.status();
  if (!options.screenshot.empty()) {
    if (const std::string problem = screenshot(options.screenshot); !problem.empty()) {
      std::fprintf(stderr, "error: %s\n", problem.c_str());
      status = kAnswerIsNo;
    }
  }
  return status;
}

}  // namespace pt2::app
