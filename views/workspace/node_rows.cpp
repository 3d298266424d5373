#include "views/workspace/node_rows.h"

#include <algorithm>

#include "core/base/display.h"
#include "views/workspace/labels.h"
#include "views/workspace/op_family.h"

namespace pt2::views {

namespace {

std::string sizes_text(const std::vector<SymInt>& sizes) {
  std::string text = "[";
  for (const SymInt& size : sizes) text += (text.size() > 1 ? ", " : "") + display(size.text());
  return text + "]";
}

std::vector<std::pair<std::string, std::string>> facts_of(const Program& program, NodeRef ref) {
  std::vector<std::pair<std::string, std::string>> facts;
  const Graph& graph = program.graphs[ref.graph];
  const Node& node = graph.node(ref.node);
  facts.emplace_back("operator", node.kind == NodeKind::CallFunction ? display(short_target(node.target)) : node.kind == NodeKind::Placeholder ? "placeholder" : display(node.target));
  for (size_t i = 0; i < node.inputs.size(); ++i)
    facts.emplace_back(node.inputs[i].name.empty() ? "argument " + std::to_string(i) : display(node.inputs[i].name), argument_label(graph, node.inputs[i].value));
  if (const TensorMeta* meta = tensor_meta(node.val)) {
    facts.emplace_back("dtype", std::string(dtype_name(meta->dtype)));
    facts.emplace_back("shape", sizes_text(meta->sizes));
    facts.emplace_back("strides", sizes_text(meta->strides));
    facts.emplace_back("device", display(device_text(meta->device)));
    facts.emplace_back("requires_grad", meta->requires_grad ? "yes" : "no");
  } else if (const std::string type = type_label(node.val); !type.empty()) {
    facts.emplace_back("value", type);
  }
  if (node.result_count) facts.emplace_back("results", std::to_string(node.result_count));
  if (const auto& modules = program.modules.modules; modules.contains(node.module) && modules[node.module].parent) facts.emplace_back("module", display(modules[node.module].path));
  if (const auto frames = parse_stack_trace(node.meta->stack_trace); !frames.empty())
    facts.emplace_back("source", display(frames.back().file.substr(frames.back().file.rfind('/') + 1)) + ":" + std::to_string(frames.back().line));
  for (const auto& [name, text] : {std::pair<const char*, std::string_view>("torch_fn", node.meta->torch_fn), {"custom", node.meta->custom}})
    if (!text.empty()) facts.emplace_back(name, display_cut(text, 200));
  return facts;
}

}  // namespace

std::vector<NodeRow> node_rows(const Program& left, NodeRef a, const Program& right, NodeRef b) {
  std::vector<NodeRow> rows;
  for (auto& [name, text] : facts_of(left, a)) rows.push_back({name, text, ""});
  size_t after = 0;
  for (auto& [name, text] : facts_of(right, b)) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&, &name = name](const NodeRow& row) { return row.name == name && row.right.empty(); });
    if (found != rows.end()) {
      found->right = text;
      after = size_t(found - rows.begin()) + 1;
    } else {
      rows.insert(rows.begin() + std::ptrdiff_t(after++), {name, "", text});
    }
  }
  return rows;
}

}  // namespace pt2::views
