// The Tensor pane as it is used: clicked, typed into, asked by commands.
#include <filesystem>
#include <fstream>

#include "core/tensor/tensor_files.h"
#include "tests/gui/driver.h"
#include "tests/support/scratch.h"
#include "tests/support/tensors.h"
#include "views/workspace/debug_session.h"

using pt2::gui::Driver;
using pt2::test::Scratch;

namespace {

const std::string kSample = std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu.pt2";
const std::string kNan = std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu_nan.pt2";
const std::string kDecomposed = std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu_decomposed.pt2";
const std::string kRun = "wait idle\nkey F5\nwait idle\nclick inputs/run\nwait idle\nkey Ctrl+F5\nwait idle\n";

// A file that shows a tensor of our own: the shortest way to values that no program gives.
std::string tensor_file(const Scratch& scratch, pt2::Tensor tensor) {
  pt2::TensorFile file;
  file.tensors.emplace_back("t", std::move(tensor));
  const std::string path = scratch.path("t.safetensors");
  REQUIRE(pt2::write_tensor_file(path, file).has_value());
  return path;
}
const std::string kShow = "wait idle\nclick right/tab/tensor\nwait idle\nclick tensor/file/t\nwait idle\n";

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace

TEST_CASE("tensor grid: formats, digits, bits and ulp") {
  Scratch scratch;
  Driver d({tensor_file(scratch, pt2::test::floats({1, 2}, {1.5f, -0.25f}))});
  CHECK(d.run(kShow + "click tensor/format\n"
                      "click tensor/format/hex\n"
                      "expect tensor/cell/0/0 text \"3fc00000\"\n"
                      "tensor.format bits\n"
                      "wait idle\n"
                      "expect tensor/cell/0/1 text \"1 01111101 00000000000000000000000\"\n"
                      "tensor.format fixed 3\n"
                      "wait idle\n"
                      "expect tensor/cell/0/0 text \"1.500\"\n"
                      "tensor.format ulp 3\n"
                      "wait idle\n"
                      "expect tensor/cell/0/0 text \"1.19e-07\"\n"
                      "click tensor/cell/0/1\n"
                      "expect tensor/index text \"[0, 1] = -0.25   0xbe800000\"\n"));
  CHECK(d.duplicates.empty());
}

TEST_CASE("tensor grid: any two dimensions are rows and columns, the others and the slice choose the rest") {
  Scratch scratch;
  std::vector<float> values(24);
  for (size_t i = 0; i < values.size(); ++i) values[i] = float(i);
  Driver d({tensor_file(scratch, pt2::test::floats({2, 3, 4}, values))});
  CHECK(d.run(kShow + "expect tensor/cell/2/3 text \"11\"\n"
                      "click tensor/rows\n"
                      "click tensor/rows/0\n"
                      "expect tensor/cell/1/3 text \"15\"\n"  // [1, 0, 3]
                      "tensor.dims 2 1\n"
                      "wait idle\n"
                      "expect tensor/cell/3/2 text \"11\"\n"  // [0, 2, 3]
                      "click tensor/slice\n"
                      "type 1, ..., ::2\n"
                      "wait idle\n"
                      "expect tensor/cell/2/1 text \"22\"\n"  // [1, 2, 2]
                      "tensor.slice 7\n"
                      "wait idle\n"
                      "expect tensor/slice/problem text \"outside dimension 0\"\n"));
}

TEST_CASE("tensor grid: to the smallest, the largest, the next NaN, and to an index by Ctrl+G") {
  Scratch scratch;
  std::vector<float> values(600, 1);
  values[123] = -4, values[456] = 8;
  values[200] = std::numeric_limits<float>::quiet_NaN(), values[500] = std::numeric_limits<float>::infinity();
  Driver d({tensor_file(scratch, pt2::test::floats({6, 100}, values))});
  CHECK(d.run(kShow + "click tensor/jump/min\n"
                      "wait idle\n"
                      "expect tensor/index text \"[1, 23] = -4.0\"\n"
                      "expect tensor/cell/1/23 exists\n"
                      "click tensor/jump/max\n"
                      "wait idle\n"
                      "expect tensor/index text \"[4, 56] = 8.0\"\n"
                      "tensor.go_to 0, 0\n"
                      "click tensor/jump/nan\n"
                      "wait idle\n"
                      "expect tensor/index text \"[2, 0] = nan\"\n"
                      "click tensor/jump/nan\n"
                      "wait idle\n"
                      "expect tensor/index text \"[2, 0] = nan\"\n"
                      "click tensor/jump/inf\n"
                      "wait idle\n"
                      "expect tensor/index text \"[5, 0] = inf\"\n"
                      "key Ctrl+G\n"
                      "type 3, -1\n"
                      "key Enter\n"
                      "wait idle\n"
                      "expect tensor/index text \"[3, 99] = 1.0\"\n"
                      "expect tensor/cell/3/99 exists\n"
                      "tensor.go_to 6, 0\n"
                      "wait idle\n"
                      "expect tensor/go_to/problem text \"dim 0 has 6 elements\"\n"));
}

TEST_CASE("tensor: copied as Python, exported whole and sliced, the picture too") {
  Scratch scratch;
  Driver d({tensor_file(scratch, pt2::test::floats({2, 2}, {1, 2, 3, 4.5f}))});
  REQUIRE(d.run(kShow + "tensor.copy torch\nwait idle\nexpect state.tensor.message == \"Copied 4 elements\"\n"));
  CHECK(std::string(ImGui::GetClipboardText()) == "torch.tensor([[1.0, 2.0],\n              [3.0, 4.5]], dtype=torch.float32)");
  REQUIRE(d.run("tensor.slice 1\ntensor.copy tsv\nwait idle\n"));
  CHECK(std::string(ImGui::GetClipboardText()) == "3.0\t4.5\n");
  REQUIRE(d.run("click tensor/cell/1/0\nwait idle\ntensor.copy value\nwait idle\n"));
  CHECK(std::string(ImGui::GetClipboardText()) == "4.5");
  REQUIRE(d.run("tensor.export " + scratch.path("a.npy") + "\ntensor.export_slice " + scratch.path("b.safetensors") + "\ntensor.export_image " + scratch.path("c.png") + "\nwait idle\n"));
  const auto whole = pt2::read_tensor_file(scratch.path("a.npy")), slice = pt2::read_tensor_file(scratch.path("b.safetensors"));
  REQUIRE((whole.has_value() && slice.has_value()));
  CHECK(whole->tensors[0].second.sizes == pt2::Shape{2, 2});
  CHECK(slice->find("t")->sizes == pt2::Shape{2});
  CHECK(slice->find("t")->data<float>()[1] == 4.5f);
  CHECK(bytes_of(scratch.path("c.png")).starts_with("\x89PNG"));
  REQUIRE(d.run("tensor.export " + scratch.path("no/such/folder.npy") + "\nwait idle\n"));
  CHECK(std::string(d.state()["tensor"]["message"]).starts_with("Not written"));
}

TEST_CASE("tensor: the menu asks where to save, and says what it would replace") {
  Scratch scratch;
  Driver d({tensor_file(scratch, pt2::test::floats({2}, {1, 2}))});
  CHECK(d.run(kShow + "click tensor/export\n"
                      "click tensor/menu/export\n"
                      "wait idle\n"
                      "expect picker/name text \"t.npy\"\n"
                      "click picker/name\n"
                      "key Ctrl+A\n"
                      "type t.safetensors\n"
                      "wait idle\n"
                      "expect picker/note text \"will be replaced\"\n"
                      "click picker/name\n"
                      "key Ctrl+A\n"
                      "type other.npy\n"
                      "key Enter\n"
                      "wait idle\n"
                      "expect picker/name absent\n"));
  CHECK(std::filesystem::exists(scratch.path("other.npy")));
}

TEST_CASE("tensor: a locked tab stays on its value while the other follows the selection") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "click graph/chip/conv2d/p_conv_weight\n"
              "click right/tab/tensor\n"
              "wait idle\n"
              "click tensor/lock\n"
              "wait idle\n"
              "expect state.tensor.locked == [\"p_conv_weight\"]\n"
              "click graph/chip/conv2d/p_conv_bias\n"
              "wait idle\n"
              "expect tensor/title text \"p_conv_weight\"\n"
              "click tensor/page/0\n"
              "wait idle\n"
              "expect tensor/title text \"p_conv_bias\"\n"
              "click tensor/page/1\n"
              "wait idle\n"
              "expect tensor/title text \"p_conv_weight\"\n"
              "click tensor/page/1/close\n"
              "wait idle\n"
              "expect tensor/page/0 absent\n"
              "expect tensor/title text \"p_conv_bias\"\n"));
  CHECK(d.duplicates.empty());
}

