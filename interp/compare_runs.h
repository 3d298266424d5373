#pragma once
// Two programs on the same inputs, held against each other group by group of their Diff: where do the numbers part, and of what kind is it?
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/diff/diff.h"
#include "core/load.h"
#include "interp/difference_cause.h"
#include "interp/run_report.h"

namespace pt2::interp {

struct GroupNumbers {
  std::optional<bool> equal;         // within the tolerance; none: nothing to compare
  NodeRef left, right;               // the values that were compared
  std::string left_call, right_call; // of which call of a sub-graph: "body_graph_0@2/"; empty: the first
  ValueDifference difference;
  Cause cause = Cause::None;
  bool operand_differs = false;      // an operand already differs: the difference came from there, or was added to it
  bool carried_in = false;           // … and the group is the same call on both sides: it came from there
  std::optional<bool> local;         // with `isolate`: it differs also where its operands are the left program's
  std::string not_judged;            // … or why that is not known: "the operand mul_5 has no counterpart"
  bool same_operands = false;        // each side reads just the counterparts of what the other reads
  bool equal_operands = false;       // each side reads just the values that the other reads, whatever nodes gave them
  std::vector<NodeRef> differing_inputs;  // operands nobody computes (the left program's placeholders of weights, buffers) whose values are not the same
  std::vector<std::pair<NodeRef, NodeRef>> pairs;  // all values of the group that were held against each other
};

struct OutputNumbers {
  std::string left, right;           // names of the returned values or the constants, or targets of what was written to
  std::string title;                 // as the signatures call what is returned: "user output 0"
  bool constant = false;             // of either side: a value that no node gives
  std::string written;               // "buffer_mutation" …; empty: it is returned
  std::optional<bool> equal;
  ValueDifference difference;
  Cause cause = Cause::None;         // Missing: only one side returns it
  bool measured() const { return equal && cause != Cause::Missing && !std::isnan(difference.max_abs); }  // there are numbers
};

// What a run gave: tensors as they were right after their node ran first, or in the call the groups are compared in; other values in words.
struct RunValues {
  struct Value { std::optional<Tensor> tensor; std::string text; };
  std::unordered_map<NodeRef, Value> of;
};

struct RunComparison {
  Diff diff;                         // matched again, with the values as evidence
  std::vector<GroupNumbers> groups;  // one per group
  std::vector<OutputNumbers> outputs;  // what goes back to callers, as they get it
  std::vector<OutputNumbers> written;  // what either run left in inputs and buffers
  std::vector<size_t> order;         // the groups in the order they ran: those of a sub-graph before the one that calls it
  std::vector<size_t> positions;     // of each group in `order`
  std::optional<size_t> first_divergence;  // the first group, in that order, whose `equal` is false
  std::vector<std::string> notes;    // what was done to the inputs
  RunReport left, right;             // what failed there has no numbers
  RunValues left_values, right_values;
  size_t position(size_t group) const { return group < positions.size() ? positions[group] : positions.size(); }
  std::string inputs;                // of both, and where they came from: "x from x.pt", "sample inputs"
};

// One call of a sub-graph: "body_graph_0@2/". Without a text the first one is meant.
struct CallOfGraph {
  GraphId graph;
  std::string call;
};
using CallsOfGraphs = std::vector<CallOfGraph>;
// Whether values of this frame are meant; of other graphs those of their first call are.
bool meant(const CallsOfGraphs& calls, GraphId frame_graph, std::string_view path);
struct CallsOfBoth { CallsOfGraphs left, right; };

struct CompareRunsRequest {
  InputRequest inputs;               // by the left program's placeholder names; the right one gets the same, aligned as in Diff::placeholders
  bool inputs_of_right = false;      // the other way round: `inputs` names those of the right program
  uint64_t seed = 0;
  Tolerance tolerance;               // rtol, atol of floating-point values
  DiffOptions matching;
  const Diff* groups = nullptr;      // hold these against each other instead of matching anew
  CallsOfBoth calls;                 // whose values are held against each other; of other sub-graphs it is their first call
  bool find_calls = true;            // where a loop's first call does not tell: take the first one in which something differs
  bool isolate = false;              // where groups differ, run the right program again, each group on the left one's values
  size_t memory_bytes = 0;           // per run; 0: default_memory_bytes()
  int threads = 0;
  std::stop_token stop;
};

struct ProgramSide {
  const OpenedFile* file = nullptr;
  std::shared_ptr<const Program> program;
};

// The inputs of both runs: one program's, and the same ones under the other program's names. Where only the type of a floating-point input
// is another one, the other program gets the value in its own type. An error: they do not fit.
struct SharedInputs {
  InputRequest left, right;
  std::vector<std::string> notes;
  std::string text;                  // as RunComparison::inputs
};
Result<SharedInputs> shared_inputs(const ProgramSide& left, const ProgramSide& right, const CompareRunsRequest& request);

// One of the two runs of a comparison.
RunRequest run_request(const CompareRunsRequest& request, InputRequest inputs, RunListener* listener);

// An error: the inputs do not fit. What fails in a run is in its report.
Result<RunComparison> compare_runs(const ProgramSide& left, const ProgramSide& right, const CompareRunsRequest& request);

}  // namespace pt2::interp
