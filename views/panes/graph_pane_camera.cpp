// Where the camera of the graph stands: what is in sight, how it follows a selection, and what commands ask of it.
#include <algorithm>
#include <utility>

#include "views/panes/graph_pane.h"

namespace pt2::views {

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

// Back and Forward lead to where the camera was as well, as long as the picture is the same.
bool GraphPane::camera_back(PaneContext& context) {
  constexpr size_t kKept = 200;
  const SelectionHistory& history = context.document->selection;
  if (cameras_.size() == kKept) cameras_.erase(cameras_.begin());
  left_.selection = std::exchange(last_current_, history.current());
  cameras_.push_back(left_);
  if (!history.can_go_forward()) return false;  // it was selected anew
  const auto at = std::find_if(cameras_.rbegin(), cameras_.rend(), [&](const Camera& camera) { return camera.selection == history.current(); });
  if (at == cameras_.rend() || at->zoom <= 0 || at->picture.lock() != picture_) return false;
  canvas_.look_at(at->center, at->zoom, context.animate);
  fitted_ = false;
  return true;
}

// In sight, and not below what lies over the lower corners: the scale of colours at the left, the mini-map at the right.
void GraphPane::reveal(const PaneContext& context, const Rect& r, bool animate, float least_zoom) {
  const WorldRect box{r.x, r.y, r.right(), r.bottom()};
  if (!everything_in_sight() || canvas_.target_zoom() < least_zoom) canvas_.reveal(box, animate, least_zoom);
  if (!overlay_scale_.empty()) clear_of(overlay_scale_, true, box, animate);
  if (minimap_shown(context, canvas_.target_below(canvas_.screen_min(), canvas_.screen_max()))) clear_of(minimap_rect(context), false, box, animate);
}

// Beside or above what lies in a corner, whichever is nearer.
void GraphPane::clear_of(const Rect& corner, bool left, const WorldRect& box, bool animate) {
  const WorldRect under = canvas_.target_below({corner.x, corner.y}, {corner.right(), corner.bottom()});
  if (!under.overlaps(box)) return;
  const WorldRect seen = canvas_.target_below(canvas_.screen_min(), canvas_.screen_max());
  const float margin = 0.1f * under.height(), up = box.y1 - under.y0 + margin, aside = (left ? under.x1 - box.x0 : box.x1 - under.x0) + margin;
  const bool fits_above = box.y0 - up >= seen.y0, fits_beside = left ? box.x1 + aside <= seen.x1 : box.x0 - aside >= seen.x0;
  ImVec2 center = canvas_.target_center();
  if (fits_above && (up <= aside || !fits_beside)) center.y += up;
  else if (fits_beside) center.x += left ? -aside : aside;
  else return;  // too large for either
  canvas_.look_at(center, canvas_.target_zoom(), animate);
}

// Of an open module that is larger than the view its beginning, at the view's edge: somewhere in its middle says nothing. False: it fits.
bool GraphPane::reveal_beginning(const Rect& module, bool animate, float least_zoom) {
  constexpr float kMargin = 0.05f;  // of the view
  const float zoom = std::max(canvas_.target_zoom(), least_zoom);
  const float wide = canvas_.size().x / (zoom * seen_unit_), high = canvas_.size().y / (zoom * seen_unit_);
  if (module.w <= wide && module.h <= high) return false;
  const bool sideways = picture_->scene.view.direction == Direction::LeftRight;
  Rect first;
  picture_->box_grid.visit(module, [&](uint32_t i) {
    const Rect& r = picture_->layout.boxes[BoxId(i)];
    const Point middle = r.center();
    if (module.contains(middle) && (first.empty() || (sideways ? r.x < first.x : r.y < first.y))) first = r;
  });
  auto along = [](float low, float view) { return low + (0.5f - kMargin) * view; };
  // Its title is in sight as well, unless what comes first is too far from it.
  auto across = [&](float low, float length, float begin, float end, float view) {
    if (length <= view) return low + length / 2;
    return end <= low + (1 - 2 * kMargin) * view ? along(low, view) : (begin + end) / 2;
  };
  const ImVec2 center = sideways ? ImVec2{along(module.x, wide), across(module.y, module.h, first.y, first.bottom(), high)}
                                 : ImVec2{across(module.x, module.w, first.x, first.right(), wide), along(module.y, high)};
  canvas_.look_at(center, zoom, animate);
  return true;
}

// No nearer than all of it can be seen, as long as that can be read.
float GraphPane::reading_zoom(const Theme& theme, const Rect& r) const {
  if (canvas_.target_zoom() >= kZoomNames) return 0;
  const float whole = canvas_.zoom_to_fit({r.x, r.y, r.right(), r.bottom()});
  return whole >= kZoomNames ? std::min(detail_zoom(theme), whole) : detail_zoom(theme);
}

// Follows a selection made elsewhere, and what commands ask of the camera.
void GraphPane::follow(PaneContext& context) {
  const Document& document = *context.document;
  auto reveal_selection = [&](const Selection& selection, float least_zoom) {
    const Rect r = picture_->rect_of(selection);
    if (r.empty()) return;
    const ImVec2 before = canvas_.target_center();
    const float zoom = canvas_.target_zoom();
    const bool open_module = selection.module && !picture_->box_of(selection);
    if (!open_module || !reveal_beginning(r, context.animate, least_zoom)) reveal(context, r, context.animate, least_zoom);
    if (canvas_.target_center().x != before.x || canvas_.target_center().y != before.y || canvas_.target_zoom() != zoom) fitted_ = false;
  };
  if (seen_selection_ != document.selection.revision() && requested_ == document.graph && !waiting_) {
    seen_selection_ = document.selection.revision();
    const Selection& selection = document.selection.current();
    if (last_selection_ != selection.node) previous_selection_ = last_selection_;
    last_selection_ = selection.node;
    if (!camera_back(context) && document.selection.origin() != "graph") {
      came_from_ = {};
      pointer_rests_ = true;
      reveal_selection(selection, 0);
    }
  }
  // What is to be read or seen whole is not laid out yet.
  const bool of_picture = document.camera.kind == CameraRequest::Kind::ReadSelection || document.camera.kind == CameraRequest::Kind::FitAll;
  if (seen_camera_ == document.camera.revision || (of_picture && (waiting_ || requested_ != document.graph))) return;
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
      // Of an open module, which is as large as what it holds, all, where that can be read.
      const Selection& selection = document.selection.current();
      const Rect r = picture_->rect_of(selection);
      const float whole = canvas_.zoom_to_fit({r.x, r.y, r.right(), r.bottom()});
      if (selection.module && !r.empty() && whole >= kZoomNames && whole < canvas_.target_zoom()) {
        canvas_.fit({r.x, r.y, r.right(), r.bottom()}, context.animate);
        fitted_ = false;
      } else {
        reveal_selection(selection, reading_zoom(context.theme, r));
      }
      break;
    }
  }
}

}  // namespace pt2::views
