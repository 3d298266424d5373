#include "views/workspace/graph_scene.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/base/display.h"
#include "core/base/text.h"
#include "views/workspace/graph_scene_parts.h"
#include "views/workspace/labels.h"
#include "views/workspace/unlifted_form.h"

namespace pt2::views {
namespace {

constexpr float kBoxMaxText = 300, kChipRow = 260, kChipPadding = 4, kChipGap = 4, kChipHeight = 15, kCodeGap = 14;
constexpr uint32_t kBundle = 0x80000000u;  // value keys of edges that stand for several values

std::string_view last_part(std::string_view path) {
  const size_t dot = path.rfind('.');
  return dot == path.npos ? path : path.substr(dot + 1);
}

class BoxMaker {
 public:
  explicit BoxMaker(SceneParts& parts) : parts_(parts) {}

  void run() {
    parts_.scene.node_box.resize(parts_.program.graphs.size());
    for (size_t g = 0; g < parts_.program.graphs.size(); ++g) parts_.scene.node_box[GraphId(g)].resize(parts_.graph(GraphId(g)).nodes().size());
    make_boxes();
    spread_folded();
    resolve_getitems();
    resolve_subgraphs();
  }

 private:
  ClusterId add_cluster(ScopeId id, ClusterId parent) {
    const Scope& s = parts_.tree[id];
    SceneCluster cluster{s.kind, id, s.kind == ScopeKind::Module ? s.module : ModuleId(), s.graph, parent, s.node_count, parts_.shown(s.title, TextStyle::Title, kBoxMaxText)};
    return parts_.scene.clusters.push_back(cluster);
  }

  void make_boxes() {
    parts_.scene.clusters.push_back({.kind = ScopeKind::Root, .scope = parts_.tree.root()});
    scope_box_.resize(parts_.tree.scopes().size());
    scope_shown_.resize(parts_.tree.scopes().size());
    struct At { ScopeId scope; ClusterId cluster; size_t next = 0; };
    std::vector<At> open;
    if (parts_.view().root && parts_.view().root != parts_.program.modules.root() && !parts_.tree.scopes_of(parts_.view().root).empty()) {
      const auto& parts = parts_.tree.scopes_of(parts_.view().root);
      for (ScopeId part : parts) scope_shown_[part] = 1;
      find_boundary(parts);
      for (NodeRef input : boundary_inputs_) add_pill(BoxKind::Input, input, ClusterId(0));
      for (size_t i = parts.size(); i-- > 0;) open.push_back({parts[i], parts.size() == 1 ? ClusterId(0) : ClusterId(), 0});
    } else {
      open.push_back({parts_.tree.root(), ClusterId(0)});
    }
    while (!open.empty()) {
      const ScopeId id = open.back().scope;
      if (!open.back().cluster) open.back().cluster = add_cluster(id, ClusterId(0));
      const ClusterId cluster = open.back().cluster;
      scope_shown_[id] = 1;
      if (open.back().next == parts_.tree[id].items.size()) {
        open.pop_back();
        continue;
      }
      const Scope::Item item = parts_.tree[id].items[open.back().next++];
      if (!item.scope) add_node({parts_.tree[id].graph, item.node}, cluster);
      else if (nothing_left(item.scope)) continue;
      else if (is_expanded(parts_.view(), parts_.tree, item.scope)) open.push_back({item.scope, add_cluster(item.scope, cluster)});
      else add_folded(item.scope, cluster);
    }
    for (NodeRef output : boundary_outputs_) add_pill(BoxKind::Output, output, ClusterId(0));
  }

  // A group whose operators were all taken out by hand goes with them.
  bool nothing_left(ScopeId group) const {
    if (parts_.view().hidden.empty()) return false;
    bool any_hidden = false;
    const bool all_out = all_nodes(group, [&](NodeRef ref) {
      const NodeKind kind = parts_.program.node(ref).kind;
      const bool out = parts_.view().hidden.contains(ref);
      any_hidden |= out;
      return out || (kind != NodeKind::CallFunction && kind != NodeKind::Output);
    });
    return all_out && any_hidden;
  }

