#include "interp/execution_plan.h"

#include <algorithm>
#include <set>

#include "core/graph/written_memory.h"
#include "interp/written_arguments.h"

namespace pt2::interp {

namespace {

// Operators that write to an argument although their schema does not say so: running statistics, while training.
std::vector<size_t> hidden_writes(const Node& node, const OpSchema& schema) {
  static constexpr std::string_view kNames[] = {"aten::batch_norm", "aten::instance_norm", "aten::native_batch_norm", "aten::_batch_norm_impl_index",
                                                "aten::_native_batch_norm_legit_functional_"};
  std::vector<size_t> written;
  if (std::find(std::begin(kNames), std::end(kNames), schema.name) == std::end(kNames)) return written;
  for (const NodeArgument& argument : node.inputs)
    if (const bool* training = argument.value.as<bool>(); training && !*training && (argument.name == "training" || argument.name == "use_input_stats")) return written;
  for (size_t i = 0; i < schema.parameters.size(); ++i)
    if (schema.parameters[i].name == "running_mean" || schema.parameters[i].name == "running_var") written.push_back(i);
  return written;
}

bool returns_memory_as_it_was(const OpSchema& schema) {
  static constexpr std::string_view kNames[] = {"aten::empty",         "aten::empty_like", "aten::empty_permuted", "aten::empty_strided", "aten::new_empty",
                                                "aten::new_empty_strided", "aten::resize_", "aten::resize_as_"};
  return std::find(std::begin(kNames), std::end(kNames), schema.name) != std::end(kNames);
}

// `open_vmaps`: of the graph, before the node; after it when it returns.
PlannedNode planned(const Node& node, const OpTable& ops, int64_t& open_vmaps) {
  PlannedNode plan;
  switch (node.kind) {
    case NodeKind::Placeholder: plan.kind = CalleeKind::Placeholder; return plan;
    case NodeKind::GetAttr: plan.kind = CalleeKind::GetAttr; return plan;
    case NodeKind::Output: plan.kind = CalleeKind::Output; return plan;
    case NodeKind::CallFunction: break;
  }
  if (const Op* op = ops.find(node.target)) {
    plan.kind = CalleeKind::Op;
    plan.op = op;
    plan.written = op->written;
    if (plan.written.empty()) plan.written = hidden_writes(node, op->schema);
    plan.uninitialized = returns_memory_as_it_was(op->schema);
    plan.resizes = op->schema.name == "aten::resize_" || op->schema.name == "aten::resize_as_";
  } else if (PythonFunction function = find_python_function(node.target)) {
    plan.kind = CalleeKind::Python;
    plan.python = function;
  } else if (HigherOrder function = find_higher_order(node.target)) {
    plan.kind = CalleeKind::HigherOrder;
    plan.higher_order = function;
  } else if (node.target == "torch._functorch.predispatch._vmap_increment_nesting") {
    plan.kind = CalleeKind::VmapLevel;
    plan.vmap_level = ++open_vmaps;
  } else if (node.target == "torch._functorch.predispatch._vmap_decrement_nesting") {
    plan.kind = CalleeKind::VmapLevel;
    plan.vmap_level = open_vmaps--;
  } else if (node.target == "torch._functorch.predispatch._add_batch_dim") {
    plan.kind = CalleeKind::AddBatchDim;
  } else if (node.target == "torch._functorch.predispatch._remove_batch_dim") {
    plan.kind = CalleeKind::RemoveBatchDim;
  }
  return plan;
}

// An operator handed to a higher-order one (auto_functionalized, with_effects, out_dtype) that has no implementation.
bool given_unknown_operator(const Node& node, const OpTable& ops) {
  for (const NodeArgument& argument : node.inputs)
    if (const auto* given = argument.value.as<OperatorArg>(); given && !ops.find(given->name) && !find_higher_order(given->name)) return true;
  return false;
}

// The values of a graph that no run will have: of what cannot run, of what waits for it, and whatever shares memory that either should have written.
class ValuesLost {
 public:
  explicit ValuesLost(const Graph& graph) : graph_(graph) {}

  bool any_of(const Node& node) const {
    bool lost = false;
    for (const NodeArgument& argument : node.inputs)
      for_each_node(argument.value, [&](NodeId id) { lost = lost || values_.contains(id) || (!memories_.empty() && memories_.contains(owners_[id])); });
    return lost;
  }
  void add(NodeId id, const PlannedNode& planned) {
    values_.insert(id);
    for (size_t i : written_arguments(graph_, id, planned)) {
      if (owners_.empty()) owners_ = memory_owners(graph_);
      for_each_node(graph_.node(id).inputs[i].value, [&](NodeId written) { memories_.insert(owners_[written]); });
    }
  }

 private:
  const Graph& graph_;
  IdVector<NodeId, NodeId> owners_;  // found when first needed
  std::set<NodeId> values_, memories_;
};

}  // namespace

ExecutionPlan make_execution_plan(std::shared_ptr<const Program> program, const OpTable& ops) {
  ExecutionPlan plan;
  plan.program = program;
  plan.graphs.resize(program->graphs.size());
  for (size_t g = 0; g < program->graphs.size(); ++g) {
    const Graph& graph = program->graphs[GraphId(g)];
    auto& nodes = plan.graphs[GraphId(g)];
    nodes.reserve(graph.nodes().size());
    plan.node_count += graph.nodes().size();
    ValuesLost lost(graph);
    int64_t open_vmaps = 0;
    for (size_t n = 0; n < graph.nodes().size(); ++n) {
      const NodeId id(n);
      const Node& node = graph.node(id);
      nodes.push_back(planned(node, ops, open_vmaps));
      const bool unknown = nodes[id].kind == CalleeKind::Unknown || (nodes[id].kind == CalleeKind::HigherOrder && given_unknown_operator(node, ops));
      const bool waits = lost.any_of(node);
      if (unknown) plan.unsupported.push_back({GraphId(g), id});
      else if (waits && node.kind != NodeKind::Output) plan.blocked.push_back({GraphId(g), id});
      if (unknown || waits) lost.add(id, nodes[id]);
    }
    for (size_t n = 0; n < graph.nodes().size(); ++n)
      if (auto users = graph.users(NodeId(n)); !users.empty()) nodes[users.back()].released.push_back(NodeId(n));
  }
  return plan;
}

std::string shown_target(const Node& node) {
  switch (node.kind) {
    case NodeKind::Placeholder: return "placeholder";
    case NodeKind::GetAttr: return "get_attr";
    case NodeKind::Output: return "output";
    case NodeKind::CallFunction: break;
  }
  std::string_view target = node.target;
  if (target.starts_with("torch.ops.")) target.remove_prefix(10);
  else if (target.starts_with("_operator.")) target.remove_prefix(1);
  return std::string(target);
}

}  // namespace pt2::interp
