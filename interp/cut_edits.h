#pragma once
// The edits of a run beside a cut: of the reproduction (repro.h).
#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/encode/cut_program.h"
#include "core/load.h"
#include "interp/edited_value.h"
#include "interp/program_inputs.h"
#include "interp/what_if.h"

namespace pt2::interp {

// The edits of a run beside some of its nodes that are cut out, `request`: those before them are made in the run, what was edited in them is written.
// `program`, `call` and `request` are the caller's and outlive it.
class CutEdits {
 public:
  CutEdits(const Program& program, const Edits& edits, const std::string& call, CutRequest& request);
  // What the run is to be made with.
  Result<std::vector<RunListener*>> listen(const OpenedFile& file, const std::shared_ptr<const Program>& program, InputRequest& inputs);
  std::vector<std::string> notes;

 private:
  bool is_cut(NodeId id) const { return std::find(request_.nodes.begin(), request_.nodes.end(), id) != request_.nodes.end(); }
  // Whether the edit is of a node of the cut, or of a sub-graph that the cut calls.
  bool holds_inside(NodeRef node, const std::string& call) const;
  bool becomes_input(NodeRef ref);
  bool is_written(const ArgumentEdit& edit);

  const Program& program_;
  const std::string& call_;
  CutRequest& request_;
  Edits edits_;
  std::deque<std::string> texts_;
  std::optional<ValueEdits> values_;
  std::optional<ArgumentEdits> arguments_;
};

}  // namespace pt2::interp
