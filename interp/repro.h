#pragma once
// A minimal reproduction: some nodes of a program written as a small .pt2 of their own, with the inputs they had in a run as example inputs,
// what they gave in expected.pt, and a short script that shows the same in PyTorch.
#include <memory>
#include <string>
#include <vector>

#include "core/diff/diff.h"
#include "core/load.h"
#include "interp/compare_runs.h"
#include "interp/run_report.h"
#include "interp/what_if.h"

namespace pt2::interp {

struct Repro {
  std::vector<std::string> files;  // written, with the folder
  std::vector<std::string> notes;  // what to know: the nodes draw random numbers, the device was cuda …
};

// `nodes` are of one graph; an operator goes with its getitems. In a graph that is called several times the call counts that is meant by `call`,
// "body_graph_0@2/" (see value_names.h), else the first.
// An error says why this part cannot stand alone. `edits`: those of the run whose values are meant; edited constants are written, an edited value
// of one of the nodes is an input, and what cannot be written is in the notes.
Result<Repro> write_repro(const OpenedFile& file, std::shared_ptr<const Program> program, const std::vector<NodeRef>& nodes, RunRequest run,
                          const std::string& folder, const std::string& call = {}, const Edits& edits = {});

// Both sides of a group on the inputs it had in the left program, as far as these have counterparts: left.pt2, right.pt2 and a script that shows
// how far apart their results are. A group that is on one side only gives that side. `group` is one of `diff`; `call` as above, of the program
// whose sub-graph it names.
Result<Repro> write_group_repro(const ProgramSide& left, const ProgramSide& right, const Diff& diff, size_t group, CompareRunsRequest request,
                                const std::string& folder, const std::string& call = {});

}  // namespace pt2::interp
