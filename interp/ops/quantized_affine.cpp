// torchao's quantization: scales and zero points for blocks of any shape.
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
using MaybeScalar = std::optional<Scalar>;
using MaybeDType = std::optional<DType>;
using MaybeString = std::optional<std::string_view>;
using Ints = std::span<const int64_t>;

struct Limits { double low, high; };
Limits limits_of(DType dtype, const MaybeScalar& low, const MaybeScalar& high) {
  auto whole = [&]() -> Limits {
    switch (dtype) {
      case DType::UInt8: return {0, 255};
      case DType::Int8: return {-128, 127};
      case DType::Int16: return {-32768, 32767};
      case DType::Int32: return {-2147483648.0, 2147483647.0};
      case DType::Float8E4M3Fn: return {-448, 448};
      case DType::Float8E5M2: return {-57344, 57344};
      default: fail("torchao: ", dtype, " has no limits to quantize to");
    }
  };
  if (low && high) return {low->to_double(), high->to_double()};
  const Limits all = whole();
  return {low ? low->to_double() : all.low, high ? high->to_double() : all.high};
}

// Each dimension as (blocks, elements of a block); block sizes of -1 take the whole dimension.
struct Blocks {
  Shape split;           // sizes with the blocks' own dimensions
  Shape parameters;      // the same with size 1 for what a block holds
  Shape block_dims;      // the dimensions inside the blocks
  Shape results;         // of a number per block: a dimension that is one block has none
  Shape kept_results;    // but with keepdim, where a dimension that is cut has a second of size 1
};
Blocks blocks_of(const Shape& sizes, Ints block_size) {
  const bool whole = block_size.size() == 1 && block_size[0] == -1;
  check(whole || block_size.size() == sizes.size(), "torchao: expected a block size for each of ", sizes.size(), " dimensions, found ", block_size.size());
  Blocks b;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const int64_t block = whole || block_size[d] == -1 ? sizes[d] : block_size[d];
    check(block > 0 ? sizes[d] % block == 0 : sizes[d] == 0, "torchao: dimension ", d, " of size ", sizes[d], " is not divisible by the block size ", block);
    const int64_t count = block > 0 ? sizes[d] / block : 1;
    b.block_dims.push_back(static_cast<int64_t>(b.split.size()) + 1);
    b.split.push_back(count), b.split.push_back(block);
    b.parameters.push_back(count), b.parameters.push_back(1);
    const bool one_block = block == sizes[d] && block != 1, cut = block != sizes[d] && block > 1;
    if (!one_block) b.results.push_back(count);
    b.kept_results.push_back(count);
    if (cut) b.kept_results.push_back(1);
  }
  return b;
}
Tensor per_block(const Tensor& parameter, const Blocks& b) { return reshape(parameter, b.parameters); }

bool in_floats(const MaybeString& domain) { return domain && *domain == "FLOAT"; }
double middle(const Limits& l) { return (l.high + l.low + 1) / 2; }

Tensor quantize_affine(const Tensor& input, Ints block_size, const Tensor& scale, const MaybeTensor& zero_point, DType output_dtype, MaybeScalar quant_min,
                       MaybeScalar quant_max, MaybeString zero_point_domain) {
  const Limits l = limits_of(output_dtype, quant_min, quant_max);
  const Blocks b = blocks_of(input.sizes, block_size);
  const Tensor x = reshape(input, b.split), s = per_block(scale, b);
  Tensor q;
  if (in_floats(zero_point_domain)) {
    check(zero_point.has_value(), "torchao: zero points in floats must be given");
    const Tensor lowest = call("aten.sub.Tensor", per_block(*zero_point, b), call("aten.mul.Scalar", s, middle(l)));
    q = call("aten.round.default", call("aten.div.Tensor", call("aten.sub.Tensor", x, lowest), s));
  } else {
    q = call("aten.round.default", call("aten.mul.Tensor", x, call("aten.reciprocal.default", s)));
    if (zero_point) q = call("aten.add.Tensor", q, per_block(*zero_point, b));
  }
  return to_dtype(reshape(call("aten.clamp.default", q, l.low, l.high), input.sizes), output_dtype);
}

