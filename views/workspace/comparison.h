#pragma once
// Two documents held against each other: what became what. One selection on both sides: picking a node selects its counterparts.
#include <memory>
#include <optional>

#include "core/diff/diff.h"
#include "interp/compare_report.h"
#include "views/workspace/derived_cache.h"
#include "views/workspace/node_rows.h"
#include "views/workspace/workspace.h"

namespace pt2::views {

struct ComparisonResult {
  std::string key;                        // names the compared programs and what was asked, in full
  std::shared_ptr<const Program> left, right;
  std::shared_ptr<const OpenedFile> left_file, right_file;
  std::shared_ptr<const Diff> diff;       // never null; with numbers the one that was matched with them
  std::shared_ptr<const Result<interp::RunComparison>> outcome;  // null: not asked for, or still running
  std::shared_ptr<const interp::WeightComparison> weights;       // the same
  std::string problem;                    // the mapping names a node that is not there
  // Told of the numbers, once for all frames; empty without them.
  std::string verdict;                    // interp::divergence_text
  std::string parted_at;                  // the first group that differs, with its call; empty: none does
  size_t differing_outputs = 0;
  std::string failure;                    // interp::failures_text

  const interp::RunComparison* numbers() const { return outcome && *outcome ? &**outcome : nullptr; }
  bool numbers_agree() const { return parted_at.empty() && differing_outputs == 0 && failure.empty(); }
  // Whether anything about a group is not the same.
  bool differs(size_t group) const {
    return diff->groups[group].kind != GroupKind::Same || (numbers() && numbers()->groups[group].equal == false);
  }
  interp::ComparisonView view(const Workspace& workspace) const;
};

// The nodes of one side, A's where it has some, in the call the numbers are of. There are numbers.
std::string group_name(const ComparisonResult& result, size_t group);

// Sets workspace.comparison.result, as far as jobs have got; null where nothing is compared. Once a frame.
void update_comparison(Workspace& workspace, DerivedCache& derived);
// What "Run both" runs on now: the inputs set for A, or where only B has some those, under the tolerance of the settings.
interp::CompareRunsRequest run_of_both(const Workspace& workspace);
// What was set anew since both ran: "inputs", "tolerance"; empty: nothing, or they did not run.
std::string changed_since_run(const Workspace& workspace);
// "A's inputs: x from x.pt"; empty: they did not run.
std::string inputs_of_both(const ComparisonResult& result, const Comparison& pair);
// Whether a group's numbers agree; in lockstep only where both sides have got to.
std::optional<bool> numbers_agree(const Comparison& pair, size_t group);
// Whether all that a run of both gave may be told: in lockstep after the last group.
bool all_told(const Comparison& pair);
// The first group whose numbers part, once that may be told.
std::optional<size_t> told_divergence(const Comparison& pair);
// Of a node that gives several values the one that is held against the other side, else the first; none for other nodes.
NodeRef compared_part(const Comparison& pair, DocumentId id, NodeRef node);
// Rows of two nodes; operands that belong together do not differ, and of a tuple on one side it is the compared value that is described.
std::vector<NodeRow> compared_rows(const ComparisonResult& result, const Comparison& pair, NodeRef a, NodeRef b);
// The nodes of the other side, inputs among them; empty where there are none.
std::vector<NodeRef> counterparts(const Diff& diff, bool from_left, NodeRef node);
// How many of a node's operands, or what became of them, the other one takes.
size_t shared_operands(const Diff& diff, bool from_left, const Program& own, NodeRef node, const Program& other, NodeRef candidate);
// Whether it gives a value of its group: it, or a part of its result, is read outside.
bool gives_value(const Diff& diff, bool left, const Program& program, NodeRef node);
// The value that a run of both held against this one; none: none was.
NodeRef partner_in_numbers(const Comparison& pair, bool left, NodeRef node);
// Of several counterparts one that gives a value of the group, if the node does; then the one that takes the node's operands (addmm for a
// linear, not the permute before it), then the one most like it.
NodeRef closest_counterpart(const Diff& diff, bool from_left, const Program& own, NodeRef node, const Program& other);
std::optional<size_t> group_of(const Diff& diff, bool left, NodeRef node);
// The node of a side's selection was chosen there: linking by hand takes it.
void pick(Comparison& pair, const Document& side);
// What linking by hand puts together: what was picked on each side; where nothing was picked, the only nodes of the selection. No node where
// a side has none.
std::pair<NodeRef, NodeRef> link_candidates(const Workspace& workspace);
// The same pairs with the sides swapped.
Mapping turned(const Mapping& mapping);
// Keeps the pairs set by hand with the documents, for their sessions.
void keep_pairs(Workspace& workspace);
// The next group that differs, from `from` on around; none where all are the same.
std::optional<size_t> next_difference(const ComparisonResult& result, std::optional<size_t> from, bool forward);
// Selects a group on both sides.
void select_group(Workspace& workspace, const Diff& diff, size_t group);
// Folds on both sides what holds no difference, or everything back as opened.
void fold_equal_modules(Workspace& workspace, bool only_differences);
// As both were opened, a module is open where it is on both sides: the more there is to see on one, the less of the other is open.
void match_first_folds(Workspace& workspace);
// Opens or folds on one side the modules that are open or folded on the other, by path.
void carry_folds(const Document& from, Document& to);
// The group of the selection, of the active side first.
std::optional<size_t> selected_group(const Workspace& workspace, const Diff& diff);
// What selects one side of a group.
Selection selection_of_group(const std::vector<NodeRef>& nodes);

// Carries what was selected or folded on one side over to the other, once per change.
class SelectionCarrier {
 public:
  void carry(Workspace& workspace);

 private:
  void carry_selection(Workspace& workspace, const Diff& diff);
  void carry_fold_state(Workspace& workspace);
  uint64_t seen_left_ = 0, seen_right_ = 0;
  DocumentId left_, right_;
  IdVector<ModuleId, uint8_t> left_folds_, right_folds_;  // as they were last
};

}  // namespace pt2::views
