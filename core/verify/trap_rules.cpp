#include <algorithm>
#include <map>
#include <set>

#include "core/graph/results.h"
#include "core/parameters.h"
#include "core/verify/rule.h"

namespace pt2::verify_detail {

namespace {

// By name, where the weights of the file are.
std::map<std::string_view, TensorPlace> places_of(const Subject& subject) {
  std::map<std::string_view, TensorPlace> places;
  for (const TensorInfo& tensor : subject.stored)
    if (auto place = tensor_place(tensor)) places.emplace(tensor.name, std::move(*place));
  return places;
}

// A tied parameter of which another name is used is no waste: trap.shared tells of it.
void unused(const Subject& subject, Report& report) {
  const Graph& graph = subject.program.root_graph();
  const auto places = places_of(subject);
  std::set<TensorPlace> used;
  for (const InputSpec& input : subject.program.signature.inputs)
    if (const auto place = places.find(input.target); place != places.end() && input.node.valid() && !graph.users(input.node).empty()) used.insert(place->second);
  for (size_t i = 0; i < subject.program.signature.inputs.size(); ++i) {
    const InputSpec& input = subject.program.signature.inputs[i];
    const bool stored = input.kind == InputKind::Parameter || input.kind == InputKind::Buffer || input.kind == InputKind::TensorConstant;
    const auto place = places.find(input.target);
    if (place != places.end() && used.count(place->second)) continue;
    if (stored && input.node.valid() && graph.users(input.node).empty())
      report.spec("input", i, "the " + std::string(kind_name(input.kind)) + " " + quoted(input.target) + " is used by nothing", {GraphId(0), input.node});
  }
}

void shared(const Subject& subject, Report& report) {
  std::map<TensorPlace, std::string> first;
  for (const TensorInfo& tensor : subject.stored) {
    const auto place = tensor_place(tensor);
    if (!place || !tensor.is_parameter) continue;
    const auto [it, is_new] = first.try_emplace(*place, tensor.name);
    if (is_new) continue;
    const std::string message = quoted(tensor.name) + " is the same tensor as " + quoted(it->second);
    const auto& inputs = subject.program.signature.inputs;
    const auto input = std::find_if(inputs.begin(), inputs.end(), [&](const InputSpec& spec) { return spec.target == tensor.name; });
    if (input == inputs.end()) report.program(message);
    else report.spec("input", size_t(input - inputs.begin()), message, {GraphId(0), input->node});
  }
}

bool is_zero(const Argument* argument) {
  if (!argument) return false;
  const double* number = argument->as<double>();
  const int64_t* integer = argument->as<int64_t>();
  return (number && *number == 0) || (integer && *integer == 0);
}
bool drops_nothing(const Node& node) {
  for (std::string_view name : {"p", "dropout_p", "dropout"})
    if (is_zero(argument_named(node, name))) return true;
  return false;
}

// A normalization without running statistics takes those of its input in either mode.
bool always_normalizes_by_input(const Node& node) {
  const OpSchema* schema = find_op_schema(node.target);
  if (!schema) return false;
  if (node.target.ends_with(".no_stats")) return true;
  const Argument* mean = argument_named(node, "running_mean");
  return schema->parameter("running_mean") && (!mean || mean->is<NoneArg>());
}

void training(const Subject& subject, Report& report) {
  for_each_node_of(subject.program, [&](NodeRef ref, const Node& node) {
    if (node.kind != NodeKind::CallFunction || !node.target.starts_with("torch.ops.aten.") || drops_nothing(node) || always_normalizes_by_input(node)) return;
    for (std::string_view name : {"training", "train", "use_input_stats"}) {
      const Argument* argument = argument_named(node, name);
      const bool* on = argument ? argument->as<bool>() : nullptr;
      if (on && *on) report.node(ref, std::string(node.target.substr(10)) + " runs in training mode: " + std::string(name) + " is True");
    }
  });
}

// What a program is fed with, and what it makes of it.
void wide(const Subject& subject, Report& report) {
  const Graph& graph = subject.program.root_graph();
  for (size_t i = 0; i < graph.placeholder_count(); ++i) {
    const TensorMeta* meta = tensor_meta(graph.node(NodeId(i)).val);
    if (meta && (meta->dtype == DType::Float64 || meta->dtype == DType::Complex128)) return;
  }
  bool told = false;
  for_each_node_of(subject.program, [&](NodeRef ref, const Node& node) {
    const TensorMeta* meta = tensor_meta(node.val);
    if (told || node.kind != NodeKind::CallFunction || !meta || meta->dtype != DType::Float64 || meta->sizes.empty()) return;
    const NodeId call = taken_from(node);
    const NodeRef computing = call.valid() ? NodeRef{ref.graph, call} : ref;
    if (subject.program.node(computing).target.starts_with("torch.ops.quantized_decomposed.")) return;  // scales are float64 by definition
    told = true;
    report.node(computing, "it computes in float64, though no input does");
  });
}

bool is_reshape(std::string_view target) {
  return target == "torch.ops.aten.view.default" || target == "torch.ops.aten.reshape.default" || target == "torch.ops.aten.expand.default";
}

void fixed_size(const Subject& subject, Report& report) {
  for_each_node_of(subject.program, [&](NodeRef ref, const Node& node) {
    if (node.kind != NodeKind::CallFunction || !is_reshape(node.target)) return;
    const Argument* self = argument_named(node, "self");
    const Argument* size = argument_named(node, node.target == "torch.ops.aten.reshape.default" ? "shape" : "size");
    const NodeId* from = self ? self->as<NodeId>() : nullptr;
    const ListArg* sizes = size ? size->as<ListArg>() : nullptr;
    const TensorMeta* before = from ? tensor_meta(subject.program.graphs[ref.graph].node(*from).val) : nullptr;
    if (!before || !sizes) return;
    const bool dynamic = std::any_of(before->sizes.begin(), before->sizes.end(), [](const SymInt& s) { return s.is_symbolic(); });
    const bool fixed = std::all_of(sizes->items.begin(), sizes->items.end(), [](const Argument& a) { return a.is<int64_t>() && *a.as<int64_t>() >= 0; });
    if (dynamic && fixed) report.node(ref, "it gives a dynamic tensor sizes that are all numbers");
  });
}

bool is_contiguous(const TensorMeta& meta) {
  int64_t expected = 1;
  for (size_t d = meta.sizes.size(); d-- > 0;) {
    if (meta.sizes[d].is_symbolic() || meta.strides[d].is_symbolic()) return true;  // not known
    if (meta.sizes[d].value != 1 && meta.strides[d].value != expected) return false;
    expected *= std::max<int64_t>(meta.sizes[d].value, 1);
  }
  return true;
}

bool same_sizes(const TensorMeta& a, const TensorMeta* b) {
  return b && std::equal(a.sizes.begin(), a.sizes.end(), b->sizes.begin(), b->sizes.end(), [](const SymInt& x, const SymInt& y) { return x.text() == y.text(); });
}

// By node of the program's own graph, whether it comes of what the caller gives. Weights and constants are laid out as they were stored.
IdVector<NodeId, uint8_t> of_the_caller(const Program& program) {
  const Graph& graph = program.root_graph();
  IdVector<NodeId, uint8_t> given(graph.nodes().size());
  for (const InputSpec& input : program.signature.inputs)
    if (input.kind == InputKind::UserInput && input.node.valid()) given[input.node] = 1;
  for (size_t i = 0; i < graph.nodes().size(); ++i)
    for (const NodeArgument& argument : graph.node(NodeId(i)).inputs) for_each_node(argument.value, [&](NodeId from) { given[NodeId(i)] |= given[from]; });
  return given;
}

// A view to the sizes there are works for every layout.
void layout(const Subject& subject, Report& report) {
  const IdVector<NodeId, uint8_t> given = of_the_caller(subject.program);
  for_each_node_of(subject.program, [&](NodeRef ref, const Node& node) {
    if (node.kind != NodeKind::CallFunction || node.target != "torch.ops.aten.view.default") return;
    const Argument* self = argument_named(node, "self");
    const NodeId* from = self ? self->as<NodeId>() : nullptr;
    const TensorMeta* before = from ? tensor_meta(subject.program.graphs[ref.graph].node(*from).val) : nullptr;
    const bool fixed = from && ref.graph == subject.program.root() && !given[*from];
    if (before && !fixed && !is_contiguous(*before) && !same_sizes(*before, tensor_meta(node.val))) report.node(ref, "it views a tensor that is not contiguous: it works for the memory layout of the export only");
  });
}

void random(const Subject& subject, Report& report) {
  for_each_node_of(subject.program, [&](NodeRef ref, const Node& node) {
    const OpSchema* schema = node.kind == NodeKind::CallFunction ? find_op_schema(node.target) : nullptr;
    if (!schema || !schema->has_tag("nondeterministic_seeded")) return;
    // Dropout and the like draw nothing outside of training.
    for (std::string_view name : {"train", "training"})
      if (const Argument* argument = argument_named(node, name); argument && argument->is<bool>() && !*argument->as<bool>()) return;
    const Argument* layers = argument_named(node, "num_layers");
    if (drops_nothing(node) || (layers && layers->is<int64_t>() && *layers->as<int64_t>() == 1)) return;  // a recurrent network drops between its layers
    if (schema->parameter("dropout_p") && !argument_named(node, "dropout_p")) return;
    report.node(ref, std::string(node.target.substr(10)) + " draws random numbers");
  });
}

void uninitialized(const Subject& subject, Report& report) {
  for (size_t g = 0; g < subject.program.graphs.size(); ++g) {
    const Graph& graph = subject.program.graphs[GraphId(g)];
    for (size_t i = 0; i < graph.nodes().size(); ++i) {
      const Node& node = graph.node(NodeId(i));
      if (!node.target.starts_with("torch.ops.aten.empty") && !node.target.starts_with("torch.ops.aten.new_empty")) continue;
      // Fine when the first thing that happens is that it is filled.
      const auto users = graph.users(NodeId(i));
      const OpSchema* writer = users.empty() ? nullptr : find_op_schema(graph.node(users[0]).target);
      const bool filled = writer && !writer->parameters.empty() && writer->parameters[0].type.writes();
      if (!users.empty() && !filled) report.node({GraphId(g), NodeId(i)}, "its values are whatever the memory held, and they are read");
    }
  }
}

constexpr Rule kRules[] = {
    {{"trap.unused", Severity::Note, "Every parameter and buffer is used", "It takes space for nothing; a part of the model may have been left out of the traced path."}, unused},
    {{"trap.shared", Severity::Note, "Parameters are tensors of their own", "They are tied: changing one changes the other. Tools that copy weights by name may untie them."}, shared},
    {{"trap.training", Severity::Warning, "Operators run in inference mode", "Call model.eval() before export when the program is not for training."}, training},
    {{"trap.float64", Severity::Warning, "Programs compute in the types of their inputs", "A Python number or a NumPy array often brings float64 in; it is slow, and unknown to many backends."}, wide},
    {{"trap.fixed-size", Severity::Warning, "Dynamic sizes stay dynamic", "Other sizes than those of the example inputs will fail or be split wrongly. Compute the size from the tensor in the model."}, fixed_size},
    {{"trap.layout", Severity::Note, "Views do not depend on the memory layout", "Inputs in another memory format fail here; reshape works for all."}, layout},
    {{"trap.random", Severity::Note, "Programs are deterministic", "Two runs differ unless the seed is set; comparisons take recorded values for such nodes."}, random},
    {{"trap.uninitialized", Severity::Note, "Memory is written before it is read", "Results that depend on it differ from run to run."}, uninitialized},
};

}  // namespace

std::span<const Rule> trap_rules() { return kRules; }

}  // namespace pt2::verify_detail
