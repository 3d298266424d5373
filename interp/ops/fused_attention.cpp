// Attention made of other operators: as a formula (with dropout), under the names of GPU kernels, its gradient, and whole layers in one operator.
#include <algorithm>
#include <cmath>
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
using Two = std::tuple<Tensor, Tensor>;
using Three = std::tuple<Tensor, Tensor, Tensor>;
using Four = std::tuple<Tensor, Tensor, Tensor, Tensor>;

constexpr double kLowest = -std::numeric_limits<double>::infinity();

Tensor result(const Results& results, size_t i) { return *results.at(i).as<Tensor>(); }
Tensor times(const Tensor& a, double number) { return call("aten.mul.Scalar", a, number); }
Tensor matmul_of(const Tensor& a, const Tensor& b) { return call("aten.matmul.default", a, b); }
Tensor transposed(const Tensor& t) { return transpose(t, -2, -1); }
int64_t length_of(const Tensor& t) { return t.sizes[t.sizes.size() - 2]; }

// A bool mask as what is added to the scores.
Tensor additive(const Tensor& mask, DType dtype) {
  if (mask.dtype != DType::Bool) return mask;
  return call("aten.masked_fill.Scalar", zeros(mask.sizes, dtype), call("aten.logical_not.default", mask), kLowest);
}
Tensor causal_mask(int64_t length, int64_t keys) { return call("aten.tril.default", full(Shape{length, keys}, DType::Bool, Scalar(true))); }

// Grouped queries: each head of keys and values for several of the query.
Tensor repeated(const Tensor& t, int64_t heads) {
  const int64_t own = t.sizes[t.sizes.size() - 3];
  check(own > 0 && heads % own == 0, "Number of heads in key and value must divide the number of heads in query, found ", own, " and ", heads);
  return own == heads ? t : call("aten.repeat_interleave.self_int", t, heads / own, -3);
}

// ---- As a formula ----------------------------------------------------------------------------------------------------------------------

// → (attention, weights). Half types are computed in float32.
Two attention_math(const KernelContext&, const Tensor& query, const Tensor& key, const Tensor& value, const MaybeTensor& attn_mask, double dropout_p, bool is_causal,
                   const MaybeTensor& dropout_mask, std::optional<double> scale, bool enable_gqa) {
  check(query.dim() >= 2 && key.dim() >= 2 && value.dim() >= 2, "scaled_dot_product_attention: Expected query, key, and value to all be  at least 2 dimensional");
  check(query.dtype == key.dtype && query.dtype == value.dtype, "Expected query, key, and value to have the same dtype, but got query.dtype: ",
        scalar_type_name(query.dtype), " key.dtype: ", scalar_type_name(key.dtype), " and value.dtype: ", scalar_type_name(value.dtype));
  check(!is_causal || !attn_mask, "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True");
  const bool half = query.dtype == DType::Float16 || query.dtype == DType::BFloat16;
  auto precise = [&](const Tensor& t) { return half ? to_dtype(t, DType::Float32) : t; };
  const double factor = scale.value_or(1 / std::sqrt(static_cast<double>(query.sizes.back()))), root = std::sqrt(std::abs(factor));
  Tensor k = precise(key), v = precise(value);
  if (enable_gqa) k = repeated(k, query.sizes.at(query.sizes.size() - 3)), v = repeated(v, query.sizes.at(query.sizes.size() - 3));
  Tensor weights = matmul_of(times(precise(query), factor < 0 ? -root : root), times(transposed(k), root));
  MaybeTensor mask = is_causal ? MaybeTensor(additive(causal_mask(length_of(query), length_of(key)), weights.dtype)) : attn_mask;
  if (mask) weights = call("aten._safe_softmax.default", call("aten.add.Tensor", weights, *mask), -1);
  else weights = call("aten.softmax.int", weights, -1);
  if (dropout_p > 0 && dropout_mask) {
    weights = call("aten.masked_fill.Scalar", weights, call("aten.logical_not.default", *dropout_mask), 0.0);
    v = times(v, 1 / (1 - dropout_p));
  } else if (dropout_p > 0) {
    weights = call("aten.dropout.default", weights, dropout_p, true);
  }
  return {as_dtype(matmul_of(weights, v), query.dtype), as_dtype(weights, query.dtype)};
}

// ---- Under the names of GPU kernels ----------------------------------------------------------------------------------------------------

