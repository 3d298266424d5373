#pragma once
// Where and why a run stops.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/program.h"
#include "interp/compare_values.h"

namespace pt2::interp {

enum class BreakpointKind : uint8_t {
  Node,         // this node
  Op,           // operators that match a glob: "aten.add.*"
  ModuleEnter,  // the first node of a module (path or glob)
  ModuleExit,   // after its last
  Source,       // the first of the nodes from "file.py:41", each time they are come to
  Symbol,       // the first node whose value depends on a symbol
  Data,         // after anything wrote to this placeholder (buffer, input), or made the value it takes at the end
  Any,          // every operator: a rule for the whole run
};

enum class BreakpointCondition : uint8_t {
  Always, NaN, Inf, NonFinite, AbsGreater, Less, AllZero, ShapeDiffers, DTypeDiffers, Mismatch, Expression, Error
};

enum class BreakpointAction : uint8_t { Stop, Log, Collect };

struct Breakpoint {
  BreakpointKind kind = BreakpointKind::Node;
  NodeRef node;                        // Node, Data
  std::string call;                    // Node: "body_graph_0@3/", in that call of its sub-graph only (see value_names.h); empty: in every one
  std::string pattern;                 // Op, Module…, Source, Symbol
  BreakpointCondition condition = BreakpointCondition::Always;
  double threshold = 0;                // AbsGreater, Less
  Tolerance tolerance;                 // Mismatch
  std::string expression;              // Expression: as in a watch
  uint64_t hit_at_least = 0;           // stop from this hit on; 0: every
  uint64_t every = 1;                  // … and of those only each n-th
  BreakpointAction action = BreakpointAction::Stop;
  std::string message;                 // Log: "{name} max={max}"
  bool enabled = true;
  bool built_in = false;               // one of the three rules; cannot be removed
  uint64_t hits = 0;
  std::vector<NodeRef> ignored;        // nodes where it does nothing any more
};

// "NaN", "|x| > 3", "hit ≥ 2": what the list shows, and what parse_condition reads back.
std::string condition_text(const Breakpoint& breakpoint);
// Sets condition, threshold, expression and counts from a text. False: not understood (then nothing changed); `problem` says why.
bool parse_condition(std::string_view text, Breakpoint& breakpoint, std::string& problem);
// What a condition mentions that the program has not; empty: nothing.
std::string unknown_name(const Breakpoint& breakpoint, const Program& program);
// The first value in a condition at one node that its graph computes after that node, so that the condition never holds; empty: none.
std::string later_name(const Breakpoint& breakpoint, const Program& program);
// Whether a value of the program depends on it.
bool has_symbol(const Program& program, const std::string& symbol);
std::string where_text(const Breakpoint& breakpoint, const Program& program);
// Both, to know a breakpoint again.
std::string place_and_condition(const Breakpoint& breakpoint, const Program& program);
// "relu", "graph/relu", "graph@3/relu", "op=aten.add.*", "module=layer1", "exit=layer1", "model.py:41", "symbol=s0", "data=b_cache", "any". None: nothing of the
// program is such a place.
std::optional<Breakpoint> parse_breakpoint(std::string_view text, const Program& program);

// Glob with * and ?.
bool matches_glob(std::string_view pattern, std::string_view text);

// The rules every list begins with: first NaN/Inf, error, first mismatch. On by default: error. What a NaN or a mismatch made of
// its readers is no news: the rules stop at nodes whose arguments were all right.
std::vector<Breakpoint> built_in_rules();

// Whether a run, operator by operator, has come to the place of a breakpoint. Knows where the run was before.
class PlaceWalk {
 public:
  explicit PlaceWalk(const Program& program) : program_(program) {}

  // The node belongs to the place: conditions on its value are judged. `path`: of its frame.
  bool contains(const Breakpoint& breakpoint, NodeRef node, std::string_view path) const;
  // The run comes to the place with this operator, which is next.
  bool enters(const Breakpoint& breakpoint, NodeRef next, std::string_view path) const;
  // The run left the module of a ModuleExit with this operator, which ended.
  bool leaves(const Breakpoint& breakpoint, NodeRef ended) const;
  void passed(NodeRef ended);

 private:
  bool in_module(NodeRef node, const std::string& pattern) const;
  NodeRef first_use(const std::string& symbol) const;

  const Program& program_;
  NodeRef last_, last_of_root_;                               // the operators that ended last
  mutable std::vector<std::pair<std::string, NodeRef>> first_uses_;
};

}  // namespace pt2::interp
