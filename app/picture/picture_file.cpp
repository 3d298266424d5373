#include "app/picture/picture_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>

#include "app/picture/html_page.h"
#include "core/base/text.h"

namespace pt2::app {

using namespace views;

namespace {

constexpr float kMostPixels = 16384;
constexpr std::string_view kNames[] = {"svg", "png", "pdf", "dot", "html"};  // as the enumerators stand

}  // namespace

std::optional<PictureFormat> picture_format_from_name(std::string_view name) {
  const auto found = std::find(std::begin(kNames), std::end(kNames), name);
  return found == std::end(kNames) ? std::nullopt : std::optional(PictureFormat(found - std::begin(kNames)));
}

Result<PictureFormat> picture_format_of(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (const auto format = picture_format_from_name(extension.empty() ? extension : extension.substr(1))) return *format;
  return Error{ErrorKind::Failed, "cannot tell the kind of picture from the name " + path, "", "Use a name that ends in .svg, .png, .pdf, .dot or .html."};
}

Result<std::string> picture_bytes(PictureFormat format, const std::string& title, const GraphScene& scene, const Layout& layout, const PictureStyle& style, float scale) {
  if (format == PictureFormat::Dot) return dot_text(scene, style);
  const MeasureText measure = default_measure();
  const Size below = scale_size(style), size{std::max(layout.bounds.w, below.w), layout.bounds.h + below.h};
  if (format == PictureFormat::Svg || format == PictureFormat::Html) {
    const auto painter = make_svg_painter(size, scale, measure);
    draw_picture(*painter, scene, layout, style, measure);
    const std::string svg = painter->finish();
    if (format == PictureFormat::Svg) return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + svg;
    return html_page({title, {{"", title, scene, svg}}, {}, {}}, style);
  }
  const float width = std::ceil(size.w * scale), height = std::ceil(size.h * scale);
  if (format == PictureFormat::Png && (width > kMostPixels || height > kMostPixels))
    return Error{ErrorKind::Limit, "the picture would be " + with_commas(uint64_t(width)) + " × " + with_commas(uint64_t(height)) + " pixels; at most 16,384 each way are written", "",
                 "Write an .svg or .pdf instead, or fold modules."};
  const auto painter = format == PictureFormat::Png ? make_png_painter(size, scale) : make_pdf_painter(size, scale);
  draw_picture(*painter, scene, layout, style, measure);
  return painter->finish();
}

}  // namespace pt2::app
