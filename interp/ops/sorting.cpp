// sort, topk, median, unique, searchsorted, histograms. NaN counts as the largest value, as in PyTorch.
#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <tuple>

#include "interp/item.h"
#include "interp/lines.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/pointwise.h"
#include "interp/ops/view.h"
#include "interp/reduce.h"

namespace pt2::interp {

namespace {

using Pair = std::tuple<Tensor, Tensor>;

template <class C>
bool less_nan_last(C a, C b) { return is_nan(b) ? !is_nan(a) : a < b; }

// The order of the elements. Where it need not be stable, equal ones come as std::sort leaves them, which is what PyTorch calls too.
template <class C>
void sorted_places(const C* x, int64_t* place, int64_t n, bool descending, bool stable) {
  std::iota(place, place + n, int64_t{0});
  int64_t compared = 0;
  const auto before = [&](int64_t a, int64_t b) {
    if (++compared % 65536 == 0) throw_if_stopped();
    return descending ? less_nan_last(x[b], x[a]) : less_nan_last(x[a], x[b]);
  };
  if (stable) std::stable_sort(place, place + n, before);
  else std::sort(place, place + n, before);
}

void check_ordered(const Tensor& self, std::string_view name) {
  check(!is_complex(self.dtype), "\"", name, "\" not implemented for '", scalar_type_name(self.dtype), "'");
}

// PyTorch sorts long vectors of integers by their digits, which is stable.
bool sorts_by_digits(const Tensor& self, bool descending) {
  constexpr int64_t kLong = 32768;
  return self.dim() == 1 && !descending && is_integral(self.dtype) && self.dtype != DType::Bool && self.numel() >= kLong;
}

Pair sort_stable(const Tensor& self, std::optional<bool> asked_stable, int64_t dim, bool descending) {
  check_ordered(self, "sort_stable");
  dim = normalize_dim(dim, self.dim());
  const bool stable = asked_stable.value_or(false) || sorts_by_digits(self, descending);
  Tensor values = empty_like(self), indices = empty_like(self, DType::Int64);
  dispatch(RealTypes(), self.dtype, "sort_stable", [&]<class C>() {
    const Tensor* tensors[] = {&self, &values, &indices};
    for_each_line(tensors, dim, [&](std::span<const Line> lines) {
      const int64_t n = lines[0].size;
      const Scratch<C> x(n), ordered(n);
      const Scratch<int64_t> place(n);
      lines[0].read(x.data());
      sorted_places(x.data(), place.data(), n, descending, stable);
      for (int64_t i = 0; i < n; ++i) ordered[i] = x[place[i]];
      lines[1].write(ordered.data());
      lines[2].write(place.data());
    });
  });
  return {values, indices};
}
Pair sort(const Tensor& self, int64_t dim, bool descending) { return sort_stable(self, false, dim, descending); }
Tensor argsort(const Tensor& self, int64_t dim, bool descending) { return std::get<1>(sort(self, dim, descending)); }
Tensor argsort_stable(const Tensor& self, bool stable, int64_t dim, bool descending) { return std::get<1>(sort_stable(self, stable, dim, descending)); }
Tensor msort(const Tensor& self) { return std::get<0>(sort(self, 0, false)); }

Pair topk(const Tensor& self, int64_t k, int64_t dim, bool largest, bool sorted) {
  check_ordered(self, "topk_cpu");
  dim = normalize_dim(dim, self.dim());
  check(k >= 0 && k <= (self.dim() > 0 ? self.sizes[dim] : 1), "selected index k out of range");
  Shape sizes = self.sizes;
  if (self.dim() > 0) sizes[dim] = k;
  Tensor values = empty(sizes, self.dtype), indices = empty(sizes, DType::Int64);
  if (k == 0) return {values, indices};
  dispatch(RealTypes(), self.dtype, "topk_cpu", [&]<class C>() {
    const Tensor* tensors[] = {&self, &values, &indices};
    for_each_line(tensors, dim, [&](std::span<const Line> lines) {
      const int64_t n = lines[0].size;
      const Scratch<C> x(n), ordered(k);
      const Scratch<int64_t> place(n);
      lines[0].read(x.data());
      std::iota(place.begin(), place.end(), int64_t{0});
      // The algorithms PyTorch uses, so that equal values come in its order.
      const auto before = [&](int64_t a, int64_t b) { return largest ? less_nan_last(x[b], x[a]) : less_nan_last(x[a], x[b]); };
      if (k * 64 <= n) {
        std::partial_sort(place.begin(), place.begin() + k, place.end(), before);
      } else {
        std::nth_element(place.begin(), place.begin() + k - 1, place.end(), before);
        if (sorted) std::sort(place.begin(), place.begin() + k - 1, before);
      }
      for (int64_t i = 0; i < k; ++i) ordered[i] = x[place[i]];
      lines[1].write(ordered.data());
      lines[2].write(place.data());
    });
  });
  return {values, indices};
}

// ---- One order statistic of each line

// `choose(x, n, place)` gives the position of the element; place is scratch that holds 0 … n − 1.
template <class Choose>
Pair statistic(const Tensor& self, int64_t dim, bool keepdim, std::string_view name, Choose choose) {
  check_ordered(self, name);
  dim = normalize_dim(dim, self.dim());
  const std::vector<int64_t> dims = self.dim() ? std::vector<int64_t>{dim} : std::vector<int64_t>{};
  check(self.dim() == 0 || self.sizes[dim] > 0, name, "(): Expected reduction dim ", dim, " to have non-zero size.");
  const Shape with_dim = reduced_sizes(self.sizes, dims, true), sizes = reduced_sizes(self.sizes, dims, keepdim);
  Tensor values = empty(with_dim, self.dtype), indices = empty(with_dim, DType::Int64);
  dispatch(RealTypes(), self.dtype, name, [&]<class C>() {
    const Tensor* tensors[] = {&self, &values, &indices};
    for_each_line(tensors, dim, [&](std::span<const Line> lines) {
      const int64_t n = lines[0].size;
      const Scratch<C> x(n);
      const Scratch<int64_t> place(n);
      lines[0].read(x.data());
      std::iota(place.begin(), place.end(), int64_t{0});
      const int64_t chosen = choose(x.data(), n, place.data());
      lines[1].write(&x[chosen]);
      lines[2].write(&chosen);
    });
  });
  return {make_view(values, sizes, contiguous_strides(sizes), 0), make_view(indices, sizes, contiguous_strides(sizes), 0)};
}

// PyTorch's own selection; which of several equal values it finds depends on every swap.
template <class C>
int64_t quick_select(const C* x, int64_t n, int64_t* place, int64_t k) {
  const auto greater = [&](int64_t a, int64_t b) { return less_nan_last(x[place[b]], x[place[a]]); };
  const auto swap = [&](int64_t a, int64_t b) { std::swap(place[a], place[b]); };
  int64_t left = 0, right = n - 1;
  while (left < right) {
    if (right == left + 1) {
      if (greater(left, right)) swap(left, right);
      break;
    }
    swap(left + (right - left) / 2, left + 1);  // the median of three as pivot
    if (greater(left + 1, right)) swap(left + 1, right);
    if (greater(left, right)) swap(left, right);
    if (greater(left + 1, left)) swap(left + 1, left);
    int64_t i = left + 1, j = right;
    for (;;) {
      do ++i; while (greater(left, i));
      do --j; while (greater(j, left));
      if (j < i) break;
      swap(i, j);
    }
    swap(left, j);
    if (j <= k) left = i;
    if (j >= k) right = j - 1;
  }
  return place[k];
}

Pair kthvalue(const Tensor& self, int64_t k, int64_t dim, bool keepdim) {
  const int64_t d = normalize_dim(dim, self.dim()), size = self.dim() ? self.sizes[d] : 1;
  check(k >= 1 && k <= size, "kthvalue(): selected number k out of range for dimension ", d);
  no_bool("kthvalue_cpu", self.dtype);
  return statistic(self, dim, keepdim, "kthvalue_cpu", [k](const auto* x, int64_t n, int64_t* place) { return quick_select(x, n, place, k - 1); });
}
template <class C>
int64_t middle(const C* x, int64_t n, int64_t* place, bool ignore_nan) {
  const int64_t nans = std::count_if(x, x + n, [](C v) { return is_nan(v); });
  if (nans > 0 && !ignore_nan) return std::find_if(x, x + n, [](C v) { return is_nan(v); }) - x;
  // The earliest of equal ones; of none but NaN the one that C++'s selection comes to, as in PyTorch.
  std::iota(place, place + n, int64_t{0});
  const int64_t k = std::max<int64_t>(n - nans - 1, 0) / 2;
  std::nth_element(place, place + k, place + n, [x](int64_t i, int64_t j) { return less_nan_last(x[i], x[j]) || (x[i] == x[j] && i < j); });
  return place[k];
}
template <bool ignore_nan>
Pair median_dim(const Tensor& self, int64_t dim, bool keepdim) {
  no_bool("median_out", self.dtype);
  return statistic(self, dim, keepdim, "median", [](const auto* x, int64_t n, int64_t* place) { return middle(x, n, place, ignore_nan); });
}
template <bool ignore_nan>
Tensor median(const Tensor& self) {
  if (self.numel() == 0) return full({}, self.dtype, is_floating(self.dtype) ? Scalar(std::numeric_limits<double>::quiet_NaN()) : Scalar(INT64_MIN));
  return std::get<0>(median_dim<ignore_nan>(reshape(self, Shape{-1}), 0, false));
}
// The first of the most frequent values in the order of PyTorch's sort, and the last place of it there. A NaN is before nothing and after
// nothing, wherever it lies, and equals nothing.
Pair mode(const Tensor& self, int64_t dim, bool keepdim) {
  return statistic(self, dim, keepdim, "mode", []<class C>(const C* x, int64_t n, const int64_t*) {
    struct Element { C value; int64_t place; };
    const Scratch<Element> elements(n + 1);
    elements[0] = {std::numeric_limits<C>::has_quiet_NaN ? std::numeric_limits<C>::quiet_NaN() : C(0), 0};  // std::sort does not pass it, whatever NaNs do to the order
    for (int64_t i = 0; i < n; ++i) elements[i + 1] = {x[i], i};
    std::sort(elements.begin() + 1, elements.end(), [](const Element& a, const Element& b) { return a.value < b.value; });
    int64_t best = 0, best_count = 0, count = 0;
    for (int64_t i = 1; i <= n; ++i) {
      ++count;
      if (i < n && elements[i].value == elements[i + 1].value) continue;
      if (count > best_count) best_count = count, best = elements[i].place;
      count = 0;
    }
    return best;
  });
}

// ---- quantile: linear interpolation between neighbours, and its variants

Tensor quantile_over(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim, std::string_view interpolation, bool ignore_nan) {
  check(self.numel() > 0, "quantile() input tensor must be non-empty");
  check(q.dim() <= 1, "quantile() q must be a scalar or 1D tensor");
  check(self.dtype == DType::Float32 || self.dtype == DType::Float64, "quantile() input tensor must be either float or double dtype");
  check(self.dtype == q.dtype, "quantile() q tensor must be same dtype as the input tensor");
  check(interpolation == "linear" || interpolation == "lower" || interpolation == "higher" || interpolation == "midpoint" || interpolation == "nearest",
        "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got ", interpolation);
  const Tensor flat = dim ? self : reshape(self, Shape{-1});
  const int64_t d = normalize_dim(dim.value_or(0), flat.dim());
  const Tensor ranks = to_dtype(reshape(q, Shape{-1}), DType::Float64);
  for (int64_t i = 0; i < ranks.numel(); ++i) {
    const double r = ranks.data<double>()[i];
    check(r >= 0 && r <= 1, "quantile() q values must be in the range [0, 1]");
  }
  // The quantiles lie along the last dimension while they are computed.
  const Tensor lines_of = flat.dim() > 0 ? movedim(flat, d, -1) : unsqueeze(flat, 0);
  Shape with_q = lines_of.sizes;
  with_q.back() = ranks.numel();
  Tensor found = empty(with_q, self.dtype);
  const Tensor* tensors[] = {&lines_of, &found};
  for_each_line(tensors, lines_of.dim() - 1, [&](std::span<const Line> lines) {
    const Scratch<double> x(lines[0].size), out(lines[1].size);
    lines[0].read(x.data());
    std::sort(x.begin(), x.end(), less_nan_last<double>);
    int64_t n = x.size();
    while (n > 0 && is_nan(x[n - 1])) --n;
    const bool none = n == 0 || (!ignore_nan && n < x.size());
    for (int64_t i = 0; i < out.size(); ++i) {
      double rank = ranks.data<double>()[i] * static_cast<double>(n - 1);
      if (self.dtype == DType::Float32) rank = static_cast<float>(ranks.data<double>()[i]) * static_cast<float>(n - 1);
      if (none) {
        out[i] = std::numeric_limits<double>::quiet_NaN();
        continue;
      }
      if (interpolation == "lower") rank = std::floor(rank);
      else if (interpolation == "higher") rank = std::ceil(rank);
      else if (interpolation == "nearest") rank = std::nearbyint(rank);
      const auto below = static_cast<int64_t>(rank);
      const double above = std::ceil(rank), weight = interpolation == "midpoint" ? 0.5 : rank - static_cast<double>(below);
      const double low = x[below], high = x[static_cast<int64_t>(above)];
      out[i] = below == static_cast<int64_t>(above) ? low : weight < 0.5 ? low + weight * (high - low) : high - (high - low) * (1 - weight);
    }
    lines[1].write(out.data());
  });
  // The quantiles come first, where there are several.
  Tensor result = movedim(found, -1, 0);
  if (keepdim && dim && self.dim() > 0) result = unsqueeze(result, d + 1);
  else if (keepdim)
    for (int64_t i = 0; i < self.dim(); ++i) result = unsqueeze(result, 1);
  return q.dim() > 0 ? result : select(result, 0, 0);
}
template <bool ignore_nan>
Tensor quantile(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim, std::string_view interpolation) {
  return quantile_over(self, q, dim, keepdim, interpolation, ignore_nan);
}
template <bool ignore_nan>
Tensor quantile_scalar(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim, std::string_view interpolation) {
  check(q >= 0 && q <= 1, "quantile() q must be in the range [0, 1] but got ", q);
  return quantile_over(self, full({}, self.dtype, q), dim, keepdim, interpolation, ignore_nan);
}

// ---- searchsorted, bucketize

Tensor searched(const Tensor& sequence, const Tensor& self, bool out_int32, bool right, const std::optional<Tensor>& sorter) {
  check(sequence.dim() > 0, "boundaries tensor should have positive dimension");
  const bool one = sequence.dim() == 1;
  if (!one) {
    check(sequence.dim() == self.dim() && std::equal(sequence.sizes.begin(), sequence.sizes.end() - 1, self.sizes.begin()),
          "boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value tensor must match, but we got boundaries tensor ",
          sequence.sizes, " and input value tensor ", self.sizes);
  }
  check(!sorter || sorter->sizes == sequence.sizes, "torch.searchsorted(): boundary and sorter must have the same size");
  const int64_t length = sequence.sizes.back();
  if (out_int32) check(length < INT32_MAX, "torch.searchsorted(): the size of boundaries' last dimension should be less than ", INT32_MAX);
  const DType common = one || self.dim() > 0 ? sequence.dtype : sequence.dtype;
  Tensor result = empty(self.sizes, DType::Int64);
  dispatch(RealTypes(), promote_types(common, self.dtype), "searchsorted_out_cpu", [&]<class C>() {
    const Tensor bounds = as_contiguous(sequence, native_dtype(compute_of<C>()));
    const Tensor values = to_dtype(self, native_dtype(compute_of<C>()), MemoryFormat::Contiguous);
    const Tensor order = sorter ? to_dtype(*sorter, DType::Int64, MemoryFormat::Contiguous) : Tensor();
    const int64_t per_line = one ? values.numel() : self.sizes.back();
    for (int64_t i = 0; sorter && i < order.numel(); ++i)
      check(order.data<int64_t>()[i] >= 0 && order.data<int64_t>()[i] < std::max<int64_t>(length, 1), "torch.searchsorted(): sorter index out of range");
    parallel_for(values.numel(), 4096, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t line = per_line ? (one ? 0 : i / per_line) * length : 0;
        const C value = values.data<C>()[i];
        int64_t low = 0, high = length;
        while (low < high) {
          const int64_t mid = low + (high - low) / 2;
          const C bound = bounds.data<C>()[line + (sorter ? order.data<int64_t>()[line + mid] : mid)];
          const bool before = right ? !(bound > value) : !(bound >= value);  // past a NaN, as in PyTorch
          if (before) low = mid + 1;
          else high = mid;
        }
        result.data<int64_t>()[i] = low;
      }
    });
  });
  return out_int32 ? to_dtype(result, DType::Int32) : result;
}
bool to_the_right(bool right, std::optional<std::string_view> side) {
  if (!side) return right;
  check(*side == "left" || *side == "right", "torch.searchsorted(): side can only be 'left' or 'right' but got ", *side);
  check(!(right && *side == "left"), "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True");
  return *side == "right";
}
Tensor searchsorted(const Tensor& sequence, const Tensor& self, bool out_int32, bool right, std::optional<std::string_view> side,
                    const std::optional<Tensor>& sorter) {
  return searched(sequence, self, out_int32, to_the_right(right, side), sorter);
}
Tensor searchsorted_scalar(const Tensor& sequence, Scalar self, bool out_int32, bool right, std::optional<std::string_view> side,
                           const std::optional<Tensor>& sorter) {
  return searched(sequence, full({}, dtype_of(self), self), out_int32, to_the_right(right, side), sorter);
}
Tensor bucketize(const Tensor& self, const Tensor& boundaries, bool out_int32, bool right) {
  check(boundaries.dim() == 1, "boundaries tensor must be 1 dimension, but got dim(", boundaries.dim(), ")");
  return searched(boundaries, self, out_int32, right, std::nullopt);
}
Tensor bucketize_scalar(Scalar self, const Tensor& boundaries, bool out_int32, bool right) {
  return bucketize(full({}, dtype_of(self), self), boundaries, out_int32, right);
}

