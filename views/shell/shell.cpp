#include "views/shell/shell.h"

#include <algorithm>
#include <utility>

#include "core/base/display.h"
#include "imgui_internal.h"
#include "views/compat.h"
#include "views/panes/graph_pane.h"
#include "views/widgets/tab_stops.h"
#include "views/workspace/centre_view.h"
#include "views/workspace/debug_session.h"

namespace pt2::views {

namespace {

constexpr float kLeftSize = 260, kRightSize = 360, kBottomSize = 200, kCompareBottomSize = 340;
constexpr float kMenuHeight = 24, kToolbarHeight = 36, kTabHeight = 28, kStatusHeight = 24, kSplitter = 5;
constexpr float kCollapseBelow = 80, kCentreMin = 240;

const PaneRow* row_of(std::string_view id) {
  for (const PaneRow& row : pane_rows())
    if (row.id == id) return &row;
  return nullptr;
}

bool any_popup() { return ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel); }

// The cards that keys asked for. True: there was one.
template <class Panes>
bool close_cards(const Panes& panes) {
  bool any = false;
  for (const auto& item : panes)
    if (auto* graph = dynamic_cast<GraphPane*>(item.second.get())) any |= graph->close_card();
  return any;
}

// Arrows, Enter and Space act on the item that Tab led to and on nothing else of its pane.
void leave_keys_to_item(FrameInput& input) {
  for (InputEvent& e : input.events)
    if (e.type == InputEvent::Type::Key && e.chord.key >= Key::Up && e.chord.key <= Key::PageDown && e.chord.key != Key::Escape && e.chord.key != Key::Tab) e.used = true;
}

// Menus and the palette have arrows alone.
bool tab_leads(const ShellContext& c) {
  const auto& popups = ImGui::GetCurrentContext()->OpenPopupStack;
  const bool menu = !popups.empty() && !(popups.back().Window && (popups.back().Window->Flags & ImGuiWindowFlags_Modal));
  const auto& events = c.input.events;
  return !menu && !c.workspace.ui.palette && std::any_of(events.begin(), events.end(), [](const InputEvent& e) {
    return e.type == InputEvent::Type::Key && e.down && e.chord.key == Key::Tab && !e.chord.ctrl && !e.chord.alt;
  });
}

bool is_bar(std::string_view focused) { return focused == "toolbar" || focused == "status"; }

const char* area_name(Area area) { return area == Area::Left ? "left" : area == Area::Right ? "right" : area == Area::Bottom ? "bottom" : "centre"; }

}  // namespace

ShellLayout ShellLayout::standard() {
  ShellLayout layout;
  layout.left.size = kLeftSize;
  layout.right.size = kRightSize;
  layout.bottom.size = kBottomSize;
  layout.complete();
  return layout;
}

void ShellLayout::complete() {
  AreaLayout* areas[] = {&left, &right, &bottom};
  auto is_side_pane = [](const std::string& id) { return row_of(id) && row_of(id)->area != Area::Centre; };
  for (AreaLayout* area : areas) std::erase_if(area->panes, [&](const std::string& id) { return !is_side_pane(id) || std::count(closed.begin(), closed.end(), id); });
  std::erase_if(closed, [&](const std::string& id) { return !is_side_pane(id); });
  for (const PaneRow& row : pane_rows()) {
    if (row.area == Area::Centre || std::count(closed.begin(), closed.end(), row.id) || std::any_of(std::begin(areas), std::end(areas), [&](AreaLayout* a) { return std::count(a->panes.begin(), a->panes.end(), row.id); })) continue;
    areas[size_t(row.area)]->panes.emplace_back(row.id);
  }
  for (AreaLayout* area : areas)
    if (!area->panes.empty() && !std::count(area->panes.begin(), area->panes.end(), area->active)) area->active = area->panes.front();
}

Shell::Shell() : layout(ShellLayout::standard()) {}

Pane* Shell::side_pane(std::string_view id) {
  if (auto it = panes_.find(id); it != panes_.end()) return it->second.get();
  const PaneRow* row = row_of(id);
  if (!row || !row->make) return nullptr;
  return (panes_[std::string(id)] = row->make()).get();
}

Pane* Shell::document_pane(DocumentId document, std::string_view id) {
  auto& pane = document_panes_[{document, std::string(id)}];
  if (const PaneRow* row = row_of(id); !pane && row && row->make) pane = row->make();
  return pane.get();
}

