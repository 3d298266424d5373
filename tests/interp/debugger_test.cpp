#include "interp/debugger.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <set>
#include <thread>

#include "interp/allocation.h"
#include "interp/item.h"
#include "interp/run_report.h"
#include "interp/watch_expression.h"
#include "tests/interp/session.h"

using namespace pt2;
using namespace pt2::interp;
using pt2::test::Session;

namespace {

// The first operators of the root graph, in order.
std::vector<std::string> operators(const Program& program) {
  std::vector<std::string> names;
  for (const Node& node : program.root_graph().nodes())
    if (node.kind == NodeKind::CallFunction) names.emplace_back(node.name);
  return names;
}

}  // namespace

TEST_CASE("a run stops before its first operator, steps, and goes to the end") {
  Session s("mutations");
  CHECK(s.debugger->state() == RunState::NotStarted);
  s.start();
  const auto names = operators(*s.program);
  CHECK(s.debugger->state() == RunState::Paused);
  CHECK(s.cursor() == names[0]);
  CHECK(s.debugger->executed() == 0);
  s.debugger->step_over();
  s.settle();
  CHECK(s.cursor() == names[1]);
  CHECK(s.debugger->executed() == 1);
  s.debugger->run();
  s.settle();
  CHECK(s.debugger->state() == RunState::Finished);
  CHECK(s.debugger->executed() == names.size());
  CHECK(s.cursor().empty());
}

TEST_CASE("stepping back shows memory as it was, forward again as it became") {
  Session s("mutations");
  s.start();
  const auto names = operators(*s.program);
  s.debugger->run();
  s.settle();
  REQUIRE(s.debugger->state() == RunState::Finished);
  // The first operator that wrote, and the placeholder it wrote to.
  const ExecutionTrace& trace = s.debugger->trace();
  size_t writer = 0;
  while (writer < trace.steps().size() && !trace.steps()[writer].wrote) ++writer;
  REQUIRE(writer < trace.steps().size());
  const Graph& graph = s.program->root_graph();
  const NodeId* target = graph.node(trace.steps()[writer].at.node).inputs[0].value.as<NodeId>();
  REQUIRE(target);
  const NodeRef written{s.program->root(), *target};
  s.debugger->set_time(writer);
  const auto before = s.debugger->value(written);
  s.debugger->set_time(writer + 1);
  const auto after = s.debugger->value(written);
  REQUIRE(before);
  REQUIRE(after);
  CHECK_FALSE(compare_tensors(*before->as<Tensor>(), *after->as<Tensor>()).equal);
  s.debugger->step_back();
  CHECK(compare_tensors(*s.debugger->value(written)->as<Tensor>(), *before->as<Tensor>()).equal);
  CHECK(trace.writes_to({FrameId(0), *target}).front() == writer);
}

TEST_CASE("a breakpoint on a node stops before it, once") {
  Session s("mutations");
  const auto names = operators(*s.program);
  s.debugger->toggle_breakpoint(s.node(names[1]));
  s.start();
  s.debugger->run();
  s.settle();
  CHECK(s.debugger->state() == RunState::Paused);
  CHECK(s.cursor() == names[1]);
  CHECK(s.debugger->breakpoint_at(s.node(names[1]))->hits == 1);
  s.debugger->run();
  s.settle();
  CHECK(s.debugger->state() == RunState::Finished);
}

