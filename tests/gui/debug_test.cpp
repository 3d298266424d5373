// The debugger as one uses it: what is typed and clicked, and where the run then stands.
#include "core/tensor/tensor_files.h"
#include "tests/gui/driver.h"
#include "tests/support/scratch.h"

using pt2::gui::Driver;

namespace {

std::string program(const std::string& name) { return std::string(PT2_TEST_DATA) + "/programs/" + name + ".pt2"; }

// A breakpoint typed into the list, with a condition typed into its row.
std::string add_breakpoint(const std::string& place, const std::string& condition = "") {
  std::string lines = "view.pane breakpoints\nwait idle\nclick breakpoints/add\ntype " + place + "\nkey Enter\nwait idle\n";
  if (!condition.empty()) lines += "click breakpoints/row/0/condition\nwait idle\ntype " + condition + "\nkey Enter\nwait idle\n";
  return lines;
}

const std::string kRun = "key F5\nwait idle\nclick inputs/run\nwait idle\n";

std::string expect(const std::string& what, const std::string& value) { return "expect state." + what + " == " + value + "\n"; }

pt2::Tensor filled(pt2::Shape sizes, float value) {
  pt2::Tensor tensor;
  tensor.sizes = sizes;
  tensor.strides = pt2::contiguous_strides(sizes);
  tensor.dtype = pt2::DType::Float32;
  tensor.storage = *pt2::zero_storage(uint64_t(tensor.numel()) * 4);
  for (int64_t i = 0; i < tensor.numel(); ++i) tensor.data<float>()[i] = value;
  return tensor;
}

}  // namespace

TEST_CASE("breakpoints: each kind of place stops the run there") {
  struct Case { const char *file, *place, *cursor, *reason; };
  const Case cases[] = {
      {"shared_module", "relu", "relu", "before relu"},
      {"shared_module", "op=aten.relu.*", "relu", "op=aten.relu.* before relu"},
      {"shared_module", "module=tail", "linear_4", "module=tail before linear_4"},
      {"shared_module", "exit=block", "linear_2", "after relu: leaving block"},
      {"shared_module", "exit=tail", "add", "after tanh"},
      {"nan_sources", "models.py:257", "ones", "models.py:257 before ones"},
      {"symbolic", "symbol=s27", "sym_size_int_3", "symbol=s27 before sym_size_int_3"},
      {"mutations", "data=b_scratch", "add__1", "after mul_: written (data=b_scratch)"},
      {"while_loop", "while_loop_body_graph_0/mul", "while_loop_body_graph_0/mul", "before while_loop_body_graph_0@0/mul"},
  };
  for (const Case& c : cases) {
    INFO(std::string(c.place));
    Driver d({program(c.file)});
    CHECK(d.run("wait idle\n" + add_breakpoint(c.place) + kRun + expect("run_state", "\"paused\"") + expect("cursor", "\"" + std::string(c.cursor) + "\"")));
    const std::string reason = d.state()["stop_reason"].dump();
    INFO(reason);
    CHECK(reason.find(c.reason) != std::string::npos);
    CHECK(d.state()["breakpoints"][0]["hits"] == 1);
  }
}

TEST_CASE("steps back go by visible boxes as steps over do; a step back into a folded module opens it first") {
  Driver d({program("shared_module")});
  CHECK(d.run("wait idle\nview.fold_module block\nwait idle\nkey F10\nwait idle\nclick inputs/run\nwait idle\n" + expect("cursor", "\"linear\"")));
  CHECK(d.run("key F10\nwait idle\n" + expect("cursor", "\"linear_2\"") + "key F7\nwait idle\n" + expect("cursor", "\"linear\"") + "key F10\nwait idle\n" + expect("cursor", "\"linear_2\"")));
  CHECK(d.run("key Ctrl+F7\nwait idle\nexpect graph/node/relu exists\n" + expect("cursor", "\"linear_2\"") + "key Ctrl+F7\nwait idle\n" + expect("cursor", "\"relu\"")));
  CHECK(d.run("view.fold_module block\nwait idle\nkey F7\nwait idle\n" + expect("cursor", "\"linear\"")));
}

