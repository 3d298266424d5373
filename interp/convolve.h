#pragma once
// Convolution of one to three dimensions. All of them are computed as three-dimensional ones with leading dimensions of size 1: patches of the
// input are gathered into a matrix, block by block of output positions, and multiplied with the weights.
#include <array>
#include <cstdint>
#include <optional>

#include "core/tensor/tensor.h"

namespace pt2::interp {

using Spatial = std::array<int64_t, 3>;  // depth, height, width

struct ConvolutionSettings {
  Spatial stride{1, 1, 1}, padding{0, 0, 0}, dilation{1, 1, 1}, output_padding{0, 0, 0};
  int64_t groups = 1;
  bool transposed = false;
};

// input [N, C, spatial…], weight [out, C/groups, kernel…] (transposed: [C, out/groups, kernel…]). Result in the layout PyTorch gives it:
// channels last where the input or the weight is. The number of spatial dimensions is the weight's rank - 2.
Tensor convolve(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, const ConvolutionSettings& settings);

// The gradients of convolve's input and weight.
Tensor convolve_input_gradient(const Tensor& gradient, const Tensor& input, const Tensor& weight, const ConvolutionSettings& settings);
Tensor convolve_weight_gradient(const Tensor& gradient, const Tensor& input, const Tensor& weight, const ConvolutionSettings& settings);

}  // namespace pt2::interp
