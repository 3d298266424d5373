// gather and scatter: one index per element, along one dimension; and index_add, index_copy …: one index per slice.
#include <cstring>
#include <limits>

#include "interp/lines.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/indexing.h"
#include "interp/ops/pointwise.h"
#include "interp/ops/view.h"

namespace pt2::interp {

namespace {

void check_index(const Tensor& index, std::string_view name) {
  check(index.dtype == DType::Int64 || index.dtype == DType::Int32, name, "(): Expected dtype int32/int64 for index");
}
Tensor at_least_1d(const Tensor& t) { return t.dim() == 0 ? unsqueeze(t, 0) : t; }

// `tensor` cut to the sizes of `index`, except in `dim`, which stays whole or is cut too.
Tensor cut_to(const Tensor& tensor, const Tensor& index, int64_t dim, bool cut_dim, std::string_view name, std::string_view what) {
  check(tensor.dim() == index.dim(), name, "(): Index tensor must have the same number of dimensions as ", what, " tensor");
  Tensor result = tensor;
  for (int64_t d = 0; d < tensor.dim(); ++d) {
    if (d == dim && !cut_dim) continue;
    check(index.sizes[d] <= tensor.sizes[d], name, "(): Expected index ", index.sizes, " to be no larger than ", what, " ", tensor.sizes, " apart from dimension ", dim);
    result.sizes[d] = index.sizes[d];
  }
  return result;
}

int64_t in_range(int64_t index, int64_t size, int64_t dim) {
  check(index >= 0 && index < size, "index ", index, " is out of bounds for dimension ", dim, " with size ", size);
  return index;
}

enum class Reduce { Assign, Add, Multiply, Mean, Max, Min };

template <class C>
C combine(Reduce reduce, C a, C b) {
  switch (reduce) {
    case Reduce::Add:
    case Reduce::Mean: return wrapping_add(a, b);
    case Reduce::Multiply: return wrapping_multiply(a, b);
    case Reduce::Max: if constexpr (!std::is_same_v<C, Complex>) return nan_max(a, b); else return b;
    case Reduce::Min: if constexpr (!std::is_same_v<C, Complex>) return nan_min(a, b); else return b;
    default: return b;
  }
}

// Writes src to self along `dim` at the indices; `self` is the result already.
void scatter_into(const Tensor& self_, int64_t dim, const Tensor& index_, const Tensor& src_, Reduce reduce, bool include_self, std::string_view name) {
  check_index(index_, name);
  if (index_.numel() == 0) return;
  const Tensor self = at_least_1d(self_), index = at_least_1d(index_), src = at_least_1d(src_);
  dim = normalize_dim(dim, self.dim());
  check(self.dtype == src.dtype, name, "(): Expected self.dtype to be equal to src.dtype");
  const Tensor target = cut_to(self, index, dim, false, name, "self"), source = cut_to(src, index, dim, true, name, "src");
  // All indices are checked before the first store.
  checked_indices(index, self.sizes[dim], dim);
  const Tensor* tensors[] = {&index, &source, &target};
  if (reduce == Reduce::Assign) {
    const int64_t item = item_size(self.dtype);
    for_each_line(tensors, dim, [&](std::span<const Line> lines) {
      const Scratch<int64_t> at(lines[0].size);
      lines[0].read(at.data());
      for (int64_t i = 0; i < at.size(); ++i)
        std::memcpy(lines[2].data + in_range(at[i], lines[2].size, dim) * lines[2].stride_bytes, lines[1].data + i * lines[1].stride_bytes, static_cast<size_t>(item));
    });
    return;
  }
  if (reduce == Reduce::Max || reduce == Reduce::Min) check(!is_complex(self.dtype), name, "(): complex numbers have no order");
  dispatch(NumberTypes(), self.dtype, name, [&]<class C>() {
    for_each_line(tensors, dim, [&](std::span<const Line> lines) {
      const Scratch<int64_t> at(lines[0].size);
      const Scratch<C> from(lines[1].size), to(lines[2].size);
      lines[0].read(at.data());
      lines[1].read(from.data());
      lines[2].read(to.data());
      std::vector<int64_t> count(static_cast<size_t>(to.size()), include_self ? 1 : 0);
      for (int64_t i = 0; i < at.size(); ++i) {
        const int64_t place = in_range(at[i], to.size(), dim);
        to[place] = count[place] == 0 ? from[i] : combine(reduce, to[place], from[i]);
        ++count[place];
      }
      if (reduce == Reduce::Mean) {
        for (int64_t i = 0; i < to.size(); ++i) {
          if (count[i] <= 1) continue;
          if constexpr (std::is_same_v<C, int64_t>) to[i] = to[i] / count[i] - (to[i] % count[i] < 0 ? 1 : 0);
          else to[i] /= C(static_cast<double>(count[i]));
        }
      }
      lines[2].write(to.data());
    });
  });
}

Tensor scattered(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, Reduce reduce, std::string_view name, bool include_self = true) {
  Tensor result = to_dtype(self, self.dtype, MemoryFormat::Contiguous);
  scatter_into(result, dim, index, src, reduce, include_self, name);
  return result;
}
Tensor spread(const Tensor& self, const Tensor& index, const Scalar& value) {
  check_convertible(value, self.dtype);
  return expand_to(full({}, self.dtype, value), index.sizes);
}
Reduce add_or_multiply(std::string_view reduce) {
  check(reduce == "add" || reduce == "multiply", "reduce argument must be either add or multiply.");
  return reduce == "add" ? Reduce::Add : Reduce::Multiply;
}
Reduce reduction_named(std::string_view reduce) {
  if (reduce == "sum") return Reduce::Add;
  if (reduce == "prod") return Reduce::Multiply;
  if (reduce == "mean") return Reduce::Mean;
  if (reduce == "amax") return Reduce::Max;
  check(reduce == "amin", "reduce argument must be either sum, prod, mean, amax or amin, got ", reduce);
  return Reduce::Min;
}

Tensor scatter_src(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) { return scattered(self, dim, index, src, Reduce::Assign, "scatter"); }
Tensor scatter_value(const Tensor& self, int64_t dim, const Tensor& index, Scalar value) {
  return scattered(self, dim, index, spread(self, index, value), Reduce::Assign, "scatter");
}
Tensor scatter_reduced(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce) {
  return scattered(self, dim, index, src, add_or_multiply(reduce), "scatter");
}
Tensor scatter_value_reduced(const Tensor& self, int64_t dim, const Tensor& index, Scalar value, std::string_view reduce) {
  return scattered(self, dim, index, spread(self, index, value), add_or_multiply(reduce), "scatter");
}
Tensor scatter_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) { return scattered(self, dim, index, src, Reduce::Add, "scatter_add"); }
Tensor scatter_reduce(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce, bool include_self) {
  return scattered(self, dim, index, src, reduction_named(reduce), "scatter_reduce", include_self);
}

Tensor gather_op(const Tensor& self, int64_t dim, const Tensor& index, bool) { return gather(self, dim, index); }
Tensor take_along_dim(const Tensor& self, const Tensor& given, std::optional<int64_t> dim) {
  check(given.dtype == DType::Int64, "torch.take_along_dim(): dtype of indices should be Long but got ", scalar_type_name(given.dtype));
  if (!dim) return gather(reshape(self, Shape{-1}), 0, reshape(given, Shape{-1}));
  check(self.dim() == given.dim(), "torch.take_along_dim(): input and indices should have the same number of dimensions, but got ", self.dim(),
        " dimensions for input, and ", given.dim(), " dimensions for indices");
  const int64_t d = normalize_dim(*dim, self.dim()), size = self.dim() == 0 ? 1 : self.sizes[d];
  // Along a dimension indices wrap around.
  const Tensor indices = map<IntTypes>({"take_along_dim", given.dtype, given.dtype}, [size](int64_t i) { return size > 0 ? (i % size + size) % size : i; }, given);
  Shape a = self.sizes, b = indices.sizes;
  if (self.dim() > 0) a[d] = b[d] = 1;
  Shape self_sizes = broadcast_shapes(a, b), index_sizes = self_sizes;
  if (self.dim() > 0) self_sizes[d] = self.sizes[d], index_sizes[d] = indices.sizes[d];
  return gather(expand_to(self, self_sizes), d, expand_to(indices, index_sizes));
}

// ---- One index per slice

Tensor slice_index(const Tensor& self, int64_t dim, const Tensor& index, std::string_view name) {
  check(index.dim() <= 1, name, "(): Index is supposed to be a vector, but got dim: ", index.dim());
  check_index(index, name);
  const Tensor flat = to_dtype(reshape(index, Shape{-1}), DType::Int64, MemoryFormat::Contiguous);
  for (int64_t i = 0; i < flat.numel(); ++i) {
    const int64_t at = flat.data<int64_t>()[i];
    check(at >= 0 && at < self.sizes[dim], name, "(): index ", at, " is out of bounds for dimension ", dim, " with size ", self.sizes[dim]);
  }
  return flat;
}

// Calls step(slice of the result, slice of the source) for every index.
template <class Step>
Tensor by_slices(const Tensor& self_, int64_t dim, const Tensor& index, const Tensor& source_, std::string_view name, Step step) {
  check(self_.dtype == source_.dtype, name, "(): self and source expected to have the same dtype, but got (self) ", scalar_type_name(self_.dtype), " and (source) ",
        scalar_type_name(source_.dtype));
  Tensor result = to_dtype(self_, self_.dtype, MemoryFormat::Contiguous);
  const Tensor self = at_least_1d(result), source = at_least_1d(source_);
  dim = normalize_dim(dim, self.dim());
  const Tensor places = slice_index(self, dim, index, name);
  check(source.dim() == self.dim() && source.sizes[dim] == places.numel(), name, "(): Number of indices (", places.numel(), ") should be equal to source.size(dim) for dim: ", dim,
        ", source ", source.sizes);
  for (int64_t d = 0; d < self.dim(); ++d)
    check(d == dim || self.sizes[d] == source.sizes[d], name, "(): Source/destination tensor must have same slice shapes. Destination slice shape: ", self.sizes, " at dimension ",
          dim, " and source slice shape: ", source.sizes);
  for (int64_t i = 0; i < places.numel(); ++i) {
    throw_if_stopped();
    step(select(self, dim, places.data<int64_t>()[i]), select(source, dim, i));
  }
  return result;
}
Tensor index_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, Scalar alpha) {
  const Signature signature{"index_add", self.dtype, self.dtype};
  return by_slices(self, dim, index, source, "index_add", [&](const Tensor& to, const Tensor& from) {
    map_into<NumberTypes>(to, signature, [&](auto a, auto b) { return wrapping_add(a, wrapping_multiply(b, alpha.to<decltype(a)>())); }, to, from);
  });
}
Tensor index_copy(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source) {
  return by_slices(self, dim, index, source, "index_copy", [](const Tensor& to, const Tensor& from) { copy_into(to, from); });
}
Tensor index_reduce(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce, bool include_self) {
  check(reduce == "prod" || reduce == "mean" || reduce == "amax" || reduce == "amin", "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got ", reduce, ".");
  check(index.dim() <= 1, "index_reduce(): Index is supposed to be a vector, but got dim: ", index.dim());
  // The same as scatter_reduce with the index spread over the slices.
  const Tensor rows = at_least_1d(source);
  const int64_t d = normalize_dim(dim, rows.dim());
  check(rows.sizes[d] == index.numel(), "index_reduce(): Number of indices (", index.numel(), ") should be equal to source.size(dim): (", rows.sizes[d], "), for dim: ", d);
  Shape one(rows.sizes.size(), 1);
  one[d] = index.numel();
  return scattered(self, d, expand_to(reshape(index, one), rows.sizes), rows, reduction_named(reduce), "index_reduce", include_self);
}
Tensor index_fill_tensor(const Tensor& self_, int64_t dim, const Tensor& index, const Tensor& value) {
  check(value.dim() == 0, "index_fill_ only supports a 0-dimensional value tensor, but got tensor with ", value.dim(), " dimension(s).");
  Tensor result = to_dtype(self_, self_.dtype);
  const Tensor self = at_least_1d(result);
  dim = normalize_dim(dim, self.dim());
  const Tensor places = checked_indices(reshape(index, Shape{-1}), self.sizes[dim], dim);
  for (int64_t i = 0; i < places.numel(); ++i) copy_into(select(self, dim, places.data<int64_t>()[i]), value);
  return result;
}
Tensor index_fill_scalar(const Tensor& self, int64_t dim, const Tensor& index, Scalar value) {
  check_convertible(value, self.dtype);
  return index_fill_tensor(self, dim, index, wrapped_scalar(value));
}

}  // namespace