TEST_CASE("who selected nothing looks at the node that stopped the run") {
  Driver d({program("nan_sources")});
  CHECK(d.run("wait idle\n" + add_breakpoint("any", "NaN") + kRun + expect("selection.node", "\"sqrt\"") + "select.node ones\nkey F5\nwait idle\n" + expect("selection.node", "\"ones\"")));
}

TEST_CASE("breakpoints: each condition is judged on what the node gave") {
  pt2::test::Scratch scratch;
  pt2::TensorFile reference;
  reference.tensors.emplace_back("ones", filled({6, 2}, 5));
  const std::string path = scratch.path("reference.npz");
  REQUIRE(pt2::write_tensor_file(path, reference));
  struct Case { const char *file, *place, *condition; std::string before; const char *cursor, *reason; };
  const Case cases[] = {
      {"nan_sources", "any", "NaN", "", "div", "after sqrt: 1 NaN of 6 (NaN)"},
      {"shared_module", "any", "Inf", "debug.edit_value linear_2 inf\n", "linear_3", "after linear_2: 6 Inf of 6"},
      {"nan_sources", "any", "|x| > 5", "", "t", "after mul: |x| > 5"},
      {"nan_sources", "any", "x < 0.5", "", "where", "after lt: x < 0.5"},
      {"shared_module", "any", "all zero", "debug.edit_value linear_2 0\n", "linear_3", "after linear_2: all zero"},
      {"nan_sources", "any", "shape != meta", "debug.edit_argument ones size [6, 3]\n", "matmul", "after ones: shape differs from the declared one"},
      {"nan_sources", "any", "dtype != meta", "debug.edit_argument softmax dtype torch.float64\n", "select_1", "after softmax: dtype float64, declared float32"},
      {"nan_sources", "any", "mismatch", "debug.reference " + path + "\n", "matmul", "after ones: max abs error 4 against the reference"},
      {"nan_sources", "any", "mismatch > 3", "debug.reference " + path + "\n", "matmul", "after ones"},
      {"nan_sources", "any", "mul.nan() > 0", "", "t", "after mul: mul.nan() > 0"},
      {"nan_sources", "op=aten.t.*", "hit >= 2", "", "t_1", "before t_1"},
      {"nan_sources", "op=aten.select.int", "every 2", "", "select_1", "before select_1"},
      {"nan_sources", "op=aten.select.int", "NaN, hit >= 2", "", "select_2", "after select_1"},
  };
  for (const Case& c : cases) {
    INFO(std::string(c.place) << " if " << std::string(c.condition));
    Driver d({program(c.file)});
    CHECK(d.run("wait idle\n" + c.before + "wait idle\n" + add_breakpoint(c.place, c.condition) + kRun + expect("run_state", "\"paused\"") + expect("cursor", "\"" + std::string(c.cursor) + "\"")));
    const std::string reason = d.state()["stop_reason"].dump();
    INFO(reason);
    CHECK(reason.find(c.reason) != std::string::npos);
    CHECK(d.state()["breakpoints"][0]["condition"].get<std::string>().ends_with(c.condition));
  }
}

TEST_CASE("a value is asked for where the operator returns one") {
  Driver d({program("unknown_write")});
  CHECK(d.run("wait idle\n" + kRun + "expect graph/banner text \"no implementation of data.swish.default\"\nexpect graph/banner/give_value exists\n"
              "click graph/banner/continue\nwait idle\nexpect graph/banner text \"no implementation of data.store.default\"\nexpect graph/banner/give_value absent\n"
              "select.node store\nwait idle\nexpect node/edit/value absent\n"));
}

