#include "views/workspace/graph_scene.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/base/display.h"
#include "core/base/text.h"
#include "views/workspace/labels.h"
#include "views/workspace/unlifted_form.h"

namespace pt2::views {
namespace {

constexpr float kBoxMaxWide = 900, kBoxMaxText = 300, kChipRow = 260, kChipPadding = 4, kChipGap = 4, kChipHeight = 15, kCodeGap = 14;
constexpr size_t kEdgesPerPair = 4;       // values between the same two boxes that have an edge of their own
constexpr size_t kLabelledExits = 4, kNumberedExits = 16;  // values of one box with full labels; with "#n" only
constexpr size_t kLabelCharacters = 44;
constexpr float kStubText = 126;  // about 20 characters
constexpr uint32_t kBundle = 0x80000000u;  // value keys of edges that stand for several values

bool is_getitem(const Node& node) { return node.target == "_operator.getitem"; }

std::string_view last_part(std::string_view path) {
  const size_t dot = path.rfind('.');
  return dot == path.npos ? path : path.substr(dot + 1);
}

class SceneMaker {
 public:
  SceneMaker(std::shared_ptr<const Program> program, std::shared_ptr<const ScopeTree> tree, const GraphView& view, const MeasureText& measure)
      : program_(*program), tree_(*tree), measure_(measure), texts_(std::make_shared<StringPool>()) {
    scene_.program = std::move(program);
    scene_.tree = std::move(tree);
    scene_.view = view;
  }

  GraphScene run() {
    read_signature();
    scene_.node_box.resize(program_.graphs.size());
    for (size_t g = 0; g < program_.graphs.size(); ++g) scene_.node_box[GraphId(g)].resize(program_.graphs[GraphId(g)].nodes().size());
    make_boxes();
    spread_folded();
    resolve_getitems();
    resolve_subgraphs();
    collect_edges();
    make_edges();
    widen_for_exits();
    widen_for_entries();
    scene_.texts = texts_;
    return std::move(scene_);
  }

 private:
  const GraphView& view() const { return scene_.view; }
  const Graph& graph(GraphId id) const { return program_.graphs[id]; }
  BoxId& box_of(NodeRef ref) { return scene_.node_box[ref.graph][ref.node]; }
  float width(TextStyle style, std::string_view text) const { return measure_(style, text); }

  // A text to be shown: the file's own where it is harmless and short, else a cleaned copy in the scene's pool.
  std::string_view shown(std::string_view text, TextStyle style, float most) {
    if (width(style, text) <= most && std::all_of(text.begin(), text.end(), [](unsigned char c) { return c >= 0x20 && c < 0x7F; })) return text;
    std::string cut = display(text);
    if (width(style, cut) > most) {
      size_t keep = size_t(float(text.size()) * most / width(style, cut));
      do cut = display_cut(text, keep);
      while (width(style, cut) > most && keep-- > 4);
    }
    return texts_->intern(cut);
  }
  std::string_view keep(const std::string& text) { return texts_->intern(text); }

  void read_signature() {
    input_of_.assign(program_.root_graph().nodes().size(), nullptr);
    for (const InputSpec& input : program_.signature.inputs)
      if (input.node && input.kind != InputKind::UserInput && input.kind != InputKind::Token) input_of_[input.node.index] = &input;
    for (const OutputSpec& output : program_.signature.outputs) {
      const bool mutation = output.kind == OutputKind::BufferMutation || output.kind == OutputKind::ParameterMutation || output.kind == OutputKind::UserInputMutation;
      const NodeId* value = output.value.as<NodeId>();
      if (!value) continue;
      if (mutation) mutations_.emplace(*value, &output);
      else returned_.insert(*value);
    }
  }
  const InputSpec* parameter(NodeRef ref) const { return ref.graph == program_.root() ? input_of_[ref.node.index] : nullptr; }

