// Operators that draw random numbers.
#include <cmath>
#include <limits>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/convert.h"
#include "interp/distributions.h"
#include "interp/higher_order.h"
#include "interp/item.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using Sizes = std::span<const int64_t>;
using OptionalDType = std::optional<DType>;
using OptionalFormat = std::optional<MemoryFormat>;

Generator& generator_of(const KernelContext& context) { return *context.generator; }

Tensor like(const Tensor& self, OptionalDType dtype, OptionalFormat format) {
  return empty_like(self, dtype.value_or(self.dtype), format.value_or(MemoryFormat::Preserve));
}

// ---- Creation ---------------------------------------------------------------------------------------------------------------------------

Tensor rand(const KernelContext& c, Sizes size, OptionalDType dtype, Unused, Unused, Unused) {
  Tensor result = empty(size, dtype.value_or(DType::Float32));
  fill_uniform(result, 0, 1, generator_of(c));
  return result;
}
Tensor rand_generator(const KernelContext& c, Sizes size, Unused, OptionalDType dtype, Unused, Unused, Unused) { return rand(c, size, dtype, {}, {}, {}); }
Tensor rand_like(const KernelContext& c, const Tensor& self, OptionalDType dtype, Unused, Unused, Unused, OptionalFormat format) {
  Tensor result = like(self, dtype, format);
  fill_uniform(result, 0, 1, generator_of(c));
  return result;
}
Tensor randn(const KernelContext& c, Sizes size, OptionalDType dtype, Unused, Unused, Unused) {
  Tensor result = empty(size, dtype.value_or(DType::Float32));
  fill_normal(result, 0, 1, generator_of(c));
  return result;
}
Tensor randn_generator(const KernelContext& c, Sizes size, Unused, OptionalDType dtype, Unused, Unused, Unused) { return randn(c, size, dtype, {}, {}, {}); }
Tensor randn_like(const KernelContext& c, const Tensor& self, OptionalDType dtype, Unused, Unused, Unused, OptionalFormat format) {
  Tensor result = like(self, dtype, format);
  fill_normal(result, 0, 1, generator_of(c));
  return result;
}

void fill_between(const Tensor& tensor, int64_t low, int64_t high, Generator& generator) {
  check(low < high, "random_ expects 'from' to be less than 'to', but got from=", low, " >= to=", high);
  fill_integers(tensor, low, static_cast<uint64_t>(high) - static_cast<uint64_t>(low), generator);
}

Tensor randint_low(const KernelContext& c, int64_t low, int64_t high, Sizes size, OptionalDType dtype, Unused, Unused, Unused) {
  Tensor result = empty(size, dtype.value_or(DType::Int64));
  fill_between(result, low, high, generator_of(c));
  return result;
}
Tensor randint(const KernelContext& c, int64_t high, Sizes size, OptionalDType dtype, Unused, Unused, Unused) {
  return randint_low(c, 0, high, size, dtype, {}, {}, {});
}
Tensor randint_generator(const KernelContext& c, int64_t high, Sizes size, Unused, OptionalDType dtype, Unused, Unused, Unused) {
  return randint_low(c, 0, high, size, dtype, {}, {}, {});
}
Tensor randint_low_generator(const KernelContext& c, int64_t low, int64_t high, Sizes size, Unused, OptionalDType dtype, Unused, Unused, Unused) {
  return randint_low(c, low, high, size, dtype, {}, {}, {});
}
Tensor randint_like_low(const KernelContext& c, const Tensor& self, int64_t low, int64_t high, OptionalDType dtype, Unused, Unused, Unused,
                        OptionalFormat format) {
  Tensor result = like(self, dtype, format);
  fill_between(result, low, high, generator_of(c));
  return result;
}
Tensor randint_like(const KernelContext& c, const Tensor& self, int64_t high, OptionalDType dtype, Unused, Unused, Unused, OptionalFormat format) {
  return randint_like_low(c, self, 0, high, dtype, {}, {}, {}, format);
}

