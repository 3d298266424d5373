// Running both programs of a comparison: on which inputs, under which tolerance, and what of it the panes show.
#include <filesystem>

#include "interp/compare_runs.h"
#include "tests/gui/driver.h"
#include "tests/support/program_file.h"
#include "tests/support/scratch.h"

using doctest::Approx;
using pt2::gui::Driver;
using pt2::test::JsonProgram;
using pt2::test::saved;

namespace {

const std::string kSamples = std::string(PT2_SOURCE_DIR) + "/assets/samples/";
const std::string kSample = kSamples + "conv_bn_relu.pt2", kDecomposed = kSamples + "conv_bn_relu_decomposed.pt2", kNan = kSamples + "conv_bn_relu_nan.pt2";

double number(Driver& d, const char* what, const char* which) {
  const auto state = d.state();
  return state.contains("tensor") && state["tensor"][what].is_object() ? double(state["tensor"][what][which]) : -1;
}

}  // namespace

TEST_CASE("run both: the inputs set for A go to both sides, their source is said, and other inputs can be run") {
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\n"
              "compare.run\n"
              "wait idle\n"
              "expect compare/inputs text \"A's inputs: sample inputs\"\n"
              "expect status/run text \"A's inputs: sample inputs\"\n"
              "debug.set_input x=3\n"
              "wait idle\n"
              "expect compare/changed text \"Other inputs since\"\n"
              "click compare/run_both\n"
              "wait idle\n"
              "expect state.compare.inputs == \"A's inputs: x = 3\"\n"
              "expect compare/changed absent\n"
              "select.node relu\n"
              "click right/tab/tensor\n"
              "wait idle\n"
              "expect tensor/origin text \"Run both, x = 3\"\n"));
  CHECK(number(d, "stats", "max") == Approx(6.095409870147705));  // PyTorch on a tensor of 3
  CHECK(d.run("tensor.compare_with other\n"
              "wait idle\n"
              "expect tensor/diff/with text \"conv_bn_relu_decomposed.pt2, Run both\"\n"
              "expect tensor/diff/state absent\n"));
  CHECK(number(d, "diff", "max_abs") < 1e-5);
  // What the other side shows is of the same run, and so it is after a swap.
  CHECK(d.run("compare.swap\n"
              "wait idle\n"
              "expect centre/tab/0 text \"A: conv_bn_relu_decomposed.pt2\"\n"
              "expect centre/tab/1 text \"B: conv_bn_relu.pt2\"\n"
              "expect state.compare.inputs == \"B's inputs: x = 3\"\n"
              "click centre/tab/0\n"
              "select.node relu\n"
              "wait idle\n"));
  CHECK(number(d, "stats", "max") == Approx(6.095409870147705));
}

TEST_CASE("run both after a swap: the inputs set before go on to both sides") {
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\n"
              "debug.set_input x=3\n"
              "compare.swap\n"
              "wait idle\n"
              "compare.run\n"
              "wait idle\n"
              "expect state.compare.inputs == \"B's inputs: x = 3\"\n"
              "expect compare/changed absent\n"
              "compare.swap\n"
              "wait idle\n"
              "compare.run\n"
              "wait idle\n"
              "expect state.compare.inputs == \"A's inputs: x = 3\"\n"));
}

TEST_CASE("run both: a file of inputs is read for both") {
  const pt2::test::Scratch scratch;
  auto options = Driver::options({kSample, kDecomposed});
  options.inputs = scratch.path("x3.npz");
  {
    Driver d({kSample});
    REQUIRE(d.run("wait idle\ndebug.set_input x=3\ndebug.begin\nwait idle\nselect.node x\nclick right/tab/tensor\nwait idle\ntensor.export " + options.inputs + "\nwait idle\n"));
  }
  Driver d(options, 1440, 900);
  CHECK(d.run("wait idle\ncompare.run\nwait idle\nexpect state.compare.inputs == \"A's inputs: x from x3.npz\"\nselect.node relu\nclick right/tab/tensor\nwait idle\n"));
  CHECK(number(d, "stats", "max") == Approx(6.095409870147705));
}

