#pragma once
// Which groups of a Diff are in the sub-graphs that a group calls.
#include <map>
#include <set>
#include <vector>

#include "core/diff/diff.h"

namespace pt2::interp {

// The sub-graphs these nodes call.
std::vector<GraphId> called_graphs(const Program& program, const std::vector<NodeRef>& nodes);

class CalledGroups {
 public:
  CalledGroups(const Program& left, const Program& right, const Diff& diff);
  // Those of the sub-graphs the group calls itself.
  std::set<size_t> directly(size_t group) const;
  // … and of those that these call.
  std::set<size_t> all(size_t group) const;

 private:
  using OfGraph = std::map<GraphId, std::set<size_t>>;
  static void collect(const Program& program, const std::vector<NodeRef>& nodes, const OfGraph& of, std::set<size_t>& inside);

  const Program &left_, &right_;
  const Diff& diff_;
  OfGraph of_left_, of_right_;  // of_right_: groups that are on the right only
};

}  // namespace pt2::interp
