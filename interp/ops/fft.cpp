// Fourier transforms (any length, by Eigen's mixed-radix FFT), in double; windows and the short-time transform.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <unsupported/Eigen/FFT>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/rows.h"
#include "interp/ops/view.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using Cpx = std::complex<double>;
using Ints = std::span<const int64_t>;
using MaybeInts = std::optional<std::vector<int64_t>>;
using MaybeString = std::optional<std::string_view>;

enum class Direction { Forward, Inverse };
// fft_norm_mode: none, by √n, by n.
enum class Scaling : int64_t { None, ByRootN, ByN };

DType complex_type(DType dtype) { return dtype == DType::Float64 || dtype == DType::Complex128 ? DType::Complex128 : dtype == DType::Float16 ? DType::Complex32 : DType::Complex64; }
Tensor as_complex(const Tensor& t) { return as_contiguous(to_dtype(t, DType::Complex128)); }

// Unscaled, along the last dimension of a dense complex128 tensor, in place.
void transform_rows(const Tensor& x, Direction direction) {
  const int64_t n = x.sizes.empty() ? 1 : x.sizes.back();
  check(n > 0, "Invalid number of data points (", n, ") specified");
  Eigen::FFT<double> fft;
  fft.SetFlag(Eigen::FFT<double>::Unscaled);
  std::vector<Cpx> from(static_cast<size_t>(n)), to(static_cast<size_t>(n));
  for (int64_t r = 0; r < x.numel() / n; ++r) {
    Cpx* row = x.data<Cpx>() + r * n;
    if (n == 1) continue;
    std::copy(row, row + n, from.begin());
    if (direction == Direction::Forward) fft.fwd(to.data(), from.data(), static_cast<int>(n));
    else fft.inv(to.data(), from.data(), static_cast<int>(n));
    std::copy(to.begin(), to.end(), row);
  }
}

Tensor transform_along(const Tensor& x, int64_t dim, Direction direction) {
  Tensor rows = to_dtype(rows_last(x, dim), DType::Complex128, MemoryFormat::Contiguous);
  if (rows.storage.shares_with(x.storage)) {
    Tensor copy = empty(rows.sizes, DType::Complex128);
    copy_into(copy, rows);
    rows = copy;
  }
  transform_rows(rows, direction);
  return rows_back(rows, dim);
}

double factor(Scaling scaling, double n) { return scaling == Scaling::None ? 1 : scaling == Scaling::ByRootN ? 1 / std::sqrt(n) : 1 / n; }
void scale(const Tensor& dense, double by) {
  if (by == 1) return;
  for (int64_t i = 0; i < dense.numel(); ++i) dense.data<Cpx>()[i] *= by;
}
double points(const Tensor& t, Ints dims) {
  double n = 1;
  for (int64_t d : dims) n *= static_cast<double>(t.sizes[static_cast<size_t>(normalize_dim(d, t.dim()))]);
  return n;
}

// The strides PyTorch gives a transform: the transformed dimensions innermost, by falling strides of the input (the last may have to stay
// last), the others around them in the order of the input's strides.
enum class LastDim { AsAnyOther, Innermost };
Shape transform_strides(std::span<const int64_t> sizes, std::span<const int64_t> input_strides, Ints dims, LastDim last) {
  const auto rank = static_cast<int64_t>(sizes.size());
  auto by_stride = [&](int64_t a, int64_t b) { return input_strides[static_cast<size_t>(a)] > input_strides[static_cast<size_t>(b)]; };
  std::vector<int64_t> transformed, order;
  for (int64_t d : dims) transformed.push_back(normalize_dim(d, rank));
  std::stable_sort(transformed.begin(), transformed.end() - (last == LastDim::Innermost), by_stride);
  for (int64_t d = 0; d < rank; ++d)
    if (std::find(transformed.begin(), transformed.end(), d) == transformed.end()) order.push_back(d);
  std::stable_sort(order.begin(), order.end(), by_stride);
  order.insert(order.end(), transformed.begin(), transformed.end());
  Shape strides(sizes.size(), 1);
  int64_t step = 1;
  for (size_t i = order.size(); i-- > 0;) {
    strides[static_cast<size_t>(order[i])] = step;
    step *= std::max<int64_t>(1, sizes[static_cast<size_t>(order[i])]);
  }
  return strides;
}
Tensor with_strides(const Tensor& values, DType dtype, const Shape& strides) {
  const Tensor result = empty_strided(values.sizes, strides, dtype);
  copy_into(result, values);
  return result;
}

