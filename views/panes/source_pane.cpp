// The Python source behind the selected node: the file where it is on this machine, else the lines that the trace kept.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/display.h"
#include "core/base/text.h"
#include "core/graph/shown_frame.h"
#include "views/compat.h"
#include "views/panes/panes.h"
#include "views/widgets/menu_key.h"
#include "views/widgets/tab_stops.h"
#include "views/widgets/text_field.h"
#include "views/workspace/editor.h"

namespace pt2::views {
namespace {

constexpr uintmax_t kMaxSourceBytes = 4 * 1024 * 1024;
constexpr const char* kLineMenu = "##line menu";

struct SourceText {
  bool found = false;
  std::vector<std::string> lines;  // ready to show
};

// The path comes from the program's file: only regular Python files of moderate size are read, and only to be shown.
SourceText read_source(const std::string& path) {
  SourceText source;
  std::error_code error;
  const std::filesystem::path file(path);
  if (file.extension() != ".py" || !std::filesystem::is_regular_file(file, error) || error) return source;
  if (const auto size = std::filesystem::file_size(file, error); error || size > kMaxSourceBytes) return source;
  std::ifstream in(file);
  if (!in) return source;
  source.found = true;
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    std::string spaced;
    for (const char c : line) c == '\t' ? spaced.append(4, ' ') : spaced.append(1, c);
    source.lines.push_back(display_cut(spaced, 1000));
  }
  return source;
}

std::string trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t\r\n");
  return begin == text.npos ? "" : std::string(text.substr(begin, end - begin + 1));
}

// The innermost frame of a file outside PyTorch, counted from the innermost: a line of the user's own says more than what a layer does inside.
size_t own_frame(const std::vector<SourceFrame>& frames) {
  for (size_t i = 0; i < frames.size(); ++i) {
    const SourceFrame& frame = frames[frames.size() - 1 - i];
    const std::string_view file = frame.file;
    if (!is_generated(frame) && !file.starts_with("torch/") && file.find("/torch/") == file.npos && file.find("site-packages/") == file.npos) return i;
  }
  const SourceFrame* shown = shown_frame(frames);
  return shown ? size_t(&frames.back() - shown) : 0;
}

class SourcePane : public Pane {
 public:
  void draw(PaneContext& context) override;

 private:
  struct Line { std::vector<NodeRef> nodes; std::string code; };
  void prepare(const Document& document);
  void gather(const std::string& file);
  void header(PaneContext& context, const std::vector<SourceFrame>& frames);
  // "FILE:LINE" on this machine of the frame shown.
  std::string local_place(const PaneContext& context, const std::vector<SourceFrame>& frames) const {
    const SourceFrame& frame = frames[frames.size() - 1 - frame_];
    return local_source_path(std::string(frame.file), context.workspace.ui.source_roots) + ":" + std::to_string(frame.line);
  }
  void locate(PaneContext& context);
  void lines(PaneContext& context, const SourceText* text, int64_t selected_line);
  void select_line(PaneContext& context, const Line& line);
  void keys(PaneContext& context, int64_t selected_line);
  void open_menu(int64_t line, ImVec2 at);
  void menu(PaneContext& context, const SourceText* text);

  std::shared_ptr<const Program> program_;
  std::unordered_map<const char*, std::vector<SourceFrame>> frames_;  // by stack trace, which nodes share
  std::string file_, gathered_;
  std::string path_;              // of file_ on this machine
  size_t frame_ = 0;              // from the innermost
  std::map<int64_t, Line> by_line_;  // of file_
  uint64_t seen_selection_ = 0;
  int64_t cursor_ = 0;            // the line that arrows walk from
  int64_t menu_line_ = 0;         // the line whose menu is open
  bool scroll_ = false, cursor_moved_ = false;
  std::string located_;
};

void SourcePane::prepare(const Document& document) {
  const auto& program = std::get<Loaded>(document.state).program;
  if (program_ == program) return;
  program_ = program;
  frames_.clear();
  by_line_.clear();
  gathered_.clear();
  file_.clear();
  seen_selection_ = uint64_t(-1);
}

