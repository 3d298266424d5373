#include "views/workspace/fx_text.h"

#include "core/base/display.h"
#include "core/graph/shown_frame.h"
#include "core/text/print_table.h"
#include "views/workspace/op_family.h"

namespace pt2::views {
namespace {

std::string type_text(const ValueMeta& meta, bool full) {
  const TensorMeta* tensor = full ? tensor_meta(meta) : nullptr;
  if (!tensor) return type_label(meta);
  auto list = [](const std::vector<SymInt>& items) {
    std::string text = "[";
    for (const SymInt& item : items) text += (text.size() > 1 ? ", " : "") + display(item.text());
    return text + "]";
  };
  return "torch." + std::string(dtype_name(tensor->dtype)) + list(tensor->sizes) + list(tensor->strides) + display(device_text(tensor->device));
}

// The outermost folded module around a node; none: it is shown.
ModuleId folded_around(const Program& program, const Node& node, const std::vector<uint8_t>& folded) {
  ModuleId found;
  const auto& modules = program.modules.modules;
  if (!folded.empty() && modules.contains(node.module))
    for (ModuleId m = node.module; m; m = modules[m].parent)
      if (m.index < folded.size() && folded[m.index]) found = m;
  return found;
}

class LineWriter {
 public:
  LineWriter(const Program& program, const FxLine& line, const FxTextOptions& options)
      : program_(program), graph_(program.graphs[line.graph]), line_(line), options_(options) {}

  std::vector<FxPiece> write() && {
    switch (line_.kind) {
      case FxLine::Kind::Blank:
      case FxLine::Kind::Guard: break;
      case FxLine::Kind::Header: header(); break;
      case FxLine::Kind::Placeholder: placeholder(); break;
      case FxLine::Kind::Node: node(); break;
      case FxLine::Kind::Folded: folded(); break;
      case FxLine::Kind::Return: returned(); break;
    }
    return std::move(pieces_);
  }

 private:
  void add(std::string text, FxTextRole role = FxTextRole::Plain, NodeId node = {}) { pieces_.push_back({std::move(text), role, node, {}}); }
  void add_argument(const Argument& argument) {
    for (LabelPiece& piece : argument_pieces(graph_, argument)) add(std::move(piece.text), piece.node ? FxTextRole::Name : FxTextRole::Plain, piece.node);
  }
  void typed(NodeId id) {
    add(display(graph_.node(id).name), FxTextRole::Defined, id);
    if (const std::string type = type_text(graph_.node(id).val, options_.full_types); !type.empty()) {
      add(": ");
      add(type, FxTextRole::Type);
    }
  }

  void header() {
    add("def ", FxTextRole::Keyword);
    add(line_.graph == program_.root() ? "forward" : display(graph_.name));
    add("(self");
    std::vector<uint8_t> lifted(graph_.placeholder_count());
    if (line_.graph == program_.root())
      for (const InputSpec& spec : program_.signature.inputs)
        if (spec.kind != InputKind::UserInput && spec.node && spec.node.index < lifted.size()) lifted[spec.node.index] = 1;
    for (size_t i = 0; i < graph_.placeholder_count(); ++i) {
      if (lifted[i]) continue;
      add(", ");
      typed(NodeId(i));
    }
    add("):");
    // Of those inside others several may have this name.
    if (graph_.parent && graph_.parent != program_.root()) add("   # " + display(graph_path(program_, line_.graph)), FxTextRole::Comment);
  }

  void placeholder() {
    add("    ");
    typed(line_.node.node);
    for (const InputSpec& spec : program_.signature.inputs)
      if (spec.node == line_.node.node) add("   # " + std::string(kind_name(spec.kind)) + " " + display(spec.target), FxTextRole::Comment);
  }

  void node() {
    const Node& node = graph_.node(line_.node.node);
    add("    ");
    typed(line_.node.node);
    add(" = ");
    if (node.kind == NodeKind::GetAttr) {
      add("self.");
      add(display(node.target), FxTextRole::Operator);
    } else {
      add(display(short_target(node.target)), FxTextRole::Operator);
      add("(");
      for (size_t i = 0; i < node.inputs.size(); ++i) {
        const NodeArgument& argument = node.inputs[i];
        if (i) add(", ");
        if (!argument.name.empty() && (argument.keyword || options_.argument_names)) add(display(argument.name) + "=");
        add_argument(argument.value);
      }
      add(")");
    }
    std::string comment;
    if (options_.module_comments && line_.graph == program_.root() && program_.modules.modules.contains(node.module))
      comment = display(program_.modules.modules[node.module].path);
    if (options_.source_comments)
      if (const auto frames = parse_stack_trace(node.meta->stack_trace); const SourceFrame* frame = shown_frame(frames))
        comment += (comment.empty() ? "" : "  ") + display(frame->file.substr(frame->file.rfind('/') + 1)) + ":" + std::to_string(frame->line) + "  " + display_cut(frame->code, 120);
    if (!comment.empty()) add("   # " + comment, FxTextRole::Comment);
  }

  void folded() {
    const Module& module = program_.modules.modules[line_.module];
    add("    ");
    add("# " + display(module.path) + " : " + display(class_label(module.type)) + ", " + std::to_string(line_.count) + (line_.count == 1 ? " node" : " nodes"), FxTextRole::Comment);
  }

  void returned() {
    add("    ");
    add("return ", FxTextRole::Keyword);
    const Node& output = graph_.node(line_.node.node);
    if (!output.inputs.empty()) add_argument(output.inputs[0].value);
  }

  const Program& program_;
  const Graph& graph_;
  const FxLine& line_;
  const FxTextOptions& options_;
  std::vector<FxPiece> pieces_;
};

}  // namespace

std::vector<FxLine> fx_lines(const Program& program, const FxTextOptions& options, const std::vector<uint8_t>& folded) {
  std::vector<FxLine> lines;
  for (size_t g = 0; g < program.graphs.size(); ++g) {
    const GraphId id(g);
    const Graph& graph = program.graphs[id];
    if (g) lines.push_back({FxLine::Kind::Blank, {}, id, {}, 0, {}});
    lines.push_back({FxLine::Kind::Header, {}, id, {}, 0, {}});
    ModuleId run;
    for (size_t n = 0; n < graph.nodes().size(); ++n) {
      const NodeRef ref{id, NodeId(n)};
      const Node& node = graph.node(ref.node);
      if (node.kind == NodeKind::Placeholder) {  // always first
        if (options.placeholders && id == program.root()) lines.push_back({FxLine::Kind::Placeholder, ref, id, {}, 0, {}});
        continue;
      }
      if (node.kind == NodeKind::Output) {
        lines.push_back({FxLine::Kind::Return, ref, id, {}, 0, {}});
        continue;
      }
      const ModuleId fold = id == program.root() ? folded_around(program, node, folded) : ModuleId();
      if (!fold) lines.push_back({FxLine::Kind::Node, ref, id, {}, 0, {}});
      else if (run == fold) ++lines.back().count;
      else lines.push_back({FxLine::Kind::Folded, ref, id, fold, 1, {}});
      run = fold;
    }
  }
  return lines;
}

std::vector<FxPiece> fx_pieces(const Program& program, const FxLine& line, const FxTextOptions& options) { return LineWriter(program, line, options).write(); }

std::string fx_line_text(const Program& program, const FxLine& line, const FxTextOptions& options) {
  std::string text;
  for (const FxPiece& piece : fx_pieces(program, line, options)) text += piece.text;
  return text;
}

}  // namespace pt2::views
