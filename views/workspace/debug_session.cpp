#include "views/workspace/debug_session.h"

namespace pt2::views {

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
  executed = d.executed();
  steps = d.total();
  breakpoints.clear();
  for (const interp::Breakpoint& b : d.breakpoints)
    if (!b.built_in) breakpoints.push_back({b.node, b.enabled, b.condition == interp::BreakpointCondition::Always && !b.hit_at_least ? "" : condition_text(b), b.hits});
  watches.clear();
  for (const interp::Watch& w : d.watches) watches.push_back({w.expression, w.value, w.changed});
  facts_->update();
}

const Breakpoint* DebugSession::breakpoint_at(NodeRef node) const {
  for (const Breakpoint& b : breakpoints)
    if (node.node && b.node == node) return &b;
  return nullptr;
}

}  // namespace pt2::views
