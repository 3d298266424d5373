// Programs written here as JSON: every argument kind, old spellings, and what is said about broken ones.
#include "core/decode/decode.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/encode/encode_program.h"

using namespace pt2;

namespace {

// The pieces of a program's JSON that a test may change.
struct Text {
  std::string inputs = R"([{"as_tensor": {"name": "x"}}])";
  std::string nodes = "[]";
  std::string outputs = R"([{"as_tensor": {"name": "x"}}])";
  std::string tables = R"("tensor_values": {"x": META}, "sym_int_values": {}, "sym_bool_values": {})";
  std::string signature = R"({"input_specs": [{"user_input": {"arg": {"as_tensor": {"name": "x"}}}}], "output_specs": [{"user_output": {"arg": {"as_tensor": {"name": "x"}}}}]})";
  std::string version = R"({"major": 8, "minor": 20})";
  std::string ranges = "{}";

  std::string json() const {
    std::string text = R"({"graph_module": {"graph": {"inputs": )" + inputs + R"(, "outputs": )" + outputs + R"(, "nodes": )" + nodes + ", " + tables +
                       R"(}, "signature": )" + signature + R"(, "module_call_graph": []}, "opset_version": {"aten": 10}, "range_constraints": )" + ranges +
                       R"(, "schema_version": )" + version + "}";
    const std::string meta = R"({"dtype": 7, "sizes": [{"as_int": 2}], "requires_grad": false, "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7})";
    for (size_t at; (at = text.find("META")) != std::string::npos;) text.replace(at, 4, meta);
    return text;
  }
};

std::shared_ptr<const Program> decoded(const Text& text) {
  auto program = decode_program("model", text.json(), "models/model.json");
  REQUIRE_MESSAGE(program.has_value(), (program ? "" : program.error().where + ": " + program.error().message));
  return *program;
}

std::string error_of(const Text& text) {
  auto program = decode_program("model", text.json(), "models/model.json");
  return program ? "" : program.error().where + ": " + program.error().message;
}

std::string node(const std::string& target, const std::string& inputs, const std::string& outputs, const std::string& more = "") {
  return R"({"target": ")" + target + R"(", "inputs": [)" + inputs + R"(], "outputs": [)" + outputs + R"(], "metadata": {})" + more + "}";
}
std::string input(const std::string& name, const std::string& arg, const std::string& kind = "1") {
  return R"({"name": ")" + name + R"(", "arg": )" + arg + R"(, "kind": )" + kind + "}";
}
std::string tensor(const std::string& name) { return R"({"as_tensor": {"name": ")" + name + R"("}})"; }

// The argument of a call with that one argument.
struct ArgumentOf {
  explicit ArgumentOf(const std::string& json) {
    Text text;
    text.nodes = "[" + node("torch.ops.my.op.default", input("a", json), tensor("y")) + "]";
    text.tables = R"("tensor_values": {"x": META, "y": META})";
    program = decoded(text);
    const Graph& graph = program->root_graph();
    value = &graph.node(graph.find("y")).inputs.at(0).value;
  }
  template <class T> const T& as() const { REQUIRE(value->is<T>()); return *value->as<T>(); }
  std::shared_ptr<const Program> program;
  const Argument* value;
};

}  // namespace