TEST_CASE("breakpoints: the rule for errors is on, a row is switched off and removed") {
  {
    Driver d({program("custom_op")});
    CHECK(d.run("wait idle\n" + kRun + expect("run_state", "\"paused\"") +
                "expect graph/banner text \"no implementation of data.several.default\"\n"
                "click graph/banner/continue\nwait idle\n" +
                expect("run_state", "\"failed\"")));
  }
  {
    Driver e({program("shared_module")});
    CHECK(e.run("wait idle\n" + add_breakpoint("relu") + "click breakpoints/row/0/enabled\nwait idle\n" + expect("breakpoints[0].enabled", "false") + kRun + expect("run_state", "\"finished\"") +
                "click breakpoints/row/0/remove\nwait idle\nexpect breakpoints/row/0 absent\n"));
  }
}

TEST_CASE("breakpoints: log writes a message, collect keeps values, neither stops") {
  {
    Driver d({program("nan_sources")});
    CHECK(d.run("wait idle\n" + add_breakpoint("mul") +
                "click breakpoints/row/0/action\nwait idle\nclick breakpoints/row/0/action/log\nwait idle\n"
                "click breakpoints/row/0/message\ntype {name} max={max} twice {sqrt.nan() * 2}\nwait idle\n" +
                kRun + expect("run_state", "\"finished\"")));
    bool found = false;
    for (const auto& line : d.app.workspace().messages()) found = found || line.text == "mul max=6 twice 2";
    CHECK(found);
  }
  {
    Driver e({program("nan_sources")});
    CHECK(e.run("wait idle\n" + add_breakpoint("op=aten.select.int") + "click breakpoints/row/0/action\nwait idle\nclick breakpoints/row/0/action/collect\nwait idle\n" + kRun +
                expect("run_state", "\"finished\"") +
                "expect breakpoints/row/0/collected text \"3 values\"\nclick breakpoints/row/0/collected\nwait idle\n"
                "expect breakpoints/row/0/collected/2 text \"select_2\"\n"));
  }
}

TEST_CASE("in a loop the banner, the status and a reproduction are of the call where the run stopped") {
  const pt2::test::Scratch scratch;
  Driver d({program("loop_to_nan")});
  CHECK(d.run("wait idle\ndebug.stop_on_nonfinite on\n" + kRun + expect("position", "\"in while_loop, after while_loop_body_graph_0@5\"") +
              "expect status/run text \"Stopped in while_loop, after while_loop_body_graph_0@5\"\n"
              "expect graph/banner/origin text \"NaN comes from while_loop_body_graph_0@5/sqrt[0] (made from finite arguments)\"\n" +
              expect("producer.call", "\"while_loop_body_graph_0@5\"") +
              "debug.repro " + scratch.path("r") + "\nwait idle\ndebug.step_over\nwait idle\n" + expect("position", "\"before sum_1\"") +
              "breakpoint.add while_loop_body_graph_0@3/sqrt\ndebug.stop_on_nonfinite off\ndebug.restart\nwait idle\n" + expect("position", "\"before while_loop_body_graph_0@3/sqrt\"") +
              "debug.start\nwait idle\ndebug.edit_value while_loop_body_graph_0/sub sub*1\nwait idle\n" + expect("run_state", "\"finished\"") + "expect graph/banner/edits text \"1 edit, 0 values differ\"\n" +
              "debug.clear_edits\ndebug.edit_value while_loop_body_graph_0@5/sub sub.clamp(0)\nwait idle\n" + expect("edits[0].node", "\"while_loop_body_graph_0@5/sub\"") +
              expect("changed[0].node", "\"while_loop_body_graph_0@5/sub\"")));
  const auto expected = pt2::read_tensor_file(scratch.path("r/expected.pt"));
  REQUIRE(expected);
  CHECK(expected->find("sqrt")->data<float>()[0] != expected->find("sqrt")->data<float>()[0]);
}

