// Means of rows that hold an Inf: what PyTorch's way of working them out gives. Expected results are those of torch 2.13.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "interp/allocation.h"
#include "interp/convert.h"
#include "interp/higher_order.h"
#include "interp/op_table.h"
#include "interp/promote.h"
#include "interp/tensor_map.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// 0, 1, … 6, 0, … with an Inf at one place.
Tensor row_with(double special, int64_t count, int64_t position, DType dtype) {
  Tensor x = empty(Shape{count}, DType::Float64);
  for (int64_t i = 0; i < count; ++i) x.data<double>()[i] = static_cast<double>(i % 7);
  x.data<double>()[position] = special;
  return to_dtype(x, dtype);
}

// The result of an operator of this number.
Tensor result_of(const char* op, std::vector<RuntimeValue> arguments, size_t number) {
  std::vector<std::pair<std::string_view, RuntimeValue>> named;
  for (RuntimeValue& value : arguments) named.emplace_back("", std::move(value));
  const RuntimeValue result = call_operator(*builtin_ops().find(op), current_context(), named);
  return to_dtype(*result.items()[number].as<Tensor>(), DType::Float64);
}

RuntimeValue ints(std::vector<RuntimeValue> values) { return make_list(std::move(values)); }
Tensor as_shape(const Tensor& t, const Shape& sizes) { return make_view(t, sizes, contiguous_strides(sizes), 0); }

// What a mean is: "nan", "inf", "-inf" or "finite".
std::string kind(double x) { return std::isnan(x) ? "nan" : std::isinf(x) ? (x < 0 ? "-inf" : "inf") : "finite"; }

}  // namespace

TEST_CASE("the mean of var_mean is Inf only where the Inf comes last") {
  for (const DType dtype : {DType::Float32, DType::Float64, DType::BFloat16, DType::Float16})
    for (const int64_t count : {1, 2, 3, 8, 17, 100, 3000})
      for (const int64_t position : {int64_t{0}, count / 2, count - 1})
        for (const double special : {kInf, -kInf}) {
          CAPTURE(count);
          CAPTURE(position);
          const std::string expected = position == count - 1 ? kind(special) : "nan";
          const Tensor row = row_with(special, count, position, dtype), inner = as_shape(row, {1, count}), outer = as_shape(row, {count, 1});
          CHECK(kind(result_of("aten.var_mean.default", {row}, 1).data<double>()[0]) == expected);
          CHECK(kind(result_of("aten.std_mean.default", {row}, 1).data<double>()[0]) == expected);
          CHECK(kind(result_of("aten.var_mean.correction", {inner, ints({1})}, 1).data<double>()[0]) == expected);
          CHECK(kind(result_of("aten.var_mean.dim", {outer, ints({0}), false}, 1).data<double>()[0]) == expected);
          CHECK(std::isnan(result_of("aten.var_mean.default", {row}, 0).data<double>()[0]));
        }
}

TEST_CASE("the mean of var_mean over an outer dimension is that of each column alone") {
  Tensor x = empty(Shape{3, 20}, DType::Float32);
  fill(x, Scalar(int64_t{1}));
  x.data<float>()[0 * 20 + 4] = x.data<float>()[1 * 20 + 5] = x.data<float>()[2 * 20 + 6] = std::numeric_limits<float>::infinity();
  const Tensor mean = result_of("aten.var_mean.correction", {x, ints({0})}, 1);
  CHECK(kind(mean.data<double>()[3]) == "finite");
  CHECK(kind(mean.data<double>()[4]) == "nan");
  CHECK(kind(mean.data<double>()[5]) == "nan");
  CHECK(kind(mean.data<double>()[6]) == "inf");
}

TEST_CASE("the mean of var_mean is finite where only the sum is not") {
  Tensor x = empty(Shape{3}, DType::Float64);
  fill(x, Scalar(1e308));
  CHECK(result_of("aten.var_mean.default", {x}, 1).data<double>()[0] == 1e308);
}

TEST_CASE("the mean of var_mean of complex numbers is that of each part") {
  Tensor x = empty(Shape{5}, DType::Complex64);
  fill(x, Scalar(int64_t{1}));
  x.data<float>()[4] = std::numeric_limits<float>::infinity();  // the real part of the third
  x.data<float>()[5] = 1;
  std::vector<std::pair<std::string_view, RuntimeValue>> named{{"", x}};
  const RuntimeValue result = call_operator(*builtin_ops().find("aten.var_mean.default"), current_context(), named);
  const auto& mean = *result.items()[1].as<Tensor>();
  CHECK(std::isnan(mean.data<float>()[0]));
  CHECK(mean.data<float>()[1] == doctest::Approx(0.2));
}

TEST_CASE("a layer's and a group's mean of a row with an Inf is NaN, a batch's is Inf") {
  for (const int64_t count : {2, 3, 9, 17, 100}) {
    const Tensor row = row_with(kInf, count, 0, DType::Float32), channel = as_shape(row, {count, 1});
    CHECK(kind(result_of("aten.native_layer_norm.default", {as_shape(row, {1, count}), ints({count}), {}, {}, 1e-5}, 1).data<double>()[0]) == "nan");
    CHECK(kind(result_of("aten.native_group_norm.default", {as_shape(row, {1, 1, count}), {}, {}, int64_t{1}, int64_t{1}, count, int64_t{1}, 1e-5}, 1).data<double>()[0]) == "nan");
    CHECK(kind(result_of("aten.native_batch_norm.default", {channel, {}, {}, {}, {}, true, 0.1, 1e-5}, 1).data<double>()[0]) == "inf");
  }
}
