#include "views/widgets/links.h"

#include <algorithm>

namespace pt2::views {

bool link(const PaneContext& context, std::string_view text) {
  const std::string shown(text);
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.color(Role::Accent));
  ImGui::TextUnformatted(shown.c_str());
  ImGui::PopStyleColor();
  if (!ImGui::IsItemHovered()) return false;
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  ImGui::GetWindowDrawList()->AddLine({min.x, max.y - 1}, {max.x, max.y - 1}, context.theme.color(Role::Accent));
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  return ImGui::IsItemClicked();
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
