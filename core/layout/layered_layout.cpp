// Our own layered placement: longest-path ranks, order by barycentres, places by align_across. It stands in where Graphviz failed and
// takes groups that are too large for it.
#include <algorithm>
#include <numeric>

#include "core/layout/placement.h"

namespace pt2 {
namespace {

// Kahn's order; what a cycle leaves over comes last, in its given order.
std::vector<uint32_t> topological_order(const PlacementRequest& request, const std::vector<std::vector<uint32_t>>& out) {
  const size_t n = request.nodes.size();
  std::vector<uint32_t> waiting(n), order;
  for (const auto& edge : request.edges) ++waiting[edge.to];
  order.reserve(n);
  for (uint32_t i = 0; i < n; ++i)
    if (!waiting[i]) order.push_back(i);
  for (size_t next = 0; next < order.size(); ++next)
    for (uint32_t to : out[order[next]])
      if (--waiting[to] == 0) order.push_back(to);
  for (uint32_t i = 0; i < n; ++i)
    if (waiting[i]) order.push_back(i);
  return order;
}

struct Layers {
  std::vector<uint32_t> rank;
  uint32_t count = 0;
};

Layers rank_nodes(const PlacementRequest& request, const std::vector<std::vector<uint32_t>>& in, const std::vector<std::vector<uint32_t>>& out) {
  const size_t n = request.nodes.size();
  const std::vector<uint32_t> order = topological_order(request, out);
  std::vector<uint32_t> position(n);
  for (uint32_t i = 0; i < n; ++i) position[order[i]] = i;
  Layers layers;
  layers.rank.assign(n, 0);
  uint32_t deepest = 0;
  for (uint32_t v : order) {
    uint32_t rank = 0;
    for (uint32_t u : in[v])
      if (position[u] < position[v]) rank = std::max(rank, layers.rank[u] + 1);
    layers.rank[v] = rank;
    deepest = std::max(deepest, rank);
  }
  // Sources move down next to their first reader; everything else stays as early as it can be.
  for (uint32_t v : order)
    if (in[v].empty() && !out[v].empty()) {
      uint32_t first = deepest + 1;
      for (uint32_t w : out[v]) first = std::min(first, layers.rank[w]);
      if (first > layers.rank[v] + 1) layers.rank[v] = first - 1;
    }
  layers.count = deepest + 1;
  return layers;
}

}  // namespace

Placement place_layered(const PlacementRequest& request) {
  const size_t n = request.nodes.size();
  std::vector<std::vector<uint32_t>> in(n), out(n);
  for (const auto& edge : request.edges) {
    out[edge.from].push_back(edge.to);
    in[edge.to].push_back(edge.from);
  }
  Layers layers = rank_nodes(request, in, out);
  Placement placement{layers.rank, std::vector<float>(n), std::vector<std::vector<float>>(request.edges.size())};

  // Lines that pass ranks count as members of them; entries ≥ n are such passages.
  std::vector<std::vector<uint32_t>> rows(layers.count);
  std::vector<std::vector<uint32_t>> above(n), below(n);
  for (uint32_t v = 0; v < n; ++v) rows[layers.rank[v]].push_back(v);
  auto connect = [&](uint32_t upper, uint32_t lower) {
    below[upper].push_back(lower);
    above[lower].push_back(upper);
  };
  std::vector<uint32_t> first_passage(request.edges.size());
  for (size_t e = 0; e < request.edges.size(); ++e) {
    uint32_t previous = request.edges[e].from;
    first_passage[e] = uint32_t(above.size());
    for (uint32_t r = layers.rank[request.edges[e].from] + 1; r < layers.rank[request.edges[e].to]; ++r) {
      const uint32_t passage = uint32_t(above.size());
      above.emplace_back();
      below.emplace_back();
      rows[r].push_back(passage);
      connect(previous, passage);
      previous = passage;
    }
    connect(previous, request.edges[e].to);
  }

  std::vector<float> place(above.size());
  auto number = [&](const std::vector<uint32_t>& row) {
    for (size_t i = 0; i < row.size(); ++i) place[row[i]] = float(i) - float(row.size()) / 2;
  };
  for (const auto& row : rows) number(row);
  std::vector<float> key(above.size());
  auto sort_row = [&](std::vector<uint32_t>& row, const std::vector<std::vector<uint32_t>>& neighbours) {
    for (uint32_t v : row) {
      float sum = 0;
      for (uint32_t u : neighbours[v]) sum += place[u];
      key[v] = neighbours[v].empty() ? place[v] : sum / float(neighbours[v].size());
    }
    std::stable_sort(row.begin(), row.end(), [&](uint32_t a, uint32_t b) { return key[a] < key[b]; });
    number(row);
  };
  for (int sweep = 0; sweep < 6; ++sweep) {
    for (auto& row : rows) sort_row(row, above);
    for (size_t r = rows.size(); r-- > 0;) sort_row(rows[r], below);
  }
  for (auto& row : rows) sort_row(row, above);

  std::vector<float> x(above.size());
  for (const auto& row : rows) {
    float at = 0;
    for (uint32_t v : row) {
      const float before = v < n ? request.nodes[v].before : 0, after = v < n ? request.nodes[v].after : 0;
      x[v] = at + before;
      at += before + after + kNodeGap;
    }
    for (uint32_t v : row) x[v] -= at / 2;
  }
  for (size_t v = 0; v < n; ++v) placement.x[v] = x[v];
  for (size_t e = 0; e < request.edges.size(); ++e) {
    const uint32_t from = layers.rank[request.edges[e].from], to = layers.rank[request.edges[e].to];
    for (uint32_t k = 0; from + 1 + k < to; ++k) placement.via[e].push_back(x[first_passage[e] + k]);
  }
  return placement;
}

}  // namespace pt2
