#include "core/graph/unlift.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "core/graph/caller_paths.h"
#include "core/graph/fx_names.h"
#include "core/graph/op_schema.h"
#include "core/graph/results.h"

namespace pt2 {

namespace {

constexpr std::string_view kCopy = "torch.ops.aten.copy_.default";

// FX's Node.is_impure: what dead code elimination leaves even where nobody reads it.
bool has_side_effect(const Node& node) {
  if (node.kind == NodeKind::Placeholder || node.kind == NodeKind::Output) return true;
  if (node.kind != NodeKind::CallFunction) return false;
  constexpr std::string_view kEffects[] = {"torch.ops.aten._assert_async.msg", "torch.ops.aten._assert_scalar.default",
                                           "torch.ops.aten._assert_tensor_metadata.default", "torch.ops.aten.sym_constrain_range.default",
                                           "torch.ops.aten.sym_constrain_range_for_size.default", "torch.ops.aten._print.default",
                                           "torch.ops.higher_order.print", "torch.ops.higher_order.call_torchbind",
                                           "torch.ops.higher_order.invoke_leaf_function", "torch.ops.aten._linalg_check_errors.default",
                                           "_operator.setitem", "torch._C._set_grad_enabled",
                                           "torch.amp.autocast_mode._enter_autocast", "torch.amp.autocast_mode._exit_autocast"};
  if (std::find(std::begin(kEffects), std::end(kEffects), node.target) != std::end(kEffects)) return true;
  if (node.target.starts_with("torch.ops.profiler._record_function")) return true;
  const OpSchema* schema = find_op_schema(node.target);
  if (!schema) return false;
  return schema->has_tag("nondeterministic_seeded") ||
         std::any_of(schema->parameters.begin(), schema->parameters.end(), [](const SchemaParameter& p) { return p.type.writes(); });
}

constexpr std::string_view kWithEffects = "torch.ops.higher_order.with_effects";

// with_effects(token, operator, arguments …) → (token, results …) keeps operators with side effects in order; modules do without.
Node without_token(const Node& node) {
  Node call = node;
  size_t positional = 0;
  std::erase_if(call.inputs, [&](const NodeArgument& input) { return !input.keyword && positional++ < 2; });
  for (const NodeArgument& input : node.inputs)
    if (const auto* op = input.value.as<OperatorArg>(); op && call.target == kWithEffects) call.target = op->name;
  return call;
}

// The index a getitem takes of a with_effects node.
std::optional<int64_t> effects_index(const Graph& graph, const Node& node) {
  if (!is_getitem(node) || node.inputs.size() != 2) return std::nullopt;
  const NodeId* from = node.inputs[0].value.as<NodeId>();
  const int64_t* index = node.inputs[1].value.as<int64_t>();
  if (!from || !index || graph.node(*from).target != kWithEffects) return std::nullopt;
  return *index;
}

// Which nodes remain once tokens are gone, then those that nobody reads, then those that only they read, and so on.
std::vector<bool> live_nodes(const Graph& graph, const std::vector<bool>& is_token) {
  std::vector<bool> live(graph.nodes().size());
  for (size_t i = live.size(); i-- > 0;) {
    if (is_token[i]) continue;
    const Node& node = graph.node(NodeId(i));
    const auto users = graph.users(NodeId(i));
    live[i] = has_side_effect(node.target == kWithEffects ? without_token(node) : node) ||
              std::any_of(users.begin(), users.end(), [&](NodeId user) { return live[user.index]; });
  }
  return live;
}

bool is_lifted(InputKind kind) {
  return kind == InputKind::Parameter || kind == InputKind::Buffer || kind == InputKind::TensorConstant || kind == InputKind::CustomObj;
}

class Unlifter {
 public:
  Unlifter(const Program& original, Program& result, GuardsNode guards)
      : original_(original), graph_(original.root_graph()), names_(result.strings), guards_(guards), renamed_(graph_.nodes().size()) {
    for (size_t i = 0; i < graph_.nodes().size(); ++i) copied_names_.push_back(names_.create(graph_.node(NodeId(i)).name));
    for (const InputSpec& input : original.signature.inputs)
      if (input.node && is_lifted(input.kind)) lifted_.emplace(input.node.index, input.target);
  }