TEST_CASE("run both: values held against the other side say where the two ran on different inputs") {
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\n"
              "click right/tab/tensor\n"
              "debug.set_input x=3\n"
              "debug.begin\n"
              "wait idle\n"
              "click centre/tab/1\n"
              "debug.set_input x=1\n"
              "debug.begin\n"
              "wait idle\n"
              "click graph.a/node/relu\n"
              "tensor.compare_with other\n"
              "wait idle\n"
              "expect tensor/diff/state text \"A and B ran on different inputs (x)\"\n"
              "compare.run\n"
              "wait idle\n"
              "expect tensor/diff/state absent\n"
              "expect tensor/origin text \"Run both\"\n"
              "debug.begin\n"
              "wait idle\n"
              "expect tensor/origin text \"step \"\n"));
}

TEST_CASE("run both: of several values the compared one is held against the other side") {
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\n"
              "compare.run\n"
              "wait idle\n"
              "click right/tab/tensor\n"
              "click graph.b/node/_native_batch_norm_legit_no_training\n"
              "tensor.compare_with other\n"
              "wait idle\n"
              "expect tensor/title text \"getitem\"\n"
              "expect tensor/diff/with text \"batch_norm of conv_bn_relu.pt2\"\n"));
  CHECK(number(d, "stats", "max") == Approx(2.4995064735412598));
  CHECK(number(d, "diff", "max_abs") < 1e-5);
}

TEST_CASE("run both: the Diff tab has the counterpart by itself, until something else is chosen") {
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\n"
              "select.node conv2d\n"
              "compare.run\n"
              "wait idle\n"
              "click right/tab/tensor\n"
              "wait idle\n"
              "click tensor/tab/diff\n"
              "wait idle\n"
              "expect tensor/diff/choose absent\n"
              "expect tensor/diff/with text \"convolution of conv_bn_relu_decomposed.pt2\"\n"
              "tensor.compare_with none\n"
              "wait idle\n"
              "expect tensor/diff/choose exists\n"));
}

TEST_CASE("run both: under the tolerance of the settings, which the pane shows") {
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\n"
              "compare.run\n"
              "wait idle\n"
              "expect compare/rtol text \"by dtype\"\n"
              "settings.set rtol 0.5\n"
              "wait idle\n"
              "expect compare/rtol text \"0.5\"\n"
              "expect compare/changed text \"Other tolerance since\"\n"
              "compare.run\n"
              "wait idle\n"
              "expect compare/changed absent\n"));
  CHECK(d.app.workspace().comparison.asked->tolerance.rtol == 0.5);
}

TEST_CASE("run both: a tolerance that is typed beside it runs again") {
  Driver d({kSample, kNan});
  CHECK(d.run("wait idle\n"
              "compare.run\n"
              "wait idle\n"
              "click compare/rtol\n"
              "type 0.25\n"
              "key Enter\n"
              "wait idle\n"
              "expect compare/rtol text \"0.25\"\n"
              "expect compare/changed absent\n"));
  CHECK(d.app.workspace().comparison.asked->tolerance.rtol == 0.25);
  CHECK(d.app.workspace().comparison.result->numbers());
}

TEST_CASE("run both: a returned constant is named in the Signature tab and has no numbers") {
  const pt2::test::Scratch scratch;
  const JsonProgram program = JsonProgram().input("x").call("sin", "aten.sin.default", "self=x").call("cos", "aten.cos.default", "self=x").output("sin").output("cos");
  std::string json = program.json();
  // The last value of the graph's outputs and of the signature's.
  for (const std::string end : {"], \"nodes\"", "}}]}, \"module_call_graph\""}) {
    const std::string from = JsonProgram::tensor("cos");
    json.replace(json.rfind(from, json.find(end)), from.size(), R"({"as_int": 3})");
  }
  Driver d({saved(scratch.path("left.pt2"), program), saved(scratch.path("right.pt2"), json)});
  CHECK(d.run("wait idle\n"
              "click bottom/tab/compare\n"
              "compare.run\n"
              "wait idle\n"
              "expect compare/verdict text \"but not output 1: cos → 3 (different, dtype int64, expected float32)\"\n"
              "click compare/tab/signature\n"
              "wait idle\n"
              "expect compare/signature/2 text \"~≠  output  user output 1  cos  f32[2, 3]  3  constant\"\n"));
  const auto& rows = d.app.workspace().comparison.result->numbers()->outputs;
  REQUIRE(rows.size() == 2);
  CHECK(!rows[1].measured());
}