void check_no_dropout(double dropout_p, std::string_view name) {
  check(dropout_p == 0, name, ": dropout_p is ", dropout_p, ", but the numbers a GPU draws cannot be drawn here");
}
struct Forward { Tensor output, logsumexp; };
Forward forward(const Tensor& query, const Tensor& key, const Tensor& value, const MaybeTensor& bias, bool is_causal, std::optional<double> scale) {
  const Results r = call_all("aten._scaled_dot_product_flash_attention_for_cpu.default", query, key, value, 0.0, is_causal, bias, scale);
  return {result(r, 0), result(r, 1)};
}
Tensor no_seed() { return zeros(Shape{}, DType::Int64); }
Tensor nothing(DType dtype) { return empty(Shape{0}, dtype); }

Four efficient_attention(const Tensor& query, const Tensor& key, const Tensor& value, const MaybeTensor& attn_bias, bool compute_log_sumexp, double dropout_p, bool is_causal,
                         std::optional<double> scale) {
  check_no_dropout(dropout_p, "_scaled_dot_product_efficient_attention");
  const Forward f = forward(query, key, value, attn_bias, is_causal, scale);
  return {f.output, compute_log_sumexp ? f.logsumexp : nothing(f.logsumexp.dtype), no_seed(), no_seed()};
}
using Flash = std::tuple<Tensor, Tensor, MaybeTensor, MaybeTensor, int64_t, int64_t, Tensor, Tensor, Tensor>;
Flash flash_attention(const Tensor& query, const Tensor& key, const Tensor& value, double dropout_p, bool is_causal, bool, std::optional<double> scale) {
  check_no_dropout(dropout_p, "_scaled_dot_product_flash_attention");
  const Forward f = forward(query, key, value, std::nullopt, is_causal, scale);
  return {f.output, f.logsumexp, std::nullopt, std::nullopt, length_of(query), length_of(key), no_seed(), no_seed(), nothing(query.dtype)};
}
Flash cudnn_attention(const Tensor& query, const Tensor& key, const Tensor& value, const MaybeTensor& attn_bias, bool, double dropout_p, bool is_causal, bool,
                      std::optional<double> scale) {
  check_no_dropout(dropout_p, "_scaled_dot_product_cudnn_attention");
  const Forward f = forward(query, key, value, attn_bias, is_causal, scale);
  return {f.output, f.logsumexp, std::nullopt, std::nullopt, length_of(query), length_of(key), no_seed(), no_seed(), nothing(query.dtype)};
}
Flash overrideable_attention(const Tensor& query, const Tensor& key, const Tensor& value, const MaybeTensor& attn_bias, double dropout_p, bool is_causal, bool,
                             std::optional<double> scale) {
  check_no_dropout(dropout_p, "_scaled_dot_product_fused_attention_overrideable");
  const Forward f = forward(query, key, value, attn_bias, is_causal, scale);
  return {f.output, f.logsumexp, std::nullopt, std::nullopt, length_of(query), length_of(key), no_seed(), no_seed(), nothing(query.dtype)};
}

// The kernel indexes by [batch, head, row] whatever follows: of more it sees the first. Autograd gives it all weights where the forward pass was decomposed.
Tensor one_of_each_row(Tensor logsumexp) {
  while (logsumexp.dim() > 3) logsumexp = select(logsumexp, -1, 0);
  return logsumexp;
}

// The weights are made again from the scores and the logarithm of their sums.
Three attention_backward(const Tensor& grad_out, const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& out, const Tensor& logsumexp, double dropout_p,
                         bool is_causal, const MaybeTensor& attn_mask, std::optional<double> scale) {
  check_no_dropout(dropout_p, "_scaled_dot_product_flash_attention_for_cpu_backward");
  const double factor = scale.value_or(1 / std::sqrt(static_cast<double>(query.sizes.back())));
  auto precise = [](const Tensor& t) { return t.dtype == DType::Float64 ? t : to_dtype(t, DType::Float32); };
  const Tensor q = precise(query), k = precise(key), v = precise(value), gradient = precise(grad_out);
  Tensor scores = times(matmul_of(q, transposed(k)), factor);
  if (attn_mask) scores = call("aten.add.Tensor", scores, additive(*attn_mask, scores.dtype));
  if (is_causal) scores = call("aten.add.Tensor", scores, additive(causal_mask(length_of(query), length_of(key)), scores.dtype));
  Tensor weights = call("aten.exp.default", call("aten.sub.Tensor", scores, unsqueeze(one_of_each_row(logsumexp), -1)));
  weights = call("aten.nan_to_num.default", weights, 0.0);  // rows that may look at nothing
  const Tensor along = call("aten.sum.dim_IntList", call("aten.mul.Tensor", gradient, precise(out)), Shape{-1}, true);
  const Tensor inner = call("aten.mul.Tensor", weights, call("aten.sub.Tensor", matmul_of(gradient, transposed(v)), along));
  // In memory [batch, length, heads, features].
  auto laid_out = [](const Tensor& t, DType dtype) { return transpose(as_contiguous(transpose(t, 1, 2), dtype), 1, 2); };
  return {laid_out(times(matmul_of(inner, k), factor), query.dtype), laid_out(times(matmul_of(transposed(inner), q), factor), key.dtype),
          laid_out(matmul_of(transposed(weights), gradient), value.dtype)};
}

