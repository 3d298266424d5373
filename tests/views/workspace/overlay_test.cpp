#include <doctest/doctest.h>

#include <cmath>

#include "core/load.h"
#include "views/workspace/document.h"
#include "views/workspace/overlay.h"

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
  CHECK(flops.value(relu) == 16.0 * 32 * 32);

  const Overlay time = make_overlay(*program, OverlayKind::Time);
  CHECK(std::isnan(time.value(conv)));
  OverlayRunFacts facts;
  facts.time_us = [&](NodeRef ref) { return ref == conv ? std::optional<double>(1500) : std::nullopt; };
  const Overlay ran = make_overlay(*program, OverlayKind::Time, facts);
  CHECK(ran.text(ran.value(conv)) == "1.5 ms");
  CHECK(std::isnan(ran.value(relu)));
}

TEST_CASE("overlays have names") {
  for (int i = 0; i < kOverlayKinds; ++i) CHECK(overlay_from_name(overlay_name(OverlayKind(i))) == OverlayKind(i));
  CHECK_FALSE(overlay_from_name("colour").has_value());
}
