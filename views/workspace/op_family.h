#pragma once
// What kind of work an operator does: the colour and the code of its box. The table is assets/op_families.tsv.
#include <cstdint>
#include <string>
#include <string_view>

namespace pt2::views {

enum class OpFamily : uint8_t { Convolution, Matrix, Normalization, Activation, Elementwise, Shape, Reduction, Quantization, Control, InputOutput, Other };
inline constexpr int kOpFamilyCount = 11;

// `target` as Node::target has it: "torch.ops.aten.conv2d.default", "_operator.getitem", "torch.sym_max".
OpFamily op_family(std::string_view target);
std::string_view family_code(OpFamily family);  // "CNV"; "···" for Other
std::string_view family_name(OpFamily family);  // "Convolution, pooling"

// The target as people write it: "aten.conv2d.default", "operator.getitem", "higher_order.cond".
std::string_view short_target(std::string_view target);
// Without its overload: "aten.conv2d"; names without overload stay.
std::string_view target_base(std::string_view target);

// `*` stands for any text (also none), `?` for one character.
bool glob_match(std::string_view pattern, std::string_view text);

}  // namespace pt2::views
