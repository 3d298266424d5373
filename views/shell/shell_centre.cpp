// The documents: tabs, one or two at a time, their graph and text; the search bar over them; toasts and dialogs.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <utility>

#include "core/base/display.h"
#include "imgui_internal.h"
#include "views/compat.h"
#include "views/panes/compare_pane.h"
#include "views/shell/inputs_dialog.h"
#include "views/shell/rules.h"
#include "views/shell/shell.h"
#include "views/widgets/text_field.h"
#include "views/workspace/centre_view.h"
#include "views/workspace/comparison.h"
#include "views/workspace/titles.h"

namespace pt2::views {

namespace {
constexpr float kTabHeight = 28, kSplitter = 5;
constexpr float kSearchHeight = 38, kSearchLeast = 160;
constexpr double kSearchPause = 0.8;  // seconds without a key after which a query counts as whole
constexpr float kTextShare = 0.4f;  // of a comparison's height, where its graphs stand over its texts
}

namespace {

// Of a document's tab: what can stand beside it, its path, and what ends it. The menu is that of the document it opens on.
void document_menu(ShellContext& c, const Document& document) {
  if (!ImGui::BeginPopupContextItem("document menu")) return;
  if (document.id != c.workspace.active_id()) c.commands.push("go.document", {}, document.id);
  auto entry = [&](std::string_view id) { ui::command_entry(c, *c.registry.find(id), "centre/menu/" + std::string(id), document.id); };
  for (const char* id : {"view.both", "file.open_compare", "compare.two_programs", "compare.close"}) entry(id);
  ImGui::Separator();
  if (ImGui::MenuItem("Copy path")) ImGui::SetClipboardText(document.path.c_str());
  c.probe.item("centre/menu/copy_path", "Copy path");
  entry("file.reload");
  ImGui::Separator();
  entry("file.close");
  ImGui::EndPopup();
}

}  // namespace

void Shell::draw_document_tabs(ShellContext& c, Rect r) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(ImVec2(r.x, r.y), ImVec2(r.x + r.w, r.y + r.h), c.theme.color(Role::Panel));
  draw->AddRectFilled(ImVec2(r.x, r.y + r.h - c.px(1)), ImVec2(r.x + r.w, r.y + r.h), c.theme.color(Role::Border, 0.6f));
  ImFont* font = c.theme.fonts.table;
  const Document* active = c.workspace.active();
  float right = r.x + r.w;

