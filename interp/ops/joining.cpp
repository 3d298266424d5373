// Operators that put tensors together, repeat, reorder or overwrite parts: new memory, same values.
#include <algorithm>
#include <cstring>

#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/view.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

// A tensor of sizes [0] joins anything: an old rule of cat.
bool is_skipped(const Tensor& tensor) { return tensor.dim() == 1 && tensor.sizes[0] == 0; }

}  // namespace

Tensor cat(const std::vector<Tensor>& tensors, int64_t dim) {
  check(!tensors.empty(), "torch.cat(): expected a non-empty list of Tensors");
  const Tensor* first = nullptr;
  int64_t total = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    check(tensors[i].dim() > 0, "zero-dimensional tensor (at position ", i, ") cannot be concatenated");
    if (!is_skipped(tensors[i]) && !first) first = &tensors[i];
  }
  const DType dtype = result_type_of(tensors);
  if (!first) {
    normalize_dim(dim, 1);
    return empty(Shape{0}, dtype);
  }
  dim = normalize_dim(dim, first->dim());
  MemoryFormat format = suggested_format(*first);
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& tensor = tensors[i];
    if (is_skipped(tensor)) continue;
    check(tensor.dim() == first->dim(), "Tensors must have same number of dimensions: got ", first->dim(), " and ", tensor.dim());
    for (int64_t d = 0; d < tensor.dim(); ++d)
      check(d == dim || tensor.sizes[d] == first->sizes[d], "Sizes of tensors must match except in dimension ", dim, ". Expected size ", first->sizes[d],
            " but got size ", tensor.sizes[d], " for tensor number ", i, " in the list.");
    check(!__builtin_add_overflow(total, tensor.sizes[dim], &total), "cat: the size does not fit in 64 bits");
    if (suggested_format(tensor) != format) format = MemoryFormat::Contiguous;
  }
  Shape sizes = first->sizes;
  sizes[dim] = total;
  Tensor result = empty(sizes, dtype, format);
  int64_t start = 0;
  for (const Tensor& tensor : tensors) {
    if (is_skipped(tensor)) continue;
    copy_into(narrow(result, dim, start, tensor.sizes[dim]), tensor);
    start += tensor.sizes[dim];
  }
  return result;
}

Tensor stack(const std::vector<Tensor>& tensors, int64_t dim) {
  check(!tensors.empty(), "stack expects a non-empty TensorList");
  dim = normalize_dim(dim, tensors[0].dim() + 1);
  std::vector<Tensor> rows;
  for (size_t i = 0; i < tensors.size(); ++i) {
    check(tensors[i].sizes == tensors[0].sizes, "stack expects each tensor to be equal size, but got ", tensors[0].sizes, " at entry 0 and ", tensors[i].sizes,
          " at entry ", i);
    rows.push_back(unsqueeze(tensors[i], dim));
  }
  // Not cat's rule of sizes [0]: a stack of empty vectors has rows.
  const DType dtype = result_type_of(tensors);
  Shape sizes = rows[0].sizes;
  sizes[dim] = static_cast<int64_t>(rows.size());
  MemoryFormat format = suggested_format(rows[0]);
  for (const Tensor& row : rows)
    if (suggested_format(row) != format) format = MemoryFormat::Contiguous;
  Tensor result = empty(sizes, dtype, format);
  for (size_t i = 0; i < rows.size(); ++i) copy_into(narrow(result, dim, static_cast<int64_t>(i), 1), rows[i]);
  return result;
}

Tensor flip(const Tensor& self, std::span<const int64_t> dims) {
  const auto flipped = dims.empty() ? std::vector<int64_t>() : normalize_dims(dims, self.dim());
  Tensor result = empty_like(self);
  if (flipped.empty() || self.numel() == 0) {
    copy_into(result, self);
    return result;
  }
  // Reading backwards is a negative stride, which views do not have; the loop does.
  const int64_t item = item_size(self.dtype);
  StridedLoop loop;
  loop.strides.resize(2);
  loop.data = {result.bytes(), self.bytes()};
  for (int64_t d = self.dim(); d-- > 0;) {
    const bool backwards = std::binary_search(flipped.begin(), flipped.end(), d);
    loop.sizes.push_back(self.sizes[d]);
    loop.strides[0].push_back(result.strides[d] * item);
    loop.strides[1].push_back((backwards ? -1 : 1) * self.strides[d] * item);
    if (backwards) loop.data[1] += (self.sizes[d] - 1) * self.strides[d] * item;
  }
  parallel_rows(loop, [item](std::byte* const* p, const int64_t* strides, int64_t count) {
    for (int64_t i = 0; i < count; ++i) std::memcpy(p[0] + i * strides[0], p[1] + i * strides[1], static_cast<size_t>(item));
  });
  return result;
}

