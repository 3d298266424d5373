// Menu, toolbar with breadcrumb, and status bar.
#include <algorithm>
#include <cctype>
#include <cfloat>
#include <iterator>
#include <optional>
#include <utility>

#include "core/base/display.h"
#include "core/base/text.h"
#include "imgui_internal.h"
#include "views/compat.h"
#include "views/shell/frame_input.h"
#include "views/shell/key_sheet.h"
#include "views/shell/shell.h"
#include "views/shell/tooltips.h"
#include "views/widgets/copy_menu.h"
#include "views/workspace/comparison.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/highlight.h"
#include "views/workspace/labels.h"
#include "views/workspace/titles.h"

namespace pt2::views {

namespace {


std::string lower(std::string_view text) {
  std::string out(text);
  for (char& ch : out) ch = char(std::tolower(static_cast<unsigned char>(ch)));
  return out;
}

// "copy"; the whole id of what stands in another's menu under a name that the menu has already: "tensor.copy".
std::string probe_name(const CommandRegistry& registry, const Command& command) {
  const auto name = [](const Command& one) { return one.id.substr(one.id.find('.') + 1); };
  const auto& all = registry.commands();
  const bool first = std::find_if(all.begin(), all.end(), [&](const Command& other) { return other.menu == command.menu && name(other) == name(command); })->id == command.id;
  return std::string(command.id.starts_with("tensor.") || !first ? command.id : name(command));
}

// Group by group: tables of several areas add to one. Quit is last.
std::vector<const Command*> commands_of(const CommandRegistry& registry, std::string_view menu) {
  std::vector<const Command*> list;
  for (const Command& command : registry.commands())
    if (command.menu == menu) list.push_back(&command);
  std::vector<std::string_view> groups;
  for (const Command* command : list)
    if (std::find(groups.begin(), groups.end(), command->group) == groups.end()) groups.push_back(command->group);
  auto place = [&](const Command* command) { return command->group == "quit" ? groups.size() : size_t(std::find(groups.begin(), groups.end(), command->group) - groups.begin()); };
  std::stable_sort(list.begin(), list.end(), [&](const Command* a, const Command* b) { return place(a) < place(b); });
  return list;
}

void menu_entries(ShellContext& c, std::string_view menu) {
  std::string_view group;
  bool first = true;
  for (const Command* listed : commands_of(c.registry, menu)) {
    const Command& command = *listed;
    if (!first && command.group != group) ImGui::Separator();
    first = false;
    group = command.group;
    ui::command_entry(c, command, "menu/" + lower(menu) + "/" + probe_name(c.registry, command));
  }
}

// The search field, between what is left of the bar and what the breadcrumb asks for; there is either room for words or only its sign.
float search_width(const ShellContext& c, float bar, float room) {
  constexpr float kMost = 220, kWords = 100, kSign = 30, kBreadcrumb = 140;
  const float width = std::min({c.px(kMost), bar * 0.25f, room - c.px(kBreadcrumb)});
  return width < c.px(kWords) ? c.px(kSign) : width;
}

// Also in an open menu, to which keys are left.
bool was_typed(const FrameInput& input, Key key) {
  return std::any_of(input.events.begin(), input.events.end(), [key](const InputEvent& e) { return e.type == InputEvent::Type::Key && e.down && e.chord.key == key; });
}

}  // namespace

void Shell::draw_menu(ShellContext& c, Rect r) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(c.px(8), IM_FLOOR((r.h - ImGui::GetFontSize()) / 2)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(c.px(12), c.px(4)));
  if (ImGui::BeginMenuBar()) {
    std::vector<std::string_view> menus;
    std::copy_if(std::begin(kMenus), std::end(kMenus), std::back_inserter(menus), [&](std::string_view menu) {
      return std::any_of(c.registry.commands().begin(), c.registry.commands().end(), [&](const Command& command) { return command.menu == menu; });
    });
    const std::optional<size_t> wanted = std::exchange(menu_to_open_, std::nullopt);
    for (size_t i = 0; i < menus.size(); ++i) {
      const std::string name(menus[i]);
      // Over the bar it would be pressed where the click that opens it ends; one that is too high scrolls.
      ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0), ImVec2(FLT_MAX, c.input.height - r.h - 2 * ImGui::GetStyle().DisplaySafeAreaPadding.y));
      if (wanted == i) {
        ImGui::OpenPopup(name.c_str());
        show_keyboard_cursor();
      }
      const bool open = ImGui::BeginMenu(name.c_str());
      c.probe.item("menu/" + lower(name), name);
      if (!open) continue;
      if (was_typed(c.input, Key::Right)) menu_to_open_ = (i + 1) % menus.size();
      if (was_typed(c.input, Key::Left)) menu_to_open_ = (i + menus.size() - 1) % menus.size();
      ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(c.px(8), c.px(4)));
      menu_entries(c, name);
      ImGui::PopStyleVar();
      ImGui::EndMenu();
    }
    if (const Document* document = c.workspace.active()) {
      const std::string title = display(distinct_title(c.workspace, *document));
      const float width = std::min(ui::text_width(c.theme.fonts.table, title), r.w * 0.4f);
      ui::clipped_text(ImGui::GetWindowDrawList(), c.theme.fonts.table, ImVec2(r.w - width - c.px(12), (r.h - ImGui::GetFontSize()) / 2), width + 1, c.theme.color(Role::Text2), title);
    }
    ImGui::EndMenuBar();
  }
  ImGui::PopStyleVar(2);
}

