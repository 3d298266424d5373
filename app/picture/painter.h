#pragma once
// What a picture is drawn with: a handful of shapes in world units. SVG and cairo (PNG, PDF) do the rest.
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/layout/geometry.h"
#include "views/workspace/text_metrics.h"

namespace pt2::app {

struct Ink {
  uint32_t rgb = 0;  // 0xRRGGBB
  float alpha = 1;
};
enum class Dash : uint8_t { Solid, Dotted, Dashed };
struct Stroke {
  Ink ink;
  float width = 1;
  Dash dash = Dash::Solid;
};

class Painter {
 public:
  virtual ~Painter() = default;
  // What follows until end_item belongs to one thing of the graph. `index` is its id, `hover` a text for the pointer.
  virtual void begin_item(std::string_view kind, uint32_t index, std::string_view hover) { (void)kind, (void)index, (void)hover; }
  virtual void end_item() {}
  virtual void rectangle(const Rect& rect, float radius, const Ink* fill, const Stroke* stroke) = 0;
  virtual void curve(std::span<const Point> chain, const Stroke& stroke) = 0;  // 1 + 3n points
  virtual void polygon(std::span<const Point> corners, const Ink& fill) = 0;
  virtual void text(Point baseline, views::TextStyle style, const Ink& ink, std::string_view text) = 0;
};

// A whole SVG document once `finish` is called.
class SvgPainter;
std::unique_ptr<SvgPainter> make_svg_painter(Size size, float scale, const views::MeasureText& measure);
class SvgPainter : public Painter {
 public:
  virtual std::string finish() = 0;
};

// A raster of `size` × `scale` pixels, or a page.
class CairoPainter : public Painter {
 public:
  virtual Result<std::string> finish() = 0;  // the file's bytes
};
std::unique_ptr<CairoPainter> make_png_painter(Size size, float scale);
std::unique_ptr<CairoPainter> make_pdf_painter(Size size, float scale);

}  // namespace pt2::app