  ClusterId add_cluster(ScopeId id, ClusterId parent) {
    const Scope& s = tree_[id];
    SceneCluster cluster{s.kind, id, s.kind == ScopeKind::Module ? s.module : ModuleId(), s.graph, parent, s.node_count, shown(s.title, TextStyle::Title, kBoxMaxText)};
    return scene_.clusters.push_back(cluster);
  }

  void make_boxes() {
    scene_.clusters.push_back({.kind = ScopeKind::Root, .scope = tree_.root()});
    scope_box_.resize(tree_.scopes().size());
    scope_shown_.resize(tree_.scopes().size());
    struct At { ScopeId scope; ClusterId cluster; size_t next = 0; };
    std::vector<At> open;
    if (view().root && view().root != program_.modules.root() && !tree_.scopes_of(view().root).empty()) {
      const auto& parts = tree_.scopes_of(view().root);
      rooted_ = true;
      for (ScopeId part : parts) scope_shown_[part] = 1;
      find_boundary(parts);
      for (NodeRef input : boundary_inputs_) add_pill(BoxKind::Input, input, ClusterId(0));
      for (size_t i = parts.size(); i-- > 0;) open.push_back({parts[i], parts.size() == 1 ? ClusterId(0) : ClusterId(), 0});
    } else {
      open.push_back({tree_.root(), ClusterId(0)});
    }
    while (!open.empty()) {
      const ScopeId id = open.back().scope;
      if (!open.back().cluster) open.back().cluster = add_cluster(id, ClusterId(0));
      const ClusterId cluster = open.back().cluster;
      scope_shown_[id] = 1;
      if (open.back().next == tree_[id].items.size()) {
        open.pop_back();
        continue;
      }
      const Scope::Item item = tree_[id].items[open.back().next++];
      if (!item.scope) add_node({tree_[id].graph, item.node}, cluster);
      else if (nothing_left(item.scope)) continue;
      else if (is_expanded(view(), tree_, item.scope)) open.push_back({item.scope, add_cluster(item.scope, cluster)});
      else add_folded(item.scope, cluster);
    }
    for (NodeRef output : boundary_outputs_) add_pill(BoxKind::Output, output, ClusterId(0));
  }

