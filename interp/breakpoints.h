#pragma once
// Where and why a run stops.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/program.h"

namespace pt2::interp {

enum class BreakpointKind : uint8_t {
  Node,         // this node
  Op,           // operators that match a glob: "aten.add.*"
  ModuleEnter,  // the first node of a module (path or glob)
  ModuleExit,   // after its last
  Source,       // nodes from "file.py:41"
  Symbol,       // the first node whose value depends on a symbol
  Data,         // after anything wrote to this placeholder (buffer, input)
  Any,          // every operator: a rule for the whole run
};

enum class BreakpointCondition : uint8_t {
  Always, NaN, Inf, NonFinite, AbsGreater, Less, AllZero, ShapeDiffers, DTypeDiffers, Mismatch, Expression, Error
};

enum class BreakpointAction : uint8_t { Stop, Log, Collect };

struct Breakpoint {
  BreakpointKind kind = BreakpointKind::Node;
  NodeRef node;                        // Node, Data
  std::string pattern;                 // Op, Module…, Source, Symbol
  BreakpointCondition condition = BreakpointCondition::Always;
  double threshold = 0;                // AbsGreater, Less
  std::string expression;              // Expression: as in a watch
  uint64_t hit_at_least = 0;           // stop from this hit on; 0: every
  uint64_t every = 1;                  // … and then only each n-th
  BreakpointAction action = BreakpointAction::Stop;
  std::string message;                 // Log: "{name} max={max}"
  bool enabled = true;
  bool built_in = false;               // one of the three rules; cannot be removed
  uint64_t hits = 0;
};

// "NaN", "|x| > 3", "hit ≥ 2": what the list shows, and what parse_condition reads back.
std::string condition_text(const Breakpoint& breakpoint);
// Sets condition, threshold, expression and counts from a text. False: not understood (then nothing changed); `problem` says why.
bool parse_condition(std::string_view text, Breakpoint& breakpoint, std::string& problem);
std::string where_text(const Breakpoint& breakpoint, const Program& program);
// "relu", "graph/relu", "op=aten.add.*", "module=layer1", "exit=layer1", "model.py:41", "symbol=s0", "data=b_cache", "any". None: no such place.
std::optional<Breakpoint> parse_breakpoint(std::string_view text, const Program& program);

// Glob with * and ?.
bool matches_glob(std::string_view pattern, std::string_view text);

// The rules every list begins with: first NaN/Inf, error, first mismatch. On by default: error.
std::vector<Breakpoint> built_in_rules();

}  // namespace pt2::interp
