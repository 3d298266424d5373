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

// A getitem is part of an edge: what lies behind it is the neighbour one sees.
std::vector<uint8_t> with_neighbours(const Graph& graph, NodeId node) {
  std::vector<uint8_t> kept(graph.nodes().size());
  kept[node.index] = 1;
  auto is_getitem = [&](NodeId id) { return graph.node(id).target == "_operator.getitem"; };
  auto inputs = [&](NodeId of, auto&& visit) {
    for (const NodeArgument& input : graph.node(of).inputs) for_each_node(input.value, visit);
  };
  auto keep = [&](NodeId id) { kept[id.index] = 1; };
  inputs(node, [&](NodeId input) {
    keep(input);
    if (is_getitem(input)) inputs(input, keep);
  });
  for (NodeId user : graph.users(node)) {
    keep(user);
    if (!is_getitem(user)) continue;
    for (NodeId next : graph.users(user)) keep(next);
  }
  return kept;
}

// Leaves the node, its neighbours, and the sub-graphs among these; folded modules that hold none of them go with their nodes.
void isolate(CommandContext& c, const CommandArgument& a) {
  const NodeRef node = node_argument(a).node ? node_argument(a) : c.document->selection.current().shown();
  if (!node.node) return;
  const Program& program = *c.document->program();
  const std::vector<uint8_t> kept = with_neighbours(program.graphs[node.graph], node.node);
  auto& hidden = c.document->graph.hidden;
  hidden.clear();
  IdVector<GraphId, uint8_t> whole(program.graphs.size());  // a sub-graph that stays with all that is in it
  for (size_t g = 0; g < program.graphs.size(); ++g) {
    const GraphId id(g);
    const Graph& graph = program.graphs[id];
    if (id != node.graph && graph.parent && graph.parent_node) whole[id] = whole[graph.parent] || (graph.parent == node.graph && kept[graph.parent_node.index]);
    for (size_t n = 0; !whole[id] && n < graph.nodes().size(); ++n)
      if (graph.node(NodeId(n)).kind != NodeKind::GetAttr && !(id == node.graph && kept[n])) hidden.insert({id, NodeId(n)});
  }
  c.document->camera = {CameraRequest::Kind::FitAll, c.document->camera.revision + 1};
}

constexpr Command kCommands[] = {
    {.id = "view.path", .title = "Highlight path", .menu = "View", .help = "Everything between a node and the selection", .argument = ArgumentKind::Node, .availability = needs_selected_node, .run = path, .group = "highlight"},
    {.id = "view.isolate", .title = "Isolate with neighbours", .menu = "View", .help = "Hide all but a node and what it is connected with", .argument = ArgumentKind::Node, .availability = needs_selected_node, .availability_with_argument = needs_program, .run = isolate, .group = "graph"},
};

}  // namespace

std::span<const Command> graph_commands() { return kCommands; }

}  // namespace pt2::views
