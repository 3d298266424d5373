// Rare operators and overloads, each a few lines.
#include <cmath>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/distributions.h"
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
using MaybeDType = std::optional<DType>;
using MaybeTensor = std::optional<Tensor>;
using MaybeFormat = std::optional<MemoryFormat>;
using Two = std::tuple<Tensor, Tensor>;

// ---- dtypes ----------------------------------------------------------------------------------------------------------------------------

DType result_type_tensors(const Tensor& tensor, const Tensor& other) { return result_type(tensor, other); }
DType result_type_scalar(const Tensor& tensor, Scalar other) { return result_type(tensor, other); }
DType result_type_scalar_tensor(Scalar scalar, const Tensor& tensor) { return result_type(scalar, tensor); }
DType result_type_scalars(Scalar a, Scalar b) { return result_type(a, b); }
bool is_signed(const Tensor& self) {
  return is_floating(self.dtype) || is_complex(self.dtype) || self.dtype == DType::Int8 || self.dtype == DType::Int16 || self.dtype == DType::Int32 || self.dtype == DType::Int64;
}
bool never(const Tensor&) { return false; }
int64_t cpu_index(const Tensor&) { return -1; }

// ---- Element by element ----------------------------------------------------------------------------------------------------------------

// self = mantissa · 2^exponent, the mantissa in [0.5, 1).
Two frexp(const Tensor& self) {
  check(is_floating(self.dtype), "torch.frexp() only supports floating-point dtypes");
  const Tensor mantissa = map<FloatTypes>({"frexp", self.dtype, self.dtype}, [](auto x) {
    int unused;
    return std::frexp(x, &unused);
  }, self);
  const Tensor exponent = map<FloatTypes>({"frexp", self.dtype, DType::Int32}, [](auto x) {
    int exponent = 0;
    if (std::isfinite(x)) std::frexp(x, &exponent);
    return static_cast<int64_t>(exponent);
  }, self);
  return {mantissa, exponent};
}
template <Target target>
Tensor with_number(const Tensor& self, Scalar other) { return call(target.text, self, wrapped_scalar(other)); }
template <Target target>
Tensor number_with(Scalar self, const Tensor& other) { return call(target.text, wrapped_scalar(self), other); }

// d glu(x) towards dx, where glu is the result.
Tensor glu_jvp(const Tensor& glu, const Tensor& x, const Tensor& dx, int64_t dim) {
  const int64_t half = glu.sizes.at(static_cast<size_t>(normalize_dim(dim, x.dim())));
  const Tensor gate = call("aten.sigmoid.default", narrow(x, dim, half, half));
  const Tensor da = narrow(dx, dim, 0, half), db = narrow(dx, dim, half, half);
  const Tensor rest = call("aten.sub.Tensor", db, call("aten.mul.Tensor", gate, db));
  return call("aten.add.Tensor", call("aten.mul.Tensor", da, gate), call("aten.mul.Tensor", rest, glu));
}

// ---- Products whose sum is kept in a wider type ----------------------------------------------------------------------------------------

template <Target target>
Tensor add_product(const Tensor& self, const Tensor& a, const Tensor& b, DType out, Scalar beta, Scalar alpha) {
  return call(target.text, to_dtype(self, out), to_dtype(a, out), to_dtype(b, out), beta, alpha);
}

// ---- Parts -----------------------------------------------------------------------------------------------------------------------------

