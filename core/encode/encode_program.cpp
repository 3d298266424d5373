#include "core/encode/encode_program.h"

#include "core/encode/encode_graph.h"
#include "core/text/bound_text.h"

namespace pt2 {

namespace {

using encode::EncodeError;
using encode::GraphEncoder;
using encode::Json;

Json name_json(std::string_view name) { return {{"name", name}}; }

Json input_json(const Program& program, const InputSpec& spec, GraphEncoder& root) {
  switch (spec.kind) {
    case InputKind::UserInput:
      if (spec.constant) return {{"constant_input", {{"name", spec.name}, {"value", root.argument(*spec.constant)}}}};
      if (!spec.node) throw EncodeError{"the input \"" + std::string(spec.name) + "\" has no placeholder", ""};
      return {{"user_input", {{"arg", root.value(spec.node)}}}};
    case InputKind::Parameter: return {{"parameter", {{"arg", name_json(spec.name)}, {"parameter_name", spec.target}}}};
    case InputKind::Buffer: return {{"buffer", {{"arg", name_json(spec.name)}, {"buffer_name", spec.target}, {"persistent", spec.persistent.value_or(true)}}}};
    case InputKind::TensorConstant: return {{"tensor_constant", {{"arg", name_json(spec.name)}, {"tensor_constant_name", spec.target}}}};
    case InputKind::CustomObj: {
      const auto* object = spec.node ? std::get_if<std::shared_ptr<const CustomObjMeta>>(&program.root_graph().node(spec.node).val) : nullptr;
      return {{"custom_obj", {{"arg", {{"name", spec.name}, {"class_fqn", object ? (*object)->class_fqn : std::string_view()}}}, {"custom_obj_name", spec.target}}}};
    }
    case InputKind::Token: return {{"token", {{"arg", name_json(spec.name)}}}};
  }
  return nullptr;
}

Json output_json(const Program& program, const OutputSpec& spec, GraphEncoder& root) {
  const NodeId* node = spec.value.as<NodeId>();
  const Json name = name_json(node ? program.root_graph().node(*node).stored_name : spec.name);
  switch (spec.kind) {
    case OutputKind::UserOutput: return {{"user_output", {{"arg", root.argument(spec.value)}}}};
    case OutputKind::LossOutput: return {{"loss_output", {{"arg", name}}}};
    case OutputKind::BufferMutation: return {{"buffer_mutation", {{"arg", name}, {"buffer_name", spec.target}}}};
    case OutputKind::ParameterMutation: return {{"parameter_mutation", {{"arg", name}, {"parameter_name", spec.target}}}};
    case OutputKind::GradientToParameter: return {{"gradient_to_parameter", {{"arg", name}, {"parameter_name", spec.target}}}};
    case OutputKind::GradientToUserInput: return {{"gradient_to_user_input", {{"arg", name}, {"user_input_name", spec.target}}}};
    case OutputKind::UserInputMutation: return {{"user_input_mutation", {{"arg", name}, {"user_input_name", spec.target}}}};
    case OutputKind::Token: return {{"token", {{"arg", name}}}};
  }
  return nullptr;
}

Json bound_json(const std::optional<double>& bound, bool is_float) {
  if (!bound) return nullptr;
  return is_float ? encode::float_json(*bound) : Json(whole_bound(*bound));
}

Json program_json(const Program& program) {
  IdVector<GraphId, Json> graphs;
  for (size_t g = 0; g < program.graphs.size(); ++g) graphs.push_back(Json());
  // A graph's sub-graphs come after it, so from the last to the first each finds those it calls.
  for (size_t g = program.graphs.size(); g-- > 0;) graphs[GraphId(g)] = GraphEncoder(program, GraphId(g), graphs).encode();

  GraphEncoder root(program, program.root(), graphs);
  Json inputs = Json::array(), outputs = Json::array(), calls = Json::array();
  for (const InputSpec& spec : program.signature.inputs) inputs.push_back(input_json(program, spec, root));
  for (const OutputSpec& spec : program.signature.outputs) outputs.push_back(output_json(program, spec, root));
  for (const ModuleCall& call : program.module_call_graph) {
    // Only the root's signature can be said in full: of others the decoder keeps no inputs and outputs.
    Json signature;
    if (call.has_signature && call.fqn.empty())
      signature = {{"inputs", Json::array()}, {"outputs", Json::array()}, {"in_spec", call.in_spec}, {"out_spec", call.out_spec}, {"forward_arg_names", call.forward_arg_names}};
    calls.push_back({{"fqn", call.fqn}, {"signature", std::move(signature)}});
  }
  Json fields = Json::object(), ranges = Json::object(), opsets = Json::object();
  for (const auto& [type, names] : program.namedtuple_fields) fields[type] = {{"field_names", names}};
  for (const auto& [symbol, range] : program.range_constraints)
    ranges[std::string(symbol)] = {{"min_val", bound_json(range.min, range.is_float)}, {"max_val", bound_json(range.max, range.is_float)}};
  for (const auto& [name, version] : program.opset_versions) opsets[std::string(name)] = version;
  Json metadata = Json::object();
  if (!program.graph_metadata_custom.empty()) metadata["custom"] = program.graph_metadata_custom;
  std::vector<std::string_view> verifiers = program.verifiers;
  if (verifiers.empty()) verifiers.push_back(program.dialect.empty() ? "ATEN" : program.dialect);
  return {{"graph_module",
           {{"graph", std::move(graphs[program.root()])},
            {"signature", {{"input_specs", std::move(inputs)}, {"output_specs", std::move(outputs)}}},
            {"module_call_graph", std::move(calls)},
            {"metadata", std::move(metadata)},
            {"treespec_namedtuple_fields", std::move(fields)}}},
          {"opset_version", std::move(opsets)},
          {"range_constraints", std::move(ranges)},
          {"schema_version", {{"major", 8}, {"minor", 20}}},
          {"verifiers", verifiers},
          {"torch_version", program.torch_version.empty() ? std::string_view("<=2.4") : program.torch_version},
          {"guards_code", program.guards_code}};
}

}  // namespace

Result<std::string> encode_program(const Program& program) {
  try {
    return encode::json_text(program_json(program));
  } catch (const EncodeError& error) {
    return Error{ErrorKind::Failed, error.message, error.where, ""};
  }
}

}  // namespace pt2
