// Every instruction set this processor has gives the same: the program only ever chooses the best.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "interp/allocation.h"
#include "interp/kernels/matrix_kernels.h"
#include "interp/kernels/patch_kernels.h"
#include "interp/kernels/row_kernels.h"
#include "interp/kernels/vector_math.h"

using namespace pt2::interp;

namespace {

// Whole numbers, so small that sums of their products are exact.
template <class T>
std::vector<T> numbers(int64_t count, int seed) {
  std::vector<T> values(static_cast<size_t>(count));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(static_cast<int>((i * 37 + static_cast<size_t>(seed)) % 17) - 8);
  return values;
}

// Row-major [k, n] in panels, as matrix_kernels.h says.
template <class T>
std::vector<T> in_panels(const std::vector<T>& matrix, int64_t k, int64_t n, const PanelLayout& layout) {
  std::vector<T> panels;
  for (int64_t column = 0; column < n;) {
    const int64_t left = n - column, width = left >= layout.width ? layout.width : left <= PanelLayout::kFewColumns ? 1 : layout.kept(left);
    for (int64_t row = 0; row < k; ++row)
      for (int64_t i = 0; i < width; ++i) panels.push_back(i < left ? matrix[static_cast<size_t>(row * n + column + i)] : T(0));
    column += width;
  }
  CHECK(static_cast<int64_t>(panels.size()) == k * layout.columns(n));
  return panels;
}

template <class T>
void check_panel_product(void (*panel_product)(const PanelProduct<T>&), const PanelLayout& layout, int64_t m, int64_t n, int64_t k, bool accumulate) {
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(k);
  CAPTURE(accumulate);
  const int64_t a_row = k + 3, c_row = n + 2;
  const std::vector<T> a = numbers<T>(m * a_row, 1), b = numbers<T>(k * n, 2), panels = in_panels(b, k, n, layout);
  std::vector<T> c = numbers<T>(m * c_row, 3), expected = c;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      T& sum = expected[static_cast<size_t>(i * c_row + j)];
      if (!accumulate) sum = 0;
      for (int64_t x = 0; x < k; ++x) sum += a[static_cast<size_t>(i * a_row + x)] * b[static_cast<size_t>(x * n + j)];
    }
  const Scratch<T> aligned(static_cast<int64_t>(panels.size()));
  std::copy(panels.begin(), panels.end(), aligned.begin());
  PanelProduct<T> p;
  p.m = m, p.n = n, p.k = k;
  p.a = a.data(), p.a_row = a_row;
  p.panels = aligned.data();
  p.c = c.data(), p.c_row = c_row;
  p.accumulate = accumulate;
  panel_product(p);
  CHECK(c == expected);  // what lies between the rows of c too
}

template <class T>
void check_rows(const RowFunctions<T>& functions, const RowFunctions<T>& plain) {
  for (const int64_t count : {1, 2, 7, 16, 33, 129, 1000}) {
    const std::vector<T> from = numbers<T>(count, 5), scale = numbers<T>(count, 6), shift = numbers<T>(count, 7);
    std::vector<T> to(from.size()), expected(from.size());
    auto same = [&] {
      for (size_t i = 0; i < to.size(); ++i) CHECK(static_cast<double>(to[i]) == doctest::Approx(static_cast<double>(expected[i])).epsilon(1e-6));
    };
    functions.scale_shift(from.data(), to.data(), count, T(3), T(-2));
    for (size_t i = 0; i < from.size(); ++i) expected[i] = from[i] * 3 - 2;
    same();
    functions.scale_shift_each(from.data(), to.data(), count, scale.data(), shift.data());
    for (size_t i = 0; i < from.size(); ++i) expected[i] = from[i] * scale[i] + shift[i];
    same();
    functions.center_scale(from.data(), to.data(), count, T(3), T(-2));
    for (size_t i = 0; i < from.size(); ++i) expected[i] = (from[i] - 3) * -2;
    same();
    functions.softmax(from.data(), to.data(), count);
    plain.softmax(from.data(), expected.data(), count);
    same();
    functions.log_softmax(from.data(), to.data(), count);
    plain.log_softmax(from.data(), expected.data(), count);
    same();
    double squares = 0, mean = 0, deviations = 0, plain_mean = 0, plain_deviations = 0;
    for (const T x : from) squares += static_cast<double>(x) * static_cast<double>(x);
    CHECK(functions.sum_of_squares(from.data(), count) == squares);
    functions.moments(from.data(), count, &mean, &deviations);
    plain.moments(from.data(), count, &plain_mean, &plain_deviations);
    CHECK(mean == doctest::Approx(plain_mean).epsilon(1e-7).scale(1));
    CHECK(deviations == doctest::Approx(plain_deviations).epsilon(1e-6));
    const std::vector<T> alike(from.size(), T(8.4783745));
    functions.moments(alike.data(), count, &mean, &deviations);
    CHECK(mean == static_cast<double>(alike[0]));
    CHECK(deviations == 0);
  }
}