PaneContext Shell::pane_context(ShellContext& c, const Document* document, Side side) const {
  return {c.workspace, document, c.commands, c.jobs(), c.derived, c.theme, c.probe, c.input, false, side, !c.workspace.ui.reduced_motion, c.images, &compare_view_, &kept_clear_, nullptr, &c.requests.at};
}

namespace {

// What of the centre can have the keyboard.
std::vector<std::string> centre_parts(const Workspace& workspace) {
  const Document* active = workspace.active();
  const bool compared = active && workspace.comparison.active() && (active->id == workspace.comparison.left || active->id == workspace.comparison.right);
  std::vector<std::string> parts;
  const CentreView view = active ? shown_view(workspace, *active) : CentreView::Graph;
  if (view != CentreView::Text) parts.push_back("centre");
  if (compared && view != CentreView::Text) parts.push_back("centre.b");
  if (view != CentreView::Graph) parts.push_back("centre.text");
  return parts;
}

}  // namespace

void Shell::take_focus(ShellContext& c) {
  Interface& ui = c.workspace.ui;
  const std::string wanted = std::exchange(ui.focus, {});
  if (wanted == "menu") {  // what has the keyboard gets it back when the menu closes
    menu_to_open_ = 0;
    return;
  }
  const std::vector<std::string> parts = centre_parts(c.workspace);
  if (wanted == "next") {
    constexpr const char* order[] = {"left", "centre", "right", "bottom"};
    const bool on[] = {ui.left && !ui.graph_only, true, ui.right && !ui.graph_only, ui.bottom && !ui.graph_only};
    size_t at = std::find_if(std::begin(order), std::end(order), [&](const char* o) { return focused_.starts_with(o); }) - std::begin(order);
    do at = (at + 1) % 4;
    while (!on[at]);
    focused_ = order[at];
  } else if (wanted == "centre.next") {
    const auto at = std::find(parts.begin(), parts.end(), focused_);
    focused_ = at == parts.end() || at + 1 == parts.end() ? parts.front() : at[1];
  } else {
    focused_ = wanted;
    if (focused_ == "left") ui.left = true;
    if (focused_ == "right") ui.right = true;
    if (focused_ == "bottom") ui.bottom = true;
    if (is_bar(focused_)) ui.focused_pane = focused_;
    bar_at_ = 0;
  }
  keyboard_focus_ = true;
  cursor_ = {true, false};
  ImGui::SetWindowFocus(nullptr);
}

void Shell::handle_requests(ShellContext& c) {
  Interface& ui = c.workspace.ui;
  if (reset_seen_ != ui.reset_layout) {
    reset_seen_ = ui.reset_layout;
    layout = ShellLayout::standard();
    split_ = 0.5f;
  }
  if (!ui.shown_pane.empty()) {
    if (std::erase(layout.closed, ui.shown_pane)) layout.complete();
    for (Area area : {Area::Left, Area::Right, Area::Bottom}) {
      AreaLayout& state = area_layout(area);
      if (!std::count(state.panes.begin(), state.panes.end(), ui.shown_pane)) continue;
      state.active = ui.shown_pane;
      ui.graph_only = false;
      (area == Area::Left ? ui.left : area == Area::Right ? ui.right : ui.bottom) = true;
    }
    ui.shown_pane.clear();
  }
  if (!ui.focus.empty()) take_focus(c);
  // Also where the part that had the keyboard is no longer shown.
  const std::vector<std::string> parts = centre_parts(c.workspace);
  if (focused_.starts_with("centre") && std::find(parts.begin(), parts.end(), focused_) == parts.end()) focused_ = parts.front();
  // Panes of documents that are gone.
  std::erase_if(document_panes_, [&](const auto& item) { return !c.workspace.document(item.first.first); });
}

