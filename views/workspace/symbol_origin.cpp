#include "views/workspace/symbol_origin.h"

#include "core/base/display.h"

namespace pt2::views {

SymbolOrigin symbol_origin(const Program& program, std::string_view symbol) {
  SymbolOrigin origin;
  const Graph& graph = program.root_graph();
  for (const InputSpec& spec : program.signature.inputs) {
    if (!spec.node) continue;
    const ValueMeta& val = graph.node(spec.node).val;
    auto found = [&](const SymInt& size, const std::string& place) {
      if (!size.expr || size.expr->text != symbol) return false;
      origin.node = spec.node;
      origin.place = place;
      if (size.has_hint) origin.hint = size.value;
      return true;
    };
    if (auto* tensor = tensor_meta(val))
      for (size_t d = 0; d < tensor->sizes.size(); ++d)
        if (found(tensor->sizes[d], display(spec.name) + ".shape[" + std::to_string(d) + "]")) return origin;
    if (auto* sym = sym_meta(val); sym && sym->expr && sym->expr->text == symbol) {
      origin.node = spec.node;
      origin.place = display(spec.name);
      if (auto* hint = sym->hint.as<int64_t>()) origin.hint = *hint;
      return origin;
    }
  }
  return origin;
}

}  // namespace pt2::views
