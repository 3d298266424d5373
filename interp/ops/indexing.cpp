// x[i, mask, :, j] and assignments to it. Every index is held against the size of its dimension before anything is written.
#include "interp/ops/indexing.h"

#include <algorithm>
#include <cstring>

#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/view.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

Tensor checked_indices(const Tensor& index, int64_t size, int64_t dim) {
  check(is_integral(index.dtype), "tensors used as indices must be long, int, byte or bool tensors");
  const Tensor result = to_dtype(index, DType::Int64, MemoryFormat::Contiguous);
  int64_t* values = result.data<int64_t>();
  for (int64_t i = 0; i < result.numel(); ++i) {
    check(values[i] >= -size && values[i] < size, "index ", values[i], " is out of bounds for dimension ", dim, " with size ", size);
    if (values[i] < 0) values[i] += size;
  }
  return result;
}

Tensor nonzero(const Tensor& self) {
  const Tensor truth = to_dtype(self, DType::Bool, MemoryFormat::Contiguous);
  const auto* flags = truth.data<uint8_t>();
  const int64_t numel = truth.numel(), rank = self.dim(), count = numel - std::count(flags, flags + numel, uint8_t{0});
  // Coordinate by coordinate in memory, as PyTorch has it.
  const Tensor columns = empty(Shape{rank, count}, DType::Int64);
  std::vector<int64_t> at(self.sizes.size(), 0);
  int64_t found = 0;
  for (int64_t i = 0; i < numel; ++i) {
    if (flags[i]) {
      for (int64_t d = 0; d < rank; ++d) columns.data<int64_t>()[d * count + found] = at[d];
      ++found;
    }
    for (int64_t d = rank; d-- > 0;) {
      if (++at[d] < self.sizes[d]) break;
      at[d] = 0;
    }
  }
  return transpose(columns, 0, 1);
}

namespace {

using Indices = std::vector<std::optional<Tensor>>;

// An indexing as offsets: element (b, p, a) of the result is self[before[b] + picked[p] + after[a]], offsets in elements.
struct Picking {
  Shape before_sizes, index_sizes, after_sizes;
  Scratch<int64_t> before{0}, picked{0}, after{0};
  bool dense_after = false;   // the last part is one run of memory
  Shape layout;               // the strides PyTorch gives the result

