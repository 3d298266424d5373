#include "interp/repro.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <filesystem>
#include <set>

#include "core/base/display.h"
#include "core/base/file_writer.h"
#include "core/encode/cut_program.h"
#include "core/encode/torch_save_writer.h"
#include "core/encode/write_pt2.h"
#include "core/text/python_text.h"
#include "interp/capture.h"
#include "interp/cut_edits.h"
#include "interp/isolate_groups.h"
#include "interp/value_names.h"

namespace pt2::interp {

namespace {

TensorMeta meta_of(const Tensor& tensor) {
  TensorMeta meta;
  meta.dtype = tensor.dtype;
  for (int64_t size : tensor.sizes) meta.sizes.emplace_back().value = size;
  for (int64_t stride : tensor.strides) meta.strides.emplace_back().value = stride;
  return meta;
}

struct WrittenSide {
  std::vector<NodeId> outputs;
  std::set<NodeId> random;
  std::vector<std::string> notes;
};

void write_value(TorchSaveWriter& out, const Tensor* tensor, const Argument* constant) {
  if (tensor) out.value(*tensor);
  else if (!constant || constant->is_none()) out.none();
  else if (auto* b = constant->as<bool>()) out.value(*b);
  else if (auto* i = constant->as<int64_t>()) out.value(*i);
  else if (auto* d = constant->as<double>()) out.value(*d);
  else if (auto* c = constant->as<std::complex<double>>()) out.value(*c);
  else out.none();
}

// Runs the program, writes `path`, and adds what the results were to `expected` as a dict. `compared`: nodes whose values are wanted too.
Result<WrittenSide> write_side(const OpenedFile& file, const std::shared_ptr<const Program>& program, const std::vector<NodeRef>& nodes, const std::string& call,
                               RunRequest run, const std::string& path, TorchSaveWriter& expected, std::vector<NodeId> compared = {}, const Edits& edits = {}) {
  const GraphId graph_id = nodes.empty() ? program->root() : nodes[0].graph;
  CutRequest request;
  request.graph = graph_id;
  request.outputs = std::move(compared);
  for (NodeRef ref : nodes) {
    if (ref.graph != graph_id) return Error{ErrorKind::Failed, "the nodes are not all in one graph", "", "Choose nodes of the program or of one sub-graph."};
    request.nodes.push_back(ref.node);
  }
  const Graph& graph = program->graphs[graph_id];
  request.nodes = whole_calls(graph, request.nodes);
  if (request.nodes.empty()) return cut_program(*program, request).error();
  CutEdits edited(*program, edits, call, request);
  const auto listeners = edited.listen(file, program, run.inputs);
  if (!listeners) return listeners.error();
  Capture capture(*program, graph_id, request.nodes, call, *listeners, run.listener);
  run.listener = &capture;
  auto report = run_program(file, program, run);
  if (!report) return report.error();
  if (auto captured = capture.finish(); !captured) {
    Error error = captured.error();
    if (!report->failed.empty()) error.advice += (error.advice.empty() ? "" : " ") + ("The first node that failed: \"" + report->failed[0].node + "\", " + report->failed[0].message);
    return error;
  }
  for (const auto& [id, tensor] : capture.tensors) request.tensors[id] = meta_of(tensor);
  request.constants = capture.constants;
  request.symbols = [&](std::string_view symbol) -> std::optional<SymNumber> {
    const auto found = report->symbols.find(std::string(symbol));
    return found == report->symbols.end() ? std::nullopt : std::optional<SymNumber>(found->second);
  };
  auto cut = cut_program(*program, request);
  if (!cut) return cut.error();

  Pt2Content content{*cut->program, {}, {}, {}};
  TorchSaveWriter samples;
  samples.begin_tuple().begin_tuple();
  size_t next = 0;
  for (const InputSpec& spec : cut->program->signature.inputs) {
    if (spec.kind == InputKind::Token) continue;
    const Tensor& tensor = capture.tensors.at(cut->inputs[next++]);
    if (spec.kind == InputKind::UserInput) samples.value(tensor);
    else if (spec.kind == InputKind::Parameter || (spec.kind == InputKind::Buffer && spec.persistent.value_or(true))) content.weights.emplace_back(spec.target, tensor);
    else content.constants.emplace_back(spec.target, tensor);
  }
  samples.end_tuple().begin_dict().end_dict().end_tuple();
  auto bytes = samples.bytes();
  if (!bytes) return bytes.error();
  content.sample_inputs = std::move(*bytes);
  if (auto written = write_pt2(path, content); !written) return written.error();

  WrittenSide side;
  expected.begin_dict();
  for (NodeId id : cut->outputs) {
    const auto tensor = capture.tensors.find(id);
    const auto constant = capture.constants.find(id);
    expected.value(std::string_view(graph.node(id).name));
    write_value(expected, tensor == capture.tensors.end() ? nullptr : &tensor->second, constant == capture.constants.end() ? nullptr : &constant->second);
  }
  expected.end_dict();
  side.outputs = cut->outputs;
  side.random = std::move(capture.random);
  side.notes = std::move(edited.notes);
  side.notes.insert(side.notes.end(), capture.notes.begin(), capture.notes.end());
  side.notes.insert(side.notes.end(), cut->notes.begin(), cut->notes.end());
  return side;
}

std::string names_of(const Program& program, const std::vector<NodeRef>& nodes) {
  std::string text;
  constexpr size_t kNamed = 6;
  for (size_t i = 0; i < std::min(nodes.size(), kNamed); ++i)
    text += (i ? ", " : "") + display(qualified_name(program, nodes[i])) + (nodes.size() == 1 ? " (" + display(program.node(nodes[i]).target) + ")" : "");
  return text + (nodes.size() > kNamed ? ", …" : "");
}

// A comment of one line, whatever the file's texts hold.
std::string comment(const std::string& text) { return "# " + text + "\n"; }

std::string file_name(const OpenedFile& file) { return display(std::filesystem::path(file.path).filename().string()); }

// The results that were held against each other, for Python: "(\"mul\", \"mul_1\"), ".
std::string pairs_text(const ProgramSide& left, const std::vector<NodeId>& left_outputs, const ProgramSide& right, const std::vector<NodeId>& right_outputs,
                       const std::vector<std::pair<NodeRef, NodeRef>>& pairs) {
  auto gives = [](const std::vector<NodeId>& outputs, NodeRef ref) { return std::find(outputs.begin(), outputs.end(), ref.node) != outputs.end(); };
  std::string text;
  for (const auto& [l, r] : pairs)
    if (gives(left_outputs, l) && gives(right_outputs, r)) text += (text.empty() ? "" : ", ") + ("(" + python_repr(left.program->node(l).name)) + ", " + python_repr(right.program->node(r).name) + ")";
  return text;
}

// The results that no two runs give alike, for Python: "\"rand\", ".
std::string random_text(const Program& program, const std::vector<NodeRef>& nodes, const WrittenSide& side) {
  std::string text;
  for (NodeId id : side.outputs)
    if (side.random.count(id)) text += python_repr(program.graphs[nodes[0].graph].node(id).name) + ", ";
  return text;
}

// The call of the sub-graph these nodes are in, by the names of their own program.
CallsOfGraphs call_of(const Program& program, const std::vector<NodeRef>& nodes, const std::string& call) {
  if (nodes.empty() || call.empty()) return {};
  return {{nodes[0].graph, calls_of(program, nodes[0].graph, call)}};
}

CallsOfGraphs call_found(const std::vector<NodeRef>& nodes, const std::string& call) {
  return nodes.empty() || call.empty() ? CallsOfGraphs() : CallsOfGraphs{{nodes[0].graph, call}};
}

Result<void> make_folder(const std::string& folder) {
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) return Error{ErrorKind::Failed, "the folder cannot be made: " + problem.message(), folder, ""};
  return {};
}

// PyTorch registers its reference operators of quantization with this module only; other libraries are the reader's to import.
std::string imports(const Program& program, const std::vector<NodeRef>& nodes) {
  std::string text = "import pathlib, torch\n";
  std::set<std::string> libraries;
  for (NodeRef ref : nodes) {
    std::string_view target = program.node(ref).target;
    if (!target.starts_with("torch.ops.")) continue;
    target = target.substr(10, target.find('.', 10) - 10);
    if (target != "aten" && target != "prims" && target != "prim" && target != "higher_order") libraries.insert(display(target));
  }
  for (const std::string& library : libraries)
    text += library == "quantized_decomposed" ? "import torch.ao.quantization.fx._decomposed\n" : comment("Import what registers the operators of \"" + library + "\" here.");
  return text;
}

// The tolerance that was asked for; what was not is PyTorch's by dtype.
std::string tolerance_text(const Tolerance& tolerance) {
  const auto number = [](const std::optional<double>& value) { return value ? python_float(*value) : std::string("None"); };
  return "tolerance = (" + number(tolerance.rtol) + ", " + number(tolerance.atol) + ")  # rtol, atol; None: by dtype\n";
}

// Both scripts: what a program gives, and a line about a value held against what it should be.
constexpr std::string_view kScriptHead = R"(here = pathlib.Path(__file__).parent
def values(name):
    program = torch.export.load(here / name)
    args, kwargs = program.example_inputs
    return program.module()(*args, **kwargs)
defaults = {torch.float16: (1e-3, 1e-5), torch.bfloat16: (1.6e-2, 1e-5), torch.float32: (1.3e-6, 1e-5), torch.float64: (1e-7, 1e-7),
            torch.complex64: (1.3e-6, 1e-5), torch.complex128: (1e-7, 1e-7)}
def judged(found, expected, good):
    types, options = "", {}
    if isinstance(found, torch.Tensor) and isinstance(expected, torch.Tensor):
        wider = torch.promote_types(found.dtype, expected.dtype)
        if found.dtype != expected.dtype:
            types = f"{found.dtype} and {expected.dtype}, compared in {wider}: "
            found, expected = found.to(wider), expected.to(wider)
        if wider in defaults:
            options = {name: default if given is None else given for name, given, default in zip(("rtol", "atol"), tolerance, defaults[wider])}
    try:
        torch.testing.assert_close(found, expected, equal_nan=True, **options)
    except AssertionError as problem:
        return True, types + " ".join(str(problem).split())
    only_types = types and tolerance == (None, None)  # a tolerance lets them pass
    return bool(only_types), types + ("the values agree" if only_types else good)
def show(name, found, expected, good, sides, random):
    differs, text = (False, "random: no two runs give the same") if random else judged(found, expected, good)
    print(f"{name}: {text}")
    for side, value in zip(sides, (found, expected)) if random or differs else [("", found)]:
        print("   ", *filter(None, [side]), value.flatten()[:6].tolist() if isinstance(value, torch.Tensor) else value)
    return differs
)";

}  // namespace

