#include "views/workspace/quantization.h"

#include <limits>

#include "core/tensor/element.h"
#include "core/tensor/view.h"
#include "views/workspace/labels.h"
#include "views/workspace/op_family.h"

namespace pt2::views {
namespace {

const Argument* argument(const Node& node, std::initializer_list<std::string_view> names) {
  for (const NodeArgument& input : node.inputs)
    for (const std::string_view name : names)
      if (input.name == name) return &input.value;
  return nullptr;
}

std::optional<int64_t> integer(const Argument* argument) {
  const auto* value = argument ? argument->as<int64_t>() : nullptr;
  return value ? std::optional(*value) : std::nullopt;
}

}  // namespace

std::optional<Quantization> quantization_of_call(const Graph& graph, const Node& node) {
  if (node.kind != NodeKind::CallFunction || node.target.find("quantize") == node.target.npos) return std::nullopt;
  const Argument* scale = argument(node, {"scale", "scales"});
  if (!scale) return std::nullopt;
  Quantization q;
  const Argument* zero_point = argument(node, {"zero_point", "zero_points"});
  q.scale_text = argument_label(graph, *scale);
  if (zero_point && !zero_point->is_none()) q.zero_point_text = argument_label(graph, *zero_point);
  if (auto* number = scale->as<double>()) q.scale = *number;
  if (auto* tensor = scale->as<NodeId>()) q.scale_node = *tensor;
  q.zero_point = integer(zero_point);
  q.quant_min = integer(argument(node, {"quant_min"}));
  q.quant_max = integer(argument(node, {"quant_max"}));
  return q;
}

std::string Quantization::range_text() const {
  return (quant_min ? std::to_string(*quant_min) : "") + " … " + (quant_max ? std::to_string(*quant_max) : "");
}

std::optional<Quantization> quantization_of(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (auto q = quantization_of_call(graph, node)) return node.target.find("dequantize") == node.target.npos ? std::move(q) : std::nullopt;
  for (const NodeId user : graph.users(id)) {
    const Node& reader = graph.node(user);
    const Argument* input = reader.target.find("dequantize") == reader.target.npos ? nullptr : argument(reader, {"input", "self"});
    if (input && input->is<NodeId>() && *input->as<NodeId>() == id) return quantization_of_call(graph, reader);
  }
  return std::nullopt;
}

std::pair<int64_t, int64_t> count_saturated(const Tensor& tensor, const Quantization& q) {
  std::pair<int64_t, int64_t> counts{0, 0};
  if (!q.quant_min || !q.quant_max) return counts;
  double low = double(*q.quant_min), high = double(*q.quant_max);
  const bool zero_is_low = q.zero_point == q.quant_min, zero_is_high = q.zero_point == q.quant_max;
  if (is_floating(tensor.dtype)) {
    if (!q.scale) return counts;
    low = float((low - double(q.zero_point.value_or(0))) * *q.scale);
    high = float((high - double(q.zero_point.value_or(0))) * *q.scale);
  }
  for_each_run(tensor, [&](const std::byte* bytes, int64_t count, int64_t step) {
    for (int64_t i = 0; i < count; ++i, bytes += step) {
      const double value = as_double(read_element(tensor.dtype, bytes));
      counts.first += !zero_is_low && value <= low;
      counts.second += !zero_is_high && value >= high;
    }
  });
  return counts;
}

}  // namespace pt2::views
