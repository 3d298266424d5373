#pragma once
// What is visible of a program under a view: boxes, open groups and edges, measured but not placed. BoxId, ClusterId and the index of an
// edge are the same in the scene, in the layout request made from it and in the layout. GUI-free; drawn by the graph pane and `render`.
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/layout/layout.h"
#include "views/workspace/graph_view.h"
#include "views/workspace/op_family.h"
#include "views/workspace/text_metrics.h"

namespace pt2::views {

enum class BoxKind : uint8_t {
  Operator,
  Input,       // pill: a user input, a sub-graph's argument, or (with a root) a value from outside
  Output,      // pill: the graph's output, or (with a root) a value read outside
  Parameter,   // ParameterMode::Nodes: parameter, buffer, constant or object with a box of its own
  Module,      // a folded module call
  Subgraph,    // a folded sub-graph, dashed
  Chunk,       // a folded run of nodes
};

enum class ChipKind : uint8_t { Parameter, Buffer, Constant, Object };
struct Chip {
  NodeId placeholder;      // of the root graph
  ChipKind kind = ChipKind::Parameter;
  bool written = false;    // this operator's result becomes the buffer's new value (✎)
  std::string_view text;   // "weight f32[16,3,3,3]", "bias"; drawn after "▤ "
  Rect rect;               // relative to the box's top left corner
};

struct SceneBox {
  BoxKind kind = BoxKind::Operator;
  OpFamily family = OpFamily::Other;
  bool mutates = false;        // writes a buffer, parameter or input
  bool written = false;        // pills and parameters: something writes to it
  NodeRef node;                // operators, pills, parameters; for folded groups their first node
  NodeId unlifted;             // in a scene of the unlifted form: the form's node
  ScopeId scope;               // folded groups: the group (double click opens it)
  ModuleId module;             // folded modules
  ClusterId cluster;           // the open group it lies in
  uint32_t node_count = 0;     // folded groups: operators inside
  bool folded() const { return kind == BoxKind::Module || kind == BoxKind::Subgraph || kind == BoxKind::Chunk; }
  std::string_view title;      // "conv2d"; "layer1.0 : BasicBlock"; "nodes 61–120"
  std::string_view subtitle;   // "aten.conv2d.default"; "34 nodes"; pills: their type where they have no edge that shows it
  uint32_t first_chip = 0, chip_count = 0;
  Size size;
};

struct SceneCluster {
  ScopeKind kind = ScopeKind::Root;
  ScopeId scope;
  ModuleId module;
  GraphId graph;
  ClusterId parent;
  uint32_t node_count = 0;
  std::string_view title;      // "conv : Conv2d"
};

enum class EdgeStyle : uint8_t {
  Tensor,    // solid
  Scalar,    // dotted: numbers, symbols, lists
  Mutation,  // dashed violet: the new value of a buffer or input
  Subgraph,  // long dashes: from a sub-graph to the operator that runs it
};
struct SceneEdge {
  BoxId from, to;
  EdgeStyle style = EdgeStyle::Tensor;
  uint32_t first_value = 0, value_count = 0;  // into GraphScene::edge_values: the values it carries, as the reader names them
  std::string_view label;                     // "f32[1,16,32,32]", "#0 f32[1,8]", "5 values"
  std::string_view stub_text;                 // the writer's name, for the reader's end of a cut edge
};

struct UnliftedForm;

struct GraphScene {
  std::shared_ptr<const Program> program;
  std::shared_ptr<const ScopeTree> tree;
  std::shared_ptr<const UnliftedForm> form;    // shown in place of the program; null: the program itself. The tree is the form's then
  GraphView view;
  IdVector<BoxId, SceneBox> boxes;
  IdVector<ClusterId, SceneCluster> clusters;  // clusters[0] is the canvas
  std::vector<SceneEdge> edges;
  std::vector<Chip> chips;
  std::vector<NodeRef> edge_values;
  std::shared_ptr<const StringPool> texts;     // what the string_views above point to, beside the program's own pool

  std::span<const Chip> chips_of(const SceneBox& box) const { return {chips.data() + box.first_chip, box.chip_count}; }
  std::span<const NodeRef> values_of(const SceneEdge& edge) const { return {edge_values.data() + edge.first_value, edge.value_count}; }
  // The box that shows a node: its own, its folded group's, the box of the call for a folded getitem.
  // None where nothing does: hidden by hand, outside the root, a get_attr, a parameter that is only a chip.
  BoxId box_of(NodeRef ref) const { return ref.graph.index < node_box.size() && node_box[ref.graph].contains(ref.node) ? node_box[ref.graph][ref.node] : BoxId(); }
  IdVector<GraphId, IdVector<NodeId, BoxId>> node_box;
  IdVector<NodeId, BoxId> form_box;            // by root node of the form
  // From a node of the program to the one the tree knows, and back; none where the form leaves it out or adds it.
  NodeRef in_tree(NodeRef ref) const;
  NodeRef in_program(NodeRef tree_node) const;
};

// Boxes are padded 8×6, at least 96 wide, with 3 between lines; the family's strip at the left is 4 wide.
inline constexpr float kBoxPaddingX = 8, kBoxPaddingY = 6, kBoxMinWidth = 96, kLineGap = 3, kFamilyStrip = 4, kPillHeight = 24;

GraphScene make_scene(std::shared_ptr<const Program> program, std::shared_ptr<const ScopeTree> tree, const GraphView& view, const MeasureText& measure);
LayoutRequest layout_request(const GraphScene& scene, const MeasureText& measure);

}  // namespace pt2::views
