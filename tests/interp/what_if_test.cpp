#include "interp/what_if.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "core/tensor/tensor_files.h"
#include "interp/allocation.h"
#include "interp/item.h"
#include "interp/value_names.h"
#include "interp/recorded_values.h"
#include "tests/interp/session.h"
#include "tests/support/scratch.h"

using namespace pt2;
using namespace pt2::interp;
using pt2::test::Session;

namespace {

const TensorFile& expected() {
  static const TensorFile file = *read_tensor_file(std::string(PT2_TEST_DATA) + "/what_if.npz");
  return file;
}

// Every value of the run against PyTorch's with the same edit.
void check_values(Session& s, const std::string& edit) {
  size_t compared = 0;
  const ExecutionTrace& trace = s.debugger->trace();
  for (const StepTrace& step : trace.steps()) {
    const std::string name(s.program->root_graph().node(step.at.node).name);
    const Tensor* wanted = expected().find(edit + "/" + name);
    const RuntimeValue* value = trace.value(step.at);
    if (!wanted || !value || !value->is<Tensor>()) continue;
    INFO(edit << "/" << name);
    CHECK(compare_tensors(*value->as<Tensor>(), *wanted).equal);
    ++compared;
  }
  CHECK(compared > 3);
}

std::vector<std::string> changed_nodes(Session& s) {
  std::vector<std::string> names;
  for (const StepTrace& step : s.debugger->trace().steps())
    if (s.debugger->change(step.at)) names.emplace_back(s.program->root_graph().node(step.at.node).name);
  return names;
}

}  // namespace

TEST_CASE("an edited value is replayed downstream, beside the original") {
  Session s("shared_module");
  s.run_to_end();
  const size_t steps = s.debugger->trace().steps().size();
  const RuntimeValue before = *s.debugger->value(s.node("linear_2"));
  s.debugger->edit_value(s.node("linear_2"), "", "0");
  s.settle();
  REQUIRE_FALSE(s.debugger->problem());
  CHECK(s.debugger->state() == RunState::Finished);
  CHECK(s.debugger->trace().steps().size() == steps);
  check_values(s, "linear_2=0");
  const auto changed = changed_nodes(s);
  CHECK(changed.front() == "linear_2");
  CHECK(std::find(changed.begin(), changed.end(), "linear_1") == changed.end());
  CHECK(std::find(changed.begin(), changed.end(), "tanh") == changed.end());  // the other branch
  // What the edit does not reach was taken, not computed: the same memory.
  CHECK(s.debugger->trace().value(s.at("tanh"))->as<Tensor>()->storage.shares_with(s.debugger->baseline()->trace.value(s.at("tanh"))->as<Tensor>()->storage));
  CHECK(compare_tensors(*s.debugger->original_value(s.at("linear_2"))->as<Tensor>(), *before.as<Tensor>()).equal);
  s.debugger->clear_edits();
  s.settle();
  CHECK(s.debugger->baseline() == nullptr);
  CHECK(changed_nodes(s).empty());
  CHECK(compare_tensors(*s.debugger->value(s.node("linear_2"))->as<Tensor>(), *before.as<Tensor>()).equal);
}

TEST_CASE("an edit may be an expression over the original values, of some elements, or a file") {
  Session s("shared_module");
  s.run_to_end();
  s.debugger->edit_value(s.node("relu"), "", "relu * 2");
  s.settle();
  check_values(s, "relu=relu*2");
  s.debugger->clear_edits();
  s.debugger->edit_value(s.node("relu"), "[1, :2]", "7");
  s.settle();
  REQUIRE_FALSE(s.debugger->problem());
  const Tensor edited = *s.debugger->value(s.node("relu"))->as<Tensor>(), original = *s.debugger->original_value(s.at("relu"))->as<Tensor>();
  for (int i = 0; i < 6; ++i) CHECK(edited.data<float>()[i] == (i == 3 || i == 4 ? 7 : original.data<float>()[i]));
  test::Scratch folder;
  TensorFile file;
  file.tensors.emplace_back("value", *expected().find("linear_2=0/linear_2"));
  REQUIRE(write_tensor_file(folder.path("zero.npy"), file));
  s.debugger->clear_edits();
  s.debugger->edit_value(s.node("linear_2"), "", folder.path("zero.npy"));
  s.settle();
  check_values(s, "linear_2=0");
}

