// Running results along a dimension (cumsum, cummax, diff …), and the place of an extreme value (argmax, max.dim).
#include <limits>
#include <tuple>

#include "interp/lines.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/ops/pointwise.h"
#include "interp/ops/view.h"
#include "interp/reduce.h"

namespace pt2::interp {

namespace {

using MaybeDType = std::optional<DType>;
DType accumulated_type(DType dtype) { return is_floating(dtype) || is_complex(dtype) ? dtype : DType::Int64; }

// Each line by `step(running, value)` in the widest type of its kind.
template <class Step>
Tensor running(const Tensor& self, int64_t dim, MaybeDType dtype, std::string_view name, Step step) {
  const DType type = dtype.value_or(accumulated_type(self.dtype));
  dim = normalize_dim(dim, self.dim());
  const Tensor input = needs_rounding(self.dtype, type) ? to_dtype(self, type) : self;
  Tensor result = empty(self.sizes, type);
  dispatch(NumberTypes(), type, name, [&]<class C>() {
    using State = std::conditional_t<std::is_same_v<C, float>, double, C>;
    const Tensor* tensors[] = {&input, &result};
    for_each_line(tensors, dim, [&](std::span<const Line> lines) {
      const Scratch<C> values(lines[0].size);
      lines[0].read(values.data());
      State state{};
      for (int64_t i = 0; i < values.size(); ++i) {
        state = i == 0 ? State(values[i]) : step(state, State(values[i]));
        values[i] = static_cast<C>(state);
      }
      lines[1].write(values.data());
    });
  });
  return result;
}
Tensor cumsum(const Tensor& self, int64_t dim, MaybeDType dtype) {
  return running(self, dim, dtype, "cumsum_out_cpu", [](auto s, auto x) { return wrapping_add(s, x); });
}
Tensor cumprod(const Tensor& self, int64_t dim, MaybeDType dtype) {
  return running(self, dim, dtype, "cumprod_out_cpu", [](auto s, auto x) { return wrapping_multiply(s, x); });
}
// In place they keep the dtype of what they write to.
void cumsum_(const Tensor& self, int64_t dim, MaybeDType dtype) {
  check(!dtype || *dtype == self.dtype, "provided dtype must match the dtype of self tensor in cumsum. Got ", scalar_type_name(self.dtype), " and ",
        scalar_type_name(dtype.value_or(self.dtype)), ".");
  copy_into(self, cumsum(self, dim, self.dtype));
}
void cumprod_(const Tensor& self, int64_t dim, MaybeDType dtype) {
  check(!dtype || *dtype == self.dtype, "provided dtype must match the dtype of self tensor in cumprod. Got ", scalar_type_name(self.dtype), " and ",
        scalar_type_name(dtype.value_or(self.dtype)), ".");
  copy_into(self, cumprod(self, dim, self.dtype));
}
Tensor logcumsumexp(const Tensor& self, int64_t dim) {
  check(is_floating(self.dtype) || is_complex(self.dtype), "\"logcumsumexp_out_cpu\" not implemented for '", scalar_type_name(self.dtype), "'");
  return running(self, dim, self.dtype, "logcumsumexp_out_cpu", []<class T>(T s, T x) -> T {
    if constexpr (std::is_floating_point_v<T>) {
      if (is_nan(s) || is_nan(x)) return std::numeric_limits<T>::quiet_NaN();
      const T smaller = std::min(s, x), larger = std::max(s, x);
      if (smaller == larger && std::isinf(larger)) return larger;
      return std::log1p(std::exp(smaller - larger)) + larger;
    } else if constexpr (std::is_same_v<T, Complex>) {
      const T low = s.real() < x.real() ? s : x, high = s.real() < x.real() ? x : s;
      return std::log(1.0 + std::exp(low - high)) + high;
    } else {
      return x;
    }
  });
}

// The later one wins among equals; NaN wins and stays.
template <bool largest>
std::tuple<Tensor, Tensor> running_extreme(const Tensor& self, int64_t dim) {
  if (self.numel() > 0) dim = normalize_dim(dim, self.dim());
  Tensor values = empty(self.sizes, self.dtype), indices = empty(self.sizes, DType::Int64);
  if (self.numel() == 0) return {values, indices};
  dispatch(RealTypes(), self.dtype, largest ? "cummax" : "cummin", [&]<class C>() {
    const Tensor* tensors[] = {&self, &values, &indices};
    for_each_line(tensors, dim, [&](std::span<const Line> lines) {
      const Scratch<C> x(lines[0].size);
      const Scratch<int64_t> place(lines[0].size);
      lines[0].read(x.data());
      int64_t best = 0;
      for (int64_t i = 0; i < x.size(); ++i) {
        if (i > 0) {
          const C now = x[i], top = x[i - 1];
          if (is_nan(now) || (!is_nan(top) && (largest ? now >= top : now <= top))) best = i;
          else x[i] = top;
        }
        place[i] = best;
      }
      lines[1].write(x.data());
      lines[2].write(place.data());
    });
  });
  return {values, indices};
}

// ---- The place of an extreme value: the first of equals; NaN wins.

template <class C>
int64_t place_of_extreme(const C* x, int64_t n, bool largest) {
  int64_t best = 0;
  for (int64_t i = 1; i < n && !is_nan(x[best]); ++i)
    if (is_nan(x[i]) || (largest ? x[i] > x[best] : x[i] < x[best])) best = i;
  return best;
}

std::tuple<Tensor, Tensor> extreme_along(const Tensor& self, int64_t dim, bool keepdim, bool largest) {
  check(!is_complex(self.dtype), largest ? "max" : "min", ": complex numbers have no order");
  dim = normalize_dim(dim, self.dim());
  const std::vector<int64_t> dims = self.dim() ? std::vector<int64_t>{dim} : std::vector<int64_t>{};
  check(self.dim() == 0 || self.sizes[dim] > 0, largest ? "max" : "min", "(): Expected reduction dim ", dim, " to have non-zero size.");
  const Shape with_dim = reduced_sizes(self.sizes, dims, true);
  Tensor values = empty(with_dim, self.dtype), indices = empty(with_dim, DType::Int64);
  dispatch(RealTypes(), self.dtype, "max", [&]<class C>() {
    const Tensor* tensors[] = {&self, &values, &indices};
    for_each_line(tensors, dim, [&](std::span<const Line> lines) {
      const Scratch<C> x(lines[0].size);
      lines[0].read(x.data());
      const int64_t best = place_of_extreme(x.data(), x.size(), largest);
      lines[1].write(&x[best]);
      lines[2].write(&best);
    });
  });
  if (keepdim || self.dim() == 0) return {values, indices};
  const Shape sizes = reduced_sizes(self.sizes, dims, false);
  return {make_view(values, sizes, contiguous_strides(sizes), 0), make_view(indices, sizes, contiguous_strides(sizes), 0)};
}
template <bool largest>
std::tuple<Tensor, Tensor> extreme_dim(const Tensor& self, int64_t dim, bool keepdim) { return extreme_along(self, dim, keepdim, largest); }

template <bool largest>
Tensor arg_extreme(const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  const std::string_view name = largest ? "argmax" : "argmin";
  no_bool(largest ? "argmax_cpu" : "argmin_cpu", self.dtype);
  if (dim) {
    const int64_t d = normalize_dim(*dim, self.dim());
    check(self.dim() == 0 || self.sizes[d] > 0, name, "(): Expected reduction dim ", d, " to have non-zero size.");
    return std::get<1>(extreme_along(self, *dim, keepdim, largest));
  }
  check(self.numel() > 0, name, "(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.");
  const Tensor index = std::get<1>(extreme_along(reshape(self, Shape{-1}), 0, false, largest));
  return keepdim ? reshape(index, Shape(self.sizes.size(), 1)) : index;
}

// ---- Differences and sums of trapezoids

Tensor difference(const Tensor& a, const Tensor& b) {
  if (a.dtype == DType::Bool)
    return map<IntTypes>(in_type("diff", DType::Bool), [](int64_t x, int64_t y) { return x ^ y; }, a, b);
  return map<NumberTypes>(in_type("diff", a.dtype), [](auto x, auto y) { return wrapping_add(x, wrapping_negate(y)); }, a, b);
}
Tensor diff(const Tensor& self, int64_t n, int64_t dim, const std::optional<Tensor>& prepend, const std::optional<Tensor>& append) {
  check(self.dim() > 0, "diff expects input to be at least one-dimensional");
  check(n >= 0, "order must be non-negative but got ", n);
  dim = normalize_dim(dim, self.dim());
  if (n == 0) return to_dtype(self, self.dtype);  // whatever is prepended or appended
  Tensor result = self;
  if (prepend || append) {
    std::vector<Tensor> parts;
    if (prepend) parts.push_back(*prepend);
    parts.push_back(self);
    if (append) parts.push_back(*append);
    result = cat(parts, dim);
  }
  if (n >= result.sizes[dim]) return to_dtype(slice(result, dim, 0, 0), result.dtype);
  for (int64_t i = 0; i < n; ++i) {
    const int64_t size = result.sizes[dim];
    result = difference(narrow(result, dim, 1, size - 1), narrow(result, dim, 0, size - 1));
  }
  return result;
}

// Trapezoids are made of sums and products in the type of `y` and `x`, where integers wrap, and halved last.
void check_numbers(std::string_view name, const Tensor& y) {
  check(y.dtype != DType::Bool, name, ": received a bool input for `y`, but bool is not supported");
}
// The sum of both ends of each interval along `dim`.
Tensor ends(const Tensor& y, int64_t dim) {
  const int64_t intervals = std::max<int64_t>(y.sizes[dim] - 1, 0);
  return call("aten.add.Tensor", narrow(y, dim, 0, intervals), narrow(y, dim, y.sizes[dim] - intervals, intervals));
}
// Twice the area above each interval between the points `x`.
Tensor doubled_areas(std::string_view name, const Tensor& y, const Tensor& x, int64_t dim) {
  check(y.dtype != DType::Bool && x.dtype != DType::Bool, name, ": received a bool input for `x` or `y`, but bool is not supported");
  Tensor points = x;
  if (x.dim() == 1) {
    check(x.sizes[0] == y.sizes[dim], name, ": There must be one `x` value for each sample point");
    Shape sizes(y.sizes.size(), 1);
    sizes[dim] = x.sizes[0];
    points = reshape(x, sizes);
  }
  while (points.dim() < y.dim()) points = unsqueeze(points, 0);
  const int64_t intervals = std::max<int64_t>(points.sizes[dim] - 1, 0);
  const Tensor widths = difference(narrow(points, dim, points.sizes[dim] - intervals, intervals), narrow(points, dim, 0, intervals));
  return call("aten.mul.Tensor", ends(y, dim), widths);
}
Tensor nothing_along(const Tensor& y, int64_t dim) { return zeros(reduced_sizes(y.sizes, std::array{dim}, false), y.dtype); }

Tensor trapezoid_dx(const Tensor& y, Scalar dx, int64_t dim) {
  check_numbers("trapezoid", y);
  dim = normalize_dim(dim, y.dim());
  if (y.sizes[dim] == 0) return nothing_along(y, dim);
  const Tensor outer = call("aten.add.Tensor", select(y, dim, 0), select(y, dim, y.sizes[dim] - 1));
  const Tensor sum = call("aten.sub.Tensor", call("aten.sum.dim_IntList", y, Shape{dim}), call("aten.mul.Scalar", outer, 0.5));
  return call("aten.mul.Scalar", sum, dx.to_double());
}
Tensor trapezoid_x(const Tensor& y, const Tensor& x, int64_t dim) {
  dim = normalize_dim(dim, y.dim());
  if (y.sizes[dim] == 0) return nothing_along(y, dim);
  return call("aten.div.Scalar", call("aten.sum.dim_IntList", doubled_areas("trapezoid", y, x, dim), Shape{dim}), 2.0);
}
Tensor cumulative_trapezoid_dx(const Tensor& y, Scalar dx, int64_t dim) {
  check_numbers("cumulative_trapezoid", y);
  dim = normalize_dim(dim, y.dim());
  return cumsum(call("aten.mul.Scalar", ends(y, dim), dx.to_double() / 2), dim, std::nullopt);
}
Tensor cumulative_trapezoid_x(const Tensor& y, const Tensor& x, int64_t dim) {
  dim = normalize_dim(dim, y.dim());
  return call("aten.div.Scalar", cumsum(doubled_areas("cumulative_trapezoid", y, x, dim), dim, std::nullopt), 2.0);
}

}  // namespace

void add_scan_ops(OpTable& ops) {
  ops.add("aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", cumsum);
  ops.add("aten::cumsum_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)", cumsum_);
  ops.add("aten::cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", cumprod);
  ops.add("aten::cumprod_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)", cumprod_);
  ops.add("aten::logcumsumexp(Tensor self, int dim) -> Tensor", logcumsumexp);
  ops.add("aten::cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)", running_extreme<true>);
  ops.add("aten::cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)", running_extreme<false>);
  ops.add("aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", extreme_dim<true>);
  ops.add("aten::min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)", extreme_dim<false>);
  ops.add("aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", arg_extreme<true>);
  ops.add("aten::argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", arg_extreme<false>);
  ops.add("aten::diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor", diff);
  ops.add("aten::trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor", trapezoid_dx);
  ops.add("aten::trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", trapezoid_x);
  ops.add("aten::cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor", cumulative_trapezoid_dx);
  ops.add("aten::cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", cumulative_trapezoid_x);
}

}  // namespace pt2::interp
