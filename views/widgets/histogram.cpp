#include "views/widgets/histogram.h"

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "views/compat.h"
#include "views/workspace/labels.h"

namespace pt2::views {

void draw_histogram(PaneContext& context, const Histogram& histogram, ImVec2 size, bool log_scale, std::string_view name, const Histogram* reference) {
  const Theme& theme = context.theme;
  const size_t bins = histogram.counts.size();
  if (!bins) {
    ImGui::TextDisabled("No finite elements");
    return;
  }
  compat::push_font(theme.fonts.caption);
  const float line = ImGui::GetTextLineHeight();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy(size);
  const bool hovered_area = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  int64_t most = *std::max_element(histogram.counts.begin(), histogram.counts.end());
  if (reference)
    for (const int64_t count : reference->counts) most = std::max(most, count);
  const std::string most_text = with_commas(most);
  const float left = at.x + ImGui::CalcTextSize(most_text.c_str()).x + theme.px(8), right = at.x + size.x - theme.px(8);
  const float top = at.y + line / 2, bottom = at.y + size.y - line - theme.px(6);
  if (right <= left || bottom <= top) {
    ImGui::PopFont();
    return;
  }
  list->AddRectFilled({left, top}, {right, bottom}, theme.color(Role::Canvas));
  auto height = [&](int64_t count) {
    if (count <= 0) return 0.0f;
    const double part = log_scale ? std::log1p(double(count)) / std::log1p(double(most)) : double(count) / double(most);
    return std::max(1.0f, float(part) * (bottom - top));
  };
  // Count axis: 0, half and most.
  const int64_t half = log_scale ? int64_t(std::llround(std::expm1(std::log1p(double(most)) / 2))) : most / 2;
  for (const int64_t mark : {most, half, int64_t{0}}) {
    const float y = bottom - (mark ? height(mark) : 0);
    list->AddLine({left, y}, {right, y}, theme.color(Role::Border, 0.6f));
    const std::string text = with_commas(mark);
    list->AddText({std::floor(left - theme.px(4) - ImGui::CalcTextSize(text.c_str()).x), std::floor(y - line / 2)}, theme.color(Role::Text2), text.c_str());
  }
  const float step = (right - left) / float(bins);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (size_t i = 0; i < bins; ++i) {
    const float x0 = left + step * float(i), x1 = left + step * float(i + 1);
    const bool hovered = hovered_area && mouse.x >= x0 && mouse.x < x1 && mouse.y >= top && mouse.y < bottom;
    if (hovered) list->AddRectFilled({x0, top}, {x1, bottom}, theme.color(Role::Raised));
    const float gap = step > 4 ? 1.0f : 0.0f;
    if (const float h = height(histogram.counts[i]); h > 0)
      list->AddRectFilled({x0, bottom - h}, {x1 - gap, bottom}, theme.color(Role::Accent, hovered ? 1.0f : 0.8f));
    if (reference && i < reference->counts.size())
      if (const float h = height(reference->counts[i]); h > 0) list->AddLine({x0, bottom - h}, {x1 - gap, bottom - h}, theme.color(Role::Warning), 2);
    const std::string range = number_label(histogram.edges[i], 6) + " … " + number_label(histogram.edges[i + 1], 6);
    if (hovered) ImGui::SetTooltip("%s\n%s", range.c_str(), with_commas(histogram.counts[i]).c_str());
    if (context.probe.on()) context.probe.add(std::string(name) + "/bar/" + std::to_string(i), {x0, top}, {x1, bottom}, range + ": " + std::to_string(histogram.counts[i]));
  }
  compat::add_rect(list, {left, top}, {right, bottom}, theme.color(Role::Border), 0);
  // Value axis: the ends, the middle, and zero where it lies between them.
  auto value_mark = [&](double value, float align) {
    const double low = histogram.edges.front(), high = histogram.edges.back();
    const float x = high > low ? left + float((value - low) / (high - low)) * (right - left) : (left + right) / 2;
    const std::string text = number_label(value, 4);
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    list->AddLine({x, bottom}, {x, bottom + theme.px(3)}, theme.color(Role::Text2));
    list->AddText({std::floor(std::clamp(x - width * align, at.x, right - width + theme.px(8))), std::floor(bottom + theme.px(4))}, theme.color(Role::Text2), text.c_str());
  };
  const double low = histogram.edges.front(), high = histogram.edges.back();
  value_mark(low, 0);
  if (high > low) {
    value_mark(high, 1);
    const bool zero_inside = low < 0 && high > 0 && std::min(-low, high) > (high - low) * 0.15;
    value_mark(zero_inside ? 0 : (low + high) / 2, 0.5f);
  }
  ImGui::PopFont();
}

}  // namespace pt2::views
