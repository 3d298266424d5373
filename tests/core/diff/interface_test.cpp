// What callers see of two programs: what is returned where, how it is nested, and which sizes are allowed.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/diff/diff.h"
#include "core/diff/signature_diff.h"
#include "core/diff/summary.h"
#include "tests/support/json_program.h"

using namespace pt2;
using test::JsonProgram;

namespace {

using Texts = std::vector<std::string>;

Texts changes(const std::shared_ptr<const Program>& left, const std::shared_ptr<const Program>& right) { return diff_programs(*left, *right).signature_changes; }

size_t differing_rows(const Program& left, const Program& right) {
  const auto rows = signature_rows(left, right, diff_programs(left, right));
  return size_t(std::count_if(rows.begin(), rows.end(), [](const SignatureRow& row) { return row.differs(); }));
}

JsonProgram sin_cos() { return JsonProgram().input("x").input("y").call("sin", "aten.sin.default", "self=x").call("cos", "aten.cos.default", "self=y"); }

const std::string kNoInputs = R"([1, {\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": []}])";

// With the way its inputs and outputs are nested.
std::shared_ptr<const Program> nested(const JsonProgram& program, const std::string& out_spec, const std::string& in_spec = kNoInputs) {
  std::string json = program.json();
  const std::string from = R"("module_call_graph": [])";
  json.replace(json.find(from), from.size(), R"("module_call_graph": [{"fqn": "", "signature": {"inputs": [], "outputs": [], "in_spec": ")" + in_spec + R"(", "out_spec": ")" + out_spec +
                                                 R"(", "forward_arg_names": ["x", "y"]}}])");
  auto decoded = decode_program("model", json, "models/model.json");
  REQUIRE(decoded.has_value());
  return *decoded;
}

const std::string kLeaf = R"({\"type\": null, \"context\": null, \"children_spec\": []})";

std::string dict_node(const std::string& first, const std::string& second) {
  return R"({\"type\": \"builtins.dict\", \"context\": \"[\\\")" + first + R"(\\\", \\\")" + second + R"(\\\"]\", \"children_spec\": [)" + kLeaf + ", " + kLeaf + "]}";
}
std::string tuple_node(const std::string& children) { return R"({\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [)" + children + "]}"; }

std::string dict_spec(const std::string& first, const std::string& second) { return "[1, " + dict_node(first, second) + "]"; }
std::string one_output() { return "[1, " + kLeaf + "]"; }
// forward(d) of a dict.
std::string arguments_spec(const std::string& first, const std::string& second) {
  const std::string no_keywords = R"({\"type\": \"builtins.dict\", \"context\": \"[]\", \"children_spec\": []})";
  return "[1, " + tuple_node(tuple_node(dict_node(first, second)) + ", " + no_keywords) + "]";
}

}  // namespace

TEST_CASE("outputs in another order are named with both values") {
  const auto left = sin_cos().output("sin").output("cos").decode(), right = sin_cos().output("cos").output("sin").decode();
  CHECK(changes(left, right) == Texts{"output user output 0: sin → cos", "output user output 1: cos → sin"});
  CHECK(changes(right, left) == Texts{"output user output 0: cos → sin", "output user output 1: sin → cos"});
  CHECK(differing_rows(*left, *right) == 2);
  CHECK(changes(left, left).empty());
}

TEST_CASE("another input that is handed back") {
  const auto left = sin_cos().output("x").decode(), right = sin_cos().output("y").decode();
  CHECK(changes(left, right) == Texts{"output user output 0: x → y"});
  CHECK(changes(left, sin_cos().output("sin").decode()) == Texts{"output user output 0: x → sin"});
}