void Shell::draw_toolbar(ShellContext& c, Rect r) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(ImVec2(r.x, r.y), ImVec2(r.x + r.w, r.y + r.h), c.theme.color(Role::Panel));
  draw->AddRectFilled(ImVec2(r.x, r.y + r.h - c.px(1)), ImVec2(r.x + r.w, r.y + r.h), c.theme.color(Role::Border, 0.6f));
  compat::push_font(c.theme.fonts.body);
  const float height = c.px(28), y = IM_FLOOR(r.y + (r.h - height) / 2);
  float x = r.x + c.px(8);
  auto bar_command = [&](std::string_view id) { add_bar_item("toolbar", ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), [&c, id] { c.commands.push(std::string(id)); }); };
  auto button = [&](std::string_view id, const char* glyph, std::string_view probe) {
    if (!c.registry.find(id)) return;
    ImGui::SetCursorScreenPos(ImVec2(x, y));
    ui::command_button(c, id, glyph, probe, false, ImVec2(c.px(30), height));
    bar_command(id);
    x += c.px(30) + c.px(2);
  };
  auto line = [&] {
    x += c.px(5);
    draw->AddRectFilled(ImVec2(x, y + c.px(4)), ImVec2(x + std::max(1.0f, c.px(1)), y + height - c.px(4)), c.theme.color(Role::Border));
    x += c.px(6);
  };
  const float start = x;
  button("debug.start", icon::play, "toolbar/run");
  button("debug.pause", icon::pause, "toolbar/pause");
  button("debug.stop", icon::stop, "toolbar/stop");
  button("debug.restart", icon::restart, "toolbar/restart");
  if (x > start) line();
  const float steps = x;
  button("debug.step_over", icon::step_over, "toolbar/step_over");
  button("debug.step_into", icon::step_into, "toolbar/step_into");
  button("debug.step_out", icon::step_out, "toolbar/step_out");
  button("debug.step_back", icon::step_back, "toolbar/step_back");
  if (x > steps) line();
  if (c.registry.find("debug.inputs")) {
    ImGui::SetCursorScreenPos(ImVec2(x, y));
    compat::push_font(c.theme.fonts.table);
    ui::command_button(c, "debug.inputs", "Inputs…", "toolbar/inputs", false, ImVec2(c.px(72), height));
    bar_command("debug.inputs");
    ImGui::PopFont();
    x += c.px(74);
    line();
  }
  button("go.back", icon::back, "toolbar/back");
  button("go.forward", icon::forward, "toolbar/forward");
  line();

  // The search field opens the search bar over the graph.
  const float search_w = search_width(c, r.w, r.x + r.w - x - c.px(16)), search_x = r.x + r.w - search_w - c.px(8);
  ImGui::SetCursorScreenPos(ImVec2(search_x, y));
  const bool available = c.workspace.active() && c.workspace.active()->program();
  if (compat::invisible_button("toolbar search", ImVec2(search_w, height)) && available) c.commands.push("search.open");
  bar_command("search.open");
  const bool hovered = ImGui::IsItemHovered() && available;
  c.probe.item("toolbar/search", "Search", available);
  constexpr const char* kSearch = "Search nodes  (Ctrl+F)";
  const bool words = search_w > c.px(60);
  if (!words) ui::tooltip(c, kSearch);
  draw->AddRectFilled(ImVec2(search_x, y), ImVec2(search_x + search_w, y + height), c.theme.color(c.theme.name == ThemeName::Dark ? Role::Canvas : Role::Raised), c.px(4));
  if (hovered) compat::add_rect(draw, ImVec2(search_x, y), ImVec2(search_x + search_w, y + height), c.theme.color(Role::Border), c.px(4));
  ImFont* font = c.theme.fonts.table;
  const ImU32 hint = c.theme.color(available ? Role::Text2 : Role::Disabled);
  draw->AddText(font, font->FontSize, ImVec2(search_x + c.px(9), IM_FLOOR(y + (height - font->FontSize) / 2)), hint, icon::search);
  if (words) ui::clipped_text(draw, font, ImVec2(search_x + c.px(30), y + (height - font->FontSize) / 2), search_w - c.px(36), hint, kSearch);
  ImGui::PopFont();
  draw_breadcrumb(c, x, y, search_x - x - c.px(8));
  bar_keys(c, "toolbar");
}

