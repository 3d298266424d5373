#include <fstream>

#include "core/load.h"
#include "tests/gui/driver.h"
#include "tests/support/scratch.h"

using pt2::gui::Driver;

namespace {

const std::string kSamples = std::string(PT2_SOURCE_DIR) + "/assets/samples/";
const std::string kSample = kSamples + "conv_bn_relu.pt2", kDecomposed = kSamples + "conv_bn_relu_decomposed.pt2", kNan = kSamples + "conv_bn_relu_nan.pt2";

std::string read(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("compare: the graphs are linked, F8 walks everywhere, what has no counterpart says so") {
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\n"
              "expect state.compare.same == 1\n"
              "expect state.compare.changed == 1\n"
              "expect state.compare.decomposed == 1\n"
              "key F8\n"
              "wait idle\n"
              "expect state.compare.selected.left[0] == \"conv2d\"\n"
              "expect compare/link/0 exists\n"
              "key F8\n"
              "wait idle\n"
              "expect state.compare.selected.right[0] == \"_native_batch_norm_legit_no_training\"\n"
              "key Shift+F8\n"
              "wait idle\n"
              "expect state.compare.selected.left[0] == \"conv2d\"\n"
              "expect node/compared/operator text \"~ aten.conv2d.default | aten.convolution.default\"\n"
              "compare.unlink\n"
              "wait idle\n"
              "expect state.toast == \"Unlinked conv2d from convolution\"\n"
              "expect state.compare.removed == 1\n"
              "expect state.compare.added == 1\n"
              "click graph.a/node/conv2d\n"
              "wait idle\n"
              "expect graph.b/no_counterpart text \"no counterpart of conv2d in B\"\n"
              "compare.forget_links\n"
              "wait idle\n"
              "expect state.compare.added == 0\n"));
}

TEST_CASE("compare: pairs set by hand are kept in a file and taken from it") {
  const pt2::test::Scratch scratch;
  const std::string map = scratch.path("pairs.map");
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\n"
              "click graph.a/node/relu\n"
              "wait idle\n"
              "compare.unlink\n"
              "wait idle\n"
              "expect state.compare.unlinked == 1\n"
              "compare.save_mapping " + map + "\nwait idle\n"
              "compare.forget_links\n"
              "wait idle\n"
              "expect state.compare.unlinked == 0\n"));
  CHECK(read(map).find("relu ! relu\n") != std::string::npos);  // what is forgotten is forgotten here
  const std::string written = "# by hand\nrelu ! relu  # why\n";
  std::ofstream(map) << written;
  CHECK(d.run("compare.load_mapping " + map + "\nwait idle\n"
              "expect state.compare.unlinked == 1\n"
              "expect state.compare.removed == 1\n"
              "click graph.a/node/conv2d\n"
              "wait idle\n"
              "compare.unlink\n"
              "wait idle\n"
              "expect state.compare.unlinked == 2\n"));
  CHECK(read(map) == written);  // only read so far
  CHECK(d.run("compare.save_mapping " + map + "\nwait idle\n"));
  CHECK(read(map) == written + "conv2d ! convolution\n");
  CHECK(d.run("click graph.a/node/batch_norm\nwait idle\ncompare.unlink\nwait idle\n"));
  CHECK(read(map).starts_with(written + "conv2d ! convolution\nbatch_norm ! "));
  const std::string kept = read(map);
  CHECK(d.run("compare.forget_links\nwait idle\nexpect state.toast == \"Pairs are forgotten; " + map + " stays as it is\"\n"
              "click graph.a/node/relu\nwait idle\ncompare.unlink\nwait idle\n"));
  CHECK(read(map) == kept);
}

TEST_CASE("compare: the menu of a row is about that row, and a pair set by hand says so") {
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\n"
              "click compare/row/0\n"
              "wait idle\n"
              "expect state.compare.selected.left[0] == \"conv2d\"\n"
              "right_click compare/row/2\n"
              "wait idle\n"
              "expect state.compare.selected.left[0] == \"relu\"\n"
              "click compare/menu/unlink\n"
              "wait idle\n"
              "expect state.compare.selected.left[0] == \"relu\"\n"
              "expect state.compare.removed == 1\n"
              "expect state.compare.unlinked == 1\n"
              "compare.forget_links\n"
              "wait idle\n"
              "expect compare/row/0 text \"from_node\"\n"
              "click graph.a/node/conv2d\n"
              "click graph.b/node/convolution\n"
              "key =\n"
              "wait idle\n"
              "expect state.compare.linked == 1\n"
              "expect compare/row/0 text \"paired by hand\"\n"));
}

