#pragma once
// Every shape and byte count of a program for chosen sizes of its symbols, and the ranges and guards these break, before anything runs.
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/program.h"

namespace pt2::interp {

struct NodeForecast {
  NodeRef node;
  std::string dtype;
  std::vector<std::optional<int64_t>> sizes;  // none: a size that only a run can tell
  std::optional<uint64_t> bytes;              // none: not all sizes are known, or too many
  bool symbolic = false;                      // depends on a symbol
};

struct ShapeForecast {
  std::map<std::string, int64_t> symbols;     // the chosen ones, the others as exported
  std::vector<std::string> violations;        // "s0 = 100 exceeds 64 (range constraint from export)"
  std::vector<NodeForecast> nodes;            // tensors of all graphs, in order
  uint64_t input_bytes = 0;                   // of user inputs
  uint64_t value_bytes = 0;                   // of what operators give, views counted as if they were copies
  size_t unknown = 0;                         // nodes without byte count
};

// `given`: what was given for inputs by name, values or files; what the files hold decides over what was chosen.
ShapeForecast forecast_shapes(const Program& program, const std::map<std::string, int64_t>& chosen, const std::vector<std::pair<std::string, std::string>>& given = {});

// "f32[7, 3, ?]".
std::string forecast_text(const NodeForecast& forecast);

}  // namespace pt2::interp
