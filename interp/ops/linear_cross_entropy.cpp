// torch_nn._linear_cross_entropy_batch_chunked: cross entropy of a linear layer, computed for some rows of the batch at a time so that the
// logits of all of them never exist at once. The gradients are results of the same pass. Rounded where PyTorch's CPU rounds.
#include <algorithm>
#include <limits>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/ops/view.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using MaybeTensor = std::optional<Tensor>;
using Four = std::tuple<Tensor, Tensor, Tensor, Tensor>;

Tensor times(const Tensor& a, const Tensor& b) { return call("aten.mul.Tensor", a, b); }
Tensor plus(const Tensor& a, const Tensor& b) { return call("aten.add.Tensor", a, b); }
Tensor minus(const Tensor& a, const Tensor& b) { return call("aten.sub.Tensor", a, b); }
Tensor column(const Tensor& row) { return unsqueeze(row, 1); }

// What a call's policy and types make of the types of its parts.
struct Types {
  DType own, accumulate;
  DType logits;            // also of the weight and the gradient of the input while a chunk is computed
  DType output;            // of the loss while it is summed
  DType input_gradient;
  bool direct_weight;      // each chunk's gradient of the weight goes into the result without a sum of its own
};
Types types_of(DType own, DType accumulate, std::string_view policy) {
  const bool wider = own != accumulate, sparing = policy == "balanced" || policy == "compact";
  check(!wider || ((own == DType::Float16 || own == DType::BFloat16) && accumulate == DType::Float32),
        "linear_cross_entropy supports float32 acc_dtype with float16/bfloat16 inputs, but got ", accumulate, " acc_dtype and ", own, " inputs.");
  check(policy != "auto", "unresolved acc_policy='auto'; use F.linear_cross_entropy.");
  Types t{own, accumulate, accumulate, accumulate, accumulate, false};
  if (wider && own == DType::Float16 && sparing) t.logits = own;
  if (wider && own == DType::BFloat16) t.output = own;
  if (sparing) t.input_gradient = own;
  t.direct_weight = policy == "compact" && t.logits == own;
  return t;
}

struct Layer {
  Tensor input, weight, target;
  MaybeTensor bias;
  Tensor row_weights;  // what each row of the batch counts, in the accumulating type
  int64_t chunk = 1;

  int64_t rows() const { return input.sizes[0]; }
};

// The class weights of the targets, and nothing where they are to be ignored.
Layer layer_of(const Tensor& input, const Tensor& weight, const Tensor& target, const MaybeTensor& bias, const MaybeTensor& class_weight, int64_t ignore_index,
               int64_t chunk, const Types& types) {
  check(target.dtype == DType::Int64, "linear_cross_entropy: target dtype must be torch.int64, got ", target.dtype, ".");
  check(input.dim() == 2 && weight.dim() == 2, "linear_cross_entropy: expected matrices, got ", input.sizes, " and ", weight.sizes);
  check(!bias || bias->sizes == Shape{weight.sizes[0]}, "linear_cross_entropy: expected linear_bias shape ", Shape{weight.sizes[0]}, ", got ", bias ? bias->sizes : Shape{}, ".");
  check(chunk > 0, "linear_cross_entropy: batch_chunk_size must be positive, got ", chunk);
  const Tensor ignored = call("aten.eq.Scalar", target, ignore_index), zero = wrapped_scalar(Scalar(int64_t{0}));
  const bool a_class = ignore_index >= 0 && ignore_index < weight.sizes[0];
  const Tensor classes = a_class ? target : call("aten.where.self", ignored, zero, target);
  const Tensor counts = class_weight ? call("aten.index_select.default", *class_weight, 0, classes) : call("aten.logical_not.default", ignored);
  return {input, weight, classes, bias, call("aten.masked_fill.Scalar", to_dtype(counts, types.accumulate), ignored, 0), chunk};
}