TEST_CASE("a breakpoint before the node that another stop led to has been met") {
  Session s("mutations");
  const auto names = operators(*s.program);
  Breakpoint after;
  after.node = s.node(names[0]);
  after.condition = BreakpointCondition::Expression;
  after.expression = "1 > 0";
  Breakpoint before;
  before.node = s.node(names[1]);
  Breakpoint stepped_to;
  stepped_to.node = s.node(names[2]);
  Breakpoint second_time = before;
  second_time.hit_at_least = 2;
  const size_t first = s.debugger->breakpoints.size();
  for (const Breakpoint& b : {after, before, stepped_to, second_time}) s.debugger->breakpoints.push_back(b);
  s.start();
  s.debugger->run();
  s.settle();
  CHECK(s.cursor() == names[1]);
  CHECK(s.debugger->stop_reason() == "after " + names[0] + ": 1 > 0; breakpoint " + names[1] + " before " + names[1]);
  CHECK(s.debugger->breakpoints[first + 1].hits == 1);
  CHECK(s.debugger->breakpoints[first + 3].hits == 1);
  REQUIRE(s.debugger->stopped_by());
  CHECK(s.debugger->stopped_by()->breakpoint == first);
  s.debugger->step_over();
  s.settle();
  CHECK(s.cursor() == names[2]);
  CHECK(s.debugger->breakpoints[first + 2].hits == 1);
  s.debugger->run();
  s.settle();
  CHECK(s.debugger->state() == RunState::Finished);
  CHECK(s.debugger->breakpoints[first + 1].hits == 1);
  CHECK(s.debugger->breakpoints[first + 2].hits == 1);
}

TEST_CASE("step into enters a sub-graph, step out leaves it") {
  Session s("nested_cond");
  s.start();
  while (s.debugger->state() == RunState::Paused && s.debugger->call_stack().empty()) {
    s.debugger->step_into();
    s.settle();
  }
  REQUIRE(s.debugger->call_stack().size() == 1);
  s.debugger->step_out();
  s.settle();
  CHECK(s.debugger->call_stack().empty());
}

TEST_CASE("what the trace dropped is computed again") {
  Session s("shared_module");
  s.debugger->options.trace_bytes = 1;
  s.start();
  s.debugger->run();
  s.settle();
  REQUIRE(s.debugger->state() == RunState::Finished);
  ExecutionTrace& trace = s.debugger->trace();
  size_t dropped = 0;
  for (const StepTrace& step : trace.steps()) {
    if (!trace.is_dropped(step.at)) continue;
    ++dropped;
    s.debugger->recompute(step.at);
    s.settle();
    CHECK(trace.value(step.at) != nullptr);
  }
  CHECK(dropped > 0);
}

TEST_CASE("watches are evaluated where the cursor is") {
  Session s("mutations");
  s.start();
  s.debugger->add_watch("1 + 2 * 3");
  s.debugger->add_watch("nothing.max()");
  s.settle();
  CHECK(s.debugger->watches[0].value == "7");
  CHECK(s.debugger->watches[1].failed);
  CHECK(s.debugger->watches[1].value == "unknown name \"nothing\"");
}

TEST_CASE("expressions call PyTorch's operators by name") {
  Session s("nan_sources");
  s.run_to_end();
  auto value = [&](std::string expression) {
    s.debugger->watches.clear();
    s.debugger->add_watch(std::move(expression));
    s.settle();
    return s.debugger->watches[0].value;
  };
  // As PyTorch has them.
  CHECK(value("allclose(sqrt, sqrt)") == "False");
  CHECK(value("allclose(sqrt, sqrt, equal_nan=True)") == "True");
  CHECK(value("allclose(ones, ones + 0.1, atol=1e-3)") == "False");
  CHECK(value("allclose(ones, ones + 0.1, atol=0.2)") == "True");
  CHECK(value("relu(mul).nan()") == "1");
  CHECK(value("nan_to_num(sqrt).nan()") == "0");
  CHECK(value("clamp(ones, 2).sum()") == "24");
  CHECK(value("ones.clamp(0.1, max=0.5).max()") == "0.5");
  CHECK(value("maximum(ones, ones * 3).sum()") == "36");
  CHECK(value("where(ones > 0, ones, 7).sum()") == "12");
  CHECK(value("exp(ones).max()") == "2.71828");
  CHECK(value("sqrt(4) + 0") == "f32[] = 2");
  CHECK(value("sum(ones, [0]).max()") == "6");
  CHECK(value("softmax(ones, 1).min()") == "0.5");
  CHECK(value("pow(2, ones).max()") == "2");
  CHECK(value("gelu(ones, approximate='tanh').max()") == "0.841192");
  CHECK(value("abs(-3)") == "3");
  CHECK(value("frobnicate(ones)").starts_with("there is no function \"frobnicate\"; PyTorch's operators are known by their names, as relu(a)"));
  CHECK(value("add_(ones, 1)").starts_with("there is no function \"add_\""));  // would change what was recorded
  CHECK(value("rand_like(ones)").starts_with("there is no function"));
  CHECK(value("maximum(ones)") == "these are no arguments of maximum, which is maximum(Tensor self, Tensor other) -> Tensor");
  CHECK(value("ones([100000000, 100000000])").find("memory") != std::string::npos);
  const Program& program = *s.program;
  CHECK(unknown_name("relu(sqrt).max() > 1e-3 and_more", program) == "and_more");
  CHECK(unknown_name("allclose(sqrt, x, rtol=1e-3) == True", program) == "");
  CHECK(unknown_name("gelu(ones, approximate='tanh') > s0", program) == "s0");
}

