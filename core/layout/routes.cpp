#include "core/layout/routes.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace pt2 {
namespace {

constexpr uint32_t kLongestSpan = 10;  // ranks; edges over more are cut
constexpr size_t kMostReaders = 8;     // of one value, beyond which distant ones are cut
constexpr uint32_t kNone = UINT32_MAX;

// Members that hang together.
class Parts {
 public:
  explicit Parts(size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }
  // False: they were together before.
  bool join(uint32_t a, uint32_t b) {
    a = find(a), b = find(b);
    if (a == b) return false;
    parent_[a] = b;
    return true;
  }

 private:
  uint32_t find(uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  std::vector<uint32_t> parent_;
};

class Router {
 public:
  explicit Router(const LayoutRequest& request) : request_(request) {}

  Routes run() {
    find_members();
    trace_edges();
    rank_members();
    cut_edges();
    for (size_t c = 0; c < inside_.size(); ++c) hold_together(ClusterId(c));
    return std::move(routes_);
  }

 private:
  ClusterId parent_of(ClusterId c) const { return request_.clusters[c].parent; }

  void find_members() {
    const size_t clusters = std::max<size_t>(1, request_.clusters.size());
    routes_.members.resize(clusters);
    routes_.depth.resize(clusters);
    routes_.cluster_member = IdVector<ClusterId, uint32_t>(clusters, kNone);
    routes_.box_member.resize(request_.boxes.size());
    for (size_t c = 1; c < clusters; ++c) {
      const ClusterId parent = parent_of(ClusterId(c));
      PT2_ASSERT(parent.index < c);
      routes_.depth[ClusterId(c)] = routes_.depth[parent] + 1;
    }
    auto place_in_parent = [&](ClusterId c) {
      for (; c.index != 0 && routes_.cluster_member[c] == kNone; c = parent_of(c)) {
        auto& members = routes_.members[parent_of(c)];
        routes_.cluster_member[c] = uint32_t(members.size());
        members.push_back({BoxId(), c});
      }
    };
    for (size_t b = 0; b < request_.boxes.size(); ++b) {
      const ClusterId c = request_.boxes[BoxId(b)].cluster;
      place_in_parent(c);
      routes_.box_member[BoxId(b)] = uint32_t(routes_.members[c].size());
      routes_.members[c].push_back({BoxId(b), ClusterId()});
    }
    for (size_t c = 1; c < clusters; ++c) place_in_parent(ClusterId(c));
  }

  void trace_edges() {
    routes_.edges.resize(request_.edges.size());
    std::unordered_map<uint64_t, uint32_t> numbers;
    for (size_t e = 0; e < routes_.edges.size(); ++e) {
      const auto& edge = request_.edges[e];
      EdgeRoute& route = routes_.edges[e];
      ClusterId a = request_.boxes[edge.from].cluster, b = request_.boxes[edge.to].cluster;
      route.from_member = routes_.box_member[edge.from];
      route.to_member = routes_.box_member[edge.to];
      while (a != b) {
        if (routes_.depth[a] >= routes_.depth[b]) {
          route.from_member = routes_.cluster_member[a];
          a = parent_of(a);
          ++route.up;
        } else {
          route.to_member = routes_.cluster_member[b];
          b = parent_of(b);
          ++route.down;
        }
      }
      route.common = a;
      route.value = numbers.try_emplace((uint64_t(edge.from.index) << 32) | edge.value, uint32_t(numbers.size())).first->second;
    }
    routes_.values = numbers.size();
  }