TEST_CASE("an edit written with its node's value follows what is changed before it, and what is taken back") {
  Session s("shared_module");
  s.run_to_end();
  s.debugger->edit_value(s.node("relu"), "", "relu * 2");
  s.settle();
  s.debugger->edit_value(s.node("x"), "", "1");
  s.settle();
  check_values(s, "relu=relu*2,x=ones");
  s.debugger->clear_edit(s.node("x"));
  s.settle();
  check_values(s, "relu=relu*2");
  s.debugger->edit_value(s.node("relu"), "", "relu * 2");  // not of the edited value
  s.settle();
  check_values(s, "relu=relu*2");
  // Of an edited element the others are those of the run.
  s.debugger->edit_value(s.node("relu"), "[0, :2]", "7");
  s.settle();
  s.debugger->edit_input("x", "1");
  s.settle();
  check_values(s, "relu[0,:2]=7,x=ones");
}

TEST_CASE("what an edit calls is a function, also where a later node has its name") {
  Session s("shared_module");
  s.run_to_end();
  const RuntimeValue relu = *s.debugger->value(s.node("relu"));
  s.debugger->edit_value(s.node("linear_1"), "", "relu (linear_1)");
  s.settle();
  REQUIRE_FALSE(s.debugger->problem());
  CHECK(compare_tensors(*s.debugger->value(s.node("linear_1"))->as<Tensor>(), *relu.as<Tensor>()).equal);
  CHECK(names_in("relu(linear_1) + clamp(add, tanh=linear) == relu", *s.program) == std::vector<std::string>{"linear_1", "add", "linear", "relu"});
}

TEST_CASE("an edit written with its node's value follows other inputs of the next run") {
  Session s("shared_module");
  s.run_to_end();
  s.debugger->edit_value(s.node("relu"), "", "relu * 2");
  s.settle();
  InputRequest request;
  request.texts = {{"x", "1"}};
  s.debugger->start(request);
  s.settle();
  s.debugger->run_without_stopping();
  s.settle();
  check_values(s, "relu=relu*2,x=ones");
}

TEST_CASE("a number that was given for a value of symbolic sizes is spread over those of the next run") {
  Session s("symbolic");
  s.run_to_end();
  s.debugger->edit_value(s.node("mul"), "", "7");
  s.settle();
  InputRequest request;
  request.values["x"] = zeros(Shape{8, 6}, DType::Float32);
  s.debugger->start(request);
  s.settle();
  REQUIRE_FALSE(s.debugger->problem());
  s.debugger->run_without_stopping();
  s.settle();
  CHECK(summary(*s.debugger->value(s.node("mul"))) == "f32[8, 6]  min 7  max 7");
}

TEST_CASE("an edited input and an edited constant argument") {
  Session s("shared_module");
  s.run_to_end();
  s.debugger->edit_value(s.node("x"), "", "1");
  s.settle();
  check_values(s, "x=ones");
  Session m("mutations");
  m.run_to_end();
  m.debugger->edit_argument(m.node("mul_"), "other", "3");
  m.settle();
  REQUIRE_FALSE(m.debugger->problem());
  check_values(m, "mul_=3");
  // Memory that a changed node wrote to has changed for its readers too.
  const auto changed = changed_nodes(m);
  CHECK(std::find(changed.begin(), changed.end(), "add_3") != changed.end());
  CHECK(std::find(changed.begin(), changed.end(), "add_") == changed.end());
  Session n("nan_sources");
  n.start();
  n.debugger->edit_argument(n.node("lt"), "other", "9");
  n.settle();
  n.debugger->run_without_stopping();
  n.settle();
  check_values(n, "lt=9");
}

TEST_CASE("what a paused run had not reached has no original; it goes on with the edit") {
  Session s("shared_module");
  s.start();
  s.debugger->step_over();
  s.settle();
  s.debugger->step_over();
  s.settle();
  REQUIRE(s.cursor() == "relu");
  s.debugger->edit_value(s.node("linear"), "", "linear * 0");
  s.settle();
  CHECK(s.cursor() == "relu");
  CHECK(changed_nodes(s) == std::vector<std::string>{"linear", "linear_1"});
  s.debugger->run();
  s.settle();
  CHECK(s.debugger->state() == RunState::Finished);
  s.debugger->clear_edits();
  s.settle();
  CHECK(s.debugger->state() == RunState::Paused);
  CHECK(s.cursor() == "relu");
}