TEST_CASE("places that nothing of the program is are none") {
  Session s("shared_module");
  for (const char* place : {"symbol=s0", "op=aten.frob.*", "module=head", "exit=blocks.0", "models.py:1", "nothing", "op="}) {
    CAPTURE(place);
    CHECK(!parse_breakpoint(place, *s.program));
  }
  for (const char* place : {"op=aten.relu.*", "module=tail", "exit=block", "models.py:206", "relu", "data=x", "any"}) {
    CAPTURE(place);
    CHECK(parse_breakpoint(place, *s.program));
  }
  CHECK(parse_breakpoint("symbol=s27", *Session("symbolic").program));
}

TEST_CASE("back goes to where conditions held, and to breakpoints without one") {
  Session s("nan_sources");
  Breakpoint any;
  any.kind = BreakpointKind::Any;
  any.condition = BreakpointCondition::NaN;
  s.debugger->breakpoints.push_back(any);
  s.start();
  s.debugger->run();
  s.settle();
  const std::string first = s.cursor();
  s.debugger->run_without_stopping();
  s.settle();
  s.debugger->toggle_breakpoint(s.node("ones"));
  std::vector<std::string> stops;
  for (int i = 0; i < 30 && (stops.empty() || s.cursor() != stops.back()); ++i) {
    if (s.debugger->in_the_past()) stops.push_back(s.cursor());
    s.debugger->back_to_breakpoint();
  }
  // Before what follows a value with NaN, before `ones`, and at last the beginning.
  const auto at = [&](const char* name) { return std::find(stops.begin(), stops.end(), name); };
  CHECK(first == "div");
  CHECK(at("lt") != stops.end());
  CHECK(at("lt") < at("ones"));
  CHECK(at("ones") < at("div"));
  CHECK(at("div") < at("sqrt"));
  CHECK(stops.back() == "sqrt");
  // A breakpoint that is off counts no more.
  s.debugger->breakpoints[s.debugger->breakpoints.size() - 2].enabled = false;
  s.debugger->set_time(s.debugger->trace().steps().size());
  s.debugger->back_to_breakpoint();
  CHECK(s.cursor() == "ones");
}

TEST_CASE("the time of a run is that of its nodes, however long it paused") {
  Session s("nan_sources");
  s.start();
  s.debugger->step_into();
  s.settle();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  s.debugger->run_without_stopping();
  s.settle();
  double sum = 0;
  for (const StepTrace& step : s.debugger->trace().steps()) {
    CHECK(step.begin_us == doctest::Approx(sum));
    sum += step.run.elapsed_us;
  }
  CHECK(s.debugger->trace().total_us() == doctest::Approx(sum));
}

TEST_CASE("keeping every value changes no result") {
  for (const char* name : {"mutations", "conv_bn_train", "while_loop", "nested_cond", "lists", "shared_module"}) {
    CAPTURE(name);
    Session s(name);
    s.run_to_end();
    REQUIRE(s.debugger->state() == RunState::Finished);
    auto opened = open_file(s.file->path);
    REQUIRE(opened);
    const auto report = run_program(**opened, (*opened)->program(), {});
    REQUIRE(report);
    REQUIRE(report->outputs.size() == s.debugger->outputs().size());
    for (size_t i = 0; i < report->outputs.size(); ++i) {
      const auto* a = report->outputs[i].as<Tensor>();
      const auto* b = s.debugger->outputs()[i].as<Tensor>();
      REQUIRE(!a == !b);
      if (a) CHECK(compare_tensors(*a, *b, Tolerance{0, 0}).equal);
    }
  }
}

