#include <doctest/doctest.h>

#include "views/workspace/op_family.h"

using namespace pt2::views;

TEST_CASE("operators have the family of what they do") {
  auto code = [](std::string_view target) { return std::string(family_code(op_family(target))); };
  CHECK(code("torch.ops.aten.conv2d.default") == "CNV");
  CHECK(code("torch.ops.aten.max_pool2d_with_indices.default") == "CNV");
  CHECK(code("torch.ops.aten.linear.default") == "MM");
  CHECK(code("torch.ops.aten.scaled_dot_product_attention.default") == "MM");
  CHECK(code("torch.ops.aten._native_batch_norm_legit_no_training.default") == "NRM");
  CHECK(code("torch.ops.aten.relu_.default") == "ACT");
  CHECK(code("torch.ops.aten.add_.Tensor") == "EW");
  CHECK(code("torch.ops.aten.__and__.Tensor") == "EW");
  CHECK(code("torch.ops.aten.upsample_bilinear2d.vec") == "SHP");
  CHECK(code("torch.ops.aten.view.dtype") == "SHP");
  CHECK(code("torch.ops.aten.mean.dim") == "RED");
  CHECK(code("torch.ops.quantized_decomposed.quantize_per_tensor.default") == "Q");
  CHECK(code("torch.ops.higher_order.cond") == "CTL");
  CHECK(code("_operator.getitem") == "CTL");
  CHECK(code("torch.sym_max") == "CTL");
  CHECK(code("torch.ops.aten.normal_.default") == "···");
  CHECK(code("torch.ops.mylib.foo.default") == "···");
}

TEST_CASE("targets are shown without torch.ops") {
  CHECK(short_target("torch.ops.aten.conv2d.default") == "aten.conv2d.default");
  CHECK(short_target("_operator.getitem") == "operator.getitem");
  CHECK(target_base("torch.ops.aten.add.Tensor") == "aten.add");
  CHECK(target_base("torch.ops.higher_order.cond") == "higher_order.cond");
  CHECK(target_base("torch.sym_max") == "torch.sym_max");
}

TEST_CASE("a glob's star stands for any text") {
  CHECK(glob_match("aten.*conv*", "aten.convolution"));
  CHECK(glob_match("*", ""));
  CHECK(glob_match("a*b*c", "a__b_b_c"));
  CHECK_FALSE(glob_match("a*b*c", "a__b_b_"));
  CHECK(glob_match("?b", "ab"));
}
