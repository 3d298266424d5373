#include "views/widgets/links.h"

#include <algorithm>

#include <imgui_internal.h>

#include "views/widgets/row_cursor.h"

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
  ImGui::RenderNavHighlight(place, id);
  offer_row(context, false);
  if (!hovered) return pressed;
  window->DrawList->AddLine({place.Min.x, place.Max.y - 1}, {place.Max.x, place.Max.y - 1}, color);
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  return pressed;
}

void draw_pieces(PaneContext& context, GraphId graph, const std::vector<LabelPiece>& pieces, std::string_view origin, bool greyed) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool first = true;
  // Words that follow each other on a line without space between.
  auto place = [&](std::string_view text) {
    if (!first) {
      ImGui::SameLine(0, 0);
      if (ImGui::GetCursorScreenPos().x + ImGui::CalcTextSize(text.data(), text.data() + text.size()).x > right) ImGui::NewLine();
    }
    first = false;
  };
  for (const LabelPiece& piece : pieces) {
    if (piece.node) {
      place(piece.text);
      ImGui::PushID(int(piece.node.index));
      if (link(context, piece.text)) context.push("select.node", NodeRef{graph, piece.node}, std::string(origin));
      ImGui::PopID();
      continue;
    }
    for (size_t begin = 0; begin < piece.text.size();) {
      size_t end = piece.text.find(' ', begin);
      end = end == std::string::npos ? piece.text.size() : end + 1;
      const std::string_view word = std::string_view(piece.text).substr(begin, end - begin);
      place(word);
      if (greyed) ImGui::PushStyleColor(ImGuiCol_Text, context.theme.color(Role::Disabled));
      ImGui::TextUnformatted(word.data(), word.data() + word.size());
      if (greyed) ImGui::PopStyleColor();
      begin = end;
    }
  }
}

void copy_menu(const char* id, const std::string& text) {
  if (!ImGui::BeginPopupContextItem(id)) return;
  if (ImGui::MenuItem("Copy")) ImGui::SetClipboardText(text.c_str());
  ImGui::EndPopup();
}

}  // namespace pt2::views
