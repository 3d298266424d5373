// The Inputs dialog: where values come from, what is kept in a file, what is offered when they do not fit.
#include <filesystem>
#include <fstream>

#include "core/tensor/tensor_files.h"
#include "tests/gui/driver.h"
#include "tests/support/scratch.h"
#include "tests/support/tensors.h"

using pt2::gui::Driver;

namespace {

std::string program(const std::string& name) { return std::string(PT2_TEST_DATA) + "/programs/" + name + ".pt2"; }

const std::string kOpen = "wait idle\ndebug.inputs\nwait idle\n";

std::string expect(const std::string& what, const std::string& value) { return "expect state." + what + " == " + value + "\n"; }

}  // namespace

TEST_CASE("an input's source is chosen in a list, which has what the dtype allows") {
  Driver d({program("symbolic")});
  CHECK(d.run(kOpen + "expect inputs/x/source text \"sample\"\nclick inputs/random\nwait idle\nexpect inputs/x/source text \"filled\"\nclick inputs/x/source\nwait idle\nexpect inputs/x/source/sample exists\nclick inputs/x/source/uniform\nwait idle\n"
              "expect inputs/x/value text \"uniform(0, 1)\"\nexpect inputs/x/source text \"random\"\n"
              "click inputs/x/source\nwait idle\nclick inputs/x/source/arange\nwait idle\nexpect inputs/x/value text \"arange()\"\nexpect inputs/x/source text \"constant\"\n"
              "click inputs/n/source\nwait idle\nexpect inputs/n/source/normal absent\nclick inputs/n/source/1\nwait idle\nexpect inputs/n/value text \"1\"\n"
              "click inputs/x/source\nwait idle\nclick inputs/x/source/default\nwait idle\nexpect inputs/x/value text \"\"\n"));
}

TEST_CASE("one input is the sample while the others are filled") {
  Driver d({std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu.pt2"});
  CHECK(d.run(kOpen + "click inputs/random\nclick inputs/x/source\nwait idle\nclick inputs/x/source/sample\nwait idle\nexpect inputs/x/source text \"sample\"\nclick inputs/run\nwait idle\n" +
              expect("run_state", "\"finished\"")));
}

TEST_CASE("a file for one input is chosen in the dialog of paths, which leads back; another dtype is cast when that is wanted") {
  pt2::test::Scratch scratch;
  pt2::TensorFile file;
  file.tensors.emplace_back("a", pt2::test::tensor_of<double>(pt2::DType::Float64, {4, 6}, std::vector<double>(24, 2.5)));
  file.tensors.emplace_back("b", pt2::test::floats({4, 6}, std::vector<float>(24, 1)));
  REQUIRE(pt2::write_tensor_file(scratch.path("many.npz"), file));
  Driver d({program("symbolic")});
  CHECK(d.run(kOpen + "click inputs/x/source\nwait idle\nclick inputs/x/source/file\nwait idle\nclick picker/path\nkey Ctrl+A\ntype " + scratch.path("many.npz") + "\nkey Enter\nwait idle\n" + expect("dialog", "\"inputs\"") +
              "expect inputs/x/source text \"file\"\nclick inputs/run\nwait idle\nexpect inputs/problem text \"many.npz#KEY; it has a, b\"\nexpect inputs/cast absent\n"
              "debug.set_input x=" + scratch.path("many.npz") + "#a\nclick inputs/run\nwait idle\nexpect inputs/problem text \"expected dtype float32, found float64\"\nexpect inputs/ignore_ranges absent\n"
              "click inputs/cast\nwait idle\nexpect inputs/cast text \"on\"\nclick inputs/run\nwait idle\n" + expect("run_state", "\"finished\"") +
              "select.value x\nview.pane tensor\nwait idle\n" + expect("tensor.stats.max", "2.5")));
}

TEST_CASE("a size out of its range runs where one says so") {
  Driver d({program("symbolic")});
  CHECK(d.run(kOpen + "debug.set_symbol s77 200\nclick inputs/run\nwait idle\nexpect inputs/problem text \"exceeds 100\"\nexpect inputs/cast absent\nclick inputs/ignore_ranges\nwait idle\nclick inputs/run\nwait idle\n" +
              expect("run_state", "\"finished\"")));
}

TEST_CASE("a set of inputs is saved, loaded in another window, and refused where it does not fit") {
  pt2::test::Scratch scratch;
  const std::string set = scratch.path("set.json");
  {
    Driver d({program("symbolic")});
    CHECK(d.run(kOpen + "debug.set_input x=arange()\ndebug.seed 7\ndebug.set_symbol s77 5\nclick inputs/save\nwait idle\nclick picker/path\nkey Ctrl+A\ntype " + scratch.folder.string() + "\nkey Enter\nwait idle\n"
                "click picker/name\nkey Ctrl+A\ntype set.json\nwait idle\nclick picker/save\nwait idle\n" + expect("dialog", "\"inputs\"")));
    REQUIRE(std::filesystem::exists(set));
  }
  {
    Driver d({program("symbolic")});
    CHECK(d.run(kOpen + "click inputs/load\nwait idle\nclick picker/path\nkey Ctrl+A\ntype " + set + "\nkey Enter\nwait idle\n" + expect("dialog", "\"inputs\"") +
                "expect inputs/x/value text \"arange()\"\nexpect inputs/seed text \"7\"\nexpect inputs/symbol/s77 text \"5\"\nclick inputs/run\nwait idle\n" + expect("run_state", "\"finished\"")));
  }
  {
    auto options = Driver::options({program("symbolic")});
    options.inputs = set;
    Driver d(std::move(options), 1440, 900);
    CHECK(d.run(kOpen + "expect inputs/x/value text \"arange()\"\n"));
  }
  std::ofstream(set) << R"({"pt2scope": "inputs", "version": 1, "inputs": {"q": "1"}})";
  std::ofstream(scratch.path("bad.json")) << R"({"pt2scope": "inputs", "version": 1, "inp)";
  Driver d({program("symbolic")});
  d.run(kOpen + "debug.set_input x=1\ndebug.load_inputs " + set + "\nwait idle\n");
  CHECK(d.run("expect state.toast has \"none of its names is of this program: input \\\"q\\\"\"\nexpect inputs/x/value text \"1\"\n"));
  d.run("debug.load_inputs " + scratch.path("bad.json") + "\nwait idle\n");
  CHECK(d.run("expect state.toast has \"bad.json\"\nexpect inputs/x/value text \"1\"\n"));
}

TEST_CASE("how inputs are filled is kept with the session") {
  pt2::test::Scratch scratch;
  auto options = Driver::options({std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu.pt2"});
  options.session = scratch.path("kept.json");
  {
    Driver d(options, 1440, 900);
    CHECK(d.run(kOpen + "click inputs/random\ndebug.seed 5\ndebug.cast_inputs on\nwait idle\nsession.save_as " + options.session + "\nwait idle\n"));
  }
  Driver d(options, 1440, 900);
  CHECK(d.run(kOpen + "expect inputs/random text \"on\"\nexpect inputs/seed text \"5\"\nexpect inputs/cast text \"on\"\n"));
}
