// The strip above the graph that says why the run stands where it does, and what edits changed.
#include <algorithm>
#include <utility>

#include "core/base/display.h"
#include "core/base/text.h"
#include "core/graph/results.h"
#include "interp/value_names.h"
#include "views/compat.h"
#include "views/panes/graph_pane.h"
#include "views/widgets/draw.h"
#include "views/workspace/debug_session.h"

namespace pt2::views {

namespace {

// "Stopped after sqrt: 1 NaN of 6 (rule: first NaN/Inf)"; empty: nothing to say.
std::string stop_text(const DebugSession& debug) {
  const interp::Debugger& debugger = *debug.debugger();
  if (!debugger.stopped_by() || debugger.in_the_past() || debugger.state() == interp::RunState::Running) return {};
  const std::string& reason = debugger.stop_reason();
  return reason.starts_with("breakpoint ") ? "Stopped at " + reason : "Stopped " + reason;
}

// Of a call that the original did not make it has no value at all.
bool in_new_call(const interp::Debugger& debugger, const interp::StepTrace& step) {
  const interp::ExecutionTrace& before = debugger.baseline()->trace;
  const interp::FrameTrace& frame = debugger.trace().frames()[step.at.frame];
  const auto calls = before.calls_of(frame.graph);
  return step.operation && std::none_of(calls.begin(), calls.end(), [&](interp::FrameId call) { return before.frames()[call].path == frame.path; });
}

// Whether edits brought NaN into what the step gave. Without an original run that is known only of a value that was given itself.
bool has_new_nan(const DebugSession& debug, const interp::StepTrace& step, bool given) {
  const ValueFact* fact = debug.facts()->find(step.at);
  if (!fact || !fact->nan) return false;
  const interp::ValueDifference* change = debug.debugger()->change(step.at);
  if (!debug.debugger()->baseline()) return given;
  if (!change || !change->comparable) return (given && change) || in_new_call(*debug.debugger(), step);
  return change->elements == int64_t(fact->elements) && int64_t(fact->nan) > change->both_nan;
}

// "NaN in the edited value of relu", "NaN that the original has not, first in sqrt"; empty: none, or not counted yet.
std::string new_nan_text(const DebugSession& debug, const Program& program) {
  const interp::ExecutionTrace& trace = debug.debugger()->trace();
  if (debug.debugger()->edits().empty() || !debug.facts()->with_nan().values) return {};
  for (const interp::StepTrace& step : trace.steps()) {
    const NodeRef ref = debug.node_of(step.at);
    const NodeKind kind = program.node(ref).kind;
    const bool given = step.edited && (step.run.supplied || kind == NodeKind::Placeholder);
    if (kind == NodeKind::Output || !has_new_nan(debug, step, given)) continue;
    const std::string name = interp::name_in_call(program, ref, trace.frames()[step.at.frame].path);
    if (given) return "NaN in the edited value of " + name;
    return "NaN that the original has not, first in " + name + (step.edited ? ", whose arguments are edited" : "");
  }
  return {};
}

// Of edits whose texts read values that no run has given yet.
std::string waiting_text(size_t waiting, size_t count) {
  const std::string which = waiting < count ? std::to_string(waiting) + " of them" : count == 1 ? "it" : "they";
  return which + (waiting == 1 ? " takes effect once its node has run" : " take effect once their nodes have run");
}

// The value the original run gave last, where this run has gone on from there: "conv2d"; empty: it stands there, too, or the original ended.
std::string original_stands_at(const interp::Debugger& debugger, const Program& program) {
  const interp::ExecutionTrace& original = debugger.baseline()->trace;
  if (original.steps().empty() || original.steps().size() >= debugger.trace().steps().size()) return {};
  const interp::TraceRef last = original.steps().back().at;
  const interp::FrameTrace& frame = original.frames()[last.frame];
  const NodeRef node{frame.graph, last.node};
  return program.node(node).kind == NodeKind::Output && last.frame.index == 0 ? "" : interp::name_in_call(program, node, frame.path);
}

// "2 values differ from the original"; where that stands earlier, of the values it has.
std::string changes_text(const interp::Debugger& debugger, const Program& program) {
  const std::string stands_at = original_stands_at(debugger, program);
  size_t count = debugger.changed_count();
  if (!stands_at.empty()) {
    const auto& steps = debugger.trace().steps();
    count = size_t(std::count_if(steps.begin(), steps.end(), [&](const interp::StepTrace& step) { return debugger.change(step.at) && debugger.original_value(step.at); }));
  }
  return with_commas(uint64_t(count)) + (count == 1 ? " value differs" : " values differ") + " from the original" + (stands_at.empty() ? "" : ", which stopped after " + stands_at);
}

std::string edits_text(const interp::Debugger& debugger, const Program& program, const std::string& new_nan) {
  const size_t waiting = debugger.waiting_edits().size(), count = debugger.edits().size() + waiting;
  if (!count) return {};
  std::string text = "What if: " + std::to_string(count) + (count == 1 ? " edit" : " edits");
  if (debugger.baseline()) text += ", " + changes_text(debugger, program);
  else text += debugger.trace().steps().empty() ? ", used by the next run" : ", used by this run";
  if (waiting) text += "; " + waiting_text(waiting, count);
  return text + (new_nan.empty() ? "" : "; " + new_nan);
}

// Of a value asked for, or of what made the run stop here; not of an earlier stop.
std::string origin_text(const Document& document) {
  const DebugSession& debug = *document.debug;
  const interp::Debugger& debugger = *debug.debugger();
  const interp::NonfiniteSlice* slice = debugger.slice();
  const auto& by = debugger.stopped_by();
  const bool of_stop = by && (debugger.slice_under_way() || (slice && debug.node_of(slice->path.back().at) == by->node));
  return document.highlight.kind == Highlight::Kind::Origin || (of_stop && !stop_text(debug).empty()) ? debug.origin_text() : "";
}

struct Button { const char *label, *name, *command; NodeRef node; };  // without a node the command has no argument
struct Line { std::string text, probe; std::vector<Button> buttons; };

std::vector<Line> lines_of(const Document& document, const std::string& edits) {
  const DebugSession& debug = *document.debug;
  const interp::Debugger& debugger = *debug.debugger();
  std::vector<Line> lines;
  if (const std::string stop = stop_text(debug); !stop.empty()) {
    const NodeRef node = debugger.stopped_by()->node;
    const interp::NodeRun* run = debugger.run_of(node);
    lines.push_back({stop, "", {}});
    if (run && !run->done() && gives_a_value(document.program()->graphs[node.graph], node.node)) lines.back().buttons.push_back({"Give its value…", "give_value", "debug.edit", node});
    lines.back().buttons.push_back({"Continue", "continue", "debug.start", {}});
    lines.back().buttons.push_back({"Ignore here", "ignore", "debug.ignore_here", {}});
  }
  if (const std::string origin = origin_text(document); !origin.empty()) {
    lines.push_back({origin, "/origin", {}});
    if (const auto* slice = debugger.slice()) lines.back().buttons.push_back({"Show producer", "show_producer", "debug.show_producer", debug.node_of(slice->path.back().at)});
  }
  if (!edits.empty()) lines.push_back({edits, "/edits", {{"Take back", "clear_edits", "debug.clear_edits", {}}}});
  return lines;
}

constexpr float kMostRows = 3;  // of one line's words; what is longer ends in an ellipsis, and stands in the tooltip

// How high the words are in a room: they go on in further rows, as what stands last is often the cause.
float height_of(const std::string& text, float room) {
  const float height = ImGui::CalcTextSize(text.c_str(), nullptr, false, room).y;
  return height <= kMostRows * ImGui::GetTextLineHeight() ? height : ImGui::GetTextLineHeight();
}

void draw_words(const Theme& theme, const std::string& text, ImVec2 at, float room) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (ImGui::CalcTextSize(text.c_str(), nullptr, false, room).y > kMostRows * ImGui::GetTextLineHeight())
    return draw::text(list, {ImGui::GetFont(), ImGui::GetFontSize()}, at, theme.color(Role::Text), text, room);
  list->AddText(ImGui::GetFont(), ImGui::GetFontSize(), at, theme.color(Role::Text), text.c_str(), nullptr, room);
}

float width_of(const Button& button) { return ImGui::CalcTextSize(button.label).x + 2 * ImGui::GetStyle().FramePadding.x + ImGui::GetStyle().ItemSpacing.x; }

float width_of(const std::vector<Button>& buttons) {
  float width = 0;
  for (const Button& button : buttons) width += width_of(button);
  return width;
}

// The buttons of all lines, as many in a row as fit.
std::vector<std::vector<Button>> rows_of_buttons(const std::vector<Line>& lines, float room) {
  std::vector<std::vector<Button>> rows;
  for (const Line& line : lines)
    for (const Button& button : line.buttons) {
      if (rows.empty() || width_of(rows.back()) + width_of(button) > room) rows.emplace_back();
      rows.back().push_back(button);
    }
  return rows;
}

}  // namespace

