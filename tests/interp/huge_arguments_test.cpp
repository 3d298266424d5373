// Numbers no tensor can have are refused before they are computed with, and before memory is asked for.
#include <doctest/doctest.h>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/op_table.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

constexpr int64_t kHuge = int64_t{1} << 62;

RuntimeValue ints(std::vector<int64_t> numbers) {
  std::vector<RuntimeValue> items;
  for (int64_t n : numbers) items.emplace_back(n);
  return make_list(std::move(items));
}

// Runs an operator with a budget of 64 MiB; the arguments not given are the defaults.
std::string refusal(std::string_view target, std::vector<RuntimeValue> arguments) {
  const Op* op = builtin_ops().find(target);
  REQUIRE(op);
  for (size_t i = arguments.size(); i < op->defaults.size(); ++i) arguments.push_back(op->defaults[i]);
  KernelContext context;
  context.memory = std::make_shared<MemoryBudget>(size_t{64} << 20);
  ContextScope scope(context);
  try {
    op->call(context, arguments);
  } catch (const KernelError& error) {
    return error.message();
  }
  return "";
}

}  // namespace

TEST_CASE("strides, paddings and dilations beyond any tensor are refused") {
  const int64_t image[] = {1, 1, 4, 4}, kernel[] = {1, 1, 3, 3};
  const RuntimeValue x = zeros(image, DType::Float32), w = zeros(kernel, DType::Float32), none;
  const char* words = "is beyond any tensor";
  CHECK(refusal("aten.constant_pad_nd.default", {x, ints({kHuge, kHuge})}).find(words) != std::string::npos);
  CHECK(refusal("aten.reflection_pad2d.default", {x, ints({kHuge, 0, 0, 0})}).find(words) != std::string::npos);
  for (size_t where = 3; where < 6; ++where) {  // stride, padding, dilation
    std::vector<RuntimeValue> arguments{x, w, none, ints({1, 1}), ints({0, 0}), ints({1, 1})};
    arguments[where] = ints({INT64_MAX, 1});
    CHECK(refusal("aten.conv2d.default", arguments).find(words) != std::string::npos);
    CHECK(refusal("aten.max_pool2d.default", {x, ints({2, 2}), arguments[3], arguments[4], arguments[5]}).find(words) != std::string::npos);
  }
  CHECK(refusal("aten.im2col.default", {x, ints({2, 2}), ints({1, 1}), ints({kHuge, 0}), ints({1, 1})}).find(words) != std::string::npos);
}

TEST_CASE("a resized image that does not fit the budget is refused before its weights are made") {
  const int64_t image[] = {1, 1, 4, 4};
  const RuntimeValue x = zeros(image, DType::Float32);
  for (const char* target : {"aten._upsample_bicubic2d_aa.default", "aten.upsample_bilinear2d.default", "aten.upsample_nearest2d.default"}) {
    CAPTURE(target);
    std::vector<RuntimeValue> arguments{x, ints({4, int64_t{1} << 40})};
    if (std::string_view(target).find("nearest") == std::string_view::npos) arguments.emplace_back(false);
    CHECK_FALSE(refusal(target, arguments).empty());
  }
}

TEST_CASE("combinations and ranges without end are refused before they are made") {
  const int64_t fifty[] = {50};
  const RuntimeValue x = zeros(fifty, DType::Float32);
  CHECK(refusal("aten.combinations.default", {x, int64_t{25}}).find("combinations: there are too many") == std::string::npos);  // counted, but no room
  CHECK_FALSE(refusal("aten.combinations.default", {x, int64_t{25}}).empty());
  CHECK(refusal("aten.combinations.default", {x, int64_t{1000}, true}) == "combinations: there are too many");
  CHECK_FALSE(refusal("aten.combinations.default", {x, kHuge, true}).empty());
  CHECK_FALSE(refusal("aten.range.step", {0.0, 1e300, 1.0}).empty());
  CHECK_FALSE(refusal("aten._chunk_cat.default", {make_list({x}), int64_t{0}, kHuge}).empty());
}