TEST_CASE("tensor diff: against another value, with tolerances, the worst elements and the way to them") {
  Scratch scratch;
  pt2::TensorFile file;
  file.tensors.emplace_back("t", pt2::test::floats({2, 3}, {1, 2, 3, 4, 5, 6}));
  file.tensors.emplace_back("u", pt2::test::floats({2, 3}, {1, 2, 3.5f, 4, 5, 4}));
  file.tensors.emplace_back("v", pt2::test::floats({3, 2}, {1, 2, 3, 4, 5, 6}));
  const std::string path = scratch.path("t.safetensors");
  REQUIRE(pt2::write_tensor_file(path, file).has_value());
  Driver d({path});
  REQUIRE(d.run(kShow + "click tensor/tab/diff\n"
                        "expect tensor/diff/choose exists\n"
                        "tensor.compare_with value u\n"
                        "wait idle\n"
                        "expect tensor/diff/max_abs text \"2 at [1, 2]\"\n"
                        "expect tensor/diff/within text \"66.67 %\"\n"
                        "click tensor/worst/0\n"
                        "wait idle\n"
                        "expect tensor/index text \"[1, 2] = 6.0\"\n"
                        "expect tensor/index text \"u 4.0   difference 2\"\n"
                        "expect state.tensor.diff.max_abs == 2.0\n"
                        "expect state.tensor.diff.within == 4\n"
                        "click tensor/diff/atol\n"
                        "type 0.5\n"
                        "key Enter\n"
                        "wait idle\n"
                        "expect state.tensor.diff.within == 5\n"
                        "click tensor/diff/part/grid\n"
                        "wait idle\n"
                        "expect tensor/cell/0/2 text \"-0.5\"\n"
                        "expect tensor/cell/1/2 text \"2\"\n"
                        "tensor.format ulp\n"
                        "wait idle\n"
                        "expect tensor/cell/0/0 text \"0\"\n"
                        "expect tensor/cell/0/2 text \"2,097,152\"\n"
                        "click tensor/diff/part/image\n"
                        "wait idle\n"
                        "expect tensor/image text \"3×2\"\n"
                        "click tensor/diff/part/histogram\n"
                        "wait idle\n"
                        "expect tensor/diff/histogram/bar/63 text \": 1\"\n"
                        "click tensor/tab/histogram\n"
                        "wait idle\n"
                        "expect tensor/histogram/bar/0 exists\n"
                        "tensor.jump error\n"
                        "wait idle\n"
                        "expect tensor/index text \"[1, 2] = 6.0\"\n"
                        "tensor.compare_with value v\n"
                        "wait idle\n"
                        "expect tensor/diff/state text \"the shapes differ\"\n"
                        "tensor.compare_with file " + path + "#u\n"
                        "wait idle\n"
                        "expect state.tensor.diff.max_abs == 2.0\n"));
  CHECK(d.duplicates.empty());
}

