#include "core/graph/fx_names.h"

#include <doctest/doctest.h>

TEST_CASE("names are made as FX makes them") {
  pt2::StringPool strings;
  pt2::FxNames names(strings);
  CHECK(names.create("add") == "add");
  CHECK(names.create("add") == "add_1");
  CHECK(names.create("add_1") == "add_2");
  CHECK(names.create("add_7") == "add_7");
  CHECK(names.create("add") == "add_8");
  CHECK(names.create("max") == "max_1");  // a builtin
  CHECK(names.create("max_1") == "max_2");
  CHECK(names.create("from") == "from_1");
  CHECK(names.create("torch") == "torch_1");
  CHECK(names.create("topk.default") == "topk_default");
  CHECK(names.create("a..b c") == "a_b_c");
  CHECK(names.create("3d") == "_3d");
  CHECK(names.create("") == "_unnamed");
  CHECK(names.create("_1") == "_1");
  CHECK(names.create("x_0") == "x_0");
  CHECK(names.create("x_0") == "x_1");
}

TEST_CASE("nodes without a name are called after their target") {
  CHECK(pt2::name_from_target("torch.ops.aten.topk.default") == "topk.default");
  CHECK(pt2::name_from_target("torch.ops.aten.split.Tensor") == "split.tensor");
  CHECK(pt2::name_from_target("torch.ops.higher_order.cond") == "cond");
  CHECK(pt2::name_from_target("torch.ops.map_impl") == "map_impl");
  CHECK(pt2::name_from_target("_operator.floordiv") == "floordiv");
  CHECK(pt2::name_from_placeholder("maxLen") == "max_len");
  CHECK(pt2::name_from_placeholder("__x__") == "x");
}
