// What is particular about PyTorch's kernels: a float takes the low 24 bits of one draw, a double the low 53 of two; most distributions are
// computed in double and rounded; 16 and more contiguous normal numbers are made sixteen at a time from uniform ones, in float by the
// Cephes approximations of log, sin and cos with fused multiply-adds (the AVX2 kernel), and where the count is no multiple of 16 the last
// sixteen are drawn anew.
#include "interp/distributions.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "interp/check.h"
#include "interp/convert.h"
#include "interp/kernel_context.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

float uniform_float(Generator& generator) { return static_cast<float>(generator.random() & 0xffffffu) * 0x1p-24f; }

// Stores draw() of type T (float or double) into every element, in the order of the memory.
template <class T, class Draw>
void fill_serial(const Tensor& tensor, Draw&& draw) {
  const Tensor* operands[] = {&tensor};
  const StridedLoop loop = strided_loop(tensor.sizes, operands);
  const StoreFunction store = storer(std::is_same_v<T, float> ? Compute::F32 : std::is_same_v<T, double> ? Compute::F64 : Compute::I64, tensor.dtype);
  constexpr int64_t kBlock = 1024;
  T block[kBlock];
  for_each_row(loop, 0, loop.numel(), [&](std::byte* const* pointers, const int64_t* strides, int64_t count) {
    for (int64_t begin = 0; begin < count; begin += kBlock) {
      throw_if_stopped();
      const int64_t n = std::min(kBlock, count - begin);
      for (int64_t i = 0; i < n; ++i) block[i] = draw();
      store(block, pointers[0] + begin * strides[0], strides[0], n);
    }
  });
}

// The same with a second tensor of parameters read along: draw(double).
template <class Draw>
void fill_by(const Tensor& tensor, const Tensor& parameters, Draw&& draw) {
  const Tensor expanded = expand_to(parameters, tensor.sizes);
  const Tensor* operands[] = {&tensor, &expanded};
  const StridedLoop loop = strided_loop(tensor.sizes, operands);
  const StoreFunction store = storer(Compute::F64, tensor.dtype);
  const LoadFunction load = loader(parameters.dtype, Compute::F64);
  for_each_row(loop, 0, loop.numel(), [&](std::byte* const* pointers, const int64_t* strides, int64_t count) {
    throw_if_stopped();
    for (int64_t i = 0; i < count; ++i) {
      double parameter;
      load(pointers[1] + i * strides[1], strides[1], &parameter, 1);
      const double value = draw(parameter);
      store(&value, pointers[0] + i * strides[0], strides[0], 1);
    }
  });
}

void check_floating(const Tensor& tensor, const char* what) { check(is_floating(tensor.dtype), what, " needs a floating-point dtype, found ", tensor.dtype); }

double normal_double(double mean, double std, Generator& generator) {
  if (const std::optional<double> kept = generator.take_normal()) return std::fma(*kept, std, mean);
  const double u1 = uniform_double(generator), u2 = uniform_double(generator);
  const double radius = std::sqrt(-2.0 * std::log1p(-u2)), theta = 2.0 * M_PI * u1;
  generator.keep_normal(radius * std::sin(theta));
  return std::fma(radius * std::cos(theta), std, mean);
}

// ---- Cephes in float, as the vector kernel computes it ----------------------------------------------------------------------------------

float log_cephes(float x) {
  x = std::max(x, std::numeric_limits<float>::min());
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  float e = static_cast<float>(static_cast<int32_t>(bits >> 23) - 0x7f) + 1.0f;
  bits = (bits & ~0x7f800000u) | 0x3f000000u;
  std::memcpy(&x, &bits, sizeof x);
  if (x < 0.707106781186547524f) {
    e -= 1.0f;
    x = (x - 1.0f) + x;
  } else {
    x -= 1.0f;
  }
  const float z = x * x;
  constexpr float kCoefficients[] = {-1.1514610310E-1f, 1.1676998740E-1f, -1.2420140846E-1f, 1.4249322787E-1f,
                                     -1.6668057665E-1f, 2.0000714765E-1f, -2.4999993993E-1f, 3.3333331174E-1f};
  float y = 7.0376836292E-2f;
  for (const float c : kCoefficients) y = std::fmaf(y, x, c);
  y = y * x;
  y = std::fmaf(y, z, e * -2.12194440e-4f);
  y = std::fmaf(z, -0.5f, y);
  return std::fmaf(e, 0.693359375f, x + y);
}

