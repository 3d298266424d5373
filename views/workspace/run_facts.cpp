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

struct Item { interp::TraceRef ref; interp::RuntimeValue value; std::optional<Quantization> quantization; };
using Facts = std::vector<std::pair<interp::TraceRef, ValueFact>>;

Facts facts_of(const std::vector<Item>& items, Job& job) {
  Facts facts;
  for (const Item& item : items) {
    if (job.stopped()) break;
    facts.emplace_back(item.ref, value_fact(item.value, item.quantization));
  }
  return facts;
}

// An element-wise operator that gave NaN or Inf, with what it read.
struct Reader { size_t fact; const Node* node; interp::RuntimeValue value; std::map<NodeId, interp::RuntimeValue> read; };

std::vector<Reader> readers_in(const Facts& facts, const interp::ExecutionTrace& trace, const Program& program) {
  std::vector<Reader> readers;
  for (size_t i = 0; i < facts.size(); ++i) {
    const interp::TraceRef at = facts[i].first;
    const Node& node = program.graphs[trace.frames()[at.frame].graph].node(at.node);
    const interp::RuntimeValue* value = trace.value(at);
    if (!facts[i].second.nonfinite || !value || node.kind != NodeKind::CallFunction || !interp::is_pointwise(node)) continue;
    Reader reader{i, &node, *value, {}};
    for (const NodeArgument& argument : node.inputs)
      for_each_node(argument.value, [&](NodeId input) {
        if (const interp::RuntimeValue* read = trace.value({at.frame, input})) reader.read.emplace(input, *read);
      });
    readers.push_back(std::move(reader));
  }
  return readers;
}

Facts with_arising(Facts facts, const std::vector<Reader>& readers, Job& job) {
  for (const Reader& reader : readers) {
    if (job.stopped()) break;
    const auto own = interp::arising_elements(*reader.node, reader.value, [&](NodeId id) -> const interp::RuntimeValue* {
      const auto read = reader.read.find(id);
      return read == reader.read.end() ? nullptr : &read->second;
    });
    facts[reader.fact].second.own_nan = own.nan > 0;
    facts[reader.fact].second.own_inf = own.inf > 0;
  }
  return facts;
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
  std::vector<Item> items;
  for (; seen_ < steps.size() && items.size() < kValuesOfOneJob; ++seen_)
    if (const interp::RuntimeValue* value = debugger_.trace().value(steps[seen_].at)) {
      const interp::TraceRef at = steps[seen_].at;
      items.push_back({at, *value, quantization_of(program_->graphs[debugger_.trace().frames()[at.frame].graph], at.node)});
    }
  if (items.empty()) return;
  busy_ = true;
  const auto alive = [self = std::weak_ptr<RunFacts*>(self_), run = run_]() -> RunFacts* {
    const auto facts = self.lock();
    return facts && (*facts)->run_ == run && (*facts)->debugger_.run_number() == run ? *facts : nullptr;  // else the trace is another's
  };
  const auto take_in = [alive](const Facts& facts) {
    RunFacts* into = alive();
    if (!into) return;
    for (auto [ref, fact] : facts) {
      into->find_state(ref, fact);
      into->count(ref, fact);
      into->facts_[ref] = fact;
    }
    into->busy_ = false;
    into->revision_.change();
    into->update();
  };
  jobs_.submit("", "Looking for NaN and Inf", [items = std::move(items)](Job& job) { return facts_of(items, job); }, [alive, take_in](Facts facts) {
    const RunFacts* from = alive();
    if (!from) return;
    std::vector<Reader> readers = readers_in(facts, from->debugger_.trace(), *from->program_);
    if (readers.empty()) return take_in(facts);
    from->jobs_.submit("", "Looking where NaN and Inf arise",
                       [facts = std::move(facts), readers = std::move(readers), program = from->program_](Job& job) mutable { return with_arising(std::move(facts), readers, job); }, take_in);
  });
}

}  // namespace pt2::views
