#include <doctest/doctest.h>

#include "core/node_table.h"

using namespace pt2;

namespace {

using Cells = std::vector<std::pair<size_t, std::string>>;

std::string where(std::string_view text) {
  const auto table = parse_node_table(text);
  REQUIRE_FALSE(table.has_value());
  return table.error().where;
}

}  // namespace

TEST_CASE("a table of nodes is read from CSV with any of the usual separators") {
  for (const char separator : {',', ';', '\t'}) {
    std::string text = "time,node,kind\r\n1.5,conv2d,\"a, b\"\n,relu,\"say \"\"no\"\"\"\n\n";
    for (size_t i = 0; i < text.size(); ++i)
      if (text[i] == ',' && text[i + 1] != ' ') text[i] = separator;
    const auto table = parse_node_table(text);
    REQUIRE_MESSAGE(table.has_value(), separator);
    CHECK(table->columns == std::vector<std::string>{"time", "kind"});
    REQUIRE(table->rows.size() == 2);
    CHECK(table->rows[0].node == "conv2d");
    CHECK(table->rows[0].cells == Cells{{0, "1.5"}, {1, "a, b"}});
    CHECK(table->rows[1].cells == Cells{{1, "say \"no\""}});
  }
  const auto first = parse_node_table("\xEF\xBB\xBFop,ms\nrelu,2");
  REQUIRE(first.has_value());
  CHECK(first->rows[0].node == "relu");
}

TEST_CASE("a table of nodes is read from JSON in each of its shapes") {
  const auto values = parse_node_table(R"({"conv2d": 1.5, "relu": "hot", "add": null})");
  REQUIRE(values.has_value());
  CHECK(values->columns == std::vector<std::string>{"value"});
  CHECK(values->rows[1].cells == Cells{{0, "hot"}});
  CHECK(values->rows[2].cells.empty());
  const auto objects = parse_node_table(R"({"conv2d": {"ms": 1.5}, "relu": {"ms": 2, "unit": "gpu"}})");
  REQUIRE(objects.has_value());
  CHECK(objects->columns == std::vector<std::string>{"ms", "unit"});
  CHECK(objects->rows[0].cells == Cells{{0, "1.5"}});
  CHECK(objects->rows[1].cells == Cells{{0, "2"}, {1, "gpu"}});
  const auto rows = parse_node_table(R"([{"node": "relu", "ms": 2}, {"ms": 3, "node": "add"}])");
  REQUIRE(rows.has_value());
  CHECK(rows->rows[1].node == "add");
  CHECK(rows->rows[1].cells == Cells{{0, "3"}});
}

TEST_CASE("what is wrong in a table of nodes is said with its line and column") {
  CHECK(where("node,ms\nrelu,1\nadd,2,3\n") == "line 3, column 7");
  CHECK(where("node,ms\nrelu,\"1\n") == "line 2, column 6");
  CHECK(where("node,ms\nrelu,\"1\"x\n") == "line 2, column 9");
  CHECK(where("node,ms\n,1\n") == "line 2, column 1");
  CHECK(where("node\nrelu\n") == "line 1, column 1");
  CHECK(where("{\"relu\": 1,\n \"add\": }") == "line 2, column 9");
  CHECK(where("{\"relu\": [1]}") == "line 1, column 10");
  CHECK(where("[{\"ms\": 1}]") == "line 1, column 2");
  CHECK(where("node,ms\n\xC3\xA9t\xC3\xA9,\xFF\n") == "line 2, column 5");
  CHECK(where("  ") == "line 1, column 1");
}
