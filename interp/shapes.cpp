#include "interp/shapes.h"

#include <algorithm>
#include <limits>

#include "interp/check.h"

namespace pt2::interp {

namespace {

constexpr int64_t kMaxRank = 64;

// For 4 dimensions N C H W, for 5 N C D H W: from the innermost one of a channels-last tensor.
std::span<const int> channels_last_order(size_t rank) {
  static constexpr int k4[] = {1, 3, 2, 0}, k5[] = {1, 4, 3, 2, 0};
  return rank == 4 ? std::span<const int>(k4) : rank == 5 ? std::span<const int>(k5) : std::span<const int>();
}

bool dense_in_order(const Tensor& t, std::span<const int> order) {
  int64_t expected = 1;
  for (int d : order) {
    if (t.sizes[d] == 1) continue;
    if (t.strides[d] != expected) return false;
    expected *= t.sizes[d];
  }
  return true;
}

bool looks_channels_last(const Tensor& t) {
  const auto order = channels_last_order(t.sizes.size());
  if (order.empty() || t.strides[1] == 0) return false;
  int64_t smallest = 0;
  for (int d : order) {
    if (t.sizes[d] == 0 || t.strides[d] < smallest) return false;
    if (d == 0 && smallest == t.strides[1]) return false;  // both formats fit: contiguous is the default
    smallest = t.strides[d];
    if (t.sizes[d] > 1) smallest *= t.sizes[d];
  }
  return true;
}

}  // namespace

int64_t normalize_dim(int64_t dim, int64_t rank) {
  const int64_t n = rank == 0 ? 1 : rank;
  check(-n <= dim && dim < n, "Dimension out of range (expected to be in range of [", -n, ", ", n - 1, "], but got ", dim, ")");
  return dim < 0 ? dim + n : dim;
}

std::vector<int64_t> normalize_dims(std::span<const int64_t> dims, int64_t rank) {
  std::vector<int64_t> result;
  if (dims.empty())
    for (int64_t d = 0; d < rank; ++d) result.push_back(d);
  for (int64_t dim : dims) result.push_back(normalize_dim(dim, rank));
  std::sort(result.begin(), result.end());
  const auto twice = std::adjacent_find(result.begin(), result.end());
  check(twice == result.end(), "dim ", twice == result.end() ? 0 : *twice, " appears multiple times in the list of dims");
  if (rank == 0) result.clear();
  return result;
}

int64_t checked_numel(std::span<const int64_t> sizes) {
  check(sizes.size() <= kMaxRank, "a tensor has at most ", kMaxRank, " dimensions, this one would have ", sizes.size());
  int64_t product = 1;
  bool overflow = false, empty = false;
  for (int64_t size : sizes) {
    check(size >= 0, "Trying to create tensor with negative dimension ", size, ": ", sizes);
    empty |= size == 0;
    overflow |= __builtin_mul_overflow(product, size, &product);
  }
  if (empty) return 0;
  check(!overflow, "the number of elements of ", sizes, " does not fit in 64 bits");
  return product;
}

int64_t checked_extent(int64_t extent) {
  constexpr int64_t kMost = int64_t{1} << 31;
  check(extent >= -kMost && extent <= kMost, "a stride, padding or dilation of ", extent, " is beyond any tensor");
  return extent;
}

Shape broadcast_shapes(std::span<const int64_t> a, std::span<const int64_t> b) {
  Shape result(std::max(a.size(), b.size()));
  for (size_t i = 0; i < result.size(); ++i) {  // from the last dimension
    const int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
    check(x == y || x == 1 || y == 1, "The size of tensor a (", x, ") must match the size of tensor b (", y, ") at non-singleton dimension ",
          result.size() - 1 - i);
    result[result.size() - 1 - i] = x == 1 ? y : x;
  }
  return result;
}

bool broadcastable_to(std::span<const int64_t> from, std::span<const int64_t> to) {
  if (from.size() > to.size()) return false;
  for (size_t i = 0; i < from.size(); ++i) {
    const int64_t size = from[from.size() - 1 - i];
    if (size != 1 && size != to[to.size() - 1 - i]) return false;
  }
  return true;
}

Shape infer_size(std::span<const int64_t> sizes, int64_t numel) {
  Shape result(sizes.begin(), sizes.end());
  int64_t known = 1;
  std::optional<size_t> unknown;
  bool overflow = false;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == -1) {
      check(!unknown, "only one dimension can be inferred");
      unknown = i;
    } else {
      check(sizes[i] >= 0, "invalid shape dimension ", sizes[i], " at index ", i, " of shape ", sizes);
      overflow |= __builtin_mul_overflow(known, sizes[i], &known);
    }
  }
  check(!overflow && (known == numel || (unknown && known > 0 && numel % known == 0)), "shape '", sizes, "' is invalid for input of size ", numel);
  if (unknown) {
    check(known != 0, "cannot reshape tensor of 0 elements into shape ", sizes,
          " because the unspecified dimension size -1 can be any value and is ambiguous");
    result[*unknown] = numel / known;
  }
  return result;
}

