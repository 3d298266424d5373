#pragma once
// Short texts of graph things for labels, tables and cards. Texts from files pass display().
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/program.h"

namespace pt2::views {

// "f32[1,16,32,32]", "f32[s77,3]"; "SymInt(s77)", "int 3", "obj pkg.Class"; "" where the file says nothing.
std::string type_label(const ValueMeta& meta);
std::string shape_label(const TensorMeta& meta);  // "[1,16,32,32]"

// An argument as Python writes it, cut into pieces so that the names in it can be followed.
struct LabelPiece {
  std::string text;
  NodeId node;  // the value the text names; none for plain text
};
std::vector<LabelPiece> argument_pieces(const Graph& graph, const Argument& argument, size_t max_pieces = 2000);
std::string argument_label(const Graph& graph, const Argument& argument);

// Last part of a qualified class name: "Conv2d" of "torch.nn.modules.conv.Conv2d".
std::string_view class_label(std::string_view type);

// ASCII letters in lower case, for comparisons that ignore case.
std::string fold_case(std::string_view text);

// "0.3984", "1.2e-07"; "12.3 ms".
std::string number_label(double value, int digits = 4);
// "60.9 %"; "< 0.1 %" and "> 99.9 %" where rounding would say none or all.
std::string part_label(int64_t part, int64_t whole);
std::string duration_label(double microseconds);

}  // namespace pt2::views
