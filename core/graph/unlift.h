#pragma once
// The unlifted form of a program: what `ep.module()` makes of it. Parameters, buffers and constants are get_attr nodes, `_guards_fn` checks the
// inputs, copy_ nodes write mutations back, and only user outputs are returned.
#include <memory>
#include <vector>

#include "core/graph/program.h"

namespace pt2 {

// Target and name of the node that calls the guards; FX knows it as call_module.
inline constexpr std::string_view kGuardsTarget = "_guards_fn";

// PyTorch adds the guards only where the file holds sample inputs.
enum class GuardsNode { None, AfterInputs };

struct UnliftedProgram {
  std::shared_ptr<const Program> program;  // shares texts and sub-graphs with the original and keeps it alive
  std::vector<NodeId> source;              // by node of its root graph: the original node it stands for; none for guards and copy_ nodes
};

UnliftedProgram unlift(std::shared_ptr<const Program> original, GuardsNode guards);

}  // namespace pt2
