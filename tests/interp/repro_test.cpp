#include "interp/repro.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/tensor/tensor_files.h"
#include "tests/support/json_program.h"
#include "tests/support/scratch.h"
#include "tests/support/test_files.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

struct Outcome { size_t same = 0, without_value = 0; std::vector<std::string> refused; };

// Writes the operators as a program, opens what was written, runs it on its example inputs and holds it against expected.pt.
void check_repro(const OpenedFile& file, const std::shared_ptr<const Program>& program, const std::vector<NodeRef>& nodes, Outcome& outcome) {
  std::string names;
  for (NodeRef ref : nodes) names += qualified_name(*program, ref) + " ";
  CAPTURE(names);
  const test::Scratch scratch;
  const auto repro = write_repro(file, program, nodes, {}, scratch.path("r"));
  if (!repro) {
    outcome.refused.push_back(names + ": " + repro.error().message);
    return;
  }
  const auto again = open_file(scratch.path("r/repro.pt2"));
  REQUIRE_MESSAGE(again.has_value(), (again ? "" : again.error().message));
  CHECK((*again)->findings.empty());
  const auto expected = read_tensor_file(scratch.path("r/expected.pt"));
  const auto report = run_program(**again, (*again)->program(), {});
  REQUIRE_MESSAGE(report.has_value(), (report ? "" : report.error().message));
  CHECK(report->failed.empty());
  if (!expected || !repro->notes.empty()) {
    ++outcome.without_value;
    return;
  }
  for (size_t k = 0; k < report->outputs.size(); ++k) {
    const auto* tensor = report->outputs[k].as<Tensor>();
    const auto* wanted = tensor ? expected->find((*again)->program()->signature.outputs[k].name) : nullptr;
    if (!wanted) continue;
    CHECK(compare_tensors(*tensor, *wanted).equal);
    ++outcome.same;
  }
}

std::vector<NodeRef> operators(const Program& program, GraphId graph) {
  std::vector<NodeRef> refs;
  for (size_t i = 0; i < program.graphs[graph].nodes().size(); ++i)
    if (program.graphs[graph].node(NodeId(i)).kind == NodeKind::CallFunction) refs.push_back({graph, NodeId(i)});
  return refs;
}

Outcome every_node(const std::string& name) {
  const auto file = test::open_data(name);
  Outcome outcome;
  for (const auto& program : file->programs)
    for (size_t g = 0; g < program->graphs.size(); ++g)
      for (NodeRef ref : operators(*program, GraphId(g))) check_repro(*file, program, {ref}, outcome);
  return outcome;
}

std::string read(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("any operator alone gives what it gave in its program") {
  for (const char* name : {"conv_bn_train", "shared_module", "symbolic", "mutations", "lists", "containers"}) {
    CAPTURE(name);
    const Outcome outcome = every_node(std::string("programs/") + name + ".pt2");
    CHECK(outcome.same > 0);
    for (const std::string& refused : outcome.refused) CHECK_MESSAGE(refused.find("returns the truth of a condition") != std::string::npos, refused);
  }
}

TEST_CASE("nodes of sub-graphs and higher-order operators are written too") {
  for (const char* name : {"nested_cond", "while_loop"}) {
    CAPTURE(name);
    const Outcome outcome = every_node(std::string("programs/") + name + ".pt2");
    CHECK(outcome.same > 0);
    // The branch that was not taken has no inputs to record.
    for (const std::string& refused : outcome.refused)
      CHECK_MESSAGE((refused.find("did not run") != std::string::npos || refused.find("returns the truth") != std::string::npos), refused);
  }
}

TEST_CASE("files of old releases are written in the present schema") {
  for (const char* name : {"releases/2.2.2", "releases/2.5.1"}) {
    size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(test::data_path(name))) {
      if (entry.path().extension() != ".pt2" || ++files > 2) continue;
      const Outcome outcome = every_node(std::string(name) + "/" + entry.path().filename().string());
      CHECK(outcome.same > 0);
    }
  }
}

