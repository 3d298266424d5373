#include <optional>

#include "core/verify/infer_shape.h"
#include "core/verify/rule.h"

namespace pt2::verify_detail {

namespace {

bool returns_one_tensor(const OpSchema& schema) {
  return schema.returns.size() == 1 && schema.returns[0].type.base == SchemaBase::Tensor && !schema.returns[0].type.is_list();
}

void declared(const Subject& subject, Report& report) {
  for_each_node_of(subject.program, [&](NodeRef ref, const Node& node) {
    if (node.kind != NodeKind::CallFunction || !std::holds_alternative<std::monostate>(node.val)) return;
    const OpSchema* schema = find_op_schema(node.target);
    if (schema && returns_one_tensor(*schema)) report.node(ref, "the file does not say what " + std::string(node.target) + " returns here");
  });
}

std::string shape_text(const std::vector<SymInt>& sizes) {
  std::string text = "[";
  for (const SymInt& size : sizes) text += (text.size() > 1 ? ", " : "") + size.text();
  return text + "]";
}

void shapes(const Subject& subject, Report& report) {
  for_each_node_of(subject.program, [&](NodeRef ref, const Node& node) {
    const TensorMeta* meta = tensor_meta(node.val);
    if (node.kind != NodeKind::CallFunction || !meta) return;
    const auto inferred = infer_shape(subject.program.graphs[ref.graph], node);
    if (!inferred) return;
    bool wrong = inferred->size() != meta->sizes.size();
    for (size_t d = 0; !wrong && d < meta->sizes.size(); ++d) wrong = differ((*inferred)[d], meta->sizes[d]);
    if (wrong) report.node(ref, "it is declared as " + shape_text(meta->sizes) + ", from its arguments it is " + shape_text(*inferred));
  });
}

// The number of elements, where all sizes are numbers.
std::optional<double> numel(const std::vector<SymInt>& sizes) {
  double n = 1;
  for (const SymInt& size : sizes) {
    if (size.is_symbolic()) return {};
    n *= double(size.value);
  }
  return n;
}

bool is_reshape(std::string_view target) {
  return target == "torch.ops.aten.view.default" || target == "torch.ops.aten.reshape.default" || target == "torch.ops.aten._unsafe_view.default" ||
         target == "torch.ops.aten.view_copy.default";
}

void elements(const Subject& subject, Report& report) {
  for_each_node_of(subject.program, [&](NodeRef ref, const Node& node) {
    const TensorMeta* meta = tensor_meta(node.val);
    if (node.kind != NodeKind::CallFunction || !meta || !is_reshape(node.target)) return;
    const Argument* self = argument_named(node, "self");
    const NodeId* from = self ? self->as<NodeId>() : nullptr;
    const TensorMeta* before = from ? tensor_meta(subject.program.graphs[ref.graph].node(*from).val) : nullptr;
    const auto n = before ? numel(before->sizes) : std::nullopt, m = numel(meta->sizes);
    if (n && m && *n != *m) report.node(ref, "it makes " + shape_text(meta->sizes) + " of " + shape_text(before->sizes) + ", which has another number of elements");
  });
}

// Views and movements keep the element type.
bool keeps_dtype(std::string_view target) {
  static constexpr std::string_view kOps[] = {"clone.default", "detach.default", "alias.default", "permute.default", "transpose.int", "t.default", "view.default",
                                              "reshape.default", "_unsafe_view.default", "unsqueeze.default", "squeeze.dim", "expand.default", "slice.Tensor",
                                              "select.int", "relu.default", "neg.default", "abs.default"};
  if (!target.starts_with("torch.ops.aten.")) return false;
  for (std::string_view op : kOps)
    if (target.substr(15) == op) return true;
  return false;
}

void dtypes(const Subject& subject, Report& report) {
  for_each_node_of(subject.program, [&](NodeRef ref, const Node& node) {
    const TensorMeta* meta = tensor_meta(node.val);
    if (node.kind != NodeKind::CallFunction || !meta || !keeps_dtype(node.target)) return;
    const Argument* self = argument_named(node, "self");
    const NodeId* from = self ? self->as<NodeId>() : nullptr;
    const TensorMeta* before = from ? tensor_meta(subject.program.graphs[ref.graph].node(*from).val) : nullptr;
    // abs of complex numbers is real.
    if (!before || before->dtype == meta->dtype || is_complex(before->dtype)) return;
    report.node(ref, "it is declared as " + std::string(dtype_name(meta->dtype)) + ", its argument is " + std::string(dtype_name(before->dtype)));
  });
}

constexpr Rule kRules[] = {
    {{"meta.missing", Severity::Warning, "The type and shape of every tensor are declared", "They are known only once the node has run."}, declared},
    {{"meta.shape", Severity::Warning, "Declared shapes are those the operators give", "Computed shapes count; the declaration is wrong or was edited."}, shapes},
    {{"meta.elements", Severity::Warning, "Views keep the number of elements", "The node will fail when it runs."}, elements},
    {{"meta.dtype", Severity::Warning, "Declared types are those the operators give", "Computed types count; the declaration is wrong or was edited."}, dtypes},
};

}  // namespace

std::span<const Rule> meta_rules() { return kRules; }

}  // namespace pt2::verify_detail
