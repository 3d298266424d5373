// Running, stepping, breakpoints and watches.
#include <algorithm>
#include <charconv>
#include <utility>

#include "core/base/display.h"
#include "core/diff/diff.h"
#include "interp/log_message.h"
#include "interp/value_names.h"
#include "views/commands/command_registry.h"
#include "views/commands/debug_arguments.h"
#include "views/commands/words.h"
#include "views/workspace/debug_session.h"

namespace pt2::views {

namespace {

// A run that has something left to do, also one that looks back.
bool under_way(CommandContext& c) { return debugger(c).state() == interp::RunState::Paused || debugger(c).in_the_past(); }

using Then = DebugSession::Then;

void begin_now(CommandContext& c, Then then, interp::Breakpoint place = {}) {
  if (c.workspace.ui.layout == Layout::Browse) {
    c.workspace.ui.layout = Layout::Debug;
    c.workspace.ui.bottom = true;
  }
  c.document->debug->start(then, std::move(place));
}

// With the inputs of the dialog: does what was wanted when they were asked for. Without it, to the first stop.
void begin(CommandContext& c, const CommandArgument&) {
  const DebugSession& s = *c.document->debug;
  const bool asked = c.workspace.ui.dialog == "inputs";
  if (asked) c.workspace.ui.dialog.clear();
  begin_now(c, asked ? s.wanted : Then::Run, s.wanted_place);
}

void ask_inputs(CommandContext& c, const CommandArgument&) {
  c.document->debug->wanted = Then::Run;
  c.workspace.ui.dialog = "inputs";
}
// The inputs first where nobody chose any yet, then what is wanted.
void begin_with(CommandContext& c, Then wanted, interp::Breakpoint place = {}) {
  DebugSession& s = *c.document->debug;
  if (s.asked_for_inputs) return begin_now(c, wanted, std::move(place));
  s.wanted = wanted;
  s.wanted_place = std::move(place);
  c.workspace.ui.dialog = "inputs";
}

void start_or(CommandContext& c, bool without_stopping) {
  debugger(c).follow_calls();
  if (under_way(c)) return void(without_stopping ? debugger(c).run_without_stopping() : debugger(c).run());
  begin_with(c, without_stopping ? Then::RunWithoutStopping : Then::Run);
}
void start(CommandContext& c, const CommandArgument&) { start_or(c, false); }
void run_without_stopping(CommandContext& c, const CommandArgument&) { start_or(c, true); }
void restart(CommandContext& c, const CommandArgument&) { begin_now(c, Then::Run); }
void stop(CommandContext& c, const CommandArgument&) { debugger(c).stop(); }
void pause(CommandContext& c, const CommandArgument&) { debugger(c).pause(); }

// A step before anything was run begins the run: it stops before the first operator.
bool started(CommandContext& c) {
  debugger(c).follow_calls();
  if (under_way(c)) return true;
  if (debugger(c).state() == interp::RunState::Finished || debugger(c).state() == interp::RunState::Failed) {
    c.workspace.toast("The run has ended. F5 runs again, F7 steps back.");
    return false;
  }
  begin_with(c, Then::Stay);
  return false;
}

// The outermost folded module around a node: one visible box is one step.
ModuleId folded_around(CommandContext& c, NodeRef node) {
  const Program& program = *c.document->program();
  ModuleId folded;
  if (!node.node || node.graph != program.root()) return folded;
  const auto& modules = program.modules.modules;
  for (ModuleId m = program.node(node).module; m && modules.contains(m) && modules[m].parent; m = modules[m].parent)
    if (!c.document->graph.expanded[m]) folded = m;
  return folded;
}

// What is folded opens; the step itself comes with the next key. False: nothing is.
bool opened(CommandContext& c, ModuleId folded) {
  if (!folded) return false;
  for (ScopeId scope : c.document->scopes()->scopes_of(folded)) set_expanded(c.document->graph, *c.document->scopes(), scope, true);
  return true;
}

void follow(CommandContext& c) { follow_run(*c.document, c.document->debug->cursor); }

void step_over(CommandContext& c, const CommandArgument&) {
  if (!started(c)) return;
  const ModuleId folded = folded_around(c, c.document->debug->cursor);
  if (!folded) follow(c);
  debugger(c).step_over(folded, !c.document->graph.show_getitem);
}
void step_into(CommandContext& c, const CommandArgument&) {
  if (!started(c) || opened(c, folded_around(c, c.document->debug->cursor))) return;
  follow(c);
  debugger(c).step_into();
}
void step_out(CommandContext& c, const CommandArgument&) {
  if (started(c)) debugger(c).step_out();
}
ModuleId folded_before(CommandContext& c) {
  const auto before = debugger(c).operator_before(!c.document->graph.show_getitem);
  return before ? folded_around(c, c.document->debug->node_of(*before)) : ModuleId();
}
void step_back(CommandContext& c, const CommandArgument&) {
  debugger(c).follow_calls();
  debugger(c).step_back(folded_before(c), !c.document->graph.show_getitem);
}
void step_back_into(CommandContext& c, const CommandArgument&) {
  debugger(c).follow_calls();
  if (!opened(c, folded_before(c))) debugger(c).step_back_into();
}
void continue_back(CommandContext& c, const CommandArgument&) {
  debugger(c).follow_calls();
  debugger(c).back_to_breakpoint();
}
void run_to_place(CommandContext& c, interp::Breakpoint place) {
  if (under_way(c) && debugger(c).lies_behind(place))
    return c.workspace.toast(display(interp::where_text(place, *c.document->program())) + " lies behind: step back (F7), or restart (Ctrl+Shift+F5)", LogLevel::Warning);
  debugger(c).follow_calls();
  if (under_way(c)) return debugger(c).run_to(std::move(place));
  begin_with(c, Then::RunTo, std::move(place));
}
void run_to(CommandContext& c, const CommandArgument& a) {
  interp::Breakpoint place;
  place.node = node_argument(a).node ? node_argument(a) : c.document->selection.current().shown();
  if (place.node.node) run_to_place(c, std::move(place));
}
void run_until(CommandContext& c, const CommandArgument& a) {
  auto place = interp::parse_breakpoint(text_argument(a), *c.document->program());
  const bool is_place = place && place->kind != interp::BreakpointKind::Data && place->kind != interp::BreakpointKind::Any;
  if (!is_place) return c.workspace.toast("There is no place \"" + display(text_argument(a)) + "\" to run to", LogLevel::Warning);
  run_to_place(c, std::move(*place));
}

void set_time(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a);
  std::string_view rest = text;
  if (const auto time = number_in(rest)) debugger(c).set_time(std::min(*time, debugger(c).trace().steps().size()));
}
// The sub-graph whose call is chosen: that of the selected value, else the only one that was called.
GraphId called_graph(CommandContext& c) {
  const GraphId root = c.document->program()->root();
  const NodeRef selected = c.document->selection.current().shown();
  if (selected.node && selected.graph != root) return selected.graph;
  GraphId only;
  for (const interp::FrameTrace& frame : debugger(c).trace().frames()) {
    if (frame.graph == root || frame.graph == only) continue;
    if (only.valid()) return {};
    only = frame.graph;
  }
  return only;
}

// Its values show from where it begins: before that there are none, which is said.
void look_at_call(CommandContext& c, interp::FrameId frame) {
  const interp::FrameTrace& call = debugger(c).trace().frames()[frame];
  debugger(c).choose_call(call.graph, frame);
  if (debugger(c).has_begun(frame)) return;
  c.workspace.toast("Call " + display(call.path.substr(0, call.path.size() - 1)) + " has not begun at this step: its values come as you step forward");
}

// "body@2", "2" or "call 2"; "none": no more.
void choose_call(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a);
  const auto& frames = debugger(c).trace().frames();
  if (const size_t at = text.find('@'); at != text.npos) {
    const std::string calls = text + (text.ends_with('/') ? "" : "/");
    for (size_t f = 1; f < frames.size(); ++f)
      if (interp::means_call(calls, frames[interp::FrameId(f)].path)) return look_at_call(c, interp::FrameId(f));
    return c.workspace.toast("The run has no call \"" + display(text) + "\"", LogLevel::Warning);
  }
  const GraphId graph = called_graph(c);
  if (!graph.valid()) return c.workspace.toast("Select a value of the sub-graph first, or write GRAPH@2", LogLevel::Warning);
  if (text == "none") return debugger(c).choose_call(graph, std::nullopt);
  std::string_view rest = text;
  if (rest.starts_with("call ")) rest.remove_prefix(5);
  const auto number = number_in(rest);
  if (!number || !rest.empty()) return c.workspace.toast("Expected GRAPH@2, a number or none, found \"" + display(text) + "\"", LogLevel::Warning);
  const auto calls = debugger(c).trace().calls_of(graph);
  if (*number < calls.size()) return look_at_call(c, calls[*number]);
  const std::string name = display(c.document->program()->graphs[graph].name);
  c.workspace.toast(name + " has no call " + std::to_string(*number) + (calls.empty() ? ": it was not called" : ", the last is " + std::to_string(calls.size() - 1)), LogLevel::Warning);
}
void recompute(CommandContext& c, const CommandArgument& a) {
  if (const auto at = debugger(c).shown(node_argument(a))) debugger(c).recompute(*at);
}

