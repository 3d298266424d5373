#include <map>

#include "core/verify/rule.h"

namespace pt2::verify_detail {

namespace {

std::string_view short_name(std::string_view target) { return target.starts_with("torch.ops.") ? target.substr(10) : target; }

void functional(const Subject& subject, Report& report) {
  if (!is_functional(subject.program)) return;
  for_each_node_of(subject.program, [&](NodeRef ref, const Node& node) {
    const OpSchema* schema = node.kind == NodeKind::CallFunction ? find_op_schema(node.target) : nullptr;
    if (!schema) return;
    for (const SchemaParameter& parameter : schema->parameters)
      if (parameter.type.writes()) return report.node(ref, std::string(short_name(node.target)) + " writes to its argument " + quoted(parameter.name));
  });
}

bool is_operator(std::string_view target) { return target.starts_with("torch.ops.") && !target.starts_with("torch.ops.higher_order."); }

void known(const Subject& subject, Report& report) {
  std::map<std::string_view, NodeRef> unknown;
  for_each_node_of(subject.program, [&](NodeRef ref, const Node& node) {
    if (node.kind == NodeKind::CallFunction && node.target.starts_with("torch.ops.") && !is_known_op(node.target)) unknown.emplace(node.target, ref);
  });
  for (const auto& [target, ref] : unknown) report.node(ref, "the operator " + std::string(short_name(target)) + " is none of PyTorch's own");
}

void core_aten(const Subject& subject, Report& report) {
  if (!is_functional(subject.program)) return;
  std::map<std::string_view, std::pair<NodeRef, size_t>> others;
  for_each_node_of(subject.program, [&](NodeRef ref, const Node& node) {
    const OpSchema* schema = node.kind == NodeKind::CallFunction && is_operator(node.target) ? find_op_schema(node.target) : nullptr;
    if (schema && !schema->has_tag("core")) ++others.try_emplace(node.target, ref, 0).first->second.second;
  });
  for (const auto& [target, where] : others)
    report.node(where.first, std::string(short_name(target)) + " is no core operator" + (where.second > 1 ? " (" + std::to_string(where.second) + " calls)" : ""));
}

constexpr Rule kRules[] = {
    {{"dialect.functional", Severity::Error, "Programs of the ATen dialect write to nothing", "Such programs return what changed; a backend may reorder or share values."}, functional},
    {{"dialect.known", Severity::Warning, "Every operator is known", "It comes from a library of its own and cannot be run here. What it returns can be given (run --values); what it writes to its arguments has no value."}, known},
    {{"dialect.core", Severity::Note, "Programs of the ATen dialect use core operators only",
      "Backends that take core ATen may refuse it; run_decompositions() replaces most of them."}, core_aten},
};

}  // namespace

std::span<const Rule> dialect_rules() { return kRules; }

}  // namespace pt2::verify_detail