TEST_CASE("stop banner: why, where it comes from, go on, ignore") {
  Driver d({program("nan_sources")});
  CHECK(d.run("wait idle\ndebug.stop_on_nonfinite on\n" + kRun +
              "expect graph/banner text \"Stopped after sqrt: 1 NaN of 6 (rule: first NaN/Inf)\"\n"
              "expect graph/banner/origin text \"sqrt[0, 1]\"\n"
              "click graph/banner/show_producer\nwait idle\n" +
              expect("selection.node", "\"sqrt\"") + expect("graph.highlight", "\"origin\"") + "click graph/banner/ignore\nwait idle\n" + expect("cursor", "\"mul\"") +
              "click graph/banner/continue\nwait idle\n" + expect("run_state", "\"finished\"") +
              // Once more: what is ignored stops no more.
              "debug.restart\nwait idle\n" + expect("cursor", "\"mul\"")));
  CHECK(d.run("debug.run_without_stopping\nwait idle\nview.fit\nwait idle\nright_click graph/node/select_1\nwait idle\nclick graph/menu/debug.show_producer\nwait idle\n" + expect("producer.node", "\"div\"") +
              expect("graph.highlight", "\"origin\"")));
}

TEST_CASE("ignore here means all that stopped the run") {
  Driver d({program("nan_sources")});
  CHECK(d.run("wait idle\ndebug.stop_on_nonfinite on\nbreakpoint.add sqrt if NaN\n" + kRun +
              "expect graph/banner text \"(rule: first NaN/Inf)\"\nexpect graph/banner text \"(NaN)\"\n"
              "click graph/banner/ignore\nwait idle\n" + expect("cursor", "\"mul\"") + "debug.restart\nwait idle\n" + expect("cursor", "\"mul\"")));
}

TEST_CASE("a condition on a value that is computed later is refused") {
  Driver d({program("nan_sources")});
  CHECK(d.run("wait idle\nbreakpoint.add sqrt if mul.max() > 1\n" +
              expect("toast", "\"\\\"mul\\\" is computed after \\\"sqrt\\\": a condition there takes values computed before, and the node's own\"")));
  CHECK(d.state()["breakpoints"].empty());
}

TEST_CASE("Shift+F9 sets a breakpoint and takes its condition") {
  Driver d({program("nan_sources")});
  CHECK(d.run("wait idle\nclick graph/node/mul\nkey Shift+F9\nwait idle\ntype NaN\nkey Enter\nwait idle\n" + expect("breakpoints[0].where", "\"mul\"") + expect("breakpoints[0].condition", "\"NaN\"") +
              "key Shift+F9\nwait idle\ntype mul.max() > 1\nkey Enter\nwait idle\n" + expect("breakpoints[0].condition", "\"mul.max() > 1\"")));
  CHECK(d.state()["breakpoints"].size() == 1);
}

TEST_CASE("breakpoints: a place or a name that the program has not is refused") {
  Driver d({program("nan_sources")});
  CHECK(d.run("wait idle\nbreakpoint.add symbol=s0\n" + expect("toast", "\"There is no place \\\"symbol=s0\\\" to stop at\"") + "breakpoint.add mul if foo > 2\n" +
              expect("toast", "\"\\\"foo\\\" is neither a value, a symbol nor a function of this program\"")));
  CHECK(d.state()["breakpoints"].empty());
}

TEST_CASE("the way of a NaN names what was asked for and what it came from, and goes with its run") {
  Driver d({program("nan_sources")});
  CHECK(d.run("wait idle\n" + kRun + "debug.edit_input y inf\nwait idle\ndebug.show_producer div\nwait idle\n" + expect("graph.highlight", "\"origin\"") +
              "expect graph/banner/origin text \"NaN of div comes from Inf in y[0, 0]\"\n"
              "debug.show_producer mul\nwait idle\n"
              "expect graph/banner/origin text \"NaN of mul comes from sqrt[0, 1]\"\n"
              "debug.restart\nwait idle\n" + expect("graph.highlight", "null")));
}