TEST_CASE("a buffer that one program writes to in place and the other returns is no change to callers") {
  auto start = [] { return JsonProgram().input("b_ema", "2, 3", "buffer", "ema").input("x"); };
  const auto in_place = start().call("view", "aten.view.default", "self=b_ema, size=[2; 3]").call("mul_", "aten.mul_.Tensor", "self=view, other=x").call("sin", "aten.sin.default", "self=x").output("sin").decode();
  const auto returned = start().call("mul", "aten.mul.Tensor", "self=b_ema, other=x").call("sin", "aten.sin.default", "self=x").output("mul", "buffer_mutation", "ema").output("sin").decode();
  const auto unwritten = start().call("sin", "aten.sin.default", "self=x").output("sin").decode();
  CHECK(changes(in_place, returned).empty());
  CHECK(changes(returned, in_place).empty());
  CHECK(differing_rows(*in_place, *returned) == 0);
  CHECK(changes(unwritten, returned) == Texts{"output added: buffer_mutation ema"});
  CHECK(changes(returned, unwritten) == Texts{"output removed: buffer_mutation ema"});
  CHECK(differing_rows(*unwritten, *returned) == 1);
  auto of_input = [](const char* name, bool place) {
    const std::string self = std::string("self=") + name;
    JsonProgram program = JsonProgram().input(name);
    return place ? program.call("neg_", "aten.neg_.default", self).output("neg_").decode() : program.call("neg", "aten.neg.default", self).output("neg", "user_input_mutation", name).output("neg").decode();
  };
  CHECK(changes(of_input("x", true), of_input("y", false)).empty());
}

TEST_CASE("buffers that are written with each other's value") {
  auto program = [](const char* first, const char* second) {
    return sin_cos().input("a", "2, 3", "buffer", "a").input("b", "2, 3", "buffer", "b").output(first, "buffer_mutation", "a").output(second, "buffer_mutation", "b").output("sin").decode();
  };
  CHECK(changes(program("sin", "cos"), program("cos", "sin")) == Texts{"output buffer_mutation a: sin → cos", "output buffer_mutation b: cos → sin"});
}

TEST_CASE("a user input that is written to has its place, whatever it is called") {
  auto program = [](const char* name) { return JsonProgram().input(name).call("sin", "aten.sin.default", std::string("self=") + name).output("sin", "user_input_mutation", name).output("sin").decode(); };
  CHECK(changes(program("x"), program("y")).empty());
}

TEST_CASE("other results of one call are other values") {
  auto program = [](const char* first, const char* second) {
    return JsonProgram().input("x", "2, 4").node(R"({"target": "torch.ops.aten.split.Tensor", "name": "split", "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "x"}}, "kind": 1},
        {"name": "split_size", "arg": {"as_int": 2}, "kind": 1}, {"name": "dim", "arg": {"as_int": 1}, "kind": 1}], "outputs": [{"as_tensors": [{"name": "a"}, {"name": "b"}]}], "metadata": {}})")
        .value("a", "2, 2").value("b", "2, 2").output(first).output(second).decode();
  };
  CHECK(changes(program("a", "b"), program("b", "a")).size() == 2);
  CHECK(changes(program("a", "b"), program("a", "b")).empty());
}

TEST_CASE("the last write gives what the other program returns by its memory") {
  const auto left = JsonProgram().input("x").call("clone", "aten.clone.default", "self=x").call("mul_", "aten.mul_.Tensor", "self=clone, other=2").call("add_", "aten.add_.Tensor", "self=clone, other=1").output("clone").decode();
  const auto right = JsonProgram().input("x").call("clone", "aten.clone.default", "self=x").call("mul", "aten.mul.Tensor", "self=clone, other=2").call("add", "aten.add.Tensor", "self=mul, other=1").output("add").decode();
  CHECK(changes(left, right).empty());
  CHECK(changes(right, left).empty());
}

TEST_CASE("keys of a returned dict") {
  const JsonProgram program = sin_cos().output("sin").output("cos");
  const auto left = nested(program, dict_spec("a", "b")), right = nested(program, dict_spec("a", "c"));
  CHECK(changes(left, right) == Texts{"output structure: {'a': *, 'b': *} → {'a': *, 'c': *}"});
  CHECK(changes(left, nested(program, dict_spec("a", "b"))).empty());
  CHECK(changes(left, program.decode()).empty());  // nothing is known
  const auto rows = signature_rows(*left, *right, diff_programs(*left, *right));
  CHECK(rows.back().key == "output structure");
  CHECK(rows.back().right_name == "{'a': *, 'c': *}");
  const std::string stem(100, 'k');
  const Texts longer = changes(nested(program, dict_spec(stem + "1", "b")), nested(program, dict_spec(stem + "2", "b")));
  REQUIRE(longer.size() == 1);
  CHECK(longer[0].find("kkk1': *, 'b': *} → …kkk") != std::string::npos);
}

