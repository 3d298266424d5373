#include <unordered_set>

#include "core/symbolic/sym_expr.h"
#include "core/text/bound_text.h"
#include "core/text/print_program.h"

namespace pt2 {

namespace {

std::string upper(std::string_view name) {
  std::string text(name);
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
  return text;
}

std::string target_part(std::string_view target) { return target.empty() ? "" : " target='" + std::string(target) + "'"; }

std::string kind_text(InputKind kind) { return kind == InputKind::TensorConstant ? "CONSTANT_TENSOR" : upper(kind_name(kind)); }

// Every expression the loader meets, parts of them included (it does not look at storage offsets): constraints of others are dropped.
std::unordered_set<std::string> known_expressions(const Program& program) {
  std::unordered_set<std::string> known;
  std::unordered_set<const SymExpr*> seen;
  auto note = [&](const std::shared_ptr<const SymExpr>& expr) {
    if (!expr || !seen.insert(expr.get()).second) return;
    known.insert(expr->text);
    for (std::string& part : subexpressions(*expr)) known.insert(std::move(part));
  };
  for (const Graph& graph : program.graphs)
    for (const Node& node : graph.nodes()) {
      if (const TensorMeta* tensor = tensor_meta(node.val)) {
        for (const SymInt& size : tensor->sizes) note(size.expr);
        for (const SymInt& stride : tensor->strides) note(stride.expr);
      } else if (const SymMeta* symbol = sym_meta(node.val)) {
        note(symbol->expr);
      }
    }
  return known;
}

}  // namespace

std::string signature_text(const Program& program) {
  std::string text = "\n# inputs\n";
  const Signature& signature = program.signature;
  for (size_t i = 0; i < signature.inputs.size(); ++i) {
    const InputSpec& input = signature.inputs[i];
    text += (i > 0 ? "\n" : "") + std::string(input.name) + ": " + kind_text(input.kind) + target_part(input.target);
    if (input.persistent) text += *input.persistent ? " persistent=True" : " persistent=False";
  }
  text += "\n\n# outputs\n";
  for (size_t i = 0; i < signature.outputs.size(); ++i) {
    const OutputSpec& output = signature.outputs[i];
    text += (i > 0 ? "\n" : "") + std::string(output.name) + ": " + upper(kind_name(output.kind)) + target_part(output.target);
  }
  return text + "\n";
}

std::string range_constraints_text(const Program& program) {
  const std::unordered_set<std::string> known = known_expressions(program);
  std::string text = "{";
  for (const auto& [symbol, range] : program.range_constraints) {
    if (!known.count(std::string(symbol))) continue;
    text += (text.size() > 1 ? ", " : "") + std::string(symbol) + ": VR[" + bound_text(range.min, range.is_float, "-int_oo") + ", " +
            bound_text(range.max, range.is_float, "int_oo") + "]";
  }
  return text + "}";
}

}  // namespace pt2