void sincos_cephes(float x, float& sine, float& cosine) {  // x >= 0
  int32_t j = static_cast<int32_t>(x * 1.27323954473516f);
  j = (j + 1) & ~1;
  const float y = static_cast<float>(j);
  x = std::fmaf(y, -0.78515625f, x);
  x = std::fmaf(y, -2.4187564849853515625e-4f, x);
  x = std::fmaf(y, -3.77489497744594108e-8f, x);
  const float z = x * x;
  float c = std::fmaf(2.443315711809948E-005f, z, -1.388731625493765E-003f);
  c = std::fmaf(c, z, 4.166664568298827E-002f);
  c = c * z;
  c = std::fmaf(c, z, -(z * 0.5f)) + 1.0f;
  float s = std::fmaf(-1.9515295891E-4f, z, 8.3321608736E-3f);
  s = std::fmaf(s, z, -1.6666654611E-1f);
  s = s * z;
  s = std::fmaf(s, x, x);
  const bool swapped = j & 2;
  sine = swapped ? c : s;
  cosine = swapped ? s : c;
  if (j & 4) sine = -sine;
  if (!((j - 2) & 4)) cosine = -cosine;
}

void normal_16(float* data, float mean, float std) {
  for (int j = 0; j < 8; ++j) {
    const float radius = std::sqrt(-2.0f * log_cephes(1.0f - data[j]));
    float sine, cosine;
    sincos_cephes(static_cast<float>(2.0f * M_PI) * data[j + 8], sine, cosine);
    data[j] = std::fmaf(radius * cosine, std, mean);
    data[j + 8] = std::fmaf(radius * sine, std, mean);
  }
}

void normal_16(double* data, double mean, double std) {
  for (int j = 0; j < 8; ++j) {
    const double u1 = 1 - data[j], u2 = data[j + 8];
    const double radius = std::sqrt(-2 * std::log(u1)), theta = 2.0 * M_PI * u2;
    data[j] = std::fma(radius * std::cos(theta), std, mean);
    data[j + 8] = std::fma(radius * std::sin(theta), std, mean);
  }
}

double draw_uniform(double*, Generator& generator) { return uniform_double(generator); }
float draw_uniform(float*, Generator& generator) { return uniform_float(generator); }

// At least 16 contiguous elements of T's own type.
template <class T>
void fill_normal_native(T* data, int64_t size, T mean, T std, Generator& generator) {
  for (int64_t i = 0; i < size; ++i) data[i] = draw_uniform(static_cast<T*>(nullptr), generator);
  for (int64_t i = 0; i < size - 15; i += 16) {
    if (i % 16384 == 0) throw_if_stopped();
    normal_16(data + i, mean, std);
  }
  if (size % 16 == 0) return;
  data += size - 16;
  for (int64_t i = 0; i < 16; ++i) data[i] = draw_uniform(static_cast<T*>(nullptr), generator);
  normal_16(data, mean, std);
}

// At least 16 contiguous half-precision elements: made in float, sixteen at a time.
void fill_normal_half(const Tensor& tensor, float mean, float std, Generator& generator) {
  const StoreFunction store = storer(Compute::F32, tensor.dtype);
  const int64_t size = tensor.numel(), item = item_size(tensor.dtype);
  float block[16];
  auto sixteen = [&](int64_t at) {
    for (float& x : block) x = uniform_float(generator);
    normal_16(block, mean, std);
    store(block, tensor.bytes() + at * item, item, 16);
  };
  for (int64_t i = 0; i < size - 15; i += 16) sixteen(i);
  if (size % 16 != 0) sixteen(size - 16);
}

