#include "views/widgets/tab_stops.h"

#include <algorithm>
#include <vector>

#include "imgui.h"
#include "imgui_internal.h"
#include "views/compat.h"
#include "views/shell/frame_input.h"

namespace pt2::views::tab_stops {

namespace {

struct Stop {
  ImGuiID id;
  const ImGuiWindow* window;
  bool row;
};

// As ImGui's cursor, that of the one window there is.
struct State {
  std::vector<Stop> stops;  // of this frame
  ImGuiID last_row = 0;     // the row added last; it may have a name, too
  ImGuiID wanted = 0;       // gets the cursor in frame `wanted_in`
  int wanted_in = 0;
  ImGuiID led_to = 0;       // got it so; 0: a row
  bool leads = false;       // in this frame
};

State& state() {
  static State one;
  return one;
}

// Menus and drop-down lists have arrows alone; some windows leave all keys to their pane.
bool usable(ImGuiID id) {
  const ImGuiWindow* window = ImGui::GetCurrentWindow();
  const bool menu = (window->RootWindow->Flags & ImGuiWindowFlags_Popup) && !(window->RootWindow->Flags & ImGuiWindowFlags_Modal);
  return id && !window->SkipItems && !menu && !(window->Flags & ImGuiWindowFlags_NoNavInputs) && !(ImGui::GetItemFlags() & (ImGuiItemFlags_NoNav | ImGuiItemFlags_Disabled));
}

// Of the item with the cursor: ImGui draws none around those that draw themselves, and none around a field while one types.
void draw_frame(ImGuiID id) {
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const bool typing = state().led_to == id && ImGui::IsItemActive() && (ImGui::GetItemFlags() & ImGuiItemFlags_Inputable);
  if (typing) compat::add_rect(ImGui::GetWindowDrawList(), {low.x - 2, low.y - 2}, {high.x + 2, high.y + 2}, ImGui::GetColorU32(ImGuiCol_NavHighlight), ImGui::GetStyle().FrameRounding, 2);
  else ImGui::RenderNavHighlight({low, high}, id);
}

void focus_if_wanted(const Stop& stop) {
  State& s = state();
  if (s.wanted != stop.id || s.wanted_in != ImGui::GetFrameCount()) return;
  s.wanted = 0;
  s.led_to = stop.row ? 0 : stop.id;
  if (ImGui::GetItemFlags() & ImGuiItemFlags_Inputable) return ImGui::SetKeyboardFocusHere(-1);  // with its caret
  ImGui::ClearActiveID();
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  ImGui::FocusWindow(window);
  ImGui::SetFocusID(stop.id, window);
  show_keyboard_cursor();
  ImGui::ScrollToItem();
}

bool is_within(const ImGuiWindow* window, const ImGuiWindow* outer) {
  while (window != outer && (window->Flags & ImGuiWindowFlags_ChildWindow)) window = window->ParentWindow;
  return window == outer;
}

}  // namespace

void begin_frame(bool leads) {
  state().stops.clear();
  state().last_row = 0;
  state().leads = leads;
}

void add() {
  State& s = state();
  const ImGuiID id = ImGui::GetItemID();
  if (!usable(id) || id == s.last_row || (!s.stops.empty() && s.stops.back().id == id)) return;
  s.stops.push_back({id, ImGui::GetCurrentWindow(), false});
  draw_frame(id);
  focus_if_wanted(s.stops.back());
}

void add_row() {
  State& s = state();
  const ImGuiID id = ImGui::GetItemID();
  if (!usable(id)) return;
  s.last_row = id;
  const ImGuiWindow* window = ImGui::GetCurrentWindow();
  auto list = std::find_if(s.stops.begin(), s.stops.end(), [window](const Stop& stop) { return stop.row && stop.window == window; });
  if (list == s.stops.end()) s.stops.push_back({id, window, true});
  else if (ImGui::GetCurrentContext()->NavId == id) list->id = id;
  focus_if_wanted({id, window, true});
}

bool leads() { return state().leads; }

bool hold_cursor() { return state().led_to && ImGui::GetCurrentContext()->NavId == state().led_to && ImGui::IsAnyItemFocused(); }

void walk(const ImGuiWindow* within, bool back) {
  State& s = state();
  std::vector<ImGuiID> ids;
  for (const Stop& stop : s.stops)
    if (is_within(stop.window, within)) ids.push_back(stop.id);
  if (ids.empty()) return;
  const size_t at = size_t(std::find(ids.begin(), ids.end(), ImGui::GetCurrentContext()->NavId) - ids.begin()), count = ids.size();
  s.wanted = at == count ? (back ? ids.back() : ids.front()) : ids[(at + (back ? count - 1 : 1)) % count];
  s.wanted_in = ImGui::GetFrameCount() + 1;
}

}  // namespace pt2::views::tab_stops