  std::vector<NodeId> run() {
    // PyTorch cleans functional programs on the way.
    const bool training = original_.dialect == "TRAINING";
    if (!training) find_tokens();
    const std::vector<bool> live = training ? std::vector<bool>(graph_.nodes().size(), true) : live_nodes(graph_, is_token_);
    name_attributes();
    // Names are given in the order in which PyTorch adds nodes: copies of mutations come before the guards.
    std::vector<std::string_view> copy_names;
    for (const OutputSpec& output : original_.signature.outputs)
      if (is_mutation(output.kind)) copy_names.push_back(names_.create("copy_.default"));
    names_.create("output");
    for (size_t i = 0; i + 1 < graph_.nodes().size(); ++i) {
      if (i == graph_.placeholder_count()) add_guards();
      if (live[i]) add_node(NodeId(i));
    }
    if (graph_.placeholder_count() + 1 == graph_.nodes().size()) add_guards();
    add_output(copy_names);
    return std::move(source_);
  }

  Graph finish() && {
    builder_.graph.name = graph_.name;
    return std::move(builder_).finish();
  }

 private:
  void find_tokens() {
    is_token_.resize(graph_.nodes().size());
    for (const InputSpec& input : original_.signature.inputs)
      if (input.node && input.kind == InputKind::Token) is_token_[input.node.index] = true;
    for (size_t i = 0; i < graph_.nodes().size(); ++i) {
      const Node& node = graph_.node(NodeId(i));
      if (effects_index(graph_, node) == 0) is_token_[i] = true;
      if (node.target == kWithEffects) copied_names_[i] = names_.create(name_from_target(without_token(node).target));
    }
  }

  // How many results the operator in a with_effects node has.
  static size_t result_count(const Node& with_effects) {
    const OpSchema* schema = find_op_schema(without_token(with_effects).target);
    return schema ? schema->returns.size() : std::max<size_t>(with_effects.result_count, 1) - 1;
  }

  void name_attributes() {
    for (size_t i = 0; i < graph_.placeholder_count(); ++i)
      if (auto it = lifted_.find(uint32_t(i)); it != lifted_.end()) attribute_names_[uint32_t(i)] = names_.create(name_from_placeholder(it->second));
  }

  NodeId add(Node node, NodeId source) {
    source_.push_back(source);
    return builder_.add(std::move(node));
  }

  Argument renamed(Argument argument) const {
    std::vector<Argument*> pending{&argument};
    while (!pending.empty()) {
      Argument* a = pending.back();
      pending.pop_back();
      if (auto* id = std::get_if<NodeId>(&a->value)) *id = renamed_[id->index];
      else if (auto* list = std::get_if<ListArg>(&a->value)) for (Argument& item : list->items) pending.push_back(&item);
      else if (auto* tuple = std::get_if<TupleArg>(&a->value)) for (Argument& item : tuple->items) pending.push_back(&item);
      else if (auto* dict = std::get_if<DictArg>(&a->value)) for (auto& item : dict->items) pending.push_back(&item.second);
    }
    return argument;
  }

  void add_node(NodeId id) {
    Node node = graph_.node(id);
    if (!is_token_.empty()) {
      if (node.target == kWithEffects) node = without_token(node);
      if (const auto index = effects_index(graph_, node)) {
        const NodeId from = *node.inputs[0].value.as<NodeId>();
        if (result_count(graph_.node(from)) == 1) {
          renamed_[id.index] = renamed_[from.index];  // the call itself is its result now
          return;
        }
        node.inputs[1].value = {*index - 1};
      }
    }
    node.name = node.stored_name = copied_names_[id.index];
    for (NodeArgument& input : node.inputs) input.value = renamed(std::move(input.value));
    if (auto it = lifted_.find(id.index); it != lifted_.end()) {
      node.kind = NodeKind::GetAttr;
      node.name = node.stored_name = attribute_names_.at(id.index);
      node.target = it->second;
    } else if (node.kind == NodeKind::Placeholder) {
      inputs_.push_back(NodeId(builder_.nodes().size()));
    }
    renamed_[id.index] = add(std::move(node), id);
  }

  void add_guards() {
    if (guards_ == GuardsNode::None || inputs_.empty()) return;
    Node node;
    node.name = node.stored_name = names_.create(kGuardsTarget);
    node.target = kGuardsTarget;
    for (const NodeId input : inputs_) node.inputs.push_back({"", {input}, false});
    node.meta = graph_.node(graph_.output()).meta;
    add(std::move(node), NodeId());
  }