  // Graph | Text | Both
  if (active && active->program()) {
    constexpr std::pair<const char*, const char*> views[] = {{"Graph", "view.graph"}, {"Text", "view.text"}, {"Both", "view.both"}};
    float width = 0;
    for (auto [label, id] : views) width += ui::text_width(font, label) + c.px(16);
    right -= width + c.px(6);
    float x = right;
    for (int i = 0; i < 3; ++i) {
      const float w = ui::text_width(font, views[i].first) + c.px(16);
      ImGui::SetCursorScreenPos(ImVec2(x, r.y + c.px(3)));
      ui::command_button(c, views[i].second, views[i].first, std::string("centre/view/") + std::string(views[i].second).substr(5), int(shown_view(c.workspace, *active)) == i, ImVec2(w, r.h - c.px(6)));
      x += w;
    }
  }
  right -= c.px(30);
  const auto& documents = c.workspace.documents();
  float wanted = 0;
  const Comparison& pair = c.workspace.comparison;
  auto title_of = [&](const Document& document) {
    const std::string title = display(distinct_title(c.workspace, document));
    return pair.left == document.id ? "A: " + title : pair.right == document.id ? "B: " + title : title;
  };
  for (const auto& document : documents) wanted += ui::text_width(font, title_of(*document)) + c.px(44);
  const float shrink = wanted > right - r.x ? (right - r.x) / wanted : 1;
  float x = r.x;
  for (size_t i = 0; i < documents.size(); ++i) {
    const Document& document = *documents[i];
    const std::string title = title_of(document);
    const float w = IM_FLOOR((ui::text_width(font, title) + c.px(44)) * shrink);
    ImGui::PushID(int(document.slot));
    ImGui::SetCursorScreenPos(ImVec2(x, r.y));
    ImGui::SetItemAllowOverlap();
    const bool over_close = ImGui::GetIO().MousePos.x > x + w - c.px(22);
    const bool clicked = compat::invisible_button("document", ImVec2(w, r.h), ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
    const bool hovered = ImGui::IsItemHovered();
    if (clicked && (ImGui::IsMouseReleased(2) || over_close)) c.commands.push("file.close", {}, document.id);
    else if (clicked) c.commands.push("go.document", {}, document.id);
    c.probe.add("centre/tab/" + std::to_string(i), ImVec2(x, r.y), ImVec2(x + w - c.px(22), r.y + r.h), title);
    c.probe.add("centre/close/" + std::to_string(i), ImVec2(x + w - c.px(22), r.y), ImVec2(x + w, r.y + r.h), "close");
    ui::tooltip(c, over_close ? "Close  Ctrl+W" : display(document.path));
    document_menu(c, document);
    const bool current = document.id == c.workspace.active_id();
    if (hovered && !current) draw->AddRectFilled(ImVec2(x, r.y), ImVec2(x + w, r.y + r.h), c.theme.color(Role::Raised));
    if (current) draw->AddRectFilled(ImVec2(x + c.px(4), r.y + r.h - c.px(2)), ImVec2(x + w - c.px(4), r.y + r.h), c.theme.color(Role::Accent));
    ui::clipped_text(draw, font, ImVec2(x + c.px(10), r.y + (r.h - font->FontSize) / 2), w - c.px(34), c.theme.color(current ? Role::Text : Role::Text2), title);
    if (hovered || current)
      draw->AddText(c.theme.fonts.caption, c.theme.fonts.caption->FontSize, ImVec2(IM_FLOOR(x + w - c.px(18)), IM_FLOOR(r.y + (r.h - c.theme.fonts.caption->FontSize) / 2)),
                    c.theme.color(hovered && over_close ? Role::Text : Role::Disabled), icon::close);
    ImGui::PopID();
    x += w;
  }
  ImGui::SetCursorScreenPos(ImVec2(x + c.px(2), r.y + c.px(3)));
  ui::command_button(c, "file.open", icon::plus, "centre/open", false, ImVec2(c.px(24), r.h - c.px(6)));
}

void Shell::draw_centre(ShellContext& c, Rect r) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(ImVec2(r.x, r.y), ImVec2(r.x + r.w, r.y + r.h), c.theme.color(Role::Canvas));
  const Document* active = c.workspace.active();
  if (!active) return draw_welcome(c, ImVec2(r.x, r.y), ImVec2(r.w, r.h));
  const float tabs = c.px(kTabHeight);
  draw_document_tabs(c, {r.x, r.y, r.w, tabs});
  const float search = search_height(c, r.w);
  Rect body{r.x, r.y + tabs + search, r.w, r.h - tabs - search};
  const Comparison& pair = c.workspace.comparison;
  const Document *left = c.workspace.document(pair.left), *right = c.workspace.document(pair.right);
  if (!left || !right || (active != left && active != right)) return draw_document(c, *active, body, Side::None);

  const CentreView view = shown_view(c.workspace, *active);
  if (view != CentreView::Graph && left->program() && right->program()) {
    if (!compare_text_) compare_text_ = make_compare_text_pane();
    const float text_h = view == CentreView::Text ? body.h : IM_FLOOR(body.h * kTextShare);
    body.h -= text_h;
    draw_pane(c, *compare_text_, "text", active, {body.x, body.y + body.h, body.w, text_h}, Area::Centre, Side::None);
    if (view == CentreView::Text) return;
  }
  const float split = c.px(kSplitter);
  float left_w = IM_FLOOR((body.w - split) * split_);
  draw_document(c, *left, {body.x, body.y, left_w, body.h}, Side::A);
  draw_document(c, *right, {body.x + left_w + split, body.y, body.w - left_w - split, body.h}, Side::B);
  float at = left_w / c.theme.scale;
  ui::splitter(c, "split/centre", ImVec2(body.x + left_w, body.y), ImVec2(split, body.h), true, at, 1, (body.w - split) / 2 / c.theme.scale);
  split_ = std::clamp(at * c.theme.scale / std::max(1.0f, body.w - split), 0.1f, 0.9f);
  draw_links(c);
}

namespace {

// From what is on the left to what it became. `each` is told of the lines of the selected group.
void add_links(const ShellContext& c, const CompareView& view, const ComparisonResult& result, ImDrawList* draw, const std::function<void(size_t group, ImVec2 middle)>& each = {}) {
  const auto selected = selected_group(c.workspace, *result.diff);
  for (const CompareView::Anchor& a : view.anchors[0])
    for (const CompareView::Anchor& b : view.anchors[1]) {
      if (a.group != b.group || a.group >= result.diff->groups.size()) continue;
      const bool chosen = selected && *selected == a.group;
      const Role role = result.diff->groups[a.group].kind == GroupKind::Same ? Role::Text2 : Role::Changed;
      const ImVec2 from(a.max.x, (a.min.y + a.max.y) / 2), to(b.min.x, (b.min.y + b.max.y) / 2);
      const float bend = std::max(c.px(24), std::abs(to.x - from.x) / 3);
      draw->AddBezierCubic(from, ImVec2(from.x + bend, from.y), ImVec2(to.x - bend, to.y), to, c.theme.color(role, chosen ? 0.9f : 0.45f), chosen ? c.px(2) : c.px(1));
      if (chosen && each) each(a.group, ImVec2((from.x + to.x) / 2, (from.y + to.y) / 2));
    }
}

}  // namespace

