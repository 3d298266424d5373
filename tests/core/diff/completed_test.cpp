// Groups of which the alignment finds one operator only: the others follow from who reads the result.
#include <doctest/doctest.h>

#include "core/diff/diff.h"
#include "tests/support/json_program.h"

using namespace pt2;

namespace {

test::JsonProgram net() { return test::JsonProgram().input("x").input("w", "3, 3").input("b", "3"); }

std::string names(const Program& program, const std::vector<NodeRef>& nodes) {
  std::string text;
  for (NodeRef ref : nodes) text += (text.empty() ? "" : " ") + qualified_name(program, ref);
  return text;
}

// The groups that are not the same call, each as "a b -> c", in the left order.
std::string groups(const test::JsonProgram& left, const test::JsonProgram& right) {
  const auto l = left.decode(), r = right.decode();
  std::string text;
  for (const NodeGroup& group : diff_programs(*l, *r).groups) {
    if (group.kind == GroupKind::Same) continue;
    text += (text.empty() ? "" : "; ") + names(*l, group.left) + " -> " + names(*r, group.right);
  }
  return text;
}

const auto kSwish = net().call("first", "aten.relu.default", "self=x").call("swish", "aten.hardswish.default", "self=first").call("sum", "aten.add.Tensor", "self=first, other=swish").output("sum");
const auto kSwishInSteps = net()
                               .call("first", "aten.relu.default", "self=x")
                               .call("gate", "aten.hardsigmoid.default", "self=first")
                               .call("gated", "aten.mul.Tensor", "self=first, other=gate")
                               .call("sum", "aten.add.Tensor", "self=first, other=gated")
                               .output("sum");

}  // namespace

TEST_CASE("a call that a pass replaced by several is one group with all of them") {
  CHECK(groups(kSwish, kSwishInSteps) == "swish -> gate gated");
  CHECK(groups(kSwishInSteps, kSwish) == "gate gated -> swish");
}

TEST_CASE("what a replaced call's successor reads is a step of it, if it reads what the call read") {
  const auto whole = net().call("y", "aten.linear.default", "input=x, weight=w, bias=b").output("y");
  const auto steps = net()
                         .call("turned", "aten.t.default", "self=w", "3, 3")
                         .call("product", "aten.matmul.default", "self=x, other=turned")
                         .call("y", "aten.add.Tensor", "self=product, other=b")
                         .output("y");
  CHECK(groups(whole, steps) == "y -> turned product y");
  CHECK(groups(steps, whole) == "turned product y -> y");
}

TEST_CASE("two calls made into one are merged") {
  const auto two = net()
                       .call("low", "aten.clamp.default", "self=x, min=0")
                       .call("high", "aten.clamp.default", "self=low, max=6")
                       .call("y", "aten.mul.Tensor", "self=x, other=high")
                       .output("y");
  const auto one = net().call("both", "aten.clamp.default", "self=x, min=0, max=6").call("y", "aten.mul.Tensor", "self=x, other=both").output("y");
  CHECK(groups(two, one) == "low high -> both");
  CHECK(groups(one, two) == "both -> low high");
}

TEST_CASE("a batch norm folded into the weights belongs to the call it follows") {
  const auto normed = net()
                          .call("conv", "aten.linear.default", "input=x, weight=w, bias=b")
                          .call("norm", "aten.batch_norm.default", "input=conv, weight=b, bias=b")
                          .call("y", "aten.relu.default", "self=norm")
                          .output("y");
  const auto folded = net().call("conv", "aten.linear.default", "input=x, weight=w, bias=b").call("y", "aten.relu.default", "self=conv").output("y");
  CHECK(groups(normed, folded) == "conv norm -> conv");
}

TEST_CASE("steps of other types on the way to one value are one group") {
  const auto product = net().call("scaled", "aten.mul.Tensor", "self=x, other=b").call("sum", "aten.sum.dim_IntList", "self=scaled, dim=[1]", "2").call("y", "aten.relu.default", "self=sum", "2").output("y");
  const auto vectors = net()
                           .call("column", "aten.unsqueeze.default", "self=b, dim=1", "3, 1")
                           .call("product", "aten.mm.default", "self=x, mat2=column", "2, 1")
                           .call("row", "aten.squeeze.dim", "self=product, dim=1", "2")
                           .call("y", "aten.relu.default", "self=row", "2")
                           .output("y");
  CHECK(groups(product, vectors) == "scaled sum -> column product row");
}

TEST_CASE("what was left out behind a call that is the same was removed, not merged with it") {
  const auto with = net().call("a", "aten.linear.default", "input=x, weight=w, bias=b").call("bent", "aten.relu.default", "self=a").call("y", "aten.add.Tensor", "self=bent, other=x").output("y");
  const auto without = net().call("a", "aten.linear.default", "input=x, weight=w, bias=b").call("y", "aten.add.Tensor", "self=a, other=x").output("y");
  CHECK(groups(with, without).find("a bent") == std::string::npos);
}
