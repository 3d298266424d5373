#include "views/widgets/canvas.h"
#include "views/compat.h"

#include <algorithm>
#include <cmath>

namespace pt2::views {
namespace {

constexpr float kClickSlack = 4;         // px: a shorter drag is a click
constexpr float kAnimationSeconds = 0.15f;
constexpr float kWheelStep = 1.15f;

}  // namespace

WorldRect Canvas::visible() const {
  ImVec2 a = world_from_screen(origin_), b = world_from_screen(screen_max());
  return {a.x, a.y, b.x, b.y};
}

void Canvas::advance() {
  if (progress_ >= 1) return;
  progress_ = std::min(1.0f, progress_ + ImGui::GetIO().DeltaTime / kAnimationSeconds);
  float t = progress_ * progress_ * (3 - 2 * progress_);
  center_ = {from_center_.x + (to_center_.x - from_center_.x) * t, from_center_.y + (to_center_.y - from_center_.y) * t};
  // The last step is exact: what shows from a zoom on shows there.
  zoom_ = progress_ < 1 ? from_zoom_ * std::pow(to_zoom_ / from_zoom_, t) : to_zoom_;
}

float Canvas::clamped(float zoom) const { return std::clamp(zoom, least_zoom_, kMaxZoom); }

void Canvas::look_at(ImVec2 center, float zoom, bool animate) {
  zoom = clamped(zoom);
  from_center_ = center_;
  from_zoom_ = zoom_;
  to_center_ = center;
  to_zoom_ = zoom;
  progress_ = animate ? 0.0f : 1.0f;
  if (!animate) {
    center_ = center;
    zoom_ = zoom;
  }
}

void Canvas::zoom_about(ImVec2 screen_point, float zoom) {
  ImVec2 before = world_from_screen(screen_point);
  zoom_ = clamped(zoom);
  progress_ = 1;
  ImVec2 after = world_from_screen(screen_point);
  center_ = {center_.x + before.x - after.x, center_.y + before.y - after.y};
}

float Canvas::zoom_to_fit(const WorldRect& rect, float kept_below) const {
  const float margin = 24;
  const float w = std::max(rect.width(), 1.0f) * unit_, h = std::max(rect.height(), 1.0f) * unit_;
  const float room_w = std::max(size_.x - 2 * margin, 1.0f), room_h = std::max(size_.y - 2 * margin - kept_below, 1.0f);
  return std::min(room_w / w, room_h / h);
}

void Canvas::fit(const WorldRect& rect, bool animate, float max_zoom, float kept_below) {
  const float zoom = std::min(zoom_to_fit(rect, kept_below), max_zoom);
  look_at({rect.center().x, rect.center().y + kept_below / 2 / (zoom * unit_)}, zoom, animate);
}

WorldRect Canvas::target_below(ImVec2 min, ImVec2 max) const {
  const ImVec2 center = target_center(), middle{origin_.x + size_.x / 2, origin_.y + size_.y / 2};
  const float scale = target_zoom() * unit_;
  return {center.x + (min.x - middle.x) / scale, center.y + (min.y - middle.y) / scale, center.x + (max.x - middle.x) / scale, center.y + (max.y - middle.y) / scale};
}

void Canvas::reveal(const WorldRect& rect, bool animate, float least_zoom) {
  const float zoom = std::max(target_zoom(), least_zoom);
  const ImVec2 center = target_center();
  auto moved = [](float center, float half, float low, float high) {
    if (high - low > 2 * half) return (low + high) / 2;  // larger than the view: its middle
    if (low < center - half) return low + half;
    if (high > center + half) return high - half;
    return center;
  };
  float half_x = size_.x / (zoom * unit_) * 0.4f, half_y = size_.y / (zoom * unit_) * 0.4f;
  ImVec2 wanted{moved(center.x, half_x, rect.x0, rect.x1), moved(center.y, half_y, rect.y0, rect.y1)};
  if (wanted.x != center.x || wanted.y != center.y || zoom != target_zoom()) look_at(wanted, zoom, animate);
}

Canvas::Events Canvas::begin(const char* id, ImVec2 size, const Options& options) {
  Events events;
  const ImGuiIO& io = ImGui::GetIO();
  origin_ = ImGui::GetCursorScreenPos();
  size_ = {std::max(size.x, 1.0f), std::max(size.y, 1.0f)};
  unit_ = options.unit_pixels;
  least_zoom_ = std::min(kMinZoom, zoom_to_fit(options.whole));
  advance();
  compat::invisible_button(id, size_, ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle | ImGuiButtonFlags_MouseButtonRight);
  events.hovered = ImGui::IsItemHovered() && !options.blocked;

  if (events.hovered && (io.MouseWheel != 0 || io.MouseWheelH != 0)) {
    events.camera_moved = true;
    if (options.wheel_zooms != io.KeyCtrl) zoom_about(io.MousePos, zoom_ * std::pow(kWheelStep, io.MouseWheel));
    else if (io.KeyShift) pan_by({-io.MouseWheel * 60 / scale(), 0});
    else pan_by({-io.MouseWheelH * 60 / scale(), -io.MouseWheel * 60 / scale()});
  }
  for (int button = 0; button < 3; ++button)
    if (events.hovered && !pressed_ && ImGui::IsMouseClicked(button)) {
      pressed_ = true;
      moved_ = false;
      button_ = button;
      press_screen_ = io.MousePos;
      press_center_ = center_;
      panning_ = button == ImGuiMouseButton_Middle || (button == ImGuiMouseButton_Left && !options.keep_left_drag);
      events.click_count = io.MouseClickedCount[button];
    }
  events.press = world_from_screen(press_screen_);
  if (pressed_) {
    float dx = io.MousePos.x - press_screen_.x, dy = io.MousePos.y - press_screen_.y;
    if (dx * dx + dy * dy >= kClickSlack * kClickSlack) moved_ = true;
    const bool down = io.MouseDown[button_];
    if (moved_ && panning_) {
      center_ = {press_center_.x - dx / scale(), press_center_.y - dy / scale()};
      progress_ = 1;
      events.camera_moved = true;
    } else if (moved_ && button_ == ImGuiMouseButton_Left) {
      (down ? events.press_dragging : events.press_released) = true;
    }
    if (!down) {
      pressed_ = false;
      if (!moved_) {
        events.clicked = button_ == ImGuiMouseButton_Left;
        events.right_clicked = button_ == ImGuiMouseButton_Right;
        events.middle_clicked = button_ == ImGuiMouseButton_Middle;
      }
    }
  }
  // The second press of a double click counts when it happens, as everywhere.
  events.double_clicked = events.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  events.mouse = world_from_screen(io.MousePos);
  return events;
}

}  // namespace pt2::views