// While a text field has the keyboard only F-keys, Ctrl and Alt chords and Escape act; the field keeps its own editing chords.
void Shell::shortcuts(ShellContext& c) {
  Interface& ui = c.workspace.ui;
  const bool typing = ImGui::GetIO().WantTextInput;
  const bool modal = !ui.dialog.empty() || ui.palette;
  for (InputEvent& e : c.input.events) {
    // Alt alone leads into the menus; ImGui knows few of the keys that make it a chord.
    if (e.type == InputEvent::Type::Key && e.down && e.chord.alt && e.chord.key != Key::Alt) ImGui::GetCurrentContext()->NavWindowingToggleLayer = false;
    if (e.used) continue;
    if (e.type == InputEvent::Type::Button && e.down && e.button >= 3) {
      c.commands.push(e.button == 3 ? "go.back" : "go.forward");
      continue;
    }
    if (e.type == InputEvent::Type::Char && !typing && !modal) {
      const char* id = e.character == '/' ? "search.open" : e.character == '?' ? "help.keyboard" : e.character == '[' ? "go.back" : e.character == ']' ? "go.forward" : nullptr;
      if (!id) continue;
      e.used = true;
      c.commands.push(id);
      continue;
    }
    if (e.type != InputEvent::Type::Key || !e.down) continue;
    const Chord& chord = e.chord;
    if (chord.key == Key::Escape && modal) {
      e.used = true;
      ui.dialog.clear();
      ui.palette = false;
      continue;
    }
    if (modal && chord.key != Key::Q) continue;
    if (chord.key == Key::Escape && is_bar(focused_)) {
      e.used = true;
      ui.focus = "centre";
      continue;
    }
    if (chord.key == Key::Escape && ui.tour) {
      e.used = true;
      c.commands.push("help.tour", std::string("skip"));
      continue;
    }
    if (chord.key == Key::Escape && close_cards(document_panes_)) {
      e.used = true;
      continue;
    }
    const bool function_key = chord.key >= Key::F1 && chord.key <= Key::F12;
    if (typing && !function_key && chord.key != Key::Escape) {
      if (!chord.ctrl && !chord.alt) continue;
      const bool editing = chord.ctrl && !chord.shift && !chord.alt &&
                           (chord.key == Key::A || chord.key == Key::C || chord.key == Key::V || chord.key == Key::X || chord.key == Key::Y || chord.key == Key::Z);
      if (editing || chord.key == Key::Left || chord.key == Key::Right) continue;
    }
    // In Source, Ctrl+Enter is the pane's own.
    if (chord.key == Key::Enter && chord.ctrl && ui.focused_pane == "source") continue;
    if (const auto [command, argument] = c.registry.by_shortcut(c.workspace, chord_text(chord)); command) {
      e.used = true;
      // A held key repeats stepping and walking, not opening and toggling.
      if (!e.repeat || command->id.starts_with("debug.step") || command->id.starts_with("go.") || command->id.starts_with("search."))
        c.commands.push(std::string(command->id), argument.empty() ? CommandArgument() : CommandArgument(argument));
    }
  }
}

void Shell::add_bar_item(std::string_view bar, ImVec2 min, ImVec2 max, std::function<void()> press) {
  if (focused_ == bar) bar_items_.push_back({min, max, std::move(press)});
}

void Shell::bar_keys(ShellContext& c, std::string_view bar) {
  if (focused_ != bar || bar_items_.empty()) return;
  std::sort(bar_items_.begin(), bar_items_.end(), [](const BarItem& a, const BarItem& b) { return a.min.x < b.min.x; });
  const size_t last = bar_items_.size() - 1;
  bar_at_ = std::min(bar_at_, last);
  if (c.input.pressed(Key::Right)) bar_at_ = std::min(bar_at_ + 1, last);
  if (c.input.pressed(Key::Left) && bar_at_ > 0) --bar_at_;
  if (c.input.pressed(Key::Home)) bar_at_ = 0;
  if (c.input.pressed(Key::End)) bar_at_ = last;
  const BarItem& item = bar_items_[bar_at_];
  compat::add_rect(ImGui::GetWindowDrawList(), item.min, item.max, c.theme.color(Role::Accent), c.px(4), c.px(2));
  c.probe.add(std::string(bar) + "/focus", item.min, item.max);
  if (c.input.pressed(Key::Enter) || c.input.pressed(Key::Space)) item.press();
  bar_items_.clear();
}