// Each tensor cut into chunks along `dim`, zeros where the last is short; the chunks of one place side by side.
Tensor chunk_cat(const std::vector<Tensor>& tensors, int64_t dim, int64_t num_chunks) {
  check(!tensors.empty(), "_chunk_cat expects a non-empty input tensor list");
  check(checked_extent(num_chunks) >= 1, "_chunk_cat expects positive num_chunks");
  std::vector<Tensor> parts;
  for (const Tensor& t : tensors) {
    const int64_t d = normalize_dim(dim, t.dim());
    const int64_t size = t.sizes.at(static_cast<size_t>(d)), chunk = (size + num_chunks - 1) / num_chunks;
    Shape padded = t.sizes;
    padded[static_cast<size_t>(d)] = chunk * num_chunks;
    const Tensor whole = zeros(padded, t.dtype);
    copy_into(narrow(whole, d, 0, size), t);
    Shape sizes(t.sizes.begin(), t.sizes.begin() + d);
    sizes.push_back(num_chunks), sizes.push_back(-1);
    parts.push_back(reshape(whole, sizes));
  }
  return cat(parts, normalize_dim(dim, tensors[0].dim()) + 1);
}
std::vector<Tensor> dsplit_array(const Tensor& self, Ints indices) {
  check(self.dim() >= 3, "torch.dsplit requires a tensor with at least 3 dimension, but got a tensor with ", self.dim(), " dimensions!");
  return call_list("aten.tensor_split.indices", self, indices, 2);
}
Tensor reshape_alias_copy(const Tensor& self, Ints size, Ints stride) { return as_contiguous(to_dtype(as_strided(self, size, stride, self.offset), DType::Unknown)); }
Tensor negated_copy(const Tensor& self) { return call("aten.neg.default", self); }
Tensor itself(const Tensor& self, bool) { return self; }
Tensor at_level(const Tensor& self, int64_t) { return self; }
Tensor index_put_impl(const Tensor& self, const std::vector<MaybeTensor>& indices, const Tensor& values, bool accumulate, bool) {
  return call("aten.index_put.default", self, indices, values, accumulate);
}

// ---- Windows and grids -----------------------------------------------------------------------------------------------------------------

Tensor hamming_window(int64_t length, bool periodic, double alpha, MaybeDType dtype, Unused, Unused, Unused) {
  return call("aten.hamming_window.periodic_alpha_beta", length, periodic, alpha, 0.46, dtype);
}
Tensor cudnn_grid_sampler(const Tensor& self, const Tensor& grid) { return call("aten.grid_sampler_2d.default", self, grid, 0, 0, true); }
Tensor cudnn_affine_grid(const Tensor& theta, int64_t n, int64_t c, int64_t h, int64_t w) { return call("aten.affine_grid_generator.default", theta, Shape{n, c, h, w}, true); }
Tensor grid_sampler_fallback(const Tensor& input, const Tensor& grid, int64_t interpolation, int64_t padding, bool align_corners) {
  return call("aten.grid_sampler_2d.default", input, grid, interpolation, padding, align_corners);
}

// ---- Random numbers --------------------------------------------------------------------------------------------------------------------

Tensor rand_like(const KernelContext&, const Tensor& self, Unused, MaybeDType dtype, Unused, Unused, Unused, MaybeFormat format) {
  return call("aten.rand_like.default", self, dtype, std::nullopt, std::nullopt, std::nullopt, format);
}
Tensor randn_like(const KernelContext&, const Tensor& self, Unused, MaybeDType dtype, Unused, Unused, Unused, MaybeFormat format) {
  return call("aten.randn_like.default", self, dtype, std::nullopt, std::nullopt, std::nullopt, format);
}
Tensor randint_like(const KernelContext&, const Tensor& self, int64_t high, Unused, MaybeDType dtype, Unused, Unused, Unused, MaybeFormat format) {
  return call("aten.randint_like.default", self, high, dtype, std::nullopt, std::nullopt, std::nullopt, format);
}
Tensor randint_like_low(const KernelContext&, const Tensor& self, int64_t low, int64_t high, Unused, MaybeDType dtype, Unused, Unused, Unused, MaybeFormat format) {
  return call("aten.randint_like.low_dtype", self, low, high, dtype, std::nullopt, std::nullopt, std::nullopt, format);
}
Tensor prims_uniform(const KernelContext& c, Ints shape, Scalar low, Scalar high, DType dtype, Unused, Ints stride, Unused) {
  const Tensor result = empty_strided(shape, stride, dtype);
  fill_uniform(result, low.to_double(), high.to_double(), *c.generator);
  return result;
}
Tensor prims_normal(const KernelContext& c, Ints shape, Scalar mean, Scalar std, DType dtype, Unused, bool, Unused) {
  const Tensor result = empty(shape, dtype);
  fill_normal(result, mean.to_double(), std.to_double(), *c.generator);
  return result;
}

// ---- Gradients -------------------------------------------------------------------------------------------------------------------------