Tensor randperm(const KernelContext& c, int64_t n, OptionalDType dtype, Unused, Unused, Unused) {
  check(n >= 0, "n must be non-negative, got ", n);
  Scratch<int64_t> numbers(n);
  for (int64_t i = 0; i < n; ++i) numbers[i] = i;
  const bool wide = n >= std::numeric_limits<uint32_t>::max() / 20;
  Generator& generator = generator_of(c);
  for (int64_t i = 0; i + 1 < n; ++i) {
    if (i % 65536 == 0) throw_if_stopped();
    const uint64_t left = static_cast<uint64_t>(n - i);
    std::swap(numbers[i], numbers[i + static_cast<int64_t>((wide ? generator.random64() : generator.random()) % left)]);
  }
  Tensor result = empty({&n, 1}, dtype.value_or(DType::Int64));
  storer(Compute::I64, result.dtype)(numbers.data(), result.bytes(), item_size(result.dtype), n);
  return result;
}
Tensor randperm_generator(const KernelContext& c, int64_t n, Unused, OptionalDType dtype, Unused, Unused, Unused) { return randperm(c, n, dtype, {}, {}, {}); }

// ---- Distributions in place -------------------------------------------------------------------------------------------------------------

void uniform_(const KernelContext& c, const Tensor& self, double from, double to, Unused) { fill_uniform(self, from, to, generator_of(c)); }
void normal_(const KernelContext& c, const Tensor& self, double mean, double std, Unused) { fill_normal(self, mean, std, generator_of(c)); }
void exponential_(const KernelContext& c, const Tensor& self, double lambda, Unused) { fill_exponential(self, lambda, generator_of(c)); }
void geometric_(const KernelContext& c, const Tensor& self, double p, Unused) { fill_geometric(self, p, generator_of(c)); }
void cauchy_(const KernelContext& c, const Tensor& self, double median, double sigma, Unused) { fill_cauchy(self, median, sigma, generator_of(c)); }
void log_normal_(const KernelContext& c, const Tensor& self, double mean, double std, Unused) { fill_log_normal(self, mean, std, generator_of(c)); }
void bernoulli_float_(const KernelContext& c, const Tensor& self, double p, Unused) { fill_bernoulli(self, p, generator_of(c)); }
void bernoulli_tensor_(const KernelContext& c, const Tensor& self, const Tensor& p, Unused) { fill_bernoulli(self, p, generator_of(c)); }
void random_(const KernelContext& c, const Tensor& self, Unused) { fill_all_integers(self, generator_of(c)); }
void random_to_(const KernelContext& c, const Tensor& self, int64_t to, Unused) { fill_between(self, 0, to, generator_of(c)); }

// Without an upper bound: up to the largest value of the dtype (of floats: the largest integer below which all are exact).
void random_from_(const KernelContext& c, const Tensor& self, int64_t from, std::optional<int64_t> to, Unused) {
  if (to) return fill_between(self, from, *to, generator_of(c));
  int64_t last = 0;
  switch (self.dtype) {
    case DType::Float64: last = int64_t{1} << 53; break;
    case DType::Float32: last = int64_t{1} << 24; break;
    case DType::Float16: last = 1 << 11; break;
    case DType::BFloat16: last = 1 << 8; break;
    case DType::Bool: last = 1; break;
    case DType::Int64: last = INT64_MAX; break;
    default: last = (int64_t{1} << (8 * item_size(self.dtype) - (is_signed(self.dtype) ? 1 : 0))) - 1;
  }
  check(from <= last, "random_ expects 'from' to be at most ", last, ", but got ", from);
  if (from == INT64_MIN && last == INT64_MAX) {
    Generator& generator = generator_of(c);
    for (int64_t i = 0; i < self.numel(); ++i) self.data<int64_t>()[i] = static_cast<int64_t>(generator.random64());
    return;
  }
  fill_integers(self, from, static_cast<uint64_t>(last) - static_cast<uint64_t>(from) + 1, generator_of(c));
}

// ---- … and as functions -----------------------------------------------------------------------------------------------------------------

template <auto InPlace, class... P>
Tensor filled(const KernelContext& c, const Tensor& self, P... parameters) {
  Tensor result = empty_like(self);
  InPlace(c, result, parameters...);
  return result;
}

Tensor bernoulli(const KernelContext& c, const Tensor& self, Unused) {
  Tensor result = empty_like(self);
  fill_bernoulli(result, self, generator_of(c));
  return result;
}
Tensor bernoulli_tensor(const KernelContext& c, const Tensor& self, const Tensor& p, Unused) {
  Tensor result = empty_like(self);
  fill_bernoulli(result, p, generator_of(c));
  return result;
}
Tensor poisson(const KernelContext& c, const Tensor& self, Unused) {
  Tensor result = empty_like(self);
  fill_poisson(result, self, generator_of(c));
  return result;
}

