#pragma once
// Functions of whole blocks of elements, vectorised for the processor at hand. Within a few units in the last place of the exact value;
// infinities, NaN and signed zeros as the scalar functions give them. `to` may be `from`.
#include <cstdint>
#include <vector>

namespace pt2::interp {

struct VectorFunction {
  void (*f32)(const float* from, float* to, int64_t count);
  void (*f64)(const double* from, double* to, int64_t count);

  void operator()(const float* from, float* to, int64_t count) const { f32(from, to, count); }
  void operator()(const double* from, double* to, int64_t count) const { f64(from, to, count); }
};
struct VectorFunction2 {
  void (*f32)(const float* a, const float* b, float* to, int64_t count);
  void (*f64)(const double* a, const double* b, double* to, int64_t count);

  void operator()(const float* a, const float* b, float* to, int64_t count) const { f32(a, b, to, count); }
  void operator()(const double* a, const double* b, double* to, int64_t count) const { f64(a, b, to, count); }
};

struct VectorMath {
  VectorFunction exp, exp2, expm1, log, log2, log10, log1p, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, erf, erfc;
  VectorFunction sqrt, rsqrt, sigmoid, silu, gelu, gelu_tanh, mish;
  VectorFunction2 pow, atan2, hypot;
  // Sums in double: of a dense row, and element by element into accumulators.
  double (*sum_f32)(const float* from, int64_t count);
  double (*sum_f64)(const double* from, int64_t count);
  void (*add_f32)(const float* from, double* to, int64_t count);
  void (*add_f64)(const double* from, double* to, int64_t count);
};

// Those of the best instruction set this processor has.
const VectorMath& vector_math();
// Those of each instruction set it has.
std::vector<const VectorMath*> usable_vector_math();

}  // namespace pt2::interp