  void rank_members() {
    const size_t clusters = routes_.members.size();
    inside_.resize(clusters);
    rank_.resize(clusters);
    deepest_.resize(clusters);
    for (uint32_t e = 0; e < routes_.edges.size(); ++e) inside_[routes_.edges[e].common].push_back(e);
    for (size_t i = 0; i < clusters; ++i) {
      const ClusterId c(i);
      auto& rank = rank_[c];
      rank.assign(routes_.members[c].size(), 0);
      // Members stand in an order without backward edges, so one pass by target is enough.
      std::sort(inside_[c].begin(), inside_[c].end(), [&](uint32_t x, uint32_t y) { return routes_.edges[x].to_member < routes_.edges[y].to_member; });
      for (uint32_t e : inside_[c]) {
        EdgeRoute& route = routes_.edges[e];
        if (route.from_member >= route.to_member) route.cut = true;  // only where a request breaks its promise
        else rank[route.to_member] = std::max(rank[route.to_member], rank[route.from_member] + 1);
      }
      for (uint32_t r : rank) deepest_[c] = std::max(deepest_[c], r);
    }
  }

  // The ranks an edge runs over in that group on its way where it runs over most.
  uint32_t span_of(size_t e) const {
    const EdgeRoute& route = routes_.edges[e];
    uint32_t longest = rank_[route.common][route.to_member] - rank_[route.common][route.from_member];
    const BoxId from = request_.edges[e].from, to = request_.edges[e].to;
    ClusterId c = request_.boxes[from].cluster;
    uint32_t member = routes_.box_member[from];
    for (uint32_t k = 0; k < route.up; ++k, c = parent_of(c)) {
      longest = std::max(longest, deepest_[c] - rank_[c][member]);
      member = routes_.cluster_member[c];
    }
    c = request_.boxes[to].cluster;
    member = routes_.box_member[to];
    for (uint32_t k = 0; k < route.down; ++k, c = parent_of(c)) {
      longest = std::max(longest, rank_[c][member]);
      member = routes_.cluster_member[c];
    }
    return longest;
  }

  // An edge over many ranks becomes hundreds of bends and takes `dot` forever; drawn, it would only be a line along the picture's side.
  void cut_edges() {
    auto& edges = routes_.edges;
    span_.resize(edges.size());
    for (size_t e = 0; e < edges.size(); ++e) span_[e] = edges[e].cut ? kNone : span_of(e);
    // Readers of one value, the nearest first.
    std::vector<uint32_t> order(edges.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t x, uint32_t y) { return std::pair(edges[x].value, span_[x]) < std::pair(edges[y].value, span_[y]); });
    size_t reader = 0;
    for (size_t i = 0; i < order.size(); ++i) {
      const uint32_t e = order[i];
      reader = i && edges[order[i - 1]].value == edges[e].value ? reader + 1 : 0;
      if (span_[e] > kLongestSpan || (reader >= kMostReaders && span_[e] > 1)) edges[e].cut = true;
    }
  }

  // Where cutting would let a group fall apart, the shortest edges that hold it together stay.
  void hold_together(ClusterId c) {
    auto& edges = routes_.edges;
    if (std::none_of(inside_[c].begin(), inside_[c].end(), [&](uint32_t e) { return edges[e].cut; })) return;
    Parts parts(routes_.members[c].size());
    std::vector<uint32_t> candidates;
    for (uint32_t e : inside_[c]) {
      if (!edges[e].cut) parts.join(edges[e].from_member, edges[e].to_member);
      else if (span_[e] != kNone) candidates.push_back(e);
    }
    std::stable_sort(candidates.begin(), candidates.end(), [&](uint32_t x, uint32_t y) { return span_[x] < span_[y]; });
    for (uint32_t e : candidates)
      if (parts.join(edges[e].from_member, edges[e].to_member)) edges[e].cut = false;
  }

  const LayoutRequest& request_;
  Routes routes_;
  IdVector<ClusterId, std::vector<uint32_t>> inside_;  // edges by the cluster common to their ends
  IdVector<ClusterId, std::vector<uint32_t>> rank_;    // of the members
  IdVector<ClusterId, uint32_t> deepest_;
  std::vector<uint32_t> span_;                         // of the edges
};

}  // namespace

Routes trace_routes(const LayoutRequest& request) { return Router(request).run(); }

}  // namespace pt2
