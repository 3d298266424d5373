#pragma once
// The tags of cut edges at one side of a box, in as few columns as keep the block handy. The lines of outer columns run between the rows of
// the inner ones, those of one row together: no line crosses a name.
#include <vector>

#include "core/layout/group_layout.h"

namespace pt2 {

class TagBlock {
 public:
  enum class Side : uint8_t { In, Out };  // at the box's low cross side, with lines to the box; at its high one, with lines from it

  TagBlock() = default;
  TagBlock(const std::vector<FlowSize>& sizes, float box_main, Side side);

  // How far it reaches from the box, and along the flow beyond the box's start and end.
  float cross() const { return cross_; }
  float before() const { return before_; }
  float after() const { return after_; }
  // `corner`: where that side of the box begins.
  std::vector<PlacedTag> placed(FlowPoint corner) const;

 private:
  std::vector<PlacedTag> tags_;
  float cross_ = 0, before_ = 0, after_ = 0;
};

}  // namespace pt2
