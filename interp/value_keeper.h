#pragma once
// The values of a run, for holding two runs against each other.
#include <cstring>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "interp/allocation.h"
#include "interp/compare_runs.h"
#include "interp/interpreter.h"
#include "interp/recorded_values.h"
#include "interp/tensor_map.h"
#include "interp/watch_expression.h"

namespace pt2::interp {

inline Tensor clone(const Tensor& tensor) {
  Tensor copy = empty_strided(tensor.sizes, contiguous_strides(tensor.sizes), tensor.dtype);
  copy_into(copy, tensor);
  return copy;
}

// Every value as it was right after its node ran first, or in the call that is meant. Memory is shared with the run until the run writes to it.
class ValueKeeper : public RunListener {
 public:
  explicit ValueKeeper(const Program& program, CallsOfGraphs calls = {}) : program_(program), calls_(std::move(calls)) {}

  void node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) override {
    const NodeRef ref{frame.graph, id};
    if (!run.done() || values_.count(ref) || !meant(calls_, frame.graph, frame.path)) return;
    Kept& kept = values_[ref];
    kept.random = run.drew_random || run.uninitialized;
    if (auto number = number_tensor(value)) kept.tensor = std::move(number);
    else if (auto* tensor = value.as<Tensor>()) kept.tensor = *tensor;
    if (!value.is<Tensor>()) kept.text = kept.tensor ? summary(value) : kind_text(value);
    if (!kept.tensor) return;
    const void* memory = kept.tensor->storage.identity();
    if (frame.caller == NodeId() && program_.node(ref).kind == NodeKind::Placeholder) placeholders_.emplace(memory, ref);
    if (const auto owner = placeholders_.find(memory); owner != placeholders_.end()) kept.placeholder = owner->second;
    kept.view = !memories_.insert(memory).second && !writers_.count(ref);
    by_storage_[memory].push_back(ref);
  }
  void before_write(const Frame& frame, NodeId writer, const Tensor& tensor) override {
    writers_.insert({frame.graph, writer});
    const auto found = by_storage_.find(tensor.storage.identity());
    if (found == by_storage_.end()) return;
    for (NodeRef ref : found->second) {
      Kept& kept = values_[ref];
      kept.tensor = clone(*kept.tensor);
      kept.overwritten_view = kept.view;
    }
    by_storage_.erase(found);
  }

  const Tensor* tensor(NodeRef ref) const {
    const auto it = values_.find(ref);
    return it == values_.end() || !it->second.tensor ? nullptr : &*it->second.tensor;
  }
  bool random(NodeRef ref) const {
    const auto it = values_.find(ref);
    return it != values_.end() && it->second.random;
  }
  // A view of memory that was written to later.
  bool overwritten_view(NodeRef ref) const {
    const auto it = values_.find(ref);
    return it != values_.end() && it->second.overwritten_view;
  }
  // All of it; nothing may be asked of the keeper afterwards.
  RunValues take() {
    RunValues values;
    for (auto& [ref, kept] : values_) values.of.emplace(ref, RunValues::Value{kept.text.empty() ? std::move(kept.tensor) : std::nullopt, std::move(kept.text)});
    return values;
  }
  // The program's input whose memory this value is, or was when its node ran; none for other values.
  NodeRef placeholder(NodeRef ref) const {
    const auto it = values_.find(ref);
    return it == values_.end() ? NodeRef() : it->second.placeholder;
  }
  // Equal for values of the same type, shape and bits; 0 for none.
  uint64_t fingerprint(NodeRef ref) {
    const auto it = values_.find(ref);
    if (it == values_.end() || !it->second.tensor) return 0;
    Kept& kept = it->second;
    if (kept.fingerprint == 0) {
      const Tensor dense = as_contiguous(*kept.tensor);
      uint64_t hash = 1469598103934665603ull ^ static_cast<uint64_t>(dense.dtype);
      auto mix = [&hash](uint64_t word) { hash = (hash ^ word) * 1099511628211ull; };
      for (int64_t size : dense.sizes) mix(static_cast<uint64_t>(size));
      const size_t bytes = static_cast<size_t>(dense.numel()) * static_cast<size_t>(item_size(dense.dtype));
      size_t i = 0;
      for (uint64_t word; i + 8 <= bytes; i += 8) {
        std::memcpy(&word, dense.bytes() + i, 8);
        mix(word);
      }
      for (; i < bytes; ++i) mix(static_cast<uint64_t>(dense.bytes()[i]));
      kept.fingerprint = hash | 1;
    }
    return kept.fingerprint;
  }

 private:
  struct Kept {
    std::optional<Tensor> tensor;
    std::string text;
    bool random = false, view = false, overwritten_view = false;
    NodeRef placeholder;
    uint64_t fingerprint = 0;
  };
  const Program& program_;
  const CallsOfGraphs calls_;
  std::unordered_map<NodeRef, Kept> values_;
  std::unordered_map<const void*, NodeRef> placeholders_;  // the program's inputs by their memory
  std::unordered_map<const void*, std::vector<NodeRef>> by_storage_;
  std::unordered_set<const void*> memories_;  // every storage met
  std::unordered_set<NodeRef> writers_;
};

}  // namespace pt2::interp
