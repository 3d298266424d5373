// The convolution operators: argument forms of interp/convolve.h.
#include <string>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/convolve.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using Ints = std::span<const int64_t>;

// The last `rank` of three; one number stands for all.
Spatial spatial(Ints values, size_t rank, int64_t other, std::string_view name) {
  check(values.size() == rank || values.size() == 1, "convolution: expected ", name, " to be a single integer or a list of ", rank, " values, found ",
        values.size());
  Spatial result{other, other, other};
  for (size_t i = 0; i < rank; ++i) result[3 - rank + i] = values[values.size() == 1 ? 0 : i];
  return result;
}

ConvolutionSettings settings(size_t rank, Ints stride, Ints padding, Ints dilation, int64_t groups) {
  ConvolutionSettings s;
  s.stride = spatial(stride, rank, 1, "stride");
  s.padding = spatial(padding, rank, 0, "padding");
  s.dilation = spatial(dilation, rank, 1, "dilation");
  s.groups = groups;
  return s;
}

// Inputs without a batch dimension get one for the call.
template <class Call>
Tensor batched(const Tensor& input, const Tensor& weight, Call call) {
  if (input.dim() != weight.dim() - 1) return call(input);
  Shape sizes = input.sizes, strides = input.strides;
  sizes.insert(sizes.begin(), 1);
  strides.insert(strides.begin(), sizes[1] * input.strides[0]);
  const Tensor result = call(make_view(input, sizes, strides, input.offset));
  return make_view(result, Shape(result.sizes.begin() + 1, result.sizes.end()), Shape(result.strides.begin() + 1, result.strides.end()), result.offset);
}

// Complex numbers are three real convolutions, whose differences PyTorch rounds:
// a = wr · xr + br, b = wi · xi, c = (wr + wi) · (xr + xi) + br + bi give (a - b) + (c - a - b)i.
Tensor convolved(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, const ConvolutionSettings& s) {
  if (!is_complex(input.dtype)) return convolve(input, weight, bias, s);
  check(is_complex(weight.dtype), "Input type (", scalar_type_name(input.dtype), ") and weight type (", scalar_type_name(weight.dtype), ") should be the same");
  auto real = [](const Tensor& t) { return call("aten.real.default", t); };
  auto imaginary = [](const Tensor& t) { return call("aten.imag.default", t); };
  auto sum = [&](const Tensor& t) { return call("aten.add.Tensor", real(t), imaginary(t)); };
  auto of_bias = [&](auto part) { return bias ? std::optional<Tensor>(part(*bias)) : std::nullopt; };
  const Tensor a = convolve(real(input), real(weight), of_bias(real), s), b = convolve(imaginary(input), imaginary(weight), std::nullopt, s);
  const Tensor c = convolve(sum(input), sum(weight), of_bias(sum), s);
  return call("aten.complex.default", call("aten.sub.Tensor", a, b), call("aten.sub.Tensor", call("aten.sub.Tensor", c, a), b));
}

Tensor conv(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, Ints stride, Ints padding, Ints dilation, int64_t groups) {
  const ConvolutionSettings s = settings(weight.sizes.size() - 2, stride, padding, dilation, groups);
  return batched(input, weight, [&](const Tensor& x) { return convolved(x, weight, bias, s); });
}

// padding="same" and "valid". An odd total puts one more on the far side: the input is padded there first.
Tensor conv_padding(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, Ints stride, std::string_view padding, Ints dilation,
                    int64_t groups) {
  const size_t rank = weight.sizes.size() - 2;
  ConvolutionSettings s = settings(rank, stride, std::vector<int64_t>{0}, dilation, groups);
  if (padding == "valid") return batched(input, weight, [&](const Tensor& x) { return convolved(x, weight, bias, s); });
  check(padding == "same", "Invalid padding string: '", padding, "'");
  return batched(input, weight, [&](const Tensor& x) {
    Tensor padded = x;
    Shape sizes = x.sizes;
    for (size_t i = 0; i < rank; ++i) {
      const size_t d = 3 - rank + i;
      check(s.stride[d] == 1, "padding='same' is not supported for strided convolutions");
      const int64_t total = s.dilation[d] * (weight.sizes[2 + i] - 1);
      s.padding[d] = total / 2;
      sizes[2 + i] += total % 2;
    }
    if (sizes != x.sizes) {
      padded = zeros(sizes, x.dtype, suggested_format(x));
      copy_into(make_view(padded, x.sizes, padded.strides, padded.offset), x);
    }
    return convolved(padded, weight, bias, s);
  });
}

