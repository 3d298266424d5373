#include "views/workspace/identity.h"

#include <doctest/doctest.h>

#include <set>

using pt2::views::identity_of;

TEST_CASE("an object has one number, and no later one has it, wherever it lies") {
  std::set<uint64_t> numbers;
  for (int i = 0; i < 100; ++i) {
    const auto object = std::make_shared<const int>(i);  // where the one before lay
    const std::shared_ptr<const int> again = object;
    CHECK(identity_of(object) == identity_of(again));
    CHECK(numbers.insert(identity_of(object)).second);
  }
}
