#include "core/layout/group_memo.h"

#include <utility>
#include <vector>

namespace pt2 {
namespace {

template <class T>
size_t bytes_of(const std::vector<std::vector<T>>& lists) {
  size_t bytes = lists.size() * sizeof(std::vector<T>);
  for (const auto& list : lists) bytes += list.size() * sizeof(T);
  return bytes;
}

size_t bytes_of(const std::string& key, const GroupResult& r) {
  constexpr size_t kEntry = 128;  // of the table and the shared pointer
  return kEntry + key.size() + sizeof r + r.members.size() * sizeof(FlowPoint) + (r.entries.size() + r.exits.size()) * sizeof(float) +
         bytes_of(r.edges) + bytes_of(r.labels) + bytes_of(r.in_tags) + bytes_of(r.out_tags);
}

}  // namespace

std::shared_ptr<const GroupResult> GroupMemo::find(const std::string& key) {
  if (auto it = recent_.results.find(key); it != recent_.results.end()) return it->second;
  const auto it = older_.results.find(key);
  if (it == older_.results.end()) return nullptr;
  auto result = it->second;
  older_.bytes -= bytes_of(key, *result);
  older_.results.erase(it);
  add(key, result);
  return result;
}

std::shared_ptr<const GroupResult> GroupMemo::keep(std::string key, GroupResult result) {
  auto kept = std::make_shared<const GroupResult>(std::move(result));
  add(std::move(key), kept);
  return kept;
}

void GroupMemo::add(std::string key, std::shared_ptr<const GroupResult> result) {
  const size_t bytes = bytes_of(key, *result);
  if (bytes > kMostBytes / 2) return;  // whoever asked has it
  if (recent_.bytes + bytes > kMostBytes / 2) older_ = std::exchange(recent_, {});
  if (recent_.results.emplace(std::move(key), std::move(result)).second) recent_.bytes += bytes;
}

}  // namespace pt2
