// A fatal signal leaves one line, and the process ends by that signal.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "app/crash_log.h"
#include "tests/support/scratch.h"

namespace {

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

int overflow(volatile char* above, int depth) {
  volatile char here[4096];
  here[0] = above ? above[0] : 1;
  return depth < 0 ? here[0] : overflow(here, depth + 1) + here[0];
}

// The status of a process that installs the log and then does that.
int end_of(const std::string& log, const std::string& said, int number, bool by_overflow) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int file = ::open(said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(file, 2);
    ::signal(number, SIG_DFL);  // the test program has handlers of its own
    pt2::app::install_crash_log(log);
    if (by_overflow) overflow(nullptr, 0);
    ::raise(number);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

}  // namespace

TEST_CASE("crash log: a fatal signal is written to stderr and to the log, and still ends the process") {
  const pt2::test::Scratch scratch;
  const std::string log = scratch.path("local/state/crash.log"), said = scratch.path("said");
  for (int number : {SIGABRT, SIGSEGV, SIGFPE}) {
    const int status = end_of(log, said, number, false);
    REQUIRE(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == number);
    CHECK(text_of(said).find("ended by signal " + std::to_string(number)) != std::string::npos);
  }
  const std::string text = text_of(log);
  CHECK(std::count(text.begin(), text.end(), '\n') == 3);
  CHECK(text.find("SIGFPE") != std::string::npos);
}

TEST_CASE("crash log: also where the stack overflowed") {
  const pt2::test::Scratch scratch;
  const int status = end_of(scratch.path("crash.log"), scratch.path("said"), SIGSEGV, true);
  REQUIRE(WIFSIGNALED(status));
  CHECK(text_of(scratch.path("crash.log")).find("SIGSEGV") != std::string::npos);
}

TEST_CASE("crash log: whoever handles a signal already keeps it") {
  const pt2::test::Scratch scratch;
  const auto own = ::signal(SIGILL, SIG_IGN);
  pt2::app::install_crash_log(scratch.path("crash.log"));
  struct sigaction now {};
  ::sigaction(SIGILL, nullptr, &now);
  CHECK((now.sa_handler == SIG_IGN));
  ::signal(SIGILL, own);
}
