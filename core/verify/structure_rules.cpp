#include <unordered_set>

#include "core/verify/rule.h"

namespace pt2::verify_detail {

namespace {

void unique_names(const Subject& subject, Report& report) {
  for (size_t g = 0; g < subject.program.graphs.size(); ++g) {
    std::unordered_set<std::string_view> names;
    const Graph& graph = subject.program.graphs[GraphId(g)];
    for (size_t i = 0; i < graph.nodes().size(); ++i)
      if (!names.insert(graph.node(NodeId(i)).name).second)
        report.node({GraphId(g), NodeId(i)}, "a node before it has the same name, " + quoted(graph.node(NodeId(i)).name));
  }
}

void order(const Subject& subject, Report& report) {
  for (size_t g = 0; g < subject.program.graphs.size(); ++g) {
    const Graph& graph = subject.program.graphs[GraphId(g)];
    const size_t n = graph.nodes().size();
    if (n == 0 || graph.node(NodeId(n - 1)).kind != NodeKind::Output) report.program("the graph " + quoted(graph.name) + " does not end with its output");
    bool placeholders_over = false;
    for (size_t i = 0; i < n; ++i) {
      const NodeKind kind = graph.node(NodeId(i)).kind;
      if (kind != NodeKind::Placeholder) placeholders_over = true;
      else if (placeholders_over) report.node({GraphId(g), NodeId(i)}, "a placeholder comes after other nodes");
      if (kind == NodeKind::Output && i + 1 < n) report.node({GraphId(g), NodeId(i)}, "nodes follow the output");
    }
  }
}

void get_attr(const Subject& subject, Report& report) {
  for_each_node_of(subject.program, [&](NodeRef ref, const Node& node) {
    if (node.kind == NodeKind::GetAttr && !node.subgraph.valid())
      report.node(ref, "it reads the attribute " + quoted(node.target) + ", which is no sub-graph");
  });
}

// The graphs a call names, with how many values it hands to each; nothing where that is not known.
struct Branch { GraphId graph; size_t operands; };
std::vector<Branch> branches(const Program& program, GraphId in, const Node& call) {
  auto graph_at = [&](size_t i) {
    const NodeId* id = i < call.inputs.size() ? call.inputs[i].value.as<NodeId>() : nullptr;
    return id ? program.graphs[in].node(*id).subgraph : GraphId();
  };
  auto count_at = [&](size_t i) {
    const ListArg* list = i < call.inputs.size() ? call.inputs[i].value.as<ListArg>() : nullptr;
    return list ? list->items.size() : 0;
  };
  std::vector<Branch> result;
  if (call.target == "torch.ops.higher_order.cond")
    for (size_t i : {1, 2}) result.push_back({graph_at(i), count_at(3)});
  else if (call.target == "torch.ops.higher_order.while_loop")
    for (size_t i : {0, 1}) result.push_back({graph_at(i), count_at(2) + count_at(3)});
  std::erase_if(result, [](const Branch& branch) { return !branch.graph.valid(); });
  return result;
}

void operands(const Subject& subject, Report& report) {
  for_each_node_of(subject.program, [&](NodeRef ref, const Node& node) {
    for (const Branch& branch : branches(subject.program, ref.graph, node)) {
      const Graph& graph = subject.program.graphs[branch.graph];
      if (graph.placeholder_count() != branch.operands)
        report.node(ref, "it hands " + std::to_string(branch.operands) + " values to " + quoted(graph.name) + ", which takes " + std::to_string(graph.placeholder_count()));
    }
  });
}

size_t output_count(const Graph& graph) {
  const TupleArg* tuple = graph.node(graph.output()).inputs[0].value.as<TupleArg>();
  return tuple ? tuple->items.size() : 1;
}

void branch_results(const Subject& subject, Report& report) {
  for_each_node_of(subject.program, [&](NodeRef ref, const Node& node) {
    if (node.target != "torch.ops.higher_order.cond") return;
    const auto found = branches(subject.program, ref.graph, node);
    if (found.size() != 2) return;
    const Graph& yes = subject.program.graphs[found[0].graph];
    const Graph& no = subject.program.graphs[found[1].graph];
    if (output_count(yes) != output_count(no))
      report.node(ref, quoted(yes.name) + " returns " + std::to_string(output_count(yes)) + " values, " + quoted(no.name) + " returns " + std::to_string(output_count(no)));
  });
}

constexpr Rule kRules[] = {
    {{"structure.order", Severity::Error, "Placeholders come first, one output last", "Programs are executed from top to bottom."}, order},
    {{"structure.names", Severity::Error, "Every node of a graph has a name of its own", "Values are referred to by name."}, unique_names},
    {{"structure.get-attr", Severity::Note, "Attributes are sub-graphs only; tensors are inputs",
      "Programs of PyTorch 2.1 hold constants so; newer ones list them in the signature."}, get_attr},
    {{"structure.operands", Severity::Error, "Sub-graphs get as many values as they take", "The call cannot be executed."}, operands},
    {{"structure.branches", Severity::Error, "Both branches of a cond return as many values", "The call cannot be executed."}, branch_results},
};

}  // namespace

std::span<const Rule> structure_rules() { return kRules; }

}  // namespace pt2::verify_detail
