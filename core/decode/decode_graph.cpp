#include "core/decode/decode_graph.h"

#include "core/base/limits.h"
#include "core/base/text.h"

namespace pt2::decode {

namespace {

constexpr std::string_view kValueTables[] = {"tensor_values", "sym_int_values", "sym_float_values", "sym_bool_values", "custom_obj_values"};

}  // namespace

std::string_view name_in(JsonCursor value) { return value.is_string() ? value.as_string() : value.at("name").as_string(); }

std::string GraphDecoder::here(const std::string& path) const {
  std::string where = graph_.where + item_;
  if (!argument_.empty()) return where + ", argument \"" + argument_ + "\"";
  if (path.empty()) return where;
  return item_.empty() ? where + path : where + ": " + path;
}

void GraphDecoder::odd(std::string rule, std::string message, const std::string& path, std::string advice) {
  context_.finding(Severity::Warning, std::move(rule), std::move(message), here(path), std::move(advice),
                   {graph_.id, NodeId(builder_.nodes().size())});
}

NodeId GraphDecoder::add(Node node) {
  if (++context_.node_count > limits::kNodes)
    throw DecodeError{"more than " + with_commas(limits::kNodes) + " nodes (limit)", here(), "", true};
  if (!node.meta) node.meta = metas_.no_node_meta();
  if (!node.module) node.module = ModuleId(0);
  return builder_.add(std::move(node));
}

void GraphDecoder::define(std::string_view stored_name, NodeId id) {
  if (!values_.emplace(stored_name, id).second)
    throw DecodeError{"the value \"" + std::string(stored_name) + "\" is defined a second time", here(),
                      "Values have one definition. Export the program again; if the file was edited, check that name."};
  Node& node = builder_.node(id);
  node.name = node.stored_name = stored_name;
  if (auto it = table_.find(stored_name); it != table_.end()) node.val = it->second;
}

void GraphDecoder::expect_meta(NodeId id) {
  const Node& node = builder_.node(id);
  if (!std::holds_alternative<std::monostate>(node.val) || table_.count(node.stored_name)) return;
  context_.finding(Severity::Warning, "format.value-meta", "the file says nothing about the value \"" + std::string(node.stored_name) + "\": its type and shape are unknown",
                   here(), "", {graph_.id, id});
}

void GraphDecoder::decode(const PendingGraph& graph) {
  graph_ = graph;
  JsonReader& reader = context_.reader;
  const Graph& declared = context_.program.graphs[graph.id];
  builder_.graph.name = declared.name;
  builder_.graph.parent = declared.parent;
  builder_.graph.parent_node = declared.parent_node;
  try {
    Members members;
    reader.seek(graph.offset);
    if (reader.peek() != JsonKind::Object) throw DecodeError{"expected a graph, found another kind of value", here(), ""};
    reader.begin_object();
    std::string_view key;
    while (reader.next_member(key)) {
      std::string name(key);
      if (reader.peek() != JsonKind::Null) members.insert_or_assign(std::move(name), reader.offset());
      reader.skip();
    }
    read_members(members);
  } catch (const JsonError& error) {
    throw DecodeError{error.message, here(error.path), "The graph cannot be shown. Export the program again; if the file was edited, check this place.",
                      error.limit};
  }
  context_.program.graphs[graph.id] = std::move(builder_).finish();
}

// Tables before nodes, whatever their order in the file.
void GraphDecoder::read_members(const Members& members) {
  JsonReader& reader = context_.reader;
  auto go_to = [&](std::string_view key) {
    auto it = members.find(key);
    if (it == members.end()) return false;
    reader.seek(it->second);
    item_ = key;
    return true;
  };
  for (std::string_view key : kValueTables)
    if (go_to(key)) metas_.read_table(key, graph_.where, table_);
  if (go_to("constants")) {
    reader.begin_object();
    std::string_view name;
    while (reader.next_member(name)) {
      attribute_constants_.insert(context_.intern(name));
      reader.skip();
    }
  }
  for (std::string_view key : {"inputs", "nodes", "outputs"}) {
    item_.clear();
    if (!members.count(key)) throw JsonError{"\"" + std::string(key) + "\" is missing", ""};
  }
  if (go_to("inputs")) read_inputs();
  if (go_to("nodes")) read_nodes();
  bool single_return = false;
  if (go_to("is_single_tensor_return")) single_return = tree_.read(reader).as_bool();
  if (go_to("outputs")) read_outputs(single_return);
}

void GraphDecoder::read_inputs() {
  JsonReader& reader = context_.reader;
  reader.begin_array();
  for (size_t i = 0; reader.next_element(); ++i) {
    item_ = "inputs[" + std::to_string(i) + "]";
    add_placeholder(tree_.read(reader), i);
  }
}

void GraphDecoder::add_placeholder(JsonCursor input, size_t index) {
  const auto set = union_member(input);
  if (!set) input.fail("expected an argument, found an empty union");
  Node node;
  node.kind = NodeKind::Placeholder;
  std::string_view name;
  if (set->key == "as_sym_int" || set->key == "as_sym_float" || set->key == "as_sym_bool") {
    if (auto member = set->value.find("as_name")) name = member->as_string();
  } else if (set->key == "as_custom_obj" && !set->value.find("name")) {
    name = {};  // 2.1: {"blob": …}
  } else if (set->value.is_object()) {
    name = name_in(set->value);
  }
  if (!name.empty()) {
    node.target = context_.intern(name);
    names_.create(name_from_placeholder(name));
    const NodeId id = add(std::move(node));
    define(builder_.node(id).target, id);
    const auto& specs = context_.program.signature.inputs;
    const bool token = graph_.id == GraphId(0) && index < specs.size() && specs[index].kind == InputKind::Token;
    if (set->key == "as_tensor" && !token) expect_meta(id);
    return;
  }
  // A constant: its name stands in the signature. The loader looks there for nested graphs, too.
  const auto& specs = context_.program.signature.inputs;
  const std::string stored = index < specs.size() && !specs[index].name.empty() ? std::string(specs[index].name) : "arg" + std::to_string(index);
  node.target = node.stored_name = context_.intern(stored);
  node.name = names_.create(name_from_placeholder(stored));
  node.val = std::make_shared<const ConstantMeta>(ConstantMeta{argument(input)});
  add(std::move(node));
}

void GraphDecoder::read_nodes() {
  static constexpr JsonTree::RawMember kRaw[] = {{"", "metadata"}, {"as_graph", "graph"}};
  JsonReader& reader = context_.reader;
  reader.begin_array();
  for (size_t i = 0; reader.next_element(); ++i) {
    if (i % 1024 == 0 && context_.stop.stop_requested()) throw DecodeStopped{};
    item_ = "nodes[" + std::to_string(i) + "]";
    read_node(tree_.read(reader, kRaw));
    argument_.clear();
  }
}

void GraphDecoder::read_outputs(bool single_return) {
  JsonReader& reader = context_.reader;
  TupleArg outputs;
  reader.begin_array();
  for (size_t i = 0; reader.next_element(); ++i) {
    item_ = "outputs[" + std::to_string(i) + "]";
    outputs.items.push_back(argument(tree_.read(reader)));
  }
  Node node;
  node.kind = NodeKind::Output;
  node.target = context_.intern("output");
  node.name = node.stored_name = names_.create("output");
  builder_.graph.single_return = single_return && outputs.items.size() == 1;
  if (builder_.graph.single_return) node.inputs.push_back({"", std::move(outputs.items[0]), false});
  else node.inputs.push_back({"", {std::move(outputs)}, false});
  add(std::move(node));
}

}  // namespace pt2::decode
