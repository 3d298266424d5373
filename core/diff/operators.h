#pragma once
// The operators of one graph, prepared for matching: calls without the getitems that unpack them, each with its operands resolved to
// other operators or to the graph's inputs.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/graph/program.h"

namespace pt2::diff {

// What kinds of decomposition an operator has: how many operators one call may become.
enum class Expansion : uint8_t {
  One,      // core operators stay themselves
  Few,      // view-like composites: flatten, contiguous, unflatten …
  Many,     // composites: layer_norm, scaled_dot_product_attention …
  InPlace,  // functionalised: the functional form, and views replayed
};

struct Source {                 // where an operand comes from
  int32_t op = -1;              // index into GraphOperators::ops
  int64_t result = 0;           // which one of that operator's results
  int32_t input = -1;           // or a key of an input, equal on both sides where the inputs are aligned
  friend bool operator==(Source, Source) = default;
};

struct Operator {
  NodeId node;
  std::vector<NodeId> getitems;
  std::string_view target;      // "aten.add.Tensor": without "torch.ops."
  std::string_view base;        // "add", in-place form's underscore left out
  Expansion expansion = Expansion::One;
  bool symbolic = false;        // computes with symbolic numbers, or checks them: passes repeat and move these freely
  bool number = false;          // gives a symbolic number, no tensor: a size, or what is computed from sizes
  bool stale = false;           // a view of memory that was written to before: functionalisation makes it anew where it is read
  bool check = false;           // an assertion, or symbolic and read by checks only: stands anywhere before what relies on it
  std::vector<Source> sources;  // operands in order, each value once per use
  std::string constants;        // the other arguments, as text
  std::string shape;            // dtype and sizes of the (first) result; empty: unknown
  // Metadata as pool numbers shared by both sides: 0 = absent.
  uint32_t stack_trace = 0, module_path = 0, torch_fn = 0, source_fn = 0;
  std::vector<GraphId> subgraphs;
};

// Numbers for texts, the same for equal texts of both programs.
class TextNumbers {
 public:
  uint32_t number(std::string_view text) {
    if (text.empty()) return 0;
    return numbers_.try_emplace(std::string(text), static_cast<uint32_t>(numbers_.size() + 1)).first->second;
  }

 private:
  std::unordered_map<std::string, uint32_t> numbers_;
};

struct GraphOperators {
  GraphId graph;
  std::vector<Operator> ops;                     // in execution order
  std::unordered_map<NodeId, int32_t> op_of;     // node, getitems too → index
};

GraphOperators collect_operators(const Program& program, GraphId graph, const std::unordered_map<NodeId, int32_t>& input_keys,
                                 TextNumbers& texts);

// The path of the module that a node is in, "layer1.0.conv@1", "" for the root; nullopt: not known. And its number.
std::optional<std::string_view> module_path(const NodeMeta& meta);
uint32_t module_number(std::optional<std::string_view> path, TextNumbers& texts);

}  // namespace pt2::diff