// Lines between the two graphs of a comparison: in each graph below the boxes, so that names stay readable, and between the graphs.
void Shell::draw_links(ShellContext& c) {
  const auto result = c.workspace.comparison.result;
  CompareView& view = compare_view_;
  const bool both = result && view.lists[0] && view.lists[1];
  for (const size_t side : {0, 1}) {
    ImDrawList* list = std::exchange(view.lists[side], nullptr);
    if (!list) continue;
    view.layers[side].SetCurrentChannel(list, 0);
    list->PushClipRect(view.clip_min[side], view.clip_max[side]);
    if (both) add_links(c, view, *result, list);
    list->PopClipRect();
    view.layers[side].Merge(list);
  }
  if (!both) return;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->PushClipRect(ImVec2(view.clip_max[0].x, std::min(view.clip_min[0].y, view.clip_min[1].y)), ImVec2(view.clip_min[1].x, std::max(view.clip_max[0].y, view.clip_max[1].y)));
  size_t lines = 0;
  add_links(c, view, *result, draw, [&](size_t group, ImVec2 middle) {
    c.probe.add("compare/link/" + std::to_string(group) + (lines++ ? "/" + std::to_string(lines) : ""), ImVec2(middle.x - 4, middle.y - 4), ImVec2(middle.x + 4, middle.y + 4), "");
  });
  draw->PopClipRect();
}

void Shell::draw_document(ShellContext& c, const Document& document, Rect r, Side side) {
  const ImVec2 pos(r.x, r.y), size(r.w, r.h);
  // Where both sides of a comparison have the same page, the names of the second say so.
  const Document* left = side == Side::B ? c.workspace.document(c.workspace.comparison.left) : nullptr;
  auto names = [&](const char* page, bool on_both) { return std::string(page) + (on_both ? ".b" : ""); };
  const bool both_alike = left && left->state.index() == document.state.index();
  if (auto* loading = std::get_if<Loading>(&document.state)) return draw_loading(c, document, *loading, names("loading", both_alike), pos, size);
  if (auto* failed = std::get_if<LoadFailed>(&document.state)) return draw_load_failed(c, document, *failed, names("error", both_alike), pos, size);
  const float banner = draw_file_banner(c, document, names("document", left && !left->changed.empty()), pos, r.w);
  r.y += banner;
  r.h -= banner;
  if (!document.program()) {
    ImFont* font = c.theme.fonts.body;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const std::string text = "This file holds tensors and no program: choose one in the Tensor pane.";
    const float width = std::min(ui::text_width(font, text) + 1, r.w - c.px(32));
    const ImVec2 at(r.x + (r.w - width) / 2, r.y + r.h / 2 - font->FontSize);
    draw->AddText(font, font->FontSize, at, c.theme.color(Role::Text2), text.c_str(), nullptr, width);
    const ImVec2 area = font->CalcTextSizeA(font->FontSize, FLT_MAX, width, text.c_str());
    c.probe.add("document/tensors", at, ImVec2(at.x + area.x, at.y + area.y), text);
    return;
  }
  Pane* graph = document_pane(document.id, "graph");
  Pane* text = document_pane(document.id, "text");
  const CentreView view = shown_view(c.workspace, document);
  const bool both = view == CentreView::Both && side == Side::None;
  if (!both) {
    Pane* pane = view == CentreView::Text ? text : graph;
    if (pane) draw_pane(c, *pane, view == CentreView::Text ? "text" : "graph", &document, r, Area::Centre, side);
    return;
  }
  const float split = c.px(kSplitter), left_w = IM_FLOOR((r.w - split) * split_);
  if (graph) draw_pane(c, *graph, "graph", &document, {r.x, r.y, left_w, r.h}, Area::Centre, side);
  if (text) draw_pane(c, *text, "text", &document, {r.x + left_w + split, r.y, r.w - left_w - split, r.h}, Area::Centre, side);
  float at = left_w / c.theme.scale;
  ui::splitter(c, "split/centre", ImVec2(r.x + left_w, r.y), ImVec2(split, r.h), true, at, 1, (r.w - split) / 2 / c.theme.scale);
  split_ = std::clamp(at * c.theme.scale / std::max(1.0f, r.w - split), 0.1f, 0.9f);
}

