#include "interp/arising.h"

#include "core/graph/op_schema.h"
#include "interp/bad_elements.h"
#include "interp/check.h"
#include "interp/item.h"
#include "interp/ops/call.h"

namespace pt2::interp {

namespace {

bool broadcasts_to(const Shape& from, const Shape& to) {
  if (from.size() > to.size()) return false;
  for (size_t d = 0; d < from.size(); ++d)
    if (from[d] != 1 && from[d] != to[d + to.size() - from.size()]) return false;
  return true;
}

// True where the value is of that kind and no argument is. NaN made of Inf arises; an Inf does not where anything was NaN or Inf.
std::optional<Tensor> arising(const Node& call_node, const Tensor& value, Nonfinite kind, const ValueOf& argument) {
  if (!can_be_bad(value.dtype)) return std::nullopt;
  Tensor mask = call(kind == Nonfinite::NaN ? "aten.isnan.default" : "aten.isinf.default", value);
  bool known = true;
  const auto leave_out = [&](const Tensor& read) {
    known = known && broadcasts_to(read.sizes, value.sizes);
    if (!known || !can_be_bad(read.dtype)) return;
    const Tensor good = kind == Nonfinite::NaN ? call("aten.logical_not.default", call("aten.isnan.default", read)) : call("aten.isfinite.default", read);
    mask = call("aten.logical_and.default", mask, good);
  };
  for (const NodeArgument& one : call_node.inputs)
    for_each_node(one.value, [&](NodeId id) {
      const RuntimeValue* read = argument(id);
      known = known && read && !read->is_none();
      if (known) for_each_tensor(*read, leave_out);
    });
  return known ? std::optional(mask) : std::nullopt;
}

}  // namespace

bool is_pointwise(const Node& call_node) {
  const OpSchema* schema = find_op_schema(call_node.target);
  return schema && schema->has_tag("pointwise");
}

ArisingElements arising_elements(const Node& call_node, const RuntimeValue& value, const ValueOf& argument) {
  const auto* tensor = value.as<Tensor>();
  if (!tensor || !is_pointwise(call_node)) return {};
  const auto count = [&](Nonfinite kind) -> int64_t {
    const auto mask = arising(call_node, *tensor, kind, argument);
    return mask ? item(call("aten.count_nonzero.default", *mask)).to_int() : 0;
  };
  try {
    return {count(Nonfinite::NaN), count(Nonfinite::Inf)};
  } catch (const KernelError&) {  // no memory for masks
    return {};
  }
}

std::optional<SliceStep> first_arising(const ExecutionTrace& trace, const Program& program, TraceRef ref, Nonfinite asked) {
  const RuntimeValue* value = trace.value(ref);
  const auto* tensor = value ? value->as<Tensor>() : nullptr;
  const Node& node = program.graphs[trace.frames()[ref.frame].graph].node(ref.node);
  if (!tensor || !is_pointwise(node)) return std::nullopt;
  std::optional<Tensor> mask;
  try {
    mask = arising(node, *tensor, asked, [&](NodeId id) { return trace.value({ref.frame, id}); });
  } catch (const KernelError&) {  // stopped, or no memory for masks
  }
  if (!mask) return std::nullopt;
  int64_t flat = 0, found = -1;
  for_each_run(*mask, [&](const std::byte* first, int64_t count, int64_t step) {
    for (int64_t i = 0; i < count && found < 0; ++i)
      if (first[i * step] != std::byte{0}) found = flat + i;
    flat += count;
  });
  if (found < 0) return std::nullopt;
  Shape index = index_of(tensor->sizes, found);
  const double there = badness_at(*tensor, index);
  return SliceStep{ref, 0, std::move(index), there};
}

}  // namespace pt2::interp