  Shape sizes() const {
    Shape all = before_sizes;
    all.insert(all.end(), index_sizes.begin(), index_sizes.end());
    all.insert(all.end(), after_sizes.begin(), after_sizes.end());
    return all;
  }
};

Scratch<int64_t> offsets_of(const Shape& sizes, const Shape& strides) {
  Scratch<int64_t> offsets(checked_numel(sizes));
  int64_t block = offsets.size();
  std::vector<int64_t> blocks;  // elements below one step of a dimension
  for (int64_t size : sizes) blocks.push_back(block = size ? block / size : 0);
  for (int64_t i = 0; i < offsets.size(); ++i) {
    int64_t rest = i, offset = 0;
    for (size_t d = 0; d < sizes.size(); ++d) {
      offset += rest / blocks[d] * strides[d];
      rest %= blocks[d];
    }
    offsets[i] = offset;
  }
  return offsets;
}

// Masks as the coordinates of their true elements.
Indices without_masks(const Tensor& self, const Indices& indices) {
  Indices result;
  for (const auto& index : indices) {
    if (!index || (index->dtype != DType::Bool && index->dtype != DType::UInt8)) {
      check(!index || index->dtype == DType::Int64 || index->dtype == DType::Int32, "tensors used as indices must be long, int, byte or bool tensors");
      result.push_back(index);
      continue;
    }
    for (int64_t d = 0; d < index->dim(); ++d) {
      const size_t at = result.size() + static_cast<size_t>(d);
      check(at < self.sizes.size(), "too many indices for tensor of dimension ", self.dim());
      check(index->sizes[d] == self.sizes[at], "The shape of the mask ", index->sizes, " at index ", d, " does not match the shape of the indexed tensor ",
            self.sizes, " at index ", at);
    }
    const Tensor coordinates = nonzero(*index);
    if (index->dim() == 0) {  // one mask for everything: a new dimension of size 0 or 1, which only a tensor seen with it has
      fail("a mask without dimensions is not supported as an index");
    }
    for (int64_t d = 0; d < index->dim(); ++d) result.push_back(select(coordinates, 1, d));
  }
  return result;
}

Picking pick(const Tensor& whole, const Indices& given) {
  check(given.size() <= whole.sizes.size() || std::any_of(given.begin(), given.end(), [](const auto& i) { return i && i->dtype == DType::Bool; }),
        "too many indices for tensor of dimension ", whole.dim(), " (got ", given.size(), ")");
  Indices indices = without_masks(whole, given);
  check(indices.size() <= whole.sizes.size(), "too many indices for tensor of dimension ", whole.dim(), " (got ", indices.size(), ")");
  indices.resize(whole.sizes.size());

  // Indexed dimensions that are not next to each other come first.
  Tensor self = whole;
  std::vector<int64_t> indexed, rest;
  for (size_t d = 0; d < indices.size(); ++d) (indices[d] ? indexed : rest).push_back(static_cast<int64_t>(d));
  check(!indexed.empty(), "at least one index must be a tensor");
  if (indexed.back() - indexed.front() + 1 != static_cast<int64_t>(indexed.size())) {
    std::vector<int64_t> order = indexed;
    order.insert(order.end(), rest.begin(), rest.end());
    self = permute(whole, order);
    Indices moved;
    for (int64_t d : order) moved.push_back(indices[d]);
    indices = std::move(moved);
  }

  Picking picking;
  size_t first = 0, last = indices.size();
  while (!indices[first]) ++first;
  while (!indices[last - 1]) --last;
  for (size_t d = first; d < last; ++d) {
    try {
      picking.index_sizes = broadcast_shapes(picking.index_sizes, indices[d]->sizes);
    } catch (const KernelError&) {
      fail("shape mismatch: indexing tensors could not be broadcast together with shapes ", picking.index_sizes, ", ", indices[d]->sizes);
    }
  }
  const int64_t positions = checked_numel(picking.index_sizes);
  picking.picked = Scratch<int64_t>(positions);
  std::fill(picking.picked.begin(), picking.picked.end(), int64_t{0});
  for (size_t d = first; d < last; ++d) {
    const bool nothing = positions == 0;
    const Tensor index = nothing ? Tensor() : checked_indices(expand_to(*indices[d], picking.index_sizes), self.sizes[d], static_cast<int64_t>(d));
    for (int64_t p = 0; p < positions; ++p) picking.picked[p] += index.data<int64_t>()[p] * self.strides[d];
  }
  const auto part = [&](size_t begin, size_t end, Shape& sizes, Scratch<int64_t>& offsets) {
    sizes.assign(self.sizes.begin() + static_cast<long>(begin), self.sizes.begin() + static_cast<long>(end));
    const Shape strides(self.strides.begin() + static_cast<long>(begin), self.strides.begin() + static_cast<long>(end));
    offsets = offsets_of(sizes, strides);
    return contiguous_strides(sizes) == strides;
  };
  part(0, first, picking.before_sizes, picking.before);
  picking.dense_after = part(last, indices.size(), picking.after_sizes, picking.after);
  for (int64_t& offset : picking.before) offset += self.offset;

  // The layout TensorIterator chooses from the strides of self (0 along the index) and of the index (0 elsewhere).
  const Shape sizes = picking.sizes();
  std::vector<Tensor> seen(1 + last - first);
  std::vector<const Tensor*> operands;
  for (Tensor& t : seen) t.sizes = sizes, t.strides.assign(sizes.size(), 0), t.dtype = DType::Int64, operands.push_back(&t);
  seen[0].dtype = self.dtype;
  for (size_t d = 0; d < first; ++d) seen[0].strides[d] = self.strides[d];
  for (size_t d = last; d < indices.size(); ++d) seen[0].strides[first + picking.index_sizes.size() + d - last] = self.strides[d];
  for (size_t d = first; d < last; ++d) {
    const Tensor index = expand_to(*indices[d], picking.index_sizes);
    for (size_t i = 0; i < index.strides.size(); ++i) seen[1 + d - first].strides[first + i] = index.strides[i];
  }
  picking.layout = result_strides(sizes, operands);
  return picking;
}

void pick_into(const Tensor& dense, const Tensor& self, const Picking& p) {
  const int64_t item = item_size(self.dtype);
  const int64_t positions = p.picked.size(), run = p.after.size();
  parallel_for(p.before.size() * positions, grain_for(run), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const std::byte* from = self.storage.data() + (p.before[i / positions] + p.picked[i % positions]) * item;
      std::byte* to = dense.bytes() + i * run * item;
      if (p.dense_after) std::memcpy(to, from, static_cast<size_t>(run * item));
      else
        for (int64_t a = 0; a < run; ++a) std::memcpy(to + a * item, from + p.after[a] * item, static_cast<size_t>(item));
    }
  });
}

