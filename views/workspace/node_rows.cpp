#include "views/workspace/node_rows.h"

#include <algorithm>

#include "core/base/display.h"
#include "core/graph/shown_frame.h"
#include "views/workspace/labels.h"
#include "views/workspace/op_family.h"

namespace pt2::views {

namespace {

std::string sizes_text(const std::vector<SymInt>& sizes) {
  std::string text = "[";
  for (const SymInt& size : sizes) text += (text.size() > 1 ? ", " : "") + display(size.text());
  return text + "]";
}

struct Fact {
  std::string name, text;
  const Argument* argument = nullptr;  // what the text is of
};

// `value`: whose dtype and shape are told.
std::vector<Fact> facts_of(const Program& program, NodeRef ref, NodeRef value) {
  std::vector<Fact> facts;
  const Graph& graph = program.graphs[ref.graph];
  const Node& node = graph.node(ref.node);
  const ValueMeta& val = program.node(value.node ? value : ref).val;
  facts.push_back({"operator", node.kind == NodeKind::CallFunction ? display(short_target(node.target)) : node.kind == NodeKind::Placeholder ? "placeholder" : display(node.target)});
  for (size_t i = 0; i < node.inputs.size(); ++i)
    facts.push_back({node.inputs[i].name.empty() ? "argument " + std::to_string(i) : display(node.inputs[i].name), argument_label(graph, node.inputs[i].value), &node.inputs[i].value});
  if (const TensorMeta* meta = tensor_meta(val)) {
    facts.push_back({"dtype", std::string(dtype_name(meta->dtype))});
    facts.push_back({"shape", sizes_text(meta->sizes)});
    facts.push_back({"strides", sizes_text(meta->strides)});
    facts.push_back({"device", display(device_text(meta->device))});
    facts.push_back({"requires_grad", meta->requires_grad ? "yes" : "no"});
  } else if (const std::string type = type_label(val); !type.empty()) {
    facts.push_back({"value", type});
  }
  if (node.result_count) facts.push_back({"results", std::to_string(node.result_count)});
  if (const auto& modules = program.modules.modules; modules.contains(node.module) && modules[node.module].parent) facts.push_back({"module", display(modules[node.module].path)});
  if (const auto frames = parse_stack_trace(node.meta->stack_trace); const SourceFrame* frame = shown_frame(frames))
    facts.push_back({"source", display(frame->file.substr(frame->file.rfind('/') + 1)) + ":" + std::to_string(frame->line)});
  for (const auto& [name, text] : {std::pair<const char*, std::string_view>("torch_fn", node.meta->torch_fn), {"custom", node.meta->custom}})
    if (!text.empty()) facts.push_back({name, display_cut(text, 200)});
  return facts;
}

bool names_values(const Argument& argument) {
  bool any = false;
  for_each_node(argument, [&](NodeId) { any = true; });
  return any;
}

// Whether two arguments are the same but for the names of values, and those belong together.
bool belong_together(const Graph& left, const Argument& a, const Graph& right, const Argument& b, const NodeRowOptions& options) {
  if (!options.belong_together) return false;
  const auto x = argument_pieces(left, a), y = argument_pieces(right, b);
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [&](const LabelPiece& l, const LabelPiece& r) {
    return l.node && r.node ? options.belong_together(l.node, r.node) : !l.node && !r.node && l.text == r.text;
  });
}

}  // namespace

std::vector<NodeRow> node_rows(const Program& left, NodeRef a, const Program& right, NodeRef b, const NodeRowOptions& options) {
  std::vector<NodeRow> rows;
  const std::vector<Fact> ours = facts_of(left, a, options.left_value), theirs = facts_of(right, b, options.right_value);
  for (const Fact& fact : ours) rows.push_back({fact.name, fact.text, "", fact.argument != nullptr, fact.argument && !names_values(*fact.argument)});
  // Other operators have other arguments: that one of them lacks one says no more than the operator does.
  const bool other_operator = ours.front().text != theirs.front().text;
  for (NodeRow& row : rows) row.same = row.name == "results" || (row.argument && other_operator);
  size_t after = 0;
  for (const Fact& fact : theirs) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const NodeRow& row) { return row.name == fact.name && row.right.empty() && row.argument == (fact.argument != nullptr); });
    if (found == rows.end()) {
      rows.insert(rows.begin() + std::ptrdiff_t(after++), {fact.name, "", fact.text, fact.argument != nullptr, fact.argument && !names_values(*fact.argument), fact.name == "results" || (fact.argument && other_operator)});
      continue;
    }
    found->right = fact.text;
    const size_t index = size_t(found - rows.begin());
    after = index + 1;
    found->same = false;
    if (!fact.argument) continue;
    const auto own = std::find_if(ours.begin(), ours.end(), [&](const Fact& f) { return f.argument && f.name == fact.name; });
    found->literal = found->literal && !names_values(*fact.argument);
    found->same = belong_together(left.graphs[a.graph], *own->argument, right.graphs[b.graph], *fact.argument, options);
  }
  std::stable_partition(rows.begin(), rows.end(), [](const NodeRow& row) { return row.argument && row.literal && row.differs(); });
  return rows;
}

}  // namespace pt2::views