// Each gradient goes where the largest element was.
Tensor fractional_pool_backward(const Tensor& grad_output, const Tensor& self, Ints, Ints output_size, const Tensor& indices) {
  const size_t spatial = output_size.size();
  Shape planes(self.sizes.begin(), self.sizes.end() - static_cast<std::ptrdiff_t>(spatial));
  planes.push_back(-1);
  const Tensor empty_planes = reshape(zeros(self.sizes, self.dtype), planes);
  return view(call("aten.scatter_add.default", empty_planes, -1, reshape(indices, planes), reshape(grad_output, planes)), self.sizes);
}
using Three = std::tuple<MaybeTensor, MaybeTensor, MaybeTensor>;
Three batch_norm_backward(const Tensor& grad_out, const Tensor& input, const Tensor& weight, const MaybeTensor& running_mean, const MaybeTensor& running_var,
                          const MaybeTensor& save_mean, const MaybeTensor& save_var, bool update, double eps, const RuntimeValue& output_mask, const Tensor&) {
  const Results r = call_all("aten.native_batch_norm_backward.default", grad_out, input, weight, running_mean, running_var, save_mean, save_var, update, eps, output_mask);
  auto at = [&](size_t i) { return r.at(i).as<Tensor>() ? MaybeTensor(*r[i].as<Tensor>()) : std::nullopt; };
  return {at(0), at(1), at(2)};
}
// Mode 0: sums, 1: means, 2: largest elements.
Tensor embedding_bag_dense_backward(const Tensor& grad, const Tensor& indices, const Tensor& offset2bag, const Tensor& bag_size, const Tensor& maximum_indices,
                                    int64_t num_weights, bool scale_grad_by_freq, int64_t mode, const MaybeTensor& per_sample_weights, int64_t padding_idx) {
  constexpr int64_t kMean = 1, kMax = 2;
  if (mode == kMax) {
    const Tensor result = zeros(Shape{num_weights, grad.sizes.back()}, grad.dtype);
    const Tensor nonempty = unsqueeze(call("aten.gt.Scalar", bag_size, 0), 1);
    return call("aten.scatter_add.default", result, 0, maximum_indices, call("aten.mul.Tensor", grad, nonempty));
  }
  Tensor bags = grad;
  if (mode == kMean) bags = call("aten.div.Tensor", grad, unsqueeze(to_dtype(call("aten.clamp_min.default", bag_size, 1), grad.dtype), 1));
  Tensor rows = call("aten.index_select.default", bags, 0, offset2bag);
  if (per_sample_weights) rows = call("aten.mul.Tensor", rows, unsqueeze(*per_sample_weights, 1));
  return call("aten.embedding_dense_backward.default", rows, indices, num_weights, padding_idx, scale_grad_by_freq);
}
// Sums without padding leave no map from indices to bags: it follows from where the bags begin.
Tensor bags_of(const Tensor& indices, const Tensor& offsets, const Tensor& offset2bag) {
  if (offset2bag.numel() > 0 || indices.numel() == 0) return offset2bag;
  const Tensor places = call("aten.arange.default", indices.numel());
  return call("aten.sub.Scalar", call("aten.bucketize.Tensor", places, offsets, false, true), 1);
}
Tensor embedding_bag_backward(const Tensor& grad, const Tensor& indices, const Tensor& offsets, const Tensor& offset2bag, const Tensor& bag_size,
                              const Tensor& maximum_indices, int64_t num_weights, bool scale_grad_by_freq, int64_t mode, bool sparse, const MaybeTensor& per_sample_weights,
                              int64_t padding_idx) {
  check(!sparse, "_embedding_bag_backward: sparse gradients are not supported");
  return embedding_bag_dense_backward(grad, indices, bags_of(indices, offsets, offset2bag), bag_size, maximum_indices, num_weights, scale_grad_by_freq, mode,
                                      per_sample_weights, padding_idx);
}
// How each index's factor counts: its row's product with the gradient of its bag.
Tensor per_sample_weights_backward(const Tensor& grad, const Tensor& weight, const Tensor& indices, const Tensor& offsets, const Tensor& offset2bag, int64_t,
                                   int64_t padding_idx) {
  const Tensor rows = call("aten.index_select.default", weight, 0, indices);
  const Tensor bags = call("aten.index_select.default", grad, 0, bags_of(indices, offsets, offset2bag));
  const Tensor products = call("aten.sum.dim_IntList", call("aten.mul.Tensor", rows, bags), Shape{1});
  return call("aten.masked_fill.Scalar", products, call("aten.eq.Scalar", indices, padding_idx), 0);
}
// y = x · rstd · weight over the last dimensions.
std::tuple<MaybeTensor, MaybeTensor> rms_norm_backward(const Tensor& grad_out, const Tensor& input, Ints normalized_shape, const Tensor& rstd, const MaybeTensor& weight,
                                                       const RuntimeValue& output_mask) {
  const std::vector<bool> mask = Reader<std::vector<bool>>::read(output_mask);
  const auto count = static_cast<int64_t>(normalized_shape.size());
  Shape inner, outer;
  for (int64_t d = 0; d < input.dim(); ++d) (d < input.dim() - count ? outer : inner).push_back(d);
  auto times = [](const Tensor& a, const Tensor& b) { return call("aten.mul.Tensor", a, b); };
  const Tensor normal = times(input, rstd), g = weight ? times(grad_out, *weight) : grad_out;
  std::tuple<MaybeTensor, MaybeTensor> result;
  if (!mask.empty() && mask[0]) {
    const Tensor along = call("aten.mean.dim", times(g, normal), inner, true);
    std::get<0>(result) = to_dtype(times(rstd, call("aten.sub.Tensor", g, times(normal, along))), input.dtype);
  }
  if (mask.size() > 1 && mask[1] && weight) {
    const Tensor each = times(grad_out, normal);
    std::get<1>(result) = to_dtype(outer.empty() ? each : call("aten.sum.dim_IntList", each, outer), weight->dtype);
  }
  return result;
}

