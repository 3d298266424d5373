// The FX text, in step with the graph: one selection, breakpoints in the gutter, names that can be followed.
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/base/display.h"
#include "core/base/revision.h"
#include "core/base/text.h"
#include "views/compat.h"
#include "views/panes/panes.h"
#include "views/widgets/draw.h"
#include "views/widgets/menu_key.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/fx_text.h"
#include "views/workspace/printed_text.h"
#include "views/workspace/run_facts.h"
#include "views/workspace/unlifted_form.h"

namespace pt2::views {
namespace {

constexpr float kGutterSigns = 36;  // px: breakpoint, arrow, tick

class TextPane : public Pane {
 public:
  void draw(PaneContext& context) override;
  StringMap save() const override;
  void restore(const StringMap& saved) override;

 private:
  void prepare(PaneContext& context);
  void print(PaneContext& context, TextForm wanted);
  void options_bar(PaneContext& context);
  void forms_menu(PaneContext& context);
  void follow_selection(PaneContext& context, float line_height);
  void draw_line(PaneContext& context, size_t index, ImVec2 at, float gutter, float height);
  void gutter(PaneContext& context, size_t index, ImVec2 at, float width, float height);
  void keys(PaneContext& context);
  void menu(PaneContext& context);
  void fold(ModuleId module, bool folded);
  size_t line_of(NodeRef node) const;
  size_t line_of(const Selection& selection) const;
  std::vector<FxPiece> pieces(const FxLine& line) const {
    return form_ ? module_pieces(*form_, line) : printed_ ? printed_->pieces(line) : fx_pieces(*program_, line, options_);
  }
  std::string line_text(const FxLine& line) const;

