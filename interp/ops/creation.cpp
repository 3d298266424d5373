// New tensors: from nothing, like others, and copies in another dtype or layout.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "interp/kernel_context.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/view.h"
#include "interp/stepwise.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using Ints = std::span<const int64_t>;
using MaybeDType = std::optional<DType>;
using MaybeFormat = std::optional<MemoryFormat>;

Tensor filled(Tensor tensor, const Scalar& value) {
  check_convertible(value, tensor.dtype);
  fill(tensor, value);
  return tensor;
}

// ---- From sizes. What torch.empty leaves undefined is zero here: runs repeat, and nothing of old memory shows.

Tensor full_op(Ints size, Scalar value, MaybeDType dtype, Unused, Unused, Unused) { return filled(empty(size, dtype.value_or(dtype_of(value))), value); }
Tensor zeros_op(Ints size, MaybeDType dtype, Unused, Unused, Unused) { return zeros(size, dtype.value_or(DType::Float32)); }
Tensor ones_op(Ints size, MaybeDType dtype, Unused, Unused, Unused) { return full(size, dtype.value_or(DType::Float32), 1); }
Tensor empty_op(Ints size, MaybeDType dtype, Unused, Unused, Unused, MaybeFormat format) {
  return zeros(size, dtype.value_or(DType::Float32), format.value_or(MemoryFormat::Contiguous));
}
Tensor empty_strided_op(Ints size, Ints stride, MaybeDType dtype, Unused, Unused, Unused) {
  Tensor result = empty_strided(size, stride, dtype.value_or(DType::Float32));
  std::memset(result.storage.data(), 0, result.storage.size_bytes());
  return result;
}
Tensor empty_permuted(Ints size, Ints physical_layout, MaybeDType dtype, Unused, Unused, Unused) {
  check(size.size() == physical_layout.size(), "Number of dimensions in size does not match the length of the physical_layout; i.e. len(size) = ", size.size(),
        " is not equal to len(physical_layout) = ", physical_layout.size());
  Shape physical;
  std::vector<int64_t> order(size.size(), -1);
  for (size_t i = 0; i < physical_layout.size(); ++i) {
    const int64_t d = physical_layout[i];
    check(d >= 0 && d < static_cast<int64_t>(size.size()), "Dimension out of range (expected to be between 0 and ", static_cast<int64_t>(size.size()) - 1, ", but got ", d,
          " at index ", i, "). NB: negative dims not currently supported; file an issue if you want it.");
    check(order[d] < 0, "Duplicate dim not allowed");
    order[d] = static_cast<int64_t>(i);
    physical.push_back(size[d]);
  }
  return permute(zeros(physical, dtype.value_or(DType::Float32)), order);
}
Tensor scalar_tensor(Scalar s, MaybeDType dtype, Unused, Unused, Unused) { return filled(empty({}, dtype.value_or(DType::Float32)), s); }

Tensor eye_m(int64_t n, int64_t m, MaybeDType dtype, Unused, Unused, Unused) {
  check(n >= 0, "n must be greater or equal to 0, got ", n);
  check(m >= 0, "m must be greater or equal to 0, got ", m);
  Tensor result = zeros(Shape{n, m}, dtype.value_or(DType::Float32));
  fill(diagonal(result, 0, 0, 1), 1);
  return result;
}
Tensor eye(int64_t n, MaybeDType dtype, Unused a, Unused b, Unused c) { return eye_m(n, n, dtype, a, b, c); }

// ---- Ranges

