// Rows of a table by index.
#include <algorithm>
#include <cstring>
#include <limits>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/parallel.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

Tensor indices_of(const Tensor& indices, std::string_view name) {
  check(indices.dtype == DType::Int64 || indices.dtype == DType::Int32, "Expected tensor for argument '", name,
        "' to have one of the following scalar types: Long, Int; but got ", scalar_type_name(indices.dtype), " instead");
  return as_contiguous(indices, DType::Int64);
}

int64_t checked_row(int64_t index, int64_t rows) {
  check(index >= 0 && index < rows, "index out of range in self: index ", index, ", table of ", rows, " rows");
  return index;
}

Tensor embedding(const Tensor& weight, const Tensor& indices, int64_t, bool, bool) {
  check(weight.dim() == 2, "'weight' must be 2-D, found ", weight.dim(), "-D");
  const Tensor at = indices_of(indices, "indices"), table = as_contiguous(weight);
  Shape sizes = indices.sizes;
  sizes.push_back(weight.sizes[1]);
  const Tensor result = empty(sizes, weight.dtype);
  const size_t row_bytes = static_cast<size_t>(weight.sizes[1]) * static_cast<size_t>(item_size(weight.dtype));
  parallel_for(at.numel(), grain_for(weight.sizes[1]), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      std::memcpy(result.bytes() + static_cast<size_t>(i) * row_bytes,
                  table.bytes() + static_cast<size_t>(checked_row(at.data<int64_t>()[i], weight.sizes[0])) * row_bytes, row_bytes);
  });
  return result;
}

Tensor embedding_dense_backward(const Tensor& grad_output, const Tensor& indices, int64_t num_weights, int64_t padding_idx, bool scale_grad_by_freq) {
  const Tensor at = indices_of(indices, "indices");
  const int64_t width = grad_output.sizes.back();
  const Tensor gradient = as_contiguous(grad_output, native_dtype(compute_type(grad_output.dtype)));
  const Tensor result = zeros(Shape{num_weights, width}, gradient.dtype);
  std::vector<int64_t> frequency(scale_grad_by_freq ? static_cast<size_t>(num_weights) : 0);
  for (int64_t i = 0; i < at.numel() && scale_grad_by_freq; ++i) ++frequency[static_cast<size_t>(checked_row(at.data<int64_t>()[i], num_weights))];
  dispatch(FloatTypes(), gradient.dtype, "embedding_backward", [&]<class T>() {
    for (int64_t i = 0; i < at.numel(); ++i) {
      const int64_t row = at.data<int64_t>()[i];
      if (row == padding_idx) continue;
      T* to = result.data<T>() + checked_row(row, num_weights) * width;
      const T* from = gradient.data<T>() + i * width;
      const T scale = scale_grad_by_freq ? T(1) / static_cast<T>(frequency[static_cast<size_t>(row)]) : T(1);
      for (int64_t j = 0; j < width; ++j) to[j] += from[j] * scale;
    }
  });
  return to_dtype(result, grad_output.dtype);
}

enum class BagMode : int64_t { Sum, Mean, Max };

using Four = std::tuple<Tensor, Tensor, Tensor, Tensor>;

// Whether a gradient may be asked for: PyTorch fills what that needs.
enum class Gradient { Wanted, Never };