// PyTorch's Poisson numbers: products of uniform numbers for small rates, Hörmann's transformed rejection from 10 on.
int64_t draw_poisson(double rate, Generator& generator) {
  check(rate >= 0, "invalid Poisson rate, expected rate to be non-negative");
  if (rate == 0) return 0;
  if (rate < 10) {
    const double limit = std::exp(-rate);
    int64_t count = 0;
    for (double product = 1;; ++count) {
      product *= uniform_double(generator);
      if (!(product > limit)) return count;
    }
  }
  const double root = std::sqrt(rate), log_rate = std::log(rate);
  const double b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), vr = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    throw_if_stopped();
    const double u = uniform_double(generator) - 0.5, v = uniform_double(generator), us = 0.5 - std::fabs(u);
    const auto k = static_cast<int64_t>(std::floor((2 * a / us + b) * u + rate + 0.43));
    if (us >= 0.07 && v <= vr) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (std::log(v) + std::log(inverse_alpha) - std::log(a / (us * us) + b) <= -rate + static_cast<double>(k) * log_rate - std::lgamma(static_cast<double>(k) + 1))
      return k;
  }
}

}  // namespace

double uniform_double(Generator& generator) { return static_cast<double>(generator.random64() & ((uint64_t{1} << 53) - 1)) * 0x1p-53; }

void fill_uniform(const Tensor& tensor, double from, double to, Generator& generator) {
  check_floating(tensor, "uniform_");
  check(from <= to, "uniform_ expects to return a [from, to) range, but found from=", from, " > to=", to);
  if (tensor.dtype == DType::Float64) {
    fill_serial<double>(tensor, [&] {
      const double value = std::fma(uniform_double(generator), to - from, from);
      return value == to ? from : value;
    });
    return;
  }
  const auto low = static_cast<float>(from), high = static_cast<float>(to);
  float rounded_low = low, rounded_high = high;
  round_to(tensor.dtype, Compute::F32, &rounded_low, 1);
  round_to(tensor.dtype, Compute::F32, &rounded_high, 1);
  fill_serial<float>(tensor, [&] {
    float value = std::fmaf(uniform_float(generator), high - low, low);
    round_to(tensor.dtype, Compute::F32, &value, 1);
    return value == rounded_high ? rounded_low : value;
  });
}

void fill_normal(const Tensor& tensor, double mean, double std, Generator& generator) {
  check(std >= 0, "normal expects std >= 0.0, but found std ", std);
  if (is_complex(tensor.dtype)) {
    Tensor pairs = tensor;  // the real and the imaginary part, as real numbers
    pairs.dtype = tensor.dtype == DType::Complex128 ? DType::Float64 : tensor.dtype == DType::Complex64 ? DType::Float32 : DType::Float16;
    for (int64_t& stride : pairs.strides) stride *= 2;
    pairs.sizes.push_back(2);
    pairs.strides.push_back(1);
    pairs.offset *= 2;
    return fill_normal(pairs, mean, std / std::sqrt(2.0), generator);
  }
  check_floating(tensor, "normal_");
  if (tensor.numel() < 16 || !is_contiguous(tensor))
    return fill_serial<double>(tensor, [&] { return normal_double(mean, std, generator); });
  if (tensor.dtype == DType::Float64) fill_normal_native(tensor.data<double>(), tensor.numel(), mean, std, generator);
  else if (tensor.dtype == DType::Float32) fill_normal_native(tensor.data<float>(), tensor.numel(), static_cast<float>(mean), static_cast<float>(std), generator);
  else fill_normal_half(tensor, static_cast<float>(mean), static_cast<float>(std), generator);
}

void fill_exponential(const Tensor& tensor, double lambda, Generator& generator) {
  check_floating(tensor, "exponential_");
  check(lambda > 0, "exponential_ expects lambda > 0.0, but found lambda=", lambda);
  fill_serial<double>(tensor, [&] { return -1.0 / lambda * std::log1p(-uniform_double(generator)); });
}

void fill_geometric(const Tensor& tensor, double p, Generator& generator) {
  check(p > 0 && p < 1, "geometric_ expects p to be in (0, 1), but got p=", p);
  fill_serial<double>(tensor, [&] { return std::ceil(std::log(uniform_double(generator)) / std::log1p(-p)); });
}

void fill_cauchy(const Tensor& tensor, double median, double sigma, Generator& generator) {
  check_floating(tensor, "cauchy_");
  check(sigma > 0, "cauchy_ expects sigma > 0.0, but found sigma=", sigma);
  fill_serial<double>(tensor, [&] { return std::fma(sigma, std::tan(M_PI * (uniform_double(generator) - 0.5)), median); });
}

