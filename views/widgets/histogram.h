#pragma once
// Bars of a histogram with a probe and a tooltip for each bin, also for empty ones.
#include "core/tensor/tensor_stats.h"
#include "views/shell/pane.h"

namespace pt2::views {

// `name`: of the probes, "tensor/histogram". `log_scale`: heights by the logarithm of the count.
void draw_histogram(PaneContext& context, const Histogram& histogram, ImVec2 size, bool log_scale, std::string_view name, const Histogram* reference = nullptr);

}  // namespace pt2::views
