// What a run still has before it.
#include <algorithm>

#include "interp/debugger.h"
#include "interp/value_names.h"

namespace pt2::interp {

// Where a run stands: the node that runs next, and those whose sub-graphs it is in.
struct Debugger::UnderWay {
  NodeRef next;                  // not begun; none: a higher-order node goes on
  std::vector<NodeRef> callers;
  bool calls(NodeRef node) const { return std::find(callers.begin(), callers.end(), node) != callers.end(); }
};

// Whether a node can run once more, or for the first time: later in a graph that is under way, or in a call that is still to be made. Where only
// the values of the run could tell, it can.
bool Debugger::may_come(const UnderWay& here, NodeRef node) const {
  if (here.next.node && node.graph == here.next.graph && node.node.index >= here.next.node.index) return true;
  for (const NodeRef caller : here.callers)
    if (node.graph == caller.graph && node.node.index > caller.node.index) return true;
  if (node.graph == program_->root()) return false;
  const GraphId outer = program_->graphs[node.graph].parent;
  if (!outer.valid()) return true;
  const Graph& graph = program_->graphs[outer];
  for (size_t n = 0; n < graph.nodes().size(); ++n) {
    const NodeRef caller{outer, NodeId(n)};
    bool calls = false;
    for (const NodeArgument& argument : program_->node(caller).inputs)
      for_each_node(argument.value, [&](NodeId id) { calls = calls || graph.node(id).subgraph == node.graph; });
    if (!calls) continue;
    const bool again = here.calls(caller) && !program_->node(caller).target.ends_with("cond");  // a branch runs once, a loop's body many times
    if (again || may_come(here, caller)) return true;
  }
  return false;
}

bool Debugger::lies_behind(const Breakpoint& place) const {
  PlaceWalk walk(*program_);
  bool passed = false;
  for (size_t t = 0; t < trace_.steps().size(); ++t) {
    const StepTrace& step = trace_.steps()[t];
    const NodeRef ref = node_of(step.at);
    const bool here = comes_to(walk, place, place_at(t)) || walk.leaves(place, ref);
    if (here && t >= time_) return false;
    passed = passed || here;
    walk.passed(ref);
  }
  UnderWay under_way;
  if (now_.next) {
    const bool goes_on = !trace_.calls_from(*now_.next).empty();
    if (goes_on) under_way.callers.push_back(node_of(*now_.next));
    else under_way.next = node_of(*now_.next);
    for (FrameId f = now_.next->frame; f.index != 0; f = trace_.frames()[f].caller.frame) under_way.callers.push_back(node_of(trace_.frames()[f].caller));
  }
  passed = passed || (place.kind == BreakpointKind::Node && under_way.calls(place.node));
  if (!passed || now_.state != RunState::Paused) return passed;
  const bool of_one_call = !place.call.empty() && program_->graphs[place.node.graph].parent == program_->root();
  if (of_one_call) return true;
  Breakpoint anywhere = place;
  anywhere.call.clear();
  for (size_t g = 0; g < program_->graphs.size(); ++g)
    for (size_t n = 0; n < program_->graphs[GraphId(g)].nodes().size(); ++n)
      if (const NodeRef ref{GraphId(g), NodeId(n)}; walk.contains(anywhere, ref, {}) && may_come(under_way, ref)) return false;
  return true;
}

bool Debugger::has_begun(FrameId frame) const {
  const auto& steps = trace_.steps();
  return std::any_of(steps.begin(), steps.begin() + static_cast<ptrdiff_t>(time_), [&](const StepTrace& step) { return step.at.frame == frame; });
}

}  // namespace pt2::interp