void fill_log_normal(const Tensor& tensor, double mean, double std, Generator& generator) {
  check_floating(tensor, "log_normal_");
  check(std > 0, "log_normal_ expects std > 0.0, but found std=", std);
  fill_serial<double>(tensor, [&] { return std::exp(normal_double(mean, std, generator)); });
}

void fill_bernoulli(const Tensor& tensor, double p, Generator& generator) {
  check(p >= 0 && p <= 1, "bernoulli_ expects p to be in [0, 1], but got p=", p);
  fill_serial<double>(tensor, [&] { return uniform_double(generator) < p ? 1.0 : 0.0; });
}

void fill_bernoulli(const Tensor& tensor, const Tensor& p, Generator& generator) {
  const bool wide = p.dtype == DType::Float64;
  fill_by(tensor, p, [&](double probability) {
    check(probability >= 0 && probability <= 1, "bernoulli expects probabilities in [0, 1], found ", probability);
    return (wide ? uniform_double(generator) < probability : uniform_float(generator) < static_cast<float>(probability)) ? 1.0 : 0.0;
  });
}

void fill_integers(const Tensor& tensor, int64_t from, uint64_t range, Generator& generator) {
  check(range > 0, "random_ expects 'from' to be less than 'to'");
  const bool wide = range >= uint64_t{1} << 28;
  const bool floating = is_floating(tensor.dtype);
  auto draw = [&] { return static_cast<int64_t>((wide ? generator.random64() : generator.random()) % range + static_cast<uint64_t>(from)); };
  if (floating) fill_serial<double>(tensor, [&] { return static_cast<double>(draw()); });
  else fill_serial<int64_t>(tensor, draw);
}

void fill_all_integers(const Tensor& tensor, Generator& generator) {
  auto modulo = [&](int bits) { return (uint64_t{1} << bits) + 1; };  // floats: integers they hold exactly
  switch (tensor.dtype) {
    case DType::Float64: return fill_serial<double>(tensor, [&] { return static_cast<double>(generator.random64() % modulo(53)); });
    case DType::Float32: return fill_serial<double>(tensor, [&] { return static_cast<double>(generator.random() % modulo(24)); });
    case DType::Float16: return fill_serial<double>(tensor, [&] { return static_cast<double>(generator.random() % modulo(11)); });
    case DType::BFloat16: return fill_serial<double>(tensor, [&] { return static_cast<double>(generator.random() % modulo(8)); });
    case DType::Int64: return fill_serial<int64_t>(tensor, [&] { return static_cast<int64_t>(generator.random64() & INT64_MAX); });
    case DType::Bool: return fill_serial<int64_t>(tensor, [&] { return static_cast<int64_t>(generator.random() & 1); });
    default: break;
  }
  check(is_integral(tensor.dtype), "random_ is not implemented for ", tensor.dtype);
  const int bits = 8 * item_size(tensor.dtype) - (is_signed(tensor.dtype) ? 1 : 0);
  const uint64_t mask = bits >= 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
  fill_serial<int64_t>(tensor, [&] { return static_cast<int64_t>(generator.random() & mask); });
}

void fill_poisson(const Tensor& tensor, const Tensor& rate, Generator& generator) {
  fill_by(tensor, rate, [&](double r) { return static_cast<double>(draw_poisson(r, generator)); });
}

// ---- By rejection: gamma, Dirichlet, binomial -------------------------------------------------------------------------------------------

