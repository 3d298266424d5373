// Where and why a run stops: the rules that are always there, then what the user set.
#include <algorithm>
#include <string>
#include <utility>

#include "core/base/display.h"
#include "core/base/text.h"
#include "views/compat.h"
#include "views/panes/panes.h"
#include "views/widgets/cell_text.h"
#include "views/widgets/check_box.h"
#include "views/widgets/menu_key.h"
#include "views/widgets/tab_stops.h"
#include "views/widgets/table_heads.h"
#include "views/widgets/text_field.h"
#include "views/workspace/debug_session.h"

namespace pt2::views {
namespace {

class BreakpointsPane : public Pane {
 public:
  void draw(PaneContext& context) override;

 private:
  void row(PaneContext& context, size_t index, size_t user_index, const interp::Breakpoint& breakpoint);

  void action(PaneContext& context, const std::string& at, const std::string& name, const interp::Breakpoint& breakpoint, size_t index);

  std::string typed_, edited_;
  void keys(PaneContext& context, const interp::Debugger& debugger);
  void edit_condition(size_t index, const interp::Breakpoint& breakpoint);

  size_t editing_ = size_t(-1), picked_ = 0;  // in the debugger's list
  uint64_t seen_selection_ = 0, seen_condition_ = 0;
  size_t seen_count_ = 0;
  bool focus_edit_ = false, menu_wanted_ = false;
};

void BreakpointsPane::edit_condition(size_t index, const interp::Breakpoint& breakpoint) {
  editing_ = picked_ = index;
  edited_ = condition_text(breakpoint);
  focus_edit_ = true;
}

// What it does: stop, log a message, collect values; what was collected unfolds.
void BreakpointsPane::action(PaneContext& context, const std::string& at, const std::string& name, const interp::Breakpoint& breakpoint, size_t index) {
  const interp::Debugger& debugger = *context.document->debug->debugger();
  constexpr const char* kActions[] = {"stop", "log", "collect"};
  const bool log = breakpoint.action == interp::BreakpointAction::Log, collect = breakpoint.action == interp::BreakpointAction::Collect;
  ImGui::SetNextItemWidth(log || collect ? context.theme.px(64) : -1);
  if (ImGui::BeginCombo("##action", kActions[int(breakpoint.action)], ImGuiComboFlags_NoArrowButton)) {
    for (int i = 0; i < 3; ++i) {
      if (ImGui::Selectable(kActions[i], int(breakpoint.action) == i)) context.push("breakpoint.action", at + " " + kActions[i], "breakpoints");
      context.probe.item(name + "/action/" + kActions[i], kActions[i]);
    }
    ImGui::EndCombo();
  }
  context.probe.item(name + "/action", kActions[int(breakpoint.action)]);
  if (log) {
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    std::string message = breakpoint.message;
    if (input_text("##message", message, "{name} max={max}")) context.push("breakpoint.message", at + " " + message, "breakpoints");
    context.probe.item(name + "/message", message);
  }
  if (!collect) return;
  const auto& all = debugger.collected();
  const auto mine = std::count_if(all.begin(), all.end(), [&](const interp::Collected& c) { return c.breakpoint == index; });
  ImGui::SameLine();
  const std::string label = with_commas(uint64_t(mine)) + (mine == 1 ? " value" : " values");
  if (ImGui::Button(label.c_str())) ImGui::OpenPopup("##collected");
  context.probe.item(name + "/collected", label);
  if (!ImGui::BeginPopup("##collected")) return;
  size_t row = 0;
  for (const interp::Collected& value : all) {
    if (value.breakpoint != index) continue;
    const std::string text = display_cut(value.name, 80) + "   " + display_cut(value.text, 200);
    if (ImGui::Selectable((text + "##" + std::to_string(row)).c_str())) context.push("select.node", value.node, "breakpoints");
    context.probe.item(name + "/collected/" + std::to_string(row++), text);
  }
  if (!row) ImGui::TextDisabled("Nothing was collected yet");
  ImGui::EndPopup();
}

void BreakpointsPane::row(PaneContext& context, size_t index, size_t user_index, const interp::Breakpoint& breakpoint) {
  const Theme& theme = context.theme;
  const Program& program = *context.document->program();
  const std::string at = breakpoint.built_in ? "rule " + std::to_string(index) : std::to_string(user_index);
  const std::string name = breakpoint.built_in ? "breakpoints/rule/" + std::to_string(index) : "breakpoints/row/" + at;
  ImGui::TableNextRow(0, theme.px(24));
  ImGui::PushID(int(index));
  ImGui::TableNextColumn();
  bool enabled = breakpoint.enabled;
  if (check_box("##on", &enabled)) context.push("breakpoint.enable", at + (enabled ? " on" : " off"), "breakpoints");
  context.probe.item(name + "/enabled", enabled ? "on" : "off");

  ImGui::TableNextColumn();
  const ImVec2 low = ImGui::GetCursorScreenPos();
  std::string where = display_cut(interp::where_text(breakpoint, program), 120);
  if (breakpoint.built_in) where = breakpoint.condition == interp::BreakpointCondition::Error ? "any operator" : "first of any operator";
  if (!breakpoint.ignored.empty()) where += "   (ignored at " + with_commas(uint64_t(breakpoint.ignored.size())) + ")";
  ImGui::AlignTextToFramePadding();
  if (ImGui::Selectable("##where", picked_ == index)) {
    picked_ = index;
    if (breakpoint.node.node) context.push("select.node", breakpoint.node, "breakpoints");
  }
  tab_stops::add();
  if (picked_ == index && menu_wanted_) {
    open_menu_below_item("##menu");
    menu_wanted_ = false;
  }
  context.probe.add(name, low, ImGui::GetItemRectMax(), where + "  " + condition_text(breakpoint) + "  hits " + std::to_string(breakpoint.hits));
  if (ImGui::BeginPopupContextItem("##menu")) {
    picked_ = index;
    if (ImGui::MenuItem("Condition…", nullptr, false, !breakpoint.built_in)) edit_condition(index, breakpoint);
    context.probe.item("breakpoints/menu/condition", "Condition…");
    if (ImGui::MenuItem(enabled ? "Disable" : "Enable")) context.push("breakpoint.enable", at + (enabled ? " off" : " on"), "breakpoints");
    context.probe.item("breakpoints/menu/enable", enabled ? "Disable" : "Enable");
    if (!breakpoint.ignored.empty() && ImGui::MenuItem("Stop again where it is ignored")) context.push("breakpoint.forget_ignored", at, "breakpoints");
    if (ImGui::MenuItem("Remove", nullptr, false, !breakpoint.built_in)) context.push("breakpoint.remove", at, "breakpoints");
    context.probe.item("breakpoints/menu/remove", "Remove");
    ImGui::EndPopup();
  }
  ImGui::SetCursorScreenPos(low);
  ImGui::AlignTextToFramePadding();
  cell_text(context.theme, where);

  ImGui::TableNextColumn();
  if (editing_ == index) {
    if (focus_edit_) ImGui::SetKeyboardFocusHere();
    focus_edit_ = false;
    ImGui::SetNextItemWidth(-1);
    if (input_text("##condition", edited_, "NaN, Inf, |x| > 3, shape ≠ meta, hit ≥ 2, relu.max() > 1", ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll)) {
      context.push("breakpoint.condition", at + " " + edited_, "breakpoints");
      editing_ = size_t(-1);
    } else if (ImGui::IsItemDeactivated()) {
      editing_ = size_t(-1);
    }
    context.probe.item(name + "/condition", condition_text(breakpoint));
  } else {
    const std::string condition = display_cut(condition_text(breakpoint), 200);
    const ImVec2 start = ImGui::GetCursorScreenPos();
    if (ImGui::Selectable("##edit condition") && !breakpoint.built_in) edit_condition(index, breakpoint);
    const bool hovered = ImGui::IsItemHovered();
    context.probe.item(name + "/condition", condition_text(breakpoint));
    ImGui::SetCursorScreenPos(start);
    ImGui::AlignTextToFramePadding();
    if (cell_text(context.theme, condition) && hovered && !breakpoint.built_in) ImGui::SetTooltip("Click to edit");
  }

  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(with_commas(uint64_t(breakpoint.hits)).c_str());

  ImGui::TableNextColumn();
  action(context, at, name, breakpoint, index);

  ImGui::TableNextColumn();
  if (!breakpoint.built_in) {
    if (ImGui::SmallButton("×")) context.push("breakpoint.remove", at, "breakpoints");
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Remove");
    context.probe.item(name + "/remove", "Remove");
  }
  ImGui::PopID();
}

// The row is that of the node selected last; Up and Down choose another, the Menu key opens its menu.
void BreakpointsPane::keys(PaneContext& context, const interp::Debugger& debugger) {
  const size_t count = debugger.breakpoints.size();
  const SelectionHistory& selection = context.document->selection;
  if (std::exchange(seen_selection_, selection.revision()) != selection.revision())
    for (size_t i = 0; i < count; ++i)
      if (const NodeRef node = debugger.breakpoints[i].node; node.node && node == selection.current().shown()) picked_ = i;
  picked_ = std::min(picked_, count - 1);
  menu_wanted_ = menu_key(context);
  if (!context.focused || ImGui::GetIO().WantTextInput) return;
  const size_t before = picked_;
  if (context.input.pressed(Key::Down)) picked_ = std::min(picked_ + 1, count - 1);
  if (context.input.pressed(Key::Up) && picked_ > 0) --picked_;
  if (const NodeRef node = debugger.breakpoints[picked_].node; picked_ != before && node.node) context.push("select.node", node, "breakpoints");
}

void BreakpointsPane::draw(PaneContext& context) {
  const interp::Debugger* debugger = context.document && context.document->debug ? context.document->debug->debugger() : nullptr;
  if (!debugger) {
    ImGui::TextDisabled("No program is open");
    return;
  }
  compat::push_font(context.theme.fonts.table);
  add_line(context, typed_, "Add: a node, op=aten.add.*, module=layer1, exit=layer1, model.py:41, symbol=s0, data=b_cache, any; then if NaN", "breakpoint.add", "breakpoints");
  if (begin_list("##breakpoints", 6, kTableLook | ImGuiTableFlags_ScrollY)) {
    const Theme& theme = context.theme;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("On", ImGuiTableColumnFlags_WidthFixed, theme.px(28));
    ImGui::TableSetupColumn("Where", ImGuiTableColumnFlags_WidthStretch, 1);
    ImGui::TableSetupColumn("Condition", ImGuiTableColumnFlags_WidthStretch, 1);
    ImGui::TableSetupColumn("Hits", ImGuiTableColumnFlags_WidthFixed, theme.px(50));
    ImGui::TableSetupColumn("Action", ImGuiTableColumnFlags_WidthStretch, 1);
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, theme.px(24));
    table_heads();
    if (!debugger->breakpoints.empty()) keys(context, *debugger);
    const DebugSession& session = *context.document->debug;
    if (std::exchange(seen_condition_, session.condition_requests) != session.condition_requests && session.condition_wanted < debugger->breakpoints.size())
      edit_condition(session.condition_wanted, debugger->breakpoints[session.condition_wanted]);
    size_t user = 0;
    for (size_t i = 0; i < debugger->breakpoints.size(); ++i) {
      row(context, i, user, debugger->breakpoints[i]);
      user += !debugger->breakpoints[i].built_in;
    }
    // One that was added is in sight.
    if (const size_t count = debugger->breakpoints.size(); count > std::exchange(seen_count_, count) && user > 0) ImGui::SetScrollHereY(1);
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

}  // namespace

std::unique_ptr<Pane> make_breakpoints_pane() { return std::make_unique<BreakpointsPane>(); }

int breakpoint_count(const Workspace& workspace) {
  const Document* document = workspace.active();
  const interp::Debugger* debugger = document && document->debug ? document->debug->debugger() : nullptr;
  if (!debugger) return 0;
  return int(std::count_if(debugger->breakpoints.begin(), debugger->breakpoints.end(), [](const interp::Breakpoint& b) { return !b.built_in; }));
}

}  // namespace pt2::views
