#include "interp/nonfinite_slice.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "core/tensor/view.h"
#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/convert.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

Shape index_of(const Shape& sizes, int64_t flat) {
  Shape index(sizes.size());
  for (size_t d = sizes.size(); d-- > 0; flat /= std::max<int64_t>(sizes[d], 1)) index[d] = flat % std::max<int64_t>(sizes[d], 1);
  return index;
}

int64_t offset_of(const Tensor& tensor, const Shape& index) {
  int64_t offset = tensor.offset;
  for (size_t d = 0; d < index.size(); ++d) offset += index[d] * tensor.strides[d];
  return offset;
}

// The index of the element that lies at an offset of the storage; none: the tensor does not reach there, or not in one way.
std::optional<Shape> index_at(const Tensor& tensor, int64_t offset) {
  std::vector<size_t> dims;
  for (size_t d = 0; d < tensor.sizes.size(); ++d)
    if (tensor.sizes[d] > 1 && tensor.strides[d] > 0) dims.push_back(d);
  std::sort(dims.begin(), dims.end(), [&](size_t a, size_t b) { return tensor.strides[a] > tensor.strides[b]; });
  Shape index(tensor.sizes.size(), 0);
  int64_t rest = offset - tensor.offset;
  if (rest < 0 || tensor.numel() == 0) return std::nullopt;
  for (size_t d : dims) {
    index[d] = rest / tensor.strides[d];
    if (index[d] >= tensor.sizes[d]) return std::nullopt;
    rest -= index[d] * tensor.strides[d];
  }
  return rest == 0 ? std::optional(index) : std::nullopt;
}

// 0 for a finite element, else NaN or ±inf.
double badness(const std::byte* element, DType dtype) {
  alignas(16) double value[2] = {0, 0};
  const bool complex = is_complex(dtype);
  loader(dtype, complex ? Compute::C128 : Compute::F64)(element, 0, value, 1);
  for (double part : {value[0], value[1]})
    if (!std::isfinite(part)) return part;
  return 0;
}

bool can_be_bad(DType dtype) { return item_size(dtype) > 0 && (is_floating(dtype) || is_complex(dtype)); }

double badness_at(const Tensor& tensor, const Shape& index) {
  if (!can_be_bad(tensor.dtype)) return 0;
  return badness(tensor.storage.data() + offset_of(tensor, index) * item_size(tensor.dtype), tensor.dtype);
}

std::vector<Tensor> tensors_of(const RuntimeValue& value) {
  std::vector<Tensor> tensors;
  for_each_tensor(value, [&](const Tensor& tensor) { tensors.push_back(tensor); });
  return tensors;
}

// Flat indices of NaN and Inf.
std::vector<int64_t> bad_elements(const Tensor& tensor, size_t at_most = SIZE_MAX) {
  std::vector<int64_t> bad;
  if (!can_be_bad(tensor.dtype)) return bad;
  int64_t flat = 0;
  for_each_run(tensor, [&](const std::byte* first, int64_t count, int64_t step) {
    for (int64_t i = 0; i < count && bad.size() < at_most; ++i)
      if (badness(first + i * step, tensor.dtype) != 0) bad.push_back(flat + i);
    flat += count;
  });
  return bad;
}

Tensor dense_copy(const Tensor& tensor) {
  Tensor copy = empty(tensor.sizes, tensor.dtype);
  copy_into(copy, tensor);
  copy.wrapped_number = tensor.wrapped_number;
  return copy;
}

// The value with other tensors, in the order of for_each_tensor; lists of tensors one level deep.
RuntimeValue with_tensors(const RuntimeValue& value, const std::vector<Tensor>& tensors) {
  if (value.is<Tensor>()) return tensors.at(0);
  const auto* list = value.as<ListValue>();
  if (!list) return value;
  std::vector<RuntimeValue> items = *list->items;
  size_t next = 0;
  for (RuntimeValue& item : items)
    if (item.is<Tensor>()) item = tensors.at(next++);
  return list->is_tuple ? make_tuple(std::move(items)) : make_list(std::move(items));
}

