#include "views/workspace/derived_cache.h"

namespace pt2::views {

DerivedCache::Entry* DerivedCache::find(const std::string& key) {
  auto it = index_.find(key);
  if (it == index_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, it->second);
  return &*it->second;
}

void DerivedCache::insert(const std::string& key, std::any value) {
  entries_.push_front({key, std::move(value)});
  index_[key] = entries_.begin();
  while (entries_.size() > limit_) {
    jobs_.cancel("derived:" + entries_.back().key);
    index_.erase(entries_.back().key);
    entries_.pop_back();
  }
}

void DerivedCache::forget(const std::string& key_prefix) {
  for (auto it = entries_.begin(); it != entries_.end();) {
    if (!it->key.starts_with(key_prefix)) {
      ++it;
      continue;
    }
    jobs_.cancel("derived:" + it->key);
    index_.erase(it->key);
    it = entries_.erase(it);
  }
}

}  // namespace pt2::views
