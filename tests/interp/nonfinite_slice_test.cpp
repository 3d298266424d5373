#include "interp/nonfinite_slice.h"

#include <doctest/doctest.h>

#include <limits>

#include "interp/allocation.h"
#include "interp/arising.h"
#include "interp/kernel_context.h"
#include "tests/interp/session.h"

using namespace pt2;
using namespace pt2::interp;
using pt2::test::Session;

namespace {

// "sqrt[0, 1] mul[0, 1] cat[0, 1]": the way of the first NaN of a value.
std::string way(Session& s, std::string_view node, Nonfinite asked = Nonfinite::NaN, std::optional<Shape> index = {}) {
  s.debugger->find_origin(s.at(node), asked, std::move(index));
  s.settle();
  const NonfiniteSlice* slice = s.debugger->slice();
  if (!slice) return "none";
  std::string text;
  for (const SliceStep& step : slice->path) {
    const FrameTrace& frame = s.debugger->trace().frames()[step.at.frame];
    text += (text.empty() ? "" : " ") + frame.path + std::string(s.program->graphs[frame.graph].node(step.at.node).name) + (step.known ? "[" : "[?");
    for (size_t d = 0; d < step.index.size(); ++d) text += (d ? "," : "") + std::to_string(step.index[d]);
    text += "]";
  }
  return text;
}

}  // namespace

TEST_CASE("the way back from a NaN names the source that reaches it and not the other") {
  Session s("nan_sources");
  s.run_to_end();
  REQUIRE(s.debugger->state() == RunState::Finished);
  // The values are PyTorch's: rows[0] and its kin are NaN by the root of -4, rows[1] by 0/0.
  CHECK(way(s, "select") == "sqrt[0,1] mul[0,1] cat[0,1] matmul[0,0] select[0]");
  CHECK(way(s, "select_1") == "div[1,2] t[2,1] contiguous[2,1] t_1[1,2] cat[1,5] matmul[1,0] softmax[1,0] select_1[0]");
  CHECK(way(s, "add_1") == "sqrt[0,1] add[0,1] add_[0,1] select_2[1] add_1[1]");
  CHECK(way(s, "where") == "none");
  CHECK(way(s, "sqrt") == "sqrt[0,1]");
  CHECK(s.debugger->slice()->origin == "made from finite arguments");
}

TEST_CASE("a NaN that an input held begins at the input") {
  Session s("shared_module");
  InputRequest request;
  Tensor x;
  x.storage = *zero_storage(24);
  x.dtype = DType::Float32;
  x.sizes = {2, 3};
  x.strides = {3, 1};
  x.data<float>()[4] = std::numeric_limits<float>::infinity();
  request.values["x"] = x;
  s.debugger->start(request);
  s.settle();
  s.debugger->run_without_stopping();
  s.settle();
  const std::string text = way(s, "linear");
  CHECK(text.starts_with("x[1,1] linear[1,"));
  CHECK(s.debugger->slice()->origin == "an input");
}

TEST_CASE("a NaN that a weight or a buffer held begins there") {
  struct Case { const char *program, *held, *asked, *origin; Shape sizes; };
  for (const Case& c : {Case{"shared_module", "p_tail_0_linear_weight", "linear_4", "a parameter", {3, 3}}, {"nan_sources", "b_total", "add_1", "a buffer", {2, 3}}}) {
    Session s(c.program);
    Tensor held = zeros(c.sizes, DType::Float32);
    held.data<float>()[0] = std::numeric_limits<float>::quiet_NaN();
    InputRequest request;
    request.values[c.held] = held;
    s.debugger->start(request);
    s.settle();
    s.debugger->run_without_stopping();
    s.settle();
    CHECK(way(s, c.asked).starts_with(std::string(c.held) + "[0,0]"));
    REQUIRE(s.debugger->slice());
    CHECK(s.debugger->slice()->origin == c.origin);
  }
}

