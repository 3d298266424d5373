#include "core/encode/cut_program.h"

#include <algorithm>
#include <deque>
#include <set>

#include "core/decode/decode.h"
#include "core/encode/encode_json.h"
#include "core/encode/encode_program.h"
#include "core/graph/results.h"

namespace pt2 {

namespace {

struct CutError { std::string message; };

const NodeId* call_of(const Node& node) {
  return is_getitem(node) && !node.inputs.empty() ? node.inputs[0].value.as<NodeId>() : nullptr;
}

bool is_token(const Graph& graph, NodeId id) {
  const NodeId* call = call_of(graph.node(id));
  const int64_t* index = call && graph.node(id).inputs.size() > 1 ? graph.node(id).inputs[1].value.as<int64_t>() : nullptr;
  return index && *index == 0 && graph.node(*call).target == "torch.ops.higher_order.with_effects";
}

// A spec of plain positions: ((leaf, leaf), {}) or (leaf, leaf).
std::string tuple_spec(size_t leaves) {
  std::string text = R"({"type": "builtins.tuple", "context": "null", "children_spec": [)";
  for (size_t i = 0; i < leaves; ++i) text += std::string(i ? ", " : "") + R"({"type": null, "context": null, "children_spec": []})";
  return text + "]}";
}

class Cutter {
 public:
  Cutter(const Program& source, const CutRequest& request) : source_(source), graph_(source.graphs[request.graph]), request_(request), inside_(request.nodes.begin(), request.nodes.end()) {}

  CutProgram cut() {
    check_vmap();
    program_.name = "model";
    program_.graphs.push_back({});
    GraphBuilder builder;
    add_inputs(builder);
    for (NodeId id : request_.nodes) add(builder, graph_, id, map_);
    add_outputs(builder);
    program_.graphs[GraphId(0)] = std::move(builder).finish();
    while (!pending_.empty()) {
      const auto [from, to] = pending_.front();
      pending_.pop_front();
      copy_graph(source_.graphs[from], to);
    }
    finish_program();
    // Decoding makes the rest of a program: module tree, names, findings.
    auto json = encode_program(program_);
    if (!json) throw CutError{json.error().message + (json.error().where.empty() ? "" : " (" + json.error().where + ")")};
    auto decoded = decode_program("model", *json, "models/model.json");
    if (!decoded) throw CutError{decoded.error().message};
    result_.program = std::move(*decoded);
    return std::move(result_);
  }

 private:
  using Map = std::unordered_map<NodeId, NodeId>;

  // A traced vmap is a region: what lies in it has values only while it is open.
  void check_vmap() const {
    int open = 0;
    bool region = false;
    for (NodeId id : request_.nodes) {
      const std::string_view target = graph_.node(id).target;
      region |= target.starts_with("torch._functorch.predispatch.");
      open += target.ends_with("._vmap_increment_nesting") - target.ends_with("._vmap_decrement_nesting");
    }
    if (open != 0 || (region && request_.nodes.size() == 1)) throw CutError{"it lies in a traced vmap, which is written as a whole or not at all"};
  }

  std::string_view intern(std::string_view text) { return program_.strings.intern(text); }

  const InputSpec* spec_of(NodeId id) const {
    if (request_.graph != source_.root() || graph_.node(id).kind != NodeKind::Placeholder) return nullptr;
    for (const InputSpec& spec : source_.signature.inputs)
      if (spec.node == id) return &spec;
    return nullptr;
  }

  void add_inputs(GraphBuilder& builder) {
    struct Input { NodeId id; InputKind kind; const InputSpec* spec; };
    std::vector<Input> inputs;
    for (NodeId id : outside_values(graph_, request_.nodes)) {
      if (request_.constants.count(id)) continue;
      const InputSpec* spec = spec_of(id);
      const bool token = is_token(graph_, id) || (spec && spec->kind == InputKind::Token);
      if (!token && !request_.tensors.count(id))
        throw CutError{"\"" + std::string(graph_.node(id).name) + "\" is neither a tensor nor a plain Python value" + (spec && spec->kind == InputKind::CustomObj ? " but a script object" : "")};
      const bool attribute = graph_.node(id).kind == NodeKind::GetAttr;  // 2.1 names constants so
      const InputKind kind = token ? InputKind::Token : attribute ? InputKind::TensorConstant : spec ? spec->kind : InputKind::UserInput;
      inputs.push_back({id, kind, spec});
    }
    auto rank = [](InputKind kind) { return kind == InputKind::Token ? 0 : kind == InputKind::UserInput ? 9 : 1 + int(kind); };
    std::stable_sort(inputs.begin(), inputs.end(), [&](const Input& a, const Input& b) { return rank(a.kind) < rank(b.kind); });
    for (const Input& input : inputs) {
      const Node& original = graph_.node(input.id);
      Node node;
      node.kind = NodeKind::Placeholder;
      node.name = node.stored_name = node.target = intern(original.name);
      node.meta = meta_copy(*original.meta);
      node.val = input.kind == InputKind::Token ? plain(original.val, original.name) : tensor_val(request_.tensors.at(input.id));
      map_[input.id] = builder.add(std::move(node));
      InputSpec& spec = program_.signature.inputs.emplace_back();
      spec.kind = input.kind;
      spec.name = intern(original.name);
      spec.node = map_[input.id];
      if (input.kind != InputKind::UserInput) spec.target = intern(input.spec ? input.spec->target : original.target);
      if (input.spec) spec.persistent = input.spec->persistent;
      if (input.kind != InputKind::Token) result_.inputs.push_back(input.id);
    }
  }

