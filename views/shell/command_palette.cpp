#include "views/shell/command_palette.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "core/archive/archive.h"
#include "core/base/display.h"
#include "core/base/text.h"
#include "core/graph/targets.h"
#include "core/load.h"
#include "core/tensor/view.h"
#include "imgui_internal.h"
#include "views/compat.h"
#include "views/shell/key_sheet.h"
#include "views/widgets/text_field.h"
#include "views/workspace/labels.h"
#include "views/workspace/op_family.h"
#include "views/workspace/search.h"
#include "views/workspace/symbol_origin.h"
#include "views/workspace/unlifted_form.h"

namespace pt2::views {

namespace {
constexpr size_t kRows = 12, kKept = 200;
constexpr float kWidth = 560, kRowHeight = 26;
// Whole last parts of a path come before the names that merely hold them: "moe" means blocks.0.moe, not its parameters.
constexpr int kWholeParts = 1000;
// A module comes before what is in it, by more than longer names lose.
constexpr int kModules = 200;
// Found by its class, a module comes after all that is called so and before what has the letters far apart.
constexpr int kByClass = 8000;

// Whether the needle is one or more of the last parts of a longer path; of a module's later calls, "conv@1", as well.
bool ends_in_parts(std::string_view path, std::string_view needle) {
  if (const size_t call = path.rfind('@'); call != path.npos && needle.find('@') == needle.npos) path = path.substr(0, call);
  if (needle.empty() || path.size() <= needle.size() || path[path.size() - needle.size() - 1] != '.') return false;
  return fold_case(path.substr(path.size() - needle.size())) == fold_case(needle);
}
}  // namespace

void CommandPalette::add(Entry entry, std::string_view needle, int bonus, size_t place) {
  entry.score = ui::fuzzy_score(needle, entry.text, &entry.marks);
  if (entry.score < 0) return;
  entry.score += bonus;
  if (needle.empty()) entry.place = place;
  entries_.push_back(std::move(entry));
}

void CommandPalette::find_commands(ShellContext& c, std::string_view needle, int bonus) {
  size_t place = recent_.size();
  for (std::string_view menu : kMenus)
    for (const Command& command : c.registry.commands()) {
      if (command.menu != menu) continue;
      Entry entry{Entry::Kind::Command, std::string(command.title), std::string(command.menu), menu_keys(c.registry, command), {}, {}, {}, std::string(command.id), 0, {}};
      if (const Availability a = command.availability ? command.availability(c.workspace) : Availability(); !a.enabled()) entry.detail = "not now: " + a.reason;
      const auto recent = std::find(recent_.begin(), recent_.end(), command.id);
      add(std::move(entry), needle, bonus, recent != recent_.end() ? size_t(recent - recent_.begin()) : place++);
    }
}

// Of a file that holds tensors and no program.
void CommandPalette::find_tensors(const Document& document, std::string_view needle) {
  for (const TensorInfo& tensor : document.file()->archive->tensors(""))
    if (!needle.empty() || entries_.size() < kKept) add({Entry::Kind::Tensor, tensor.name, std::string(dtype_name(tensor.dtype)) + " " + shape_text(tensor.sizes), {}, {}, {}, {}, {}, 0, {}}, needle, 0, entries_.size());
}

// By any part of the path, else by the class.
void CommandPalette::find_modules(const Program& program, std::string_view needle) {
  const auto& modules = program.modules.modules;
  for (size_t i = 1; i < modules.size(); ++i) {
    const Module& module = modules[ModuleId(i)];
    const std::string type(class_label(module.type));
    Entry entry{Entry::Kind::Module, module.path, type, {}, {}, ModuleId(i), {}, {}, 0, {}};
    if (ui::fuzzy_score(needle, module.path) >= 0) {
      const bool same = fold_case(module.path) == fold_case(needle);  // a node of that very name comes first
      add(std::move(entry), needle, same ? -1 : kModules + (ends_in_parts(module.path, needle) ? kWholeParts : 0), i);
    } else if (fold_case(type).find(fold_case(needle)) != type.npos) {
      entry.score = kByClass;
      entries_.push_back(std::move(entry));
    }
  }
}

// In the unlifted form by the names of that form, and by those of the program.
void CommandPalette::find_nodes(const Document& document, std::string_view needle) {
  const UnliftedForm* form = document.unlifted();
  const Program& program = form ? *form->program : *document.program();
  const std::vector<std::string_view> targets = placeholder_targets(program);
  for (size_t g = 0; g < program.graphs.size(); ++g) {
    const Graph& graph = program.graphs[GraphId(g)];
    for (size_t n = 0; n < graph.nodes().size(); ++n) {
      const Node& node = graph.node(NodeId(n));
      if (node.subgraph || (needle.empty() && (node.kind != NodeKind::CallFunction || entries_.size() >= kKept))) continue;
      const NodeRef here{GraphId(g), NodeId(n)}, ref = form ? form->original(here) : here;
      std::string detail = node.kind == NodeKind::CallFunction ? std::string(short_target(node.target)) : node.kind == NodeKind::Placeholder ? "placeholder" : node.kind == NodeKind::GetAttr ? std::string(node.name) : "output";
      if (program.modules.modules.contains(node.module) && !program.modules.modules[node.module].path.empty()) detail += "  " + program.modules.modules[node.module].path;
      std::string name = form ? form_name(*form, here) : node_path(program, here);
      if (form && ui::fuzzy_score(needle, name, nullptr) < 0) name = ui::fuzzy_score(needle, node.name, nullptr) >= 0 ? std::string(node.name) : node_path(*document.program(), ref);
      if (const std::string_view target = g == 0 && n < targets.size() ? targets[n] : std::string_view(); !target.empty()) {
        const bool by_target = ui::fuzzy_score(needle, target, nullptr) > ui::fuzzy_score(needle, name, nullptr);
        detail += "  " + (by_target ? name : std::string(target));
        if (by_target) name = target;
      }
      Entry entry{Entry::Kind::Node, std::move(name), std::move(detail), {}, ref, {}, {}, {}, 0, {}};
      if (!ref.node) entry.unlifted = here.node;
      add(std::move(entry), needle, 0, entries_.size());
    }
  }
}

void CommandPalette::find(ShellContext& c) {
  const Document* document = c.workspace.active();
  const Program* program = document ? document->program() : nullptr;
  found_for_ = query_;
  found_in_ = document ? document->shared_program() : nullptr;
  entries_.clear();
  selected_ = 0;
  const char mode = query_.empty() ? 0 : query_[0];
  const bool special = mode == '>' || mode == '@' || mode == '#' || mode == ':';
  std::string_view needle = std::string_view(query_).substr(special ? 1 : 0);
  while (needle.starts_with(' ')) needle.remove_prefix(1);
  if (mode == '>' || (!special && !needle.empty())) find_commands(c, needle, mode == '>' ? 0 : -300);
  if (program && mode == ':') {
    // Steps count operators from 1 as the text and the timeline do.
    size_t wanted = 1, step = 0;
    const auto [end, problem] = std::from_chars(needle.data(), needle.data() + needle.size(), wanted);
    const bool is_step = needle.empty() || (problem == std::errc() && end == needle.data() + needle.size() && wanted > 0);
    const Graph& graph = program->root_graph();
    for (size_t i = 0; is_step && i < graph.nodes().size(); ++i) {
      const Node& node = graph.node(NodeId(i));
      if (node.kind != NodeKind::CallFunction) continue;
      ++step;
      if (step < wanted) continue;
      if (entries_.size() >= kRows) break;
      entries_.push_back({Entry::Kind::Node, std::to_string(step) + "  " + std::string(node.name), std::string(short_target(node.target)), {}, {program->root(), NodeId(i)}, {}, {}, {}, int(kKept - entries_.size()), {}});
    }
  }
  if (program && (mode == '@' || (!special && !needle.empty()))) find_modules(*program, needle);
  if (program && !special && !needle.empty())
    for (const auto& [symbol, range] : program->range_constraints)
      add({Entry::Kind::Operator, std::string(symbol), "symbol  " + symbol_origin(*program, symbol).place, {}, {}, {}, {}, search_for_size(symbol), 0, {}}, needle, 0, entries_.size());
  if (program && mode == '#') {
    std::map<std::string, std::pair<size_t, NodeRef>> operators;
    for (size_t g = 0; g < program->graphs.size(); ++g)
      for (size_t n = 0; n < program->graphs[GraphId(g)].nodes().size(); ++n) {
        const Node& node = program->graphs[GraphId(g)].node(NodeId(n));
        if (node.kind != NodeKind::CallFunction) continue;
        auto& [count, first] = operators[std::string(short_target(node.target))];
        if (count++ == 0) first = {GraphId(g), NodeId(n)};
      }
    for (const auto& [name, use] : operators)
      add({Entry::Kind::Operator, name, with_commas(use.first) + (use.first == 1 ? " node" : " nodes"), {}, use.second, {}, {}, "op:" + name, 0, {}}, needle, 0, entries_.size());
  }
  if (program && !special) find_nodes(*document, needle);
  if (!program && document && document->loaded() && !special) find_tensors(*document, needle);
  total_ = entries_.size();
  if (mode != ':') {
    const size_t keep = std::min(entries_.size(), kKept);
    std::partial_sort(entries_.begin(), entries_.begin() + keep, entries_.end(), [](const Entry& a, const Entry& b) {
      return std::tuple(-a.score, a.place, a.text.size(), std::string_view(a.text)) < std::tuple(-b.score, b.place, b.text.size(), std::string_view(b.text));
    });
    entries_.resize(keep);
  }
}

void CommandPalette::choose(ShellContext& c, const Entry& entry) {
  c.workspace.ui.palette = false;
  switch (entry.kind) {
    case Entry::Kind::Node:
      if (entry.unlifted) c.commands.push("go.node", Selection::of_unlifted(entry.unlifted));
      else c.commands.push("go.node", entry.node);
      break;
    case Entry::Kind::Module: c.commands.push("go.module", entry.module); break;
    case Entry::Kind::Operator:
      c.commands.push("search.open", entry.command);  // the nodes that have it; of a symbol those with such a size
      c.commands.push("search.next");
      break;
    case Entry::Kind::Command:
      std::erase(recent_, entry.command);
      recent_.insert(recent_.begin(), entry.command);
      c.commands.push(entry.command);
      break;
    case Entry::Kind::Tensor: c.commands.push("tensor.show", entry.text); break;
    case Entry::Kind::Document: c.commands.push("go.document", {}, entry.document); break;
  }
}

void CommandPalette::draw(ShellContext& c) {
  Interface& shown = c.workspace.ui;
  if (!shown.palette) {
    was_open_ = false;
    return;
  }
  const bool opened = !was_open_ || !shown.palette_start.empty();
  if (opened) {
    query_ = shown.palette_start;
    shown.palette_start.clear();
    was_open_ = true;
    find(c);
  }
  const size_t rows = std::min(entries_.size(), kRows);
  const float width = std::min(c.px(kWidth), c.input.width - c.px(40)), row_h = c.px(kRowHeight);
  const float height = c.px(52) + (rows ? rows * row_h : row_h) + c.px(26);
  ImGui::SetNextWindowPos(ImVec2(IM_FLOOR((c.input.width - width) / 2), IM_FLOOR(c.px(70))));
  ImGui::SetNextWindowSize(ImVec2(width, height));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(c.px(10), c.px(10)));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, c.theme.color4(Role::Raised));
  compat::push_font(c.theme.fonts.body);
  ImGui::Begin("palette", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
  if (opened) {
    ImGui::SetWindowFocus();
    ImGui::SetKeyboardFocusHere();
    c.requests.again = true;
  }
  ImGui::SetNextItemWidth(-1);
  // The field starts with the cursor behind its text, so that ">" can be typed on.
  const bool entered = input_text("##palette", query_, "Node, module @, operator #, step :, command >", ImGuiInputTextFlags_EnterReturnsTrue);
  to_end_ |= opened;
  if (to_end_ && ImGui::GetActiveID() == ImGui::GetItemID()) {
    if (ImGuiInputTextState* state = ImGui::GetInputTextState(ImGui::GetItemID())) state->ClearSelection();
    to_end_ = false;
  }
  c.probe.item("palette/input", query_);
  const Document* document = c.workspace.active();
  if (query_ != found_for_ || found_in_.lock() != (document ? document->shared_program() : nullptr)) find(c);
  const int count = int(std::min(entries_.size(), kKept));
  if (c.input.pressed(Key::Down)) selected_ = count ? (selected_ + 1) % count : 0;
  if (c.input.pressed(Key::Up)) selected_ = count ? (selected_ + count - 1) % count : 0;
  if (c.input.pressed(Key::PageDown)) selected_ = std::min(selected_ + int(kRows), std::max(0, count - 1));
  if (c.input.pressed(Key::PageUp)) selected_ = std::max(0, selected_ - int(kRows));

  ImDrawList* draw = ImGui::GetWindowDrawList();
  ImFont *font = c.theme.fonts.body, *small = c.theme.fonts.table;
  const int first = std::clamp(selected_ - int(kRows) + 1, 0, std::max(0, count - int(kRows)));
  ImVec2 at = ImGui::GetCursorScreenPos();
  const float row_w = width - c.px(20);
  if (!count) {
    draw->AddText(font, font->FontSize, ImVec2(at.x + c.px(8), at.y + c.px(4)), c.theme.color(Role::Text2), query_.starts_with(':') ? "There is no such step" : "Nothing is called that");
    c.probe.add("palette/nothing", at, ImVec2(at.x + row_w, at.y + row_h), "");
    at.y += row_h;
  }
  int clicked = -1;
  for (int i = first; i < std::min(count, first + int(kRows)); ++i) {
    const Entry& entry = entries_[size_t(i)];
    ImGui::SetCursorScreenPos(at);
    ImGui::PushID(i);
    if (compat::invisible_button("row", ImVec2(row_w, row_h))) clicked = i;
    // One row stands out: the pointer takes the cursor along while it moves.
    if (ImGui::IsItemHovered() && (ImGui::GetIO().MouseDelta.x != 0 || ImGui::GetIO().MouseDelta.y != 0)) selected_ = i;
    if (c.probe.on()) c.probe.item("palette/row/" + std::to_string(i), entry.text);
    ImGui::PopID();
    if (i == selected_) draw->AddRectFilled(at, ImVec2(at.x + row_w, at.y + row_h), c.theme.color(Role::SelectionRow), c.px(4));
    const char* glyph = entry.kind == Entry::Kind::Command ? icon::command : entry.kind == Entry::Kind::Module ? icon::cubes : entry.kind == Entry::Kind::Operator ? icon::list : icon::cube;
    draw->AddText(small, small->FontSize, ImVec2(IM_FLOOR(at.x + c.px(8)), IM_FLOOR(at.y + (row_h - small->FontSize) / 2)), c.theme.color(Role::Text2), glyph);
    float right = at.x + row_w - c.px(8);
    if (!entry.keys.empty()) {
      right -= ui::text_width(small, entry.keys);
      draw->AddText(small, small->FontSize, ImVec2(IM_FLOOR(right), IM_FLOOR(at.y + (row_h - small->FontSize) / 2)), c.theme.color(Role::Accent), entry.keys.c_str());
      right -= c.px(12);
    }
    const std::string text = display(entry.text);
    const float text_w = std::min(ui::text_width(font, text), (right - at.x) * 0.62f);
    const float text_y = at.y + (row_h - font->FontSize) / 2;
    ui::clipped_text(draw, font, ImVec2(at.x + c.px(32), text_y), text_w + 1, c.theme.color(Role::Text), text);
    if (text == entry.text)  // matched letters; escapes would shift them
      for (uint32_t mark : entry.marks) {
        const float x = at.x + c.px(32) + ui::text_width(font, std::string_view(text).substr(0, mark));
        const float w = ui::text_width(font, std::string_view(text).substr(mark, 1));
        if (x + w < at.x + c.px(32) + text_w + 1) draw->AddRectFilled(ImVec2(x, text_y + font->FontSize), ImVec2(x + w, text_y + font->FontSize + c.px(1.5f)), c.theme.color(Role::Accent));
      }
    const float detail_x = at.x + c.px(32) + text_w + c.px(14);
    ui::clipped_text(draw, small, ImVec2(detail_x, at.y + (row_h - small->FontSize) / 2), right - detail_x, c.theme.color(Role::Text2), display(entry.detail));
    at.y += row_h;
  }
  // One of several ways to count steps: the one the text's and the timeline's heads use.
  const std::string foot = query_.starts_with(':') ? "a step is the place among the operators of the program's own graph, from 1" : total_ > size_t(count) ? "best " + with_commas(size_t(count)) + " of " + with_commas(total_) : with_commas(size_t(count)) + (count == 1 ? " entry" : " entries");
  draw->AddText(c.theme.fonts.caption, c.theme.fonts.caption->FontSize, ImVec2(IM_FLOOR(at.x + c.px(8)), IM_FLOOR(at.y + c.px(8))), c.theme.color(Role::Text2), foot.c_str());
  c.probe.add("palette/foot", ImVec2(at.x, at.y + c.px(4)), ImVec2(at.x + row_w, at.y + c.px(4) + row_h), foot);
  const bool outside = ImGui::IsMouseClicked(0) && !ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem | ImGuiHoveredFlags_ChildWindows) && !opened;
  ImGui::End();
  ImGui::PopFont();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  if (clicked >= 0) choose(c, entries_[size_t(clicked)]);
  else if (entered && count) choose(c, entries_[size_t(selected_)]);
  else if (outside) shown.palette = false;
}

}  // namespace pt2::views