bool same_view(const Tensor& a, const Tensor& b) {
  return a.storage.identity() && a.storage.identity() == b.storage.identity() && a.offset == b.offset && a.sizes == b.sizes && a.strides == b.strides;
}

class Slicer {
 public:
  Slicer(const ExecutionTrace& trace, std::shared_ptr<const ExecutionPlan> plan, InterpreterOptions options, RunListener* arguments)
      : trace_(trace), plan_(std::move(plan)), program_(*plan_->program), options_(std::move(options)), arguments_(arguments) {}

  Result<NonfiniteSlice> slice(SliceStep from) {
    std::vector<SliceStep> path;
    std::set<TraceRef> seen;
    NonfiniteSlice result;
    std::optional<SliceStep> at = std::move(from);
    while (at && seen.insert(at->at).second) {
      if (options_.context.stop.stop_requested()) return Error{ErrorKind::Stopped, "stopped"};
      path.push_back(*at);
      at = before(path.back(), result);
    }
    result.path.assign(path.rbegin(), path.rend());
    return result;
  }

 private:
  // An argument that holds NaN or Inf.
  struct Source {
    NodeId node;
    size_t tensor;
    Tensor value;
    std::vector<int64_t> bad;
  };

  const Node& node_of(TraceRef ref) const { return program_.graphs[trace_.frames()[ref.frame].graph].node(ref.node); }

  std::optional<SliceStep> end(NonfiniteSlice& result, std::string origin, bool complete = true) const {
    result.origin = std::move(origin);
    result.complete = complete;
    return std::nullopt;
  }

  const char* placeholder_text(NodeId id) const {
    for (const InputSpec& spec : program_.signature.inputs) {
      if (spec.node != id) continue;
      if (spec.kind == InputKind::Parameter) return "a parameter";
      if (spec.kind == InputKind::Buffer) return "a buffer";
      if (spec.kind == InputKind::TensorConstant) return "a constant";
    }
    return "an input";
  }

  std::optional<SliceStep> step_to(TraceRef ref, size_t tensor, const Tensor& value, Shape index) const {
    const double bad = badness_at(value, index);
    return SliceStep{ref, tensor, std::move(index), bad};
  }

  // Where the element of a step came from.
  std::optional<SliceStep> before(const SliceStep& step, NonfiniteSlice& result) {
    const TraceRef ref = step.at;
    const Node& node = node_of(ref);
    const NodeRun* run = trace_.run_of(ref);
    if (run && run->supplied) return end(result, "a value that was given");
    if (node.kind == NodeKind::Placeholder) return ref.frame.index == 0 ? end(result, placeholder_text(ref.node)) : from_caller(step, result);
    if (node.kind == NodeKind::GetAttr) return end(result, "a constant");
    if (!trace_.calls_from(ref).empty()) return from_calls(step, result);
    const RuntimeValue* value = trace_.value(ref);
    if (!value) return end(result, "earlier values are not kept", false);
    const std::vector<Tensor> outputs = tensors_of(*value);
    if (step.tensor >= outputs.size()) return end(result, "made here");
    const Tensor& output = outputs[step.tensor];

    const Frame frame = trace_.frame_before(ref);
    std::vector<NodeId> nodes;
    for (const NodeArgument& argument : node.inputs)
      for_each_node(argument.value, [&](NodeId id) {
        if (std::find(nodes.begin(), nodes.end(), id) == nodes.end()) nodes.push_back(id);
      });
    bool lost = false;
    for (NodeId id : nodes) lost = lost || (trace_.is_dropped({ref.frame, id}) && frame.values[id].is_none());
    // A view: the same memory.
    for (NodeId id : nodes) {
      const auto tensors = tensors_of(frame.values[id]);
      for (size_t t = 0; t < tensors.size(); ++t)
        if (tensors[t].storage.identity() && tensors[t].storage.identity() == output.storage.identity() && tensors[t].dtype == output.dtype)
          if (auto index = index_at(tensors[t], offset_of(output, step.index))) return to_argument(ref, id, t, tensors[t], std::move(*index));
    }
    const OpSchema* schema = find_op_schema(node.target);
    if (schema && schema->has_tag("pointwise") && value->is<Tensor>())
      if (auto found = through_pointwise(step, frame, nodes, output, result, lost)) return *found;
    std::vector<Source> sources;
    for (NodeId id : nodes) {
      const auto tensors = tensors_of(frame.values[id]);
      for (size_t t = 0; t < tensors.size(); ++t)
        if (auto bad = bad_elements(tensors[t]); !bad.empty()) sources.push_back({id, t, tensors[t], std::move(bad)});
    }
    if (sources.empty()) return lost ? end(result, "earlier values are not kept", false) : end(result, "made from finite arguments");
    return by_trial(step, frame, std::move(sources), result, lost);
  }

