// What is lit and what is left out of the graph around nodes.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/display.h"
#include "core/graph/results.h"
#include "views/commands/availability.h"
#include "views/commands/command_registry.h"
#include "views/workspace/unlifted_form.h"

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
  lit = {Highlight::Kind::Path, false, {}};
  for (size_t n = 0; n < down.size(); ++n)
    if (down[n] && up[n]) lit.nodes.insert({here.graph, NodeId(n)});
  if (lit.nodes.empty()) c.workspace.toast("No value of one reaches the other");
}

// The nodes of the program's own graph that a module's call is made of; it is said where there are none.
std::vector<NodeId> nodes_of(CommandContext& c, ModuleId outer) {
  const Program& program = *c.document->program();
  const auto& modules = program.modules.modules;
  std::vector<NodeId> nodes;
  const auto& all = program.root_graph().nodes();
  for (size_t n = 0; n < all.size(); ++n)
    for (ModuleId module = all[NodeId(n)].module; modules.contains(module); module = modules[module].parent)
      if (module == outer) {
        nodes.emplace_back(n);
        break;
      }
  if (nodes.empty()) c.workspace.toast("No node of the program's own graph is in " + display(modules[outer].path), LogLevel::Warning);
  return nodes;
}

// Takes out nodes of one graph, and all that is in the sub-graphs they run.
void hide_nodes(std::set<NodeRef>& hidden, const Program& program, GraphId of, const std::vector<NodeId>& nodes) {
  for (NodeId node : nodes) hidden.insert({of, node});
  IdVector<GraphId, uint8_t> whole(program.graphs.size());
  for (size_t g = 0; g < program.graphs.size(); ++g) {
    const GraphId id(g);
    const Graph& graph = program.graphs[id];
    if (!graph.parent || !graph.parent_node) continue;
    const auto readers = program.graphs[graph.parent].users(graph.parent_node);
    whole[id] = whole[graph.parent] || (graph.parent == of && std::any_of(readers.begin(), readers.end(), [&](NodeId reader) { return hidden.contains({of, reader}); }));
    for (size_t n = 0; whole[id] && n < graph.nodes().size(); ++n)
      if (graph.node(NodeId(n)).kind != NodeKind::GetAttr) hidden.insert({id, NodeId(n)});
  }
}

// Inputs of the program that readers have as chips, or not at all.
std::set<NodeId> lifted_inputs(const Program& program) {
  std::set<NodeId> lifted;
  for (const InputSpec& input : program.signature.inputs)
    if (input.node && input.kind != InputKind::UserInput) lifted.insert(input.node);
  return lifted;
}

// Who reads the nodes, else what they read, as far as it takes to come to one that is not hidden; getitems are part of edges.
NodeRef neighbour_in_sight(const std::set<NodeRef>& hidden, const Program& program, GraphId of, const std::vector<NodeId>& nodes) {
  const Graph& graph = program.graphs[of];
  const std::set<NodeId> lifted = of == program.root() ? lifted_inputs(program) : std::set<NodeId>();
  for (const bool down : {true, false}) {
    std::vector<uint8_t> seen(graph.nodes().size());
    std::vector<NodeId> pending = nodes;
    auto visit = [&](NodeId next) {
      if (!std::exchange(seen[next.index], uint8_t{1})) pending.push_back(next);
    };
    for (size_t i = 0; i < pending.size(); ++i) {
      const NodeId at = pending[i];
      const Node& node = graph.node(at);
      if (!hidden.contains({of, at}) && !is_getitem(node) && node.kind != NodeKind::GetAttr && !lifted.contains(at)) return {of, at};
      if (down) for (const NodeId user : graph.users(at)) visit(user);
      else for (const NodeArgument& input : node.inputs) for_each_node(input.value, visit);
    }
  }
  return {};
}

// What was selected and is hidden now is gone from the picture: the selection goes on to the node beside it, which the view then shows.
void select_beside(CommandContext& c, GraphId of, const std::vector<NodeId>& nodes) {
  const NodeRef beside = neighbour_in_sight(c.document->graph.hidden, *c.document->program(), of, nodes);
  if (beside.node) c.document->selection.select(Selection::of_node(beside), "view.hide");
}

// What is hidden inside a folded module changes nothing that one sees.
void say_if_folded(CommandContext& c, NodeRef node) {
  const Document& document = *c.document;
  const ScopeTree& tree = *document.scopes();
  const UnliftedForm* form = document.unlifted();
  const NodeRef here = form ? form->here(node) : node;
  ScopeId folded;
  for (ScopeId id = here.node ? tree.scope_of(here) : ScopeId(); id; id = tree[id].parent)
    if (!is_expanded(document.graph, tree, id)) folded = id;
  if (folded) c.workspace.toast("\"" + display(document.program()->node(node).name) + "\" is hidden inside \"" + display(tree[folded].title) + "\", which is folded");
}

