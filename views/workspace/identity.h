#pragma once
#include <cstdint>
#include <memory>

namespace pt2::views {

// Names an object in keys: no other object has this number, not even one that takes its place in memory. For the UI thread.
uint64_t identity_of(const std::shared_ptr<const void>& object);

}  // namespace pt2::views
