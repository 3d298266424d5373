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
#include "interp/allocation.h"
#include "interp/edited_value.h"
#include "interp/isolate_groups.h"
#include "interp/value_names.h"

namespace pt2::interp {

namespace {

// Bytes from the first to the last element, so that a small view of much memory stays small.
std::pair<int64_t, int64_t> extent_bytes(const Tensor& tensor) {
  const int64_t item = item_size(tensor.dtype);
  int64_t last = tensor.offset;
  for (size_t d = 0; d < tensor.sizes.size(); ++d) last += (tensor.sizes[d] - 1) * tensor.strides[d];
  return tensor.numel() == 0 ? std::pair(tensor.offset * item, tensor.offset * item) : std::pair(tensor.offset * item, (last + 1) * item);
}

// Copies that share memory where the originals do.
std::vector<Tensor> copies(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> result = tensors;
  std::vector<bool> done(tensors.size(), false);
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (done[i]) continue;
    constexpr int64_t kAlignment = 16;  // the largest element
    auto [begin, end] = extent_bytes(tensors[i]);
    for (size_t k = i + 1; k < tensors.size(); ++k)
      if (tensors[k].storage.identity() == tensors[i].storage.identity()) {
        const auto [b, e] = extent_bytes(tensors[k]);
        begin = std::min(begin, b), end = std::max(end, e);
      }
    begin -= begin % kAlignment;
    const Storage storage = allocate(static_cast<size_t>(end - begin));
    if (end > begin) std::memcpy(storage.data(), tensors[i].storage.data() + begin, static_cast<size_t>(end - begin));
    for (size_t k = i; k < tensors.size(); ++k)
      if (tensors[k].storage.identity() == tensors[i].storage.identity()) {
        done[k] = true;
        result[k].storage = storage;
        result[k].offset = tensors[k].offset - begin / item_size(tensors[k].dtype);
      }
  }
  return result;
}

TensorMeta meta_of(const Tensor& tensor) {
  TensorMeta meta;
  meta.dtype = tensor.dtype;
  for (int64_t size : tensor.sizes) meta.sizes.emplace_back().value = size;
  for (int64_t stride : tensor.strides) meta.strides.emplace_back().value = stride;
  return meta;
}

// A Python value as a program writes it; `texts` keeps its strings. None: tensors and others cannot be written.
std::optional<Argument> argument_of(const RuntimeValue& value, std::deque<std::string>& texts) {
  if (value.is_none()) return Argument{};
  if (auto* b = value.as<bool>()) return Argument{*b};
  if (auto* i = value.as<int64_t>()) return Argument{*i};
  if (auto* d = value.as<double>()) return Argument{*d};
  if (auto* c = value.as<std::complex<double>>()) return Argument{*c};
  if (auto* s = value.as<std::string>()) return Argument{std::string_view(texts.emplace_back(*s))};
  if (auto* t = value.as<DType>()) return Argument{*t};
  if (auto* d = value.as<Device>()) return Argument{*d};
  if (auto* f = value.as<MemoryFormat>()) return Argument{*f};
  if (auto* l = value.as<TensorLayout>()) return Argument{*l};
  return std::nullopt;
}
std::optional<Argument> constant_argument(const RuntimeValue& value, std::deque<std::string>& texts) {
  if (!value.is<ListValue>()) return argument_of(value, texts);
  ListArg list;
  for (const RuntimeValue& item : value.items()) {
    auto argument = argument_of(item, texts);
    if (!argument) return std::nullopt;
    list.items.push_back(std::move(*argument));
  }
  return Argument{std::move(list)};
}

// Watches a run for what the nodes read and what they give.
class Capture : public RunListener {
 public:
  // `edits` come first; `then` hears of what a node gave afterwards, and may change it for later nodes.
  Capture(const Program& program, GraphId graph, const std::vector<NodeId>& nodes, const std::string& call, std::vector<RunListener*> edits, RunListener* then)
      : graph_(program.graphs[graph]), graph_id_(graph), call_(call), edits_(std::move(edits)), then_(then), nodes_(nodes.begin(), nodes.end()), outside_(outside_values(graph_, nodes)) {}

