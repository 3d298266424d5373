// The edges of a scene: which values go from box to box, what they are called, and the room that boxes need for them.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "views/workspace/graph_scene_parts.h"

namespace pt2::views {
namespace {

constexpr float kBoxMaxWide = 900;
constexpr size_t kEdgesPerPair = 4;       // values between the same two boxes that have an edge of their own
constexpr size_t kLabelledExits = 4, kNumberedExits = 16;  // values of one box with full labels; with "#n" only
constexpr float kStubText = 126;  // about 20 characters

class EdgeMaker {
 public:
  explicit EdgeMaker(SceneParts& parts) : parts_(parts) {}

  void run() {
    collect_edges();
    make_edges();
    widen_for_exits();
    widen_for_entries();
  }

 private:
  struct RawEdge {
    BoxId from, to;
    NodeRef value;
    bool mutation = false;
    auto key() const { return std::tuple(to, from, value); }
  };

  void collect_edges() {
    for (size_t g = 0; g < parts_.program.graphs.size(); ++g) {
      const GraphId gid(g);
      const Graph& gr = parts_.graph(gid);
      for (size_t i = 0; i < gr.nodes().size(); ++i) {
        const NodeRef reader{gid, NodeId(i)};
        const Node& node = gr.node(reader.node);
        const BoxId to = parts_.box_of(reader);
        if (!to || parts_.folded_getitem(reader)) continue;
        for (const NodeArgument& argument : node.inputs) for_each_node(argument.value, [&](NodeId value) { add_edge({gid, value}, node.kind == NodeKind::Output, to); });
      }
    }
    for (const auto& [value, pill] : parts_.outside_box) add_edge(value, false, pill);
    std::sort(raw_.begin(), raw_.end(), [](const RawEdge& a, const RawEdge& b) { return a.key() < b.key(); });
    raw_.erase(std::unique(raw_.begin(), raw_.end(), [](const RawEdge& a, const RawEdge& b) { return a.key() == b.key(); }), raw_.end());
  }

  void add_edge(NodeRef value, bool to_output, BoxId to) {
    const BoxId from = parts_.box_of(value);
    if (!from || from == to) return;
    if (parts_.parameter(value) && parts_.view().parameters != ParameterMode::Nodes && !to_output) return;
    bool mutation = false;
    if (to_output && value.graph == parts_.program.root()) {
      auto it = parts_.mutations.find(value.node);
      mutation = it != parts_.mutations.end() && !parts_.returned.contains(value.node);
      // The new value of a buffer shows as a chip on the operator that computes it.
      if (mutation && parts_.program.node(value).kind == NodeKind::CallFunction && parts_.view().parameters != ParameterMode::Nodes && it->second->kind != OutputKind::UserInputMutation) return;
    }
    raw_.push_back({from, to, value, mutation});
  }

  void make_edges() {
    for (size_t i = 0; i < raw_.size();) {
      size_t end = i;
      while (end < raw_.size() && raw_[end].to == raw_[i].to && raw_[end].from == raw_[i].from) ++end;
      if (end - i > kEdgesPerPair) {
        SceneEdge edge{raw_[i].from, raw_[i].to, style_of(raw_[i]), uint32_t(parts_.scene.edge_values.size()), uint32_t(end - i)};
        for (size_t k = i; k < end; ++k) parts_.scene.edge_values.push_back(raw_[k].value);
        edge.label = parts_.keep(std::to_string(end - i) + " values");
        edge.stub_text = stub_text(raw_[i]);
        parts_.scene.edges.push_back(edge);
      } else {
        for (size_t k = i; k < end; ++k) {
          SceneEdge edge{raw_[k].from, raw_[k].to, style_of(raw_[k]), uint32_t(parts_.scene.edge_values.size()), 1};
          parts_.scene.edge_values.push_back(raw_[k].value);
          edge.label = label_of(raw_[k].value);
          edge.stub_text = stub_text(raw_[k]);
          parts_.scene.edges.push_back(edge);
        }
      }
      i = end;
    }
  }

