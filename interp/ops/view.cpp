// Operators that look at the same memory in another way, and the variants of core ATen that copy what they see.
#include "interp/ops/view.h"

#include <algorithm>

#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

Tensor view(const Tensor& self, std::span<const int64_t> size) {
  Shape sizes = infer_size(size, self.numel());
  auto strides = view_strides(self.sizes, self.strides, sizes);
  check(strides.has_value(),
        "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use "
        ".reshape(...) instead.");
  return make_view(self, std::move(sizes), std::move(*strides), self.offset);
}

Tensor reshape(const Tensor& self, std::span<const int64_t> shape) {
  Shape sizes = infer_size(shape, self.numel());
  if (auto strides = view_strides(self.sizes, self.strides, sizes)) return make_view(self, std::move(sizes), std::move(*strides), self.offset);
  return view(to_dtype(self, self.dtype, MemoryFormat::Contiguous), sizes);
}

Tensor permute(const Tensor& self, std::span<const int64_t> dims) {
  check(static_cast<int64_t>(dims.size()) == self.dim(), "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the "
        "desired ordering of dimensions i.e. input.dim() = ", self.dim(), " is not equal to len(dims) = ", dims.size());
  Shape sizes, strides;
  std::vector<bool> seen(dims.size());
  for (int64_t dim : dims) {
    const int64_t d = normalize_dim(dim, self.dim());
    check(!seen[d], "permute(): duplicate dims are not allowed.");
    seen[d] = true;
    sizes.push_back(self.sizes[d]);
    strides.push_back(self.strides[d]);
  }
  return make_view(self, std::move(sizes), std::move(strides), self.offset);
}

Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1) {
  dim0 = normalize_dim(dim0, self.dim());
  dim1 = normalize_dim(dim1, self.dim());
  if (self.dim() == 0) return self;
  Tensor result = self;
  std::swap(result.sizes[dim0], result.sizes[dim1]);
  std::swap(result.strides[dim0], result.strides[dim1]);
  return result;
}

namespace {

Tensor movedim_list(const Tensor& self, std::span<const int64_t> source, std::span<const int64_t> destination) {
  check(source.size() == destination.size(), "movedim: Invalid source or destination dims: source (", source, " dims) should contain the same number of dims as destination (",
        destination, " dims)");
  const int64_t rank = self.dim();
  std::vector<int64_t> order(rank, -1);
  std::vector<bool> moved(rank);
  for (size_t i = 0; i < source.size(); ++i) {
    const int64_t from = normalize_dim(source[i], rank), to = normalize_dim(destination[i], rank);
    if (rank == 0) continue;
    check(!moved[from], "movedim: repeated dim in `source` (", source, ")");
    check(order[to] < 0, "movedim: repeated dim in `destination` (", destination, ")");
    moved[from] = true;
    order[to] = from;
  }
  int64_t next = 0;
  for (int64_t& from : order) {
    if (from >= 0) continue;
    while (moved[next]) ++next;
    from = next++;
  }
  return permute(self, order);
}

}  // namespace

Tensor movedim(const Tensor& self, int64_t source, int64_t destination) {
  return movedim_list(self, std::array{source}, std::array{destination});
}

Tensor unsqueeze(const Tensor& self, int64_t dim) {
  dim = normalize_dim(dim, self.dim() + 1);
  Tensor result = self;
  result.wrapped_number = false;
  int64_t stride = 1;
  if (dim < self.dim() && __builtin_mul_overflow(self.sizes[dim], self.strides[dim], &stride)) stride = self.strides[dim];
  result.sizes.insert(result.sizes.begin() + dim, 1);
  result.strides.insert(result.strides.begin() + dim, stride);
  return result;
}

namespace {

Tensor without_dims(const Tensor& self, auto&& drop) {
  Tensor result = self;
  result.sizes.clear();
  result.strides.clear();
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (self.sizes[d] == 1 && drop(d)) continue;
    result.sizes.push_back(self.sizes[d]);
    result.strides.push_back(self.strides[d]);
  }
  return result;
}

Tensor squeeze(const Tensor& self) {
  return without_dims(self, [](int64_t) { return true; });
}
Tensor squeeze_dims(const Tensor& self, std::span<const int64_t> dim) {
  if (dim.empty()) return self;
  const auto dims = normalize_dims(dim, self.dim());
  return without_dims(self, [&](int64_t d) { return std::binary_search(dims.begin(), dims.end(), d); });
}

}  // namespace

