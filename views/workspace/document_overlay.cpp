#include "views/workspace/document_overlay.h"

#include "views/workspace/debug_session.h"

namespace pt2::views {

namespace {

OverlayRunFacts run_facts(const Document& document) {
  OverlayRunFacts facts;
  const interp::Debugger* debugger = document.debug ? document.debug->debugger() : nullptr;
  const RunFacts* known = document.debug ? document.debug->facts() : nullptr;
  if (!debugger || !known) return facts;
  auto fact = [debugger, known](NodeRef ref) { const auto at = debugger->shown(ref); return at ? known->find(*at) : nullptr; };
  facts.time_us = [debugger](NodeRef ref) { const auto* run = debugger->run_of(ref); return run ? std::optional(run->elapsed_us) : std::nullopt; };
  facts.max_abs = [fact](NodeRef ref) { const ValueFact* f = fact(ref); return f ? std::optional(f->largest()) : std::nullopt; };
  facts.nonfinite = [fact](NodeRef ref) { const ValueFact* f = fact(ref); return f ? std::optional(double(f->state)) : std::nullopt; };
  facts.nonfinite_text = [fact](NodeRef ref) { const ValueFact* f = fact(ref); return f ? f->nonfinite_text() : std::string(); };
  facts.saturated = [fact](NodeRef ref) { const ValueFact* f = fact(ref); return f ? f->saturated : std::nullopt; };
  facts.state = [debugger](NodeRef ref) -> std::optional<NodeState> {
    if (debugger->trace().steps().empty()) return std::nullopt;
    const auto at = debugger->shown(ref);
    const interp::NodeRun* run = at ? debugger->trace().run_of(*at) : nullptr;
    if (!run) return NodeState::NotYet;
    if (run->done()) return NodeState::Executed;
    if (std::holds_alternative<interp::Failed>(run->outcome)) return NodeState::Failed;
    return std::holds_alternative<interp::Unsupported>(run->outcome) ? NodeState::NotImplemented : NodeState::Waits;
  };
  facts.mismatch = [debugger](NodeRef ref) -> std::optional<double> {
    const auto at = debugger->shown(ref);
    const auto* difference = at ? debugger->difference(*at) : nullptr;
    return difference && *difference && (*difference)->comparable ? std::optional((*difference)->max_abs) : std::nullopt;
  };
  return facts;
}

}  // namespace

Overlay shown_overlay(const Document& document) {
  if (document.overlay == OverlayKind::Data && document.data) return make_data_overlay(*document.program(), *document.data, document.data_column);
  return make_overlay(*document.program(), document.overlay, run_facts(document));
}

std::set<NodeRef> shown_nonfinite(const Document& document) {
  std::set<NodeRef> nodes;
  const interp::Debugger* debugger = document.debug ? document.debug->debugger() : nullptr;
  const RunFacts* facts = document.debug ? document.debug->facts() : nullptr;
  if (!debugger || !facts || debugger->time() == 0) return nodes;
  const Program& program = *document.program();
  for (size_t g = 0; g < program.graphs.size(); ++g) {
    const Graph& graph = program.graphs[GraphId(g)];
    for (size_t n = 0; n < graph.nodes().size(); ++n) {
      const NodeRef ref{GraphId(g), NodeId(n)};
      if (graph.node(NodeId(n)).kind != NodeKind::CallFunction) continue;
      if (const auto at = debugger->shown(ref); at && facts->alarming(*at)) nodes.insert(ref);
    }
  }
  return nodes;
}

}  // namespace pt2::views
