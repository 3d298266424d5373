#pragma once
// The graph as a picture: the look of the graph pane at 100 %, without anything of a window.
#include "app/picture/painter.h"
#include "views/workspace/colors.h"
#include "views/workspace/graph_scene.h"

namespace pt2::app {

enum class ColorBy : uint8_t { Family, DType };

struct PictureStyle {
  views::ThemeName theme = views::ThemeName::Light;
  ColorBy color_by = ColorBy::Family;
};

void draw_picture(Painter& painter, const views::GraphScene& scene, const Layout& layout, const PictureStyle& style, const views::MeasureText& measure);

// The visible graph for Graphviz: boxes, open groups as clusters, labels, colours.
std::string dot_text(const views::GraphScene& scene, const PictureStyle& style);

// Fill and code of a box.
struct BoxColor { uint32_t fill, text; std::string_view code; };
BoxColor box_color(const views::GraphScene& scene, const views::SceneBox& box, const PictureStyle& style);

}  // namespace pt2::app