Tensor normal_tensor_tensor(const KernelContext& c, const Tensor& mean, const Tensor& std, Unused) {
  Tensor result = empty(broadcast_shapes(mean.sizes, std.sizes), promote_types(mean.dtype, std.dtype));
  fill_normal(result, 0, 1, generator_of(c));
  return call("aten.add.Tensor", call("aten.mul.Tensor", result, std), mean);
}
Tensor normal_tensor_float(const KernelContext& c, const Tensor& mean, double std, Unused) {
  Tensor result = empty_like(mean, DType::Unknown, MemoryFormat::Contiguous);
  fill_normal(result, 0, std, generator_of(c));
  return call("aten.add.Tensor", result, mean);
}
Tensor normal_float_tensor(const KernelContext& c, double mean, const Tensor& std, Unused) {
  Tensor result = empty_like(std, DType::Unknown, MemoryFormat::Contiguous);
  fill_normal(result, 0, 1, generator_of(c));
  return call("aten.add.Tensor", call("aten.mul.Tensor", result, std), wrapped_scalar(mean));
}
Tensor normal_float_float(const KernelContext& c, double mean, double std, Sizes size, Unused, OptionalDType dtype, Unused, Unused, Unused) {
  Tensor result = empty(size, dtype.value_or(DType::Float32));
  fill_normal(result, mean, std, generator_of(c));
  return result;
}

// ---- multinomial ------------------------------------------------------------------------------------------------------------------------

template <class T>
void multinomial_row(const std::byte* from, int64_t stride_bytes, DType dtype, int64_t categories, int64_t* out, int64_t samples, Generator& generator) {
  Scratch<T> cumulative(categories);
  const Compute compute = std::is_same_v<T, double> ? Compute::F64 : Compute::F32;
  loader(dtype, compute)(from, stride_bytes, cumulative.data(), categories);
  T sum = 0;
  for (T& value : cumulative) {
    check(value >= 0, "invalid multinomial distribution (encountering probability entry < 0)");
    check(std::isfinite(value), "invalid multinomial distribution (encountering probability entry = infinity or NaN)");
    sum += value;
    value = sum;
  }
  check(sum > 0, "invalid multinomial distribution (sum of probabilities <= 0)");
  for (T& value : cumulative) value /= sum;
  cumulative[categories - 1] = 1;
  for (int64_t s = 0; s < samples; ++s) {
    const double sample = uniform_double(generator);
    int64_t left = 0, right = categories;
    while (right > left) {
      const int64_t middle = left + (right - left) / 2;
      if (static_cast<double>(cumulative[middle]) < sample) left = middle + 1;
      else right = middle;
    }
    out[s] = left;
  }
}

Tensor multinomial(const KernelContext& c, const Tensor& self, int64_t samples, bool replacement, Unused) {
  check(self.dim() == 1 || self.dim() == 2, "prob_dist must be 1 or 2 dim");
  check(is_floating(self.dtype), "multinomial only supports floating-point dtypes for input, got ", self.dtype);
  check(samples > 0, "cannot sample n_sample <= 0 samples");
  const int64_t categories = self.sizes.back(), rows = self.dim() == 2 ? self.sizes[0] : 1;
  check(replacement || samples <= categories, "cannot sample n_sample > prob_dist.size(-1) samples without replacement");
  check(categories > 0, "cannot sample from an empty distribution");
  if (!replacement || samples == 1) {  // the largest of p / q where q ~ Exp(1)
    Tensor q = empty_like(self);
    fill_exponential(q, 1, generator_of(c));
    const Tensor ratio = call("aten.div.Tensor", self, q);
    if (samples == 1) return call("aten.argmax.default", ratio, int64_t{-1}, true);
    return *call_all("aten.topk.default", ratio, samples, -1, true, true)[1].as<Tensor>();
  }
  Shape sizes = self.dim() == 2 ? Shape{rows, samples} : Shape{samples};
  Tensor result = empty(sizes, DType::Int64);
  const int64_t item = item_size(self.dtype), stride = self.strides.back() * item;
  for (int64_t row = 0; row < rows; ++row) {
    throw_if_stopped();
    const std::byte* from = self.bytes() + (self.dim() == 2 ? row * self.strides[0] * item : 0);
    int64_t* out = result.data<int64_t>() + row * samples;
    if (self.dtype == DType::Float64) multinomial_row<double>(from, stride, self.dtype, categories, out, samples, generator_of(c));
    else multinomial_row<float>(from, stride, self.dtype, categories, out, samples, generator_of(c));
  }
  return result;
}

