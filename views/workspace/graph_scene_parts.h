#pragma once
// What the two makers of a scene share: first its boxes are made (graph_scene.cpp), then the edges between them (graph_scene_edges.cpp).
#include <map>
#include <set>
#include <unordered_map>

#include "core/graph/results.h"
#include "views/workspace/graph_scene.h"

namespace pt2::views {

struct SceneParts {
  SceneParts(std::shared_ptr<const Program> shown_program, std::shared_ptr<const ScopeTree> shown_tree, const GraphView& view, const MeasureText& measure_text);

  const GraphView& view() const { return scene.view; }
  const Graph& graph(GraphId id) const { return program.graphs[id]; }
  BoxId& box_of(NodeRef ref) { return scene.node_box[ref.graph][ref.node]; }
  float width(TextStyle style, std::string_view text) const { return measure(style, text); }
  // A text to be shown: the file's own where it is harmless and short, else a cleaned copy in the scene's pool.
  std::string_view shown(std::string_view text, TextStyle style, float most);
  std::string_view keep(const std::string& text) { return texts->intern(text); }
  // None where it is no parameter, buffer, constant or object.
  const InputSpec* parameter(NodeRef ref) const { return ref.graph == program.root() ? input_of[ref.node.index] : nullptr; }
  // The input that an output is the new value of; none for other outputs.
  NodeId written_by(const OutputSpec& output) const;
  // The call whose result a folded getitem takes out; none where the getitem is shown.
  NodeId getitem_source(NodeRef ref) const;
  bool folded_getitem(NodeRef ref) const { return getitem_source(ref).valid(); }
  std::string_view type_text(NodeRef value);

  const Program& program;
  const ScopeTree& tree;
  const MeasureText& measure;
  std::shared_ptr<StringPool> texts;
  GraphScene scene;
  std::vector<const InputSpec*> input_of;  // of root placeholders that are no user inputs
  std::unordered_multimap<NodeId, const OutputSpec*> mutations;
  std::set<NodeId> returned;
  std::unordered_map<NodeId, std::vector<NodeId>> writes;  // by call of the root graph: the inputs it writes to in place
  std::set<NodeId> written;                // root inputs that a call writes to, or that get a new value
  std::map<NodeRef, BoxId> outside_box;    // of a module shown alone: pills of its values that are read outside

 private:
  std::unordered_map<const void*, std::string_view> types_;
};

void make_edges(SceneParts& parts);

}  // namespace pt2::views
