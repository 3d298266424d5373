// Where and why a run stops: the rules that are always there, then what the user set.
#include <algorithm>
#include <string>

#include "core/base/display.h"
#include "core/base/text.h"
#include "views/compat.h"
#include "views/panes/panes.h"
#include "views/widgets/text_table.h"
#include "views/workspace/debug_session.h"

namespace pt2::views {
namespace {

class BreakpointsPane : public Pane {
 public:
  void draw(PaneContext& context) override;

 private:
  void row(PaneContext& context, size_t index, size_t user_index, const interp::Breakpoint& breakpoint);

  std::string typed_, edited_;
  size_t editing_ = size_t(-1);  // in the debugger's list
  bool focus_edit_ = false;
};

void BreakpointsPane::row(PaneContext& context, size_t index, size_t user_index, const interp::Breakpoint& breakpoint) {
  const Theme& theme = context.theme;
  const Program& program = *context.document->program();
  const std::string at = std::to_string(index), name = breakpoint.built_in ? "breakpoints/rule/" + at : "breakpoints/row/" + std::to_string(user_index);
  ImGui::TableNextRow(0, theme.px(24));
  ImGui::PushID(int(index));
  ImGui::TableNextColumn();
  bool enabled = breakpoint.enabled;
  if (ImGui::Checkbox("##on", &enabled)) context.push("breakpoint.enable", at + (enabled ? " on" : " off"), "breakpoints");
  context.probe.item(name + "/enabled", enabled ? "on" : "off");

  ImGui::TableNextColumn();
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const std::string where = display_cut(interp::where_text(breakpoint, program), 120);
  ImGui::AlignTextToFramePadding();
  if (ImGui::Selectable((where + "##where").c_str(), breakpoint.node.node && context.document->selection.current().shown() == breakpoint.node) && breakpoint.node.node)
    context.push("select.node", breakpoint.node, "breakpoints");
  context.probe.add(name, low, ImGui::GetItemRectMax(), where + "  " + condition_text(breakpoint) + "  hits " + std::to_string(breakpoint.hits));
  if (ImGui::BeginPopupContextItem("##menu")) {
    if (ImGui::MenuItem("Condition…")) editing_ = index, edited_ = condition_text(breakpoint), focus_edit_ = true;
    if (ImGui::MenuItem("Remove", nullptr, false, !breakpoint.built_in)) context.push("breakpoint.remove", at, "breakpoints");
    ImGui::EndPopup();
  }

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
  } else {
    const std::string condition = display_cut(condition_text(breakpoint), 200);
    if (ImGui::Selectable((condition + "##condition").c_str()) && !breakpoint.built_in) editing_ = index, edited_ = condition, focus_edit_ = true;
    if (!breakpoint.built_in && ImGui::IsItemHovered()) ImGui::SetTooltip("Click to edit");
  }
  context.probe.item(name + "/condition", condition_text(breakpoint));

  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(with_commas(uint64_t(breakpoint.hits)).c_str());

  ImGui::TableNextColumn();
  constexpr const char* kActions[] = {"stop", "log", "collect"};
  ImGui::SetNextItemWidth(-1);
  if (ImGui::BeginCombo("##action", kActions[int(breakpoint.action)], ImGuiComboFlags_NoArrowButton)) {
    for (int i = 0; i < 3; ++i)
      if (ImGui::Selectable(kActions[i], int(breakpoint.action) == i)) context.push("breakpoint.action", at + " " + kActions[i], "breakpoints");
    ImGui::EndCombo();
  }

  ImGui::TableNextColumn();
  if (!breakpoint.built_in) {
    if (ImGui::SmallButton("×")) context.push("breakpoint.remove", at, "breakpoints");
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Remove");
    context.probe.item(name + "/remove", "Remove");
  }
  ImGui::PopID();
}

void BreakpointsPane::draw(PaneContext& context) {
  const interp::Debugger* debugger = context.document && context.document->debug ? context.document->debug->debugger() : nullptr;
  if (!debugger) {
    ImGui::TextDisabled("No program is open");
    return;
  }
  compat::push_font(context.theme.fonts.table);
  ImGui::SetNextItemWidth(-1);
  if (input_text("##add", typed_, "Add: a node, op=aten.add.*, module=layer1, exit=layer1, model.py:41, symbol=s0, data=b_cache, any", ImGuiInputTextFlags_EnterReturnsTrue) && !typed_.empty()) {
    context.push("breakpoint.add", typed_, "breakpoints");
    typed_.clear();
    ImGui::SetKeyboardFocusHere(-1);
  }
  context.probe.item("breakpoints/add", typed_);
  if (ImGui::BeginTable("##breakpoints", 6, ImGuiTableFlags_RowBg | ImGuiTableFlags_Resizable | ImGuiTableFlags_ScrollY | ImGuiTableFlags_BordersInnerV)) {
    const Theme& theme = context.theme;
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("On", ImGuiTableColumnFlags_WidthFixed, theme.px(28));
    ImGui::TableSetupColumn("Where", ImGuiTableColumnFlags_WidthStretch, 1);
    ImGui::TableSetupColumn("Condition", ImGuiTableColumnFlags_WidthStretch, 1);
    ImGui::TableSetupColumn("Hits", ImGuiTableColumnFlags_WidthFixed, theme.px(50));
    ImGui::TableSetupColumn("Action", ImGuiTableColumnFlags_WidthFixed, theme.px(70));
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, theme.px(24));
    ImGui::TableHeadersRow();
    size_t user = 0;
    for (size_t i = 0; i < debugger->breakpoints.size(); ++i) {
      row(context, i, user, debugger->breakpoints[i]);
      user += !debugger->breakpoints[i].built_in;
    }
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