  void add_outputs(GraphBuilder& builder) {
    std::vector<std::pair<OutputKind, NodeId>> outputs;
    std::string truth;
    for (NodeId id : request_.nodes) {
      const Node& node = graph_.node(id);
      if (node.result_count > 0) continue;
      const auto users = graph_.users(id);
      const bool asked = std::find(request_.outputs.begin(), request_.outputs.end(), id) != request_.outputs.end();
      const bool leaves = asked || users.empty() || std::any_of(users.begin(), users.end(), [&](NodeId user) { return !inside_.count(user); });
      if (!leaves) continue;
      const bool token = is_token(graph_, id);
      const bool has_value = !std::holds_alternative<std::monostate>(node.val) || request_.tensors.count(id);
      if (token) {
        outputs.insert(outputs.begin(), {OutputKind::Token, id});
      } else if (const SymMeta* number = sym_meta(node.val); number && number->kind == SymKind::Bool) {
        truth = std::string(node.name);  // PyTorch cannot load a program that returns one
        result_.notes.push_back("\"" + truth + "\" is the truth of a condition and is not among the outputs");
      } else if (has_value) {
        outputs.emplace_back(OutputKind::UserOutput, id);
      }
    }
    if (outputs.empty() && !truth.empty()) throw CutError{"PyTorch cannot load a program that returns the truth of a condition, \"" + truth + "\""};
    Node output;
    output.kind = NodeKind::Output;
    output.name = output.stored_name = output.target = intern("output");
    output.meta = meta_copy({});
    TupleArg values;
    for (const auto& [kind, id] : outputs) {
      values.items.push_back({map_.at(id)});
      OutputSpec& spec = program_.signature.outputs.emplace_back();
      spec.kind = kind;
      spec.value = {map_.at(id)};
      spec.name = intern(graph_.node(id).name);
      if (kind == OutputKind::UserOutput) result_.outputs.push_back(id);
    }
    output.inputs.push_back({intern("result"), {std::move(values)}, false});
    builder.add(std::move(output));
  }

  // A call of `graph`, its sub-graphs' get_attrs before it.
  void add(GraphBuilder& builder, const Graph& graph, NodeId id, Map& map) {
    const Node& original = graph.node(id);
    for (const NodeArgument& input : original.inputs)
      for_each_node(input.value, [&](NodeId read) {
        const Node& source = graph.node(read);
        if (!source.subgraph || map.count(read)) return;
        Node get_attr = copied(source);
        get_attr.subgraph = program_.graphs.push_back({});
        pending_.emplace_back(source.subgraph, get_attr.subgraph);
        map[read] = builder.add(std::move(get_attr));
      });
    Node node = copied(original);
    const bool root = &graph == &graph_;
    if (root && request_.tensors.count(id)) node.val = tensor_val(request_.tensors.at(id));
    else if (root && request_.constants.count(id) && sym_meta(original.val)) node.val = number_val(*sym_meta(original.val), request_.constants.at(id));
    else node.val = plain(original.val, original.name);
    node.result_count = original.result_count;
    for (const NodeArgument& input : original.inputs) node.inputs.push_back({intern(input.name), argument(input.value, map), input.keyword});
    change_arguments(original, node, map);
    map[id] = builder.add(std::move(node));
  }

  void change_arguments(const Node& original, Node& node, Map& map) {
    for (const CutArgument& changed : request_.arguments) {
      if (&source_.node(changed.node) != &original) continue;
      const auto it = std::find_if(node.inputs.begin(), node.inputs.end(), [&](const NodeArgument& input) { return input.name == changed.name; });
      if (it != node.inputs.end()) it->value = argument(changed.value, map);
      else node.inputs.push_back({intern(changed.name), argument(changed.value, map), true});
    }
  }

