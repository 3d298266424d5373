// From a request with nested clusters to a picture. Each edge runs through a chain of groups: out of those around its writer, across
// the innermost group that holds both ends, into those around its reader. First it is decided, on ranks of our own, which edges are cut.
// Then groups are laid out from the innermost outwards: a finished group is a box of fixed size to its parent, with places on its
// border where values enter and leave, so that the curves of the levels join. Groups of equal shape are laid out once.
#include "core/layout/layout_engine.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <mutex>
#include <numeric>
#include <unordered_map>

#include "core/layout/group_layout.h"
#include "core/layout/group_memo.h"
#include "core/layout/layout_process.h"
#include "core/layout/routes.h"

namespace pt2 {
namespace {

constexpr size_t kMostBoxes = 500'000, kMostEdges = 5'000'000;
constexpr size_t kMostSegments = 30'000'000;  // edges times the frames they cross: what a hierarchy of absurd depth would cost
constexpr float kFramePad = 12, kCanvasPad = 24;
constexpr uint32_t kNone = UINT32_MAX;

struct Segment { ClusterId cluster; uint32_t group_edge = 0; };

struct ClusterWork {
  std::vector<std::pair<uint32_t, uint32_t>> passages;  // (edge, index of the segment in the edge's chain)
  std::vector<uint32_t> entries, exits;                 // value ids
  std::shared_ptr<const GroupResult> result;
  FlowPoint origin;
};

struct ValueWork {
  uint32_t first_edge = kNone;    // one that is drawn whole
  uint32_t label_edge = kNone;    // its common cluster is the innermost: the label stands there
  uint32_t stub = 0;
};

uint64_t pack(uint32_t a, uint32_t b) { return (uint64_t(a) << 32) | b; }

class Engine {
 public:
  Engine(const LayoutRequest& request, GroupMemo& memo, std::atomic<size_t>& laid_out, const PlaceGroup& place, std::stop_token stop)
      : request_(request), memo_(memo), laid_out_(laid_out), place_(place), stop_(stop), down_(request.direction == Direction::TopDown),
        routes_(trace_routes(request)), clusters_(routes_.members.size()), exit_index_(routes_.edges.size()), first_segment_(routes_.edges.size()), values_(routes_.values) {}

  Result<Layout> run() {
    number_exits();
    choose_labels();
    if (Result<void> done = make_chains(); !done) return done.error();
    for (size_t c = clusters_.size(); c-- > 0;) {
      if (stop_.stop_requested()) return Error{ErrorKind::Stopped, "stopped", "", ""};
      if (Result<void> done = lay_out(ClusterId(c)); !done) return done.error();
    }
    compose();
    return std::move(layout_);
  }

 private:
  ClusterId parent_of(ClusterId c) const { return request_.clusters[c].parent; }
  FlowSize flow(Size s) const { return down_ ? FlowSize{s.w, s.h} : FlowSize{s.h, s.w}; }
  Point world(FlowPoint p) const { return down_ ? Point{p.cross, p.main} : Point{p.main, p.cross}; }
  Rect world(FlowPoint corner, FlowSize s) const {
    const Point p = world(corner);
    return down_ ? Rect{p.x, p.y, s.cross, s.main} : Rect{p.x, p.y, s.main, s.cross};
  }

  // Values leave a box side by side, with room for their labels.
  void number_exits() {
    std::vector<uint32_t> order(routes_.edges.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t x, uint32_t y) {
      const auto &a = request_.edges[x], &b = request_.edges[y];
      return std::tuple(a.from, a.order, a.value) < std::tuple(b.from, b.order, b.value);
    });
    exits_.resize(request_.boxes.size());
    in_cut_.resize(request_.boxes.size());
    out_cut_.resize(request_.boxes.size());
    uint32_t stubs = 0;
    for (uint32_t e : order) {
      const auto& edge = request_.edges[e];
      ValueWork& value = values_[routes_.edges[e].value];
      if (routes_.edges[e].cut) {
        if (!value.stub) {
          value.stub = ++stubs;
          out_cut_[edge.from].push_back(routes_.edges[e].value);
        }
        continue;
      }
      auto& exits = exits_[edge.from];
      if (value.first_edge == kNone) {
        value.first_edge = e;
        exits.push_back(routes_.edges[e].value);
      }
      exit_index_[e] = uint32_t(std::find(exits.rbegin(), exits.rend(), routes_.edges[e].value).base() - exits.begin() - 1);
    }
    for (uint32_t e = 0; e < routes_.edges.size(); ++e)
      if (routes_.edges[e].cut) in_cut_[request_.edges[e].to].push_back(e);
  }