  // Whether `holds` for every node of a group and the groups in it; ends at the first for which it does not.
  template <class Holds>
  bool all_nodes(ScopeId group, Holds&& holds) const {
    std::vector<ScopeId> pending{group};
    while (!pending.empty()) {
      const Scope& s = parts_.tree[pending.back()];
      pending.pop_back();
      for (const Scope::Item& item : s.items)
        if (item.scope) pending.push_back(item.scope);
        else if (!holds(NodeRef{s.graph, item.node})) return false;
    }
    return true;
  }

  void add_node(NodeRef ref, ClusterId cluster) {
    if (parts_.view().hidden.contains(ref)) return;
    const Node& node = parts_.program.node(ref);
    switch (node.kind) {
      case NodeKind::GetAttr:
        if (parts_.view().unlifted && !node.subgraph && parts_.view().parameters != ParameterMode::Hidden) add_get_attr(ref, cluster);
        return;
      case NodeKind::Placeholder:
        if (!parts_.parameter(ref)) add_pill(BoxKind::Input, ref, cluster);
        else if (parts_.view().parameters == ParameterMode::Nodes || feeds_output(ref)) add_parameter(ref, cluster);
        return;
      case NodeKind::Output: add_pill(BoxKind::Output, ref, cluster); return;
      case NodeKind::CallFunction:
        if (parts_.folded_getitem(ref)) return;
        add_operator(ref, cluster);
    }
  }

  bool feeds_output(NodeRef ref) const {
    const Graph& g = parts_.graph(ref.graph);
    for (NodeId user : g.users(ref.node))
      if (user == g.output()) return true;
    return false;
  }

  BoxId push(SceneBox box) {
    const NodeRef ref = box.node;
    const bool own = box.kind == BoxKind::Operator || box.kind == BoxKind::Parameter || box.kind == BoxKind::Input || box.kind == BoxKind::Output;
    const BoxId id = parts_.scene.boxes.push_back(box);
    if (own && ref.graph && !parts_.box_of(ref)) parts_.box_of(ref) = id;
    return id;
  }

  bool written(NodeRef ref) const { return ref.graph == parts_.program.root() && parts_.written.contains(ref.node); }

  void add_pill(BoxKind kind, NodeRef ref, ClusterId cluster) {
    const Node& node = parts_.program.node(ref);
    SceneBox box{.kind = kind, .family = OpFamily::InputOutput, .written = written(ref), .node = ref, .cluster = cluster};
    const bool leaves = kind == BoxKind::Output && node.kind != NodeKind::Output;  // a value of the module shown alone that is read outside it
    box.title = parts_.shown(leaves ? parts_.keep("output of " + std::string(parts_.program.modules.modules[parts_.view().root].name) + ": " + std::string(node.name)) : node.name, TextStyle::Name, kBoxMaxText);
    if (kind == BoxKind::Input && parts_.graph(ref.graph).users(ref.node).empty()) box.subtitle = parts_.type_text(ref);
    const float text = parts_.width(TextStyle::Name, box.title) + (box.subtitle.empty() ? 0 : 8 + parts_.width(TextStyle::Mono, box.subtitle));
    box.size = {std::ceil(std::max(text + 28, 48.f)), kPillHeight};
    if (leaves) {
      parts_.outside_box[ref] = parts_.scene.boxes.push_back(box);
      return;
    }
    push(box);
  }

  void add_parameter(NodeRef ref, ClusterId cluster) {
    const InputSpec& input = *parts_.parameter(ref);
    SceneBox box{.kind = BoxKind::Parameter, .family = OpFamily::InputOutput, .written = written(ref), .node = ref, .cluster = cluster};
    box.title = parts_.shown(input.target.empty() ? parts_.program.node(ref).name : last_part(input.target), TextStyle::Mono, kBoxMaxText);
    box.size = {std::ceil(std::max(parts_.width(TextStyle::Mono, box.title) + 30, 48.f)), 20};
    push(box);
  }

  // Parameters, buffers and constants of the unlifted form.
  void add_get_attr(NodeRef ref, ClusterId cluster) {
    const Node& node = parts_.program.node(ref);
    SceneBox box{.kind = BoxKind::Parameter, .family = OpFamily::InputOutput, .written = written(ref), .node = ref, .cluster = cluster};
    box.title = parts_.shown(parts_.keep("get_attr " + std::string(node.target)), TextStyle::Mono, kBoxMaxText);
    box.size = {std::ceil(parts_.width(TextStyle::Mono, box.title) + 30), 20};
    push(box);
  }

