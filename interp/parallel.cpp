#include "interp/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "interp/kernel_context.h"

namespace pt2::interp {

namespace {

thread_local bool inside_a_loop = false;

// A model is thousands of short loops, and to wake a sleeping thread costs as much as one of them: who waits looks on for a moment first.
template <class Ready>
void look_on(Ready ready) {
  constexpr auto kMoment = std::chrono::microseconds(60);
  const auto end = std::chrono::steady_clock::now() + kMoment;
  while (!ready() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

// One parallel_for. Threads take the next chunk until none is left.
struct Loop {
  FunctionRef<void(int64_t, int64_t)> body;
  int64_t count, chunk;
  const KernelContext& context;
  std::atomic<int64_t> next{0};
  std::atomic<bool> failed{false};
  std::atomic<int> helpers{0};  // changed with the pool's mutex held
  std::exception_ptr error;     // guarded by it
  std::condition_variable idle;

  void work() {
    for (;;) {
      const int64_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
      if (begin >= count || failed.load(std::memory_order_relaxed)) return;
      throw_if_stopped();
      body(begin, std::min(begin + chunk, count));
    }
  }
};

class Pool {
 public:
  ~Pool() {
    {
      std::lock_guard lock(mutex_);
      closing_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void run(Loop& loop, int helpers) {
    {
      std::lock_guard lock(mutex_);
      while (static_cast<int>(threads_.size()) < helpers) threads_.emplace_back([this] { serve(); });
      waiting_.insert(waiting_.end(), static_cast<size_t>(helpers), &loop);
      work_waits_ = true;
    }
    if (helpers == 1) wake_.notify_one();
    else wake_.notify_all();
    take_part(loop);
    std::unique_lock lock(mutex_);
    std::erase(waiting_, &loop);
    work_waits_ = !waiting_.empty();
    lock.unlock();
    look_on([&] { return loop.helpers == 0; });
    lock.lock();
    loop.idle.wait(lock, [&] { return loop.helpers == 0; });
    if (loop.error) std::rethrow_exception(loop.error);
  }

 private:
  void take_part(Loop& loop) {
    inside_a_loop = true;
    try {
      loop.work();
    } catch (...) {
      loop.failed = true;
      std::lock_guard lock(mutex_);
      if (!loop.error) loop.error = std::current_exception();
    }
    inside_a_loop = false;
  }

  void serve() {
    for (;;) {
      look_on([&] { return work_waits_.load(); });
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
      if (closing_) return;
      Loop& loop = *waiting_.front();
      waiting_.pop_front();
      work_waits_ = !waiting_.empty();
      ++loop.helpers;
      lock.unlock();
      {
        ContextScope scope(loop.context);
        take_part(loop);
      }
      lock.lock();
      if (--loop.helpers == 0) loop.idle.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Loop*> waiting_;  // a loop once for each helper it can use
  std::atomic<bool> work_waits_{false};  // whether there are any, for who looks on
  std::vector<std::thread> threads_;
  bool closing_ = false;
};

Pool& pool() {
  static Pool pool;
  return pool;
}

}  // namespace

int thread_count() {
  static const int processors = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int wanted = current_context().threads;
  return wanted > 0 ? std::min(wanted, 256) : processors;
}

void parallel_for(int64_t count, int64_t grain, FunctionRef<void(int64_t, int64_t)> body) {
  if (count <= 0) return;
  grain = std::max<int64_t>(grain, 1);
  const int threads = inside_a_loop ? 1 : thread_count();
  // A few for each thread, and as many for all: who ends first waits for who has one more.
  int64_t chunks = std::clamp<int64_t>(count / grain, 1, int64_t{4} * threads);
  if (chunks > threads) chunks -= chunks % threads;
  // One at a time where a single item is long already; else the thread that is behind, or a cancelled run, would wait for many.
  const int64_t longest = grain == 1 ? 1 : grain > count / 64 ? count : grain * 64;
  const int64_t chunk = std::min((count - 1) / chunks + 1, longest);
  chunks = (count - 1) / chunk + 1;
  const int helpers = static_cast<int>(std::min<int64_t>(threads, chunks)) - 1;
  if (helpers < 1) {
    for (int64_t begin = 0; begin < count; begin += chunk) {
      throw_if_stopped();
      body(begin, std::min(begin + chunk, count));
    }
    return;
  }
  Loop loop{body, count, chunk, current_context()};
  pool().run(loop, helpers);
}

}  // namespace pt2::interp
