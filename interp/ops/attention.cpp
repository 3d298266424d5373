// Scaled dot-product attention, block by block of query rows: the whole matrix of scores never exists.
#include <algorithm>
#include <cmath>
#include <limits>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/kernels/matrix_kernels.h"
#include "interp/kernels/row_kernels.h"
#include "interp/kernels/vector_math.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/parallel.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using MaybeTensor = std::optional<Tensor>;

constexpr int64_t kQueryBlock = 64;  // rows of scores at a time

template <class T>
void product(const MatrixProduct<T>& p) {
  if constexpr (std::is_same_v<T, float>) matrix_kernels().product_f32(p);
  else matrix_kernels().product_f64(p);
}

// exp(x - largest) in place; their sum.
template <class T>
T exponentials(T* row, int64_t count) {
  T top = -std::numeric_limits<T>::infinity();
  for (int64_t j = 0; j < count; ++j) top = row[j] > top || std::isnan(row[j]) ? row[j] : top;
  row_kernels().of<T>().scale_shift(row, row, count, T(1), -top);
  vector_math().exp(row, row, count);
  double sum;
  if constexpr (std::is_same_v<T, float>) sum = vector_math().sum_f32(row, count);
  else sum = vector_math().sum_f64(row, count);
  return static_cast<T>(sum);
}

struct Attention {
  Tensor query, key, value;   // [batch, heads, length, features], in the compute type
  MaybeTensor mask;           // added to the scores, broadcast to [batch, heads, L, S]
  DType dtype = DType::Float32;  // of the inputs
  bool causal = false;
  double scale = 1;
  int64_t heads_per_key = 1;  // grouped queries
};

// Dense along features, as the product kernels read it.
Tensor dense_rows(const Tensor& t, DType dtype) {
  const Tensor typed = as_dtype(t, dtype);
  return typed.sizes.back() <= 1 || typed.strides.back() == 1 ? typed : as_contiguous(typed);
}

// out [batch, heads, L, Ev] of any strides with dense rows; log of the sum of exponentials per row where asked for.
template <class T>
void attend(const Attention& a, const Tensor& out, const Tensor* logsumexp) {
  const int64_t batch = a.query.sizes[0], heads = a.query.sizes[1], length = a.query.sizes[2], features = a.query.sizes[3];
  const int64_t keys = a.key.sizes[2], value_features = a.value.sizes[3];
  const int64_t blocks = (length + kQueryBlock - 1) / kQueryBlock;
  const T lowest = -std::numeric_limits<T>::infinity();
  parallel_for(batch * heads * blocks, grain_for(kQueryBlock * keys * (features + value_features) / 8), [&](int64_t begin, int64_t end) {
    const Scratch<T> scores(kQueryBlock * std::max<int64_t>(keys, 1)), divisors(kQueryBlock);
    for (int64_t task = begin; task < end; ++task) {
      const int64_t b = task / (heads * blocks), h = task / blocks % heads, first = task % blocks * kQueryBlock, rows = std::min(kQueryBlock, length - first);
      const int64_t kh = h / a.heads_per_key;
      MatrixProduct<T> p;
      p.m = rows, p.n = keys, p.k = features;
      p.a = a.query.data<T>() + b * a.query.strides[0] + h * a.query.strides[1] + first * a.query.strides[2];
      p.a_row = a.query.strides[2], p.a_column = 1;
      p.b = a.key.data<T>() + b * a.key.strides[0] + kh * a.key.strides[1];
      p.b_row = 1, p.b_column = a.key.strides[2];
      p.c = scores.data(), p.c_row = keys;
      product(p);
      for (int64_t i = 0; i < rows; ++i) {
        T* row = scores.data() + i * keys;
        row_kernels().of<T>().scale_shift(row, row, keys, static_cast<T>(a.scale), T(0));
        if (a.mask) {
          const T* mask = a.mask->data<T>() + b * a.mask->strides[0] + h * a.mask->strides[1] + (first + i) * a.mask->strides[2];
          for (int64_t j = 0; j < keys; ++j) row[j] += mask[j * a.mask->strides[3]];
        }
        if (a.causal) std::fill(row + std::min(keys, first + i + 1), row + keys, lowest);
        const bool nothing = std::all_of(row, row + keys, [&](T x) { return x == lowest; });
        if (logsumexp) {
          T top = lowest;
          for (int64_t j = 0; j < keys; ++j) top = std::max(top, row[j]);
          double sum = 0;
          for (int64_t j = 0; j < keys; ++j) sum += std::exp(static_cast<double>(row[j] - top));
          logsumexp->data<T>()[(b * heads + h) * length + first + i] = nothing ? lowest : static_cast<T>(static_cast<double>(top) + std::log(sum));
        }
        // A row that may look at nothing gives zeros, not NaN.
        if (nothing) std::fill(row, row + keys, T(0));
        divisors[i] = nothing ? T(1) : exponentials(row, keys);
      }
      // The weights are rounded to a half type before they meet the values, and divided by their sum after: as PyTorch's kernel does it.
      if (needs_rounding(native_dtype(compute_of<T>()), a.dtype)) round_to(a.dtype, compute_of<T>(), scores.data(), rows * keys);
      MatrixProduct<T> q;
      q.m = rows, q.n = value_features, q.k = keys;
      q.a = scores.data(), q.a_row = keys, q.a_column = 1;
      q.b = a.value.data<T>() + b * a.value.strides[0] + kh * a.value.strides[1];
      q.b_row = a.value.strides[2], q.b_column = 1;
      q.c = out.data<T>() + b * out.strides[0] + h * out.strides[1] + first * out.strides[2];
      q.c_row = out.strides[2];
      product(q);
      for (int64_t i = 0; i < rows; ++i) {
        T* row = q.c + i * q.c_row;
        row_kernels().of<T>().scale_shift(row, row, value_features, T(1) / divisors[i], T(0));
      }
    }
  });
}

