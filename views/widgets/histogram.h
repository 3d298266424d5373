#pragma once
// Bars of a histogram with a probe and a tooltip for each bin, also for empty ones; another one over it as lines.
#include <string_view>

#include "core/tensor/tensor_stats.h"
#include "views/shell/pane.h"

namespace pt2::views {

struct HistogramLook {
  const Histogram* histogram = nullptr;
  ImVec2 size{0, 0};
  bool log_counts = false;               // heights by the logarithm of the count
  bool even_bars = false;                // bars of one width, whatever their edges: for scales that are not linear
  int64_t below = 0, above = 0;          // outliers, in a bar of their own at each end
  const Histogram* reference = nullptr;  // with the same edges
  std::string_view name;                 // of the probes: NAME/bar/N, NAME/below, NAME/above
};
void draw_histogram(PaneContext& context, const HistogramLook& look);

// "2 NaN and 1 infinity": what a histogram has no place for; empty: nothing.
std::string nonfinite_count_text(int64_t nan, int64_t infinite);

}  // namespace pt2::views
