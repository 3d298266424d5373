#pragma once
// The graph as a picture: the look of the graph pane at 100 %, without anything of a window.
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/picture/painter.h"
#include "views/workspace/colors.h"
#include "views/workspace/graph_scene.h"
#include "views/workspace/overlay.h"

namespace pt2::app {

struct PictureStyle {
  views::ThemeName theme = views::ThemeName::Light;
  // What boxes are coloured by; of kind Family: their operator. `values`: of each box.
  views::Overlay overlay;
  std::vector<double> values;
  std::set<NodeRef> nonfinite;  // nodes that a run found NaN or Inf in: their boxes get the sign
  std::map<NodeRef, std::string> marks = {};  // what a comparison says of nodes: "changed", "added", "removed", "differs"
};
// By box the gravest mark of the nodes in it; empty where there is none.
std::vector<std::string> box_marks(const views::GraphScene& scene, const std::map<NodeRef, std::string>& marks);
struct MarkLook {
  views::Role role;
  std::string_view sign;
};
MarkLook mark_look(std::string_view mark);
void color_by(PictureStyle& style, views::Overlay overlay, const views::GraphScene& scene);
// Room for the overlay's scale below the graph; 0 by 0 where there is none.
Size scale_size(const PictureStyle& style);

void draw_picture(Painter& painter, const views::GraphScene& scene, const Layout& layout, const PictureStyle& style, const views::MeasureText& measure);

// The visible graph for Graphviz: boxes, open groups as clusters, labels, colours.
std::string dot_text(const views::GraphScene& scene, const PictureStyle& style);

// Fill and code of a box.
struct BoxColor {
  uint32_t fill, text;
  std::string code;
};
BoxColor box_color(BoxId id, const views::SceneBox& box, const PictureStyle& style);

}  // namespace pt2::app