TEST_CASE("an edit made further on than the original came leaves the run there") {
  Session s("shared_module");
  s.start();
  s.debugger->run_to(s.node("relu"));
  s.settle();
  s.debugger->edit_value(s.node("linear"), "", "linear * 2");
  s.settle();
  s.debugger->step_over();
  s.settle();
  REQUIRE(s.cursor() == "linear_2");
  s.debugger->edit_value(s.node("relu"), "", "relu * 2");
  s.settle();
  CHECK(s.cursor() == "linear_2");
  s.debugger->run();
  s.settle();
  REQUIRE(s.debugger->state() == RunState::Finished);
  s.debugger->edit_value(s.node("tanh"), "", "tanh * 2");
  s.settle();
  CHECK(s.debugger->state() == RunState::Finished);
  // Also where the replay for one is under way when the next is made.
  s.debugger->edit_argument(s.node("add"), "alpha", "2");
  s.debugger->edit_argument(s.node("add"), "alpha", "3");
  s.settle();
  CHECK(s.debugger->state() == RunState::Finished);
  s.debugger->clear_edit(s.node("relu"));
  s.settle();
  CHECK(s.debugger->state() == RunState::Finished);
  s.debugger->clear_edits();
  s.settle();
  CHECK(s.cursor() == "relu");
}

TEST_CASE("an edit inside a loop reaches later iterations and what comes after") {
  Session s("while_loop");
  s.run_to_end();
  const GraphId body = s.program->graphs[GraphId(1)].name == "while_loop_body_graph_0" ? GraphId(1) : GraphId(2);
  s.debugger->edit_value({body, s.program->graphs[body].find("mul")}, "", "0");
  s.settle();
  REQUIRE_FALSE(s.debugger->problem());
  CHECK(s.debugger->state() == RunState::Finished);
  const Tensor x = *s.debugger->value(s.node("getitem_1"))->as<Tensor>();
  for (int i = 0; i < 3; ++i) CHECK(x.data<float>()[i] == 0);
  CHECK(s.debugger->change(s.at("getitem_1")) != nullptr);
  CHECK(s.debugger->change(s.at("getitem")) == nullptr);
  // Another number of iterations: calls that the original did not make have no original.
  s.debugger->clear_edits();
  const GraphId condition = body == GraphId(1) ? GraphId(2) : GraphId(1);
  s.debugger->edit_argument({condition, s.program->graphs[condition].find("lt")}, "other", "7");
  s.settle();
  CHECK(*s.debugger->value(s.node("getitem"))->as<Tensor>()->data<int64_t>() == 7);
}

TEST_CASE("an expression for a node of a loop's body is worked out in each iteration, from its values") {
  Session s("while_loop");
  s.run_to_end();
  const NamedNode mul = *find_named_node(*s.program, "while_loop_body_graph_0/mul");
  auto with = [&](const char* index, const char* text, const char* call = "") {
    s.debugger->edit_value(mul.node, index, text, call);
    s.settle();
    REQUIRE_FALSE(s.debugger->problem());
    const Tensor x = *s.debugger->value(s.node("getitem_1"))->as<Tensor>();
    return std::vector<float>(x.data<float>(), x.data<float>() + 3);
  };
  auto near = [](const std::vector<float>& found, const std::vector<float>& wanted) {
    for (size_t i = 0; i < 3; ++i) CHECK(found[i] == doctest::Approx(wanted[i]).epsilon(1e-5));
  };
  // What PyTorch gives with the body changed so.
  with("", "mul * 1");
  CHECK(s.debugger->changed_count() == 0);
  near(with("", "mul + 1"), {80.3119f, 21.6103f, -38.7213f});
  near(with("", "mul.clamp(None, 6)"), {6, -9.3897f, -69.7213f});
  near(with("", "mul + arg0_1"), {75.3119f, 16.6103f, -43.7213f});
  near(with("[0]", "7"), {7, -9.3897f, -69.7213f});
  s.debugger->clear_edits();
  s.settle();
  near(with("", "mul + 1", "while_loop_body_graph_0@2/"), {53.3119f, -5.3897f, -65.7213f});
  CHECK(s.debugger->edit_texts()[0].call == "while_loop_body_graph_0@2/");
  const size_t changed = s.debugger->changed_count();
  size_t edited = 0;
  for (const StepTrace& step : s.debugger->trace().steps()) edited += step.edited;
  CHECK(edited == 1);
  CHECK(changed > 3);
  s.debugger->edit_value(mul.node, "", "0", "while_loop_body_graph_0@9/");
  s.settle();
  REQUIRE(s.debugger->problem());
  CHECK(s.debugger->problem()->message == "there was no call while_loop_body_graph_0@9");
}

