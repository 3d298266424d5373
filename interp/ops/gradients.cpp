// Gradients that joint and training graphs hold: of losses, distances, reductions and indexing. Each is a formula of other operators.
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
using Ints = std::span<const int64_t>;
using Two = std::tuple<Tensor, Tensor>;
using Three = std::tuple<MaybeTensor, MaybeTensor, MaybeTensor>;

enum class Reduction : int64_t { None, Mean, Sum };

Tensor times(const Tensor& a, const Tensor& b) { return call("aten.mul.Tensor", a, b); }
Tensor minus(const Tensor& a, const Tensor& b) { return call("aten.sub.Tensor", a, b); }

// ---- Losses ----------------------------------------------------------------------------------------------------------------------------

// slope(input, target) times the outer gradient, which is one number where the loss was reduced.
template <class Slope>
Tensor loss_gradient(std::string_view name, const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction, Slope slope) {
  const DType common = result_type(self, target);
  check(is_floating(common), "\"", name, "\" not implemented for '", scalar_type_name(common), "'");
  const double count = static_cast<double>(checked_numel(broadcast_shapes(self.sizes, target.sizes)));
  const double share = static_cast<Reduction>(reduction) == Reduction::Mean ? 1 / count : 1;
  return map<FloatTypes>({name, common, common}, [=]<class T>(T x, T t, T g) { return static_cast<T>(static_cast<T>(share) * g * slope(x, t)); }, self, target, grad_output);
}

Tensor smooth_l1_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction, double beta) {
  return loss_gradient("smooth_l1_loss_backward", grad_output, self, target, reduction, [beta]<class T>(T x, T t) {
    const T d = x - t, limit = static_cast<T>(beta);
    return d <= -limit ? T(-1) : d >= limit ? T(1) : d / limit;
  });
}
Tensor huber_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction, double delta) {
  return loss_gradient("huber_loss_backward", grad_output, self, target, reduction,
                       [delta]<class T>(T x, T t) { return std::clamp(x - t, static_cast<T>(-delta), static_cast<T>(delta)); });
}
Tensor soft_margin_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction) {
  return loss_gradient("soft_margin_loss_backward", grad_output, self, target, reduction, []<class T>(T x, T t) {
    const T z = std::exp(-t * x);
    return -t * z / (1 + z);
  });
}
Tensor bce_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, const MaybeTensor& weight, int64_t reduction) {
  const Tensor gradient = loss_gradient("binary_cross_entropy_backward", grad_output, self, target, reduction,
                                        []<class T>(T x, T t) { return (x - t) / std::max((1 - x) * x, T(1e-12)); });
  return weight ? times(gradient, *weight) : gradient;
}

// ---- Distances -------------------------------------------------------------------------------------------------------------------------

Tensor euclidean_dist(const Tensor& x1, const Tensor& x2) { return call("aten._cdist_forward.default", x1, x2, 2.0); }

// d |a - b|_p / d a, element by element of the differences.
Tensor distance_slopes(const Tensor& difference, const Tensor& distance, double p) {
  const Tensor sign = call("aten.sign.default", difference), size = call("aten.abs.default", difference);
  if (p == 0) return zeros(difference.sizes, difference.dtype);
  if (p == 1) return sign;
  Tensor slopes;
  if (std::isinf(p)) slopes = times(sign, to_dtype(call("aten.eq.Tensor", size, distance), difference.dtype));
  else if (p == 2) slopes = call("aten.div.Tensor", difference, distance);
  else slopes = call("aten.div.Tensor", times(sign, call("aten.pow.Tensor_Scalar", size, p - 1)), call("aten.pow.Tensor_Scalar", distance, p - 1));
  return call("aten.masked_fill.Scalar", slopes, call("aten.eq.Scalar", distance, 0), 0.0);
}
Tensor cdist_backward(const Tensor& grad, const Tensor& x1, const Tensor& x2, double p, const Tensor& cdist) {
  const Tensor difference = minus(unsqueeze(x1, -2), unsqueeze(x2, -3));
  const Tensor slopes = distance_slopes(difference, unsqueeze(cdist, -1), p);
  return call("aten.sum.dim_IntList", times(unsqueeze(grad, -1), slopes), Shape{-2});
}
Tensor pdist_backward(const Tensor& grad, const Tensor& self, double p, const Tensor& pdist) {
  const int64_t n = self.sizes.at(0);
  const Tensor pairs = call("aten.triu_indices.default", n, n, 1), first = select(pairs, 0, 0), second = select(pairs, 0, 1);
  auto rows = [&](const Tensor& at) { return call("aten.index_select.default", self, 0, at); };
  const Tensor each = times(unsqueeze(grad, -1), distance_slopes(minus(rows(first), rows(second)), unsqueeze(pdist, -1), p));
  const Tensor sum = call("aten.index_add.default", zeros(self.sizes, self.dtype), 0, first, each);
  return call("aten.index_add.default", sum, 0, second, each, -1);
}

