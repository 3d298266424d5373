#pragma once

namespace pt2::app {

// Gives ImGui a clipboard. The hooks moved in ImGui 1.91.1.
struct Clipboard {
  void* window;
  void (*set)(void* window, const char* text);
  const char* (*get)(void* window);
};
void install_clipboard(const Clipboard& clipboard);

}  // namespace pt2::app
