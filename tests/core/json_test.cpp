#include <doctest/doctest.h>

#include <cmath>

#include "core/base/json_tree.h"

namespace {

std::string syntax_error(std::string_view text) {
  try {
    pt2::JsonReader reader(text);
    pt2::JsonTree tree;
    tree.read(reader);
    reader.expect_end();
  } catch (const pt2::JsonError& error) {
    return error.message;
  }
  return "";
}

}  // namespace

TEST_CASE("JSON as Python writes it is read") {
  pt2::JsonReader reader(R"({"a": [1, -2.5, 1e400, NaN, -Infinity, true, null, 123456789012345678901], "b": {"c": "x\n\u00e9\ud83d\ude00\ud800"}, "a b": []})");
  pt2::JsonTree tree;
  const pt2::JsonCursor root = tree.read(reader);
  std::vector<pt2::JsonCursor> list;
  for (pt2::JsonCursor item : root.at("a").elements()) list.push_back(item);
  REQUIRE(list.size() == 8);
  CHECK(list[0].as_int() == 1);
  CHECK(list[1].as_float() == -2.5);
  CHECK(std::isinf(list[2].as_float()));
  CHECK(std::isnan(list[3].as_float()));
  CHECK(list[4].as_float() == -INFINITY);
  CHECK(list[5].as_bool());
  CHECK(list[6].is_null());
  CHECK(list[7].kind() == pt2::JsonKind::BigInt);
  CHECK(root.at("b").at("c").as_string() == "x\n\u00e9\U0001F600\uFFFD");
  CHECK(root.at("b").at("c").path() == "b.c");
  CHECK(list[5].path() == "a[5]");
  CHECK_FALSE(root.find("c"));
  CHECK(root.at("b").dump() == "{\"c\": \"x\\n\u00e9\U0001F600\uFFFD\"}");
}

TEST_CASE("broken JSON is told with the byte where it breaks") {
  CHECK(syntax_error("") == "byte 0: the text is empty");
  CHECK(syntax_error(R"({"a": [1, 2)") == "byte 11: the text ends where ',' or ']' should be: it was cut off");
  CHECK(syntax_error(R"({"a": "abc)") == "byte 6: the text ends inside a string: it was cut off");
  CHECK(syntax_error(R"({"a" 1})") == "byte 5: expected ':'");
  CHECK(syntax_error("[1] x") == "byte 4: something follows the end of the JSON text");
  CHECK(syntax_error("[nul]") == "byte 1: expected a value");
  CHECK(syntax_error(std::string(513, '[') + std::string(513, ']')).find("nested deeper than 512 levels (limit)") != std::string::npos);
  CHECK(syntax_error(std::string(512, '[') + std::string(512, ']')) == "");
}

TEST_CASE("what a value should have been is told with its path") {
  pt2::JsonReader reader(R"({"inputs": [{"arg": {"as_tensor": {"name": 5}}}]})");
  pt2::JsonTree tree;
  const pt2::JsonCursor root = tree.read(reader);
  for (pt2::JsonCursor input : root.at("inputs").elements()) {
    try {
      input.at("arg").at("as_tensor").at("name").as_string();
      FAIL("a number is no string");
    } catch (const pt2::JsonError& error) {
      CHECK(error.path == "inputs[0].arg.as_tensor.name");
      CHECK(error.message == "expected a string, found an integer");
    }
  }
}

TEST_CASE("values can be skipped and visited later") {
  const std::string big = "{\"x\": [" + std::string(5000, ' ') + "1, {\"}\": \"]\\\"\"}], \"y\": 2}";
  pt2::JsonReader reader(big);
  std::string_view key;
  reader.begin_object();
  REQUIRE(reader.next_member(key));
  const size_t x = reader.offset();
  reader.skip();
  REQUIRE(reader.next_member(key));
  CHECK(key == "y");
  CHECK(reader.read_scalar().integer == 2);
  CHECK_FALSE(reader.next_member(key));
  reader.seek(x);
  CHECK(reader.skip().back() == ']');
  reader.seek(x);
  pt2::JsonTree tree;
  CHECK(tree.read(reader).size() == 2);
}

TEST_CASE("members can be left unparsed") {
  static constexpr pt2::JsonTree::RawMember kRaw[] = {{"as_graph", "graph"}};
  pt2::JsonReader reader(R"({"graph": 1, "as_graph": {"name": "g", "graph": {"nodes": [ ]}}})");
  pt2::JsonTree tree;
  const pt2::JsonCursor root = tree.read(reader, kRaw);
  CHECK(root.at("graph").as_int() == 1);
  CHECK(root.at("as_graph").at("graph").kind() == pt2::JsonKind::Raw);
  CHECK(root.at("as_graph").at("graph").text() == R"({"nodes": [ ]})");
}