void index_put_into(const Tensor& self, const Indices& indices, const Tensor& values, bool accumulate) {
  const auto given = std::count_if(indices.begin(), indices.end(), [](const auto& i) { return i.has_value(); });
  const auto masks = std::count_if(indices.begin(), indices.end(), [](const auto& i) { return i && i->dtype == DType::Bool; });
  // One value under one mask is masked_fill, which converts it.
  if (!accumulate && values.numel() == 1 && given == 1 && masks == 1 && values.dtype != self.dtype)
    return index_put_into(self, indices, to_dtype(values, self.dtype), false);
  check(self.dtype == values.dtype, "Index put requires the source and destination dtypes match, got ", scalar_type_name(self.dtype), " for the destination and ",
        scalar_type_name(values.dtype), " for the source.");
  const bool whole = std::none_of(indices.begin(), indices.end(), [](const auto& i) { return i.has_value(); });
  if (whole && !indices.empty()) {
    check(!accumulate, "index_put_: no index tensor to accumulate by");
    return copy_into(self, values);
  }
  const Picking p = pick(self, indices);
  const Shape sizes = p.sizes();
  check(broadcastable_to(values.sizes, sizes), "shape mismatch: value tensor of shape ", values.sizes, " cannot be broadcast to indexing result of shape ", sizes);
  const Tensor source = to_dtype(expand_to(values, sizes), values.dtype, MemoryFormat::Contiguous);
  const int64_t item = item_size(self.dtype);
  const std::byte* from = source.bytes();
  const auto each = [&](auto&& write) {
    for (int64_t before : p.before)
      for (int64_t picked : p.picked)
        for (int64_t after : p.after) {
          write(self.storage.data() + (before + picked + after) * item, from);
          from += item;
        }
  };
  if (!accumulate) return each([item](std::byte* to, const std::byte* value) { std::memcpy(to, value, static_cast<size_t>(item)); });
  if (self.dtype == DType::Float32)
    return each([](std::byte* to, const std::byte* value) { *reinterpret_cast<float*>(to) += *reinterpret_cast<const float*>(value); });
  dispatch(NumberTypes(), self.dtype, "index_put", [&]<class C>() {
    const LoadFunction load = loader(self.dtype, compute_of<C>());
    const StoreFunction store = storer(compute_of<C>(), self.dtype);
    each([&](std::byte* to, const std::byte* value) {
      C a, b;
      load(to, 0, &a, 1);
      load(value, 0, &b, 1);
      a += b;
      store(&a, to, 0, 1);
    });
  });
}
Tensor index_put(const Tensor& self, const Indices& indices, const Tensor& values, bool accumulate) {
  Tensor result = to_dtype(self, self.dtype);
  index_put_into(result, indices, values, accumulate);
  return result;
}
void index_put_(const Tensor& self, const Indices& indices, const Tensor& values, bool accumulate) {
  check_writable(self);
  index_put_into(self, indices, values, accumulate);
}
void index_put_impl_(const Tensor& self, const Indices& indices, const Tensor& values, bool accumulate, bool) {
  index_put_(self, indices, values, accumulate);
}
Tensor unsafe_index(const Tensor& self, const Indices& indices) { return index(self, indices); }

// Indices outside count as not selected: the fill where the mask is false.
Tensor unsafe_masked_index(const Tensor& self, const Tensor& mask, const Indices& indices, Scalar fill_value) {
  Indices clamped;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (!indices[d]) { clamped.emplace_back(); continue; }
    const int64_t size = self.sizes[d];
    clamped.emplace_back(map<IntTypes>({"clamp", DType::Int64, DType::Int64}, [size](int64_t i) { return std::clamp<int64_t>(i, -size, size - 1); }, *indices[d]));
  }
  const Tensor taken = index(self, clamped), flags = expand_to(mask, taken.sizes);
  Tensor result = full(taken.sizes, self.dtype, fill_value);
  dispatch(NumberTypes(), self.dtype, "masked_index", [&]<class C>() {
    const BlockOperand operands[] = {{&result, compute_of<C>()}, {&result, compute_of<C>()}, {&flags, Compute::Bool}, {&taken, compute_of<C>()}};
    map_blocks(result.sizes, operands, 1, [](void* const* b, int64_t n) {
      for (int64_t i = 0; i < n; ++i)
        static_cast<C*>(b[0])[i] = static_cast<const bool*>(b[2])[i] ? static_cast<const C*>(b[3])[i] : static_cast<const C*>(b[1])[i];
    });
  });
  return result;
}