// "all", or how many MB.
void keep_values(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a);
  std::string_view rest = text;
  const auto megabytes = number_in(rest);
  if (text != "all" && !megabytes) return c.workspace.toast("Expected \"all\" or a number of MB", LogLevel::Warning);
  debugger(c).keep_values(text == "all" ? SIZE_MAX : std::max<size_t>(*megabytes, 1) << 20);
}

void breakpoints_changed(CommandContext& c) {
  debugger(c).breakpoints_changed();
  c.document->debug->sync();
}
void toggle_breakpoint(CommandContext& c, const CommandArgument& a) {
  const NodeRef node = node_argument(a).node ? node_argument(a) : c.document->selection.current().shown();
  if (!node.node) return;
  if (c.document->program()->node(node).kind != NodeKind::CallFunction) return c.workspace.toast("Only operators can stop a run");
  debugger(c).toggle_breakpoint(node);
  c.document->debug->sync();
}
// The breakpoint that "2 rest" or "rule 0 rest" names: by the number of its row, of your own or of the built-in rules. Null: there is none, which is
// said.
interp::Breakpoint* breakpoint_in(CommandContext& c, std::string_view& text) {
  const bool rule = text.starts_with("rule ");
  if (rule) text.remove_prefix(5);
  const std::string asked(text.substr(0, text.find(' ')));
  const auto number = number_in(text);
  size_t before = 0;
  for (interp::Breakpoint& b : debugger(c).breakpoints)
    if (b.built_in == rule && number && before++ == *number) return &b;
  c.workspace.toast((rule ? "There is no rule \"" : "There is no breakpoint \"") + display(asked) + (before ? "\", the last is " + std::to_string(before - 1) : "\""), LogLevel::Warning);
  return nullptr;
}
void enable_breakpoint(CommandContext& c, const CommandArgument& a) {
  const NodeRef node = c.document->selection.current().shown();
  const std::string text = text_argument(a);
  std::string_view rest = text;
  auto enable = [&](interp::Breakpoint& b) { b.enabled = switch_argument(c, std::string(rest), b.enabled).value_or(b.enabled); };
  if (text.empty()) {
    for (interp::Breakpoint& b : debugger(c).breakpoints)
      if (node.node && b.node == node) enable(b);
  } else if (interp::Breakpoint* b = breakpoint_in(c, rest)) {
    enable(*b);
  }
  breakpoints_changed(c);
}
void remove_breakpoint(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a);
  std::string_view rest = text;
  auto& list = debugger(c).breakpoints;
  const interp::Breakpoint* b = breakpoint_in(c, rest);
  if (!b) return;
  if (b->built_in) return c.workspace.toast("A built-in rule stays; it can be switched off");
  list.erase(list.begin() + (b - list.data()));
  breakpoints_changed(c);
}
std::string unknown_text(const std::string& unknown) { return "\"" + unknown + "\" is neither a value, a symbol nor a function of this program"; }
// False: it was said why it is none.
bool read_condition(CommandContext& c, std::string_view text, interp::Breakpoint& breakpoint) {
  interp::Breakpoint changed = breakpoint;
  std::string problem;
  if (const Program& program = *c.document->program(); interp::parse_condition(text, changed, problem)) {
    if (const std::string unknown = interp::unknown_name(changed, program); !unknown.empty()) problem = unknown_text(unknown);
    else if (const std::string later = interp::later_name(changed, program); !later.empty())
      problem = "\"" + later + "\" is computed after \"" + qualified_name(program, changed.node) + "\": a condition there takes values computed before, and the node's own";
  }
  if (!problem.empty()) return c.workspace.toast(display(problem), LogLevel::Warning), false;
  breakpoint = std::move(changed);
  return true;
}
void set_condition(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a);
  std::string_view rest = text;
  if (interp::Breakpoint* b = breakpoint_in(c, rest); b && read_condition(c, rest, *b)) breakpoints_changed(c);
}
// One that names what is not there stays as it was.
void read_message(CommandContext& c, std::string_view text, interp::Breakpoint& breakpoint) {
  if (const std::string unknown = interp::unknown_in_message(text, *c.document->program()); unknown.empty()) breakpoint.message = std::string(text);
  else c.workspace.toast(display(unknown_text(unknown)), LogLevel::Warning);
}
void set_action(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a);
  std::string_view rest = text;
  interp::Breakpoint* b = breakpoint_in(c, rest);
  if (!b) return;
  const std::string_view action = rest.substr(0, rest.find(' '));
  if (action != "stop" && action != "log" && action != "collect") return c.workspace.toast("Expected stop, log or collect, found \"" + display(rest) + "\"", LogLevel::Warning);
  b->action = action == "log" ? interp::BreakpointAction::Log : action == "collect" ? interp::BreakpointAction::Collect : interp::BreakpointAction::Stop;
  if (rest.starts_with("log ")) read_message(c, rest.substr(4), *b);
  breakpoints_changed(c);
}
void set_message(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a);
  std::string_view rest = text;
  interp::Breakpoint* b = breakpoint_in(c, rest);
  if (!b) return;
  read_message(c, rest, *b);
  breakpoints_changed(c);
}
void ignore_here(CommandContext& c, const CommandArgument&) {
  if (!debugger(c).stopped_by()) return c.workspace.toast("The run does not stand at a breakpoint");
  debugger(c).ignore_here();
  c.document->debug->sync();
  debugger(c).run();
}
void forget_ignored(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a);
  std::string_view rest = text;
  if (text.empty()) {
    for (interp::Breakpoint& b : debugger(c).breakpoints) b.ignored.clear();
  } else if (interp::Breakpoint* b = breakpoint_in(c, rest)) {
    b->ignored.clear();
  }
  breakpoints_changed(c);
}
// A name alone is of the program's own graph: where only sub-graphs have it.
std::string elsewhere(CommandContext& c, const std::string& name) {
  const Program& program = *c.document->program();
  for (const Graph& graph : program.graphs)
    if (!graph.name.empty() && graph.find(name).valid()) return "; " + display(graph.name) + "/" + display(name) + " is one";
  return {};
}
// "op=aten.add.* if NaN": a place, and a condition after "if".
void add_breakpoint(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a);
  const size_t when = text.find(" if ");
  auto breakpoint = interp::parse_breakpoint(text.substr(0, when), *c.document->program());
  if (!breakpoint) return c.workspace.toast("There is no place \"" + display(text.substr(0, when)) + "\" to stop at" + elsewhere(c, text.substr(0, when)), LogLevel::Warning);
  if (when != text.npos && !read_condition(c, std::string_view(text).substr(when + 4), *breakpoint)) return;
  debugger(c).breakpoints.push_back(std::move(*breakpoint));
  breakpoints_changed(c);
}
// The breakpoint of the node is made where there is none; the list shows it with its condition open to be typed.
void edit_condition(CommandContext& c, const CommandArgument& a) {
  const NodeRef node = node_argument(a).node ? node_argument(a) : c.document->selection.current().shown();
  if (!node.node) return;
  if (!debugger(c).breakpoint_at(node)) toggle_breakpoint(c, a);
  const interp::Breakpoint* breakpoint = debugger(c).breakpoint_at(node);
  if (!breakpoint) return;
  c.document->debug->condition_wanted = size_t(breakpoint - debugger(c).breakpoints.data());
  ++c.document->debug->condition_requests;
  c.document->selection.select(Selection::of_node(node), c.origin);
  c.workspace.ui.bottom = true;
  c.workspace.ui.shown_pane = "breakpoints";
}
void stop_on_nonfinite(CommandContext& c, const CommandArgument& a) {
  for (interp::Breakpoint& b : debugger(c).breakpoints)
    if (b.built_in && b.condition == interp::BreakpointCondition::NonFinite) b.enabled = switch_argument(c, a, b.enabled).value_or(b.enabled);
  breakpoints_changed(c);
}

