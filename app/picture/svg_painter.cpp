// SVG with real text. The fonts of the window are named first; `textLength` keeps every text within its box where they are not installed.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/picture/painter.h"

namespace pt2::app {

using views::TextStyle;

namespace {

void append_number(std::string& out, float value) {
  char text[32];
  int n = std::snprintf(text, sizeof text, "%.2f", double(value));
  while (n > 1 && text[n - 1] == '0') --n;
  if (n > 1 && text[n - 1] == '.') --n;
  out.append(text, size_t(n));
}

void append_escaped(std::string& out, std::string_view text) {
  for (char c : text) {
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '"') out += "&quot;";
    else if (uint8_t(c) >= 0x20 || c == '\t') out += c;  // XML has no other control characters
  }
}

std::string hex(uint32_t rgb) {
  char text[16];
  std::snprintf(text, sizeof text, "#%06X", rgb & 0xFFFFFF);
  return text;
}

const char* class_of(TextStyle style) {
  switch (style) {
    case TextStyle::Name: return "n";
    case TextStyle::Op: return "o";
    case TextStyle::Title: return "t";
    case TextStyle::Code: return "c";
    case TextStyle::Mono: return "m";
  }
  return "o";
}

class Svg final : public SvgPainter {
 public:
  Svg(Size size, float scale, const views::MeasureText& measure) : measure_(measure) {
    out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"";
    append_number(out_, std::ceil(size.w * scale));
    out_ += "\" height=\"";
    append_number(out_, std::ceil(size.h * scale));
    out_ += "\" viewBox=\"0 0 ";
    append_number(out_, size.w);
    out_ += ' ';
    append_number(out_, size.h);
    out_ +=
        "\">\n<style>text{white-space:pre}.n,.o,.t,.c{font-family:Roboto,'DejaVu Sans',Arial,sans-serif}.n,.c{font-weight:500}.n{font-size:13px}.o,.t{font-size:11px}"
        ".c{font-size:9px}.m{font-family:'JetBrains Mono','DejaVu Sans Mono',monospace;font-size:10px}</style>\n";
  }

  void begin_item(std::string_view kind, uint32_t index, std::string_view hover) override {
    out_ += "<g class=\"";
    out_ += kind;
    out_ += "\" id=\"";
    out_ += kind;
    out_ += std::to_string(index);
    out_ += "\">";
    if (hover.empty()) return;
    out_ += "<title>";
    append_escaped(out_, hover);
    out_ += "</title>";
  }
  void end_item() override { out_ += "</g>\n"; }

  void rectangle(const Rect& r, float radius, const Ink* fill, const Stroke* stroke) override {
    out_ += "<rect";
    attribute("x", r.x);
    attribute("y", r.y);
    attribute("width", r.w);
    attribute("height", r.h);
    if (radius > 0) attribute("rx", radius);
    filled(fill);
    if (stroke) stroked(*stroke);
    out_ += "/>";
  }

  void curve(std::span<const Point> chain, const Stroke& stroke) override {
    out_ += "<path d=\"M";
    point(chain[0]);
    for (size_t i = 1; i + 2 < chain.size(); i += 3) {
      out_ += straight(chain[i - 1], chain[i], chain[i + 1], chain[i + 2]) ? "L" : "C";
      if (out_.back() == 'C') {
        point(chain[i]);
        out_ += ' ';
        point(chain[i + 1]);
        out_ += ' ';
      }
      point(chain[i + 2]);
    }
    out_ += '"';
    filled(nullptr);
    stroked(stroke);
    out_ += "/>";
  }

  void polygon(std::span<const Point> corners, const Ink& fill) override {
    out_ += "<path d=\"M";
    for (size_t i = 0; i < corners.size(); ++i) {
      if (i) out_ += 'L';
      point(corners[i]);
    }
    out_ += "Z\"";
    filled(&fill);
    out_ += "/>";
  }

  void text(Point baseline, TextStyle style, const Ink& ink, std::string_view text) override {
    out_ += "<text class=\"";
    out_ += class_of(style);
    out_ += '"';
    attribute("x", baseline.x);
    attribute("y", baseline.y);
    attribute("textLength", measure_(style, text));
    out_ += " lengthAdjust=\"spacingAndGlyphs\"";
    filled(&ink);
    out_ += '>';
    append_escaped(out_, text);
    out_ += "</text>";
  }

  std::string finish() override {
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  void attribute(const char* name, float value) {
    out_ += ' ';
    out_ += name;
    out_ += "=\"";
    append_number(out_, value);
    out_ += '"';
  }
  void point(Point p) {
    append_number(out_, p.x);
    out_ += ',';
    append_number(out_, p.y);
  }
  void filled(const Ink* ink) {
    out_ += " fill=\"";
    out_ += ink ? hex(ink->rgb) : "none";
    out_ += '"';
    if (ink && ink->alpha < 1) attribute("fill-opacity", ink->alpha);
  }
  void stroked(const Stroke& stroke) {
    out_ += " stroke=\"" + hex(stroke.ink.rgb) + '"';
    if (stroke.ink.alpha < 1) attribute("stroke-opacity", stroke.ink.alpha);
    if (stroke.width != 1) attribute("stroke-width", stroke.width);
    if (stroke.dash == Dash::Dotted) out_ += " stroke-dasharray=\"2 3\"";
    if (stroke.dash == Dash::Dashed) out_ += " stroke-dasharray=\"6 4\"";
  }
  static bool straight(Point a, Point b, Point c, Point d) { return (a.x == b.x && b.x == c.x && c.x == d.x) || (a.y == b.y && b.y == c.y && c.y == d.y); }

  const views::MeasureText& measure_;
  std::string out_;
};

}  // namespace

std::unique_ptr<SvgPainter> make_svg_painter(Size size, float scale, const views::MeasureText& measure) { return std::make_unique<Svg>(size, scale, measure); }

}  // namespace pt2::app