namespace {

Tensor concat(const std::vector<Tensor>& tensors, int64_t dim) { return cat(tensors, dim); }

std::vector<Tensor> each(const std::vector<Tensor>& tensors, auto&& function) {
  std::vector<Tensor> result;
  for (const Tensor& tensor : tensors) result.push_back(function(tensor));
  return result;
}
Tensor at_least(const Tensor& tensor, int64_t dims) {  // atleast_1d, _2d, _3d
  Tensor result = tensor;
  if (result.dim() == 0) result = unsqueeze(result, 0);
  if (dims >= 2 && result.dim() == 1) result = unsqueeze(result, 0);
  if (dims >= 3 && result.dim() == 2) result = unsqueeze(result, -1);
  return result;
}
Tensor hstack(const std::vector<Tensor>& tensors) {
  check(!tensors.empty(), "hstack expects a non-empty TensorList");
  const auto rows = each(tensors, [](const Tensor& t) { return at_least(t, 1); });
  return cat(rows, rows[0].dim() == 1 ? 0 : 1);
}
Tensor vstack(const std::vector<Tensor>& tensors) {
  check(!tensors.empty(), "vstack expects a non-empty TensorList");
  return cat(each(tensors, [](const Tensor& t) { return at_least(t, 2); }), 0);
}
Tensor dstack(const std::vector<Tensor>& tensors) {
  check(!tensors.empty(), "dstack expects a non-empty TensorList");
  return cat(each(tensors, [](const Tensor& t) { return at_least(t, 3); }), 2);
}
Tensor column_stack(const std::vector<Tensor>& tensors) {
  check(!tensors.empty(), "column_stack expects a non-empty TensorList");
  return hstack(each(tensors, [](const Tensor& t) { return t.dim() <= 1 ? reshape(t, std::array<int64_t, 2>{t.numel(), 1}) : t; }));
}
Tensor block_diag(const std::vector<Tensor>& tensors) {
  int64_t rows = 0, columns = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    check(tensors[i].dim() <= 2, "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input ", i, " has ", tensors[i].dim(), " dimensions");
    const Tensor block = at_least(tensors[i], 2);
    rows += block.sizes[0];
    columns += block.sizes[1];
  }
  if (tensors.empty()) return empty(Shape{1, 0}, DType::Float32);
  Tensor result = zeros(Shape{rows, columns}, result_type_of(tensors));
  rows = columns = 0;
  for (const Tensor& tensor : tensors) {
    const Tensor block = at_least(tensor, 2);
    copy_into(narrow(narrow(result, 0, rows, block.sizes[0]), 1, columns, block.sizes[1]), block);
    rows += block.sizes[0];
    columns += block.sizes[1];
  }
  return result;
}
Tensor cartesian_prod(const std::vector<Tensor>& tensors) {
  Shape sizes;
  for (const Tensor& tensor : tensors) {
    check(tensor.dim() == 1, "Expect a 1D vector, but got shape ", tensor.sizes);
    sizes.push_back(tensor.sizes[0]);
  }
  check(!tensors.empty(), "cartesian_prod expects a non-empty TensorList");
  if (tensors.size() == 1) return tensors[0];
  std::vector<Tensor> columns;
  for (size_t i = 0; i < tensors.size(); ++i) {
    Shape one(sizes.size(), 1);
    one[i] = sizes[i];
    columns.push_back(reshape(expand_to(view(tensors[i], one), sizes), Shape{-1}));
  }
  return stack(columns, 1);
}

