#include "app/compat_clipboard.h"

#include "imgui.h"

namespace pt2::app {

void install_clipboard(const Clipboard& clipboard) {
#if IMGUI_VERSION_NUM >= 19110
  static Clipboard kept;
  kept = clipboard;
  ImGuiPlatformIO& io = ImGui::GetPlatformIO();
  io.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) { kept.set(kept.window, text); };
  io.Platform_GetClipboardTextFn = [](ImGuiContext*) { return kept.get(kept.window); };
#else
  ImGuiIO& io = ImGui::GetIO();
  io.ClipboardUserData = clipboard.window;
  io.SetClipboardTextFn = clipboard.set;
  io.GetClipboardTextFn = clipboard.get;
#endif
}

}  // namespace pt2::app