Tensor arange_step(Scalar start, Scalar end, Scalar step, MaybeDType wanted, Unused, Unused, Unused) {
  const bool integral = start.is_integral() && end.is_integral() && step.is_integral();
  const DType dtype = wanted.value_or(integral ? DType::Int64 : DType::Float32);
  check(dtype != DType::Bool && !is_complex(dtype), "\"arange_cpu\" not implemented for '", scalar_type_name(dtype), "'");
  const bool whole = dtype == DType::Int64;
  const double a = start.to_double(), b = end.to_double(), s = step.to_double();
  check(whole ? step.to_int() != 0 : s != 0, "step must be nonzero");
  check(std::isfinite(a) && std::isfinite(b), "unsupported range: ", a, " -> ", b);
  check((s > 0 && b >= a) || (s < 0 && b <= a), "upper bound and lower bound inconsistent with step sign");
  int64_t count;
  if (whole) {
    const __int128 from = start.to_int(), to = end.to_int(), by = step.to_int();
    const __int128 n = (to - from + by - (by > 0 ? 1 : -1)) / by;
    check(n >= 0 && n <= INT64_MAX, "invalid size, possible overflow?");
    count = static_cast<int64_t>(n);
  } else {
    const double n = std::ceil((b - a) / s);
    check(n >= 0 && n < 0x1p63, "invalid size, possible overflow?");
    count = static_cast<int64_t>(n);
  }
  const bool exact = whole || (integral && !is_floating(dtype));
  const Tensor values = empty(Shape{count}, exact ? DType::Int64 : DType::Float64);
  parallel_for(count, kElementGrain, [&](int64_t begin, int64_t finish) {
    const auto first = static_cast<uint64_t>(start.to_int()), by = static_cast<uint64_t>(step.to_int());
    for (int64_t i = begin; i < finish; ++i) {
      if (exact) values.data<uint64_t>()[i] = first + static_cast<uint64_t>(i) * by;
      else values.data<double>()[i] = a + s * static_cast<double>(i);
    }
  });
  return values.dtype == dtype ? values : to_dtype(values, dtype);
}
Tensor arange_start(Scalar start, Scalar end, MaybeDType dtype, Unused a, Unused b, Unused c) { return arange_step(start, end, 1, dtype, a, b, c); }
Tensor arange(Scalar end, MaybeDType dtype, Unused a, Unused b, Unused c) { return arange_step(0, end, 1, dtype, a, b, c); }

// Values computed in T, counted from the nearer end so that both ends are exact.
template <class T, class Map>
Tensor spaced(T start, T end, int64_t steps, DType computed, DType dtype, Map map_value, StepRounding rounded = {}) {
  check(steps >= 0, "number of steps must be non-negative");
  using Count = std::conditional_t<std::is_same_v<T, float>, float, double>;
  const Tensor values = empty(Shape{steps}, computed);
  const T step = steps > 1 ? rounded(rounded(end - start) / static_cast<Count>(steps - 1)) : T(0);
  const auto apart = [&](int64_t count) { return rounded(step * static_cast<Count>(count)); };
  for (int64_t i = 0; i < steps; ++i) values.data<T>()[i] = map_value(i < steps / 2 || steps == 1 ? start + apart(i) : end - apart(steps - 1 - i));
  return to_dtype(values, dtype);
}
template <class Map>
Tensor spaced(const Scalar& start, const Scalar& end, int64_t steps, MaybeDType asked, Map map_value) {
  const bool complex_ends = start.is_complex() || end.is_complex();
  const DType dtype = asked.value_or(complex_ends ? DType::Complex64 : DType::Float32);
  check(is_complex(dtype) || !complex_ends, "a range with complex ends can't have the dtype ", dtype);
  if (is_complex(dtype)) return spaced(start.to_complex(), end.to_complex(), steps, DType::Complex128, dtype, map_value);
  double a = start.to_double(), b = end.to_double();
  if (!is_floating(dtype)) a = std::trunc(a), b = std::trunc(b);
  // Half types step by step, each step rounded; others in double.
  if (const StepRounding rounded = half_steps(dtype); rounded.dtype != DType::Unknown)
    return spaced(rounded(static_cast<float>(a)), rounded(static_cast<float>(b)), steps, DType::Float32, dtype, map_value, rounded);
  return spaced(a, b, steps, DType::Float64, dtype, map_value);
}
Tensor linspace(Scalar start, Scalar end, int64_t steps, MaybeDType dtype, Unused, Unused, Unused) {
  return spaced(start, end, steps, dtype, [](auto x) { return x; });
}
Tensor logspace(Scalar start, Scalar end, int64_t steps, double base, MaybeDType dtype, Unused, Unused, Unused) {
  return spaced(start, end, steps, dtype, [base](auto x) { return std::pow(decltype(x)(base), x); });
}