Tensor squeeze_dim(const Tensor& self, int64_t dim) {
  dim = normalize_dim(dim, self.dim());
  return without_dims(self, [&](int64_t d) { return d == dim; });
}

Tensor select(const Tensor& self, int64_t dim, int64_t index) {
  check(self.dim() > 0, "select() cannot be applied to a 0-dim tensor.");
  dim = normalize_dim(dim, self.dim());
  const int64_t size = self.sizes[dim];
  check(-size <= index && index < size, "select(): index ", index, " out of range for tensor of size ", self.sizes, " at dimension ", dim);
  if (index < 0) index += size;
  Tensor result = self;
  result.offset += index * self.strides[dim];
  result.sizes.erase(result.sizes.begin() + dim);
  result.strides.erase(result.strides.begin() + dim);
  return make_view(self, std::move(result.sizes), std::move(result.strides), result.offset);
}

Tensor slice(const Tensor& self, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step) {
  check(self.dim() > 0, "slice() cannot be applied to a 0-dim tensor.");
  dim = normalize_dim(dim, self.dim());
  check(step > 0, "slice step must be positive");
  const int64_t size = self.sizes[dim];
  int64_t begin = start.value_or(0), stop = end.value_or(INT64_MAX);
  if (begin < 0) begin += size;
  if (stop < 0) stop += size;
  begin = std::clamp<int64_t>(begin, 0, size);
  stop = std::clamp(stop, begin, size);
  Tensor result = self;
  result.offset += begin * self.strides[dim];
  result.sizes[dim] = stop == begin ? 0 : (stop - begin - 1) / step + 1;
  if (__builtin_mul_overflow(self.strides[dim], step, &result.strides[dim])) {
    check(result.sizes[dim] <= 1, "slice: the stride does not fit in 64 bits");
    result.strides[dim] = self.strides[dim];
  }
  return make_view(self, std::move(result.sizes), std::move(result.strides), result.offset);
}

Tensor narrow(const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  check(self.dim() > 0, "narrow() cannot be applied to a 0-dim tensor.");
  check(length >= 0, "narrow(): length must be non-negative.");
  const int64_t size = self.sizes[normalize_dim(dim, self.dim())];
  check(-size <= start && start <= size, "start out of range (expected to be in range of [", -size, ", ", size, "], but got ", start, ")");
  if (start < 0) start += size;
  check(start <= size - length, "start (", start, ") + length (", length, ") exceeds dimension size (", size, ").");
  return slice(self, dim, start, start + length, 1);
}

Tensor expand(const Tensor& self, std::span<const int64_t> size) { return expand_to(self, size); }