  void copy_graph(const Graph& from, GraphId to) {
    GraphBuilder builder;
    builder.graph.name = intern(from.name);
    builder.graph.single_return = from.single_return;
    Map map;
    for (size_t i = 0; i < from.nodes().size(); ++i) {
      const NodeId id(i);
      const Node& original = from.node(id);
      if (original.kind == NodeKind::CallFunction) {
        add(builder, from, id, map);
      } else if (original.kind == NodeKind::GetAttr && !original.subgraph) {
        throw CutError{"the constant \"" + std::string(original.name) + "\" has no placeholder"};
      } else if (original.kind != NodeKind::GetAttr) {
        Node node = copied(original);
        node.val = plain(original.val, original.name);
        for (const NodeArgument& input : original.inputs) node.inputs.push_back({intern(input.name), argument(input.value, map), input.keyword});
        map[id] = builder.add(std::move(node));
      }
    }
    program_.graphs[to] = std::move(builder).finish();
  }

  Node copied(const Node& original) {
    Node node;
    node.kind = original.kind;
    node.name = node.stored_name = intern(original.name);
    node.target = intern(original.target);
    node.meta = meta_copy(*original.meta);
    return node;
  }

  const NodeMeta* meta_copy(const NodeMeta& meta) {
    NodeMeta copy;
    copy.stack_trace = intern(meta.stack_trace);
    copy.nn_module_stack = intern(meta.nn_module_stack);
    copy.torch_fn = intern(meta.torch_fn);
    copy.source_fn_stack = intern(meta.source_fn_stack);
    copy.from_node = intern(meta.from_node);
    copy.custom = intern(meta.custom);
    return &program_.node_metas.emplace_back(std::move(copy));
  }

  Device on_cpu(const Device& device) {
    if (device.type != "cpu") result_.notes.push_back("the device " + device_text(device) + " is written as cpu");
    return {};
  }

  ValueMeta tensor_val(TensorMeta meta) {
    meta.device = on_cpu(meta.device);
    meta.requires_grad = false;
    return std::make_shared<const TensorMeta>(std::move(meta));
  }

  static ValueMeta number_val(const SymMeta& like, const Argument& number) {
    auto meta = std::make_shared<SymMeta>();
    meta->kind = like.kind;
    meta->constant = number;
    return std::shared_ptr<const SymMeta>(std::move(meta));
  }

  SymInt plain(const SymInt& size, std::string_view name) const {
    if (!size.is_symbolic()) return size;
    SymInt result;
    if (const auto number = evaluate(*size.expr, request_.symbols); number && std::holds_alternative<int64_t>(*number)) result.value = std::get<int64_t>(*number);
    else if (size.has_hint) result.value = size.value;
    else throw CutError{"the size " + size.text() + " of \"" + std::string(name) + "\" is known only while it runs"};
    return result;
  }

  // Without symbols: as they are in the run.
  ValueMeta plain(const ValueMeta& val, std::string_view name) {
    if (const TensorMeta* meta = tensor_meta(val)) {
      TensorMeta copy = *meta;
      for (SymInt& size : copy.sizes) size = plain(size, name);
      for (SymInt& stride : copy.strides) stride = plain(stride, name);
      copy.storage_offset = plain(copy.storage_offset, name);
      return tensor_val(std::move(copy));
    }
    if (const SymMeta* meta = sym_meta(val)) {
      if (!meta->expr) return number_val(*meta, meta->constant);
      const auto number = evaluate(*meta->expr, request_.symbols);
      if (!number && meta->hint.is_none()) throw CutError{"the number \"" + std::string(name) + "\" is known only while it runs"};
      return number_val(*meta, number ? std::visit([](auto n) { return Argument{n}; }, *number) : meta->hint);
    }
    if (auto* constant = std::get_if<std::shared_ptr<const ConstantMeta>>(&val)) {
      auto copy = std::make_shared<ConstantMeta>();
      copy->value = argument((*constant)->value, {});
      return std::shared_ptr<const ConstantMeta>(std::move(copy));
    }
    if (std::holds_alternative<std::shared_ptr<const CustomObjMeta>>(val)) throw CutError{"\"" + std::string(name) + "\" is a script object"};
    return {};
  }