template <class T, class Run>
void check_function(const char* name, Run run, double (*exact)(double), double epsilon) {
  CAPTURE(name);
  std::vector<T> from, to;
  for (double x = 0.05; x < 0.95; x += 0.01) from.push_back(static_cast<T>(x));
  to.resize(from.size());
  run(from.data(), to.data(), static_cast<int64_t>(from.size()));
  for (size_t i = 0; i < from.size(); ++i) CHECK(static_cast<double>(to[i]) == doctest::Approx(exact(static_cast<double>(from[i]))).epsilon(epsilon));
}

}  // namespace

TEST_CASE("products with panels are exact for every remainder of rows, columns and depth") {
  for (const MatrixKernels* kernels : usable_matrix_kernels()) {
    CAPTURE(kernels->panels_f32.width);
    for (const int64_t m : {1, 3, 8, 13, 24})
      for (const int64_t n : {1, 2, 3, 4, 5, 8, 15, 16, 17, 24, 31, 33, 47, 48, 49, 52, 53, 96, 101})
        for (const int64_t k : {1, 7, 16, 19, 40})
          for (const bool accumulate : {false, true}) {
            check_panel_product(kernels->panel_product_f32, kernels->panels_f32, m, n, k, accumulate);
            check_panel_product(kernels->panel_product_f64, kernels->panels_f64, m, n, k, accumulate);
          }
  }
}

TEST_CASE("stretches of patches are copied whole, between zeros, at any step") {
  for (const PatchKernels* kernels : usable_patch_kernels())
    for (const int64_t step : {1, 2, 3})
      for (const int64_t count : {0, 1, 2, 3, 4, 7, 8, 14, 15, 16, 17, 31, 40, 48, 100}) {
        CAPTURE(step);
        CAPTURE(count);
        const int64_t rows = 3, channel_step = 400, width = count + 5;
        const std::vector<float> input = numbers<float>(rows * channel_step, 4);
        std::vector<float> to(static_cast<size_t>(rows * width), 99.0f), expected = to;
        const PatchCopy copy{11, 1, width, 2, count, 1};
        for (int64_t row = 0; row < rows; ++row) {
          float* at = expected.data() + 1 + row * width;
          *at++ = 0, *at++ = 0;
          for (int64_t i = 0; i < count; ++i) *at++ = input[static_cast<size_t>(row * channel_step + 11 + i * step)];
          *at = 0;
        }
        kernels->read_f32({input.data(), channel_step, step, rows, &copy, 1, to.data()});
        CHECK(to == expected);
      }
}

TEST_CASE("functions of rows and of elements agree over the instruction sets") {
  for (const RowKernels* kernels : usable_row_kernels()) {
    check_rows(kernels->f32, usable_row_kernels().front()->f32);
    check_rows(kernels->f64, usable_row_kernels().front()->f64);
  }
  for (const VectorMath* math : usable_vector_math()) {
    const struct { const char* name; const VectorFunction* function; double (*exact)(double); } functions[] = {
        {"exp", &math->exp, std::exp}, {"log", &math->log, std::log}, {"sin", &math->sin, std::sin}, {"cos", &math->cos, std::cos},
        {"tan", &math->tan, std::tan}, {"asin", &math->asin, std::asin}, {"atan", &math->atan, std::atan}, {"tanh", &math->tanh, std::tanh},
        {"erf", &math->erf, std::erf}, {"expm1", &math->expm1, std::expm1}, {"log1p", &math->log1p, std::log1p}, {"sqrt", &math->sqrt, std::sqrt}};
    for (const auto& f : functions) {
      check_function<float>(f.name, f.function->f32, f.exact, 1e-6);
      check_function<double>(f.name, f.function->f64, f.exact, 1e-14);
    }
  }
}
