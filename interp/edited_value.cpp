#include "interp/edited_value.h"

#include "core/graph/op_schema.h"
#include "interp/op_table.h"

namespace pt2::interp {

std::vector<const ValueEdit*> value_edits_of(const Edits& edits, NodeRef node, std::optional<std::string_view> path) {
  std::vector<const ValueEdit*> found;
  const ValueEdit* first = edits.value_of(node, path);
  for (const ValueEdit& edit : edits.values)
    if (first && edit.node == node && edit.call == first->call) found.push_back(&edit);
  return found;
}

bool EditedPart::replaces(const EditedPart& before) const {
  return node == before.node && call == before.call && (index.empty() || before.index.empty() || index == before.index);
}

bool returns_what_it_wrote(const Node& node) {
  const OpSchema* schema = node.kind == NodeKind::CallFunction ? find_op_schema(node.target) : nullptr;
  return schema && schema->returns.size() == 1 && schema->returns[0].type.writes();
}

void copy_onto(const Tensor& target, const Tensor& source) {
  const Op* copy = builtin_ops().find("aten.copy_.default");
  const RuntimeValue arguments[] = {target, source, false};
  copy->call(current_context(), arguments);
}

}  // namespace pt2::interp