// ---- Like another tensor

MemoryFormat format_or_preserve(MaybeFormat format) { return format.value_or(MemoryFormat::Preserve); }

Tensor full_like(const Tensor& self, Scalar value, MaybeDType dtype, Unused, Unused, Unused, MaybeFormat format) {
  return filled(empty_like(self, dtype.value_or(self.dtype), format_or_preserve(format)), value);
}
Tensor zeros_like_op(const Tensor& self, MaybeDType dtype, Unused a, Unused b, Unused c, MaybeFormat format) { return full_like(self, 0, dtype, a, b, c, format); }
Tensor ones_like(const Tensor& self, MaybeDType dtype, Unused a, Unused b, Unused c, MaybeFormat format) { return full_like(self, 1, dtype, a, b, c, format); }
Tensor new_full(const Tensor& self, Ints size, Scalar value, MaybeDType dtype, Unused, Unused, Unused) {
  return filled(empty(size, dtype.value_or(self.dtype)), value);
}
Tensor new_zeros(const Tensor& self, Ints size, MaybeDType dtype, Unused, Unused, Unused) { return zeros(size, dtype.value_or(self.dtype)); }
Tensor new_ones(const Tensor& self, Ints size, MaybeDType dtype, Unused, Unused, Unused) { return full(size, dtype.value_or(self.dtype), 1); }
Tensor new_empty_strided(const Tensor& self, Ints size, Ints stride, MaybeDType dtype, Unused a, Unused b, Unused c) {
  return empty_strided_op(size, stride, dtype.value_or(self.dtype), a, b, c);
}

// ---- Copies

Tensor clone(const Tensor& self, MaybeFormat format) { return to_dtype(self, self.dtype, format_or_preserve(format)); }
Tensor lift_fresh(const Tensor& self) { return self; }
Tensor lift_fresh_copy(const Tensor& self) { return to_dtype(self, self.dtype); }
Tensor contiguous_op(const Tensor& self, MemoryFormat format) {
  check(format != MemoryFormat::Preserve, "preserve memory format is unsupported by the contiguous operator");
  return is_contiguous_as(self, format) ? self : to_dtype(self, self.dtype, format);
}

Tensor converted(const Tensor& self, DType dtype, MaybeFormat format) {
  MemoryFormat wanted = format_or_preserve(format);
  if (wanted == MemoryFormat::Preserve && !is_non_overlapping_and_dense(self)) wanted = suggested_format(self);
  return to_dtype(self, dtype, wanted);
}
Tensor to_copy(const Tensor& self, MaybeDType dtype, Unused, Unused, Unused, Unused, MaybeFormat format) {
  return converted(self, dtype.value_or(self.dtype), format);
}
// Tensor.to: the tensor itself where nothing changes.
Tensor to(const Tensor& self, DType dtype, bool copy, MaybeFormat format) {
  const MemoryFormat wanted = format_or_preserve(format);
  if (!copy && self.dtype == dtype && (wanted == MemoryFormat::Preserve || suggested_format(self) == wanted)) return self;
  return converted(self, dtype, format);
}
Tensor to_layout(const Tensor& self, MaybeDType dtype, Unused, Unused, Unused, Unused, bool copy, MaybeFormat format) {
  return to(self, dtype.value_or(self.dtype), copy, format);
}
Tensor to_device(const Tensor& self, Unused, DType dtype, Unused, bool copy, MaybeFormat format) { return to(self, dtype, copy, format); }
Tensor to_dtype_op(const Tensor& self, DType dtype, Unused, bool copy, MaybeFormat format) { return to(self, dtype, copy, format); }
Tensor to_other(const Tensor& self, const Tensor& other, Unused, bool copy, MaybeFormat format) { return to(self, other.dtype, copy, format); }
Tensor type_as(const Tensor& self, const Tensor& other) { return to(self, other.dtype, false, std::nullopt); }

