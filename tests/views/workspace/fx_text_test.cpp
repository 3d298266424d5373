#include <doctest/doctest.h>

#include "core/load.h"
#include "views/workspace/fx_text.h"

using namespace pt2;
using namespace pt2::views;

namespace {

std::shared_ptr<const Program> sample() {
  auto file = open_file(PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2");
  REQUIRE(file.has_value());
  return (*file)->program();
}

std::string text_of(const Program& program, const FxTextOptions& options, const std::vector<uint8_t>& folded = {}) {
  std::string text;
  for (const FxLine& line : fx_lines(program, options, folded)) text += fx_line_text(program, line, options) + "\n";
  return text;
}

}  // namespace

TEST_CASE("the FX text has a line for each node, with types and modules") {
  const auto program = sample();
  const std::string text = text_of(*program, {});
  CHECK(text.starts_with("def forward(self, x: f32[1,3,32,32]):\n    conv2d: f32[1,16,32,32] = aten.conv2d.default(x, p_conv_weight"));
  CHECK(text.find("   # conv\n") != text.npos);
  CHECK(text.ends_with("    return (relu,)\n"));
  CHECK(text.find("p_conv_weight: f32") == text.npos);
}

TEST_CASE("options of the FX text") {
  const auto program = sample();
  FxTextOptions options;
  options.placeholders = options.argument_names = options.full_types = true;
  options.module_comments = false;
  const std::string text = text_of(*program, options);
  CHECK(text.find("    p_conv_weight: torch.float32[16, 3, 3, 3][27, 9, 3, 1]cpu   # parameter conv.weight\n") != text.npos);
  CHECK(text.find("input=x, weight=p_conv_weight") != text.npos);
  CHECK(text.find("# conv\n") == text.npos);
}

TEST_CASE("a folded module is one line that knows its first node") {
  const auto program = sample();
  std::vector<uint8_t> folded(program->modules.modules.size());
  const ModuleId bn = program->modules.find("bn");
  REQUIRE(bn);
  folded[bn.index] = 1;
  const auto lines = fx_lines(*program, {}, folded);
  size_t found = 0;
  for (const FxLine& line : lines)
    if (line.kind == FxLine::Kind::Folded) {
      ++found;
      CHECK(line.module == bn);
      CHECK(program->node(line.node).module == bn);
      CHECK(fx_line_text(*program, line, {}) == "    # bn : BatchNorm2d, 1 node");
    }
  CHECK(found == 1);
}
