#include <algorithm>
#include <cstdio>

#include "app/picture/graph_picture.h"

namespace pt2::app {

using namespace views;

namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '&') out += "&amp;";
    else out += c;
  }
  return out + '"';
}

std::string color(uint32_t rgb) {
  char text[16];
  std::snprintf(text, sizeof text, "\"#%06X\"", rgb);
  return text;
}

// Name, operator and chips, one to a line.
std::string label(const GraphScene& scene, const SceneBox& box) {
  std::string text = quoted(box.title);
  text.pop_back();
  auto line = [&](std::string_view more) {
    if (more.empty()) return;
    const std::string q = quoted(more);
    text += "\\n" + q.substr(1, q.size() - 2);
  };
  line(box.subtitle);
  for (const Chip& chip : scene.chips_of(box)) line("▤ " + std::string(chip.text));
  return text + '"';
}

}  // namespace

std::string dot_text(const GraphScene& scene, const PictureStyle& style) {
  const uint32_t outline = color_rgb(style.theme, Role::Outline), text2 = color_rgb(style.theme, Role::Text2);
  std::string out = "digraph " + quoted(scene.program->name.empty() ? "model" : scene.program->name) + " {\n";
  out += std::string("  rankdir=") + (scene.view.direction == Direction::TopDown ? "TB" : "LR") + ";\n";
  out += "  bgcolor=" + color(color_rgb(style.theme, Role::Canvas)) + ";\n";
  out += "  node [shape=box, style=\"filled,rounded\", fontname=\"Roboto\", fontsize=11, color=" + color(outline) + "];\n";
  out += "  edge [fontname=\"JetBrains Mono\", fontsize=9, color=" + color(outline) + ", fontcolor=" + color(text2) + "];\n";

  const std::vector<std::string> marks = box_marks(scene, style.marks);
  std::vector<std::vector<BoxId>> boxes(scene.clusters.size());
  std::vector<std::vector<ClusterId>> inner(scene.clusters.size());
  for (size_t b = 0; b < scene.boxes.size(); ++b) boxes[scene.boxes[BoxId(b)].cluster.index].push_back(BoxId(b));
  for (size_t c = 1; c < scene.clusters.size(); ++c) inner[scene.clusters[ClusterId(c)].parent.index].push_back(ClusterId(c));
  std::vector<std::pair<ClusterId, bool>> pending{{ClusterId(0), true}};  // to open or to close
  size_t depth = 0;
  while (!pending.empty()) {
    const auto [id, opens] = pending.back();
    pending.pop_back();
    if (!opens) {
      out += std::string(2 * depth--, ' ') + "}\n";
      continue;
    }
    if (id.index) {
      ++depth;
      const SceneCluster& cluster = scene.clusters[id];
      out += std::string(2 * depth, ' ') + "subgraph cluster_" + std::to_string(id.index) + " {\n";
      out += std::string(2 * depth + 2, ' ') + "label=" + quoted(cluster.title) + "; labeljust=l; fontname=\"Roboto\"; fontsize=11; color=" + color(outline) +
             (cluster.kind == ScopeKind::Subgraph ? "; style=\"rounded,dashed\";\n" : "; style=rounded;\n");
      pending.emplace_back(id, false);
    }
    for (BoxId b : boxes[id.index]) {
      const SceneBox& box = scene.boxes[b];
      const BoxColor look = box_color(b, box, style);
      out += std::string(2 * depth + 2, ' ') + "n" + std::to_string(b.index) + " [label=" + label(scene, box) + ", fillcolor=" +
             color(look.fill) + ", fontcolor=" + color(look.text);
      if (box.kind == BoxKind::Input || box.kind == BoxKind::Output) out += ", shape=oval";
      if (!marks[b.index].empty()) {
        const MarkLook mark = mark_look(marks[b.index]);
        out += ", color=" + color(color_rgb(style.theme, mark.role)) + ", penwidth=3, xlabel=" + quoted(mark.sign);
      }
      if (box.kind == BoxKind::Subgraph) out += ", style=\"filled,rounded,dashed\"";
      out += "];\n";
    }
    for (auto it = inner[id.index].rbegin(); it != inner[id.index].rend(); ++it) pending.emplace_back(*it, true);
  }
  for (const SceneEdge& edge : scene.edges) {
    out += "  n" + std::to_string(edge.from.index) + " -> n" + std::to_string(edge.to.index);
    std::string attributes;
    if (!edge.label.empty()) attributes = "label=" + quoted(edge.label);
    if (edge.style != EdgeStyle::Tensor) attributes += std::string(attributes.empty() ? "" : ", ") + (edge.style == EdgeStyle::Scalar ? "style=dotted" : "style=dashed");
    if (!attributes.empty()) out += " [" + attributes + "]";
    out += ";\n";
  }
  return out + "}\n";
}

}  // namespace pt2::app
