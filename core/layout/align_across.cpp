// Moving nodes across their ranks. Graphviz aligns centres, but a frame's edges enter and leave anywhere along its border, so what
// should be straight is not. Here each rank in turn asks where its nodes would like to be (the weighted median of where their neighbours'
// edges are) and gets the nearest arrangement that keeps order and gaps: isotonic regression by pooling adjacent violators.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/layout/placement.h"

namespace pt2 {
namespace {

struct Link { uint32_t other; float shift; float weight; };  // wish: my x = other's x + shift

struct Row {
  std::vector<uint32_t> members;  // from left to right
};

constexpr double kLongRow = 8;  // ranks: shorter ones may lean

class Aligner {
 public:
  Aligner(const PlacementRequest& request, Placement& placement) : request_(request), placement_(placement) {}

  void run() {
    collect();
    const int sweeps = needs_sweeps_ ? 8 : 0;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      for (size_t r = 1; r < rows_.size(); ++r) settle(rows_[r], true, false);
      for (size_t r = rows_.size() - 1; r-- > 0;) settle(rows_[r], false, true);
    }
    for (int sweep = 0; sweep < (needs_sweeps_ ? 2 : 1); ++sweep)
      for (Row& row : rows_) settle(row, needs_sweeps_, needs_sweeps_);
    pack_parts();
    if (needs_sweeps_) stand_upright();
    write_back();
  }

 private:
  void add(float x, float before, float after, uint32_t rank, bool line) {
    x_.push_back(x);
    before_.push_back(before);
    after_.push_back(after);
    line_.push_back(line);
    if (rows_.size() <= rank) rows_.resize(rank + 1);
    rows_[rank].members.push_back(uint32_t(x_.size() - 1));
  }
  bool hangs(uint32_t v) const { return degree_[v] == 1; }
  // Lines that pass ranks want to be straight most of all; what hangs on a single edge goes where the rest lets it.
  void link(uint32_t upper, float upper_offset, uint32_t lower, float lower_offset) {
    float weight = line_[upper] && line_[lower] ? 8 : line_[upper] || line_[lower] ? 2 : 1;
    if (hangs(upper) || hangs(lower)) weight /= 2;
    up_[lower].push_back({upper, upper_offset - lower_offset, weight});
    down_[upper].push_back({lower, lower_offset - upper_offset, weight});
  }

  void collect() {
    const size_t n = request_.nodes.size();
    for (size_t i = 0; i < n; ++i) {
      if (request_.nodes[i].before != request_.nodes[i].after) needs_sweeps_ = true;
      add(placement_.x[i], request_.nodes[i].before, request_.nodes[i].after, placement_.rank[i], request_.nodes[i].pin != Pin::None);
    }
    for (size_t e = 0; e < request_.edges.size(); ++e)
      for (size_t k = 0; k < placement_.via[e].size(); ++k) add(placement_.via[e][k], 0, 0, placement_.rank[request_.edges[e].from] + 1 + uint32_t(k), true);
    for (Row& row : rows_) std::stable_sort(row.members.begin(), row.members.end(), [&](uint32_t a, uint32_t b) { return x_[a] < x_[b]; });
    degree_.assign(x_.size(), 2);
    std::fill_n(degree_.begin(), n, 0u);
    for (const auto& edge : request_.edges) ++degree_[edge.from], ++degree_[edge.to];
    up_.resize(x_.size());
    down_.resize(x_.size());
    uint32_t next = uint32_t(n);
    for (size_t e = 0; e < request_.edges.size(); ++e) {
      const auto& edge = request_.edges[e];
      if (edge.from_offset != 0 || edge.to_offset != 0) needs_sweeps_ = true;
      uint32_t previous = edge.from;
      float offset = edge.from_offset;
      for (size_t k = 0; k < placement_.via[e].size(); ++k) {
        link(previous, offset, next, 0);
        previous = next++;
        offset = 0;
      }
      link(previous, offset, edge.to, edge.to_offset);
    }
  }

  float gap(uint32_t a, uint32_t b) const { return line_[a] && line_[b] ? kLineGapAcross : line_[a] || line_[b] ? kLineGapAcross + 2 : kNodeGap; }

  // Weighted median of the wishes; between two that are equally good it stays where it is, so that lines bend once, not at every rank.
  std::pair<float, float> wish(uint32_t v, bool look_up, bool look_down) {
    wishes_.clear();
    float total = 0;
    auto take = [&](const std::vector<Link>& links) {
      for (const Link& l : links) {
        wishes_.emplace_back(x_[l.other] + l.shift, l.weight);
        total += l.weight;
      }
    };
    if (look_up) take(up_[v]);
    if (look_down) take(down_[v]);
    if (wishes_.empty()) return {x_[v], look_up || look_down ? 0.01f : 1.f};
    std::sort(wishes_.begin(), wishes_.end());
    float seen = 0;
    for (size_t i = 0; i < wishes_.size(); ++i) {
      seen += wishes_[i].second;
      if (seen * 2 == total && i + 1 < wishes_.size()) return {std::clamp(x_[v], wishes_[i].first, wishes_[i + 1].first), total};
      if (seen * 2 >= total) return {wishes_[i].first, total};
    }
    return {wishes_.back().first, total};
  }

  void settle(Row& row, bool look_up, bool look_down) {
    places_.clear();
    for (size_t i = 0; i < row.members.size(); ++i) {
      const uint32_t v = row.members[i];
      auto [x, weight] = wish(v, look_up, look_down);
      if (hangs(v)) weight *= 0.002f;
      places_.push_back({x, weight, i ? after_[row.members[i - 1]] + gap(row.members[i - 1], v) + before_[v] : 0});
    }
    settle_in_order(places_);
    for (size_t i = 0; i < row.members.size(); ++i) x_[row.members[i]] = places_[i].x;
  }

