#pragma once
// What each node of a program will call, found once before the run: so that a run costs no look-ups by name, and so that what cannot be
// evaluated, and what waits for it, is known before anything runs.
#include <memory>
#include <string_view>
#include <vector>

#include "core/graph/program.h"
#include "interp/higher_order.h"
#include "interp/op_table.h"
#include "interp/python_functions.h"

namespace pt2::interp {

enum class CalleeKind : uint8_t { Placeholder, GetAttr, Op, Python, HigherOrder, VmapLevel, AddBatchDim, RemoveBatchDim, Output, Unknown };

struct PlannedNode {
  CalleeKind kind = CalleeKind::Unknown;
  bool uninitialized = false;               // returns memory as it was (empty, resize_ …)
  bool resizes = false;                     // resize_, resize_as_: its argument has another shape afterwards
  const Op* op = nullptr;
  PythonFunction python = nullptr;
  HigherOrder higher_order = nullptr;
  int64_t vmap_level = 0;                   // what a traced vmap that opens or closes gives: how many are open
  std::vector<size_t> written;              // parameters whose storage it writes, also where the schema does not say so (batch_norm)
  std::vector<NodeId> released;             // values whose last reader this node is
};

struct ExecutionPlan {
  std::shared_ptr<const Program> program;
  IdVector<GraphId, IdVector<NodeId, PlannedNode>> graphs;
  std::vector<NodeRef> unsupported;  // nodes without implementation, in execution order; those of sub-graphs included
  std::vector<NodeRef> blocked;      // nodes that will get no value because of those
  size_t node_count = 0;             // of all graphs

  const PlannedNode& node(NodeRef ref) const { return graphs[ref.graph][ref.node]; }
};

ExecutionPlan make_execution_plan(std::shared_ptr<const Program> program, const OpTable& ops);

// The name shown for a node's target: "aten.add.Tensor", "higher_order.cond", "operator.getitem", "torch.sym_max".
std::string shown_target(const Node& node);

}  // namespace pt2::interp
