#include "core/graph/tree_spec.h"

#include <doctest/doctest.h>

TEST_CASE("leaves of nested containers have the paths Python would use") {
  const std::string leaf = R"({"type": null, "context": null, "children_spec": []})";
  const std::string spec = R"([1, {"type": "builtins.tuple", "context": "null", "children_spec": [)" + leaf +
                           R"(, {"type": "builtins.dict", "context": "[\"mask\", 3]", "children_spec": [)" + leaf + ", " + leaf +
                           R"(]}, {"type": "collections.namedtuple", "context": "data.Point", "children_spec": [)" + leaf + ", " + leaf +
                           R"(]}, {"type": "collections.namedtuple", "context": {"class_name": "Pair", "fields": ["first"]}, "children_spec": [)" + leaf +
                           R"(]}, {"type": "data.Batch", "context": "[[\"values\"], []]", "children_spec": [)" + leaf + "]}]}]";
  const auto tree = pt2::parse_tree_spec(spec);
  REQUIRE(tree.has_value());
  CHECK(tree->leaf_count() == 7);
  CHECK(pt2::leaf_paths(*tree, {{"data.Point", {"x", "y"}}}) ==
        std::vector<std::string>{"[0]", "[1]['mask']", "[1][3]", "[2].x", "[2].y", "[3].first", "[4].values"});
}

TEST_CASE("broken tree specs are errors") {
  CHECK_FALSE(pt2::parse_tree_spec("").has_value());
  CHECK_FALSE(pt2::parse_tree_spec("[1]").has_value());
  CHECK_FALSE(pt2::parse_tree_spec(R"([1, {"type": 5}])").has_value());
  std::string deep = "[1, ";
  for (int i = 0; i < 600; ++i) deep += R"({"type": "builtins.list", "context": "null", "children_spec": [)";
  CHECK(pt2::parse_tree_spec(deep).error().kind == pt2::ErrorKind::Limit);
}

TEST_CASE("the containers of a spec as Python writes them") {
  const std::string leaf = R"({"type": null, "context": null, "children_spec": []})";
  auto text = [](const std::string& root) {
    const auto spec = pt2::parse_tree_spec("[1, " + root + "]");
    REQUIRE(spec.has_value());
    return pt2::tree_text(*spec);
  };
  CHECK(text(leaf) == "*");
  CHECK(text(R"({"type": "builtins.tuple", "context": "null", "children_spec": [)" + leaf + "]}") == "(*,)");
  CHECK(text(R"({"type": "builtins.list", "context": "null", "children_spec": [{"type": "builtins.dict", "context": "[\"a\", 2]", "children_spec": [)" + leaf + ", " + leaf + "]}]}") == "[{'a': *, 2: *}]");
  CHECK(text(R"({"type": "collections.namedtuple", "context": "net.Point", "children_spec": [)" + leaf + ", " + leaf + "]}") == "Point(*, *)");
  CHECK(text(R"({"type": "collections.namedtuple", "context": {"class_name": "Point", "fields": ["x", "y"]}, "children_spec": [)" + leaf + ", " + leaf + "]}") == "Point(*, *)");
  CHECK(text(R"({"type": "collections.OrderedDict", "context": "[\"a\"]", "children_spec": [)" + leaf + "]}") == "OrderedDict({'a': *})");
}
