#include "views/shell/theme.h"

#include "views/widgets/graph_draw.h"

namespace pt2::views {

namespace {
ImU32 packed(uint32_t rgb, float alpha) { return IM_COL32(rgb >> 16 & 0xFF, rgb >> 8 & 0xFF, rgb & 0xFF, int(alpha * 255 + 0.5f)); }
}  // namespace

ImU32 Theme::color(Role role, float alpha) const { return packed(color_rgb(name, role), alpha); }
ImVec4 Theme::color4(Role role, float alpha) const { return ImGui::ColorConvertU32ToFloat4(color(role, alpha)); }
ImU32 Theme::family_text(float alpha) const { return packed(family_text_rgb(name), alpha); }
ImU32 Theme::nonfinite_text() const { return packed(nonfinite_text_rgb(name), 1); }

SizedFont Fonts::rung(const std::vector<ImFont*>& ladder, float pixels) {
  // Too small a text is unreadable; above the last rung it scales.
  if (ladder.empty() || pixels < kLeastTextPixels) return {};
  ImFont* best = ladder.front();
  for (ImFont* font : ladder)
    if (font->FontSize <= pixels + 0.01f) best = font;
  return {best, best == ladder.back() && pixels > best->FontSize ? pixels : best->FontSize};
}

void apply_style(const Theme& theme) {
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  style.WindowPadding = {8, 8};
  style.FramePadding = {8, 4};
  style.ItemSpacing = {8, 4};
  style.ItemInnerSpacing = {6, 4};
  style.CellPadding = {6, 3};
  style.IndentSpacing = 16;
  style.ScrollbarSize = 12;
  style.GrabMinSize = 12;
  style.WindowRounding = style.PopupRounding = 6;
  style.ChildRounding = 0;
  style.FrameRounding = style.GrabRounding = style.TabRounding = 4;
  style.ScrollbarRounding = 6;
  style.WindowBorderSize = style.PopupBorderSize = style.ChildBorderSize = 1;
  style.FrameBorderSize = 0;
  style.TabBorderSize = 0;
  style.WindowMenuButtonPosition = ImGuiDir_None;
  style.ScaleAllSizes(theme.scale);
  const bool dark = theme.name == ThemeName::Dark;
  auto set = [&](ImGuiCol slot, Role role, float alpha = 1) { style.Colors[slot] = theme.color4(role, alpha); };
  set(ImGuiCol_Text, Role::Text);
  set(ImGuiCol_TextDisabled, Role::Disabled);
  set(ImGuiCol_WindowBg, Role::Panel);
  set(ImGuiCol_ChildBg, Role::Panel, 0);
  set(ImGuiCol_PopupBg, dark ? Role::Raised : Role::Panel);
  set(ImGuiCol_Border, Role::Border);
  set(ImGuiCol_BorderShadow, Role::Border, 0);
  set(ImGuiCol_FrameBg, dark ? Role::Canvas : Role::Raised);
  set(ImGuiCol_FrameBgHovered, Role::SelectionRow, 0.6f);
  set(ImGuiCol_FrameBgActive, Role::SelectionRow);
  set(ImGuiCol_TitleBg, Role::Raised);
  set(ImGuiCol_TitleBgActive, Role::Raised);
  set(ImGuiCol_TitleBgCollapsed, Role::Raised);
  set(ImGuiCol_MenuBarBg, Role::Panel);
  set(ImGuiCol_ScrollbarBg, Role::Panel, 0);
  set(ImGuiCol_ScrollbarGrab, Role::Border);
  set(ImGuiCol_ScrollbarGrabHovered, Role::Outline);
  set(ImGuiCol_ScrollbarGrabActive, Role::Outline);
  set(ImGuiCol_CheckMark, Role::Accent);
  set(ImGuiCol_SliderGrab, Role::Accent);
  set(ImGuiCol_SliderGrabActive, Role::Accent);
  set(ImGuiCol_Button, Role::Border, 0.55f);
  set(ImGuiCol_ButtonHovered, Role::SelectionRow);
  set(ImGuiCol_ButtonActive, Role::SelectionRow);
  set(ImGuiCol_Header, Role::SelectionRow);
  set(ImGuiCol_HeaderHovered, Role::SelectionRow, 0.7f);
  set(ImGuiCol_HeaderActive, Role::SelectionRow);
  set(ImGuiCol_Separator, Role::Border);
  set(ImGuiCol_SeparatorHovered, Role::Accent);
  set(ImGuiCol_SeparatorActive, Role::Accent);
  set(ImGuiCol_ResizeGrip, Role::Border);
  set(ImGuiCol_ResizeGripHovered, Role::Accent);
  set(ImGuiCol_ResizeGripActive, Role::Accent);
  set(ImGuiCol_Tab, Role::Panel);
  set(ImGuiCol_TabHovered, Role::SelectionRow);
  set(ImGuiCol_TabActive, Role::Raised);
  set(ImGuiCol_TabUnfocused, Role::Panel);
  set(ImGuiCol_TabUnfocusedActive, Role::Raised);
  set(ImGuiCol_PlotLines, Role::Accent);
  set(ImGuiCol_PlotHistogram, Role::Accent);
  set(ImGuiCol_PlotHistogramHovered, Role::Current);
  set(ImGuiCol_TableHeaderBg, Role::Raised);
  set(ImGuiCol_TableBorderStrong, Role::Border);
  set(ImGuiCol_TableBorderLight, Role::Border, 0.5f);
  set(ImGuiCol_TableRowBg, Role::Panel, 0);
  set(ImGuiCol_TableRowBgAlt, Role::Raised, 0.35f);
  set(ImGuiCol_TextSelectedBg, Role::Accent, 0.4f);
  set(ImGuiCol_DragDropTarget, Role::Current);
  set(ImGuiCol_NavHighlight, Role::Accent);
  style.Colors[ImGuiCol_ModalWindowDimBg] = ImVec4(0, 0, 0, 0.45f);
}

}  // namespace pt2::views