TEST_CASE("tensor histogram: NaN and infinities of a reference are counted beside those of the value") {
  Driver d({kSample});
  REQUIRE(d.run(kRun));
  std::vector<float> values(16384, 1);
  values[0] = values[1] = std::nanf("");
  values[2] = INFINITY;
  auto reference = std::make_shared<pt2::TensorFile>();
  reference->tensors.emplace_back("relu", pt2::test::floats({1, 16, 32, 32}, values));
  d.app.workspace().active()->debug->debugger()->set_reference(reference);
  CHECK(d.run("select.node relu\ntensor.compare_with reference\nwait idle\n"
              "expect tensor/diff/NaN text \"0 here, 2 in the other\"\n"
              "click tensor/diff/part/histogram\nwait idle\n"
              "expect tensor/diff/left_out text \"3 pairs with NaN or infinity left out: none here, 2 NaN and 1 infinity in what it is held against\"\n"
              "click tensor/tab/histogram\nwait idle\n"
              "expect tensor/histogram/left_out absent\n"
              "expect tensor/histogram/other_left_out text \"2 NaN and 1 infinity\"\n"));
}

TEST_CASE("tensor diff: a recorded reference, a value kept from an earlier run, another value of the program") {
  Driver d({kSample});
  REQUIRE(d.run(kRun + "select.node relu\ntensor.keep\nwait idle\n"));
  const auto& debug = *d.app.workspace().active()->debug;
  auto reference = std::make_shared<pt2::TensorFile>();
  const auto value = debug.debugger()->value(pt2::views::find_node(*d.app.workspace().active()->program(), "relu"));
  REQUIRE(value.has_value());
  reference->tensors.emplace_back("relu", *value->as<pt2::Tensor>());
  d.app.workspace().active()->debug->debugger()->set_reference(reference);
  CHECK(d.run("tensor.compare_with reference\n"
              "wait idle\n"
              "expect state.tensor.diff.within == 16384\n"
              "expect state.tensor.diff.max_ulp == 0\n"
              "select.node conv2d\n"
              "wait idle\n"
              "expect tensor/diff/state text \"holds no value\"\n"
              "select.node relu\n"
              "debug.seed 7\n"
              "debug.use_samples off\n"
              "debug.restart\n"
              "wait idle\n"
              "debug.run_without_stopping\n"
              "wait idle\n"
              "click tensor/compare\n"
              "click tensor/compare/kept\n"
              "wait idle\n"
              "expect state.tensor.compare == \"kept\"\n"
              "expect tensor/diff/with text \"kept value\"\n"
              "expect state.tensor.diff.within <= 16000\n"
              "click tensor/compare\n"
              "click tensor/compare/name\n"
              "type batch_norm\n"
              "key Enter\n"
              "wait idle\n"
              "expect state.tensor.compare == \"value batch_norm\"\n"));
}