// ---- Layouts and quantization that a dense tensor does not have ---------------------------------------------------------------------------

Tensor dequantize(const Tensor& self) { return to_dtype(self, DType::Float32); }
Tensor to_dense(const Tensor& self, MaybeDType dtype, Unused) { return dtype && *dtype != self.dtype ? to_dtype(self, *dtype) : self; }

void add_dtypes(OpTable& ops) {
  ops.add("aten::result_type.Tensor(Tensor tensor, Tensor other) -> ScalarType", result_type_tensors);
  ops.add("aten::result_type.Scalar(Tensor tensor, Scalar other) -> ScalarType", result_type_scalar);
  ops.add("aten::result_type.Scalar_Tensor(Scalar scalar, Tensor tensor) -> ScalarType", result_type_scalar_tensor);
  ops.add("aten::result_type.Scalar_Scalar(Scalar scalar1, Scalar scalar2) -> ScalarType", result_type_scalars);
  ops.add("aten::promote_types(ScalarType type1, ScalarType type2) -> ScalarType", promote_types);
  ops.add("aten::can_cast(ScalarType from_, ScalarType to) -> bool", can_cast);
  ops.add("aten::is_signed(Tensor self) -> bool", is_signed);
  ops.add("aten::is_neg(Tensor self) -> bool", never);
  ops.add("aten::is_conj(Tensor self) -> bool", never);
  ops.add("aten::is_inference(Tensor self) -> bool", never);
  ops.add("aten::get_device(Tensor self) -> int", cpu_index);
}

void add_elementwise(OpTable& ops) {
  ops.add("aten::frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)", frexp);
  ops.add("prims::frexp(Tensor self) -> (Tensor mantissa, Tensor exponent)", frexp);
  ops.add("aten::special_xlogy.other_scalar(Tensor self, Scalar other) -> Tensor", with_number<"aten.special_xlogy.default">);
  ops.add("aten::special_xlogy.self_scalar(Scalar self, Tensor other) -> Tensor", number_with<"aten.special_xlogy.default">);
  ops.add("aten::special_xlog1py.other_scalar(Tensor self, Scalar other) -> Tensor", with_number<"aten.special_xlog1py.default">);
  ops.add("aten::special_xlog1py.self_scalar(Scalar self, Tensor other) -> Tensor", number_with<"aten.special_xlog1py.default">);
  ops.add("aten::glu_jvp(Tensor glu, Tensor x, Tensor dx, int dim) -> Tensor", glu_jvp);
  ops.add("aten::addmm.dtype(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1) -> Tensor", add_product<"aten.addmm.default">);
  ops.add("aten::baddbmm.dtype(Tensor self, Tensor batch1, Tensor batch2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1) -> Tensor", add_product<"aten.baddbmm.default">);
}