// ---- Dropout ----------------------------------------------------------------------------------------------------------------------------

void check_probability(double p) { check(p >= 0 && p <= 1, "dropout probability has to be between 0 and 1, but got ", p); }

// One number for each channel of each example.
Tensor feature_noise(const Tensor& input) {
  check(input.dim() >= 2, "feature dropout requires at least 2 dimensions in the input");
  Shape sizes(input.sizes.size(), 1);
  sizes[0] = input.sizes[0];
  sizes[1] = input.sizes[1];
  return empty(sizes, input.dtype);
}

Tensor any_dropout(const KernelContext& c, const Tensor& input, double p, bool train, bool feature, bool alpha) {
  check_probability(p);
  if (p == 0 || !train || input.numel() == 0) return input;
  if (p == 1) return call("aten.mul.Tensor", input, zeros(Shape{}, input.dtype));
  Tensor noise = feature ? feature_noise(input) : empty_like(input);
  fill_bernoulli(noise, 1 - p, generator_of(c));
  if (!alpha) return call("aten.mul.Tensor", input, call("aten.div.Tensor", noise, wrapped_scalar(1 - p)));
  constexpr double kAlpha = 1.7580993408473766;
  const double a = 1 / std::sqrt((kAlpha * kAlpha * p + 1) * (1 - p));
  auto add = [&](const Tensor& x, const Tensor& y) { return call("aten.add.Tensor", x, y); };
  auto mul = [&](const Tensor& x, const Tensor& y) { return call("aten.mul.Tensor", x, y); };
  const Tensor b = add(mul(add(noise, wrapped_scalar(int64_t{-1})), wrapped_scalar(kAlpha * a)), wrapped_scalar(kAlpha * a * p));
  return add(mul(input, mul(noise, wrapped_scalar(a))), b);
}

Tensor dropout(const KernelContext& c, const Tensor& input, double p, bool train) { return any_dropout(c, input, p, train, false, false); }
Tensor feature_dropout(const KernelContext& c, const Tensor& input, double p, bool train) { return any_dropout(c, input, p, train, true, false); }
Tensor alpha_dropout(const KernelContext& c, const Tensor& input, double p, bool train) { return any_dropout(c, input, p, train, false, true); }
Tensor feature_alpha_dropout(const KernelContext& c, const Tensor& input, double p, bool train) { return any_dropout(c, input, p, train, true, true); }

std::tuple<Tensor, Tensor> native_dropout(const KernelContext& c, const Tensor& input, double p, std::optional<bool> train) {
  check_probability(p);
  if (input.numel() == 0) return {input, empty_like(input)};
  Tensor mask = empty_like(input, DType::Bool);
  if (train && !*train) {
    fill(mask, true);
    return {call("aten.clone.default", input), mask};
  }
  fill_bernoulli(mask, 1 - p, generator_of(c));
  const double scale = p == 1 ? 0 : 1 / (1 - p);
  return {call("aten.mul.Tensor", call("aten.mul.Tensor", input, mask), wrapped_scalar(scale)), mask};
}

Tensor native_dropout_backward(const Tensor& grad, const Tensor& mask, double scale) {
  return call("aten.mul.Tensor", grad, call("aten.mul.Tensor", to_dtype(mask, grad.dtype), wrapped_scalar(scale)));
}

// ---- Gamma, Dirichlet, binomial ---------------------------------------------------------------------------------------------------------

Tensor standard_gamma(const KernelContext& c, const Tensor& self, Unused) {
  const Tensor result = empty_like(self);
  fill_gamma(result, self, generator_of(c));
  return result;
}
// Gamma draws in double over their sums, inside (0, 1).
Tensor sample_dirichlet(const KernelContext& c, const Tensor& self, Unused) {
  const Tensor draws = empty_like(self, DType::Float64);
  fill_gamma(draws, to_dtype(self, DType::Float64), generator_of(c));
  const Tensor shares = to_dtype(call("aten.div.Tensor", draws, call("aten.sum.dim_IntList", draws, Shape{-1}, true)), self.dtype);
  const bool wide = self.dtype == DType::Float64;
  const double least = wide ? std::numeric_limits<double>::min() : std::numeric_limits<float>::min();
  return call("aten.clamp.default", shares, least, wide ? std::nexttoward(1.0, 0.0) : static_cast<double>(std::nexttoward(1.0f, 0.0f)));
}
Tensor binomial(const KernelContext& c, const Tensor& count, const Tensor& probability, Unused) {
  check(is_floating(count.dtype) && count.dtype == probability.dtype, "binomial only supports floating-point dtypes for count and prob, and both the same, got: ", count.dtype,
        " and ", probability.dtype);
  const Tensor result = empty(broadcast_shapes(count.sizes, probability.sizes), count.dtype);
  fill_binomial(result, count, probability, generator_of(c));
  return result;
}