Tensor c2c(const Tensor& self, Ints dims, Scaling scaling, Direction direction) {
  Tensor x = as_complex(self);
  if (dims.empty()) return to_dtype(x, complex_type(self.dtype));
  for (int64_t d : dims) x = transform_along(x, d, direction);
  scale(x, factor(scaling, points(x, dims)));
  return with_strides(x, complex_type(self.dtype), transform_strides(x.sizes, self.strides, dims, LastDim::AsAnyOther));
}
Tensor real_part(const Tensor& complex128, DType dtype) {
  const Tensor dense = as_contiguous(complex128), result = empty(dense.sizes, DType::Float64);
  for (int64_t i = 0; i < dense.numel(); ++i) result.data<double>()[i] = dense.data<Cpx>()[i].real();
  return to_dtype(result, dtype);
}
Tensor narrowed(const Tensor& t, int64_t dim, int64_t length) {
  Shape sizes = t.sizes;
  sizes[static_cast<size_t>(normalize_dim(dim, t.dim()))] = length;
  return as_contiguous(make_view(t, sizes, t.strides, t.offset));
}
Tensor r2c(const Tensor& self, Ints dims, Scaling scaling, bool onesided) {
  const Tensor full = c2c(to_dtype(self, promote_types(self.dtype, DType::Complex32)), dims, scaling, Direction::Forward);
  if (dims.empty()) return to_dtype(full, complex_type(self.dtype));
  const int64_t last = normalize_dim(dims.back(), full.dim());
  const Tensor part = onesided ? narrowed(full, last, full.sizes[static_cast<size_t>(last)] / 2 + 1) : full;
  return with_strides(part, complex_type(self.dtype), transform_strides(part.sizes, self.strides, dims, LastDim::Innermost));
}
// The missing half along the last of `dims` is the conjugate of the half that is there; the other dims are transformed first.
Tensor c2r(const Tensor& self, Ints dims, Scaling scaling, int64_t last_dim_size) {
  check(!dims.empty(), "_fft_c2r: expected at least one dimension");
  Tensor x = as_complex(self);
  for (size_t i = 0; i + 1 < dims.size(); ++i) x = transform_along(x, dims[i], Direction::Inverse);
  const int64_t last = dims.back();
  const Tensor half = as_contiguous(rows_last(x, last));
  const int64_t given = half.sizes.back(), n = last_dim_size, rows = half.numel() / std::max<int64_t>(1, given);
  check(n > 0 && given >= n / 2 + 1, "Invalid number of data points (", n, ") specified for ", given, " values");
  Shape sizes = half.sizes;
  sizes.back() = n;
  const Tensor whole = empty(sizes, DType::Complex128);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t i = 0; i < n; ++i) {
      const Cpx v = i <= n / 2 ? half.data<Cpx>()[r * given + i] : std::conj(half.data<Cpx>()[r * given + n - i]);
      // Frequencies that are their own mirror count with their real part only.
      whole.data<Cpx>()[r * n + i] = i == 0 || 2 * i == n ? Cpx(v.real(), 0) : v;
    }
  transform_rows(whole, Direction::Inverse);
  Tensor result = rows_back(whole, last);
  scale(result, factor(scaling, points(result, dims)));
  // The transform of the other dimensions comes first, and has a layout of its own.
  const Ints others = dims.first(dims.size() - 1);
  const Shape between = others.empty() ? self.strides : transform_strides(self.sizes, self.strides, others, LastDim::AsAnyOther);
  const DType dtype = real_of(complex_type(self.dtype));
  return with_strides(real_part(result, dtype), dtype, transform_strides(result.sizes, between, dims.last(1), LastDim::AsAnyOther));
}

Tensor fft_c2c(const Tensor& self, Ints dim, int64_t normalization, bool forward) {
  return c2c(self, dim, static_cast<Scaling>(normalization), forward ? Direction::Forward : Direction::Inverse);
}
Tensor fft_r2c(const Tensor& self, Ints dim, int64_t normalization, bool onesided) { return r2c(self, dim, static_cast<Scaling>(normalization), onesided); }
Tensor fft_c2r(const Tensor& self, Ints dim, int64_t normalization, int64_t last_dim_size) {
  return c2r(self, dim, static_cast<Scaling>(normalization), last_dim_size);
}

