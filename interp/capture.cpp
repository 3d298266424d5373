#include "interp/capture.h"

#include <algorithm>
#include <cstring>

#include "core/encode/cut_program.h"
#include "interp/allocation.h"
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

}  // namespace

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

Capture::Capture(const Program& program, GraphId graph, const std::vector<NodeId>& nodes, const std::string& call, std::vector<RunListener*> edits, RunListener* then)
    : graph_(program.graphs[graph]), graph_id_(graph), call_(call), edits_(std::move(edits)), then_(then), nodes_(nodes.begin(), nodes.end()), outside_(outside_values(graph_, nodes)){}

std::optional<RuntimeValue> Capture::instead(const Frame& frame, NodeId id) {
  for (RunListener* edit : edits_)
    if (auto given = edit->instead(frame, id)) return given;
  if (ended_ || frame.graph != graph_id_ || !nodes_.count(id) || (begun_ ? frame.path != path_ : !means_call(call_, frame.path))) return std::nullopt;
  begun_ = true;
  path_ = frame.path;
  read_values(frame, id);
  return std::nullopt;
}

void Capture::before_write(const Frame& frame, NodeId id, const Tensor& tensor) {
  if (then_) then_->before_write(frame, id, tensor);
  if (!begun_ || ended_ || (frame.graph == graph_id_ && nodes_.count(id))) return;
  if (memories_.count(tensor.storage.identity()) && writer_.empty()) writer_ = frame.path + std::string(graph_.node(id).name);
}

void Capture::node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) {
  for (RunListener* edit : edits_) edit->node_done(frame, id, run, value);
  record(frame, id, run, value);
  if (then_) then_->node_done(frame, id, run, value);
}

Result<void> Capture::finish() {
  if (!begun_) return Error{ErrorKind::Failed, "the nodes did not run, so there are no inputs to record", "", "A node before them failed, or their sub-graph was not called" + (call_.empty() ? "." : " so often: there is no " + call_.substr(0, call_.size() - 1) + ".")};
  if (!writer_.empty())
    return Error{ErrorKind::Failed, "\"" + writer_ + "\" writes to an input of these nodes while they run", "", "Add that node to them."};
  for (NodeId id : outside_)
    if (!tensors.count(id) && !constants.count(id) && missing_.count(id))
      return Error{ErrorKind::Failed, "the input \"" + std::string(graph_.node(id).name) + "\" has no value: " + missing_[id], "", ""};
  return {};
}

void Capture::record(const Frame& frame, NodeId id, const NodeRun& run, const RuntimeValue& value) {
  if (!begun_ || ended_ || frame.graph != graph_id_ || frame.path != path_ || !nodes_.count(id)) return;
  if (run.drew_random) notes.push_back("\"" + std::string(graph_.node(id).name) + "\" draws random numbers: PyTorch draws others");
  if (run.uninitialized) notes.push_back("\"" + std::string(graph_.node(id).name) + "\" returns uninitialised memory");
  if (run.drew_random || run.uninitialized || reads_random(id)) random.insert(id);
  if (auto* failed = std::get_if<Failed>(&run.outcome)) notes.push_back("\"" + std::string(graph_.node(id).name) + "\" has no value here: " + failed->message);
  if (run.done()) keep(id, value);
  ended_ = id == *nodes_.rbegin();
}

bool Capture::reads_random(NodeId id) const {
  bool reads = false;
  for (const NodeArgument& input : graph_.node(id).inputs) for_each_node(input.value, [&](NodeId value) { reads = reads || random.count(value); });
  return reads;
}

void Capture::read_values(const Frame& frame, NodeId next) {
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

void Capture::keep(NodeId id, const RuntimeValue& value) {
  if (auto* tensor = value.as<Tensor>()) tensors[id] = copies({*tensor})[0];
  else if (auto constant = argument_of(value, texts_)) constants[id] = std::move(*constant);
}

}  // namespace pt2::interp
