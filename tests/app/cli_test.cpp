// What people see of the command line, by the program itself.
#include <doctest/doctest.h>
#include <sys/wait.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/scratch.h"

namespace {

const std::string kSamples = PT2_SOURCE_DIR "/assets/samples/", kPrograms = PT2_TEST_DATA "/programs/";

struct Outcome {
  int status = -1;
  std::string text;  // standard output and error
};

// `arguments` as a shell has them; `before` may set variables.
Outcome run(const std::string& arguments, const std::string& before = "") {
  Outcome outcome;
  std::FILE* pipe = ::popen((before + " '" PT2_BINARY "' " + arguments + " 2>&1").c_str(), "r");
  REQUIRE(pipe);
  char buffer[4096];
  while (const size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) outcome.text.append(buffer, got);
  const int status = ::pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

bool holds(const Outcome& outcome, const std::string& words) { return outcome.text.find(words) != std::string::npos; }

std::string without_escapes(std::string text) {
  for (size_t at; (at = text.find("\x1b[")) != text.npos;) text.erase(at, text.find('m', at) + 1 - at);
  return text;
}

}  // namespace

TEST_CASE("an unknown symbol is an error that names the known ones") {
  const std::string symbolic = "'" + kPrograms + "symbolic.pt2'";
  const Outcome wrong = run("run " + symbolic + " --symbol s7=9");
  CHECK(wrong.status == 1);
  CHECK_MESSAGE(holds(wrong, "there is no symbol \"s7\", perhaps \"s77\""), wrong.text);
  CHECK_MESSAGE(holds(wrong, "s27, s77, s86"), wrong.text);
  const Outcome none = run("run '" + kSamples + "conv_bn_relu.pt2' --symbol s0=4");
  CHECK(none.status == 1);
  CHECK_MESSAGE(holds(none, "No size of this program's inputs may vary"), none.text);
}

TEST_CASE("--no-samples fills the inputs, so that a size can be chosen") {
  const std::string symbolic = "'" + kPrograms + "symbolic.pt2'";
  CHECK(run("run " + symbolic + " --no-samples --symbol s77=7 --symbol s27=5").status == 0);
  CHECK(run("run " + symbolic + " --no-samples --symbol s77=7 --symbol s27=2").status == 1);
  CHECK(holds(run("run " + symbolic + " --no-samples --symbol s77=7 --symbol s27=2 --ignore-ranges"), "s27 = 2"));
  CHECK(holds(run("run " + symbolic + " --no-samples --symbol s77=7"), "s77 = 7"));
  const std::string sample = "'" + kSamples + "conv_bn_relu.pt2'";
  const Outcome stored = run("run " + sample), filled = run("run " + sample + " --no-samples --seed 3");
  CHECK(filled.status == 0);
  CHECK(stored.text.substr(stored.text.find("output")) != filled.text.substr(filled.text.find("output")));
}

TEST_CASE("colour only where it is wanted, and the same text without it") {
  const std::string sample = "'" + kSamples + "conv_bn_relu.pt2'", other = "'" + kSamples + "conv_bn_relu_decomposed.pt2'";
  for (const std::string& command : {"verify " + sample, "print " + sample, "compare " + sample + " " + other + " --seed 0"}) {
    const Outcome plain = run(command), never = run(command + " --color never"), always = run(command + " --color always");
    CHECK_MESSAGE(plain.text.find('\x1b') == std::string::npos, command);  // a pipe is no terminal
    CHECK_MESSAGE(plain.text == never.text, command);
    CHECK_MESSAGE(always.text.find("\x1b[") != std::string::npos, command);
    CHECK_MESSAGE(without_escapes(always.text) == plain.text, command);
    CHECK_MESSAGE(always.status == plain.status, command);
  }
  CHECK(run("compare " + sample + " " + other + " --json --color always").text.find('\x1b') == std::string::npos);
  CHECK(run("verify " + sample + " --color sometimes").status == 2);
}

TEST_CASE("render colours boxes by a column of a table") {
  const pt2::test::Scratch scratch;
  std::ofstream(scratch.path("cost.csv")) << "node,ms,device\nconv2d,12,gpu\nrelu,0.5,cpu\nfoo,1,cpu\n";
  const std::string base = "render '" + kSamples + "conv_bn_relu.pt2' -o '" + scratch.path("a.svg") + "' --overlay '" + scratch.path("cost.csv");
  const Outcome drawn = run(base + ":device'");
  CHECK(drawn.status == 0);
  CHECK_MESSAGE(holds(drawn, "values for 2 nodes, 1 name is not in the program: foo"), drawn.text);
  std::ifstream in(scratch.path("a.svg"));
  const std::string svg{std::istreambuf_iterator<char>(in), {}};
  CHECK(svg.find(">gpu<") != svg.npos);
  CHECK(svg.find(">device<") != svg.npos);
  const Outcome column = run(base + ":when'");
  CHECK(column.status == 1);
  CHECK_MESSAGE(holds(column, "Its columns are ms, device."), column.text);
  std::ofstream(scratch.path("cost.csv")) << "node,ms\nconv2d,12,3\n";
  const Outcome bad = run(base + "'");
  CHECK(bad.status == 3);
  CHECK_MESSAGE(holds(bad, "line 2, column 11"), bad.text);
}

TEST_CASE("bundle: chosen weights, a session and values; what is missing is a finding") {
  const pt2::test::Scratch scratch;
  const std::string sample = "'" + kSamples + "conv_bn_relu.pt2'", out = "'" + scratch.path("b.pt2") + "'";
  REQUIRE(run("run " + sample + " --record '" + scratch.path("v.safetensors") + "'").status == 0);
  std::ofstream(scratch.path("s.json")) << R"({"breakpoints": [{"where": "relu"}], "view": {"expanded": ["conv"], "parameters": "nodes", "direction": "LR"}})";
  const Outcome made = run("bundle " + sample + " -o " + out + " --weights conv.weight,conv.bias --session '" + scratch.path("s.json") + "' --values '" + scratch.path("v.safetensors") + "'");
  CHECK(made.status == 0);
  CHECK_MESSAGE(holds(made, "2 weights, 5 left out"), made.text);
  const Outcome verified = run("verify " + out);
  CHECK_MESSAGE(holds(verified, "\"bn.weight\""), verified.text);
  CHECK_MESSAGE(holds(verified, "[weights.missing]"), verified.text);
  CHECK(run("print " + out).text == run("print " + sample).text);
  std::ofstream(scratch.path("b.steps")) << "wait idle\nexpect state.graph.params == \"nodes\"\nexpect state.breakpoints[0].where has \"relu\"\n";
  CHECK(run(out + " --offscreen --script '" + scratch.path("b.steps") + "'").status == 0);
  CHECK(run("bundle " + sample + " -o " + sample).status != 0);
  std::ofstream(scratch.path("s.json")) << "none";
  CHECK(run("bundle " + sample + " -o " + out + " --session '" + scratch.path("s.json") + "'").status == 3);
}

TEST_CASE("the window is drawn after its text size changed") {
  const pt2::test::Scratch scratch;
  std::ofstream(scratch.path("s.steps")) << "wait idle\nscreenshot " << scratch.path("a.png") << "\nview.larger\nwait idle\nscreenshot " << scratch.path("b.png") << "\n";
  const Outcome drawn = run("'" + kSamples + "conv_bn_relu.pt2' --offscreen --script '" + scratch.path("s.steps") + "'");
  if (drawn.status == 6 || holds(drawn, "no picture can be made") || holds(drawn, "no EGL")) {
    MESSAGE("skipped: no OpenGL without a display on this machine");
    return;
  }
  REQUIRE_MESSAGE(drawn.status == 0, drawn.text);
  // A picture of one colour takes a fraction of the room.
  CHECK(std::filesystem::file_size(scratch.path("b.png")) > std::filesystem::file_size(scratch.path("a.png")) * 2 / 3);
}

TEST_CASE("what was asked for and is nowhere is said, and is no success") {
  const pt2::test::Scratch scratch;
  const std::string sample = "'" + kSamples + "conv_bn_relu.pt2'", record = "'" + scratch.path("record.safetensors") + "'";
  REQUIRE(run("run " + sample + " --record " + record).status == 0);
  CHECK(run("run " + sample + " --reference " + record).status == 0);
  const std::string other = "'" PT2_TEST_DATA "/torch_save/legacy.pt'";  // weight, row, base …
  const Outcome foreign = run("run " + sample + " --reference " + other);
  CHECK_MESSAGE(foreign.status == 1, foreign.text);
  CHECK_MESSAGE(holds(foreign, "has the key of a node that ran"), foreign.text);
  const Outcome inputs = run("run " + sample + " --inputs " + other);
  CHECK_MESSAGE(inputs.status == 1, inputs.text);
  CHECK_MESSAGE(holds(inputs, "no value for any input of the program"), inputs.text);
  // A reference that differs is a "no", also where the run stops at the first value that does.
  CHECK(run("run " + sample + " --no-samples --seed 3 --reference " + record + " --break mismatch").status == 1);
  for (const char* place : {"op=log", "module=nosuch", "exit=nosuch", "mk.py:999", "symbol=s0", "lgo", "mismatch"}) {
    const Outcome nowhere = run("run " + sample + " --break " + place);
    CHECK_MESSAGE(nowhere.status == 2, place << ": " << nowhere.text);
  }
  for (const char* place : {"op=aten.relu.*", "module=conv", "exit=conv", "relu", "nan"}) {
    const Outcome somewhere = run("run " + sample + " --break '" + place + "'");
    CHECK_MESSAGE(somewhere.status == 0, place << ": " << somewhere.text);
  }
}

TEST_CASE("run counts NaN and Inf of what the program returns, in JSON as in text; extremes are of finite numbers") {
  const Outcome json = run("run --json '" + kPrograms + "masked_rows.pt2'"), text = run("run '" + kPrograms + "masked_rows.pt2'");
  // log_softmax: as PyTorch has it, 4 NaN in the row that is masked throughout, 5 -inf.
  CHECK_MESSAGE(holds(json, "\"nan\": 4"), json.text);
  CHECK_MESSAGE(holds(json, "\"inf\": 5"), json.text);
  CHECK_FALSE_MESSAGE(holds(json, "\"min\": \"-inf\""), json.text);
  CHECK_MESSAGE(holds(text, "NaN 4  -Inf 5"), text.text);
  CHECK_FALSE_MESSAGE(holds(text, "min -inf"), text.text);
}

TEST_CASE("run stops where NaN is made, and in the call that is named") {
  CHECK(holds(run("run --break nan '" + kPrograms + "masked_rows.pt2'"), "stopped at softmax: after softmax: 4 NaN of 16"));
  CHECK(holds(run("run --break while_loop_body_graph_0@3/sqrt '" + kPrograms + "loop_to_nan.pt2'"), "stopped at while_loop_body_graph_0@3/sqrt"));
  const Outcome never = run("run --json --break while_loop_body_graph_0@17/sqrt '" + kPrograms + "loop_to_nan.pt2'");
  CHECK(never.status == 0);
  CHECK_MESSAGE(holds(never, "while_loop_body_graph_0@17/sqrt"), never.text);
  CHECK(holds(run("run --break while_loop_body_graph_0@17/sqrt '" + kPrograms + "loop_to_nan.pt2'"), "never reached: while_loop_body_graph_0@17/sqrt"));
  CHECK(holds(run("run --break nan '" + kPrograms + "shared_module.pt2'"), "never reached: nan"));
  const pt2::test::Scratch scratch;
  const std::string loop = "run '" + kPrograms + "loop_to_nan.pt2' -o '" + scratch.path("r") + "' --repro ";
  CHECK(run(loop + "while_loop_body_graph_0@5/sqrt").status == 0);
  CHECK_MESSAGE(holds(run("run '" + scratch.path("r/repro.pt2") + "'"), "NaN 2"), "the inputs of call 5 are negative");
  const std::string file = "'" + kPrograms + "loop_to_nan.pt2' ";
  CHECK(run("compare " + file + file + "-o '" + scratch.path("g") + "' --repro while_loop_body_graph_0@5/sqrt").status == 0);
  for (const char* side : {"g/left.pt2", "g/right.pt2"}) CHECK_MESSAGE(holds(run("run '" + scratch.path(side) + "'"), "NaN 2"), side);
  const Outcome mixed = run(loop + "while_loop_body_graph_0@5/sqrt,while_loop_body_graph_0@4/sub");
  CHECK(mixed.status == 2);
  CHECK_MESSAGE(holds(mixed, "not all of one call"), mixed.text);
}

TEST_CASE("a comparison blames the program and the line that are wrong") {
  const pt2::test::Scratch scratch;
  const std::string sample = kSamples + "conv_bn_relu.pt2", other = kPrograms + "mutations.pt2", pairs = scratch.path("p.map");
  const Outcome unknown = run("compare '" + sample + "' '" + other + "' --input y=3 --json");
  CHECK_MESSAGE(holds(unknown, "\"notes\": [\"input \\\"y\\\": the program has no input of this name\"]"), unknown.text);
  const Outcome unlike = run("compare '" + sample + "' '" + other + "' --seed 0");
  CHECK(unlike.status == 1);
  CHECK_MESSAGE(holds(unlike, "error: " + sample + " and " + other + ": input \"x\": the second program, on the first one's inputs: expected shape f32[2]"), unlike.text);
  std::ofstream(pairs) << "# mine\nconv2d convolution\n";
  const Outcome line = run("compare '" + sample + "' '" + kSamples + "conv_bn_relu_decomposed.pt2' --map '" + pairs + "'");
  CHECK(line.status == 2);
  CHECK_MESSAGE(holds(line, "error: " + pairs + ":2: expected"), line.text);
  std::ofstream(pairs) << "conv2d = nothing\n";
  const Outcome node = run("compare '" + sample + "' '" + kSamples + "conv_bn_relu_decomposed.pt2' --map '" + pairs + "'");
  CHECK(node.status == 2);
  CHECK_MESSAGE(holds(node, "there is no node \"nothing\" in the second program"), node.text);
}

TEST_CASE("groups with a pair that was set by hand say so, in every form of a comparison and in a report") {
  const pt2::test::Scratch scratch;
  const std::string both = "'" + kSamples + "conv_bn_relu.pt2' '" + kSamples + "conv_bn_relu_decomposed.pt2'", pairs = scratch.path("p.map");
  std::ofstream(pairs) << "conv2d = convolution\nbatch_norm = relu\n";
  const std::string compare = "compare " + both + " --map '" + pairs + "'";
  const Outcome json = run(compare + " --json");
  CHECK_MESSAGE(holds(json, R"("left": ["conv2d"], "right": ["convolution"], "kind": "changed", "evidence": "by_hand")"), json.text);
  CHECK_MESSAGE(holds(json, R"("kind": "decomposed", "evidence": "by_hand")"), json.text);  // what from_node adds to the group hides nothing
  CHECK_MESSAGE(holds(run(compare), "conv2d → convolution  changed: operator aten.conv2d.default → aten.convolution.default, paired by hand"), run(compare).text);
  CHECK(holds(run(compare + " --format csv"), "conv2d,convolution,changed,by_hand,"));
  CHECK(holds(run(compare + " --format md"), "| by_hand |"));
  CHECK_FALSE(holds(run("compare " + both + " --json"), "by_hand"));
}

TEST_CASE("info counts the elements of parameters, tied ones once, and names sub-graphs with what they are in") {
  CHECK(holds(run("info '" + kSamples + "conv_bn_relu.pt2'"), "  4 parameters, 480 elements, 3 buffers, 0 constants: 2.0 KiB\n"));
  CHECK(holds(run("info --json '" + kSamples + "conv_bn_relu.pt2'"), "\"parameter_elements\": 480"));
  CHECK(holds(run("info '" PT2_TEST_DATA "/releases/2.9.1/tied_bf16.pt2'"), "  2 parameters, 20 elements (1 shares the memory of another), "));
  const Outcome nested = run("info '" + kPrograms + "nested_cond.pt2'");
  CHECK_MESSAGE(holds(nested, "    true_graph_0/true_graph_0 "), nested.text);
}

TEST_CASE("compare: what it says when nothing differs, tolerances without numbers, and an exit status by the numbers alone") {
  const std::string sample = "'" + kSamples + "conv_bn_relu.pt2' ", decomposed = "'" + kSamples + "conv_bn_relu_decomposed.pt2' ", nan = "'" + kSamples + "conv_bn_relu_nan.pt2' ";
  const Outcome equal = run("compare " + sample + nan);
  CHECK(equal.status == 0);
  CHECK_MESSAGE(holds(equal, "equal (structure; numbers and weights not compared)"), equal.text);
  const Outcome tolerance = run("compare " + sample + nan + "--rtol 1");
  CHECK(tolerance.status == 2);
  CHECK_MESSAGE(holds(tolerance, "add --seed"), tolerance.text);
  CHECK(run("compare " + sample + nan + "--rtol 1 --weights").status == 1);
  CHECK(run("compare " + sample + decomposed + "--seed 0").status == 1);
  CHECK(run("compare " + sample + decomposed + "--seed 0 --fail-on numbers").status == 0);
  CHECK(run("compare " + sample + nan + "--seed 0 --fail-on numbers").status == 1);
  CHECK(run("compare " + sample + decomposed + "--fail-on numbers").status == 2);
}

TEST_CASE("a run that is impossible leaves the structure") {
  const Outcome outcome = run("compare '" + kSamples + "conv_bn_relu.pt2' '" + kPrograms + "mutations.pt2' --seed 0");
  CHECK_MESSAGE(holds(outcome, "expected shape f32[2]"), outcome.text);
  CHECK_MESSAGE(holds(outcome, "matched: "), outcome.text);
  const size_t last = outcome.text.rfind('\n', outcome.text.size() - 2) + 1;
  CHECK_MESSAGE(outcome.text.substr(last).starts_with("The numbers could not be compared: input \"x\": the second program, on the first one's inputs: expected shape f32[2]"), outcome.text);
}

TEST_CASE("compare: sample inputs come before the seed, and the answer says so") {
  const std::string both = "compare '" + kSamples + "conv_bn_relu.pt2' '" + kSamples + "conv_bn_relu_decomposed.pt2' ";
  CHECK(holds(run(both + "--seed 3"), "\ninputs: sample inputs\n"));
  CHECK(holds(run(both + "--seed 3 --no-samples"), "\ninputs: filled by seed 3\n"));
  CHECK(holds(run(both + "--seed 3 --no-samples --json"), "\"inputs\": \"filled by seed 3\""));
  CHECK(holds(run(both + "--json"), "\"inputs\": null"));
  CHECK(run(both + "--no-samples").status == 2);
}

TEST_CASE("compare: two forms of the answer at once are wrong usage") {
  const std::string both = "compare '" + kSamples + "conv_bn_relu.pt2' '" + kSamples + "conv_bn_relu_decomposed.pt2' --json --format ";
  CHECK(run(both + "csv").status == 2);
  CHECK_MESSAGE(holds(run(both + "md"), "--json and --format md do not go together"), run(both + "md").text);
}

TEST_CASE("Python: a window that is open does not keep the script's output open") {
  const pt2::test::Scratch scratch;
  const std::string window = scratch.path("window");
  std::ofstream(window) << "#!/bin/sh\necho from the window\nsleep 20\n";
  std::filesystem::permissions(window, std::filesystem::perms::owner_all);
  const std::string script = "import pt2scope; print(pt2scope.show('model.pt2'))";
  const auto begin = std::chrono::steady_clock::now();
  std::FILE* pipe = ::popen(("PYTHONPATH='" PT2_SOURCE_DIR "/assets' PYTHONDONTWRITEBYTECODE=1 DISPLAY=:0 PT2SCOPE='" + window + "' python3 -c \"" + script + "\" 2>&1 | cat").c_str(), "r");
  REQUIRE(pipe);
  std::string text;
  char buffer[256];
  while (const size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, got);
  ::pclose(pipe);
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(15));
  if (text.find("not found") == text.npos) CHECK(text == "pt2scope.View('model.pt2')\n");  // without Python there is nothing to see
}

