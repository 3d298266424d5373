#include "interp/nonfinite_slice.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>

#include "core/tensor/view.h"
#include "core/text/python_text.h"
#include "interp/allocation.h"
#include "interp/bad_elements.h"
#include "interp/check.h"
#include "interp/convert.h"
#include "interp/edit_sources.h"
#include "interp/edited_value.h"
#include "interp/nonfinite_constants.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

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

class Slicer {
 public:
  Slicer(const ExecutionTrace& trace, std::shared_ptr<const ExecutionPlan> plan, InterpreterOptions options, const Edits& edits, const std::map<std::string, int64_t>& symbols)
      : trace_(trace), plan_(std::move(plan)), program_(*plan_->program), options_(std::move(options)), edits_(edits), symbols_(symbols), arguments_(program_, edits.arguments) {}

  Result<NonfiniteSlice> slice(SliceStep from) {
    std::vector<SliceStep> path;
    std::set<TraceRef> seen;
    NonfiniteSlice result;
    std::optional<SliceStep> at = std::move(from);
    while (at && seen.insert(at->at).second) {
      if (!at->known) {
        path.push_back(*at);
        break;
      }
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

  // The constants of a call as it was made: some may have been edited.
  std::vector<NonfiniteConstant> constants_of(TraceRef ref) const {
    auto constants = nonfinite_constants(node_of(ref));
    const FrameTrace& frame = trace_.frames()[ref.frame];
    for (const ArgumentEdit& edit : edits_.arguments) {
      if (edit.node != NodeRef{frame.graph, ref.node} || !means_call(edit.call, frame.path)) continue;
      std::erase_if(constants, [&](const NonfiniteConstant& constant) { return constant.argument == edit.argument; });
      const auto edited = nonfinite_constants(edit.argument, edit.value);
      constants.insert(constants.end(), edited.begin(), edited.end());
    }
    return constants;
  }

  // Of arguments whose NaN and Inf do not matter here, or of none. A constant may be this very NaN or Inf; of an infinite one comes NaN, too.
  std::optional<SliceStep> made_here(const SliceStep& step, NonfiniteSlice& result, bool all_finite) const {
    const auto constants = constants_of(step.at);
    const auto first = [&](auto holds) { return std::find_if(constants.begin(), constants.end(), holds); };
    auto constant = first([&](const NonfiniteConstant& c) { return c.value == step.value || (std::isnan(c.value) && std::isnan(step.value)); });
    if (constant == constants.end() && std::isnan(step.value)) constant = constants.begin();
    if (constant != constants.end()) return end(result, "its argument " + std::string(constant->argument) + " = " + python_float(constant->value));
    return end(result, all_finite ? "made from finite arguments" : "made here, whatever is NaN or Inf in its arguments");
  }

  // The node is known, the element is not.
  std::optional<SliceStep> some_of(TraceRef ref, double value, NonfiniteSlice& result) const {
    end(result, "which of its elements is not known", false);
    return SliceStep{ref, 0, {}, value, false};
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
    if (run && run->supplied) return from_edit(step, result);
    if (run && run->uninitialized) return end(result, "memory that nothing was written to");
    if (node.kind == NodeKind::Placeholder) return ref.frame.index == 0 ? end(result, placeholder_text(ref.node)) : from_caller(step, result);
    if (node.kind == NodeKind::GetAttr) return end(result, "a constant");
    if (!trace_.calls_from(ref).empty()) return from_calls(step, result);
    const RuntimeValue* value = trace_.value(ref);
    return value ? from_arguments(step, *value, result) : end(result, "earlier values are not kept", false);
  }

  // The same of an operator that gave this value.
  std::optional<SliceStep> from_arguments(const SliceStep& step, const RuntimeValue& value, NonfiniteSlice& result) {
    const TraceRef ref = step.at;
    const Node& node = node_of(ref);
    const std::vector<Tensor> outputs = tensors_of(value);
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
    if (schema && schema->has_tag("pointwise") && value.is<Tensor>())
      if (auto found = through_pointwise(step, frame, nodes, output, result, lost)) return *found;
    std::vector<Source> sources;
    for (NodeId id : nodes) {
      const auto tensors = tensors_of(frame.values[id]);
      for (size_t t = 0; t < tensors.size(); ++t)
        if (auto bad = bad_elements(tensors[t]); !bad.empty()) sources.push_back({id, t, tensors[t], std::move(bad)});
    }
    if (lost) return end(result, "earlier values are not kept", false);
    if (sources.empty()) return made_here(step, result, true);
    const Trial trial{[&](const Frame& tried) { return still_bad(step, tried, step.index); },
                      [&](const Source& source, Shape index) { return to_argument(ref, source.node, source.tensor, source.value, std::move(index)); },
                      [&] { return made_here(step, result, false); }};
    return by_trial(step, frame, sources, trial, result);
  }

  // What one edit makes of the node's value.
  std::optional<RuntimeValue> alone(const ValueEdit& edit, TraceRef node, const RuntimeValue& computed) const {
    const EditSources edited(trace_, program_, edit, node, computed);
    std::vector<RuntimeValue> values;
    for (const EditSource& source : edited.sources()) values.push_back(source.value);
    return edited.value_of(values, symbols_);
  }

  // A value that was given: an expression hands on what the values it names hold, its node's own among them.
  std::optional<SliceStep> from_edit(const SliceStep& step, NonfiniteSlice& result) {
    const FrameTrace& call = trace_.frames()[step.at.frame];
    const auto edits = value_edits_of(edits_, {call.graph, step.at.node}, call.path);
    const auto given = [&] { return end(result, "a value that was given"); };
    if (edits.empty()) return given();
    RuntimeValue computed;
    if (builds_on_computed(*edits.front(), program_))
      if (auto value = evaluated(step.at, trace_.frame_before(step.at))) computed = std::move(*value);
    const ValueEdit* edit = edits.front();
    for (const ValueEdit* one : edits)  // of several the last that makes this element bad
      if (edits.size() > 1 && is_still_bad(step, alone(*one, step.at, computed), step.index)) edit = one;
    const EditSources edited(trace_, program_, *edit, step.at, computed);
    if (!edited.complete()) return end(result, "earlier values are not kept", false);
    // The values it names, as if they were those of a frame.
    Frame named;
    named.values.resize(edited.sources().size());
    std::vector<Source> sources;
    for (size_t i = 0; i < edited.sources().size(); ++i) {
      named.values[NodeId(i)] = edited.sources()[i].value;
      const auto tensors = tensors_of(edited.sources()[i].value);
      for (size_t t = 0; t < tensors.size(); ++t)
        if (auto bad = bad_elements(tensors[t]); !bad.empty()) sources.push_back({NodeId(i), t, tensors[t], std::move(bad)});
    }
    if (sources.empty()) return given();
    const auto go_to = [&](const Source& source, Shape index) -> std::optional<SliceStep> {
      const EditSource& from = edited.sources()[source.node.index];
      const auto found = step_to(from.at, source.tensor, source.value, std::move(index));
      return from.at == step.at ? from_arguments(*found, computed, result) : found;
    };
    const auto bad = [&](const Frame& tried) {
      std::vector<RuntimeValue> values;
      for (size_t i = 0; i < edited.sources().size(); ++i) values.push_back(tried.values[NodeId(i)]);
      return is_still_bad(step, edited.value_of(values, symbols_), step.index);
    };
    return by_trial(step, named, sources, {bad, go_to, given}, result);
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
            if (tensors[t].storage.identity() && tensors[t].storage.identity() == mine.storage.identity() && tensors[t].dtype == mine.dtype)
            if (auto index = index_at(tensors[t], offset_of(mine, step.index))) return step_to(giver, t, tensors[t], std::move(*index));
      }
    if (auto stacked = from_stack(step, mine, givers)) return stacked;
    // Put together in another way: where only one holds such an element, it is of that one.
    std::set<TraceRef> holders;
    for (const TraceRef& giver : givers)
      if (const RuntimeValue* value = trace_.value(giver))
        for (const Tensor& tensor : tensors_of(*value))
          if (!elements_that(tensor, [&](double bad) { return same_kind(bad, step.value) && bad != 0; }, 1).empty()) holders.insert(giver);
    if (holders.size() == 1) return some_of(*holders.begin(), step.value, result);
    return end(result, std::string("made in ") + what);
  }

  // Results of all calls stacked, as map and scan do: the element of call i is at [i, …]. Known by its numbers: one of the call's results holds
  // just what is there.
  std::optional<SliceStep> from_stack(const SliceStep& step, const Tensor& mine, const std::vector<TraceRef>& givers) const {
    const auto calls = trace_.calls_from(step.at);
    if (mine.dim() == 0 || static_cast<int64_t>(calls.size()) != mine.sizes[0]) return std::nullopt;
    Tensor part = mine;
    part.offset += step.index[0] * part.strides[0];
    part.sizes.erase(part.sizes.begin());
    part.strides.erase(part.strides.begin());
    const Tensor wanted = dense_copy(part);
    for (const TraceRef& giver : givers) {
      const RuntimeValue* value = giver.frame == calls[static_cast<size_t>(step.index[0])] ? trace_.value(giver) : nullptr;
      if (!value) continue;
      const auto tensors = tensors_of(*value);
      for (size_t t = 0; t < tensors.size(); ++t) {
        if (tensors[t].dtype != mine.dtype || tensors[t].sizes != wanted.sizes) continue;
        const Tensor given = dense_copy(tensors[t]);
        if (std::memcmp(given.storage.data(), wanted.storage.data(), given.storage.size_bytes()) == 0)
          return step_to(giver, t, tensors[t], Shape(step.index.begin() + 1, step.index.end()));
      }
    }
    return std::nullopt;
  }

  // What the node gives, without edits of its value, where it runs on these arguments.
  std::optional<RuntimeValue> evaluated(TraceRef ref, const Frame& frame) {
    InterpreterOptions options = options_;
    options.context.memory = std::make_shared<MemoryBudget>(options_.context.memory->limit_bytes());
    auto value = Interpreter::evaluate(plan_, builtin_ops(), std::move(options), frame, ref.node, trace_.generator_before(ref), &arguments_);
    return value ? std::optional(std::move(*value)) : std::nullopt;
  }
  // Whether the element is still as bad when the node runs on these arguments.
  bool still_bad(const SliceStep& step, const Frame& frame, const Shape& index) { return is_still_bad(step, evaluated(step.at, frame), index); }
  static bool is_still_bad(const SliceStep& step, const std::optional<RuntimeValue>& value, const Shape& index) {
    if (!value) return false;
    const auto tensors = tensors_of(*value);
    return step.tensor < tensors.size() && tensors[step.tensor].sizes.size() == index.size() && same_kind(badness_at(tensors[step.tensor], index), step.value);
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
    if (bad.empty()) return made_here(step, result, true);
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
    if (still_bad(step, without({}), first)) return made_here(step, result, false);
    const Part* chosen = &bad.front();
    for (const Part& part : bad)
      if (still_bad(step, without({part.node}), first)) {
        chosen = &part;
        break;
      }
    return to_argument(step.at, chosen->node, 0, chosen->value, chosen->index);
  }

  struct Candidate { const Source* source; int64_t flat; };

  // The node's arguments with candidates [begin, end) as they were and the others made finite, as `filler` says.
  static Frame with_candidates(const Frame& frame, const std::vector<Source>& sources, const std::vector<Candidate>& candidates, size_t begin, size_t end, int64_t filler) {
    Frame tried = frame;
    for (const Source& source : sources) {
      const Tensor finite = empty({}, source.value.dtype);
      fill(finite, Scalar(filler));
      auto tensors = tensors_of(tried.values[source.node]);
      Tensor copy = dense_copy(source.value);
      const auto size = static_cast<size_t>(item_size(copy.dtype));
      for (size_t c = 0; c < candidates.size(); ++c)
        if (candidates[c].source == &source && (c < begin || c >= end)) std::memcpy(copy.storage.data() + static_cast<size_t>(candidates[c].flat) * size, finite.storage.data(), size);
      tensors[source.tensor] = std::move(copy);
      tried.values[source.node] = with_tensors(tried.values[source.node], tensors);
    }
    return tried;
  }

  // How it is tried out which bad elements matter, where the way goes on from the one that does, and where it ends if none does.
  struct Trial {
    std::function<bool(const Frame&)> still_bad;
    std::function<std::optional<SliceStep>(const Source&, Shape)> go_to;
    std::function<std::optional<SliceStep>()> made_here;
  };

  // Any other operator: the arguments' bad elements are tried out. One alone may do; else they come one after the other until the element is as
  // bad as it was: the last of them made it so.
  std::optional<SliceStep> by_trial(const SliceStep& step, const Frame& frame, const std::vector<Source>& sources, const Trial& trial, NonfiniteSlice& result) {
    struct Ordered { size_t common; Candidate candidate; };
    std::vector<Ordered> ordered;
    for (const Source& source : sources)
      for (int64_t flat : source.bad) {
        const Shape index = index_of(source.value.sizes, flat);
        size_t common = 0;
        while (common < index.size() && common < step.index.size() && index[common] == step.index[common]) ++common;
        ordered.push_back({common, {&source, flat}});
      }
    // Those whose leading indices are this element's come last: rows of matrices, examples of a batch.
    std::stable_sort(ordered.begin(), ordered.end(), [](const Ordered& a, const Ordered& b) { return a.common < b.common; });
    std::vector<Candidate> candidates;
    for (const Ordered& one : ordered) candidates.push_back(one.candidate);
    const size_t count = candidates.size();
    int64_t filler = 0;
    auto bad_with = [&](size_t begin, size_t end) { return trial.still_bad(with_candidates(frame, sources, candidates, begin, end, filler)); };
    auto to = [&](size_t c) {
      const Source& source = *candidates[c].source;
      return trial.go_to(source, index_of(source.value.sizes, candidates[c].flat));
    };
    if (!bad_with(0, count)) return end(result, "it does not come out so again: which element made it is not known", false);
    while (bad_with(0, 0))
      if (++filler > 1) return trial.made_here();
    if (bad_with(count - 1, count)) return to(count - 1);
    size_t good = 0, bad = count;
    while (bad - good > 1) {
      if (options_.context.stop.stop_requested()) return end(result, "stopped", false);
      const size_t middle = (good + bad) / 2;
      (bad_with(0, middle) ? bad : good) = middle;
    }
    return to(bad - 1);
  }

  const ExecutionTrace& trace_;
  std::shared_ptr<const ExecutionPlan> plan_;
  const Program& program_;
  InterpreterOptions options_;
  const Edits& edits_;
  const std::map<std::string, int64_t>& symbols_;
  ArgumentEdits arguments_;
};

}  // namespace