std::optional<Shape> view_strides(std::span<const int64_t> sizes, std::span<const int64_t> strides, std::span<const int64_t> new_sizes) {
  Shape result(new_sizes.size(), 1);
  if (sizes.empty()) return result;
  if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end()) {
    if (std::equal(sizes.begin(), sizes.end(), new_sizes.begin(), new_sizes.end())) return Shape(strides.begin(), strides.end());
    return contiguous_strides(new_sizes);
  }
  // Runs of dimensions that are dense among themselves must be covered exactly by new dimensions.
  auto view_d = static_cast<int64_t>(new_sizes.size()) - 1;
  int64_t base_stride = strides.back(), run = 1, covered = 1;
  for (auto d = static_cast<int64_t>(sizes.size()) - 1; d >= 0; --d) {
    run *= sizes[d];
    if (d != 0 && (sizes[d - 1] == 1 || strides[d - 1] == run * base_stride)) continue;
    while (view_d >= 0 && (covered < run || new_sizes[view_d] == 1)) {
      result[view_d] = covered * base_stride;
      covered *= new_sizes[view_d--];
    }
    if (covered != run) return std::nullopt;
    if (d > 0) {
      base_stride = strides[d - 1];
      run = covered = 1;
    }
  }
  if (view_d != -1) return std::nullopt;
  return result;
}

Tensor make_view(const Tensor& base, Shape sizes, Shape strides, int64_t offset) {
  return make_view(base, std::move(sizes), std::move(strides), offset, base.dtype);
}

Tensor make_view(const Tensor& base, Shape sizes, Shape strides, int64_t offset, DType dtype) {
  check(sizes.size() == strides.size(), "mismatch in length of strides and shape");
  const int64_t numel = checked_numel(sizes);
  int64_t last = offset;
  bool overflow = offset < 0;
  for (size_t d = 0; d < sizes.size(); ++d) {
    check(strides[d] >= 0, "as_strided: Negative strides are not supported at the moment, got strides: ", strides);
    int64_t step = 0;  // also of an empty tensor: later views add these numbers up
    overflow |= __builtin_mul_overflow(std::max<int64_t>(sizes[d] - 1, 0), strides[d], &step) || __builtin_add_overflow(last, step, &last);
  }
  int64_t end_bytes = 0;
  if (numel) overflow |= __builtin_add_overflow(last, int64_t{1}, &last) || __builtin_mul_overflow(last, int64_t{item_size(dtype)}, &end_bytes);
  check(!overflow && static_cast<uint64_t>(end_bytes) <= base.storage.size_bytes(), "setStorage: sizes ", sizes, ", strides ", strides,
        ", storage offset ", offset, ", and itemsize ", item_size(dtype), " requiring a storage size of ", end_bytes,
        " are out of bounds for storage of size ", base.storage.size_bytes());
  Tensor view;
  view.storage = base.storage;
  view.dtype = dtype;
  view.sizes = std::move(sizes);
  view.strides = std::move(strides);
  view.offset = offset;
  return view;
}

