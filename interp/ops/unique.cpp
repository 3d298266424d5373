// unique and its relatives, isin.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <tuple>

#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/ops/pointwise.h"
#include "interp/ops/view.h"

namespace pt2::interp {

namespace {

using Unique = std::tuple<Tensor, Tensor, Tensor>;  // values, inverse, counts

// The order of rows. Elements come with NaN last; in slices a NaN is neither before nor after anything, as PyTorch has it, so that what
// follows it decides and the order depends on the algorithm, which is std::sort.
template <class C>
void sort_rows(const C* rows, std::vector<int64_t>& place, int64_t width, bool slices) {
  if (!slices) {
    std::stable_sort(place.begin(), place.end(), [&](int64_t a, int64_t b) { return is_nan(rows[b]) ? !is_nan(rows[a]) : rows[a] < rows[b]; });
    return;
  }
  constexpr int64_t kBeforeAll = -1;  // std::sort does not pass it, whatever NaNs do to the order
  place.insert(place.begin(), kBeforeAll);
  std::sort(place.begin() + 1, place.end(), [&](int64_t a, int64_t b) {
    for (int64_t i = 0; i < width && b != kBeforeAll; ++i) {
      const C x = rows[a * width + i], y = rows[b * width + i];
      if (x < y) return true;
      if (y < x) return false;
    }
    return false;
  });
  place.erase(place.begin());
}

// Groups of equal rows among `rows` (each `width` compute values), sorted, or only neighbours. `first[g]`: the first row of a group.
struct Groups { std::vector<int64_t> first, inverse, counts; };
template <class C>
Groups grouped(const C* rows, int64_t count, int64_t width, bool slices, bool sorted) {
  std::vector<int64_t> place(static_cast<size_t>(count));
  std::iota(place.begin(), place.end(), int64_t{0});
  const auto same = [&](int64_t a, int64_t b) {  // NaN is its own value
    for (int64_t i = 0; i < width; ++i)
      if (!(rows[a * width + i] == rows[b * width + i])) return false;
    return true;
  };
  if (sorted) sort_rows(rows, place, width, slices);
  Groups result;
  result.inverse.resize(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    if (i == 0 || !same(place[i - 1], place[i])) {
      result.first.push_back(place[i]);
      result.counts.push_back(0);
    }
    ++result.counts.back();
    result.inverse[place[i]] = static_cast<int64_t>(result.first.size()) - 1;
  }
  return result;
}
Tensor from_vector(const std::vector<int64_t>& values, const Shape& sizes) {
  Tensor result = empty(sizes, DType::Int64);
  std::copy(values.begin(), values.end(), result.data<int64_t>());
  return result;
}

// Over slices along `dim`, or over all elements.
Unique unique_over(const Tensor& self, std::optional<int64_t> dim, bool sorted, bool return_inverse, bool return_counts) {
  check(!is_complex(self.dtype), "\"unique\" not implemented for '", scalar_type_name(self.dtype), "'");
  const int64_t d = dim ? normalize_dim(*dim, self.dim()) : 0;
  const bool by_slice = dim && self.dim() > 0;
  if (by_slice) return_inverse = return_counts = true;  // PyTorch's algorithm for slices gives all three
  const Tensor ordered = as_contiguous(by_slice ? movedim(self, d, 0) : reshape(self, Shape{-1}));
  const int64_t count = ordered.sizes[0], width = by_slice ? (count ? ordered.numel() / count : 0) : 1, item = item_size(self.dtype);
  Unique result;
  dispatch(RealTypes(), self.dtype, "unique", [&]<class C>() {
    const Tensor rows = to_dtype(ordered, native_dtype(compute_of<C>()), MemoryFormat::Contiguous);
    const Groups groups = grouped(rows.data<C>(), count, width, by_slice, sorted);
    const auto found = static_cast<int64_t>(groups.first.size());
    Shape sizes = ordered.sizes;
    sizes[0] = found;
    Tensor values = empty(sizes, self.dtype);
    for (int64_t g = 0; g < found; ++g)
      std::memcpy(values.bytes() + g * width * item, ordered.bytes() + groups.first[g] * width * item, static_cast<size_t>(width * item));
    std::get<0>(result) = by_slice ? as_contiguous(movedim(values, 0, d)) : values;
    const Shape inverse_sizes = by_slice ? Shape{count} : self.sizes;
    std::get<1>(result) = return_inverse ? from_vector(groups.inverse, inverse_sizes) : empty(Shape{0}, DType::Int64);
    std::get<2>(result) = return_counts ? from_vector(groups.counts, Shape{found}) : empty(Shape{0}, DType::Int64);
  });
  return result;
}

Unique unique2(const Tensor& self, bool, bool return_inverse, bool return_counts) { return unique_over(self, std::nullopt, true, return_inverse, return_counts); }
std::tuple<Tensor, Tensor> unique1(const Tensor& self, bool, bool return_inverse) {
  const auto [values, inverse, counts] = unique_over(self, std::nullopt, true, return_inverse, false);
  return {values, inverse};
}
Unique unique_dim(const Tensor& self, int64_t dim, bool, bool return_inverse, bool return_counts) {
  return unique_over(self, dim, true, return_inverse, return_counts);
}
Unique unique_consecutive(const Tensor& self, bool return_inverse, bool return_counts, std::optional<int64_t> dim) {
  const bool elements = self.dim() == 1 && dim.value_or(-1) == 0;  // of which only what is asked for is given
  return elements ? unique_over(self, std::nullopt, false, return_inverse, return_counts) : unique_over(self, dim, false, return_inverse, return_counts);
}
Unique unique_dim_consecutive(const Tensor& self, int64_t dim, bool return_inverse, bool return_counts) {
  return unique_over(self, dim, false, return_inverse, return_counts);
}

Tensor isin(const Tensor& elements, const Tensor& test_elements, bool, bool invert) {
  check(!is_complex(elements.dtype) && elements.dtype != DType::Bool, "Unsupported input type encountered for isin(): ", scalar_type_name(elements.dtype));
  const DType common = result_type(elements, test_elements);
  Tensor result = empty_like(elements, DType::Bool);
  dispatch(RealTypes(), common, "isin", [&]<class C>() {
    const Tensor tests = to_dtype(to_dtype(test_elements, common), native_dtype(compute_of<C>()), MemoryFormat::Contiguous);
    std::vector<C> sorted(tests.data<C>(), tests.data<C>() + tests.numel());
    std::erase_if(sorted, [](C x) { return is_nan(x); });
    std::sort(sorted.begin(), sorted.end());
    map_into<Types<C>>(result, {"isin", common, DType::Bool}, [&](C x) { return !is_nan(x) && std::binary_search(sorted.begin(), sorted.end(), x) ? !invert : invert; },
                       elements);
  });
  return result;
}
Tensor isin_scalar(const Tensor& elements, Scalar test_element, bool assume_unique, bool invert) {
  return isin(elements, wrapped_scalar(test_element), assume_unique, invert);
}
Tensor scalar_isin(Scalar element, const Tensor& test_elements, bool assume_unique, bool invert) {
  return isin(wrapped_scalar(element), test_elements, assume_unique, invert);
}

}  // namespace

void add_unique_ops(OpTable& ops) {
  ops.add("aten::_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)", unique2);
  ops.add("aten::_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)", unique1);
  ops.add("aten::unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)", unique_dim);
  ops.add("aten::unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> (Tensor, Tensor, Tensor)", unique_consecutive);
  ops.add("aten::unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)", unique_dim_consecutive);
  ops.add("aten::isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor", isin);
  ops.add("aten::isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool assume_unique=False, bool invert=False) -> Tensor", isin_scalar);
  ops.add("aten::isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool assume_unique=False, bool invert=False) -> Tensor", scalar_isin);
}

}  // namespace pt2::interp
