#pragma once
// One activation of one graph: the program itself, or one call of a sub-graph.
#include <optional>
#include <string>

#include "core/graph/program.h"
#include "interp/runtime_value.h"

namespace pt2::interp {

// torch.autocast as the interpreter sees it, for the CPU.
struct Autocast {
  bool enabled = false;
  DType dtype = DType::BFloat16;
};

struct Frame {
  GraphId graph;
  std::string path;                     // key prefix of its values: "" for the program, "body_graph_0@2/" for the third call of a sub-graph
  IdVector<NodeId, RuntimeValue> values;
  NodeId next;                          // the node that runs next
  NodeId caller;                        // the node of the frame below that this call belongs to
  Autocast autocast;
};

}  // namespace pt2::interp