// ---- Counting

Tensor bincount(const Tensor& self, const std::optional<Tensor>& weights, int64_t minlength) {
  check(self.dim() == 1, "bincount only supports 1-d non-negative integral inputs.");
  check(is_integral(self.dtype), "\"bincount_cpu\" not implemented for '", scalar_type_name(self.dtype), "'");
  check(minlength >= 0, "minlength should be >= 0");
  check(!weights || (weights->dim() == 1 && weights->sizes == self.sizes), "weights should be 1-d and have the same length as input");
  const Tensor values = to_dtype(self, DType::Int64, MemoryFormat::Contiguous);
  int64_t largest = -1;
  for (int64_t i = 0; i < values.numel(); ++i) {
    check(values.data<int64_t>()[i] >= 0, "bincount only supports 1-d non-negative integral inputs.");
    largest = std::max(largest, values.data<int64_t>()[i]);
  }
  check(largest < INT64_MAX, "bincount: the number of bins does not fit in 64 bits");
  const int64_t bins = std::max(largest + 1, minlength);
  if (!weights) {
    Tensor result = zeros(Shape{bins}, DType::Int64);
    for (int64_t i = 0; i < values.numel(); ++i) ++result.data<int64_t>()[values.data<int64_t>()[i]];
    return result;
  }
  const DType type = weights->dtype == DType::Float32 ? DType::Float32 : DType::Float64;
  const Tensor w = to_dtype(*weights, DType::Float64, MemoryFormat::Contiguous);
  Tensor result = zeros(Shape{bins}, DType::Float64);
  for (int64_t i = 0; i < values.numel(); ++i) result.data<double>()[values.data<int64_t>()[i]] += w.data<double>()[i];
  return to_dtype(result, type);
}