// ---- Masks

Tensor masked_select(const Tensor& self, const Tensor& mask) {
  check(mask.dtype == DType::Bool, "masked_select: expected BoolTensor for mask");
  const Shape sizes = broadcast_shapes(self.sizes, mask.sizes);
  const Tensor values = as_contiguous(expand_to(self, sizes)), flags = to_dtype(expand_to(mask, sizes), DType::Bool, MemoryFormat::Contiguous);
  const auto* flag = flags.data<uint8_t>();
  const int64_t numel = values.numel(), item = item_size(self.dtype), count = numel - std::count(flag, flag + numel, uint8_t{0});
  Tensor result = empty(Shape{count}, self.dtype);
  std::byte* out = result.bytes();
  for (int64_t i = 0; i < numel; ++i)
    if (flag[i]) std::memcpy(out, values.bytes() + i * item, static_cast<size_t>(item)), out += item;
  return result;
}

void masked_scatter_into(const Tensor& self, const Tensor& mask, const Tensor& source) {
  check(self.dtype == source.dtype, "masked_scatter: expected self and source to have same dtypes but got ", scalar_type_name(self.dtype), " and ",
        scalar_type_name(source.dtype));
  check(mask.dtype == DType::Bool, "masked_scatter_ only supports boolean masks, but got mask with dtype ", scalar_type_name(mask.dtype));
  const Tensor flags = to_dtype(expand_to(mask, self.sizes), DType::Bool, MemoryFormat::Contiguous), values = as_contiguous(source);
  const auto* flag = flags.data<uint8_t>();
  const int64_t item = item_size(self.dtype), count = flags.numel() - std::count(flag, flag + flags.numel(), uint8_t{0});
  check(count <= values.numel(), "Number of elements of source < number of ones in mask");
  const std::byte* from = values.bytes();
  const Tensor* tensors[] = {&self};
  const StridedLoop loop = ordered_loop(self.sizes, tensors);
  for_each_row(loop, 0, loop.numel(), [&](std::byte* const* p, const int64_t* strides, int64_t n) {
    for (int64_t i = 0; i < n; ++i)
      if (*flag++) std::memcpy(p[0] + i * strides[0], from, static_cast<size_t>(item)), from += item;
  });
}
Tensor masked_scatter(const Tensor& self, const Tensor& mask, const Tensor& source) {
  Tensor result = to_dtype(expand_to(self, broadcast_shapes(self.sizes, mask.sizes)), self.dtype, MemoryFormat::Contiguous);
  if (result.numel() > 0) masked_scatter_into(result, mask, source);
  return result;
}
void masked_scatter_(const Tensor& self, const Tensor& mask, const Tensor& source) {
  check_writable(self);
  if (self.numel() > 0) masked_scatter_into(self, mask, source);
}

Tensor argwhere(const Tensor& self) { return nonzero(self); }
std::vector<Tensor> nonzero_numpy(const Tensor& self) {
  return unbind(self.dim() == 0 ? nonzero(unsqueeze(self, 0)) : nonzero(self), 1);
}
std::vector<Tensor> where_condition(const Tensor& condition) { return nonzero_numpy(condition); }
Tensor nonzero_static(const Tensor& self, int64_t size, int64_t fill_value) {
  check(size >= 0, "nonzero_static: 'size' must be an non-negative integer");
  const Tensor found = nonzero(self);
  Tensor result = full(Shape{size, self.dim()}, DType::Int64, fill_value);
  const int64_t rows = std::min(size, found.sizes[0]);
  copy_into(narrow(result, 0, 0, rows), narrow(found, 0, 0, rows));
  return result;
}

// ---- Flat positions