  void set_text_size(SceneBox& box, bool code) {
    const float name = parts_.width(TextStyle::Name, box.title) + (code ? kCodeGap + parts_.width(TextStyle::Code, family_code(box.family)) : 0);
    const float text = std::max(name, parts_.width(TextStyle::Op, box.subtitle));
    box.size.w = std::ceil(std::max(kBoxMinWidth, kFamilyStrip + 2 * kBoxPaddingX + text));
    box.size.h = std::ceil(2 * kBoxPaddingY + text_line_height(TextStyle::Name) + kLineGap + text_line_height(TextStyle::Op));
  }

  void add_operator(NodeRef ref, ClusterId cluster) {
    const Node& node = parts_.program.node(ref);
    SceneBox box{.kind = BoxKind::Operator, .node = ref, .cluster = cluster};
    box.family = family(node.target);
    box.title = parts_.shown(node.name, TextStyle::Name, kBoxMaxText);
    box.subtitle = parts_.shown(short_target(node.target), TextStyle::Op, kBoxMaxText);
    set_text_size(box, true);
    add_chips(box, ref);
    push(box);
  }

  OpFamily family(std::string_view target) {
    auto [it, fresh] = families_.try_emplace(target.data(), OpFamily::Other);
    if (fresh) it->second = op_family(target);
    return it->second;
  }

  // Parameters, buffers and constants the operator reads, and buffers its result replaces.
  void add_chips(SceneBox& box, NodeRef ref) {
    box.first_chip = uint32_t(parts_.scene.chips.size());
    const Node& node = parts_.program.node(ref);
    auto& chips = parts_.scene.chips;
    if (ref.graph == parts_.program.root() && !parts_.mutations.empty()) {
      note_mutation(box, ref.node);
      for (NodeId user : parts_.graph(ref.graph).users(ref.node))
        if (parts_.getitem_source({ref.graph, user}) == ref.node) note_mutation(box, user);
    }
    static const std::vector<NodeId> nothing;
    const auto in_place = ref.graph == parts_.program.root() ? parts_.writes.find(ref.node) : parts_.writes.end();
    const std::vector<NodeId>& writes = in_place == parts_.writes.end() ? nothing : in_place->second;
    box.mutates |= !writes.empty();
    for (const NodeArgument& argument : node.inputs)
      for_each_node(argument.value, [&](NodeId input) {
        const InputSpec* spec = parts_.parameter({ref.graph, input});
        if (!spec || parts_.view().parameters != ParameterMode::Attached) return;
        for (uint32_t c = box.first_chip; c < chips.size(); ++c)
          if (chips[c].placeholder == input) return;
        chips.push_back({.placeholder = input, .kind = chip_kind(*spec), .written = std::find(writes.begin(), writes.end(), input) != writes.end()});
      });
    if (parts_.view().parameters != ParameterMode::Attached) chips.resize(box.first_chip);
    box.chip_count = uint32_t(chips.size()) - box.first_chip;
    if (!box.chip_count) return;
    for (uint32_t i = 0; i < box.chip_count; ++i) {
      Chip& chip = chips[box.first_chip + i];
      const InputSpec& spec = *parts_.input_of[chip.placeholder.index];
      std::string text = display_cut(spec.target.empty() ? spec.name : last_part(spec.target), 28);
      if (i == 0 && box.chip_count <= 2) {
        const std::string type = type_label(parts_.program.root_graph().node(chip.placeholder).val);
        if (!type.empty() && type.size() <= 24) text += " " + type;
      }
      chip.text = parts_.keep(text);
    }
    place_chips(box);
  }

  void note_mutation(SceneBox& box, NodeId value) {
    for (auto [it, end] = parts_.mutations.equal_range(value); it != end; ++it) {
      box.mutates = true;
      const NodeId placeholder = parts_.written_by(*it->second);
      if (placeholder && parts_.input_of[placeholder.index]) parts_.scene.chips.push_back({.placeholder = placeholder, .kind = chip_kind(*parts_.input_of[placeholder.index]), .written = true});
    }
  }

  static ChipKind chip_kind(const InputSpec& spec) {
    switch (spec.kind) {
      case InputKind::Parameter: return ChipKind::Parameter;
      case InputKind::Buffer: return ChipKind::Buffer;
      case InputKind::CustomObj: return ChipKind::Object;
      default: return ChipKind::Constant;
    }
  }