Tensor diagonal(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  dim1 = normalize_dim(dim1, self.dim());
  dim2 = normalize_dim(dim2, self.dim());
  check(self.dim() >= 2 && dim1 != dim2, "diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  const int64_t rows = self.sizes[dim1], columns = self.sizes[dim2];
  int64_t length = 0;
  if (offset >= 0) length = offset >= columns ? 0 : std::min(rows, columns - offset);
  else length = offset <= -rows ? 0 : std::min(rows + offset, columns);
  Shape sizes, strides;
  for (int64_t d = 0; d < self.dim(); ++d)
    if (d != dim1 && d != dim2) {
      sizes.push_back(self.sizes[d]);
      strides.push_back(self.strides[d]);
    }
  sizes.push_back(length);
  strides.push_back(0);
  check(!__builtin_add_overflow(self.strides[dim1], self.strides[dim2], &strides.back()), "diagonal: the stride does not fit in 64 bits");
  const int64_t start = length == 0 ? 0 : offset >= 0 ? offset * self.strides[dim2] : -offset * self.strides[dim1];
  return make_view(self, std::move(sizes), std::move(strides), self.offset + start);
}

Tensor flatten(const Tensor& self, int64_t start_dim, int64_t end_dim) {
  start_dim = normalize_dim(start_dim, self.dim());
  end_dim = normalize_dim(end_dim, self.dim());
  check(start_dim <= end_dim, "flatten() has invalid args: start_dim cannot come after end_dim");
  if (self.dim() == 0) return reshape(self, std::array<int64_t, 1>{1});
  if (start_dim == end_dim) return self;
  Shape sizes(self.sizes.begin(), self.sizes.begin() + start_dim);
  int64_t joined = 1;
  for (int64_t d = start_dim; d <= end_dim; ++d) joined *= self.sizes[d];
  sizes.push_back(joined);
  sizes.insert(sizes.end(), self.sizes.begin() + end_dim + 1, self.sizes.end());
  return reshape(self, sizes);
}

Tensor as_strided(const Tensor& self, std::span<const int64_t> size, std::span<const int64_t> stride, std::optional<int64_t> storage_offset) {
  return make_view(self, Shape(size.begin(), size.end()), Shape(stride.begin(), stride.end()), storage_offset.value_or(self.offset));
}

namespace {

Tensor alias(const Tensor& self) { return self; }
Tensor t(const Tensor& self) {
  check(self.dim() <= 2, "t() expects a tensor with <= 2 dimensions, but self is ", self.dim(), "D");
  return self.dim() < 2 ? self : transpose(self, 0, 1);
}
Tensor reversed_dims(const Tensor& self) {
  Tensor result = self;
  std::reverse(result.sizes.begin(), result.sizes.end());
  std::reverse(result.strides.begin(), result.strides.end());
  return result;
}
Tensor mT(const Tensor& self) {
  check(self.dim() >= 2, "tensor.mT is only supported on matrices or batches of matrices. Got ", self.dim(), "-D tensor.");
  return transpose(self, -2, -1);
}
Tensor matrix_H(const Tensor& self) {
  check(self.dim() == 2 || self.dim() == 0, "tensor.H is only supported on matrices (2-D tensors). Got ", self.dim(), "-D tensor.");
  const Tensor turned = self.dim() == 0 ? self : transpose(self, 0, 1);
  return is_complex(self.dtype) ? call("aten.conj.default", turned) : turned;
}
Tensor swapdims(const Tensor& self, int64_t dim0, int64_t dim1) { return transpose(self, dim0, dim1); }

Tensor expand_op(const Tensor& self, std::span<const int64_t> size, Unused) { return expand_to(self, size); }
Tensor expand_as(const Tensor& self, const Tensor& other) { return expand_to(self, other.sizes); }
Tensor view_as(const Tensor& self, const Tensor& other) { return view(self, other.sizes); }
Tensor reshape_as(const Tensor& self, const Tensor& other) { return reshape(self, other.sizes); }

Tensor view_dtype(const Tensor& self, DType dtype) {
  const int64_t from = item_size(self.dtype), to = item_size(dtype);
  check(to > 0, "view: no tensor can have the dtype ", dtype);
  Tensor result = self;
  if (from > to) {  // every element becomes several
    check(self.dim() > 0, "self.dim() cannot be 0 to view ", scalar_type_name(self.dtype), " as ", scalar_type_name(dtype), " (different element sizes)");
    check(self.strides.back() == 1, "self.stride(-1) must be 1 to view ", scalar_type_name(self.dtype), " as ", scalar_type_name(dtype),
          " (different element sizes), but got ", self.strides.back());
    const int64_t ratio = from / to;
    for (size_t d = 0; d + 1 < result.strides.size(); ++d) result.strides[d] *= ratio;
    result.sizes.back() *= ratio;
    result.offset *= ratio;
  } else if (from < to) {
    const int64_t ratio = to / from;
    check(self.dim() > 0, "self.dim() cannot be 0 to view ", scalar_type_name(self.dtype), " as ", scalar_type_name(dtype), " (different element sizes)");
    check(self.sizes.back() % ratio == 0, "self.size(-1) must be divisible by ", ratio, " to view ", scalar_type_name(self.dtype), " as ",
          scalar_type_name(dtype), " (different element sizes), but got ", self.sizes.back());
    check(self.offset % ratio == 0, "self.storage_offset() must be divisible by ", ratio);
    check(self.strides.back() == 1, "self.stride(-1) must be 1 to view ", scalar_type_name(self.dtype), " as ", scalar_type_name(dtype),
          " (different element sizes), but got ", self.strides.back());
    for (size_t d = 0; d + 1 < result.strides.size(); ++d) {
      check(result.strides[d] % ratio == 0, "self.stride(", d, ") must be divisible by ", ratio);
      result.strides[d] /= ratio;
    }
    result.sizes.back() /= ratio;
    result.offset /= ratio;
  }
  return make_view(self, std::move(result.sizes), std::move(result.strides), result.offset, dtype);
}

Tensor unflatten(const Tensor& self, int64_t dim, std::span<const int64_t> sizes) {
  check(!sizes.empty(), "unflatten: sizes must be non-empty");
  dim = normalize_dim(dim, self.dim());
  check(self.dim() > 0, "unflatten: a 0-dimensional tensor has no dimension to split");
  const Shape parts = infer_size(sizes, self.sizes[dim]);
  Shape result(self.sizes.begin(), self.sizes.begin() + dim);
  result.insert(result.end(), parts.begin(), parts.end());
  result.insert(result.end(), self.sizes.begin() + dim + 1, self.sizes.end());
  return view(self, result);
}

Tensor unfold(const Tensor& self, int64_t dimension, int64_t size, int64_t step) {
  const int64_t dim = normalize_dim(dimension, self.dim());
  const int64_t extent = self.dim() == 0 ? 1 : self.sizes[dim];
  check(size >= 0, "size is ", size, " but must be >= 0");
  check(size <= extent, "maximum size for tensor at dimension ", dim, " is ", extent, " but size is ", size);
  check(step > 0, "step is ", step, " but must be > 0");
  Tensor result = self;
  result.wrapped_number = false;
  result.sizes.push_back(size);
  result.strides.push_back(self.dim() == 0 ? 1 : self.strides[dim]);
  if (self.dim() > 0) {
    result.sizes[dim] = (extent - size) / step + 1;
    check(!__builtin_mul_overflow(self.strides[dim], step, &result.strides[dim]), "unfold: the stride does not fit in 64 bits");
  }
  return make_view(self, std::move(result.sizes), std::move(result.strides), result.offset);
}

Tensor atleast_1d(const Tensor& self) { return self.dim() == 0 ? reshape(self, std::array<int64_t, 1>{1}) : self; }
Tensor atleast_2d(const Tensor& self) {
  if (self.dim() == 0) return reshape(self, std::array<int64_t, 2>{1, 1});
  return self.dim() == 1 ? unsqueeze(self, 0) : self;
}
Tensor atleast_3d(const Tensor& self) {
  if (self.dim() == 0) return reshape(self, std::array<int64_t, 3>{1, 1, 1});
  if (self.dim() == 1) return unsqueeze(unsqueeze(self, 0), -1);
  return self.dim() == 2 ? unsqueeze(self, -1) : self;
}
template <Tensor (*each)(const Tensor&)>
std::vector<Tensor> of_each(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> result;
  for (const Tensor& tensor : tensors) result.push_back(each(tensor));
  return result;
}

// ---- Variants of core ATen that copy

Tensor copied(const Tensor& seen) { return to_dtype(seen, seen.dtype, MemoryFormat::Contiguous); }
template <auto view_function, class... A>
Tensor copy_of(const Tensor& self, A... arguments) { return copied(view_function(self, arguments...)); }
using Ints = std::span<const int64_t>;
using MaybeInt = std::optional<int64_t>;

}  // namespace

void add_view_ops(OpTable& ops) {
  ops.add("aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)", view);
  ops.add("aten::view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)", view_dtype);
  ops.add("aten::_unsafe_view(Tensor self, SymInt[] size) -> Tensor", view);
  ops.add("aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)", reshape);
  ops.add("aten::view_as(Tensor(a) self, Tensor other) -> Tensor(a)", view_as);
  ops.add("aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)", reshape_as);
  ops.add("aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)", permute);
  ops.add("aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", transpose);
  ops.add("aten::swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a)", swapdims);
  ops.add("aten::swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)", swapdims);
  ops.add("aten::t(Tensor(a) self) -> Tensor(a)", t);
  ops.add("aten::numpy_T(Tensor(a) self) -> Tensor(a)", reversed_dims);
  ops.add("aten::mT(Tensor(a) self) -> Tensor(a)", mT);
  ops.add("aten::matrix_H(Tensor(a) self) -> Tensor(a)", matrix_H);
  ops.add("aten::movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)", movedim);
  ops.add("aten::movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)", movedim_list);
  ops.add("aten::moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a)", movedim);
  ops.add("aten::moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)", movedim_list);
  ops.add("aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", unsqueeze);
  ops.add("aten::squeeze(Tensor(a) self) -> Tensor(a)", squeeze);
  ops.add("aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", squeeze_dim);
  ops.add("aten::squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)", squeeze_dims);
  ops.add("aten::select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)", select);
  ops.add("aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)", slice);
  ops.add("aten::narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)", narrow);
  ops.add("aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)", expand_op);
  ops.add("aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)", expand_as);
  ops.add("aten::broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)", expand);
  ops.add("aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)", diagonal);
  ops.add("aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)", flatten);
  ops.add("aten::unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)", unflatten);
  ops.add("aten::unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)", unfold);
  ops.add("aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)", as_strided);
  ops.add("aten::alias(Tensor(a) self) -> Tensor(a)", alias);
  ops.add("aten::detach(Tensor(a) self) -> Tensor(a)", alias);
  ops.add("aten::atleast_1d(Tensor self) -> Tensor", atleast_1d);
  ops.add("aten::atleast_2d(Tensor self) -> Tensor", atleast_2d);
  ops.add("aten::atleast_3d(Tensor self) -> Tensor", atleast_3d);
  ops.add("aten::atleast_1d.Sequence(Tensor[] tensors) -> Tensor[]", of_each<atleast_1d>);
  ops.add("aten::atleast_2d.Sequence(Tensor[] tensors) -> Tensor[]", of_each<atleast_2d>);
  ops.add("aten::atleast_3d.Sequence(Tensor[] tensors) -> Tensor[]", of_each<atleast_3d>);

  // In place they change how the tensor looks, not what is in memory: the result is the tensor from then on.
  ops.add("aten::t_(Tensor(a!) self) -> Tensor(a!)", t);
  ops.add("aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)", transpose);
  ops.add("aten::swapdims_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)", swapdims);
  ops.add("aten::swapaxes_(Tensor(a!) self, int axis0, int axis1) -> Tensor(a!)", swapdims);
  ops.add("aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)", unsqueeze);
  ops.add("aten::squeeze_(Tensor(a!) self) -> Tensor(a!)", squeeze);
  ops.add("aten::squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)", squeeze_dim);
  ops.add("aten::squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)", squeeze_dims);
  ops.add("aten::as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a!)", as_strided);
  ops.add("aten::detach_(Tensor(a!) self) -> Tensor(a!)", alias);

  ops.add("aten::view_copy(Tensor self, SymInt[] size) -> Tensor", copy_of<reshape, Ints>);
  ops.add("aten::view_copy.dtype(Tensor self, ScalarType dtype) -> Tensor", copy_of<view_dtype, DType>);
  ops.add("aten::_reshape_copy(Tensor self, SymInt[] size) -> Tensor", copy_of<reshape, Ints>);
  ops.add("aten::permute_copy(Tensor self, int[] dims) -> Tensor", copy_of<permute, Ints>);
  ops.add("aten::transpose_copy.int(Tensor self, int dim0, int dim1) -> Tensor", copy_of<transpose, int64_t, int64_t>);
  ops.add("aten::t_copy(Tensor self) -> Tensor", copy_of<t>);
  ops.add("aten::unsqueeze_copy(Tensor self, int dim) -> Tensor", copy_of<unsqueeze, int64_t>);
  ops.add("aten::squeeze_copy(Tensor self) -> Tensor", copy_of<squeeze>);
  ops.add("aten::squeeze_copy.dim(Tensor self, int dim) -> Tensor", copy_of<squeeze_dim, int64_t>);
  ops.add("aten::squeeze_copy.dims(Tensor self, int[] dim) -> Tensor", copy_of<squeeze_dims, Ints>);
  ops.add("aten::select_copy.int(Tensor self, int dim, SymInt index) -> Tensor", copy_of<select, int64_t, int64_t>);
  ops.add("aten::slice_copy.Tensor(Tensor self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor",
          copy_of<slice, int64_t, MaybeInt, MaybeInt, int64_t>);
  ops.add("aten::narrow_copy(Tensor self, int dim, SymInt start, SymInt length) -> Tensor", copy_of<narrow, int64_t, int64_t, int64_t>);
  ops.add("aten::expand_copy(Tensor self, SymInt[] size, *, bool implicit=False) -> Tensor", copy_of<expand_op, Ints, Unused>);
  ops.add("aten::diagonal_copy(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor", copy_of<diagonal, int64_t, int64_t, int64_t>);
  ops.add("aten::unfold_copy(Tensor self, int dimension, int size, int step) -> Tensor", copy_of<unfold, int64_t, int64_t, int64_t>);
  ops.add("aten::as_strided_copy(Tensor self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor",
          copy_of<as_strided, Ints, Ints, MaybeInt>);
  ops.add("aten::alias_copy(Tensor self) -> Tensor", copy_of<alias>);
  ops.add("aten::detach_copy(Tensor self) -> Tensor", copy_of<alias>);
}

}  // namespace pt2::interp
