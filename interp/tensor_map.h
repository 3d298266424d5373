#pragma once
// Element-by-element loops over tensors of any strides, with broadcasting: what PyTorch calls TensorIterator. A kernel gives a function of
// elements (or of blocks of elements); shapes, type conversion, output layout, blocks and threads are here.
//
//   Tensor result = map<RealTypes>(common, common, op, self, other);     op(a, b) for float, double or int64_t
//
#include <array>
#include <concepts>
#include <initializer_list>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/convert.h"
#include "interp/function_ref.h"
#include "interp/parallel.h"
#include "interp/promote.h"
#include "interp/shapes.h"

namespace pt2::interp {

using Complex = std::complex<double>;

// ---- Strided loops --------------------------------------------------------------------------------------------------------------------

// Dimensions from the innermost; neighbours that are dense for every operand are one. strides[operand][dimension] in bytes.
struct StridedLoop {
  Shape sizes;
  std::vector<Shape> strides;
  std::vector<std::byte*> data;

  int64_t numel() const;
};
// A loop over `sizes` to which every tensor broadcasts. The dimensions are put in the order of the tensors' strides, the first tensor's first.
StridedLoop strided_loop(std::span<const int64_t> sizes, std::span<const Tensor* const> tensors);
// The same with dimensions in their own order: where the order of the elements matters.
StridedLoop ordered_loop(std::span<const int64_t> sizes, std::span<const Tensor* const> tensors);

// Calls row(pointers, strides_bytes, count) for every row of elements [begin, end) of the loop, in order.
using RowFunction = FunctionRef<void(std::byte* const* pointers, const int64_t* strides_bytes, int64_t count)>;
void for_each_row(const StridedLoop& loop, int64_t begin, int64_t end, RowFunction row);
// The same on all cores.
void parallel_rows(const StridedLoop& loop, RowFunction row);

// The strides PyTorch gives the result of an element-by-element operator: the inputs' layout, channels last and permutations kept.
Shape result_strides(std::span<const int64_t> sizes, std::span<const Tensor* const> inputs);

// ---- Blocks of compute types ----------------------------------------------------------------------------------------------------------

struct BlockOperand {
  const Tensor* tensor;
  Compute compute;                  // what the block function sees
  DType rounded = DType::Unknown;   // inputs: the common dtype the values pass through first
};
// Calls body(buffers, count), buffers dense and in the order of the operands, outputs first. A buffer of an input may be the tensor's own
// memory: it is not to be written. Outputs may be the inputs themselves, element for element.
using BlockFunction = FunctionRef<void(void* const* buffers, int64_t count)>;
void map_blocks(std::span<const int64_t> sizes, std::span<const BlockOperand> operands, int outputs, BlockFunction body, int64_t grain = kElementGrain);

// ---- Functions of elements ------------------------------------------------------------------------------------------------------------

template <class... T>
struct Types {};
using FloatTypes = Types<float, double>;
using RealTypes = Types<float, double, int64_t>;
using NumberTypes = Types<float, double, int64_t, Complex>;
using FieldTypes = Types<float, double, Complex>;
using IntTypes = Types<int64_t>;

// Calls visit.template operator()<T>() with the compute type of `dtype`; throws "name" not implemented for 'Long' where it is not in the list.
template <class... T, class Visit>
void dispatch(Types<T...>, DType dtype, std::string_view name, Visit&& visit) {
  const Compute compute = compute_type(dtype);
  const bool found = ((compute == compute_of<T>() ? (visit.template operator()<T>(), true) : false) || ...);
  check(found, "\"", name, "\" not implemented for '", scalar_type_name(dtype), "'");
}

// What an operator computes in and gives.
struct Signature {
  std::string_view name;
  DType common, result;
  // Multiplication and division: an operand of one element is not rounded to a half-precision common type, but taken as it is.
  bool precise_scalars = false;
};

// A result of the shape and layout the inputs give.
template <class... In>
Tensor map_result(DType dtype, const In&... inputs) {
  const std::array<const Tensor*, sizeof...(In)> all{&inputs...};
  Shape sizes = all[0]->sizes;
  for (size_t i = 1; i < all.size(); ++i) sizes = broadcast_shapes(sizes, all[i]->sizes);
  return empty_strided(sizes, result_strides(sizes, all), dtype);
}

namespace detail {
template <class T, size_t>
using Same = T;
BlockOperand input_operand(const Tensor& tensor, Compute compute, const Signature& signature);
}

// Float8 types are for storing: PyTorch compares and copies them, but does not compute in them.
void check_computable(const Signature& signature);

// Writes op(inputs …) to every element of `result`.
template <class List, class Op, class... In>
void map_into(const Tensor& result, const Signature& signature, Op op, const In&... inputs) {
  check_computable(signature);
  dispatch(List(), signature.common, signature.name, [&]<class C>() {
    [&]<size_t... I>(std::index_sequence<I...>) {
      using R = decltype(op(detail::Same<C, I>()...));
      const BlockOperand operands[] = {{&result, compute_of<R>()}, detail::input_operand(inputs, compute_of<C>(), signature)...};
      map_blocks(result.sizes, operands, 1, [&](void* const* buffers, int64_t count) {
        R* out = static_cast<R*>(buffers[0]);
        const std::array<const C*, sizeof...(In)> in{static_cast<const C*>(buffers[I + 1])...};
        for (int64_t i = 0; i < count; ++i) out[i] = op(in[I][i]...);
      });
    }(std::index_sequence_for<In...>());
  });
}

template <class List, class Op, class... In>
Tensor map(const Signature& signature, Op op, const In&... inputs) {
  Tensor result = map_result(signature.result, inputs...);
  map_into<List>(result, signature, op, inputs...);
  return result;
}

// A copy in another dtype (Unknown: the same), and layout.
Tensor to_dtype(const Tensor& tensor, DType dtype, MemoryFormat format = MemoryFormat::Preserve);
// Itself where it has that dtype, is contiguous, or both; else such a copy. Only for reading: the memory may be the argument's.
Tensor as_dtype(const Tensor& tensor, DType dtype);
Tensor as_contiguous(const Tensor& tensor);
Tensor as_contiguous(const Tensor& tensor, DType dtype);
// Writes `from`, broadcast and converted, over `to`; overlapping memory is handled.
void copy_into(const Tensor& to, const Tensor& from);

// Throws where nothing may be written through `tensor` because several of its elements are one.
void check_writable(const Tensor& tensor);
bool memory_overlaps(const Tensor& a, const Tensor& b);

}  // namespace pt2::interp