Tensor dequantize_affine(const Tensor& input, Ints block_size, const Tensor& scale, const MaybeTensor& zero_point, DType input_dtype, MaybeScalar quant_min,
                         MaybeScalar quant_max, MaybeString zero_point_domain, DType output_dtype) {
  const Blocks b = blocks_of(input.sizes, block_size);
  const Tensor q = reshape(input, b.split), s = per_block(scale, b);
  Tensor x;
  if (in_floats(zero_point_domain)) {
    x = to_dtype(call("aten.sub.Scalar", q, middle(limits_of(input_dtype, quant_min, quant_max))), output_dtype);
    x = call("aten.mul.Tensor", x, s);
    if (zero_point) x = call("aten.add.Tensor", x, per_block(*zero_point, b));
  } else {
    x = is_floating(input.dtype) ? q : to_dtype(q, DType::Int32);
    if (zero_point) x = call("aten.sub.Tensor", x, to_dtype(per_block(*zero_point, b), DType::Int32));
    x = call("aten.mul.Tensor", to_dtype(x, output_dtype), s);
  }
  return to_dtype(reshape(x, input.sizes), output_dtype);
}

double epsilon_of(DType dtype) {
  switch (dtype) {
    case DType::Float64: return std::numeric_limits<double>::epsilon();
    case DType::Float16: return 0x1p-10;
    case DType::BFloat16: return 0x1p-7;
    default: return std::numeric_limits<float>::epsilon();
  }
}

// → (scale, zero point), one of each for every block.
std::tuple<Tensor, Tensor> choose_qparams_affine(const Tensor& input, std::string_view mapping_type, Ints block_size, DType target_dtype, MaybeScalar quant_min,
                                                 MaybeScalar quant_max, std::optional<double> eps, MaybeDType scale_dtype, MaybeDType zero_point_dtype, bool keepdim) {
  const Limits l = limits_of(target_dtype, quant_min, quant_max);
  const Blocks b = blocks_of(input.sizes, block_size);
  const Tensor x = reshape(input, b.split);
  const Tensor low = call("aten.clamp.default", call("aten.amin.default", x, b.block_dims), std::nullopt, 0);
  const Tensor high = call("aten.clamp.default", call("aten.amax.default", x, b.block_dims), 0);
  const double least = eps.value_or(epsilon_of(input.dtype));
  Tensor scale, zero_point;
  if (mapping_type == "ASYMMETRIC") {
    scale = call("aten.clamp.default", call("aten.div.Scalar", call("aten.sub.Tensor", high, low), l.high - l.low), least);
    zero_point = call("aten.rsub.Scalar", call("aten.round.default", call("aten.div.Tensor", low, scale)), l.low);
    zero_point = call("aten.clamp.default", zero_point, l.low, l.high);
  } else {
    check(mapping_type == "SYMMETRIC" || mapping_type == "SYMMETRIC_NO_CLIPPING_ERR", "Unsupported mapping type: ", mapping_type);
    if (mapping_type == "SYMMETRIC")
      scale = call("aten.div.Scalar", call("aten.maximum.default", call("aten.neg.default", low), high), (l.high - l.low) / 2);
    else
      scale = call("aten.maximum.default", call("aten.div.Scalar", low, l.low), call("aten.div.Scalar", high, l.high));
    scale = call("aten.clamp.default", scale, least);
    zero_point = full(scale.sizes, scale.dtype, Scalar(std::trunc(middle(l))));
  }
  const Shape& sizes = keepdim ? b.kept_results : b.results;
  scale = reshape(scale, sizes), zero_point = reshape(zero_point, sizes);
  return {to_dtype(scale, scale_dtype.value_or(input.dtype)), to_dtype(zero_point, zero_point_dtype.value_or(DType::Int32))};
}

}  // namespace

void add_quantized_affine_ops(OpTable& ops) {
  ops.add("torchao::quantize_affine(Tensor input, SymInt[] block_size, Tensor scale, Tensor? zero_point, ScalarType output_dtype, Scalar? quant_min=None, Scalar? quant_max=None, str? zero_point_domain=\"INT\") -> Tensor", quantize_affine);
  ops.add("torchao::dequantize_affine(Tensor input, SymInt[] block_size, Tensor scale, Tensor? zero_point, ScalarType input_dtype, Scalar? quant_min=None, Scalar? quant_max=None, str? zero_point_domain=\"INT\", ScalarType output_dtype=6) -> Tensor", dequantize_affine);
  ops.add("torchao::choose_qparams_affine(Tensor input, str mapping_type, SymInt[] block_size, ScalarType target_dtype, Scalar? quant_min=None, Scalar? quant_max=None, float? eps=None, ScalarType? scale_dtype=None, ScalarType? zero_point_dtype=None, bool keepdim=False) -> (Tensor, Tensor)", choose_qparams_affine);
}

}  // namespace pt2::interp