void add_parts(OpTable& ops) {
  ops.add("aten::_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor", chunk_cat);
  ops.add("aten::dsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", dsplit_array);
  ops.add("aten::_reshape_alias_copy(Tensor self, SymInt[] size, SymInt[] stride) -> Tensor", reshape_alias_copy);
  ops.add("aten::_neg_view_copy(Tensor self) -> Tensor", negated_copy);
  ops.add("aten::_fw_primal(Tensor(a) self, int level) -> Tensor(a)", at_level);
  ops.add("aten::_fw_primal_copy(Tensor self, int level) -> Tensor", at_level);
  ops.add("aten::requires_grad_(Tensor(a!) self, bool requires_grad=True) -> Tensor(a!)", itself);
  ops.add("aten::_index_put_impl(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, bool unsafe=False) -> Tensor", index_put_impl);
  ops.add("aten::hamming_window.periodic_alpha(int window_length, bool periodic, float alpha, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", hamming_window);
  ops.add("aten::cudnn_grid_sampler(Tensor self, Tensor grid) -> Tensor output", cudnn_grid_sampler);
  ops.add("aten::cudnn_affine_grid_generator(Tensor theta, int N, int C, int H, int W) -> Tensor grid", cudnn_affine_grid);
  ops.add("aten::_grid_sampler_2d_cpu_fallback(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor", grid_sampler_fallback);
  ops.add("aten::rand_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", rand_like);
  ops.add("aten::randn_like.generator(Tensor self, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", randn_like);
  ops.add("aten::randint_like.generator(Tensor self, SymInt high, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", randint_like);
  ops.add("aten::randint_like.low_generator_dtype(Tensor self, SymInt low, SymInt high, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor", randint_like_low);
  ops.add("prims::uniform(SymInt[] shape, *, Scalar low, Scalar high, ScalarType dtype, Device device, SymInt[] stride, Generator? generator=None) -> Tensor", prims_uniform);
  ops.add("prims::normal(SymInt[] shape, *, Scalar mean, Scalar std, ScalarType dtype, Device device, bool requires_grad, Generator? generator=None) -> Tensor", prims_normal);
}

void add_gradients_and_dense(OpTable& ops) {
  ops.add("aten::dequantize.self(Tensor self) -> Tensor", dequantize);
  ops.add("aten::to_dense(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor", to_dense);
  ops.add("aten::fractional_max_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] output_size, Tensor indices) -> Tensor", fractional_pool_backward);
  ops.add("aten::fractional_max_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] output_size, Tensor indices) -> Tensor", fractional_pool_backward);
  ops.add("aten::batch_norm_backward(Tensor grad_out, Tensor input, Tensor weight, Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_var, bool update, float eps, bool[3] output_mask, Tensor reserve) -> (Tensor, Tensor, Tensor)", batch_norm_backward);
  ops.add("aten::_embedding_bag_dense_backward(Tensor grad, Tensor indices, Tensor offset2bag, Tensor bag_size, Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int mode, Tensor? per_sample_weights, int padding_idx=-1) -> Tensor", embedding_bag_dense_backward);
  ops.add("aten::_embedding_bag_backward(Tensor grad, Tensor indices, Tensor offsets, Tensor offset2bag, Tensor bag_size, Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, int padding_idx=-1) -> Tensor", embedding_bag_backward);
  ops.add("aten::_embedding_bag_per_sample_weights_backward(Tensor grad, Tensor weight, Tensor indices, Tensor offsets, Tensor offset2bag, int mode, int padding_idx=-1) -> Tensor", per_sample_weights_backward);
  ops.add("aten::_fused_rms_norm_backward(Tensor grad_out, Tensor input, int[] normalized_shape, Tensor rstd, Tensor? weight, bool[2] output_mask) -> (Tensor, Tensor)", rms_norm_backward);
}

}  // namespace

void add_rare_ops(OpTable& ops) {
  add_dtypes(ops);
  add_elementwise(ops);
  add_parts(ops);
  add_gradients_and_dense(ops);
}

}  // namespace pt2::interp