Tensor take(const Tensor& self, const Tensor& index_tensor) {
  check(index_tensor.dtype == DType::Int64, "take(): Expected a long tensor for index, but got ", scalar_type_name(index_tensor.dtype));
  check(self.numel() > 0 || index_tensor.numel() == 0, "take(): tried to take from an empty tensor");
  const Tensor places = checked_indices(reshape(index_tensor, Shape{-1}), self.numel(), 0);
  return reshape(index_select(reshape(self, Shape{-1}), 0, places), index_tensor.sizes);
}
Tensor put(const Tensor& self, const Tensor& index_tensor, const Tensor& source, bool accumulate) {
  check(index_tensor.dtype == DType::Int64, "put_(): Expected a long tensor for index, but got ", scalar_type_name(index_tensor.dtype));
  check(self.dtype == source.dtype, "put_(): self and source expected to have the same dtype, but got self.dtype = ", scalar_type_name(self.dtype),
        " and source.dtype = ", scalar_type_name(source.dtype));
  check(index_tensor.numel() == source.numel(), "put_(): Expected source and index to have the same number of elements, but got source.numel() = ", source.numel(),
        ", index.numel() = ", index_tensor.numel());
  Tensor result = to_dtype(self, self.dtype, MemoryFormat::Contiguous);
  index_put_into(reshape(result, Shape{-1}), {reshape(index_tensor, Shape{-1})}, reshape(source, Shape{-1}), accumulate);
  return result;
}

}  // namespace

Tensor index(const Tensor& self, const std::vector<std::optional<Tensor>>& indices) {
  const Picking p = pick(self, indices);
  const Shape sizes = p.sizes();
  Tensor dense = empty(sizes, self.dtype);
  if (dense.numel() == 0) return dense;
  pick_into(dense, self, p);
  if (p.layout == dense.strides) return dense;
  Tensor result = empty_strided(sizes, p.layout, self.dtype);
  copy_into(result, dense);
  return result;
}

Tensor index_select(const Tensor& self, int64_t dim, const Tensor& index_tensor) {
  dim = normalize_dim(dim, self.dim());
  check(index_tensor.dim() <= 1, "index_select(): Index is supposed to be a vector, but got dim: ", index_tensor.dim());
  check(index_tensor.dtype == DType::Int64 || index_tensor.dtype == DType::Int32, "index_select(): Expected dtype int32 or int64 for index");
  const Tensor rows = self.dim() == 0 ? unsqueeze(self, 0) : self;
  const Tensor flat = index_tensor.dim() == 0 ? unsqueeze(index_tensor, 0) : index_tensor;
  const Tensor dense = to_dtype(flat, DType::Int64, MemoryFormat::Contiguous);
  for (int64_t i = 0; i < dense.numel(); ++i)
    check(dense.data<int64_t>()[i] >= 0 && dense.data<int64_t>()[i] < rows.sizes[dim], "index out of range in self");
  Indices indices(static_cast<size_t>(dim));
  indices.push_back(dense);
  const Picking p = pick(rows, indices);
  Tensor result = empty(p.sizes(), self.dtype);
  if (result.numel() > 0) pick_into(result, rows, p);
  return self.dim() == 0 ? reshape(result, Shape{}) : result;
}

void add_indexing_ops(OpTable& ops) {
  ops.add("aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor", index);
  ops.add("aten::_unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor", unsafe_index);
  ops.add("aten::_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) -> Tensor", unsafe_masked_index);
  ops.add("aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor", index_put);
  ops.add("aten::_unsafe_index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor", index_put);
  ops.add("aten::index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor(a!)", index_put_);
  ops.add("aten::_index_put_impl_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False, bool unsafe=False) -> Tensor(a!)", index_put_impl_);
  ops.add("aten::index_select(Tensor self, int dim, Tensor index) -> Tensor", index_select);
  ops.add("aten::masked_select(Tensor self, Tensor mask) -> Tensor", masked_select);
  ops.add("aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor", masked_scatter);
  ops.add("aten::masked_scatter_(Tensor(a!) self, Tensor mask, Tensor source) -> Tensor(a!)", masked_scatter_);
  ops.add("aten::nonzero(Tensor self) -> Tensor", nonzero);
  ops.add("aten::nonzero_numpy(Tensor self) -> Tensor[]", nonzero_numpy);
  ops.add("aten::nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor", nonzero_static);
  ops.add("aten::where(Tensor condition) -> Tensor[]", where_condition);
  ops.add("aten::argwhere(Tensor self) -> Tensor", argwhere);
  ops.add("aten::take(Tensor self, Tensor index) -> Tensor", take);
  ops.add("aten::put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor", put);
}

}  // namespace pt2::interp