  std::shared_ptr<const Program> program_;
  std::shared_ptr<const UnliftedForm> form_;    // shown in place of the program
  std::shared_ptr<const PrintedText> printed_;  // shown in place of our own text
  TextForm printed_form_ = TextForm::Compact;
  Revision printing_;                           // which program's texts
  FxTextOptions options_, made_with_;
  std::vector<uint8_t> folded_;   // by module
  std::vector<FxLine> lines_;
  size_t widest_ = 0;             // characters of the widest line seen
  bool dirty_ = true;
  uint64_t seen_selection_ = 0;
  bool fresh_ = true;             // begins at the top, also where a program that was closed had been scrolled
  std::set<NodeRef> hits_;
  std::set<NodeId> form_hits_;  // of nodes that only the unlifted form has
  std::string hits_of_;
  size_t menu_line_ = 0;
};

void TextPane::prepare(PaneContext& context) {
  const Document& document = *context.document;
  const auto& program = std::get<Loaded>(document.state).program;
  if (program_ != program) {
    program_ = program;
    folded_.assign(program->modules.modules.size(), 0);
    printed_.reset();
    printed_form_ = TextForm::Compact;
    printing_.change();
    widest_ = 0;
    dirty_ = true;
  }
  const auto form = document.graph.unlifted ? std::get<Loaded>(document.state).unlifted : nullptr;
  if (form_ != form) {
    form_ = form;
    seen_selection_ = 0;
    dirty_ = true;
  }
  print(context, form_ ? TextForm::Compact : context.workspace.ui.preferences.text_form);
  if (!dirty_ && options_ == made_with_) return;
  lines_ = form_ ? module_lines(*form_) : printed_ ? printed_->lines() : fx_lines(*program_, options_, folded_);
  made_with_ = options_;
  dirty_ = false;
}

// The text there was stays until the one asked for is made.
void TextPane::print(PaneContext& context, TextForm wanted) {
  std::shared_ptr<const PrintedText> printed = wanted == printed_form_ ? printed_ : nullptr;
  if (wanted != TextForm::Compact && !printed) {
    const std::string key = "printed:" + std::to_string(printing_.number()) + ":" + std::to_string(int(wanted));
    printed = context.derived.get<PrintedText>(key, "Printing", [program = program_, wanted](Job&) { return PrintedText(program, wanted); });
    if (!printed) return;
    context.derived.forget(key);
  }
  if (printed_ == printed) return;
  printed_ = std::move(printed);
  printed_form_ = wanted;
  seen_selection_ = 0;
  dirty_ = true;
}

void TextPane::fold(ModuleId module, bool folded) {
  if (module.index >= folded_.size()) return;
  folded_[module.index] = folded;
  dirty_ = true;
}

std::string TextPane::line_text(const FxLine& line) const {
  std::string text;
  for (const FxPiece& piece : pieces(line)) text += piece.text;
  return text;
}

// Where a selection is seen; of a module its first node.
size_t TextPane::line_of(const Selection& selection) const {
  if (selection.unlifted) return form_ ? module_line_of(selection.unlifted) : size_t(-1);
  NodeRef node = selection.shown();
  if (!node.node && selection.module) {
    const Module& module = program_->modules.modules[selection.module];
    if (!module.nodes.empty()) node = {program_->root(), module.nodes.front()};
  }
  return node.node ? line_of(node) : size_t(-1);
}

// Lines are in the order of graphs and nodes, so the line of a node is found by halving.
size_t TextPane::line_of(NodeRef node) const {
  if (form_) {
    const NodeRef here = form_->here(node);
    return here.node && here.graph == program_->root() ? module_line_of(here.node) : size_t(-1);
  }
  if (printed_) return printed_->line_of(node);
  auto key = [](const FxLine& l) {
    const uint32_t at = l.kind == FxLine::Kind::Blank ? 0 : l.kind == FxLine::Kind::Header ? 0 : l.node.node.index + 1;
    return std::pair(l.graph.index, at);
  };
  const std::pair wanted(node.graph.index, node.node.index + 1);
  auto it = std::upper_bound(lines_.begin(), lines_.end(), wanted, [&](const auto& w, const FxLine& l) { return w < key(l); });
  if (it == lines_.begin()) return size_t(-1);
  --it;
  if (it->node == node || it->kind == FxLine::Kind::Folded || it->kind == FxLine::Kind::Header) return size_t(it - lines_.begin());
  return size_t(-1);
}

void TextPane::forms_menu(PaneContext& context) {
  constexpr std::pair<const char*, const char*> kForms[] = {{"Compact", "compact"}, {"As str(ep)", "readable"}, {"As str(ep.graph)", "graph"}};
  for (size_t i = 0; i < std::size(kForms); ++i) {
    const auto [title, name] = kForms[i];
    if (ImGui::MenuItem(title, nullptr, !form_ && context.workspace.ui.preferences.text_form == TextForm(i))) context.push("view.text_form", std::string(name), "text");
    context.probe.item(std::string("text/form/") + name);
  }
  if (ImGui::MenuItem("Unlifted form: ep.module()", nullptr, form_ != nullptr)) context.push("view.unlifted", {}, "text");
}

void TextPane::options_bar(PaneContext& context) {
  compat::push_font(context.theme.fonts.table);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(context.theme.px(6), context.theme.px(2)));
  if (ImGui::Button("View ▾")) ImGui::OpenPopup("##options");
  if (ImGui::BeginPopup("##options")) {
    forms_menu(context);
    ImGui::Separator();
    const bool fx = !form_ && !printed_;
    ImGui::MenuItem("Full types", nullptr, &options_.full_types, fx);
    ImGui::MenuItem("Argument names", nullptr, &options_.argument_names, fx);
    ImGui::MenuItem("Module comments", nullptr, &options_.module_comments, fx);
    ImGui::MenuItem("Source comments", nullptr, &options_.source_comments, fx);
    ImGui::MenuItem("Parameters and buffers", nullptr, &options_.placeholders, fx);
    ImGui::Separator();
    if (ImGui::MenuItem("Fold modules of the first level", nullptr, false, fx))
      for (size_t i = 0; i < folded_.size(); ++i) {
        const ModuleId parent = program_->modules.modules[ModuleId(i)].parent;
        fold(ModuleId(i), parent && !program_->modules.modules[parent].parent);
      }
    if (ImGui::MenuItem("Unfold all", nullptr, false, fx)) std::fill(folded_.begin(), folded_.end(), 0), dirty_ = true;
    ImGui::Separator();
    if (ImGui::MenuItem("Copy all")) {
      std::string text;
      for (const FxLine& line : lines_) text += line_text(line) + "\n";
      ImGui::SetClipboardText(text.c_str());
    }
    ImGui::EndPopup();
  }
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s lines", with_commas(uint64_t(lines_.size())).c_str());
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

void TextPane::follow_selection(PaneContext& context, float line_height) {
  const SelectionHistory& selection = context.document->selection;
  if (seen_selection_ == selection.revision()) return;
  seen_selection_ = selection.revision();
  if (selection.origin() == "text") return;
  const size_t line = line_of(selection.current());
  if (line == size_t(-1)) return;
  const float y = float(line) * line_height, top = ImGui::GetScrollY(), view = ImGui::GetWindowHeight();
  if (y < top + line_height || y > top + view - 3 * line_height) ImGui::SetScrollY(std::max(0.0f, y - view * 0.4f));
}

void TextPane::gutter(PaneContext& context, size_t index, ImVec2 at, float width, float height) {
  const Theme& theme = context.theme;
  const FxLine& line = lines_[index];
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::string number = std::to_string(index + 1);
  const float number_width = ImGui::CalcTextSize(number.c_str()).x;
  list->AddText({std::floor(at.x + width - number_width - theme.px(8)), at.y}, theme.color(Role::Disabled), number.c_str());
  const Breakpoint* breakpoint = nullptr;
  if (const DebugSession* debug = context.document->debug.get(); debug && line.node.node) {
    const float size = theme.px(10), y = at.y + height / 2;
    if (line.kind == FxLine::Kind::Node) breakpoint = debug->breakpoint_at(line.node);
    if (breakpoint) {
      const ImVec2 dot{at.x + theme.px(10), y};
      if (breakpoint->enabled) list->AddCircleFilled(dot, size / 2, theme.color(Role::Breakpoint));
      else list->AddCircle(dot, size / 2 - 1, theme.color(Role::Breakpoint), 0, 2);
    }
    const interp::Debugger* debugger = debug->debugger();
    if (debugger && debug->cursor == line.node && line.kind != FxLine::Kind::Blank)
      draw::arrow_right(list, {at.x + theme.px(26), y}, size, theme.color(Role::Current), theme.name == ThemeName::Light ? theme.color(Role::CurrentOutline) : 0);
    else if (const auto ran = debugger ? debugger->shown(line.node) : std::nullopt; ran && line.kind == FxLine::Kind::Node) {
      const interp::NodeRun* run = debugger->trace().run_of(*ran);
      const ImVec2 sign{at.x + theme.px(26), y};
      if (run && std::holds_alternative<interp::Failed>(run->outcome)) list->AddText({sign.x - size / 2, at.y}, theme.color(Role::Breakpoint), "✗");
      else if (debug->facts() && debug->facts()->alarming(*ran)) draw::hexagon(list, sign, size, theme.color(Role::NonFinite));
      else if (run && run->done()) draw::tick(list, sign, size, theme.color(Role::Executed));
    }
  }
  context.probe.add("text/gutter/", number, at, {at.x + theme.px(kGutterSigns), at.y + height}, number + (breakpoint ? " ●" : ""));
}

void TextPane::draw_line(PaneContext& context, size_t index, ImVec2 at, float gutter_width, float height) {
  const FxLine& line = lines_[index];
  const Theme& theme = context.theme;
  const Selection& selection = context.document->selection.current();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float window_x0 = ImGui::GetWindowPos().x, window_x1 = window_x0 + ImGui::GetWindowSize().x;
  const bool selected = line.kind != FxLine::Kind::Guard && ((line.node.node && (selection.holds(line.node) || selection.value == line.node)) || (line.unlifted && selection.unlifted == line.unlifted));
  const bool current = line.node.node && context.document->debug && context.document->debug->cursor == line.node;
  const ImVec2 row_min{window_x0, at.y}, row_max{window_x1, at.y + height};
  if (current) list->AddRectFilled(row_min, row_max, theme.color(Role::Current, 0.18f));
  if (selected) list->AddRectFilled(row_min, row_max, theme.color(Role::SelectionRow));
  if (line.node.node ? hits_.contains(line.node) : form_hits_.contains(line.unlifted)) {
    list->AddRectFilled({window_x1 - theme.px(4), at.y}, {window_x1, at.y + height}, theme.color(Role::Accent));
    compat::add_rect(list, {at.x + gutter_width, at.y}, {window_x1 - theme.px(6), at.y + height - 1}, theme.color(Role::Accent, 0.6f), 2);
  }
  gutter(context, index, at, gutter_width, height);

  const NodeRef shown = selection.shown();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool over_window = ImGui::IsWindowHovered();
  const bool over_row = over_window && mouse.y >= at.y && mouse.y < at.y + height;
  const float char_width = ImGui::CalcTextSize("M").x;
  NodeRef hovered;
  NodeId hovered_unlifted = line.unlifted && !line.node.node ? line.unlifted : NodeId();
  std::string text;
  float x = at.x + gutter_width;
  size_t characters = 0;
  std::pair<float, float> own_name{};  // from where to where the name stands that the line defines
  for (const FxPiece& piece : pieces(line)) {
    if (context.probe.on()) text += piece.text;
    const float width = ImGui::CalcTextSize(piece.text.c_str(), piece.text.c_str() + piece.text.size()).x;
    characters += size_t(width / char_width + 0.5f);
    const ImVec2 min{x, at.y}, max{x + width, at.y + height};
    x += width;
    if (max.x < window_x0 || min.x > window_x1) continue;
    if (piece.role == FxTextRole::Defined && own_name.second == 0) own_name = {min.x, max.x};
    ImU32 color = theme.color(Role::Text);
    switch (piece.role) {
      case FxTextRole::Plain: break;
      case FxTextRole::Name: break;
      case FxTextRole::Defined: break;
      case FxTextRole::Type: color = theme.color(Role::Text2); break;
      case FxTextRole::Operator: color = theme.color(Role::Executed); break;
      case FxTextRole::Comment: color = theme.color(Role::Disabled); break;
      case FxTextRole::Keyword: color = theme.color(Role::Accent); break;
    }
    if (piece.node || piece.unlifted) {
      const NodeRef ref = piece.node ? NodeRef{line.graph, piece.node} : NodeRef();
      if ((shown.node && ref == shown) || (piece.unlifted && piece.unlifted == selection.unlifted)) compat::add_rect(list, {min.x - 1, min.y + 1}, {max.x + 1, max.y - 1}, theme.color(piece.role == FxTextRole::Defined ? Role::SelectionRing : Role::Downstream), 2);
      if (over_row && mouse.x >= min.x && mouse.x < max.x) {
        hovered = ref;
        hovered_unlifted = piece.unlifted;
        list->AddLine({min.x, max.y - 2}, {max.x, max.y - 2}, color);
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      }
    }
    list->AddText({std::floor(min.x), std::floor(at.y)}, color, piece.text.c_str(), piece.text.c_str() + piece.text.size());
  }
  widest_ = std::max(widest_, characters + 2);
  // The place of its own name, so that a click selects the line's node and no other that it names.
  if (own_name.second == 0) own_name = {at.x + gutter_width, std::max(x, at.x + gutter_width + char_width)};
  context.probe.add("text/line/", std::to_string(index + 1), {std::max(own_name.first, window_x0), at.y}, {std::min(own_name.second, window_x1), at.y + height}, text);
  if (!over_row) return;
  const bool in_gutter = mouse.x < window_x0 + theme.px(kGutterSigns);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    if (in_gutter && line.node.node && line.kind == FxLine::Kind::Node) context.push("debug.toggle_breakpoint", line.node, "text");
    else if (hovered_unlifted && !hovered.node) context.push("select.set", Selection::of_unlifted(hovered_unlifted), "text");
    else if (hovered.node) context.push("select.node", hovered, ImGui::GetIO().KeyCtrl ? "" : "text");
    else if (line.kind == FxLine::Kind::Folded) context.push("select.module", line.module, "text");
    else if (line.node.node) context.push("select.node", line.node, "text");
  }
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left) && line.kind == FxLine::Kind::Folded) fold(line.module, false);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    menu_line_ = index;
    if (in_gutter && line.kind == FxLine::Kind::Node) {
      context.push("debug.edit_condition", line.node, "text");
    } else {
      if (line.node.node && line.kind != FxLine::Kind::Folded) context.push("select.node", hovered.node ? hovered : line.node, "text");
      ImGui::OpenPopup("##line menu");
    }
  }
}

