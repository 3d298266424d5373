// Loops the compiler vectorises, compiled once for each instruction set. glibc has vector forms of the elementary functions (libmvec), at most
// 4 units in the last place off; it offers them only under -ffast-math, which would lose NaN and infinities, so they are declared here.
// No std:: templates in this file: their code would be merged across the instruction sets.
#include <stdint.h>

#include "interp/kernels/isa/variants.h"
#include "interp/kernels/vector_math.h"

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define PT2_VECTORISED __attribute__((simd("notinbranch")))
#else
#define PT2_VECTORISED
#endif
// Iterations do not depend on each other: `to` is `from`, or elsewhere.
#ifdef __clang__
#define PT2_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define PT2_INDEPENDENT _Pragma("GCC ivdep")
#endif

extern "C" {
#define PT2_DECLARE(name)                             \
  PT2_VECTORISED float name##f(float) noexcept;       \
  PT2_VECTORISED double name(double) noexcept;
PT2_DECLARE(exp) PT2_DECLARE(exp2) PT2_DECLARE(expm1) PT2_DECLARE(log) PT2_DECLARE(log2) PT2_DECLARE(log10) PT2_DECLARE(log1p)
PT2_DECLARE(sin) PT2_DECLARE(cos) PT2_DECLARE(tan) PT2_DECLARE(asin) PT2_DECLARE(acos) PT2_DECLARE(atan) PT2_DECLARE(sinh) PT2_DECLARE(cosh)
PT2_DECLARE(tanh) PT2_DECLARE(asinh) PT2_DECLARE(acosh) PT2_DECLARE(atanh) PT2_DECLARE(erf) PT2_DECLARE(erfc)
#undef PT2_DECLARE
PT2_VECTORISED float powf(float, float) noexcept;
PT2_VECTORISED double pow(double, double) noexcept;
PT2_VECTORISED float atan2f(float, float) noexcept;
PT2_VECTORISED double atan2(double, double) noexcept;
PT2_VECTORISED float hypotf(float, float) noexcept;
PT2_VECTORISED double hypot(double, double) noexcept;
}

namespace pt2::interp::PT2_ISA {

namespace {

#define PT2_FUNCTION(Name, function)                               \
  struct Name {                                                    \
    float operator()(float x) const { return function##f(x); }     \
    double operator()(double x) const { return function(x); }      \
  };
PT2_FUNCTION(Exp, exp) PT2_FUNCTION(Exp2, exp2) PT2_FUNCTION(Expm1, expm1) PT2_FUNCTION(Log, log) PT2_FUNCTION(Log2, log2)
PT2_FUNCTION(Log10, log10) PT2_FUNCTION(Log1p, log1p) PT2_FUNCTION(Sin, sin) PT2_FUNCTION(Cos, cos) PT2_FUNCTION(Tan, tan)
PT2_FUNCTION(Asin, asin) PT2_FUNCTION(Acos, acos) PT2_FUNCTION(Atan, atan) PT2_FUNCTION(Sinh, sinh) PT2_FUNCTION(Cosh, cosh)
PT2_FUNCTION(Tanh, tanh) PT2_FUNCTION(Asinh, asinh) PT2_FUNCTION(Acosh, acosh) PT2_FUNCTION(Atanh, atanh) PT2_FUNCTION(Erf, erf)
PT2_FUNCTION(Erfc, erfc) PT2_FUNCTION(Sqrt, __builtin_sqrt)
#undef PT2_FUNCTION
#define PT2_FUNCTION2(Name, function)                                          \
  struct Name {                                                                \
    float operator()(float x, float y) const { return function##f(x, y); }     \
    double operator()(double x, double y) const { return function(x, y); }     \
  };
PT2_FUNCTION2(Pow, pow) PT2_FUNCTION2(Atan2, atan2) PT2_FUNCTION2(Hypot, hypot)
#undef PT2_FUNCTION2

struct Rsqrt {
  template <class T> T operator()(T x) const { return T(1) / Sqrt()(x); }
};
struct Sigmoid {
  template <class T> T operator()(T x) const { return T(1) / (T(1) + Exp()(-x)); }
};
struct Silu {
  template <class T> T operator()(T x) const { return x / (T(1) + Exp()(-x)); }
};
struct Gelu {
  template <class T> T operator()(T x) const { return x * T(0.5) * (T(1) + Erf()(x * T(0.70710678118654752440))); }
};
struct GeluTanh {
  template <class T> T operator()(T x) const {
    const T inner = T(0.79788456080286535588) * (x + T(0.044715) * x * x * x);
    return T(0.5) * x * (T(1) + Tanh()(inner));
  }
};
struct Mish {
  template <class T> T operator()(T x) const { return x * Tanh()(Log1p()(Exp()(x))); }
};

template <class F>
struct Loop {
  template <class T>
  static void run(const T* from, T* to, int64_t count) {
PT2_INDEPENDENT
    for (int64_t i = 0; i < count; ++i) to[i] = F()(from[i]);
  }
  template <class T>
  static void run2(const T* a, const T* b, T* to, int64_t count) {
PT2_INDEPENDENT
    for (int64_t i = 0; i < count; ++i) to[i] = F()(a[i], b[i]);
  }
};

template <class F>
constexpr VectorFunction one() { return {&Loop<F>::template run<float>, &Loop<F>::template run<double>}; }
template <class F>
constexpr VectorFunction2 two() { return {&Loop<F>::template run2<float>, &Loop<F>::template run2<double>}; }

// Sixteen running sums: enough to keep the adders of every instruction set busy, and an accuracy beyond a single one's.
template <class T>
double sum(const T* from, int64_t count) {
  constexpr int kLanes = 16;
  double lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (int l = 0; l < kLanes; ++l) lanes[l] += from[i + l];
  double total = 0;
  for (; i < count; ++i) total += from[i];
  for (int width = kLanes / 2; width > 0; width /= 2)
    for (int l = 0; l < width; ++l) lanes[l] += lanes[l + width];
  return total + lanes[0];
}

template <class T>
void add(const T* from, double* to, int64_t count) {
PT2_INDEPENDENT
  for (int64_t i = 0; i < count; ++i) to[i] += from[i];
}

}  // namespace

extern const VectorMath kVectorMath;
const VectorMath kVectorMath = {
    one<Exp>(), one<Exp2>(), one<Expm1>(), one<Log>(), one<Log2>(), one<Log10>(), one<Log1p>(), one<Sin>(), one<Cos>(), one<Tan>(), one<Asin>(),
    one<Acos>(), one<Atan>(), one<Sinh>(), one<Cosh>(), one<Tanh>(), one<Asinh>(), one<Acosh>(), one<Atanh>(), one<Erf>(), one<Erfc>(),
    one<Sqrt>(), one<Rsqrt>(), one<Sigmoid>(), one<Silu>(), one<Gelu>(), one<GeluTanh>(), one<Mish>(), two<Pow>(), two<Atan2>(), two<Hypot>(),
    &sum<float>, &sum<double>, &add<float>, &add<double>};

}  // namespace pt2::interp::PT2_ISA
