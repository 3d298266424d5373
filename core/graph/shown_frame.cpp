#include "core/graph/shown_frame.h"

#include <algorithm>

namespace pt2 {

bool is_generated(const SourceFrame& frame) { return frame.file.starts_with('<'); }

const SourceFrame* shown_frame(const std::vector<SourceFrame>& frames) {
  if (frames.empty()) return nullptr;
  const auto found = std::find_if(frames.rbegin(), frames.rend(), [](const SourceFrame& frame) { return !is_generated(frame); });
  return found == frames.rend() ? &frames.back() : &*found;
}

}  // namespace pt2
