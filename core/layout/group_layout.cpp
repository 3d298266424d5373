// How a group becomes a picture. Somebody else (Graphviz, as a rule) says which rank each member has and in which order they stand; the
// rest is ours. Ranks become bands as deep as their deepest member, with gaps between. An edge runs straight through the bands, where its
// column is free, and changes column only in gaps, where there is nothing to run into; so no edge crosses a box, however unequal the
// members are, and edges can start and end anywhere along a border.
#include "core/layout/group_layout.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <span>

#include "core/base/limits.h"
#include "core/layout/tag_block.h"

namespace pt2 {
namespace {

constexpr float kFramePad = 12;
constexpr float kGapMain = 20, kGapPerShift = 0.05f, kGapMost = 72, kPortGap = 12;
constexpr float kLabelGap = 4, kLabelRow = 2;  // from line to label; between labels
constexpr float kEntryGap = 16, kEntryMargin = 12;  // between edges that enter a box; from its corner
constexpr float kPortHalf = 3;
constexpr size_t kGraphvizPassages = 6000;

// A member with everything around it: tags at the sides, labels after it.
struct Slot {
  float low = 0, high = 0;      // reach across, from the member's middle
  float start = 0, end = 0;     // reach along the flow, beyond the member
  TagBlock in, out;
  std::vector<FlowRect> labels; // from the member's low corner
};

Slot make_slot(const GroupMember& member) {
  Slot slot;
  const float half = member.size.cross / 2;
  slot.low = slot.high = half;
  slot.in = TagBlock(member.in_tags, member.size.main, TagBlock::Side::In);
  slot.out = TagBlock(std::vector<FlowSize>(member.out_tags, member.out_tag), member.size.main, TagBlock::Side::Out);
  slot.low += slot.in.cross();
  slot.high += slot.out.cross();
  slot.start = std::max(slot.in.before(), slot.out.before());
  slot.end = std::max(slot.in.after(), slot.out.after());

  // Labels stand after the box, right of their line, in the first row where they do not meet another.
  std::vector<size_t> order(member.exits.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return member.exits[a] < member.exits[b]; });
  slot.labels.resize(member.exits.size());
  std::vector<float> row_end;
  float row_main = 0;
  for (const FlowSize& size : member.labels) row_main = std::max(row_main, size.main + kLabelRow);
  for (size_t i : order) {
    const FlowSize size = member.labels[i];
    if (size.cross <= 0) continue;
    const float cross = member.exits[i] + kLabelGap;
    size_t row = 0;
    while (row < row_end.size() && row_end[row] > cross) ++row;
    if (row == row_end.size()) row_end.push_back(0);
    row_end[row] = cross + size.cross + kLabelGap;
    slot.labels[i] = {cross, member.size.main + kLabelRow + float(row) * row_main, size};
    slot.high = std::max(slot.high, cross + size.cross + 2 - half);
    slot.end = std::max(slot.end, kLabelRow + float(row + 1) * row_main);
  }
  return slot;
}

// Straight along the flow from `from` to `to`.
void straight(std::vector<FlowPoint>& path, FlowPoint to) {
  const FlowPoint from = path.back();
  if (std::abs(to.main - from.main) < 0.01f && std::abs(to.cross - from.cross) < 0.01f) return;
  path.push_back({from.cross + (to.cross - from.cross) / 3, from.main + (to.main - from.main) / 3});
  path.push_back({from.cross + (to.cross - from.cross) * 2 / 3, from.main + (to.main - from.main) * 2 / 3});
  path.push_back(to);
}

// Leaves and arrives along the flow.
void sway(std::vector<FlowPoint>& path, FlowPoint to) {
  const FlowPoint from = path.back();
  if (std::abs(to.cross - from.cross) < 0.01f) return straight(path, to);
  const float bend = (to.main - from.main) * 0.55f;
  path.push_back({from.cross, from.main + bend});
  path.push_back({to.cross, to.main - bend});
  path.push_back(to);
}

class GroupLayout {
 public:
  GroupLayout(const GroupProblem& problem, const PlaceGroup& place) : problem_(problem), place_(place) {}

  Result<GroupResult> run() {
    for (const GroupMember& member : problem_.members) slots_.push_back(make_slot(member));
    if (Result<void> placed = place(); !placed) return placed.error();
    pin_to_ends(request_, placement_);
    align_across(request_, placement_);
    attach();
    make_bands();
    set_frame();
    route();
    return std::move(result_);
  }

 private:
  size_t members() const { return problem_.members.size(); }
  uint32_t node_of(GroupEdge::End kind, uint32_t index) const {
    if (kind == GroupEdge::End::Member) return index;
    return uint32_t(members()) + index + (kind == GroupEdge::End::Exit ? problem_.entries : 0);
  }

