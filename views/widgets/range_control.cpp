#include "views/widgets/range_control.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "views/compat.h"
#include "views/workspace/labels.h"

namespace pt2::views {

RangeControl::Change RangeControl::draw(PaneContext& context, ImVec2 min, ImVec2 max, const RangeScale& scale, double& low, double& high, std::string_view probe) {
  constexpr int kSteps = 64;
  const Theme& theme = context.theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImGuiIO& io = ImGui::GetIO();
  const float width = max.x - min.x, handle = theme.px(5);
  // The scale reaches as far as the part in use.
  const double first = std::min(scale.low, low), last = std::max(scale.high, high);
  auto bent = [&](double value) { return scale.logarithmic ? std::log(std::max(value, 1e-300)) : value; };
  const double span = bent(last) - bent(first);
  auto x_of = [&](double value) { return span > 0 ? min.x + float((bent(value) - bent(first)) / span) * width : (min.x + max.x) / 2; };
  auto value_at = [&](float x) {
    const double part = std::clamp(double((x - min.x) / std::max(width, 1.0f)), 0.0, 1.0), at = bent(first) + part * span;
    return scale.logarithmic ? std::exp(at) : at;
  };

  list->AddRectFilled(min, max, theme.color(Role::Canvas));
  for (int i = 0; i < kSteps; ++i) {
    const float x0 = min.x + width * float(i) / kSteps, x1 = min.x + width * float(i + 1) / kSteps;
    const double value = value_at((x0 + x1) / 2), all = bent(high) - bent(low);
    list->AddRectFilled({x0, scale.histogram ? max.y - (max.y - min.y) * 0.3f : min.y}, {x1, max.y}, scale.color(all > 0 ? std::clamp((bent(value) - bent(low)) / all, 0.0, 1.0) : 0.5));
  }
  if (scale.histogram && !scale.histogram->counts.empty()) {
    const Histogram& h = *scale.histogram;
    const int64_t most = std::max<int64_t>(*std::max_element(h.counts.begin(), h.counts.end()), 1);
    const float bottom = max.y - (max.y - min.y) * 0.3f, room = bottom - min.y - 1;
    for (size_t i = 0; i < h.counts.size(); ++i)
      if (h.counts[i]) list->AddRectFilled({x_of(h.edges[i]), bottom - std::max(1.0f, room * float(std::log1p(double(h.counts[i])) / std::log1p(double(most))))}, {x_of(h.edges[i + 1]), bottom}, theme.color(Role::Text2, 0.7f));
  }
  compat::add_rect(list, min, max, theme.color(Role::Border), 0);

  // A canvas below takes the press as well.
  const bool hovered = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) && io.MousePos.x >= min.x - handle && io.MousePos.x <= max.x + handle && io.MousePos.y >= min.y && io.MousePos.y <= max.y + handle;
  Change change = Change::None;
  const bool on_low = std::abs(io.MousePos.x - x_of(low)) <= std::abs(io.MousePos.x - x_of(high));
  if (hovered && grabbed_ == Grab::None) {
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) change = Change::Reset;
    else if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) grabbed_ = on_low ? Grab::Low : Grab::High;
    else if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) grabbed_ = Grab::Part, press_x_ = io.MousePos.x;
    if (grabbed_ == Grab::None && change == Change::None) {
      const std::string text = number_label(value_at(io.MousePos.x), 4);
      ImGui::SetTooltip("%s\nDrag an end, drag with the right button over a part, double click for all", text.c_str());
    }
  }
  if (grabbed_ != Grab::None) {
    const double at = value_at(io.MousePos.x);
    const double before_low = low, before_high = high;
    if (grabbed_ == Grab::Low) low = std::min(at, high);
    if (grabbed_ == Grab::High) high = std::max(at, low);
    if (grabbed_ == Grab::Part) {
      const float x0 = std::clamp(std::min(press_x_, io.MousePos.x), min.x, max.x), x1 = std::clamp(std::max(press_x_, io.MousePos.x), min.x, max.x);
      list->AddRectFilled({x0, min.y}, {x1, max.y}, theme.color(Role::Accent, 0.35f));
      if (!io.MouseDown[ImGuiMouseButton_Right] && x1 - x0 > theme.px(3)) low = value_at(x0), high = value_at(x1);
    }
    if (low != before_low || high != before_high) change = Change::Range;
    if (!io.MouseDown[grabbed_ == Grab::Part ? ImGuiMouseButton_Right : ImGuiMouseButton_Left]) grabbed_ = Grab::None;
  }
  // Handles: black at the lower end, white at the upper one.
  auto draw_handle = [&](double value, ImU32 fill, ImU32 line, const char* name) {
    const float x = std::clamp(x_of(value), min.x, max.x);
    list->AddTriangleFilled({x, max.y - handle}, {x - handle, max.y + handle}, {x + handle, max.y + handle}, fill);
    list->AddTriangle({x, max.y - handle}, {x - handle, max.y + handle}, {x + handle, max.y + handle}, line, 1.0f);
    list->AddLine({x, min.y}, {x, max.y - handle}, line, 1);
    if (context.probe.on()) context.probe.add(std::string(probe) + "/" + name, {x - handle, min.y}, {x + handle, max.y + handle}, number_label(value, 6));
  };
  draw_handle(low, IM_COL32_BLACK, IM_COL32_WHITE, "low");
  draw_handle(high, IM_COL32_WHITE, IM_COL32_BLACK, "high");
  if (context.probe.on()) context.probe.add(std::string(probe), min, max, number_label(low, 6) + " … " + number_label(high, 6));
  return change;
}

}  // namespace pt2::views