// Which nodes each line of a file made.
void SourcePane::gather(const std::string& file) {
  if (gathered_ == file) return;
  gathered_ = file;
  by_line_.clear();
  for (size_t g = 0; g < program_->graphs.size(); ++g) {
    const Graph& graph = program_->graphs[GraphId(g)];
    for (size_t n = 0; n < graph.nodes().size(); ++n) {
      const Node& node = graph.node(NodeId(n));
      const std::string_view trace = node.meta->stack_trace;
      if (trace.empty() || node.subgraph) continue;  // what only names a sub-graph is no hit of a search either
      auto [it, added] = frames_.try_emplace(trace.data());
      if (added) it->second = parse_stack_trace(trace);
      for (const SourceFrame& frame : it->second) {
        if (frame.file != file) continue;
        Line& line = by_line_[frame.line];
        if (line.nodes.empty() || line.nodes.back() != NodeRef{GraphId(g), NodeId(n)}) line.nodes.push_back({GraphId(g), NodeId(n)});
        if (line.code.empty()) line.code = std::string(frame.code.substr(0, frame.code.find('\n')));
      }
    }
  }
}

void SourcePane::header(PaneContext& context, const std::vector<SourceFrame>& frames) {
  auto label = [](const SourceFrame& f) { return display_cut(f.file.substr(f.file.rfind('/') + 1), 80) + ":" + std::to_string(f.line) + "  " + display_cut(f.function, 80); };
  const SourceFrame& shown = frames[frames.size() - 1 - frame_];
  const float button = context.theme.px(48);
  ImGui::SetNextItemWidth(-button - ImGui::GetStyle().ItemSpacing.x);
  const bool open = ImGui::BeginCombo("##frames", label(shown).c_str());
  if (!open) tab_stops::add();
  for (size_t i = 0; open && i < frames.size(); ++i) {
    ImGui::PushID(int(i));
    const SourceFrame& f = frames[frames.size() - 1 - i];
    if (ImGui::Selectable(label(f).c_str(), i == frame_)) frame_ = i, scroll_ = true;
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", display_cut(f.file, 400).c_str());
    ImGui::PopID();
  }
  if (open) ImGui::EndCombo();
  ImGui::SameLine();
  if (ImGui::Button("Edit", {button, 0})) context.push("source.edit", local_place(context, frames), "source");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Open this line in your editor (Ctrl+Enter)");
  context.probe.item("source/edit", "Edit");
}

// The user names the file; what its path and the trace's have in common at the end tells the folders that stand for each other.
void SourcePane::locate(PaneContext& context) {
  const size_t name = file_.rfind('/') + 1;
  // Where it was looked for; a source root may have led elsewhere than the trace says.
  ImGui::TextColored(context.theme.color4(Role::Warning), "File not found: %s", display_cut(path_, 200).c_str());
  context.probe.item("source/missing", display_cut(path_, 200));
  if (path_ != file_) ImGui::TextDisabled("by a source root, for %s", display_cut(file_, 200).c_str());
  ImGui::SetNextItemWidth(-context.theme.px(80));
  input_text("##located", located_, ("Path of " + display_cut(file_.substr(name), 60) + " on this machine").c_str());
  ImGui::SameLine();
  const bool pressed = ImGui::Button("Locate");
  tab_stops::add();
  if (!pressed || located_.empty()) return;
  size_t common = 0;
  while (common < located_.size() && common < file_.size() && located_[located_.size() - 1 - common] == file_[file_.size() - 1 - common]) ++common;
  std::string prefix = file_.substr(0, file_.size() - common), folder = located_.substr(0, located_.size() - common);
  if (common < file_.size() - name) prefix = file_, folder = located_;  // another name
  context.push("source.add_root", prefix + "=" + folder, "source");
  located_.clear();
}

void SourcePane::select_line(PaneContext& context, const Line& line) {
  Selection selection = Selection::of_node(line.nodes[0]);
  selection.others.assign(line.nodes.begin() + 1, line.nodes.end());
  context.push("select.set", std::move(selection), "source");
}

// Up and Down walk the lines that made nodes, Enter and Space select what the line made.
void SourcePane::keys(PaneContext& context, int64_t selected_line) {
  if (!context.focused || ImGui::GetIO().WantTextInput) return;
  auto at = by_line_.lower_bound(cursor_ ? cursor_ : selected_line);
  if (at == by_line_.end()) return;
  const int64_t before = at->first;
  if (context.input.pressed(Key::Down) && std::next(at) != by_line_.end()) ++at;
  if (context.input.pressed(Key::Up) && at != by_line_.begin()) --at;
  cursor_ = at->first;
  cursor_moved_ = cursor_ != before;
  if (context.input.pressed(Key::Enter) || context.input.pressed(Key::Space)) select_line(context, at->second);
}