TEST_CASE("a stop comes so near that it can be read") {
  Driver d({program("nan_sources")});
  std::string out = "wait idle\n";
  for (int i = 0; i < 12; ++i) out += "view.zoom_out\nwait idle\n";
  CHECK(d.run(out));
  CHECK(d.state()["graph"]["zoom"] < 0.2);
  CHECK(d.run("debug.stop_on_nonfinite on\n" + kRun + expect("selection.node", "\"sqrt\"")));
  CHECK(d.state()["graph"]["zoom"] > 0.5);
}

TEST_CASE("run to here, to an operator, out of a module, to a source line") {
  {
    Driver d({program("shared_module")});
    CHECK(d.run("wait idle\n" + std::string("click graph/node/tanh\nkey F9\n") + kRun + expect("cursor", "\"tanh\"") + "key Ctrl+Shift+F5\nwait idle\n" + expect("cursor", "\"tanh\"")));
  }
  {
    Driver e({program("nan_sources")});
    CHECK(e.run("wait idle\nkey F10\nwait idle\nclick inputs/cancel\nwait idle\ndebug.begin\nwait idle\n" + expect("run_state", "\"finished\"")));
  }
  {
    Driver f({program("nan_sources")});
    CHECK(f.run("wait idle\ndebug.stop_on_nonfinite on\n" + kRun + "debug.stop_on_nonfinite off\nright_click graph/node/t_1\nwait idle\nclick graph/menu/debug.run_to\nwait idle\n" + expect("cursor", "\"t_1\"") +
                "debug.run_until op=aten.select.int\nwait idle\n" + expect("cursor", "\"select\"") + "debug.run_until models.py:260\nwait idle\n" + expect("run_state", "\"finished\"") +
                // In the past the same walks through what was recorded.
                "debug.set_time 0\nwait idle\ndebug.run_until models.py:257\nwait idle\n" + expect("cursor", "\"ones\"")));
  }
  {
    Driver g({program("shared_module")});
    CHECK(g.run("wait idle\ndebug.run_until exit=block\nwait idle\nclick inputs/cancel\nwait idle\nbreakpoint.add linear\n" + kRun + expect("cursor", "\"linear\"") +
                "debug.run_until exit=block\nwait idle\n" + expect("cursor", "\"linear_2\"") + "debug.run_until module=tail\nwait idle\n" + expect("cursor", "\"linear_4\"")));
  }
}

TEST_CASE("loops: the iteration that panes look at is chosen in the timeline") {
  Driver d({program("while_loop")});
  CHECK(d.run("wait idle\nwatch.add mul.max()\nwatch.add add\n" + kRun + expect("run_state", "\"finished\"") + "select.node while_loop_body_graph_0/mul\nwait idle\nview.pane timeline\nwait idle\n"));
  const auto last = d.state()["watches"][1]["value"];
  CHECK(d.run("click timeline/call\nwait idle\nclick timeline/call/0\nwait idle\nexpect timeline/call text \"call 0\"\n"));
  const auto first = d.state()["watches"][1]["value"];
  CHECK(first != last);
  CHECK(d.run("click timeline/call\nwait idle\nclick timeline/call/follow\nwait idle\n"));
  CHECK(d.state()["watches"][1]["value"] == last);
}

TEST_CASE("what if: a value typed into the Node pane is replayed beside the original, and taken back") {
  Driver d({program("shared_module")});
  CHECK(d.run("wait idle\n" + kRun + "right_click graph/node/relu_1\nwait idle\nclick graph/menu/debug.edit\nwait idle\ntype relu_1 + 1\nkey Enter\nwait idle\n" +
              expect("edits[0].node", "\"relu_1\"") + expect("edits[0].text", "\"relu_1 + 1\"") + expect("changed[0].node", "\"relu_1\"") +
              "expect node/edit/change text \"1 at most, 6 of 6 elements\"\n"
              "expect node/edit/original exists\n"
              "expect graph/banner/edits text \"1 edit, 2 values differ from the original\"\n"
              "click graph/banner/clear_edits\nwait idle\n"));
  CHECK(d.state()["edits"].empty());
  CHECK(d.state()["changed"].empty());
  CHECK(d.run("select.node add\nwait idle\nclick node/edit/argument/alpha\ntype 3\nkey Enter\nwait idle\n" + expect("edits[0].argument", "\"alpha\"") + expect("changed[0].node", "\"add\"")));
}

