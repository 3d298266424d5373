#include "views/panes/graph_pane.h"

#include <algorithm>
#include <utility>
#include <cmath>
#include <limits>

#include "core/base/display.h"
#include "core/base/text.h"
#include "views/compat.h"
#include "views/panes/panes.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/labels.h"
#include "views/workspace/run_facts.h"

namespace pt2::views {
namespace {

constexpr float kDimmed = 0.35f, kNotExecuted = 0.6f, kWaitingDim = 0.5f;
constexpr double kSayWaitingAfter = 0.25;  // seconds: a quick layout needs no word

}  // namespace

std::unique_ptr<Pane> make_graph_pane() { return std::make_unique<GraphPane>(); }

void GraphPane::draw(PaneContext& context) {
  const Document* document = context.document;
  if (!document || !document->program()) {
    picture_ = nullptr;
    empty_state(context, ImGui::GetContentRegionAvail());
    return;
  }
  if (program_.get() != document->program()) {
    program_ = std::get<Loaded>(document->state).program;
    picture_ = nullptr;
    requested_ = {};
    first_picture_ = true;
    fitted_ = true;
    waiting_ = false;
    problem_.clear();
    seen_selection_ = document->selection.revision();
    seen_camera_ = document->camera.revision;
  }
  request_picture(context);
  header(context);
  draw_banner(context);
  const ImVec2 size = ImGui::GetContentRegionAvail();
  if (!picture_) {
    empty_state(context, size);
    return;
  }
  const ImGuiIO& io = ImGui::GetIO();
  const bool over_minimap = minimap_shown(context) && minimap_rect(context).contains({io.MousePos.x, io.MousePos.y});
  Canvas::Options options;
  options.unit_pixels = context.theme.scale;
  options.keep_left_drag = io.KeyCtrl;
  options.blocked = over_minimap || minimap_drag_ || over_overlay_scale(context);
  const Rect& bounds = picture_->layout.bounds;
  options.whole = {bounds.x, bounds.y, bounds.right(), bounds.bottom()};
  const float unit_before = std::exchange(seen_unit_, options.unit_pixels);
  const bool other_size = canvas_.size().x != size.x || canvas_.size().y != size.y || unit_before != seen_unit_;
  const bool keep_selection = other_size && !fitted_ && selection_in_view(*document);
  const Canvas::Events events = canvas_.begin("##graph", size, options);
  if (events.camera_moved) fitted_ = false;
  if (keep_selection && !selection_in_view(*document)) {
    const Rect r = picture_->rect_of(document->selection.current());
    canvas_.reveal({r.x, r.y, r.right(), r.bottom()}, false);
  }
  if (std::exchange(moved_under_camera_, false)) find_again(document->selection.current());
  const bool resized = fitted_size_.x != size.x || fitted_size_.y != size.y || fitted_scale_ != overlay_scale_.h;
  if (fitted_ && (resized || first_picture_)) fit_all(false);
  first_picture_ = false;
  follow(context);
  handle_mouse(context, events);
  handle_keys(context);
  draw_scene(context);
  draw_overlay_scale(context);
  draw_minimap(context);
  add_anchors(context);
  follow_other(context);
  say_no_counterpart(context);
  hover_card(context);
  menu(context);
  if (canvas_.animating()) context.draw_again_in(0);
}

// Shows everything; a scale of colours that would lie over boxes keeps its room below them.
void GraphPane::fit_all(bool animate) {
  const Rect& b = picture_->layout.bounds;
  const WorldRect all{b.x, b.y, b.right(), b.bottom()};
  canvas_.fit(all, animate);
  const Rect& scale = overlay_scale_;
  if (!scale.empty() && any_box_in(canvas_.target_below({scale.x, scale.y}, {scale.right(), scale.bottom()}))) canvas_.fit(all, animate, 1, scale.h);
  fitted_ = true;
  fitted_size_ = canvas_.size();
  fitted_scale_ = scale.h;
}

bool GraphPane::any_box_in(const WorldRect& world) const {
  bool any = false;
  picture_->box_grid.visit({world.x0, world.y0, world.width(), world.height()}, [&](uint32_t) { any = true; });
  return any;
}

bool GraphPane::selection_in_view(const Document& document) const {
  const Rect r = picture_->rect_of(document.selection.current());
  const WorldRect view = canvas_.visible();
  return !r.empty() && view.x0 <= r.x && view.y0 <= r.y && view.x1 >= r.right() && view.y1 >= r.bottom();
}

bool GraphPane::everything_in_sight() const {
  const Rect& b = picture_->layout.bounds;
  const WorldRect view = canvas_.visible();
  return view.x0 <= b.x && view.y0 <= b.y && view.x1 >= b.right() && view.y1 >= b.bottom();
}

void GraphPane::empty_state(PaneContext& context, ImVec2 size) {
  const ImVec2 start = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(start, {start.x + size.x, start.y + size.y}, context.theme.color(Role::Canvas));
  std::string text, button;
  if (!context.document) text = "No file is open";
  else if (!context.document->program()) text = context.document->loaded() ? "This file holds tensors and no program. The Tensor pane shows them." : "";
  else if (!problem_.empty()) text = problem_, button = "Lay out anyway";
  else if (cancelled_) text = "The layout was cancelled", button = "Lay out";
  else if (waiting_ && context.workspace.now - waiting_since_ > kSayWaitingAfter) text = "Laying out…", button = "Cancel";
  if (text.empty()) return;
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorScreenPos({start.x + (size.x - width) / 2, start.y + size.y / 2 - ImGui::GetTextLineHeight()});
  ImGui::TextUnformatted(text.c_str());
  if (button.empty()) return;
  const float wide = context.theme.px(120), gap = context.theme.px(8);
  const bool fold = !problem_.empty();
  ImGui::SetCursorScreenPos({start.x + (size.x - wide - (fold ? wide + gap : 0)) / 2, start.y + size.y / 2 + gap});
  if (fold) {
    if (ImGui::Button("Fold modules", {wide, 0})) context.push("view.initial_folds", {}, "graph");
    context.probe.item(context.graph_prefix() + "/fold_modules", "Fold modules");
    ImGui::SameLine(0, gap);
  }
  const bool pressed = ImGui::Button(button.c_str(), {wide, 0});
  context.probe.item(context.graph_prefix() + "/lay_out", button);
  if (!pressed) return;
  if (button == "Cancel") {
    context.jobs.cancel(job_tag_);
    waiting_ = false;
    cancelled_ = true;
  } else {
    dense_allowed_ = !problem_.empty();
    submit(context);
  }
}

void GraphPane::request_picture(PaneContext& context) {
  if (picture_ || waiting_ || cancelled_ || !problem_.empty())
    if (requested_ == context.document->graph) return;
  dense_allowed_ = false;
  requested_ = context.document->graph;
  submit(context);
}

void GraphPane::submit(PaneContext& context) {
  const Document& document = *context.document;
  engine_ = context.workspace.layout_engine;
  if (!engine_) engine_ = std::make_shared<LayoutEngine>();
  job_tag_ = "layout:" + std::to_string(document.id.index) + (context.side == Side::B ? "b" : "");
  waiting_ = true;
  cancelled_ = false;
  problem_.clear();
  waiting_since_ = context.workspace.now;
  const auto& loaded = std::get<Loaded>(document.state);
  const size_t limit = dense_allowed_ ? size_t(-1) : context.workspace.ui.preferences.max_boxes;
  context.jobs.submit(
      job_tag_, "Laying out " + document.title(),
      [program = loaded.program, scopes = loaded.scopes, form = requested_.unlifted ? loaded.unlifted : nullptr, view = requested_, engine = engine_, limit](Job& job) {
        return make_picture(program, scopes, view, *engine, limit, job.stop(), form);
      },
      [this, alive = std::weak_ptr<bool>(alive_)](Result<std::shared_ptr<const GraphPicture>> result) {
        if (alive.expired()) return;
        waiting_ = false;
        if (result) accept(*result);
        else if (result.error().kind == ErrorKind::Stopped) cancelled_ = true;
        else problem_ = result.error().message + (result.error().advice.empty() ? "" : " " + result.error().advice);
      });
}

void GraphPane::accept(std::shared_ptr<const GraphPicture> picture) {
  const auto before = std::exchange(picture_, std::move(picture));
  boxes_ = {};
  for (const Rect& box : picture_->layout.boxes) boxes_ = united(boxes_, box);
  hit_.clear();
  lit_.clear();
  hits_of_.clear();
  lit_of_.clear();
  overlay_of_.clear();
  run_of_.clear();
  diff_.clear();
  hover_ = {};
  came_from_ = walked_to_ = {};
  if (!before) {
    first_picture_ = true;
    return;
  }
  Rect now;
  if (anchor_ && anchor_->scope) now = picture_->rect_of(anchor_->scope);
  else if (anchor_ && anchor_->node.node)
    if (BoxId box = picture_->scene.box_of(anchor_->node)) now = picture_->layout.boxes[box];
  if (anchor_ && !now.empty()) {
    const ImVec2 at = canvas_.screen_from_world({now.x, now.y});
    canvas_.pan_by({(at.x - anchor_->screen.x) / canvas_.scale(), (at.y - anchor_->screen.y) / canvas_.scale()});
    fitted_ = false;
  } else if (fitted_) {
    first_picture_ = true;
  } else {
    moved_under_camera_ = true;
  }
  anchor_.reset();
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

// Follows a selection made elsewhere, and what commands ask of the camera.
void GraphPane::follow(PaneContext& context) {
  const Document& document = *context.document;
  auto reveal = [&](const Selection& selection, float least_zoom) {
    const Rect r = picture_->rect_of(selection);
    if (r.empty() || (everything_in_sight() && canvas_.target_zoom() >= least_zoom)) return;
    const ImVec2 before = canvas_.target_center();
    const float zoom = canvas_.target_zoom();
    canvas_.reveal({r.x, r.y, r.right(), r.bottom()}, context.animate, least_zoom);
    if (canvas_.target_center().x != before.x || canvas_.target_center().y != before.y || canvas_.target_zoom() != zoom) fitted_ = false;
  };
  if (seen_selection_ != document.selection.revision() && requested_ == document.graph && !waiting_) {
    seen_selection_ = document.selection.revision();
    const Selection& selection = document.selection.current();
    if (last_selection_ != selection.node) previous_selection_ = last_selection_;
    last_selection_ = selection.node;
    if (document.selection.origin() != "graph") {
      came_from_ = {};
      pointer_rests_ = true;
      reveal(selection, 0);
    }
  }
  // What was unfolded to be read is not laid out yet.
  const bool reading = document.camera.kind == CameraRequest::Kind::ReadSelection;
  if (seen_camera_ == document.camera.revision || (reading && (waiting_ || requested_ != document.graph))) return;
  seen_camera_ = document.camera.revision;
  // Keys zoom about what is selected while it is in sight.
  ImVec2 center = canvas_.target_center();
  if (const Rect r = picture_->rect_of(document.selection.current()); !r.empty() && canvas_.visible().overlaps({r.x, r.y, r.right(), r.bottom()})) center = WorldRect{r.x, r.y, r.right(), r.bottom()}.center();
  switch (document.camera.kind) {
    case CameraRequest::Kind::None: break;
    case CameraRequest::Kind::FitAll:
      fit_all(context.animate);
      break;
    case CameraRequest::Kind::FitSelection:
      if (const Rect r = picture_->rect_of(document.selection.current()); !r.empty()) {
        canvas_.fit(WorldRect{r.x, r.y, r.right(), r.bottom()}.grown(40), context.animate, 1.5f);
        fitted_ = false;
      }
      break;
    case CameraRequest::Kind::ActualSize:
      canvas_.look_at(center, 1, context.animate);
      fitted_ = false;
      break;
    case CameraRequest::Kind::ZoomIn:
    case CameraRequest::Kind::ZoomOut:
      canvas_.zoom_about(canvas_.screen_from_world(center), canvas_.zoom() * (document.camera.kind == CameraRequest::Kind::ZoomIn ? 1.25f : 0.8f));
      fitted_ = false;
      break;
    case CameraRequest::Kind::ReadSelection: {
      // An open module is as large as what it holds: no nearer than all of it can be seen.
      const Rect r = picture_->rect_of(document.selection.current());
      reveal(document.selection.current(), canvas_.target_zoom() < kZoomNames ? std::min(detail_zoom(context.theme), canvas_.zoom_to_fit({r.x, r.y, r.right(), r.bottom()})) : 0);
      break;
    }
  }
}

void GraphPane::mark_hits(const Document& document) {
  const Search& search = document.search;
  const std::string key = search.open ? search.query + '\n' + std::to_string(search.hits.size()) + '\n' + (search.index ? std::to_string(*search.index) : "") : "";
  if (key == hits_of_ && hit_.size() == picture_->scene.boxes.size()) return;
  hits_of_ = key;
  hit_.assign(picture_->scene.boxes.size(), 0);
  hits_inside_.assign(picture_->scene.boxes.size(), 0);
  if (!search.open) return;
  for (size_t i = 0; i < search.hits.size(); ++i) {
    const BoxId box = picture_->scene.box_of(search.hits[i]);
    if (!box) continue;
    const bool active = search.index && *search.index == i;
    hit_[box.index] = std::max(hit_[box.index], uint8_t(active ? HitLook::ActiveHit : HitLook::Hit));
    const BoxKind kind = picture_->scene.boxes[box].kind;
    if (kind == BoxKind::Module || kind == BoxKind::Subgraph || kind == BoxKind::Chunk) ++hits_inside_[box.index];
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
  if (document.overlay == OverlayKind::Data && document.data) key += ' ' + std::to_string(document.data_column) + ' ' + document.data->file + ' ' + std::to_string(reinterpret_cast<uintptr_t>(document.data.get()));
  if (document.overlay_range) key += ' ' + number_label(document.overlay_range->first, 17) + ' ' + number_label(document.overlay_range->second, 17);
  if (key == overlay_of_ && box_value_.size() == picture_->scene.boxes.size()) return;
  overlay_of_ = key;
  OverlayRunFacts facts;
  if (debugger && known) {
    auto fact = [debugger, known](NodeRef ref) { const auto at = debugger->shown(ref); return at ? known->find(*at) : nullptr; };
    facts.time_us = [debugger](NodeRef ref) { const auto* run = debugger->run_of(ref); return run ? std::optional(run->elapsed_us) : std::nullopt; };
    facts.max_abs = [fact](NodeRef ref) { const ValueFact* f = fact(ref); return f ? std::optional(f->largest()) : std::nullopt; };
    facts.nonfinite = [fact](NodeRef ref) { const ValueFact* f = fact(ref); return f ? std::optional(double(f->nonfinite)) : std::nullopt; };
    facts.saturated = [fact](NodeRef ref) { const ValueFact* f = fact(ref); return f ? f->saturated : std::nullopt; };
    facts.state = [debugger](NodeRef ref) -> std::optional<NodeState> {
      if (debugger->trace().steps().empty()) return std::nullopt;
      const auto at = debugger->shown(ref);
      const interp::NodeRun* run = at ? debugger->trace().run_of(*at) : nullptr;
      if (!run) return NodeState::NotYet;
      if (run->done()) return NodeState::Executed;
      if (std::holds_alternative<interp::Failed>(run->outcome)) return NodeState::Failed;
      return std::holds_alternative<interp::Unsupported>(run->outcome) ? NodeState::NotImplemented : NodeState::Waits;
    };
    facts.mismatch = [debugger](NodeRef ref) -> std::optional<double> {
      const auto at = debugger->shown(ref);
      const auto* difference = at ? debugger->difference(*at) : nullptr;
      return difference && *difference && (*difference)->comparable ? std::optional((*difference)->max_abs) : std::nullopt;
    };
  }
  overlay_ = document.overlay == OverlayKind::Data && document.data ? make_data_overlay(*program_, *document.data, document.data_column) : make_overlay(*program_, document.overlay, facts);
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
      if (graph.node(NodeId(n)).kind != NodeKind::CallFunction) continue;
      const NodeRef ref{GraphId(g), NodeId(n)};
      const BoxId box = picture_->scene.box_of(ref);
      if (!box) continue;
      RunMark& mark = run_[box.index];
      ++mark.nodes;
      const auto at = debugger->shown(ref);
      const interp::NodeRun* run = at ? debugger->trace().run_of(*at) : nullptr;
      if (!run) continue;
      mark.done += run->done();
      mark.failed |= std::holds_alternative<interp::Failed>(run->outcome);
      mark.nonfinite |= facts && facts->nonfinite(*at) > 0;
      if (const auto* difference = debugger->difference(*at); difference && *difference) mark.mismatch |= !(*difference)->equal;
      mark.changed |= debugger->change(*at) != nullptr;
      mark.edited |= debugger->edits().touches(ref, *program_);
    }
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
  state.executed = run.nodes && run.done == run.nodes;
  state.nonfinite = run.nonfinite;
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
  const bool one = box.kind != BoxKind::Module && box.kind != BoxKind::Subgraph && box.kind != BoxKind::Chunk;
  for (const Mark& mark : document.marks.list)
    if (one ? mark.on(box.node) : box.kind == BoxKind::Module && mark.on(box.module)) state.bookmark = mark.key;
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

void GraphPane::draw_scene(PaneContext& context) {
  const Document& document = *context.document;
  const GraphPicture& picture = *picture_;
  const GraphScene& scene = picture.scene;
  const Selection& selection = document.selection.current();
  mark_hits(document);
  mark_highlight(document);
  mark_overlay(document);
  mark_run(document);
  mark_compare(context);

  selected_.assign(scene.boxes.size(), 0);
  near_.assign(scene.boxes.size(), NeighbourLook::None);
  auto mark = [&](BoxId box) {
    if (!box || selected_[box.index]) return;
    selected_[box.index] = 1;
    for (uint32_t e : picture.edges_into(box)) near_[scene.edges[e].from.index] = NeighbourLook::Input;
    for (uint32_t e : picture.edges_out_of(box)) near_[scene.edges[e].to.index] = NeighbourLook::Output;
  };
  // A parameter that is a chip is ringed itself; a value with a box of its own is that box.
  const NodeRef shown = selection.shown();
  const bool chip = shown.node && scene.view.parameters == ParameterMode::Attached && shown.graph == program_->root() && program_->node(shown).kind == NodeKind::Placeholder;
  const BoxId own = picture.box_of(selection);
  if (!selection.edge.from.node && own && (!chip || scene.boxes[own].node == shown)) mark(own);
  for (NodeRef other : selection.others) mark(scene.box_of(other));

  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 min = canvas_.screen_min(), max = canvas_.screen_max();
  list->PushClipRect(min, max, true);
  list->AddRectFilled(min, max, context.theme.color(Role::Canvas));
  GraphDraw draw(list, context.theme, canvas_, scene, picture.layout);
  const WorldRect world = canvas_.visible().grown(20 / canvas_.scale());
  const Rect view{world.x0, world.y0, world.width(), world.height()};

  auto selected_cluster = [&](ClusterId id) { return selection.module && scene.clusters[id].kind == ScopeKind::Module && scene.clusters[id].module == selection.module; };
  std::vector<ClusterId> clusters;
  for (size_t i = 1; i < scene.clusters.size(); ++i)
    if (picture.layout.clusters[ClusterId(i)].intersects(view)) clusters.emplace_back(i);
  for (const ClusterId id : clusters) draw.cluster(id, selected_cluster(id), hover_.title == id, 1);
  // Plain edges first, then those of the selection over them, then labels over all lines.
  std::vector<uint32_t> marked, labels;
  const bool details = canvas_.zoom() >= detail_zoom(context.theme);
  picture.edge_grid.visit(view, [&](uint32_t i) {
    const EdgeState state = edge_state(context, i);
    if (state.color) marked.push_back(i);
    else draw.edge(i, state);
    if (details && !picture.layout.edges[i].label.empty()) labels.push_back(i);
  });
  for (uint32_t i : marked) draw.edge(i, edge_state(context, i));
  for (const ClusterId id : clusters) draw.cluster_title(id, selected_cluster(id), 1);
  for (const Mark& mark : document.marks.list)
    for (const ClusterId id : clusters)
      if (scene.clusters[id].kind == ScopeKind::Module && mark.on(scene.clusters[id].module)) draw.cluster_mark(id, mark.key);
  if (canvas_.zoom() >= kZoomBadges)
    for (const OutStub& stub : picture.layout.out_stubs)
      if (stub.tag.intersects(view)) {
        EdgeState state;
        if (selected_[stub.from.index]) state.color = context.theme.color(Role::Downstream);
        if (!lit_[stub.from.index]) state.alpha = kDimmed;
        draw.out_stub(stub, state);
      }
  std::vector<uint32_t> front;
  picture.box_grid.visit(view, [&](uint32_t i) {
    if (selected_[i] || hover_.box == BoxId(i)) front.push_back(i);
    else draw.box(BoxId(i), box_state(context, BoxId(i)));
  });
  for (uint32_t i : front) draw.box(BoxId(i), box_state(context, BoxId(i)));
  for (uint32_t i : labels) draw.edge_label(i, edge_state(context, i));
  if (waiting_ && context.workspace.now - waiting_since_ > kSayWaitingAfter) list->AddRectFilled(min, max, context.theme.color(Role::Canvas, kWaitingDim));
  list->PopClipRect();
  if (context.probe.on()) probes(context);
}

}  // namespace pt2::views
