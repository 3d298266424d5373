#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "core/graph/written_memory.h"
#include "core/verify/rule.h"

namespace pt2::verify_detail {

namespace {

bool is_stored(InputKind kind) { return kind == InputKind::Parameter || kind == InputKind::Buffer || kind == InputKind::TensorConstant; }

void counts(const Subject& subject, Report& report) {
  const Graph& graph = subject.program.root_graph();
  for (size_t i = 0; i < subject.program.signature.inputs.size(); ++i) {
    const InputSpec& input = subject.program.signature.inputs[i];
    if (!input.node.valid()) report.spec("input", i, quoted(input.name) + " is no placeholder of the graph");
    else if (graph.node(input.node).stored_name != input.name)
      report.spec("input", i, "it is called " + quoted(input.name) + ", the placeholder " + quoted(graph.node(input.node).stored_name), {GraphId(0), input.node});
  }
  for (size_t i = 0; i < subject.program.signature.outputs.size(); ++i) {
    const OutputSpec& output = subject.program.signature.outputs[i];
    const NodeId* id = output.value.as<NodeId>();
    const std::string_view returned = id ? graph.node(*id).stored_name : std::string_view();
    if (output.name != returned) report.spec("output", i, "it is called " + quoted(output.name) + ", the graph returns " + quoted(returned));
  }
}

// Position in the order that export gives: tokens, parameters, buffers, constants and objects, user inputs.
int rank(InputKind kind) {
  switch (kind) {
    case InputKind::Token: return 0;
    case InputKind::Parameter: return 1;
    case InputKind::Buffer: return 2;
    case InputKind::TensorConstant: case InputKind::CustomObj: return 3;
    case InputKind::UserInput: return 4;
  }
  return 4;
}

void input_order(const Subject& subject, Report& report) {
  int last = 0;
  for (size_t i = 0; i < subject.program.signature.inputs.size(); ++i) {
    const InputSpec& input = subject.program.signature.inputs[i];
    if (rank(input.kind) < last) return report.spec("input", i, "the " + std::string(kind_name(input.kind)) + " " + quoted(input.name) + " comes after inputs of later kinds", {GraphId(0), input.node});
    last = rank(input.kind);
  }
}

void output_order(const Subject& subject, Report& report) {
  bool user = false;
  for (size_t i = 0; i < subject.program.signature.outputs.size(); ++i) {
    const OutputSpec& output = subject.program.signature.outputs[i];
    const bool mutation = output.kind == OutputKind::BufferMutation || output.kind == OutputKind::ParameterMutation || output.kind == OutputKind::UserInputMutation;
    if (mutation && user) return report.spec("output", i, "the " + std::string(kind_name(output.kind)) + " of " + quoted(output.target) + " comes after user outputs");
    user = user || output.kind == OutputKind::UserOutput;
  }
}

void unique_targets(const Subject& subject, Report& report) {
  std::unordered_map<std::string_view, size_t> first;
  for (size_t i = 0; i < subject.program.signature.inputs.size(); ++i) {
    const InputSpec& input = subject.program.signature.inputs[i];
    if (!is_stored(input.kind)) continue;
    const auto [it, is_new] = first.emplace(input.target, i);
    if (!is_new) report.spec("input", i, quoted(input.target) + " is input " + std::to_string(it->second) + " already", {GraphId(0), input.node});
  }
}

void mutation_targets(const Subject& subject, Report& report) {
  const Signature& signature = subject.program.signature;
  auto has_input = [&](InputKind kind, std::string_view name) {
    return std::any_of(signature.inputs.begin(), signature.inputs.end(), [&](const InputSpec& input) {
      return input.kind == kind && (kind == InputKind::UserInput ? input.name : input.target) == name;
    });
  };
  for (size_t i = 0; i < signature.outputs.size(); ++i) {
    const OutputSpec& output = signature.outputs[i];
    InputKind kind;
    switch (output.kind) {
      case OutputKind::BufferMutation: kind = InputKind::Buffer; break;
      case OutputKind::ParameterMutation: case OutputKind::GradientToParameter: kind = InputKind::Parameter; break;
      case OutputKind::UserInputMutation: case OutputKind::GradientToUserInput: kind = InputKind::UserInput; break;
      default: continue;
    }
    if (!has_input(kind, output.target))
      report.spec("output", i, "the " + std::string(kind_name(output.kind)) + " names " + quoted(output.target) + ", which is no " + std::string(kind_name(kind)) + " of the program");
  }
}

void in_place(const Subject& subject, Report& report) {
  const Program& program = subject.program;
  const Graph& graph = program.root_graph();
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    const Node& node = graph.node(NodeId(i));
    for (const NodeId input : inputs_written_by(graph, node)) {
      if (input.index >= program.signature.inputs.size()) continue;
      const InputSpec& spec = program.signature.inputs[input.index];
      const std::string what = spec.target.empty() ? quoted(spec.name) : quoted(spec.target);
      report.node({GraphId(0), NodeId(i)}, "it writes to the " + std::string(kind_name(spec.kind)) + " " + what);
    }
  }
}

void weights_present(const Subject& subject, Report& report) {
  if (!subject.archive) return;
  std::unordered_set<std::string_view> names;
  for (const TensorInfo& tensor : subject.stored) names.insert(tensor.name);
  for (size_t i = 0; i < subject.program.signature.inputs.size(); ++i) {
    const InputSpec& input = subject.program.signature.inputs[i];
    if (is_stored(input.kind) && !names.count(input.target))
      report.spec("input", i, "the " + std::string(kind_name(input.kind)) + " " + quoted(input.target) + " is not in the file", {GraphId(0), input.node});
  }
}

void weights_agree(const Subject& subject, Report& report) {
  std::unordered_map<std::string_view, const TensorInfo*> stored;
  for (const TensorInfo& tensor : subject.stored)
    if (tensor.role != TensorRole::SampleInput) stored.emplace(tensor.name, &tensor);
  for (size_t i = 0; i < subject.program.signature.inputs.size(); ++i) {
    const InputSpec& input = subject.program.signature.inputs[i];
    const auto it = is_stored(input.kind) && input.node.valid() ? stored.find(input.target) : stored.end();
    const TensorMeta* meta = it == stored.end() ? nullptr : tensor_meta(subject.program.root_graph().node(input.node).val);
    if (!meta || it->second->dtype == DType::Unknown) continue;
    const TensorInfo& tensor = *it->second;
    bool same = meta->dtype == tensor.dtype && meta->sizes.size() == tensor.sizes.size();
    for (size_t d = 0; same && d < tensor.sizes.size(); ++d) same = meta->sizes[d].is_symbolic() || meta->sizes[d].value == tensor.sizes[d];
    if (same) continue;
    auto shape = [](const auto& sizes, auto&& text) {
      std::string out = "[";
      for (const auto& size : sizes) out += (out.size() > 1 ? ", " : "") + text(size);
      return out + "]";
    };
    report.spec("input", i, quoted(input.target) + " is declared as " + std::string(dtype_name(meta->dtype)) + shape(meta->sizes, [](const SymInt& s) { return s.text(); }) +
                                ", the file has " + std::string(dtype_name(tensor.dtype)) + shape(tensor.sizes, [](int64_t s) { return std::to_string(s); }),
                {GraphId(0), input.node});
  }
}

constexpr Rule kRules[] = {
    {{"signature.names", Severity::Error, "Each input and output of the signature is one of the graph", "The signature does not fit the graph; export the program again."}, counts},
    {{"signature.input-order", Severity::Warning, "Inputs are tokens, parameters, buffers, constants, user inputs, in this order",
      "PyTorch keeps this order; code that splits inputs by position relies on it."}, input_order},
    {{"signature.output-order", Severity::Warning, "Mutations come before user outputs", "PyTorch keeps this order; code that splits outputs by position relies on it."}, output_order},
    {{"signature.targets", Severity::Warning, "Every parameter, buffer and constant is an input once", "Two inputs are filled by one tensor; a mutation reaches only one of them."}, unique_targets},
    {{"signature.mutations", Severity::Error, "What an output writes back to is an input", "The result has nowhere to go."}, mutation_targets},
    {{"signature.in-place", Severity::Note, "Buffers and inputs are written by outputs of the signature",
      "Programs for training write in place: such a mutation is not among the outputs. run_decompositions() makes it one."}, in_place},
    {{"weights.missing", Severity::Warning, "Every tensor of the signature is in the file", "The graph can be browsed; nodes that need the tensor will not run."}, weights_present},
    {{"weights.meta", Severity::Warning, "Stored tensors have the declared type and shape", "The stored tensor counts when the program runs; results may not fit what the graph declares."}, weights_agree},
};

}  // namespace

std::span<const Rule> signature_rules() { return kRules; }

}  // namespace pt2::verify_detail
