// What is lit and what is left out of the graph around nodes.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "views/commands/availability.h"
#include "views/commands/command_registry.h"

namespace pt2::views {

namespace {

std::vector<uint8_t> reached(const Graph& graph, NodeId start, bool up) {
  std::vector<uint8_t> seen(graph.nodes().size());
  std::vector<NodeId> pending{start};
  seen[start.index] = 1;
  auto visit = [&](NodeId next) {
    if (!std::exchange(seen[next.index], uint8_t{1})) pending.push_back(next);
  };
  while (!pending.empty()) {
    const NodeId at = pending.back();
    pending.pop_back();
    if (up) for (const NodeArgument& input : graph.node(at).inputs) for_each_node(input.value, visit);
    else for (NodeId user : graph.users(at)) visit(user);
  }
  return seen;
}

// Everything on a way between the argument and the selection, whichever comes first.
void path(CommandContext& c, const CommandArgument& a) {
  const NodeRef other = node_argument(a), here = c.document->selection.current().shown();
  Highlight& lit = c.document->highlight;
  if (!other.node || !here.node || other.graph != here.graph || other == here) return void(lit = {});
  const Graph& graph = c.document->program()->graphs[here.graph];
  const NodeId first = std::min(other.node, here.node), last = std::max(other.node, here.node);
  const auto down = reached(graph, first, false), up = reached(graph, last, true);
  lit = {Highlight::Kind::Path, {}};
  for (size_t n = 0; n < down.size(); ++n)
    if (down[n] && up[n]) lit.nodes.insert({here.graph, NodeId(n)});
  if (lit.nodes.empty()) c.workspace.toast("No value of one reaches the other");
}

// Leaves the node and its neighbours; sub-graphs that it does not run go too.
void isolate(CommandContext& c, const CommandArgument& a) {
  const NodeRef node = node_argument(a).node ? node_argument(a) : c.document->selection.current().shown();
  if (!node.node) return;
  const Program& program = *c.document->program();
  const Graph& graph = program.graphs[node.graph];
  std::vector<uint8_t> kept(graph.nodes().size());
  kept[node.node.index] = 1;
  for (const NodeArgument& input : graph.node(node.node).inputs) for_each_node(input.value, [&](NodeId id) { kept[id.index] = 1; });
  // A neighbour may be a getitem, which is part of an edge: what lies behind it is the neighbour one sees.
  for (NodeId user : graph.users(node.node)) {
    kept[user.index] = 1;
    if (graph.node(user).target == "_operator.getitem")
      for (NodeId next : graph.users(user)) kept[next.index] = 1;
  }
  auto& hidden = c.document->graph.hidden;
  hidden.clear();
  for (size_t n = 0; n < kept.size(); ++n) {
    const Node& other = graph.node(NodeId(n));
    if (!kept[n] && (other.kind == NodeKind::CallFunction || other.kind == NodeKind::Output || (other.kind == NodeKind::Placeholder && !graph.users(NodeId(n)).empty())))
      hidden.insert({node.graph, NodeId(n)});
  }
  for (const InputSpec& spec : program.signature.inputs)
    if (node.graph == program.root() && spec.kind != InputKind::UserInput && spec.node) hidden.erase({node.graph, spec.node});
  c.document->camera = {CameraRequest::Kind::FitAll, c.document->camera.revision + 1};
}

constexpr Command kCommands[] = {
    {.id = "view.path", .title = "Highlight path", .menu = "View", .help = "Everything between a node and the selection", .argument = ArgumentKind::Node, .availability = needs_selected_node, .run = path, .group = "highlight"},
    {.id = "view.isolate", .title = "Isolate with neighbours", .menu = "View", .help = "Hide all but a node and what it is connected with", .argument = ArgumentKind::Node, .availability = needs_selected_node, .run = isolate, .group = "graph"},
};

}  // namespace

std::span<const Command> graph_commands() { return kCommands; }

}  // namespace pt2::views