TEST_CASE("a run counts the nodes that differ from a reference as the debugger does, its results apart") {
  auto reference = std::make_shared<TensorFile>();
  for (const char* key : {"ones", "sqrt", "output#0"}) reference->tensors.emplace_back(key, zeros(Shape{1}, DType::Float32));
  Session s("nan_sources");
  s.debugger->set_reference(reference);
  s.run_to_end();
  size_t differing = 0;
  for (const StepTrace& step : s.debugger->trace().steps())
    if (const auto* difference = s.debugger->difference(step.at)) differing += !(*difference)->equal;
  CHECK(differing == 2);
  RunRequest request;
  request.reference = reference.get();
  const auto report = run_program(*s.file, s.program, request);
  REQUIRE(report);
  CHECK(report->compared == 2);
  CHECK(report->differing == differing);
  CHECK(report->mismatched.size() == 3);
}

TEST_CASE("no state of a debugger has the number of another's, also of one that took its place in memory") {
  Session s("mutations");
  alignas(Debugger) std::byte place[sizeof(Debugger)];
  std::set<uint64_t> revisions, runs, references;
  for (int i = 0; i < 3; ++i) {
    auto* debugger = new (place) Debugger(s.file, s.program, s.jobs);
    CHECK(revisions.insert(debugger->revision()).second);
    CHECK(references.insert(debugger->reference_revision()).second);
    debugger->start({});
    s.settle();
    CHECK(revisions.insert(debugger->revision()).second);
    CHECK(runs.insert(debugger->run_number()).second);
    debugger->~Debugger();
  }
}

TEST_CASE("the rule for the first mismatch, turned on during a run, stops at nothing that only inherits") {
  Session s("shared_module");
  s.run_to_end();
  const auto reference = s.debugger->recorded();
  InputRequest request;
  request.texts = {{"x", "3"}};  // another input: everything differs
  const auto stop = [&](const std::string& begin, bool late_reference, bool turn_on_late) {
    s.debugger->set_reference(late_reference ? nullptr : reference);
    s.debugger->breakpoints[2].enabled = !turn_on_late;
    s.debugger->start(request);
    s.settle();
    if (s.cursor() != begin) s.debugger->run_to(s.node(begin));
    s.settle();
    REQUIRE(s.cursor() == begin);
    s.debugger->breakpoints[2].enabled = true;
    s.debugger->set_reference(reference);
    s.settle();
    s.debugger->run();
    s.settle();
    return s.debugger->stop_reason();
  };
  REQUIRE(s.debugger->breakpoints[2].condition == BreakpointCondition::Mismatch);
  CHECK(stop("linear", false, true).starts_with("after linear: max abs error"));
  // The first of the second block reads the input itself.
  CHECK(stop("relu", false, true).starts_with("after linear_4: max abs error"));
  CHECK(stop("linear_2", true, true).starts_with("after linear_4: max abs error"));
  CHECK(stop("linear_2", true, false).starts_with("after linear_4: max abs error"));
  CHECK(stop("linear_5", false, true) == "finished");
}

TEST_CASE("the rule for the first mismatch, turned on before a call, stops at nothing in it that was given what differs") {
  Session s("loop_to_nan");
  s.run_to_end();
  const auto reference = s.debugger->recorded();
  s.debugger->edit_value(s.node("sub"), "", "sub + 1");
  s.settle();
  for (const bool late : {false, true}) {
    s.debugger->breakpoints[2].enabled = false;
    s.debugger->set_reference(late ? nullptr : reference);
    s.debugger->restart();
    s.settle();
    s.debugger->run_to(s.node("map_impl"));
    s.settle();
    REQUIRE(s.cursor() == "map_impl");
    s.debugger->breakpoints[2].enabled = true;
    s.debugger->set_reference(reference);
    s.settle();
    s.debugger->run();
    s.settle();
    CHECK(s.debugger->stop_reason() == "finished");
  }
}
