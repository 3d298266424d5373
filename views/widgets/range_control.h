#pragma once
// A scale with a handle at each end of the part that is in use. Handles are dragged; a drag with the right button takes just the part it
// goes over; a double click takes all.
#include <functional>
#include <string_view>

#include "core/tensor/tensor_stats.h"
#include "views/shell/pane.h"

namespace pt2::views {

struct RangeScale {
  double low = 0, high = 1;                 // of the whole scale
  bool logarithmic = false;                 // then low > 0
  const Histogram* histogram = nullptr;     // drawn behind; on a linear scale only
  std::function<ImU32(double)> color;       // of 0 … 1, the part in use
};

class RangeControl {
 public:
  enum class Change : uint8_t { None, Range, Reset };
  // Draws at `min` … `max` and moves `low` and `high`, the ends of the part in use. It looks at the mouse itself, as it may lie on a canvas.
  Change draw(PaneContext& context, ImVec2 min, ImVec2 max, const RangeScale& scale, double& low, double& high, std::string_view probe);
  bool active() const { return grabbed_ != Grab::None; }

 private:
  enum class Grab : uint8_t { None, Low, High, Part };
  Grab grabbed_ = Grab::None;
  float press_x_ = 0;
};

}  // namespace pt2::views
