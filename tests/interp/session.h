#pragma once
// A debugger on one of the test programs, its jobs delivered by hand.
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "interp/debugger.h"

namespace pt2::test {

struct Session {
  explicit Session(const std::string& name) {
    auto opened = open_file(std::string(PT2_TEST_DATA) + "/programs/" + name + ".pt2");
    REQUIRE(opened);
    file = *opened;
    program = file->program();
    REQUIRE(program);
    debugger = std::make_unique<interp::Debugger>(file, program, jobs);
  }
  void settle() {
    while (!jobs.idle()) {
      jobs.wait(1);
      jobs.deliver();
    }
    jobs.deliver();
  }
  void start() {
    debugger->start({});
    settle();
    REQUIRE(!debugger->problem());
  }
  std::string cursor() const {
    const auto here = debugger->cursor();
    if (!here) return "";
    return std::string(program->graphs[debugger->trace().frames()[here->frame].graph].node(here->node).name);
  }
  void run_to_end() {
    start();
    debugger->run_without_stopping();
    settle();
  }
  interp::TraceRef at(std::string_view name) const { return {interp::FrameId(0), program->root_graph().find(name)}; }
  NodeRef node(std::string_view name) const { return {program->root(), program->root_graph().find(name)}; }

  JobQueue jobs{1};
  std::shared_ptr<const OpenedFile> file;
  std::shared_ptr<const Program> program;
  std::unique_ptr<interp::Debugger> debugger;
};

}  // namespace pt2::test