Tensor histc(const Tensor& self, int64_t bins, Scalar min, Scalar max) {
  check(bins > 0, "bins must be > 0");
  Tensor result = zeros(Shape{bins}, self.dtype);
  dispatch(RealTypes(), self.dtype, "histc", [&]<class C>() {
    const Tensor values = to_dtype(self, native_dtype(compute_of<C>()), MemoryFormat::Contiguous);
    const C* x = values.data<C>();
    auto low = static_cast<double>(min.to<C>()), high = static_cast<double>(max.to<C>());
    if (low == high && values.numel() > 0) {
      low = high = static_cast<double>(x[0]);
      for (int64_t i = 0; i < values.numel(); ++i) {
        low = std::min(low, static_cast<double>(nan_min(x[i], x[i])));
        high = std::max(high, static_cast<double>(x[i]));
        check(!is_nan(x[i]), "range of [nan, nan] is not finite");
      }
    }
    if (low == high) low -= 1, high += 1;
    check(std::isfinite(low) && std::isfinite(high), "range of [", low, ", ", high, "] is not finite");
    check(low < high, "max must be larger than min");
    const Scratch<int64_t> counts(bins);
    std::fill(counts.begin(), counts.end(), int64_t{0});
    for (int64_t i = 0; i < values.numel(); ++i) {
      const auto v = static_cast<double>(x[i]);
      if (!(v >= low && v <= high)) continue;
      // In the element type, as PyTorch computes it: which bin a value on an edge falls into depends on the rounding.
      int64_t bin;
      if constexpr (std::is_same_v<C, float>) bin = static_cast<int64_t>((x[i] - static_cast<float>(low)) / (static_cast<float>(high) - static_cast<float>(low)) * static_cast<float>(bins));
      else bin = static_cast<int64_t>((v - low) / (high - low) * static_cast<double>(bins));
      ++counts[std::min(bin, bins - 1)];
    }
    storer(Compute::I64, self.dtype)(counts.data(), result.bytes(), item_size(self.dtype), bins);
  });
  return result;
}

}  // namespace

void add_sorting_ops(OpTable& ops) {
  ops.add("aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)", sort);
  ops.add("aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)", sort_stable);
  ops.add("aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor", argsort);
  ops.add("aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor", argsort_stable);
  ops.add("aten::msort(Tensor self) -> Tensor", msort);
  ops.add("aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)", topk);
  ops.add("aten::kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)", kthvalue);
  ops.add("aten::median(Tensor self) -> Tensor", median<false>);
  ops.add("aten::median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", median_dim<false>);
  ops.add("aten::nanmedian(Tensor self) -> Tensor", median<true>);
  ops.add("aten::nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", median_dim<true>);
  ops.add("aten::mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)", mode);
  ops.add("aten::quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor", quantile<false>);
  ops.add("aten::quantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor", quantile_scalar<false>);
  ops.add("aten::nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor", quantile<true>);
  ops.add("aten::nanquantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor", quantile_scalar<true>);
  ops.add("aten::searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor", searchsorted);
  ops.add("aten::searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> Tensor", searchsorted_scalar);
  ops.add("aten::bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor", bucketize);
  ops.add("aten::bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor", bucketize_scalar);
  ops.add("aten::bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor", bincount);
  ops.add("aten::histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor", histc);
}

}  // namespace pt2::interp