namespace {

// The document whose run a job is; none: another job.
DocumentId run_by(const Workspace& workspace, const std::string& job_tag) {
  for (const auto& document : workspace.documents())
    if (document->debug && document->debug->debugger()->job_tag() == job_tag) return document->id;
  return {};
}

std::string run_text(const Document& document) {
  const DebugSession* debug = document.debug.get();
  if (!debug) return document.loaded() ? "Opened" : std::holds_alternative<Loading>(document.state) ? "Opening…" : "Not opened";
  switch (debug->state) {
    case RunState::NotStarted: return "Ready";
    case RunState::Running: return "Running";
    case RunState::Finished: {
      std::string more = debug->stop_reason.empty() ? debug->nonfinite_text() : debug->stop_reason;
      if (const std::string compared = debug->compared_text(); debug->stop_reason.empty() && !compared.empty()) more += (more.empty() ? "" : "; ") + compared;
      return more.empty() ? "Finished" : "Finished: " + display(more);
    }
    case RunState::Failed: return "Failed: " + debug->stop_reason;
    case RunState::Paused: break;
  }
  std::string text = "Stopped";
  if (!debug->position.empty()) text += " " + display(debug->position);
  if (!debug->stop_reason.empty()) text += " (" + debug->stop_reason + ")";
  return text;
}

// Where the run of a comparison stands; empty while neither side was asked to run, and where a side is debugged by itself.
std::string compare_text(const Workspace& workspace, const Document& document) {
  const Comparison& pair = workspace.comparison;
  if (!pair.asked || (document.id != pair.left && document.id != pair.right)) return {};
  if (document.debug && document.debug->state != RunState::NotStarted && !document.debug->both()) return {};
  if (!pair.result || !pair.result->outcome) return pair.isolate ? "Running both, groups alone" : "Running both";
  const interp::RunComparison* numbers = pair.result->numbers();
  if (!numbers) return "Could not run both";
  if (pair.stepping) {
    if (!pair.step) return "Lockstep: before the first group";
    return "Lockstep: after " + group_name(*pair.result, *pair.step) + ", group " + with_commas(numbers->position(*pair.step) + 1) + " of " + with_commas(numbers->groups.size());
  }
  const size_t outputs = pair.result->differing_outputs;
  const std::string said = !pair.result->parted_at.empty() ? "numbers part from \"" + pair.result->parted_at + "\" on" : !pair.result->failure.empty() ? display_cut(pair.result->failure, 120) : outputs == 0 ? "numbers agree" : with_commas(uint64_t(outputs)) + (outputs == 1 ? " output differs" : " outputs differ");
  return "Both ran, " + said + ", " + inputs_of_both(*pair.result, pair);
}

// What a press of = would link: said once something was picked on each side that does not belong together yet.
std::string link_text(const Workspace& workspace, const Document& document) {
  const Comparison& pair = workspace.comparison;
  if (!pair.result || !pair.picked_left.node || !pair.picked_right.node || (document.id != pair.left && document.id != pair.right)) return {};
  const auto group = group_of(*pair.result->diff, true, pair.picked_left);
  if (group && group == group_of(*pair.result->diff, false, pair.picked_right)) return {};
  return "= links " + display(qualified_name(*pair.result->left, pair.picked_left)) + " with " + display(qualified_name(*pair.result->right, pair.picked_right));
}

struct ProblemCounts {
  size_t errors = 0, warnings = 0, notes = 0;
  std::string text() const {
    std::string all;
    auto add = [&](size_t count, const char* one) {
      if (count) all += (all.empty() ? "" : "  ") + with_commas(uint64_t(count)) + " " + one + (count == 1 ? "" : "s");
    };
    add(errors, "error");
    add(warnings, "warning");
    add(notes, "note");
    return all;
  }
};

ProblemCounts count_problems(const Document& document) {
  ProblemCounts counts;
  for (const Finding& finding : document.problems) ++(finding.severity == Severity::Error ? counts.errors : finding.severity == Severity::Warning ? counts.warnings : counts.notes);
  return counts;
}

size_t operators_in_subgraphs(const Program& program) {
  size_t count = 0;
  for (size_t g = 0; g < program.graphs.size(); ++g)
    if (GraphId(g) != program.root())
      for (const Node& node : program.graphs[GraphId(g)].nodes()) count += node.kind == NodeKind::CallFunction;
  return count;
}

// "2 operators + 7 in sub-graphs"; once something ran how many of the program's own graph ended.
std::string operators_text(const DebugSession& debug, const Program& program) {
  if (debug.state != RunState::NotStarted) return with_commas(debug.executed) + "/" + with_commas(debug.steps) + " operators";
  const size_t inside = operators_in_subgraphs(program);
  return with_commas(debug.steps) + (debug.steps == 1 ? " operator" : " operators") + (inside ? " + " + with_commas(uint64_t(inside)) + " in sub-graphs" : "");
}

// Which of several programs of the file is shown; a click lists the others.
template <class Part>
void programs_part(ShellContext& c, const Document& document, const Part& part) {
  const OpenedFile* file = document.file();
  if (!document.program() || file->programs.size() < 2) return;
  const auto at = std::find_if(file->programs.begin(), file->programs.end(), [&](const auto& program) { return program.get() == document.program(); });
  part("status/program", display(document.program()->name) + ", " + std::to_string(at - file->programs.begin() + 1) + " of " + std::to_string(file->programs.size()) + " programs", c.theme.color(Role::Accent), {},
       "The file holds several programs; click to open another", "programs");
  if (!ImGui::BeginPopup("programs")) return;
  for (const auto& program : file->programs) {
    if (ImGui::MenuItem(display(program->name).c_str(), nullptr, program.get() == document.program())) c.commands.push("file.program", program->name);
    c.probe.item("status/program/" + program->name, program->name);
  }
  ImGui::EndPopup();
}

}  // namespace

