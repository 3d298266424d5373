#pragma once
// What became what between two programs: one exported and the same decomposed, two exports, two releases.
//
// Matching goes in passes, strongest evidence first; each group carries the evidence that made it. Every operator of both programs is in
// exactly one group, groups are as small as the evidence allows, and a getitem goes with the call whose result it takes.
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/ids.h"
#include "core/graph/program.h"

namespace pt2 {

enum class GroupKind : uint8_t {
  Same,        // 1:1, the same call
  Changed,     // 1:1, another operator, argument, dtype or shape
  Decomposed,  // 1:n
  Merged,      // n:1 or n:m
  Added,       // only on the right
  Removed,     // only on the left
};
enum class Evidence : uint8_t {
  None,         // added, removed
  Manual,       // linked by hand
  Provenance,   // from_node, written by passes
  DebugHandle,  // the user's debug_handle in `custom`
  Structure,    // the same call on the same inputs
  Alignment,    // metadata (stack trace, module, torch_fn), operator, shapes and neighbours, in execution order
};
std::string_view group_kind_name(GroupKind kind);  // "same", "changed" …
std::string_view evidence_name(Evidence evidence);

// A thing with its value on each side: the operator, the dtype, the shape, an argument by its name.
struct ValueChange { std::string what, left, right; };

struct NodeGroup {
  std::vector<NodeRef> left, right;  // in execution order, getitems included
  GroupKind kind = GroupKind::Same;
  Evidence evidence = Evidence::None;
  double confidence = 1;             // 0 … 1
  std::vector<std::string> changes;  // "operator", "arguments", "operands", "dtype", "shape": what differs between two calls; of several, between those that correspond
  std::vector<ValueChange> values;   // the same with both values, each argument by itself
};

struct OpChange { std::string target; int left = 0, right = 0; };  // how often an operator occurs, where that differs

// A module that has another name on the right ("encoder.layers", "encoder.blocks"; empty: the program itself), with what is below it under both names.
struct RenamedModule {
  using Places = std::vector<std::pair<size_t, size_t>>;
  std::string left, right;
  Places inputs, outputs;  // in Signature::inputs and outputs of the two programs: one input or buffer under both names
};

struct Diff {
  std::vector<NodeGroup> groups;  // in the left program's order; an added group stands after the group of the operator before it
  std::unordered_map<NodeRef, size_t> left_group, right_group;
  std::vector<std::pair<NodeRef, NodeRef>> placeholders;  // aligned by kind and target (user inputs: by their paths in the arguments)
  std::vector<RenamedModule> renamed;
  std::vector<std::string> signature_changes;  // what came and went under another name, too
  std::vector<OpChange> op_changes;

  size_t count(GroupKind kind) const;
  bool turned = false;            // matched from the right program to the left one: see diff_programs
  // Operators in groups that have both sides, as a fraction of all (1 for a program without operators).
  double matched_fraction_left = 1, matched_fraction_right = 1;
};

struct DiffOptions {
  bool use_provenance = true;
  std::vector<std::pair<NodeRef, NodeRef>> linked;    // by hand: these belong together
  std::vector<std::pair<NodeRef, NodeRef>> unlinked;  // by hand: these do not
  // Whether two values were equal in a run of both; strengthens the alignment. May be empty.
  std::function<bool(NodeRef left, NodeRef right)> same_value;
};

// Which of the two is the earlier one is decided by the programs, not by their order: matching always leads from it to the other, and the
// answer for (B, A) is the mirror image of that for (A, B).
Diff diff_programs(const Program& left, const Program& right, const DiffOptions& options = {});

// "name" in the root graph, "graph/name" in a sub-graph: how groups name nodes.
std::string qualified_name(const Program& program, NodeRef ref);

}  // namespace pt2