  // An argument as it was read: where its memory was written to meanwhile, the writer made the element.
  std::optional<SliceStep> to_argument(TraceRef reader, NodeId id, size_t tensor, const Tensor& value, Shape index) const {
    const TraceRef ref{reader.frame, id};
    const auto now = trace_.step_of(reader);
    const auto writes = trace_.writes_to(ref);
    const int64_t offset = offset_of(value, index);
    for (auto it = writes.rbegin(); it != writes.rend(); ++it) {
      if (!now || *it >= *now) continue;
      const TraceRef writer = trace_.steps()[*it].at;
      const RuntimeValue* written = trace_.value(writer);
      if (!written || writer.frame != reader.frame) continue;
      const auto tensors = tensors_of(*written);
      for (size_t t = 0; t < tensors.size(); ++t)
        if (tensors[t].dtype == value.dtype && trace_.is_rewritten(writer))
          if (auto place = index_at(tensors[t], offset); place && badness_at(tensors[t], *place) != 0) return step_to(writer, t, tensors[t], std::move(*place));
    }
    return step_to(ref, tensor, value, std::move(index));
  }

  // A placeholder of a sub-graph: what the call got, or what the call before it returned.
  std::optional<SliceStep> from_caller(const SliceStep& step, NonfiniteSlice& result) const {
    const TraceRef caller = trace_.frames()[step.at.frame].caller;
    const RuntimeValue* value = trace_.value(step.at);
    if (!value) return end(result, "earlier values are not kept", false);
    const Tensor mine = tensors_of(*value).at(step.tensor);
    std::vector<TraceRef> givers;
    const auto calls = trace_.calls_from(caller);
    for (size_t i = calls.size(); i-- > 0;)
      if (calls[i].index < step.at.frame.index) add_returned(calls[i], givers);
    for (const NodeArgument& argument : node_of(caller).inputs) for_each_node(argument.value, [&](NodeId id) { givers.push_back({caller.frame, id}); });
    return from_givers(step, mine, givers, "the call", result);
  }

  // A higher-order node: what its calls returned, the last first.
  std::optional<SliceStep> from_calls(const SliceStep& step, NonfiniteSlice& result) const {
    const RuntimeValue* value = trace_.value(step.at);
    if (!value) return end(result, "earlier values are not kept", false);
    const Tensor mine = tensors_of(*value).at(step.tensor);
    std::vector<TraceRef> givers;
    const auto calls = trace_.calls_from(step.at);
    for (size_t i = calls.size(); i-- > 0;) add_returned(calls[i], givers);
    for (const NodeArgument& argument : node_of(step.at).inputs) for_each_node(argument.value, [&](NodeId id) { givers.push_back({step.at.frame, id}); });
    return from_givers(step, mine, givers, "the sub-graph", result);
  }

