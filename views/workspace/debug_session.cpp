#include "views/workspace/debug_session.h"

#include <algorithm>

namespace pt2::views {

std::string_view run_state_name(RunState state) {
  constexpr std::string_view names[] = {"not_started", "paused", "running", "finished", "failed"};
  return names[size_t(state)];
}

DebugSession::DebugSession(const Program& program) {
  for (const Node& node : program.root_graph().nodes()) steps += node.kind == NodeKind::CallFunction;
}

const Breakpoint* DebugSession::breakpoint_at(NodeRef node) const {
  auto it = std::find_if(breakpoints.begin(), breakpoints.end(), [&](const Breakpoint& b) { return b.node == node; });
  return it == breakpoints.end() ? nullptr : &*it;
}

}  // namespace pt2::views
