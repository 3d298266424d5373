// The strip above the graph that says why the run stands where it does, and what edits changed.
#include <algorithm>

#include "core/base/display.h"
#include "core/base/text.h"
#include "views/compat.h"
#include "views/panes/graph_pane.h"
#include "views/workspace/debug_session.h"

namespace pt2::views {

namespace {

// "Stopped after sqrt: 1 NaN of 6 (rule: first NaN/Inf)"; empty: nothing to say.
std::string stop_text(const DebugSession& debug) {
  const interp::Debugger& debugger = *debug.debugger();
  if (!debugger.stopped_by() || debugger.in_the_past() || debugger.state() == interp::RunState::Running) return {};
  const std::string& reason = debugger.stop_reason();
  return reason.starts_with("breakpoint ") ? "Stopped at " + reason : "Stopped " + reason;
}

std::string edits_text(const interp::Debugger& debugger) {
  const size_t waiting = debugger.waiting_edits().size(), count = debugger.edits().size() + waiting;
  if (!count) return {};
  std::string text = "What if: " + std::to_string(count) + (count == 1 ? " edit" : " edits");
  if (debugger.baseline()) text += ", " + with_commas(uint64_t(debugger.changed_count())) + (debugger.changed_count() == 1 ? " value differs" : " values differ") + " from the original";
  else text += debugger.trace().steps().empty() ? ", used by the next run" : ", used by this run";
  if (waiting) text += waiting == count ? ", once its values are there" : ", " + std::to_string(waiting) + " of them once their values are there";
  return text;
}

}  // namespace

// It takes its room from the canvas, so that it lies over no box.
void GraphPane::draw_banner(PaneContext& context) {
  const DebugSession* debug = context.document->debug.get();
  if (!debug) return;
  const interp::Debugger& debugger = *debug->debugger();
  const std::string stop = stop_text(*debug), edits = edits_text(debugger);
  const std::string origin = stop.empty() && context.document->highlight.kind != Highlight::Kind::Origin ? "" : debug->origin_text();
  if (stop.empty() && edits.empty() && origin.empty()) return;
  const Theme& theme = context.theme;
  const std::string prefix = context.graph_prefix() + "/banner";
  const float line = ImGui::GetFrameHeightWithSpacing(), pad = theme.px(6);
  constexpr float kStopButtons = 300, kOriginButtons = 130, kEditButtons = 100;
  const float width = ImGui::GetContentRegionAvail().x;
  if (width < theme.px(200)) return;
  // Where words and buttons do not fit side by side, the buttons come below.
  const bool narrow = width < theme.px(480);
  const int lines = (!stop.empty() + !edits.empty() + !origin.empty()) * (narrow ? 2 : 1);
  const ImVec2 at = ImGui::GetCursorScreenPos(), size{width, float(lines) * line + 2 * pad};
  ImGui::PushStyleColor(ImGuiCol_ChildBg, theme.color(Role::Raised));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(theme.px(12), pad));
  if (compat::begin_child("##banner", size, true)) {
    const bool nonfinite = debugger.slice() || debugger.slice_under_way();
    const Role role = nonfinite && !origin.empty() ? Role::NonFinite : stop.empty() ? Role::Mutated : Role::Current;
    ImGui::PushClipRect(at, {at.x + size.x, at.y + size.y}, false);
    ImGui::GetWindowDrawList()->AddRectFilled({at.x + 1, at.y + theme.px(4)}, {at.x + theme.px(4), at.y + size.y - theme.px(4)}, theme.color(role), theme.px(2));
    ImGui::PopClipRect();
    auto text = [&](const std::string& words, const std::string& probe, float buttons) {
      const float room = ImGui::GetContentRegionAvail().x - (narrow ? 0 : buttons);
      ImGui::AlignTextToFramePadding();
      const ImVec2 start = ImGui::GetCursorScreenPos();
      ImGui::PushClipRect(start, {start.x + std::max(room - theme.px(8), 1.0f), start.y + line}, true);
      ImGui::TextUnformatted(display(words).c_str());
      ImGui::PopClipRect();
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", display_cut(words, 1000).c_str());
      context.probe.add(prefix + probe, start, {start.x + std::max(room, 1.0f), start.y + line}, words);
      if (!narrow) ImGui::SameLine(ImGui::GetCursorPosX() + std::max(room, 0.0f));
    };
    auto button = [&](const char* label, const char* name, const char* command, CommandArgument argument = {}) {
      if (ImGui::SmallButton(label)) context.push(command, std::move(argument), "graph");
      context.probe.item(prefix + "/" + name, label);
      ImGui::SameLine();
    };
    if (!stop.empty()) {
      const auto& by = *debugger.stopped_by();
      const interp::NodeRun* run = debugger.run_of(by.node);
      const bool without_value = run && !run->done();
      text(stop, "", theme.px(without_value ? kStopButtons : 190));
      if (without_value) button("Give its value…", "give_value", "debug.edit", by.node);
      button("Continue", "continue", "debug.start");
      button("Ignore here", "ignore", "debug.ignore_here");
      ImGui::NewLine();
    }
    if (!origin.empty()) {
      text(origin, "/origin", theme.px(kOriginButtons));
      if (debugger.slice()) button("Show producer", "show_producer", "debug.show_producer");
      ImGui::NewLine();
    }
    if (!edits.empty()) {
      text(edits, "/edits", theme.px(kEditButtons));
      button("Take back", "clear_edits", "debug.clear_edits");
      ImGui::NewLine();
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  ImGui::SetCursorScreenPos({at.x, at.y + size.y});
}

}  // namespace pt2::views