// Of the rows from `start` on: their part of the layer, and the logits less the largest of each row.
struct Chunk {
  int64_t start, size;
  Tensor input, target, row_weights, logits, of_target;
};
Chunk chunk_at(const Layer& layer, int64_t start, DType logits_type) {
  const int64_t size = std::min(layer.chunk, layer.rows() - start);
  auto part = [&](const Tensor& t) { return narrow(t, 0, start, size); };
  Chunk c{start, size, part(layer.input), part(layer.target), part(layer.row_weights), {}, {}};
  c.logits = call("aten.mm.default", to_dtype(c.input, logits_type), transpose(to_dtype(layer.weight, logits_type), 0, 1));
  if (layer.bias) c.logits = plus(c.logits, to_dtype(*layer.bias, logits_type));
  c.logits = minus(c.logits, call("aten.amax.default", c.logits, Shape{1}, true));
  c.of_target = to_dtype(squeeze_dim(call("aten.gather.default", c.logits, 1, column(c.target)), 1), layer.row_weights.dtype);
  return c;
}

struct Gradients {
  Tensor input, weight, bias;  // without elements where they are not asked for
};

void add_bias_gradient(const Chunk& c, const Tensor& scaled, const Types& types, Tensor& gradient) {
  const Tensor before = types.own == types.accumulate ? gradient : zeros(gradient.sizes, types.accumulate);
  const Tensor softmax = call("aten.sum.dim_IntList", scaled, Shape{0}, false, types.accumulate);
  const Tensor sum = call("aten.index_add.default", minus(before, softmax), 0, c.target, c.row_weights);
  gradient = types.own == types.accumulate ? sum : plus(gradient, to_dtype(sum, types.own));
}
void add_input_gradient(const Chunk& c, const Tensor& scaled, const Tensor& linear_weight, const Types& types, const Tensor& gradient) {
  const Tensor weight = to_dtype(linear_weight, types.logits);
  const Tensor of_targets = times(call("aten.index_select.default", weight, 0, c.target), column(to_dtype(c.row_weights, types.logits)));
  copy_into(narrow(gradient, 0, c.start, c.size), call("aten.addmm.default", of_targets, scaled, weight, 1, -1));
}
void add_weight_gradient(const Chunk& c, const Tensor& scaled, const Types& types, Tensor& gradient) {
  const Tensor input = to_dtype(c.input, types.accumulate), of_targets = times(input, column(c.row_weights));
  if (types.direct_weight) {
    gradient = call("aten.addmm.default", gradient, transpose(scaled, 0, 1), c.input, 1, -1);
    gradient = call("aten.index_add.default", gradient, 0, c.target, to_dtype(of_targets, types.own));
    return;
  }
  const Tensor softmax = call("aten.mm.default", transpose(to_dtype(scaled, types.accumulate), 0, 1), input);
  gradient = to_dtype(minus(gradient, call("aten.index_add.default", softmax, 0, c.target, of_targets, -1)), types.own);
}

// The row weights as factors of log-probabilities in the reduced loss.
Tensor factors(const Tensor& row_weights, bool mean) {
  if (!mean) return call("aten.neg.default", row_weights);
  const Tensor total = call("aten.sum.default", row_weights);
  const Tensor divisor = call("aten.masked_fill.Scalar", call("aten.neg.default", total), call("aten.eq.Scalar", total, 0), std::numeric_limits<double>::quiet_NaN());
  return call("aten.div.Tensor", row_weights, divisor);
}