  // A group whose operators were all taken out by hand goes with them.
  bool nothing_left(ScopeId group) const {
    if (view().hidden.empty()) return false;
    bool any_hidden = false;
    const bool all_out = all_nodes(group, [&](NodeRef ref) {
      const NodeKind kind = program_.node(ref).kind;
      const bool out = view().hidden.contains(ref);
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
      const Scope& s = tree_[pending.back()];
      pending.pop_back();
      for (const Scope::Item& item : s.items)
        if (item.scope) pending.push_back(item.scope);
        else if (!holds(NodeRef{s.graph, item.node})) return false;
    }
    return true;
  }

  void add_node(NodeRef ref, ClusterId cluster) {
    if (view().hidden.contains(ref)) return;
    const Node& node = program_.node(ref);
    switch (node.kind) {
      case NodeKind::GetAttr:
        if (view().unlifted && !node.subgraph && view().parameters != ParameterMode::Hidden) add_get_attr(ref, cluster);
        return;
      case NodeKind::Placeholder:
        if (!parameter(ref)) add_pill(BoxKind::Input, ref, cluster);
        else if (view().parameters == ParameterMode::Nodes || feeds_output(ref)) add_parameter(ref, cluster);
        return;
      case NodeKind::Output: add_pill(BoxKind::Output, ref, cluster); return;
      case NodeKind::CallFunction:
        if (folded_getitem(ref)) return;
        add_operator(ref, cluster);
    }
  }

  bool feeds_output(NodeRef ref) const {
    const Graph& g = graph(ref.graph);
    for (NodeId user : g.users(ref.node))
      if (user == g.output()) return true;
    return false;
  }

  // The call whose result a folded getitem takes out; none where the getitem is shown.
  NodeId getitem_source(NodeRef ref) const {
    const Node& node = program_.node(ref);
    if (view().show_getitem || !is_getitem(node) || node.inputs.size() != 2) return {};
    const NodeId* source = node.inputs[0].value.as<NodeId>();
    if (!source || !node.inputs[1].value.is<int64_t>()) return {};
    return graph(ref.graph).node(*source).kind == NodeKind::CallFunction ? *source : NodeId();
  }
  bool folded_getitem(NodeRef ref) const { return getitem_source(ref).valid(); }

  BoxId push(SceneBox box) {
    const NodeRef ref = box.node;
    const bool own = box.kind == BoxKind::Operator || box.kind == BoxKind::Parameter || box.kind == BoxKind::Input || box.kind == BoxKind::Output;
    const BoxId id = scene_.boxes.push_back(box);
    if (own && ref.graph && !box_of(ref)) box_of(ref) = id;
    return id;
  }

  void add_pill(BoxKind kind, NodeRef ref, ClusterId cluster) {
    const Node& node = program_.node(ref);
    SceneBox box{.kind = kind, .family = OpFamily::InputOutput, .node = ref, .cluster = cluster};
    const bool leaves = kind == BoxKind::Output && node.kind != NodeKind::Output;  // a value of the module shown alone that is read outside it
    box.title = shown(leaves ? keep("output of " + std::string(program_.modules.modules[view().root].name) + ": " + std::string(node.name)) : node.name, TextStyle::Name, kBoxMaxText);
    if (kind == BoxKind::Input && graph(ref.graph).users(ref.node).empty()) box.subtitle = type_text(ref);
    const float text = width(TextStyle::Name, box.title) + (box.subtitle.empty() ? 0 : 8 + width(TextStyle::Mono, box.subtitle));
    box.size = {std::ceil(std::max(text + 28, 48.f)), kPillHeight};
    if (leaves) {
      outside_box_[ref] = scene_.boxes.push_back(box);
      return;
    }
    push(box);
  }

  void add_parameter(NodeRef ref, ClusterId cluster) {
    const InputSpec& input = *parameter(ref);
    SceneBox box{.kind = BoxKind::Parameter, .family = OpFamily::InputOutput, .node = ref, .cluster = cluster};
    box.title = shown(input.target.empty() ? program_.node(ref).name : last_part(input.target), TextStyle::Mono, kBoxMaxText);
    box.size = {std::ceil(std::max(width(TextStyle::Mono, box.title) + 30, 48.f)), 20};
    push(box);
  }

  // Parameters, buffers and constants of the unlifted form.
  void add_get_attr(NodeRef ref, ClusterId cluster) {
    const Node& node = program_.node(ref);
    SceneBox box{.kind = BoxKind::Parameter, .family = OpFamily::InputOutput, .node = ref, .cluster = cluster};
    box.title = shown(keep("get_attr " + std::string(node.target)), TextStyle::Mono, kBoxMaxText);
    box.size = {std::ceil(width(TextStyle::Mono, box.title) + 30), 20};
    push(box);
  }

  void set_text_size(SceneBox& box, bool code) {
    const float name = width(TextStyle::Name, box.title) + (code ? kCodeGap + width(TextStyle::Code, family_code(box.family)) : 0);
    const float text = std::max(name, width(TextStyle::Op, box.subtitle));
    box.size.w = std::ceil(std::max(kBoxMinWidth, kFamilyStrip + 2 * kBoxPaddingX + text));
    box.size.h = std::ceil(2 * kBoxPaddingY + text_line_height(TextStyle::Name) + kLineGap + text_line_height(TextStyle::Op));
  }

  void add_operator(NodeRef ref, ClusterId cluster) {
    const Node& node = program_.node(ref);
    SceneBox box{.kind = BoxKind::Operator, .node = ref, .cluster = cluster};
    box.family = family(node.target);
    box.title = shown(node.name, TextStyle::Name, kBoxMaxText);
    box.subtitle = shown(short_target(node.target), TextStyle::Op, kBoxMaxText);
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
    box.first_chip = uint32_t(scene_.chips.size());
    const Node& node = program_.node(ref);
    auto& chips = scene_.chips;
    if (ref.graph == program_.root() && !mutations_.empty()) {
      note_mutation(box, ref.node);
      for (NodeId user : graph(ref.graph).users(ref.node))
        if (getitem_source({ref.graph, user}) == ref.node) note_mutation(box, user);
    }
    const bool in_place = target_base(node.target).ends_with('_');
    bool first_argument = true;
    for (const NodeArgument& argument : node.inputs) {
      for_each_node(argument.value, [&](NodeId input) {
        const InputSpec* spec = parameter({ref.graph, input});
        if (!spec) return;
        if (in_place && first_argument) box.mutates = true;
        if (view().parameters != ParameterMode::Attached) return;
        for (uint32_t c = box.first_chip; c < chips.size(); ++c)
          if (chips[c].placeholder == input) return;
        chips.push_back({.placeholder = input, .kind = chip_kind(*spec), .written = in_place && first_argument});
      });
      first_argument = false;
    }
    if (view().parameters != ParameterMode::Attached) chips.resize(box.first_chip);
    box.chip_count = uint32_t(chips.size()) - box.first_chip;
    if (!box.chip_count) return;
    for (uint32_t i = 0; i < box.chip_count; ++i) {
      Chip& chip = chips[box.first_chip + i];
      const InputSpec& spec = *input_of_[chip.placeholder.index];
      std::string text = display_cut(spec.target.empty() ? spec.name : last_part(spec.target), 28);
      if (i == 0 && box.chip_count <= 2) {
        const std::string type = type_label(program_.root_graph().node(chip.placeholder).val);
        if (!type.empty() && type.size() <= 24) text += " " + type;
      }
      chip.text = keep(text);
    }
    place_chips(box);
  }

  void note_mutation(SceneBox& box, NodeId value) {
    for (auto [it, end] = mutations_.equal_range(value); it != end; ++it) {
      box.mutates = true;
      const NodeId placeholder = placeholder_of(*it->second);
      if (placeholder && input_of_[placeholder.index]) scene_.chips.push_back({.placeholder = placeholder, .kind = chip_kind(*input_of_[placeholder.index]), .written = true});
    }
  }
  NodeId placeholder_of(const OutputSpec& output) const {
    for (const InputSpec& input : program_.signature.inputs)
      if (input.target == output.target && input.kind != InputKind::UserInput) return input.node;
    return {};
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
    for (Chip& chip : std::span(scene_.chips).subspan(box.first_chip, box.chip_count)) {
      const float w = std::ceil(width(TextStyle::Mono, chip.text) + width(TextStyle::Mono, "▤ ") + 2 * kChipPadding);
      if (x > left && x + w > row_end) x = left, y += kChipHeight + 2;
      chip.rect = {x, y, w, kChipHeight};
      x += w + kChipGap;
      right = std::max(right, chip.rect.right());
    }
    box.size.w = std::max(box.size.w, std::ceil(right + kBoxPaddingX));
    box.size.h = std::ceil(y + kChipHeight + kBoxPaddingY);
  }

  void add_folded(ScopeId id, ClusterId cluster) {
    const Scope& s = tree_[id];
    SceneBox box{.scope = id, .cluster = cluster, .node_count = s.node_count};
    box.kind = s.kind == ScopeKind::Subgraph ? BoxKind::Subgraph : s.kind == ScopeKind::Chunk ? BoxKind::Chunk : BoxKind::Module;
    if (s.kind == ScopeKind::Module) box.module = s.module;
    if (s.kind == ScopeKind::Subgraph) box.family = OpFamily::Control;
    box.title = shown(s.title, TextStyle::Name, kBoxMaxText);
    box.subtitle = keep(with_commas(uint64_t{s.node_count}) + (s.node_count == 1 ? " node" : " nodes"));
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
      const Scope& s = tree_[id];
      SceneBox& shown = scene_.boxes[box];
      for (const Scope::Item& item : s.items) {
        if (item.scope) {
          pending.emplace_back(item.scope, box);
          continue;
        }
        const NodeRef ref{s.graph, item.node};
        const Node& node = program_.node(ref);
        if (parameter(ref) && scene_.node_box[ref.graph][ref.node]) continue;
        box_of(ref) = box;
        if (!shown.node.graph && node.kind == NodeKind::CallFunction) shown.node = ref;
        shown.mutates |= s.graph == program_.root() && mutations_.contains(item.node);
      }
    }
    for (ScopeId id : folded_) {
      SceneBox& box = scene_.boxes[scope_box_[id]];
      if (!box.node.graph && !tree_[id].items.empty() && tree_[id].items[0].node) box.node = {tree_[id].graph, tree_[id].items[0].node};
    }
  }

