// Arguments: every kind of the schema, old spellings included.
#include "core/base/limits.h"
#include "core/decode/decode_graph.h"

namespace pt2::decode {

namespace {

template <class Each>
Argument list_of(JsonCursor items, Each&& each) {
  ListArg list;
  for (JsonCursor item : items.elements()) list.items.push_back(each(item));
  return {std::move(list)};
}

Argument int_of(JsonCursor value) {
  // Up to 2.5 a bool constant is written {"as_int": true}.
  if (value.kind() == JsonKind::Bool) return {value.as_bool()};
  return {value.as_int()};
}
Argument float_of(JsonCursor value) { return {value.as_float()}; }
Argument bool_of(JsonCursor value) { return {value.as_bool()}; }

// A wrong literal concerns only the call it belongs to; a wrong reference to a value breaks the graph.
bool is_literal_kind(std::string_view key) {
  static constexpr std::string_view kLiterals[] = {"as_int", "as_ints", "as_float", "as_floats", "as_bool", "as_bools", "as_string", "as_strings",
                                                   "as_complex", "as_scalar_type", "as_memory_format", "as_layout", "as_device", "as_operator",
                                                   "as_int_lists", "as_float_lists"};
  for (std::string_view literal : kLiterals)
    if (key == literal) return true;
  return false;
}

}  // namespace

// Dicts may hold dicts: what is inside waits in a list, so that depth costs no stack.
Argument GraphDecoder::argument(JsonCursor value) {
  Argument result;
  std::vector<std::pair<JsonCursor, Argument*>> waiting{{value, &result}};
  while (!waiting.empty()) {
    const auto [next, target] = waiting.back();
    waiting.pop_back();
    const auto set = union_member(next);
    if (!set) next.fail("expected an argument, found an empty union");
    if (set->ambiguous) odd("format.ambiguous-argument", "the argument has several values; the first, " + std::string(set->key) + ", was taken", next.path(), "");
    if (set->key == "as_string_to_argument") {
      DictArg dict;
      dict.items.reserve(set->value.size());
      for (JsonCursor member : set->value.members()) dict.items.push_back({context_.intern(member.key()), Argument()});
      auto& items = target->value.emplace<DictArg>(std::move(dict)).items;
      std::vector<std::pair<JsonCursor, Argument*>> inside;
      size_t i = 0;
      for (JsonCursor member : set->value.members()) inside.emplace_back(member, &items[i++].second);
      waiting.insert(waiting.end(), inside.rbegin(), inside.rend());  // left to right: sub-graphs become nodes on the way
      continue;
    }
    try {
      *target = one_argument(*set);
    } catch (const JsonError& error) {
      if (!is_literal_kind(set->key)) throw;
      odd("format.argument", error.message, error.path, "The argument is shown as the file has it; this call cannot be run.");
      target->value = UnknownArg{context_.intern(next.dump())};
    }
  }
  return result;
}

Argument GraphDecoder::one_argument(const UnionMember& set) {
  const std::string_view key = set.key;
  const JsonCursor value = set.value;
  auto tensor = [&](JsonCursor item) { return value_named(name_in(item)); };
  auto symbol = [&](JsonCursor item) { return sym_argument(item); };
  auto text = [&](JsonCursor item) { return Argument{context_.intern(item.as_string())}; };

  if (key == "as_tensor") return tensor(value);
  if (key == "as_none") return {};
  if (key == "as_int") return int_of(value);
  if (key == "as_ints") return list_of(value, int_of);
  if (key == "as_float") return float_of(value);
  if (key == "as_bool") return bool_of(value);
  if (key == "as_string") return text(value);
  if (key == "as_tensors") return list_of(value, tensor);
  if (key == "as_floats") return list_of(value, float_of);
  if (key == "as_bools") return list_of(value, bool_of);
  if (key == "as_strings") return list_of(value, text);
  if (key == "as_sym_int" || key == "as_sym_float" || key == "as_sym_bool") return symbol(value);
  if (key == "as_sym_ints" || key == "as_sym_floats" || key == "as_sym_bools") return list_of(value, symbol);
  if (key == "as_scalar_type") return {metas_.dtype(value)};
  if (key == "as_device") return {metas_.device(value)};
  if (key == "as_memory_format") {
    const int64_t number = value.as_int();
    if (number < 0 || number > int64_t(MemoryFormat::Preserve)) value.fail("unknown memory format " + std::to_string(number));
    return {MemoryFormat(number)};
  }
  if (key == "as_layout") {
    const int64_t number = value.as_int();
    if (number < 0 || number > int64_t(TensorLayout::Strided)) value.fail("unknown layout " + std::to_string(number));
    return {TensorLayout(number)};
  }
  if (key == "as_graph") return sub_graph(value);
  if (key == "as_optional_tensor" || key == "as_optional_tensors") {
    auto optional_tensor = [&](JsonCursor item) {
      const auto member = union_member(item);
      return member && member->key == "as_tensor" ? tensor(member->value) : Argument();
    };
    return key == "as_optional_tensor" ? optional_tensor(value) : list_of(value, optional_tensor);
  }
  if (key == "as_complex") return {std::complex<double>(value.at("real").as_float(), value.at("imag").as_float())};
  if (key == "as_operator") return {OperatorArg{context_.intern(value.as_string())}};
  if (key == "as_nested_tensors") return list_of(value, [&](JsonCursor items) { return list_of(items, tensor); });
  if (key == "as_float_lists") return list_of(value, [&](JsonCursor items) { return list_of(items, float_of); });
  if (key == "as_int_lists")  // the loader makes tuples of the inner lists
    return list_of(value, [&](JsonCursor items) { return Argument{TupleArg{std::move(std::get<ListArg>(list_of(items, int_of).value).items)}}; });
  if (key == "as_custom_obj") {
    // An input of that name, else one of the program's constants.
    if (auto name = value.find("name"))
      if (auto it = values_.find(name->as_string()); it != values_.end()) return {it->second};
    return {UnknownArg{context_.intern(value.dump())}};
  }
  odd("format.unknown-argument", "the argument kind \"" + std::string(key) + "\" is unknown", value.path(),
      "The file may come from a newer PyTorch. It is shown as the file has it; this call cannot be run.");
  return {UnknownArg{context_.intern("{" + json_quoted(key) + ": " + value.dump() + "}")}};
}

Argument GraphDecoder::sym_argument(JsonCursor value) {
  const auto set = union_member(value);
  if (!set) value.fail("expected as_name or a number, found an empty union");
  if (set->key == "as_name") return value_named(set->value.as_string());
  switch (set->value.kind()) {
    case JsonKind::Bool: return {set->value.as_bool()};
    case JsonKind::Int: return {set->value.as_int()};
    default: return {set->value.as_float()};
  }
}

Argument GraphDecoder::value_named(std::string_view name) {
  if (auto it = values_.find(name); it != values_.end()) return {it->second};
  if (attribute_constants_.count(name)) {
    Node node;
    node.kind = NodeKind::GetAttr;
    node.target = context_.intern(name);
    node.meta = node_meta_;
    node.module = module_;
    names_.create(name);
    const NodeId id = add(std::move(node));
    define(builder_.node(id).target, id);
    return {id};
  }
  throw DecodeError{"the value \"" + std::string(name) + "\" is not defined before this node", here(),
                    "The graph cannot be ordered. Export the program again; if the file was edited, check that name."};
}

Argument GraphDecoder::sub_graph(JsonCursor value) {
  const std::string_view name = context_.intern(value.at("name").as_string());
  const JsonCursor stored = value.at("graph");
  if (graph_.depth + 1 > int(limits::kSubgraphDepth))
    throw DecodeError{"sub-graphs are nested deeper than " + std::to_string(limits::kSubgraphDepth) + " levels (limit)", here(), "", true};
  Node node;
  node.kind = NodeKind::GetAttr;
  node.target = name;
  node.name = node.stored_name = names_.create(name);
  node.meta = node_meta_;
  node.module = module_;
  auto& graphs = context_.program.graphs;
  node.subgraph = graphs.push_back({});
  const NodeId id = add(std::move(node));
  Graph& graph = graphs[builder_.node(id).subgraph];
  graph.name = name;
  graph.parent = graph_.id;
  graph.parent_node = id;
  const size_t offset = size_t(stored.text().data() - context_.reader.text().data());
  pending_.push_back({builder_.node(id).subgraph, offset, graph_.where + item_ + ", sub-graph \"" + std::string(name) + "\": ", graph_.depth + 1});
  return {id};
}

}  // namespace pt2::decode
