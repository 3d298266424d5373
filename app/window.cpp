// The window: GLFW for events, ImGui's GL3 back end for drawing. ImGui's own GLFW back end polls levels once a frame and loses quick
// key presses and drags, so callbacks fill our input queue instead. The loop sleeps until something happens.
#define GL_GLEXT_PROTOTYPES
#define GLFW_INCLUDE_GLEXT
#include "app/window.h"

#include <GLFW/glfw3.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "app/cli/cli.h"
#include "app/compat_clipboard.h"
#include "app/gl_backend.h"
#include "app/icon.h"
#include "app/screenshot.h"
#include "app/script.h"
#include "imgui.h"

namespace pt2::app {

using views::Chord;
using views::InputEvent;
using views::Key;

namespace {

constexpr double kCaretBlink = 0.4, kLongSleep = 60;
constexpr double kSoftwareFrame = 1.0 / 20;  // software rendering is capped while interacting
constexpr double kDriverPatience = 10, kDriverRetry = 0.5;  // seconds for a driver that was reset to come back

std::atomic<bool> terminated = false;

void on_signal(int) {
  terminated = true;
  glfwPostEmptyEvent();
}

Key key_from_glfw(int key) {
  if (key >= GLFW_KEY_A && key <= GLFW_KEY_Z) return Key(int(Key::A) + key - GLFW_KEY_A);
  if (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) return Key(int(Key::D0) + key - GLFW_KEY_0);
  if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_9) return Key(int(Key::D0) + key - GLFW_KEY_KP_0);
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) return Key(int(Key::F1) + key - GLFW_KEY_F1);
  switch (key) {
    case GLFW_KEY_UP: return Key::Up;
    case GLFW_KEY_DOWN: return Key::Down;
    case GLFW_KEY_LEFT: return Key::Left;
    case GLFW_KEY_RIGHT: return Key::Right;
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER: return Key::Enter;
    case GLFW_KEY_ESCAPE: return Key::Escape;
    case GLFW_KEY_SPACE: return Key::Space;
    case GLFW_KEY_TAB: return Key::Tab;
    case GLFW_KEY_HOME: return Key::Home;
    case GLFW_KEY_END: return Key::End;
    case GLFW_KEY_PAGE_UP: return Key::PageUp;
    case GLFW_KEY_PAGE_DOWN: return Key::PageDown;
    case GLFW_KEY_BACKSPACE: return Key::Backspace;
    case GLFW_KEY_DELETE: return Key::Delete;
    case GLFW_KEY_INSERT: return Key::Insert;
    case GLFW_KEY_MENU: return Key::Menu;
    case GLFW_KEY_MINUS:
    case GLFW_KEY_KP_SUBTRACT: return Key::Minus;
    case GLFW_KEY_EQUAL:
    case GLFW_KEY_KP_ADD: return Key::Equal;
    case GLFW_KEY_COMMA: return Key::Comma;
    case GLFW_KEY_PERIOD: return Key::Period;
    case GLFW_KEY_SLASH: return Key::Slash;
    case GLFW_KEY_GRAVE_ACCENT: return Key::Backquote;
    case GLFW_KEY_LEFT_BRACKET: return Key::LeftBracket;
    case GLFW_KEY_RIGHT_BRACKET: return Key::RightBracket;
    case GLFW_KEY_LEFT_CONTROL:
    case GLFW_KEY_RIGHT_CONTROL: return Key::Ctrl;
    case GLFW_KEY_LEFT_SHIFT:
    case GLFW_KEY_RIGHT_SHIFT: return Key::Shift;
    case GLFW_KEY_LEFT_ALT:
    case GLFW_KEY_RIGHT_ALT: return Key::Alt;
    case GLFW_KEY_LEFT_SUPER:
    case GLFW_KEY_RIGHT_SUPER: return Key::Super;
    default: return Key::None;
  }
}

Application& application_of(GLFWwindow* window) { return *static_cast<Application*>(glfwGetWindowUserPointer(window)); }

void push(GLFWwindow* window, InputEvent event) {
  application_of(window).input.push(event);
  application_of(window).request_frames();
}

// Window units to pixels: they differ on scaled Wayland and macOS.
float pixels_per_unit(GLFWwindow* window) {
  int width = 1, pixels = 1, ignored = 0;
  glfwGetWindowSize(window, &width, &ignored);
  glfwGetFramebufferSize(window, &pixels, &ignored);
  return width > 0 ? float(pixels) / float(width) : 1;
}