TEST_CASE("what if: the banner says that a NaN is one that an edit brought, and where it comes up first") {
  {
    Driver d({program("shared_module")});
    REQUIRE(d.run("wait idle\n" + kRun + "debug.edit_value relu_1 nan\nwait idle\nexpect graph/banner/edits text \"2 values differ from the original; NaN in the edited value of relu_1\"\n"));
    // In PyTorch, too, the next linear makes NaN of Inf: its weights are of both signs.
    CHECK(d.run("debug.clear_edits\nwait idle\nexpect graph/banner/edits absent\ndebug.edit_value linear_4 inf\nwait idle\n"
                "expect graph/banner/edits text \"; NaN that the original has not, first in linear_5\"\n"));
  }
  {
    Driver d({program("../../../assets/samples/conv_bn_relu")});
    CHECK(d.run("wait idle\n" + kRun + "debug.edit_argument batch_norm eps -10\nwait idle\n"
                "expect graph/banner/edits text \"; NaN that the original has not, first in batch_norm, whose arguments are edited\"\n"));
  }
  // What was NaN before is none that an edit brought.
  Driver d({program("../../../assets/samples/conv_bn_relu_nan")});
  CHECK(d.run("wait idle\n" + kRun + "debug.edit_value relu relu*2\nwait idle\nexpect graph/banner/edits text \"from the original\"\n"));
  REQUIRE(d.app.probe().find("graph/banner/edits"));
  CHECK(d.app.probe().find("graph/banner/edits")->text.find("NaN") == std::string::npos);
}

TEST_CASE("inputs: a symbol's size tells every shape and what it breaks; a reference is read and compared") {
  {
    Driver d({program("symbolic")});
    CHECK(d.run("wait idle\ndebug.inputs\nwait idle\nclick inputs/symbol/s77\ntype 200\nwait idle\n"
                "expect inputs/violation/0 text \"exceeds 100\"\n"
                "expect inputs/forecast/x text \"f32[200,\"\n"
                "expect inputs/random text \"on\"\n"));
  }
  pt2::test::Scratch scratch;
  std::filesystem::create_directory(scratch.folder / "values");
  for (const char* name : {"sqrt", "ones"}) {
    pt2::TensorFile file;
    file.tensors.emplace_back("value", filled(name == std::string("ones") ? pt2::Shape{6, 2} : pt2::Shape{2, 3}, 1));
    REQUIRE(pt2::write_tensor_file((scratch.folder / "values" / (std::string(name) + ".npy")).string(), file));
  }
  {
    Driver e({program("nan_sources")});
    CHECK(e.run("wait idle\n" + kRun + "debug.inputs\nwait idle\nclick inputs/reference/choose\nwait idle\nclick picker/path\nkey Ctrl+A\ntype " + (scratch.folder / "values").string() +
                "\nkey Enter\nwait idle\nclick picker/folder\nwait idle\n" + expect("reference.matches", "2") + expect("reference.compared", "2") + expect("reference.mismatched", "1") +
                "expect status/run text \"1 of 2 values differs from the reference, first sqrt\"\n"
                "debug.reference none\nwait idle\n" + expect("reference", "null")));
  }
}

TEST_CASE("what is no value for a tensor is said without the offer to ignore ranges") {
  Driver d({program("symbolic")});
  CHECK(d.run("wait idle\ndebug.set_input x=abc\nkey F5\nwait idle\nclick inputs/run\nwait idle\nexpect inputs/problem text \"nor a file. A tensor takes a number\"\nexpect inputs/ignore_ranges absent\n"
              "debug.set_input x=1\nclick inputs/run\nwait idle\n" + expect("run_state", "\"finished\"")));
}