TEST_CASE("tensor diff: the counterpart in the other program") {
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\n"
              "select.value p_conv_weight\n"
              "tensor.compare_with other\n"
              "wait idle\n"
              "expect tensor/diff/with text \"conv_bn_relu_decomposed.pt2\"\n"
              "expect state.tensor.diff.max_abs == 0.0\n"
              "expect state.tensor.diff.elements == 432\n"));
}

TEST_CASE("tensor image: channels, colours of three, range by its handles, by percentiles, symmetric") {
  Scratch scratch;
  std::vector<float> values(2 * 4 * 3 * 5);
  for (size_t i = 0; i < values.size(); ++i) values[i] = float(i);
  Driver d({tensor_file(scratch, pt2::test::floats({2, 4, 3, 5}, values))});
  REQUIRE(d.run(kShow + "click tensor/tab/image\n"
                        "wait idle\n"
                        "expect tensor/image text \"5×3\"\n"
                        "click tensor/image/tiles\n"
                        "wait idle\n"
                        "expect tensor/image text \"23×3\"\n"
                        "click tensor/image/nhwc\n"
                        "wait idle\n"
                        "click tensor/image/RGB\n"
                        "wait idle\n"
                        "expect tensor/image text \"3×4\"\n"
                        "expect tensor/image/R text \"0\"\n"
                        "tensor.image nhwc off\n"
                        "tensor.image single 2\n"
                        "tensor.image batch 1\n"
                        "wait idle\n"
                        "hover tensor/image\n"
                        "expect tensor/image/pixel text \"[1, 2, 1, 2] = 97.0\"\n"
                        "expect tensor/image/range text \"0 … 119\"\n"
                        "expect tensor/image/fit text \"always\"\n"
                        "drag tensor/image/range/low 60 0\n"
                        "wait idle\n"
                        "expect tensor/image/fit text \"once\"\n"));
  CHECK(d.app.probe().find("tensor/image/range")->text.substr(0, 2) != "0 ");
  CHECK(d.run("tensor.image range -10 20\n"
              "wait idle\n"
              "expect tensor/image/range text \"-10 … 20\"\n"
              "click tensor/image/symmetric\n"
              "wait idle\n"
              "expect tensor/image/range text \"-20 … 20\"\n"
              "click tensor/image/percentiles\n"
              "wait idle\n"
              "expect tensor/image/range text \"1.11562 … 117.884\"\n"
              "right_click tensor/image/fit\n"
              "wait idle\n"
              "expect tensor/image/fit text \"always\"\n"
              "expect tensor/image/range text \"0 … 119\"\n"));
  CHECK(d.duplicates.empty());
}

TEST_CASE("tensor histogram: logarithmic values, outliers in bars of their own") {
  Scratch scratch;
  std::vector<float> values(1000);
  for (size_t i = 0; i < values.size(); ++i) values[i] = float(i % 100);
  values[0] = -1e6f, values[1] = 1e6f;
  Driver d({tensor_file(scratch, pt2::test::floats({1000}, values))});
  CHECK(d.run(kShow + "click tensor/tab/histogram\n"
                      "wait idle\n"
                      "expect tensor/histogram/above absent\n"
                      "click tensor/histogram/trim\n"
                      "wait idle\n"
                      "expect tensor/histogram/above text \": 1\"\n"
                      "expect tensor/histogram/below text \": 1\"\n"
                      "tensor.histogram symlog on\n"
                      "wait idle\n"
                      "expect tensor/histogram/symlog text \"on\"\n"
                      "expect tensor/histogram/bar/63 exists\n"));
}