// ---- torch.fft -------------------------------------------------------------------------------------------------------------------------

Scaling scaling_of(const MaybeString& norm, Direction direction) {
  if (!norm || *norm == "backward") return direction == Direction::Inverse ? Scaling::ByN : Scaling::None;
  if (*norm == "forward") return direction == Direction::Forward ? Scaling::ByN : Scaling::None;
  check(*norm == "ortho", "Invalid normalization mode: \"", *norm, "\"");
  return Scaling::ByRootN;
}
Tensor promoted(const Tensor& t) {
  check(t.dtype != DType::Float16 && t.dtype != DType::BFloat16 && t.dtype != DType::Complex32, "Unsupported dtype ", scalar_type_name(t.dtype));
  return is_floating(t.dtype) || is_complex(t.dtype) ? t : to_dtype(t, DType::Float32);
}

// Cut or filled with zeros to `n` along a dimension.
Tensor resized(const Tensor& t, int64_t dim, int64_t n) {
  const auto d = static_cast<size_t>(normalize_dim(dim, t.dim()));
  check(n >= 1, "Invalid number of data points (", n, ") specified");
  if (t.sizes[d] == n) return t;
  if (t.sizes[d] > n) return narrow(t, dim, 0, n);
  Shape sizes = t.sizes;
  sizes[d] = n;
  const Tensor result = zeros(sizes, t.dtype);
  copy_into(make_view(result, t.sizes, result.strides, result.offset), t);
  return result;
}

// The dims and lengths of an n-dimensional transform; inputs are cut or filled accordingly.
struct Extent { std::vector<int64_t> dims, lengths; };
Extent extent_of(const Tensor& self, const MaybeInts& s, const MaybeInts& dim) {
  Extent e;
  if (dim) e.dims = *dim;
  else if (s)
    for (size_t i = 0; i < s->size(); ++i) e.dims.push_back(self.dim() - static_cast<int64_t>(s->size()) + static_cast<int64_t>(i));
  else
    for (int64_t i = 0; i < self.dim(); ++i) e.dims.push_back(i);
  for (size_t i = 0; i < e.dims.size(); ++i) {
    e.dims[i] = normalize_dim(e.dims[i], self.dim());
    const int64_t wanted = s ? (*s)[i] : -1;
    check(std::find(e.dims.begin(), e.dims.begin() + static_cast<std::ptrdiff_t>(i), e.dims[i]) == e.dims.begin() + static_cast<std::ptrdiff_t>(i), "FFT dims must be unique");
    e.lengths.push_back(wanted == -1 ? self.sizes[static_cast<size_t>(e.dims[i])] : wanted);
  }
  return e;
}

template <Direction direction>
Tensor fft_nd(const Tensor& input, const MaybeInts& s, const MaybeInts& dim, MaybeString norm) {
  Tensor self = promoted(input);
  const Extent e = extent_of(self, s, dim);
  for (size_t i = 0; i < e.dims.size(); ++i) self = resized(self, e.dims[i], e.lengths[i]);
  return c2c(self, e.dims, scaling_of(norm, direction), direction);
}
Tensor rfft_nd(const Tensor& input, const MaybeInts& s, const MaybeInts& dim, MaybeString norm) {
  Tensor self = promoted(input);
  check(!is_complex(self.dtype), "rfft expects a real-valued input tensor, but got ", self.dtype);
  const Extent e = extent_of(self, s, dim);
  for (size_t i = 0; i < e.dims.size(); ++i) self = resized(self, e.dims[i], e.lengths[i]);
  check(!e.dims.empty(), "rfftn must transform at least one axis");
  return r2c(self, e.dims, scaling_of(norm, Direction::Forward), true);
}
Tensor irfft_nd(const Tensor& input, const MaybeInts& s, const MaybeInts& dim, MaybeString norm) {
  Tensor self = promoted(input);
  Extent e = extent_of(self, s, dim);
  check(!e.dims.empty(), "irfftn must transform at least one axis");
  const auto last = static_cast<size_t>(e.dims.back());
  if (!s || s->back() == -1) e.lengths.back() = 2 * (self.sizes[last] - 1);
  for (size_t i = 0; i < e.dims.size(); ++i) self = resized(self, e.dims[i], i + 1 == e.dims.size() ? e.lengths[i] / 2 + 1 : e.lengths[i]);
  return c2r(to_dtype(self, complex_type(self.dtype)), e.dims, scaling_of(norm, Direction::Inverse), e.lengths.back());
}

