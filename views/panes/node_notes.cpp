#include "views/panes/node_notes.h"

#include "core/base/display.h"
#include "views/widgets/copy_menu.h"
#include "views/widgets/links.h"
#include "views/widgets/section.h"
#include "views/widgets/wrapped_text.h"

namespace pt2::views {

void draw_mark(PaneContext& context, const Selection& selection) {
  const Mark* mark = context.document->marks.find(selection);
  if (!mark) return;
  const std::string title = mark->key ? "Bookmark " + std::to_string(mark->key) + "###Note" : "Note###Note";
  if (!section_header(context.theme, title.c_str())) return;
  const std::string note = display_lines(mark->note);
  ImGui::PushTextWrapPos(0);
  if (note.empty()) ImGui::TextDisabled("No note");
  else wrapped_text(note);
  ImGui::PopTextWrapPos();
  copied_probe(context, "node/note", note);
  if (link(context, "Edit")) context.push("edit.rename", {}, "node");
  context.probe.item("node/note/edit", "Edit");
  ImGui::SameLine();
  if (link(context, "Remove")) context.push("mark.remove", {}, "node");
  context.probe.item("node/note/remove", "Remove");
}

void draw_node_data(PaneContext& context, NodeRef node) {
  const NodeData* data = context.document->data.get();
  if (!data) return;
  const std::string title = display_cut(data->file, 60) + "###Values from a file";
  if (!section_header(context.theme, title.c_str()) || !ImGui::BeginTable("##data", 2, ImGuiTableFlags_NoPadOuterX | ImGuiTableFlags_SizingFixedFit)) return;
  for (const NodeData::Column& column : data->columns) {
    const auto cell = column.cells.find(node);
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextColored(context.theme.color4(Role::Text2), "%s", display_cut(column.name, 60).c_str());
    ImGui::TableNextColumn();
    const std::string text = cell == column.cells.end() ? std::string("–") : display_cut(cell->second, 400);
    ImGui::TextUnformatted(text.c_str());
    copied_probe(context, "node/data/" + column.name, text);
  }
  ImGui::EndTable();
}

}  // namespace pt2::views