  void place_chips(SceneBox& box) {
    const float left = kFamilyStrip + kBoxPaddingX - 2, top = box.size.h - kBoxPaddingY + kLineGap;
    const float row_end = std::max(kChipRow, box.size.w - kBoxPaddingX);
    float x = left, y = top, right = 0;
    for (Chip& chip : std::span(parts_.scene.chips).subspan(box.first_chip, box.chip_count)) {
      const float w = std::ceil(parts_.width(TextStyle::Mono, chip.text) + parts_.width(TextStyle::Mono, "▤ ") + 2 * kChipPadding);
      if (x > left && x + w > row_end) x = left, y += kChipHeight + 2;
      chip.rect = {x, y, w, kChipHeight};
      x += w + kChipGap;
      right = std::max(right, chip.rect.right());
    }
    box.size.w = std::max(box.size.w, std::ceil(right + kBoxPaddingX));
    box.size.h = std::ceil(y + kChipHeight + kBoxPaddingY);
  }

  void add_folded(ScopeId id, ClusterId cluster) {
    const Scope& s = parts_.tree[id];
    SceneBox box{.scope = id, .cluster = cluster, .node_count = s.node_count};
    box.kind = s.kind == ScopeKind::Subgraph ? BoxKind::Subgraph : s.kind == ScopeKind::Chunk ? BoxKind::Chunk : BoxKind::Module;
    if (s.kind == ScopeKind::Module) box.module = s.module;
    if (s.kind == ScopeKind::Subgraph) box.family = OpFamily::Control;
    box.title = parts_.shown(s.title, TextStyle::Name, kBoxMaxText);
    box.subtitle = parts_.keep(with_commas(uint64_t{s.node_count}) + (s.node_count == 1 ? " op" : " ops"));
    set_text_size(box, false);
    scope_box_[id] = push(box);
    folded_.push_back(id);
  }

  // Everything inside a folded group is shown by the group's box.
  void spread_folded() {
    std::vector<std::pair<ScopeId, BoxId>> pending;
    for (ScopeId id : folded_) pending.emplace_back(id, scope_box_[id]);
    while (!pending.empty()) {
      const auto [id, box] = pending.back();
      pending.pop_back();
      const Scope& s = parts_.tree[id];
      SceneBox& shown = parts_.scene.boxes[box];
      for (const Scope::Item& item : s.items) {
        if (item.scope) {
          pending.emplace_back(item.scope, box);
          continue;
        }
        const NodeRef ref{s.graph, item.node};
        const Node& node = parts_.program.node(ref);
        if (parts_.parameter(ref) && parts_.scene.node_box[ref.graph][ref.node]) continue;
        parts_.box_of(ref) = box;
        if (!shown.node.graph && node.kind == NodeKind::CallFunction) shown.node = ref;
        shown.mutates |= s.graph == parts_.program.root() && (parts_.mutations.contains(item.node) || parts_.writes.contains(item.node));
      }
    }
    for (ScopeId id : folded_) {
      SceneBox& box = parts_.scene.boxes[scope_box_[id]];
      if (!box.node.graph && !parts_.tree[id].items.empty() && parts_.tree[id].items[0].node) box.node = {parts_.tree[id].graph, parts_.tree[id].items[0].node};
    }
  }

  void resolve_getitems() {
    for (size_t g = 0; g < parts_.program.graphs.size(); ++g) {
      const GraphId gid(g);
      const Graph& gr = parts_.graph(gid);
      for (size_t i = 0; i < gr.nodes().size(); ++i)
        if (const NodeRef ref{gid, NodeId(i)}; const NodeId source = parts_.getitem_source(ref)) parts_.box_of(ref) = parts_.box_of({gid, source});
    }
  }

  // The get_attr that names a sub-graph is shown by the sub-graph: by its output while open, by its box while folded.
  void resolve_subgraphs() {
    for (size_t g = 1; g < parts_.program.graphs.size(); ++g) {
      const Graph& gr = parts_.graph(GraphId(g));
      if (!gr.parent || !gr.parent_node) continue;
      const NodeRef ref{gr.parent, gr.parent_node};
      const ScopeId scope = parts_.tree.scope_of(GraphId(g));
      if (const BoxId folded = scope_box_[scope]) parts_.box_of(ref) = folded;
      else if (!gr.nodes().empty() && scope_shown_[scope]) parts_.box_of(ref) = parts_.box_of({GraphId(g), gr.output()});
    }
  }

