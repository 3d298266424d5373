// What scripts and tests call the parts of the graph.
#include <algorithm>

#include "views/panes/graph_pane.h"
#include "views/workspace/unlifted_form.h"

namespace pt2::views {

// Names of everything in view, whatever the level of detail.
void GraphPane::probes(PaneContext& context) {
  const GraphPicture& picture = *picture_;
  const GraphScene& scene = picture.scene;
  const Program& program = *scene.program;
  ItemProbe& probe = context.probe;
  const std::string prefix = context.graph_prefix() + "/";
  const ImVec2 low = canvas_.screen_min(), high = canvas_.screen_max();
  auto add = [&](const std::string& name, ImVec2 min, ImVec2 max, std::string_view text) {
    const float x = (min.x + max.x) / 2, y = (min.y + max.y) / 2;
    if (x < low.x || y < low.y || x >= high.x || y >= high.y) return;
    if (minimap_shown(context) && minimap_rect(context).contains({x, y})) return;
    probe.add(name, min, max, text);
  };
  auto screen = [&](const Rect& r) { return std::pair(canvas_.screen_from_world({r.x, r.y}), canvas_.screen_from_world({r.right(), r.bottom()})); };
  auto module_name = [&](ModuleId module, ScopeId scope) {
    const auto& parts = scene.tree->scopes_of(module);
    const size_t part = size_t(std::find(parts.begin(), parts.end(), scope) - parts.begin());
    return prefix + "module/" + program.modules.modules[module].path + (part > 0 && part < parts.size() ? "#" + std::to_string(part + 1) : "");
  };
  // As in the names of its nodes.
  auto graph_name = [&](GraphId graph) {
    const std::string output = node_path(program, {graph, program.graphs[graph].output()});
    return output.substr(0, output.rfind('/'));
  };
  auto box_name = [&](const SceneBox& box) {
    switch (box.kind) {
      case BoxKind::Module: return module_name(box.module, box.scope);
      case BoxKind::Subgraph: return prefix + "subgraph/" + graph_name((*scene.tree)[box.scope].graph);
      case BoxKind::Chunk: return prefix + "chunk/" + node_path(program, box.node);
      default: {
        // A value that is read outside a module shown alone is no node; the operator that makes it is in sight too.
        const Node& node = box.unlifted ? scene.form->program->root_graph().node(box.unlifted) : program.node(box.node);
        const std::string name = box.unlifted ? std::string(node.name) : node_path(program, box.node);
        return prefix + (box.kind == BoxKind::Output && node.kind != NodeKind::Output ? "output/" : "node/") + name;
      }
    }
  };
  auto end_name = [&](const SceneBox& box) {
    const std::string name = box_name(box);
    return name.substr(name.find('/', prefix.size()) + 1);
  };
  const WorldRect world = canvas_.visible();
  const Rect view{world.x0, world.y0, world.width(), world.height()};
  picture.box_grid.visit(view, [&](uint32_t i) {
    const SceneBox& box = scene.boxes[BoxId(i)];
    const Rect& rect = picture.layout.boxes[BoxId(i)];
    const auto [min, max] = screen(rect);
    std::string text(box.title);
    if (!box.subtitle.empty()) text.append("  ").append(box.subtitle);
    if (const int key = bookmarks_[i]; key >= 0) text += key ? "  bookmark " + std::to_string(key) : "  note";
    if (box_state(context, BoxId(i)).failed) text += "  failed";
    if (const BreakpointsInside& inside = breakpoints_inside_[i]; inside.on || inside.off) text += inside.on ? "  breakpoint inside" : "  breakpoint inside, off";
    add(box_name(box), min, max, text);
    for (const Chip& chip : scene.chips_of(box)) {
      const auto [chip_min, chip_max] = screen({rect.x + chip.rect.x, rect.y + chip.rect.y, chip.rect.w, chip.rect.h});
      add(prefix + "chip/" + end_name(box) + "/" + std::string(program.root_graph().node(chip.placeholder).name), chip_min, chip_max,
          std::string(chip.text) + (std::find(nonfinite_values_.begin(), nonfinite_values_.end(), chip.placeholder) == nonfinite_values_.end() ? "" : " NaN or Inf"));
    }
  });
  for (size_t i = 1; i < scene.clusters.size(); ++i) {
    const ClusterId id(i);
    const SceneCluster& cluster = scene.clusters[id];
    const auto [min, max] = screen(picture.cluster_title(id));
    if (cluster.kind == ScopeKind::Module) add(module_name(cluster.module, cluster.scope), min, max, cluster.title);
    else if (cluster.kind == ScopeKind::Subgraph) add(prefix + "subgraph/" + graph_name(cluster.graph), min, max, cluster.title);
  }
  std::vector<uint32_t> edges;
  picture.edge_grid.visit(view, [&](uint32_t i) { edges.push_back(i); });
  std::sort(edges.begin(), edges.end());
  for (uint32_t i : edges) {
    const SceneEdge& edge = scene.edges[i];
    uint32_t n = 0;
    for (uint32_t other : picture.edges_out_of(edge.from)) {
      if (other == i) break;
      n += scene.edges[other].to == edge.to;
    }
    const Point middle = picture.edge_middle(i);
    const ImVec2 at = canvas_.screen_from_world({middle.x, middle.y});
    add(prefix + "edge/" + end_name(scene.boxes[edge.from]) + "/" + end_name(scene.boxes[edge.to]) + "/" + std::to_string(n), {at.x - 4, at.y - 4}, {at.x + 4, at.y + 4},
        edge.label);
  }
  if (minimap_shown(context)) {
    const Rect r = minimap_rect(context);
    probe.add(prefix + "minimap", {r.x, r.y}, {r.right(), r.bottom()}, faint_minimap(context) ? "faint" : "");
  }
}

}  // namespace pt2::views