  void resolve_getitems() {
    for (size_t g = 0; g < program_.graphs.size(); ++g) {
      const GraphId gid(g);
      const Graph& gr = graph(gid);
      for (size_t i = 0; i < gr.nodes().size(); ++i)
        if (const NodeRef ref{gid, NodeId(i)}; const NodeId source = getitem_source(ref)) box_of(ref) = box_of({gid, source});
    }
  }

  // The get_attr that names a sub-graph is shown by the sub-graph: by its output while open, by its box while folded.
  void resolve_subgraphs() {
    for (size_t g = 1; g < program_.graphs.size(); ++g) {
      const Graph& gr = graph(GraphId(g));
      if (!gr.parent || !gr.parent_node) continue;
      const NodeRef ref{gr.parent, gr.parent_node};
      const ScopeId scope = tree_.scope_of(GraphId(g));
      if (const BoxId folded = scope_box_[scope]) box_of(ref) = folded;
      else if (!gr.nodes().empty() && scope_shown_[scope]) box_of(ref) = box_of({GraphId(g), gr.output()});
    }
  }

  struct RawEdge {
    BoxId from, to;
    NodeRef value;
    bool mutation = false;
    auto key() const { return std::tuple(to, from, value); }
  };

  void collect_edges() {
    for (size_t g = 0; g < program_.graphs.size(); ++g) {
      const GraphId gid(g);
      const Graph& gr = graph(gid);
      for (size_t i = 0; i < gr.nodes().size(); ++i) {
        const NodeRef reader{gid, NodeId(i)};
        const Node& node = gr.node(reader.node);
        const BoxId to = box_of(reader);
        if (!to || folded_getitem(reader)) continue;
        for (const NodeArgument& argument : node.inputs) for_each_node(argument.value, [&](NodeId value) { add_edge({gid, value}, node.kind == NodeKind::Output, to); });
      }
    }
    for (const auto& [value, pill] : outside_box_) add_edge(value, false, pill);
    std::sort(raw_.begin(), raw_.end(), [](const RawEdge& a, const RawEdge& b) { return a.key() < b.key(); });
    raw_.erase(std::unique(raw_.begin(), raw_.end(), [](const RawEdge& a, const RawEdge& b) { return a.key() == b.key(); }), raw_.end());
  }