// The strip under the tabs that the search bar stands in; 0 while it is closed, or where there is no room for it.
float Shell::search_height(const ShellContext& c, float width) const {
  const Document* document = c.workspace.active();
  return document && document->program() && document->search.open && width >= c.px(kSearchLeast) ? c.px(kSearchHeight) : 0;
}

void Shell::draw_search_bar(ShellContext& c, Rect r) {
  r.h = search_height(c, r.w);
  if (r.h == 0) return;
  Document* document = c.workspace.active();
  Search& search = document->search;
  // What is wrong with a query stands where the count of hits would, once the typing has paused: what is half typed is often wrong.
  const bool unfinished = c.input.time < search_typed_ + kSearchPause, wrong = !search.query.empty() && !search.error.empty() && !unfinished;
  if (unfinished && search.error.empty()) c.requests.wake_at(search_typed_ + kSearchPause);
  else if (unfinished) c.requests.again = true;  // what is wrong is still to be said: `wait idle` waits for it
  const float width = std::min(c.px(520), r.w);
  ImGui::SetNextWindowPos(ImVec2(IM_FLOOR(r.x + r.w - width), IM_FLOOR(r.y)));
  ImGui::SetNextWindowSize(ImVec2(width, r.h));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(c.px(6), c.px(6)));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, c.theme.color4(Role::Raised));
  compat::push_font(c.theme.fonts.table);
  ImGui::Begin("search", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
  if (search.focus) {
    ImGui::SetWindowFocus();
    ImGui::SetKeyboardFocusHere();
    search.focus = false;
    search_text_ = search.query;
    c.requests.again = true;
  }
  // Whatever was not typed here wins, also over what is being typed: ImGui gives a field that has the keyboard no new text, so it starts anew.
  if (search_document_ != document->id || search_asked_ != search.query) {
    search_document_ = document->id;
    search_text_ = search_asked_ = search.query;
    if (ImGui::GetActiveID() && ImGui::GetActiveID() == ImGui::GetID("##query")) {
      ImGui::ClearActiveID();
      ImGui::SetKeyboardFocusHere();
      c.requests.again = true;
    }
  }
  const float buttons = c.px(26) * 5, field_w = std::min(c.px(218), width - buttons - c.px(92)), count_w = width - buttons - field_w - c.px(14);
  ImGui::SetNextItemWidth(field_w);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ImGui::GetStyle().FramePadding.x, (c.px(26) - ImGui::GetFontSize()) / 2));  // as high as its buttons
  const bool entered = input_text("##query", search_text_, "text, op: mod: dt: shape: file: user: const: nan:true inf:true time:>1ms /re/", ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  ImGui::PopStyleVar();
  c.probe.item("search/input", search_text_);
  if (ImGui::IsItemActive() && !c.workspace.ui.searches.empty()) {
    if (c.input.pressed(Key::Up)) c.commands.push("search.earlier");
    if (c.input.pressed(Key::Down)) c.commands.push("search.later");
  } else if (!c.workspace.ui.searches.empty()) {
    ui::tooltip(c, "Up and Down: the last searches");
  }
  if (search_text_ != search.query) {
    search_asked_ = search_text_;
    search_typed_ = c.input.time;
    c.commands.push("search.query", search_text_);
  }
  if (entered) {
    search_typed_ = -kSearchPause;
    c.commands.push(ImGui::GetIO().KeyShift ? "search.previous" : "search.next");
    ImGui::SetKeyboardFocusHere(-1);
  }
  ImGui::SameLine(0, c.px(6));
  std::string count = search.query.empty() || (unfinished && !search.error.empty()) ? "" : wrong ? display(search.error) : search.hits.empty() ? "no hit" : search.index ? std::to_string(*search.index + 1) + " of " + std::to_string(search.hits.size())
                                                                                                                                     : std::to_string(search.hits.size()) + (search.hits.size() == 1 ? " hit" : " hits");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy(ImVec2(count_w, c.px(26)));
  c.probe.item("search/count", count);
  if (wrong) ui::tooltip(c, display(search.error));
  ui::clipped_text(ImGui::GetWindowDrawList(), c.theme.fonts.table, ImVec2(at.x, at.y + (c.px(26) - c.theme.fonts.table->FontSize) / 2), count_w,
                   c.theme.color(wrong ? Role::Breakpoint : search.hits.empty() ? Role::Warning : Role::Text2), count);
  auto button = [&](std::string_view id, const char* glyph, std::string_view probe, bool active = false) {
    ImGui::SameLine(0, 0);
    ui::command_button(c, id, glyph, probe, active, ImVec2(c.px(26), c.px(26)));
  };
  button("search.previous", icon::up, "search/previous");
  button("search.next", icon::down, "search/next");
  button("search.filter", icon::filter, "search/filter", search.filter);
  button("search.match_case", icon::case_sensitive, "search/case", search.match_case);
  ImGui::SameLine(0, 0);
  if (ui::flat_button(c, "close search", icon::close, "search/close", ImVec2(c.px(26), c.px(26)))) c.commands.push("search.close");
  ImGui::End();
  ImGui::PopFont();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

namespace {

// Where a message whose upper edge would be at `y` finds room: there or higher.
float above_what_is_kept_clear(const std::vector<pt2::Rect>& kept, float x, float y, ImVec2 size) {
  for (size_t i = 0; i < kept.size(); ++i) {
    if (!kept[i].intersects({x, y, size.x, size.y})) continue;
    y = kept[i].y - size.y - 1;
    i = size_t(-1);  // what is above may be kept too
  }
  return y;
}

}  // namespace

void Shell::draw_toasts(ShellContext& c, Rect r) {
  auto& toasts = c.workspace.toasts;
  std::erase_if(toasts, [&](const Toast& toast) { return toast.until <= c.input.time; });
  ImFont* font = c.theme.fonts.table;
  ImDrawList* draw = ImGui::GetForegroundDrawList();
  float y = r.y + r.h - c.px(12);
  for (auto toast = toasts.rbegin(); toast != toasts.rend(); ++toast) {
    c.requests.wake_at(toast->until);
    const std::string text = display(toast->text);
    const float width = std::min(ui::text_width(font, text), std::min(c.px(480), r.w - c.px(60)));
    const ImVec2 size = font->CalcTextSizeA(font->FontSize, FLT_MAX, width + 1, text.data(), text.data() + text.size());
    const bool error = toast->level == LogLevel::Error, warning = toast->level == LogLevel::Warning;
    const ImU32 color = c.theme.color(error ? Role::Breakpoint : warning ? Role::Warning : Role::Accent);
    const float sign_w = c.px(20);
    const ImVec2 box(size.x + c.px(24) + sign_w, size.y + c.px(16));
    const float x = r.x + c.px(12);
    y = above_what_is_kept_clear(kept_clear_, x, y - box.y, box);
    if (y < r.y) break;
    const ImVec2 min(x, y), max(x + box.x, y + box.y);
    draw->AddRectFilled(min, max, c.theme.color(Role::Raised), c.px(6));
    compat::add_rect(draw, min, max, color, c.px(6));
    draw->AddText(font, font->FontSize, ImVec2(x + c.px(12), y + c.px(8)), color, error ? icon::error : warning ? icon::warning : icon::info);
    c.probe.add("toast/" + std::to_string(toast - toasts.rbegin()), min, max, error ? "error" : warning ? "warning" : "notice");
    draw->AddText(font, font->FontSize, ImVec2(x + c.px(12) + sign_w, y + c.px(8)), c.theme.color(Role::Text), text.data(), text.data() + text.size(), width + 1);
    y -= c.px(8);
  }
}

void Shell::draw_dialogs(ShellContext& c) {
  const std::string dialog = c.workspace.ui.dialog;
  if (dialog != dialog_drawn_) {
    // A modal that is no longer drawn would go on blocking the window.
    if (!dialog_drawn_.empty() && ImGui::GetCurrentContext()->OpenPopupStack.Size > 0) ImGui::ClosePopupToLevel(0, true);
    dialog_drawn_ = dialog;
    c.requests.again = true;
  }
  picker_.draw(c);
  if (dialog == "help") draw_help(c);
  else if (dialog == "legend") draw_legend(c);
  else if (dialog == "about") draw_about(c);
  else if (dialog == "rules") draw_rules(c);
  else if (dialog == "settings") draw_settings(c, settings_filter_);
  else if (dialog == "recent") draw_recent(c);
  else if (dialog == "bundle") draw_bundle_dialog(c);
  else if (dialog == "note") draw_note_dialog(c, note_);
  else if (dialog == "inputs") draw_inputs_dialog(c);
  else if (dialog == "unsaved") draw_unsaved(c);
}

}  // namespace pt2::views
