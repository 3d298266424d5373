// The second value of a comparison: a recorded reference, another step, another value, the counterpart in another program, a file.
#include <algorithm>
#include <charconv>
#include <filesystem>

#include "core/base/display.h"
#include "core/tensor/tensor_files.h"
#include "interp/compare_values.h"
#include "views/workspace/comparison.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/value_source.h"

namespace pt2::views {
namespace {

using Kind = CompareWith::Kind;

constexpr size_t kMaxOtherSteps = 200;

ShownValue without(std::string note) {
  ShownValue value;
  value.note = std::move(note);
  return value;
}

ShownValue from_tensor(const Tensor& tensor, std::string key, std::string origin, const std::optional<Tensor>& like) {
  ShownValue value;
  value.state = ShownValue::State::Ready;
  value.tensor = like && interp::is_pairs_of(tensor, *like) && tensor.offset % 2 == 0 ? interp::as_complex(tensor) : tensor;
  value.key = std::move(key);
  value.origin = std::move(origin);
  return value;
}

const interp::Debugger* debugger_of(const Document& document) { return document.debug ? document.debug->debugger() : nullptr; }

// Under the key that a record uses: the path of the call, then the name; a value that was written to by the end has its last state apart.
ShownValue from_reference(const Document& document, NodeRef node, const ShownValue& own) {
  const interp::Debugger* debugger = debugger_of(document);
  const TensorFile* reference = debugger ? debugger->reference() : nullptr;
  if (!reference) return without("No reference is loaded.");
  std::string key(document.program()->node(node).name);
  if (const auto at = debugger->shown(node)) {
    const interp::ExecutionTrace& trace = debugger->trace();
    key = trace.frames()[at->frame].path + key;
    if (const auto writes = trace.writes_to(*at); !writes.empty() && writes.back() < debugger->time() && reference->find("final/" + key)) key = "final/" + key;
    else if (!writes.empty() && writes.front() < debugger->time()) return without("The reference holds this value as it was before it was written to.");
  }
  const Tensor* tensor = reference->find(key);
  if (!tensor) return without("The reference holds no value \"" + display(key) + "\".");
  return from_tensor(*tensor, "reference:" + std::to_string(document.id.index) + ":" + std::to_string(debugger->reference_revision()) + ":" + key, display(key), own.tensor);
}

// The last value of the counterparts that has the same shape, else the last one.
ShownValue from_nodes(const Document& document, const std::vector<NodeRef>& nodes, const ShownValue& own, DerivedCache& derived) {
  ShownValue last;
  for (size_t i = nodes.size(); i-- > 0;) {
    ShownValue value = shown_value(document, nodes[i], derived);
    value.origin = display(node_path(*document.program(), nodes[i])) + " of " + display(document.title()) + (value.origin.empty() ? "" : ", " + value.origin);
    if (value.tensor && own.tensor && value.tensor->sizes == own.tensor->sizes) return value;
    if (i + 1 == nodes.size()) last = std::move(value);
  }
  return last;
}

// Inputs of the user that were not the same when the two sides ran, by A's names; nothing while that is being looked at.
std::string different_inputs(const Document& left, const Document& right, const Diff& diff, DerivedCache& derived) {
  std::string names;
  for (const InputSpec& spec : left.program()->signature.inputs) {
    if (spec.kind != InputKind::UserInput || !spec.node) continue;
    const NodeRef input{left.program()->root(), spec.node};
    const auto pair = std::find_if(diff.placeholders.begin(), diff.placeholders.end(), [&](const auto& both) { return both.first == input; });
    if (pair == diff.placeholders.end()) continue;
    const ShownValue a = shown_value(left, input, derived), b = shown_value(right, pair->second, derived);
    if (a.state != ShownValue::State::Ready || b.state != ShownValue::State::Ready) continue;
    bool same = a.text == b.text;
    if (a.tensor && b.tensor) {
      if (a.tensor->dtype != b.tensor->dtype) continue;
      const auto equal = derived.get<bool>("same input:" + a.key + "|" + b.key, "Comparing inputs", [x = *a.tensor, y = *b.tensor](Job&) { return interp::compare_tensors(y, x, {0.0, 0.0}).equal; });
      same = !equal || *equal;
    }
    if (!same) names += (names.empty() ? "" : ", ") + display(left.program()->root_graph().node(spec.node).name);
  }
  return names;
}

ShownValue from_other_program(const Workspace& workspace, const Document& document, NodeRef node, const ShownValue& own, DerivedCache& derived) {
  const Comparison& pair = workspace.comparison;
  const bool left = pair.left == document.id;
  if (pair.active() && (left || pair.right == document.id)) {
    const Document* other = workspace.document(left ? pair.right : pair.left);
    const auto diff = pair.result ? pair.result->diff : nullptr;
    if (!other || !other->program() || !diff) return without(other && other->loaded() ? "Comparing the programs…" : "The other program is not open.");
    const NodeRef partner = partner_in_numbers(pair, left, node);
    const auto nodes = partner.node ? std::vector<NodeRef>{partner} : counterparts(*diff, left, node);
    if (nodes.empty()) return without("It has no counterpart in " + display(other->title()) + ".");
    ShownValue value = from_nodes(*other, nodes, own, derived);
    if (!value.tensor || document.program()->node(node).kind == NodeKind::Placeholder) return value;
    const std::string inputs = different_inputs(left ? document : *other, left ? *other : document, *diff, derived);
    if (!inputs.empty()) value.note = "A and B ran on different inputs (" + inputs + "): Run both runs them on the same.";
    return value;
  }
  // Two programs that are open side by side without a comparison: the value of the same name.
  const std::string name = node_path(*document.program(), node);
  for (const auto& other : workspace.documents()) {
    if (other->id == document.id || !other->program()) continue;
    if (const NodeRef same = find_node(*other->program(), name); same.node) return from_nodes(*other, {same}, own, derived);
  }
  return without(workspace.documents().size() < 2 ? "No other program is open." : "No other program has a value of this name; Compare matches programs.");
}

// What the node gave in the same call before anything was edited.
ShownValue from_run_without_edits(const Document& document, NodeRef node) {
  const interp::Debugger* debugger = debugger_of(document);
  const auto at = debugger ? debugger->shown(node) : std::nullopt;
  const auto value = at ? debugger->original_value(*at) : std::nullopt;
  if (!value) return without("Nothing is edited, or the run without edits has no such value.");
  const Tensor* tensor = value->as<Tensor>();
  if (!tensor) return without("It is no tensor.");
  return from_tensor(*tensor, "original:" + std::to_string(document.id.index) + ":" + std::to_string(debugger->run_number()) + ":" + std::to_string(at->frame.index) + ":" + std::to_string(at->node.index), "without edits", std::nullopt);
}

struct FileValue {
  std::optional<Tensor> tensor;
  std::string problem;
};

ShownValue from_file(const std::string& argument, const std::string& name, const ShownValue& own, DerivedCache& derived) {
  const size_t hash = argument.rfind('#');
  const std::string path = argument.substr(0, hash), wanted = hash == std::string::npos ? std::string() : argument.substr(hash + 1);
  const std::string key = "file:" + argument + ":" + name;
  const auto read = derived.get<FileValue>(key, "Reading " + display_cut(path, 60), [path, wanted, name](Job&) {
    FileValue value;
    const auto file = read_tensor_file(path);
    if (!file) {
      value.problem = display(file.error().message);
      return value;
    }
    const Tensor* tensor = !wanted.empty() ? file->find(wanted) : file->tensors.size() == 1 ? &file->tensors.front().second : file->find(name);
    if (tensor) value.tensor = *tensor;
    else value.problem = wanted.empty() ? "The file holds no \"" + display(name) + "\"; PATH#KEY names another of its " + std::to_string(file->tensors.size()) + " tensors." : "The file holds no \"" + display(wanted) + "\".";
    return value;
  });
  if (!read) {
    ShownValue value;
    value.state = ShownValue::State::Loading;
    return value;
  }
  if (!read->tensor) return without(read->problem);
  return from_tensor(*read->tensor, key, display(std::filesystem::path(path).filename().string()), own.tensor);
}

}  // namespace

std::optional<CompareWith> compare_from_text(std::string_view text) {
  const size_t space = text.find(' ');
  const std::string_view word = text.substr(0, space);
  CompareWith with;
  if (const size_t rest = text.find_first_not_of(' ', word.size()); rest != std::string_view::npos) with.text = text.substr(rest);
  if (word == "none") return CompareWith();
  if (word == "reference") return CompareWith{Kind::Reference, {}, 0};
  if (word == "other") return CompareWith{Kind::Other, {}, 0};
  if (word == "original") return CompareWith{Kind::Original, {}, 0};
  if (word == "kept") return CompareWith{Kind::Kept, {}, 0};
  if (with.text.empty()) return std::nullopt;
  if (word == "value" || word == "file") {
    with.kind = word == "value" ? Kind::Value : Kind::File;
    return with;
  }
  if (word != "step") return std::nullopt;
  with.kind = Kind::Step;
  const auto [end, error] = std::from_chars(with.text.data(), with.text.data() + with.text.size(), with.step);
  if (error != std::errc{} || end != with.text.data() + with.text.size()) return std::nullopt;
  with.text.clear();
  return with;
}

std::string compare_text(const CompareWith& with) {
  switch (with.kind) {
    case Kind::None: return "none";
    case Kind::Reference: return "reference";
    case Kind::Step: return "step " + std::to_string(with.step);
    case Kind::Value: return "value " + with.text;
    case Kind::Other: return "other";
    case Kind::Original: return "original";
    case Kind::File: return "file " + with.text;
    case Kind::Kept: return "kept";
  }
  return {};
}

std::string compare_title(const CompareWith& with) {
  switch (with.kind) {
    case Kind::None: return {};
    case Kind::Reference: return "reference";
    case Kind::Step: return "step " + std::to_string(with.step);
    case Kind::Value: return display_cut(with.text, 40);
    case Kind::Other: return "other program";
    case Kind::Original: return "run without edits";
    case Kind::File: return display_cut(std::filesystem::path(with.text).filename().string(), 40);
    case Kind::Kept: return "kept value";
  }
  return {};
}

ShownValue compared_value(const Workspace& workspace, const Document& document, const std::string& name, const ShownValue& own, const CompareWith& with, DerivedCache& derived) {
  if (with.kind == Kind::None || with.kind == Kind::Kept) return {};
  if (with.kind == Kind::File) return from_file(with.text, name, own, derived);
  if (with.kind == Kind::Value) {
    ShownValue value = named_value(document, with.text, derived);
    value.origin = display_cut(with.text, 80) + (value.origin.empty() ? "" : ", " + value.origin);
    return value;
  }
  const NodeRef node = document.program() ? find_node(*document.program(), name) : NodeRef();
  if (!node.node) return without("The file holds no program.");
  if (with.kind == Kind::Original) return from_run_without_edits(document, node);
  if (with.kind == Kind::Step) return value_at_step(document, node, with.step);
  return with.kind == Kind::Reference ? from_reference(document, node, own) : from_other_program(workspace, document, node, own, derived);
}

std::vector<OtherStep> other_steps(const Document& document, const std::string& name) {
  std::vector<OtherStep> steps;
  const interp::Debugger* debugger = debugger_of(document);
  const NodeRef node = debugger ? find_node(*document.program(), name) : NodeRef();
  if (!node.node) return steps;
  const interp::ExecutionTrace& trace = debugger->trace();
  const auto calls = trace.calls_of(node.graph);
  for (size_t call = 0; call < calls.size(); ++call) {
    const interp::TraceRef at{calls[call], node.node};
    const auto made = trace.step_of(at);
    if (!made) continue;
    const auto writes = trace.writes_to(at);
    const std::string where = calls.size() > 1 ? "call " + std::to_string(call) + ", " : "";
    if (calls.size() > 1 || !writes.empty()) steps.push_back({*made, where + (writes.empty() ? "" : "first, ") + "step " + std::to_string(*made)});
    for (const size_t write : writes)
      steps.push_back({write, where + "after " + display_cut(document.program()->graphs[trace.frames()[trace.steps()[write].at.frame].graph].node(trace.steps()[write].at.node).name, 40) + ", step " + std::to_string(write)});
    if (steps.size() > kMaxOtherSteps) break;
  }
  return steps;
}

}  // namespace pt2::views
