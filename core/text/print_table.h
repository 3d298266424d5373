#pragma once
// Nodes as an aligned table, and the filters of `print`: what PyTorch has no text for.
#include "core/graph/program.h"
#include "core/text/text_lines.h"

namespace pt2 {

struct TableOptions {
  ModuleId module;      // only nodes of this module call and those inside it; none: all
  bool source = false;  // the source line's text, too
};
// Step, name, op, output, module, source line: one line a node, the graphs one below the other. Texts from the file pass display().
TextLines table_lines(const Program& program, const TableOptions& options);

// "true_graph_0/false_graph_1": graphs inside others may share a name. Empty for the program's own.
std::string graph_path(const Program& program, GraphId graph);

bool is_inside(const Program& program, NodeRef node, ModuleId module);
// "model.py:12", and with `code` "model.py:12  y = x + 1"; empty without stack trace.
std::string source_text(const Program& program, NodeRef node, bool code);

}  // namespace pt2
