#pragma once
// Values computed from immutable inputs, asked for by key while drawing and filled by jobs: statistics, histograms, layouts, slices.
// The first ask starts the job; until it is done the answer is null and the pane draws what it had or "Computing…".
#include <any>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>

#include "core/base/jobs.h"

namespace pt2::views {

class DerivedCache {
 public:
  explicit DerivedCache(JobQueue& jobs, size_t limit = 256) : jobs_(jobs), limit_(limit) {}

  // `work(Job&) -> T` must hold what it reads by value or shared pointer. Keys name their inputs in full, so that equal keys mean
  // equal values. `title` is shown in the status bar.
  template <class T, class Work>
  std::shared_ptr<const T> get(const std::string& key, const std::string& title, Work work) {
    if (Entry* entry = find(key)) return std::any_cast<std::shared_ptr<const T>>(entry->value);
    insert(key, std::any(std::shared_ptr<const T>()));
    jobs_.submit(
        "derived:" + key, title, [work = std::move(work)](Job& job) mutable { return std::shared_ptr<const T>(std::make_shared<T>(work(job))); },
        [alive = std::weak_ptr<bool>(alive_), this, key](std::shared_ptr<const T> value) {
          if (alive.expired()) return;
          if (Entry* entry = find(key)) entry->value = std::move(value);
        });
    return nullptr;
  }
  // The value if it is there; starts nothing.
  template <class T>
  std::shared_ptr<const T> peek(const std::string& key) {
    Entry* entry = find(key);
    return entry ? std::any_cast<std::shared_ptr<const T>>(entry->value) : nullptr;
  }
  void forget(const std::string& key_prefix);

 private:
  struct Entry { std::string key; std::any value; };
  Entry* find(const std::string& key);  // and marks it as used
  void insert(const std::string& key, std::any value);

  JobQueue& jobs_;
  size_t limit_;
  std::list<Entry> entries_;  // most recently used first
  std::unordered_map<std::string, std::list<Entry>::iterator> index_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace pt2::views