namespace {

// Marsaglia and Tsang (2000). The shape is of the type of the elements, everything else is double.
template <class T>
double draw_gamma(T shape, Generator& generator) {
  double scale = 1;
  if (shape < 1) {  // a shape above 1 is accepted more often
    if (shape == 0) return 0;
    scale *= std::pow(1 - uniform_double(generator), static_cast<double>(1.0f / shape));
    shape += 1.0f;
  }
  const double d = shape - static_cast<T>(1.0f / 3.0f), c = 1.0f / std::sqrt(9.0f * d);
  while (true) {
    double x, y;
    do {
      x = normal_double(0, 1, generator);
      y = 1.0f + c * x;
    } while (y <= 0);
    const double v = y * y * y, u = 1 - uniform_double(generator), xx = x * x;
    if (u < 1.0f - 0.0331f * xx * xx) return scale * d * v;
    if (std::log(u) < 0.5f * xx + d * (1.0f - v + std::log(v))) return scale * d * v;
  }
}

double smallest_of(DType dtype) {
  switch (dtype) {
    case DType::Float64: return std::numeric_limits<double>::min();
    case DType::Float16: return 0x1p-14;
    default: return std::numeric_limits<float>::min();
  }
}

// By how many times the gaps of successes fit.
double draw_binomial_by_gaps(double count, double probability, Generator& generator) {
  const double log_failure = std::log1p(-probability);
  double sum = 0, successes = 0;
  while (true) {
    throw_if_stopped();
    sum += std::ceil(std::log(uniform_double(generator)) / log_failure);
    if (sum > count) return successes;
    successes += 1;
  }
}

double stirling_tail(double k) {
  constexpr double kTails[] = {0.0810614667953272,  0.0413406959554092,  0.0276779256849983,  0.02079067210376509, 0.0166446911898211,
                               0.0138761288230707,  0.0118967099458917,  0.0104112652619720,  0.00925546218271273, 0.00833056343336287};
  if (k <= 9) return kTails[static_cast<size_t>(k)];
  const double square = (k + 1) * (k + 1);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

// Transformed rejection, Hörmann (1993).
double draw_binomial_by_rejection(double count, double probability, Generator& generator) {
  const double deviation = std::sqrt(count * probability * (1 - probability));
  const double b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * probability, c = count * probability + 0.5;
  const double tight = 0.92 - 4.2 / b, odds = probability / (1 - probability), alpha = (2.83 + 5.1 / b) * deviation, m = std::floor((count + 1) * probability);
  while (true) {
    const double u = uniform_double(generator) - 0.5;
    double v = uniform_double(generator);
    const double us = 0.5 - std::abs(u), k = std::floor((2 * a / us + b) * u + c);
    if (us >= 0.07 && v <= tight) return k;
    if (k < 0 || k > count) continue;
    v = std::log(v * alpha / (a / (us * us) + b));
    const double bound = (m + 0.5) * std::log((m + 1) / (odds * (count - m + 1))) + (count + 1) * std::log((count - m + 1) / (count - k + 1)) +
                         (k + 0.5) * std::log(odds * (count - k + 1) / (k + 1)) + stirling_tail(m) + stirling_tail(count - m) - stirling_tail(k) - stirling_tail(count - k);
    if (v <= bound) return k;
  }
}

double draw_binomial(double count, double probability, Generator& generator) {
  if (count <= 0 || probability <= 0) return 0;
  if (probability >= 1) return count;
  if (std::isnan(probability)) return probability;
  const double rarer = probability <= 0.5 ? probability : 1 - probability;
  const double successes = count * rarer >= 10 ? draw_binomial_by_rejection(count, rarer, generator) : draw_binomial_by_gaps(count, rarer, generator);
  return probability <= 0.5 ? successes : count - successes;
}

}  // namespace

void fill_gamma(const Tensor& tensor, const Tensor& shape, Generator& generator) {
  check_floating(tensor, "_standard_gamma");
  const double smallest = smallest_of(tensor.dtype);
  const bool wide = shape.dtype == DType::Float64;
  fill_by(tensor, shape, [&](double s) {
    double value = wide ? draw_gamma(s, generator) : draw_gamma(static_cast<float>(s), generator);
    round_to(tensor.dtype, Compute::F64, &value, 1);
    return std::max(smallest, value);
  });
}

void fill_binomial(const Tensor& tensor, const Tensor& count, const Tensor& probability, Generator& generator) {
  // Two parameters are read along as one tensor of pairs would be: the counts by the loop, the probabilities by position.
  const Tensor p = as_contiguous(expand_to(probability, tensor.sizes), DType::Float64);
  const double* next = p.data<double>();
  fill_by(tensor, count, [&](double n) { return draw_binomial(n, *next++, generator); });
}

}  // namespace pt2::interp
