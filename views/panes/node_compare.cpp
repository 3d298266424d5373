#include "views/panes/node_compare.h"

#include "core/base/display.h"
#include "core/graph/results.h"
#include "views/widgets/copy_menu.h"
#include "views/widgets/section.h"
#include "views/widgets/wrapped_text.h"
#include "views/workspace/comparison.h"

namespace pt2::views {

namespace {

// The node that is held against this one: after a run of both the one that gave the value its value was held against.
NodeRef held_against(const Comparison& pair, bool from_left, const Program& own, NodeRef node, const Program& other) {
  const NodeRef partner = partner_in_numbers(pair, from_left, node);
  const bool part_of_tuple = partner.node && is_getitem(other.node(partner));  // the call it is of says more
  return partner.node && !part_of_tuple ? partner : closest_counterpart(*pair.result->diff, from_left, own, node, other);
}

}  // namespace

void draw_node_comparison(PaneContext& context, NodeRef node) {
  const Comparison& pair = context.workspace.comparison;
  if (!pair.result || !context.document || (context.document->id != pair.left && context.document->id != pair.right)) return;
  const ComparisonResult& result = *pair.result;
  const bool from_left = context.document->id == pair.left;
  if (context.document->program() != (from_left ? result.left : result.right).get()) return;  // just reloaded
  const std::vector<NodeRef> others = counterparts(*result.diff, from_left, node);
  if (others.empty() || !section_header(context.theme, "Compared")) return;
  const Program &own = from_left ? *result.left : *result.right, &other = from_left ? *result.right : *result.left;
  const NodeRef shown = held_against(pair, from_left, own, node, other), held = held_against(pair, !from_left, other, shown, own);
  const NodeRef a = from_left ? held : shown, b = from_left ? shown : held;
  const NodeRef part = compared_part(pair, from_left ? pair.right : pair.left, shown);
  const std::string with = display_cut(other.node(shown).name, 80) + (part.node ? ", its value " + display_cut(other.node(part).name, 80) : "");
  if (!(held == node)) {
    // Of several nodes that became one only the closest says what changed.
    const std::string instead = display_cut(own.node(node).name, 80) + " has none of its own; " + display_cut(own.node(held).name, 80) + " of its group is held against " + with;
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled("%s", instead.c_str());
    ImGui::PopTextWrapPos();
    copied_probe(context, "node/compared_with", instead);
  } else if (others.size() > 1 || part.node) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled(others.size() > 1 ? "with %s, one of %zu" : "with %s", with.c_str(), others.size());
    ImGui::PopTextWrapPos();
    copied_probe(context, "node/compared_with", with);
  }
  if (!ImGui::BeginTable("##compared", 4, ImGuiTableFlags_Resizable | ImGuiTableFlags_NoPadOuterX | ImGuiTableFlags_SizingStretchProp)) return;
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, context.theme.px(12));
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 0.7f);
  ImGui::TableSetupColumn("A", ImGuiTableColumnFlags_WidthStretch, 1);
  ImGui::TableSetupColumn("B", ImGuiTableColumnFlags_WidthStretch, 1);
  auto cell = [](const std::string& text) {
    ImGui::TableNextColumn();
    ImGui::PushTextWrapPos(0);
    wrapped_text(text);
    ImGui::PopTextWrapPos();
  };
  const ImVec4 changed = context.theme.color4(Role::Changed), quiet = context.theme.color4(Role::Text2);
  ImGui::TableNextRow();
  cell("");
  cell("");
  cell("A  " + display_cut(result.left->node(a).name, 60));
  cell("B  " + display_cut(result.right->node(b).name, 60));
  for (const NodeRow& row : compared_rows(result, pair, a, b)) {
    ImGui::TableNextRow();
    const ImVec2 top = ImGui::GetCursorScreenPos();
    ImGui::PushStyleColor(ImGuiCol_Text, row.differs() ? changed : quiet);
    cell(row.differs() ? "~" : "");
    cell(row.name);
    ImGui::PopStyleColor();
    cell(row.left);
    cell(row.right);
    const std::string both = row.left + " | " + row.right;
    const ImVec2 end{ImGui::GetItemRectMax().x + 1, ImGui::GetItemRectMax().y};
    context.probe.add("node/compared/", row.name, top, end, (row.differs() ? "~ " : "") + both);
    copy_menu(("##copy " + std::string(row.name)).c_str(), both, top, end);
  }
  ImGui::EndTable();
}

}  // namespace pt2::views
