#include "views/workspace/graph_scene_parts.h"

#include <algorithm>

#include "core/base/display.h"
#include "core/graph/written_memory.h"
#include "views/workspace/labels.h"

namespace pt2::views {
namespace {

constexpr size_t kLabelCharacters = 44;

}  // namespace

SceneParts::SceneParts(std::shared_ptr<const Program> shown_program, std::shared_ptr<const ScopeTree> shown_tree, const GraphView& view, const MeasureText& measure_text)
    : program(*shown_program), tree(*shown_tree), measure(measure_text), texts(std::make_shared<StringPool>()) {
  scene.program = std::move(shown_program);
  scene.tree = std::move(shown_tree);
  scene.view = view;
  input_of.assign(program.root_graph().nodes().size(), nullptr);
  for (const InputSpec& input : program.signature.inputs)
    if (input.node && input.kind != InputKind::UserInput && input.kind != InputKind::Token) input_of[input.node.index] = &input;
  for (const OutputSpec& output : program.signature.outputs) {
    const bool mutation = output.kind == OutputKind::BufferMutation || output.kind == OutputKind::ParameterMutation || output.kind == OutputKind::UserInputMutation;
    const NodeId* value = output.value.as<NodeId>();
    if (!value) continue;
    if (mutation) mutations.emplace(*value, &output);
    else returned.insert(*value);
    if (const NodeId input = written_by(output)) written.insert(input);
  }
  const Graph& root = program.root_graph();
  for (size_t i = 0; i < root.nodes().size(); ++i)
    if (std::vector<NodeId> inputs = inputs_written_by(root, root.node(NodeId(i))); !inputs.empty()) {
      written.insert(inputs.begin(), inputs.end());
      writes.emplace(NodeId(i), std::move(inputs));
    }
}

NodeId SceneParts::written_by(const OutputSpec& output) const {
  const bool of_input = output.kind == OutputKind::UserInputMutation;
  if (!of_input && output.kind != OutputKind::BufferMutation && output.kind != OutputKind::ParameterMutation) return {};
  for (const InputSpec& input : program.signature.inputs)
    if ((input.kind == InputKind::UserInput) == of_input && (of_input ? input.name : input.target) == output.target) return input.node;
  return {};
}

std::string_view SceneParts::shown(std::string_view text, TextStyle style, float most) {
  if (width(style, text) <= most && std::all_of(text.begin(), text.end(), [](unsigned char c) { return c >= 0x20 && c < 0x7F; })) return text;
  std::string cut = display(text);
  if (width(style, cut) > most) {
    size_t keep = size_t(float(text.size()) * most / width(style, cut));
    do cut = display_cut(text, keep);
    while (width(style, cut) > most && keep-- > 4);
  }
  return texts->intern(cut);
}

NodeId SceneParts::getitem_source(NodeRef ref) const {
  const Node& node = program.node(ref);
  if (view().show_getitem || !is_getitem(node) || node.inputs.size() != 2) return {};
  const NodeId* source = node.inputs[0].value.as<NodeId>();
  if (!source || !node.inputs[1].value.is<int64_t>()) return {};
  return graph(ref.graph).node(*source).kind == NodeKind::CallFunction ? *source : NodeId();
}

std::string_view SceneParts::type_text(NodeRef value) {
  const ValueMeta& meta = program.node(value).val;
  const void* key = std::visit([](const auto& m) -> const void* {
    if constexpr (std::is_same_v<std::decay_t<decltype(m)>, std::monostate>) return nullptr;
    else return m.get();
  }, meta);
  if (!key) return {};
  auto [it, fresh] = types_.try_emplace(key);
  if (fresh) it->second = keep(display_cut(type_label(meta), kLabelCharacters));
  return it->second;
}

}  // namespace pt2::views
