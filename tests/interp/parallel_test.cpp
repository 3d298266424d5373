#include "interp/parallel.h"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "interp/check.h"
#include "interp/kernel_context.h"

using namespace pt2;
using namespace pt2::interp;

namespace {
KernelContext with_threads(int threads, std::stop_token stop = {}) {
  KernelContext context = current_context();
  context.threads = threads;
  context.stop = std::move(stop);
  return context;
}
}  // namespace

TEST_CASE("a parallel loop visits everything once, nested ones too") {
  const KernelContext context = with_threads(4);
  ContextScope scope(context);
  std::vector<std::atomic<int>> visits(1000);
  parallel_for(10, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      parallel_for(100, 7, [&](int64_t b, int64_t e) {
        for (int64_t j = b; j < e; ++j) ++visits[i * 100 + j];
      });
  });
  for (const auto& count : visits) CHECK(count == 1);
}

TEST_CASE("an exception in a loop's body reaches the caller") {
  const KernelContext context = with_threads(4);
  ContextScope scope(context);
  for (int round = 0; round < 50; ++round)
    CHECK_THROWS_AS(parallel_for(100, 1, [](int64_t begin, int64_t) { if (begin >= 50) throw std::runtime_error("no"); }), std::runtime_error);
}

TEST_CASE("a cancelled run stops its loops") {
  std::stop_source source;
  const KernelContext context = with_threads(2, source.get_token());
  ContextScope scope(context);
  std::atomic<int> begun = 0;
  const auto loop = [&] {
    parallel_for(1000000, 1, [&](int64_t, int64_t) {
      const int place = ++begun;
      if (place == 3) source.request_stop();
      while (place > 3 && !source.stop_requested()) std::this_thread::yield();
    });
  };
  CHECK_THROWS_AS(loop(), KernelError);
  CHECK(begun <= 4);  // the other thread's chunk may have begun
}