TEST_CASE("run both: outputs that differ are named although the groups agree") {
  const pt2::test::Scratch scratch;
  auto file = [&scratch](const char* name, const char* first, const char* second) {
    return saved(scratch.path(name), JsonProgram().input("x").call("sin", "aten.sin.default", "self=x").call("cos", "aten.cos.default", "self=x").output(first).output(second));
  };
  Driver d({file("left.pt2", "sin", "cos"), file("right.pt2", "cos", "sin")});
  CHECK(d.run("wait idle\n"
              "click bottom/tab/compare\n"
              "compare.run\n"
              "wait idle\n"
              "expect state.compare.numbers_agree == false\n"
              "expect compare/verdict text \"but not output sin → cos (different, max abs Δ \"\n"
              "expect status/run text \"2 outputs differ\"\n"
              "expect compare/tab/signature text \"Signature 2\"\n"
              "click compare/tab/signature\n"
              "wait idle\n"
              "expect compare/signature/1 text \"~≠\"\n"
              "compare.step\n"
              "wait idle\n"
              "expect compare/verdict text \"So far the numbers agree\"\n"
              "compare.step\n"
              "wait idle\n"
              "expect compare/verdict text \"but not output\"\n"));
}

TEST_CASE("run both: what differs begins with the numbers, which long changes would push out of sight") {
  const pt2::test::Scratch scratch;
  auto file = [&scratch](const char* name, const char* factor) {
    return saved(scratch.path(name), JsonProgram().input("x").call("mul", "aten.mul.Tensor", std::string("self=x, other=") + factor).output("mul"));
  };
  Driver d({file("left.pt2", "2"), file("right.pt2", "3")});
  CHECK(d.run("wait idle\n"
              "click bottom/tab/compare\n"
              "compare.run\n"
              "wait idle\n"
              "expect compare/row/0 text \"≠ values; other 2 → 3\"\n"));
}

TEST_CASE("run both: inputs that do not fit are named") {
  Driver d({kSample, std::string(PT2_TEST_DATA) + "/programs/mutations.pt2"});
  CHECK(d.run("wait idle\n"
              "compare.run\n"
              "wait idle\n"
              "expect compare/verdict text \"input \"\n"));
}

TEST_CASE("lockstep tells nothing of what was not stepped over") {
  Driver d({kSample, kNan});
  CHECK(d.run("wait idle\n"
              "compare.run\n"
              "wait idle\n"
              "compare.step\n"
              "wait idle\n"
              "expect compare/verdict text \"So far the numbers agree\"\n"
              "compare.step\n"
              "wait idle\n"
              "expect compare/verdict text \"The numbers first part at batch_norm\"\n"));
}

TEST_CASE("lockstep goes through the sub-graphs of a loop before the loop is over") {
  const pt2::test::Scratch scratch;
  const std::string loop = PT2_TEST_DATA "/programs/while_loop.pt2", copy = scratch.path("copy.pt2");
  std::filesystem::copy_file(loop, copy);
  Driver d({loop, copy});
  CHECK(d.run("wait idle\n"
              "compare.run\n"
              "wait idle\n"
              "compare.step\n"
              "wait idle\n"
              "expect status/run text \"after while_loop_cond_graph_0/lt, group 1 of 4\"\n"
              "compare.run_to_divergence\n"
              "wait idle\n"
              "expect status/run text \"group 4 of 4\"\n"
              "expect status/run text \"while_loop,\"\n"
              "compare.step_back\n"
              "wait idle\n"
              "expect status/run text \"after while_loop_body_graph_0/mul, group 3 of 4\"\n"));
}

TEST_CASE("run both: the groups and the status bar name the call of a loop whose numbers are shown") {
  const pt2::test::Scratch scratch;
  const std::string loop = PT2_TEST_DATA "/programs/while_loop.pt2";
  std::string json = *(*pt2::open_file(loop))->archive->model_json("model");
  const std::string bound = "\"as_int\": 5}";  // lt's
  json.replace(json.find(bound), bound.size(), "\"as_int\": 4}");
  Driver d({loop, saved(scratch.path("four.pt2"), json)});
  // PyTorch: 4 < 5, but not 4 < 4.
  CHECK(d.run("wait idle\n"
              "debug.set_input i=0\n"
              "expect compare/row/1 text \"while_loop_cond_graph_0/lt  while_loop_cond_graph_0/lt\"\n"
              "compare.run\n"
              "wait idle\n"
              "expect compare/row/1 text \"while_loop_cond_graph_0@4/lt  while_loop_cond_graph_0@4/lt  changed  ≠ values, in while_loop_cond_graph_0@4; other 5 → 4\"\n"
              "expect compare/verdict text \"first part at while_loop_cond_graph_0@4/lt:\"\n"
              "expect status/run text \"numbers part from \\\"while_loop_cond_graph_0@4/lt\\\" on\"\n"
              "compare.step\n"
              "wait idle\n"
              "expect status/run text \"after while_loop_cond_graph_0@4/lt, group 1 of 4\"\n"
              "expect compare/row/1 text \"while_loop_cond_graph_0@4/lt\"\n"
              "compare.step_back\n"
              "wait idle\n"
              "expect compare/row/1 text \"while_loop_cond_graph_0/lt  while_loop_cond_graph_0/lt\"\n"));
  const auto kept = d.app.workspace().comparison.result;  // told once, whatever is shown of it
  CHECK(kept->verdict.find("first part at while_loop_cond_graph_0@4/lt:") != std::string::npos);
  CHECK(kept->parted_at == "while_loop_cond_graph_0@4/lt");
  CHECK(kept->differing_outputs == 2);
  CHECK_FALSE(kept->numbers_agree());
}