Tensor fliplr(const Tensor& self) {
  check(self.dim() >= 2, "Input must be >= 2-d.");
  return flip(self, std::array<int64_t, 1>{1});
}
Tensor flipud(const Tensor& self) {
  check(self.dim() >= 1, "Input must be >= 1-d.");
  return flip(self, std::array<int64_t, 1>{0});
}
Tensor rot90(const Tensor& self, int64_t k, std::span<const int64_t> dims) {
  check(dims.size() == 2, "expected total rotation dims == 2, but got dims = ", dims.size());
  check(self.dim() >= 2, "expected total dims >= 2, but got total dims = ", self.dim());
  const int64_t a = normalize_dim(dims[0], self.dim()), b = normalize_dim(dims[1], self.dim());
  check(a != b, "expected rotation dims to be different, but got dim0 = ", dims[0], " and dim1 = ", dims[1]);
  switch ((k % 4 + 4) % 4) {
    case 1: return transpose(flip(self, std::array{b}), a, b);
    case 2: return flip(self, std::array{a, b});
    case 3: return transpose(flip(self, std::array{a}), a, b);
    default: return to_dtype(self, self.dtype, MemoryFormat::Contiguous);
  }
}

Tensor roll_one(const Tensor& self, int64_t shift, int64_t dim) {
  const int64_t size = self.sizes[dim], start = ((size - shift % size) % size + size) % size;
  return cat({narrow(self, dim, start, size - start), narrow(self, dim, 0, start)}, dim);
}
Tensor roll(const Tensor& self, std::span<const int64_t> shifts, std::span<const int64_t> dims) {
  check(!shifts.empty(), "`shifts` required");
  if (dims.empty() && shifts.size() == 1) {
    if (self.numel() == 0) return to_dtype(self, self.dtype);
    return reshape(roll_one(reshape(self, Shape{-1}), shifts[0], 0), self.sizes);
  }
  check(shifts.size() == dims.size(), "shifts and dimensions must align. shifts: ", shifts.size(), ", dims:", dims.size());
  if (self.numel() == 0) return to_dtype(self, self.dtype);
  check(self.dim() > 0, "Dimension specified as ", dims[0], " but tensor has no dimensions");
  Tensor result = self;
  for (size_t i = 0; i < dims.size(); ++i) result = roll_one(result, shifts[i], normalize_dim(dims[i], self.dim()));
  return result;
}

