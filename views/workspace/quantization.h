#pragma once
// How a value is quantized, as the operator that makes it says, else the one that reads it: quantize_per_tensor, dequantize_per_channel,
// fake_quantize_per_tensor_affine and their like.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "core/graph/graph.h"
#include "core/tensor/tensor.h"

namespace pt2::views {

struct Quantization {
  std::optional<double> scale;         // none: a tensor (per channel, or chosen while running); its name is in the text
  NodeId scale_node;                   // that tensor
  std::optional<int64_t> zero_point;
  std::string scale_text, zero_point_text;
  std::optional<int64_t> quant_min, quant_max;
  std::string range_text() const;      // "-128 … 127"
};
// The numbers that a quantizing or dequantizing operator is given.
std::optional<Quantization> quantization_of_call(const Graph& graph, const Node& node);
// Of the node's value; a dequantized one has none.
std::optional<Quantization> quantization_of(const Graph& graph, NodeId id);

// Elements at the lowest and at the highest number: those that the quantization may have cut off. Of integers those that are quant_min and
// quant_max, of fake-quantized ones what these stand for; zero where that is not known. An end that stands for 0 is not counted: after a ReLU
// zeros are what the quantization was given.
std::pair<int64_t, int64_t> count_saturated(const Tensor& tensor, const Quantization& quantization);

}  // namespace pt2::views
