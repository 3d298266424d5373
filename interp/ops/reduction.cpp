// sum, mean, var, amax, any, norm … over some or all dimensions.
#include <limits>
#include <tuple>

#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/ops/pointwise.h"
#include "interp/ops/reduction.h"
#include "interp/reduce.h"
#include "interp/stepwise.h"

namespace pt2::interp {

namespace {

using Dims = std::span<const int64_t>;
using OptionalDims = const std::optional<std::vector<int64_t>>&;
using MaybeDType = std::optional<DType>;

// Sums are kept in the widest type of their kind.
template <class V>
using Wide = std::conditional_t<std::is_same_v<V, float>, double, V>;

template <class V>
struct Sum {
  using Value = V;
  using State = Wide<V>;
  bool mean = false;
  State start() const { return State(0); }
  void along(State& state, const V* x, int64_t n) const {
    if constexpr (std::is_same_v<V, float>) state += vector_math().sum_f32(x, n);
    else if constexpr (std::is_same_v<V, double>) state += vector_math().sum_f64(x, n);
    else for (int64_t i = 0; i < n; ++i) state = wrapping_add(state, x[i]);
  }
  void across(State* states, const V* x, int64_t n) const {
    if constexpr (std::is_same_v<V, float>) vector_math().add_f32(x, states, n);
    else if constexpr (std::is_same_v<V, double>) vector_math().add_f64(x, states, n);
    else for (int64_t i = 0; i < n; ++i) states[i] = wrapping_add(states[i], x[i]);
  }
  void merge(State& state, State other) const { state = wrapping_add(state, other); }
  State finish(State state, int64_t count) const { return mean ? state / State(static_cast<double>(count)) : state; }
};

// One accumulator and a function of it and an element: prod, nansum, amax, any …
template <class V, class State, class Step, class Merge, class Finish>
struct Fold {
  using Value = V;
  State initial;
  Step step;
  Merge merge_states;
  Finish finish_state;
  State start() const { return initial; }
  void along(State& state, const V* x, int64_t n) const {
    State s = state;
    for (int64_t i = 0; i < n; ++i) s = step(s, x[i]);
    state = s;
  }
  void across(State* states, const V* x, int64_t n) const {
    for (int64_t i = 0; i < n; ++i) states[i] = step(states[i], x[i]);
  }
  void merge(State& state, const State& other) const { state = merge_states(state, other); }
  auto finish(const State& state, int64_t) const { return finish_state(state); }
};
template <class V, class State, class Step, class Merge, class Finish>
Fold<V, State, Step, Merge, Finish> fold(State initial, Step step, Merge merge, Finish finish) { return {initial, step, merge, finish}; }
constexpr auto kAsIs = [](auto x) { return x; };

// Mean and sum of squared deviations, by Chan's rule for joining two sets.
struct Moments { double count = 0, mean = 0, squares = 0; };
enum class Moment : uint8_t { Variance, Deviation, Mean };
template <class V>
struct MomentOf {
  using Value = V;
  Moment moment;
  double correction;
  Moments start() const { return {}; }
  void along(Moments& state, const V* x, int64_t n) const {
    double sum;
    if constexpr (std::is_same_v<V, float>) sum = vector_math().sum_f32(x, n);
    else sum = vector_math().sum_f64(x, n);
    // One by one, as PyTorch does: what comes after an Inf makes the mean NaN, and a sum may overflow where a mean does not.
    if (!std::isfinite(sum)) {
      for (int64_t i = 0; i < n; ++i) add(state, x[i], 1 / (state.count + 1));
      return;
    }
    const double mean = sum / static_cast<double>(n);
    double squares = 0;
    for (int64_t i = 0; i < n; ++i) squares += (x[i] - mean) * (x[i] - mean);
    merge(state, {static_cast<double>(n), mean, squares});
  }
  void across(Moments* states, const V* x, int64_t n) const {
    const double inverse = 1 / (states[0].count + 1);
    for (int64_t i = 0; i < n; ++i) add(states[i], x[i], inverse);
  }
  static void add(Moments& s, double x, double inverse) {
    const double delta = x - s.mean;
    s.count += 1;
    s.mean += delta * inverse;
    s.squares += delta * (x - s.mean);
  }
  void merge(Moments& s, const Moments& o) const {
    if (o.count == 0) return;
    const double count = s.count + o.count, delta = o.mean - s.mean;
    s.mean += delta * (o.count / count);
    s.squares += o.squares + delta * delta * (s.count * o.count / count);
    s.count = count;
  }
  double finish(const Moments& s, int64_t) const {
    if (s.count == 0) return std::numeric_limits<double>::quiet_NaN();
    if (moment == Moment::Mean) return s.mean;
    const double variance = s.squares / std::max(0.0, s.count - correction);
    return moment == Moment::Deviation ? std::sqrt(variance) : variance;
  }
};

std::vector<int64_t> dims_of(const Tensor& self, Dims dim) { return normalize_dims(dim, self.dim()); }
Dims as_span(OptionalDims dim) { return dim ? Dims(*dim) : Dims(); }

// The element type a `dtype` argument asks for, before reducing. Widening is done by the loop itself.
Tensor in_dtype(const Tensor& self, DType dtype) {
  if (self.dtype == dtype || !needs_rounding(self.dtype, dtype)) return self;
  if (dtype == DType::Int64 && !is_floating(self.dtype) && !is_complex(self.dtype)) return self;
  return to_dtype(self, dtype);
}
DType sum_type(DType dtype) { return is_floating(dtype) || is_complex(dtype) ? dtype : DType::Int64; }

template <class MakeReducer>
Tensor reduced(const Tensor& self, DType computed, DType result_dtype, const std::vector<int64_t>& dims, bool keepdim, MakeReducer make) {
  Tensor result = empty(reduced_sizes(self.sizes, dims, keepdim), result_dtype);
  dispatch(NumberTypes(), computed, "reduction", [&]<class V>() { reduce_into(result, self, dims, make.template operator()<V>()); });
  return result;
}

// ---- Sums and means

Tensor sum_over(const Tensor& self, Dims dim, bool keepdim, MaybeDType dtype, bool mean) {
  const DType type = dtype.value_or(mean ? self.dtype : sum_type(self.dtype));
  if (mean)
    check(is_floating(type) || is_complex(type), "mean(): could not infer output dtype. ", dtype ? "Optional dtype" : "Input dtype",
          " must be either a floating point or complex dtype. Got: ", scalar_type_name(type));
  // What a mean of a half type is made of is not rounded to it first.
  const Tensor input = mean && half_steps(type).dtype != DType::Unknown ? self : in_dtype(self, type);
  return reduced(input, type, type, dims_of(self, dim), keepdim, [mean]<class V>() { return Sum<V>{mean}; });
}
Tensor sum(const Tensor& self, MaybeDType dtype) { return sum_over(self, {}, false, dtype, false); }
Tensor sum_dims(const Tensor& self, OptionalDims dim, bool keepdim, MaybeDType dtype) { return sum_over(self, as_span(dim), keepdim, dtype, false); }
Tensor mean(const Tensor& self, MaybeDType dtype) { return sum_over(self, {}, false, dtype, true); }
Tensor mean_dims(const Tensor& self, OptionalDims dim, bool keepdim, MaybeDType dtype) { return sum_over(self, as_span(dim), keepdim, dtype, true); }

Tensor sum_to_size(const Tensor& self, Dims size) {
  check(broadcastable_to(size, self.sizes), "size {", size, "} is not expandable to size {", self.sizes, "}.");
  std::vector<int64_t> dims;
  const size_t lead = self.sizes.size() - size.size();
  for (size_t d = 0; d < self.sizes.size(); ++d)
    if (d < lead || (size[d - lead] == 1 && self.sizes[d] != 1)) dims.push_back(static_cast<int64_t>(d));
  if (dims.empty()) return self;
  Tensor result = sum_over(self, dims, true, std::nullopt, false);
  return make_view(result, Shape(size.begin(), size.end()), contiguous_strides(size), 0);
}

Tensor nansum(const Tensor& self, OptionalDims dim, bool keepdim, MaybeDType dtype) {
  check(!is_complex(self.dtype), "nansum on CPU does not support complex inputs");
  if (!is_floating(self.dtype)) return sum_over(self, as_span(dim), keepdim, dtype, false);
  const DType type = dtype.value_or(self.dtype);
  const Tensor input = in_dtype(self, type);
  return reduced(input, type, type, dims_of(self, as_span(dim)), keepdim, []<class V>() {
    return fold<V, Wide<V>>(Wide<V>(0), [](auto s, auto x) { return is_nan(x) ? s : s + x; }, [](auto a, auto b) { return a + b; }, kAsIs);
  });
}
Tensor not_nan(const Tensor& self) {
  return map<NumberTypes>({"isnan", self.dtype, DType::Bool}, [](auto x) { return !is_nan(x); }, self);
}
Tensor nanmean(const Tensor& self, OptionalDims dim, bool keepdim, MaybeDType dtype) {
  check(is_floating(self.dtype) || is_complex(self.dtype), "nanmean(): expected input to have floating point or complex dtype but got ", scalar_type_name(self.dtype));
  const Tensor total = nansum(self, dim, keepdim, dtype), factor = sum_over(not_nan(self), as_span(dim), keepdim, std::nullopt, false);
  return map<FieldTypes>(in_type("div", total.dtype), [](auto a, auto b) { return a / b; }, total, factor);
}

template <class V>
auto product() {
  return fold<V, Wide<V>>(Wide<V>(1), [](Wide<V> s, V x) { return wrapping_multiply(s, Wide<V>(x)); },
                          [](Wide<V> a, Wide<V> b) { return wrapping_multiply(a, b); }, kAsIs);
}
Tensor prod_over(const Tensor& self, Dims dim, bool keepdim, MaybeDType dtype) {
  const DType type = dtype.value_or(sum_type(self.dtype));
  return reduced(in_dtype(self, type), type, type, dims_of(self, dim), keepdim, []<class V>() { return product<V>(); });
}
Tensor prod(const Tensor& self, MaybeDType dtype) { return prod_over(self, {}, false, dtype); }
Tensor prod_dim(const Tensor& self, int64_t dim, bool keepdim, MaybeDType dtype) { return prod_over(self, std::array{dim}, keepdim, dtype); }

Tensor count_nonzero_over(const Tensor& self, Dims dim) {
  return reduced(self, self.dtype, DType::Int64, dims_of(self, dim), false, []<class V>() {
    return fold<V, int64_t>(int64_t{0}, [](int64_t s, V x) { return s + (x != V(0)); }, [](auto a, auto b) { return a + b; }, kAsIs);
  });
}
Tensor count_nonzero(const Tensor& self, std::optional<int64_t> dim) {
  return dim ? count_nonzero_over(self, std::array{*dim}) : count_nonzero_over(self, {});
}

// ---- Variance

Tensor moment_over(const Tensor& self, Dims dim, Moment moment, double correction, bool keepdim) {
  const auto dims = dims_of(self, dim);
  Tensor result = empty(reduced_sizes(self.sizes, dims, keepdim), self.dtype);
  dispatch(FloatTypes(), self.dtype, "var", [&]<class V>() { reduce_into(result, self, dims, MomentOf<V>{moment, correction}); });
  return result;
}
// Of the real and the imaginary parts, in double; joined by `join`.
template <class Join>
Tensor moment_of_parts(const Tensor& self, Dims dim, Moment moment, double correction, bool keepdim, DType result, Join join) {
  const auto part = [&](auto&& take) {
    return moment_over(map<Types<Complex>>({"var", self.dtype, DType::Float64}, take, self), dim, moment, correction, keepdim);
  };
  const Tensor real = part([](Complex x) { return x.real(); }), imaginary = part([](Complex x) { return x.imag(); });
  return map<Types<double>>({"var", DType::Float64, result}, join, real, imaginary);
}
Tensor variance(const Tensor& self, Dims dim, double correction, bool keepdim, bool root) {
  check(is_floating(self.dtype) || is_complex(self.dtype), "std and var only support floating point and complex dtypes");
  if (!is_complex(self.dtype)) return moment_over(self, dim, root ? Moment::Deviation : Moment::Variance, correction, keepdim);
  return moment_of_parts(self, dim, Moment::Variance, correction, keepdim, real_of(self.dtype),
                         [root](double a, double b) { return root ? std::sqrt(a + b) : a + b; });
}
// The mean that PyTorch works out along with a variance: another than mean() of what is not finite, or whose sum is not.
Tensor mean_of_moments(const Tensor& self, Dims dim, bool keepdim) {
  if (!is_complex(self.dtype)) return moment_over(self, dim, Moment::Mean, 0, keepdim);
  return moment_of_parts(self, dim, Moment::Mean, 0, keepdim, self.dtype, [](double a, double b) { return Complex(a, b); });
}
double correction_of(const std::optional<Scalar>& correction) { return correction ? correction->to_double() : 1; }
template <bool root>
Tensor variance_correction(const Tensor& self, OptionalDims dim, std::optional<Scalar> correction, bool keepdim) {
  return variance(self, as_span(dim), correction_of(correction), keepdim, root);
}
template <bool root>
Tensor variance_dims(const Tensor& self, OptionalDims dim, bool unbiased, bool keepdim) { return variance(self, as_span(dim), unbiased, keepdim, root); }
template <bool root>
Tensor variance_all(const Tensor& self, bool unbiased) { return variance(self, {}, unbiased, false, root); }
template <bool root>
std::tuple<Tensor, Tensor> variance_mean_correction(const Tensor& self, OptionalDims dim, std::optional<Scalar> correction, bool keepdim) {
  return {variance(self, as_span(dim), correction_of(correction), keepdim, root), mean_of_moments(self, as_span(dim), keepdim)};
}
template <bool root>
std::tuple<Tensor, Tensor> variance_mean_dims(const Tensor& self, OptionalDims dim, bool unbiased, bool keepdim) {
  return variance_mean_correction<root>(self, dim, Scalar(int64_t{unbiased}), keepdim);
}
template <bool root>
std::tuple<Tensor, Tensor> variance_mean_all(const Tensor& self, bool unbiased) {
  return variance_mean_correction<root>(self, std::nullopt, Scalar(int64_t{unbiased}), false);
}

// ---- Extremes and hashes

void check_not_empty(const Tensor& self, const std::vector<int64_t>& dims, std::string_view name) {
  for (int64_t d : dims) check(self.sizes[d] != 0, name, ": Expected reduction dim ", d, " to have non-zero size.");
}
template <class V>
auto largest() {
  V lowest = std::numeric_limits<V>::lowest();
  if constexpr (std::is_floating_point_v<V>) lowest = -std::numeric_limits<V>::infinity();
  return fold<V, V>(lowest, [](V a, V b) { return nan_max(a, b); }, [](V a, V b) { return nan_max(a, b); }, kAsIs);
}
template <class V>
auto smallest() {
  V highest = std::numeric_limits<V>::max();
  if constexpr (std::is_floating_point_v<V>) highest = std::numeric_limits<V>::infinity();
  return fold<V, V>(highest, [](V a, V b) { return nan_min(a, b); }, [](V a, V b) { return nan_min(a, b); }, kAsIs);
}
Tensor extreme(const Tensor& self, const std::vector<int64_t>& dims, bool keepdim, bool want_largest) {
  check(!is_complex(self.dtype), "\"", want_largest ? "amax" : "amin", "\" not implemented for '", scalar_type_name(self.dtype), "'");
  check_not_empty(self, dims, want_largest ? "amax()" : "amin()");
  Tensor result = empty(reduced_sizes(self.sizes, dims, keepdim), self.dtype);
  dispatch(RealTypes(), self.dtype, "amax", [&]<class V>() {
    if (want_largest) reduce_into(result, self, dims, largest<V>());
    else reduce_into(result, self, dims, smallest<V>());
  });
  return result;
}
Tensor amin(const Tensor& self, Dims dim, bool keepdim) { return extreme(self, dims_of(self, dim), keepdim, false); }
void check_elements(const Tensor& self, std::string_view name) {
  check(self.numel() > 0, name, ": Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.");
}
Tensor max_all(const Tensor& self) {
  check_elements(self, "max()");
  return extreme(self, dims_of(self, {}), false, true);
}
Tensor min_all(const Tensor& self) {
  check_elements(self, "min()");
  return extreme(self, dims_of(self, {}), false, false);
}
std::tuple<Tensor, Tensor> aminmax(const Tensor& self, std::optional<int64_t> dim, bool keepdim) {
  check(dim || self.numel() > 0, "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
  const auto dims = dim ? dims_of(self, std::array{*dim}) : dims_of(self, {});
  check_not_empty(self, dims, "aminmax()");
  return {extreme(self, dims, keepdim, false), extreme(self, dims, keepdim, true)};
}

// The exclusive or of the elements' bits, each widened to 64.
Tensor hash_tensor(const Tensor& self, Dims dim, bool keepdim, int64_t mode) {
  check(mode == 0, "Unknown hash_tensor mode: ", mode);
  check(!is_complex(self.dtype), "\"xor_sum_cpu\" not implemented for '", scalar_type_name(self.dtype), "'");
  if (dim.empty()) check_elements(self, "hash_tensor");
  const std::vector<int64_t> dims = dims_of(self, dim);
  check_not_empty(self, dims, "hash_tensor");
  const Tensor bits = call("aten.view.dtype", to_dtype(self, is_floating(self.dtype) ? DType::Float64 : DType::Int64), DType::Int64);
  const auto either = [](int64_t a, int64_t b) { return a ^ b; };
  Tensor result = empty(reduced_sizes(self.sizes, dims, keepdim), DType::Int64);
  reduce_into(result, bits, dims, fold<int64_t, int64_t>(int64_t{0}, either, either, kAsIs));
  return call("aten.view.dtype", result, DType::UInt64);
}

// ---- Truth

Tensor truth(const Tensor& self, const std::vector<int64_t>& dims, bool keepdim, bool all) {
  Tensor result = empty(reduced_sizes(self.sizes, dims, keepdim), self.dtype == DType::UInt8 ? DType::UInt8 : DType::Bool);
  using Flag = unsigned char;
  const auto is_set = [](Flag f) { return f != 0; };
  const auto both = [](Flag a, Flag b) { return static_cast<Flag>(a & b); };
  const auto either = [](Flag a, Flag b) { return static_cast<Flag>(a | b); };
  if (all) reduce_into(result, self, dims, fold<bool, Flag>(Flag{1}, both, both, is_set));
  else reduce_into(result, self, dims, fold<bool, Flag>(Flag{0}, either, either, is_set));
  return result;
}
template <bool all>
Tensor truth_all(const Tensor& self) { return truth(self, dims_of(self, {}), false, all); }
template <bool all>
Tensor truth_dim(const Tensor& self, int64_t dim, bool keepdim) { return truth(self, dims_of(self, std::array{dim}), keepdim, all); }
template <bool all>
Tensor truth_dims(const Tensor& self, OptionalDims dim, bool keepdim) {
  if (dim && dim->empty()) {  // no dimension at all: each element is its own
    Tensor result = empty(self.sizes, self.dtype == DType::UInt8 ? DType::UInt8 : DType::Bool);
    copy_into(result, to_dtype(self, DType::Bool));
    return result;
  }
  return truth(self, dims_of(self, as_span(dim)), keepdim, all);
}
Tensor is_all_true(const Tensor& self) {
  check(self.dtype == DType::Bool, "_is_all_true: expected a bool tensor");
  return truth_all<true>(self);
}
Tensor is_any_true(const Tensor& self) {
  check(self.dtype == DType::Bool, "_is_any_true: expected a bool tensor");
  return truth_all<false>(self);
}

// ---- Norms and log of a sum of exponentials

template <class V>
auto power_sum(double p) {
  return fold<V, double>(0.0, [p](double s, V x) {
    const double m = std::abs(x);
    return s + (p == 1 ? m : p == 2 ? m * m : p == 0 ? double(m != 0) : std::pow(m, p));
  }, [](double a, double b) { return a + b; }, [p](double s) { return p == 0 || p == 1 ? s : p == 2 ? std::sqrt(s) : std::pow(s, 1 / p); });
}
}  // namespace

Tensor vector_norm(const Tensor& input, double p, std::span<const int64_t> dim, bool keepdim, std::optional<DType> dtype) {
  check(is_floating(input.dtype) || is_complex(input.dtype), "linalg.vector_norm: Expected a floating point or complex tensor as input. Got ",
        scalar_type_name(input.dtype));
  if (dtype) check(is_complex(*dtype) == is_complex(input.dtype) && (is_floating(*dtype) || is_complex(*dtype)) && promote_types(input.dtype, *dtype) == *dtype,
                   "linalg.vector_norm: the dtype of the input (", scalar_type_name(input.dtype), ") should be convertible without narrowing to the specified dtype (",
                   scalar_type_name(*dtype), ")");
  const Tensor self = dtype ? in_dtype(input, *dtype) : input;
  const auto dims = dims_of(self, dim);
  if (p < 0 || std::isinf(p))
    for (int64_t d : dims) check(self.sizes[d] != 0, "linalg.vector_norm cannot compute the ", p, " norm on an empty tensor because the operation does not have an identity");
  const DType type = dtype.value_or(self.dtype);
  Tensor result = empty(reduced_sizes(self.sizes, dims, keepdim), real_of(type));
  dispatch(FieldTypes(), self.dtype, "norm", [&]<class V>() {
    if (std::isinf(p) && p > 0)
      reduce_into(result, self, dims, fold<V, double>(0.0, [](double s, V x) { return nan_max(s, double(std::abs(x))); }, [](double a, double b) { return nan_max(a, b); }, kAsIs));
    else if (std::isinf(p))
      reduce_into(result, self, dims, fold<V, double>(double(INFINITY), [](double s, V x) { return nan_min(s, double(std::abs(x))); }, [](double a, double b) { return nan_min(a, b); }, kAsIs));
    else reduce_into(result, self, dims, power_sum<V>(p));
  });
  return result;
}

Tensor amax(const Tensor& self, std::span<const int64_t> dim, bool keepdim) { return extreme(self, dims_of(self, dim), keepdim, true); }
Tensor sum(const Tensor& self, std::span<const int64_t> dims, bool keepdim, std::optional<DType> dtype) { return sum_over(self, dims, keepdim, dtype, false); }

namespace {
// Shifted by the largest real part, so that nothing overflows.
Tensor complex_logsumexp(const Tensor& self, const std::vector<int64_t>& dims, bool keepdim) {
  const DType real = real_of(self.dtype);
  const Tensor parts = map<Types<Complex>>({"real", self.dtype, real}, [](Complex x) { return x.real(); }, self);
  const Tensor peak = map<FloatTypes>(in_type("logsumexp", real), []<class T>(T x) { return std::isinf(x) ? T(0) : x; }, extreme(parts, dims, true, true));
  const Tensor terms = map<Types<Complex>>(in_type("logsumexp", self.dtype), [](Complex x, Complex m) { return std::exp(x - m); }, self, peak);
  const Tensor logs = map<Types<Complex>>(in_type("logsumexp", self.dtype), [](Complex s, Complex m) { return std::log(s) + m; },
                                          sum_over(terms, dims, true, std::nullopt, false), peak);
  const Shape sizes = reduced_sizes(self.sizes, dims, keepdim);
  return make_view(logs, sizes, contiguous_strides(sizes), 0);
}
}  // namespace

Tensor logsumexp(const Tensor& self, std::span<const int64_t> dim, bool keepdim) {
  const Tensor input = is_floating(self.dtype) || is_complex(self.dtype) ? self : to_dtype(self, DType::Float32);
  check(!dim.empty() || keepdim || self.dim() == 0 || self.numel() == 0, "logsumexp: output with shape [] doesn't match the broadcast shape ", Shape(self.sizes.size(), 1));
  const auto dims = dims_of(input, dim);
  if (is_complex(input.dtype)) return complex_logsumexp(input, dims, keepdim);
  if (input.numel() == 0) return vector_unary("log", sum_over(vector_unary("exp", input, vector_math().exp), dim, keepdim, std::nullopt, false), vector_math().log);
  const Tensor peak = map<FloatTypes>(in_type("logsumexp", input.dtype), []<class T>(T x) { return std::isinf(x) ? T(0) : x; }, extreme(input, dims, true, true));
  const Tensor shifted = map<FloatTypes>(in_type("logsumexp", input.dtype), [](auto x, auto m) { return x - m; }, input, peak);
  const Tensor total = sum_over(vector_unary("exp", shifted, vector_math().exp), dim, true, std::nullopt, false);
  const Tensor logs = map<FloatTypes>(in_type("logsumexp", input.dtype), [rounded = half_steps(input.dtype)](auto s, auto m) { return rounded(std::log(s)) + m; }, total, peak);
  return make_view(logs, reduced_sizes(input.sizes, dims, keepdim), contiguous_strides(reduced_sizes(input.sizes, dims, keepdim)), 0);
}

namespace {

Tensor norm_over(const Tensor& self, std::optional<Scalar> p, Dims dim, bool keepdim, MaybeDType dtype) {
  return vector_norm(self, p ? p->to_double() : 2, dim, keepdim, dtype);
}
Tensor norm_dims(const Tensor& self, std::optional<Scalar> p, Dims dim, bool keepdim) { return norm_over(self, p, dim, keepdim, std::nullopt); }
Tensor norm_dims_dtype(const Tensor& self, std::optional<Scalar> p, Dims dim, bool keepdim, DType dtype) { return norm_over(self, p, dim, keepdim, dtype); }
Tensor norm_scalar(const Tensor& self, Scalar p) { return norm_over(self, p, {}, false, std::nullopt); }
Tensor norm_scalar_dtype(const Tensor& self, std::optional<Scalar> p, DType dtype) { return norm_over(self, p, {}, false, dtype); }
Tensor linalg_vector_norm(const Tensor& self, Scalar ord, OptionalDims dim, bool keepdim, MaybeDType dtype) {
  return vector_norm(self, ord.to_double(), as_span(dim), keepdim, dtype);
}
Tensor logsumexp_op(const Tensor& self, Dims dim, bool keepdim) { return logsumexp(self, dim, keepdim); }
Tensor amax_op(const Tensor& self, Dims dim, bool keepdim) { return amax(self, dim, keepdim); }
}  // namespace

void add_reduction_ops(OpTable& ops) {
  ops.add("aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor", static_cast<Tensor (*)(const Tensor&, MaybeDType)>(sum));
  ops.add("aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", sum_dims);
  ops.add("aten::sum_to_size(Tensor self, SymInt[] size) -> Tensor", sum_to_size);
  ops.add("aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", mean);
  ops.add("aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", mean_dims);
  ops.add("aten::nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", nansum);
  ops.add("aten::nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", nanmean);
  ops.add("aten::prod(Tensor self, *, ScalarType? dtype=None) -> Tensor", prod);
  ops.add("aten::prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", prod_dim);
  ops.add("aten::count_nonzero(Tensor self, int? dim=None) -> Tensor", count_nonzero);
  ops.add("aten::count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor", count_nonzero_over);
  ops.add("aten::var(Tensor self, bool unbiased=True) -> Tensor", variance_all<false>);
  ops.add("aten::var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor", variance_dims<false>);
  ops.add("aten::var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor", variance_correction<false>);
  ops.add("aten::std(Tensor self, bool unbiased=True) -> Tensor", variance_all<true>);
  ops.add("aten::std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor", variance_dims<true>);
  ops.add("aten::std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor", variance_correction<true>);
  ops.add("aten::var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)", variance_mean_all<false>);
  ops.add("aten::var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)", variance_mean_dims<false>);
  ops.add("aten::var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)", variance_mean_correction<false>);
  ops.add("aten::std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)", variance_mean_all<true>);
  ops.add("aten::std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)", variance_mean_dims<true>);
  ops.add("aten::std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)", variance_mean_correction<true>);
  ops.add("aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", amax_op);
  ops.add("aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", amin);
  ops.add("aten::max(Tensor self) -> Tensor", max_all);
  ops.add("aten::min(Tensor self) -> Tensor", min_all);
  ops.add("aten::aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)", aminmax);
  ops.add("aten::any(Tensor self) -> Tensor", truth_all<false>);
  ops.add("aten::any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", truth_dim<false>);
  ops.add("aten::any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor", truth_dims<false>);
  ops.add("aten::hash_tensor(Tensor self, int[1] dim=[], *, bool keepdim=False, int mode=0) -> Tensor", hash_tensor);
  ops.add("aten::all(Tensor self) -> Tensor", truth_all<true>);
  ops.add("aten::all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", truth_dim<true>);
  ops.add("aten::all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor", truth_dims<true>);
  ops.add("aten::_is_all_true(Tensor self) -> Tensor", is_all_true);
  ops.add("aten::_is_any_true(Tensor self) -> Tensor", is_any_true);
  ops.add("aten::norm.Scalar(Tensor self, Scalar p=2) -> Tensor", norm_scalar);
  ops.add("aten::norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor", norm_scalar_dtype);
  ops.add("aten::norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor", norm_dims);
  ops.add("aten::norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype) -> Tensor", norm_dims_dtype);
  ops.add("aten::linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", linalg_vector_norm);
  ops.add("aten::logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", logsumexp_op);
  ops.add("aten::special_logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", logsumexp_op);
}

}  // namespace pt2::interp
