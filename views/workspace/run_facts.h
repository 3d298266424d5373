#pragma once
// What the values of a run are like, without looking at them again: how many NaN and Inf, how large. Counted by jobs as values are
// recorded; recorded memory is never written again, so the jobs read it freely.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "core/base/jobs.h"
#include "core/base/revision.h"
#include "interp/debugger.h"
#include "views/workspace/quantization.h"

namespace pt2::views {

struct ValueFact {
  uint64_t nonfinite = 0, nan = 0;  // the others of them are infinite
  double max_abs = 0;               // of finite elements
  bool finite = false;              // there are some
  // The largest of the finite elements; of none NaN, or infinite.
  double largest() const;
  std::optional<double> saturated;  // the part of a quantized value's elements that lies at an end of its range
};
ValueFact value_fact(const interp::RuntimeValue& value, const std::optional<Quantization>& quantization = {});

class RunFacts {
 public:
  RunFacts(std::shared_ptr<const Program> program, const interp::Debugger& debugger, JobQueue& jobs) : program_(std::move(program)), debugger_(debugger), jobs_(jobs) {}
  RunFacts(const RunFacts&) = delete;
  RunFacts& operator=(const RunFacts&) = delete;

  // Starts a job for what was recorded since the last time; forgets everything when another run began. Call after each change.
  void update();

  const ValueFact* find(interp::TraceRef ref) const {
    auto it = facts_.find(ref);
    return it == facts_.end() ? nullptr : &it->second;
  }
  uint64_t nonfinite(interp::TraceRef ref) const {
    const ValueFact* fact = find(ref);
    return fact ? fact->nonfinite : 0;
  }
  uint64_t revision() const { return revision_.number(); }

  // What operators and inputs of the run gave so far: how many values hold one, and the first of them.
  struct Found {
    size_t values = 0;
    interp::TraceRef first;
  };
  const Found& with_nan() const { return with_nan_; }
  const Found& with_inf() const { return with_inf_; }

 private:
  void count(interp::TraceRef at, const ValueFact& fact);

  std::shared_ptr<const Program> program_;
  const interp::Debugger& debugger_;
  JobQueue& jobs_;
  std::map<interp::TraceRef, ValueFact> facts_;
  Found with_nan_, with_inf_;
  size_t seen_ = 0;        // steps of the trace that were looked at
  uint64_t run_ = 0;       // the debugger's run_number()
  Revision revision_;
  bool busy_ = false;
  std::shared_ptr<RunFacts*> self_ = std::make_shared<RunFacts*>(this);
};

}  // namespace pt2::views