void install_callbacks(GLFWwindow* window) {
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
    InputEvent e{InputEvent::Type::Move};
    const float unit = pixels_per_unit(w);
    e.x = float(x) * unit, e.y = float(y) * unit;
    push(w, e);
  });
  glfwSetCursorEnterCallback(window, [](GLFWwindow* w, int entered) {
    if (entered) return;
    InputEvent e{InputEvent::Type::Move};
    e.x = e.y = -1e6f;
    push(w, e);
  });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int) {
    InputEvent e{InputEvent::Type::Button};
    e.button = button, e.down = action == GLFW_PRESS;
    push(w, e);
  });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double x, double y) {
    InputEvent e{InputEvent::Type::Wheel};
    e.x = float(x), e.y = float(y);
    push(w, e);
  });
  glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int, int action, int mods) {
    InputEvent e{InputEvent::Type::Key};
    e.chord = {key_from_glfw(key), (mods & GLFW_MOD_CONTROL) != 0, (mods & GLFW_MOD_SHIFT) != 0, (mods & GLFW_MOD_ALT) != 0};
    if (e.chord.key == Key::None) return;
    // On press GLFW's modifiers do not hold the modifier itself yet, on release still do.
    const bool pressed = action != GLFW_RELEASE;
    if (e.chord.key == Key::Ctrl) e.chord.ctrl = pressed;
    if (e.chord.key == Key::Shift) e.chord.shift = pressed;
    if (e.chord.key == Key::Alt) e.chord.alt = pressed;
    e.down = pressed;
    e.repeat = action == GLFW_REPEAT;
    push(w, e);
  });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned int character) {
    InputEvent e{InputEvent::Type::Char};
    e.character = character;
    push(w, e);
  });
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int focused) {
    InputEvent e{InputEvent::Type::Focus};
    e.down = focused != 0;
    push(w, e);
  });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) { application_of(w).dropped(std::vector<std::string>(paths, paths + count)); });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { application_of(w).request_frames(); });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow* w, int, int) { application_of(w).request_frames(); });
  glfwSetWindowContentScaleCallback(window, [](GLFWwindow* w, float x, float) {
    application_of(w).set_display_scale(x);
    application_of(w).request_frames();
  });
  glfwSetWindowCloseCallback(window, [](GLFWwindow* w) {
    (void)application_of(w).run_command("file.quit");
    application_of(w).request_frames();
  });
}

// Cursor shapes GLFW 3.3 has.
class Cursors {
 public:
  Cursors() {
    constexpr int shapes[] = {GLFW_ARROW_CURSOR, GLFW_IBEAM_CURSOR, GLFW_HAND_CURSOR, GLFW_HRESIZE_CURSOR, GLFW_VRESIZE_CURSOR};
    for (size_t i = 0; i < std::size(shapes); ++i) cursors_[i] = glfwCreateStandardCursor(shapes[i]);
  }
  ~Cursors() {
    for (GLFWcursor* cursor : cursors_)
      if (cursor) glfwDestroyCursor(cursor);
  }
  void forget() { shown_ = 0; }  // another window
  void show(GLFWwindow* window, ImGuiMouseCursor wanted) {
    const int shape = wanted == ImGuiMouseCursor_TextInput ? 1 : wanted == ImGuiMouseCursor_Hand ? 2 : wanted == ImGuiMouseCursor_ResizeEW ? 3 : wanted == ImGuiMouseCursor_ResizeNS ? 4 : 0;
    if (shape == shown_) return;
    shown_ = shape;
    glfwSetCursor(window, cursors_[shape]);
  }

 private:
  GLFWcursor* cursors_[5] = {};
  int shown_ = 0;
};

void set_icon(GLFWwindow* window) {
  constexpr int sizes[] = {16, 32, 48};
  std::vector<unsigned char> pixels[3];
  GLFWimage images[3];
  for (int i = 0; i < 3; ++i) {
    pixels[i] = icon_pixels(sizes[i]);
    images[i] = {sizes[i], sizes[i], pixels[i].data()};
  }
  glfwSetWindowIcon(window, 3, images);
}

std::string last_glfw_error;