Tensor gather(const Tensor& self_, int64_t dim, const Tensor& index_) {
  if (index_.numel() > 0) check_index(index_, "gather");
  Tensor result = empty(index_.sizes, self_.dtype);
  const Tensor self = at_least_1d(self_), index = at_least_1d(index_), out = at_least_1d(result);
  dim = normalize_dim(dim, self.dim());
  if (index_.numel() == 0) return result;
  const Tensor source = cut_to(self, index, dim, false, "gather", "input");
  const int64_t item = item_size(self.dtype);
  const Tensor* tensors[] = {&index, &source, &out};
  for_each_line(tensors, dim, [&](std::span<const Line> lines) {
    const Scratch<int64_t> at(lines[0].size);
    lines[0].read(at.data());
    for (int64_t i = 0; i < at.size(); ++i)
      std::memcpy(lines[2].data + i * lines[2].stride_bytes, lines[1].data + in_range(at[i], lines[1].size, dim) * lines[1].stride_bytes, static_cast<size_t>(item));
  });
  return result;
}

void add_scatter_ops(OpTable& ops) {
  ops.add("aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor", gather_op);
  ops.add("aten::take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor", take_along_dim);
  ops.add("aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", scatter_src);
  ops.add("aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor", scatter_value);
  ops.add("aten::scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor", scatter_reduced);
  ops.add("aten::scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor", scatter_value_reduced);
  ops.add("aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", scatter_add);
  ops.add("aten::scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) -> Tensor", scatter_reduce);
  ops.add("aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor", index_add);
  ops.add("aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor", index_copy);
  ops.add("aten::index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> Tensor", index_reduce);
  ops.add("aten::index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor", index_fill_scalar);
  ops.add("aten::index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor", index_fill_tensor);
}

}  // namespace pt2::interp
