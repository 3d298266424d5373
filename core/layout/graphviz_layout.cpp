// The only file that knows Graphviz. `dot` decides ranks and the order within them; it sees nothing but plain boxes of one height: no
// labels, clusters, ports, rank constraints or ortho splines, all of which are slow or make it crash (2.42 reads freed memory after
// rank=source). It keeps global state and its assertions end the
// process, so the window never calls this itself: layout_process does, in a child.
#include <graphviz/gvc.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "core/layout/placement.h"

namespace pt2 {
namespace {

constexpr double kPointsPerInch = 72;
constexpr double kNodeHeight = 18;

std::string last_error;
int keep_error(char* text) {
  last_error += text;
  return 0;
}

char* text(const char* literal) { return const_cast<char*>(literal); }  // cgraph takes char* and does not write

GVC_t* context() {
  static GVC_t* const gvc = [] {
    agseterrf(keep_error);
    agseterr(AGERR);
    return gvContext();
  }();
  return gvc;
}

struct Picture {
  Agraph_t* graph = nullptr;
  bool laid_out = false;
  ~Picture() {
    if (laid_out) gvFreeLayout(context(), graph);
    if (graph) agclose(graph);
  }
};

// Where the spline has the given y: it runs monotonically from its tail down (y falls) to its head.
float x_at(const splines* spline, double y) {
  double best = 0, best_distance = HUGE_VAL;
  pointf previous{};
  bool have_previous = false;
  for (int b = 0; b < int(spline->size); ++b) {
    const bezier& curve = spline->list[b];
    for (int i = 0; i + 3 < int(curve.size); i += 3)
      for (int s = 0; s <= 8; ++s) {
        const double t = s / 8.0, u = 1 - t;
        const pointf* p = curve.list + i;
        const pointf q{u * u * u * p[0].x + 3 * u * u * t * p[1].x + 3 * u * t * t * p[2].x + t * t * t * p[3].x,
                       u * u * u * p[0].y + 3 * u * u * t * p[1].y + 3 * u * t * t * p[2].y + t * t * t * p[3].y};
        if (have_previous && (previous.y - y) * (q.y - y) <= 0 && previous.y != q.y)
          return float(previous.x + (q.x - previous.x) * (y - previous.y) / (q.y - previous.y));
        if (std::abs(q.y - y) < best_distance) best = q.x, best_distance = std::abs(q.y - y);
        previous = q;
        have_previous = true;
      }
  }
  return float(best);
}

}  // namespace

Result<Placement> place_with_graphviz(const PlacementRequest& request) {
  GVC_t* gvc = context();
  last_error.clear();
  auto failed = [](const std::string& why) { return Error{ErrorKind::Failed, "Graphviz could not lay out a group: " + why, "", ""}; };

  Picture picture;
  Agraph_t* g = picture.graph = agopen(text("g"), Agdirected, nullptr);
  if (!g) return failed("no graph");
  char number[32];
  auto inches = [&](double points) {
    std::snprintf(number, sizeof number, "%.4f", points / kPointsPerInch);
    return number;
  };
  agattr(g, AGRAPH, text("nodesep"), inches(kNodeGap));
  agattr(g, AGRAPH, text("ranksep"), text("0.3"));
  agattr(g, AGRAPH, text("splines"), text("true"));
  agattr(g, AGNODE, text("shape"), text("box"));
  agattr(g, AGNODE, text("label"), text(""));
  agattr(g, AGNODE, text("fixedsize"), text("true"));
  agattr(g, AGNODE, text("width"), text("1"));
  agattr(g, AGNODE, text("height"), inches(kNodeHeight));
  agattr(g, AGEDGE, text("arrowhead"), text("none"));
  agattr(g, AGEDGE, text("weight"), text("1"));

  std::vector<Agnode_t*> nodes;
  for (size_t i = 0; i < request.nodes.size(); ++i) {
    std::snprintf(number, sizeof number, "%zu", i);
    Agnode_t* node = agnode(g, number, 1);
    if (!node) return failed(last_error);
    agset(node, text("width"), inches(std::max(1.f, request.nodes[i].before + request.nodes[i].after)));
    nodes.push_back(node);
  }
  std::vector<Agedge_t*> edges;
  for (const auto& edge : request.edges) edges.push_back(agedge(g, nodes[edge.from], nodes[edge.to], nullptr, 1));

  if (gvLayout(gvc, g, "dot") != 0) return failed(last_error);
  picture.laid_out = true;

  Placement placement;
  std::map<double, uint32_t, std::greater<>> rank_of_y;  // y grows upwards in Graphviz
  for (Agnode_t* node : nodes) {
    if (!std::isfinite(ND_coord(node).x) || !std::isfinite(ND_coord(node).y)) return failed("places that are no numbers");
    rank_of_y.emplace(std::round(ND_coord(node).y), 0);
  }
  std::vector<double> rank_y;
  for (auto& [y, rank] : rank_of_y) {
    rank = uint32_t(rank_y.size());
    rank_y.push_back(y);
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    placement.rank.push_back(rank_of_y[std::round(ND_coord(nodes[i]).y)]);
    // Graphviz centres the whole extent; ours is measured from the centre of the box inside.
    placement.x.push_back(float(ND_coord(nodes[i]).x) + (request.nodes[i].before - request.nodes[i].after) / 2);
  }
  placement.via.resize(edges.size());
  for (size_t e = 0; e < edges.size(); ++e) {
    const uint32_t from = placement.rank[request.edges[e].from], to = placement.rank[request.edges[e].to];
    if (from >= to) return failed("an edge that does not go forward");
    const splines* spline = ED_spl(edges[e]);
    for (uint32_t r = from + 1; r < to; ++r) {
      const float straight = placement.x[request.edges[e].from] + (placement.x[request.edges[e].to] - placement.x[request.edges[e].from]) * float(r - from) / float(to - from);
      const float x = spline ? x_at(spline, rank_y[r]) : straight;
      if (!std::isfinite(x)) return failed("a curve that is no number");
      placement.via[e].push_back(x);
    }
  }
  return placement;
}

}  // namespace pt2