void Shell::draw_pane(ShellContext& c, Pane& pane, std::string_view id, const Document* document, Rect r, Area area, Side side) {
  if (r.w < 1 || r.h < 1) return;
  const std::string focus_name = area != Area::Centre ? area_name(area) : side == Side::B ? "centre.b" : id == "text" ? "centre.text" : "centre";
  const bool centre = area == Area::Centre;
  ImGui::SetCursorScreenPos(ImVec2(r.x, r.y));
  ImGui::PushID(id.data(), id.data() + id.size());
  ImGui::PushID(document && centre ? int(document->slot) : -1);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, centre ? ImVec2(0, 0) : ImVec2(c.px(8), c.px(6)));
  compat::push_font(c.theme.fonts.table);
  const ImGuiWindowFlags flags = (centre ? ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNavInputs : 0) |
                                 ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoMove;
  if (compat::begin_child("pane", ImVec2(r.w, r.h), false, flags)) {
    ImGui::PopStyleVar();
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && (ImGui::IsMouseClicked(0) || ImGui::IsMouseClicked(1) || ImGui::IsMouseClicked(2))) {
      focused_ = focus_name;
      keyboard_focus_ = cursor_.wanted = false;
    }
    PaneContext context = pane_context(c, document, side);
    context.focused = focused_ == focus_name && c.workspace.ui.dialog.empty() && !c.workspace.ui.palette && !ImGui::GetIO().WantTextInput;
    if (context.focused) c.workspace.ui.focused_pane = id;
    if (context.focused) context.cursor = &cursor_;
    if (focused_ == focus_name) pane_window_ = ImGui::GetCurrentWindow();
    if (context.focused && tab_stops::hold_cursor()) leave_keys_to_item(c.input);
    pane.draw(context);
    if (context.focused && std::exchange(cursor_.offered, false)) {
      cursor_.wanted = false;
      c.requests.again = true;
    }
    visible_.emplace_back(id);
  } else {
    ImGui::PopStyleVar();
  }
  ImGui::EndChild();
  ImGui::PopFont();
  ImGui::PopID();
  ImGui::PopID();
  if (!keyboard_focus_ || focused_ != focus_name || !c.workspace.ui.dialog.empty() || c.workspace.ui.palette || any_popup()) return;
  // Over what the pane holds, which are windows of their own.
  const float inset = c.px(1);
  compat::add_rect(ImGui::GetForegroundDrawList(), ImVec2(r.x + inset, r.y + inset), ImVec2(r.x + r.w - inset, r.y + r.h - inset), c.theme.color(Role::Accent), 0, c.px(2));
  c.probe.add("focus/" + focus_name, ImVec2(r.x, r.y), ImVec2(r.x + r.w, r.y + r.h));
}

void Shell::tab_menu(ShellContext& c, Area area, const std::string& id) {
  if (!ImGui::BeginPopupContextItem("tab menu")) return;
  AreaLayout& from = area_layout(area);
  for (Area to : {Area::Left, Area::Right, Area::Bottom}) {
    const std::string label = std::string("Move to ") + area_name(to);
    const bool chosen = ImGui::MenuItem(label.c_str(), nullptr, false, to != area);
    c.probe.item(std::string("tab/menu/") + area_name(to), label, to != area);
    if (!chosen) continue;
    AreaLayout& target = area_layout(to);
    const std::string moved = id;
    std::erase(from.panes, moved);
    target.panes.push_back(moved);
    target.active = moved;
    layout.complete();
    c.requests.again = true;
  }
  ImGui::Separator();
  if (ImGui::MenuItem("Close")) {
    layout.closed.push_back(id);
    layout.complete();
    c.requests.again = true;
  }
  c.probe.item("tab/menu/close", "Close");
  for (const std::string& closed : layout.closed) {
    const std::string label = "Show " + std::string(row_of(closed)->title);
    if (ImGui::MenuItem(label.c_str())) c.commands.push("view.pane", closed);
    c.probe.item("tab/menu/show/" + closed, label);
  }
  ImGui::Separator();
  if (ImGui::MenuItem("Reset layout")) c.commands.push("view.reset_layout");
  c.probe.item("tab/menu/reset", "Reset layout");
  ImGui::EndPopup();
}