Result<Repro> write_repro(const OpenedFile& file, std::shared_ptr<const Program> program, const std::vector<NodeRef>& nodes, RunRequest run, const std::string& folder,
                          const std::string& call, const Edits& edits) {
  if (auto made = make_folder(folder); !made) return made.error();
  Repro repro;
  const std::string base = (std::filesystem::path(folder) / "").string();
  TorchSaveWriter expected;
  auto side = write_side(file, program, nodes, call, std::move(run), base + "repro.pt2", expected, {}, edits);
  if (!side) return side.error();
  auto bytes = expected.bytes();
  if (!bytes) return bytes.error();
  std::string script = comment(names_of(*program, nodes) + " of " + file_name(file) + (call.empty() ? "" : " in " + call.substr(0, call.size() - 1)) + " on the inputs it had there; expected.pt holds what pt2scope computed.");
  for (const std::string& note : side->notes) script += comment(display(note));
  script += imports(*program, nodes) + tolerance_text({}) + std::string(kScriptHead) + "random = [" + random_text(*program, nodes, *side) + "]\n" + R"(differ = 0
for (name, expected), found in zip(torch.load(here / "expected.pt").items(), values("repro.pt2")):
    differ += show(name, found, expected, "as expected", ("PyTorch:    ", "expected.pt:"), name in random)
raise SystemExit(differ > 0)
)";
  if (auto written = write_file(base + "expected.pt", *bytes); !written) return written.error();
  if (auto written = write_file(base + "repro.py", script); !written) return written.error();
  repro.files = {base + "repro.pt2", base + "expected.pt", base + "repro.py"};
  repro.notes = std::move(side->notes);
  return repro;
}

