// Fourier transforms made of others: the inverse short-time transform, centred frames, Hermitian transforms of several dimensions.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/item.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/ops/view.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using Ints = std::span<const int64_t>;
using MaybeInts = std::optional<std::vector<int64_t>>;
using MaybeString = std::optional<std::string_view>;
using MaybeTensor = std::optional<Tensor>;

// fft_norm_mode of the transforms the frames are made of.
constexpr int64_t kByRootN = 1, kByN = 2;

// Reflected (or otherwise padded) by half a frame at both ends.
Tensor stft_center(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length, const MaybeTensor& window, bool center,
                   std::string_view pad_mode, bool normalized, std::optional<bool> onesided, std::optional<bool> return_complex, std::optional<bool> align_to_window) {
  Tensor input = self;
  if (center) {
    check(self.dim() == 1 || self.dim() == 2, "stft: expected a 1D or 2D tensor, but got ", self.dim(), "D");
    const int64_t batch = self.dim() == 2 ? self.sizes[0] : 1;
    const Tensor three = reshape(self, Shape{1, batch, self.sizes.back()});
    const Tensor padded = call("aten.pad.default", three, Shape{n_fft / 2, n_fft / 2}, pad_mode);
    input = self.dim() == 2 ? reshape(padded, Shape{batch, padded.sizes.back()}) : reshape(padded, Shape{padded.sizes.back()});
  }
  return call("aten.stft.default", input, n_fft, hop_length, win_length, window, normalized, onesided, return_complex, align_to_window);
}

// The window, zeros around it up to the length of a frame.
Tensor frame_window(const MaybeTensor& window, int64_t win_length, int64_t n_fft, DType dtype) {
  const Tensor given = window ? *window : full(Shape{win_length}, dtype, Scalar(1));
  check(given.dim() == 1 && given.sizes[0] == win_length, "istft: Invalid window shape. window has to be 1D and length of `win_length`");
  if (win_length == n_fft) return given;
  const int64_t left = (n_fft - win_length) / 2;
  return call("aten.constant_pad_nd.default", given, Shape{left, n_fft - win_length - left});
}

// Frames [batch, frames, n_fft] added up at their places.
Tensor overlapped(const Tensor& frames, int64_t length, int64_t hop) {
  return call("aten.unfold_backward.default", frames, Shape{frames.sizes[0], length}, 1, frames.sizes[2], hop);
}

Tensor istft(const Tensor& self, int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length_given, const MaybeTensor& window, bool center,
             bool normalized, std::optional<bool> onesided_given, std::optional<int64_t> length, bool return_complex) {
  const int64_t hop = hop_length.value_or(n_fft / 4), win_length = win_length_given.value_or(n_fft);
  check(is_complex(self.dtype), "istft requires a complex-valued input tensor matching the output from stft with return_complex=True.");
  check(self.numel() > 0 && (self.dim() == 2 || self.dim() == 3), "istft: expected a non-empty tensor with 2 or 3 dimensions, found ", self.sizes);
  const bool batched = self.dim() == 3;
  const Tensor spectra = transpose(batched ? self : unsqueeze(self, 0), 1, 2);  // [batch, frames, bins]
  const int64_t frames = spectra.sizes[1], bins = spectra.sizes[2];
  const bool onesided = onesided_given.value_or(bins != n_fft);
  check(bins == (onesided ? n_fft / 2 + 1 : n_fft), "istft: expected the frequency dimension (3rd to the last) of the input tensor to match n_fft when onesided=",
        onesided ? "True" : "False", ", but got ", bins);
  check(0 < hop && hop <= win_length, "istft: expected 0 < hop_length <= win_length");
  check(0 < win_length && win_length <= n_fft, "istft: expected 0 < win_length <= n_fft");
  const Tensor w = frame_window(window, win_length, n_fft, real_of(self.dtype));
  const int64_t scaling = normalized ? kByRootN : kByN;
  Tensor samples;
  if (return_complex) {
    check(!onesided, "cannot have onesided output if window or input is complex");
    samples = call("aten._fft_c2c.default", spectra, Shape{2}, scaling, false);
  } else {
    check(!is_complex(w.dtype), "Complex windows are incompatible with return_complex=False");
    samples = call("aten._fft_c2r.default", onesided ? spectra : narrow(spectra, 2, 0, n_fft / 2 + 1), Shape{2}, scaling, n_fft);
  }
  const int64_t whole = n_fft + hop * (frames - 1);
  Tensor signal = overlapped(call("aten.mul.Tensor", samples, w), whole, hop);
  const Tensor squares = call("aten.mul.Tensor", w, w);
  Tensor envelope = overlapped(expand(squares, Shape{1, frames, n_fft}), whole, hop);
  const int64_t start = center ? n_fft / 2 : 0;
  if (length) checked_extent(*length);
  const int64_t end = length ? start + *length : center ? whole - n_fft / 2 : whole;
  signal = slice(signal, 1, start, end), envelope = slice(envelope, 1, start, end);
  check(envelope.numel() == 0 || item(call("aten.min.default", call("aten.abs.default", envelope))).to_double() > 1e-11, "istft: window overlap add min is zero");
  signal = call("aten.div.Tensor", signal, envelope);
  if (end > whole) signal = call("aten.constant_pad_nd.default", signal, Shape{0, end - whole});
  return batched ? signal : squeeze_dim(signal, 0);
}

