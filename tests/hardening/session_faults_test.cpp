// Sessions under every failure and a kill at every step: the old or the new one is there, whole.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/session_store.h"
#include "tests/hardening/sweep.h"
#include "tests/support/scratch.h"

using namespace pt2;
using namespace pt2::app;

namespace {

// What is kept one after the other; the first of them in an earlier life.
const SessionFields kOld{{"breakpoints", "[\"relu\"]"}, {"watches", "[]"}};
const std::vector<SessionFields> kSteps = {{{"watches", "[\"a\"]"}}, {{"watches", "[\"a\",\"b\"]"}, {"inputs", "{\"x\":\"2\"}"}}, {{"breakpoints", "[]"}}};

// The states a reader may find, oldest first.
std::vector<SessionFields> states() {
  std::vector<SessionFields> all{kOld};
  for (const SessionFields& step : kSteps) {
    all.push_back(all.back());
    for (const auto& [key, value] : step) all.back()[key] = value;
  }
  return all;
}

void prepare(const std::string& path) {
  for (const char* end : {"", ".bak", ".journal", ".lock"}) std::filesystem::remove(path + end);
  SessionStore store(path);
  std::vector<std::string> notes;
  store.open(notes);
  store.keep(kOld);
  store.save();
  REQUIRE(store.problem() == "");
}

// A life of a window.
struct Life {
  size_t kept = 0;  // steps that were kept as far as it knew
  std::string problem;
  std::vector<std::string> notes;
};
Life live(const std::string& path) {
  Life life;
  SessionStore store(path);
  store.open(life.notes);
  for (size_t i = 0; i < kSteps.size(); ++i) {
    store.keep(kSteps[i]);
    if (store.problem().empty()) life.kept = i + 1;
    store.flush();
  }
  store.save();
  life.problem = store.problem();
  return life;
}

// Index of the state that is found on disk.
size_t found_state(const std::string& path) {
  std::vector<std::string> notes;
  SessionStore store(path);
  const SessionFields fields = store.open(notes);
  CHECK(notes.empty());
  const auto all = states();
  for (size_t i = all.size(); i-- > 0;)
    if (fields == all[i]) return i;
  std::string text;
  for (const auto& [key, value] : fields) text += key + "=" + value + " ";
  FAIL_CHECK("neither the old nor a new session: " << text);
  return 0;
}

std::string whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("faults: killed at each step of a session's life, it is the old or a later one that is found") {
  const test::Scratch scratch;
  const std::string path = scratch.path("s.json");
  size_t kills = 0, seen[8] = {};
  for (uint64_t n = 1;; ++n) {
    CAPTURE(n);
    prepare(path);
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      faults::arm({faults::Call::AnyFile, n, faults::kKill});
      live(path);
      ::_exit(faults::disarm() ? 1 : 0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    const size_t state = found_state(path);
    if (WEXITSTATUS(status) == 0) {
      CHECK(state == kSteps.size());
      break;
    }
    REQUIRE(WEXITSTATUS(status) == faults::kKilledStatus);
    ++seen[state];
    ++kills;
    CHECK(nlohmann::json::accept(whole(path)));
  }
  std::printf("kill at each step: %zu kills, states found %zu %zu %zu %zu\n", kills, seen[0], seen[1], seen[2], seen[3]);
  CHECK(kills > 15);
  CHECK(seen[0] > 0);
  CHECK(seen[1] > 0);
  CHECK(seen[3] > 0);
}

TEST_CASE("faults: every failure of a session's life leaves the old or a later one, and says which file it was") {
  const test::Scratch scratch;
  const std::string path = scratch.path("s.json");
  const size_t met = faults::sweep("session", faults::kFileKinds, [&](const faults::Kind& kind, auto&& guarded) {
    CAPTURE(kind.name);
    prepare(path);
    Life life;
    guarded([&] { life = live(path); });
    const size_t state = found_state(path);
    if (faults::must_pass(kind)) {
      CHECK(life.problem == "");
      CHECK(life.notes.empty());
    }
    CHECK(state >= life.kept);
    if (life.problem.empty()) CHECK(state == kSteps.size());
    if (state < kSteps.size()) {
      CHECK(life.problem.find(path) != std::string::npos);
      CHECK(life.problem.find(": ") != std::string::npos);
    }
    for (const std::string& note : life.notes) CHECK(note.find(path) == 0);
  });
  CHECK(met > 60);
}

// JSON's library does not survive it everywhere, so a process of its own has the failure; what is on disk counts.
TEST_CASE("faults: a session survives every allocation that fails") {
  const test::Scratch scratch;
  const std::string path = scratch.path("s.json");
  size_t failures = 0, aborted = 0;
  for (uint64_t n = 1;; n += n < 40 ? 1 : n / 20) {
    CAPTURE(n);
    prepare(path);
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      ::signal(SIGABRT, SIG_DFL);
      ::close(2);
      faults::arm({faults::Call::Allocate, n, ENOMEM});
      try {
        live(path);
      } catch (const std::bad_alloc&) {
      }
      ::_exit(faults::disarm() ? 1 : 0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    const size_t state = found_state(path);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      CHECK(state == kSteps.size());
      break;
    }
    ++failures;
    aborted += WIFSIGNALED(status);
  }
  std::printf("session: %zu allocations failed, %zu of them ended the process\n", failures, aborted);
  CHECK(failures > 40);
}
