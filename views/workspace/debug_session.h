#pragma once
// How far a document's run has come, as panes and the state dump see it.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/graph/program.h"

namespace pt2::views {

enum class RunState : uint8_t { NotStarted, Paused, Running, Finished, Failed };
std::string_view run_state_name(RunState state);  // "not_started" …

struct Breakpoint {
  NodeRef node;
  bool enabled = true;
  std::string condition;  // empty: always
  uint64_t hits = 0;
};
struct Watch { std::string expression, value; bool changed = false; };

class DebugSession {
 public:
  explicit DebugSession(const Program& program);

  RunState state = RunState::NotStarted;
  NodeRef cursor;           // the operator that runs next; none before a run and once finished
  std::string stop_reason;
  size_t executed = 0;      // operators of the root graph
  size_t steps = 0;         // operators of the root graph, all of them
  std::vector<Breakpoint> breakpoints;  // in the order they were set
  std::vector<Watch> watches;

  const Breakpoint* breakpoint_at(NodeRef node) const;
};

}  // namespace pt2::views