TEST_CASE("callers read returned dicts by their keys") {
  const JsonProgram program = sin_cos().output("sin").output("cos"), turned = sin_cos().output("cos").output("sin");
  const auto left = nested(program, dict_spec("p", "q"));
  const std::string order = "output structure (only the order of keys): {'p': *, 'q': *} → {'q': *, 'p': *}";
  CHECK(changes(left, nested(turned, dict_spec("q", "p"))) == Texts{order});
  CHECK(changes(left, nested(program, dict_spec("q", "p"))) == Texts{"output user output 0 → 1: sin → cos", "output user output 1 → 0: cos → sin", order});
  // A key that both have first, what is left over by position.
  CHECK(changes(left, nested(turned, dict_spec("q", "r"))) == Texts{"output structure: {'p': *, 'q': *} → {'q': *, 'r': *}"});
  const auto right = nested(program, dict_spec("q", "p"));
  const auto rows = signature_rows(*left, *right, diff_programs(*left, *right));
  REQUIRE(rows.size() == 5);
  CHECK(rows[2].key == "user output 0 → 1");
  CHECK(rows[2].left_name == "sin");
  CHECK(rows[2].right_name == "cos");
}

TEST_CASE("values of dicts go in by their keys") {
  auto program = [](const char* first, const char* second, const std::string& keys) {
    return nested(JsonProgram().input(first).input(second).call("sub", "aten.sub.Tensor", "self=d_a, other=d_b").output("sub"), one_output(), keys);
  };
  const auto left = program("d_a", "d_b", arguments_spec("a", "b")), right = program("d_b", "d_a", arguments_spec("b", "a"));
  for (const bool forth : {true, false}) {
    const Program &a = forth ? *left : *right, &b = forth ? *right : *left;
    const Diff diff = diff_programs(a, b);
    CHECK(diff.count(GroupKind::Same) == 1);
    REQUIRE(diff.placeholders.size() == 2);
    for (const auto& [l, r] : diff.placeholders) CHECK(a.node(l).name == b.node(r).name);
  }
  CHECK(changes(left, right) == Texts{"input structure (only the order of keys): (({'a': *, 'b': *},), {}) → (({'b': *, 'a': *},), {})"});
}

TEST_CASE("a returned value without counterpart, in the place of one that has it elsewhere") {
  auto base = [] { return JsonProgram().input("x").call("sin", "aten.sin.default", "self=x").call("tan", "aten.tan.default", "self=x"); };
  const auto plain = base().output("sin").output("tan").decode();
  const auto added = base().call("add", "aten.add.Tensor", "self=tan, other=0.5").output("sin").output("add").decode();
  const auto turned = base().output("tan").output("sin").decode();
  CHECK(changes(plain, added) == Texts{"output user output 1: tan → add"});
  CHECK(changes(added, plain) == Texts{"output user output 1: add → tan"});
  CHECK(changes(added, turned) == Texts{"output user output 0: sin → tan", "output user output 1: add → sin"});
  // What passes leave out hands on what it reads.
  const auto copied = base().call("type_as", "aten.type_as.default", "self=tan, other=x").call("clone", "aten.clone.default", "self=type_as").output("sin").output("clone").decode();
  CHECK(changes(copied, plain).empty());
  CHECK(changes(plain, copied).empty());
  CHECK(changes(copied, turned) == Texts{"output user output 0: sin → tan", "output user output 1: clone → sin"});
}

TEST_CASE("constants that are returned have their values as names") {
  auto program = [](const std::string& constant) {
    std::string json = sin_cos().output("sin").output("c").json();
    const std::string from = JsonProgram::tensor("c");
    for (size_t at; (at = json.find(from)) != json.npos;) json.replace(at, from.size(), constant);
    auto decoded = decode_program("model", json, "models/model.json");
    REQUIRE(decoded.has_value());
    return *decoded;
  };
  const auto left = program(R"({"as_none": true})"), right = program(R"({"as_int": 3})");
  const auto rows = signature_rows(*left, *right, diff_programs(*left, *right));
  REQUIRE(rows.size() == 4);
  CHECK(rows[3].left_name == "None");
  CHECK(rows[3].right_name == "3");
  CHECK(rows[3].differs());
}

