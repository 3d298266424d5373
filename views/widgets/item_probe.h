#pragma once
// Names of interesting items on screen with rectangle and text: what scripts click, tests look for and `dump state` lists. An item
// exists only while it is on screen; what is clipped away does not count. Names are unique in a frame; a second one fails tests.
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "imgui.h"

namespace pt2::views {

struct ProbeItem {
  std::string name, text;
  ImVec2 min, max;      // the visible part, screen coordinates
  bool enabled = true;
};

class ItemProbe {
 public:
  // Recording costs strings; it is on while a script or a test runs. Panes with thousands of items ask first.
  bool on() const { return on_; }
  void set_on(bool on) { on_ = on; }

  // Adds a rectangle, clipped by the current window's clip rectangle.
  void add(std::string_view name, ImVec2 min, ImVec2 max, std::string_view text = {}, bool enabled = true);
  // Adds the last ImGui item.
  void item(std::string_view name, std::string_view text = {}, bool enabled = true);
  // The same with a part of the name in front: "graph/node/" + "relu".
  void add(std::string_view prefix, std::string_view name, ImVec2 min, ImVec2 max, std::string_view text = {}, bool enabled = true);

  void begin_frame();
  const std::vector<ProbeItem>& items() const { return items_; }
  const ProbeItem* find(std::string_view name) const;
  const std::vector<std::string>& duplicates() const { return duplicates_; }

 private:
  bool on_ = false;
  std::vector<ProbeItem> items_;
  std::unordered_set<std::string> names_;
  std::vector<std::string> duplicates_;
};

}  // namespace pt2::views