// ---- Indexing and reductions -----------------------------------------------------------------------------------------------------------

Tensor value_selecting_backward(const Tensor& grad, int64_t dim, const Tensor& indices, Ints sizes, bool keepdim) {
  const bool reduced = !keepdim && !sizes.empty();
  const Tensor g = reduced ? unsqueeze(grad, dim) : grad, at = reduced ? unsqueeze(indices, dim) : indices;
  return call("aten.scatter.src", zeros(sizes, g.dtype), dim, at, g);
}
Tensor index_select_backward(const Tensor& grad, Ints sizes, int64_t dim, const Tensor& index) {
  return call("aten.index_add.default", zeros(sizes, grad.dtype), dim, index, grad);
}
Tensor gather_backward(const Tensor& grad, const Tensor& self, int64_t dim, const Tensor& index, bool) {
  return call("aten.scatter_add.default", zeros(self.sizes, grad.dtype), dim, index, grad);
}
Tensor masked_select_backward(const Tensor& grad, const Tensor& input, const Tensor& mask) {
  const Shape sizes = broadcast_shapes(input.sizes, mask.sizes);
  return call("aten.masked_scatter.default", zeros(sizes, grad.dtype), mask, grad);
}
Tensor masked_scatter_backward(const Tensor& grad_output, const Tensor& mask, Ints sizes) {
  const Tensor selected = call("aten.masked_select.default", grad_output, mask);
  const int64_t count = checked_numel(sizes), given = std::min(count, selected.numel());
  const Tensor result = zeros(Shape{count}, grad_output.dtype);
  copy_into(narrow(result, 0, 0, given), narrow(selected, 0, 0, given));
  return view(result, sizes);
}
Tensor trace_backward(const Tensor& grad, Ints sizes) {
  check(sizes.size() == 2, "expected matrix input");
  const Tensor result = zeros(sizes, grad.dtype);
  copy_into(diagonal(result, 0, 0, 1), grad);
  return result;
}
Tensor cummaxmin_backward(const Tensor& grad, const Tensor& input, const Tensor& indices, int64_t dim) {
  return call("aten.scatter_add.default", zeros(input.sizes, grad.dtype), dim, indices, grad);
}
Tensor embedding_backward(const Tensor& grad, const Tensor& indices, int64_t num_weights, int64_t padding_idx, bool scale_grad_by_freq, bool sparse) {
  check(!sparse, "embedding_backward: the gradient is a sparse tensor, which is not evaluated");
  return call("aten.embedding_dense_backward.default", grad, indices, num_weights, padding_idx, scale_grad_by_freq);
}
Tensor masked_index_put_accumulate(const Tensor& self, const Tensor& mask, const std::vector<MaybeTensor>& indices, const Tensor& values) {
  std::vector<MaybeTensor> safe;
  for (size_t d = 0; d < indices.size(); ++d)
    safe.push_back(indices[d] ? MaybeTensor(call("aten.clamp.default", *indices[d], 0, self.sizes.at(d) - 1)) : std::nullopt);
  const Tensor kept = call("aten.masked_fill.Scalar", values, call("aten.logical_not.default", mask), 0);
  return call("aten.index_put.default", self, safe, kept, true);
}
Tensor rrelu_backward(const Tensor& grad_output, const Tensor& self, const Tensor& noise, Scalar lower, Scalar upper, bool training, bool self_is_result) {
  if (training && upper.to_double() - lower.to_double() > 1e-6) return times(grad_output, noise);
  return call("aten.leaky_relu_backward.default", grad_output, self, (lower.to_double() + upper.to_double()) / 2, self_is_result);
}
Tensor fake_quantize_backward(const Tensor& grad, const Tensor& mask) {
  check(mask.dtype == DType::Bool && mask.sizes == grad.sizes, "fake_quantize: mask must be bool and of the gradient's shape");
  return times(grad, mask);
}

// ---- Layers ----------------------------------------------------------------------------------------------------------------------------

bool wanted(const std::vector<bool>& mask, size_t i) { return i < mask.size() && mask[i]; }
std::vector<bool> bools(const RuntimeValue& mask) { return Reader<std::vector<bool>>::read(mask); }

