#include "interp/reference_check.h"

#include "interp/recorded_values.h"
#include "interp/shapes.h"

namespace pt2::interp {

namespace {

// The recorded value, written into the memory of the node's own: what aliases it sees it too.
void write_in_place(const Tensor& target, const Tensor& recorded) {
  const Tensor* source = &recorded;
  Tensor complex;
  if (is_complex(target.dtype) && !is_complex(recorded.dtype)) {
    complex = as_complex(recorded);
    source = &complex;
  }
  if (source->dtype != target.dtype || source->sizes != target.sizes || has_internal_overlap(target)) return;
  const Op* copy = builtin_ops().find("aten.copy_.default");
  if (!copy) return;
  const RuntimeValue arguments[] = {target, *source, false};
  copy->call(current_context(), arguments);
}

}  // namespace

bool worse(const ValueDifference& a, const ValueDifference& b) {
  if (a.comparable != b.comparable) return !a.comparable;
  if (a.equal != b.equal) return !a.equal;
  return a.max_abs > b.max_abs;
}

ReferenceCheck::ReferenceCheck(const Program& program, const TensorFile& reference, ReferenceOptions options) : program_(program), options_(options) {
  for (const auto& [key, tensor] : reference.tensors) recorded_.emplace(key, &tensor);
}

std::optional<ValueDifference> ReferenceCheck::difference(const std::vector<std::pair<std::string, Tensor>>& tensors, const Tolerance& tolerance) const {
  std::optional<ValueDifference> worst;
  for (const auto& [key, tensor] : tensors) {
    auto it = recorded_.find(key);
    if (it == recorded_.end()) continue;
    ValueDifference d = compare_tensors(tensor, *it->second, tolerance);
    if (!worst || worse(d, *worst)) worst = std::move(d);
  }
  return worst;
}

std::optional<ValueDifference> ReferenceCheck::compare(const std::string& key, const RuntimeValue& value, const Tolerance& tolerance) const {
  return difference(recorded_tensors(key, value), tolerance);
}

void ReferenceCheck::take(const std::vector<std::pair<std::string, Tensor>>& tensors, RuntimeValue& value) const {
  for (const auto& [key, tensor] : tensors) {
    auto it = recorded_.find(key);
    if (it == recorded_.end()) continue;
    if (value.is<bool>() || value.is<int64_t>() || value.is<double>() || value.is<std::complex<double>>()) value = with_number(value, *it->second);
    else write_in_place(tensor, *it->second);
  }
}

void ReferenceCheck::node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) {
  last_.reset();
  to_isolate_.clear();
  const Node& node = program_.graphs[frame.graph].node(id);
  if (!run.done() || node.kind == NodeKind::Output || node.kind == NodeKind::GetAttr) return;
  const std::string key = frame.path + std::string(node.name);
  const auto tensors = recorded_tensors(key, value, node);
  if (tensors.empty()) return;
  if (run.drew_random || run.uninitialized) {
    bool found = false;
    for (const auto& [name, tensor] : tensors) found = found || recorded_.contains(name);
    if (found) {
      taken_.push_back(key);
      take(tensors, value);
      return;
    }
  }
  const auto d = difference(tensors, options_.tolerance);
  if (!d) {
    not_in_reference_.push_back(key);
    return;
  }
  ++compared_;
  last_ = d;
  if (!d->equal) {
    ++differing_;
    mismatched_.push_back({key, shown_target(node), *d});
  }
  if (options_.isolate && (d->max_abs > 0 || !d->equal)) to_isolate_ = tensors;
}

void ReferenceCheck::isolate_last(RuntimeValue& value) {
  if (!to_isolate_.empty()) take(to_isolate_, value);
  to_isolate_.clear();
}

void ReferenceCheck::check(const std::string& key, const std::string& node, const RuntimeValue& value) {
  const auto d = compare(key, value, options_.tolerance);
  if (!d || d->equal) return;
  for (Mismatch& m : mismatched_)
    if (m.node == node) {
      if (worse(*d, m.difference)) m.difference = *d;
      return;
    }
  mismatched_.push_back({node, node.substr(0, node.find('/')), *d});
}

}  // namespace pt2::interp