Four linear_cross_entropy(const Tensor& input, const Tensor& linear_weight, const Tensor& target, const MaybeTensor& linear_bias, const MaybeTensor& weight,
                          std::string_view reduction, int64_t ignore_index, double label_smoothing, int64_t batch_chunk_size, std::string_view acc_policy,
                          DType acc_dtype, bool, bool input_wanted, bool weight_wanted, bool bias_wanted) {
  check(label_smoothing <= 0, "linear_cross_entropy does not support label smoothing");
  check(reduction == "mean" || reduction == "sum", "linear_cross_entropy does not support reduction='", reduction, "'");
  const Types types = types_of(input.dtype, acc_dtype, acc_policy);
  Layer layer = layer_of(input, linear_weight, target, linear_bias, weight, ignore_index, batch_chunk_size, types);
  layer.row_weights = factors(layer.row_weights, reduction == "mean");
  Gradients gradients{empty(input_wanted ? input.sizes : Shape{0, 0}, types.input_gradient), zeros(weight_wanted ? linear_weight.sizes : Shape{0, 0}, types.own),
                      zeros(Shape{bias_wanted ? linear_weight.sizes[0] : 0}, types.own)};
  Tensor loss = full({}, types.output, Scalar(reduction == "mean" && layer.rows() == 0 ? std::numeric_limits<double>::quiet_NaN() : 0.0));
  for (int64_t start = 0; start < layer.rows(); start += layer.chunk) {
    const Chunk c = chunk_at(layer, start, types.logits);
    const Tensor powers = call("aten.exp.default", c.logits), denominator = call("aten.sum.dim_IntList", powers, Shape{1}, false, types.accumulate);
    const Tensor scaled = times(powers, column(to_dtype(call("aten.div.Tensor", c.row_weights, denominator), types.logits)));
    loss = to_dtype(plus(loss, call("aten.dot.default", c.row_weights, c.of_target)), types.output);
    loss = to_dtype(minus(loss, call("aten.dot.default", c.row_weights, call("aten.log.default", denominator))), types.output);
    if (bias_wanted) add_bias_gradient(c, scaled, types, gradients.bias);
    if (input_wanted) add_input_gradient(c, scaled, linear_weight, types, gradients.input);
    if (weight_wanted) add_weight_gradient(c, scaled, types, gradients.weight);
  }
  return {to_dtype(loss, types.own), to_dtype(gradients.input, types.own), gradients.weight, gradients.bias};
}

// A loss for each row.
Tensor linear_cross_entropy_of_rows(const Tensor& input, const Tensor& linear_weight, const Tensor& target, const MaybeTensor& linear_bias, const MaybeTensor& weight,
                                    int64_t ignore_index, int64_t batch_chunk_size, std::string_view acc_policy, DType acc_dtype) {
  const Types types = types_of(input.dtype, acc_dtype, acc_policy);
  const Layer layer = layer_of(input, linear_weight, target, linear_bias, weight, ignore_index, batch_chunk_size, types);
  const Tensor losses = empty(Shape{layer.rows()}, types.own);
  for (int64_t start = 0; start < layer.rows(); start += layer.chunk) {
    const Chunk c = chunk_at(layer, start, types.logits);
    const Tensor denominator = call("aten.sum.dim_IntList", call("aten.exp.default", c.logits), Shape{1}, false, types.accumulate);
    copy_into(narrow(losses, 0, c.start, c.size), times(minus(call("aten.log.default", denominator), c.of_target), c.row_weights));
  }
  return losses;
}

}  // namespace

void add_linear_cross_entropy_ops(OpTable& ops) {
  ops.add("torch_nn::_linear_cross_entropy_batch_chunked(Tensor input, Tensor linear_weight, Tensor target, Tensor? linear_bias, Tensor? weight, str reduction, SymInt ignore_index, float label_smoothing, SymInt batch_chunk_size, str acc_policy, ScalarType acc_dtype, bool allow_retain_graph, bool compute_input_grad, bool compute_linear_weight_grad, bool compute_linear_bias_grad) -> (Tensor, Tensor, Tensor, Tensor)", linear_cross_entropy);
  ops.add("torch_nn::_linear_cross_entropy_batch_chunked_no_reduction(Tensor input, Tensor linear_weight, Tensor target, Tensor? linear_bias, Tensor? weight, SymInt ignore_index, SymInt batch_chunk_size, str acc_policy, ScalarType acc_dtype) -> Tensor", linear_cross_entropy_of_rows);
}

}  // namespace pt2::interp