TEST_CASE("the edit of one call and that of every call are taken back each for itself") {
  Session s("while_loop");
  s.run_to_end();
  const NodeRef mul = find_named_node(*s.program, "while_loop_body_graph_0/mul")->node;
  const std::string first = "while_loop_body_graph_0@0/";
  const auto given = [&] {
    s.settle();
    REQUIRE_FALSE(s.debugger->problem());
    return summary(*s.debugger->value(s.node("getitem_1")));
  };
  const auto edit_first = [&] {
    s.debugger->edit_value(mul, "", "mul + 1", first);
    return given();
  };
  const auto edit_all = [&] {
    s.debugger->edit_value(mul, "", "mul * 2");
    return given();
  };
  const std::string of_first = edit_first();
  const std::string of_both = edit_all();
  CHECK(of_first != of_both);
  s.debugger->clear_edit(mul);
  CHECK(given() == of_first);
  CHECK(s.debugger->edit_texts() == std::vector<EditText>{{EditText::Kind::Value, mul, "", "mul + 1", first}});
  CHECK(edit_all() == of_both);
  s.debugger->clear_edit(mul, first);
  const std::string of_all = given();
  CHECK(s.debugger->edit_texts() == std::vector<EditText>{{EditText::Kind::Value, mul, "", "mul * 2", ""}});
  CHECK(edit_first() == of_both);
  s.debugger->edit_value(mul, "", "", first);  // without a text
  CHECK(given() == of_all);
}

TEST_CASE("a name in an edit is of the graph of the edited node first") {
  Session s("loop_to_nan");  // "sub" is a node of the program, too, of another shape
  s.run_to_end();
  const NodeRef sub = find_named_node(*s.program, "while_loop_body_graph_0/sub")->node;
  s.debugger->edit_value(sub, "", "sub.clamp(0)");
  s.settle();
  REQUIRE_FALSE(s.debugger->problem());
  // As in PyTorch with the body changed so: the roots of the last turn are [0, 0, 0.2468].
  CHECK(item(*s.debugger->value(s.node("sum_1"))->as<Tensor>()).to_double() == doctest::Approx(0.24677).epsilon(1e-3));
}

TEST_CASE("what an expression cannot give in some call is said of that call's node") {
  Session s("while_loop");
  s.run_to_end();
  const NodeRef mul = find_named_node(*s.program, "while_loop_body_graph_0/mul")->node;
  // The condition's value is there by now, but in no call of the body.
  s.debugger->edit_value(mul, "", "mul * lt");
  s.settle();
  REQUIRE_FALSE(s.debugger->problem());
  CHECK(s.debugger->state() == RunState::Failed);
  const NodeRun* run = s.debugger->trace().run_of({s.debugger->trace().calls_of(mul.graph)[0], mul.node});
  REQUIRE(run);
  const auto* failed = std::get_if<Failed>(&run->outcome);
  REQUIRE(failed);
  CHECK(failed->message == "its edit \"mul * lt\" has no value here: \"lt\" is not evaluated yet, or not kept");
}

TEST_CASE("the value of an operator without implementation can be given before anything runs") {
  Session s("custom_op");
  s.run_to_end();
  CHECK(s.debugger->state() == RunState::Failed);
  test::Scratch folder;
  TensorFile file;
  for (const char* name : {"first", "second", "third"}) file.tensors.emplace_back(name, *expected().find("mul_=3/add_"));
  REQUIRE(write_tensor_file(folder.path("several.npz"), file));
  s.debugger->edit_value(s.node("auto_functionalized_v2"), "", folder.path("several.npz"));
  s.settle();
  REQUIRE_FALSE(s.debugger->problem());
  CHECK(s.debugger->state() == RunState::Finished);
  CHECK(compare_tensors(*s.debugger->value(s.node("getitem_2"))->as<Tensor>(), file.tensors[2].second).equal);
  CHECK(s.debugger->change(s.at("getitem_2"))->reason == "no value in the original");
}

TEST_CASE("edits that make no sense are refused in words") {
  Session s("shared_module");
  s.run_to_end();
  auto problem = [&] {
    s.settle();
    const std::string text = s.debugger->problem() ? s.debugger->problem()->message : "";
    CHECK(s.debugger->edits().empty());
    return text;
  };
  s.debugger->edit_value(s.node("relu"), "", "nothing + 1");
  CHECK(problem() == "unknown name \"nothing\"");
  s.debugger->edit_value(s.node("linear"), "", "relu.max()");
  CHECK(problem() == "\"relu\" has no value yet when \"linear\" is computed");
  s.debugger->edit_value(s.node("relu"), "", "missing.npy");
  CHECK(problem() != "");
  s.debugger->edit_argument(s.node("relu"), "alpha", "1");
  CHECK(problem() == "\"relu\" has no argument \"alpha\"");
  s.debugger->edit_argument(s.node("linear"), "weight", "1");
  CHECK(problem() == "\"weight\" is the value of another node");
  Session m("nan_sources");
  m.debugger->edit_argument(m.node("cat"), "dim", "[1]");
  CHECK(m.debugger->problem()->message == "expected int for \"dim\", found list of 1");
}

