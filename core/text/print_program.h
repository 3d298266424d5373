#pragma once
// The texts PyTorch 2.13 prints after torch.export.load of a file, character for character, without a final newline.
#include <string>

#include "core/graph/program.h"
#include "core/text/text_lines.h"

namespace pt2 {

// One node as str(graph) has it, without the indentation.
std::string graph_node_text(const Graph& graph, NodeId node);
// str(graph); for the root `str(ep.graph)`.
TextLines graph_lines(const Program& program, GraphId graph);
// str(ep): generated code with the sub-graphs below it, signature and range constraints.
TextLines readable_lines(const Program& program);
// str(ep.graph_signature).
std::string signature_text(const Program& program);
// `{s77: VR[2, 64]}`: str(ep.range_constraints).
std::string range_constraints_text(const Program& program);

// "f32[s77, 6]", "Sym(2*s77)"; empty for what has no annotation (lists, constants, None).
std::string type_annotation(const ValueMeta& val);
// FX's operator names: "operator.add" for "_operator.add", else the target itself.
std::string target_text(std::string_view target);

}  // namespace pt2
