#pragma once
// All differences between Dear ImGui 1.86 (Debian 12) and later versions, except those of fonts and input (shell/fonts.cpp,
// shell/compat_input.cpp), and what it would refuse. Nothing else asks for IMGUI_VERSION_NUM.
#include <algorithm>
#include <cstdint>

#include "imgui.h"

namespace pt2::views::compat {

inline bool begin_child(const char* id, ImVec2 size, bool border = false, ImGuiWindowFlags flags = 0) {
#if IMGUI_VERSION_NUM >= 19000
  return ImGui::BeginChild(id, size, border ? ImGuiChildFlags_Borders : ImGuiChildFlags_None, flags);
#else
  return ImGui::BeginChild(id, size, border, flags);
#endif
}

// One without a size is refused; a tab or a bar in a narrow window may have none left.
inline bool invisible_button(const char* id, ImVec2 size, ImGuiButtonFlags flags = 0) { return ImGui::InvisibleButton(id, {std::max(size.x, 1.0f), std::max(size.y, 1.0f)}, flags); }

// The last two arguments changed places in 1.92.8: never call AddRect or AddPolyline directly.
inline void add_rect(ImDrawList* draw, ImVec2 a, ImVec2 b, ImU32 color, float rounding, float thickness = 1.0f) {
#if IMGUI_VERSION_NUM >= 19280
  draw->AddRect(a, b, color, rounding, thickness, 0);
#else
  draw->AddRect(a, b, color, rounding, 0, thickness);
#endif
}
inline void add_polyline(ImDrawList* draw, const ImVec2* points, int count, ImU32 color, bool closed, float thickness) {
  const ImDrawFlags flags = closed ? ImDrawFlags_Closed : ImDrawFlags_None;
#if IMGUI_VERSION_NUM >= 19280
  draw->AddPolyline(points, count, color, thickness, flags);
#else
  draw->AddPolyline(points, count, color, flags, thickness);
#endif
}

inline void push_font(ImFont* font) {
#if IMGUI_VERSION_NUM >= 19200
  ImGui::PushFont(font, font->LegacySize);
#else
  ImGui::PushFont(font);
#endif
}

inline ImTextureID texture_id(uintptr_t gl_name) { return (ImTextureID)gl_name; }

}  // namespace pt2::views::compat
