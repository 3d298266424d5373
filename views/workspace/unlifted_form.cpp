#include "views/workspace/unlifted_form.h"

#include <algorithm>
#include <utility>

#include "core/base/display.h"
#include "core/module_form.h"
#include "core/text/print_program.h"
#include "views/workspace/document.h"
#include "views/workspace/printed_text.h"

namespace pt2::views {

std::shared_ptr<const UnliftedForm> make_unlifted_form(const OpenedFile& file, std::shared_ptr<const Program> program) {
  auto form = std::make_shared<UnliftedForm>();
  UnliftedProgram unlifted = module_form(file, program);
  form->program = std::move(unlifted.program);
  form->scopes = std::make_shared<ScopeTree>(*form->program);
  form->source = std::move(unlifted.source);
  form->place.resize(program->root_graph().nodes().size());
  for (size_t i = 0; i < form->source.size(); ++i)
    if (form->source[i]) form->place[form->source[i]] = NodeId(i);
  const Graph& graph = form->program->root_graph();
  for (size_t i = 0; i < graph.nodes().size(); ++i)
    if (graph.node(NodeId(i)).target == kGuardsTarget) form->guards_call = NodeId(i);
  if (form->guards_call) form->guards = program_guards(*program);
  return form;
}

std::string form_name(const UnliftedForm& form, NodeRef here) {
  const Node& node = form.program->node(here);
  if (node.kind == NodeKind::GetAttr && !node.subgraph) return "get_attr " + std::string(node.target);
  return node_path(*form.program, here);
}

GraphScene make_unlifted_scene(const UnliftedForm& form, const GraphView& view, const MeasureText& measure) {
  GraphView mapped = view;
  mapped.hidden.clear();
  for (NodeRef ref : view.hidden)
    if (const NodeRef here = form.here(ref); here.node) mapped.hidden.insert(here);
  // What only the form has goes with all it reads.
  const GraphId root = form.program->root();
  const Graph& graph = form.program->root_graph();
  for (size_t i = 0; !mapped.hidden.empty() && i < graph.nodes().size(); ++i) {
    if (form.source[i]) continue;
    bool any_left = false;
    for (const NodeArgument& argument : graph.node(NodeId(i)).inputs)
      for_each_node(argument.value, [&](NodeId input) { any_left |= !mapped.hidden.contains({root, input}); });
    if (!any_left) mapped.hidden.insert({root, NodeId(i)});
  }
  GraphScene scene = make_scene(form.program, form.scopes, mapped, measure);
  scene.view = view;
  return scene;
}

void name_by_program(GraphScene& scene, std::shared_ptr<const Program> program, std::shared_ptr<const UnliftedForm> form) {
  for (SceneBox& box : scene.boxes) {
    if (box.node.node && box.node.graph == program->root()) box.unlifted = box.node.node;
    box.node = form->original(box.node);
    if (!box.node.node) box.node = {};
  }
  for (NodeRef& value : scene.edge_values)
    if (value = form->original(value); !value.node) value = {};
  IdVector<NodeId, BoxId> root(program->root_graph().nodes().size());
  for (size_t i = 0; i < form->source.size(); ++i)
    if (form->source[i]) root[form->source[i]] = scene.node_box[program->root()][NodeId(i)];
  scene.form_box = std::exchange(scene.node_box[program->root()], std::move(root));
  scene.program = std::move(program);
  scene.form = std::move(form);
}

std::vector<FxLine> module_lines(const UnliftedForm& form) {
  const GraphId root = form.program->root();
  std::vector<FxLine> lines{{FxLine::Kind::Header, {}, root, {}, 0, {}}};
  const Graph& graph = form.program->root_graph();
  lines.reserve(graph.nodes().size() + form.guards.size() + 3);
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    const NodeId source = form.source[i];
    const NodeKind kind = graph.node(NodeId(i)).kind;
    lines.push_back({kind == NodeKind::Output ? FxLine::Kind::Return : kind == NodeKind::CallFunction ? FxLine::Kind::Node : FxLine::Kind::Placeholder,
                     source ? NodeRef{root, source} : NodeRef{}, root, {}, 0, NodeId(i)});
  }
  if (form.guards.empty()) return lines;
  lines.push_back({FxLine::Kind::Blank, {}, root, {}, 0, {}});
  lines.push_back({FxLine::Kind::Header, {}, root, {}, 0, form.guards_call});
  for (size_t i = 0; i < form.guards.size(); ++i)
    lines.push_back({FxLine::Kind::Guard, form.guards[i].input ? NodeRef{root, form.guards[i].input} : NodeRef{}, root, {}, uint32_t(i), {}});
  return lines;
}

std::vector<FxPiece> module_pieces(const UnliftedForm& form, const FxLine& line) {
  switch (line.kind) {
    case FxLine::Kind::Blank:
    case FxLine::Kind::Folded: return {};
    case FxLine::Kind::Header:
      if (line.unlifted) return {{std::string(kGuardsTarget), FxTextRole::Defined, {}, line.unlifted}, {" checks:", FxTextRole::Comment, {}, {}}};
      return {{"graph():", FxTextRole::Keyword, {}, {}}};
    case FxLine::Kind::Guard: return {{"    " + display(form.guards[line.count].text), FxTextRole::Plain, {}, {}}};
    case FxLine::Kind::Placeholder:
    case FxLine::Kind::Node:
    case FxLine::Kind::Return: break;
  }
  std::vector<FxPiece> pieces{{"    ", FxTextRole::Plain, {}, {}}};
  const std::string text = graph_node_text(form.program->root_graph(), line.unlifted);
  for (const NamedPart& part : cut_at_names(form.program->root_graph(), text, line.kind == FxLine::Kind::Return)) {
    if (!part.node) {
      append_plain(pieces, part.text);
      continue;
    }
    const NodeId source = form.source[part.node.index];
    pieces.push_back({display(part.text), pieces.size() == 1 ? FxTextRole::Defined : FxTextRole::Name, source, source ? NodeId() : part.node});
  }
  return pieces;
}

}  // namespace pt2::views