TEST_CASE("constant arguments as Python writes them") {
  Session s("nan_sources");
  auto parsed = [&](const std::string& node, const std::string& argument, const std::string& text) {
    auto edit = parse_argument_edit(*s.program, s.node(node), argument, text);
    return edit ? summary(edit->value) : "error: " + edit.error().message;
  };
  CHECK(parsed("cat", "dim", "-2") == "-2");
  CHECK(parsed("softmax", "dtype", "torch.float64") == "torch.dtype");
  CHECK(parsed("softmax", "dtype", "None") == "None");
  CHECK(parsed("ones", "size", "[2, 3]") == "[2, 3]");
  CHECK(parsed("ones", "size", "(2, 3") == "error: expected \",\" or \")\"");
  CHECK(parsed("ones", "pin_memory", "True") == "True");
  CHECK(parsed("lt", "other", "1e-3") == "0.001");
}

TEST_CASE("edits of another run are read again: at once, or one after the other when the run has their values") {
  using Kind = EditText::Kind;
  Session s("shared_module");
  std::vector<std::string> dropped;
  const auto drop = [&](const EditText& edit, const Error& error) { dropped.push_back(edit.text + ": " + error.message); };
  s.debugger->restore_edits({{Kind::Value, s.node("relu"), "", "relu * 2"}}, drop);
  s.settle();
  CHECK(s.debugger->edits().empty());
  REQUIRE(s.debugger->waiting_edits().size() == 1);
  s.run_to_end();
  CHECK(s.debugger->waiting_edits().empty());
  // Beside the original, as when it was made.
  CHECK(s.debugger->baseline() != nullptr);
  check_values(s, "relu=relu*2");
  CHECK(s.debugger->edit_texts() == std::vector<EditText>{{Kind::Value, s.node("relu"), "", "relu * 2"}});
  // A second one sees what the first changed.
  Session t("shared_module");
  t.debugger->restore_edits({{Kind::Value, t.node("linear_2"), "", "0"}, {Kind::Value, t.node("relu"), "", "relu * 2"}, {Kind::Value, t.node("linear_3"), "", "relu.max()"},
                             {Kind::Value, t.node("tanh"), "", "nowhere + 1"}, {Kind::Input, {}, "x", "many"}, {Kind::Input, {}, "nothing", "1"}}, drop);
  t.settle();
  CHECK(t.debugger->edits().values.size() == 1);
  CHECK(t.debugger->waiting_edits().size() == 2);
  CHECK(dropped == std::vector<std::string>{"many: \"many\" is neither a value for it nor a file", "1: the program has no input \"nothing\"", "nowhere + 1: unknown name \"nowhere\""});
  t.run_to_end();
  CHECK(t.debugger->waiting_edits().empty());
  CHECK(t.debugger->edits().values.size() == 3);
  const auto largest = [&](const char* name) { return summary(*t.debugger->value(t.node(name))); };
  CHECK(largest("linear_3").find("min " + largest("relu").substr(largest("relu").find("max ") + 4)) != std::string::npos);
  // Taken back while they wait, they are gone.
  Session u("shared_module");
  u.debugger->restore_edits({{Kind::Value, u.node("relu"), "[0]", "1"}, {Kind::Value, u.node("tanh"), "", "tanh * 2"}}, drop);
  u.settle();
  u.debugger->clear_edit(u.node("relu"));
  CHECK(u.debugger->waiting_edits().size() == 1);
  u.debugger->clear_edits();
  CHECK(u.debugger->edit_texts().empty());
}

TEST_CASE("an edit that waited for a value leaves the run where it has it") {
  using Kind = EditText::Kind;
  Session s("shared_module");
  s.debugger->restore_edits({{Kind::Value, s.node("linear"), "", "linear * 2", ""}, {Kind::Value, s.node("relu"), "", "relu * 2", ""}}, [](const EditText&, const Error&) {});
  s.start();
  for (const char* next : {"linear_1", "relu", "linear_2"}) {
    s.debugger->step_over();
    s.settle();
    REQUIRE(s.cursor() == next);
  }
  CHECK(s.debugger->waiting_edits().empty());
  const ExecutionTrace& trace = s.debugger->trace();
  for (const char* edited : {"linear", "relu"}) CHECK(trace.steps()[*trace.step_of(s.at(edited))].edited);
}
