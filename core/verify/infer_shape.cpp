#include "core/verify/infer_shape.h"

#include "core/graph/op_schema.h"
#include "core/verify/rule.h"

namespace pt2::verify_detail {

namespace {

using Shape = std::vector<SymInt>;

const TensorMeta* meta_of(const Graph& graph, const Argument* argument) {
  const NodeId* id = argument ? argument->as<NodeId>() : nullptr;
  return id ? tensor_meta(graph.node(*id).val) : nullptr;
}

bool same(const SymInt& a, const SymInt& b) { return a.text() == b.text(); }
bool is_one(const SymInt& size) { return !size.is_symbolic() && size.value == 1; }

std::optional<int64_t> dim_argument(const Node& call, std::string_view name, size_t rank) {
  const Argument* argument = argument_named(call, name);
  const int64_t* dim = argument ? argument->as<int64_t>() : nullptr;
  const int64_t n = int64_t(rank);
  if (!dim || *dim < -n || *dim >= n) return {};
  return *dim < 0 ? *dim + n : *dim;
}

// All tensors of a pointwise call broadcast; an in-place one keeps the shape of the first.
std::optional<Shape> broadcast(const Graph& graph, const Node& call, const OpSchema& schema) {
  Shape result;
  bool first = true;
  for (const SchemaParameter& parameter : schema.parameters) {
    if (parameter.type.base != SchemaBase::Tensor) continue;
    if (parameter.type.is_list()) return {};
    const Argument* argument = argument_named(call, parameter.name);
    if (!argument || argument->is_none()) continue;
    const TensorMeta* meta = meta_of(graph, argument);
    if (!meta) return {};
    if (first && parameter.type.writes()) return meta->sizes;
    Shape sizes = meta->sizes;
    if (sizes.size() > result.size()) std::swap(sizes, result);
    for (size_t d = 0; d < sizes.size(); ++d) {  // from the last dimension on
      SymInt& into = result[result.size() - 1 - d];
      const SymInt& other = sizes[sizes.size() - 1 - d];
      if (same(into, other) || is_one(other)) continue;
      if (!is_one(into)) return {};
      into = other;
    }
    first = false;
  }
  return first ? std::nullopt : std::optional(result);
}

std::optional<Shape> permuted(const TensorMeta& self, const Node& call) {
  const Argument* argument = argument_named(call, "dims");
  const ListArg* dims = argument ? argument->as<ListArg>() : nullptr;
  const int64_t n = int64_t(self.sizes.size());
  if (!dims || int64_t(dims->items.size()) != n) return {};
  Shape result;
  for (const Argument& item : dims->items) {
    const int64_t* dim = item.as<int64_t>();
    if (!dim || *dim < -n || *dim >= n) return {};
    result.push_back(self.sizes[size_t(*dim < 0 ? *dim + n : *dim)]);
  }
  return result;
}

bool is_one_of(std::string_view op, std::initializer_list<std::string_view> ops) {
  for (std::string_view candidate : ops)
    if (op == candidate) return true;
  return false;
}

}  // namespace

bool differ(const SymInt& a, const SymInt& b) { return !a.is_symbolic() && !b.is_symbolic() && a.value != b.value; }

std::optional<std::vector<SymInt>> infer_shape(const Graph& graph, const Node& call) {
  const OpSchema* schema = find_op_schema(call.target);
  if (!schema || schema->returns.size() != 1 || schema->returns[0].type.base != SchemaBase::Tensor || schema->returns[0].type.is_list()) return {};
  if (schema->has_tag("pointwise")) return broadcast(graph, call, *schema);
  if (!call.target.starts_with("torch.ops.aten.")) return {};
  const std::string_view op = call.target.substr(15);
  const TensorMeta* self = meta_of(graph, argument_named(call, "self"));
  if (is_one_of(op, {"clone.default", "contiguous.default", "detach.default", "alias.default", "softmax.int", "_softmax.default", "log_softmax.int",
                     "_log_softmax.default", "flip.default", "roll.default", "cumsum.default", "tril.default", "triu.default", "zeros_like.default",
                     "ones_like.default", "empty_like.default", "full_like.default", "rand_like.default", "randn_like.default"}))
    return self ? std::optional(self->sizes) : std::nullopt;
  if (op == "permute.default") return self ? permuted(*self, call) : std::nullopt;
  if (op == "t.default" && self && self->sizes.size() == 2) return Shape{self->sizes[1], self->sizes[0]};
  if (op == "transpose.int" && self) {
    const auto a = dim_argument(call, "dim0", self->sizes.size()), b = dim_argument(call, "dim1", self->sizes.size());
    if (!a || !b) return {};
    Shape result = self->sizes;
    std::swap(result[size_t(*a)], result[size_t(*b)]);
    return result;
  }
  if (op == "unsqueeze.default" && self) {
    const auto dim = dim_argument(call, "dim", self->sizes.size() + 1);
    if (!dim) return {};
    Shape result = self->sizes;
    result.insert(result.begin() + *dim, SymInt{.value = 1});
    return result;
  }
  if (op == "mm.default" || op == "bmm.default") {
    const TensorMeta* mat2 = meta_of(graph, argument_named(call, "mat2"));
    const size_t rank = op == "mm.default" ? 2 : 3;
    if (!self || !mat2 || self->sizes.size() != rank || mat2->sizes.size() != rank) return {};
    Shape result = self->sizes;
    result.back() = mat2->sizes.back();
    return result;
  }
  if (op == "addmm.default") {
    const TensorMeta* mat1 = meta_of(graph, argument_named(call, "mat1"));
    const TensorMeta* mat2 = meta_of(graph, argument_named(call, "mat2"));
    if (!mat1 || !mat2 || mat1->sizes.size() != 2 || mat2->sizes.size() != 2) return {};
    return Shape{mat1->sizes[0], mat2->sizes[1]};
  }
  if (op == "linear.default") {
    const TensorMeta* input = meta_of(graph, argument_named(call, "input"));
    const TensorMeta* weight = meta_of(graph, argument_named(call, "weight"));
    if (!input || !weight || input->sizes.empty() || weight->sizes.size() != 2) return {};
    Shape result = input->sizes;
    result.back() = weight->sizes[0];
    return result;
  }
  return {};
}

}  // namespace pt2::verify_detail