Tensor conv_transpose(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, Ints stride, Ints padding, Ints output_padding,
                      int64_t groups, Ints dilation) {
  const size_t rank = weight.sizes.size() - 2;
  ConvolutionSettings s = settings(rank, stride, padding, dilation, groups);
  s.output_padding = spatial(output_padding, rank, 0, "output_padding");
  s.transposed = true;
  for (size_t d = 3 - rank; d < 3; ++d)
    check(s.output_padding[d] < s.stride[d] || s.output_padding[d] < s.dilation[d], "output padding must be smaller than either stride or dilation, but got output_padding: ",
          s.output_padding[d], " stride: ", s.stride[d], " dilation: ", s.dilation[d]);
  return batched(input, weight, [&](const Tensor& x) { return convolved(x, weight, bias, s); });
}

Tensor convolution(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, Ints stride, Ints padding, Ints dilation, bool transposed,
                   Ints output_padding, int64_t groups) {
  check(input.dim() == weight.dim(), "Expected ", weight.dim(), "-dimensional input for ", weight.dim(), "-dimensional weight ", weight.sizes, ", but got ", input.dim(),
        "-dimensional input of size ", input.sizes, " instead");
  if (transposed) return conv_transpose(input, weight, bias, stride, padding, output_padding, groups, dilation);
  return conv(input, weight, bias, stride, padding, dilation, groups);
}
Tensor convolution_low_level(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, Ints stride, Ints padding, Ints dilation,
                             bool transposed, Ints output_padding, int64_t groups, Unused, Unused, Unused, Unused) {
  return convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
}

using Gradients = std::tuple<std::optional<Tensor>, std::optional<Tensor>, std::optional<Tensor>>;
Gradients convolution_backward(const Tensor& grad_output, const Tensor& input, const Tensor& weight, const std::optional<std::vector<int64_t>>&, Ints stride,
                               Ints padding, Ints dilation, bool transposed, Ints output_padding, int64_t groups, const std::vector<bool>& output_mask) {
  const size_t rank = weight.sizes.size() - 2;
  check(is_floating(grad_output.dtype), "\"convolution_backward\" not implemented for '", scalar_type_name(grad_output.dtype), "'");
  check(output_mask.size() == 3, "convolution_backward: expected output_mask of 3 values, found ", output_mask.size());
  ConvolutionSettings s = settings(rank, stride, padding, dilation, groups);
  s.transposed = transposed;
  s.output_padding = spatial(output_padding, rank, 0, "output_padding");
  Gradients result;
  if (output_mask[0]) std::get<0>(result) = convolve_input_gradient(grad_output, input, weight, s);
  if (output_mask[1]) std::get<1>(result) = convolve_weight_gradient(grad_output, input, weight, s);
  if (output_mask[2]) {
    Shape dims{0};
    for (int64_t d = 2; d < grad_output.dim(); ++d) dims.push_back(d);
    std::get<2>(result) = to_dtype(call("aten.sum.dim_IntList", to_dtype(grad_output, DType::Float64), dims), grad_output.dtype);
  }
  return result;
}

}  // namespace

void add_convolution_ops(OpTable& ops) {
  ops.add("aten::conv1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, SymInt[1] padding=0, SymInt[1] dilation=1, SymInt groups=1) -> Tensor", conv);
  ops.add("aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] padding=0, SymInt[2] dilation=1, SymInt groups=1) -> Tensor", conv);
  ops.add("aten::conv3d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=1, SymInt[3] padding=0, SymInt[3] dilation=1, SymInt groups=1) -> Tensor", conv);
  ops.add("aten::conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, str padding=\"valid\", SymInt[1] dilation=1, SymInt groups=1) -> Tensor", conv_padding);
  ops.add("aten::conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, str padding=\"valid\", SymInt[2] dilation=1, SymInt groups=1) -> Tensor", conv_padding);
  ops.add("aten::conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=1, str padding=\"valid\", SymInt[3] dilation=1, SymInt groups=1) -> Tensor", conv_padding);
  ops.add("aten::conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=1, SymInt[1] padding=0, SymInt[1] output_padding=0, SymInt groups=1, SymInt[1] dilation=1) -> Tensor", conv_transpose);
  ops.add("aten::conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=1, SymInt[2] padding=0, SymInt[2] output_padding=0, SymInt groups=1, SymInt[2] dilation=1) -> Tensor", conv_transpose);
  ops.add("aten::conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=1, SymInt[3] padding=0, SymInt[3] output_padding=0, SymInt groups=1, SymInt[3] dilation=1) -> Tensor", conv_transpose);
  ops.add("aten::convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> Tensor", convolution);
  ops.add("aten::_convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32) -> Tensor", convolution_low_level);
  ops.add("aten::convolution_backward(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? bias_sizes, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor)", convolution_backward);
}

}  // namespace pt2::interp