int no_display(const char* why) {
  const bool unset = !std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY");
  if (unset) std::fprintf(stderr, "pt2scope: no display (DISPLAY and WAYLAND_DISPLAY are unset).");
  else std::fprintf(stderr, "pt2scope: %s: %s.", why, last_glfw_error.empty() ? "unknown reason" : last_glfw_error.c_str());
  std::fprintf(stderr, " Without a window: info, print, verify, run, compare, render, tensor.\n");
  return kNoDisplay;
}

// The window with its GL context. The driver tells of a reset instead of ending the process.
GLFWwindow* make_window(const WindowOptions& options, Application& application) {
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET);
  glfwWindowHint(GLFW_SAMPLES, 0);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, options.sized ? GLFW_FALSE : GLFW_TRUE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "pt2scope");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "pt2scope");
  GLFWwindow* window = glfwCreateWindow(options.width, options.height, application.window_title().c_str(), nullptr, nullptr);
  if (!window) {
    glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_NO_ROBUSTNESS);
    window = glfwCreateWindow(options.width, options.height, application.window_title().c_str(), nullptr, nullptr);
  }
  if (!window) return nullptr;
  glfwMakeContextCurrent(window);
  glfwSwapInterval(options.script.empty() ? 1 : 0);
  glfwSetWindowUserPointer(window, &application);
  glfwSetWindowSizeLimits(window, 640, 400, GLFW_DONT_CARE, GLFW_DONT_CARE);
  set_icon(window);
  install_callbacks(window);
  install_clipboard({window, [](void* w, const char* text) { glfwSetClipboardString(static_cast<GLFWwindow*>(w), text); },
                     [](void* w) { return glfwGetClipboardString(static_cast<GLFWwindow*>(w)); }});
  float scale_x = 1, scale_y = 1;
  glfwGetWindowContentScale(window, &scale_x, &scale_y);
  application.set_display_scale(scale_x);
  return window;
}

// A window of the same size and place after a loss; the driver may take a while. Null: it does not come back.
GLFWwindow* make_again(GLFWwindow* lost, WindowOptions options, Application& application) {
  int x = 0, y = 0;
  glfwGetWindowPos(lost, &x, &y);
  glfwGetWindowSize(lost, &options.width, &options.height);
  options.sized = true;  // in these units
  glfwDestroyWindow(lost);
  for (double until = glfwGetTime() + kDriverPatience; glfwGetTime() < until && !terminated; glfwWaitEventsTimeout(kDriverRetry))
    if (GLFWwindow* window = make_window(options, application)) {
      glfwSetWindowPos(window, x, y);
      return window;
    }
  return nullptr;
}

}  // namespace

bool read_script(const WindowOptions& options, std::string& text) {
  if (options.script == "-") {
    char buffer[4096];
    for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, stdin)) > 0;) text.append(buffer, n);
    return true;
  }
  std::ifstream in(options.script, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "error: %s: the script cannot be read\n", options.script.c_str());
    return false;
  }
  text.assign(std::istreambuf_iterator<char>(in), {});
  return true;
}

