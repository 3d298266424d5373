#pragma once
// A plane to pan and zoom over: the camera, and what the mouse does to it. Units: world units are pixels at 100 %.
#include <imgui.h>

namespace pt2::views {

struct WorldRect {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  float width() const { return x1 - x0; }
  float height() const { return y1 - y0; }
  ImVec2 center() const { return {(x0 + x1) / 2, (y0 + y1) / 2}; }
  bool contains(ImVec2 p) const { return p.x >= x0 && p.x <= x1 && p.y >= y0 && p.y <= y1; }
  bool overlaps(const WorldRect& o) const { return x0 <= o.x1 && o.x0 <= x1 && y0 <= o.y1 && o.y0 <= y1; }
  WorldRect grown(float by) const { return {x0 - by, y0 - by, x1 + by, y1 + by}; }
};

// The least is smaller where all there is needs it.
inline constexpr float kMinZoom = 0.02f, kMaxZoom = 4.0f;

class Canvas {
 public:
  struct Options {
    bool wheel_zooms = true;      // else the wheel scrolls and Ctrl+wheel zooms
    float unit_pixels = 1;        // pixels of one world unit at 100 %: the UI scale
    bool keep_left_drag = false;  // true: a left drag is the caller's (a rubber band), not a pan
    bool blocked = false;         // something over the canvas has the mouse
    WorldRect whole;              // what there is: the zoom goes as far out as it takes to see all of it
  };
  // What the mouse did this frame, beyond pan and zoom.
  struct Events {
    bool hovered = false;
    bool camera_moved = false;                            // by the mouse
    bool clicked = false, double_clicked = false, right_clicked = false, middle_clicked = false;
    bool press_dragging = false, press_released = false;  // a left drag that is the caller's: from `press` to `mouse`
    ImVec2 mouse, press;                                  // world
    int click_count = 0;
  };

  // Lays an item of this size at the cursor and handles the mouse over it.
  Events begin(const char* id, ImVec2 size, const Options& options);

  ImVec2 screen_from_world(ImVec2 p) const { return {origin_.x + size_.x / 2 + (p.x - center_.x) * scale(), origin_.y + size_.y / 2 + (p.y - center_.y) * scale()}; }
  ImVec2 world_from_screen(ImVec2 p) const { return {center_.x + (p.x - origin_.x - size_.x / 2) / scale(), center_.y + (p.y - origin_.y - size_.y / 2) / scale()}; }
  float scale() const { return zoom_ * unit_; }  // pixels per world unit
  float zoom() const { return zoom_; }           // 1 = 100 %
  ImVec2 center() const { return center_; }
  ImVec2 screen_min() const { return origin_; }
  ImVec2 screen_max() const { return {origin_.x + size_.x, origin_.y + size_.y}; }
  ImVec2 size() const { return size_; }
  WorldRect visible() const;
  bool animating() const { return progress_ < 1; }

  void look_at(ImVec2 center, float zoom, bool animate);
  void zoom_about(ImVec2 screen_point, float zoom);
  void pan_by(ImVec2 world) { center_.x += world.x; center_.y += world.y; progress_ = 1; }
  // Shows the whole rectangle with a margin, and above as many pixels at the lower edge; never above `max_zoom`.
  void fit(const WorldRect& rect, bool animate, float max_zoom = 1, float kept_below = 0);
  // Moves as little as needed for the rectangle to lie within the inner 80 %, and zooms in where the zoom is below `least_zoom`.
  void reveal(const WorldRect& rect, bool animate, float least_zoom = 0);
  // The zoom that shows the whole rectangle.
  float zoom_to_fit(const WorldRect& rect, float kept_below = 0) const;
  // What a rectangle of the screen lies over once the animation has ended.
  WorldRect target_below(ImVec2 min, ImVec2 max) const;
  // Where reveal and fit lead to, also while an animation is on its way.
  ImVec2 target_center() const { return animating() ? to_center_ : center_; }
  float target_zoom() const { return animating() ? to_zoom_ : zoom_; }

 private:
  void advance();
  float clamped(float zoom) const;

  ImVec2 origin_{0, 0}, size_{1, 1}, center_{0, 0};
  float zoom_ = 1, unit_ = 1;
  float least_zoom_ = kMinZoom;
  // The animation under way, 0 … 1.
  float progress_ = 1;
  ImVec2 from_center_{0, 0}, to_center_{0, 0};
  float from_zoom_ = 1, to_zoom_ = 1;
  // The press under way.
  bool pressed_ = false, moved_ = false, panning_ = false;
  int button_ = 0;
  ImVec2 press_screen_{0, 0}, press_center_{0, 0};
};

}  // namespace pt2::views
