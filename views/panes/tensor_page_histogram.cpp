// How often which values are there: on a linear scale or one that is logarithmic away from zero, outliers apart, what it is held against on top.
#include <algorithm>
#include <cmath>

#include "core/base/display.h"
#include "core/base/text.h"
#include "views/panes/tensor_page.h"
#include "views/widgets/check_box.h"
#include "views/widgets/copy_menu.h"
#include "views/widgets/histogram.h"
#include "views/workspace/labels.h"

namespace pt2::views {
namespace {

constexpr double kTrimmedPart = 0.005;    // of the elements, at each end
constexpr double kLinearPart = 1e-4;      // of the largest magnitude: where the scale is linear around zero

struct Counts {
  BinCounts own, other;
  bool has_other = false;
};

// The edges between which all but the outliers lie.
std::pair<double, double> trimmed(const Histogram& histogram) {
  int64_t total = 0;
  for (const int64_t count : histogram.counts) total += count;
  const double cut = kTrimmedPart * double(total);
  size_t first = 0, last = histogram.counts.size();
  double seen = 0;
  while (first + 1 < last && seen + double(histogram.counts[first]) <= cut) seen += double(histogram.counts[first++]);
  seen = 0;
  while (last > first + 1 && seen + double(histogram.counts[last - 1]) <= cut) seen += double(histogram.counts[--last]);
  return {histogram.edges[first], histogram.edges[last]};
}

}  // namespace

void TensorPage::histogram(PaneContext& context) {
  if (!stats_ || tensor_->numel() == 0) return;
  const TensorStats& s = stats_->stats;
  auto toggle = [&](const char* title, bool& on, const char* name, const char* help) {
    check_box(title, &on);
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", help);
    context.probe.item(std::string("tensor/histogram/") + name, on ? "on" : "off");
    ImGui::SameLine();
  };
  toggle("log counts", log_counts_, "log", "Counts on a logarithmic scale");
  toggle("symlog values", symlog_, "symlog", "Values on a scale that is logarithmic away from zero");
  toggle("trim", trim_, "trim", "What lies outside half a percent at each end is counted in a bar of its own");
  ImGui::NewLine();
  if (const std::string left_out = nonfinite_count_text(s.nan, s.inf()); !left_out.empty()) {
    ImGui::TextColored(context.theme.color4(Role::Warning), "%s left out", left_out.c_str());
    copied_probe(context, "tensor/histogram/left_out", left_out);
  }
  else if (is_complex(tensor_->dtype)) ImGui::TextDisabled("of magnitudes");
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const ImVec2 size{room.x, std::min(std::max(room.y, context.theme.px(80)), context.theme.px(320))};
  if (s.histogram.counts.empty() || (!symlog_ && !trim_ && !other_.tensor)) return draw_histogram(context, {.histogram = &s.histogram, .size = size, .log_counts = log_counts_, .name = "tensor/histogram"});

  const std::string key = "bins:" + key_ + "|" + other_.key + (symlog_ ? "s" : "") + (trim_ ? "t" : "");
  const auto counts = context.derived.get<Counts>(key, "Counting", [tensor = *tensor_, other = other_.tensor, own = s.histogram, linear = symlog_ ? s.max_magnitude * kLinearPart : 0, trim = trim_](Job& job) {
    auto [low, high] = trim ? trimmed(own) : std::pair(own.edges.front(), own.edges.back());
    Counts result;
    if (const auto stats = other && !trim ? tensor_stats(*other, job.stop()) : Result<TensorStats>(TensorStats()); stats && !stats->histogram.edges.empty()) {
      low = std::min(low, stats->histogram.edges.front());
      high = std::max(high, stats->histogram.edges.back());
    }
    const std::vector<double> edges = linear > 0 ? symlog_edges(low, high, linear) : linear_edges(low, high);
    if (auto counted = count_into_bins(tensor, edges, job.stop())) result.own = std::move(*counted);
    if (!other) return result;
    if (auto counted = count_into_bins(*other, edges, job.stop())) result.other = std::move(*counted), result.has_other = true;
    return result;
  });
  if (!counts) {
    ImGui::TextDisabled("Counting…");
    return;
  }
  if (counts->has_other) {
    ImGui::TextColored(context.theme.color4(Role::Warning), "—");
    ImGui::SameLine();
    ImGui::TextUnformatted(compare_title(compare_).c_str());
    if (const std::string left_out = nonfinite_count_text(counts->other.nan, counts->other.infinite); !left_out.empty()) {
      ImGui::SameLine();
      ImGui::TextColored(context.theme.color4(Role::Warning), "%s of it left out", left_out.c_str());
      copied_probe(context, "tensor/histogram/other_left_out", left_out);
    }
  }
  draw_histogram(context, {.histogram = &counts->own.histogram, .size = size, .log_counts = log_counts_, .even_bars = symlog_, .below = counts->own.below, .above = counts->own.above,
                           .reference = counts->has_other ? &counts->other.histogram : nullptr, .name = "tensor/histogram"});
}

}  // namespace pt2::views