TEST_CASE("compared nodes: operands that belong together do not differ") {
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\nclick graph.a/node/batch_norm\nclick right/tab/node\nwait idle\n"));
  const auto state = d.state();
  auto text = [&](const std::string& name) {
    for (const auto& probe : state["probes"])
      if (probe["name"] == name) return std::string(probe["text"]);
    return std::string("absent");
  };
  CHECK(text("node/compared/input") == "conv2d | convolution");
  CHECK(text("node/compared/shape").substr(0, 2) != "~ ");  // of the value that is compared, not of the tuple
  CHECK(text("node/compared/operator").substr(0, 2) == "~ ");
}

TEST_CASE("the table of groups is filtered by what its nodes are, and a search marks both sides") {
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\n"
              "click compare/filter\n"
              "type aten.relu\n"
              "wait idle\n"
              "expect compare/row/0 absent\n"
              "expect compare/row/2 exists\n"
              "search.open relu\n"
              "wait idle\n"));
  const auto& pair = d.app.workspace().comparison;
  CHECK(d.app.workspace().document(pair.left)->search.hits.size() == 1);
  CHECK(d.app.workspace().document(pair.right)->search.hits.size() == 1);
}

TEST_CASE("pairs set by hand come back with the session") {
  const pt2::test::Scratch scratch;
  auto options = Driver::options({kSample, kDecomposed});
  options.session = scratch.path("s.json");
  {
    Driver d(options, 1440, 900);
    CHECK(d.run("wait idle\nclick graph.a/node/relu\nwait idle\ncompare.unlink\nwait idle\nexpect state.compare.removed == 1\n"));
  }
  {
    Driver d(options, 1440, 900);
    CHECK(d.run("wait idle\nexpect state.compare.unlinked == 1\nexpect state.compare.removed == 1\ncompare.forget_links\nwait idle\n"));
  }
  Driver d(options, 1440, 900);
  CHECK(d.run("wait idle\nexpect state.compare.unlinked == 0\n"));
}

TEST_CASE("wait takes idle or a number of frames") {
  Driver d({kSample});
  CHECK_FALSE(d.run("wait idlewait idle\n"));
}

TEST_CASE("run both: First divergence passes over what the coarser type explains, once groups were judged alone") {
  const pt2::test::Scratch scratch;
  constexpr int kFloat32 = 7, kBFloat16 = 13;  // as the file has them
  auto program = [](int dtype, const char* factor) {
    return JsonProgram().input("x", "2, 3", "user_input", "", dtype).call("sin", "aten.sin.default", "self=x", "2, 3", dtype).call("mul", "aten.mul.Scalar", std::string("self=sin, other=") + factor, "2, 3", dtype).output("mul");
  };
  Driver d({saved(scratch.path("a.pt2"), program(kFloat32, "2")), saved(scratch.path("b.pt2"), program(kBFloat16, "3"))});
  CHECK(d.run("wait idle\ndebug.set_input x=1\ncompare.run\nwait idle\n"
              "compare.first_divergence\nwait idle\n"
              "expect state.compare.selected.left[0] == \"sin\"\n"
              "compare.isolate\nwait idle\n"
              "expect compare/verdict text \"it is no more than the coarser type explains\"\n"
              "expect compare/verdict text \"More than types explain first arises at mul\"\n"
              "compare.first_divergence\nwait idle\n"
              "expect state.compare.selected.left[0] == \"mul\"\n"
              "expect state.toast == \"Up to mul the types explain all differences\"\n"));
}
