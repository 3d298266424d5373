// The note on the selected node or module.
#include "core/base/display.h"
#include "imgui_internal.h"
#include "imgui_stdlib.h"
#include "views/shell/shell.h"
#include "views/widgets/text_field.h"

namespace pt2::views {

void draw_note_dialog(ShellContext& c, std::string& text) {
  const Document* document = c.workspace.active();
  const Selection selection = document ? document->selection.current() : Selection();
  if (!document || !document->program() || (!selection.module && !selection.shown().node)) return c.workspace.ui.dialog.clear();
  const Program& program = *document->program();
  const Mark* mark = document->marks.find(selection);
  const std::string name = selection.module ? "module " + program.modules.modules[selection.module].path : node_path(program, selection.shown());
  if (!ImGui::IsPopupOpen("note")) text = mark ? mark->note : std::string();
  if (!ui::begin_dialog(c, "note", ("Note on " + display_cut(name, 60)).c_str(), ImVec2(520, 226))) return;
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  forget_undo("##note");
  const bool entered = ImGui::InputTextMultiline("##note", &text, ImVec2(-1, c.px(120)), ImGuiInputTextFlags_CtrlEnterForNewLine | ImGuiInputTextFlags_EnterReturnsTrue);
  c.probe.item("note/text", text);
  ImGui::TextDisabled("Enter keeps it, Ctrl+Enter begins a new line");
  const bool keep = ImGui::Button("Keep") || entered;
  c.probe.item("note/keep", "Keep");
  ImGui::SameLine();
  if (mark && ImGui::Button("Remove")) {
    c.commands.push("mark.remove");
    c.workspace.ui.dialog.clear();
  }
  if (mark) c.probe.item("note/remove", "Remove");
  if (keep) {
    c.commands.push("mark.note", text);
    c.workspace.ui.dialog.clear();
  }
  ui::end_dialog(c);
}

}  // namespace pt2::views
