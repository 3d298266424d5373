#pragma once
// Some nodes of a graph as a program of their own: what they read from outside becomes inputs or literals, what leaves them outputs.
// Sizes are those of one run, so nothing in it is symbolic.
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/result.h"
#include "core/graph/program.h"

namespace pt2 {

// A constant argument of a call, of these nodes or of one in a sub-graph they call, as it is to be written.
struct CutArgument {
  NodeRef node;
  std::string name;
  Argument value;
};

struct CutRequest {
  GraphId graph;
  std::vector<NodeId> nodes;                           // as whole_calls() gives them
  std::vector<NodeId> outputs;                         // of them, to be returned besides what leaves them
  // What a run had, for values read from outside and for results: tensors with plain sizes, numbers and other Python values.
  std::unordered_map<NodeId, TensorMeta> tensors;
  std::unordered_map<NodeId, Argument> constants;
  std::vector<CutArgument> arguments;                  // other than in the program
  SymbolLookup symbols;                                // sizes of the run, for sub-graphs and results that have no value
};

struct CutProgram {
  std::shared_ptr<const Program> program;              // called "model"
  std::vector<NodeId> inputs, outputs;                 // nodes of the original graph, in the order of the new signature; tokens left out
  std::vector<std::string> notes;                      // what is not as it was: "device cuda:0 is written as cpu"
};

// The nodes with what cannot be told apart from them: a getitem's call, a call's getitems. In execution order; other kinds are left out.
std::vector<NodeId> whole_calls(const Graph& graph, const std::vector<NodeId>& nodes);
// What they read from outside, in the order of reading, each once; get_attrs of sub-graphs are no values.
std::vector<NodeId> outside_values(const Graph& graph, const std::vector<NodeId>& nodes);

// Fails where a value from outside has neither a tensor nor a constant (script objects), or a size is not known.
Result<CutProgram> cut_program(const Program& program, const CutRequest& request);

}  // namespace pt2