void copy_(const Tensor& self, const Tensor& src, Unused) {
  check_writable(self);
  check(broadcastable_to(src.sizes, self.sizes), "The size of tensor a ", self.sizes, " must match the size of tensor b ", src.sizes);
  copy_into(self, src);
}
// The memory stays, and grows by zeros where it is too small. The interpreter gives the new shape to every node that stands for this tensor.
Tensor resize_(const Tensor& self, Ints size, MaybeFormat format) {
  if (std::ranges::equal(self.sizes, size) && !format) return self;
  check(format != MemoryFormat::Preserve, "resize_ cannot preserve a memory format");
  const int64_t count = checked_numel(size);
  Tensor grown = self;
  if (const size_t needed = count == 0 ? 0 : static_cast<size_t>(self.offset + count) * item_size(self.dtype); needed > self.storage.size_bytes()) {
    grown.storage = allocate_zeroed(needed);
    std::memcpy(grown.storage.data(), self.storage.data(), self.storage.size_bytes());
  }
  return make_view(grown, Shape(size.begin(), size.end()), strides_for(size, format.value_or(MemoryFormat::Contiguous)), self.offset);
}
Tensor resize_as_(const Tensor& self, const Tensor& the_template, MaybeFormat format) {
  if (format == MemoryFormat::Preserve) format = suggested_format(the_template);
  return resize_(self, the_template.sizes, format);
}
Tensor copy(const Tensor& self, const Tensor& src, Unused) {
  check(broadcastable_to(src.sizes, self.sizes), "The size of tensor a ", self.sizes, " must match the size of tensor b ", src.sizes);
  Tensor result = has_internal_overlap(self) ? empty_like(self) : empty_strided(self.sizes, self.strides, self.dtype);
  copy_into(result, src);
  return result;
}

Tensor fill_scalar(const Tensor& self, Scalar value) { return filled(empty_like(self), value); }
void fill__scalar(const Tensor& self, Scalar value) {
  check_writable(self);
  filled(self, value);
}
void check_fill_value(const Tensor& value) {
  check(value.dim() == 0, "fill_ only supports 0-dimension value tensor but got tensor with ", value.dim(), " dimensions.");
}
Tensor fill_tensor(const Tensor& self, const Tensor& value) {
  check_fill_value(value);
  Tensor result = empty_like(self);
  copy_into(result, value);
  return result;
}
void fill__tensor(const Tensor& self, const Tensor& value) {
  check_writable(self);
  check_fill_value(value);
  copy_into(self, value);
}
Tensor zero(const Tensor& self) { return zeros_like(self); }
void zero_(const Tensor& self) { fill__scalar(self, 0); }

// ---- Triangles and diagonals

Tensor triangle(const Tensor& self, int64_t diagonal_offset, bool lower) {
  check(self.dim() >= 2, (lower ? "tril" : "triu"), ": input tensor must have at least 2 dimensions");
  Tensor result = to_dtype(self, self.dtype, MemoryFormat::Contiguous);
  const int64_t rows = self.sizes[self.dim() - 2], columns = self.sizes.back(), item = item_size(self.dtype);
  const int64_t lines = columns ? result.numel() / columns : 0;
  parallel_for(lines, grain_for(columns), [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      // Columns [0, row + offset] are the lower triangle; saturating, since any offset may be asked for.
      int64_t edge = 0;
      if (__builtin_add_overflow(line % rows + (lower ? 1 : 0), diagonal_offset, &edge)) edge = diagonal_offset > 0 ? columns : 0;
      edge = std::min(std::max<int64_t>(edge, 0), columns);
      std::byte* row = result.bytes() + line * columns * item;
      if (lower) std::memset(row + edge * item, 0, static_cast<size_t>((columns - edge) * item));
      else std::memset(row, 0, static_cast<size_t>(edge * item));
    }
  });
  return result;
}
Tensor tril(const Tensor& self, int64_t offset) { return triangle(self, offset, true); }
Tensor triu(const Tensor& self, int64_t offset) { return triangle(self, offset, false); }