Tensor randint_like_tensor(const KernelContext& c, const Tensor& self, const Tensor& high, OptionalDType dtype, Unused a, Unused b, Unused d, OptionalFormat format) {
  check(high.numel() == 1, "randint_like: expected high to be a scalar tensor, found ", high.sizes);
  return randint_like(c, self, item(high).to_int(), dtype, a, b, d, format);
}

// ---- rrelu ------------------------------------------------------------------------------------------------------------------------------

// Negative elements times a random slope, which `noise` keeps; in evaluation the mean slope.
Tensor rrelu_with(const KernelContext& c, const Tensor& self, const Tensor& noise, const Scalar& lower, const Scalar& upper, bool training) {
  if (!training) return call("aten.leaky_relu.default", self, (lower.to_double() + upper.to_double()) / 2);
  // The slopes are drawn as double, between bounds of the type PyTorch computes in: float but for double tensors.
  const auto bound = [&](const Scalar& s) { return self.dtype == DType::Float64 ? s.to_double() : static_cast<float>(s.to_double()); };
  const double low = bound(lower), high = bound(upper);
  const Tensor dense = call("aten.contiguous.default", self);
  Tensor slopes = empty(self.sizes, self.dtype);
  fill(slopes, int64_t{1});
  const LoadFunction load = loader(self.dtype, Compute::F64);
  const StoreFunction store = storer(Compute::F64, self.dtype);
  const int64_t item = item_size(self.dtype);
  for (int64_t i = 0; i < dense.numel(); ++i) {
    double x;
    load(dense.bytes() + i * item, item, &x, 1);
    if (!(x <= 0)) continue;
    const double slope = uniform_double(generator_of(c)) * (high - low) + low;
    store(&slope, slopes.bytes() + i * item, item, 1);
  }
  call("aten.copy_.default", noise, slopes);
  return call("aten.mul.Tensor", self, slopes);
}

Tensor rrelu(const KernelContext& c, const Tensor& self, Scalar lower, Scalar upper, bool training, Unused) {
  return rrelu_with(c, self, empty_like(self), lower, upper, training);
}
Tensor rrelu_with_noise(const KernelContext& c, const Tensor& self, const Tensor& noise, Scalar lower, Scalar upper, bool training, Unused) {
  return rrelu_with(c, self, noise, lower, upper, training);
}
std::tuple<Tensor, Tensor> rrelu_with_noise_functional(const KernelContext& c, const Tensor& self, const Tensor& noise, Scalar lower, Scalar upper,
                                                       bool training, Unused) {
  const Tensor noise_out = call("aten.clone.default", noise);
  return {rrelu_with(c, self, noise_out, lower, upper, training), noise_out};
}

}  // namespace