TEST_CASE("a run stops at the first NaN, then at the next that does not follow from it") {
  Session s("nan_sources");
  for (Breakpoint& b : s.debugger->breakpoints)
    if (b.condition == BreakpointCondition::NonFinite) b.enabled = true;
  s.start();
  s.debugger->run();
  s.settle();
  REQUIRE(s.debugger->stopped_by());
  CHECK(s.debugger->stopped_by()->node == s.node("sqrt"));
  CHECK(s.debugger->stop_reason() == "after sqrt: 1 NaN of 6 (rule: first NaN/Inf)");
  REQUIRE(s.debugger->slice());
  CHECK(s.debugger->slice()->producer().at == s.at("sqrt"));
  s.debugger->run();
  s.settle();
  REQUIRE(s.debugger->stopped_by());
  CHECK(s.debugger->stopped_by()->node == s.node("div"));
  s.debugger->run();
  s.settle();
  CHECK(s.debugger->state() == RunState::Finished);
}

TEST_CASE("an element of the way is one that the next depends on: of its row, its window, its sum") {
  Session s("masked_rows");
  s.run_to_end();
  REQUIRE(s.debugger->state() == RunState::Finished);
  // NaN and Inf are where PyTorch has them; row 2 is masked throughout, and so NaN. NaN goes before the -inf that stand before it.
  CHECK(way(s, "matmul") == "masked_fill[2,0] softmax[2,0] matmul[2,0]");
  CHECK(s.debugger->slice()->origin == "its argument value = -inf");
  CHECK(way(s, "log_softmax") == "masked_fill[2,0] log_softmax[2,0]");
  CHECK(way(s, "log_softmax", Nonfinite::Inf) == "masked_fill[0,1] log_softmax[0,1]");
  CHECK(way(s, "cumsum") == "signal[0,1,3] cumsum[0,1,3]");
  CHECK(way(s, "conv1d") == "signal[0,1,3] conv1d[0,0,1]");
  CHECK(way(s, "layer_norm") == "signal[0,1,3] layer_norm[0,0,0]");
  CHECK(way(s, "matmul_1") == "signal[0,1,3] transpose[0,3,1] matmul_1[0,3,0]");
  CHECK(way(s, "getitem") == "signal[0,1,3] sort[0,1,5] getitem[0,1,5]");
}

TEST_CASE("a NaN that a call was given as its argument is said to be that, also where the argument was edited") {
  Session s("scalars");
  s.run_to_end();
  s.debugger->edit_value(s.node("clamp"), "", "1");  // as in PyTorch, it cannot be computed: 1e308 is no float32
  s.settle();
  CHECK(way(s, "mul") == "mul[0]");
  REQUIRE(s.debugger->slice());
  CHECK(s.debugger->slice()->origin == "its argument other = nan");
  CHECK(way(s, "add", Nonfinite::NaN) == "mul[0] add[0]");
  CHECK(s.debugger->slice()->origin == "its argument other = nan");
  s.debugger->edit_argument(s.node("mul"), "other", "inf");
  s.settle();
  way(s, "mul", Nonfinite::Inf);
  REQUIRE(s.debugger->slice());
  CHECK(s.debugger->slice()->origin == "its argument other = inf");
  Session m("masked_rows");
  m.run_to_end();
  m.debugger->edit_argument(m.node("masked_fill"), "value", "nan");
  m.settle();
  CHECK(way(m, "matmul").starts_with("masked_fill[0,"));
  REQUIRE(m.debugger->slice());
  CHECK(m.debugger->slice()->origin == "its argument value = nan");
}

TEST_CASE("a stop tells of the NaN and of the Inf that an operator makes") {
  Session s("two_origins");
  for (Breakpoint& b : s.debugger->breakpoints)
    if (b.condition == BreakpointCondition::NonFinite) b.enabled = true;
  InputRequest request;
  Tensor x = zeros(Shape{4}, DType::Float32);
  const float values[] = {1, -1, 0, 0.5f};
  std::copy(std::begin(values), std::end(values), x.data<float>());
  request.values["x"] = x;
  s.debugger->start(request);
  s.settle();
  s.debugger->run();
  s.settle();
  CHECK(s.debugger->stop_reason() == "after log: 1 NaN, 1 Inf of 4 (rule: first NaN/Inf)");
  s.debugger->breakpoints[0].enabled = false;
  Breakpoint any;
  any.kind = BreakpointKind::Any;
  any.condition = BreakpointCondition::NaN;
  s.debugger->breakpoints.push_back(any);
  s.debugger->start(request);
  s.settle();
  s.debugger->run();
  s.settle();
  CHECK(s.debugger->stop_reason() == "after log: 1 NaN, 1 Inf of 4 (NaN)");
}

