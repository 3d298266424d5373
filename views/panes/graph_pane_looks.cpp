// How boxes and edges of the graph look: search hits, highlight, overlay and run are worked out for each box when they change.
#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/display.h"
#include "views/panes/graph_pane.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/document_overlay.h"
#include "views/workspace/identity.h"
#include "views/workspace/labels.h"
#include "views/workspace/run_facts.h"

namespace pt2::views {
namespace {

constexpr float kNotExecuted = 0.6f;

}  // namespace

void GraphPane::mark_hits(const Document& document) {
  const Search& search = document.search;
  const std::string key = search.open ? search.query + '\n' + std::to_string(search.hits.size()) + '\n' + (search.index ? std::to_string(*search.index) : "") : "";
  if (key == hits_of_ && hit_.size() == picture_->scene.boxes.size()) return;
  hits_of_ = key;
  hit_.assign(picture_->scene.boxes.size(), 0);
  hits_inside_.assign(picture_->scene.boxes.size(), 0);
  if (!search.open) return;
  for (size_t i = 0; i < search.hits.size(); ++i) {
    const SearchHit& hit = search.hits[i];
    const BoxId box = picture_->box_of(hit.unlifted ? Selection::of_unlifted(hit.unlifted) : Selection::of_node(hit.node));
    if (!box) continue;
    const bool active = search.index && *search.index == i;
    hit_[box.index] = std::max(hit_[box.index], uint8_t(active ? HitLook::ActiveHit : HitLook::Hit));
    if (picture_->scene.boxes[box].folded()) ++hits_inside_[box.index];
  }
}

void GraphPane::mark_highlight(const Document& document) {
  const Highlight& highlight = document.highlight;
  const std::string key = std::to_string(int(highlight.kind)) + ' ' + std::to_string(highlight.nodes.size()) +
                          (highlight.nodes.empty() ? "" : ' ' + std::to_string(highlight.nodes.begin()->node.index) + ' ' + std::to_string(highlight.nodes.rbegin()->node.index));
  if (key == lit_of_ && lit_.size() == picture_->scene.boxes.size()) return;
  lit_of_ = key;
  lit_.assign(picture_->scene.boxes.size(), highlight.kind == Highlight::Kind::None ? 1 : 0);
  for (NodeRef node : highlight.nodes)
    if (BoxId box = picture_->scene.box_of(node)) lit_[box.index] = 1;
}

// A value for each box; of a folded group the sum of what adds up, else the largest.
void GraphPane::mark_overlay(const Document& document) {
  const interp::Debugger* debugger = document.debug ? document.debug->debugger() : nullptr;
  const RunFacts* known = document.debug ? document.debug->facts() : nullptr;
  std::string key = std::to_string(int(document.overlay));
  if (overlay_needs_run(document.overlay) && debugger && known) key += ' ' + std::to_string(debugger->revision()) + ' ' + std::to_string(known->revision());
  if (document.overlay == OverlayKind::Data && document.data) key += ' ' + std::to_string(document.data_column) + ' ' + document.data->file + ' ' + std::to_string(identity_of(document.data));
  if (document.overlay_range) key += ' ' + number_label(document.overlay_range->first, 17) + ' ' + number_label(document.overlay_range->second, 17);
  if (key == overlay_of_ && box_value_.size() == picture_->scene.boxes.size()) return;
  overlay_of_ = key;
  overlay_ = shown_overlay(document);
  box_value_ = box_values(overlay_, picture_->scene);
  overlay_.set_range(document.overlay_range);
}

void GraphPane::mark_run(const Document& document) {
  const interp::Debugger* debugger = document.debug ? document.debug->debugger() : nullptr;
  const RunFacts* facts = document.debug ? document.debug->facts() : nullptr;
  const std::string key = (debugger ? std::to_string(debugger->revision()) : "") + ' ' + (facts ? std::to_string(facts->revision()) : "");
  if (key == run_of_ && run_.size() == picture_->scene.boxes.size()) return;
  run_of_ = key;
  run_.assign(picture_->scene.boxes.size(), {});
  edited_values_.clear();
  nonfinite_values_.clear();
  run_on_ = debugger && debugger->time() > 0;
  if (!debugger) return;
  for (NodeRef ref : debugger->plan().unsupported)
    if (BoxId box = picture_->scene.box_of(ref)) run_[box.index].unsupported = true;
  const auto cursor = debugger->cursor();
  if (cursor) {
    const auto& frames = debugger->trace().frames();
    const GraphId graph = frames.contains(cursor->frame) ? frames[cursor->frame].graph : program_->root();
    if (BoxId box = picture_->scene.box_of({graph, cursor->node})) run_[box.index].current = true;
  }
  if (!run_on_) return;
  for (size_t g = 0; g < program_->graphs.size(); ++g) {
    const Graph& graph = program_->graphs[GraphId(g)];
    for (size_t n = 0; n < graph.nodes().size(); ++n) {
      const NodeRef ref{GraphId(g), NodeId(n)};
      const NodeKind kind = graph.node(NodeId(n)).kind;
      const bool edited = debugger->edits().touches(ref, *program_);
      if (edited && kind == NodeKind::Placeholder && ref.graph == program_->root()) edited_values_.push_back(ref.node);
      const auto at = debugger->shown(ref);
      const bool nonfinite = at && facts && facts->alarming(*at);
      if (nonfinite && kind == NodeKind::Placeholder && ref.graph == program_->root()) nonfinite_values_.push_back(ref.node);
      const BoxId box = picture_->scene.box_of(ref);
      if (!box) continue;
      if (kind == NodeKind::Placeholder && picture_->scene.boxes[box].node == ref) {
        run_[box.index].edited |= edited;
        run_[box.index].nonfinite |= nonfinite;
      }
      if (kind != NodeKind::CallFunction) continue;
      RunMark& mark = run_[box.index];
      ++mark.nodes;
      const interp::NodeRun* run = at ? debugger->trace().run_of(*at) : nullptr;
      if (!run) continue;
      mark.done += run->done();
      mark.failed |= std::holds_alternative<interp::Failed>(run->outcome);
      mark.nonfinite |= nonfinite;
      if (const auto* difference = debugger->difference(*at); difference && *difference) mark.mismatch |= !(*difference)->equal;
      mark.changed |= debugger->change(*at) != nullptr;
      mark.edited |= edited;
    }
  }
}

// A mark inside of what is folded is on the folded box, unless that has one of its own.
void GraphPane::mark_bookmarks(const Document& document) {
  const auto& boxes = picture_->scene.boxes;
  const auto& modules = program_->modules.modules;
  bookmarks_.assign(boxes.size(), -1);
  for (const Mark& mark : document.marks.list) {
    BoxId around = mark.node.node ? picture_->scene.box_of(mark.node) : BoxId();
    for (ModuleId module = mark.module; modules.contains(module) && !around; module = modules[module].parent) around = picture_->box_of(Selection::of_module(module));
    if (around && boxes[around].folded()) bookmarks_[around.index] = mark.key;
  }
  for (const Mark& mark : document.marks.list)
    for (size_t i = 0; i < boxes.size(); ++i)
      if (const SceneBox& box = boxes[BoxId(i)]; box.folded() ? mark.on(box.module) : mark.on(box.node)) bookmarks_[i] = mark.key;
}

// Those of nodes inside of what is folded are on the folded box.
void GraphPane::mark_breakpoints(const Document& document) {
  breakpoints_inside_.assign(picture_->scene.boxes.size(), {});
  if (!document.debug) return;
  for (const Breakpoint& breakpoint : document.debug->breakpoints) {
    const BoxId box = breakpoint.node.node ? picture_->scene.box_of(breakpoint.node) : BoxId();
    if (box && picture_->scene.boxes[box].folded()) ++(breakpoint.enabled ? breakpoints_inside_[box.index].on : breakpoints_inside_[box.index].off);
  }
}

BoxState GraphPane::box_state(const PaneContext& context, BoxId id) const {
  const Document& document = *context.document;
  const SceneBox& box = picture_->scene.boxes[id];
  BoxState state;
  state.selected = selected_[id.index];
  state.hovered = hover_.box == id;
  state.hit = HitLook(hit_[id.index]);
  state.hits_inside = hits_inside_[id.index];
  state.hovered_chip = hover_.chip;
  state.edited_chips = edited_values_;
  state.nonfinite_chips = nonfinite_values_;
  if (const NodeRef value = document.selection.current().shown(); value.graph == program_->root()) state.selected_chip = value.node;
  state.mutated = box.mutates;
  if (!lit_[id.index]) state.alpha = kDimmed;
  if (overlay_.kind != OverlayKind::Family) {
    const double v = box_value_[id.index];
    const uint32_t rgb = std::isnan(v) ? color_rgb(context.theme.name, Role::Raised) : overlay_rgb(overlay_, v);
    state.fill = IM_COL32(rgb >> 16, (rgb >> 8) & 0xFF, rgb & 0xFF, 255);
  }
  if (document.search.open && document.search.filter && !document.search.hits.empty() && state.hit == HitLook::None) state.alpha = kDimmed;
  state.neighbour = near_[id.index];
  const RunMark& run = run_[id.index];
  // Where boxes are small, signs would cover the colours that were asked for.
  const bool colors_only = overlay_.kind != OverlayKind::Family && canvas_.zoom() < kZoomNames;
  state.executed = run.nodes && run.done == run.nodes && !colors_only;
  state.nonfinite = run.nonfinite && !(colors_only && overlay_.kind == OverlayKind::NonFinite);
  state.mismatch = run.mismatch;
  state.failed = run.failed;
  state.unsupported = run.unsupported;
  state.current = run.current;
  if (run.edited || run.changed) state.strip = context.theme.color(run.edited ? Role::Mutated : Role::Changed);
  state.edited = run.edited;
  if (run.changed) state.diff = DiffLook::Changed;
  if (run_on_ && run.nodes && !run.done && !run.current) state.alpha *= kNotExecuted;
  if (box.kind == BoxKind::Operator && document.debug)
    if (const Breakpoint* b = document.debug->breakpoint_at(box.node))
      state.breakpoint = !b->enabled ? BreakpointLook::Disabled : b->condition.empty() ? BreakpointLook::Set : BreakpointLook::Conditional;
  if (const BreakpointsInside& inside = breakpoints_inside_[id.index]; inside.on || inside.off) state.breakpoint = inside.on ? BreakpointLook::Inside : BreakpointLook::Disabled;
  state.bookmark = bookmarks_[id.index];
  compare_look(context, id, state);
  return state;
}

EdgeState GraphPane::edge_state(const PaneContext& context, size_t index) const {
  const SceneEdge& edge = picture_->scene.edges[index];
  const Selection& selection = context.document->selection.current();
  EdgeState state;
  const bool from = selected_[edge.from.index], to = selected_[edge.to.index];
  if (to && !from) state.color = context.theme.color(Role::Upstream), state.width = 2.5f;
  if (from && !to) state.color = context.theme.color(Role::Downstream), state.width = 2.5f;
  if (selection.edge.from.node && picture_->scene.box_of(selection.edge.from) == edge.from && picture_->scene.box_of(selection.edge.to) == edge.to)
    state.color = context.theme.color(Role::SelectionRing), state.width = 2.5f;
  if (hover_.edge == index) state.width = 3, state.color = state.color ? state.color : context.theme.color(Role::Text);
  if (!lit_[edge.from.index] || !lit_[edge.to.index]) state.alpha = kDimmed;
  return state;
}

// Where a box tells what it reads and is hidden: above it, below the titles of frames, beside the edges that come in, as far as the next thing.
Rect GraphPane::room_above(BoxId id) const {
  constexpr float kHeight = 14, kLeast = 24, kMost = 220, kGap = 4;
  const pt2::Layout& layout = picture_->layout;
  const Rect& box = layout.boxes[id];
  float left = box.x + 6;
  if (picture_->scene.view.direction == Direction::TopDown)
    for (uint32_t e : picture_->edges_into(id))
      if (const auto points = layout.path(layout.edges[e]); !points.empty()) left = std::max(left, points.back().x + 8);
  left = std::min(left, box.right() - 6);
  const Rect strip{left, box.y - kHeight, kMost, kHeight - 1};
  float right = strip.right();
  auto ends_before = [&](float x) { right = std::min(right, x - kGap); };
  picture_->box_grid.visit(strip, [&](uint32_t i) {
    const Rect& other = layout.boxes[BoxId(i)];
    if (other.intersects(strip)) ends_before(other.x);
  });
  for (size_t i = 1; i < layout.clusters.size(); ++i)
    if (const Rect& frame = layout.clusters[ClusterId(i)]; frame.intersects(strip)) ends_before(frame.x > left ? frame.x : frame.right());
  return {left, strip.y, std::max(right - left, kLeast), strip.h};
}

// The names of what an operator reads and what was taken out by hand; parameters are still there as chips.
std::string GraphPane::hidden_inputs(const GraphView& view, BoxId id) const {
  const SceneBox& box = picture_->scene.boxes[id];
  if (!box.node.node || (box.kind != BoxKind::Operator && box.kind != BoxKind::Output)) return {};
  std::set<NodeId> named;
  for (const Chip& chip : picture_->scene.chips_of(box)) named.insert(chip.placeholder);
  std::string names;
  for (const NodeArgument& input : program_->node(box.node).inputs)
    for_each_node(input.value, [&](NodeId producer) {
      if (view.hidden.contains({box.node.graph, producer}) && named.insert(producer).second) names += (names.empty() ? "" : ", ") + display_cut(program_->node({box.node.graph, producer}).name, 60);
    });
  return names;
}

}  // namespace pt2::views