  void add_edge(NodeRef value, bool to_output, BoxId to) {
    const BoxId from = box_of(value);
    if (!from || from == to) return;
    if (parameter(value) && view().parameters != ParameterMode::Nodes && !to_output) return;
    bool mutation = false;
    if (to_output && value.graph == program_.root()) {
      auto it = mutations_.find(value.node);
      mutation = it != mutations_.end() && !returned_.contains(value.node);
      // The new value of a buffer shows as a chip on the operator that computes it.
      if (mutation && program_.node(value).kind == NodeKind::CallFunction && view().parameters != ParameterMode::Nodes && it->second->kind != OutputKind::UserInputMutation) return;
    }
    raw_.push_back({from, to, value, mutation});
  }

  void make_edges() {
    for (size_t i = 0; i < raw_.size();) {
      size_t end = i;
      while (end < raw_.size() && raw_[end].to == raw_[i].to && raw_[end].from == raw_[i].from) ++end;
      if (end - i > kEdgesPerPair) {
        SceneEdge edge{raw_[i].from, raw_[i].to, style_of(raw_[i]), uint32_t(scene_.edge_values.size()), uint32_t(end - i)};
        for (size_t k = i; k < end; ++k) scene_.edge_values.push_back(raw_[k].value);
        edge.label = keep(std::to_string(end - i) + " values");
        edge.stub_text = stub_text(raw_[i]);
        scene_.edges.push_back(edge);
      } else {
        for (size_t k = i; k < end; ++k) {
          SceneEdge edge{raw_[k].from, raw_[k].to, style_of(raw_[k]), uint32_t(scene_.edge_values.size()), 1};
          scene_.edge_values.push_back(raw_[k].value);
          edge.label = label_of(raw_[k].value);
          edge.stub_text = stub_text(raw_[k]);
          scene_.edges.push_back(edge);
        }
      }
      i = end;
    }
  }