Three linear_backward(const Tensor& self, const Tensor& grad_output, const Tensor& weight, const RuntimeValue& output_mask) {
  const std::vector<bool> mask = bools(output_mask);
  const Tensor rows = reshape(grad_output, Shape{-1, grad_output.sizes.back()});
  Three result;
  if (wanted(mask, 0)) std::get<0>(result) = call("aten.matmul.default", grad_output, weight);
  if (wanted(mask, 1)) std::get<1>(result) = call("aten.mm.default", transpose(rows, 0, 1), reshape(self, Shape{-1, self.sizes.back()}));
  if (wanted(mask, 2)) std::get<2>(result) = call("aten.sum.dim_IntList", rows, Shape{0});
  return result;
}
// w = v · g / |v|, norms over all dimensions but `dim`.
Two weight_norm_backward(const Tensor& grad_w, const Tensor& saved_v, const Tensor& saved_g, const Tensor& saved_norms, int64_t dim) {
  Shape others;
  for (int64_t d = 0; d < saved_v.dim(); ++d)
    if (d != normalize_dim(dim, saved_v.dim())) others.push_back(d);
  const Tensor norms = to_dtype(saved_norms, saved_g.dtype);
  const Tensor along = call("aten.sum.dim_IntList", times(grad_w, saved_v), others, true);
  const Tensor towards = call("aten.div.Tensor", along, call("aten.pow.Tensor_Scalar", norms, 2));
  const Tensor grad_v = times(call("aten.div.Tensor", saved_g, norms), minus(grad_w, times(saved_v, towards)));
  return {grad_v, call("aten.div.Tensor", along, norms)};
}
// grad_theta [N, 2, 3] or [N, 3, 4] of a grid that is linear in it: by the grid of the unit transformations.
Tensor affine_grid_backward(const Tensor& grad, Ints size, bool align_corners) {
  const auto spatial = static_cast<int64_t>(size.size()) - 2;
  check(spatial == 2 || spatial == 3, "AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.");
  // The coordinates themselves come out of the identity, and a column of ones is added.
  const Tensor identity = unsqueeze(narrow(call("aten.eye.default", spatial + 1, grad.dtype), 0, 0, spatial), 0);
  Shape one(size.begin(), size.end());
  one[0] = 1;
  const Tensor grid = reshape(call("aten.affine_grid_generator.default", identity, one, align_corners), Shape{-1, spatial});
  const Tensor base = cat({grid, full(Shape{grid.sizes[0], 1}, grad.dtype, Scalar(1))}, 1);
  const Tensor rows = reshape(grad, Shape{size[0], -1, spatial});
  return transpose(call("aten.matmul.default", transpose(base, 0, 1), rows), 1, 2);
}

}  // namespace

void add_gradient_ops(OpTable& ops) {
  ops.add("aten::smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float beta) -> Tensor", smooth_l1_backward);
  ops.add("aten::huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, float delta) -> Tensor", huber_backward);
  ops.add("aten::soft_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor", soft_margin_backward);
  ops.add("aten::binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor", bce_backward);
  ops.add("aten::_euclidean_dist(Tensor x1, Tensor x2) -> Tensor", euclidean_dist);
  ops.add("aten::_cdist_backward(Tensor grad, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor", cdist_backward);
  ops.add("aten::_pdist_backward(Tensor grad, Tensor self, float p, Tensor pdist) -> Tensor", pdist_backward);
  ops.add("aten::value_selecting_reduction_backward(Tensor grad, int dim, Tensor indices, SymInt[] sizes, bool keepdim) -> Tensor", value_selecting_backward);
  ops.add("aten::index_select_backward(Tensor grad, SymInt[] self_sizes, int dim, Tensor index) -> Tensor", index_select_backward);
  ops.add("aten::gather_backward(Tensor grad, Tensor self, int dim, Tensor index, bool sparse_grad) -> Tensor", gather_backward);
  ops.add("aten::masked_select_backward(Tensor grad, Tensor input, Tensor mask) -> Tensor", masked_select_backward);
  ops.add("aten::masked_scatter_backward(Tensor grad_output, Tensor mask, SymInt[] sizes) -> Tensor", masked_scatter_backward);
  ops.add("aten::trace_backward(Tensor grad, SymInt[] sizes) -> Tensor", trace_backward);
  ops.add("aten::cummaxmin_backward(Tensor grad, Tensor input, Tensor indices, int dim) -> Tensor", cummaxmin_backward);
  ops.add("aten::embedding_backward(Tensor grad, Tensor indices, SymInt num_weights, SymInt padding_idx, bool scale_grad_by_freq, bool sparse) -> Tensor", embedding_backward);
  ops.add("aten::_unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] indices, Tensor values) -> Tensor", masked_index_put_accumulate);
  ops.add("aten::rrelu_with_noise_backward(Tensor grad_output, Tensor self, Tensor noise, Scalar lower, Scalar upper, bool training, bool self_is_result) -> Tensor", rrelu_backward);
  ops.add("aten::fake_quantize_per_tensor_affine_cachemask_backward(Tensor grad, Tensor mask) -> Tensor", fake_quantize_backward);
  ops.add("aten::fake_quantize_per_channel_affine_cachemask_backward(Tensor grad, Tensor mask) -> Tensor", fake_quantize_backward);
  ops.add("aten::linear_backward(Tensor self, Tensor grad_output, Tensor weight, bool[3] output_mask) -> (Tensor, Tensor, Tensor)", linear_backward);
  ops.add("aten::_weight_norm_interface_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor saved_norms, int dim) -> (Tensor, Tensor)", weight_norm_backward);
  ops.add("aten::affine_grid_generator_backward(Tensor grad, SymInt[] size, bool align_corners) -> Tensor", affine_grid_backward);
}

}  // namespace pt2::interp