void SourcePane::open_menu(int64_t line, ImVec2 at) {
  menu_line_ = cursor_ = line;
  ImGui::SetNextWindowPos(at);
  ImGui::OpenPopup(kLineMenu);
}

// Of a line: by a right click, or by the Menu key of the one with the cursor.
void SourcePane::menu(PaneContext& context, const SourceText* text) {
  if (!ImGui::BeginPopup(kLineMenu)) return;
  const auto made = by_line_.find(menu_line_);
  const Line* line = made == by_line_.end() ? nullptr : &made->second;
  const bool in_file = text && menu_line_ >= 1 && size_t(menu_line_) <= text->lines.size();
  const std::string place = path_ + ":" + std::to_string(menu_line_), code = in_file ? text->lines[size_t(menu_line_ - 1)] : line ? line->code : "";
  auto item = [&](const char* name, const char* title, const char* keys, bool enabled = true) {
    const bool chosen = ImGui::MenuItem(title, keys, false, enabled);
    context.probe.item(std::string("source/menu/") + name, title, enabled);
    return chosen;
  };
  const bool made_nodes = line && !line->nodes.empty();
  if (item("select", "Select what it made", "Enter", made_nodes)) select_line(context, *line);
  if (item("edit", "Open in editor", nullptr)) context.push("source.edit", place, "source");
  ImGui::Separator();
  if (item("copy", "Copy line", nullptr)) ImGui::SetClipboardText(trimmed(code).c_str());
  if (item("copy_place", "Copy file and line", nullptr)) ImGui::SetClipboardText(place.c_str());
  ImGui::EndPopup();
}

