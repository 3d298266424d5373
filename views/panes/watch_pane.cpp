// Expressions over values, as they are at the time the panes show, with how they went.
#include <algorithm>
#include <string>
#include <utility>

#include "core/base/display.h"
#include "views/compat.h"
#include "views/panes/panes.h"
#include "views/widgets/cell_text.h"
#include "views/widgets/menu_key.h"
#include "views/widgets/row_cursor.h"
#include "views/widgets/row_menu.h"
#include "views/widgets/tab_stops.h"
#include "views/widgets/table_heads.h"
#include "views/widgets/text_field.h"
#include "views/workspace/debug_session.h"

namespace pt2::views {
namespace {

class WatchPane : public Pane {
 public:
  void draw(PaneContext& context) override;

 private:
  void row(PaneContext& context, size_t index, const interp::Watch& watch);
  void edit(size_t index, const interp::Watch& watch) {
    editing_ = index;
    edited_ = watch.expression;
    focus_edit_ = true;
  }
  void spark(PaneContext& context, const std::vector<double>& history);

  std::string typed_, edited_;
  size_t editing_ = size_t(-1), selected_ = 0;
  uint64_t seen_edit_ = 0;  // of Interface::edit_watch
  bool focus_edit_ = false, menu_wanted_ = false;
};

// A number's way from step to step.
void WatchPane::spark(PaneContext& context, const std::vector<double>& history) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), size{context.theme.px(80), ImGui::GetTextLineHeight()};
  ImGui::Dummy(size);
  if (history.size() < 2) return;
  const auto [low, high] = std::minmax_element(history.begin(), history.end());
  const double span = *high > *low ? *high - *low : 1;
  std::vector<ImVec2> points;
  for (size_t i = 0; i < history.size(); ++i)
    points.push_back({at.x + size.x * float(i) / float(history.size() - 1), at.y + size.y - 2 - float((history[i] - *low) / span) * (size.y - 4)});
  compat::add_polyline(ImGui::GetWindowDrawList(), points.data(), int(points.size()), context.theme.color(Role::Accent), false, 1.5f);
}

void WatchPane::row(PaneContext& context, size_t index, const interp::Watch& watch) {
  const Theme& theme = context.theme;
  ImGui::TableNextRow(0, theme.px(22));
  ImGui::TableNextColumn();
  ImGui::PushID(int(index));
  const std::string expression = display_cut(watch.expression, 200), value = display_cut(watch.value, 2000);
  const ImVec2 low = ImGui::GetCursorScreenPos();
  if (editing_ == index) {
    if (focus_edit_) ImGui::SetKeyboardFocusHere();
    focus_edit_ = false;
    ImGui::SetNextItemWidth(-1);
    if (input_text("##edit", edited_, "", ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll)) {
      context.push("watch.edit", std::to_string(index) + " " + edited_, "watch");
      editing_ = size_t(-1);
    } else if (ImGui::IsItemDeactivated()) {
      editing_ = size_t(-1);
    }
  } else {
    if (ImGui::Selectable("##row", selected_ == index, ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick | ImGuiSelectableFlags_AllowItemOverlap)) {
      selected_ = index;
      if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) edit(index, watch);
    }
    offer_row(context, selected_ == index);
    tab_stops::add_row();
    if (row_has_cursor(context)) selected_ = index;
    if (menu_wanted_ && menu_of_row(context, selected_ == index)) {
      open_menu_below_item("##menu");
      menu_wanted_ = false;
    }
    if (ImGui::BeginPopupContextItem("##menu")) {
      if (ImGui::MenuItem("Edit", "F2")) edit(index, watch);
      if (ImGui::MenuItem("Select")) context.push("select.node", watch.expression, "watch");
      if (ImGui::MenuItem("Copy value")) ImGui::SetClipboardText(watch.value.c_str());
      ImGui::Separator();
      if (ImGui::MenuItem("Remove")) context.push("watch.remove", std::to_string(index), "watch");
      ImGui::EndPopup();
    }
    const ImVec2 high = ImGui::GetItemRectMax(), window = ImGui::GetWindowPos();
    if (context.probe.on()) {
      const float right = window.x + ImGui::GetWindowSize().x;
      ImGui::PushClipRect(window, {right, window.y + ImGui::GetWindowSize().y}, false);
      context.probe.add("watch/row/", std::to_string(index), low, {std::min(high.x, right), high.y}, expression + " = " + value);
      ImGui::PopClipRect();
    }
    ImGui::SameLine(0, 0);
    cell_text(theme, expression);
  }
  ImGui::TableNextColumn();
  const ImU32 color = watch.failed ? theme.color(Role::Warning) : watch.changed ? theme.color(Role::Current) : theme.color(Role::Text);
  compat::push_font(theme.fonts.mono_small);
  cell_text(theme, value, watch.changed && theme.name == ThemeName::Light && !watch.failed ? theme.color(Role::Accent) : color);
  ImGui::PopFont();
  ImGui::TableNextColumn();
  spark(context, watch.history);
  ImGui::PopID();
}

void WatchPane::draw(PaneContext& context) {
  const interp::Debugger* debugger = context.document && context.document->debug ? context.document->debug->debugger() : nullptr;
  if (!debugger) {
    ImGui::TextDisabled("No program is open");
    return;
  }
  compat::push_font(context.theme.fonts.table);
  add_line(context, typed_, "Add: a value's name, relu.max(), conv2d[0,3], a - b, allclose(a, b), s0", "watch.add", "watch");
  const auto& watches = debugger->watches;
  if (std::exchange(seen_edit_, context.workspace.ui.edit_watch) != context.workspace.ui.edit_watch && !watches.empty())
    edit(std::min(selected_, watches.size() - 1), watches[std::min(selected_, watches.size() - 1)]);
  if (!watches.empty() && begin_list("##watches", 3, kTableLook | ImGuiTableFlags_ScrollY)) {
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("Expression", ImGuiTableColumnFlags_WidthStretch, 1);
    ImGui::TableSetupColumn("Value", ImGuiTableColumnFlags_WidthStretch, 2);
    ImGui::TableSetupColumn("History", ImGuiTableColumnFlags_WidthFixed, context.theme.px(90));
    table_heads();
    menu_wanted_ = menu_key(context);
    for (size_t i = 0; i < watches.size(); ++i) row(context, i, watches[i]);
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

}  // namespace

std::unique_ptr<Pane> make_watch_pane() { return std::make_unique<WatchPane>(); }

}  // namespace pt2::views