TEST_CASE("compare: one file twice is one document, and that is said") {
  Driver d({kSample, kSample});
  CHECK(d.run("wait idle\nexpect state.toast == \"One file is one document here: pt2scope compare holds it against itself\"\n"));
}

TEST_CASE("compare: folds and the camera of one graph carry over to the other, S says how") {
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\n"
              "expect state.compare.sync == \"by_match\"\n"
              "view.fold_module bn\n"
              "wait idle\n"
              "expect graph.a/module/bn exists\n"
              "expect graph.b/module/bn exists\n"
              "view.unfold_module bn\n"
              "wait idle\n"
              "expect graph.b/node/_native_batch_norm_legit_no_training exists\n"
              "compare.only_differences on\n"
              "wait idle\n"
              "expect graph.a/module/relu exists\n"
              "expect graph.b/module/relu exists\n"
              "expect graph.a/node/conv2d exists\n"
              "compare.only_differences off\n"
              "wait idle\n"
              "click graph.a/node/batch_norm\n"
              "key S\n"
              "expect state.compare.sync == \"locked\"\n"
              "key S\n"
              "expect state.compare.sync == \"off\"\n"
              "key S\n"
              "expect state.compare.sync == \"by_match\"\n"
              "drag graph.a/node/x 60 90\n"
              "wait idle\n"));
  // The matched boxes stand at the same height after a pan of one side.
  auto middle = [&](const std::string& name) {
    const auto state = d.state();
    for (const auto& probe : state["probes"])
      if (probe["name"] == name) return double(probe["rectangle"][1]) + double(probe["rectangle"][3]) / 2;
    return -1.0;
  };
  CHECK(d.run("scroll graph.a/node/batch_norm 2\nwait idle\n"));
  CHECK(middle("graph.a/node/batch_norm") > 0);
  CHECK(middle("graph.a/node/batch_norm") == doctest::Approx(middle("graph.b/node/_native_batch_norm_legit_no_training")).epsilon(0.02));
}

TEST_CASE("compare: both run in lockstep up to where the numbers part, and where that arises is said") {
  Driver d({kSample, kNan});
  CHECK(d.run("wait idle\n"
              "expect compare/summary text \"same 3\"\n"
              "compare.run\n"
              "wait idle\n"
              "expect compare/verdict text \"The numbers first part at batch_norm: nan.\"\n"
              "expect status/run text \"Both ran, numbers part from \\\"batch_norm\\\" on\"\n"
              "compare.step\n"
              "expect state.compare.step == 1\n"
              "expect state.compare.first_divergence == null\n"
              "expect state.compare.numbers_agree == null\n"
              "expect status/run text \"Lockstep: after conv2d, group 1 of 3\"\n"
              "compare.run_to_divergence\n"
              "expect state.compare.step == 2\n"
              "expect state.compare.step_group == \"batch_norm\"\n"
              "expect state.compare.first_divergence == 1\n"
              "expect state.compare.numbers_agree == false\n"
              "expect state.compare.selected.left[0] == \"batch_norm\"\n"
              "compare.step_back\n"
              "expect state.compare.step == 1\n"
              "compare.isolate\n"
              "wait idle\n"
              "expect compare/verdict text \"It arises there. bn.running_var differs.\"\n"));
}

TEST_CASE("compare: a click on each side and = link the two, whatever the clicks selected along") {
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\n"
              "click graph.a/node/relu\n"
              "wait idle\n"
              "compare.unlink\n"
              "wait idle\n"
              "expect state.compare.removed == 1\n"
              "click graph.a/node/conv2d\n"
              "wait idle\n"
              "click graph.b/node/relu\n"
              "wait idle\n"
              "expect status/link text \"= links conv2d with relu\"\n"
              "key =\n"
              "wait idle\n"
              "expect state.compare.linked == 1\n"
              "expect state.compare.selected.left[0] == \"conv2d\"\n"
              "expect state.compare.selected.right[1] == \"relu\"\n"
              "expect status/link absent\n"));
}