  EdgeStyle style_of(const RawEdge& edge) const {
    if (edge.mutation) return EdgeStyle::Mutation;
    const Node& node = program_.node(edge.value);
    if (node.kind == NodeKind::GetAttr && node.subgraph) return EdgeStyle::Subgraph;
    return tensor_meta(node.val) || std::holds_alternative<std::monostate>(node.val) ? EdgeStyle::Tensor : EdgeStyle::Scalar;
  }

  std::string_view type_text(NodeRef value) {
    const ValueMeta& meta = program_.node(value).val;
    const void* key = std::visit([](const auto& m) -> const void* {
      if constexpr (std::is_same_v<std::decay_t<decltype(m)>, std::monostate>) return nullptr;
      else return m.get();
    }, meta);
    if (!key) return {};
    auto [it, fresh] = types_.try_emplace(key);
    if (fresh) it->second = keep(display_cut(type_label(meta), kLabelCharacters));
    return it->second;
  }

  int64_t result_index(NodeRef value) const {
    if (!folded_getitem(value)) return -1;
    const int64_t* index = program_.node(value).inputs[1].value.as<int64_t>();
    return index ? *index : -1;
  }

  std::string_view label_of(NodeRef value) {
    const std::string_view type = type_text(value);
    const int64_t index = result_index(value);
    if (index < 0) return type;
    return keep("#" + std::to_string(index) + (type.empty() ? "" : " " + std::string(type)));
  }

  std::string_view stub_text(const RawEdge& edge) {
    const SceneBox& from = scene_.boxes[edge.from];
    const std::string_view name = from.kind == BoxKind::Operator && !folded_getitem(edge.value) ? program_.node(edge.value).name : from.title;
    return shown(name, TextStyle::Mono, kStubText);
  }

  // With --module or a module opened as the root: values from outside, and values of its own that are read outside.
  void find_boundary(const std::vector<ScopeId>& parts) {
    auto inside = [&](NodeRef ref) {
      for (ScopeId s = tree_.scope_of(ref); s; s = tree_[s].parent)
        if (std::find(parts.begin(), parts.end(), s) != parts.end()) return true;
      return false;
    };
    std::set<NodeRef> inputs, outputs;
    for (ScopeId part : parts) {
      const GraphId gid = tree_[part].graph;
      all_nodes(part, [&](NodeRef node) {
        if (node.graph != gid) return true;
        for (const NodeArgument& argument : program_.node(node).inputs)
          for_each_node(argument.value, [&](NodeId input) {
            const NodeRef ref{gid, input};
            if (!parameter(ref) && program_.node(ref).kind != NodeKind::GetAttr && !inside(ref)) inputs.insert(ref);
          });
        for (NodeId user : graph(gid).users(node.node))
          if (!inside({gid, user})) outputs.insert(node);
        return true;
      });
    }
    boundary_inputs_.assign(inputs.begin(), inputs.end());
    for (NodeRef ref : outputs)
      if (!parameter(ref)) boundary_outputs_.push_back(ref);
  }

