#pragma once
// The graph as the bytes of a file, for `render` and for what the window saves.
#include <optional>
#include <string>
#include <string_view>

#include "app/picture/graph_picture.h"

namespace pt2::app {

enum class PictureFormat : uint8_t { Svg, Png, Pdf, Dot, Html };
std::optional<PictureFormat> picture_format_from_name(std::string_view name);  // "svg"
Result<PictureFormat> picture_format_of(const std::string& path);              // by how the name ends

// `title`: of an HTML page. DOT places nothing: it takes any layout. The one error is a PNG with too many pixels.
Result<std::string> picture_bytes(PictureFormat format, const std::string& title, const views::GraphScene& scene, const Layout& layout, const PictureStyle& style, float scale = 1);

}  // namespace pt2::app