  Result<void> place() {
    for (size_t i = 0; i < members(); ++i) request_.nodes.push_back({slots_[i].low, slots_[i].high});
    for (uint32_t i = 0; i < problem_.entries; ++i) request_.nodes.push_back({kPortHalf, kPortHalf, Pin::First});
    for (uint32_t i = 0; i < problem_.exits; ++i) request_.nodes.push_back({kPortHalf, kPortHalf, Pin::Last});
    // Several values between the same two members are one edge for the placement.
    std::vector<uint32_t> order(problem_.edges.size());
    std::iota(order.begin(), order.end(), 0u);
    auto ends = [&](uint32_t e) {
      const GroupEdge& edge = problem_.edges[e];
      return std::pair(node_of(edge.from_kind, edge.from), node_of(edge.to_kind, edge.to));
    };
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return ends(a) < ends(b); });
    placed_edge_.resize(problem_.edges.size());
    for (size_t i = 0; i < order.size(); ++i) {
      const uint32_t e = order[i];
      if (i == 0 || ends(order[i - 1]) != ends(e)) {
        const auto [from, to] = ends(e);
        request_.edges.push_back({from, to, start_offset(problem_.edges[e]), end_offset(problem_.edges[e])});
      }
      placed_edge_[e] = uint32_t(request_.edges.size() - 1);
    }
    if (request_.nodes.empty()) return {};
    if (request_.nodes.size() > limits::kLayoutNodes || passages() > kGraphvizPassages) {
      placement_ = place_layered(request_);
      return {};
    }
    Result<Placement> placed = place_(request_);
    if (!placed && placed.error().kind == ErrorKind::Stopped) return placed.error();
    result_.fallback = !placed || !valid(*placed);
    placement_ = result_.fallback ? place_layered(request_) : std::move(*placed);
    return {};
  }

  // How many ranks the edges pass, roughly: what Graphviz's time depends on.
  size_t passages() const {
    std::vector<uint32_t> rank(request_.nodes.size());
    size_t sum = 0;
    for (const auto& edge : request_.edges) rank[edge.to] = std::max(rank[edge.to], rank[edge.from] + 1);
    for (const auto& edge : request_.edges) sum += rank[edge.to] > rank[edge.from] ? rank[edge.to] - rank[edge.from] - 1 : 0;
    return sum;
  }

  bool valid(const Placement& placement) const {
    if (placement.rank.size() != request_.nodes.size() || placement.x.size() != request_.nodes.size() || placement.via.size() != request_.edges.size()) return false;
    for (uint32_t rank : placement.rank)
      if (rank >= request_.nodes.size()) return false;
    for (size_t e = 0; e < request_.edges.size(); ++e) {
      const uint32_t from = placement.rank[request_.edges[e].from], to = placement.rank[request_.edges[e].to];
      if (from >= to || placement.via[e].size() != to - from - 1) return false;
    }
    return true;
  }

  float start_offset(const GroupEdge& edge) const {
    if (edge.from_kind != GroupEdge::End::Member) return 0;
    const GroupMember& member = problem_.members[edge.from];
    return member.exits[edge.from_exit] - member.size.cross / 2;
  }
  float end_offset(const GroupEdge& edge) const {
    if (edge.to_kind != GroupEdge::End::Member || problem_.members[edge.to].free_entries) return 0;
    const GroupMember& member = problem_.members[edge.to];
    return member.entries[edge.to_entry] - member.size.cross / 2;
  }

  // Where each edge starts and ends across: edges into a box stand side by side, each straight below where it comes
  // from if it can.
  void attach() {
    const size_t n = problem_.edges.size();
    start_.resize(n);
    end_.resize(n);
    std::vector<std::vector<uint32_t>> free(members());
    for (uint32_t e = 0; e < n; ++e) {
      const GroupEdge& edge = problem_.edges[e];
      start_[e] = placement_.x[node_of(edge.from_kind, edge.from)] + start_offset(edge);
      end_[e] = placement_.x[node_of(edge.to_kind, edge.to)] + end_offset(edge);
      if (edge.to_kind == GroupEdge::End::Member && problem_.members[edge.to].free_entries) free[edge.to].push_back(e);
    }
    auto comes_from = [&](uint32_t e) {
      const auto& via = placement_.via[placed_edge_[e]];
      return via.empty() ? start_[e] : via.back();
    };
    for (size_t m = 0; m < members(); ++m) {
      auto& edges = free[m];
      if (edges.size() < 2) continue;
      std::stable_sort(edges.begin(), edges.end(), [&](uint32_t a, uint32_t b) { return comes_from(a) < comes_from(b); });
      const float middle = placement_.x[m], room = problem_.members[m].size.cross / 2 - kEntryMargin;
      const float gap = std::min(kEntryGap, 2 * room / float(edges.size() - 1));
      std::vector<Wish> places;
      for (uint32_t e : edges) places.push_back({std::clamp(comes_from(e), middle - room, middle + room), 1, places.empty() ? 0 : gap});
      settle_in_order(places);
      for (size_t i = 0; i < edges.size(); ++i)
        end_[edges[i]] = std::clamp(places[i].x, middle - room + float(i) * gap, std::max(middle - room + float(i) * gap, middle + room - float(edges.size() - 1 - i) * gap));
    }
  }

  // Cross place of an edge in the band of a rank.
  float column(uint32_t e, uint32_t rank) const {
    const uint32_t p = placed_edge_[e];
    const uint32_t from = placement_.rank[request_.edges[p].from], to = placement_.rank[request_.edges[p].to];
    if (rank <= from) return start_[e];
    if (rank >= to) return end_[e];
    // Lines that share their passage run beside each other.
    return placement_.via[p][rank - from - 1] + beside_[e];
  }

  void make_bands() {
    uint32_t ranks = 0;
    for (uint32_t r : placement_.rank) ranks = std::max(ranks, r + 1);
    beside_.assign(problem_.edges.size(), 0);
    std::vector<uint32_t> sharing(request_.edges.size());
    for (uint32_t e = 0; e < problem_.edges.size(); ++e) beside_[e] = float(sharing[placed_edge_[e]]++);
    for (uint32_t e = 0; e < problem_.edges.size(); ++e) {
      const uint32_t count = sharing[placed_edge_[e]];
      beside_[e] = (beside_[e] - float(count - 1) / 2) * std::min(4.f, kLineGapAcross / float(count));
    }

    std::vector<float> before(ranks), depth(ranks), after(ranks), shift(ranks);
    std::vector<uint8_t> port_rank(ranks);
    for (size_t m = 0; m < members(); ++m) {
      const uint32_t r = placement_.rank[m];
      depth[r] = std::max(depth[r], problem_.members[m].size.main);
    }
    // Members are centred in their band, those nothing leads to stand at its start; what surrounds them may reach beyond.
    std::vector<uint8_t> entered(members());
    for (const auto& edge : request_.edges)
      if (edge.to < members()) entered[edge.to] = 1;
    for (size_t m = 0; m < members(); ++m) {
      const uint32_t r = placement_.rank[m];
      const float rest = depth[r] - problem_.members[m].size.main, lead = entered[m] ? rest / 2 : 0;
      lead_.push_back(lead);
      before[r] = std::max(before[r], slots_[m].start - lead);
      after[r] = std::max(after[r], slots_[m].end - (rest - lead));
    }
    for (size_t i = members(); i < request_.nodes.size(); ++i) port_rank[placement_.rank[i]] = 1;
    for (uint32_t e = 0; e < problem_.edges.size(); ++e) {
      const auto& ends = request_.edges[placed_edge_[e]];
      for (uint32_t r = placement_.rank[ends.from]; r < placement_.rank[ends.to]; ++r) shift[r] = std::max(shift[r], std::abs(column(e, r + 1) - column(e, r)));
    }
    float at = 0;
    for (uint32_t r = 0; r < ranks; ++r) {
      band_start_.push_back(at);
      at += before[r];
      body_.push_back(at);
      at += depth[r] + after[r];
      band_end_.push_back(at);
      if (r + 1 == ranks) break;
      const bool port = port_rank[r] || port_rank[r + 1];
      at += std::min(kGapMost, (port && shift[r] < 1 ? kPortGap : kGapMain) + shift[r] * kGapPerShift);
    }
    length_ = at;
  }

  bool member_at(uint32_t rank) const {
    const std::span<const uint32_t> ranks(placement_.rank.data(), members());
    return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
  }
  float start_of(size_t m) const { return body_[placement_.rank[m]] + lead_[m]; }

  void set_frame() {
    float low = 0, high = 0;
    bool any = false;
    auto include = [&](float a, float b) {
      low = any ? std::min(low, a) : a;
      high = any ? std::max(high, b) : b;
      any = true;
    };
    for (size_t m = 0; m < members(); ++m) include(placement_.x[m] - slots_[m].low, placement_.x[m] + slots_[m].high);
    for (size_t i = members(); i < request_.nodes.size(); ++i) include(placement_.x[i] - kPortHalf, placement_.x[i] + kPortHalf);
    for (const auto& via : placement_.via)
      for (float x : via) include(x - kPortHalf, x + kPortHalf);
    // The title has the frame's corner to itself: lines enter beside it.
    float shift = problem_.pad_low - low;
    if (problem_.title > 0)
      for (uint32_t i = 0; i < problem_.entries; ++i) shift = std::max(shift, problem_.title + 8 - placement_.x[members() + i]);
    float cross = high + shift + problem_.pad_high;
    if (cross < problem_.min_cross) {
      shift += (problem_.min_cross - cross) / 2;
      cross = problem_.min_cross;
    }
    for (float& x : placement_.x) x += shift;
    for (auto& via : placement_.via)
      for (float& x : via) x += shift;
    for (float& x : start_) x += shift;
    for (float& x : end_) x += shift;
    // Ports lie on the frame itself; members keep away from it.
    const float start = problem_.pad_start + (member_at(0) ? kFramePad : 0), end = problem_.pad_end + (member_at(uint32_t(band_start_.size()) - 1) ? kFramePad : 0);
    const float main = start + length_ + end;
    result_.size = {cross, std::max(main, problem_.min_main)};
    const float slack = (result_.size.main - main) / 2;
    for (auto* list : {&band_start_, &band_end_, &body_})
      for (float& m : *list) m += start + slack;

    for (size_t m = 0; m < members(); ++m) {
      const GroupMember& member = problem_.members[m];
      const FlowPoint corner{placement_.x[m] - member.size.cross / 2, start_of(m)};
      result_.members.push_back(corner);
      std::vector<FlowRect> labels = slots_[m].labels;
      for (FlowRect& label : labels) label = {corner.cross + label.cross, corner.main + label.main, label.size};
      result_.in_tags.push_back(slots_[m].in.placed(corner));
      result_.out_tags.push_back(slots_[m].out.placed({corner.cross + member.size.cross, corner.main}));
      result_.labels.push_back(std::move(labels));
    }
    for (uint32_t i = 0; i < problem_.entries; ++i) result_.entries.push_back(placement_.x[members() + i]);
    for (uint32_t i = 0; i < problem_.exits; ++i) result_.exits.push_back(placement_.x[members() + problem_.entries + i]);
  }

  void route() {
    for (uint32_t e = 0; e < problem_.edges.size(); ++e) {
      const GroupEdge& edge = problem_.edges[e];
      const auto& ends = request_.edges[placed_edge_[e]];
      const uint32_t from = placement_.rank[ends.from], to = placement_.rank[ends.to];
      float begin = 0, finish = result_.size.main;  // on the frame
      if (edge.from_kind == GroupEdge::End::Member) begin = start_of(edge.from) + problem_.members[edge.from].size.main;
      if (edge.to_kind == GroupEdge::End::Member) finish = start_of(edge.to);
      std::vector<FlowPoint> path{{start_[e], begin}};
      // Bands in one column are passed in one piece.
      for (uint32_t r = from; r < to; ++r) {
        const float here = column(e, r), next = column(e, r + 1);
        if (std::abs(here - next) < 0.5f && std::abs(path.back().cross - next) < 0.5f) continue;
        straight(path, {here, band_end_[r]});
        sway(path, {next, band_start_[r + 1]});
      }
      straight(path, {end_[e], finish});
      if (path.size() == 1) path.insert(path.end(), 3, path.front());
      result_.edges.push_back(std::move(path));
    }
  }

  const GroupProblem& problem_;
  const PlaceGroup& place_;
  PlacementRequest request_;
  Placement placement_;
  GroupResult result_;
  std::vector<Slot> slots_;
  std::vector<uint32_t> placed_edge_;
  std::vector<float> start_, end_, beside_;
  std::vector<float> band_start_, band_end_, body_, lead_;
  float length_ = 0;
};