TEST_CASE("a script from standard input is all that runs: wait idle waits for both programs of a comparison") {
  const std::string steps = "printf 'wait idle\\nexpect state.compare.same == 1\\nexpect graph.b/node/relu exists\\n' |";
  const Outcome outcome = run("'" + kSamples + "conv_bn_relu.pt2' '" + kSamples + "conv_bn_relu_decomposed.pt2' --offscreen --script -", steps);
  CHECK_MESSAGE(outcome.status == 0, outcome.text);
}

TEST_CASE("a script ends where a command is refused or fails, also in its job, unless it looks at the message") {
  const std::string sample = "'" + kSamples + "conv_bn_relu.pt2'";
  auto outcome = [&](const std::string& steps) {
    const pt2::test::Scratch scratch;
    std::ofstream(scratch.path("s.steps")) << "wait idle\n" + steps + "\nwait idle\n";
    return run(sample + " --offscreen --script - < '" + scratch.path("s.steps") + "'");
  };
  for (const char* step : {"file.save_picture pic.bmp", "file.save_picture /nodir/a.svg", "file.save_report /nodir/a.html", "view.data_file nothere.csv", "settings.set threads lots", "view.color_by nosuch",
                           "view.text_form nosuch", "view.theme blue", "view.parameters blue", "view.unlifted perhaps", "view.pane nosuch", "focus.area nosuch", "go.bookmark 7", "select.node conv2d\ntensor.export /nodir/x.npy", "debug.set_input q=1",
                           "debug.use_samples perhaps", "debug.stop_on_nonfinite perhaps", "bundle.write /nodir/b.pt2", "bundle.write b.txt", "bundle.values perhaps", "tensor.heat perhaps"}) {
    const Outcome refused = outcome(step);
    CHECK_MESSAGE(refused.status == 1, step);
    CHECK_MESSAGE(refused.text.find("error: -:") == 0, step << ": " << refused.text);
  }
  for (const char* step : {"drag graph/node/conv2d 10", "drag graph/node/conv2d", "scroll graph/node/conv2d abc", "scroll graph/node/conv2d", "source.add_root foo"}) CHECK_MESSAGE(outcome(step).status == 1, step);
  CHECK(outcome("view.theme blue\nexpect state.toast has \"none of dark, light\"\nexpect state.theme == \"dark\"").status == 0);
  CHECK(outcome("settings.set patterns on\nview.theme light\nview.unlifted true\nwait idle\nexpect state.graph.unlifted == true").status == 0);
  CHECK(outcome("file.open nothere.pt2\nwait idle\nexpect error/title text \"nothere.pt2\"").status == 0);
  CHECK(outcome("view.theme blue\nwait idle\nexpect state.theme == \"dark\"").text.find("error: -:2: \"blue\" is none of dark, light") == 0);
}

