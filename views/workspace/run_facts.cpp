#include "views/workspace/run_facts.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/tensor/element.h"
#include "core/tensor/view.h"
#include "interp/arising.h"

namespace pt2::views {
namespace {

constexpr size_t kValuesOfOneJob = 4096;

void add(ValueFact& fact, double value) {
  ++fact.elements;
  const double size = std::abs(value);
  if (!(size <= 1.7976931348623157e308)) {
    ++fact.nonfinite;
    fact.nan += size != size;
    return;
  }
  fact.finite = true;
  if (size > fact.max_abs) fact.max_abs = size;
}

void add(ValueFact& fact, const Tensor& tensor) {
  for_each_run(tensor, [&](const std::byte* bytes, int64_t count, int64_t step) {
    if (tensor.dtype == DType::Float32) {
      for (int64_t i = 0; i < count; ++i, bytes += step) {
        float value;
        std::memcpy(&value, bytes, sizeof value);
        add(fact, double(value));
      }
    } else {
      for (int64_t i = 0; i < count; ++i, bytes += step) add(fact, as_double(read_element(tensor.dtype, bytes)));
    }
  });
}

}  // namespace

double ValueFact::largest() const {
  if (!nonfinite) return max_abs;
  return nan ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
}

std::string ValueFact::nonfinite_text() const {
  const std::string of = " of " + with_commas(elements);
  if (!nonfinite) return {};
  if (!nan) return "Inf " + with_commas(nonfinite) + of;
  return "NaN " + with_commas(nan) + of + (nonfinite > nan ? ", Inf " + with_commas(nonfinite - nan) : "");
}

ValueFact value_fact(const interp::RuntimeValue& value, const std::optional<Quantization>& quantization) {
  ValueFact fact;
  if (auto* number = value.as<double>()) add(fact, *number);
  if (auto* number = value.as<int64_t>()) add(fact, double(*number));
  interp::for_each_tensor(value, [&](const Tensor& tensor) {
    if (tensor.dtype != DType::Unknown && item_size(tensor.dtype) > 0) add(fact, tensor);
  });
  if (auto* tensor = value.as<Tensor>(); tensor && quantization && quantization->quant_min && quantization->quant_max && (!is_floating(tensor->dtype) || quantization->scale) && tensor->numel() > 0) {
    const auto [low, high] = count_saturated(*tensor, *quantization);
    fact.saturated = double(low + high) / double(tensor->numel());
  }
  return fact;
}

// An output repeats what others gave.
void RunFacts::count(interp::TraceRef at, const ValueFact& fact) {
  if (program_->graphs[debugger_.trace().frames()[at.frame].graph].node(at.node).kind == NodeKind::Output) return;
  auto add = [at](Found& found) {
    if (found.values++ == 0) found.first = at;
  };
  if (fact.nan) add(with_nan_);
  if (fact.state == NonFiniteState::Inf) add(with_inf_);
  if (fact.inf_arises) add(inf_origins_);
}

void RunFacts::update() {
  const auto& steps = debugger_.trace().steps();
  if (std::exchange(run_, debugger_.run_number()) != debugger_.run_number()) {
    facts_.clear();
    with_nan_ = with_inf_ = inf_origins_ = {};
    calls_.clear();
    frames_seen_ = 1;
    seen_ = 0;
    busy_ = false;
    revision_.change();
  }
  if (busy_ || seen_ == steps.size()) return;
  struct Item { interp::TraceRef ref; interp::RuntimeValue value; std::optional<Quantization> quantization; const Node* node; std::map<NodeId, interp::RuntimeValue> read; };
  std::vector<Item> items;
  for (; seen_ < steps.size() && items.size() < kValuesOfOneJob; ++seen_)
    if (const interp::RuntimeValue* value = debugger_.trace().value(steps[seen_].at)) {
      const interp::TraceRef at = steps[seen_].at;
      const Graph& graph = program_->graphs[debugger_.trace().frames()[at.frame].graph];
      items.push_back({at, *value, quantization_of(graph, at.node), &graph.node(at.node), {}});
      if (graph.node(at.node).kind == NodeKind::CallFunction && interp::is_pointwise(graph.node(at.node)))
        for (const NodeArgument& argument : graph.node(at.node).inputs)
          for_each_node(argument.value, [&](NodeId input) {
            if (const interp::RuntimeValue* read = debugger_.trace().value({at.frame, input})) items.back().read.emplace(input, *read);
          });
    }
  if (items.empty()) return;
  busy_ = true;
  jobs_.submit(
      "", "Looking for NaN and Inf",
      [items = std::move(items), program = program_](Job& job) {
        std::vector<std::pair<interp::TraceRef, ValueFact>> facts;
        for (const Item& item : items) {
          if (job.stopped()) break;
          ValueFact& fact = facts.emplace_back(item.ref, value_fact(item.value, item.quantization)).second;
          if (!fact.nonfinite || item.read.empty()) continue;
          const auto own = interp::arising_elements(*item.node, item.value, [&](NodeId id) -> const interp::RuntimeValue* {
            const auto read = item.read.find(id);
            return read == item.read.end() ? nullptr : &read->second;
          });
          fact.own_nan = own.nan > 0;
          fact.own_inf = own.inf > 0;
        }
        return facts;
      },
      [self = std::weak_ptr<RunFacts*>(self_), run = run_](std::vector<std::pair<interp::TraceRef, ValueFact>> facts) {
        auto alive = self.lock();
        if (!alive || (*alive)->run_ != run || (*alive)->debugger_.run_number() != run) return;  // the trace is another's
        RunFacts& into = **alive;
        for (auto& [ref, fact] : facts) {
          into.find_state(ref, fact);
          into.count(ref, fact);
          into.facts_[ref] = fact;
        }
        into.busy_ = false;
        into.revision_.change();
        into.update();
      });
}

}  // namespace pt2::views
