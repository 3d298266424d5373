// The graph as one side of a comparison: what became of each box, and the camera that goes along with the other graph's.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/display.h"
#include "views/panes/graph_pane.h"
#include "views/workspace/comparison_problems.h"

namespace pt2::views {
namespace {

constexpr float kEqualAlpha = 0.55f;  // equal boxes are quieter, so that differences stand out
constexpr size_t kMostAnchors = 300;
constexpr size_t kEverything = size_t(-2);  // no lockstep: all numbers show

DiffLook look_of(GroupKind kind, Side side) {
  switch (kind) {
    case GroupKind::Same: return DiffLook::Same;
    case GroupKind::Added: return DiffLook::Added;
    case GroupKind::Removed: return DiffLook::Removed;
    default: return side == Side::None ? DiffLook::None : DiffLook::Changed;
  }
}

}  // namespace

void GraphPane::mark_compare(const PaneContext& context) {
  const auto result = context.side == Side::None ? nullptr : context.workspace.comparison.result;
  const Comparison& pair = context.workspace.comparison;
  const size_t reached = pair.stepping ? pair.step.value_or(kNoGroup) : kEverything;
  if (compared_ == result && compared_to_ == reached && diff_.size() == picture_->scene.boxes.size()) return;
  compared_ = result;
  compared_to_ = reached;
  diff_.assign(picture_->scene.boxes.size(), DiffLook::None);
  group_.assign(picture_->scene.boxes.size(), kNoGroup);
  parted_.assign(picture_->scene.boxes.size(), 0);
  failed_.assign(picture_->scene.boxes.size(), 0);
  if (!result) return;
  for (size_t g = 0; g < result->diff->groups.size(); ++g) {
    const NodeGroup& group = result->diff->groups[g];
    const DiffLook look = look_of(group.kind, context.side);
    const bool parted = numbers_agree(pair, g) == false;
    for (NodeRef ref : context.side == Side::A ? group.left : group.right) {
      const BoxId box = picture_->scene.box_of(ref);
      if (!box) continue;
      DiffLook& shown = diff_[box.index];
      // A folded group is equal only where everything in it is, and of one kind only where everything is of that kind.
      shown = shown == DiffLook::None || shown == look ? look : DiffLook::Changed;
      if (group_[box.index] == kNoGroup) group_[box.index] = g;
      parted_[box.index] |= uint8_t(parted);
    }
  }
  for (NodeRef ref : told_failures(pair, context.side == Side::A))
    if (const BoxId box = picture_->scene.box_of(ref)) failed_[box.index] = 1;
}

void GraphPane::compare_look(const PaneContext& context, BoxId id, BoxState& state) const {
  if (!compared_) return;
  if (failed_[id.index]) state.failed = true, state.executed = false;  // whatever another run gave
  switch (diff_[id.index]) {
    case DiffLook::None: return;
    case DiffLook::Same:
      if (!state.selected && !state.hovered && !parted_[id.index] && !failed_[id.index]) state.alpha *= kEqualAlpha;
      break;
    case DiffLook::Changed: state.strip = context.theme.color(Role::Changed); break;
    case DiffLook::Added: state.strip = context.theme.color(Role::Added); break;
    case DiffLook::Removed:
      state.strip = context.theme.color(Role::Removed);
      state.dashed = true;
      break;
  }
  state.diff = diff_[id.index];
  state.mismatch |= parted_[id.index] != 0;
}

// The boxes that lines lead to: those of the selected group, or of everything that changed.
void GraphPane::add_anchors(PaneContext& context) {
  if (!context.compare || context.side == Side::None) return;
  const size_t side = side_index(context.side);
  CompareView& view = *context.compare;
  view.anchors[side].clear();
  view.clip_min[side] = canvas_.screen_min();
  view.clip_max[side] = canvas_.screen_max();
  if (!compared_) return;
  const auto selected = selected_group(context.workspace, *compared_->diff);
  const ImVec2 low = canvas_.screen_min(), high = canvas_.screen_max();
  auto add = [&](size_t group, BoxId box) {
    const Rect& r = picture_->layout.boxes[box];
    const ImVec2 min = canvas_.screen_from_world({r.x, r.y}), max = canvas_.screen_from_world({r.right(), r.bottom()});
    if (max.x < low.x || max.y < low.y || min.x > high.x || min.y > high.y || view.anchors[side].size() >= kMostAnchors) return;
    view.anchors[side].push_back({group, min, max});
  };
  if (selected) {
    std::vector<BoxId> boxes;
    for (NodeRef ref : context.side == Side::A ? compared_->diff->groups[*selected].left : compared_->diff->groups[*selected].right)
      if (const BoxId box = picture_->scene.box_of(ref); box && std::find(boxes.begin(), boxes.end(), box) == boxes.end()) boxes.push_back(box);
    for (BoxId box : boxes) add(*selected, box);
  }
  if (!context.workspace.comparison.all_links) return;
  const WorldRect world = canvas_.visible();
  picture_->box_grid.visit({world.x0, world.y0, world.width(), world.height()}, [&](uint32_t i) {
    if (group_[i] != kNoGroup && diff_[i] == DiffLook::Changed && group_[i] != selected) add(group_[i], BoxId(i));
  });
}

// A node of the other side that stands for what is looked at here: the selection while it is in view, else the box nearest to the middle.
std::pair<NodeRef, ImVec2> GraphPane::matched_in_view(const PaneContext& context) const {
  const WorldRect world = canvas_.visible();
  const ImVec2 middle = canvas_.center();
  const bool left = context.side == Side::A;
  auto other = [&](NodeRef ref) {
    const std::vector<NodeRef> nodes = counterparts(*compared_->diff, left, ref);
    return nodes.empty() ? NodeRef() : nodes.front();
  };
  auto offset = [&](BoxId box) {
    const Point c = picture_->layout.boxes[box].center();
    return ImVec2((c.x - middle.x) * canvas_.scale(), (c.y - middle.y) * canvas_.scale());
  };
  if (const BoxId box = picture_->box_of(context.document->selection.current()); box) {
    const Point c = picture_->layout.boxes[box].center();
    if (const NodeRef node = other(context.document->selection.current().shown()); node.node && world.contains({c.x, c.y})) return {node, offset(box)};
  }
  std::vector<std::pair<float, uint32_t>> near;
  picture_->box_grid.visit({world.x0, world.y0, world.width(), world.height()}, [&](uint32_t i) {
    const Point c = picture_->layout.boxes[BoxId(i)].center();
    near.emplace_back(std::hypot(c.x - middle.x, c.y - middle.y), i);
  });
  std::sort(near.begin(), near.end());
  for (const auto& [distance, i] : near)
    if (const NodeRef node = other(picture_->scene.boxes[BoxId(i)].node); node.node) return {node, offset(BoxId(i))};
  return {};
}

void GraphPane::follow_other(PaneContext& context) {
  const CompareSync sync = context.workspace.comparison.sync;
  const bool first = last_zoom_ == 0;  // a picture that comes near something at once has moved, too
  const ImVec2 before = first ? canvas_.center() : last_center_;
  const bool moved = first || canvas_.center().x != before.x || canvas_.center().y != before.y || canvas_.zoom() != last_zoom_;
  last_center_ = canvas_.center();
  last_zoom_ = canvas_.zoom();
  if (!context.compare || context.side == Side::None || !compared_) return;
  CompareView& view = *context.compare;
  if (view.revision != seen_compare_) {
    seen_compare_ = view.revision;
    if (view.leader == context.side || sync == CompareSync::Off) return;
    if (!view.by_match) {
      canvas_.look_at({canvas_.center().x + view.pan.x, canvas_.center().y + view.pan.y}, view.zoom, false);
    } else if (const BoxId box = picture_->scene.box_of(view.node); box) {
      const Point c = picture_->layout.boxes[box].center();
      const float scale = view.zoom * context.theme.scale;
      canvas_.look_at({c.x - view.offset.x / scale, c.y - view.offset.y / scale}, view.zoom, false);
    } else {
      return;
    }
    fitted_ = false;
    last_center_ = canvas_.center();
    last_zoom_ = canvas_.zoom();
    context.draw_again_in(0);
    return;
  }
  // What shows everything stays so by itself.
  if (!moved || fitted_ || sync == CompareSync::Off) return;
  view.by_match = sync == CompareSync::ByMatch;
  if (view.by_match) {
    const auto [node, offset] = matched_in_view(context);
    if (!node.node) return;
    view.node = node;
    view.offset = offset;
  }
  view.pan = {canvas_.center().x - before.x, canvas_.center().y - before.y};
  view.zoom = canvas_.zoom();
  view.leader = context.side;
  seen_compare_ = ++view.revision;
  context.draw_again_in(0);
}

// What the header says where the other side's selection has nothing here; empty: it has.
std::string GraphPane::no_counterpart(const PaneContext& context) const {
  if (!compared_) return {};
  const auto selected = selected_group(context.workspace, *compared_->diff);
  if (!selected) return {};
  const NodeGroup& group = compared_->diff->groups[*selected];
  const bool left = context.side == Side::A;
  const auto &here = left ? group.left : group.right, &there = left ? group.right : group.left;
  if (!here.empty() || there.empty()) return {};
  return "no counterpart of " + display_cut(qualified_name(left ? *compared_->right : *compared_->left, there.front()), 60) + " in " + (left ? "A" : "B");
}

// After another layout what is selected is in sight, or at least something.
void GraphPane::find_again(const Selection& selection) {
  const WorldRect seen = canvas_.visible();
  auto in_sight = [&](const Rect& r) { return !r.empty() && seen.overlaps({r.x, r.y, r.right(), r.bottom()}); };
  if (const Rect r = picture_->rect_of(selection); !r.empty()) {
    if (!in_sight(r)) canvas_.look_at(WorldRect{r.x, r.y, r.right(), r.bottom()}.center(), canvas_.target_zoom(), false);
  } else if (const auto& boxes = picture_->layout.boxes.raw(); std::none_of(boxes.begin(), boxes.end(), in_sight)) {
    fitted_ = first_picture_ = true;
  }
}

}  // namespace pt2::views