  // Parts of the graph that no edge joins are moved together until they nearly touch: nothing else holds them.
  void pack_parts() {
    constexpr uint32_t kUnseen = UINT32_MAX;
    std::vector<uint32_t> part(x_.size(), kUnseen), pending;
    struct Part { std::vector<uint32_t> members; double sum = 0; double mean() const { return sum / double(members.size()); } };
    std::vector<Part> parts;
    for (uint32_t start = 0; start < x_.size(); ++start) {
      if (part[start] != kUnseen) continue;
      parts.emplace_back();
      pending.push_back(start);
      part[start] = uint32_t(parts.size() - 1);
      while (!pending.empty()) {
        const uint32_t v = pending.back();
        pending.pop_back();
        parts.back().members.push_back(v);
        parts.back().sum += x_[v];
        for (const auto* links : {&up_[v], &down_[v]})
          for (const Link& l : *links)
            if (part[l.other] == kUnseen) {
              part[l.other] = part[v];
              pending.push_back(l.other);
            }
      }
    }
    if (parts.size() < 2) return;
    std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.mean() < b.mean(); });
    std::vector<uint32_t> rank(x_.size());
    for (uint32_t r = 0; r < rows_.size(); ++r)
      for (uint32_t v : rows_[r].members) rank[v] = r;
    std::vector<float> edge(rows_.size(), -std::numeric_limits<float>::max());  // how far each rank is taken
    for (const Part& p : parts) {
      float shift = -std::numeric_limits<float>::max();
      for (uint32_t v : p.members) shift = std::max(shift, edge[rank[v]] + kNodeGap - (x_[v] - before_[v]));
      if (shift == -std::numeric_limits<float>::max()) shift = &p == &parts.front() ? 0 : highest(edge) + kNodeGap - lowest(p.members);
      for (uint32_t v : p.members) {
        x_[v] += shift;
        edge[rank[v]] = std::max(edge[rank[v]], x_[v] + after_[v]);
      }
    }
  }
  static float highest(const std::vector<float>& values) { return *std::max_element(values.begin(), values.end()); }
  float lowest(const std::vector<uint32_t>& members) const {
    float low = std::numeric_limits<float>::max();
    for (uint32_t v : members) low = std::min(low, x_[v] - before_[v]);
    return low;
  }

  // Where every frame of a long row takes its edges at one side and gives them at the other, straight edges make the whole lean, and what leans
  // over its own width leaves the window. So the lean is taken out again, the same from rank to rank: each edge slants by a few pixels.
  void stand_upright() {
    double ranks = 0, sum_rank = 0, sum_x = 0, sum_rank_x = 0, sum_rank_rank = 0, widest = 0;
    for (size_t r = 0; r < rows_.size(); ++r) {
      double weight = 0, x = 0;
      for (uint32_t v : rows_[r].members) {
        if (line_[v]) continue;
        const double width = before_[v] + after_[v];
        weight += width, x += x_[v] * width, widest = std::max(widest, width);
      }
      if (weight == 0) continue;
      x /= weight;
      ++ranks, sum_rank += double(r), sum_x += x, sum_rank_x += double(r) * x, sum_rank_rank += double(r) * double(r);
    }
    const double spread = ranks * sum_rank_rank - sum_rank * sum_rank;
    if (ranks < kLongRow || spread == 0) return;
    const double slope = (ranks * sum_rank_x - sum_rank * sum_x) / spread;
    if (std::abs(slope) * double(rows_.size()) < widest) return;
    for (size_t r = 0; r < rows_.size(); ++r)
      for (uint32_t v : rows_[r].members) x_[v] -= float(slope * (double(r) - sum_rank / ranks));
  }

  void write_back() {
    for (size_t i = 0; i < request_.nodes.size(); ++i) placement_.x[i] = x_[i];
    size_t next = request_.nodes.size();
    for (auto& via : placement_.via)
      for (float& x : via) x = x_[next++];
  }

  const PlacementRequest& request_;
  Placement& placement_;
  std::vector<float> x_, before_, after_;
  std::vector<uint8_t> line_;     // a passage of an edge, or a port
  std::vector<uint32_t> degree_;
  std::vector<Row> rows_;
  std::vector<std::vector<Link>> up_, down_;
  std::vector<std::pair<float, float>> wishes_;
  std::vector<Wish> places_;
  bool needs_sweeps_ = false;
};

}  // namespace

void settle_in_order(std::vector<Wish>& places) {
  struct Block { double sum, weight; size_t count; double mean() const { return sum / weight; } };
  std::vector<Block> blocks;
  std::vector<double> shifts;  // places are measured minus the room everything to the left needs
  double shift = 0;
  for (const Wish& place : places) {
    shift += place.gap_before;
    shifts.push_back(shift);
    blocks.push_back({(place.x - shift) * place.weight, place.weight, 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back() = {blocks.back().sum + last.sum, blocks.back().weight + last.weight, blocks.back().count + last.count};
    }
  }
  size_t i = 0;
  for (const Block& block : blocks)
    for (size_t k = 0; k < block.count; ++k, ++i) places[i].x = float(block.mean() + shifts[i]);
}

void align_across(const PlacementRequest& request, Placement& placement) {
  if (!request.nodes.empty()) Aligner(request, placement).run();
}

}  // namespace pt2