void hide(CommandContext& c, const CommandArgument& a) {
  const Program& program = *c.document->program();
  const Selection& selection = c.document->selection.current();
  auto* module = std::get_if<ModuleId>(&a);
  const NodeRef node = node_argument(a);
  auto& hidden = c.document->graph.hidden;
  if (const ModuleId meant = module ? *module : node.node ? ModuleId() : selection.module) {
    const auto nodes = nodes_of(c, meant);
    if (nodes.empty()) return;
    hide_nodes(hidden, program, program.root(), nodes);
    if (selection.module == meant) select_beside(c, program.root(), nodes);
    return;
  }
  if (node.node && node != selection.node) return void(hidden.insert(node));
  if (!selection.node.node) return;
  const NodeRef first = selection.node;
  hidden.insert(first);
  hidden.insert(selection.others.begin(), selection.others.end());
  say_if_folded(c, first);
  select_beside(c, first.graph, {first.node});
}
void unhide(CommandContext& c, const CommandArgument&) { c.document->graph.hidden.clear(); }

// A getitem is part of an edge: what lies behind it is the neighbour one sees.
std::vector<uint8_t> with_neighbours(const Graph& graph, const std::vector<NodeId>& nodes) {
  std::vector<uint8_t> kept(graph.nodes().size());
  auto inputs = [&](NodeId of, auto&& visit) {
    for (const NodeArgument& input : graph.node(of).inputs) for_each_node(input.value, visit);
  };
  auto keep = [&](NodeId id) { kept[id.index] = 1; };
  for (const NodeId node : nodes) {
    keep(node);
    inputs(node, [&](NodeId input) {
      keep(input);
      if (is_getitem(graph.node(input))) inputs(input, keep);
    });
    for (NodeId user : graph.users(node)) {
      keep(user);
      if (!is_getitem(graph.node(user))) continue;
      for (NodeId next : graph.users(user)) keep(next);
    }
  }
  return kept;
}

// Leaves the node or module, its neighbours, and the sub-graphs among these; folded modules that hold none of them go with their nodes. What
// it is about unfolds and is selected.
void isolate(CommandContext& c, const CommandArgument& a) {
  const Program& program = *c.document->program();
  const Selection selection = c.document->selection.current();
  const NodeRef node = node_argument(a).node ? node_argument(a) : selection.shown();
  auto* given = std::get_if<ModuleId>(&a);
  const ModuleId module = given ? *given : node.node ? ModuleId() : selection.module;
  const std::vector<NodeId> nodes = module ? nodes_of(c, module) : std::vector{node.node};
  if (nodes.empty() || !nodes.front()) return;
  const GraphId of = module ? program.root() : node.graph;
  const std::vector<uint8_t> kept = with_neighbours(program.graphs[of], nodes);
  auto& hidden = c.document->graph.hidden;
  hidden.clear();
  IdVector<GraphId, uint8_t> whole(program.graphs.size());  // a sub-graph that stays with all that is in it
  for (size_t g = 0; g < program.graphs.size(); ++g) {
    const GraphId id(g);
    const Graph& graph = program.graphs[id];
    if (id != of && graph.parent && graph.parent_node) whole[id] = whole[graph.parent] || (graph.parent == of && kept[graph.parent_node.index]);
    for (size_t n = 0; !whole[id] && n < graph.nodes().size(); ++n)
      if (graph.node(NodeId(n)).kind != NodeKind::GetAttr && !(id == of && kept[n])) hidden.insert({id, NodeId(n)});
  }
  go_to(*c.document, module ? Selection::of_module(module) : node == selection.shown() ? selection : Selection::of_node(node), c.origin);
  c.document->camera = {CameraRequest::Kind::FitAll, c.document->camera.revision + 1};
}

Availability not_everything(const Workspace& w) {
  const ModuleId module = w.active()->selection.current().module;
  return {module && module == w.active()->program()->modules.root() ? "the root module is the whole program" : ""};
}
Availability can_hide(const Workspace& w) {
  if (Availability a = needs_program(w); !a.enabled()) return a;
  const Selection& selection = w.active()->selection.current();
  return selection.node.node || selection.module ? not_everything(w) : Availability{"no node or module is selected"};
}
Availability can_isolate(const Workspace& w) {
  if (Availability a = needs_program(w); !a.enabled()) return a;
  const Selection& selection = w.active()->selection.current();
  return selection.shown().node || selection.module ? not_everything(w) : Availability{"no node or module is selected"};
}
Availability needs_hidden(const Workspace& w) {
  if (Availability a = needs_program(w); !a.enabled()) return a;
  return {w.active()->graph.hidden.empty() ? "nothing is hidden" : ""};
}

constexpr Command kCommands[] = {
    {.id = "view.path", .title = "Highlight path", .menu = "View", .help = "Everything between a node and the selection", .argument = ArgumentKind::Node, .availability = needs_selected_node, .run = path, .group = "highlight"},
    {.id = "view.hide_node", .title = "Hide selection", .menu = "View", .help = "Takes the selected nodes, or all of the selected module, out of the picture", .argument = ArgumentKind::Node, .availability = can_hide, .availability_with_argument = needs_program, .run = hide, .group = "graph"},
    {.id = "view.unhide_all", .title = "Show all hidden", .menu = "View", .help = "", .availability = needs_hidden, .run = unhide, .group = "graph"},
    {.id = "view.isolate", .title = "Isolate with neighbours", .menu = "View", .help = "Hide all but a node or module and what it is connected with", .argument = ArgumentKind::Node, .availability = can_isolate, .availability_with_argument = needs_program, .run = isolate, .group = "graph"},
};

}  // namespace

std::span<const Command> graph_commands() { return kCommands; }

}  // namespace pt2::views