  void choose_labels() {
    for (uint32_t e = 0; e < routes_.edges.size(); ++e) {
      if (routes_.edges[e].cut) continue;
      uint32_t& chosen = values_[routes_.edges[e].value].label_edge;
      if (chosen == kNone || routes_.depth[routes_.edges[e].common] > routes_.depth[routes_.edges[chosen].common]) chosen = e;
    }
  }

  Result<void> make_chains() {
    size_t segments = 0;
    for (const EdgeRoute& route : routes_.edges) segments += route.cut ? 0 : route.up + route.down + 1;
    if (segments > kMostSegments)
      return Error{ErrorKind::Limit, "edges cross " + std::to_string(segments) + " frames; the layout takes at most " + std::to_string(kMostSegments), "", "Fold some modules."};
    segments_.reserve(segments);
    for (uint32_t e = 0; e < routes_.edges.size(); ++e) {
      const EdgeRoute& w = routes_.edges[e];
      if (w.cut) continue;
      first_segment_[e] = uint32_t(segments_.size());
      segments_.resize(segments_.size() + w.up + w.down + 1);
      auto pass = [&](uint32_t k, ClusterId c) {
        segments_[first_segment_[e] + k].cluster = c;
        clusters_[c].passages.emplace_back(e, k);
      };
      ClusterId c = request_.boxes[request_.edges[e].from].cluster;
      for (uint32_t k = 0; k < w.up; ++k, c = parent_of(c)) {
        pass(k, c);
        if (exit_of_.try_emplace(pack(c.index, w.value), uint32_t(clusters_[c].exits.size())).second) clusters_[c].exits.push_back(w.value);
      }
      pass(w.up, w.common);
      c = request_.boxes[request_.edges[e].to].cluster;
      for (uint32_t k = 0; k < w.down; ++k, c = parent_of(c)) {
        pass(w.up + w.down - k, c);
        if (entry_of_.try_emplace(pack(c.index, w.value), uint32_t(clusters_[c].entries.size())).second) clusters_[c].entries.push_back(w.value);
      }
    }
    return {};
  }

  GroupMember box_member(BoxId box) const {
    GroupMember member;
    member.size = flow(request_.boxes[box].size);
    float total = 0;
    std::vector<float> steps;
    for (uint32_t value : exits_[box]) {
      const FlowSize label = flow(request_.edges[values_[value].first_edge].label);
      steps.push_back(std::max(14.f, label.cross + 10));
      total += steps.back();
      member.labels.emplace_back();
    }
    const size_t n = steps.size();
    if (n == 1) {
      member.exits.push_back(member.size.cross / 2);
    } else if (n > 1) {
      total -= steps.back();
      const float room = member.size.cross - 20, scale = total > room ? room / total : 1;
      float at = member.size.cross / 2 - total * scale / 2;
      for (size_t i = 0; i < n; ++i) {
        member.exits.push_back(at);
        at += steps[i] * scale;
      }
    }
    for (uint32_t e : in_cut_[box]) member.in_tags.push_back(tag_size(e));
    member.out_tags = uint32_t(out_cut_[box].size());
    member.out_tag = flow(kOutStubTag);
    return member;
  }
  FlowSize tag_size(uint32_t e) const {
    const Size label = request_.edges[e].stub_label;
    return flow({label.w + kStubNumberWidth + 6, std::max(kOutStubTag.h, label.h + 2)});
  }

  GroupMember cluster_member(ClusterId c) const {
    GroupMember member;
    const GroupResult& inner = *clusters_[c].result;
    member.size = inner.size;
    member.exits = inner.exits;
    member.entries = inner.entries;
    member.free_entries = false;
    member.labels.resize(inner.exits.size());
    return member;
  }

