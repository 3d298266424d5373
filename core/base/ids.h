#pragma once
// Typed indices. Across frames and threads the program holds ids, never pointers: an id prints well, serialises, indexes any
// side table in O(1) and cannot dangle.
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/assert.h"

namespace pt2 {

template <class Tag>
struct Id {
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  uint32_t index = kNone;

  constexpr Id() = default;
  constexpr explicit Id(size_t i) : index(static_cast<uint32_t>(i)) {}
  constexpr bool valid() const { return index != kNone; }
  constexpr explicit operator bool() const { return valid(); }
  friend constexpr auto operator<=>(Id, Id) = default;
};

// A vector that can be indexed only by its own id; always bounds-checked.
template <class IdT, class T>
class IdVector {
 public:
  IdVector() = default;
  explicit IdVector(size_t n, const T& value = T()) : items_(n, value) {}

  T& operator[](IdT id) { PT2_ASSERT(id.index < items_.size()); return items_[id.index]; }
  const T& operator[](IdT id) const { PT2_ASSERT(id.index < items_.size()); return items_[id.index]; }
  bool contains(IdT id) const { return id.index < items_.size(); }
  IdT push_back(T value) { items_.push_back(std::move(value)); return IdT(items_.size() - 1); }
  size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  void resize(size_t n) { items_.resize(n); }
  void reserve(size_t n) { items_.reserve(n); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  const std::vector<T>& raw() const { return items_; }

 private:
  std::vector<T> items_;
};

using NodeId = Id<struct NodeTag>;      // a node of one Graph; in FX every value is a node, so this names values too
using GraphId = Id<struct GraphTag>;    // a Graph of one Program
using ModuleId = Id<struct ModuleTag>;  // a module call of one Program's ModuleTree

// A node across graphs of one program.
struct NodeRef {
  GraphId graph;
  NodeId node;
  friend constexpr auto operator<=>(const NodeRef&, const NodeRef&) = default;
};

}  // namespace pt2

template <class Tag>
struct std::hash<pt2::Id<Tag>> {
  size_t operator()(pt2::Id<Tag> id) const noexcept { return std::hash<uint32_t>()(id.index); }
};
template <>
struct std::hash<pt2::NodeRef> {
  size_t operator()(const pt2::NodeRef& r) const noexcept {
    return std::hash<uint64_t>()((uint64_t(r.graph.index) << 32) | r.node.index);
  }
};