void add_watch(CommandContext& c, const CommandArgument& a) {
  std::string expression = text_argument(a);
  if (const NodeRef node = expression.empty() ? c.document->selection.current().shown() : NodeRef(); node.node) expression = node_path(*c.document->program(), node);
  if (expression.empty()) return;
  debugger(c).add_watch(std::move(expression));
  c.document->debug->sync();
}
void edit_watch(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a);
  std::string_view rest = text;
  auto& list = debugger(c).watches;
  const auto index = number_in(rest);
  if (!index || *index >= list.size()) return;
  if (rest.empty()) list.erase(list.begin() + ptrdiff_t(*index));
  else list[*index] = interp::Watch{std::string(rest), {}, false, false, {}};
  debugger(c).watches_changed();
  c.document->debug->sync();
}

constexpr Command kCommands[] = {
    {.id = "debug.start", .title = "Start or continue", .menu = "Run", .default_shortcut = "F5", .help = "Run to the next breakpoint", .availability = needs_pause, .run = start, .group = "run"},
    {.id = "debug.run_without_stopping", .title = "Run without stopping", .menu = "Run", .default_shortcut = "Ctrl+F5", .help = "Run to the end, past every breakpoint", .availability = needs_pause, .run = run_without_stopping, .group = "run"},
    {.id = "debug.pause", .title = "Pause", .menu = "Run", .default_shortcut = "F6", .help = "Stop after the present node", .availability = needs_running, .run = pause, .group = "run"},
    {.id = "debug.stop", .title = "Stop", .menu = "Run", .default_shortcut = "Shift+F5", .help = "End the run; what was recorded stays", .availability = needs_started, .run = stop, .group = "run"},
    {.id = "debug.restart", .title = "Restart", .menu = "Run", .default_shortcut = "Ctrl+Shift+F5", .help = "Run again with the same inputs", .availability = needs_started, .run = restart, .group = "run"},
    {.id = "debug.inputs", .title = "Inputs…", .menu = "Run", .help = "Choose the values of the program's inputs", .availability = needs_pause, .run = ask_inputs, .group = "run"},
    {.id = "debug.begin", .title = "Begin with the chosen inputs", .menu = "", .help = "", .availability = needs_pause, .run = begin},
    {.id = "debug.step_over", .title = "Step over", .menu = "Run", .default_shortcut = "F10", .help = "One visible box; a folded module is one step, and a call with its getitems where these have no boxes", .availability = needs_pause, .run = step_over, .group = "step"},
    {.id = "debug.step_into", .title = "Step into", .menu = "Run", .default_shortcut = "F11", .help = "One operator, into a folded module or a sub-graph", .availability = needs_pause, .run = step_into, .group = "step"},
    {.id = "debug.step_out", .title = "Step out", .menu = "Run", .default_shortcut = "Shift+F11", .help = "To the end of the sub-graph or module", .availability = needs_pause, .run = step_out, .group = "step"},
    {.id = "debug.step_back", .title = "Step back", .menu = "Run", .default_shortcut = "F7", .help = "Look at the box before, a folded module at once; nothing runs", .availability = needs_run, .run = step_back, .group = "step"},
    {.id = "debug.step_back_into", .title = "Step back into", .menu = "Run", .default_shortcut = "Ctrl+F7", .help = "One operator back, into a folded module or a sub-graph", .availability = needs_run, .run = step_back_into, .group = "step"},
    {.id = "debug.continue_back", .title = "Continue back", .menu = "Run", .default_shortcut = "Shift+F7", .help = "Back to the breakpoint before", .availability = needs_run, .run = continue_back, .group = "step"},
    {.id = "debug.run_to", .title = "Run to selection", .menu = "Run", .default_shortcut = "Ctrl+F10 Ctrl+Enter", .help = "Run until the selected node is next", .argument = ArgumentKind::Node, .availability = needs_pause, .run = run_to, .group = "step"},
    {.id = "debug.run_until", .title = "Run to a place…", .menu = "Run", .help = "A node, op=GLOB, module=PATH, exit=PATH, file.py:41, symbol=s0", .argument = ArgumentKind::Text, .availability = needs_pause, .run = run_until, .group = "step"},
    {.id = "debug.set_time", .title = "Go to a time", .menu = "", .help = "How many steps of the trace have ended", .argument = ArgumentKind::Text, .availability = needs_run, .run = set_time},
    {.id = "debug.choose_call", .title = "Choose a call of a sub-graph", .menu = "", .help = "GRAPH@2, or 2 of the selected value's sub-graph: panes look at that call; none: at the latest", .argument = ArgumentKind::Text, .availability = needs_run, .run = choose_call},
    {.id = "debug.keep_values", .title = "Memory for recorded values", .menu = "", .help = "all, or how many MB; what does not fit is computed again when it is looked at", .argument = ArgumentKind::Text, .availability = needs_pause, .run = keep_values},
    {.id = "debug.recompute", .title = "Compute a value again", .menu = "", .help = "", .argument = ArgumentKind::Node, .availability = needs_run, .run = recompute},
    {.id = "debug.toggle_breakpoint", .title = "Toggle breakpoint", .menu = "Run", .default_shortcut = "F9", .help = "Stop before a node", .argument = ArgumentKind::Node, .availability = needs_program, .run = toggle_breakpoint, .group = "breakpoints"},
    {.id = "debug.edit_condition", .title = "Breakpoint condition…", .menu = "Run", .default_shortcut = "Shift+F9", .help = "", .argument = ArgumentKind::Node, .availability = needs_program, .run = edit_condition, .group = "breakpoints"},
    {.id = "breakpoint.enable", .title = "Enable or disable breakpoint", .menu = "Run", .default_shortcut = "Ctrl+F9", .help = "N on, N off or N: the N-th of your own, from 0, or rule N; without a number those of the selected node", .argument = ArgumentKind::Text, .availability = needs_program, .run = enable_breakpoint, .group = "breakpoints"},
    {.id = "debug.stop_on_nonfinite", .title = "Stop on first NaN or Inf", .menu = "Run", .help = "on or off; an Inf that a constant asks for, as masks do, is none", .argument = ArgumentKind::Text, .availability = needs_program, .run = stop_on_nonfinite, .group = "breakpoints"},
    {.id = "debug.ignore_here", .title = "Ignore here and continue", .menu = "Run", .help = "What stopped the run, be it several breakpoints, does so no more at this node", .availability = needs_pause, .run = ignore_here, .group = "breakpoints"},
    {.id = "breakpoint.forget_ignored", .title = "Stop again where breakpoints are ignored", .menu = "", .help = "N or rule N; without a number of all", .argument = ArgumentKind::Text, .availability = needs_program, .run = forget_ignored},
    {.id = "breakpoint.message", .title = "Set breakpoint message", .menu = "", .help = "N, then a message: 0 {name} max={max} {relu.mean()}", .argument = ArgumentKind::Text, .availability = needs_program, .run = set_message},
    {.id = "breakpoint.add", .title = "Add breakpoint…", .menu = "", .help = "A node, op=GLOB, module=PATH, exit=PATH, file.py:41, symbol=s0, data=NODE, any; then if CONDITION", .argument = ArgumentKind::Text, .availability = needs_program, .run = add_breakpoint},
    {.id = "breakpoint.remove", .title = "Remove breakpoint", .menu = "", .help = "N: of your own, from 0", .argument = ArgumentKind::Text, .availability = needs_program, .run = remove_breakpoint},
    {.id = "breakpoint.condition", .title = "Set breakpoint condition", .menu = "", .help = "N, then a condition: 0 NaN, hit >= 2", .argument = ArgumentKind::Text, .availability = needs_program, .run = set_condition},
    {.id = "breakpoint.action", .title = "Set breakpoint action", .menu = "", .help = "N, then stop, log, log MESSAGE or collect; N counts your own from 0, rule N the built-in ones", .argument = ArgumentKind::Text, .availability = needs_program, .run = set_action},
    {.id = "watch.add", .title = "Add watch", .menu = "Run", .help = "An expression; without one the selected value", .argument = ArgumentKind::Text, .availability = needs_program, .run = add_watch, .group = "watch"},
    {.id = "watch.edit", .title = "Edit watch", .menu = "", .help = "N, then an expression", .argument = ArgumentKind::Text, .availability = needs_program, .run = edit_watch},
    {.id = "watch.remove", .title = "Remove watch", .menu = "", .help = "N", .argument = ArgumentKind::Text, .availability = needs_program, .run = edit_watch},
};

}  // namespace

std::span<const Command> debug_commands() { return kCommands; }

}  // namespace pt2::views
