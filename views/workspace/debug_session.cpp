#include "views/workspace/debug_session.h"

#include <utility>

#include "views/workspace/op_family.h"

namespace pt2::views {

namespace {

// Whether a run that begins stops before its very first operator. Later ones are the debugger's own business: it looks at breakpoints
// between two operators.
bool stops_before_first(const interp::Breakpoint& b, NodeRef ref, const Program& program) {
  if (!b.enabled || b.action != interp::BreakpointAction::Stop || b.condition != interp::BreakpointCondition::Always || b.hit_at_least > 1 || b.every > 1) return false;
  const Node& node = program.node(ref);
  if (b.kind == interp::BreakpointKind::Node) return b.node == ref;
  if (b.kind == interp::BreakpointKind::Op) return interp::matches_glob(b.pattern, short_target(node.target));
  if (b.kind != interp::BreakpointKind::ModuleEnter || ref.graph != program.root()) return false;
  const auto& modules = program.modules.modules;
  for (ModuleId m = node.module; m && modules.contains(m) && modules[m].parent; m = modules[m].parent)
    if (interp::matches_glob(b.pattern, modules[m].path)) return true;
  return false;
}

}  // namespace

std::string_view run_state_name(RunState state) {
  switch (state) {
    case RunState::NotStarted: return "not_started";
    case RunState::Paused: return "paused";
    case RunState::Running: return "running";
    case RunState::Finished: return "finished";
    case RunState::Failed: return "failed";
  }
  return "";
}

DebugSession::DebugSession(std::shared_ptr<const OpenedFile> file, std::shared_ptr<const Program> program, JobQueue& jobs)
    : program_(program),
      debugger_(std::make_unique<interp::Debugger>(std::move(file), std::move(program), jobs)),
      facts_(std::make_unique<RunFacts>(*debugger_, jobs)) {
  debugger_->on_changed = [this] { sync(); };
  sync();
}

DebugSession::~DebugSession() { debugger_->on_changed = nullptr; }

void DebugSession::sync() {
  const interp::Debugger& d = *debugger_;
  state = RunState(uint8_t(d.state()));
  // In the past a finished run is shown as it was: something runs next.
  if ((state == RunState::Finished || state == RunState::Failed) && d.in_the_past() && d.cursor()) state = RunState::Paused;
  cursor = {};
  if (const auto at = d.cursor()) {
    const auto& frames = d.trace().frames();
    cursor = {frames.contains(at->frame) ? frames[at->frame].graph : program_->root(), at->node};
  }
  stop_reason = d.stop_reason();
  if (stop_reason == "finished") stop_reason.clear();  // the state says it
  if (state == RunState::Paused && d.in_the_past()) stop_reason = "looking back";
  executed = d.executed();
  steps = d.total();
  breakpoints.clear();
  for (const interp::Breakpoint& b : d.breakpoints)
    if (!b.built_in) breakpoints.push_back({b.node, b.enabled, b.condition == interp::BreakpointCondition::Always && !b.hit_at_least ? "" : condition_text(b), b.hits});
  watches.clear();
  for (const interp::Watch& w : d.watches) watches.push_back({w.expression, w.value, w.changed});
  facts_->update();
  if (then != Then::Stay && d.state() != interp::RunState::Running) go_on();
}

// A started run stands before its first operator: on to where it was meant to go.
void DebugSession::go_on() {
  const Then what = std::exchange(then, Then::Stay);
  interp::Debugger& d = *debugger_;
  if (d.state() != interp::RunState::Paused) return;
  if (what == Then::RunWithoutStopping) return d.run_without_stopping();
  for (interp::Breakpoint& b : d.breakpoints)
    if (cursor.node && stops_before_first(b, cursor, *program_)) {
      ++b.hits;
      return sync();
    }
  if (what == Then::Run) d.run();
  else if (cursor != then_to) d.run_to(then_to);
}

const Breakpoint* DebugSession::breakpoint_at(NodeRef node) const {
  for (const Breakpoint& b : breakpoints)
    if (node.node && b.node == node) return &b;
  return nullptr;
}

}  // namespace pt2::views