MaybeInts one(std::optional<int64_t> n) { return n ? MaybeInts(std::vector<int64_t>{*n}) : std::nullopt; }
template <Direction direction>
Tensor fft_1d(const Tensor& self, std::optional<int64_t> n, int64_t dim, MaybeString norm) { return fft_nd<direction>(self, one(n), std::vector<int64_t>{dim}, norm); }
Tensor rfft(const Tensor& self, std::optional<int64_t> n, int64_t dim, MaybeString norm) { return rfft_nd(self, one(n), std::vector<int64_t>{dim}, norm); }
Tensor irfft(const Tensor& self, std::optional<int64_t> n, int64_t dim, MaybeString norm) { return irfft_nd(self, one(n), std::vector<int64_t>{dim}, norm); }
template <Direction direction>
Tensor fft_2d(const Tensor& self, const MaybeInts& s, Ints dim, MaybeString norm) { return fft_nd<direction>(self, s, std::vector<int64_t>(dim.begin(), dim.end()), norm); }
Tensor rfft_2d(const Tensor& self, const MaybeInts& s, Ints dim, MaybeString norm) { return rfft_nd(self, s, std::vector<int64_t>(dim.begin(), dim.end()), norm); }
Tensor irfft_2d(const Tensor& self, const MaybeInts& s, Ints dim, MaybeString norm) { return irfft_nd(self, s, std::vector<int64_t>(dim.begin(), dim.end()), norm); }

Tensor conjugated(const Tensor& t) {
  return map<Types<Complex>>({"conj", t.dtype, t.dtype}, [](Complex x) { return std::conj(x); }, t);
}
Scaling opposite(Scaling s) { return s == Scaling::None ? Scaling::ByN : s == Scaling::ByN ? Scaling::None : s; }
Tensor hfft(const Tensor& input, std::optional<int64_t> n, int64_t dim, MaybeString norm) {
  Tensor self = promoted(input);
  self = to_dtype(self, complex_type(self.dtype));
  const int64_t length = n.value_or(2 * (self.sizes[static_cast<size_t>(normalize_dim(dim, self.dim()))] - 1));
  return c2r(conjugated(resized(self, dim, length / 2 + 1)), std::vector<int64_t>{dim}, scaling_of(norm, Direction::Forward), length);
}
Tensor ihfft(const Tensor& input, std::optional<int64_t> n, int64_t dim, MaybeString norm) {
  Tensor self = promoted(input);
  if (n) self = resized(self, dim, *n);
  return conjugated(r2c(self, std::vector<int64_t>{dim}, opposite(scaling_of(norm, Direction::Forward)), true));
}

Tensor frequencies(int64_t n, double d, int64_t count, DType dtype) {
  const Tensor result = empty(Shape{count}, DType::Float64);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t k = i < (n + 1) / 2 || count != n ? i : i - n;
    result.data<double>()[i] = static_cast<double>(k) * (1.0 / (static_cast<double>(n) * d));
  }
  return to_dtype(result, dtype);
}
Tensor fftfreq(int64_t n, double d, std::optional<DType> dtype, Unused, Unused, Unused) { return frequencies(n, d, n, dtype.value_or(DType::Float32)); }
Tensor rfftfreq(int64_t n, double d, std::optional<DType> dtype, Unused, Unused, Unused) { return frequencies(n, d, n / 2 + 1, dtype.value_or(DType::Float32)); }

