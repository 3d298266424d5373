// One tensor into several, and several made to fit each other.
#include <algorithm>

#include "interp/check.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/view.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

// Views of one tensor in a list: far more than any program has, and few enough to be made at once.
void check_parts(int64_t count) { check(count <= 10'000'000, "the result would have ", count, " tensors"); }

}  // namespace

std::vector<Tensor> split_with_sizes(const Tensor& self, std::span<const int64_t> sizes, int64_t dim) {
  check(self.dim() > 0, "split expects at least a 1-dimensional tensor");
  dim = normalize_dim(dim, self.dim());
  int64_t total = 0;
  for (int64_t size : sizes) {
    check(size >= 0 && size <= INT64_MAX - total, "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=", sizes);
    total += size;
  }
  check(total == self.sizes[dim], "split_with_sizes expects split_sizes to sum exactly to ", self.sizes[dim], " (input tensor's size at dimension ", dim,
        "), but got split_sizes=", sizes);
  std::vector<Tensor> parts;
  int64_t start = 0;
  for (int64_t size : sizes) {
    parts.push_back(narrow(self, dim, start, size));
    start += size;
  }
  return parts;
}

std::vector<Tensor> unbind(const Tensor& self, int64_t dim) {
  check(self.dim() > 0, "Dimension specified as ", dim, " but tensor has no dimensions");
  dim = normalize_dim(dim, self.dim());
  check_parts(self.sizes[dim]);
  std::vector<Tensor> parts;
  for (int64_t i = 0; i < self.sizes[dim]; ++i) parts.push_back(select(self, dim, i));
  return parts;
}

