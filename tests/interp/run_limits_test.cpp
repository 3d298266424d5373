// The limits of a run (core/base/limits.h), each from both sides.
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/limits.h"
#include "interp/memory_limit.h"
#include "interp/run_report.h"
#include "tests/interp/session.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

RunReport report_of(const test::Session& s, const RunRequest& request) {
  auto report = run_program(*s.file, s.program, request);
  REQUIRE(report);
  return std::move(*report);
}

// The GUI's debugger, with another number of iterations of the loop.
std::string loop_of(int64_t iterations) {
  test::Session s("while_loop");
  s.start();
  const GraphId condition = s.program->graphs[GraphId(1)].name == "while_loop_cond_graph_0" ? GraphId(1) : GraphId(2);
  s.debugger->edit_argument({condition, s.program->graphs[condition].find("lt")}, "other", std::to_string(iterations));
  s.settle();
  s.debugger->run_without_stopping();
  s.settle();
  for (const StepTrace& step : s.debugger->trace().steps())
    if (const auto* failed = std::get_if<Failed>(&step.run.outcome)) return failed->message;
  return s.debugger->state() == RunState::Finished ? "" : s.debugger->stop_reason();
}

}  // namespace

TEST_CASE("limit loop_iterations: at the node, on the command line and in the debugger") {
  test::Session s("while_loop");
  RunRequest request;
  request.max_iterations = 5;  // what it does
  CHECK(report_of(s, request).finished);
  CHECK(report_of(s, request).failed.empty());
  request.max_iterations = 4;
  const RunReport over = report_of(s, request);
  REQUIRE(over.failed.size() == 1);
  CHECK(over.failed[0].message == "still running after 4 iterations (limit)");
  CHECK(over.failed[0].kind == ErrorKind::Limit);
  // The debugger pauses there, and goes on when it is told to.
  s.debugger->options.max_iterations = 2;
  s.run_to_end();
  for (int pauses = 0; pauses < 2; ++pauses) {
    CHECK(s.debugger->state() == RunState::Paused);
    CHECK(s.debugger->stop_reason() == "after 2 iterations of while_loop (limit); going on allows as many again");
    CHECK(s.cursor() == "while_loop");
    s.debugger->run();
    s.settle();
  }
  CHECK(s.debugger->state() == RunState::Finished);
  test::Session whole("while_loop");
  whole.run_to_end();
  CHECK(s.debugger->trace().steps().size() == whole.debugger->trace().steps().size());
#ifndef PT2_SANITIZED  // minutes
  CHECK(loop_of(limits::kLoopIterations) == "");
  CHECK(loop_of(limits::kLoopIterations + 1) == "after 100,000 iterations of while_loop (limit); going on allows as many again");
#endif
}

TEST_CASE("limit node_evaluations") {
  test::Session s("while_loop");
  RunRequest request;
  int64_t evaluations = 1;
  for (request.max_node_runs = 1; !report_of(s, request).finished; ++request.max_node_runs) evaluations = request.max_node_runs + 1;
  CHECK(evaluations > 10);
  request.max_node_runs = evaluations;
  CHECK(report_of(s, request).finished);
  request.max_node_runs = evaluations - 1;
  const RunReport over = report_of(s, request);
  CHECK_FALSE(over.finished);
  CHECK(over.stopped_by == ErrorKind::Limit);
  CHECK(over.stop_reason == "still running after " + std::to_string(evaluations - 1) + " node evaluations (limit)");
  // The debugger pauses there, and goes on when it is told to.
  s.debugger->options.max_node_runs = evaluations - 1;
  s.run_to_end();
  CHECK(s.debugger->state() == RunState::Paused);
  CHECK(s.debugger->stop_reason() == "after " + std::to_string(evaluations - 1) + " node evaluations (limit); going on allows as many again");
  s.debugger->run();
  s.settle();
  CHECK(s.debugger->state() == RunState::Finished);
  test::Session whole("while_loop");
  whole.debugger->options.max_node_runs = evaluations;
  whole.run_to_end();
  CHECK(whole.debugger->state() == RunState::Finished);
  CHECK(DebuggerOptions().max_node_runs == int64_t(limits::kNodeEvaluations));
  CHECK(InterpreterOptions().max_node_runs == int64_t(limits::kNodeEvaluations));
  CHECK(InterpreterOptions().max_iterations == int64_t(limits::kLoopIterations));
  CHECK(DebuggerOptions().max_iterations == int64_t(limits::kLoopIterations));
}

TEST_CASE("limit recorded_values_minimum") {
  CHECK(default_trace_bytes(4 * limits::kRecordedValuesMinimumBytes) == limits::kRecordedValuesMinimumBytes);
  CHECK(default_trace_bytes(4 * limits::kRecordedValuesMinimumBytes - 4) == limits::kRecordedValuesMinimumBytes);
  CHECK(default_trace_bytes(4 * limits::kRecordedValuesMinimumBytes + 4) == limits::kRecordedValuesMinimumBytes + 1);
}

#ifndef PT2_SANITIZED  // sanitizers reserve terabytes of address space
TEST_CASE("limit memory_reserve: kept free of the address space, or half of a small one") {
  const auto granted = [](uint64_t address_space) {
    const pid_t child = ::fork();
    if (child == 0) {
      const rlimit limit{address_space, RLIM_INFINITY};
      ::setrlimit(RLIMIT_AS, &limit);
      ::_exit(int(default_memory_bytes() / limits::kMiB / 8));
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    return uint64_t(WEXITSTATUS(status)) * 8 * limits::kMiB;
  };
  CHECK(granted(limits::kGiB) == limits::kGiB - limits::kMemoryReserveBytes);
  CHECK(granted(2 * limits::kMemoryReserveBytes + 16 * limits::kMiB) == limits::kMemoryReserveBytes + 16 * limits::kMiB);
  CHECK(granted(2 * limits::kMemoryReserveBytes) == limits::kMemoryReserveBytes);
  CHECK(granted(limits::kMemoryReserveBytes) == limits::kMemoryReserveBytes / 2);
}
#else
TEST_CASE("limit memory_reserve" * doctest::skip()) {}
#endif