// ---- Hermitian transforms of several dimensions ----------------------------------------------------------------------------------------

struct Axes {
  std::vector<int64_t> dims;
  MaybeInts lengths;
};
Axes axes_of(const Tensor& self, const MaybeInts& s, const MaybeInts& dim) {
  Axes axes{{}, s};
  if (dim) axes.dims = *dim;
  else
    for (int64_t d = s ? self.dim() - static_cast<int64_t>(s->size()) : 0; d < self.dim(); ++d) axes.dims.push_back(d);
  check(!axes.dims.empty(), "a Hermitian FFT must transform at least one axis");
  check(!s || s->size() == axes.dims.size(), "When given, dim and shape arguments must have the same length");
  return axes;
}
Axes all_but_last(const Axes& axes) {
  Axes rest = axes;
  rest.dims.pop_back();
  if (rest.lengths) rest.lengths->pop_back();
  return rest;
}
std::optional<int64_t> last_length(const Axes& axes) { return axes.lengths ? std::optional(axes.lengths->back()) : std::nullopt; }

Tensor hfftn(const Tensor& self, const MaybeInts& s, const MaybeInts& dim, MaybeString norm) {
  const Axes axes = axes_of(self, s, dim), rest = all_but_last(axes);
  const Tensor others = rest.dims.empty() ? self : call("aten.fft_fftn.default", self, rest.lengths, rest.dims, norm);
  return call("aten.fft_hfft.default", others, last_length(axes), axes.dims.back(), norm);
}
Tensor ihfftn(const Tensor& self, const MaybeInts& s, const MaybeInts& dim, MaybeString norm) {
  const Axes axes = axes_of(self, s, dim), rest = all_but_last(axes);
  const Tensor last = call("aten.fft_ihfft.default", self, last_length(axes), axes.dims.back(), norm);
  return rest.dims.empty() ? last : call("aten.fft_ifftn.default", last, rest.lengths, rest.dims, norm);
}
Tensor hfft2(const Tensor& self, const MaybeInts& s, Ints dim, MaybeString norm) { return hfftn(self, s, std::vector<int64_t>(dim.begin(), dim.end()), norm); }
Tensor ihfft2(const Tensor& self, const MaybeInts& s, Ints dim, MaybeString norm) { return ihfftn(self, s, std::vector<int64_t>(dim.begin(), dim.end()), norm); }

}  // namespace

void add_spectral_ops(OpTable& ops) {
  ops.add("aten::stft.center(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, str pad_mode=\"reflect\", bool normalized=False, bool? onesided=None, bool? return_complex=None, bool? align_to_window=None) -> Tensor", stft_center);
  ops.add("aten::istft(Tensor self, int n_fft, int? hop_length=None, int? win_length=None, Tensor? window=None, bool center=True, bool normalized=False, bool? onesided=None, int? length=None, bool return_complex=False) -> Tensor", istft);
  ops.add("aten::fft_hfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor", hfftn);
  ops.add("aten::fft_ihfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor", ihfftn);
  ops.add("aten::fft_hfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor", hfft2);
  ops.add("aten::fft_ihfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2, -1], str? norm=None) -> Tensor", ihfft2);
}

}  // namespace pt2::interp
