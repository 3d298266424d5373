#include "core/decode/decode_signature.h"

#include <algorithm>

#include "core/decode/decode_graph.h"

namespace pt2::decode {

namespace {

struct InputForm { std::string_view key; InputKind kind; std::string_view target_key; };
constexpr InputForm kInputForms[] = {
    {"user_input", InputKind::UserInput, ""},
    {"parameter", InputKind::Parameter, "parameter_name"},
    {"buffer", InputKind::Buffer, "buffer_name"},
    {"tensor_constant", InputKind::TensorConstant, "tensor_constant_name"},
    {"custom_obj", InputKind::CustomObj, "custom_obj_name"},
    {"token", InputKind::Token, ""},
    {"constant_input", InputKind::UserInput, ""},
};

struct OutputForm { std::string_view key; OutputKind kind; std::string_view target_key; };
constexpr OutputForm kOutputForms[] = {
    {"user_output", OutputKind::UserOutput, ""},
    {"loss_output", OutputKind::LossOutput, ""},
    {"buffer_mutation", OutputKind::BufferMutation, "buffer_name"},
    {"parameter_mutation", OutputKind::ParameterMutation, "parameter_name"},
    {"gradient_to_parameter", OutputKind::GradientToParameter, "parameter_name"},
    {"gradient_to_user_input", OutputKind::GradientToUserInput, "user_input_name"},
    {"user_input_mutation", OutputKind::UserInputMutation, "user_input_name"},
    {"token", OutputKind::Token, ""},
};

// An Argument or one of the bare forms, TensorArgument …: the name of the value; empty for constants.
std::string_view argument_name(JsonCursor arg) {
  if (arg.is_string()) return arg.as_string();
  if (!arg.is_object()) return {};
  if (auto name = arg.find("name"); name && name->is_string()) return name->as_string();
  const auto set = union_member(arg);
  if (!set || !set->value.is_object()) return {};
  if (auto name = set->value.find("name"); name && name->is_string()) return name->as_string();
  if (auto name = set->value.find("as_name"); name && name->is_string()) return name->as_string();
  return {};
}

std::optional<Argument> scalar(Context& context, JsonCursor value) {
  switch (value.kind()) {
    case JsonKind::Bool: return Argument{value.as_bool()};
    case JsonKind::Int: return Argument{value.as_int()};
    case JsonKind::Float: return Argument{value.as_float()};
    case JsonKind::String: return Argument{context.intern(value.as_string())};
    default: return {};
  }
}

// ConstantValue, or a constant Argument of old files.
std::optional<Argument> constant(Context& context, JsonCursor value) {
  const auto set = union_member(value);
  if (!set) return {};
  if (set->key == "as_none") return Argument{};
  if (set->key == "as_float") return Argument{set->value.as_float()};
  return scalar(context, set->value);
}

// What a map of the form of 2.1, value name → target, says about a value.
std::optional<std::string_view> target_in(JsonCursor object, std::string_view map, std::string_view name) {
  const auto found = object.find(map);
  const auto target = found ? found->find(name) : std::nullopt;
  return target ? std::optional(target->as_string()) : std::nullopt;
}

}  // namespace

void SignatureDecoder::read() {
  JsonReader& reader = context_.reader;
  if (reader.peek() != JsonKind::Object) throw DecodeError{"expected an object", "graph_module.signature", ""};
  bool inputs = false, outputs = false;
  const size_t begin = reader.offset();
  std::string where = "graph_module.signature";
  try {
    reader.begin_object();
    std::string_view key;
    while (reader.next_member(key)) {
      const bool input = key == "input_specs";
      if ((!input && key != "output_specs") || reader.peek() == JsonKind::Null) {
        reader.skip();
        continue;
      }
      (input ? inputs : outputs) = true;
      reader.begin_array();
      for (size_t i = 0; reader.next_element(); ++i) {
        where = std::string("graph_module.signature.") + (input ? "input_specs[" : "output_specs[") + std::to_string(i) + "]";
        input ? read_input(tree_.read(reader)) : read_output(tree_.read(reader));
      }
    }
    if (inputs && outputs) return;
    where = "graph_module.signature";
    reader.seek(begin);
    const JsonCursor signature = tree_.read(reader);
    if (!signature.find("inputs_to_parameters") && !signature.find("user_inputs"))
      signature.fail(std::string("\"") + (inputs ? "output_specs" : "input_specs") + "\" is missing");
    offset_of_2_1_ = begin;
  } catch (const JsonError& error) {
    throw DecodeError{error.message, where + (error.path.empty() ? "" : "." + error.path), "Export the program again; if the file was edited, check this place."};
  }
}

void SignatureDecoder::read_input(JsonCursor spec) {
  const auto set = union_member(spec);
  if (!set) spec.fail("expected an input spec, found an empty union");
  InputSpec input;
  const auto form = std::find_if(std::begin(kInputForms), std::end(kInputForms), [&](const InputForm& f) { return f.key == set->key; });
  if (form == std::end(kInputForms)) {
    context_.finding(Severity::Warning, "format.unknown-input-kind", "the input kind \"" + std::string(set->key) + "\" is unknown; it is shown as a user input",
                     "graph_module.signature.input_specs[" + std::to_string(context_.program.signature.inputs.size()) + "]");
    context_.program.signature.inputs.push_back(input);
    return;
  }
  input.kind = form->kind;
  const JsonCursor value = set->value;
  if (set->key == "constant_input") {
    input.name = context_.intern(value.at("name").as_string());
    if (auto stored = value.find("value")) input.constant = constant(context_, *stored);
    if (!input.constant) input.constant = Argument();
  } else {
    const JsonCursor arg = value.at("arg");
    input.name = context_.intern(argument_name(arg));
    if (set->key == "user_input" && input.name.empty()) input.constant = constant(context_, arg);
  }
  if (!form->target_key.empty()) input.target = context_.intern(value.at(form->target_key).as_string());
  if (input.kind == InputKind::Buffer) {
    const auto persistent = value.find("persistent");
    input.persistent = persistent ? persistent->as_bool() : true;  // up to 2.2 all are
  }
  context_.program.signature.inputs.push_back(std::move(input));
}

void SignatureDecoder::read_output(JsonCursor spec) {
  const auto set = union_member(spec);
  if (!set) spec.fail("expected an output spec, found an empty union");
  OutputSpec output;
  const auto form = std::find_if(std::begin(kOutputForms), std::end(kOutputForms), [&](const OutputForm& f) { return f.key == set->key; });
  if (form == std::end(kOutputForms)) {
    context_.finding(Severity::Warning, "format.unknown-output-kind", "the output kind \"" + std::string(set->key) + "\" is unknown; it is shown as a user output",
                     "graph_module.signature.output_specs[" + std::to_string(context_.program.signature.outputs.size()) + "]");
  } else {
    output.kind = form->kind;
    output.name = context_.intern(argument_name(set->value.at("arg")));
    if (!form->target_key.empty()) output.target = context_.intern(set->value.at(form->target_key).as_string());
  }
  context_.program.signature.outputs.push_back(std::move(output));
}

void SignatureDecoder::make_specs_of_2_1() {
  Program& program = context_.program;
  const Graph& graph = program.root_graph();
  context_.reader.seek(*offset_of_2_1_);
  const JsonCursor signature = tree_.read(context_.reader);
  for (size_t i = 0; i < graph.placeholder_count(); ++i) {
    InputSpec input{InputKind::UserInput, graph.node(NodeId(i)).stored_name};
    if (const auto parameter = target_in(signature, "inputs_to_parameters", input.name)) {
      input.kind = InputKind::Parameter;
      input.target = context_.intern(*parameter);
    } else if (const auto buffer = target_in(signature, "inputs_to_buffers", input.name)) {
      input.kind = InputKind::Buffer;
      input.target = context_.intern(*buffer);
      input.persistent = true;
    }
    program.signature.inputs.push_back(std::move(input));
  }
  const auto backward = signature.find("backward_signature");
  const auto* values = graph.node(graph.output()).inputs[0].value.as<TupleArg>();
  for (const Argument& value : values ? values->items : std::vector<Argument>()) {
    OutputSpec output;
    const NodeId* id = value.as<NodeId>();
    if (id) output.name = graph.node(*id).stored_name;
    auto is = [&](std::optional<JsonCursor> object, std::string_view map, OutputKind kind) {
      const auto target = object ? target_in(*object, map, output.name) : std::nullopt;
      if (!target) return false;
      output.kind = kind;
      output.target = context_.intern(*target);
      return true;
    };
    if (!is(signature, "buffers_to_mutate", OutputKind::BufferMutation) && !is(backward, "gradients_to_parameters", OutputKind::GradientToParameter) &&
        !is(backward, "gradients_to_user_inputs", OutputKind::GradientToUserInput) && backward) {
      const auto loss = backward->find("loss_output");
      if (loss && loss->is_string() && loss->text() == output.name) output.kind = OutputKind::LossOutput;
    }
    program.signature.outputs.push_back(std::move(output));
  }
}

void SignatureDecoder::link() {
  Program& program = context_.program;
  const Graph& graph = program.root_graph();
  if (offset_of_2_1_) make_specs_of_2_1();
  auto& inputs = program.signature.inputs;
  auto& outputs = program.signature.outputs;
  const std::string advice = "The signature does not fit the graph. Export the program again; if the file was edited, check it.";

  const size_t placeholders = graph.placeholder_count();
  if (inputs.size() != placeholders) {
    const std::string lacking = inputs.size() < placeholders ? ", from \"" + std::string(graph.node(NodeId(inputs.size())).name) + "\" on" : "";
    context_.finding(Severity::Warning, "signature.inputs",
                     "the signature describes " + std::to_string(inputs.size()) + " inputs, the graph has " + std::to_string(placeholders) + lacking,
                     "graph_module.signature.input_specs", advice);
  }
  for (size_t i = inputs.size(); i < placeholders; ++i) inputs.push_back({InputKind::UserInput, graph.node(NodeId(i)).stored_name});
  for (size_t i = 0; i < placeholders; ++i) {
    const Node& node = graph.node(NodeId(i));
    InputSpec& input = inputs[i];
    input.node = NodeId(i);
    if (input.name.empty()) input.name = node.stored_name;
    if (auto* meta = std::get_if<std::shared_ptr<const ConstantMeta>>(&node.val); meta && !input.constant) input.constant = (*meta)->value;
    if (input.name != node.stored_name)
      context_.finding(Severity::Warning, "signature.inputs",
                       "the signature calls input " + std::to_string(i) + " \"" + std::string(input.name) + "\", the graph calls it \"" + std::string(node.stored_name) + "\"",
                       "graph_module.signature.input_specs[" + std::to_string(i) + "]", advice, {GraphId(0), NodeId(i)});
  }

  const Argument& returned = graph.node(graph.output()).inputs[0].value;
  const TupleArg* tuple = returned.as<TupleArg>();
  const std::vector<Argument> single{returned};
  const std::vector<Argument>& values = tuple ? tuple->items : single;
  if (outputs.size() != values.size())
    context_.finding(Severity::Warning, "signature.outputs",
                     "the signature describes " + std::to_string(outputs.size()) + " outputs, the graph has " + std::to_string(values.size()),
                     "graph_module.signature.output_specs", advice);
  outputs.resize(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    OutputSpec& output = outputs[i];
    output.value = values[i];
    const NodeId* id = values[i].as<NodeId>();
    const std::string_view name = id ? graph.node(*id).stored_name : std::string_view();
    if (output.name.empty()) output.name = name;
    if (output.name != name)
      context_.finding(Severity::Warning, "signature.outputs",
                       "the signature calls output " + std::to_string(i) + " \"" + std::string(output.name) + "\", the graph returns \"" + std::string(name) + "\"",
                       "graph_module.signature.output_specs[" + std::to_string(i) + "]", advice, {GraphId(0), graph.output()});
  }
}

}  // namespace pt2::decode