  // With --module or a module opened as the root: values from outside, and values of its own that are read outside. What is hidden neither
  // reads nor is read.
  void find_boundary(const std::vector<ScopeId>& parts) {
    auto inside = [&](NodeRef ref) {
      for (ScopeId s = parts_.tree.scope_of(ref); s; s = parts_.tree[s].parent)
        if (std::find(parts.begin(), parts.end(), s) != parts.end()) return true;
      return false;
    };
    auto hidden = [&](NodeRef ref) { return parts_.view().hidden.contains(ref); };
    std::set<NodeRef> inputs, outputs;
    for (ScopeId part : parts) {
      const GraphId gid = parts_.tree[part].graph;
      all_nodes(part, [&](NodeRef node) {
        if (node.graph != gid || hidden(node)) return true;
        for (const NodeArgument& argument : parts_.program.node(node).inputs)
          for_each_node(argument.value, [&](NodeId input) {
            const NodeRef ref{gid, input};
            if (!parts_.parameter(ref) && parts_.program.node(ref).kind != NodeKind::GetAttr && !inside(ref) && !hidden(ref)) inputs.insert(ref);
          });
        for (NodeId user : parts_.graph(gid).users(node.node))
          if (!inside({gid, user}) && !hidden({gid, user})) outputs.insert(node);
        return true;
      });
    }
    boundary_inputs_.assign(inputs.begin(), inputs.end());
    for (NodeRef ref : outputs)
      if (!parts_.parameter(ref)) boundary_outputs_.push_back(ref);
  }

  SceneParts& parts_;
  IdVector<ScopeId, BoxId> scope_box_;
  IdVector<ScopeId, uint8_t> scope_shown_;
  std::vector<ScopeId> folded_;
  std::vector<NodeRef> boundary_inputs_, boundary_outputs_;
  std::unordered_map<const char*, OpFamily> families_;
};

}  // namespace

NodeRef GraphScene::in_tree(NodeRef ref) const { return form ? form->here(ref) : ref; }
NodeRef GraphScene::in_program(NodeRef tree_node) const { return form ? form->original(tree_node) : tree_node; }

GraphScene make_scene(std::shared_ptr<const Program> program, std::shared_ptr<const ScopeTree> tree, const GraphView& view, const MeasureText& measure) {
  SceneParts parts(std::move(program), std::move(tree), view, measure);
  BoxMaker(parts).run();
  make_edges(parts);
  parts.scene.texts = parts.texts;
  return std::move(parts.scene);
}

LayoutRequest layout_request(const GraphScene& scene, const MeasureText& measure) {
  LayoutRequest request;
  request.direction = scene.view.direction;
  for (const SceneBox& box : scene.boxes) request.boxes.push_back({box.size, box.cluster});
  for (const SceneCluster& cluster : scene.clusters) {
    const float title = cluster.title.empty() ? 0 : std::ceil(measure(TextStyle::Title, cluster.title));
    request.clusters.push_back({cluster.parent, {title, title > 0 ? text_line_height(TextStyle::Title) : 0}});
  }
  // Texts repeat: tens of thousands of edges have a few dozen labels.
  std::unordered_map<std::string_view, float> widths;
  auto mono = [&](std::string_view text) {
    if (text.empty()) return Size{};
    auto [it, fresh] = widths.try_emplace(text, 0.f);
    if (fresh) it->second = std::ceil(measure(TextStyle::Mono, text));
    return Size{it->second, text_line_height(TextStyle::Mono)};
  };
  for (size_t e = 0; e < scene.edges.size(); ++e) {
    const SceneEdge& edge = scene.edges[e];
    const NodeRef value = scene.edge_values[edge.first_value];
    LayoutRequest::Edge out{edge.from, edge.to};
    out.value = edge.value_count == 1 ? value.node.index : kBundle | uint32_t(e);
    out.order = value.node.index;
    out.label = mono(edge.label);
    out.stub_label = mono(edge.stub_text);
    request.edges.push_back(out);
  }
  return request;
}

}  // namespace pt2::views
