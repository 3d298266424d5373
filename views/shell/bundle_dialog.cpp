// What goes into a bundle.
#include "core/archive/archive.h"
#include "core/base/text.h"
#include "imgui_internal.h"
#include "views/shell/shell.h"
#include "views/widgets/check_box.h"
#include "views/widgets/text_field.h"
#include "views/workspace/debug_session.h"

namespace pt2::views {

void draw_bundle_dialog(ShellContext& c) {
  const Document* document = c.workspace.active();
  if (!document || !document->program()) return c.workspace.ui.dialog.clear();
  if (!ui::begin_dialog(c, "bundle", "Save as bundle", ImVec2(560, 260))) return;
  Interface& shown = c.workspace.ui;
  ImGui::PushTextWrapPos(0);
  ImGui::TextDisabled("A .pt2 with the program and what you set up: breakpoints, watches, inputs, notes, bookmarks and the view. Whoever opens it finds them. The file you opened stays as it is.");
  ImGui::PopTextWrapPos();
  ImGui::Spacing();
  ImGui::TextUnformatted("Weights");
  const bool all = shown.bundle_weights == "all", none = shown.bundle_weights == "none";
  if (radio_button("All", all)) shown.bundle_weights = "all";
  c.probe.item("bundle/all", all ? "on" : "off");
  ImGui::SameLine();
  if (radio_button("None: the graph can be browsed, not run", none)) shown.bundle_weights = "none";
  c.probe.item("bundle/none", none ? "on" : "off");
  if (radio_button("Only these:", !all && !none) && (all || none)) shown.bundle_weights.clear();
  c.probe.item("bundle/named", !all && !none ? "on" : "off");
  ImGui::SameLine();
  std::string names = all || none ? std::string() : shown.bundle_weights;
  ImGui::SetNextItemWidth(-1);
  if (input_text("##names", names, "conv.weight conv.bias")) shown.bundle_weights = names;
  c.probe.item("bundle/names", names);
  ImGui::Spacing();
  const bool ran = !document->debug->debugger()->trace().steps().empty();
  ImGui::BeginDisabled(!ran);
  bool values = ran && shown.bundle_values;
  if (check_box(ran ? "Recorded values of the run: they become the reference" : "Recorded values (nothing was run)", &values)) shown.bundle_values = values;
  ImGui::EndDisabled();
  c.probe.item("bundle/values", values ? "on" : "off", ran);
  ImGui::Spacing();
  if (ImGui::Button("Save…")) c.commands.push("bundle.write");
  c.probe.item("bundle/save", "Save…");
  ui::fit_dialog("bundle", ui::spare_height());
  ui::end_dialog(c);
}

}  // namespace pt2::views
