#include "views/shell/tooltips.h"

#include <algorithm>

#include "imgui_internal.h"
#include "views/compat.h"
#include "views/widgets/wrapped_text.h"

namespace pt2::views::ui {

void show_tooltip(const ShellContext& c, const std::string& text, float wrap_at) {
  ImGui::BeginTooltip();
  compat::push_font(c.theme.fonts.table);
  ImGui::PushTextWrapPos(wrap_at);
  wrapped_text(text);
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  const ImVec2 min = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  // One that the pointer asks for and one of the keyboard may come in one frame.
  if (!c.probe.find("tooltip")) c.probe.add("tooltip", min, ImVec2(min.x + size.x, min.y + size.y), text);
  ImGui::EndTooltip();
}

void menu_tooltip(const ShellContext& c, const std::string& text) {
  if (text.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  const ImVec2 menu = ImGui::GetWindowPos(), padding = ImGui::GetStyle().WindowPadding;
  const float gap = c.px(4), end = menu.x + ImGui::GetWindowWidth(), room_right = c.input.width - end - 2 * gap, room_left = menu.x - 2 * gap;
  ImFont* font = c.theme.fonts.table;
  const float wanted = std::min(text_width(font, text) + 2 * padding.x, c.px(kTooltipWidth) + padding.x);
  const bool right = wanted <= room_right || room_right >= room_left;
  const float wrap_at = std::min(c.px(kTooltipWidth), (right ? room_right : room_left) - padding.x);
  const float height = font->CalcTextSizeA(font->FontSize, FLT_MAX, std::max(wrap_at - padding.x, 1.0f), text.c_str()).y + 2 * padding.y;
  const float y = std::max(0.0f, std::min(ImGui::GetItemRectMin().y, c.input.height - height));
  ImGui::SetNextWindowPos(ImVec2(IM_FLOOR(right ? end + gap : menu.x - gap), IM_FLOOR(y)), ImGuiCond_Always, ImVec2(right ? 0.0f : 1.0f, 0));
  show_tooltip(c, text, wrap_at);
}

}  // namespace pt2::views::ui