  // The node a mutation writes to: a lifted input by its full name, a user input by its name.
  NodeId mutated_node(const OutputSpec& output) const {
    for (const InputSpec& input : original_.signature.inputs) {
      const bool user_input = input.kind == InputKind::UserInput;
      if (input.node && user_input == (output.kind == OutputKind::UserInputMutation) && (user_input ? input.name : input.target) == output.target)
        return renamed_[input.node.index];
    }
    return {};
  }

  void add_output(const std::vector<std::string_view>& copy_names) {
    Node output = graph_.node(graph_.output());
    const Argument& returned = output.inputs.at(0).value;
    std::vector<Argument> values;
    if (auto* tuple = returned.as<TupleArg>()) values = tuple->items;
    else if (auto* list = returned.as<ListArg>()) values = list->items;
    else values.push_back(returned);
    std::unordered_map<uint32_t, NodeId> copies;  // by original node
    TupleArg user_outputs;
    size_t copy_count = 0;
    const auto& specs = original_.signature.outputs;
    const auto is_token = [&](size_t i) { return !is_token_.empty() && i < specs.size() && specs[i].kind == OutputKind::Token; };
    for (size_t i = 0; i < values.size(); ++i) {
      if (i >= specs.size() || !is_mutation(specs[i].kind)) continue;
      const std::string_view name = copy_names[copy_count++];
      const NodeId target = mutated_node(specs[i]);
      if (!target) continue;
      Node copy;
      copy.name = copy.stored_name = name;
      copy.target = kCopy;
      copy.inputs = {{"self", {target}, false}, {"src", renamed(values[i]), false}};
      copy.meta = output.meta;
      const NodeId id = add(std::move(copy), NodeId());
      if (auto* node = values[i].as<NodeId>()) copies[node->index] = id;
    }
    for (size_t i = 0; i < values.size(); ++i) {
      if (is_token(i) || (i < specs.size() && is_mutation(specs[i].kind))) continue;
      const NodeId* node = values[i].as<NodeId>();
      const auto copy = node ? copies.find(node->index) : copies.end();
      user_outputs.items.push_back(copy != copies.end() ? Argument{copy->second} : renamed(values[i]));
    }
    output.inputs[0].value = {std::move(user_outputs)};
    add(std::move(output), graph_.output());
  }

  const Program& original_;
  const Graph& graph_;
  FxNames names_;
  GuardsNode guards_;
  GraphBuilder builder_;
  std::vector<std::string_view> copied_names_;                      // by original node
  std::unordered_map<uint32_t, std::string_view> lifted_;           // by placeholder: the attribute
  std::unordered_map<uint32_t, std::string_view> attribute_names_;  // by placeholder: the name of its get_attr node
  std::vector<bool> is_token_;                                      // by original node; empty where tokens stay
  std::vector<NodeId> renamed_, source_, inputs_;
};

// What holds for the program itself stays; signature entries now belong to get_attr nodes.
struct Shared {
  std::shared_ptr<const Program> original;
  Program program;
};

// The nodes of the root graph that name sub-graphs have other ids now.
void name_parents(Program& program, const std::vector<NodeId>& source) {
  for (size_t g = 1; g < program.graphs.size(); ++g) {
    Graph& graph = program.graphs[GraphId(g)];
    if (graph.parent != program.root() || !graph.parent_node) continue;
    const auto at = std::find(source.begin(), source.end(), graph.parent_node);
    graph.parent_node = at == source.end() ? NodeId() : NodeId(size_t(at - source.begin()));
  }
}

}  // namespace

UnliftedProgram unlift(std::shared_ptr<const Program> original, GuardsNode guards) {
  auto shared = std::make_shared<Shared>();
  Program& program = shared->program;
  const Program& from = *original;
  program.name = from.name;
  program.graphs = from.graphs;
  program.range_constraints = from.range_constraints;
  program.modules = from.modules;
  program.module_call_graph = from.module_call_graph;
  program.namedtuple_fields = from.namedtuple_fields;
  program.schema_version = from.schema_version;
  program.torch_version = from.torch_version;
  program.dialect = from.dialect;
  program.verifiers = from.verifiers;
  program.opset_versions = from.opset_versions;
  program.guards_code = from.guards_code;
  program.graph_metadata_custom = from.graph_metadata_custom;

  Unlifter unlifter(from, program, guards);
  UnliftedProgram result;
  result.source = unlifter.run();
  program.graphs[from.root()] = std::move(unlifter).finish();
  name_parents(program, result.source);
  shared->original = std::move(original);
  result.program = std::shared_ptr<const Program>(shared, &shared->program);
  return result;
}

}  // namespace pt2