// bool: where false, -inf; others as they are. Broadcast to `sizes`.
Tensor additive_mask(const Tensor& mask, const Shape& sizes, DType compute) {
  Tensor additive = mask;
  if (mask.dtype == DType::Bool) {
    additive = empty(mask.sizes, compute);
    dispatch(FloatTypes(), compute, "scaled_dot_product_attention", [&]<class T>() {
      const BlockOperand operands[] = {{&additive, compute_of<T>()}, {&mask, Compute::Bool}};
      map_blocks(mask.sizes, operands, 1, [](void* const* buffers, int64_t count) {
        for (int64_t i = 0; i < count; ++i)
          static_cast<T*>(buffers[0])[i] = static_cast<const bool*>(buffers[1])[i] ? T(0) : -std::numeric_limits<T>::infinity();
      });
    });
  }
  return expand_to(as_dtype(additive, compute), sizes);
}

// Any number of leading dimensions as one batch.
Tensor with_four_dims(const Tensor& t, const Shape& lead) {
  Shape sizes = lead;
  sizes.push_back(t.sizes[t.sizes.size() - 2]);
  sizes.push_back(t.sizes.back());
  Tensor x = expand_to(t, sizes);
  if (x.dim() == 4) return x;
  const int64_t n = checked_numel(lead);
  const Shape four{1, n, sizes[sizes.size() - 2], sizes.back()};
  if (auto strides = view_strides(x.sizes, x.strides, four)) return make_view(x, four, *strides, x.offset);
  x = as_contiguous(x);
  return make_view(x, four, contiguous_strides(four), x.offset);
}

// The same in the type and shape it has.
Tensor added_to_scores(const Tensor& mask, DType dtype) {
  if (mask.dtype != DType::Bool) return mask;
  return as_dtype(additive_mask(mask, mask.sizes, dtype == DType::Float64 ? DType::Float64 : DType::Float32), dtype);
}

struct Output { Tensor attention; Tensor logsumexp; };

