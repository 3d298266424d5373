#include "interp/unsupported.h"

#include <doctest/doctest.h>

using pt2::interp::why_unsupported;

TEST_CASE("operators that are not there for a reason say which") {
  CHECK(why_unsupported("aten._sparse_mm.default") == "sparse layouts are not evaluated");
  CHECK(why_unsupported("torch.ops.aten.to_sparse.default") == "sparse layouts are not evaluated");
  CHECK(why_unsupported("aten._nested_from_padded.default") == "nested tensors are not evaluated");
  CHECK(why_unsupported("aten.quantize_per_tensor.default") == "tensors of quantized dtypes are not evaluated");
  CHECK(why_unsupported("quantized.linear.default") == "tensors of quantized dtypes are not evaluated");
  CHECK(why_unsupported("higher_order.executorch_call_delegate") == "the delegate is code for another backend, which the program only refers to");
  CHECK(why_unsupported("higher_order.call_torchbind") == "methods of script objects are not evaluated");
  CHECK(why_unsupported("torch.ops.higher_order.triton_kernel_wrapper_functional") == "a Triton kernel is code for a GPU");
  CHECK(why_unsupported("mylib.my_operator.default").empty());
}
