#include "core/text/print_table.h"

#include <utility>

#include "core/base/display.h"
#include "core/graph/results.h"
#include "core/graph/shown_frame.h"
#include "core/text/aligned_table.h"
#include "core/text/print_program.h"
#include "core/text/python_text.h"

namespace pt2 {

namespace {

std::string op_text(const Node& node) {
  switch (node.kind) {
    case NodeKind::Placeholder: return "placeholder";
    case NodeKind::GetAttr: return "get_attr";
    case NodeKind::Output: return "output";
    case NodeKind::CallFunction: break;
  }
  const std::string target = target_text(node.target);
  return target.starts_with("torch.ops.") ? target.substr(10) : target;
}

// The type of a value, or what a constant is; of a call with several results those that something takes: "[0] f32[2], [1] i64[2]".
std::string output_text(const Graph& graph, NodeId id) {
  const ValueMeta& val = graph.node(id).val;
  if (auto* constant = std::get_if<std::shared_ptr<const ConstantMeta>>(&val)) return argument_text((*constant)->value, ArgumentStyle::Repr, {});
  if (auto* object = std::get_if<std::shared_ptr<const CustomObjMeta>>(&val)) return std::string((*object)->class_fqn);
  std::string text = type_annotation(val);
  for (const auto& [index, item] : taken_results(graph, id)) text += (text.empty() ? "[" : ", [") + std::to_string(index) + "] " + type_annotation(graph.node(item).val);
  return text;
}

}  // namespace

std::string graph_path(const Program& program, GraphId graph) {
  std::string path;
  for (GraphId g = graph; g && g != program.root(); g = program.graphs[g].parent) path = std::string(program.graphs[g].name) + (path.empty() ? "" : "/" + path);
  return path;
}

bool is_inside(const Program& program, NodeRef ref, ModuleId module) {
  if (!ref.graph || !ref.node) return false;
  ModuleId at = program.node(ref).module;
  while (at && at != module) at = program.modules.modules[at].parent;
  return at == module;
}

std::string source_text(const Program& program, NodeRef ref, bool code) {
  const NodeMeta* meta = program.node(ref).meta;
  if (!meta) return "";
  const std::vector<SourceFrame> frames = parse_stack_trace(meta->stack_trace);
  const SourceFrame* shown = shown_frame(frames);
  if (!shown) return "";
  const SourceFrame& frame = *shown;
  const size_t slash = frame.file.rfind('/');
  std::string text = std::string(slash == std::string_view::npos ? frame.file : frame.file.substr(slash + 1)) + ":" + std::to_string(frame.line);
  if (code && !frame.code.empty()) text += "  " + std::string(frame.code);
  return display(text);
}

TextLines table_lines(const Program& program, const TableOptions& options) {
  TextLines lines;
  for (size_t g = 0; g < program.graphs.size(); ++g) {
    const GraphId id(g);
    const Graph& graph = program.graphs[id];
    std::vector<TableRow> rows{{"step", "name", "op", "output", "module", "source"}};
    std::vector<NodeRef> nodes(1);  // of each row
    size_t step = 0;
    for (size_t n = 0; n < graph.nodes().size(); ++n) {
      const NodeRef ref{id, NodeId(n)};
      const Node& node = program.node(ref);
      const bool is_call = node.kind == NodeKind::CallFunction;
      if (is_call) ++step;
      if (options.module && !is_inside(program, ref, options.module)) continue;
      const std::string module = node.module ? program.modules.modules[node.module].path : std::string();
      rows.push_back({is_call ? std::to_string(step) : "", display(node.name), display(op_text(node)), display(output_text(graph, ref.node)),
                      is_call ? display(module) : "", source_text(program, ref, options.source)});
      nodes.push_back(ref);
    }
    if (rows.size() == 1) continue;
    if (!lines.empty()) lines.push_back({"", {}});
    if (g > 0) lines.push_back({"sub-graph " + display(graph_path(program, id)), {}});
    std::vector<std::string> texts = aligned_rows(rows);
    for (size_t i = 0; i < rows.size(); ++i) lines.push_back({std::move(texts[i]), nodes[i]});
  }
  return lines;
}

}  // namespace pt2