Result<Repro> write_group_repro(const ProgramSide& left, const ProgramSide& right, const Diff& diff, size_t index, CompareRunsRequest request,
                                const std::string& folder, const std::string& call) {
  if (auto made = make_folder(folder); !made) return made.error();
  const std::string base = (std::filesystem::path(folder) / "").string();
  const NodeGroup& group = diff.groups[index];
  request.groups = &diff;
  request.isolate = false;
  request.find_calls = call.empty();  // the call in which it differs
  request.calls = {call_of(*left.program, group.left, call), call_of(*right.program, group.right, call)};
  auto numbers = compare_runs(left, right, request);
  if (!numbers) return numbers.error();
  if (const GroupNumbers& found = numbers->groups[index]; call.empty()) request.calls = {call_found(group.left, found.left_call), call_found(group.right, found.right_call)};
  auto inputs = shared_inputs(left, right, request);
  if (!inputs) return inputs.error();
  auto left_value = [&values = numbers->left_values.of](NodeRef ref) {
    const auto found = values.find(ref);
    return found == values.end() || !found->second.tensor ? nullptr : &*found->second.tensor;
  };
  IsolateGroups isolate(*right.program, *numbers, left_value, request.tolerance, request.calls.right, index);
  Repro repro;
  repro.notes = inputs->notes;
  TorchSaveWriter expected;
  expected.begin_dict();
  std::string script;
  std::vector<NodeId> left_outputs, right_outputs;
  std::string left_random, right_random;
  for (const bool first : {true, false}) {
    const ProgramSide& side = first ? left : right;
    const auto& nodes = first ? group.left : group.right;
    if (nodes.empty()) continue;
    const std::string name = first ? "left" : "right";
    RunRequest run;
    run.inputs = first ? std::move(inputs->left) : std::move(inputs->right);
    run.seed = request.seed;
    run.memory_bytes = request.memory_bytes;
    run.threads = request.threads;
    run.stop = request.stop;
    run.listener = first ? nullptr : &isolate;
    expected.value(std::string_view(name));
    const CallsOfGraphs& calls = first ? request.calls.left : request.calls.right;
    const std::string own_call = calls.empty() ? std::string() : calls[0].call;
    std::vector<NodeId> compared;
    for (const auto& [l, r] : numbers->groups[index].pairs) compared.push_back((first ? l : r).node);
    auto written = write_side(*side.file, side.program, nodes, own_call, std::move(run), base + name + ".pt2", expected, std::move(compared));
    if (!written) return Error{written.error().kind, name + ": " + written.error().message, written.error().where, written.error().advice};
    if (!first)
      for (const std::string& problem : isolate.operand_problems(nodes)) written->notes.push_back(problem + " in the first program: it has the second program's own value");
    script += comment(name + ".pt2: " + names_of(*side.program, nodes) + " of " + file_name(*side.file) + (own_call.empty() ? "" : ", call " + display(own_call.substr(0, own_call.size() - 1))));
    for (const std::string& note : written->notes) script += comment(display(note)), repro.notes.push_back(name + ": " + note);
    (first ? left_random : right_random) = random_text(*side.program, nodes, *written);
    (first ? left_outputs : right_outputs) = std::move(written->outputs);
    repro.files.push_back(base + name + ".pt2");
  }
  if (!group.left.empty() && !group.right.empty()) script += comment("Both read the values of " + file_name(*left.file) + " where these have a counterpart; weights are each program's own.");
  expected.end_dict();
  auto bytes = expected.bytes();
  if (!bytes) return bytes.error();
  const std::string head = imports(*left.program, group.left);
  const std::string right_head = imports(*right.program, group.right);
  script += (right_head.size() > head.size() ? right_head : head) + tolerance_text(request.tolerance) + std::string(kScriptHead);
  if (left_outputs.empty() || right_outputs.empty()) {
    script += "print(values(\"" + std::string(right_outputs.empty() ? "left" : "right") + ".pt2\"))\n";
  } else {
    script += "pairs = [" + pairs_text(left, left_outputs, right, right_outputs, numbers->groups[index].pairs) + "]\n";
    script += "random = {\"left\": [" + left_random + "], \"right\": [" + right_random + "]}\n";
    script += R"(names = torch.load(here / "expected.pt")
left, right = (dict(zip(names[side], values(side + ".pt2"))) for side in ("left", "right"))
differ = 0
for expected, found in pairs or zip(left, right):
    differ += show(expected, right[found], left[expected], "equal", ("right.pt2:", "left.pt2: "), expected in random["left"] or found in random["right"])
print(f"{differ} of {len(pairs) or min(len(left), len(right))} results differ")
raise SystemExit(differ > 0)
)";
  }
  if (auto written = write_file(base + "expected.pt", *bytes); !written) return written.error();
  if (auto written = write_file(base + "repro.py", script); !written) return written.error();
  repro.files.push_back(base + "expected.pt");
  repro.files.push_back(base + "repro.py");
  return repro;
}

}  // namespace pt2::interp
