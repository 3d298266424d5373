#include "core/graph/op_schema.h"

#include <doctest/doctest.h>

using namespace pt2;

TEST_CASE("a schema text becomes parameters and returns") {
  auto parsed = parse_op_schema("aten::add.out(Tensor self, Tensor? other=None, *, Scalar alpha=1, int[2] stride=[1, 1], Tensor(a!) out) -> Tensor(a!)");
  REQUIRE(parsed);
  const OpSchema& s = *parsed;
  CHECK(s.name == "aten::add");
  CHECK(s.overload == "out");
  CHECK(s.target() == "aten.add.out");
  REQUIRE(s.parameters.size() == 5);
  CHECK(s.parameters[0].name == "self");
  CHECK(!s.parameters[0].has_default());
  CHECK(s.parameters[1].type.optional);
  CHECK(s.parameters[1].default_value.is_none());
  CHECK(!s.parameters[1].keyword_only);
  CHECK(s.parameters[2].keyword_only);
  CHECK(*s.parameters[2].default_value.as<int64_t>() == 1);
  CHECK(s.parameters[3].type.list_size == 2);
  CHECK(s.parameters[3].default_text == "[1, 1]");
  CHECK(s.parameters[3].default_value.as<ListArg>()->items.size() == 2);
  CHECK(s.parameters[4].type.writes());
  REQUIRE(s.returns.size() == 1);
  CHECK(s.returns[0].type.alias == "a!");
  CHECK(s.parameter("alpha") == &s.parameters[2]);
}

TEST_CASE("types: lists of optionals, optional lists, containers") {
  auto parsed = parse_op_schema("x::y(Tensor?[] a, Dict(str, (int, t))(a!) b, int[1]? c, Tensor(a|b -> *) d, ...) -> (Tensor values, int[][])");
  REQUIRE(parsed);
  const auto& p = parsed->parameters;
  CHECK(p[0].type.text == "Tensor?[]");
  CHECK(p[0].type.item_optional);
  CHECK(!p[0].type.optional);
  CHECK(p[1].type.text == "Dict(str, (int, t))");
  CHECK(p[1].type.writes());
  CHECK(p[2].type.optional);
  CHECK(p[2].type.is_list());
  CHECK(p[3].type.alias == "a|b -> *");
  CHECK(parsed->is_vararg);
  CHECK(parsed->returns[0].name == "values");
  CHECK(parsed->returns[1].type.list_depth == 2);
}

TEST_CASE("what is no schema is an error with its place") {
  for (const char* text : {"", "aten::add", "aten::add(", "add() -> ()", "a::b(Tensor) -> ()", "a::b(int x=) -> ()", "a::b(int x=[1) -> ()", "a::b() -> (Tensor", "a::b(str x=\"q) -> ()"})
    CHECK_MESSAGE(!parse_op_schema(text), text);
}

TEST_CASE("every row of the table is in order and parses") {
  const auto rows = op_table_rows();
  CHECK(rows.size() > 3900);
  for (size_t i = 1; i < rows.size(); ++i) CHECK_MESSAGE(rows[i - 1].op < rows[i].op, rows[i].op);
  for (const auto& row : rows) {
    if (row.schema.empty()) continue;
    auto parsed = parse_op_schema(row.schema);
    REQUIRE_MESSAGE(parsed, row.schema);
    CHECK(parsed->target() == row.op);
  }
}

TEST_CASE("schemas are found by target") {
  const OpSchema* add = find_op_schema("torch.ops.aten.add.Tensor");
  REQUIRE(add);
  CHECK(add->target() == "aten.add.Tensor");
  CHECK(add->has_tag("pointwise"));
  CHECK(find_op_schema("aten.add.Tensor") == add);
  CHECK(find_op_schema("aten.Bool.Tensor"));                // first row
  CHECK(find_op_schema("rngprims.philox_rand.default"));    // last row
  CHECK(!find_op_schema("higher_order.cond"));
  CHECK(is_known_op("torch.ops.higher_order.cond"));
  CHECK(!is_known_op("aten.nothing.default"));
  CHECK(!find_op_schema(""));
  CHECK(*find_op_schema("aten.mse_loss.default")->parameter("reduction")->default_value.as<int64_t>() == 1);
  CHECK(*find_op_schema("aten.gelu.default")->parameter("approximate")->default_value.as<std::string_view>() == "none");
}