Four bags(Gradient gradient, const Tensor& weight, const Tensor& indices, const Tensor& offsets, int64_t mode_number, const std::optional<Tensor>& per_sample_weights,
          bool include_last_offset, int64_t padding_idx) {
  check(indices.dim() == 1 && offsets.dim() == 1, "embedding_bag: input and offsets have to be 1D Tensors, but got ", indices.dim(), "D and ", offsets.dim(), "D");
  const BagMode mode = static_cast<BagMode>(mode_number);
  check(!per_sample_weights || mode == BagMode::Sum, "embedding_bag: per_sample_weights only supported with mode='sum'");
  const Tensor at = indices_of(indices, "indices"), begins = indices_of(offsets, "offsets");
  const DType index_type = indices.dtype == DType::Int32 && offsets.dtype == DType::Int32 ? DType::Int32 : DType::Int64;
  const int64_t bag_count = offsets.sizes[0] - (include_last_offset ? 1 : 0), width = weight.sizes[1], count = at.numel();
  const DType native = native_dtype(compute_type(weight.dtype));
  const Tensor table = as_contiguous(weight, native), result = zeros(Shape{bag_count, width}, native);
  const Tensor factors = per_sample_weights ? as_contiguous(*per_sample_weights, native) : Tensor();
  // PyTorch's fast sums are of rows that lie densely, without padding.
  const bool fast = padding_idx < 0 && weight.dtype != DType::Float64 && weight.strides[1] == 1 && (!per_sample_weights || per_sample_weights->strides[0] == 1);
  // PyTorch fills what its gradient needs: sums need no bag sizes, and fast ones not even the map from indices to bags.
  const bool sums = mode == BagMode::Sum, mapped = !sums || !fast;
  const Tensor offset2bag = zeros(Shape{mapped ? count : 0}, DType::Int64);
  const Tensor bag_size = zeros(Shape{sums && gradient == Gradient::Never ? offsets.sizes[0] : bag_count}, DType::Int64);
  // Where the offsets end with a last one, fast sums stop there; all else gives the last bag whatever is left.
  const bool stops_at_last = mode != BagMode::Max && fast;
  const Tensor max_indices = mode == BagMode::Max ? zeros(Shape{bag_count, width}, DType::Int64) : bag_size;
  dispatch(FloatTypes(), native, "embedding_bag", [&]<class T>() {
    for (int64_t bag = 0; bag < bag_count; ++bag) {
      const int64_t begin = begins.data<int64_t>()[bag];
      const int64_t end = bag + 1 < bag_count ? begins.data<int64_t>()[bag + 1] : count;
      const int64_t summed_end = stops_at_last && bag + 1 < offsets.sizes[0] ? begins.data<int64_t>()[bag + 1] : end;
      check(begin >= 0 && begin <= end && end <= count && summed_end <= count, "embedding_bag: offsets must rise from 0 to ", count, ", found ", begin, " and ", end);
      T* to = result.data<T>() + bag * width;
      int64_t members = 0;
      for (int64_t i = begin; i < end; ++i) {
        if (mapped) offset2bag.data<int64_t>()[i] = bag;
        const int64_t row = checked_row(at.data<int64_t>()[i], weight.sizes[0]);
        if (row == padding_idx) continue;
        ++members;
        if (i >= summed_end) continue;
        const T* from = table.data<T>() + row * width;
        const T factor = per_sample_weights ? factors.data<T>()[i] : T(1);
        for (int64_t j = 0; j < width; ++j) {
          if (mode == BagMode::Max) {
            int64_t& where = max_indices.data<int64_t>()[bag * width + j];
            if (members == 1 || from[j] > to[j]) to[j] = from[j], where = row;
          } else {
            to[j] += from[j] * factor;
          }
        }
      }
      if (!sums) bag_size.data<int64_t>()[bag] = members;
      if (mode == BagMode::Mean && members > 0)
        for (int64_t j = 0; j < width; ++j) to[j] /= static_cast<T>(members);
    }
  });
  return {to_dtype(result, weight.dtype), to_dtype(offset2bag, index_type), to_dtype(bag_size, index_type), to_dtype(max_indices, index_type)};
}

Four embedding_bag_padding(const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool, int64_t mode, bool,
                           const std::optional<Tensor>& per_sample_weights, bool include_last_offset, std::optional<int64_t> padding_idx) {
  int64_t padding = padding_idx.value_or(-1);
  if (padding_idx && padding < 0) padding += weight.sizes[0];
  return bags(Gradient::Never, weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx ? padding : -1);
}
Four embedding_bag(const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool scale_grad_by_freq, int64_t mode, bool sparse,
                   const std::optional<Tensor>& per_sample_weights, bool include_last_offset) {
  return embedding_bag_padding(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, std::nullopt);
}
template <Gradient gradient>
Four embedding_bag_low_level(const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool, int64_t mode, bool,
                             const std::optional<Tensor>& per_sample_weights, bool include_last_offset, int64_t padding_idx) {
  return bags(gradient, weight, indices, offsets, mode, per_sample_weights, include_last_offset, padding_idx);
}

}  // namespace

void add_embedding_ops(OpTable& ops) {
  ops.add("aten::embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor", embedding);
  ops.add("aten::embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, bool scale_grad_by_freq) -> Tensor", embedding_dense_backward);
  ops.add("aten::embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False) -> (Tensor, Tensor, Tensor, Tensor)", embedding_bag);
  ops.add("aten::embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, bool include_last_offset, int? padding_idx) -> (Tensor, Tensor, Tensor, Tensor)", embedding_bag_padding);
  ops.add("aten::_embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)", embedding_bag_low_level<Gradient::Wanted>);
  ops.add("aten::_embedding_bag_forward_only(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)", embedding_bag_low_level<Gradient::Never>);
}

}  // namespace pt2::interp