TEST_CASE("argument kinds") {
  CHECK(ArgumentOf(R"({"as_none": true})").value->is_none());
  CHECK(ArgumentOf(R"({"as_none": []})").value->is_none());
  CHECK(ArgumentOf(R"({"as_tensor": {"name": "x"}})").as<NodeId>() == NodeId(0));
  CHECK(ArgumentOf(R"({"as_int": -5})").as<int64_t>() == -5);
  CHECK(ArgumentOf(R"({"as_int": true})").as<bool>());
  CHECK(ArgumentOf(R"({"as_float": 2.0})").as<double>() == 2);
  CHECK(std::isinf(ArgumentOf(R"({"as_float": "Infinity"})").as<double>()));
  CHECK(std::isnan(ArgumentOf(R"({"as_float": NaN})").as<double>()));
  CHECK_FALSE(ArgumentOf(R"({"as_bool": false})").as<bool>());
  CHECK(ArgumentOf(R"({"as_string": "a\"b"})").as<std::string_view>() == "a\"b");
  CHECK(ArgumentOf(R"({"as_complex": {"real": 1.5, "imag": -2.0}})").as<std::complex<double>>() == std::complex<double>(1.5, -2));
  CHECK(ArgumentOf(R"({"as_scalar_type": 13})").as<DType>() == DType::BFloat16);
  CHECK(ArgumentOf(R"({"as_memory_format": 2})").as<MemoryFormat>() == MemoryFormat::ChannelsLast);
  CHECK(ArgumentOf(R"({"as_layout": 7})").as<TensorLayout>() == TensorLayout::Strided);
  CHECK(ArgumentOf(R"({"as_device": {"type": "cuda", "index": 1}})").as<Device>() == Device{"cuda", 1});
  CHECK(ArgumentOf(R"({"as_device": {"type": "cpu"}})").as<Device>() == Device{"cpu", -1});
  CHECK(ArgumentOf(R"({"as_operator": "torch.ops.aten.sin.default"})").as<OperatorArg>().name == "torch.ops.aten.sin.default");
  CHECK(ArgumentOf(R"({"as_tensors": []})").as<ListArg>().items.empty());
  CHECK(ArgumentOf(R"({"as_strings": ["a", "b"]})").as<ListArg>().items.size() == 2);
  CHECK(ArgumentOf(R"({"as_bools": [true]})").as<ListArg>().items[0].is<bool>());
  const ArgumentOf sizes(R"({"as_sym_ints": [{"as_int": 3}, {"as_name": "x"}]})");
  CHECK(*sizes.as<ListArg>().items[0].as<int64_t>() == 3);
  CHECK(*sizes.as<ListArg>().items[1].as<NodeId>() == NodeId(0));
  const ArgumentOf optional(R"({"as_optional_tensors": [{"as_none": true}, {"as_tensor": {"name": "x"}}, {"as_tensor": "x"}]})");
  CHECK(optional.as<ListArg>().items[0].is_none());
  CHECK(optional.as<ListArg>().items[1].is<NodeId>());
  CHECK(optional.as<ListArg>().items[2].is<NodeId>());
  CHECK(ArgumentOf(R"({"as_int_lists": [[1, 2], []]})").as<ListArg>().items[0].as<TupleArg>()->items.size() == 2);
  CHECK(ArgumentOf(R"({"as_float_lists": [[1.5]]})").as<ListArg>().items[0].as<ListArg>()->items.size() == 1);
  CHECK(ArgumentOf(R"({"as_nested_tensors": [[{"name": "x"}], []]})").as<ListArg>().items[0].as<ListArg>()->items[0].is<NodeId>());
  const ArgumentOf dict(R"({"as_string_to_argument": {"k": {"as_int": 1}, "graph": {"as_string_to_argument": {"in": {"as_tensor": {"name": "x"}}}}}})");
  REQUIRE(dict.as<DictArg>().items.size() == 2);
  CHECK(dict.as<DictArg>().items[1].first == "graph");
  CHECK(dict.as<DictArg>().items[1].second.as<DictArg>()->items[0].second.is<NodeId>());
}

TEST_CASE("unions of 2.1 and 2.2 list every key") {
  CHECK(ArgumentOf(R"({"as_none": null, "as_tensor": null, "as_ints": [1], "as_bool": null})").as<ListArg>().items.size() == 1);
}

TEST_CASE("what is not understood is kept and told") {
  const ArgumentOf unknown(R"({"as_quantum": {"spin": [0.5]}})");
  CHECK(unknown.as<UnknownArg>().json == R"({"as_quantum": {"spin": [0.5]}})");
  REQUIRE(unknown.program->findings.size() == 1);
  CHECK(unknown.program->findings[0].where == R"(models/model.json: nodes[0] "y", argument "a")");
  CHECK(unknown.program->findings[0].rule == "format.unknown-argument");
  const ArgumentOf wrong(R"({"as_int": "five"})");
  CHECK(wrong.as<UnknownArg>().json == R"({"as_int": "five"})");
  CHECK(wrong.program->findings[0].message == "expected an integer of 64 bits, found a string");
  CHECK(ArgumentOf(R"({"as_scalar_type": 99})").as<DType>() == DType::Unknown);
}