  EdgeStyle style_of(const RawEdge& edge) const {
    if (edge.mutation) return EdgeStyle::Mutation;
    const Node& node = parts_.program.node(edge.value);
    if (node.kind == NodeKind::GetAttr && node.subgraph) return EdgeStyle::Subgraph;
    return tensor_meta(node.val) || std::holds_alternative<std::monostate>(node.val) ? EdgeStyle::Tensor : EdgeStyle::Scalar;
  }

  int64_t result_index(NodeRef value) const {
    if (!parts_.folded_getitem(value)) return -1;
    const int64_t* index = parts_.program.node(value).inputs[1].value.as<int64_t>();
    return index ? *index : -1;
  }

  std::string_view label_of(NodeRef value) {
    const std::string_view type = parts_.type_text(value);
    const int64_t index = result_index(value);
    if (index < 0) return type;
    return parts_.keep("#" + std::to_string(index) + (type.empty() ? "" : " " + std::string(type)));
  }

  std::string_view stub_text(const RawEdge& edge) {
    const SceneBox& from = parts_.scene.boxes[edge.from];
    const std::string_view name = from.kind == BoxKind::Operator && !parts_.folded_getitem(edge.value) ? parts_.program.node(edge.value).name : from.title;
    return parts_.shown(name, TextStyle::Mono, kStubText);
  }

  // A box with several results is wide enough that each line has its label beside it.
  void widen_for_exits() {
    struct Exit { BoxId from; NodeRef value; size_t edge; };
    std::vector<Exit> exits;
    for (size_t e = 0; e < parts_.scene.edges.size(); ++e) exits.push_back({parts_.scene.edges[e].from, parts_.scene.edge_values[parts_.scene.edges[e].first_value], e});
    std::sort(exits.begin(), exits.end(), [](const Exit& a, const Exit& b) { return std::tuple(a.from, a.value, a.edge) < std::tuple(b.from, b.value, b.edge); });
    for (size_t i = 0; i < exits.size();) {
      size_t end = i, distinct = 0;
      for (; end < exits.size() && exits[end].from == exits[i].from; ++end) distinct += end == i || exits[end].value != exits[end - 1].value;
      float total = 20;
      for (size_t k = i; k < end; ++k) {
        SceneEdge& edge = parts_.scene.edges[exits[k].edge];
        const int64_t index = result_index(exits[k].value);
        if (distinct > kNumberedExits) edge.label = {};
        else if (distinct > kLabelledExits && edge.value_count == 1) edge.label = index >= 0 ? parts_.keep("#" + std::to_string(index)) : std::string_view();
        if (k == i || exits[k].value != exits[k - 1].value) total += std::max(14.f, parts_.width(TextStyle::Mono, edge.label) + 10);
      }
      if (distinct > 1 && parts_.view().direction == Direction::TopDown) {
        SceneBox& box = parts_.scene.boxes[exits[i].from];
        box.size.w = std::max(box.size.w, std::ceil(std::min(total, kBoxMaxWide)));
      }
      i = end;
    }
  }

  // … and one with many inputs so that the tips of their arrows do not lie on each other.
  void widen_for_entries() {
    if (parts_.view().direction != Direction::TopDown) return;
    std::vector<uint32_t> count(parts_.scene.boxes.size());
    for (const SceneEdge& edge : parts_.scene.edges) ++count[edge.to.index];
    for (size_t b = 0; b < count.size(); ++b)
      if (count[b] > 1) parts_.scene.boxes[BoxId(b)].size.w = std::max(parts_.scene.boxes[BoxId(b)].size.w, std::min(28 + 14.f * float(count[b] - 1), kBoxMaxWide));
  }

  SceneParts& parts_;
  std::vector<RawEdge> raw_;
};

}  // namespace

void make_edges(SceneParts& parts) { EdgeMaker(parts).run(); }

}  // namespace pt2::views
