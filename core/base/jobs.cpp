// Workers take jobs in order. Everything shared is in State, under one mutex; a job's body runs outside it. std::function must be
// copyable, so a result travels in a shared_ptr. Results are handed over in the order in which they became ready.
#include "core/base/jobs.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <thread>

namespace pt2 {

using Clock = std::chrono::steady_clock;

struct JobQueue::State {
  struct Entry;
  mutable std::mutex mutex;
  mutable std::condition_variable work_ready, news;
  std::function<void()> wake;
  std::deque<std::shared_ptr<Entry>> waiting;
  std::list<std::shared_ptr<Entry>> running;
  struct Delivery {
    std::shared_ptr<Entry> entry;
    std::function<void()> call;
    std::string bug;
    bool last = false;
  };
  std::deque<Delivery> ready;
  bool closing = false;
  uint64_t last_id = 0;
  std::vector<std::jthread> workers;

  void announce(Delivery delivery);
  void work();
  template <class Meant>
  void cancel(Meant meant);
};

struct JobQueue::State::Entry final : Job, std::enable_shared_from_this<JobQueue::State::Entry> {
  State* owner = nullptr;
  uint64_t id = 0;
  std::string tag, title, stage;
  float fraction = -1;
  Clock::time_point submitted = Clock::now();
  std::stop_source source;
  Body body;
  bool dropped = false;  // its results no longer interest anybody

  std::stop_token stop() const override { return source.get_token(); }
  void progress(float f, std::string s) override {
    std::function<void()> wake;
    {
      std::lock_guard lock(owner->mutex);
      fraction = f;
      stage = std::move(s);
      wake = owner->wake;
    }
    if (wake) wake();
  }
  void post(std::function<void()> message) override;
};

void JobQueue::State::announce(Delivery delivery) {
  std::function<void()> call_wake;
  {
    std::lock_guard lock(mutex);
    if (delivery.last) running.remove(delivery.entry);
    ready.push_back(std::move(delivery));
    call_wake = wake;
  }
  news.notify_all();
  if (call_wake) call_wake();
}

void JobQueue::State::Entry::post(std::function<void()> message) {
  owner->announce({shared_from_this(), std::move(message), {}, false});
}

void JobQueue::State::work() {
  for (;;) {
    std::shared_ptr<Entry> entry;
    {
      std::unique_lock lock(mutex);
      work_ready.wait(lock, [this] { return closing || !waiting.empty(); });
      if (closing) return;
      entry = std::move(waiting.front());
      waiting.pop_front();
      running.push_back(entry);
    }
    Delivery delivery{entry, {}, {}, true};
    try {
      delivery.call = entry->body(*entry);
    } catch (const std::exception& e) {
      delivery.bug = e.what();
    } catch (...) {
      delivery.bug = "unknown exception";
    }
    entry->body = nullptr;
    announce(std::move(delivery));
  }
}

JobQueue::JobQueue(unsigned workers, std::function<void()> wake) : state_(std::make_shared<State>()) {
  state_->wake = std::move(wake);
  for (unsigned i = 0; i < workers; ++i) state_->workers.emplace_back([state = state_.get()] { state->work(); });
}

JobQueue::~JobQueue() {
  {
    std::lock_guard lock(state_->mutex);
    state_->closing = true;
    state_->wake = nullptr;
    for (auto& entry : state_->running) entry->source.request_stop();
  }
  state_->work_ready.notify_all();
  state_->workers.clear();
}

void JobQueue::set_wake(std::function<void()> wake) {
  std::lock_guard lock(state_->mutex);
  state_->wake = std::move(wake);
}

void JobQueue::enqueue(std::string tag, std::string title, Body body) {
  auto entry = std::make_shared<State::Entry>();
  entry->owner = state_.get();
  entry->tag = std::move(tag);
  entry->title = std::move(title);
  entry->body = std::move(body);
  if (!entry->tag.empty()) cancel(entry->tag);
  {
    std::lock_guard lock(state_->mutex);
    entry->id = ++state_->last_id;
    state_->waiting.push_back(std::move(entry));
  }
  state_->work_ready.notify_one();
}

template <class Meant>
void JobQueue::State::cancel(Meant meant) {
  std::deque<std::shared_ptr<Entry>> dropped;  // destroyed outside the lock
  std::lock_guard lock(mutex);
  for (auto& entry : running) {
    if (!meant(*entry)) continue;
    entry->dropped = true;
    entry->source.request_stop();
  }
  for (auto& delivery : ready)
    if (meant(*delivery.entry)) delivery.entry->dropped = true;
  auto keep = std::stable_partition(waiting.begin(), waiting.end(), [&](auto& entry) { return !meant(*entry); });
  dropped.assign(std::make_move_iterator(keep), std::make_move_iterator(waiting.end()));
  waiting.erase(keep, waiting.end());
}

void JobQueue::cancel(const std::string& tag) {
  state_->cancel([&](const State::Entry& entry) { return entry.tag == tag; });
}

void JobQueue::cancel_job(uint64_t id) {
  state_->cancel([id](const State::Entry& entry) { return entry.id == id; });
}

size_t JobQueue::deliver() {
  size_t delivered = 0;
  for (;;) {
    State::Delivery delivery;
    {
      std::lock_guard lock(state_->mutex);
      if (state_->ready.empty()) return delivered;
      delivery = std::move(state_->ready.front());
      state_->ready.pop_front();
      if (delivery.entry->dropped) continue;
    }
    ++delivered;
    if (!delivery.bug.empty()) {
      if (on_bug) on_bug(delivery.entry->title, delivery.bug);
    } else if (delivery.call) {
      delivery.call();
    }
  }
}

bool JobQueue::has_news() const {
  std::lock_guard lock(state_->mutex);
  return !state_->ready.empty();
}

bool JobQueue::idle() const {
  std::lock_guard lock(state_->mutex);
  return state_->waiting.empty() && state_->ready.empty() &&
         std::all_of(state_->running.begin(), state_->running.end(), [](auto& entry) { return entry->dropped; });
}

void JobQueue::wait(double seconds) const {
  std::unique_lock lock(state_->mutex);
  state_->news.wait_for(lock, std::chrono::duration<double>(seconds),
                        [this] { return !state_->ready.empty() || (state_->waiting.empty() && state_->running.empty()); });
}

std::vector<JobInfo> JobQueue::jobs() const {
  std::lock_guard lock(state_->mutex);
  std::vector<JobInfo> list;
  auto add = [&](const State::Entry& entry, bool running) {
    if (entry.dropped) return;
    list.push_back({entry.id, entry.tag, entry.title, entry.stage, entry.fraction, std::chrono::duration<double>(Clock::now() - entry.submitted).count(), running});
  };
  for (auto& entry : state_->running) add(*entry, true);
  for (auto& entry : state_->waiting) add(*entry, false);
  return list;
}

}  // namespace pt2
