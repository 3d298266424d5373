#pragma once
#include <vector>

#include "interp/execution_plan.h"

namespace pt2::interp {

// The arguments of a call whose memory it writes to, by their place in the node; without a schema those that it may write to.
std::vector<size_t> written_arguments(const Graph& graph, NodeId call, const PlannedNode& planned);

}  // namespace pt2::interp
