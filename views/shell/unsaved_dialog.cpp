#include "core/base/display.h"
#include "views/shell/shell.h"

namespace pt2::views {

void draw_unsaved(ShellContext& c) {
  if (!ui::begin_dialog(c, "unsaved", "What you set up would be lost", ImVec2(560, 180))) return;
  const Document* document = c.workspace.active();
  const std::string text = display(document ? document->title() + ": " + document->session_problem : std::string());
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted("Breakpoints, watches and inputs are only in memory.");
  ImGui::Spacing();
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  const std::string command = c.workspace.ui.unsaved_command;
  const bool quits = command == "file.quit";
  const float width = c.px(150);
  ImGui::SetCursorPos(ImVec2(ImGui::GetWindowWidth() - 3 * width - c.px(32), ImGui::GetWindowHeight() - c.px(46)));
  if (ImGui::Button("Save session as…", ImVec2(width, 0))) c.commands.push("session.save_as");
  c.probe.item("unsaved/save_as", "Save session as…");
  ImGui::SameLine();
  if (ImGui::Button(quits ? "Quit without" : "Close without", ImVec2(width, 0))) c.commands.push(command + "_anyway");
  c.probe.item("unsaved/anyway", quits ? "Quit without" : "Close without");
  ImGui::SameLine();
  if (ImGui::Button("Cancel", ImVec2(width, 0))) c.workspace.ui.dialog.clear();
  c.probe.item("unsaved/cancel", "Cancel");
  ui::end_dialog(c);
}

}  // namespace pt2::views