Output attention(const Tensor& query, const Tensor& key, const Tensor& value, const MaybeTensor& mask, bool causal, std::optional<double> scale, bool gqa,
                 bool want_logsumexp) {
  const size_t dims = query.sizes.size();
  check(dims >= 2 && key.dim() >= 2 && value.dim() >= 2, "scaled_dot_product_attention: Expected query, key and value to be at least 2 dimensional, but got ",
        query.dim(), ", ", key.dim(), " and ", value.dim());
  check(query.dtype == key.dtype && query.dtype == value.dtype, "Expected query, key, and value to have the same dtype, but got query.dtype: ",
        scalar_type_name(query.dtype), " key.dtype: ", scalar_type_name(key.dtype), " and value.dtype: ", scalar_type_name(value.dtype));
  check(is_floating(query.dtype), "scaled_dot_product_attention: expected floating-point inputs, found ", query.dtype);
  check(query.sizes.back() == key.sizes.back(), "scaled_dot_product_attention: query has ", query.sizes.back(), " features, key ", key.sizes.back());
  check(key.sizes[key.sizes.size() - 2] == value.sizes[value.sizes.size() - 2], "scaled_dot_product_attention: key has length ",
        key.sizes[key.sizes.size() - 2], ", value ", value.sizes[value.sizes.size() - 2]);
  check(!mask || !causal, "scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True");
  const DType compute = query.dtype == DType::Float64 ? DType::Float64 : DType::Float32;
  Attention a;
  a.causal = causal;
  a.dtype = query.dtype;
  a.scale = scale.value_or(1 / std::sqrt(static_cast<double>(query.sizes.back())));
  Shape lead(query.sizes.begin(), query.sizes.end() - 2);
  if (gqa) {
    check(dims == 4 && key.dim() == 4 && value.dim() == 4 && key.sizes[1] > 0 && query.sizes[1] % key.sizes[1] == 0 && key.sizes[1] == value.sizes[1],
          "scaled_dot_product_attention: the number of heads of the query must be a multiple of that of key and value");
    a.heads_per_key = query.sizes[1] / key.sizes[1];
    a.query = query, a.key = key, a.value = value;
  } else {
    lead = broadcast_shapes(lead, std::span(key.sizes).first(key.sizes.size() - 2));
    lead = broadcast_shapes(lead, std::span(value.sizes).first(value.sizes.size() - 2));
    a.query = with_four_dims(query, lead), a.key = with_four_dims(key, lead), a.value = with_four_dims(value, lead);
  }
  a.query = dense_rows(a.query, compute), a.key = dense_rows(a.key, compute), a.value = dense_rows(a.value, compute);
  const int64_t length = query.sizes[dims - 2], keys = key.sizes[key.sizes.size() - 2];
  if (mask) {
    Shape sizes = lead;
    sizes.push_back(length);
    sizes.push_back(keys);
    a.mask = with_four_dims(additive_mask(*mask, sizes, compute), lead);
  }
  // PyTorch's kernel for the CPU gives the layout of the query; where it cannot be used, the results are contiguous.
  const int64_t b = a.query.sizes[0], h = a.query.sizes[1], ev = a.value.sizes[3];
  const Shape four{b, h, length, ev};
  auto dense_last = [](const Tensor& t) { return t.strides.back() == 1; };
  const bool fused = query.sizes == four && dense_last(query) && dense_last(key) && dense_last(value) && (!mask || dense_last(*mask));
  Shape strides = fused ? preserved_strides(query) : contiguous_strides(four);
  if (strides.back() != 1) strides = contiguous_strides(four);
  if (!fused) a.dtype = compute;  // as a formula, half types are computed in float to the end
  const Tensor out = empty_strided(four, strides, compute);
  Output result;
  if (want_logsumexp) result.logsumexp = empty(Shape{b, h, length}, compute);
  const Tensor* sums = want_logsumexp ? &result.logsumexp : nullptr;
  if (compute == DType::Float64) attend<double>(a, out, sums);
  else attend<float>(a, out, sums);
  result.attention = as_dtype(out, query.dtype);
  if (dims != 4) {
    Shape sizes = lead;
    sizes.push_back(length);
    sizes.push_back(ev);
    result.attention = make_view(result.attention, sizes, contiguous_strides(sizes), result.attention.offset);
  }
  return result;
}

Tensor scaled_dot_product_attention(const KernelContext&, const Tensor& query, const Tensor& key, const Tensor& value, const MaybeTensor& attn_mask, double dropout_p,
                                    bool is_causal, std::optional<double> scale, bool enable_gqa) {
  // With dropout PyTorch has no fused kernel on the CPU.
  if (dropout_p > 0)
    return call("aten._scaled_dot_product_attention_math.default", query, key, value, attn_mask ? MaybeTensor(added_to_scores(*attn_mask, query.dtype)) : attn_mask, dropout_p, is_causal, std::nullopt, scale, enable_gqa);
  return attention(query, key, value, attn_mask, is_causal, scale, enable_gqa, false).attention;
}

std::tuple<Tensor, Tensor> flash_attention_for_cpu(const Tensor& query, const Tensor& key, const Tensor& value, double dropout_p, bool is_causal,
                                                   const MaybeTensor& attn_mask, std::optional<double> scale) {
  check(dropout_p == 0, "_scaled_dot_product_flash_attention_for_cpu: Currently do not support dropout > 0");
  Output o = attention(query, key, value, attn_mask, is_causal, scale, false, true);
  return {o.attention, o.logsumexp};
}

}  // namespace

void add_attention_ops(OpTable& ops) {
  ops.add("aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor", scaled_dot_product_attention);
  ops.add("aten::_scaled_dot_product_flash_attention_for_cpu(Tensor query, Tensor key, Tensor value, float dropout_p=0.0, bool is_causal=False, *, Tensor? attn_mask=None, float? scale=None) -> (Tensor output, Tensor logsumexp)", flash_attention_for_cpu);
}

}  // namespace pt2::interp
