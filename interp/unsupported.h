#pragma once
#include <string_view>

namespace pt2::interp {

// Why there is no implementation of an operator, where that is for a reason: layouts and dtypes that are not evaluated, code of other devices.
// `target` as "aten.to_sparse.default", with or without "torch.ops.". Empty for any other operator.
std::string_view why_unsupported(std::string_view target);

}  // namespace pt2::interp
