// Running results along a dimension (cumsum, cummax, diff …), and the place of an extreme value (argmax, max.dim).
#include <limits>
#include <tuple>

#include "interp/lines.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
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

// (left + right) · dx / 2 for each interval along `dim`.
Tensor intervals(const Tensor& y, const std::optional<Tensor>& x, double dx, int64_t dim) {
  const int64_t size = y.sizes[dim];
  const Tensor left = narrow(y, dim, 0, size - 1), right = narrow(y, dim, 1, size - 1);
  if (!x) {
    return map<FieldTypes>(in_floating("trapezoid", y.dtype), [dx]<class T>(T a, T b) { return (a + b) * T(dx) / T(2); }, left, right);
  }
  Tensor steps = *x;
  if (steps.dim() == 1) {
    check(steps.sizes[0] == size, "trapezoid: There must be one `x` value for each sample point");
    Shape sizes(y.sizes.size(), 1);
    sizes[dim] = size;
    steps = reshape(steps, sizes);
  }
  const int64_t x_dim = dim + steps.dim() - y.dim();
  check(x_dim >= 0 && steps.sizes[x_dim] == size, "trapezoid: There must be one `x` value for each sample point");
  const Tensor widths = difference(narrow(steps, x_dim, 1, size - 1), narrow(steps, x_dim, 0, size - 1));
  return map<FieldTypes>(in_floating("trapezoid", result_type(y, widths)), []<class T>(T a, T b, T w) { return (a + b) * w / T(2); }, left, right, widths);
}
Tensor total(const Tensor& self, int64_t dim) {
  const std::vector<int64_t> dims{dim};
  Tensor result = empty(reduced_sizes(self.sizes, dims, false), self.dtype);
  const Tensor sums = cumsum(self, dim, std::nullopt);
  if (self.sizes[dim] == 0) return zeros(result.sizes, self.dtype);
  copy_into(result, select(sums, dim, self.sizes[dim] - 1));
  return result;
}
Tensor trapezoid_over(const Tensor& y, const std::optional<Tensor>& x, double dx, int64_t dim) {
  dim = normalize_dim(dim, y.dim());
  if (y.sizes[dim] == 0) return zeros(reduced_sizes(y.sizes, std::array{dim}, false), floating_result(y.dtype));
  return total(intervals(y, x, dx, dim), dim);
}
Tensor trapezoid_dx(const Tensor& y, Scalar dx, int64_t dim) { return trapezoid_over(y, std::nullopt, dx.to_double(), dim); }
Tensor trapezoid_x(const Tensor& y, const Tensor& x, int64_t dim) { return trapezoid_over(y, x, 1, dim); }
Tensor cumulative_trapezoid_dx(const Tensor& y, Scalar dx, int64_t dim) {
  dim = normalize_dim(dim, y.dim());
  return cumsum(intervals(y, std::nullopt, dx.to_double(), dim), dim, std::nullopt);
}
Tensor cumulative_trapezoid_x(const Tensor& y, const Tensor& x, int64_t dim) {
  dim = normalize_dim(dim, y.dim());
  return cumsum(intervals(y, x, 1, dim), dim, std::nullopt);
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
