// PNG and PDF by cairo. Texts are set in the embedded fonts; a character they lack comes from whatever the system has.
#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <cairo.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/picture/painter.h"
#include "embedded/dejavu_sans.h"
#include "embedded/jetbrains_mono.h"
#include "embedded/roboto_medium.h"
#include "embedded/roboto_regular.h"

namespace pt2::app {

using views::TextStyle;

namespace {

enum Face { kRegular, kMedium, kMono, kSigns, kFaces };

Face face_of(TextStyle style) {
  switch (style) {
    case TextStyle::Name:
    case TextStyle::Code: return kMedium;
    case TextStyle::Op:
    case TextStyle::Title: return kRegular;
    case TextStyle::Mono: return kMono;
  }
  return kRegular;
}

class Fonts {
 public:
  Fonts() {
    if (FT_Init_FreeType(&library_) != 0) return;
    const std::array<std::span<const std::byte>, kFaces> files{embedded::roboto_regular(), embedded::roboto_medium(), embedded::jetbrains_mono(), embedded::dejavu_sans()};
    for (int i = 0; i < kFaces; ++i)
      if (FT_New_Memory_Face(library_, reinterpret_cast<const FT_Byte*>(files[i].data()), FT_Long(files[i].size()), 0, &faces_[i]) == 0)
        cairo_faces_[i] = cairo_ft_font_face_create_for_ft_face(faces_[i], 0);
    system_ = cairo_toy_font_face_create("sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  }
  // Cairo's faces and FreeType's live as long as the process: cairo keeps them in caches of its own.

  bool has(Face face, uint32_t character) const { return faces_[face] && FT_Get_Char_Index(faces_[face], character) != 0; }
  cairo_font_face_t* choose(Face wanted, uint32_t character) const {
    if (has(wanted, character)) return cairo_faces_[wanted];
    if (has(kSigns, character)) return cairo_faces_[kSigns];
    return system_;
  }

 private:
  FT_Library library_ = nullptr;
  std::array<FT_Face, kFaces> faces_{};
  std::array<cairo_font_face_t*, kFaces> cairo_faces_{};
  cairo_font_face_t* system_ = nullptr;
};

const Fonts& fonts() {
  static const Fonts* const instance = new Fonts;
  return *instance;
}

cairo_status_t append(void* to, const unsigned char* data, unsigned int size) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), size);
  return CAIRO_STATUS_SUCCESS;
}

class Cairo final : public CairoPainter {
 public:
  Cairo(Size size, float scale, bool pdf) : pdf_(pdf) {
    const double points_per_unit = 0.75, most_points = 14400;  // readers take no larger page
    if (pdf) {
      double factor = scale * points_per_unit;
      factor = std::min({factor, most_points / size.w, most_points / size.h});
      surface_ = cairo_pdf_surface_create_for_stream(append, &bytes_, size.w * factor, size.h * factor);
      context_ = cairo_create(surface_);
      cairo_scale(context_, factor, factor);
    } else {
      surface_ = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, int(std::ceil(size.w * scale)), int(std::ceil(size.h * scale)));
      context_ = cairo_create(surface_);
      cairo_scale(context_, scale, scale);
    }
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(context_, options);
    cairo_font_options_destroy(options);
  }
  ~Cairo() override {
    cairo_destroy(context_);
    cairo_surface_destroy(surface_);
  }
  Cairo(const Cairo&) = delete;
  Cairo& operator=(const Cairo&) = delete;