TEST_CASE("what is written goes under no name of another kind") {
  const std::string sample = "'" + kSamples + "conv_bn_relu.pt2'";
  const pt2::test::Scratch scratch;
  const Outcome page = run("report " + sample + " -o " + scratch.path("rr.pdf")), bundle = run("bundle " + sample + " -o " + scratch.path("bb.txt"));
  CHECK(page.status == 2);
  CHECK_MESSAGE(holds(page, ".html"), page.text);
  CHECK(bundle.status == 2);
  CHECK_MESSAGE(holds(bundle, ".pt2"), bundle.text);
  CHECK(std::filesystem::is_empty(scratch.folder));
}

TEST_CASE("a column that is not there is missed in the table") {
  const pt2::test::Scratch scratch;
  std::ofstream(scratch.path("cost.csv")) << "node,ms\nconv2d,1\n";
  const Outcome outcome = run("render '" + kSamples + "conv_bn_relu.pt2' -o " + scratch.path("q.svg") + " --overlay " + scratch.path("cost.csv") + ":nope");
  CHECK(outcome.status == 1);
  CHECK_MESSAGE(holds(outcome, "cost.csv: it has no column \"nope\""), outcome.text);
}

TEST_CASE("info --verify says what it read") {
  const std::string sample = "'" + kSamples + "conv_bn_relu.pt2'";
  CHECK(holds(run("info " + sample + " --verify"), "8 tensors read, checksums right"));
  CHECK_FALSE(holds(run("info " + sample), "checksums"));
}

