#pragma once
// Finished group layouts by the problem they answer (memo_key), of bounded size: those asked for lately stay.
#include <memory>
#include <string>
#include <unordered_map>

#include "core/layout/group_layout.h"

namespace pt2 {

class GroupMemo {
 public:
  static constexpr size_t kMostBytes = size_t(32) << 20;

  // Null: not kept.
  std::shared_ptr<const GroupResult> find(const std::string& key);
  std::shared_ptr<const GroupResult> keep(std::string key, GroupResult result);
  // What is kept, keys and all.
  size_t bytes() const { return recent_.bytes + older_.bytes; }

 private:
  // Half of the room is for what came or was asked for lately; when it is full, the half before goes.
  struct Half {
    std::unordered_map<std::string, std::shared_ptr<const GroupResult>> results;
    size_t bytes = 0;
  };
  void add(std::string key, std::shared_ptr<const GroupResult> result);

  Half recent_, older_;
};

}  // namespace pt2