Tensor repeat(const Tensor& self, std::span<const int64_t> repeats) {
  check(static_cast<int64_t>(repeats.size()) >= self.dim(), "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
  const size_t lead = repeats.size() - self.sizes.size();
  Shape sizes, split, one;  // result as [repeat, size] pairs
  for (size_t d = 0; d < repeats.size(); ++d) {
    const int64_t size = d < lead ? 1 : self.sizes[d - lead];
    int64_t total = 0;
    check(repeats[d] >= 0, "Trying to create tensor with negative dimension ", repeats[d] * (size ? 1 : 0), ": ", repeats);
    check(!__builtin_mul_overflow(size, repeats[d], &total), "repeat: the size does not fit in 64 bits");
    sizes.push_back(total);
    split.insert(split.end(), {repeats[d], size});
    one.insert(one.end(), {1, size});
  }
  Tensor result = empty(sizes, self.dtype);
  if (result.numel() == 0) return result;
  copy_into(view(result, split), reshape(self, one));
  return result;
}
Tensor tile(const Tensor& self, std::span<const int64_t> dims) {
  Shape repeats(dims.begin(), dims.end());
  while (static_cast<int64_t>(repeats.size()) < self.dim()) repeats.insert(repeats.begin(), 1);
  return repeat(self, repeats);
}

// Repeat counts per position → the positions to take.
Tensor repeat_interleave_tensor(const Tensor& repeats, std::optional<int64_t> output_size) {
  check(repeats.dim() == 1, "repeat_interleave only accept 1D vector as repeat");
  check(repeats.dtype == DType::Int64 || repeats.dtype == DType::Int32, "repeats has to be Long or Int tensor");
  const Tensor counts = as_contiguous(repeats.dtype == DType::Int64 ? repeats : to_dtype(repeats, DType::Int64));
  int64_t total = 0;
  for (int64_t i = 0; i < counts.numel(); ++i) {
    check(counts.data<int64_t>()[i] >= 0, "repeats can not be negative");
    check(!__builtin_add_overflow(total, counts.data<int64_t>()[i], &total), "repeat_interleave: the size does not fit in 64 bits");
  }
  check(!output_size || *output_size == total, "repeat_interleave: allocated size does not match required size");
  Tensor result = empty(Shape{total}, repeats.dtype);
  const Tensor wide = repeats.dtype == DType::Int64 ? result : empty(Shape{total}, DType::Int64);
  int64_t* out = wide.data<int64_t>();
  for (int64_t i = 0; i < counts.numel(); ++i) out = std::fill_n(out, counts.data<int64_t>()[i], i);
  if (repeats.dtype != DType::Int64) copy_into(result, wide);
  return result;
}
Tensor repeat_interleave(const Tensor& self, const Tensor& repeats, std::optional<int64_t> dim, std::optional<int64_t> output_size) {
  const Tensor input = dim ? self : reshape(self, Shape{-1});
  const int64_t d = normalize_dim(dim.value_or(0), input.dim());
  const Tensor rows = input.dim() == 0 ? unsqueeze(input, 0) : input;
  Tensor counts = repeats;
  if (repeats.dim() == 0 || (repeats.dim() == 1 && repeats.sizes[0] == 1)) counts = expand_to(reshape(repeats, Shape{1}), Shape{rows.sizes[d]});
  else check(repeats.dim() == 1, "repeats must be 0-dim or 1-dim tensor");
  check(counts.sizes[0] == rows.sizes[d], "repeats must have the same size as input along dim, but got repeats.size(0) = ", counts.sizes[0], " and input.size(",
        d, ") = ", rows.sizes[d]);
  const Tensor positions = repeat_interleave_tensor(counts, output_size);
  const Tensor index = positions.dtype == DType::Int64 ? positions : to_dtype(positions, DType::Int64);
  Shape sizes = rows.sizes;
  sizes[d] = index.numel();
  Tensor result = empty(sizes, self.dtype);
  for (int64_t i = 0; i < index.numel(); ++i) copy_into(select(result, d, i), select(rows, d, index.data<int64_t>()[i]));
  return result;
}
Tensor repeat_interleave_int(const Tensor& self, int64_t repeats, std::optional<int64_t> dim, std::optional<int64_t> output_size) {
  check(repeats >= 0, "Repeats must be non-negative");
  check(!dim || self.dim() > 0, "Dimension out of range (expected to be in range of [-1, 0], but got 1)");
  const Tensor input = dim ? self : reshape(self, Shape{-1});
  const int64_t d = normalize_dim(dim.value_or(0), input.dim());
  const Tensor rows = input.dim() == 0 ? unsqueeze(input, 0) : input;
  Shape with_copies = rows.sizes, sizes = rows.sizes;
  with_copies.insert(with_copies.begin() + d + 1, repeats);
  check(!__builtin_mul_overflow(rows.sizes[d], repeats, &sizes[d]), "repeat_interleave: the size does not fit in 64 bits");
  check(!output_size || *output_size == sizes[d], "repeat_interleave: Invalid output_size, expected ", sizes[d], " but got ", output_size.value_or(0));
  Tensor result = empty(sizes, self.dtype);
  if (result.numel() > 0) copy_into(view(result, with_copies), expand_to(unsqueeze(rows, d + 1), with_copies));
  return result;
}

// ---- Overwriting a part of a copy

// The copies keep even the gaps of the strides.
Tensor with_part(const Tensor& self, const Tensor& src, auto&& part) {
  Tensor result = has_internal_overlap(self) ? empty_like(self) : empty_strided(self.sizes, self.strides, self.dtype);
  copy_into(result, self);
  const Tensor target = part(result);
  check(target.sizes == src.sizes, "expected src to have a size equal to the slice of self. src size = ", src.sizes, ", slice size = ", target.sizes);
  copy_into(target, src);
  return result;
}
Tensor slice_scatter(const Tensor& self, const Tensor& src, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step) {
  return with_part(self, src, [&](const Tensor& t) { return slice(t, dim, start, end, step); });
}
Tensor select_scatter(const Tensor& self, const Tensor& src, int64_t dim, int64_t index) {
  return with_part(self, src, [&](const Tensor& t) { return select(t, dim, index); });
}
Tensor diagonal_scatter(const Tensor& self, const Tensor& src, int64_t offset, int64_t dim1, int64_t dim2) {
  return with_part(self, src, [&](const Tensor& t) { return diagonal(t, offset, dim1, dim2); });
}
Tensor as_strided_scatter(const Tensor& self, const Tensor& src, std::span<const int64_t> size, std::span<const int64_t> stride,
                          std::optional<int64_t> storage_offset) {
  // The whole storage is the canvas, so strides keep their meaning.
  Tensor result = self;
  result.storage = allocate(self.storage.size_bytes());
  std::memcpy(result.storage.data(), self.storage.data(), self.storage.size_bytes());
  const Tensor target = as_strided(result, size, stride, storage_offset);
  check(target.sizes == src.sizes, "expected src to have a size equal to the slice of self. src size = ", src.sizes, ", slice size = ", target.sizes);
  copy_into(target, src);
  return result;
}
Tensor slice_backward(const Tensor& grad, std::span<const int64_t> input_sizes, int64_t dim, int64_t start, int64_t end, int64_t step) {
  Tensor result = zeros(input_sizes, grad.dtype);
  copy_into(slice(result, dim, start, end, step), grad);
  return result;
}
Tensor select_backward(const Tensor& grad, std::span<const int64_t> input_sizes, int64_t dim, int64_t index) {
  Tensor result = zeros(input_sizes, grad.dtype);
  copy_into(select(result, dim, index), grad);
  return result;
}
Tensor diagonal_backward(const Tensor& grad, std::span<const int64_t> input_sizes, int64_t offset, int64_t dim1, int64_t dim2) {
  Tensor result = zeros(input_sizes, grad.dtype);
  copy_into(diagonal(result, offset, dim1, dim2), grad);
  return result;
}
Tensor unfold_backward(const Tensor& grad, std::span<const int64_t> input_sizes, int64_t dim, int64_t size, int64_t step) {
  Tensor result = zeros(input_sizes, grad.dtype);
  dim = normalize_dim(dim, result.dim());
  const DType common = grad.dtype;
  for (int64_t i = 0; i < grad.sizes[dim]; ++i) {  // windows may overlap: added one by one
    const Tensor window = movedim(narrow(result, dim, i * step, size), dim, -1);
    map_into<NumberTypes>(window, {"unfold_backward", common, common}, [](auto a, auto b) { return a + b; }, window, select(grad, dim, i));
  }
  return result;
}

// ---- Blocks of an image

Tensor pixel_shuffle(const Tensor& self, int64_t factor) {
  check(self.dim() >= 3, "pixel_shuffle expects input to have at least 3 dimensions, but got input with ", self.dim(), " dimension(s)");
  check(factor > 0, "pixel_shuffle expects a positive upscale_factor, but got ", factor);
  const size_t batch = self.sizes.size() - 3;
  const int64_t c = self.sizes[batch], h = self.sizes[batch + 1], w = self.sizes[batch + 2];
  check(factor <= 1'000'000, "pixel_shuffle: upscale_factor is too large: ", factor);
  check(c % (factor * factor) == 0,
        "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, but input.size(-3)=", c, " is not divisible by ",
        factor * factor);
  const int64_t out = c / (factor * factor);
  Shape split(self.sizes.begin(), self.sizes.begin() + batch), sizes = split;
  split.insert(split.end(), {out, factor, factor, h, w});
  sizes.insert(sizes.end(), {out, h * factor, w * factor});
  std::vector<int64_t> order(batch);
  for (size_t i = 0; i < batch; ++i) order[i] = static_cast<int64_t>(i);
  const auto b = static_cast<int64_t>(batch);
  order.insert(order.end(), {b, b + 3, b + 1, b + 4, b + 2});
  const Tensor shuffled = to_dtype(permute(reshape(self, split), order), self.dtype, MemoryFormat::Contiguous);
  const Tensor result = view(shuffled, sizes);
  return self.dim() == 4 && suggested_format(self) == MemoryFormat::ChannelsLast ? to_dtype(result, self.dtype, MemoryFormat::ChannelsLast) : result;
}
Tensor pixel_unshuffle(const Tensor& self, int64_t factor) {
  check(self.dim() >= 3, "pixel_unshuffle expects input to have at least 3 dimensions, but got input with ", self.dim(), " dimension(s)");
  check(factor > 0 && factor <= 1'000'000, "pixel_unshuffle expects a positive downscale_factor, but got ", factor);
  const size_t batch = self.sizes.size() - 3;
  const int64_t c = self.sizes[batch], h = self.sizes[batch + 1], w = self.sizes[batch + 2];
  check(h % factor == 0 && w % factor == 0, "pixel_unshuffle expects height and width to be divisible by downscale_factor, but input.size(-2)=", h,
        ", input.size(-1)=", w, " are not divisible by ", factor);
  Shape split(self.sizes.begin(), self.sizes.begin() + batch), sizes = split;
  split.insert(split.end(), {c, h / factor, factor, w / factor, factor});
  sizes.insert(sizes.end(), {c * factor * factor, h / factor, w / factor});
  std::vector<int64_t> order(batch);
  for (size_t i = 0; i < batch; ++i) order[i] = static_cast<int64_t>(i);
  const auto b = static_cast<int64_t>(batch);
  order.insert(order.end(), {b, b + 2, b + 4, b + 1, b + 3});
  const Tensor result = view(to_dtype(permute(reshape(self, split), order), self.dtype, MemoryFormat::Contiguous), sizes);
  return self.dim() == 4 && suggested_format(self) == MemoryFormat::ChannelsLast ? to_dtype(result, self.dtype, MemoryFormat::ChannelsLast) : result;
}
Tensor channel_shuffle(const Tensor& self, int64_t groups) {
  check(self.dim() > 2, "channel_shuffle expects input with > 2 dims, but got input with sizes ", self.sizes);
  check(groups > 0, "Number of groups to divide channels in must be positive. Value of groups:", groups);
  check(self.sizes[1] % groups == 0, "Number of channels must be divisible by groups. Got ", self.sizes[1], " channels and ", groups, " groups.");
  Shape split = self.sizes;
  split[1] /= groups;
  split.insert(split.begin() + 1, groups);
  const Tensor shuffled = transpose(reshape(self, split), 1, 2);
  Tensor result = view(to_dtype(shuffled, self.dtype, MemoryFormat::Contiguous), self.sizes);
  return self.dim() == 4 && suggested_format(self) == MemoryFormat::ChannelsLast ? to_dtype(result, self.dtype, MemoryFormat::ChannelsLast) : result;
}

}  // namespace