void Shell::draw_area(ShellContext& c, Area area, AreaLayout& state, Rect r) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const float tab_height = c.px(kTabHeight);
  draw->AddRectFilled(ImVec2(r.x, r.y), ImVec2(r.x + r.w, r.y + r.h), c.theme.color(Role::Panel));
  // Tabs share the width when they do not fit.
  ImFont* font = c.theme.fonts.table;
  std::vector<std::string> titles;
  float wanted = 0;
  for (const std::string& id : state.panes) {
    const PaneRow* row = row_of(id);
    std::string title(row->title);
    if (const int count = row->badge ? row->badge(c.workspace) : 0) title += " " + std::to_string(count);
    wanted += ui::text_width(font, title) + c.px(20);
    titles.push_back(std::move(title));
  }
  const float shrink = wanted > r.w ? r.w / wanted : 1;
  float x = r.x;
  ImGui::PushClipRect(ImVec2(r.x, r.y), ImVec2(r.x + r.w, r.y + tab_height), true);
  for (size_t i = 0; i < titles.size(); ++i) {
    const std::string id = state.panes[i];
    const float width = IM_FLOOR((ui::text_width(font, titles[i]) + c.px(20)) * shrink);
    ImGui::SetCursorScreenPos(ImVec2(x, r.y));
    ImGui::PushID(id.c_str());
    if (compat::invisible_button("tab", ImVec2(width, tab_height))) {
      state.active = id;
      focused_ = area_name(area);
      keyboard_focus_ = false;
    }
    const bool active = state.active == id, hovered = ImGui::IsItemHovered();
    c.probe.item(std::string(area_name(area)) + "/tab/" + id, titles[i]);
    if (shrink < 1) ui::tooltip(c, titles[i]);
    if (hovered && !active) draw->AddRectFilled(ImVec2(x, r.y), ImVec2(x + width, r.y + tab_height), c.theme.color(Role::Raised));
    if (active) draw->AddRectFilled(ImVec2(x + c.px(4), r.y + tab_height - c.px(2)), ImVec2(x + width - c.px(4), r.y + tab_height), c.theme.color(Role::Accent));
    ui::clipped_text(draw, font, ImVec2(x + c.px(10) * shrink, r.y + (tab_height - font->FontSize) / 2), width - c.px(20) * shrink, c.theme.color(active ? Role::Text : Role::Text2), titles[i]);
    tab_menu(c, area, id);
    ImGui::PopID();
    x += width;
    if (i + 1 >= state.panes.size()) break;  // its menu took one away
  }
  ImGui::PopClipRect();
  draw->AddRectFilled(ImVec2(r.x, r.y + tab_height - c.px(1)), ImVec2(r.x + r.w, r.y + tab_height), c.theme.color(Role::Border, 0.6f));
  if (Pane* pane = side_pane(state.active))
    draw_pane(c, *pane, state.active, c.workspace.active(), {r.x, r.y + tab_height, r.w, r.h - tab_height}, area, Side::None);
}

namespace {

// ImGui places a menu when it opens; one that grows afterwards (its selection came a frame later) would leave the window.
void keep_menus_inside(ShellContext& c) {
  for (const ImGuiPopupData& popup : ImGui::GetCurrentContext()->OpenPopupStack) {
    ImGuiWindow* menu = popup.Window;
    if (!menu || (menu->Flags & ImGuiWindowFlags_Modal)) continue;
    const ImVec2 inside(std::max(0.0f, std::min(menu->Pos.x, c.input.width - menu->Size.x)), std::max(0.0f, std::min(menu->Pos.y, c.input.height - menu->Size.y)));
    if (inside.x == menu->Pos.x && inside.y == menu->Pos.y) continue;
    ImGui::SetWindowPos(menu, inside, ImGuiCond_Always);
    c.requests.again = true;
  }
}

}  // namespace