// ---- Whole layers: what nn.TransformerEncoderLayer is without gradients ----------------------------------------------------------------

// [batch, length, 3 · embed] → queries (scaled), keys and values [batch, heads, length, features].
Three split_heads(const Tensor& qkv, const Tensor& bias, int64_t heads) {
  check(qkv.dim() == 3 && heads > 0 && qkv.sizes[2] % (3 * heads) == 0, "_transform_bias_rescale_qkv: expected [batch, length, 3 · embed] for ", heads, " heads, found ",
        qkv.sizes);
  const int64_t features = qkv.sizes[2] / 3 / heads;
  const Tensor parts = permute(view(as_contiguous(call("aten.add.Tensor", qkv, bias)), Shape{qkv.sizes[0], qkv.sizes[1], 3, heads, features}), Shape{2, 0, 3, 1, 4});
  auto part = [&](int64_t i) { return as_contiguous(select(parts, 0, i)); };
  return {times(part(0), 1 / std::sqrt(static_cast<double>(features))), part(1), part(2)};
}

// mask_type 0: [L, L]; 1: [batch, L]; 2: as the scores are. True: not looked at.
Tensor mask_for(const Tensor& mask, int64_t mask_type) {
  if (mask_type == 1 && mask.dim() == 2) return unsqueeze(unsqueeze(mask, 1), 1);
  return mask;
}
Tensor masked_softmax(const Tensor& self, const Tensor& mask, std::optional<int64_t> dim, std::optional<int64_t> mask_type) {
  check(mask.dtype == DType::Bool, "Mask should be a boolean tensor");
  const Tensor spread = self.dim() == 4 ? mask_for(mask, mask_type.value_or(2)) : mask;
  const Tensor filled = call("aten.masked_fill.Scalar", self, spread, kLowest);
  const Tensor weights = call("aten.softmax.int", filled, dim.value_or(self.dim() - 1));
  // What may look at nothing gives zeros.
  return call("aten.masked_fill.Scalar", weights, call("aten.isnan.default", weights), 0.0);
}

std::tuple<Tensor, MaybeTensor> multi_head_attention(const Tensor& query, const Tensor& key, const Tensor& value, int64_t embed_dim, int64_t num_head, const Tensor& qkv_weight,
                                                     const Tensor& qkv_bias, const Tensor& proj_weight, const Tensor& proj_bias, const MaybeTensor& mask, bool need_weights,
                                                     bool average_attn_weights, std::optional<int64_t> mask_type) {
  check(query.dim() == 3 && query.sizes[2] == embed_dim, "expected embed_dim ", embed_dim, " of a 3-dimensional query, found ", query.sizes);
  check(num_head > 0 && embed_dim % num_head == 0, "`embed_dim` must divide evenly by `num_heads`");
  Tensor qkv;
  const bool self_attention = query.storage.shares_with(key.storage) && query.storage.shares_with(value.storage) && query.sizes == key.sizes && query.sizes == value.sizes;
  if (self_attention) {
    qkv = call("aten.linear.default", query, qkv_weight);
  } else {
    const std::vector<Tensor> w = call_list("aten.chunk.default", qkv_weight, 3, 0);
    check(w.size() == 3 && key.sizes == query.sizes && value.sizes == query.sizes, "_native_multi_head_attention: expected query, key and value of one shape");
    qkv = cat({call("aten.linear.default", query, w[0]), call("aten.linear.default", key, w[1]), call("aten.linear.default", value, w[2])}, 2);
  }
  const auto [q, k, v] = split_heads(qkv, qkv_bias, num_head);
  const Tensor scores = matmul_of(q, transposed(k));
  const Tensor weights = mask ? masked_softmax(scores, *mask, 3, mask_type) : call("aten.softmax.int", scores, -1);
  const Tensor heads = as_contiguous(transpose(matmul_of(weights, v), 1, 2));
  const Tensor out = call("aten.linear.default", view(heads, query.sizes), proj_weight, proj_bias);
  if (!need_weights) return {out, std::nullopt};
  return {out, average_attn_weights ? call("aten.mean.dim", weights, Shape{1}) : weights};
}

