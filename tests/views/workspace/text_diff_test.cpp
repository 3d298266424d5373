#include "views/workspace/text_diff.h"

#include <doctest/doctest.h>

#include "tests/support/json_program.h"
#include "tests/support/test_files.h"
#include "views/workspace/node_rows.h"

using namespace pt2;
using namespace pt2::views;

namespace {

std::shared_ptr<const Program> sample(const char* name) {
  const auto file = open_file(std::string(PT2_SOURCE_DIR "/assets/samples/") + name);
  REQUIRE(file.has_value());
  return (*file)->program();
}

}  // namespace

TEST_CASE("what belongs together stands in one row") {
  const auto left = sample("conv_bn_relu.pt2"), right = sample("conv_bn_relu_decomposed.pt2");
  const Diff diff = diff_programs(*left, *right);
  const FxTextOptions options;
  const TextDiff text = make_text_diff(*left, *right, diff, options);
  REQUIRE(text.rows.size() >= 5);
  CHECK(text.left[text.rows.front().left].kind == FxLine::Kind::Header);
  CHECK(text.left[text.rows.back().left].kind == FxLine::Kind::Return);
  CHECK(text.right[text.rows.back().right].kind == FxLine::Kind::Return);
  const size_t bn = diff.left_group.at({left->root(), left->root_graph().find("batch_norm")});
  const size_t row = text.row_of(bn);
  REQUIRE(row != TextDiffRow::kNone);
  CHECK(fx_line_text(*left, text.left[text.rows[row].left], options).find("batch_norm") != std::string::npos);
  CHECK(fx_line_text(*right, text.right[text.rows[row].right], options).find("_native_batch_norm_legit_no_training") != std::string::npos);
  CHECK(text.rows[row + 1].left == TextDiffRow::kNone);  // its getitems have no line on the left
  CHECK(text.rows[row + 1].group == bn);
}

TEST_CASE("inputs that are the same ones stand in one row, whatever their order") {
  auto program = [](const char* first, const char* second) {
    return test::JsonProgram().input(first, "2, 3", "buffer", first).input(second, "2, 3", "buffer", second).input("x").call("add", "aten.add.Tensor", "self=a, other=x").output("add").decode();
  };
  const auto left = program("a", "b"), right = program("c", "a");
  FxTextOptions options;
  options.placeholders = true;
  const TextDiff text = make_text_diff(*left, *right, diff_programs(*left, *right), options);
  std::vector<std::string> rows;
  for (const TextDiffRow& row : text.rows) {
    auto name = [](const Program& of, const std::vector<FxLine>& lines, size_t line) { return line == TextDiffRow::kNone ? std::string("-") : std::string(of.node(lines[line].node).name); };
    const bool input = (row.left != TextDiffRow::kNone && text.left[row.left].kind == FxLine::Kind::Placeholder) || (row.right != TextDiffRow::kNone && text.right[row.right].kind == FxLine::Kind::Placeholder);
    if (input) rows.push_back(name(*left, text.left, row.left) + " " + name(*right, text.right, row.right));
  }
  CHECK(rows == std::vector<std::string>{"a a", "b -", "x x", "- c"});
}

TEST_CASE("pieces of a line that differ are marked, the others are not") {
  auto pieces = [](std::initializer_list<const char*> texts) {
    std::vector<FxPiece> list;
    for (const char* text : texts) list.push_back({text, FxTextRole::Plain, {}});
    return list;
  };
  std::vector<uint8_t> left, right;
  mark_pieces(pieces({"y", " = ", "add", "(", "x", ", ", "1", ")"}), pieces({"y", " = ", "add", "(", "x", ", ", "2", ", ", "3", ")"}), left, right);
  CHECK(left == std::vector<uint8_t>{0, 0, 0, 0, 0, 0, 1, 0});
  CHECK(right == std::vector<uint8_t>{0, 0, 0, 0, 0, 0, 1, 1, 1, 0});
}

TEST_CASE("two nodes are held against each other row by row") {
  const auto left = sample("conv_bn_relu.pt2"), right = sample("conv_bn_relu_decomposed.pt2");
  const auto rows = node_rows(*left, {left->root(), left->root_graph().find("conv2d")}, *right, {right->root(), right->root_graph().find("convolution")});
  auto row = [&](const char* name) {
    for (const NodeRow& r : rows)
      if (r.name == name) return r;
    return NodeRow{};
  };
  CHECK(row("operator").left == "aten.conv2d.default");
  CHECK(row("operator").differs());
  CHECK(!row("shape").differs());
  CHECK(row("transposed").left.empty());
  CHECK(row("transposed").right == "False");
  CHECK(!row("module").differs());
}
