// What is lit and what is left out of the graph around nodes.
#include <algorithm>
#include <charconv>
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

// Without a name: the next one.
void color_by(CommandContext& c, const CommandArgument& a) {
  const std::string name = text_argument(a);
  c.document->overlay_range.reset();
  if (name.empty()) return void(c.document->overlay = OverlayKind((int(c.document->overlay) + 1) % kOverlayKinds));
  if (const auto kind = overlay_from_name(name)) c.document->overlay = *kind;
  else c.workspace.toast("There is nothing called \"" + name + "\" to colour by", LogLevel::Warning);
}

// "all", or the values at the ends of the scale.
void color_range(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a);
  if (text.empty() || text == "all") return c.document->overlay_range.reset();
  double ends[2] = {0, 0};
  const char *at = text.data(), *end = at + text.size();
  for (double& value : ends) {
    while (at != end && *at == ' ') ++at;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc{}) return c.workspace.toast("Write two numbers, or all", LogLevel::Warning);
    at = next;
  }
  c.document->overlay_range = std::minmax(ends[0], ends[1]);
}

constexpr Command kCommands[] = {
    {.id = "view.color_by", .title = "Colour by…", .menu = "View", .help = "family, dtype, device, bytes, flops, quantization, executed, time, max_abs, nonfinite, mismatch, saturation", .argument = ArgumentKind::Text, .availability = needs_program, .run = color_by, .group = "graph"},
    {.id = "view.color_range", .title = "Range of colours…", .menu = "", .help = "The values at the ends of the colour scale: LOW HIGH, or all", .argument = ArgumentKind::Text, .availability = needs_program, .run = color_range},
    {.id = "view.path", .title = "Highlight path", .menu = "View", .help = "Everything between a node and the selection", .argument = ArgumentKind::Node, .availability = needs_selected_node, .run = path, .group = "highlight"},
    {.id = "view.isolate", .title = "Isolate with neighbours", .menu = "View", .help = "Hide all but a node and what it is connected with", .argument = ArgumentKind::Node, .availability = needs_selected_node, .run = isolate, .group = "graph"},
};

}  // namespace

std::span<const Command> graph_commands() { return kCommands; }

}  // namespace pt2::views