  void add_returned(FrameId call, std::vector<TraceRef>& givers) const {
    const Graph& graph = program_.graphs[trace_.frames()[call].graph];
    for (const NodeArgument& argument : graph.node(graph.output()).inputs) for_each_node(argument.value, [&](NodeId id) { givers.push_back({call, id}); });
  }

  std::optional<SliceStep> from_givers(const SliceStep& step, const Tensor& mine, const std::vector<TraceRef>& givers, const char* what, NonfiniteSlice& result) const {
    for (const TraceRef& giver : givers)
      if (const RuntimeValue* value = trace_.value(giver)) {
        const auto tensors = tensors_of(*value);
        for (size_t t = 0; t < tensors.size(); ++t)
          if (same_view(tensors[t], mine)) return step_to(giver, t, tensors[t], step.index);
      }
    // Stacked, sliced or added up on the way: the first that holds any.
    for (const TraceRef& giver : givers)
      if (auto bad = first_nonfinite(trace_, giver)) return bad;
    return end(result, std::string("made in ") + what);
  }

  // Whether the element is still bad when the node runs on these arguments.
  bool still_bad(const SliceStep& step, const Frame& frame, const Shape& index) {
    InterpreterOptions options = options_;
    options.context.memory = std::make_shared<MemoryBudget>(options_.context.memory->limit_bytes());
    auto value = Interpreter::evaluate(plan_, builtin_ops(), std::move(options), frame, step.at.node, trace_.generator_before(step.at), arguments_);
    if (!value) return false;
    const auto tensors = tensors_of(*value);
    return step.tensor < tensors.size() && tensors[step.tensor].sizes.size() == index.size() && badness_at(tensors[step.tensor], index) != 0;
  }

  // An element-wise operator: only the elements it computed this one from matter, and it runs on them alone. None: not of that kind after all.
  std::optional<std::optional<SliceStep>> through_pointwise(const SliceStep& step, const Frame& whole, const std::vector<NodeId>& nodes, const Tensor& output,
                                                            NonfiniteSlice& result, bool lost) {
    if (lost) return std::nullopt;
    Frame one = whole;
    struct Part { NodeId node; Tensor value; Shape index; };
    std::vector<Part> bad;
    for (NodeId id : nodes) {
      const auto* tensor = whole.values[id].as<Tensor>();
      if (!tensor) continue;
      const size_t skipped = output.sizes.size() - std::min(output.sizes.size(), tensor->sizes.size());
      if (tensor->sizes.size() > output.sizes.size()) return std::nullopt;
      Shape index(tensor->sizes.size());
      for (size_t d = 0; d < index.size(); ++d) {
        const int64_t size = tensor->sizes[d], out = output.sizes[d + skipped];
        if (size != 1 && size != out) return std::nullopt;
        index[d] = size == 1 ? 0 : step.index[d + skipped];
      }
      Tensor element = *tensor;
      element.offset = offset_of(*tensor, index);
      element.sizes.assign(index.size(), 1);
      element.strides.assign(index.size(), 1);
      one.values[id] = dense_copy(element);
      if (badness_at(*tensor, index) != 0) bad.push_back({id, *tensor, std::move(index)});
    }
    if (bad.empty()) return end(result, "made from finite arguments");
    const Shape first(output.sizes.size(), 0);
    auto without = [&](const std::vector<NodeId>& kept) {
      Frame frame = one;
      for (const Part& part : bad)
        if (std::find(kept.begin(), kept.end(), part.node) == kept.end()) {
          const Tensor finite = dense_copy(*one.values[part.node].as<Tensor>());
          fill(finite, Scalar(int64_t{1}));
          frame.values[part.node] = finite;
        }
      return frame;
    };
    if (still_bad(step, without({}), first)) return end(result, "made from finite arguments");
    const Part* chosen = &bad.front();
    for (const Part& part : bad)
      if (still_bad(step, without({part.node}), first)) {
        chosen = &part;
        break;
      }
    return to_argument(step.at, chosen->node, 0, chosen->value, chosen->index);
  }