TEST_CASE("a graph that cannot be ordered is an error that names the place") {
  Text text;
  text.nodes = "[" + node("torch.ops.aten.add.Tensor", input("self", tensor("x")) + ", " + input("other", tensor("later")), tensor("add")) + "]";
  CHECK(error_of(text) == R"(models/model.json: nodes[0] "add", argument "other": the value "later" is not defined before this node)");
  text.nodes = "[" + node("torch.ops.aten.relu.default", input("self", tensor("x")), tensor("x")) + "]";
  CHECK(error_of(text) == R"(models/model.json: nodes[0] "x": the value "x" is defined a second time)");
  text.nodes = "[]";
  text.outputs = "[" + tensor("ghost") + "]";
  CHECK(error_of(text) == R"(models/model.json: outputs[0]: the value "ghost" is not defined before this node)");
  text.nodes = "{}";
  CHECK(error_of(text).find("models/model.json: nodes: byte ") == 0);
  text.nodes = "[" + node("torch.ops.aten.relu.default", input("self", R"({"as_tensor": {"name": 5}})"), tensor("relu")) + "]";
  CHECK(error_of(text) == R"(models/model.json: nodes[0] "relu", argument "self": expected a string, found an integer)");
  text.nodes = "[" + node("torch.ops.aten.relu.default", input("self", "{}"), tensor("relu")) + "]";
  CHECK(error_of(text) == R"(models/model.json: nodes[0] "relu", argument "self": expected an argument, found an empty union)");
}

TEST_CASE("texts that are no program") {
  auto error = [](std::string_view json) {
    auto program = decode_program("model", json, "models/model.json");
    REQUIRE_FALSE(program.has_value());
    return program.error().where + ": " + program.error().message;
  };
  CHECK(error("null") == "models/model.json: expected an object");
  CHECK(error("{}") == "models/model.json: \"graph_module\" is missing");
  CHECK(error(R"({"graph_module": {"signature": {"input_specs": [], "output_specs": []}}})") == "models/model.json: graph_module: \"graph\" is missing");
  CHECK(error(R"({"graph_module": {)").find("it was cut off") != std::string::npos);
}

TEST_CASE("results become getitem nodes") {
  Text text;
  text.tables = R"("tensor_values": {"x": META, "a": META, "b": META, "c": META})";
  text.nodes = "[" +
               node("torch.ops.aten.split.Tensor", input("self", tensor("x")), R"({"as_tensors": [{"name": "a"}, {"name": "b"}]})") + ", " +
               node("torch.ops.aten._unique2.default", input("self", tensor("a")), tensor("c") + R"(, {"as_none": true})") + ", " +
               node("torch.ops.my.mixed.default", input("self", tensor("a")), R"({"as_none": true}, {"as_tensors": [{"name": "d"}]})") + ", " +
               node("torch.ops.my.nothing.default", "", "") + ", " + node("torch.ops.my.none.default", "", R"({"as_none": true})") + "]";
  const auto program = decoded(text);
  std::string names;
  for (const Node& n : program->root_graph().nodes()) names += std::string(n.name) + " ";
  CHECK(names ==
        "x split_tensor a b _unique2_default c as_none mixed_default as_none_1 getitem d nothing_default none_default_unused output ");
  CHECK(program->root_graph().node(NodeId(1)).result_count == 2);
  CHECK(program->root_graph().node(NodeId(2)).inputs[0].value.is<NodeId>());
}

TEST_CASE("positional or keyword comes from the file, or from the schema where the file does not say") {
  Text text;
  text.tables = R"("tensor_values": {"x": META, "a": META, "b": META, "c": META})";
  text.nodes = "[" +
               node("torch.ops.aten.add.Tensor", input("self", tensor("x"), "1") + ", " + input("other", tensor("x"), "1") + ", " + input("alpha", R"({"as_int": 2})", "2"), tensor("a")) + ", " +
               node("torch.ops.aten.softmax.int", input("self", tensor("x"), "null") + ", " + input("dim", R"({"as_int": 1})", "null") + ", " + input("dtype", R"({"as_scalar_type": 7})", "null"), tensor("b")) + ", " +
               node("torch.ops.aten.random.from", input("to", R"({"as_int": 9})", "2") + ", " + input("self", tensor("x"), "1") + ", " + input("from", R"({"as_int": 1})", "2"), tensor("c")) + "]";
  const auto program = decoded(text);
  const Graph& graph = program->root_graph();
  auto keywords = [&](const char* name) {
    std::string result;
    for (const NodeArgument& argument : graph.node(graph.find(name)).inputs) result += std::string(argument.name) + (argument.keyword ? "= " : " ");
    return result;
  };
  CHECK(keywords("a") == "self other alpha= ");
  CHECK(keywords("b") == "self dim dtype= ");
  CHECK(keywords("c") == "self from to= ");  // in the order of the schema; "from" cannot be a keyword
}