namespace {

std::vector<Tensor> split(const Tensor& self, int64_t split_size, int64_t dim) {
  check(self.dim() > 0, "split expects at least a 1-dimensional tensor");
  check(split_size >= 0, "split expects split_size be non-negative, but got split_size=", split_size);
  dim = normalize_dim(dim, self.dim());
  const int64_t size = self.sizes[dim];
  check(split_size > 0 || size == 0, "split_size can only be 0 if dimension size is 0, but got dimension size of ", size);
  const int64_t count = split_size == 0 || size == 0 ? 1 : (size - 1) / split_size + 1;
  check_parts(count);
  std::vector<Tensor> parts;
  for (int64_t i = 0; i < count; ++i) parts.push_back(narrow(self, dim, i * split_size, std::min(split_size, size - i * split_size)));
  return parts;
}

std::vector<Tensor> chunk(const Tensor& self, int64_t chunks, int64_t dim) {
  check(self.dim() > 0, "chunk expects at least a 1-dimensional tensor");
  check(chunks > 0, "chunk expects `chunks` to be greater than 0, got: ", chunks);
  const int64_t size = self.sizes[normalize_dim(dim, self.dim())];
  if (size == 0) {
    check_parts(chunks);
    return std::vector<Tensor>(static_cast<size_t>(chunks), self);
  }
  return split(self, (size - 1) / chunks + 1, dim);
}

// Where the parts of tensor_split, hsplit … begin.
std::vector<Tensor> tensor_split_indices(const Tensor& self, std::span<const int64_t> indices, int64_t dim) {
  check(self.dim() > 0, "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims");
  std::vector<Tensor> parts;
  int64_t start = 0;
  for (int64_t end : indices) {
    parts.push_back(slice(self, dim, start, end, 1));
    start = end;
  }
  parts.push_back(slice(self, dim, start, std::nullopt, 1));
  return parts;
}
std::vector<Tensor> tensor_split(const Tensor& self, int64_t sections, int64_t dim) {
  check(self.dim() > 0, "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims");
  check(sections > 0, "number of sections must be larger than 0, got ", sections);
  check_parts(sections);
  dim = normalize_dim(dim, self.dim());
  const int64_t size = self.sizes[dim];
  std::vector<Tensor> parts;
  int64_t start = 0;
  for (int64_t i = 0; i < sections; ++i) {
    const int64_t length = size / sections + (i < size % sections ? 1 : 0);
    parts.push_back(narrow(self, dim, start, length));
    start += length;
  }
  return parts;
}
int64_t horizontal_dim(const Tensor& self) {
  check(self.dim() >= 1, "torch.hsplit requires a tensor with at least 1 dimension, but got a tensor with ", self.dim(), " dimensions!");
  return self.dim() == 1 ? 0 : 1;
}
void check_divisible(const Tensor& self, int64_t dim, int64_t sections) {
  check(sections > 0 && self.sizes[dim] % sections == 0, "attempted to split along dimension ", dim, ", but the size of the dimension ", self.sizes[dim],
        " is not divisible by the split_size ", sections, "!");
}
std::vector<Tensor> hsplit(const Tensor& self, int64_t sections) {
  const int64_t dim = horizontal_dim(self);
  check_divisible(self, dim, sections);
  return tensor_split(self, sections, dim);
}
std::vector<Tensor> hsplit_array(const Tensor& self, std::span<const int64_t> indices) { return tensor_split_indices(self, indices, horizontal_dim(self)); }
std::vector<Tensor> vsplit(const Tensor& self, int64_t sections) {
  check(self.dim() >= 2, "torch.vsplit requires a tensor with at least 2 dimension, but got a tensor with ", self.dim(), " dimensions!");
  check_divisible(self, 0, sections);
  return tensor_split(self, sections, 0);
}
std::vector<Tensor> vsplit_array(const Tensor& self, std::span<const int64_t> indices) {
  check(self.dim() >= 2, "torch.vsplit requires a tensor with at least 2 dimension, but got a tensor with ", self.dim(), " dimensions!");
  return tensor_split_indices(self, indices, 0);
}
std::vector<Tensor> dsplit(const Tensor& self, int64_t sections) {
  check(self.dim() >= 3, "torch.dsplit requires a tensor with at least 3 dimension, but got a tensor with ", self.dim(), " dimensions!");
  check_divisible(self, 2, sections);
  return tensor_split(self, sections, 2);
}

std::vector<Tensor> broadcast_tensors(const std::vector<Tensor>& tensors) {
  Shape sizes;
  for (const Tensor& tensor : tensors) sizes = broadcast_shapes(sizes, tensor.sizes);
  std::vector<Tensor> result;
  for (const Tensor& tensor : tensors) result.push_back(expand_to(tensor, sizes));
  return result;
}
std::vector<Tensor> meshgrid_indexing(const std::vector<Tensor>& tensors, std::string_view indexing) {
  check(!tensors.empty(), "meshgrid expects a non-empty TensorList");
  check(indexing == "ij" || indexing == "xy", "torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: ", indexing);
  std::vector<Tensor> order(tensors);
  const bool swap = indexing == "xy" && tensors.size() >= 2;
  if (swap) std::swap(order[0], order[1]);
  Shape sizes;
  for (const Tensor& tensor : order) {
    check(tensor.dtype == tensors[0].dtype, "torch.meshgrid expects all tensors to have the same dtype");
    check(tensor.dim() <= 1, "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got a tensor of ", tensor.dim(), " dimensions");
    sizes.push_back(tensor.numel());
  }
  std::vector<Tensor> grids;
  for (size_t i = 0; i < order.size(); ++i) {
    Shape one(sizes.size(), 1);
    one[i] = sizes[i];
    grids.push_back(expand_to(view(order[i], one), sizes));
  }
  if (swap) std::swap(grids[0], grids[1]);
  return grids;
}
std::vector<Tensor> meshgrid(const std::vector<Tensor>& tensors) { return meshgrid_indexing(tensors, "ij"); }

template <auto view_function, class... A>
std::vector<Tensor> copies_of(const Tensor& self, A... arguments) {
  std::vector<Tensor> result;
  for (const Tensor& part : view_function(self, arguments...)) result.push_back(to_dtype(part, part.dtype, MemoryFormat::Contiguous));
  return result;
}
using Ints = std::span<const int64_t>;

}  // namespace

void add_splitting_ops(OpTable& ops) {
  ops.add("aten::broadcast_tensors(Tensor[] tensors) -> Tensor[]", broadcast_tensors);
  ops.add("aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]", split);
  ops.add("aten::split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]", split_with_sizes);
  ops.add("aten::split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]", split_with_sizes);
  ops.add("aten::unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]", split);
  ops.add("aten::unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]", split_with_sizes);
  ops.add("aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]", chunk);
  ops.add("aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]", chunk);
  ops.add("aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]", unbind);
  ops.add("aten::tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]", tensor_split);
  ops.add("aten::tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]", tensor_split_indices);
  ops.add("aten::hsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", hsplit);
  ops.add("aten::hsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", hsplit_array);
  ops.add("aten::vsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", vsplit);
  ops.add("aten::vsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", vsplit_array);
  ops.add("aten::dsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", dsplit);
  ops.add("aten::meshgrid(Tensor[] tensors) -> Tensor[]", meshgrid);
  ops.add("aten::meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]", meshgrid_indexing);
  ops.add("aten::split_copy.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]", copies_of<split, int64_t, int64_t>);
  ops.add("aten::split_with_sizes_copy(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]", copies_of<split_with_sizes, Ints, int64_t>);
  ops.add("aten::unbind_copy.int(Tensor self, int dim=0) -> Tensor[]", copies_of<unbind, int64_t>);
}

}  // namespace pt2::interp