  Result<void> lay_out(ClusterId c) {
    ClusterWork& work = clusters_[c];
    GroupProblem problem;
    problem.entries = uint32_t(work.entries.size());
    problem.exits = uint32_t(work.exits.size());
    if (c.index == 0) {
      problem.pad_low = problem.pad_high = kCanvasPad;
      problem.pad_start = problem.pad_end = kCanvasPad - kFramePad;
    } else {
      const Size title = request_.clusters[c].title;
      problem.pad_low = problem.pad_high = kFramePad;
      const float reach = title.w + 2 * kFramePad;
      if (down_) {
        problem.pad_start += kClusterTitleHeight;
        problem.title = title.w > 0 ? title.w + 8 : 0;
        problem.min_cross = reach;
      } else {
        problem.pad_low += kClusterTitleHeight - 4;
        problem.min_main = reach;
      }
    }
    for (const ClusterMember& m : routes_.members[c]) problem.members.push_back(m.box ? box_member(m.box) : cluster_member(m.cluster));

    std::unordered_map<std::string, uint32_t> known;  // edges by their ends
    std::string ends;
    for (const auto& [e, k] : work.passages) {
      const EdgeRoute& w = routes_.edges[e];
      const auto& edge = request_.edges[e];
      Segment* const segment = &segments_[first_segment_[e] + k];
      GroupEdge g;
      if (k <= w.up) {  // starts at the box or at the exit of the cluster left before
        if (k == 0) g.from = routes_.box_member[edge.from], g.from_exit = exit_index_[e];
        else g.from = routes_.cluster_member[segment[-1].cluster], g.from_exit = exit_of_.at(pack(segment[-1].cluster.index, w.value));
      } else {
        g.from_kind = GroupEdge::End::Entry;
        g.from = entry_of_.at(pack(c.index, w.value));
      }
      if (k >= w.up) {
        if (k == w.up + w.down) g.to = routes_.box_member[edge.to];
        else g.to = routes_.cluster_member[segment[1].cluster], g.to_entry = entry_of_.at(pack(segment[1].cluster.index, w.value));
      } else {
        g.to_kind = GroupEdge::End::Exit;
        g.to = exit_of_.at(pack(c.index, w.value));
      }
      ends.clear();
      for (uint32_t part : {uint32_t(g.from_kind), uint32_t(g.to_kind), g.from, g.to, g.from_exit, g.to_entry})
        ends.append(reinterpret_cast<const char*>(&part), sizeof part);
      const auto [it, fresh] = known.try_emplace(ends, uint32_t(problem.edges.size()));
      if (fresh) problem.edges.push_back(g);
      segment->group_edge = it->second;
      if (k == w.up && values_[w.value].label_edge == e) {
        problem.members[w.from_member].labels[g.from_exit] = flow(edge.label);
        labelled_.push_back({e, w.from_member, g.from_exit});
      }
    }

    std::string key = memo_key(problem);
    work.result = memo_.find(key);
    if (!work.result) {
      ++laid_out_;
      Result<GroupResult> result = lay_out_group(problem, place_);
      if (!result) return result.error();
      work.result = memo_.keep(std::move(key), std::move(*result));
    }
    layout_.fallback |= work.result->fallback;
    return {};
  }

  static FlowPoint moved(FlowPoint p, FlowPoint by) { return {p.cross + by.cross, p.main + by.main}; }

  void compose() {
    layout_.boxes.resize(request_.boxes.size());
    layout_.clusters.resize(clusters_.size());
    layout_.edges.resize(routes_.edges.size());
    for (size_t i = 0; i < clusters_.size(); ++i) {
      ClusterWork& work = clusters_[ClusterId(i)];
      layout_.clusters[ClusterId(i)] = world(work.origin, work.result->size);
      const auto& members = routes_.members[ClusterId(i)];
      for (size_t m = 0; m < members.size(); ++m) {
        const FlowPoint corner = moved(work.result->members[m], work.origin);
        if (members[m].cluster) {
          clusters_[members[m].cluster].origin = corner;
          continue;
        }
        const BoxId box = members[m].box;
        layout_.boxes[box] = world(corner, flow(request_.boxes[box].size));
        place_stubs(box, work, m);
      }
    }
    layout_.bounds = layout_.clusters[ClusterId(0)];
    for (uint32_t e = 0; e < routes_.edges.size(); ++e)
      if (!routes_.edges[e].cut) join_segments(e);
    for (const auto& [e, member, exit] : labelled_) {
      const ClusterWork& work = clusters_[routes_.edges[e].common];
      const FlowRect& label = work.result->labels[member][exit];
      if (label.size.cross > 0) layout_.edges[e].label = world(moved({label.cross, label.main}, work.origin), label.size);
    }
    for (EdgePath& edge : layout_.edges) edge.bounds = united(united(bounds_of(layout_.path(edge)), edge.label), edge.stub_tag);
  }

  static Rect bounds_of(std::span<const Point> points) {
    if (points.empty()) return {};
    float x0 = points[0].x, x1 = x0, y0 = points[0].y, y1 = y0;
    for (Point p : points) x0 = std::min(x0, p.x), x1 = std::max(x1, p.x), y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
    return {x0 - 1, y0 - 1, x1 - x0 + 2, y1 - y0 + 2};
  }

