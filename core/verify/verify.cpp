#include "core/verify/verify.h"

#include "core/graph/shown_frame.h"
#include "core/verify/rule.h"

namespace pt2 {

namespace verify_detail {

namespace {

template <class Visit>
void for_each_rule(Visit&& visit) {
  for (auto rules : {structure_rules(), signature_rules(), meta_rules(), dialect_rules(), symbol_rules(), trap_rules()})
    for (const Rule& rule : rules) visit(rule);
}

// `at model.py:12` of the innermost frame; empty where the node has no trace.
std::string source_text(const Node& node) {
  const auto frames = parse_stack_trace(node.meta->stack_trace);
  const SourceFrame* shown = shown_frame(frames);
  if (!shown) return "";
  const SourceFrame& frame = *shown;
  const size_t slash = frame.file.rfind('/');
  return " at " + std::string(slash == std::string_view::npos ? frame.file : frame.file.substr(slash + 1)) + ":" + std::to_string(frame.line);
}

}  // namespace

void Report::add(std::string where, std::string message, NodeRef ref) {
  findings_.push_back({rule_.severity, std::string(rule_.name), std::move(message), std::move(where), std::string(rule_.explanation), ref});
}

void Report::node(NodeRef ref, std::string message) {
  const Graph& graph = program_.graphs[ref.graph];
  const Node& node = graph.node(ref.node);
  const std::string in = graph.name.empty() ? "" : "graph " + quoted(graph.name) + ", ";
  add(in + "node " + quoted(node.name) + source_text(node), std::move(message), ref);
}

void Report::spec(std::string_view list, size_t index, std::string message, NodeRef ref) {
  add("signature, " + std::string(list) + " " + std::to_string(index), std::move(message), ref);
}

void Report::program(std::string message) { add("program " + quoted(program_.name), std::move(message), {}); }

const Argument* argument_named(const Node& node, std::string_view name) {
  for (const NodeArgument& input : node.inputs)
    if (input.name == name) return &input.value;
  return nullptr;
}

bool is_functional(const Program& program) { return program.dialect == "ATEN"; }

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

}  // namespace verify_detail

std::vector<VerifyRule> verify_rules() {
  std::vector<VerifyRule> rules;
  verify_detail::for_each_rule([&](const verify_detail::Rule& rule) { rules.push_back(rule.words); });
  return rules;
}

std::vector<Finding> verify(const Program& program, const Archive* archive) {
  std::vector<Finding> findings;
  const std::vector<TensorInfo> stored = archive ? archive->tensors(program.name) : std::vector<TensorInfo>();
  const verify_detail::Subject subject{program, archive, stored};
  verify_detail::for_each_rule([&](const verify_detail::Rule& rule) {
    verify_detail::Report report(program, rule.words, findings);
    rule.check(subject, report);
  });
  return findings;
}

}  // namespace pt2