TEST_CASE("two operators anywhere make a program, whatever lies between them") {
  const auto file = test::open_data("programs/nan_sources.pt2");
  const auto program = file->program();
  const std::vector<NodeRef> all = operators(*program, program->root());
  Outcome outcome;
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t k = i + 1; k < all.size(); ++k) check_repro(*file, program, {all[i], all[k]}, outcome);
  CHECK(outcome.refused.empty());
  CHECK(outcome.same > all.size());
}

TEST_CASE("several nodes make one program, and an in-place operator among them sees shared memory") {
  const auto file = test::open_data("programs/symbolic.pt2");  // its archive only
  const auto program = test::JsonProgram().input("x").call("add", "aten.add.Tensor", "self=x, other=1").call("view", "aten.view.default", "self=add, size=[6]", "6")
                           .call("mul_", "aten.mul_.Tensor", "self=add, other=2").call("neg", "aten.neg.default", "self=view", "6").output("mul_").output("neg").decode();
  auto node = [&](const char* name) { return NodeRef{program->root(), program->root_graph().find(name)}; };
  const test::Scratch scratch;
  const auto repro = write_repro(*file, program, {node("mul_"), node("neg")}, {}, scratch.path("r"));
  REQUIRE_MESSAGE(repro.has_value(), (repro ? "" : repro.error().message));
  const auto again = open_file(scratch.path("r/repro.pt2"));
  REQUIRE(again.has_value());
  CHECK((*again)->program()->root_graph().placeholder_count() == 2);  // add and view, which share memory
  const auto report = run_program(**again, (*again)->program(), {});
  REQUIRE(report.has_value());
  const auto expected = read_tensor_file(scratch.path("r/expected.pt"));
  REQUIRE(expected.has_value());
  REQUIRE(report->outputs.size() == 2);
  CHECK(compare_tensors(*report->outputs[1].as<Tensor>(), *expected->find("neg")).equal);

  // Without the writer the recorded input would not be what the last one read.
  const auto refused = write_repro(*file, program, {node("view"), node("neg")}, {}, scratch.path("s"));
  REQUIRE(!refused.has_value());
  CHECK(refused.error().message.find("\"mul_\" writes to an input") != std::string::npos);
}