TEST_CASE("a start that cannot be is said in the dialog") {
  Driver d({program("symbolic")});
  CHECK(d.run("wait idle\ndebug.set_symbol s77 200\nkey F5\nwait idle\nclick inputs/run\nwait idle\n" + expect("dialog", "\"inputs\"") + "expect inputs/problem text \"exceeds 100\"\nexpect inputs/ignore_ranges exists\n" +
              expect("run_state", "\"not_started\"")));
}

TEST_CASE("after a run nodes are found by NaN and by time; a field there is none of is said") {
  Driver d({PT2_SOURCE_DIR "/assets/samples/conv_bn_relu_nan.pt2"});
  CHECK(d.run("wait idle\n"
              "debug.begin\nwait idle\ndebug.run_without_stopping\nwait idle\n"
              "search.open nan:true\nexpect state.search.count == 2\nsearch.close\n"
              "search.open op:relu nan:true\nexpect state.search.count == 1\nsearch.close\n"
              "search.open nan:false\nexpect state.search.count >= 1\nsearch.close\n"
              "search.open op:aten time:>0us\nexpect state.search.count == 3\nsearch.close\n"
              "search.open time:>1000s\nexpect state.search.count == 0\nsearch.close\n"
              "search.open bogus:x\nexpect search/count text \"there is no field\""));
}

TEST_CASE("one element is edited as the guide writes it, in the field and by command") {
  Driver d({PT2_SOURCE_DIR "/assets/samples/conv_bn_relu_nan.pt2"});
  CHECK(d.run("wait idle\ndebug.begin\nwait idle\ndebug.run_without_stopping\nwait idle\n"
              "debug.edit_value b_bn_running_var [3] = 1.0\nwait idle\nexpect state.edits[0].node == \"b_bn_running_var\"\n"
              "debug.edit_value b_bn_running_var[3] 2.0\nwait idle\nexpect state.edits[0].node == \"b_bn_running_var\"\n"));
  CHECK(d.state()["edits"].size() == 1);
}

TEST_CASE("a run that is cancelled in the status bar is stopped, and can be begun anew") {
  Driver d({program("while_loop")});
  REQUIRE(d.run("wait idle\ndebug.set_input i=-90000\ndebug.begin\nwait 1\nclick status/job/cancel\nwait idle\nexpect state.run_state == \"not_started\"\n"));
  CHECK(d.run("debug.set_input i=4\ndebug.begin\nwait idle\nexpect state.run_state == \"finished\"\n"));
}

TEST_CASE("breakpoints in what is folded have a sign on its box, which says how many they are") {
  Driver d({std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu.pt2"});
  CHECK(d.run("wait idle\n" + add_breakpoint("conv2d") +
              "view.fold_module conv\nwait idle\n"
              "expect graph/module/conv text \"breakpoint inside\"\n"
              "expect graph/node/relu exists\n"
              "hover graph/module/conv\nwait 3\n"
              "expect graph/card text \"1 breakpoint inside\"\n"
              "click breakpoints/row/0/enabled\nwait idle\n"
              "hover graph/module/conv\nwait 3\n"
              "expect graph/card text \"1 breakpoint inside, off\"\n"
              "expect graph/module/conv text \"breakpoint inside, off\"\n"
              "view.unfold_module conv\nwait idle\n"
              "expect graph/node/conv2d exists\n"));
}

TEST_CASE("breakpoints in a folded sub-graph have a sign on its box") {
  Driver d({program("while_loop")});
  CHECK(d.run("wait idle\n" + add_breakpoint("while_loop_body_graph_0/mul") + "view.fold_all\nwait idle\nexpect graph/subgraph/while_loop_body_graph_0 text \"breakpoint inside\"\n"));
}