void TextPane::menu(PaneContext& context) {
  if (!ImGui::BeginPopup("##line menu")) return;
  if (menu_line_ < lines_.size()) {
    const FxLine line = lines_[menu_line_];
    if (line.kind == FxLine::Kind::Node) {
      if (ImGui::MenuItem("Run to here", "Ctrl+F10")) context.push("debug.run_to", line.node, "text");
      if (ImGui::MenuItem("Toggle breakpoint", "F9")) context.push("debug.toggle_breakpoint", line.node, "text");
      if (ImGui::MenuItem("Show value")) context.push("view.pane", std::string("tensor"), "text");
      ImGui::Separator();
    }
    if (line.kind == FxLine::Kind::Folded) {
      if (ImGui::MenuItem("Unfold")) fold(line.module, false);
    } else if (line.node.node && line.graph == program_->root()) {
      const auto& modules = program_->modules.modules;
      for (ModuleId m = program_->node(line.node).module; !form_ && !printed_ && m && modules.contains(m) && modules[m].parent; m = modules[m].parent)
        if (ImGui::MenuItem(("Fold " + display_cut(modules[m].path, 60)).c_str())) fold(m, true);
    }
    if (ImGui::MenuItem("Copy line")) ImGui::SetClipboardText(line_text(line).c_str());
  }
  ImGui::EndPopup();
}

