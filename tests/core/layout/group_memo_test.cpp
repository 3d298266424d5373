#include "core/layout/group_memo.h"

#include <doctest/doctest.h>

using namespace pt2;

namespace {

GroupResult of_size(size_t edges) {
  GroupResult result;
  result.size.cross = float(edges);
  result.edges.assign(edges, std::vector<FlowPoint>(4));
  return result;
}

}  // namespace

TEST_CASE("group layouts: what is kept has a bound, what is asked for stays") {
  GroupMemo memo;
  memo.keep("often", of_size(7));
  for (int i = 0; i < 40'000; ++i) {
    memo.keep("group " + std::to_string(i), of_size(100));
    REQUIRE(memo.bytes() <= GroupMemo::kMostBytes);
    if (i % 100 == 0) REQUIRE(memo.find("often"));
  }
  CHECK(memo.find("often")->size.cross == 7);
  CHECK(memo.find("group 39999")->size.cross == 100);
  CHECK(!memo.find("group 0"));
  CHECK(memo.bytes() > GroupMemo::kMostBytes / 4);
}

TEST_CASE("group layouts: one without bound is answered and not kept") {
  GroupMemo memo;
  CHECK(memo.keep("vast", of_size(500'000))->size.cross == 500'000);
  CHECK(!memo.find("vast"));
  CHECK(memo.bytes() == 0);
}
