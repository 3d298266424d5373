#include "views/panes/graph_pane.h"

#include <algorithm>
#include <utility>

#include "views/panes/panes.h"
#include "views/workspace/centre_view.h"
#include "views/workspace/view_text.h"

namespace pt2::views {
namespace {

constexpr float kWaitingDim = 0.5f;
constexpr int kSettlingFrames = 10;
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
  if (program_.get() != document->program()) take_program(*document);
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
  const bool other_unit = unit_before != seen_unit_, other_size = canvas_.size().x != size.x || canvas_.size().y != size.y || other_unit;
  const bool keep_selection = other_size && selection_in_view(*document);
  left_ = std::exchange(frame_start_, Camera{{}, canvas_.target_center(), canvas_.target_zoom(), picture_});
  const Canvas::Events events = canvas_.begin("##graph", size, options);
  if (events.camera_moved) fitted_ = false;
  if (keep_selection && !selection_in_view(*document)) {
    const Rect r = picture_->rect_of(document->selection.current());
    reveal(context, r, false);
  }
  if (std::exchange(moved_under_camera_, false)) find_again(document->selection.current());
  // A picture that nobody moved stays whole whatever becomes of its pane; larger text makes what can be read larger, too. Where the camera was
  // moved, another size of the pane changes neither zoom nor centre.
  const bool settles = settling_ > 0 && settling_-- && (fitted_size_.x != size.x || fitted_size_.y != size.y);
  const bool stays_whole = other_size && (!other_unit || canvas_.target_zoom() < kZoomNames);
  const CentreView view = shown_view(context.workspace, *document);
  const bool other_view = std::exchange(seen_view_, view) != view;  // the text came beside it, or went
  if (fitted_ && (settles || first_picture_ || other_view || stays_whole || fitted_scale_ != overlay_scale_.h)) fit_all(false);
  else if (fitted_ && other_size) fitted_ = everything_in_sight();
  first_picture_ = false;
  follow(context);
  handle_mouse(context, events);
  handle_keys(context);
  draw_scene(context);
  draw_overlay_scale(context);
  draw_minimap(context);
  add_anchors(context);
  follow_other(context);
  hover_card(context);
  menu(context);
  readers_menu(context);
  if (canvas_.animating()) context.draw_again_in(0);
}

// Another file, or the same one read anew: nothing that was kept of the program before is of any use.
void GraphPane::take_program(const Document& document) {
  program_ = document.shared_program();
  picture_ = nullptr;
  requested_ = {};
  first_picture_ = true;
  fitted_ = true;
  waiting_ = false;
  problem_.clear();
  seen_selection_ = document.selection.revision();
  seen_camera_ = document.camera.revision;
  last_current_ = document.selection.current();
  menu_node_ = previous_selection_ = {};
  last_selection_ = last_current_.node;
  anchor_.reset();
  edits_of_ = {}, edits_.clear();
  cameras_.clear();
  outside_.clear();
  back_to_.reset();
  refused_.reset();
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
  } else if (problem_.empty()) {
    submit(context);
  } else {
    lay_out_refused(context);
  }
}

void GraphPane::lay_out_refused(PaneContext& context) {
  dense_allowed_ = true;
  if (refused_) {
    requested_ = *refused_;
    context.push("view.take", view_text(requested_), "graph");
  }
  submit(context);
}

void GraphPane::request_picture(PaneContext& context) {
  if (waiting_ && job_.expired()) waiting_ = false, cancelled_ = true;  // by the status bar
  // What was refused is not what is on screen: folding goes on from there.
  if (std::exchange(take_back_, false) && refused_ && *refused_ == context.document->graph) {
    requested_ = picture_->scene.view;
    context.push("view.take", view_text(requested_), "graph");
    return;
  }
  if (picture_ || waiting_ || cancelled_ || !problem_.empty())
    if (requested_ == context.document->graph) return;
  dense_allowed_ = false;
  refused_.reset();
  const auto outside = view_outside(*context.document);
  if (requested_.hidden != context.document->graph.hidden) keep_selected_in_place(context);
  requested_ = outside.value_or(context.document->graph);
  if (outside) context.push("view.take", view_text(requested_), "graph");
  submit(context);
}