// It takes its room from the canvas, so that it lies over no box. Where some words and their buttons do not fit side by side, all buttons
// come into a line of their own.
void GraphPane::draw_banner(PaneContext& context) {
  if (!context.document->debug) return;
  const DebugSession& debug = *context.document->debug;
  if (const std::pair now{debug.debugger()->revision(), debug.facts()->revision()}; std::exchange(edits_of_, now) != now)
    edits_ = edits_text(*debug.debugger(), *context.document->program(), new_nan_text(debug, *context.document->program()));
  const std::vector<Line> lines = lines_of(*context.document, edits_);
  if (lines.empty()) return;
  const Theme& theme = context.theme;
  const std::string prefix = context.graph_prefix() + "/banner";
  const float spacing = ImGui::GetStyle().ItemSpacing.y, line = ImGui::GetTextLineHeight() + spacing, pad = theme.px(6), side = theme.px(12), gap = theme.px(8);
  const float width = ImGui::GetContentRegionAvail().x, room = width - 2 * side;
  if (width < theme.px(200)) return;
  const bool apart = std::any_of(lines.begin(), lines.end(), [&](const Line& l) { return ImGui::CalcTextSize(display(l.text).c_str()).x + gap + width_of(l.buttons) > room; });
  const std::vector<std::vector<Button>> rows = apart ? rows_of_buttons(lines, room) : std::vector<std::vector<Button>>();
  auto room_of = [&](const Line& l) { return apart ? room : room - gap - width_of(l.buttons); };
  float height = float(rows.size()) * line - spacing + 2 * pad;
  for (const Line& l : lines) height += height_of(display(l.text), room_of(l)) + spacing;
  const ImVec2 at = ImGui::GetCursorScreenPos(), size{width, height};
  ImGui::PushStyleColor(ImGuiCol_ChildBg, theme.color(Role::Raised));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(side, pad));
  if (compat::begin_child("##banner", size, true)) {
    const bool origin = std::any_of(lines.begin(), lines.end(), [](const Line& l) { return l.probe == "/origin"; });
    const Role role = origin ? Role::NonFinite : lines.front().probe == "/edits" ? Role::Mutated : Role::Current;
    ImGui::PushClipRect(at, {at.x + size.x, at.y + size.y}, false);
    ImGui::GetWindowDrawList()->AddRectFilled({at.x + 1, at.y + theme.px(4)}, {at.x + theme.px(4), at.y + size.y - theme.px(4)}, theme.color(role), theme.px(2));
    ImGui::PopClipRect();
    auto show = [&](const std::vector<Button>& buttons, bool beside) {
      for (const Button& button : buttons) {
        if (std::exchange(beside, true)) ImGui::SameLine();
        if (ImGui::SmallButton(button.label)) context.push(button.command, button.node.node ? CommandArgument(button.node) : CommandArgument(), "graph");
        context.probe.item(prefix + "/" + button.name, button.label);
      }
    };
    for (const Line& l : lines) {
      const ImVec2 start = ImGui::GetCursorScreenPos();
      const float words = room_of(l), words_height = height_of(display(l.text), words);
      draw_words(theme, display(l.text), start, words);
      ImGui::Dummy({words, words_height});
      if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", display_cut(l.text, 1000).c_str());
      context.probe.add(prefix + l.probe, start, {start.x + words, start.y + words_height}, l.text);
      if (!apart) show(l.buttons, true);
    }
    for (const std::vector<Button>& row : rows) show(row, false);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  ImGui::SetCursorScreenPos({at.x, at.y + size.y});
}

}  // namespace pt2::views