  std::optional<RuntimeValue> instead(const Frame& frame, NodeId id) override {
    for (RunListener* edit : edits_)
      if (auto given = edit->instead(frame, id)) return given;
    if (ended_ || frame.graph != graph_id_ || !nodes_.count(id) || (begun_ ? frame.path != path_ : !means_call(call_, frame.path))) return std::nullopt;
    begun_ = true;
    path_ = frame.path;
    read_values(frame, id);
    return std::nullopt;
  }
  void arguments(const Frame& frame, NodeId id, NamedValues& named) override {
    for (RunListener* edit : edits_) edit->arguments(frame, id, named);
  }
  void computed(const Frame& frame, NodeId id, NodeRun& run, RuntimeValue& value) override {
    for (RunListener* edit : edits_) edit->computed(frame, id, run, value);
  }
  void entered(const Frame& frame) override {
    for (RunListener* edit : edits_) edit->entered(frame);
  }
  void left(const Frame& frame) override {
    for (RunListener* edit : edits_) edit->left(frame);
  }
  void before_write(const Frame& frame, NodeId id, const Tensor& tensor) override {
    if (then_) then_->before_write(frame, id, tensor);
    if (!begun_ || ended_ || (frame.graph == graph_id_ && nodes_.count(id))) return;
    if (memories_.count(tensor.storage.identity()) && writer_.empty()) writer_ = frame.path + std::string(graph_.node(id).name);
  }
  void node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) override {
    for (RunListener* edit : edits_) edit->node_done(frame, id, run, value);
    record(frame, id, run, value);
    if (then_) then_->node_done(frame, id, run, value);
  }

  // After the run: the constants and tensors of a cut. An error: the nodes did not run, or somebody wrote to what they read in between.
  Result<void> finish() {
    if (!begun_) return Error{ErrorKind::Failed, "the nodes did not run, so there are no inputs to record", "", "A node before them failed, or their sub-graph was not called" + (call_.empty() ? "." : " so often: there is no " + call_.substr(0, call_.size() - 1) + ".")};
    if (!writer_.empty())
      return Error{ErrorKind::Failed, "\"" + writer_ + "\" writes to an input of these nodes while they run", "", "Add that node to them."};
    for (NodeId id : outside_)
      if (!tensors.count(id) && !constants.count(id) && missing_.count(id))
        return Error{ErrorKind::Failed, "the input \"" + std::string(graph_.node(id).name) + "\" has no value: " + missing_[id], "", ""};
    return {};
  }

  std::unordered_map<NodeId, Tensor> tensors;
  std::unordered_map<NodeId, Argument> constants;
  std::vector<std::string> notes;
  std::set<NodeId> random;  // of these nodes: no two runs give the same there, as they draw, or read what was drawn

 private:
  void record(const Frame& frame, NodeId id, const NodeRun& run, const RuntimeValue& value) {
    if (!begun_ || ended_ || frame.graph != graph_id_ || frame.path != path_ || !nodes_.count(id)) return;
    if (run.drew_random) notes.push_back("\"" + std::string(graph_.node(id).name) + "\" draws random numbers: PyTorch draws others");
    if (run.uninitialized) notes.push_back("\"" + std::string(graph_.node(id).name) + "\" returns uninitialised memory");
    if (run.drew_random || run.uninitialized || reads_random(id)) random.insert(id);
    if (auto* failed = std::get_if<Failed>(&run.outcome)) notes.push_back("\"" + std::string(graph_.node(id).name) + "\" has no value here: " + failed->message);
    if (run.done()) keep(id, value);
    ended_ = id == *nodes_.rbegin();
  }

  bool reads_random(NodeId id) const {
    bool reads = false;
    for (const NodeArgument& input : graph_.node(id).inputs) for_each_node(input.value, [&](NodeId value) { reads = reads || random.count(value); });
    return reads;
  }

  // All that is there before `next` runs, at once: what shares memory is seen to share it.
  void read_values(const Frame& frame, NodeId next) {
    std::vector<NodeId> ids;
    std::vector<Tensor> found;
    for (NodeId id : outside_) {
      if (id.index > next.index || tensors.count(id) || constants.count(id)) continue;
      const RuntimeValue& value = frame.values[id];
      if (auto* tensor = value.as<Tensor>()) {
        ids.push_back(id);
        found.push_back(*tensor);
        memories_.insert(tensor->storage.identity());
      } else if (auto constant = argument_of(value, texts_)) {
        constants[id] = std::move(*constant);
      } else if (!value.is<OpaqueValue>()) {
        missing_[id] = value.is<MissingValue>() ? "the node failed, or waits for one that did" : "a " + kind_text(value) + " cannot be an input";
      }
    }
    const std::vector<Tensor> copied = copies(found);
    for (size_t i = 0; i < ids.size(); ++i) tensors[ids[i]] = copied[i];
  }

  void keep(NodeId id, const RuntimeValue& value) {
    if (auto* tensor = value.as<Tensor>()) tensors[id] = copies({*tensor})[0];
    else if (auto constant = argument_of(value, texts_)) constants[id] = std::move(*constant);
  }

  const Graph& graph_;
  const GraphId graph_id_;
  const std::string call_;
  const std::vector<RunListener*> edits_;
  RunListener* const then_;
  const std::set<NodeId> nodes_;
  const std::vector<NodeId> outside_;
  std::unordered_map<NodeId, std::string> missing_;
  std::set<const void*> memories_;
  std::deque<std::string> texts_;
  std::string path_, writer_;
  bool begun_ = false, ended_ = false;
};