Tensor triangle_indices(int64_t rows, int64_t columns, int64_t offset, DType dtype, bool lower) {
  check(rows >= 0, "row must be non-negative, got", rows);
  check(columns >= 0, "col must be non-negative, got", columns);
  check(dtype == DType::Int64 || dtype == DType::Int32, "\"", lower ? "tril" : "triu", "_indices\" not implemented for '", scalar_type_name(dtype), "'");
  int64_t count = 0;
  const auto edge = [&](int64_t row) {
    const __int128 e = static_cast<__int128>(row) + offset + (lower ? 1 : 0);
    return static_cast<int64_t>(e < 0 ? 0 : e > columns ? columns : e);
  };
  // Σ edge(row): rows below `first` have none, rows from `last` on have all columns, between them one more in each row.
  const __int128 shift = static_cast<__int128>(offset) + (lower ? 1 : 0), n = rows;
  const __int128 first = std::clamp<__int128>(-shift, 0, n), last = std::clamp<__int128>(columns - shift, first, n);
  const __int128 below = (first + last - 1 + 2 * shift) * (last - first) / 2 + (n - last) * columns;
  const __int128 all = lower ? below : n * columns - below;
  check(all <= INT64_MAX, "the number of indices does not fit in 64 bits");
  count = static_cast<int64_t>(all);
  Tensor result = empty(Shape{2, count}, DType::Int64);
  int64_t* out = result.data<int64_t>();
  for (int64_t row = 0; row < rows; ++row) {
    if (row % 4096 == 0) throw_if_stopped();
    for (int64_t column = lower ? 0 : edge(row); column < (lower ? edge(row) : columns); ++column, ++out) out[0] = row, out[count] = column;
  }
  return dtype == DType::Int64 ? result : to_dtype(result, dtype);
}
Tensor tril_indices(int64_t row, int64_t col, int64_t offset, MaybeDType dtype, Unused, Unused, Unused) {
  return triangle_indices(row, col, offset, dtype.value_or(DType::Int64), true);
}
Tensor triu_indices(int64_t row, int64_t col, int64_t offset, MaybeDType dtype, Unused, Unused, Unused) {
  return triangle_indices(row, col, offset, dtype.value_or(DType::Int64), false);
}

Tensor diag_embed(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  const int64_t rank = self.dim() + 1;
  check(self.dim() > 0, "Dimension out of range (expected to be in range of [-1, 0], but got -2)");
  dim1 = normalize_dim(dim1, rank);
  dim2 = normalize_dim(dim2, rank);
  check(dim1 != dim2, "diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  int64_t side = 0;
  check(offset > INT64_MIN && !__builtin_add_overflow(self.sizes.back(), std::abs(offset), &side), "diag_embed: the size does not fit in 64 bits");
  Shape sizes(self.sizes.begin(), self.sizes.end() - 1);
  sizes.insert(sizes.begin() + std::min(dim1, dim2), side);
  sizes.insert(sizes.begin() + std::max(dim1, dim2), side);
  Tensor result = zeros(sizes, self.dtype);
  copy_into(diagonal(result, offset, dim1, dim2), self);
  return result;
}
Tensor diag(const Tensor& self, int64_t offset) {
  check(self.dim() == 1 || self.dim() == 2, "diag(): Supports 1D or 2D tensors. Got ", self.dim(), "D");
  if (self.dim() == 1) return diag_embed(self, offset, 0, 1);
  return to_dtype(diagonal(self, offset, 0, 1), self.dtype, MemoryFormat::Contiguous);
}
Tensor diagflat(const Tensor& self, int64_t offset) { return diag_embed(reshape(self, Shape{-1}), offset, 0, 1); }

Tensor one_hot(const Tensor& self, int64_t num_classes) {
  check(self.dtype == DType::Int64, "one_hot is only applicable to index tensor of type LongTensor.");
  const Tensor index = as_contiguous(self);
  int64_t largest = -1;
  check(self.numel() > 0 || num_classes > 0, "Can not infer total number of classes from empty tensor.");
  for (int64_t i = 0; i < index.numel(); ++i) {
    check(index.data<int64_t>()[i] >= 0, "Class values must be non-negative.");
    largest = std::max(largest, index.data<int64_t>()[i]);
  }
  if (num_classes == -1) check(largest < INT64_MAX, "one_hot: the number of classes does not fit in 64 bits"), num_classes = largest + 1;
  check(num_classes > 0, "num_classes should be positive");
  check(largest < num_classes, "Class values must be smaller than num_classes.");
  Shape sizes = self.sizes;
  sizes.push_back(num_classes);
  Tensor result = zeros(sizes, DType::Int64);
  for (int64_t i = 0; i < index.numel(); ++i) result.data<int64_t>()[i * num_classes + index.data<int64_t>()[i]] = 1;
  return result;
}

}  // namespace