TEST_CASE("an operator that makes Inf of finite numbers, too, still has its NaN from the Inf it was given") {
  Session s("masked_rows");
  s.run_to_end();
  // Row 0 without its Inf would overflow float16: Inf, not NaN.
  CHECK(way(s, "var") == "wide[0,2] var[0,0]");
  CHECK(s.debugger->slice()->origin == "an input");
  CHECK(way(s, "var", Nonfinite::Inf) == "var[2,0]");
}

TEST_CASE("the way leads into the call of a loop, and of a map whose results are stacked") {
  Session s("loop_to_nan");
  s.run_to_end();
  CHECK(way(s, "sum_1") == "while_loop_body_graph_0@5/sqrt[1] while_loop[1] getitem_1[1] sum_1[]");
  CHECK(s.debugger->slice()->origin == "made from finite arguments");
  CHECK(way(s, "mul") == "body_graph_0@1/log[0] map_impl[1,0] getitem_2[1,0] mul[1,0]");
}

namespace {

// Where the rule stops, one after the other.
std::vector<std::string> stops(Session& s) {
  s.debugger->breakpoints[0].enabled = true;
  s.start();
  std::vector<std::string> reasons;
  for (s.debugger->run(), s.settle(); s.debugger->stopped_by(); s.debugger->run(), s.settle()) reasons.push_back(s.debugger->stop_reason());
  CHECK(s.debugger->state() == RunState::Finished);
  return reasons;
}

}  // namespace

TEST_CASE("the rule stops where NaN is made of Inf, and not at an Inf that the program asks for") {
  Session s("masked_rows");
  CHECK(stops(s) == std::vector<std::string>{"after softmax: 4 NaN of 16 (rule: first NaN/Inf)", "after log_softmax: 4 NaN of 16 (rule: first NaN/Inf)",
                                             "after var: 1 NaN, 1 Inf of 3 (rule: first NaN/Inf)", "after cumsum: 3 Inf of 18 (rule: first NaN/Inf)",
                                             "after layer_norm: 18 NaN of 18 (rule: first NaN/Inf)"});
  Session loop("loop_to_nan");
  CHECK(stops(loop) == std::vector<std::string>{"after while_loop_body_graph_0@5/sqrt: 2 NaN of 3 (rule: first NaN/Inf)", "after body_graph_0@1/log: 1 NaN of 1 (rule: first NaN/Inf)"});
}

TEST_CASE("the rule that is turned on during a run stops at no more than from its beginning") {
  Session s("nan_sources");
  s.start();
  s.debugger->run_to(s.node("mul"));
  s.settle();
  REQUIRE(s.cursor() == "mul");
  s.debugger->breakpoints[0].enabled = true;  // the roots and quotients lie behind
  s.debugger->run();
  s.settle();
  CHECK(s.debugger->stop_reason() == "finished");
  // An input tells of itself where it is read first.
  Session t("shared_module");
  InputRequest request;
  Tensor x = zeros(Shape{2, 3}, DType::Float32);
  x.data<float>()[4] = std::numeric_limits<float>::quiet_NaN();
  request.values["x"] = x;
  const auto stop_from = [&](const char* node) {
    t.debugger->breakpoints[0].enabled = false;
    t.debugger->start(request);
    t.settle();
    if (t.cursor() != node) t.debugger->run_to(t.node(node));
    t.settle();
    t.debugger->breakpoints[0].enabled = true;
    t.debugger->run();
    t.settle();
    return t.debugger->stop_reason();
  };
  CHECK(stop_from("linear").starts_with("after linear: "));
  CHECK(stop_from("linear_4") == "finished");
}

TEST_CASE("what is ignored in one place is no news in the next") {
  Session s("nan_sources");
  s.debugger->breakpoints[0].enabled = true;
  s.start();
  s.debugger->run();
  s.settle();
  REQUIRE(s.debugger->stopped_by());
  s.debugger->ignore_here();
  s.debugger->run();
  s.settle();
  REQUIRE(s.debugger->stopped_by());
  CHECK(s.debugger->stopped_by()->node == s.node("div"));
}

