#pragma once
// Values as text for other programs: Python lists, a torch.tensor(...) that gives the same tensor back, tab-separated values.
#include <string>

#include "core/base/result.h"
#include "core/tensor/tensor.h"

namespace pt2::views {

inline constexpr int64_t kMaxCodeElements = 1'000'000;

// Each is an error for more elements than kMaxCodeElements.
// Nested lists as tolist() prints them: "[[1.0, nan], [2.0, inf]]"; rows on lines of their own.
Result<std::string> list_text(const Tensor& tensor);
// "torch.tensor([[1.0, float('nan')]], dtype=torch.float32)": evaluates to the same values, dtype and shape.
Result<std::string> torch_text(const Tensor& tensor);
// A row a line; of more than two dimensions the last is the column and all others are rows.
Result<std::string> tsv_text(const Tensor& tensor);
// "float('inf')", "complex(1.0, float('nan'))", "True".
std::string python_element(DType dtype, const std::byte* bytes);

}  // namespace pt2::views
