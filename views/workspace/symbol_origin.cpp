#include "views/workspace/symbol_origin.h"

#include <algorithm>

#include "core/base/display.h"

namespace pt2::views {

namespace {

bool mentions(const SymExpr& expr, std::string_view symbol) {
  const std::vector<std::string> symbols = free_symbols(expr);
  return std::find(symbols.begin(), symbols.end(), symbol) != symbols.end();
}

// The first size of a value for which `fits(expression)`: sets the node, place and hint.
template <class Fits>
bool find_size(const Node& node, Fits&& fits, SymbolOrigin& origin) {
  if (auto* tensor = tensor_meta(node.val)) {
    for (size_t d = 0; d < tensor->sizes.size(); ++d) {
      const SymInt& size = tensor->sizes[d];
      if (!size.expr || !fits(*size.expr)) continue;
      origin.place = display(node.name) + ".shape[" + std::to_string(d) + "]";
      origin.expression = size.expr->text;
      if (size.has_hint) origin.hint = size.value;
      return true;
    }
  } else if (auto* sym = sym_meta(node.val); sym && sym->expr && fits(*sym->expr)) {
    origin.place = display(node.name);
    origin.expression = sym->expr->text;
    if (auto* hint = sym->hint.as<int64_t>()) origin.hint = *hint;
    return true;
  }
  return false;
}

}  // namespace

SymbolOrigin symbol_origin(const Program& program, std::string_view symbol) {
  SymbolOrigin origin;
  const Graph& graph = program.root_graph();
  for (const InputSpec& spec : program.signature.inputs) {
    if (!spec.node || !find_size(graph.node(spec.node), [&](const SymExpr& expr) { return expr.text == symbol; }, origin)) continue;
    origin.node = spec.node;
    return origin;
  }
  // Inputs come before the operators: the first value that mentions it brings it in.
  for (size_t n = 0; n < graph.nodes().size(); ++n) {
    if (!find_size(graph.node(NodeId(n)), [&](const SymExpr& expr) { return mentions(expr, symbol); }, origin)) continue;
    origin.node = NodeId(n);
    if (origin.expression == symbol) break;
    origin.place += " = " + display(origin.expression);
    origin.hint.reset();  // of the expression
    break;
  }
  return origin;
}

}  // namespace pt2::views
