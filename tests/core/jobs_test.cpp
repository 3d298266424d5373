#include <doctest/doctest.h>

#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/base/jobs.h"

using pt2::Job;
using pt2::JobQueue;

namespace {
void drain(JobQueue& jobs) {
  while (!jobs.idle()) {
    jobs.wait(1);
    jobs.deliver();
  }
}
}  // namespace

TEST_CASE("a job's value is handed over by deliver, on the caller's thread") {
  JobQueue jobs(2);
  int got = 0;
  jobs.submit("", "answer", [](Job&) { return 42; }, [&](int value) { got = value; });
  drain(jobs);
  CHECK(got == 42);
}

TEST_CASE("a job with the same tag replaces the one before: its result never arrives") {
  JobQueue jobs(1);
  std::promise<void> started;
  std::vector<int> got;
  jobs.submit("layout", "first", [&](Job& job) {
    started.set_value();
    while (!job.stopped()) std::this_thread::yield();
    return 1;
  }, [&](int v) { got.push_back(v); });
  started.get_future().wait();
  jobs.submit("layout", "second", [](Job&) { return 2; }, [&](int v) { got.push_back(v); });
  jobs.submit("layout", "third", [](Job&) { return 3; }, [&](int v) { got.push_back(v); });
  drain(jobs);
  CHECK(got == std::vector<int>{3});
}

TEST_CASE("messages of a job arrive in order before its result") {
  JobQueue jobs(1);
  std::vector<int> got;
  jobs.submit("", "run", [&](Job& job) {
    for (int i = 0; i < 3; ++i) job.post([&got, i] { got.push_back(i); });
  }, [&] { got.push_back(99); });
  drain(jobs);
  CHECK(got == std::vector<int>{0, 1, 2, 99});
}

TEST_CASE("an exception that escapes a job is reported, not lost") {
  JobQueue jobs(1);
  std::string bug;
  jobs.on_bug = [&](const std::string& title, const std::string& what) { bug = title + ": " + what; };
  jobs.submit("", "bad", [](Job&) -> int { throw std::runtime_error("oops"); }, [](int) {});
  drain(jobs);
  CHECK(bug == "bad: oops");
}