template <Direction direction>
Tensor shift(const Tensor& self, const MaybeInts& dim) {
  std::vector<int64_t> dims;
  if (dim) dims = *dim;
  else
    for (int64_t i = 0; i < self.dim(); ++i) dims.push_back(i);
  Tensor result = self;
  for (int64_t raw : dims) {
    const auto d = static_cast<size_t>(normalize_dim(raw, self.dim()));
    const int64_t n = self.sizes[d], by = direction == Direction::Forward ? n / 2 : (n + 1) / 2;
    const Tensor rolled = empty(self.sizes, self.dtype);
    Shape slice = self.sizes;
    slice[d] = 1;
    for (int64_t i = 0; i < n; ++i)
      copy_into(make_view(rolled, slice, rolled.strides, rolled.offset + (i + by) % n * rolled.strides[d]),
                make_view(result, slice, result.strides, result.offset + i * result.strides[d]));
    result = rolled;
  }
  return result;
}

// ---- Windows and the short-time transform ----------------------------------------------------------------------------------------------

template <class Value>
Tensor window(int64_t length, bool periodic, std::optional<DType> dtype, Value value) {
  check(length >= 0, "window_length must be non-negative, found ", length);
  const Tensor result = empty(Shape{length}, DType::Float64);
  const double steps = static_cast<double>(periodic ? length : length - 1);
  for (int64_t i = 0; i < length; ++i) result.data<double>()[i] = length == 1 ? 1 : value(static_cast<double>(i), steps);
  return to_dtype(result, dtype.value_or(DType::Float32));
}
double raised_cosine(double i, double steps, double alpha) { return alpha - (1 - alpha) * std::cos(2 * std::numbers::pi * i / steps); }
Tensor hann_periodic(int64_t n, bool periodic, std::optional<DType> dtype, Unused, Unused, Unused) {
  return window(n, periodic, dtype, [](double i, double s) { return raised_cosine(i, s, 0.5); });
}
Tensor hann(int64_t n, std::optional<DType> dtype, Unused a, Unused b, Unused c) { return hann_periodic(n, true, dtype, a, b, c); }
Tensor hamming_periodic(int64_t n, bool periodic, std::optional<DType> dtype, Unused, Unused, Unused) {
  return window(n, periodic, dtype, [](double i, double s) { return raised_cosine(i, s, 0.54); });
}
Tensor hamming(int64_t n, std::optional<DType> dtype, Unused a, Unused b, Unused c) { return hamming_periodic(n, true, dtype, a, b, c); }
Tensor blackman_periodic(int64_t n, bool periodic, std::optional<DType> dtype, Unused, Unused, Unused) {
  return window(n, periodic, dtype, [](double i, double s) {
    return 0.42 - 0.5 * std::cos(2 * std::numbers::pi * i / s) + 0.08 * std::cos(4 * std::numbers::pi * i / s);
  });
}
Tensor blackman(int64_t n, std::optional<DType> dtype, Unused a, Unused b, Unused c) { return blackman_periodic(n, true, dtype, a, b, c); }
Tensor bartlett_periodic(int64_t n, bool periodic, std::optional<DType> dtype, Unused, Unused, Unused) {
  return window(n, periodic, dtype, [](double i, double s) { return i <= s / 2 ? 2 * i / s : 2 - 2 * i / s; });
}
Tensor bartlett(int64_t n, std::optional<DType> dtype, Unused a, Unused b, Unused c) { return bartlett_periodic(n, true, dtype, a, b, c); }