void SourcePane::lines(PaneContext& context, const SourceText* text, int64_t selected_line) {
  const Theme& theme = context.theme;
  compat::push_font(theme.fonts.mono_small);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, theme.color(Role::Canvas));
  if (compat::begin_child("##source", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoNavInputs)) {
    const float height = ImGui::GetTextLineHeightWithSpacing();
    // Without the file only the lines that traces mention are there.
    std::vector<std::pair<int64_t, const Line*>> known;
    if (!text)
      for (const auto& [number, line] : by_line_) known.emplace_back(number, &line);
    const size_t count = text ? text->lines.size() : known.size();
    const int64_t last = text ? int64_t(count) : known.empty() ? 0 : known.back().first;
    const float digits = ImGui::CalcTextSize(std::to_string(last).c_str()).x, gutter = digits + theme.px(52);
    auto row_of = [&](int64_t line) {
      if (text) return size_t(std::max<int64_t>(line - 1, 0));
      return size_t(std::find_if(known.begin(), known.end(), [&](const auto& k) { return k.first == line; }) - known.begin());
    };
    const float top = ImGui::GetScrollY(), view = ImGui::GetWindowHeight(), cursor_y = float(row_of(cursor_)) * height;
    const bool cursor_left = std::exchange(cursor_moved_, false) && (cursor_y < top || cursor_y > top + view - 2 * height);
    if (std::exchange(scroll_, false)) ImGui::SetScrollY(std::max(0.0f, float(row_of(selected_line)) * height - view * 0.4f));
    else if (cursor_left) ImGui::SetScrollY(std::max(0.0f, cursor_y - view * 0.4f));
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const float window_y = ImGui::GetWindowPos().y, x0 = ImGui::GetWindowPos().x, x1 = x0 + ImGui::GetWindowSize().x;
    ImDrawList* list = ImGui::GetWindowDrawList();
    float widest = 0;
    ImGuiListClipper clipper;
    clipper.Begin(int(count), height);
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
        const int64_t number = text ? i + 1 : known[size_t(i)].first;
        auto at_line = by_line_.find(number);
        const Line* line = at_line == by_line_.end() ? nullptr : &at_line->second;
        const ImVec2 at{origin.x, origin.y + float(i) * height};
        if (number == selected_line) list->AddRectFilled({x0, at.y}, {x1, at.y + height}, theme.color(Role::SelectionRow));
        if (context.focused && number == cursor_) compat::add_rect(list, {x0 + 1, at.y}, {x1 - 1, at.y + height}, theme.color(Role::Accent), 2);
        const std::string digits_text = std::to_string(number);
        list->AddText({at.x + gutter - theme.px(10) - ImGui::CalcTextSize(digits_text.c_str()).x, at.y}, theme.color(Role::Disabled), digits_text.c_str());
        if (line && !line->nodes.empty()) {
          const float y = at.y + height / 2 - 1;
          list->AddCircleFilled({at.x + theme.px(10), y}, theme.px(3), theme.color(Role::Accent));
          const std::string n = std::to_string(line->nodes.size());
          list->AddText({at.x + theme.px(17), at.y}, theme.color(Role::Accent), n.c_str());
        }
        const std::string code = text ? text->lines[size_t(i)] : line ? display_cut(line->code, 1000) : "";
        list->AddText({at.x + gutter, at.y}, theme.color(Role::Text), code.c_str(), code.c_str() + code.size());
        widest = std::max(widest, ImGui::CalcTextSize(code.c_str()).x);
        context.probe.add("source/line/", digits_text, {std::max(x0, at.x), at.y}, {x1, at.y + height}, code);
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        const bool pointed_at = mouse.y >= at.y && mouse.y < at.y + height;
        if (pointed_at && ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByPopup) && ImGui::IsMouseReleased(ImGuiMouseButton_Right)) open_menu(number, mouse);
        if (pointed_at && ImGui::IsWindowHovered()) {
          const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left), made_nodes = line && !line->nodes.empty();
          if (clicked) cursor_ = number;
          if (made_nodes) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
          if (made_nodes && clicked) select_line(context, *line);
        }
      }
    ImGui::SetCursorScreenPos({origin.x, origin.y + float(count) * height});
    ImGui::Dummy({gutter + widest + theme.px(20), 1});
    if (menu_key(context)) {
      const int64_t line = cursor_ ? cursor_ : selected_line;
      open_menu(line, {origin.x + gutter, std::clamp(origin.y + float(row_of(line) + 1) * height, window_y, window_y + view)});
    }
    menu(context, text);
  }
  ImGui::EndChild();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void SourcePane::draw(PaneContext& context) {
  if (!context.document || !context.document->program()) {
    ImGui::TextDisabled("No program is open");
    return;
  }
  prepare(*context.document);
  compat::push_font(context.theme.fonts.table);
  const SelectionHistory& selection = context.document->selection;
  const NodeRef node = selection.current().shown();
  const std::vector<SourceFrame> none;
  std::vector<SourceFrame> frames = node.node ? parse_stack_trace(program_->node(node).meta->stack_trace) : none;
  if (seen_selection_ != selection.revision()) {
    seen_selection_ = selection.revision();
    if (selection.origin() != "source") frame_ = own_frame(frames), scroll_ = true, cursor_ = 0;
  }
  if (frames.empty()) {
    ImGui::TextDisabled(node.node ? "The file has no source line for this node" : "Select a node to see where it comes from");
    ImGui::PopFont();
    return;
  }
  frame_ = std::min(frame_, frames.size() - 1);
  const SourceFrame& frame = frames[frames.size() - 1 - frame_];
  file_ = std::string(frame.file);
  gather(file_);
  header(context, frames);
  const std::string path = local_source_path(file_, context.workspace.ui.source_roots);
  if (std::exchange(path_, path) != path) scroll_ = true;  // another file's lines come: the line of the selection is among them
  if (context.focused && context.input.pressed(Chord{Key::Enter, true, false, false})) context.push("source.edit", local_place(context, frames), "source");
  auto text = context.derived.get<SourceText>("source:" + path, "Reading source", [path](Job&) { return read_source(path); });
  const bool found = text && text->found && frame.line >= 1 && size_t(frame.line) <= text->lines.size();
  if (text && !text->found) locate(context);
  if (found && !frame.code.empty()) {
    const std::string stored = trimmed(frame.code.substr(0, frame.code.find('\n')));
    if (!stored.empty() && text->lines[size_t(frame.line - 1)].find(display_cut(stored, 1000)) == std::string::npos)
      ImGui::TextColored(context.theme.color4(Role::Warning), "Source changed since export. Line %lld was: %s", static_cast<long long>(frame.line), display_cut(stored, 200).c_str());
  }
  keys(context, frame.line);
  if (text) lines(context, text->found ? text.get() : nullptr, frame.line);
  else ImGui::TextDisabled("Reading…");
  ImGui::PopFont();
}

}  // namespace

std::unique_ptr<Pane> make_source_pane() { return std::make_unique<SourcePane>(); }

}  // namespace pt2::views
