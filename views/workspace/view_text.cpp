#include "views/workspace/view_text.h"

#include <sstream>

namespace pt2::views {

// "PARAMETERS DIRECTION GETITEM UNLIFTED", then a letter and a number for each thing: r root, m open module, g open sub-graph, c open run of
// nodes, h GRAPH NODE hidden.
std::string view_text(const GraphView& view) {
  std::ostringstream out;
  out << int(view.parameters) << ' ' << int(view.direction) << ' ' << view.show_getitem << ' ' << view.unlifted;
  if (view.root) out << " r " << view.root.index;
  for (size_t i = 0; i < view.expanded.size(); ++i)
    if (view.expanded[ModuleId(i)]) out << " m " << i;
  for (const GraphId graph : view.expanded_subgraphs) out << " g " << graph.index;
  for (const ScopeId scope : view.expanded_chunks) out << " c " << scope.index;
  for (const NodeRef node : view.hidden) out << " h " << node.graph.index << ' ' << node.node.index;
  return out.str();
}

std::optional<GraphView> view_from_text(const std::string& text, const Document& document) {
  const Program& program = *document.program();
  std::istringstream in(text);
  unsigned parameters = 0, direction = 0;
  GraphView view;
  view.expanded = document.graph.expanded;
  for (size_t i = 0; i < view.expanded.size(); ++i) view.expanded[ModuleId(i)] = 0;
  if (!(in >> parameters >> direction >> view.show_getitem >> view.unlifted) || parameters > unsigned(ParameterMode::Hidden) || direction > 1) return std::nullopt;
  if (view.unlifted && !document.unlifted()) return std::nullopt;
  view.parameters = ParameterMode(parameters);
  view.direction = Direction(direction);
  for (char what = 0; in >> what;) {
    size_t index = 0, node = 0;
    if (!(in >> index) || (what == 'h' && !(in >> node))) return std::nullopt;
    if (what == 'r' && program.modules.modules.contains(ModuleId(index))) view.root = ModuleId(index);
    else if (what == 'm' && view.expanded.contains(ModuleId(index))) view.expanded[ModuleId(index)] = 1;
    else if (what == 'g' && program.graphs.contains(GraphId(index))) view.expanded_subgraphs.insert(GraphId(index));
    else if (what == 'c') view.expanded_chunks.insert(ScopeId(index));
    else if (what == 'h' && program.graphs.contains(GraphId(index)) && program.graphs[GraphId(index)].nodes().contains(NodeId(node))) view.hidden.insert({GraphId(index), NodeId(node)});
    else return std::nullopt;
  }
  return view;
}

}  // namespace pt2::views