Tensor expand_to(const Tensor& tensor, std::span<const int64_t> sizes) {
  const size_t rank = tensor.sizes.size();
  check(sizes.size() >= rank, "expand: the number of sizes provided (", sizes.size(),
        ") must be greater or equal to the number of dimensions in the tensor (", rank, ")");
  Shape result(sizes.begin(), sizes.end()), strides(sizes.size(), 0);
  const size_t lead = sizes.size() - rank;
  for (size_t i = sizes.size(); i-- > 0;) {
    const int64_t size = i >= lead ? tensor.sizes[i - lead] : 1;
    const int64_t stride = i >= lead ? tensor.strides[i - lead] : i + 1 < sizes.size() ? result[i + 1] * strides[i + 1] : 1;
    if (result[i] == -1) {
      check(i >= lead, "expand: the expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension ", i);
      result[i] = size;
    }
    check(size == 1 || size == result[i], "The expanded size of the tensor (", result[i], ") must match the existing size (", size,
          ") at non-singleton dimension ", i, ".  Target sizes: ", sizes, ".  Tensor sizes: ", tensor.sizes);
    strides[i] = size == result[i] ? stride : 0;
  }
  return make_view(tensor, std::move(result), std::move(strides), tensor.offset);
}

bool is_non_overlapping_and_dense(const Tensor& t) {
  if (is_contiguous(t)) return true;
  if (t.dim() == 1) return t.sizes[0] < 2 || t.strides[0] == 1;
  std::vector<size_t> order(t.sizes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (t.sizes[a] < 2) return false;
    return t.sizes[b] < 2 || t.strides[a] < t.strides[b];
  });
  int64_t expected = 1;
  for (size_t d : order) {
    if (t.sizes[d] < 2) return true;
    if (t.strides[d] != expected) return false;
    expected *= t.sizes[d];
  }
  return true;
}

bool has_internal_overlap(const Tensor& t) {
  if (t.numel() == 0 || is_non_overlapping_and_dense(t)) return false;
  for (size_t d = 0; d < t.sizes.size(); ++d)
    if (t.strides[d] == 0 && t.sizes[d] > 1) return true;
  return false;
}

bool is_contiguous_as(const Tensor& t, MemoryFormat format) {
  if (format == MemoryFormat::ChannelsLast) return t.dim() == 4 && dense_in_order(t, channels_last_order(4));
  if (format == MemoryFormat::ChannelsLast3d) return t.dim() == 5 && dense_in_order(t, channels_last_order(5));
  return is_contiguous(t);
}

MemoryFormat suggested_format(const Tensor& t) {
  if (!looks_channels_last(t)) return MemoryFormat::Contiguous;
  return t.dim() == 4 ? MemoryFormat::ChannelsLast : MemoryFormat::ChannelsLast3d;
}

Shape strides_for(std::span<const int64_t> sizes, MemoryFormat format) {
  if (format != MemoryFormat::ChannelsLast && format != MemoryFormat::ChannelsLast3d) return contiguous_strides(sizes);
  const size_t rank = format == MemoryFormat::ChannelsLast ? 4 : 5;
  check(sizes.size() == rank, "required rank ", rank, " tensor to use ", memory_format_name(format).substr(6), " format");
  Shape strides(rank);
  uint64_t next = 1;  // of an empty tensor it may wrap around
  for (int d : channels_last_order(rank)) {
    strides[d] = static_cast<int64_t>(next);
    next *= static_cast<uint64_t>(std::max<int64_t>(sizes[d], 1));
  }
  return strides;
}

Shape preserved_strides(const Tensor& t) {
  if (is_non_overlapping_and_dense(t)) return t.strides;
  // PyTorch's infer_dense_strides: the order of the strides, without their gaps.
  const auto rank = static_cast<int64_t>(t.sizes.size());
  std::vector<int64_t> order(t.sizes.size());
  for (int64_t i = 0; i < rank; ++i) order[i] = rank - 1 - i;
  const auto compare = [&](int64_t a, int64_t b) {
    const int64_t x = t.strides[a], y = t.strides[b];
    if (x == 0 || y == 0) return 0;
    if (x != y) return x < y ? -1 : 1;
    return t.sizes[a] > t.sizes[b] ? 1 : 0;
  };
  for (int64_t i = 1; i < rank; ++i)
    for (int64_t at = i, before = i - 1; before >= 0; --before) {
      const int c = compare(order[before], order[at]);
      if (c > 0) {
        std::swap(order[before], order[at]);
        at = before;
      } else if (c < 0) break;
    }
  Shape strides(t.sizes.size());
  int64_t next = 1;
  for (int64_t d : order) {
    strides[d] = next;
    if (t.sizes[d] > 1) next *= t.sizes[d];
  }
  return strides;
}

}  // namespace pt2::interp
