#include <doctest/doctest.h>

#include "core/load.h"
#include "interp/run_report.h"

using namespace pt2;
using namespace pt2::interp;

// Expected values: ep.module()(*ep.example_inputs[0]) in PyTorch 2.13.
TEST_CASE("resize_ gives the tensor itself another shape, and views of its memory follow when it grows") {
  auto file = open_file(std::string(PT2_TEST_DATA) + "/programs/resized.pt2");
  REQUIRE(file);
  const auto report = run_program(**file, (*file)->program(), {});
  REQUIRE(report);
  REQUIRE(report->finished);
  REQUIRE(report->outputs.size() == 2);
  const auto floats = [](const RuntimeValue& value) {
    const Tensor& tensor = *value.as<Tensor>();
    return std::vector<float>(tensor.data<float>(), tensor.data<float>() + tensor.numel());
  };
  CHECK(report->outputs[0].as<Tensor>()->sizes == Shape{3, 3});
  CHECK(floats(report->outputs[0]) == std::vector<float>{0, 4, 6, 8, 0, 12, 10, 10, 10});
  CHECK(floats(report->outputs[1]) == std::vector<float>{1, 3, 4, 5, 1, 7});
}
