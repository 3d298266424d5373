#include "views/workspace/value_source.h"

#include <vector>

#include "core/archive/archive.h"
#include "core/base/display.h"
#include "core/sample_inputs.h"
#include "interp/compare_runs.h"
#include "interp/unsupported.h"
#include "interp/watch_expression.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/identity.h"
#include "views/workspace/labels.h"
#include "views/workspace/run_facts.h"

namespace pt2::views {
namespace {

struct ReadValue {
  std::optional<Tensor> tensor;
  std::string text, problem;
};

std::string problem_text(const Error& error) { return display(error.message) + (error.advice.empty() ? "" : " " + display(error.advice)); }

ReadValue read(const Archive& archive, const std::string& model, TensorRole role, const std::string& name) {
  ReadValue value;
  auto tensor = archive.read_tensor(model, role, name);
  if (tensor) value.tensor = std::move(*tensor);
  else value.problem = problem_text(tensor.error());
  return value;
}

// A parameter or buffer is a weight, or, where it is not persistent, among the constants.
ReadValue read_stored(const Archive& archive, const std::string& model, InputKind kind, const std::string& name) {
  const TensorRole first = kind == InputKind::TensorConstant ? TensorRole::Constant : TensorRole::Weight;
  const TensorRole second = kind == InputKind::TensorConstant ? TensorRole::Weight : TensorRole::Constant;
  for (const TensorInfo& info : archive.tensors(model))
    if (info.name == name && info.role == second) {
      bool in_first = false;
      for (const TensorInfo& other : archive.tensors(model)) in_first |= other.name == name && other.role == first;
      if (!in_first) return read(archive, model, second, name);
      break;
    }
  return read(archive, model, first, name);
}

std::string plain_text(const PickleValue& value) {
  if (std::holds_alternative<PickleNone>(value.value)) return "None";
  if (auto* v = std::get_if<bool>(&value.value)) return *v ? "True" : "False";
  if (auto* v = std::get_if<int64_t>(&value.value)) return std::to_string(*v);
  if (auto* v = std::get_if<double>(&value.value)) return number_label(*v, 17);
  if (auto* v = std::get_if<std::complex<double>>(&value.value)) return number_label(v->real(), 17) + (v->imag() < 0 ? "" : "+") + number_label(v->imag(), 17) + "j";
  if (auto* v = std::get_if<std::string>(&value.value)) return "'" + display(*v) + "'";
  return "";
}

ReadValue read_sample(const Archive& archive, const Program& program, size_t user_input) {
  ReadValue value;
  auto samples = archive.sample_inputs(program.name);
  if (!samples) {
    value.problem = problem_text(samples.error());
    return value;
  }
  if (std::holds_alternative<PickleNone>(samples->value)) {
    value.problem = "The file holds no sample inputs. Run the program with inputs of your own to see a value.";
    return value;
  }
  const SampleLeaves leaves = sample_leaves(*samples, program);
  const PickleValue* leaf = user_input < leaves.values.size() ? leaves.values[user_input] : nullptr;
  if (!leaf) {
    value.problem = "The sample inputs of the file have another structure than the program's inputs.";
    return value;
  }
  if (auto* tensor = std::get_if<PickleTensor>(&leaf->value)) return read(archive, program.name, TensorRole::SampleInput, tensor->name);
  value.text = plain_text(*leaf);
  return value;
}

ShownValue shown(std::shared_ptr<const ReadValue> read, std::string key, std::string origin) {
  ShownValue value;
  value.key = std::move(key);
  value.origin = std::move(origin);
  if (!read) {
    value.state = ShownValue::State::Loading;
  } else if (read->problem.empty()) {
    value.state = ShownValue::State::Ready;
    value.tensor = read->tensor;
    value.text = read->text;
  } else {
    value.note = read->problem;
  }
  return value;
}

ShownValue without_value(std::string note) {
  ShownValue value;
  value.note = std::move(note);
  return value;
}

// A value as a run recorded it, or why it did not; `time` counts the steps that had ended. nullopt: it was not run.
// With the reason where there is one: sparse layouts, code of another device.
std::string missing_text(const std::string& target) {
  const std::string_view reason = interp::why_unsupported(target);
  return "This build has no implementation of " + display(target) + (reason.empty() ? "." : ": " + std::string(reason) + ".");
}

std::optional<ShownValue> recorded_value(const Document& document, interp::TraceRef at, const std::optional<interp::RuntimeValue>& value, size_t time) {
  const interp::Debugger& debugger = *document.debug->debugger();
  const interp::ExecutionTrace& trace = debugger.trace();
  ShownValue shown;
  const interp::NodeRun* run = trace.run_of(at);
  if (run && !run->done()) {
    if (auto* failed = std::get_if<interp::Failed>(&run->outcome)) shown.note = "Failed: " + display_lines(failed->message);
    else if (auto* unsupported = std::get_if<interp::Unsupported>(&run->outcome)) shown.note = missing_text(unsupported->target);
    else if (auto* blocked = std::get_if<interp::Blocked>(&run->outcome)) shown.note = "Waits for a node that gave no value: " + display(node_path(*document.program(), blocked->waits_for));
    return shown;
  }
  shown.origin = "step " + std::to_string(trace.step_of(at).value_or(0));
  if (!trace.frames()[at.frame].path.empty()) shown.origin += "   " + display(trace.frames()[at.frame].path);
  if (!value) {
    if (!trace.is_dropped(at)) return std::nullopt;
    shown.dropped = at;
    shown.note = "Not kept: the memory for values is used up. It can be computed again in about " + duration_label(debugger.recompute_cost_us(at)) + ".";
    return shown;
  }
  // Writes that came after it and had ended by the time shown make another value of it.
  size_t writes = 0;
  for (const size_t write : trace.writes_to(at)) writes += write < time;
  if (writes) shown.origin += ", written to " + std::to_string(writes) + (writes == 1 ? " time since" : " times since");
  shown.key = "run:" + std::to_string(document.id.index) + ":" + std::to_string(document.debug->debugger()->run_number()) + ":" + std::to_string(at.frame.index) + ":" + std::to_string(at.node.index) + ":" +
              std::to_string(writes);
  shown.state = ShownValue::State::Ready;
  if (auto* tensor = value->as<Tensor>()) shown.tensor = *tensor;
  else shown.text = display_lines(interp::summary(*value));
  return shown;
}

std::string output_note(const Program& program, NodeRef output) {
  std::string names;
  for (const NodeArgument& input : program.node(output).inputs)
    for_each_node(input.value, [&](NodeId node) { names += (names.empty() ? "" : ", ") + display(program.graphs[output.graph].node(node).name); });
  if (names.empty()) return "It returns no value of a node.";
  return "It returns " + display_cut(names, 400) + ". Select a node to see its value.";
}

// As "Run both" of a comparison gave it; nullopt: nothing of that is shown.
std::optional<ShownValue> value_of_both(const Document& document, NodeRef ref) {
  const ValuesOfBoth* both = document.debug ? document.debug->both() : nullptr;
  if (!both) return std::nullopt;
  const auto found = both->values->of.find(ref);
  if (found == both->values->of.end()) {
    const std::string problem = both->problem(ref);
    return problem.empty() ? std::nullopt : std::optional(without_value(display_lines(problem)));
  }
  ShownValue shown;
  shown.state = ShownValue::State::Ready;
  shown.tensor = found->second.tensor;
  shown.text = display_lines(found->second.text);
  shown.origin = "Run both, " + display_cut(both->inputs, 80);
  shown.key = both->key + ":" + std::to_string(ref.graph.index) + ":" + std::to_string(ref.node.index);
  return shown;
}

const interp::Debugger* debugger_of(const Document& document) { return document.debug ? document.debug->debugger() : nullptr; }

// At the time that is shown; nullopt: it was not run, or not yet by then.
std::optional<ShownValue> run_value(const Document& document, NodeRef ref) {
  const interp::Debugger* debugger = debugger_of(document);
  const auto at = debugger ? debugger->shown(ref) : std::nullopt;
  if (!at) return std::nullopt;
  return recorded_value(document, *at, debugger->value(ref), debugger->time());
}

// Looking back: the step in which the run evaluates it later.
std::optional<size_t> step_ahead(const Document& document, NodeRef ref) {
  const interp::Debugger* debugger = debugger_of(document);
  if (!debugger || !debugger->in_the_past()) return std::nullopt;
  const auto& steps = debugger->trace().steps();
  for (size_t step = debugger->time(); step < steps.size(); ++step)
    if (document.debug->node_of(steps[step].at) == ref) return step;
  return std::nullopt;
}

}  // namespace

ShownValue shown_value(const Document& document, NodeRef ref, DerivedCache& derived) {
  const Program* program = document.program();
  if (!program || !ref.node) return {};
  if (auto value = value_of_both(document, ref)) return std::move(*value);
  if (auto value = run_value(document, ref)) return std::move(*value);
  const Node& node = program->node(ref);
  if (const auto ahead = step_ahead(document, ref); ahead && node.kind == NodeKind::CallFunction)
    return without_value("Lies ahead: it is evaluated at step " + std::to_string(*ahead) + ". Step over (F10) or the Timeline pane goes there.");
  if (node.kind == NodeKind::Output) return without_value(output_note(*program, ref));
  if (node.kind == NodeKind::GetAttr) return without_value("It names a sub-graph, which has no value.");
  if (node.kind != NodeKind::Placeholder) return without_value("Not evaluated yet. Run the program (F5) to see its value.");
  if (ref.graph != program->root()) return without_value("An input of a sub-graph has a value only while its operator runs.");
  const std::string key = "value:" + std::to_string(identity_of(document.file()->archive)) + ":" + std::to_string(ref.node.index);
  size_t user_inputs = 0;
  for (const InputSpec& spec : program->signature.inputs) {
    if (spec.node != ref.node) {
      user_inputs += spec.kind == InputKind::UserInput;
      continue;
    }
    const auto archive = document.file()->archive;
    const std::string model = program->name;
    switch (spec.kind) {
      case InputKind::Parameter:
      case InputKind::Buffer:
      case InputKind::TensorConstant:
        return shown(derived.get<ReadValue>(key, "Reading " + display_cut(spec.target, 40),
                                            [archive, model, kind = spec.kind, target = std::string(spec.target)](Job&) { return read_stored(*archive, model, kind, target); }),
                     key, std::string(kind_name(spec.kind)) + " " + display(spec.target));
      case InputKind::UserInput:
        return shown(derived.get<ReadValue>(key, "Reading sample inputs",
                                            [archive, program = std::get<Loaded>(document.state).program, user_inputs, name = std::string(node.name)](Job&) {
                                              return read_sample(*archive, *program, user_inputs);
                                            }),
                     key, "sample input");
      case InputKind::CustomObj: return without_value("A script object; what is in it cannot be shown.");
      case InputKind::Token: return without_value("A token orders effects; it has no value.");
    }
  }
  return {};
}

ShownValue shown_tensor(const Document& document, const std::string& name, DerivedCache& derived) {
  if (!document.file()) return {};
  const std::string key = "value:" + std::to_string(identity_of(document.file()->archive)) + ":" + name;
  return shown(derived.get<ReadValue>(key, "Reading " + display_cut(name, 40), [archive = document.file()->archive, name](Job&) { return read(*archive, "", TensorRole::Tensor, name); }),
               key, "tensor");
}

ShownValue value_at_step(const Document& document, NodeRef ref, size_t step) {
  const interp::Debugger* debugger = debugger_of(document);
  const auto at = debugger ? debugger->trace().latest(ref, step) : std::nullopt;
  if (!at) return without_value("It had no value at step " + std::to_string(step) + ".");
  if (auto value = recorded_value(document, *at, debugger->trace().value_at(*at, step), step + 1)) return std::move(*value);
  return without_value("It had no value at step " + std::to_string(step) + ".");
}

ShownValue named_value(const Document& document, const std::string& name, DerivedCache& derived) {
  if (!document.program()) return shown_tensor(document, name, derived);
  const NodeRef node = find_node(*document.program(), name);
  if (!node.node) return without_value("There is no value \"" + display(name) + "\" in this program.");
  return shown_value(document, node, derived);
}

}  // namespace pt2::views