TEST_CASE("compare: a node that a row or its counterpart lit already is chosen by a click like any other") {
  Driver d({kSample, kDecomposed});
  const std::string one_click = "expect status/link absent\nkey =\nwait idle\nexpect state.compare.linked == 0\nexpect state.toast == \"Link the two selected nodes: click a node on each side\"\n";
  CHECK(d.run("wait idle\nclick compare/row/0\nwait idle\nview.fit\nwait idle\n"
              "click graph.a/node/conv2d\n"
              "wait idle\n" + one_click +
              "click graph.b/node/relu\n"
              "wait idle\n"
              "expect status/link text \"= links conv2d with relu\"\n"
              "click compare/row/0\n"
              "wait idle\n"
              "expect status/link absent\n"
              "click graph.b/node/convolution\n"
              "wait idle\n"
              "click graph.a/node/relu\n"
              "wait idle\n"
              "expect status/link text \"= links relu with convolution\"\n"
              "key =\n"
              "wait idle\n"
              "expect state.toast == \"Linked relu with convolution\"\n"
              "expect state.compare.linked == 1\n"));
}

TEST_CASE("compare: Fit shows both graphs whole, unless they move apart") {
  Driver d({kSample, kDecomposed});
  REQUIRE(d.run("wait idle\nview.fit\nwait idle\n"));
  auto zooms = [&] {
    std::pair<std::string, std::string> read;
    const auto state = d.state();
    for (const auto& probe : state["probes"]) {
      if (probe["name"] == "graph.a/zoom") read.first = probe["text"];
      if (probe["name"] == "graph.b/zoom") read.second = probe["text"];
    }
    return read;
  };
  const auto whole = zooms();
  REQUIRE(d.run("scroll graph.a/node/batch_norm 5\nwait idle\n"));
  const auto near = zooms();
  CHECK(near.first != whole.first);
  CHECK(near.second != whole.second);
  CHECK(d.run("click graph.a/fit\nwait idle\n"));
  CHECK(zooms() == whole);
  REQUIRE(d.run("scroll graph.a/node/batch_norm 5\nwait idle\ncompare.sync off\nclick graph.b/fit\nwait idle\n"));
  CHECK(zooms() == std::pair(near.first, whole.second));
}

TEST_CASE("compare: Both shows the graphs over the two texts, on either side") {
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\n"
              "view.both\n"
              "wait idle\n"
              "expect graph.a/node/conv2d exists\n"
              "expect graph.b/node/convolution exists\n"
              "expect compare/text/1 text \"aten.conv2d.default\"\n"
              "click graph.b/node/relu\n"
              "wait idle\n"
              "expect compare/text/1 exists\n"));
}

TEST_CASE("compare: texts side by side, signatures, weights, counts, reports and reproductions") {
  const pt2::test::Scratch scratch;
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\n"
              "click compare/tab/signature\n"
              "expect compare/signature/0 exists\n"
              "click compare/tab/operators\n"
              "expect compare/operator/0 exists\n"
              "click compare/tab/modules\n"
              "expect compare/module/0 exists\n"
              "click compare/tab/weights\n"
              "click compare/weights\n"
              "wait idle\n"
              "expect compare/weights_verdict text \"are equal\"\n"
              "click compare/tab/groups\n"
              "view.text\n"
              "wait idle\n"
              "expect compare/text/1 text \"aten.conv2d.default\"\n"
              "expect compare/text/1 text \"aten.convolution.default\"\n"
              "expect text.a/line/2 text \"aten.conv2d.default\"\n"
              "expect text.b/line/2 text \"aten.convolution.default\"\n"
              "click text.b/line/2\n"
              "wait idle\n"
              "expect state.compare.selected.left[0] == \"conv2d\"\n"
              "compare.export " + scratch.path("report.md") + "\nwait idle\n"
              "compare.export " + scratch.path("report.json") + "\nwait idle\n"
              "compare.export " + scratch.path("report.csv") + "\nwait idle\n"
              "compare.repro " + scratch.path("repro") + "\nwait idle\n"
              "debug.repro " + scratch.path("one") + "\nwait idle\n"));
  CHECK(read(scratch.path("report.md")).find("| ~ | `conv2d` | `convolution` |") != std::string::npos);
  CHECK(nlohmann::json::parse(read(scratch.path("report.json")))["summary"]["same"] == 1);
  CHECK(read(scratch.path("report.csv")).find("conv2d,convolution,changed,from_node,1.000") != std::string::npos);
  CHECK(pt2::open_file(scratch.path("repro/left.pt2")).has_value());
  CHECK(pt2::open_file(scratch.path("one/repro.pt2")).has_value());
}
