#include "core/diff/mapping.h"

#include <doctest/doctest.h>

#include "core/diff/summary.h"
#include "tests/support/test_files.h"

using namespace pt2;

namespace {

std::shared_ptr<const Program> sample(const char* name) {
  const auto file = open_file(std::string(PT2_SOURCE_DIR "/assets/samples/") + name);
  REQUIRE(file.has_value());
  return (*file)->program();
}

}  // namespace

TEST_CASE("a mapping is read as it was written, and its names become nodes") {
  const auto mapping = parse_mapping("# by hand\nconv2d = convolution\n\n relu ! relu  # no\n", "pairs.map");
  REQUIRE(mapping.has_value());
  REQUIRE(mapping->linked.size() == 1);
  CHECK(mapping->unlinked == std::vector<std::pair<std::string, std::string>>{{"relu", "relu"}});
  const auto again = parse_mapping(mapping_text(*mapping), "again");
  REQUIRE(again.has_value());
  CHECK(again->linked == mapping->linked);
  CHECK(again->unlinked == mapping->unlinked);

  const auto left = sample("conv_bn_relu.pt2"), right = sample("conv_bn_relu_decomposed.pt2");
  DiffOptions options;
  REQUIRE(apply_mapping(*mapping, *left, *right, options).has_value());
  CHECK(right->node(options.linked[0].second).name == "convolution");
  const auto unknown = apply_mapping({{{"conv2d", "nothing"}}, {}}, *left, *right, options);
  REQUIRE(!unknown.has_value());
  CHECK(unknown.error().message == "there is no node \"nothing\" in the second program");
  const auto wrong = parse_mapping("a b\n", "pairs.map");
  REQUIRE(!wrong.has_value());
  CHECK(wrong.error().where == "pairs.map:1");
}

TEST_CASE("a comparison is counted up by operator, by module and by the signatures") {
  const auto left = sample("conv_bn_relu.pt2"), right = sample("conv_bn_relu_decomposed.pt2");
  const Diff diff = diff_programs(*left, *right);
  int relu_left = 0, relu_right = 0, conv2d_right = -1;
  for (const OpChange& op : operator_counts(*left, *right)) {
    if (op.target == "torch.ops.aten.relu.default") relu_left = op.left, relu_right = op.right;
    if (op.target == "torch.ops.aten.conv2d.default") conv2d_right = op.right;
  }
  CHECK(relu_left == 1);
  CHECK(relu_right == 1);
  CHECK(conv2d_right == 0);
  const auto modules = module_counts(*left, *right, diff);
  REQUIRE(modules.size() == 3);  // bn, conv, relu
  CHECK(modules[0].path == "bn");
  CHECK(modules[0].different == 1);
  CHECK(modules[2].path == "relu");
  CHECK(modules[2].same == 1);
  const auto rows = signature_rows(*left, *right, diff);
  CHECK(std::none_of(rows.begin(), rows.end(), [](const SignatureRow& row) { return row.differs(); }));
  CHECK(std::any_of(rows.begin(), rows.end(), [](const SignatureRow& row) { return row.key == "user input 0" && row.left_name == "x" && row.left_type == "f32[1, 3, 32, 32]"; }));
}