  void rectangle(const Rect& r, float radius, const Ink* fill, const Stroke* stroke) override {
    outline(r, radius);
    if (fill) {
      color(*fill);
      stroke ? cairo_fill_preserve(context_) : cairo_fill(context_);
    }
    if (stroke) draw(*stroke);
  }
  void curve(std::span<const Point> chain, const Stroke& stroke) override {
    cairo_new_path(context_);
    cairo_move_to(context_, chain[0].x, chain[0].y);
    for (size_t i = 1; i + 2 < chain.size(); i += 3) cairo_curve_to(context_, chain[i].x, chain[i].y, chain[i + 1].x, chain[i + 1].y, chain[i + 2].x, chain[i + 2].y);
    draw(stroke);
  }
  void polygon(std::span<const Point> corners, const Ink& fill) override {
    cairo_new_path(context_);
    for (Point p : corners) cairo_line_to(context_, p.x, p.y);
    cairo_close_path(context_);
    color(fill);
    cairo_fill(context_);
  }
  void text(Point baseline, TextStyle style, const Ink& ink, std::string_view text) override {
    color(ink);
    cairo_move_to(context_, baseline.x, baseline.y);
    // Pieces of one font each.
    const Face face = face_of(style);
    size_t begin = 0, at = 0;
    cairo_font_face_t* current = nullptr;
    auto flush = [&](size_t end) {
      if (end == begin) return;
      cairo_set_font_face(context_, current);
      cairo_set_font_size(context_, views::text_size(style));
      piece_.assign(text.substr(begin, end - begin));
      cairo_show_text(context_, piece_.c_str());
      begin = end;
    };
    while (at < text.size()) {
      const uint8_t lead = uint8_t(text[at]);
      const size_t length = std::min<size_t>(lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4, text.size() - at);
      uint32_t character = length == 1 ? lead : lead & (0x7Fu >> length);
      for (size_t i = 1; i < length; ++i) character = character << 6 | (uint8_t(text[at + i]) & 0x3F);
      cairo_font_face_t* needed = fonts().choose(face, character);
      if (needed != current) flush(at);
      current = needed;
      at += length;
    }
    flush(text.size());
  }

  Result<std::string> finish() override {
    if (pdf_) cairo_surface_finish(surface_);
    else cairo_surface_write_to_png_stream(surface_, append, &bytes_);
    for (cairo_status_t status : {cairo_status(context_), cairo_surface_status(surface_)})
      if (status != CAIRO_STATUS_SUCCESS) return Error{ErrorKind::Failed, std::string("the picture could not be made: ") + cairo_status_to_string(status), "", ""};
    return std::move(bytes_);
  }

 private:
  void color(const Ink& ink) {
    cairo_set_source_rgba(context_, double(ink.rgb >> 16 & 0xFF) / 255, double(ink.rgb >> 8 & 0xFF) / 255, double(ink.rgb & 0xFF) / 255, ink.alpha);
  }
  void draw(const Stroke& stroke) {
    color(stroke.ink);
    cairo_set_line_width(context_, stroke.width);
    const double dotted[] = {2, 3}, dashed[] = {6, 4};
    cairo_set_dash(context_, stroke.dash == Dash::Dotted ? dotted : dashed, stroke.dash == Dash::Solid ? 0 : 2, 0);
    cairo_stroke(context_);
  }
  void outline(const Rect& r, float radius) {
    const double q = std::numbers::pi / 2, x0 = r.x, y0 = r.y, x1 = r.right(), y1 = r.bottom(), c = std::min({double(radius), r.w / 2.0, r.h / 2.0});
    cairo_new_path(context_);
    if (c <= 0) return cairo_rectangle(context_, x0, y0, r.w, r.h);
    cairo_arc(context_, x1 - c, y0 + c, c, -q, 0);
    cairo_arc(context_, x1 - c, y1 - c, c, 0, q);
    cairo_arc(context_, x0 + c, y1 - c, c, q, 2 * q);
    cairo_arc(context_, x0 + c, y0 + c, c, 2 * q, 3 * q);
    cairo_close_path(context_);
  }

  bool pdf_;
  std::string bytes_, piece_;
  cairo_surface_t* surface_ = nullptr;
  cairo_t* context_ = nullptr;
};

}  // namespace

std::unique_ptr<CairoPainter> make_png_painter(Size size, float scale) { return std::make_unique<Cairo>(size, scale, false); }
std::unique_ptr<CairoPainter> make_pdf_painter(Size size, float scale) { return std::make_unique<Cairo>(size, scale, true); }

}  // namespace pt2::app
