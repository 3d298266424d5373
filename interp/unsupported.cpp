#include "interp/unsupported.h"

#include <algorithm>
#include <array>

namespace pt2::interp {

namespace {

struct Row {
  std::string_view part;  // of the target
  std::string_view reason;
};

constexpr std::string_view kSparse = "sparse layouts are not evaluated", kNested = "nested tensors are not evaluated",
                           kQuantized = "tensors of quantized dtypes are not evaluated";

// The first that fits counts.
constexpr std::array kRows = std::to_array<Row>({
    {"higher_order.executorch_call_delegate", "the delegate is code for another backend, which the program only refers to"},
    {"higher_order.aoti_call_delegate", "the delegate is code for another backend, which the program only refers to"},
    {"higher_order.call_torchbind", "methods of script objects are not evaluated"},
    {"higher_order.triton_kernel_wrapper", "a Triton kernel is code for a GPU"},
    {"sparse", kSparse},
    {"aten._coalesce", kSparse},
    {"aten.coalesce", kSparse},
    {"crow_indices", kSparse},
    {"ccol_indices", kSparse},
    {"aten.to_mkldnn", "oneDNN's own layouts are not evaluated"},
    {"nested", kNested},
    {"jagged", kNested},
    {"aten.quantize_per_", kQuantized},
    {"aten._make_per_", kQuantized},
    {"aten.int_repr", kQuantized},
    {"aten.q_", kQuantized},
    {"affine_quantized", kQuantized},
    {"quantized.", kQuantized},
});

}  // namespace

std::string_view why_unsupported(std::string_view target) {
  const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const Row& r) { return target.find(r.part) != std::string_view::npos; });
  return row == kRows.end() ? std::string_view() : row->reason;
}

}  // namespace pt2::interp
