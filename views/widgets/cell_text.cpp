#include "views/widgets/cell_text.h"

#include "views/widgets/draw.h"
#include "views/widgets/wrapped_text.h"

namespace pt2::views {

bool cell_text(const Theme& theme, std::string_view text, ImU32 color, CellAlign align) {
  const SizedFont font{ImGui::GetFont(), ImGui::GetFontSize()};
  const float width = draw::text_width(font, text), room = ImGui::GetContentRegionAvail().x;
  const bool fits = width <= room;
  if (align == CellAlign::Right && fits) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room - width);
  if (color) ImGui::PushStyleColor(ImGuiCol_Text, color);
  if (fits) {
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
  } else {
    const std::string cut = draw::elided(font, text, room);
    ImGui::TextUnformatted(cut.data(), cut.data() + cut.size());
  }
  if (color) ImGui::PopStyleColor();
  if (!fits && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(theme.px(480));
    wrapped_text(text);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
  return fits;
}

}  // namespace pt2::views