void add_random_ops(OpTable& ops) {
  ops.add("aten::rand(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", rand);
  ops.add("aten::rand.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", rand_generator);
  ops.add("aten::rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", rand_like);
  ops.add("aten::randn(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", randn);
  ops.add("aten::randn.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", randn_generator);
  ops.add("aten::randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", randn_like);
  ops.add("aten::randint(SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", randint);
  ops.add("aten::randint.generator(SymInt high, SymInt[] size, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", randint_generator);
  ops.add("aten::randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", randint_low);
  ops.add("aten::randint.low_generator(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", randint_low_generator);
  ops.add("aten::randint_like(Tensor self, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", randint_like);
  ops.add("aten::randint_like.low_dtype(Tensor self, SymInt low, SymInt high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", randint_like_low);
  ops.add("aten::randint_like.Tensor(Tensor self, Tensor high, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", randint_like_tensor);
  ops.add("aten::_standard_gamma(Tensor self, Generator? generator=None) -> Tensor", standard_gamma);
  ops.add("aten::_sample_dirichlet(Tensor self, Generator? generator=None) -> Tensor", sample_dirichlet);
  ops.add("aten::binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor", binomial);
  ops.add("aten::randperm(SymInt n, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", randperm);
  ops.add("aten::randperm.generator(SymInt n, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", randperm_generator);

  ops.add("aten::uniform_(Tensor(a!) self, float from=0., float to=1., *, Generator? generator=None) -> Tensor(a!)", uniform_);
  ops.add("aten::normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor(a!)", normal_);
  ops.add("aten::exponential_(Tensor(a!) self, float lambd=1., *, Generator? generator=None) -> Tensor(a!)", exponential_);
  ops.add("aten::geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor(a!)", geometric_);
  ops.add("aten::cauchy_(Tensor(a!) self, float median=0., float sigma=1., *, Generator? generator=None) -> Tensor(a!)", cauchy_);
  ops.add("aten::log_normal_(Tensor(a!) self, float mean=1., float std=2., *, Generator? generator=None) -> Tensor(a!)", log_normal_);
  ops.add("aten::bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)", bernoulli_float_);
  ops.add("aten::bernoulli_.Tensor(Tensor(a!) self, Tensor p, *, Generator? generator=None) -> Tensor(a!)", bernoulli_tensor_);
  ops.add("aten::random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)", random_);
  ops.add("aten::random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)", random_to_);
  ops.add("aten::random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!)", random_from_);

  ops.add("aten::uniform(Tensor self, float from=0., float to=1., *, Generator? generator=None) -> Tensor", &filled<uniform_, double, double, Unused>);
  ops.add("aten::normal_functional(Tensor self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor", &filled<normal_, double, double, Unused>);
  ops.add("aten::exponential(Tensor self, float lambd=1., *, Generator? generator=None) -> Tensor", &filled<exponential_, double, Unused>);
  ops.add("aten::geometric(Tensor self, float p, *, Generator? generator=None) -> Tensor", &filled<geometric_, double, Unused>);
  ops.add("aten::cauchy(Tensor self, float median=0., float sigma=1., *, Generator? generator=None) -> Tensor", &filled<cauchy_, double, double, Unused>);
  ops.add("aten::log_normal(Tensor self, float mean=1., float std=2., *, Generator? generator=None) -> Tensor", &filled<log_normal_, double, double, Unused>);
  ops.add("aten::random(Tensor self, *, Generator? generator=None) -> Tensor", &filled<random_, Unused>);
  ops.add("aten::random.to(Tensor self, int to, *, Generator? generator=None) -> Tensor", &filled<random_to_, int64_t, Unused>);
  ops.add("aten::random.from(Tensor self, int from, int? to, *, Generator? generator=None) -> Tensor", &filled<random_from_, int64_t, std::optional<int64_t>, Unused>);
  ops.add("aten::bernoulli(Tensor self, *, Generator? generator=None) -> Tensor", bernoulli);
  ops.add("aten::bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor", &filled<bernoulli_float_, double, Unused>);
  ops.add("aten::bernoulli.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor", bernoulli_tensor);
  ops.add("aten::poisson(Tensor self, Generator? generator=None) -> Tensor", poisson);
  ops.add("aten::normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor", normal_tensor_tensor);
  ops.add("aten::normal.Tensor_float(Tensor mean, float std=1., *, Generator? generator=None) -> Tensor", normal_tensor_float);
  ops.add("aten::normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor", normal_float_tensor);
  ops.add("aten::normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", normal_float_float);
  ops.add("aten::multinomial(Tensor self, SymInt num_samples, bool replacement=False, *, Generator? generator=None) -> Tensor", multinomial);

  ops.add("aten::dropout(Tensor input, float p, bool train) -> Tensor", dropout);
  ops.add("aten::feature_dropout(Tensor input, float p, bool train) -> Tensor", feature_dropout);
  ops.add("aten::alpha_dropout(Tensor input, float p, bool train) -> Tensor", alpha_dropout);
  ops.add("aten::feature_alpha_dropout(Tensor input, float p, bool train) -> Tensor", feature_alpha_dropout);
  ops.add("aten::native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)", native_dropout);
  ops.add("aten::native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor", native_dropout_backward);
  ops.add("aten::rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None) -> Tensor", rrelu);
  ops.add("aten::rrelu_with_noise(Tensor self, Tensor(b!) noise, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None) -> Tensor", rrelu_with_noise);
  ops.add("aten::rrelu_with_noise_functional(Tensor self, Tensor noise, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None) -> (Tensor, Tensor noise_out)", rrelu_with_noise_functional);
}

}  // namespace pt2::interp
