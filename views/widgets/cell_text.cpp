#include "views/widgets/cell_text.h"

#include <algorithm>

#include "views/widgets/draw.h"
#include "views/widgets/wrapped_text.h"

namespace pt2::views {

namespace {

// A short beginning, "…" and as much of the end as fits.
std::string elided_with_end(SizedFont font, std::string_view text, float room) {
  constexpr std::string_view kEllipsis = "…";
  constexpr float kBeginning = 0.2f;
  const std::string beginning = draw::elided(font, text, kBeginning * room + draw::text_width(font, kEllipsis));
  const float left = room - draw::text_width(font, beginning);
  size_t begin = text.size();
  for (size_t at = text.size(); at-- > 0;) {
    if ((uint8_t(text[at]) & 0xC0) == 0x80) continue;  // inside a character
    if (draw::text_width(font, text.substr(at)) > left) break;
    begin = at;
  }
  return begin == text.size() ? draw::elided(font, text, room) : beginning + std::string(text.substr(begin));
}

}  // namespace

bool cell_text(const Theme& theme, std::string_view text, ImU32 color, CellAlign align) {
  const SizedFont font{ImGui::GetFont(), ImGui::GetFontSize()};
  const float width = draw::text_width(font, text);
  float room = ImGui::GetContentRegionAvail().x;
  // The last column in sight may go on beyond what is seen of its table.
  if (align != CellAlign::Right) room = std::min(room, ImGui::GetWindowDrawList()->GetClipRectMax().x - ImGui::GetCursorScreenPos().x);
  const bool fits = width <= room;
  if (align == CellAlign::Right && fits) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room - width);
  if (color) ImGui::PushStyleColor(ImGuiCol_Text, color);
  if (fits) {
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
  } else {
    const std::string cut = align == CellAlign::LeftWithEnd ? elided_with_end(font, text, room) : draw::elided(font, text, room);
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