template <class T>
void put(std::string& key, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  key.append(bytes, sizeof(T));
}
template <class T>
void put_all(std::string& key, const std::vector<T>& values) {
  put(key, uint32_t(values.size()));
  for (const T& value : values) put(key, value);
}

}  // namespace

std::string memo_key(const GroupProblem& p) {
  std::string key;
  put(key, uint32_t(p.members.size()));
  for (const GroupMember& member : p.members) {
    put(key, member.size);
    put_all(key, member.exits);
    put_all(key, member.entries);
    put(key, uint8_t(member.free_entries));
    put_all(key, member.labels);
    put_all(key, member.in_tags);
    put(key, member.out_tag);
    put(key, member.out_tags);
  }
  put(key, p.entries);
  put(key, p.exits);
  for (const GroupEdge& e : p.edges)
    for (uint32_t part : {uint32_t(e.from_kind), uint32_t(e.to_kind), e.from, e.to, e.from_exit, e.to_entry}) put(key, part);
  for (float length : {p.title, p.min_cross, p.min_main, p.pad_low, p.pad_high, p.pad_start, p.pad_end}) put(key, length);
  return key;
}

Result<GroupResult> lay_out_group(const GroupProblem& problem, const PlaceGroup& place) { return GroupLayout(problem, place).run(); }

}  // namespace pt2