TEST_CASE("tensor: empty values and single numbers show in every tab") {
  Scratch scratch;
  for (const auto& tensor : {pt2::test::floats({0, 3}, {}), pt2::test::floats({}, {2.5f})}) {
    Driver d({tensor_file(scratch, tensor)});
    for (const char* tab : {"grid", "image", "histogram", "diff", "text"})
      CHECK(d.run(kShow + "click tensor/tab/" + tab + "\nwait idle\ntensor.compare_with value t\nwait idle\ntensor.diff worst\nwait idle\n"));
    CHECK(d.run("tensor.tab text\nwait idle\nexpect tensor/text text \"" + std::string(tensor.numel() ? "2.5" : "[]") + "\"\n"));
  }
}

TEST_CASE("a loaded reference is what the Diff tab compares with, until something else is chosen") {
  const Scratch scratch;
  pt2::TensorFile reference;
  reference.tensors.emplace_back("relu", pt2::test::floats({1, 16, 32, 32}, std::vector<float>(16384, 1)));
  const std::string path = scratch.path("reference.npz");
  REQUIRE(pt2::write_tensor_file(path, reference));
  Driver d({kSample});
  CHECK(d.run(kRun +
              "select.node relu\nview.pane tensor\ntensor.tab diff\nwait idle\n"
              "expect state.tensor.compare == \"none\"\n"
              "debug.reference " + path + "\nwait idle\n"
              "expect state.tensor.compare == \"reference\"\n"
              "expect tensor/diff/with text \"with reference – relu\"\n"
              "expect tensor/diff/within exists\n"
              "select.node conv2d\nwait idle\n"
              "expect tensor/diff/state text \"The reference holds no value\"\n"
              "select.node relu\ntensor.compare_with none\nwait idle\n"
              "expect state.tensor.compare == \"none\"\n"));
}

TEST_CASE("means over some pairs only say over how many, and whose value it is is said once") {
  Driver d({kNan});
  REQUIRE(d.run(kRun + "select.node batch_norm\nview.pane tensor\ntensor.compare_with value conv2d\nwait idle\n"));
  const auto tensor = d.state()["tensor"];
  const uint64_t finite = tensor["diff"]["elements"].get<uint64_t>() - tensor["stats"]["nan"].get<uint64_t>();
  CHECK(tensor["diff"]["finite"] == finite);
  REQUIRE(finite == 15360);  // one channel of sixteen is NaN
  for (const char* measure : {"mean_abs", "RMSE", "cosine", "SNR"})
    CHECK_MESSAGE(d.run(std::string("expect tensor/diff/") + measure + " text \"of 15,360 finite pairs\"\n"), measure);
  CHECK(d.run("expect tensor/diff/with text \"with conv2d, step\"\n"));
}

TEST_CASE("an infinite change is \"inf\" in the state, as other numbers that are not finite") {
  Driver d({kSample});
  CHECK(d.run(kRun + "debug.edit_value conv2d inf\nwait idle\nexpect state.changed[0].node == \"conv2d\"\nexpect state.changed[0].max_abs == \"inf\"\n"));
}

TEST_CASE("the largest magnitude has the digits of the extreme it is") {
  const Scratch scratch;
  const pt2::Tensor half = pt2::test::tensor_of<uint16_t>(pt2::DType::Float16, {2}, {0, 0xFB37});  // -59104
  Driver d({tensor_file(scratch, half)});
  CHECK(d.run(kShow + "expect tensor/stats/min text \"-59104.0\"\nexpect tensor/stats/|x|max text \"59104.0\"\n"));
}

TEST_CASE("after a reload values are those of the file that is there now") {
  const Scratch scratch;
  const std::string path = scratch.path("m.pt2");
  std::filesystem::copy_file(kSample, path);
  Driver d({path});
  const std::string look = "wait idle\nselect.value b_bn_running_var\nclick right/tab/tensor\nwait idle\n";
  REQUIRE(d.run(look + "expect tensor/stats/elements text \"16\"\n"));
  CHECK(d.app.probe().find("tensor/stats/min")->text.find('-') == std::string::npos);
  std::filesystem::copy_file(std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu_nan.pt2", path, std::filesystem::copy_options::overwrite_existing);
  CHECK(d.run("file.reload\n" + look + "expect tensor/stats/min text \"-1.0\"\n"));
}

TEST_CASE("with large text the buttons above the grid go on in another line") {
  Driver d({kSample}, 1280, 720);
  REQUIRE(d.run("wait idle\nview.larger\nview.larger\nview.larger\nselect.value p_conv_weight\nclick right/tab/tensor\nwait idle\n"));
  const auto *first = d.app.probe().find("tensor/jump/min"), *last = d.app.probe().find("tensor/jump/inf");
  REQUIRE(first);
  REQUIRE(last);
  CHECK(last->min.y > first->min.y);
  CHECK(last->max.x < 1280);
}
