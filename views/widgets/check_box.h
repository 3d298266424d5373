#pragma once
#include "imgui.h"

namespace pt2::views {

// ImGui's boxes to check with a frame: without one those that are not checked are hardly told from what is behind them.
class BoxFrame {
 public:
  BoxFrame() {
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
    ImGui::PushStyleColor(ImGuiCol_Border, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  }
  ~BoxFrame() {
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
  }
  BoxFrame(const BoxFrame&) = delete;
  BoxFrame& operator=(const BoxFrame&) = delete;
};

inline bool check_box(const char* label, bool* on) {
  const BoxFrame frame;
  return ImGui::Checkbox(label, on);
}

inline bool radio_button(const char* label, bool on) {
  const BoxFrame frame;
  return ImGui::RadioButton(label, on);
}

}  // namespace pt2::views
