#pragma once
// Slow things are jobs: value in, value out. A job runs on a worker and never touches what the UI thread owns; its result is handed
// over by deliver(), on the UI thread, at the start of a frame. What is handed over is guarded in jobs.cpp.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace pt2 {

// What a running job can say. Safe on the worker; outlives the queue.
class Job {
 public:
  virtual ~Job() = default;
  virtual std::stop_token stop() const = 0;
  bool stopped() const { return stop().stop_requested(); }
  // fraction < 0: unknown. Shown in the status bar.
  virtual void progress(float fraction, std::string stage) = 0;
  // Runs `message` on the UI thread, in order, before the job's own result; dropped once the job is cancelled or replaced.
  virtual void post(std::function<void()> message) = 0;
};

struct JobInfo {
  uint64_t id = 0;     // of this job alone
  std::string tag, title, stage;
  float fraction = -1;
  double seconds = 0;  // since it was submitted
  bool running = false;
};

class JobQueue {
 public:
  // `wake` is called from workers whenever deliver() has something to do; it must be thread-safe.
  explicit JobQueue(unsigned workers = 4, std::function<void()> wake = {});
  ~JobQueue();  // cancels everything and waits for the workers
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  void set_wake(std::function<void()> wake);

  // Runs `work(Job&)` on a worker and `done(result)` on the thread that calls deliver(). A job with a tag replaces the one with the
  // same tag: a waiting one is dropped, a running one is asked to stop and its result is dropped. An empty tag replaces nothing.
  template <class Work, class Done>
  void submit(std::string tag, std::string title, Work work, Done done) {
    using T = std::invoke_result_t<Work&, Job&>;
    if constexpr (std::is_void_v<T>) {
      enqueue(std::move(tag), std::move(title), [work = std::move(work), done = std::move(done)](Job& job) mutable -> std::function<void()> {
        work(job);
        return std::move(done);
      });
    } else {
      enqueue(std::move(tag), std::move(title), [work = std::move(work), done = std::move(done)](Job& job) mutable -> std::function<void()> {
        auto result = std::make_shared<T>(work(job));
        return [result, done = std::move(done)]() mutable { done(std::move(*result)); };
      });
    }
  }

  // Cancelled jobs' results and messages are dropped.
  void cancel(const std::string& tag);
  void cancel_job(uint64_t id);  // that one and no other, with a tag or without
  // Runs messages and results that are ready; says how many there were.
  size_t deliver();
  // deliver() has something to do.
  bool has_news() const;
  // Nothing waits, runs or is to be delivered.
  bool idle() const;
  // Waits until a job finishes or posts something, at most `seconds`; for tests and scripts.
  void wait(double seconds) const;
  std::vector<JobInfo> jobs() const;  // waiting and running, oldest first

  // Called by deliver() with what() of an exception that escaped a job: a bug, to be shown and never lost.
  std::function<void(const std::string& title, const std::string& what)> on_bug;

 private:
  using Body = std::function<std::function<void()>(Job&)>;
  void enqueue(std::string tag, std::string title, Body body);
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace pt2