void Shell::draw_status(ShellContext& c, Rect r) {
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(ImVec2(r.x, r.y), ImVec2(r.x + r.w, r.y + r.h), c.theme.color(Role::Raised));
  draw->AddRectFilled(ImVec2(r.x, r.y), ImVec2(r.x + r.w, r.y + c.px(1)), c.theme.color(Role::Border, 0.6f));
  ImFont* font = c.theme.fonts.caption;
  const float text_y = IM_FLOOR(r.y + (r.h - font->FontSize) / 2 + c.px(0.5f));
  float x = r.x + c.px(10);

  // From the right: theme, zoom, jobs.
  float right = r.x + r.w - c.px(10);
  auto right_button = [&](const char* id, const std::string& text, std::string_view probe, std::string_view tip, std::string_view command) {
    const float w = ui::text_width(font, text) + c.px(12);
    right -= w;
    ImGui::SetCursorScreenPos(ImVec2(right, r.y));
    const bool clicked = compat::invisible_button(id, ImVec2(w, r.h));
    const bool hovered = ImGui::IsItemHovered();
    draw->AddText(font, font->FontSize, ImVec2(IM_FLOOR(right + c.px(6)), text_y), c.theme.color(hovered ? Role::Text : Role::Text2), text.data(), text.data() + text.size());
    c.probe.item(probe, text);
    ui::tooltip(c, std::string(tip));
    const auto press = [&c, command] { c.commands.push(std::string(command)); };
    add_bar_item("status", ImVec2(right, r.y), ImVec2(right + w, r.y + r.h), press);
    if (clicked) press();
  };
  right_button("status theme", c.theme.name == ThemeName::Dark ? "Dark" : "Light", "status/theme", "Toggle theme  Ctrl+Shift+D", "view.theme");
  if (c.workspace.ui.font_percent != 100) right_button("status font", std::to_string(c.workspace.ui.font_percent) + " %", "status/font", "Text size; click for 100 %", "view.normal_size");

  const std::vector<JobInfo> jobs = c.jobs().jobs();
  std::vector<const JobInfo*> shown;
  for (const JobInfo& job : jobs)
    if (!job.title.empty() && (job.seconds > 0.15 || c.probe.on())) shown.push_back(&job);
  // What was asked for comes before what is kept by the way.
  std::stable_partition(shown.begin(), shown.end(), [](const JobInfo* job) { return !job->tag.starts_with("disk/"); });
  if (!jobs.empty()) c.requests.wake_at(c.input.time + 0.2);
  if (!shown.empty()) {
    const JobInfo& job = *shown.front();
    if (!job.tag.starts_with("disk/")) {  // what is kept for the user is never given up
      right -= c.px(22);
      ImGui::SetCursorScreenPos(ImVec2(right, r.y));
      const auto cancel = [&c, tag = job.tag, id = job.id] {
        if (tag.starts_with("load:")) c.commands.push("file.close", {}, DocumentId(size_t(std::stoul(tag.substr(5)))));
        else if (const DocumentId running = run_by(c.workspace, tag)) c.commands.push("debug.stop", {}, running);  // which says so to the run
        else c.jobs().cancel_job(id);
      };
      if (compat::invisible_button("status cancel", ImVec2(c.px(20), r.h))) cancel();
      add_bar_item("status", ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), cancel);
      draw->AddText(font, font->FontSize, ImVec2(IM_FLOOR(right + c.px(5)), text_y), c.theme.color(ImGui::IsItemHovered() ? Role::Text : Role::Text2), icon::close);
      c.probe.item("status/job/cancel", job.title);
      ui::tooltip(c, "Cancel: " + job.title);
    }
    std::string text = job.title;
    if (!job.stage.empty()) text += " · " + job.stage;
    if (job.fraction >= 0) text += " " + std::to_string(int(job.fraction * 100)) + " %";
    if (shown.size() > 1) text += "  (+" + std::to_string(shown.size() - 1) + ")";
    const float w = std::min(ui::text_width(font, display(text)), r.w * 0.3f);
    right -= w + c.px(8);
    ui::clipped_text(draw, font, ImVec2(right, text_y), w + 1, c.theme.color(Role::Text), display(text));
    if (job.fraction >= 0) draw->AddRectFilled(ImVec2(right, r.y + r.h - c.px(3)), ImVec2(right + w * job.fraction, r.y + r.h - c.px(1)), c.theme.color(Role::Accent));
    std::string list;
    for (const JobInfo* one : shown) list += (list.empty() ? "" : "\n") + one->title + (one->running ? "" : " (waiting)");
    ImGui::SetCursorScreenPos(ImVec2(right, r.y));
    ImGui::Dummy(ImVec2(w, r.h));
    c.probe.item("status/job", text);
    ui::tooltip(c, list);
    right -= c.px(12);
  }

  const Document* document = c.workspace.active();
  if (!document) {
    ui::clipped_text(draw, font, ImVec2(x, text_y), right - x, c.theme.color(Role::Text2), "No file is open");
    return bar_keys(c, "status");
  }
  // Parts of the left side lead to the pane that says more.
  auto part = [&](std::string_view probe, const std::string& text, ImU32 color, std::string_view pane = {}, const char* tip = nullptr, const char* popup = nullptr, NodeRef node = {}) {
    if (text.empty() || right - x < c.px(24)) return;
    const float w = std::min(ui::text_width(font, text), right - x);
    ui::clipped_text(draw, font, ImVec2(x, text_y), w, color, text);
    c.probe.add(probe, ImVec2(x, r.y), ImVec2(x + w, r.y + r.h), text);
    copy_menu((std::string(probe) + " copy").c_str(), text, ImVec2(x, r.y), ImVec2(x + w, r.y + r.h));
    if (tip && !(popup && ImGui::IsPopupOpen(popup)) && ImGui::IsMouseHoveringRect(ImVec2(x, r.y), ImVec2(x + w, r.y + r.h))) ImGui::SetTooltip("%s", tip);
    if (!pane.empty() || popup) {
      const auto show = [&c, pane, popup, node] {
        if (popup) ImGui::OpenPopup(popup);
        else if (node.node) c.commands.push("select.node", node);
        else c.commands.push("view.pane", std::string(pane));
      };
      ImGui::SetCursorScreenPos(ImVec2(x, r.y));
      if (compat::invisible_button(std::string(probe).c_str(), ImVec2(w, r.h))) show();
      add_bar_item("status", ImVec2(x - c.px(4), r.y), ImVec2(x + w + c.px(4), r.y + r.h), show);
    }
    x += w + c.px(10);
    if (right - x > c.px(24)) draw->AddRectFilled(ImVec2(IM_FLOOR(x), r.y + c.px(6)), ImVec2(IM_FLOOR(x) + std::max(1.0f, c.px(1)), r.y + r.h - c.px(6)), c.theme.color(Role::Border));
    x += c.px(11);
  };
  const bool failed = document->debug && document->debug->state == RunState::Failed;
  if (const std::string text = compare_text(c.workspace, *document); !text.empty()) part("status/run", text, c.theme.color(Role::Text), "compare");
  else {
    const auto found = document->debug && document->debug->state == RunState::Finished ? document->debug->first_nonfinite() : std::nullopt;
    const NodeRef first = found ? document->debug->node_of(*found) : NodeRef();
    part("status/run", run_text(*document), c.theme.color(failed ? Role::Breakpoint : first.node && document->debug->facts()->with_nan().values ? Role::NonFinite : Role::Text), "timeline", first.node ? "Click to go to the first" : nullptr, nullptr, first);
  }
  programs_part(c, *document, part);
  part("status/link", link_text(c.workspace, *document), c.theme.color(Role::Accent));
  if (const Program* program = document->program()) {
    const Selection& selection = document->selection.current();
    std::string text;
    if (selection.module) text = "module " + (selection.module == program->modules.root() ? "(root)" : display(program->modules.modules[selection.module].path));
    else text = display(shown_name(*document, selection));
    if (const std::string type = selection.shown().node ? type_label(program->node(selection.shown()).val) : ""; !type.empty()) text += "  " + type;
    if (!selection.others.empty()) text += "  (+" + std::to_string(selection.others.size()) + ")";
    if (!text.empty()) part("status/selection", "sel: " + text, c.theme.color(Role::Text2), "node");
    if (document->debug)
      part("status/nodes", operators_text(*document->debug, *program), c.theme.color(Role::Text2), {}, "Operators of the program's own graph: ended, of all; what sub-graphs do counts with the operator that runs them");
    part("status/highlight", highlight_text(document->highlight, *program), c.theme.color(Role::Accent));
  }
  if (!document->session_problem.empty()) {
    const float begin = x;
    part("status/session", "Session not kept", c.theme.color(Role::Warning));
    ImGui::SetCursorScreenPos(ImVec2(begin, r.y));
    if (x > begin && compat::invisible_button("status session", ImVec2(x - begin, r.h))) c.commands.push("session.save_as");
    ui::tooltip(c, display(document->session_problem) + "\nClick to save it as another file");
  }
  const ProblemCounts problems = count_problems(*document);
  if (const std::string text = problems.text(); !text.empty())
    part("status/problems", text, c.theme.color(problems.errors ? Role::Breakpoint : problems.warnings ? Role::Warning : Role::Text2), "problems", "Click for the list");
  bar_keys(c, "status");
}

}  // namespace pt2::views