void TextPane::keys(PaneContext& context) {
  if (!context.focused || ImGui::GetIO().WantTextInput) return;
  size_t line = line_of(context.document->selection.current());
  if (line == size_t(-1)) line = 0;
  auto go = [&](bool down) {
    size_t to = line;
    while (down ? to + 1 < lines_.size() : to > 0) {
      to += down ? 1 : size_t(-1);
      if (lines_[to].node.node || lines_[to].unlifted) break;
    }
    if (to == line) return;
    if (lines_[to].node.node) context.push("select.node", lines_[to].node, "text keys");
    else if (lines_[to].unlifted) context.push("select.set", Selection::of_unlifted(lines_[to].unlifted), "text keys");
  };
  if (context.input.pressed(Key::Down)) go(true);
  if (context.input.pressed(Key::Up)) go(false);
  if (context.input.pressed(Key::Enter)) context.push("view.pane", std::string("tensor"), "text");
  if (menu_key(context) && line < lines_.size()) {
    menu_line_ = line;
    ImGui::OpenPopup("##line menu");
  }
}

void TextPane::draw(PaneContext& context) {
  if (!context.document || !context.document->program()) {
    ImGui::TextDisabled("No program is open");
    return;
  }
  prepare(context);
  options_bar(context);
  const Search& search = context.document->search;
  if (const std::string key = search.open ? search.query + std::to_string(search.hits.size()) : ""; key != hits_of_) {
    hits_of_ = key;
    hits_.clear();
    form_hits_.clear();
    if (search.open)
      for (const SearchHit& hit : search.hits) hit.unlifted ? void(form_hits_.insert(hit.unlifted)) : void(hits_.insert(hit.node));
  }
  const Theme& theme = context.theme;
  ImGui::PushStyleColor(ImGuiCol_ChildBg, theme.color(Role::Canvas));
  compat::push_font(theme.fonts.mono);
  if (compat::begin_child("##lines", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoNavInputs)) {
    if (std::exchange(fresh_, false)) ImGui::SetScrollX(0), ImGui::SetScrollY(0);
    const float height = ImGui::GetTextLineHeightWithSpacing();
    const float digits = ImGui::CalcTextSize(std::to_string(lines_.size()).c_str()).x;
    const float gutter_width = theme.px(kGutterSigns) + digits + theme.px(20);
    follow_selection(context, height);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    ImGuiListClipper clipper;
    clipper.Begin(int(lines_.size()), height);
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd && size_t(i) < lines_.size(); ++i)
        draw_line(context, size_t(i), {origin.x, origin.y + float(i) * height}, gutter_width, height);
    // The room for scrolling sideways is known only from lines that were seen.
    ImGui::SetCursorScreenPos({origin.x, origin.y + float(lines_.size()) * height});
    ImGui::Dummy({gutter_width + float(widest_) * ImGui::CalcTextSize("M").x, 1});
    keys(context);
    menu(context);
  }
  ImGui::EndChild();
  ImGui::PopFont();
  ImGui::PopStyleColor();
}

StringMap TextPane::save() const {
  auto flag = [](bool on) { return std::string(on ? "1" : "0"); };
  return {{"full_types", flag(options_.full_types)}, {"argument_names", flag(options_.argument_names)}, {"module_comments", flag(options_.module_comments)},
          {"source_comments", flag(options_.source_comments)}, {"placeholders", flag(options_.placeholders)}};
}

void TextPane::restore(const StringMap& saved) {
  auto flag = [&](const char* name, bool& into) {
    if (auto it = saved.find(name); it != saved.end()) into = it->second == "1";
  };
  flag("full_types", options_.full_types);
  flag("argument_names", options_.argument_names);
  flag("module_comments", options_.module_comments);
  flag("source_comments", options_.source_comments);
  flag("placeholders", options_.placeholders);
}

}  // namespace

std::unique_ptr<Pane> make_text_pane() { return std::make_unique<TextPane>(); }

}  // namespace pt2::views
