#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>

#include "core/load.h"
#include "tests/support/tensors.h"
#include "views/workspace/document.h"
#include "views/workspace/flops.h"
#include "views/workspace/labels.h"
#include "views/workspace/overlay.h"
#include "views/workspace/quantization.h"
#include "views/workspace/graph_scene.h"
#include "views/workspace/run_facts.h"
#include "views/workspace/scope_tree.h"
#include "views/workspace/text_metrics.h"

using namespace pt2;
using namespace pt2::views;

TEST_CASE("overlays tell facts of the file by node") {
  auto file = open_file(PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2");
  REQUIRE(file.has_value());
  const auto program = (*file)->program();
  const NodeRef conv = find_node(*program, "conv2d"), relu = find_node(*program, "relu"), tracked = find_node(*program, "b_bn_num_batches_tracked");

  const Overlay dtype = make_overlay(*program, OverlayKind::DType);
  CHECK(dtype.text(dtype.value(conv)) == "f32");
  CHECK(dtype.text(dtype.value(tracked)) == "i64");
  CHECK(overlay_rgb(dtype, dtype.value(conv)) != overlay_rgb(dtype, dtype.value(tracked)));

  const Overlay bytes = make_overlay(*program, OverlayKind::OutputBytes);
  CHECK(bytes.value(relu) == 16 * 32 * 32 * 4);
  CHECK(bytes.part(bytes.value(relu)) == doctest::Approx(1));

  const Overlay flops = make_overlay(*program, OverlayKind::Flops);
  CHECK(flops.value(conv) == 2.0 * 16 * 32 * 32 * 3 * 9);
  CHECK(std::isnan(flops.value(relu)));  // not counted by torch.utils.flop_counter

  const Overlay time = make_overlay(*program, OverlayKind::Time);
  CHECK(std::isnan(time.value(conv)));
  OverlayRunFacts facts;
  facts.time_us = [&](NodeRef ref) { return ref == conv ? std::optional<double>(1500) : std::nullopt; };
  const Overlay ran = make_overlay(*program, OverlayKind::Time, facts);
  CHECK(ran.text(ran.value(conv)) == "1.5 ms");
  CHECK(std::isnan(ran.value(relu)));
}

TEST_CASE("zero, NaN and what is infinite have colours of their own") {
  auto file = open_file(PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2");
  REQUIRE(file.has_value());
  const auto program = (*file)->program();
  const NodeRef conv = find_node(*program, "conv2d"), norm = find_node(*program, "batch_norm"), relu = find_node(*program, "relu"), x = find_node(*program, "x");
  const double inf = std::numeric_limits<double>::infinity();
  OverlayRunFacts facts;
  facts.max_abs = [&](NodeRef ref) { return ref == conv ? std::optional(std::nan("")) : ref == norm ? std::optional(inf) : ref == relu ? std::optional(0.0) : ref == x ? std::optional(2.0) : std::nullopt; };
  Overlay overlay = make_overlay(*program, OverlayKind::MaxAbs, facts);
  CHECK(overlay.apart(overlay.value(conv)) == Apart::NaN);
  CHECK(overlay.apart(overlay.value(norm)) == Apart::Infinite);
  CHECK(overlay.apart(overlay.value(relu)) == Apart::Zero);
  CHECK(!overlay.apart(overlay.value(x)));
  CHECK(overlay.text(overlay.value(conv)) == "NaN");
  CHECK(overlay.all_high == 2);
  std::set<uint32_t> colors;
  for (const NodeRef node : {conv, norm, relu, x}) colors.insert(overlay_rgb(overlay, overlay.value(node)));
  CHECK(colors.size() == 4);
}

TEST_CASE("facts of a value tell NaN from infinities, and what is largest where no element is finite") {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  const ValueFact masked = value_fact(interp::RuntimeValue(test::floats({3}, {-inf, 1, -2})));
  CHECK(masked.nonfinite == 1);
  CHECK(masked.nan == 0);
  CHECK(std::isinf(masked.largest()));  // an Inf is larger than what is finite
  CHECK(masked.nonfinite_text() == "Inf 1 of 3");
  CHECK(value_fact(interp::RuntimeValue(test::floats({4}, {nan, nan, inf, nan}))).nonfinite_text() == "NaN 3 of 4, Inf 1");
  CHECK(std::isinf(value_fact(interp::RuntimeValue(test::floats({2}, {-inf, inf}))).largest()));
  CHECK(std::isnan(value_fact(interp::RuntimeValue(test::floats({2}, {nan, inf}))).largest()));
}

TEST_CASE("overlays have names") {
  for (int i = 0; i < kOverlayKinds; ++i) CHECK(overlay_from_name(overlay_name(OverlayKind(i))) == OverlayKind(i));
  CHECK_FALSE(overlay_from_name("colour").has_value());
}

// tests/data/make_flops.py asks torch.utils.flop_counter.
TEST_CASE("FLOPs are those that PyTorch counts") {
  auto file = open_file(PT2_TEST_DATA "/flops.pt2");
  REQUIRE(file.has_value());
  const auto program = (*file)->program();
  std::ifstream expected(PT2_TEST_DATA "/flops.tsv");
  int counted = 0;
  std::string name;
  for (double flops = 0; expected >> name >> flops; ++counted) {
    const NodeRef node = find_node(*program, name);
    REQUIRE(node.node);
    INFO(name);
    CHECK(node_flops(program->graphs[node.graph], program->node(node)).value_or(0) == flops);
  }
  CHECK(counted > 60);
}

TEST_CASE("a part of the scale is chosen and taken back") {
  auto file = open_file(PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2");
  REQUIRE(file.has_value());
  Overlay bytes = make_overlay(*(*file)->program(), OverlayKind::OutputBytes);
  bytes.set_range(std::pair(100.0, 1000.0));
  CHECK(bytes.part(100) == 0);
  CHECK(bytes.part(1000) == 1);
  CHECK(bytes.part(65536) == 1);
  bytes.set_range(std::nullopt);
  CHECK(bytes.part(65536) == doctest::Approx(1));
  CHECK(bytes.high == bytes.all_high);
}

TEST_CASE("saturated elements of quantized and fake-quantized values") {
  Quantization q;
  q.quant_min = -127, q.quant_max = 127;
  CHECK(count_saturated(test::tensor_of<int8_t>(DType::Int8, {5}, {-128, -127, 0, 127, 126}), q) == std::pair<int64_t, int64_t>{2, 1});
  CHECK(count_saturated(test::floats({2}, {1, 2}), q) == std::pair<int64_t, int64_t>{0, 0});  // what the ends stand for is not known
  q.scale = 0.5, q.zero_point = 27;
  CHECK(count_saturated(test::floats({4}, {-77, 0, 49.5f, 50}), q) == std::pair<int64_t, int64_t>{1, 1});
  q.zero_point = -127;  // the lowest stands for 0, which a ReLU gives
  CHECK(count_saturated(test::tensor_of<int8_t>(DType::Int8, {5}, {-127, -127, 0, 127, 126}), q) == std::pair<int64_t, int64_t>{0, 1});
  CHECK(count_saturated(test::floats({4}, {0, 0, 126, 127}), q) == std::pair<int64_t, int64_t>{0, 1});
  q.zero_point = 27;
  CHECK(*value_fact(interp::RuntimeValue(test::tensor_of<int8_t>(DType::Int8, {4}, {127, 127, 1, 2})), q).saturated == 0.5);
}

TEST_CASE("a folded module has the dtype and the size of what it gives, not of its weights") {
  auto file = open_file(PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2");
  REQUIRE(file.has_value());
  const auto program = (*file)->program();
  const auto tree = std::make_shared<const ScopeTree>(*program);
  GraphView view = initial_view(*program, *tree);
  expand_levels(view, *tree, 0);
  view.parameters = ParameterMode::Nodes;
  const GraphScene scene = make_scene(program, tree, view, default_measure());
  const BoxId norm = scene.box_of(find_node(*program, "batch_norm"));
  REQUIRE(norm);
  Overlay dtype = make_overlay(*program, OverlayKind::DType);
  CHECK(dtype.text(box_values(dtype, scene)[norm.index]) == "f32");
  CHECK(std::find(dtype.classes.begin(), dtype.classes.end(), "several") == dtype.classes.end());
  Overlay bytes = make_overlay(*program, OverlayKind::OutputBytes);
  CHECK(box_values(bytes, scene)[norm.index] == 16 * 32 * 32 * 4);
}

TEST_CASE("a small part is not said to be none, nor nearly everything all") {
  CHECK(part_label(0, 4896) == "0.0 %");
  CHECK(part_label(1, 4896) == "< 0.1 %");
  CHECK(part_label(2981, 4896) == "60.9 %");
  CHECK(part_label(4895, 4896) == "> 99.9 %");
  CHECK(part_label(4896, 4896) == "100.0 %");
  CHECK(part_label(0, 0) == "0.0 %");
}