TEST_CASE("ranges are those of the sizes that symbols stand for") {
  auto program = [](const std::string& symbol, const char* max) {
    return JsonProgram().input("x", symbol + ", 3").call("sin", "aten.sin.default", "self=x", symbol + ", 3").range(symbol, "2", max).output("sin").decode();
  };
  auto range_changes = [](const std::shared_ptr<const Program>& left, const std::shared_ptr<const Program>& right) {
    Texts found = changes(left, right);
    std::erase_if(found, [](const std::string& text) { return !text.starts_with("range"); });
    return found;
  };
  CHECK(range_changes(program("s0", "64"), program("s0", "8")) == Texts{"range of s0: 2 to 64 → 2 to 8"});
  CHECK(range_changes(program("s0", "8"), program("s1", "null")) == Texts{"range of s0 → s1: 2 to 8 → 2 to ∞"});
  CHECK(range_changes(program("s0", "8"), program("s1", "8")).empty());
}

TEST_CASE("operands of one name that are no counterparts are told by what they are") {
  auto program = [](const char* first, const char* second) { return JsonProgram().input(first).input(second).call("sub", "aten.sub.Tensor", "self=x, other=y").output("sub").decode(); };
  auto values = [](const Program& left, const Program& right) {
    Texts found;
    for (const NodeGroup& group : diff_programs(left, right).groups)
      for (const ValueChange& value : group.values) found.push_back(value.what + " " + value.left + " → " + value.right);
    return found;
  };
  const auto left = program("x", "y"), right = program("y", "x");
  CHECK(values(*left, *right) == Texts{"self x (user input 0) → x (user input 1)", "other y (user input 1) → y (user input 0)"});
  CHECK(values(*right, *left) == Texts{"self x (user input 1) → x (user input 0)", "other y (user input 0) → y (user input 1)"});
  auto swapped = [](const char* first, const char* second) {
    return JsonProgram().input("x").call(first, "aten.sin.default", "self=x").call(second, "aten.cos.default", "self=x").call("add", "aten.sub.Tensor", "self=a, other=b").output("add").decode();
  };
  CHECK(values(*swapped("a", "b"), *swapped("b", "a")) == Texts{"self a (counterpart of b) → a (counterpart of b)", "other b (counterpart of a) → b (counterpart of a)"});
  // Two results of one call, taken in turn.
  auto taken = [](const std::string& first, const std::string& second) {
    return JsonProgram().input("x").node(R"({"target": "torch.ops.aten.aminmax.default", "name": "aminmax", "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "x"}}, "kind": 1}],
        "outputs": [{"as_tensor": {"name": ")" + first + R"("}}, {"as_tensor": {"name": ")" + second + R"("}}], "metadata": {}})").value("a", "").value("b", "").call("sub", "aten.sub.Tensor", "self=a, other=b").output("sub").decode();
  };
  CHECK(values(*taken("a", "b"), *taken("b", "a")) == Texts{"self a (result 0, counterpart of aminmax) → a (result 1, counterpart of aminmax)", "other b (result 1, counterpart of aminmax) → b (result 0, counterpart of aminmax)"});
  CHECK(values(*taken("a", "b"), *taken("a", "b")).empty());
}

TEST_CASE("sub-graphs that return their values in another order") {
  auto program = [](const char* first, const char* second) {
    const std::string graph = JsonProgram().input("y").call("sin", "aten.sin.default", "self=y").call("cos", "aten.cos.default", "self=y").output(first).output(second).graph();
    return JsonProgram().input("x").node(R"({"target": "torch.ops.higher_order.wrap", "name": "wrap", "inputs": [{"name": "", "arg": {"as_graph": {"name": "body", "graph": )" + graph +
        R"(}}, "kind": 1}, {"name": "", "arg": {"as_tensor": {"name": "x"}}, "kind": 1}], "outputs": [{"as_tensors": [{"name": "a"}, {"name": "b"}]}], "metadata": {}})").value("a", "2, 3").value("b", "2, 3").output("a").output("b").decode();
  };
  CHECK(changes(program("sin", "cos"), program("cos", "sin")) == Texts{"output 0 of body: sin → cos", "output 1 of body: cos → sin"});
  CHECK(changes(program("sin", "cos"), program("sin", "cos")).empty());
}

