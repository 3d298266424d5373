#pragma once
// What `_guards_fn` of a program's module checks: the sizes and constants its inputs must have. Readable, and checkable without Python.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/program.h"
#include "core/symbolic/sym_expr.h"

namespace pt2 {

struct Guard {
  enum class Origin { Constant, Size, Range, Equality, Code };
  Origin origin = Origin::Code;
  std::string text;   // "x.size()[0] >= 3", "y.size()[0] == x.size()[0]", "n == 3"
  SymExpr condition;  // its symbols are the paths in `text`: "x.size()[0]", "n"
  NodeId input;       // the placeholder it speaks of first; none for conditions met while tracing
};

// In PyTorch's order: input by input, then the conditions met while tracing (`guards_code`).
std::vector<Guard> program_guards(const Program& program);

// nullopt: a path is unknown to `lookup`, or the condition is no expression this reader knows.
std::optional<bool> holds(const Guard& guard, const SymbolLookup& lookup);

// A Python condition whose symbols are paths such as `L['x'].size()[0]`. Never fails, with the limits of parse_sym_expr.
SymExpr parse_guard(std::string_view condition);

// How each user input is reached from the arguments of forward, "x", "d['mask'][0]", in the order of the signature's user inputs.
std::vector<std::string> user_input_paths(const Program& program);

}  // namespace pt2