TEST_CASE("the way runs on through the expression of an edit to the values it names") {
  Session s("shared_module");
  s.run_to_end();
  auto edit = [&](const char* node, const char* index, const char* text) {
    s.debugger->edit_value(s.node(node), index, text);
    s.settle();
    REQUIRE_FALSE(s.debugger->problem());
  };
  edit("linear", "[0, 1]", "nan");
  CHECK(way(s, "linear") == "linear[0,1]");
  CHECK(s.debugger->slice()->origin == "a value that was given");
  edit("relu", "", "relu.clamp(None, 5)");  // of what the node computes
  CHECK(way(s, "relu") == "linear[0,1] linear_1[0,0] relu[0,0]");
  CHECK(s.debugger->slice()->origin == "a value that was given");
  edit("relu", "", "linear * 2");           // of another value
  CHECK(way(s, "relu") == "linear[0,1] relu[0,1]");
  s.debugger->clear_edit(s.node("relu"));
  s.settle();
  edit("relu", "[1, 2]", "7");              // of another element
  CHECK(way(s, "relu") == "linear[0,1] linear_1[0,0] relu[0,0]");
  edit("relu", "[0, 0]", "nan");            // of this one
  CHECK(way(s, "relu") == "relu[0,0]");
  CHECK(s.debugger->slice()->origin == "a value that was given");
}

TEST_CASE("the rule stops at each origin, also where the value holds an inherited NaN, and the way is that of the element which arises") {
  Session s("two_origins");
  CHECK(stops(s) == std::vector<std::string>{"after log: 1 NaN of 4 (rule: first NaN/Inf)", "after div: 2 NaN of 4, 1 of them made here (rule: first NaN/Inf)",
                                             "after sqrt: 3 NaN of 4, 1 of them made here (rule: first NaN/Inf)"});
  CHECK(way(s, "div") == "div[1]");
  CHECK(way(s, "sqrt") == "sqrt[3]");
  // An element that is asked for has its own way.
  CHECK(way(s, "sqrt", Nonfinite::NaN, Shape{0}) == "log[0] div[0] sqrt[0]");
  CHECK(way(s, "sqrt", Nonfinite::NaN, Shape{-3}) == "div[1] sqrt[1]");
  CHECK(way(s, "sqrt", Nonfinite::NaN, Shape{2}) == "none");
  CHECK(way(s, "sqrt", Nonfinite::NaN, Shape{4}) == "none");
}

TEST_CASE("a stop for an Inf that arises beside an inherited NaN tells of the Inf") {
  Session s("two_origins");
  for (Breakpoint& b : s.debugger->breakpoints)
    if (b.condition == BreakpointCondition::NonFinite) b.enabled = true;
  InputRequest request;
  Tensor x = zeros(Shape{4}, DType::Float32);
  const float values[] = {std::numeric_limits<float>::quiet_NaN(), 2, 1, 1};
  std::copy(std::begin(values), std::end(values), x.data<float>());
  request.values["x"] = x;
  s.debugger->start(request);
  s.settle();
  s.debugger->run();
  s.settle();
  CHECK(s.debugger->stop_reason() == "after log: 1 NaN of 4 (rule: first NaN/Inf)");
  s.debugger->run();
  s.settle();
  CHECK(s.debugger->stop_reason() == "after div: 1 Inf of 4 (rule: first NaN/Inf)");
  REQUIRE(s.debugger->slice());
  CHECK(s.debugger->slice()->producer().at == s.at("div"));
  CHECK(s.debugger->slice()->producer().index == Shape{1});
  CHECK(s.debugger->slice()->producer().value == std::numeric_limits<double>::infinity());
}

TEST_CASE("a way that is asked for while an edit is made ready needs no memory of a run") {
  Session s("two_origins");
  s.run_to_end();
  s.debugger->edit_value(s.node("log"), "", "log * 1");
  s.debugger->find_origin(s.at("sqrt"));
  s.settle();
  CHECK(way(s, "sqrt") == "sqrt[3]");
}

TEST_CASE("which element arises first is not known where there is no memory to tell") {
  Session s("two_origins");
  s.run_to_end();
  const auto first = [&] { return first_arising(s.debugger->trace(), *s.program, s.at("div"), Nonfinite::NaN); };
  REQUIRE(first());
  CHECK(first()->index == Shape{1});
  KernelContext context;
  context.memory = std::make_shared<MemoryBudget>(1);
  const ContextScope scope(context);
  CHECK_FALSE(first());
}
