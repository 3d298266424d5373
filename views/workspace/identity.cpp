#include "views/workspace/identity.h"

#include <map>

namespace pt2::views {

uint64_t identity_of(const std::shared_ptr<const void>& object) {
  // What a weak pointer holds on to is the object's owner: its place is taken by no other while it is in the table.
  static std::map<std::weak_ptr<const void>, uint64_t, std::owner_less<std::weak_ptr<const void>>> numbers;
  static uint64_t last = 0;
  std::erase_if(numbers, [](const auto& known) { return known.first.expired(); });
  const auto [known, is_new] = numbers.try_emplace(object, last + 1);
  last += is_new;
  return known->second;
}

}  // namespace pt2::views
