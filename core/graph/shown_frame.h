#pragma once
#include "core/graph/node_meta.h"

namespace pt2 {

// Code that torch.fx made has no file: its frames are of "<eval_with_key>.5".
bool is_generated(const SourceFrame& frame);
// Of the frames of a node the one that is told where there is room for one: the innermost that a file has; null: there are no frames.
const SourceFrame* shown_frame(const std::vector<SourceFrame>& frames);

}  // namespace pt2