namespace {

// Two layers and a head, each a weight that is multiplied with and a buffer that is written to.
std::shared_ptr<const Program> layers(const std::string& module, const std::string& head, const char* second_size = "2, 3", bool extra = false) {
  JsonProgram program;
  program.input("w0", "2, 3", "parameter", module + "0.lin.weight").input("w1", second_size, "parameter", module + "1.lin.weight").input("h", "2, 3", "parameter", head);
  if (extra) program.input("e", "2, 3", "parameter", "extra.weight");
  program.input("b0", "2, 3", "buffer", module + "0.mean").input("b1", "2, 3", "buffer", module + "1.mean").input("unused", "2", "buffer", module + "count");
  program.input("x").call("mul", "aten.mul.Tensor", "self=x, other=w0").call("add", "aten.add.Tensor", "self=mul, other=b0");
  program.call("mul_1", "aten.mul.Tensor", "self=add, other=w1").call("add_1", "aten.add.Tensor", "self=mul_1, other=b1").call("sub", "aten.sub.Tensor", "self=add_1, other=h");
  return program.output("add", "buffer_mutation", module + "0.mean").output("add_1", "buffer_mutation", module + "1.mean").output("sub").decode();
}

Texts gathered(const std::shared_ptr<const Program>& left, const std::shared_ptr<const Program>& right) { return diff::gathered_signature_changes(*left, *right, diff_programs(*left, *right)); }

}  // namespace

TEST_CASE("a module that was renamed is one line, with what is in it counted") {
  const auto left = layers("encoder.layers.", "head.weight"), right = layers("encoder.blocks.", "head.weight");
  CHECK(gathered(left, right) == Texts{"renamed: encoder.layers → encoder.blocks (2 parameters, 3 buffers, 2 buffer mutations)"});
  CHECK(gathered(right, left) == Texts{"renamed: encoder.blocks → encoder.layers (2 parameters, 3 buffers, 2 buffer mutations)"});
  CHECK(changes(left, right).size() == 14);  // one by one
  CHECK(gathered(left, left).empty());
  CHECK(gathered(left, layers("encoder.blocks.", "classifier.weight")) == Texts{"renamed: encoder.layers → encoder.blocks (2 parameters, 3 buffers, 2 buffer mutations)", "renamed: head → classifier (1 parameter)"});
  CHECK(gathered(left, layers("model.encoder.layers.", "head.weight")) == Texts{"renamed: (root) → model (2 parameters, 3 buffers, 2 buffer mutations)"});
}

TEST_CASE("what came, went or has another type beside a renamed module is told one by one") {
  const auto left = layers("encoder.layers.", "head.weight");
  CHECK(gathered(left, layers("encoder.blocks.", "head.weight", "3")) ==
        Texts{"renamed: encoder.layers → encoder.blocks (1 parameter, 3 buffers, 2 buffer mutations)", "input removed: parameter encoder.layers.1.lin.weight", "input added: parameter encoder.blocks.1.lin.weight"});
  CHECK(gathered(left, layers("encoder.blocks.", "head.weight", "2, 3", true)) ==
        Texts{"renamed: encoder.layers → encoder.blocks (2 parameters, 3 buffers, 2 buffer mutations)", "input added: parameter extra.weight"});
  // Another weight that another call reads is another weight.
  auto one = [](const char* target, const char* op) { return JsonProgram().input("w", "2, 3", "parameter", target).input("x").call("made", op, "self=w, other=x").output("made").decode(); };
  CHECK(gathered(one("a.weight", "aten.mul.Tensor"), one("b.weight", "aten.mul.Tensor")) == Texts{"renamed: a → b (1 parameter)"});
  const auto first = one("a.weight", "aten.mul.Tensor"), second = one("b.weight", "aten.sub.Tensor");
  DiffOptions options;
  options.unlinked = {{{first->root(), first->root_graph().find("made")}, {second->root(), second->root_graph().find("made")}}};
  CHECK(diff_programs(*first, *second, options).renamed.empty());
}
