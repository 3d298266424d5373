#pragma once
// The unlifted form of a document's program, `ep.module()`, as the graph and text panes show it. Selection, breakpoints, runs and search
// go on with the ids of the program itself; only what it has no node for (the call of the guards, copies that write mutations back) goes by
// the ids of this form.
#include <memory>
#include <string>
#include <vector>

#include "core/load.h"
#include "core/symbolic/guards.h"
#include "views/workspace/fx_text.h"
#include "views/workspace/graph_scene.h"

namespace pt2::views {

struct UnliftedForm {
  std::shared_ptr<const Program> program;   // the form itself
  std::shared_ptr<const ScopeTree> scopes;  // of the form
  std::vector<NodeId> source;               // by node of its root graph: the program's node it stands for; none for guards and copies
  IdVector<NodeId, NodeId> place;           // by node of the program's root graph: where it is in the form; none for tokens and what nobody reads
  std::vector<Guard> guards;                // what `_guards_fn` checks; empty where it is not called
  NodeId guards_call;

  NodeRef original(NodeRef here) const { return here.node && here.graph == program->root() ? NodeRef{here.graph, source[here.node.index]} : here; }
  NodeRef here(NodeRef original) const { return original.node && original.graph == program->root() ? NodeRef{original.graph, place[original.node]} : original; }
};

// How the form's text and its boxes call a node: "relu", "get_attr conv.weight", "true_graph_0/relu".
std::string form_name(const UnliftedForm& form, NodeRef here);

std::shared_ptr<const UnliftedForm> make_unlifted_form(const OpenedFile& file, std::shared_ptr<const Program> program);

struct Document;
// How the document would be shown if it had just been opened, in the form in which it is shown.
GraphView initial_view(const Document& document);

// What the graph pane shows of it under a view whose ids are the program's.
GraphScene make_unlifted_scene(const UnliftedForm& form, const GraphView& view, const MeasureText& measure);
// Turns the ids of a scene made above into the program's, once its layout request was made.
void name_by_program(GraphScene& scene, std::shared_ptr<const Program> program, std::shared_ptr<const UnliftedForm> form);

// `print --format module` as lines, each made as it is looked at, with the guards below it.
std::vector<FxLine> module_lines(const UnliftedForm& form);
std::vector<FxPiece> module_pieces(const UnliftedForm& form, const FxLine& line);
// The line of a node of the form.
inline size_t module_line_of(NodeId unlifted) { return unlifted.index + 1; }

}  // namespace pt2::views