Tensor stft_frames(const Tensor& self, int64_t n_fft, int64_t hop, int64_t win_length, const std::optional<Tensor>& window, bool normalized, bool onesided,
                   bool return_complex) {
  check(self.dim() == 1 || self.dim() == 2, "stft: expected a 1D or 2D tensor, but got ", self.dim(), "D");
  const bool batched = self.dim() == 2;
  const int64_t batch = batched ? self.sizes[0] : 1, length = self.sizes.back();
  check(n_fft > 0 && n_fft <= length && hop > 0 && win_length > 0 && win_length <= n_fft, "stft: expected 0 < n_fft <= ", length, ", hop_length > 0 and 0 < win_length <= n_fft, but got n_fft=",
        n_fft, ", hop_length=", hop, ", win_length=", win_length);
  std::vector<Cpx> w(static_cast<size_t>(n_fft));
  const auto first = w.begin() + (n_fft - win_length) / 2;
  if (window) {
    const Tensor dense = as_complex(*window);
    check(dense.numel() == win_length, "stft: expected a 1D window tensor of size equal to win_length=", win_length, ", but got ", window->sizes);
    std::copy_n(dense.data<Cpx>(), win_length, first);
  } else {
    std::fill_n(first, win_length, Cpx(1));
  }
  const int64_t frames = 1 + (length - n_fft) / hop, bins = onesided ? n_fft / 2 + 1 : n_fft;
  const Tensor x = as_complex(self), rows = empty(Shape{batch * frames, n_fft}, DType::Complex128);
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t f = 0; f < frames; ++f)
      for (int64_t i = 0; i < n_fft; ++i)
        rows.data<Cpx>()[(b * frames + f) * n_fft + i] = x.data<Cpx>()[b * length + f * hop + i] * w[static_cast<size_t>(i)];
  transform_rows(rows, Direction::Forward);
  if (normalized) scale(rows, 1 / std::sqrt(static_cast<double>(n_fft)));
  // [batch, bins, frames], in memory frame by frame.
  const DType dtype = complex_type(result_type(self, window));
  const Tensor typed = to_dtype(make_view(rows, {batch, frames, bins}, {frames * n_fft, n_fft, 1}, rows.offset), dtype, MemoryFormat::Contiguous);
  Shape sizes{bins, frames}, strides{1, bins};
  if (batched) sizes.insert(sizes.begin(), batch), strides.insert(strides.begin(), bins * frames);
  const Tensor result = make_view(typed, sizes, strides, typed.offset);
  if (return_complex) return result;
  sizes.push_back(2);
  for (int64_t& s : strides) s *= 2;
  strides.push_back(1);
  return make_view(result, sizes, strides, result.offset * 2, real_of(dtype));
}
Tensor stft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length, const std::optional<Tensor>& window,
            bool normalized, std::optional<bool> onesided, std::optional<bool> return_complex, Unused) {
  const bool complex = is_complex(self.dtype) || (window && is_complex(window->dtype));
  return stft_frames(self, n_fft, hop_length.value_or(n_fft / 4), win_length.value_or(n_fft), window, normalized, onesided.value_or(!complex), return_complex.value_or(complex));
}

}  // namespace

void add_fft_ops(OpTable& ops) {
  ops.add("aten::_fft_c2c(Tensor self, SymInt[] dim, int normalization, bool forward) -> Tensor", fft_c2c);
  ops.add("aten::_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor", fft_r2c);
  ops.add("aten::_fft_c2r(Tensor self, int[] dim, int normalization, SymInt last_dim_size) -> Tensor", fft_c2r);
  ops.add("aten::fft_fft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", fft_1d<Direction::Forward>);
  ops.add("aten::fft_ifft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", fft_1d<Direction::Inverse>);
  ops.add("aten::fft_rfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", rfft);
  ops.add("aten::fft_irfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", irfft);
  ops.add("aten::fft_hfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", hfft);
  ops.add("aten::fft_ihfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor", ihfft);
  ops.add("aten::fft_fft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor", fft_2d<Direction::Forward>);
  ops.add("aten::fft_ifft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor", fft_2d<Direction::Inverse>);
  ops.add("aten::fft_rfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor", rfft_2d);
  ops.add("aten::fft_irfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor", irfft_2d);
  ops.add("aten::fft_fftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor", fft_nd<Direction::Forward>);
  ops.add("aten::fft_ifftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor", fft_nd<Direction::Inverse>);
  ops.add("aten::fft_rfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor", rfft_nd);
  ops.add("aten::fft_irfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor", irfft_nd);
  ops.add("aten::fft_fftfreq(int n, float d=1.0, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", fftfreq);
  ops.add("aten::fft_rfftfreq(int n, float d=1.0, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", rfftfreq);
  ops.add("aten::fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor", shift<Direction::Forward>);
  ops.add("aten::fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor", shift<Direction::Inverse>);
  ops.add("aten::hann_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", hann);
  ops.add("aten::hann_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", hann_periodic);
  ops.add("aten::hamming_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", hamming);
  ops.add("aten::hamming_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", hamming_periodic);
  ops.add("aten::blackman_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", blackman);
  ops.add("aten::blackman_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", blackman_periodic);
  ops.add("aten::bartlett_window(int window_length, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", bartlett);
  ops.add("aten::bartlett_window.periodic(int window_length, bool periodic, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", bartlett_periodic);
  ops.add("aten::stft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor", stft);
}

}  // namespace pt2::interp
