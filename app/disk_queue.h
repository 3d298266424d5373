#pragma once
// What is read and written for the user's sessions and settings, one piece after the other and away from the UI thread: a disk that stalls
// must not stop the window.
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/base/jobs.h"

namespace pt2::app {

class DiskQueue {
 public:
  explicit DiskQueue(JobQueue& jobs);
  // `work()` on a worker, when all that was submitted before is done; `done(result)` on the UI thread.
  template <class Work, class Done>
  void submit(Work work, Done done) {
    push([work = std::move(work), done = std::move(done)](Job& job) mutable {
      auto result = std::make_shared<std::invoke_result_t<Work&>>(work());
      job.post([result, done = std::move(done)]() mutable { done(std::move(*result)); });
    });
  }
  // Waits until everything is done: before the queue of jobs goes.
  void finish();

 private:
  using Piece = std::function<void(Job&)>;
  void push(Piece piece);
  struct State;
  JobQueue& jobs_;
  std::shared_ptr<State> state_;
  size_t started_ = 0;
};

// The tag of its jobs begins so; the status bar offers no cancelling.
inline constexpr const char* kDiskTag = "disk/";

}  // namespace pt2::app