  // With nodes of the new graph, literals in place of numbers from outside, and texts of the new pool.
  Argument argument(const Argument& given, const Map& map) {
    Argument result;
    std::vector<std::pair<const Argument*, Argument*>> waiting{{&given, &result}};
    while (!waiting.empty()) {
      const auto [from, to] = waiting.back();
      waiting.pop_back();
      auto items = [&, to = to](const std::vector<Argument>& source, auto list) {
        list.items.resize(source.size());
        auto& made = to->value.template emplace<decltype(list)>(std::move(list)).items;
        for (size_t i = 0; i < source.size(); ++i) waiting.emplace_back(&source[i], &made[i]);
      };
      if (auto* id = from->as<NodeId>()) {
        const auto found = map.find(*id);
        if (found != map.end()) to->value = found->second;
        else waiting.emplace_back(&request_.constants.at(*id), to);
      } else if (auto* list = from->as<ListArg>()) items(list->items, ListArg());
      else if (auto* tuple = from->as<TupleArg>()) items(tuple->items, TupleArg());
      else if (auto* dict = from->as<DictArg>()) {
        DictArg made;
        for (const DictItem& item : dict->items) made.items.push_back({intern(item.first), {}});
        auto& members = to->value.emplace<DictArg>(std::move(made)).items;
        for (size_t i = 0; i < members.size(); ++i) waiting.emplace_back(&dict->items[i].second, &members[i].second);
      } else if (auto* text = from->as<std::string_view>()) to->value = intern(*text);
      else if (auto* op = from->as<OperatorArg>()) to->value = OperatorArg{intern(op->name)};
      else if (auto* unknown = from->as<UnknownArg>()) to->value = UnknownArg{intern(unknown->json)};
      else if (auto* device = from->as<Device>()) to->value = on_cpu(*device);
      else *to = *from;
    }
    return result;
  }

  void finish_program() {
    ModuleCall& call = program_.module_call_graph.emplace_back();
    call.has_signature = true;
    size_t inputs = 0, outputs = 0;
    for (const InputSpec& spec : program_.signature.inputs)
      if (spec.kind == InputKind::UserInput) ++inputs, call.forward_arg_names.push_back(spec.name);
    for (const OutputSpec& spec : program_.signature.outputs) outputs += spec.kind == OutputKind::UserOutput;
    call.in_spec = intern(R"([1, {"type": "builtins.tuple", "context": "null", "children_spec": [)" + tuple_spec(inputs) + R"(, {"type": "builtins.dict", "context": "[]", "children_spec": []}]}])");
    call.out_spec = intern("[1, " + tuple_spec(outputs) + "]");
    for (const auto& [name, version] : source_.opset_versions) program_.opset_versions.emplace_back(intern(name), version);
    if (program_.opset_versions.empty()) program_.opset_versions.emplace_back(intern("aten"), 10);
    program_.torch_version = intern(source_.torch_version);
    // TRAINING allows in-place operators; PyTorch takes tokens away in the others only.
    const bool tokens = std::any_of(program_.signature.inputs.begin(), program_.signature.inputs.end(), [](const InputSpec& spec) { return spec.kind == InputKind::Token; });
    program_.verifiers = {intern(tokens ? "ATEN" : "TRAINING")};
    std::sort(result_.notes.begin(), result_.notes.end());
    result_.notes.erase(std::unique(result_.notes.begin(), result_.notes.end()), result_.notes.end());
  }

  const Program& source_;
  const Graph& graph_;
  const CutRequest& request_;
  const std::set<NodeId> inside_;
  Program program_;
  Map map_;
  std::deque<std::pair<GraphId, GraphId>> pending_;
  CutProgram result_;
};

}  // namespace

std::vector<NodeId> whole_calls(const Graph& graph, const std::vector<NodeId>& nodes) {
  std::set<NodeId> whole;
  std::vector<NodeId> pending(nodes.begin(), nodes.end());
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    const Node& node = graph.node(id);
    if (node.kind != NodeKind::CallFunction || !whole.insert(id).second) continue;
    if (const NodeId* call = call_of(node); call && graph.node(*call).result_count > 0) pending.push_back(*call);
    if (node.result_count == 0) continue;
    for (NodeId user : graph.users(id))
      if (const NodeId* call = call_of(graph.node(user)); call && *call == id) pending.push_back(user);
  }
  return {whole.begin(), whole.end()};
}

std::vector<NodeId> outside_values(const Graph& graph, const std::vector<NodeId>& nodes) {
  std::set<NodeId> seen(nodes.begin(), nodes.end());
  std::vector<NodeId> values;
  for (NodeId id : nodes)
    for (const NodeArgument& input : graph.node(id).inputs)
      for_each_node(input.value, [&](NodeId read) {
        if (!graph.node(read).subgraph && seen.insert(read).second) values.push_back(read);
      });
  return values;
}

Result<CutProgram> cut_program(const Program& program, const CutRequest& request) {
  if (request.nodes.empty()) return Error{ErrorKind::Failed, "there is no operator among the nodes to write", "", "Inputs, weights and the output are no operators."};
  try {
    return Cutter(program, request).cut();
  } catch (const CutError& error) {
    return Error{ErrorKind::Failed, "this part cannot be a program of its own: " + error.message, "", ""};
  } catch (const encode::EncodeError& error) {
    return Error{ErrorKind::Failed, "this part cannot be a program of its own: " + error.message, "", ""};
  }
}

}  // namespace pt2