  // A box with several results is wide enough that each line has its label beside it.
  void widen_for_exits() {
    struct Exit { BoxId from; NodeRef value; size_t edge; };
    std::vector<Exit> exits;
    for (size_t e = 0; e < scene_.edges.size(); ++e) exits.push_back({scene_.edges[e].from, scene_.edge_values[scene_.edges[e].first_value], e});
    std::sort(exits.begin(), exits.end(), [](const Exit& a, const Exit& b) { return std::tuple(a.from, a.value, a.edge) < std::tuple(b.from, b.value, b.edge); });
    for (size_t i = 0; i < exits.size();) {
      size_t end = i, distinct = 0;
      for (; end < exits.size() && exits[end].from == exits[i].from; ++end) distinct += end == i || exits[end].value != exits[end - 1].value;
      float total = 20;
      for (size_t k = i; k < end; ++k) {
        SceneEdge& edge = scene_.edges[exits[k].edge];
        const int64_t index = result_index(exits[k].value);
        if (distinct > kNumberedExits) edge.label = {};
        else if (distinct > kLabelledExits && edge.value_count == 1) edge.label = index >= 0 ? keep("#" + std::to_string(index)) : std::string_view();
        if (k == i || exits[k].value != exits[k - 1].value) total += std::max(14.f, width(TextStyle::Mono, edge.label) + 10);
      }
      if (distinct > 1 && view().direction == Direction::TopDown) {
        SceneBox& box = scene_.boxes[exits[i].from];
        box.size.w = std::max(box.size.w, std::ceil(std::min(total, kBoxMaxWide)));
      }
      i = end;
    }
  }

  // … and one with many inputs so that the tips of their arrows do not lie on each other.
  void widen_for_entries() {
    if (view().direction != Direction::TopDown) return;
    std::vector<uint32_t> count(scene_.boxes.size());
    for (const SceneEdge& edge : scene_.edges) ++count[edge.to.index];
    for (size_t b = 0; b < count.size(); ++b)
      if (count[b] > 1) scene_.boxes[BoxId(b)].size.w = std::max(scene_.boxes[BoxId(b)].size.w, std::min(28 + 14.f * float(count[b] - 1), kBoxMaxWide));
  }

  const Program& program_;
  const ScopeTree& tree_;
  const MeasureText& measure_;
  std::shared_ptr<StringPool> texts_;
  GraphScene scene_;
  std::vector<const InputSpec*> input_of_;  // of root placeholders that are no user inputs
  std::unordered_multimap<NodeId, const OutputSpec*> mutations_;
  std::set<NodeId> returned_;
  IdVector<ScopeId, BoxId> scope_box_;
  IdVector<ScopeId, uint8_t> scope_shown_;
  std::vector<ScopeId> folded_;
  bool rooted_ = false;
  std::vector<NodeRef> boundary_inputs_, boundary_outputs_;
  std::map<NodeRef, BoxId> outside_box_;
  std::vector<RawEdge> raw_;
  std::unordered_map<const void*, std::string_view> types_;
  std::unordered_map<const char*, OpFamily> families_;
};

}  // namespace

NodeRef GraphScene::in_tree(NodeRef ref) const { return form ? form->here(ref) : ref; }
NodeRef GraphScene::in_program(NodeRef tree_node) const { return form ? form->original(tree_node) : tree_node; }

GraphScene make_scene(std::shared_ptr<const Program> program, std::shared_ptr<const ScopeTree> tree, const GraphView& view, const MeasureText& measure) {
  return SceneMaker(std::move(program), std::move(tree), view, measure).run();
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
