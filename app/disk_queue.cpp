#include "app/disk_queue.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <string>

namespace pt2::app {

struct DiskQueue::State {
  std::mutex mutex;
  std::condition_variable emptied;
  std::deque<Piece> pieces;
  bool running = false;  // a job is on that takes them

  // Null: there is none, and the job ends.
  Piece next() {
    std::lock_guard lock(mutex);
    if (pieces.empty()) {
      running = false;
      emptied.notify_all();
      return nullptr;
    }
    Piece piece = std::move(pieces.front());
    pieces.pop_front();
    return piece;
  }
};

DiskQueue::DiskQueue(JobQueue& jobs) : jobs_(jobs), state_(std::make_shared<State>()) {}

void DiskQueue::push(Piece piece) {
  {
    std::lock_guard lock(state_->mutex);
    state_->pieces.push_back(std::move(piece));
    if (std::exchange(state_->running, true)) return;
  }
  // A tag of its own: another job of the same one would drop what this has to tell.
  jobs_.submit(
      kDiskTag + std::to_string(++started_), "Keeping the session",
      [state = state_](Job& job) {
        std::exception_ptr bug;
        while (Piece piece = state->next()) {
          try {
            piece(job);
          } catch (...) {
            bug = std::current_exception();  // told when the others are done
          }
        }
        if (bug) std::rethrow_exception(bug);
      },
      [] {});
}

void DiskQueue::finish() {
  std::unique_lock lock(state_->mutex);
  state_->emptied.wait(lock, [this] { return !state_->running; });
}

}  // namespace pt2::app
