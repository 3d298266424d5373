// What a comparison shows when somebody reads it: rows lead to nodes, numbers that differ are marked, and everything fits in a small window.
#include "tests/gui/driver.h"

using pt2::gui::Driver;

namespace {

const std::string kSamples = std::string(PT2_SOURCE_DIR) + "/assets/samples/";
const std::string kSample = kSamples + "conv_bn_relu.pt2", kDecomposed = kSamples + "conv_bn_relu_decomposed.pt2", kNan = kSamples + "conv_bn_relu_nan.pt2";

// Both graphs folded, as far away as one looks at a large program.
std::string overview() {
  std::string lines = "select.clear\nview.fold_module bn\nview.actual_size\nwait idle\n";
  for (int i = 0; i < 8; ++i) lines += "view.zoom_out\nwait idle\n";
  return lines;
}

// Left, top, width and height of an item.
nlohmann::json rectangle(Driver& d, const std::string& name) {
  const auto state = d.state();
  for (const auto& probe : state["probes"])
    if (probe["name"] == name) return probe["rectangle"];
  return {};
}

// A name can be read on a box that is as high as text.
bool readable(Driver& d, const std::string& node) {
  const auto box = rectangle(d, node);
  return !box.is_null() && double(box[3]) > 25;
}

}  // namespace

TEST_CASE("compare: a row, a line of the text and a node that is selected unfold both graphs and come near") {
  Driver d({kSample, kDecomposed});
  for (const char* go : {"click compare/row/1\n", "select.node batch_norm\n", "compare.group 1\n"}) {
    CAPTURE(go);
    REQUIRE(d.run("wait idle\n" + overview() + "expect graph.a/node/batch_norm absent\n"));
    CHECK(d.run(std::string(go) + "wait idle\nexpect state.compare.selected.left[0] == \"batch_norm\"\n"));
    CHECK(readable(d, "graph.a/node/batch_norm"));
    CHECK(readable(d, "graph.b/node/_native_batch_norm_legit_no_training"));
  }
  CHECK(d.run("compare.group 99\nexpect state.toast == \"There is no group 99\"\n"));
}

TEST_CASE("compare: a node that is selected from the start comes near in both graphs") {
  const std::string pairs = std::string(PT2_SOURCE_DIR) + "/tests/data/pairs/";
  auto options = Driver::options({pairs + "attention.pt2", pairs + "attention_decomposed.pt2"});
  options.select = "linear";
  Driver d(options, 1440, 900);
  CHECK(d.run("wait idle\nexpect state.selection.node == \"linear\"\nexpect state.compare.selected.left[0] == \"linear\"\n"));
  CHECK(readable(d, "graph.a/node/linear"));
  CHECK(readable(d, "graph.b/node/addmm"));
}

TEST_CASE("compare: the words on a tolerance lie over nothing that is to be pressed") {
  Driver d({kSample, kNan});
  for (const float width : {1440.0f, 1000.0f}) {
    d.resize(width, 900);
    REQUIRE(d.run("wait idle\nclick bottom/tab/compare\ncompare.run\nwait idle\n"));
    for (const char* field : {"compare/rtol", "compare/atol"}) {
      CAPTURE(field);
      REQUIRE(d.run(std::string("hover ") + field + "\nwait 4\nexpect compare/tip exists\n"));
      const auto tip = rectangle(d, "compare/tip");
      CHECK(double(tip[0]) + double(tip[2]) <= width);
      for (const char* name : {"compare/rtol", "compare/atol", "compare/run_both", "compare/only", "compare/first_divergence", "compare/step", "compare/run_to_divergence", "compare/isolate", "compare/verdict"}) {
        const auto item = rectangle(d, name);
        REQUIRE(!item.is_null());
        const bool above = double(tip[1]) + double(tip[3]) <= double(item[1]), beside = double(tip[0]) >= double(item[0]) + double(item[2]) || double(tip[0]) + double(tip[2]) <= double(item[0]);
        CHECK_MESSAGE((above || beside), name);
      }
    }
  }
}

TEST_CASE("run both: the Diff tab holds against the other program under the tolerance of the run") {
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\n"
              "settings.set rtol 0.5\n"
              "settings.set atol 0.25\n"
              "compare.run\n"
              "wait idle\n"
              "select.node relu\n"
              "click right/tab/tensor\n"
              "tensor.compare_with other\n"
              "wait idle\n"
              "expect tensor/diff/rtol text \"0.5\"\n"
              "expect tensor/diff/atol text \"0.25\"\n"
              "expect tensor/diff/tolerance text \"as both ran\"\n"
              "tensor.tolerance 0.125 0.125\n"
              "wait idle\n"
              "expect tensor/diff/rtol text \"0.125\"\n"
              "expect tensor/diff/tolerance absent\n"));
}

TEST_CASE("compare: buttons and verdict fit in a small window") {
  Driver d(Driver::options({kSample, kNan}), 1100, 700);
  CHECK(d.run("wait idle\ncompare.run\nwait idle\ncompare.isolate\nwait idle\nexpect compare/verdict text \"It arises there\"\n"));
  for (const char* item : {"compare/run_both", "compare/only", "compare/rtol", "compare/atol", "compare/first_divergence", "compare/run_to_divergence", "compare/isolate", "compare/verdict", "compare/inputs"}) {
    CAPTURE(item);
    const auto box = rectangle(d, item);
    REQUIRE_FALSE(box.is_null());
    CHECK(double(box[0]) + double(box[2]) <= 1095);
    CHECK(double(box[2]) > 30);
  }
}

TEST_CASE("compare: a long verdict wraps") {
  Driver d(Driver::options({kSample, kNan}), 500, 700);
  CHECK(d.run("wait idle\ncompare.run\nwait idle\ncompare.isolate\nwait idle\n"));
  const auto verdict = rectangle(d, "compare/verdict"), inputs = rectangle(d, "compare/inputs");
  REQUIRE_FALSE(verdict.is_null());
  CHECK(double(verdict[3]) > 25);  // more than one line
  CHECK(double(verdict[0]) + double(verdict[2]) <= 500);
  if (!inputs.is_null()) CHECK(double(inputs[1]) >= double(verdict[1]) + double(verdict[3]));
}

TEST_CASE("compare: the tab says how many groups the filter finds, and that it finds none is said across the table") {
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\n"
              "expect compare/tab/groups text \"Groups 3\"\n"
              "click compare/filter\n"
              "type aten.relu\n"
              "wait idle\n"
              "expect compare/tab/groups text \"Groups 1 of 3\"\n"
              "type zzz\n"
              "wait idle\n"
              "expect compare/tab/groups text \"Groups 0 of 3\"\n"));
  const auto none = rectangle(d, "groups/none");
  REQUIRE_FALSE(none.is_null());
  CHECK(double(none[2]) > 60);
}

TEST_CASE("lockstep: going back takes along what was said of the group that is left; the texts mark what differs") {
  Driver d({kSample, kNan});
  CHECK(d.run("wait idle\n"
              "compare.run\n"
              "wait idle\n"
              "compare.run_to_divergence\n"
              "expect compare/row/1 text \"≠\"\n"
              "view.text\n"
              "wait idle\n"
              "expect compare/text/2 text \"≠     batch_norm: f32\"\n"));
  CHECK(std::string(d.state()["toast"]).starts_with("batch_norm: "));
  CHECK(d.run("compare.step_back\nwait idle\nexpect state.compare.step == 1\nexpect state.toast == null\nexpect compare/text/2 exists\n"));
  CHECK_FALSE(d.run("expect compare/text/2 text \"≠\"\n"));
}
