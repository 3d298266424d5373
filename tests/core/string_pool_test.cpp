#include "core/base/string_pool.h"

#include <doctest/doctest.h>

TEST_CASE("equal texts are interned once") {
  pt2::StringPool pool;
  std::string text = "torch.ops.aten.add.Tensor";
  const std::string_view first = pool.intern(text);
  text[0] = 'T';  // the pool keeps its own copy
  CHECK(first == "torch.ops.aten.add.Tensor");
  CHECK(pool.intern("torch.ops.aten.add.Tensor").data() == first.data());
}