  // Any other operator: which of the bad elements of its arguments make this one bad? Those are halved until one is left.
  std::optional<SliceStep> by_trial(const SliceStep& step, const Frame& frame, std::vector<Source> sources, NonfiniteSlice& result, bool lost) {
    struct Candidate { uint32_t source; int64_t flat; };
    std::vector<Candidate> candidates;
    for (uint32_t s = 0; s < sources.size(); ++s)
      for (int64_t flat : sources[s].bad) candidates.push_back({s, flat});
    auto bad_with = [&](size_t low, size_t high) {
      Frame tried = frame;
      std::vector<std::vector<Tensor>> copies(sources.size());
      for (uint32_t s = 0; s < sources.size(); ++s) {
        auto tensors = tensors_of(tried.values[sources[s].node]);
        Tensor copy = dense_copy(sources[s].value);
        for (size_t c = 0; c < candidates.size(); ++c) {
          if (candidates[c].source != s || (c >= low && c < high)) continue;
          // Zero in every floating type.
          std::memset(copy.storage.data() + candidates[c].flat * item_size(copy.dtype), 0, static_cast<size_t>(item_size(copy.dtype)));
        }
        tensors[sources[s].tensor] = std::move(copy);
        tried.values[sources[s].node] = with_tensors(tried.values[sources[s].node], tensors);
      }
      return still_bad(step, tried, step.index);
    };
    auto to = [&](size_t c) {
      const Source& source = sources[candidates[c].source];
      return to_argument(step.at, source.node, source.tensor, source.value, index_of(source.value.sizes, candidates[c].flat));
    };
    if (lost) return to(0);
    if (bad_with(0, 0)) return end(result, "made from finite arguments");
    // The one whose leading indices are this element's is a good guess: rows of matrices, examples of a batch.
    size_t guess = 0, longest = 0;
    for (size_t c = 0; c < candidates.size(); ++c) {
      const Shape index = index_of(sources[candidates[c].source].value.sizes, candidates[c].flat);
      size_t common = 0;
      while (common < index.size() && common < step.index.size() && index[common] == step.index[common]) ++common;
      if (common > longest) guess = c, longest = common;
    }
    if (candidates.size() > 1 && bad_with(guess, guess + 1)) return to(guess);
    size_t low = 0, high = candidates.size();
    while (high - low > 1) {
      if (options_.context.stop.stop_requested()) break;
      const size_t middle = (low + high) / 2;
      if (bad_with(low, middle)) high = middle;
      else if (bad_with(middle, high)) low = middle;
      else break;  // it takes elements of both halves: either is a true answer
    }
    return to(low);
  }

  const ExecutionTrace& trace_;
  std::shared_ptr<const ExecutionPlan> plan_;
  const Program& program_;
  InterpreterOptions options_;
  RunListener* arguments_;
};

}  // namespace

std::optional<SliceStep> first_nonfinite(const ExecutionTrace& trace, TraceRef ref) {
  const RuntimeValue* value = trace.value(ref);
  if (!value) return std::nullopt;
  const auto tensors = tensors_of(*value);
  for (size_t t = 0; t < tensors.size(); ++t)
    if (const auto bad = bad_elements(tensors[t], 1); !bad.empty()) {
      Shape index = index_of(tensors[t].sizes, bad[0]);
      const double value_there = badness_at(tensors[t], index);
      return SliceStep{ref, t, std::move(index), value_there};
    }
  return std::nullopt;
}

Result<NonfiniteSlice> slice_nonfinite(const ExecutionTrace& trace, std::shared_ptr<const ExecutionPlan> plan, InterpreterOptions options, SliceStep from,
                                       RunListener* arguments) {
  ContextScope scope(options.context);
  try {
    return Slicer(trace, std::move(plan), options, arguments).slice(std::move(from));
  } catch (const KernelError& error) {
    return Error{error.kind(), error.message()};
  }
}

}  // namespace pt2::interp
