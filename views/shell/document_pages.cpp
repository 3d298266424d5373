// What stands in a document's place while it is being opened, and when that failed: never a dead window.
#include <algorithm>
#include <filesystem>

#include "core/base/display.h"
#include "imgui_internal.h"
#include "views/compat.h"
#include "views/shell/shell.h"
#include "views/widgets/wrapped_text.h"

namespace pt2::views {

void draw_loading(ShellContext& c, const Document& document, const Loading&, const std::string& names, ImVec2 pos, ImVec2 size) {
  std::string stage;
  double seconds = 0;
  for (const JobInfo& job : c.jobs().jobs())
    if (job.tag == "load:" + std::to_string(document.id.index)) stage = job.stage, seconds = job.seconds;
  c.requests.wake_at(c.input.time + 0.1);
  if (seconds < 0.2) return;  // most files are there before anybody could read this
  constexpr const char* stages[] = {"Read archive", "Parse program", "Verify", "Lay out"};
  size_t at = 0;
  for (size_t i = 0; i < std::size(stages); ++i)
    if (stage == stages[i]) at = i;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  ImFont *font = c.theme.fonts.body, *heading = c.theme.fonts.heading;
  const float x = pos.x + std::max(c.px(24), (size.x - c.px(420)) / 2);
  float y = pos.y + size.y * 0.35f;
  ui::clipped_text(draw, heading, ImVec2(x, y), pos.x + size.x - x - c.px(24), c.theme.color(Role::Text), "Opening " + display(document.title()));
  y += c.px(34);
  float stage_x = x;
  for (size_t i = 0; i < std::size(stages); ++i) {
    const ImU32 color = c.theme.color(i < at ? Role::Executed : i == at ? Role::Text : Role::Disabled);
    draw->AddText(font, font->FontSize, ImVec2(IM_FLOOR(stage_x), IM_FLOOR(y)), color, stages[i]);
    stage_x += ui::text_width(font, stages[i]) + c.px(8);
    if (i + 1 < std::size(stages)) draw->AddText(font, font->FontSize, ImVec2(IM_FLOOR(stage_x), IM_FLOOR(y)), c.theme.color(Role::Disabled), "›");
    stage_x += c.px(16);
  }
  y += c.px(30);
  char elapsed[32];
  std::snprintf(elapsed, sizeof elapsed, "%.0f s", seconds);
  if (seconds >= 1) draw->AddText(font, font->FontSize, ImVec2(IM_FLOOR(x + c.px(100)), IM_FLOOR(y + c.px(5))), c.theme.color(Role::Text2), elapsed);
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  ImGui::PushID(int(document.slot));
  if (ImGui::Button("Cancel", ImVec2(c.px(84), c.px(28)))) c.commands.push("file.close", {}, document.id);
  c.probe.item(names + "/cancel", "Cancel");
  ImGui::PopID();
}

// A file that was cut or rewritten since it was opened: what was read stays, what was not may be gone. Returns the height it took.
float draw_file_banner(ShellContext& c, const Document& document, const std::string& names, ImVec2 pos, float width) {
  if (document.changed.empty()) return 0;
  const float height = c.px(32);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  ImFont* font = c.theme.fonts.table;
  const ImVec2 max(pos.x + width, pos.y + height);
  draw->AddRectFilled(ImVec2(pos.x, pos.y), max, c.theme.color(Role::Raised));
  draw->AddRectFilled(ImVec2(pos.x, pos.y), ImVec2(pos.x + c.px(4), max.y), c.theme.color(Role::Warning));
  const float button = c.px(76);
  const std::string text = display(document.title()) + " " + document.changed + ". Values read so far stay; others may no longer be read.";
  ui::clipped_text(draw, font, ImVec2(pos.x + c.px(12), pos.y + (height - font->FontSize) / 2), width - button - c.px(32), c.theme.color(Role::Text), text);
  c.probe.add(names + "/changed", ImVec2(pos.x, pos.y), ImVec2(max.x - button - c.px(12), max.y), text);
  ImGui::PushID(int(document.slot));
  ImGui::SetCursorScreenPos(ImVec2(max.x - button - c.px(8), pos.y + c.px(4)));
  if (ImGui::Button("Reload", ImVec2(button, height - c.px(8)))) c.commands.push("file.reload", {}, document.id);
  c.probe.item(names + "/reload", "Reload");
  ImGui::PopID();
  return height;
}

void draw_load_failed(ShellContext& c, const Document& document, const LoadFailed& failed, const std::string& names, ImVec2 pos, ImVec2 size) {
  ImGui::SetCursorScreenPos(pos);
  ImGui::PushID(int(document.slot));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(std::max(c.px(24), (size.x - c.px(760)) / 2), c.px(40)));
  compat::begin_child("error page", size, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
  const std::string title = "Cannot open " + display(document.title());
  ImGui::PushTextWrapPos(0);
  compat::push_font(c.theme.fonts.heading);
  ImGui::PushStyleColor(ImGuiCol_Text, c.theme.color(Role::Breakpoint));
  ImGui::TextUnformatted(icon::error);
  ImGui::PopStyleColor();
  ImGui::SameLine();
  ImGui::TextUnformatted(title.c_str());
  ImGui::PopFont();
  c.probe.item(names + "/title", title);
  ImGui::Dummy(ImVec2(0, c.px(6)));
  compat::push_font(c.theme.fonts.body);
  const std::string message = display_lines(failed.error.message);
  wrapped_text(message);
  c.probe.item(names + "/message", message);
  ImGui::Dummy(ImVec2(0, c.px(6)));
  auto row = [&](const char* label, const std::string& text) {
    if (text.empty()) return;
    const float x = ImGui::GetCursorPosX();
    ImGui::PushStyleColor(ImGuiCol_Text, c.theme.color(Role::Text2));
    ImGui::TextUnformatted(label);
    ImGui::PopStyleColor();
    ImGui::SameLine(x + c.px(72));
    wrapped_text(text);
  };
  row("File", display(document.path));
  row("Where", display_lines(failed.error.where));
  row("Do", display_lines(failed.error.advice));
  ImGui::Dummy(ImVec2(0, c.px(10)));
  const ImVec2 button(0, c.px(30));
  if (ImGui::Button("Try again", button)) c.commands.push("file.reload", {}, document.id);
  c.probe.item(names + "/retry", "Try again");
  ImGui::SameLine();
  if (ImGui::Button("Open another…", button)) c.commands.push("file.open");
  ImGui::SameLine();
  if (ImGui::Button("Copy details", button))
    c.commands.push("edit.copy", title + "\n" + message + "\nFile: " + display(document.path) + (failed.error.where.empty() ? "" : "\nWhere: " + display_lines(failed.error.where)) +
                                     (failed.error.advice.empty() ? "" : "\nDo: " + display_lines(failed.error.advice)));
  c.probe.item(names + "/copy", "Copy details");
  ImGui::SameLine();
  if (ImGui::Button("Close", button)) c.commands.push("file.close", {}, document.id);
  c.probe.item(names + "/close", "Close");
  if (!failed.entries.empty()) {
    ImGui::Dummy(ImVec2(0, c.px(10)));
    const std::string label = "Entries of the archive (" + std::to_string(failed.entries.size()) + ")";
    const bool open = ImGui::TreeNodeEx("entries", ImGuiTreeNodeFlags_SpanAvailWidth, "%s", label.c_str());
    c.probe.item(names + "/entries", label);
    if (open) {
      compat::push_font(c.theme.fonts.mono_small);
      ImGuiListClipper clipper;
      clipper.Begin(int(failed.entries.size()));
      while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) ImGui::TextUnformatted(display(failed.entries[size_t(i)]).c_str());
      ImGui::PopFont();
      ImGui::TreePop();
    }
  }
  ImGui::PopFont();
  ImGui::PopTextWrapPos();
  ImGui::EndChild();
  ImGui::PopID();
}

}  // namespace pt2::views
