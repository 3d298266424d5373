#include "views/widgets/canvas.h"

#include <initializer_list>

#include <doctest/doctest.h>

using namespace pt2::views;

namespace {

// A canvas in a window of its own, one frame a call.
class CanvasOnScreen {
 public:
  CanvasOnScreen() : context_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(context_);
    unsigned char* pixels;
    int w, h;
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = {800, 600};
    ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &w, &h);
  }
  ~CanvasOnScreen() { ImGui::DestroyContext(context_); }
  void frame(const WorldRect& whole) {
    ImGui::GetIO().DeltaTime = 0.05f;
    ImGui::NewFrame();
    ImGui::Begin("window");
    Canvas::Options options;
    options.whole = whole;
    canvas.begin("canvas", {600, 400}, options);
    ImGui::End();
    ImGui::EndFrame();
  }
  Canvas canvas;

 private:
  ImGuiContext* context_;
};

}  // namespace

TEST_CASE("fitting goes as far out as it takes, and no farther by hand") {
  CanvasOnScreen screen;
  const WorldRect whole{0, 0, 9000, 150000};
  screen.frame(whole);
  screen.canvas.fit(whole, false);
  CHECK(screen.canvas.zoom() < kMinZoom / 5);
  const WorldRect seen = screen.canvas.visible();
  CHECK(seen.y0 <= whole.y0);
  CHECK(seen.y1 >= whole.y1);
  const float fitted = screen.canvas.zoom();
  screen.canvas.zoom_about({300, 200}, fitted * 2);
  CHECK(screen.canvas.zoom() == doctest::Approx(fitted * 2));
  screen.canvas.zoom_about({300, 200}, fitted / 2);
  CHECK(screen.canvas.zoom() == doctest::Approx(fitted));
  // What is small stops at the ordinary least zoom.
  const WorldRect small{0, 0, 300, 500};
  screen.frame(small);
  screen.canvas.look_at({0, 0}, 0.001f, false);
  CHECK(screen.canvas.zoom() == kMinZoom);
}

TEST_CASE("an animation ends at the very zoom it went to") {
  CanvasOnScreen screen;
  screen.frame({});
  for (float to : {0.8f, 0.45f, 0.15f, 1.6f}) {
    screen.canvas.look_at({10, 10}, 0.0731f, false);
    screen.canvas.look_at({0, 0}, to, true);
    for (int i = 0; i < 5; ++i) screen.frame({});
    CHECK(screen.canvas.zoom() == to);
  }
}
