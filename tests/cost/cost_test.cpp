// What grows with a program, counted: bytes read, allocations, vertices. Counts are the same on every machine; what a second holds is measured by
// tests/bench. Each bound is about a third above what was counted when it was set.
#include <doctest/doctest.h>

#include <fstream>

#include "core/load.h"
#include "interp/debugger.h"
#include "tests/cost/counted_new.h"
#include "tests/gui/driver.h"
#include "tests/support/json_program.h"
#include "tests/support/program_maker.h"
#include "tests/support/scratch.h"
#include "tests/support/zip_maker.h"

using namespace pt2;

namespace {

constexpr size_t kNodes = 4000;

test::JsonProgram chain() {
  test::JsonProgram program;
  program.input("x");
  std::string last = "x";
  for (size_t i = 0; i < kNodes; ++i) {
    const std::string name = "relu_" + std::to_string(i);
    program.call(name, "aten.relu.default", "self=" + last);
    last = name;
  }
  return program.output(last);
}

std::string weight(const std::string& record, size_t elements) {
  return R"({"path_name": ")" + record + R"(", "is_param": true, "use_pickle": false, "tensor_meta": {"dtype": 7, "sizes": [{"as_int": )" + std::to_string(elements) +
         R"(}], "requires_grad": false, "device": {"type": "cpu"}, "strides": [{"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7}})";
}

std::string written(const test::Scratch& scratch, const test::JsonProgram& program, size_t weight_bytes) {
  test::ZipMaker zip;
  zip.add("m/archive_format", "pt2").add("m/archive_version", "0").add("m/byteorder", "little").add("m/models/model.json", program.json());
  zip.add("m/data/weights/model_weights_config.json", R"({"config": {"w": )" + weight("weight_0", weight_bytes / 4) + "}}");
  zip.add("m/data/constants/model_constants_config.json", R"({"config": {}})");
  zip.add("m/data/weights/weight_0", std::string(weight_bytes, '\0'));
  const std::string path = scratch.path("m.pt2");
  std::ofstream(path, std::ios::binary) << zip.bytes();
  return path;
}

// All this process was given by read calls.
size_t bytes_read() {
  std::ifstream in("/proc/self/io");
  std::string name;
  size_t value = 0;
  in >> name >> value;
  return value;
}

}  // namespace

TEST_CASE("opening reads the graph and no weights") {
  const test::Scratch scratch;
  const test::JsonProgram program = chain();
  const std::string path = written(scratch, program, size_t{64} << 20);
  const size_t before = bytes_read();
  const auto file = open_file(path);
  REQUIRE(file);
  REQUIRE((*file)->program());
  const size_t read = bytes_read() - before;
  if (before == 0) MESSAGE("skipped: this system does not count what is read");
  else CHECK(read < program.json().size() + (size_t{1} << 20));
}

TEST_CASE("a node costs few allocations: decoded, run with every value kept") {
  const test::JsonProgram json = chain();
  size_t before = test::allocations();
  const auto program = json.decode();
  const double decoded = double(test::allocations() - before) / kNodes;
  MESSAGE("decoded: " << decoded << " a node");
  CHECK(decoded < 24);

  const test::Scratch scratch;
  const auto opened = open_file(written(scratch, json, 4));
  REQUIRE(opened);
  JobQueue jobs{1};
  interp::Debugger debugger(*opened, (*opened)->program(), jobs);
  auto settle = [&] {
    while (!jobs.idle()) {
      jobs.wait(1);
      jobs.deliver();
    }
    jobs.deliver();
  };
  debugger.options.threads = 1;
  debugger.start({});
  settle();
  before = test::allocations();
  debugger.run_without_stopping();
  settle();
  REQUIRE(debugger.state() == interp::RunState::Finished);
  const double run = double(test::allocations() - before) / kNodes;
  MESSAGE("run: " << run << " a node");
  CHECK(run < 34);
}

TEST_CASE("a frame in which nothing moves costs the same, whatever the size of the program") {
  const test::Scratch scratch;
  gui::Driver d({written(scratch, chain(), 4)});
  REQUIRE(d.run("wait idle\nview.unfold_all\nwait idle\nclick graph/lay_out\nwait idle\nkey 1\nwait idle\n"));
  d.app.probe().set_on(false);
  d.frame();
  const size_t before = test::allocations();
  for (int i = 0; i < 10; ++i) d.frame();
  const double frame = double(test::allocations() - before) / 10;
  MESSAGE("a frame: " << frame << " allocations");
  CHECK(frame < 90);
}