void add_joining_ops(OpTable& ops) {
  ops.add("aten::cat(Tensor[] tensors, int dim=0) -> Tensor", cat);
  ops.add("aten::concat(Tensor[] tensors, int dim=0) -> Tensor", concat);
  ops.add("aten::concatenate(Tensor[] tensors, int dim=0) -> Tensor", concat);
  ops.add("aten::stack(Tensor[] tensors, int dim=0) -> Tensor", stack);
  ops.add("aten::hstack(Tensor[] tensors) -> Tensor", hstack);
  ops.add("aten::vstack(Tensor[] tensors) -> Tensor", vstack);
  ops.add("aten::row_stack(Tensor[] tensors) -> Tensor", vstack);
  ops.add("aten::dstack(Tensor[] tensors) -> Tensor", dstack);
  ops.add("aten::column_stack(Tensor[] tensors) -> Tensor", column_stack);
  ops.add("aten::block_diag(Tensor[] tensors) -> Tensor", block_diag);
  ops.add("aten::cartesian_prod(Tensor[] tensors) -> Tensor", cartesian_prod);
  ops.add("aten::flip(Tensor self, int[] dims) -> Tensor", flip);
  ops.add("aten::fliplr(Tensor self) -> Tensor", fliplr);
  ops.add("aten::flipud(Tensor self) -> Tensor", flipud);
  ops.add("aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor", rot90);
  ops.add("aten::roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor", roll);
  ops.add("aten::repeat(Tensor self, SymInt[] repeats) -> Tensor", repeat);
  ops.add("aten::tile(Tensor self, SymInt[] dims) -> Tensor", tile);
  ops.add("aten::repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor", repeat_interleave_tensor);
  ops.add("aten::repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor", repeat_interleave);
  ops.add("aten::repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor", repeat_interleave_int);
  ops.add("aten::slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor", slice_scatter);
  ops.add("aten::select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor", select_scatter);
  ops.add("aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor", diagonal_scatter);
  ops.add("aten::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor", as_strided_scatter);
  ops.add("aten::slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, SymInt step) -> Tensor", slice_backward);
  ops.add("aten::select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> Tensor", select_backward);
  ops.add("aten::diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, int dim2) -> Tensor", diagonal_backward);
  ops.add("aten::unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> Tensor", unfold_backward);
  ops.add("aten::pixel_shuffle(Tensor self, int upscale_factor) -> Tensor", pixel_shuffle);
  ops.add("aten::pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor", pixel_unshuffle);
  ops.add("aten::channel_shuffle(Tensor self, SymInt groups) -> Tensor", channel_shuffle);
  ops.add("aten::native_channel_shuffle(Tensor self, SymInt groups) -> Tensor", channel_shuffle);
}

}  // namespace pt2::interp