void Shell::draw(ShellContext& c) {
  visible_.clear();
  kept_clear_.clear();
  pane_window_ = nullptr;
  tab_stops::begin_frame(tab_leads(c));
  handle_requests(c);
  shortcuts(c);
  Interface& ui = c.workspace.ui;
  const float width = c.input.width, height = c.input.height;
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(ImVec2(width, height));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::Begin("pt2scope", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoNavFocus | ImGuiWindowFlags_MenuBar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(3);
  compat::push_font(c.theme.fonts.table);

  const float menu = c.px(kMenuHeight), toolbar = c.px(kToolbarHeight), status = c.px(kStatusHeight), split = c.px(kSplitter);
  draw_menu(c, {0, 0, width, menu});
  draw_toolbar(c, {0, menu, width, toolbar});

  const bool documents = !c.workspace.documents().empty();
  const bool left = documents && ui.left && !ui.graph_only && !layout.left.panes.empty();
  const bool right = documents && ui.right && !ui.graph_only && !layout.right.panes.empty();
  const bool bottom = documents && ui.bottom && !ui.graph_only && !layout.bottom.panes.empty();
  const float top = menu + toolbar, body = height - top - status;

  // Collapsed by dragging: sides keep only their splitter, the bottom its tab strip as well.
  auto clamp_side = [&](float& size) {
    const float room = width / c.theme.scale - kCentreMin - 2 * kSplitter;
    if (size < kCollapseBelow) return 0.0f;
    return IM_FLOOR(c.px(std::min(size, room * 0.48f)));
  };
  const float left_w = left ? clamp_side(layout.left.size) : 0, right_w = right ? clamp_side(layout.right.size) : 0;
  // Where nobody chose a height, a comparison gets one that its rows can be read in.
  const float standard_bottom = c.workspace.comparison.active() ? kCompareBottomSize : kBottomSize;
  if (layout.bottom.size == kBottomSize || layout.bottom.size == kCompareBottomSize) layout.bottom.size = standard_bottom;
  float bottom_h = 0;
  if (bottom) {
    const bool folded = layout.bottom.size < kCollapseBelow;
    bottom_h = folded ? c.px(kTabHeight) : IM_FLOOR(c.px(std::min(layout.bottom.size, std::max(kCollapseBelow, body / c.theme.scale - 200))));
  }
  const float main_h = body - (bottom ? bottom_h + split : 0);
  const float centre_x = left ? left_w + split : 0, centre_w = width - centre_x - (right ? right_w + split : 0);

  draw_centre(c, {centre_x, top, centre_w, main_h});
  if (left_w > 0) draw_area(c, Area::Left, layout.left, {0, top, left_w, main_h});
  if (right_w > 0) draw_area(c, Area::Right, layout.right, {width - right_w, top, right_w, main_h});
  if (bottom) draw_area(c, Area::Bottom, layout.bottom, {0, height - status - bottom_h, width, bottom_h});
  if (left) ui::splitter(c, "split/left", ImVec2(left_w, top), ImVec2(split, main_h), true, layout.left.size, 1, kLeftSize);
  if (right) ui::splitter(c, "split/right", ImVec2(width - right_w - split, top), ImVec2(split, main_h), true, layout.right.size, -1, kRightSize);
  if (bottom) ui::splitter(c, "split/bottom", ImVec2(0, top + main_h), ImVec2(width, split), false, layout.bottom.size, -1, standard_bottom);
  for (AreaLayout* area : {&layout.left, &layout.right, &layout.bottom}) area->size = std::clamp(area->size, 0.0f, 4000.0f);

  draw_status(c, {0, height - status, width, status});
  draw_toasts(c, {centre_x, top, centre_w, main_h});
  ImGui::PopFont();
  ImGui::End();

  draw_search_bar(c, {centre_x, top + c.px(kTabHeight), centre_w, 0});
  draw_tour(c, {centre_x, top}, {centre_w, main_h});
  draw_dialogs(c);
  if (!ui.dialog.empty()) ui.palette = false;  // a dialog may come of itself, and its modal takes no window besides
  palette_.draw(c);
  tab_key(c);
  keep_menus_inside(c);
}

// Through the dialog, the search bar or the pane that has the keyboard.
void Shell::tab_key(ShellContext& c) {
  if (!tab_stops::leads()) return;
  const bool back = c.input.pressed(Chord{Key::Tab, false, true, false});
  if (!back && !c.input.pressed(Key::Tab)) return;
  const ImGuiContext& imgui = *ImGui::GetCurrentContext();
  const ImGuiWindow* used = imgui.NavWindow ? imgui.NavWindow->RootWindow : nullptr;
  const ImGuiWindow* within = pane_window_;
  if (!imgui.OpenPopupStack.empty()) within = imgui.OpenPopupStack.back().Window;
  else if (used && pane_window_ && used != pane_window_->RootWindow) within = used;
  if (!within) return;
  tab_stops::walk(within, back);
  if (within == pane_window_) keyboard_focus_ = true, cursor_.wanted = false;
  c.requests.again = true;
}

StringMap Shell::dump(ShellContext& c) {
  StringMap all;
  auto add = [&](const Pane& pane, const Document* document, Side side) {
    for (auto& [key, value] : pane.dump(pane_context(c, document, side))) all.emplace(key, value);
  };
  if (const Document* document = c.workspace.active(); document && document->program())
    for (const char* id : {"graph", "text"})
      if (Pane* pane = document_pane(document->id, id)) add(*pane, document, Side::None);
  for (auto& [id, pane] : panes_) add(*pane, c.workspace.active(), Side::None);
  return all;
}

}  // namespace pt2::views