std::optional<SliceStep> first_nonfinite(const ExecutionTrace& trace, TraceRef ref, Nonfinite asked) {
  const RuntimeValue* value = trace.value(ref);
  if (!value) return std::nullopt;
  const auto tensors = tensors_of(*value);
  for (const bool nan : {asked == Nonfinite::NaN, asked != Nonfinite::NaN})
    for (size_t t = 0; t < tensors.size(); ++t)
      if (const auto bad = elements_that(tensors[t], [&](double b) { return b != 0 && std::isnan(b) == nan; }, 1); !bad.empty()) {
        Shape index = index_of(tensors[t].sizes, bad[0]);
        const double value_there = badness_at(tensors[t], index);
        return SliceStep{ref, t, std::move(index), value_there};
      }
  return std::nullopt;
}

std::optional<SliceStep> nonfinite_at(const ExecutionTrace& trace, TraceRef ref, Shape index) {
  const RuntimeValue* value = trace.value(ref);
  const auto* tensor = value ? value->as<Tensor>() : nullptr;
  if (!tensor || index.size() != tensor->sizes.size()) return std::nullopt;
  for (size_t d = 0; d < index.size(); ++d) {
    if (index[d] < 0) index[d] += tensor->sizes[d];
    if (index[d] < 0 || index[d] >= tensor->sizes[d]) return std::nullopt;
  }
  const double there = badness_at(*tensor, index);
  return there == 0 ? std::nullopt : std::optional(SliceStep{ref, 0, std::move(index), there});
}

Result<NonfiniteSlice> slice_nonfinite(const ExecutionTrace& trace, std::shared_ptr<const ExecutionPlan> plan, InterpreterOptions options, SliceStep from,
                                       const Edits& edits, const std::map<std::string, int64_t>& symbols) {
  ContextScope scope(options.context);
  try {
    return Slicer(trace, std::move(plan), options, edits, symbols).slice(std::move(from));
  } catch (const KernelError& error) {
    return Error{error.kind(), error.message()};
  }
}

}  // namespace pt2::interp