TEST_CASE("declared values that make no sense are told, not fatal") {
  Text text;
  text.tables = R"("tensor_values": {"x": {"dtype": 7, "sizes": [{"as_int": 99999999999999999999}], "strides": [{"as_int": 1}], "device": {"type": "cpu"}}})";
  const auto program = decoded(text);
  REQUIRE(program->findings.size() == 1);
  CHECK(program->findings[0].where == R"(models/model.json: tensor_values["x"].sizes[0].as_int)");
  CHECK(program->findings[0].message == "expected an integer of 64 bits, found 99999999999999999999");
  CHECK(tensor_meta(program->root_graph().node(NodeId(0)).val) == nullptr);
}

TEST_CASE("symbols that nothing declares are told") {
  Text text;
  text.tables = R"("tensor_values": {"x": {"dtype": 7, "sizes": [{"as_expr": {"expr_str": "s0", "hint": {"as_int": 4}}}, {"as_expr": {"expr_str": "u9 + 1", "hint": null}}],
    "strides": [{"as_int": 1}, {"as_int": 1}], "device": {"type": "cpu"}}})";
  const auto program = decoded(text);
  REQUIRE(program->findings.size() == 1);
  CHECK(program->findings[0].rule == "symbol.unbound");
  CHECK(program->findings[0].message.find("\"u9\"") != std::string::npos);
  text.ranges = R"({"u9": {"min_val": 0, "max_val": null}, "s1": {"min_val": 5, "max_val": 2}, "s2": {"min_val": -Infinity, "max_val": 9223372036854775807}})";
  const auto ranged = decoded(text);
  REQUIRE(ranged->findings.size() == 1);
  CHECK(ranged->findings[0].rule == "symbol.range");
  CHECK_FALSE(ranged->range_constraints[2].second.min.has_value());
  CHECK_FALSE(ranged->range_constraints[2].second.max.has_value());
}

TEST_CASE("the bound of a count that nothing limits is kept to the last digit") {
  Text text;
  text.ranges = R"({"u0": {"min_val": 0, "max_val": 9223372036854775806}, "u1": {"min_val": -9223372036854775806, "max_val": 64}, "u2": {"min_val": -9223372036854775808, "max_val": null}})";
  const auto program = decoded(text);
  const std::string again = encode_program(*program).value();
  CHECK(again.find(R"("u0":{"min_val":0,"max_val":9223372036854775806})") != again.npos);
  CHECK(again.find(R"("u1":{"min_val":-9223372036854775806,"max_val":64})") != again.npos);
  CHECK(again.find(R"("u2":{"min_val":null,"max_val":null})") != again.npos);
}

TEST_CASE("a signature that does not fit the graph is told") {
  Text text;
  text.signature = R"({"input_specs": [], "output_specs": [{"user_output": {"arg": {"as_tensor": {"name": "ghost"}}}}]})";
  const auto program = decoded(text);
  REQUIRE(program->findings.size() == 2);
  CHECK(program->findings[0].message == "the signature describes 0 inputs, the graph has 1, from \"x\" on");
  CHECK(program->findings[1].message == "the signature calls output 0 \"ghost\", the graph returns \"x\"");
  REQUIRE(program->signature.inputs.size() == 1);
  CHECK(program->signature.inputs[0].node == NodeId(0));
}

TEST_CASE("versions: a number, an object, newer ones, none") {
  Text text;
  text.version = "2";
  CHECK(decoded(text)->schema_version.major == 2);
  CHECK(decoded(text)->findings.empty());
  text.version = R"({"major": 99, "minor": 1})";
  CHECK(decoded(text)->findings.at(0).rule == "format.schema-version");
  text.version = "null";
  CHECK(decoded(text)->findings.at(0).message == "\"schema_version\" is missing");
}

TEST_CASE("sub-graphs nest to a limit, without recursion") {
  auto nested = [](int depth) {
    std::string graph = R"({"inputs": [], "outputs": [], "nodes": [], "tensor_values": {}})";
    for (int i = 0; i < depth; ++i)
      graph = R"({"inputs": [], "outputs": [], "nodes": [)" +
              node("torch.ops.higher_order.wrap", input("", R"({"as_graph": {"name": "g", "graph": )" + graph + "}}"), "") + R"(], "tensor_values": {}})";
    return R"({"graph_module": {"graph": )" + graph + R"(, "signature": {"input_specs": [], "output_specs": []}}, "schema_version": {"major": 8, "minor": 20}})";
  };
  const auto fine = decode_program("model", nested(32), "models/model.json");
  REQUIRE(fine.has_value());
  CHECK((*fine)->graphs.size() == 33);
  const auto deep = decode_program("model", nested(33), "models/model.json");
  REQUIRE_FALSE(deep.has_value());
  CHECK(deep.error().kind == ErrorKind::Limit);
  CHECK(deep.error().message.find("32 levels") != std::string::npos);
}