Tensor encoder_layer(const Tensor& src, int64_t embed_dim, int64_t num_heads, const Tensor& qkv_weight, const Tensor& qkv_bias, const Tensor& proj_weight,
                     const Tensor& proj_bias, bool use_gelu, bool norm_first, double eps, const Tensor& norm_weight_1, const Tensor& norm_bias_1, const Tensor& norm_weight_2,
                     const Tensor& norm_bias_2, const Tensor& ffn_weight_1, const Tensor& ffn_bias_1, const Tensor& ffn_weight_2, const Tensor& ffn_bias_2,
                     const MaybeTensor& mask, std::optional<int64_t> mask_type) {
  auto norm = [&](const Tensor& x, const Tensor& weight, const Tensor& bias) { return call("aten.layer_norm.default", x, Shape{embed_dim}, weight, bias, eps); };
  auto attend = [&](const Tensor& x) {
    return std::get<0>(multi_head_attention(x, x, x, embed_dim, num_heads, qkv_weight, qkv_bias, proj_weight, proj_bias, mask, false, true, mask_type));
  };
  auto feed_forward = [&](const Tensor& x) {
    const Tensor hidden = call("aten.linear.default", x, ffn_weight_1, ffn_bias_1);
    return call("aten.linear.default", call(use_gelu ? "aten.gelu.default" : "aten.relu.default", hidden), ffn_weight_2, ffn_bias_2);
  };
  auto plus = [](const Tensor& a, const Tensor& b) { return call("aten.add.Tensor", a, b); };
  if (norm_first) {
    const Tensor x = plus(src, attend(norm(src, norm_weight_1, norm_bias_1)));
    return plus(x, feed_forward(norm(x, norm_weight_2, norm_bias_2)));
  }
  const Tensor x = norm(plus(src, attend(src)), norm_weight_1, norm_bias_1);
  return norm(plus(x, feed_forward(x)), norm_weight_2, norm_bias_2);
}

}  // namespace

void add_fused_attention_ops(OpTable& ops) {
  ops.add("aten::_scaled_dot_product_attention_math(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0., bool is_causal=False, Tensor? dropout_mask=None, *, float? scale=None, bool enable_gqa=False) -> (Tensor, Tensor)", attention_math);
  ops.add("aten::_scaled_dot_product_efficient_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_bias, bool compute_log_sumexp, float dropout_p=0., bool is_causal=False, *, float? scale=None) -> (Tensor output, Tensor log_sumexp, Tensor philox_seed, Tensor philox_offset)", efficient_attention);
  ops.add("aten::_scaled_dot_product_flash_attention(Tensor query, Tensor key, Tensor value, float dropout_p=0., bool is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> (Tensor output, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, Tensor rng_state, Tensor unused, Tensor debug_attn_mask)", flash_attention);
  ops.add("aten::_scaled_dot_product_cudnn_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_bias, bool compute_log_sumexp, float dropout_p=0., bool is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> (Tensor output, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, Tensor philox_seed, Tensor philox_offset, Tensor debug_attn_mask)", cudnn_attention);
  ops.add("aten::_scaled_dot_product_fused_attention_overrideable(Tensor query, Tensor key, Tensor value, Tensor? attn_bias=None, float dropout_p=0., bool is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> (Tensor output, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, Tensor philox_seed, Tensor philox_offset, Tensor debug_attn_mask)", overrideable_attention);
  ops.add("aten::_scaled_dot_product_flash_attention_for_cpu_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, Tensor out, Tensor logsumexp, float dropout_p, bool is_causal, *, Tensor? attn_mask=None, float? scale=None) -> (Tensor grad_query, Tensor grad_key, Tensor grad_value)", attention_backward);
  ops.add("aten::_transform_bias_rescale_qkv(Tensor qkv, Tensor qkv_bias, int num_heads) -> (Tensor, Tensor, Tensor)", split_heads);
  ops.add("aten::_masked_softmax(Tensor self, Tensor mask, int? dim=None, int? mask_type=None) -> Tensor", masked_softmax);
  ops.add("aten::_native_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, Tensor? mask=None, bool need_weights=True, bool average_attn_weights=True, int? mask_type=None) -> (Tensor, Tensor)", multi_head_attention);
  ops.add("aten::_transformer_encoder_layer_fwd(Tensor src, int embed_dim, int num_heads, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, bool norm_first, float eps, Tensor norm_weight_1, Tensor norm_bias_1, Tensor norm_weight_2, Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor ffn_weight_2, Tensor ffn_bias_2, Tensor? mask=None, int? mask_type=None) -> Tensor", encoder_layer);
}

}  // namespace pt2::interp
