#include "views/widgets/histogram.h"

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "views/compat.h"
#include "views/workspace/labels.h"

namespace pt2::views {

void draw_histogram(PaneContext& context, const HistogramLook& look) {
  const Theme& theme = context.theme;
  const Histogram& histogram = *look.histogram;
  const size_t bins = histogram.counts.size();
  if (!bins) {
    ImGui::TextDisabled("No finite elements");
    return;
  }
  compat::push_font(theme.fonts.caption);
  const float line = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos(), size = look.size;
  ImGui::Dummy(size);
  const bool hovered_area = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  int64_t most = std::max({*std::max_element(histogram.counts.begin(), histogram.counts.end()), look.below, look.above, int64_t{1}});
  if (look.reference)
    for (const int64_t count : look.reference->counts) most = std::max(most, count);
  const std::string most_text = with_commas(most);
  const float left = at.x + ImGui::CalcTextSize(most_text.c_str()).x + theme.px(8), right = at.x + size.x - theme.px(8);
  const float top = at.y + line / 2, bottom = at.y + size.y - line - theme.px(6);
  if (right <= left || bottom <= top) {
    ImGui::PopFont();
    return;
  }
  // Outliers stand a little apart at the ends.
  const float outlier = look.below || look.above ? theme.px(10) : 0, gap = look.below || look.above ? theme.px(3) : 0;
  const float first = left + outlier + gap, last = right - outlier - gap;
  list->AddRectFilled({left, top}, {right, bottom}, theme.color(Role::Canvas));
  auto height = [&](int64_t count) {
    if (count <= 0) return 0.0f;
    const double part = look.log_counts ? std::log1p(double(count)) / std::log1p(double(most)) : double(count) / double(most);
    return std::max(1.0f, float(part) * (bottom - top));
  };
  // Count axis: 0, half and most.
  const int64_t half = look.log_counts ? int64_t(std::llround(std::expm1(std::log1p(double(most)) / 2))) : most / 2;
  for (const int64_t mark : {most, half, int64_t{0}}) {
    const float y = bottom - (mark ? height(mark) : 0);
    list->AddLine({left, y}, {right, y}, theme.color(Role::Border, 0.6f));
    const std::string text = with_commas(mark);
    list->AddText({std::floor(left - theme.px(4) - ImGui::CalcTextSize(text.c_str()).x), std::floor(y - line / 2)}, theme.color(Role::Text2), text.c_str());
  }
  const double low = histogram.edges.front(), high = histogram.edges.back();
  auto x_of_edge = [&](size_t i) { return look.even_bars || !(high > low) ? first + (last - first) * float(i) / float(bins) : first + float((histogram.edges[i] - low) / (high - low)) * (last - first); };
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  auto bar = [&](float x0, float x1, int64_t count, const std::string& range, const std::string& probe, Role role) {
    const bool hovered = hovered_area && mouse.x >= x0 && mouse.x < x1 && mouse.y >= top && mouse.y < bottom;
    if (hovered) list->AddRectFilled({x0, top}, {x1, bottom}, theme.color(Role::Raised));
    if (const float h = height(count); h > 0) list->AddRectFilled({x0, bottom - h}, {x1 - (x1 - x0 > 4 ? 1.0f : 0.0f), bottom}, theme.color(role, hovered ? 1.0f : 0.8f));
    if (hovered) ImGui::SetTooltip("%s\n%s", range.c_str(), with_commas(count).c_str());
    if (context.probe.on()) context.probe.add(std::string(look.name) + probe, {x0, top}, {x1, bottom}, range + ": " + std::to_string(count));
  };
  for (size_t i = 0; i < bins; ++i) {
    const float x0 = x_of_edge(i), x1 = x_of_edge(i + 1);
    bar(x0, x1, histogram.counts[i], number_label(histogram.edges[i], 6) + " … " + number_label(histogram.edges[i + 1], 6), "/bar/" + std::to_string(i), Role::Accent);
    if (look.reference && i < look.reference->counts.size())
      if (const float h = height(look.reference->counts[i]); h > 0) list->AddLine({x0, bottom - h}, {x1, bottom - h}, theme.color(Role::Warning), 2);
  }
  if (look.below) bar(left, left + outlier, look.below, "below " + number_label(low, 6), "/below", Role::Warning);
  if (look.above) bar(right - outlier, right, look.above, "above " + number_label(high, 6), "/above", Role::Warning);
  compat::add_rect(list, {left, top}, {right, bottom}, theme.color(Role::Border), 0);
  // Value axis: the ends, the middle, and zero where it lies between them.
  auto value_mark = [&](double value, float x, float align) {
    const std::string text = number_label(value, 4);
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    list->AddLine({x, bottom}, {x, bottom + theme.px(3)}, theme.color(Role::Text2));
    list->AddText({std::floor(std::clamp(x - width * align, at.x, right - width + theme.px(8))), std::floor(bottom + theme.px(4))}, theme.color(Role::Text2), text.c_str());
  };
  value_mark(low, first, 0);
  if (high > low) {
    value_mark(high, last, 1);
    if (look.even_bars) {
      value_mark(histogram.edges[bins / 2], x_of_edge(bins / 2), 0.5f);
    } else {
      const bool zero_inside = low < 0 && high > 0 && std::min(-low, high) > (high - low) * 0.15;
      const double middle = zero_inside ? 0 : (low + high) / 2;
      value_mark(middle, first + float((middle - low) / (high - low)) * (last - first), 0.5f);
    }
  }
  ImGui::PopFont();
}

std::string nonfinite_count_text(int64_t nan, int64_t infinite) {
  std::string text = nan ? with_commas(uint64_t(nan)) + " NaN" : "";
  if (infinite) text += (nan ? " and " : "") + with_commas(uint64_t(infinite)) + (infinite == 1 ? " infinity" : " infinities");
  return text;
}

}  // namespace pt2::views
