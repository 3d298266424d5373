#include "interp/execution_trace.h"

#include <algorithm>
#include <set>
#include <utility>

#include "interp/break_check.h"
#include "interp/bind_arguments.h"

namespace pt2::interp {

namespace {

// The value with each tensor's storage from `storages`.
void set_storages(RuntimeValue& value, const std::vector<Storage>& storages) {
  size_t next = 0;
  auto set = [&](RuntimeValue& v, auto&& self) -> void {  // lists of results are two levels deep at most
    if (auto* tensor = v.as<Tensor>()) {
      tensor->storage = storages[next++];
      return;
    }
    auto renewed = [&](const std::vector<RuntimeValue>& items) {
      std::vector<RuntimeValue> copy = items;
      for (RuntimeValue& item : copy) self(item, self);
      return copy;
    };
    if (auto* list = v.as<ListValue>()) v = list->is_tuple ? make_tuple(renewed(*list->items)) : make_list(renewed(*list->items));
    else if (auto* batch = v.as<BatchedValue>())
      v = RuntimeValue::Value(BatchedValue{std::make_shared<const std::vector<RuntimeValue>>(renewed(*batch->examples)), batch->level});
  };
  if (!storages.empty()) set(value, set);
}

}  // namespace

ExecutionTrace::ExecutionTrace(std::shared_ptr<const Program> program, size_t budget_bytes) : program_(std::move(program)), budget_bytes_(budget_bytes) {}

const ExecutionTrace::Entry* ExecutionTrace::find(TraceRef ref) const { return const_cast<ExecutionTrace*>(this)->find(ref); }

ExecutionTrace::Entry* ExecutionTrace::find(TraceRef ref) {
  if (!entries_.contains(ref.frame) || !entries_[ref.frame].contains(ref.node)) return nullptr;
  Entry& entry = entries_[ref.frame][ref.node];
  return entry.step == Entry::kNotRun ? nullptr : &entry;
}

std::vector<NodeId> ExecutionTrace::arguments_of(TraceRef ref) const {
  std::vector<NodeId> arguments;
  for (const NodeArgument& argument : program_->graphs[frames_[ref.frame].graph].node(ref.node).inputs)
    for_each_node(argument.value, [&](NodeId id) { arguments.push_back(id); });
  return arguments;
}

uint32_t ExecutionTrace::keep(const Storage& storage, bool permanent, bool counted) {
  auto [it, added] = by_identity_.emplace(storage.identity(), static_cast<uint32_t>(kept_.size()));
  if (added) {
    Kept kept;
    kept.storage = storage;
    kept.identity = storage.identity();
    kept.bytes = storage.size_bytes();
    kept.permanent = permanent;
    kept.counted = counted;
    if (counted) kept_bytes_ += kept.bytes;
    kept_.push_back(std::move(kept));
  }
  kept_[it->second].used = ++clock_;
  return it->second;
}

void ExecutionTrace::apply(TraceEvent event) {
  switch (event.kind) {
    case TraceEvent::Kind::Entered:
      entries_.push_back({});
      entries_[event.frame].resize(program_->graphs[event.entered.graph].nodes().size());
      frames_.push_back(std::move(event.entered));
      break;
    case TraceEvent::Kind::Left: frames_[event.frame].ended = true; break;
    case TraceEvent::Kind::Replaced: {
      const uint32_t before = keep(event.before, true, false), after = keep(event.after, true, false);
      kept_[before].replaced_by = after;
      kept_[before].replaced_at = steps_.size();
      for (uint32_t k : {before, after}) {
        kept_[k].chained = kept_[k].permanent = true;
        if (std::exchange(kept_[k].counted, false)) kept_bytes_ -= kept_[k].bytes;
      }
      break;
    }
    case TraceEvent::Kind::NodeDone: record(std::move(event.step), std::move(event.value), std::move(event.generator)); break;
  }
}

void ExecutionTrace::record(StepTrace step, RuntimeValue value, std::shared_ptr<const Generator> generator) {
  const TraceRef at = step.at;
  const Node& node = program_->graphs[frames_[at.frame].graph].node(at.node);
  Entry entry;
  entry.step = steps_.size();
  entry.generator = std::move(generator);
  // What cannot be made again stays: inputs, memory as it was, values that were given, and results of nodes that read written memory.
  bool permanent = node.kind == NodeKind::Placeholder || step.run.uninitialized || step.run.supplied || step.wrote;
  arguments_.clear();
  for (const NodeArgument& argument : node.inputs) for_each_node(argument.value, [&](NodeId id) { arguments_.push_back(id); });
  for (NodeId id : arguments_)
    if (const Entry* argument = find({at.frame, id}))
      for (uint32_t k : argument->storages) permanent = permanent || kept_[k].replaced_by != UINT32_MAX;
  for_each_tensor(value, [&](const Tensor& tensor) {
    if (!tensor.storage.identity()) return;
    const uint32_t k = keep(tensor.storage, permanent, !permanent || step.run.supplied);
    entry.storages.push_back(k);
    if (std::find(kept_[k].values.begin(), kept_[k].values.end(), at) == kept_[k].values.end()) kept_[k].values.push_back(at);
  });
  entry.value = std::move(value);
  entries_[at.frame][at.node] = std::move(entry);
  steps_.push_back(std::move(step));
  count_live(at);
  if (kept_bytes_ > budget_bytes_) drop_over_budget();
}

// Bytes of the values that something still reads, weights and inputs apart. An operator's arguments are there as long as it runs.
void ExecutionTrace::count_live(TraceRef at) {
  const Graph& graph = program_->graphs[frames_[at.frame].graph];
  auto each = [&](TraceRef ref, int change) {
    const Entry* entry = find(ref);
    if (!entry || graph.node(ref.node).kind == NodeKind::Placeholder) return;
    for (auto k = entry->storages.begin(); k != entry->storages.end(); ++k) {
      if (std::find(entry->storages.begin(), k, *k) != k) continue;  // once for each storage
      Kept& kept = kept_[*k];
      if (change > 0 && kept.readers++ == 0) live_bytes_ += kept.bytes;
      if (change < 0 && kept.readers > 0 && --kept.readers == 0) live_bytes_ -= std::min(live_bytes_, kept.bytes);
    }
  };
  each(at, +1);
  steps_.back().live_bytes = live_bytes_;
  for (NodeId id : arguments_) {
    const auto users = graph.users(id);
    if (!users.empty() && users.back() == at.node && graph.node(at.node).kind != NodeKind::Output) each({at.frame, id}, -1);
  }
}

bool ExecutionTrace::can_drop(const Kept& kept) const {
  if (kept.dropped || kept.permanent || kept.values.empty()) return false;
  for (const TraceRef& pinned : pinned_)
    if (std::find(kept.values.begin(), kept.values.end(), pinned) != kept.values.end()) return false;
  return true;
}

void ExecutionTrace::drop_over_budget() {
  std::vector<uint32_t> candidates;
  for (uint32_t k = 0; k < kept_.size(); ++k)
    if (can_drop(kept_[k])) candidates.push_back(k);
  std::sort(candidates.begin(), candidates.end(), [&](uint32_t a, uint32_t b) { return kept_[a].used < kept_[b].used; });
  const size_t goal = budget_bytes_ - budget_bytes_ / 10;
  for (uint32_t k : candidates) {
    if (kept_bytes_ <= goal) break;
    Kept& kept = kept_[k];
    by_identity_.erase(kept.identity);
    kept.storage = Storage();
    kept.dropped = true;
    kept_bytes_ -= kept.bytes;
    for (TraceRef ref : kept.values)
      if (Entry* entry = find(ref)) fill_in(*entry);
  }
}

void ExecutionTrace::fill_in(Entry& entry) const {
  std::vector<Storage> storages;
  for (uint32_t k : entry.storages) storages.push_back(kept_[k].storage);
  size_t tensors = 0;
  for_each_tensor(entry.value, [&](const Tensor&) { ++tensors; });
  if (tensors == storages.size()) set_storages(entry.value, storages);
}

void ExecutionTrace::set_budget(size_t bytes) {
  budget_bytes_ = bytes;
  if (kept_bytes_ > budget_bytes_) drop_over_budget();
}

void ExecutionTrace::pin(std::span<const TraceRef> refs) { pinned_.assign(refs.begin(), refs.end()); }

std::optional<size_t> ExecutionTrace::step_of(TraceRef ref) const {
  const Entry* entry = find(ref);
  return entry ? std::optional(entry->step) : std::nullopt;
}

const NodeRun* ExecutionTrace::run_of(TraceRef ref) const {
  const Entry* entry = find(ref);
  return entry ? &steps_[entry->step].run : nullptr;
}

std::vector<FrameId> ExecutionTrace::calls_of(GraphId graph) const {
  std::vector<FrameId> calls;
  for (size_t f = 0; f < frames_.size(); ++f)
    if (frames_[FrameId(f)].graph == graph) calls.push_back(FrameId(f));
  return calls;
}

std::vector<FrameId> ExecutionTrace::calls_from(TraceRef ref) const {
  std::vector<FrameId> calls;
  for (size_t f = 1; f < frames_.size(); ++f)
    if (frames_[FrameId(f)].caller == ref) calls.push_back(FrameId(f));
  return calls;
}

std::optional<TraceRef> ExecutionTrace::latest(NodeRef node, size_t step) const {
  for (size_t f = frames_.size(); f-- > 0;) {  // no graph runs inside itself: of its calls the later one ran later
    if (frames_[FrameId(f)].graph != node.graph) continue;
    const TraceRef at{FrameId(f), node.node};
    if (const Entry* entry = find(at); entry && entry->step <= step) return at;
  }
  return std::nullopt;
}

bool ExecutionTrace::is_rewritten(TraceRef ref) const {
  const Entry* entry = find(ref);
  return entry && std::any_of(entry->storages.begin(), entry->storages.end(), [&](uint32_t k) { return kept_[k].chained; });
}

bool ExecutionTrace::is_dropped(TraceRef ref) const {
  const Entry* entry = find(ref);
  if (!entry) return false;
  return std::any_of(entry->storages.begin(), entry->storages.end(), [&](uint32_t k) { return kept_[k].dropped; });
}

const RuntimeValue* ExecutionTrace::value(TraceRef ref) const {
  const Entry* entry = find(ref);
  if (!entry || entry->value.is<MissingValue>() || is_dropped(ref)) return nullptr;
  for (uint32_t k : entry->storages) kept_[k].used = ++clock_;
  return &entry->value;
}

std::optional<RuntimeValue> ExecutionTrace::value_at(TraceRef ref, size_t step) const {
  const Entry* entry = find(ref);
  const RuntimeValue* recorded = value(ref);
  if (!recorded || entry->step > step) return std::nullopt;
  RuntimeValue result = *recorded;
  for (uint32_t k : entry->storages)
    for (uint32_t now = k; kept_[now].replaced_by != UINT32_MAX && kept_[now].replaced_at <= step; now = kept_[now].replaced_by)
      result = on_storage(result, kept_[now].storage, kept_[kept_[now].replaced_by].storage);
  return result;
}

std::vector<size_t> ExecutionTrace::writes_to(TraceRef ref) const {
  std::vector<size_t> writes;
  const Entry* entry = find(ref);
  if (!entry) return writes;
  for (uint32_t k : entry->storages)
    for (uint32_t now = k; kept_[now].replaced_by != UINT32_MAX; now = kept_[now].replaced_by) writes.push_back(kept_[now].replaced_at);
  std::sort(writes.begin(), writes.end());
  writes.erase(std::unique(writes.begin(), writes.end()), writes.end());
  return writes;
}

std::vector<TraceRef> ExecutionTrace::needed_for(TraceRef wanted) const {
  std::vector<TraceRef> order;
  std::set<TraceRef> done;
  // (node, its makers are already in order)
  std::vector<std::pair<TraceRef, bool>> pending{{wanted, false}};
  while (!pending.empty()) {
    const auto [ref, ready] = pending.back();
    pending.pop_back();
    const Entry* entry = find(ref);
    if (!entry || done.contains(ref) || !is_dropped(ref)) continue;
    // The node that made the memory makes it again; views of it come back with it.
    TraceRef maker = ref;
    for (uint32_t k : entry->storages)
      if (kept_[k].dropped) maker = kept_[k].values.front();
    if (maker != ref) {
      pending.push_back({maker, false});
      continue;
    }
    if (ready) {
      done.insert(ref);
      order.push_back(ref);
      continue;
    }
    pending.push_back({ref, true});
    for (NodeId id : arguments_of(ref)) pending.push_back({{ref.frame, id}, false});
  }
  return order;
}

void ExecutionTrace::restore(TraceRef ref, const RuntimeValue& value) {
  Entry* entry = find(ref);
  if (!entry) return;
  std::vector<Storage> storages;
  for_each_tensor(value, [&](const Tensor& tensor) {
    if (tensor.storage.identity()) storages.push_back(tensor.storage);
  });
  if (storages.size() != entry->storages.size()) return;
  for (size_t i = 0; i < storages.size(); ++i) {
    Kept& kept = kept_[entry->storages[i]];
    if (!kept.dropped) continue;
    kept.storage = storages[i];
    kept.identity = storages[i].identity();
    kept.dropped = false;
    kept.used = ++clock_;
    kept_bytes_ += kept.bytes;
    by_identity_[kept.identity] = entry->storages[i];
    for (TraceRef shared : kept.values)
      if (Entry* other = find(shared)) fill_in(*other);
  }
}

Frame ExecutionTrace::frame_before(TraceRef ref) const {
  Frame frame;
  frame.graph = frames_[ref.frame].graph;
  frame.path = frames_[ref.frame].path;
  frame.values.resize(program_->graphs[frame.graph].nodes().size());
  const auto step = step_of(ref);
  for (NodeId id : arguments_of(ref))
    if (step && *step > 0)
      if (auto value = value_at({ref.frame, id}, *step - 1)) frame.values[id] = std::move(*value);
  return frame;
}

const Generator* ExecutionTrace::generator_before(TraceRef ref) const {
  const Entry* entry = find(ref);
  return entry ? entry->generator.get() : nullptr;
}

}  // namespace pt2::interp
