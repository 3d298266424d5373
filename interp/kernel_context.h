#pragma once
// What surrounds a kernel while it runs. Most kernels see none of it: allocation and parallel loops ask current_context() themselves.
// A kernel that draws random numbers takes a KernelContext& as its first parameter.
#include <atomic>
#include <cstddef>
#include <memory>
#include <stop_token>

namespace pt2::interp {

class Generator;  // interp/random.h

// Bytes handed out to results and scratch. Shared: storages give back what they took when they die, wherever that happens.
class MemoryBudget {
 public:
  explicit MemoryBudget(size_t limit_bytes) : limit_bytes_(limit_bytes) {}
  // False, and nothing taken, where the limit would be passed.
  bool take(size_t bytes) {
    size_t used = used_bytes_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    if (used > limit_bytes_ || used < bytes) {
      used_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
      return false;
    }
    size_t peak = peak_bytes_.load(std::memory_order_relaxed);
    while (used > peak && !peak_bytes_.compare_exchange_weak(peak, used, std::memory_order_relaxed)) {}
    return true;
  }
  void give_back(size_t bytes) { used_bytes_.fetch_sub(bytes, std::memory_order_relaxed); }

  size_t limit_bytes() const { return limit_bytes_; }
  size_t used_bytes() const { return used_bytes_.load(std::memory_order_relaxed); }
  size_t peak_bytes() const { return peak_bytes_.load(std::memory_order_relaxed); }

 private:
  const size_t limit_bytes_;
  std::atomic<size_t> used_bytes_{0}, peak_bytes_{0};
};

struct KernelContext {
  std::shared_ptr<MemoryBudget> memory;  // never null
  std::stop_token stop;                  // polled at least every 10 ms by loops: see throw_if_stopped
  Generator* generator = nullptr;        // never null while a node runs
  int threads = 0;                       // how many threads parallel loops may use; 0: all processors
};

// The context of the node that runs on this thread; outside a run (tests, statistics) a default one without limit.
const KernelContext& current_context();

// Installs a context for the calling thread while it lives.
class ContextScope {
 public:
  explicit ContextScope(const KernelContext& context);
  ~ContextScope();
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

 private:
  const KernelContext* previous_;
};

// Throws KernelError of kind Stopped once the run was cancelled. Cheap.
void throw_if_stopped();

}  // namespace pt2::interp
