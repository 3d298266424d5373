#include "interp/nonfinite_slice.h"

#include <doctest/doctest.h>

#include <limits>

#include "interp/allocation.h"
#include "tests/interp/session.h"

using namespace pt2;
using namespace pt2::interp;
using pt2::test::Session;

namespace {

// "sqrt[0, 1] mul[0, 1] cat[0, 1]": the way of the first NaN of a value.
std::string way(Session& s, std::string_view node) {
  s.debugger->find_origin(s.at(node));
  s.settle();
  const NonfiniteSlice* slice = s.debugger->slice();
  if (!slice) return "none";
  std::string text;
  for (const SliceStep& step : slice->path) {
    text += (text.empty() ? "" : " ") + std::string(s.program->root_graph().node(step.at.node).name) + "[";
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
