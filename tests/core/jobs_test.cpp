#include <doctest/doctest.h>

#include <algorithm>
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

TEST_CASE("one job of several without a tag is cancelled alone, running or waiting") {
  JobQueue jobs(2);
  std::vector<int> got;
  std::promise<void> go, started[2];
  auto wait = go.get_future().share();
  for (int i = 0; i < 2; ++i)
    jobs.submit("", "running", [&started, wait, i](Job& job) {
      started[i].set_value();
      wait.wait();
      return job.stopped() ? -1 : i;
    }, [&](int v) { got.push_back(v); });
  for (auto& s : started) s.get_future().wait();
  for (int i = 2; i < 4; ++i) jobs.submit("", "waiting", [i](Job&) { return i; }, [&](int v) { got.push_back(v); });
  const auto list = jobs.jobs();
  REQUIRE(list.size() == 4);
  jobs.cancel_job(list[3].id);
  jobs.cancel_job(list[0].id);
  CHECK(jobs.jobs().size() == 2);
  go.set_value();
  drain(jobs);
  REQUIRE(got.size() == 2);
  CHECK(std::count(got.begin(), got.end(), 2) == 1);   // the other one that waited …
  CHECK(std::count(got.begin(), got.end(), -1) == 0);  // … and the other one that ran, to its end
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