// While others are hidden or come back; a picture that is seen whole is seen whole again.
void GraphPane::keep_selected_in_place(const PaneContext& context) {
  if (!picture_ || fitted_ || anchor_) return;
  const NodeRef node = context.document->selection.current().shown();
  const BoxId box = node.node ? picture_->scene.box_of(node) : BoxId();
  if (!box) return;
  const Rect& r = picture_->layout.boxes[box];
  if (canvas_.visible().overlaps({r.x, r.y, r.right(), r.bottom()})) anchor_ = Anchor{{}, node, canvas_.screen_from_world({r.x, r.y})};
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
  auto token = std::make_shared<bool>();
  job_ = token;
  // A picture that was allowed may be folded a little.
  const size_t shown = picture_ ? picture_->scene.boxes.size() : 0;
  const size_t limit = dense_allowed_ ? size_t(-1) : std::max<size_t>(context.workspace.ui.preferences.max_boxes, shown);
  context.jobs.submit(
      job_tag_, "Laying out " + document.title(),
      [program = loaded.program, scopes = loaded.scopes, form = requested_.unlifted ? loaded.unlifted : nullptr, view = requested_, engine = engine_, limit](Job& job) {
        return make_picture(program, scopes, view, *engine, limit, job.stop(), form);
      },
      [this, alive = std::weak_ptr<bool>(alive_), token = std::move(token)](Result<std::shared_ptr<const GraphPicture>> result) {
        if (alive.expired()) return;
        waiting_ = false;
        if (result) accept(*result);
        else if (result.error().kind == ErrorKind::Stopped) cancelled_ = true;
        else {
          if (picture_ && result.error().kind == ErrorKind::Limit) {
            refused_ = requested_;
            take_back_ = true;
          }
          problem_ = result.error().message + (result.error().advice.empty() ? "" : " " + result.error().advice);
        }
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
    settling_ = kSettlingFrames;
    return;
  }
  Rect now;
  if (anchor_ && anchor_->scope) now = picture_->rect_of(anchor_->scope);
  else if (anchor_ && anchor_->node.node)
    if (BoxId box = picture_->scene.box_of(anchor_->node)) now = picture_->layout.boxes[box];
  if (back_to_) {
    canvas_.look_at(back_to_->center, back_to_->zoom, false);
    fitted_ = first_picture_ = back_to_->fitted;
    moved_under_camera_ = !fitted_;
    back_to_.reset();
  } else if (anchor_ && !now.empty()) {
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
  mark_bookmarks(document);
  mark_breakpoints(document);

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
  const bool chip_drawn = chip && own && canvas_.zoom() >= detail_zoom(context.theme) && std::any_of(scene.chips_of(scene.boxes[own]).begin(), scene.chips_of(scene.boxes[own]).end(), [&](const Chip& c) { return c.placeholder == shown.node; });
  if (!selection.edge.from.node && own && (!chip || scene.boxes[own].node == shown)) mark(own);
  else if (chip && own && !chip_drawn) selected_[own.index] = 1;  // its reader, or the group that is in, where the chip itself cannot be seen
  for (NodeRef other : selection.others) mark(scene.box_of(other));

  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 min = canvas_.screen_min(), max = canvas_.screen_max();
  list->PushClipRect(min, max, true);
  list->AddRectFilled(min, max, context.theme.color(Role::Canvas));
  GraphDraw draw(list, context.theme, canvas_, scene, picture.layout, context.workspace.ui.preferences.patterns);
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
  if (context.compare && context.side != Side::None) context.compare->boxes_begin(context.side, list);
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
  if (!scene.view.hidden.empty() && canvas_.zoom() >= kZoomNames)
    picture.box_grid.visit(view, [&](uint32_t i) {
      const std::string names = hidden_inputs(scene.view, BoxId(i));
      if (names.empty()) return;
      const Rect at = draw.hidden_inputs(room_above(BoxId(i)), names, lit_[i] ? 1.0f : kDimmed);
      if (context.probe.on()) context.probe.add(context.graph_prefix() + "/hidden_input/", scene.boxes[BoxId(i)].title, {at.x, at.y}, {at.right(), at.bottom()}, names);
    });
  for (uint32_t i : labels) draw.edge_label(i, edge_state(context, i));
  if (waiting_ && context.workspace.now - waiting_since_ > kSayWaitingAfter) list->AddRectFilled(min, max, context.theme.color(Role::Canvas, kWaitingDim));
  list->PopClipRect();
  if (context.probe.on()) probes(context);
}

}  // namespace pt2::views
