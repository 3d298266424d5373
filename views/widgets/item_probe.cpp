#include "views/widgets/item_probe.h"

#include <algorithm>

#include "imgui_internal.h"
#include "views/widgets/tab_stops.h"

namespace pt2::views {

namespace {
constexpr float kSmallest = 8;  // pixels of an item that must be visible, where it is that large
}

void ItemProbe::begin_frame() {
  items_.clear();
  names_.clear();
  duplicates_.clear();
}

void ItemProbe::add(std::string_view name, ImVec2 min, ImVec2 max, std::string_view text, bool enabled) {
  if (!on_) return;
  const ImRect& clip = ImGui::GetCurrentWindow()->ClipRect;
  const float wanted_x = std::min(kSmallest, max.x - min.x), wanted_y = std::min(kSmallest, max.y - min.y);
  min = ImVec2(std::max(min.x, clip.Min.x), std::max(min.y, clip.Min.y));
  max = ImVec2(std::min(max.x, clip.Max.x), std::min(max.y, clip.Max.y));
  if (max.x - min.x < wanted_x || max.y - min.y < wanted_y) return;
  if (!names_.emplace(name).second) duplicates_.emplace_back(name);
  items_.push_back({std::string(name), std::string(text), min, max, enabled});
}

void ItemProbe::add(std::string_view prefix, std::string_view name, ImVec2 min, ImVec2 max, std::string_view text, bool enabled) {
  if (on_) add(std::string(prefix).append(name), min, max, text, enabled);
}

void ItemProbe::item(std::string_view name, std::string_view text, bool enabled) {
  tab_stops::add();  // what has a name is of use
  if (on_) add(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), text, enabled);
}

const ProbeItem* ItemProbe::find(std::string_view name) const {
  auto it = std::find_if(items_.begin(), items_.end(), [&](const ProbeItem& item) { return item.name == name; });
  return it == items_.end() ? nullptr : &*it;
}

}  // namespace pt2::views