int run_window(const WindowOptions& options) {
  std::string script_text;
  if (!options.script.empty() && !read_script(options, script_text)) return kCannotOpen;
  // The file is being read while display and GL come up.
  Application application(options.application);
  glfwSetErrorCallback([](int, const char* message) { last_glfw_error = message; });
  if (!glfwInit()) return no_display("the display cannot be opened");
  struct Terminate { ~Terminate() { glfwTerminate(); } } terminate;

  GLFWwindow* window = make_window(options, application);
  if (!window) return no_display("no window with OpenGL 3.3 can be made");
  application.jobs().set_wake([] { glfwPostEmptyEvent(); });
  std::signal(SIGTERM, on_signal);
  std::signal(SIGINT, on_signal);
  std::unique_ptr<GlBackend> gl = GlBackend::make(glfwGetProcAddress);
  if (!gl) return no_display("OpenGL functions are missing");
  const char* renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  application.workspace().ui.renderer = renderer ? renderer : "";
  const std::string_view name = application.workspace().ui.renderer;
  const bool software = name.find("llvmpipe") != name.npos || name.find("softpipe") != name.npos || name.find("SwiftShader") != name.npos;
  if (software) application.workspace().ui.reduced_motion = true;

  int status = kDone;
  {
    Cursors cursors;
    application.images = &gl->images;
    int width = 0, height = 0;
    glfwGetFramebufferSize(window, &width, &height);
    auto screenshot = [&](const std::string& path) {
      gl->draw(width, height);
      return write_framebuffer(path, width, height);
    };
    std::optional<Script> script;
    if (!options.script.empty() || !options.screenshot.empty()) script.emplace(application, options.script.empty() ? "--screenshot" : options.script, options.script.empty() ? "wait idle" : script_text, screenshot);
    if (script) script->ends_at_failures = true;
    if (script) script->lose_graphics = [&] { gl->lose(); };
    std::string title = application.window_title();
    bool full_screen = false;
    int window_x = 0, window_y = 0, window_w = options.width, window_h = options.height;
    double last = glfwGetTime(), drawn = -1;
    while (!application.quit() && !terminated) {
      const double now = glfwGetTime();
      if (script || application.wants_frame() || application.next_frame_time() <= now) {
        // Rasterising in software costs tens of milliseconds: leave the processor some room.
        if (software && !script && drawn >= 0 && now - drawn < kSoftwareFrame) glfwWaitEventsTimeout(kSoftwareFrame - (now - drawn));
        else glfwPollEvents();
      } else {
        const double sleep = std::min(application.next_frame_time() - now, ImGui::GetIO().WantTextInput ? kCaretBlink : kLongSleep);
        glfwWaitEventsTimeout(std::max(0.001, sleep));
        if (ImGui::GetIO().WantTextInput || application.jobs().has_news()) application.request_frames(1);
      }
      if (application.jobs().has_news()) application.request_frames(1);
      const double time = glfwGetTime();
      if (glfwGetWindowAttrib(window, GLFW_ICONIFIED) && !script) {
        application.request_frames(1);
        glfwWaitEventsTimeout(kCaretBlink);
        continue;
      }
      if (!script && !application.wants_frame() && application.next_frame_time() > time) continue;
      if (script) {
        script->advance();
        if (script->finished()) {
          status = script->status();
          if (!options.screenshot.empty())
            if (const std::string problem = screenshot(options.screenshot); !problem.empty()) std::fprintf(stderr, "error: %s\n", problem.c_str()), status = kAnswerIsNo;
          if (!options.screenshot.empty() || status != kDone) break;
          script.reset();
        } else if (!application.wants_frame()) {
          application.jobs().wait(0.02);
        }
      }
      glfwGetFramebufferSize(window, &width, &height);
      if (width < 1 || height < 1) continue;
      views::FrameInput input;
      input.width = float(width), input.height = float(height);
      input.time = time, input.delta = time - last;
      last = time;
      input.events = application.input.take_frame();
      // Draw commands name the font texture, so it is made before they are.
      application.update_theme();
      gl->prepare(application.fonts_revision());
      application.frame(std::move(input));
      gl->draw(width, height);
      gl->images.end_frame();
      glfwSwapBuffers(window);
      drawn = time;
      if (gl->lost()) {
        application.images = nullptr;
        gl.reset();
        window = make_again(window, options, application);
        if (window) gl = GlBackend::make(glfwGetProcAddress);
        if (!gl) break;
        application.images = &gl->images;
        application.graphics_lost();
        cursors.forget();
        full_screen = false;
      }
      cursors.show(window, ImGui::GetMouseCursor());
      if (application.window_title() != title) glfwSetWindowTitle(window, (title = application.window_title()).c_str());
      if (application.workspace().ui.full_screen != full_screen) {
        full_screen = !full_screen;
        GLFWmonitor* monitor = glfwGetPrimaryMonitor();
        const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
        if (full_screen && mode) {
          glfwGetWindowPos(window, &window_x, &window_y);
          glfwGetWindowSize(window, &window_w, &window_h);
          glfwSetWindowMonitor(window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
        } else if (!full_screen) {
          glfwSetWindowMonitor(window, nullptr, window_x, window_y, window_w, window_h, 0);
        }
      }
    }
  }
  application.images = nullptr;
  application.jobs().set_wake({});
  const bool gone = !gl;
  gl.reset();
  if (window) glfwDestroyWindow(window);
  if (gone) return no_display("the graphics driver was reset and does not come back; what was set up is kept");
  return terminated ? kStopped : status;
}

}  // namespace pt2::app