  void place_stubs(BoxId box, const ClusterWork& work, size_t m) {
    for (size_t i = 0; i < in_cut_[box].size(); ++i) {
      const uint32_t e = in_cut_[box][i];
      const PlacedTag& tag = work.result->in_tags[m][i];
      EdgePath& edge = layout_.edges[e];
      edge.stub = values_[routes_.edges[e].value].stub;
      edge.stub_tag = world(moved({tag.rect.cross, tag.rect.main}, work.origin), tag.rect.size);
      add_path(edge, tag.line, work.origin);
    }
    for (size_t i = 0; i < out_cut_[box].size(); ++i) {
      const PlacedTag& tag = work.result->out_tags[m][i];
      OutStub stub{box, value_number_of(out_cut_[box][i]), values_[out_cut_[box][i]].stub, world(moved({tag.rect.cross, tag.rect.main}, work.origin), tag.rect.size)};
      add_path(stub, tag.line, work.origin);
      layout_.out_stubs.push_back(stub);
    }
  }

  uint32_t value_number_of(uint32_t value_id) {
    if (value_number_.empty()) {
      value_number_.resize(values_.size());
      for (size_t e = 0; e < routes_.edges.size(); ++e) value_number_[routes_.edges[e].value] = request_.edges[e].value;
    }
    return value_number_[value_id];
  }

  template <class Line>  // EdgePath or OutStub
  void add_path(Line& edge, const std::vector<FlowPoint>& points, FlowPoint origin) {
    if (edge.count == 0) edge.first = uint32_t(layout_.points.size());
    for (size_t i = edge.count ? 1 : 0; i < points.size(); ++i) layout_.points.push_back(world(moved(points[i], origin)));
    edge.count = uint32_t(layout_.points.size()) - edge.first;
  }

  void join_segments(uint32_t e) {
    const EdgeRoute& w = routes_.edges[e];
    for (uint32_t k = 0; k <= w.up + w.down; ++k) {
      const Segment& s = segments_[first_segment_[e] + k];
      add_path(layout_.edges[e], clusters_[s.cluster].result->edges[s.group_edge], clusters_[s.cluster].origin);
    }
  }

  struct Labelled { uint32_t edge, member, exit; };

  const LayoutRequest& request_;
  GroupMemo& memo_;
  std::atomic<size_t>& laid_out_;
  const PlaceGroup& place_;
  std::stop_token stop_;
  const bool down_;
  Routes routes_;
  IdVector<ClusterId, ClusterWork> clusters_;
  std::vector<uint32_t> exit_index_, first_segment_;            // of each edge: which exit of its box, where its chain begins
  std::vector<ValueWork> values_;
  std::vector<Segment> segments_;
  std::unordered_map<uint64_t, uint32_t> exit_of_, entry_of_;  // (cluster, value id) → place on its border
  IdVector<BoxId, std::vector<uint32_t>> exits_, out_cut_;     // value ids
  IdVector<BoxId, std::vector<uint32_t>> in_cut_;              // edges
  std::vector<Labelled> labelled_;
  std::vector<uint32_t> value_number_;
  Layout layout_;
};

}  // namespace

struct LayoutEngine::State {
  LayoutEngineOptions options;
  std::unique_ptr<LayoutProcess> process;
  GroupMemo memo;
  std::atomic<size_t> laid_out{0};
  std::mutex busy;
};

LayoutEngine::LayoutEngine(LayoutEngineOptions options) : state_(std::make_unique<State>()) {
  if (!options.child_program.empty()) {
    state_->process = std::make_unique<LayoutProcess>(options.child_program);
    state_->process->start();
  }
  state_->options = std::move(options);
}
LayoutEngine::~LayoutEngine() = default;
size_t LayoutEngine::groups_laid_out() const { return state_->laid_out; }

Result<Layout> LayoutEngine::layout(const LayoutRequest& request, std::stop_token stop) {
  if (request.boxes.size() > kMostBoxes)
    return Error{ErrorKind::Limit, std::to_string(request.boxes.size()) + " boxes; the layout takes at most " + std::to_string(kMostBoxes), "", "Fold some modules."};
  if (request.edges.size() > kMostEdges)
    return Error{ErrorKind::Limit, std::to_string(request.edges.size()) + " edges; the layout takes at most " + std::to_string(kMostEdges), "", "Fold some modules."};
  std::lock_guard lock(state_->busy);
  const PlaceGroup place = [&](const PlacementRequest& group) -> Result<Placement> {
    if (!state_->process) return place_with_graphviz(group);
    return state_->process->place(group, stop, std::chrono::milliseconds(int64_t(state_->options.seconds_per_group * 1000)));
  };
  return Engine(request, state_->memo, state_->laid_out, place, stop).run();
}

std::string own_program_path() {
  char path[PATH_MAX];
  const ssize_t n = ::readlink("/proc/self/exe", path, sizeof path);
  const std::string program = n > 0 ? std::string(path, size_t(n)) : std::string();
  // Another program with this code in it, a test, has no `layout` subcommand: started as a child it would start itself again, without end.
  return program.ends_with("/pt2scope") ? program : std::string();
}

}  // namespace pt2
