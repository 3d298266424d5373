#pragma once
// What the values of a run are like, without looking at them again: how many NaN and Inf, how large. Counted by jobs as values are
// recorded; recorded memory is never written again, so the jobs read it freely.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/jobs.h"
#include "core/base/revision.h"
#include "interp/debugger.h"
#include "views/workspace/overlay.h"
#include "views/workspace/quantization.h"

namespace pt2::views {

struct ValueFact {
  uint64_t elements = 0, nonfinite = 0, nan = 0;  // the others of nonfinite are infinite
  double max_abs = 0;               // of finite elements
  bool finite = false;              // there are some
  bool own_nan = false, own_inf = false;  // elements that an element-wise operator made itself, whatever it inherits besides
  // Told by the run it is of: RunFacts.
  NonFiniteState state = NonFiniteState::None;
  bool inf_arises = false;
  double largest() const;              // |x|; NaN where an element is NaN
  std::string nonfinite_text() const;  // "NaN 16 of 80, Inf 3"; "" of finite ones
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
  // It holds NaN, or Inf that the program does not ask for by a constant.
  bool alarming(interp::TraceRef ref) const {
    const ValueFact* fact = find(ref);
    return fact && fact->state > NonFiniteState::AskedInf;
  }
  uint64_t revision() const { return revision_.number(); }

  // What operators and inputs of the run gave so far: how many values hold one, and the first of them.
  struct Found {
    size_t values = 0;
    interp::TraceRef first;
  };
  const Found& with_nan() const { return with_nan_; }
  const Found& with_inf() const { return with_inf_; }    // and no NaN; of Inf that was not asked for
  const Found& inf_origins() const { return inf_origins_; }

 private:
  void count(interp::TraceRef at, const ValueFact& fact);
  // run_origins.cpp
  void find_state(interp::TraceRef at, ValueFact& fact);
  std::vector<interp::TraceRef> read_by(interp::TraceRef at);
  bool holds_nan(interp::TraceRef read, interp::TraceRef reader) const;

  std::shared_ptr<const Program> program_;
  const interp::Debugger& debugger_;
  JobQueue& jobs_;
  std::unordered_map<interp::TraceRef, ValueFact> facts_;
  Found with_nan_, with_inf_, inf_origins_;
  std::map<interp::TraceRef, std::vector<interp::FrameId>> calls_;  // by the node that made them
  size_t frames_seen_ = 1;  // the program's own is no call
  size_t seen_ = 0;        // steps of the trace that were looked at
  uint64_t run_ = 0;       // the debugger's run_number()
  Revision revision_;
  bool busy_ = false;
  std::shared_ptr<RunFacts*> self_ = std::make_shared<RunFacts*>(this);
};

}  // namespace pt2::views