TEST_CASE("the script of a reproduction does not compare what is drawn at random") {
  const auto file = open_file(PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2");  // its archive only
  REQUIRE(file.has_value());
  const auto program = test::JsonProgram().input("x").call("rand", "aten.rand_like.default", "self=x").call("neg", "aten.neg.default", "self=rand").call("sin", "aten.sin.default", "self=x").output("neg").output("sin").decode();
  const ProgramSide side{file->get(), program};
  const Diff diff = diff_programs(*program, *program);
  auto node = [&](const char* name) { return NodeRef{program->root(), program->root_graph().find(name)}; };
  const test::Scratch scratch;
  REQUIRE(write_group_repro(side, side, diff, diff.left_group.at(node("rand")), {}, scratch.path("group")).has_value());
  CHECK(read(scratch.path("group/repro.py")).find(R"(random = {"left": ['rand', ], "right": ['rand', ]})") != std::string::npos);
  REQUIRE(write_repro(**file, program, {node("rand"), node("neg"), node("sin")}, {}, scratch.path("nodes")).has_value());
  CHECK(read(scratch.path("nodes/repro.py")).find("random = ['neg', ]") != std::string::npos);  // it reads what was drawn
}

TEST_CASE("a group is written as two programs and a script that compares them") {
  const auto left = open_file(PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2"), right = open_file(PT2_SOURCE_DIR "/assets/samples/conv_bn_relu_decomposed.pt2");
  REQUIRE(left.has_value());
  REQUIRE(right.has_value());
  const ProgramSide a{left->get(), (*left)->program()}, b{right->get(), (*right)->program()};
  const Diff diff = diff_programs(*a.program, *b.program);
  const test::Scratch scratch;
  const auto repro = write_group_repro(a, b, diff, 1, {}, scratch.path("r"));
  REQUIRE_MESSAGE(repro.has_value(), (repro ? "" : repro.error().message));
  CHECK(repro->files.size() == 4);
  const auto l = open_file(scratch.path("r/left.pt2")), r = open_file(scratch.path("r/right.pt2"));
  REQUIRE(l.has_value());
  REQUIRE(r.has_value());
  const auto numbers = compare_runs({l->get(), (*l)->program()}, {r->get(), (*r)->program()}, {});
  REQUIRE(numbers.has_value());
  REQUIRE(numbers->outputs.size() >= 1);
  CHECK(numbers->outputs[0].equal == true);
  const std::string script = read(scratch.path("r/repro.py"));
  CHECK(script.find("# left.pt2: batch_norm") == 0);
  CHECK(script.find("torch.export.load") != std::string::npos);
  CHECK(script.find("pairs = [('batch_norm', 'getitem')]") != std::string::npos);
  CHECK(script.find("raise SystemExit(differ > 0)") != std::string::npos);
}

namespace {

NodeRef node_of(const Program& program, const char* name) { return {program.root(), program.root_graph().find(name)}; }

// Whether both programs of a reproduction, each on its example inputs, give the same.
std::optional<bool> sides_agree(const test::Scratch& scratch) {
  const auto l = open_file(scratch.path("r/left.pt2")), r = open_file(scratch.path("r/right.pt2"));
  REQUIRE(l.has_value());
  REQUIRE(r.has_value());
  const auto a = run_program(**l, (*l)->program(), {}), b = run_program(**r, (*r)->program(), {});
  REQUIRE(a.has_value());
  REQUIRE(b.has_value());
  REQUIRE(!a->outputs.empty());
  REQUIRE(!b->outputs.empty());
  return compare_tensors(*b->outputs[0].as<Tensor>(), *a->outputs[0].as<Tensor>()).equal;
}

}  // namespace

TEST_CASE("both sides of a group read the first program's values where these have a counterpart") {
  const auto file = test::open_data("programs/symbolic.pt2");  // its archive only
  auto program = [](const char* factor) {
    return test::JsonProgram().input("x").call("mul", "aten.mul.Tensor", std::string("self=x, other=") + factor).call("neg", "aten.neg.default", "self=mul").call("exp", "aten.exp.default", "self=neg").output("exp").decode();
  };
  const auto left = program("2"), right = program("3");
  const ProgramSide a{file.get(), left}, b{file.get(), right};
  CompareRunsRequest request;
  request.inputs.seed = request.seed = 1;
  for (const bool unlinked : {false, true}) {
    if (unlinked) request.matching.unlinked = {{node_of(*left, "mul"), node_of(*right, "mul")}};
    const Diff diff = diff_programs(*left, *right, request.matching);
    const test::Scratch scratch;
    const auto repro = write_group_repro(a, b, diff, diff.left_group.at(node_of(*left, "neg")), request, scratch.path("r"));
    REQUIRE_MESSAGE(repro.has_value(), (repro ? "" : repro.error().message));
    CHECK(sides_agree(scratch) == !unlinked);
    const std::string script = read(scratch.path("r/repro.py"));
    CHECK((script.find("the operand mul has no counterpart in the first program") != script.npos) == unlinked);
    CHECK(repro->notes.size() == size_t(unlinked));
    CHECK(script.find("(\"right.pt2:\", \"left.pt2: \")") != script.npos);  // which line of numbers is whose
    const auto expected = read_tensor_file(scratch.path("r/expected.pt"));
    REQUIRE(expected.has_value());
    REQUIRE(expected->tensors.size() == 2);
    CHECK(compare_tensors(expected->tensors[0].second, expected->tensors[1].second).equal == !unlinked);  // recorded on those values, too
  }
  // The group that is wrong itself still is; the script takes the tolerance that was given.
  request.matching = {};
  request.tolerance.rtol = 0.25;
  const Diff diff = diff_programs(*left, *right);
  const test::Scratch scratch;
  REQUIRE(write_group_repro(a, b, diff, diff.left_group.at(node_of(*left, "mul")), request, scratch.path("r")).has_value());
  CHECK(sides_agree(scratch) == false);
  const std::string script = read(scratch.path("r/repro.py"));
  CHECK(script.find("tolerance = (0.25, None)") != std::string::npos);
  CHECK(script.find("types + (\"the values agree\" if only_types else good)") != std::string::npos);  // names both types, also where that tolerance lets them pass
}

TEST_CASE("a group of a sub-graph is written as it was in one call, on the first program's values of that call") {
  const auto file = test::open_data("programs/while_loop.pt2");
  auto json = file->archive->model_json(file->program()->name);
  REQUIRE(json.has_value());
  const std::string from = "\"other\", \"arg\": {\"as_int\": 1}";  // the counter's step
  const size_t at = json->find(from);
  REQUIRE(at != std::string::npos);
  json->replace(at, from.size(), "\"other\", \"arg\": {\"as_int\": 2}");
  const auto edited = decode_program("model", *json, "models/model.json");
  REQUIRE(edited.has_value());
  const ProgramSide a{file.get(), file->program()}, b{file.get(), *edited};
  const Diff diff = diff_programs(*a.program, *b.program);
  const auto add = std::find_if(diff.left_group.begin(), diff.left_group.end(), [&](const auto& entry) { return qualified_name(*a.program, entry.first) == "while_loop_body_graph_0/add"; });
  const auto mul = std::find_if(diff.left_group.begin(), diff.left_group.end(), [&](const auto& entry) { return qualified_name(*a.program, entry.first) == "while_loop_body_graph_0/mul"; });
  REQUIRE(add != diff.left_group.end());
  REQUIRE(mul != diff.left_group.end());
  // A loop runs as it is on either side, its body, too.
  const test::Scratch whole;
  const NodeRef loop = node_of(*a.program, "while_loop");
  REQUIRE(write_group_repro(a, b, diff, diff.left_group.at(loop), {}, whole.path("r")).has_value());
  const auto right = open_file(whole.path("r/right.pt2"));
  const auto recorded = read_tensor_file(whole.path("r/expected.pt"));
  REQUIRE(right.has_value());
  REQUIRE(recorded.has_value());
  const auto ran = run_program(**right, (*right)->program(), {});
  REQUIRE(ran.has_value());
  REQUIRE(recorded->tensors.size() == 2 * ran->outputs.size());  // left, right
  for (size_t i = 0; i < ran->outputs.size(); ++i) CHECK(compare_tensors(*ran->outputs[i].as<Tensor>(), recorded->tensors[ran->outputs.size() + i].second).equal);
  for (const auto& [entry, equal] : {std::pair(add, false), std::pair(mul, true)}) {
    const test::Scratch scratch;
    const auto repro = write_group_repro(a, b, diff, entry->second, {}, scratch.path("r"), "while_loop_body_graph_0@1/");
    REQUIRE_MESSAGE(repro.has_value(), (repro ? "" : repro.error().message));
    CHECK(sides_agree(scratch) == equal);
    const test::Scratch alone;
    REQUIRE(write_repro(*a.file, a.program, {entry->first}, {}, alone.path("s"), "while_loop_body_graph_0@1/").has_value());
    const auto both = read_tensor_file(scratch.path("r/expected.pt")), one = read_tensor_file(alone.path("s/expected.pt"));
    REQUIRE(both.has_value());
    REQUIRE(one.has_value());
    CHECK(compare_tensors(both->tensors[0].second, one->tensors[0].second).equal);
  }
}

TEST_CASE("what is no operator cannot be written, and the message says so") {
  const auto file = test::open_data("programs/symbolic.pt2");
  const test::Scratch scratch;
  const auto program = file->program();
  const auto repro = write_repro(*file, program, {{program->root(), NodeId(0)}}, {}, scratch.path("r"));
  REQUIRE(!repro.has_value());
  CHECK(repro.error().message.find("no operator") != std::string::npos);
}
