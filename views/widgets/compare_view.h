#pragma once
// What the two graphs of a comparison tell each other, and the shell that draws the lines between them.
#include <cstdint>
#include <vector>

#include <imgui.h>

#include "core/base/ids.h"

namespace pt2::views {

enum class Side : uint8_t { None, A, B };  // of a comparison

inline size_t side_index(Side side) { return side == Side::B ? 1 : 0; }

struct CompareView {
  // A box on screen that a line leads to, of this frame.
  struct Anchor { size_t group; ImVec2 min{0, 0}, max{0, 0}; };
  std::vector<Anchor> anchors[2];            // of A, of B
  ImVec2 clip_min[2] = {{0, 0}, {0, 0}}, clip_max[2] = {{0, 0}, {0, 0}};

  // Lines between the graphs run below the boxes: each graph leaves a layer for them in its draw list, and they are drawn once both graphs are.
  ImDrawListSplitter layers[2];
  ImDrawList* lists[2] = {nullptr, nullptr};  // of this frame; null: that side has no graph to be seen
  void boxes_begin(Side side, ImDrawList* list) {
    const size_t i = side_index(side);
    lists[i] = list;
    layers[i].Split(list, 2);
    layers[i].SetCurrentChannel(list, 1);
  }

  // Where the graph that was moved last went; the other follows, once per revision.
  uint64_t revision = 0;
  Side leader = Side::None;
  bool by_match = false;
  float zoom = 1;
  ImVec2 pan{0, 0};      // locked: by how much, in world units
  NodeRef node;          // by match: this node of the follower …
  ImVec2 offset{0, 0};   // … stands so far from its pane's middle, in pixels
};

}  // namespace pt2::views
