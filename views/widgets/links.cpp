#include "views/widgets/links.h"

#include <algorithm>

#include <imgui_internal.h>

#include "views/widgets/draw.h"
#include "views/widgets/row_cursor.h"
#include "views/widgets/tab_stops.h"

namespace pt2::views {

bool link(const PaneContext& context, std::string_view text) {
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  const char *begin = text.data(), *end = begin + text.size();
  const ImVec2 size = ImGui::CalcTextSize(begin, end), min{window->DC.CursorPos.x, window->DC.CursorPos.y + window->DC.CurrLineTextBaseOffset};
  const ImRect place(min, {min.x + size.x, min.y + size.y});
  // The same word may be a link twice: its place in the pane tells which.
  ImGui::PushID(int(min.x - window->Pos.x + window->Scroll.x));
  ImGui::PushID(int(min.y - window->Pos.y + window->Scroll.y));
  const ImGuiID id = window->GetID(begin, end);
  ImGui::PopID();
  ImGui::PopID();
  ImGui::ItemSize(size, 0);
  if (!ImGui::ItemAdd(place, id)) return false;
  bool hovered = false, held = false;
  const bool pressed = ImGui::ButtonBehavior(place, id, &hovered, &held, ImGuiButtonFlags_PressedOnClick);
  const ImU32 color = context.theme.color(Role::Accent);
  window->DrawList->AddText(min, color, begin, end);
  offer_row(context, false);
  tab_stops::add();
  if (!hovered) return pressed;
  window->DrawList->AddLine({place.Min.x, place.Max.y - 1}, {place.Max.x, place.Max.y - 1}, color);
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  return pressed;
}

namespace {

constexpr std::string_view kBoundToTheLeft = ",)]}:";

// What the text begins with that must not begin a line.
std::string_view bound_part(std::string_view text) { return text.substr(0, std::min(text.find_first_not_of(kBoundToTheLeft), text.size())); }

float width_of(std::string_view text) { return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x; }

}  // namespace

Rect draw_pieces(PaneContext& context, GraphId graph, const std::vector<LabelPiece>& pieces, std::string_view origin, bool greyed) {
  const float left = ImGui::GetCursorScreenPos().x, right = left + ImGui::GetContentRegionAvail().x;
  bool first = true;
  Rect first_name;
  // Words that follow each other on a line without space between. Returns what there is room for.
  auto place = [&](std::string_view text, std::string_view bound) {
    if (!first) {
      ImGui::SameLine(0, 0);
      if (bound_part(text).empty() && ImGui::GetCursorScreenPos().x + width_of(text) + width_of(bound) > right) ImGui::NewLine();
    }
    first = false;
    return width_of(text) <= right - left ? std::string(text) : draw::elided({ImGui::GetFont(), ImGui::GetFontSize()}, text, right - left);
  };
  auto whole_in_tooltip = [](const std::string& shown, std::string_view whole) {
    if (shown != whole && ImGui::IsItemHovered()) ImGui::SetTooltip("%.*s", int(whole.size()), whole.data());
  };
  for (size_t i = 0; i < pieces.size(); ++i) {
    const LabelPiece& piece = pieces[i];
    if (piece.node) {
      const std::string shown = place(piece.text, i + 1 < pieces.size() ? bound_part(pieces[i + 1].text) : std::string_view());
      ImGui::PushID(int(piece.node.index));
      if (link(context, shown)) context.push("select.node", NodeRef{graph, piece.node}, std::string(origin));
      whole_in_tooltip(shown, piece.text);
      ImGui::PopID();
      const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
      if (first_name.empty()) first_name = {min.x, min.y, max.x - min.x, max.y - min.y};
      continue;
    }
    for (size_t begin = 0; begin < piece.text.size();) {
      size_t end = piece.text.find(' ', begin);
      end = end == std::string::npos ? piece.text.size() : end + 1;
      const std::string_view word = std::string_view(piece.text).substr(begin, end - begin);
      const std::string shown = place(word, {});
      if (greyed) ImGui::PushStyleColor(ImGuiCol_Text, context.theme.color(Role::Disabled));
      ImGui::TextUnformatted(shown.data(), shown.data() + shown.size());
      if (greyed) ImGui::PopStyleColor();
      whole_in_tooltip(shown, word);
      begin = end;
    }
  }
  return first_name;
}

}  // namespace pt2::views