void add_creation_ops(OpTable& ops) {
  ops.add("aten::full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", full_op);
  ops.add("aten::zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", zeros_op);
  ops.add("aten::ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", ones_op);
  ops.add("aten::empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", empty_op);
  ops.add("aten::empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", empty_strided_op);
  ops.add("aten::empty_permuted(SymInt[] size, int[] physical_layout, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", empty_permuted);
  ops.add("aten::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", scalar_tensor);
  ops.add("aten::eye(SymInt n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", eye);
  ops.add("aten::eye.m(SymInt n, SymInt m, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", eye_m);
  ops.add("aten::arange(Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", arange);
  ops.add("aten::arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", arange_start);
  ops.add("aten::arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", arange_step);
  ops.add("aten::linspace(Scalar start, Scalar end, SymInt steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", linspace);
  ops.add("aten::logspace(Scalar start, Scalar end, SymInt steps, float base=10.0, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", logspace);
  ops.add("aten::full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", full_like);
  ops.add("aten::zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", zeros_like_op);
  ops.add("aten::ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", ones_like);
  ops.add("aten::empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", zeros_like_op);
  ops.add("aten::new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", new_full);
  ops.add("aten::new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", new_zeros);
  ops.add("aten::new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", new_ones);
  ops.add("aten::new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", new_zeros);
  ops.add("aten::new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", new_empty_strided);
  ops.add("aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", clone);
  ops.add("aten::lift(Tensor self) -> Tensor", lift_fresh);
  ops.add("aten::lift_fresh(Tensor(a) self) -> Tensor(a)", lift_fresh);
  ops.add("aten::lift_fresh_copy(Tensor self) -> Tensor", lift_fresh_copy);
  ops.add("aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)", contiguous_op);
  ops.add("aten::_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor", to_copy);
  ops.add("aten::to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", to_layout);
  ops.add("aten::to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", to_device);
  ops.add("aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", to_dtype_op);
  ops.add("aten::to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", to_other);
  ops.add("aten::type_as(Tensor self, Tensor other) -> Tensor", type_as);
  ops.add("aten::resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)", resize_);
  ops.add("aten::resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor(a!)", resize_as_);
  ops.add("aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)", copy_);
  ops.add("aten::copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor", copy);
  ops.add("aten::fill.Scalar(Tensor self, Scalar value) -> Tensor", fill_scalar);
  ops.add("aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)", fill__scalar);
  ops.add("aten::fill.Tensor(Tensor self, Tensor value) -> Tensor", fill_tensor);
  ops.add("aten::fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)", fill__tensor);
  ops.add("aten::zero(Tensor self) -> Tensor", zero);
  ops.add("aten::zero_(Tensor(a!) self) -> Tensor(a!)", zero_);
  ops.add("aten::tril(Tensor self, SymInt diagonal=0) -> Tensor", tril);
  ops.add("aten::triu(Tensor self, SymInt diagonal=0) -> Tensor", triu);
  ops.add("aten::tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", tril_indices);
  ops.add("aten::triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", triu_indices);
  ops.add("aten::diag(Tensor self, int diagonal=0) -> Tensor", diag);
  ops.add("aten::diagflat(Tensor self, int offset=0) -> Tensor", diagflat);
  ops.add("aten::diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor", diag_embed);
  ops.add("aten::one_hot(Tensor self, int num_classes=-1) -> Tensor", one_hot);
}

}  // namespace pt2::interp