// The edits of a run beside some of its nodes that are cut out, `request`: those before them are made in the run, what was edited in them is written.
class CutEdits {
 public:
  CutEdits(const Program& program, const Edits& edits, const std::string& call, CutRequest& request) : program_(program), call_(call), request_(request), edits_(edits) {
    if (!edits_.empty()) notes.push_back("the values are those of the run with its " + std::to_string(edits_.size()) + (edits_.size() == 1 ? " edit" : " edits"));
    std::erase_if(edits_.values, [this](const ValueEdit& edit) { return holds_inside(edit.node, edit.call) && !becomes_input(edit.node); });
    std::erase_if(edits_.arguments, [this](const ArgumentEdit& edit) { return holds_inside(edit.node, edit.call) && !is_written(edit); });
  }
  // What the run is to be made with.
  Result<std::vector<RunListener*>> listen(const OpenedFile& file, const std::shared_ptr<const Program>& program, InputRequest& inputs) {
    if (edits_.empty()) return std::vector<RunListener*>();
    for (const InputEdit& edit : edits_.inputs) inputs.texts.emplace_back(edit.name, edit.text);
    auto made = make_program_inputs(*program, *file.archive, inputs);
    if (!made) return made.error();
    values_.emplace(program, edits_, made->symbols);
    arguments_.emplace(*program, edits_.arguments);
    return std::vector<RunListener*>{&*values_, &*arguments_};
  }
  std::vector<std::string> notes;

 private:
  bool is_cut(NodeId id) const { return std::find(request_.nodes.begin(), request_.nodes.end(), id) != request_.nodes.end(); }
  // Whether the edit is of a node of the cut, or of a sub-graph that the cut calls.
  bool holds_inside(NodeRef node, const std::string& call) const {
    if (node.graph == request_.graph) return is_cut(node.node) && means_call(call, call_);
    for (GraphId at = node.graph; at.valid() && at != program_.root(); at = program_.graphs[at].parent)
      if (const Graph& inner = program_.graphs[at]; inner.parent == request_.graph) {
        const auto users = program_.graphs[inner.parent].users(inner.parent_node);
        return std::any_of(users.begin(), users.end(), [this](NodeId user) { return is_cut(user); });
      }
    return false;
  }
  bool becomes_input(NodeRef ref) {
    const Node& node = program_.node(ref);
    const std::string name = display(qualified_name(program_, ref));
    const bool can = ref.graph == request_.graph && request_.nodes.size() > 1 && tensor_meta(node.val) && !returns_what_it_wrote(node);
    notes.push_back(can ? "\"" + name + "\" is an input here, with the value it was edited to have" : "the edit of \"" + name + "\" is left out: it is computed here");
    if (can) std::erase(request_.nodes, ref.node);
    return can;
  }
  bool is_written(const ArgumentEdit& edit) {
    auto value = edit.node.graph == request_.graph || edit.call.empty() ? constant_argument(edit.value, texts_) : std::nullopt;
    if (value) request_.arguments.push_back({edit.node, edit.argument, std::move(*value)});
    else notes.push_back("the edited \"" + edit.argument + "\" of \"" + display(name_in_call(program_, edit.node, edit.call)) + "\" is left out");
    return value.has_value();
  }

  const Program& program_;
  const std::string& call_;
  CutRequest& request_;
  Edits edits_;
  std::deque<std::string> texts_;
  std::optional<ValueEdits> values_;
  std::optional<ArgumentEdits> arguments_;
};

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

// Both scripts: what a program gives, and a line about a value held against what it should be.
constexpr std::string_view kScriptHead = R"(here = pathlib.Path(__file__).parent
def values(name):
    program = torch.export.load(here / name)
    args, kwargs = program.example_inputs
    return program.module()(*args, **kwargs)
def difference(found, expected):
    try:
        torch.testing.assert_close(found, expected, equal_nan=True)
    except AssertionError as problem:
        return " ".join(str(problem).split())
def show(name, found, expected, good, sides, random):
    problem = "" if random else difference(found, expected)
    print(f"{name}: {'random: no two runs give the same' if random else problem or good}")
    for side, value in zip(sides, (found, expected)) if random or problem else [("", found)]:
        print("   ", *filter(None, [side]), value.flatten()[:6].tolist() if isinstance(value, torch.Tensor) else value)
    return bool(problem)
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
  script += imports(*program, nodes) + std::string(kScriptHead) + "random = [" + random_text(*program, nodes, *side) + "]\n" + R"(differ = 0
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
  script += (right_head.size() > head.size() ? right_head : head) + std::string(kScriptHead);
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