TEST_CASE("info and its JSON say how a caller reaches what lies in containers, and nothing of plain ones") {
  const std::string containers = "'" + kPrograms + "containers.pt2'";
  const Outcome text = run("info " + containers), json = run("info --json " + containers);
  CHECK_MESSAGE(holds(text, "    batch_mask               user_input       float32 [2]  batch.mask\n"), text.text);
  CHECK_MESSAGE(holds(text, "user_output      float32 [2]  [0]['z']\n"), text.text);
  CHECK_MESSAGE(holds(text, "[0]['p'].x\n"), text.text);
  CHECK_MESSAGE(holds(text, "[1].mask\n"), text.text);
  CHECK_MESSAGE(holds(json, R"("path": "[0]['p'].y")"), json.text);
  const Outcome plain = run("info --json '" + kPrograms + "builtin_names.pt2'");
  CHECK_MESSAGE(holds(plain, R"("path": null)"), plain.text);
  CHECK_FALSE(holds(plain, R"("path": "[)"));
}

TEST_CASE("tensor: a sample input goes by its own name and by that of the graph input, and objects of the program's classes are no call to fear") {
  const std::string containers = "tensor '" + kPrograms + "containers.pt2' ";
  const Outcome list = run(containers), named = run(containers + "batch_mask"), by_path = run(containers + "'args[1].mask'"), keyword = run(containers + "more_0");
  CHECK_MESSAGE(holds(named, "args[1].mask  sample input"), named.text);
  CHECK(named.text == by_path.text);
  CHECK_MESSAGE(holds(keyword, "kwargs['more'][0]  sample input"), keyword.text);
  CHECK(run(containers + "k").status == 1);  // its sample is None
  CHECK_MESSAGE(holds(list, "holds an object of models.Batch: its fields are read as plain data"), list.text);
  CHECK_FALSE(holds(list, "NOT run"));
}

TEST_CASE("a report's summary says how a caller reaches inputs and outputs, and what is written back") {
  const pt2::test::Scratch scratch;
  const auto page_of = [&](const std::string& name) {
    CHECK(run("report '" + kPrograms + name + ".pt2' -o '" + scratch.path("page.html") + "'").status == 0);
    std::ifstream in(scratch.path("page.html"));
    return Outcome{0, {std::istreambuf_iterator<char>(in), {}}};
  };
  const Outcome nested = page_of("containers");
  for (const char* fact : {R"(["input batch_mask","f32[2]  batch.mask"])", R"(["output add_1","f32[2]  [0]['z']"])", R"(["output","None  [0]['none']"])"}) CHECK_MESSAGE(holds(nested, fact), fact);
  CHECK(holds(page_of("custom_op"), "user_input_mutation of y"));
}

TEST_CASE("print: the table has the types of several results and of constants, --source says a line once") {
  const Outcome lists = run("print '" + kPrograms + "lists.pt2' --format table"), constants = run("print '" + kPrograms + "constant_inputs.pt2' --format table");
  CHECK_MESSAGE(holds(lists, "  [0] f32[2, 4], [1] f32[2, 4], [2] f32[2, 4]"), lists.text);
  CHECK_MESSAGE(holds(constants, "placeholder      'a b'\n"), constants.text);
  const Outcome source = run("print '" + kPrograms + "lists.pt2' --source");
  CHECK_MESSAGE(holds(source, "code: a, b, c = torch.split(x, 2)\n"), source.text);
  CHECK_MESSAGE(holds(source, "torch.ops.aten.split.Tensor(x, 2)  # models.py:128  a, b, c = torch.split(x, 2)\n"), source.text);
}

TEST_CASE("run: a line for each operator with a mark, the verdict last; -q leaves stops, failures and mismatches") {
  const std::string sample = "'" + kSamples + "conv_bn_relu.pt2'", broken = "'" + kSamples + "conv_bn_relu_nan.pt2'";
  const auto last_line = [](const Outcome& outcome) { return outcome.text.substr(outcome.text.rfind('\n', outcome.text.size() - 2) + 1); };
  const Outcome whole = run("run " + sample);
  for (const char* words : {"step  node ", "   conv2d  ", "float32[1, 16, 32, 32]", "µs", "✓"}) CHECK_MESSAGE(holds(whole, words), words << whole.text);
  CHECK(last_line(whole) == "finished\n");
  CHECK(run("run -q " + sample).text == "finished\n");
  CHECK(holds(run("run " + broken), "1,024 NaN"));
  CHECK(holds(run("run " + broken), "  N\n"));
  CHECK(run("run -q --break nan " + broken).text == "stopped at batch_norm: after batch_norm: 1024 NaN of 16384 (NaN)\n");

  const pt2::test::Scratch scratch;
  const std::string good = "'" + scratch.path("good.safetensors") + "'";
  CHECK(run("run -q " + sample + " --record " + good).status == 0);
  CHECK(run("run -q " + sample + " --reference " + good).text == "finished; 11 nodes compared, none differs\n");
  const Outcome differs = run("run -q " + broken + " --reference " + good), shown = run("run " + broken + " --reference " + good);
  CHECK(differs.status == 1);
  CHECK_MESSAGE(differs.text.starts_with("compared 11 nodes: 3 differ"), differs.text);
  CHECK(last_line(differs) == "finished; first divergence: b_bn_running_var\n");
  CHECK(last_line(shown) == last_line(differs));
  CHECK(holds(shown, "N≠"));

  const Outcome missing = run("run -q '" + kPrograms + "custom_op.pt2'");
  CHECK(missing.status == 1);
  CHECK_MESSAGE(holds(missing, "no implementation of"), missing.text);
  CHECK_MESSAGE(last_line(missing) == "finished; 1 node failed, 3 nodes got no value because of that\n", missing.text);
  CHECK(holds(run("run '" + kPrograms + "custom_op.pt2'"), "⊘"));
  CHECK(run("run --json -q " + sample).text.starts_with("{"));
}

TEST_CASE("verify: findings begin with file and place; --strict counts warnings; rules of reading are listed, too") {
  const std::string sample = kSamples + "conv_bn_relu.pt2", warned = kPrograms + "conv_bn_train.pt2";
  CHECK_MESSAGE(run("verify '" + sample + "'").text.starts_with(sample + ": signature, input 6: note: the buffer"), run("verify '" + sample + "'").text);
  CHECK(run("verify '" + sample + "' --strict").status == 0);  // a note is no warning
  CHECK_MESSAGE(holds(run("verify '" + warned + "'"), ": warning: "), run("verify '" + warned + "'").text);
  CHECK(run("verify '" + warned + "'").status == 0);
  CHECK(run("verify '" + warned + "' --strict").status == 1);
  for (const char* rule : {"trap.unused", "format.unknown-dtype", "archive.pickle"}) CHECK_MESSAGE(holds(run("verify --list-rules"), rule), rule);
}

TEST_CASE("every subcommand takes --color, --version and --help") {
  const std::string version = run("--version").text;
  CHECK(version.starts_with("pt2scope "));
  CHECK(run("-v").text == version);
  for (const char* name : {"info", "verify", "compare", "render", "report", "bundle", "tensor", "limits", "run", "ops", "print", "completion", "manual"}) {
    const std::string command = name;
    CHECK_MESSAGE(run(command + " --version").text == version, name);
    CHECK_MESSAGE(run(command + " --color never --help").status == 0, name);
    CHECK_MESSAGE(run(command + " --color=blue").status == 2, name);
  }
  const std::string sample = "'" + kSamples + "conv_bn_relu.pt2'";
  CHECK(run("info --color never -- " + sample).text == run("info " + sample).text);
  CHECK(run("limits --color always").text == run("limits").text);
}

TEST_CASE("- is standard input, a file or a pipe") {
  const std::string sample = "'" + kSamples + "conv_bn_relu.pt2'";
  const auto body = [](const Outcome& outcome) { return outcome.text.substr(outcome.text.find('\n')); };  // below the name
  const Outcome named = run("info " + sample), piped = run("info -", "cat " + sample + " |"), redirected = run("info - < " + sample);
  CHECK(piped.status == 0);
  CHECK_MESSAGE(body(piped) == body(named), piped.text);
  CHECK(piped.text == redirected.text);
  CHECK(run("run -q -", "cat " + sample + " |").text == "finished\n");
  CHECK(run("print -- '-#model'", "cat " + sample + " |").text == run("print " + sample).text);
  CHECK(run("compare - " + sample, "cat " + sample + " |").status == 0);
  CHECK(run("compare - -", "cat " + sample + " |").text == run("compare " + sample + " " + sample).text);
  const pt2::test::Scratch scratch;
  CHECK(run("bundle - -o '" + scratch.path("all.pt2") + "'", "cat " + sample + " |").status == 0);
  CHECK(run("run -q '" + scratch.path("all.pt2") + "'").text == "finished\n");
  const Outcome nothing = run("info - < /dev/null"), nowhere = run("info -", "cat " + sample + " | TMPDIR=/nonexistent");
  CHECK(nothing.status == 3);
  CHECK_MESSAGE(holds(nothing, "error: -: "), nothing.text);
  CHECK(nowhere.status == 3);
  CHECK_MESSAGE(holds(nowhere, "no temporary file can be made in /nonexistent"), nowhere.text);
}

TEST_CASE("a misspelt option is answered with the one that was meant") {
  const std::string sample = "'" + kSamples + "conv_bn_relu.pt2'";
  for (const auto& [given, meant] : {std::pair{"run " + sample + " --profil", "--profile"}, {"verify " + sample + " --strickt", "--strict"}, {"info " + sample + " --jsn", "--json"}, {"--scrip x " + sample, "--script"}}) {
    const Outcome outcome = run(given);
    CHECK_MESSAGE(outcome.status == 2, given);
    CHECK_MESSAGE(holds(outcome, std::string("Did you mean ") + meant), outcome.text);
    CHECK_MESSAGE(holds(outcome, "--help'"), outcome.text);
  }
}

TEST_CASE("--inputs of run and compare: what the program has not is a warning, a file that cannot be read an error") {
  const pt2::test::Scratch scratch;
  const std::string sample = "'" + kSamples + "conv_bn_relu.pt2'", decomposed = "'" + kSamples + "conv_bn_relu_decomposed.pt2'", set = scratch.path("set.json");
  std::ofstream(set) << R"({"pt2scope": "inputs", "version": 1, "inputs": {"x": "1", "q": "2"}})";
  for (const std::string& subcommand : {"run " + sample, "compare " + sample + " " + decomposed}) {
    const Outcome outcome = run(subcommand + " --inputs '" + set + "'"), missing = run(subcommand + " --inputs '" + set + "x'");
    CHECK_MESSAGE(holds(outcome, "warning: " + set + ": "), outcome.text);
    CHECK_MESSAGE(missing.status == 3, missing.text);
    CHECK_MESSAGE(holds(missing, "error: " + set + "x: "), missing.text);
  }
}

TEST_CASE("an operator that nobody knows and that may write: what it may have written has no value") {
  const std::string unknown = "'" + kPrograms + "unknown_write.pt2'";
  const Outcome ran = run("run " + unknown);
  CHECK(ran.status == 1);
  CHECK_MESSAGE(holds(ran, "2 nodes failed, 6 nodes got no value because of that"), ran.text);
  CHECK_MESSAGE(holds(ran, "It may write to the tensors it is given"), ran.text);
  CHECK_MESSAGE(holds(ran, "What depends on it has no value"), ran.text);  // of the one that only computes
  CHECK_MESSAGE(holds(ran, "written memory (buffer_mutation): no value"), ran.text);
  CHECK_MESSAGE(holds(run("ops " + unknown), "2 operators missing; 6 nodes more would get no value"), ran.text);
  const Outcome json = run("run " + unknown + " --json");
  CHECK_MESSAGE(holds(json, "\"mul\",\n    \"mul_1\"\n  ],"), json.text);
  // A reference of the same program blames nothing.
  const pt2::test::Scratch scratch;
  const std::string record = "'" + scratch.path("r.safetensors") + "'";
  run("run " + unknown + " --record " + record);
  CHECK_MESSAGE(holds(run("run " + unknown + " --isolate --reference " + record), "none differs"), "isolated");
}

TEST_CASE("a batch without examples has its type, and is recorded") {
  const pt2::test::Scratch scratch;
  const std::string record = "'" + scratch.path("r.safetensors") + "'";
  const Outcome ran = run("run '" + kPrograms + "empty_batch.pt2' --record " + record);
  CHECK(ran.status == 0);
  CHECK_MESSAGE(holds(ran, "float32[3], no elements"), ran.text);
  const Outcome recorded = run("tensor " + record);
  CHECK_MESSAGE(holds(recorded, "float32 [0, 3]"), recorded.text);
  CHECK_MESSAGE(holds(recorded, "_add_batch_dim "), recorded.text);
  CHECK(holds(run("run '" + kPrograms + "empty_batch.pt2' --reference " + record), "none differs"));
}
