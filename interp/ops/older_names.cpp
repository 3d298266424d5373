// Operators under other names: those of a backend's or an older release's graphs, and in-place forms that end in two underscores.
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

using Ints = std::span<const int64_t>;
using MaybeTensor = std::optional<Tensor>;
using MaybeDType = std::optional<DType>;
using Two = std::tuple<Tensor, Tensor>;
using Three = std::tuple<Tensor, Tensor, Tensor>;
using Four = std::tuple<Tensor, Tensor, Tensor, Tensor>;

Tensor result(const Results& results, size_t i) { return *results.at(i).as<Tensor>(); }

// ---- What a tensor is ------------------------------------------------------------------------------------------------------------------

int64_t size_int(const Tensor& self, int64_t dim) {
  check(self.dim() > 0, "Dimension specified as ", dim, " but tensor has no dimensions");
  return self.sizes[static_cast<size_t>(normalize_dim(dim, self.dim()))];
}
int64_t stride_int(const Tensor& self, int64_t dim) {
  check(self.dim() > 0, "Dimension specified as ", dim, " but tensor has no dimensions");
  return self.strides[static_cast<size_t>(normalize_dim(dim, self.dim()))];
}
std::vector<int64_t> size(const Tensor& self) { return {self.sizes.begin(), self.sizes.end()}; }
std::vector<int64_t> stride(const Tensor& self) { return {self.strides.begin(), self.strides.end()}; }
int64_t numel(const Tensor& self) { return self.numel(); }
int64_t dim(const Tensor& self) { return self.dim(); }
int64_t storage_offset(const Tensor& self) { return self.offset; }
bool is_contiguous(const Tensor& self) { return is_contiguous_as(self, MemoryFormat::Contiguous); }
bool is_contiguous_in(const Tensor& self, MemoryFormat format) { return is_contiguous_as(self, format); }
bool is_complex_tensor(const Tensor& self) { return is_complex(self.dtype); }
bool is_floating_point(const Tensor& self) { return is_floating(self.dtype); }
bool is_same_size(const Tensor& self, const Tensor& other) { return self.sizes == other.sizes; }
Tensor shape_as_tensor(const Tensor& self) {
  const Tensor shape = empty(Shape{self.dim()}, DType::Int64);
  std::copy(self.sizes.begin(), self.sizes.end(), shape.data<int64_t>());
  return shape;
}
Tensor dim_arange(const Tensor& like, int64_t dim) { return call("aten.arange.default", size_int(like, dim)); }
Tensor reshape_from_tensor(const Tensor& self, const Tensor& shape) {
  check(shape.dim() == 1, "reshape_from_tensor: shape must be a 1-D tensor");
  const Tensor dense = as_contiguous(shape, DType::Int64);
  return reshape(self, Shape(dense.data<int64_t>(), dense.data<int64_t>() + dense.numel()));
}

// ---- Views and copies ------------------------------------------------------------------------------------------------------------------

Tensor alias(const Tensor& self) { return self; }
Tensor reshape_alias(const Tensor& self, Ints size, Ints stride) { return as_strided(self, size, stride, self.offset); }
Tensor ravel(const Tensor& self) { return reshape(as_contiguous(self), Shape{-1}); }
Tensor neg_view(const Tensor& self) { return call("aten.neg.default", self); }
Tensor lazy_clone(const Tensor& self) { return to_dtype(self, DType::Unknown); }
Tensor pin_memory(const Tensor& self, Unused) { return self; }
std::vector<Tensor> to_cpu(const std::vector<Tensor>& tensors) { return tensors; }
Tensor stack_op(const std::vector<Tensor>& tensors, int64_t dim) { return stack(tensors, dim); }
Tensor cast_to(const Tensor& self, DType dtype) { return call("aten.to.dtype", self, dtype); }
template <DType dtype>
Tensor cast(const Tensor& self, bool) { return cast_to(self, dtype); }
Tensor chalf(const Tensor& self, std::optional<MemoryFormat> format) { return call("aten.to.dtype", self, DType::Complex32, false, false, format); }
Tensor resize(const Tensor& self, Ints size, std::optional<MemoryFormat> format) { return call("aten.resize_.default", to_dtype(self, DType::Unknown), size, format); }
Tensor resize_as(const Tensor& self, const Tensor& the_template, std::optional<MemoryFormat> format) { return resize(self, the_template.sizes, format); }
Tensor slice_inverse(const Tensor& self, const Tensor& src, int64_t, std::optional<int64_t>, std::optional<int64_t>, int64_t) {
  return as_strided(self, src.sizes, src.strides, src.offset);
}
Tensor narrow_tensor(const Tensor& self, int64_t dim, const Tensor& start, int64_t length) {
  check(start.dim() == 0 && is_integral(start.dtype), "start must be an 0-dim integral Tensor.");
  return call("aten.narrow.default", self, dim, *as_contiguous(start, DType::Int64).data<int64_t>(), length);
}
std::vector<Tensor> tensor_split_tensor(const Tensor& self, const Tensor& where, int64_t dim) {
  check(where.dtype == DType::Int64, "tensor_split expected tensor_indices_or_sections to have dtype of long, but got ", where.dtype);
  check(where.dim() <= 1, "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but got a tensor with ", where.dim(), " dims");
  const Tensor dense = as_contiguous(where);
  if (where.dim() == 0) return call_list("aten.tensor_split.sections", self, *dense.data<int64_t>(), dim);
  return call_list("aten.tensor_split.indices", self, Shape(dense.data<int64_t>(), dense.data<int64_t>() + dense.numel()), dim);
}
Tensor pad_enum(const Tensor& self, Ints pad, int64_t mode, std::optional<double> value) {
  constexpr std::string_view kModes[] = {"reflect", "replicate", "circular", "constant"};
  check(mode >= 0 && mode < 4, "Unrecognised padding mode ", mode);
  return call("aten.pad.default", self, pad, kModes[mode], value);
}
Tensor fill_diagonal(const Tensor& self, Scalar value, bool wrap) {
  check(self.dim() >= 2, "dimensions must larger than 1");
  const int64_t height = self.sizes[0], width = self.sizes[1];
  for (int64_t s : self.sizes) check(self.dim() == 2 || s == height, "all dimensions of input must be of equal length");
  int64_t step = 0, shortest = self.sizes[0];
  for (int64_t d = 0; d < self.dim(); ++d) step += self.strides[static_cast<size_t>(d)], shortest = std::min(shortest, self.sizes[static_cast<size_t>(d)]);
  fill(as_strided(self, Shape{shortest}, Shape{step}, self.offset), value);
  // Tall matrices: the diagonal starts again behind a row between.
  if (wrap && self.dim() == 2 && height > width + 1) {
    const int64_t start = self.offset + step * shortest, count = (self.numel() + (width + 1) - 1) / (width + 1) - shortest;
    fill(as_strided(self, Shape{count}, Shape{step}, start), value);
  }
  return self;
}

// ---- linspace with tensors at its ends -------------------------------------------------------------------------------------------------

Scalar end_of(const Tensor& t, std::string_view name, std::string_view which) {
  check(t.dim() == 0, name, " only supports 0-dimensional start and end tensors, but got ", which, " with ", t.dim(), " dimension(s).");
  return Scalar(as_contiguous(t, DType::Float64).data<double>()[0]);
}
Tensor linspace_tt(const Tensor& start, const Tensor& end, int64_t steps, MaybeDType dtype, Unused, Unused, Unused) {
  return call("aten.linspace.default", end_of(start, "linspace", "start"), end_of(end, "linspace", "end"), steps, dtype);
}
Tensor linspace_ts(const Tensor& start, Scalar end, int64_t steps, MaybeDType dtype, Unused, Unused, Unused) {
  return call("aten.linspace.default", end_of(start, "linspace", "start"), end, steps, dtype);
}
Tensor linspace_st(Scalar start, const Tensor& end, int64_t steps, MaybeDType dtype, Unused, Unused, Unused) {
  return call("aten.linspace.default", start, end_of(end, "linspace", "end"), steps, dtype);
}
Tensor logspace_tt(const Tensor& start, const Tensor& end, int64_t steps, double base, MaybeDType dtype, Unused, Unused, Unused) {
  return call("aten.logspace.default", end_of(start, "logspace", "start"), end_of(end, "logspace", "end"), steps, base, dtype);
}
Tensor logspace_ts(const Tensor& start, Scalar end, int64_t steps, double base, MaybeDType dtype, Unused, Unused, Unused) {
  return call("aten.logspace.default", end_of(start, "logspace", "start"), end, steps, base, dtype);
}
Tensor logspace_st(Scalar start, const Tensor& end, int64_t steps, double base, MaybeDType dtype, Unused, Unused, Unused) {
  return call("aten.logspace.default", start, end_of(end, "logspace", "end"), steps, base, dtype);
}
// torch.range: both ends included.
Tensor range_step(Scalar start, Scalar end, Scalar step, MaybeDType dtype, Unused, Unused, Unused) {
  const DType type = dtype.value_or(DType::Float32);
  auto converted = [&](const Scalar& s) { return is_integral(type) ? static_cast<double>(s.to_int()) : s.to_double(); };
  const double from = converted(start), to = converted(end), by = converted(step);
  check(by != 0, "step must be nonzero");
  check((by > 0 && to >= from) || (by < 0 && to <= from), "upper bound and lower bound inconsistent with step sign");
  const double count = (to - from) / by + 1;
  check(count < 0x1p53, "range: there are too many numbers from ", from, " to ", to);
  const Tensor steps = call("aten.arange.default", static_cast<int64_t>(count), DType::Float64);
  return to_dtype(call("aten.add.Scalar", call("aten.mul.Scalar", steps, by), from), type);
}
Tensor range(Scalar start, Scalar end, MaybeDType dtype, Unused a, Unused b, Unused c) { return range_step(start, end, Scalar(1), dtype, a, b, c); }

// ---- Sums and activations in one -------------------------------------------------------------------------------------------------------

Tensor relu(const Tensor& x) { return call("aten.relu.default", x); }
Tensor add_relu(const Tensor& self, const Tensor& other, Scalar alpha) { return relu(call("aten.add.Tensor", self, other, alpha)); }
Tensor add_relu_scalar(const Tensor& self, Scalar other, Scalar alpha) { return relu(call("aten.add.Scalar", self, other, alpha)); }
Tensor addmm_activation(const Tensor& self, const Tensor& mat1, const Tensor& mat2, Scalar beta, Scalar alpha, bool use_gelu) {
  const Tensor sum = call("aten.addmm.default", self, mat1, mat2, beta, alpha);
  return use_gelu ? call("aten.gelu.default", sum) : relu(sum);
}
Two aminmax_all(const Tensor& self) { return {call("aten.min.default", self), call("aten.max.default", self)}; }
Two aminmax_dim(const Tensor& self, int64_t dim, bool keepdim) {
  const Results r = call_all("aten.aminmax.default", self, dim, keepdim);
  return {result(r, 0), result(r, 1)};
}
Tensor logcumsumexp(const Tensor& self, int64_t dim) { return call("aten.logcumsumexp.default", self, dim); }
Tensor masked_scale(const Tensor& self, const Tensor& mask, double scale) { return call("aten.mul.Scalar", call("aten.mul.Tensor", self, mask), scale); }
template <bool maximum>
void cumulative_helper(const Tensor& self, const Tensor& values, const Tensor& indices, int64_t dim) {
  const Results r = call_all(maximum ? "aten.cummax.default" : "aten.cummin.default", self, dim);
  copy_into(values, result(r, 0));
  copy_into(indices, result(r, 1));
}
Tensor native_norm(const Tensor& self, Scalar p) { return call("aten.norm.Scalar", self, p); }
Tensor native_norm_dim(const Tensor& self, std::optional<Scalar> p, Ints dim, bool keepdim, MaybeDType dtype) {
  const Tensor typed = dtype ? to_dtype(self, *dtype) : self;
  return call("aten.norm.ScalarOpt_dim", typed, p, dim, keepdim);
}

// ---- Convolution under the names of its backends ---------------------------------------------------------------------------------------

Tensor convolution(const Tensor& input, const Tensor& weight, const MaybeTensor& bias, Ints stride, Ints padding, Ints dilation, bool transposed, Ints output_padding,
                   int64_t groups) {
  return call("aten.convolution.default", input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
}
Shape none_of(Ints like) { return Shape(like.size(), 0); }
Tensor convolution_deprecated(const Tensor& input, const Tensor& weight, const MaybeTensor& bias, Ints stride, Ints padding, Ints dilation, bool transposed,
                              Ints output_padding, int64_t groups, Unused, Unused, Unused) {
  return convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups);
}
Tensor convolution_mode(const Tensor& input, const Tensor& weight, const MaybeTensor& bias, Ints stride, std::string_view padding, Ints dilation, int64_t groups) {
  constexpr std::string_view kTargets[] = {"aten.conv1d.padding", "aten.conv2d.padding", "aten.conv3d.padding"};
  check(weight.dim() >= 3 && weight.dim() <= 5, "weight should have at least three dimensions, found ", weight.sizes);
  return call(kTargets[weight.dim() - 3], input, weight, bias, stride, padding, dilation, groups);
}
Tensor mkldnn_convolution(const Tensor& self, const Tensor& weight, const MaybeTensor& bias, Ints padding, Ints stride, Ints dilation, int64_t groups) {
  return convolution(self, weight, bias, stride, padding, dilation, false, none_of(padding), groups);
}
Tensor cudnn_convolution(const Tensor& self, const Tensor& weight, Ints padding, Ints stride, Ints dilation, int64_t groups, Unused, Unused, Unused) {
  return convolution(self, weight, std::nullopt, stride, padding, dilation, false, none_of(padding), groups);
}
Tensor cudnn_convolution_transpose(const Tensor& self, const Tensor& weight, Ints padding, Ints output_padding, Ints stride, Ints dilation, int64_t groups, Unused, Unused,
                                   Unused) {
  return convolution(self, weight, std::nullopt, stride, padding, dilation, true, output_padding, groups);
}
Tensor miopen_convolution(const Tensor& self, const Tensor& weight, const MaybeTensor& bias, Ints padding, Ints stride, Ints dilation, int64_t groups, Unused, Unused) {
  return convolution(self, weight, bias, stride, padding, dilation, false, none_of(padding), groups);
}
Tensor convolution_relu(const Tensor& self, const Tensor& weight, const MaybeTensor& bias, Ints stride, Ints padding, Ints dilation, int64_t groups) {
  return relu(convolution(self, weight, bias, stride, padding, dilation, false, none_of(padding), groups));
}
Tensor convolution_add_relu(const Tensor& self, const Tensor& weight, const Tensor& z, std::optional<Scalar> alpha, const MaybeTensor& bias, Ints stride, Ints padding,
                            Ints dilation, int64_t groups) {
  return add_relu(convolution(self, weight, bias, stride, padding, dilation, false, none_of(padding), groups), z, alpha.value_or(Scalar(1)));
}
Tensor slow_conv(const Tensor& self, const Tensor& weight, Unused, const MaybeTensor& bias, Ints stride, Ints padding) {
  return convolution(self, weight, bias, stride, padding, Shape(stride.size(), 1), false, none_of(stride), 1);
}
Tensor slow_conv_forward(const Tensor& self, const Tensor& weight, Unused kernel, const MaybeTensor& bias, Ints stride, Ints padding) {
  return slow_conv(self, weight, kernel, bias, stride, padding);
}
Tensor slow_conv_dilated(const Tensor& self, const Tensor& weight, Unused, const MaybeTensor& bias, Ints stride, Ints padding, Ints dilation) {
  return convolution(self, weight, bias, stride, padding, dilation, false, none_of(stride), 1);
}
Tensor slow_conv_transpose(const Tensor& self, const Tensor& weight, Unused, const MaybeTensor& bias, Ints stride, Ints padding, Ints output_padding, Ints dilation) {
  return convolution(self, weight, bias, stride, padding, dilation, true, output_padding, 1);
}
Tensor conv_depthwise(const Tensor& self, const Tensor& weight, Unused, const MaybeTensor& bias, Ints stride, Ints padding, Ints dilation) {
  return convolution(self, weight, bias, stride, padding, dilation, false, none_of(stride), self.sizes[self.sizes.size() - stride.size() - 1]);
}
// Time first, batch, channels; the weight [width, in, out].
Tensor conv_tbc(const Tensor& self, const Tensor& weight, const Tensor& bias, int64_t pad) {
  check(self.dim() == 3 && weight.dim() == 3 && bias.dim() == 1, "conv_tbc: Input and weight must have 3 dims: time, batch, in_channel; bias 1");
  const Tensor out = convolution(permute(self, Shape{1, 2, 0}), permute(weight, Shape{2, 1, 0}), bias, Shape{1}, Shape{pad}, Shape{1}, false, Shape{0}, 1);
  return as_contiguous(permute(out, Shape{2, 0, 1}));
}
Tensor mkldnn_linear(const Tensor& self, const Tensor& weight, const MaybeTensor& bias) { return call("aten.linear.default", self, weight, bias); }

// ---- Batch normalization under the names of its backends -------------------------------------------------------------------------------

Tensor nothing_reserved() { return empty(Shape{0}, DType::UInt8); }
Results native_batch_norm(const Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias, const MaybeTensor& mean, const MaybeTensor& var, bool training,
                          double momentum, double eps) {
  return call_all("aten.native_batch_norm.default", input, weight, bias, mean, var, training, momentum, eps);
}
Four cudnn_batch_norm(const Tensor& input, const Tensor& weight, const MaybeTensor& bias, const MaybeTensor& mean, const MaybeTensor& var, bool training, double momentum,
                      double eps) {
  const Results r = native_batch_norm(input, weight, bias, mean, var, training, momentum, eps);
  return {result(r, 0), result(r, 1), result(r, 2), nothing_reserved()};
}
Three miopen_batch_norm(const Tensor& input, const Tensor& weight, const MaybeTensor& bias, const MaybeTensor& mean, const MaybeTensor& var, bool training, double momentum,
                        double eps) {
  const Results r = native_batch_norm(input, weight, bias, mean, var, training, momentum, eps);
  return {result(r, 0), result(r, 1), result(r, 2)};
}
Four batch_norm_with_update(const Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias, const Tensor& mean, const Tensor& var, double momentum, double eps) {
  const Results r = native_batch_norm(input, weight, bias, mean, var, true, momentum, eps);
  return {result(r, 0), result(r, 1), result(r, 2), nothing_reserved()};
}
Four batch_norm_no_update(const Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias, const MaybeTensor& mean, const MaybeTensor& var, double momentum,
                          double eps) {
  const Results r = native_batch_norm(input, weight, bias, mean, var, false, momentum, eps);
  return {result(r, 0), result(r, 1), result(r, 2), nothing_reserved()};
}
using Six = std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor, Tensor>;
Six batch_norm_with_update_functional(const Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias, const Tensor& mean, const Tensor& var, double momentum,
                                      double eps) {
  const Results r = call_all("aten._native_batch_norm_legit_functional.default", input, weight, bias, mean, var, true, momentum, eps);
  return {result(r, 0), result(r, 1), result(r, 2), nothing_reserved(), result(r, 3), result(r, 4)};
}
std::tuple<Tensor, Tensor, Tensor, Tensor, int64_t> batch_norm_impl_index(const Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias, const MaybeTensor& mean,
                                                                          const MaybeTensor& var, bool training, double momentum, double eps, Unused) {
  const Results r = native_batch_norm(input, weight, bias, mean, var, training, momentum, eps);
  return {result(r, 0), result(r, 1), result(r, 2), nothing_reserved(), 0};
}

// x &= y and the like.
template <class Other>
void in_place(const Tensor& self, const Other& other, std::string_view target) {
  const Tensor value = call(target, self, other);
  check_can_cast(value.dtype, self.dtype);
  check(value.sizes == self.sizes, "output with shape ", self.sizes, " doesn't match the broadcast shape ", value.sizes);
  copy_into(self, value);
}
void iand(const Tensor& self, const Tensor& other) { in_place(self, other, "aten.bitwise_and.Tensor"); }
void iand_scalar(const Tensor& self, Scalar other) { in_place(self, other, "aten.bitwise_and.Scalar"); }
void ior(const Tensor& self, const Tensor& other) { in_place(self, other, "aten.bitwise_or.Tensor"); }
void ior_scalar(const Tensor& self, Scalar other) { in_place(self, other, "aten.bitwise_or.Scalar"); }
void ixor(const Tensor& self, const Tensor& other) { in_place(self, other, "aten.bitwise_xor.Tensor"); }
void ixor_scalar(const Tensor& self, Scalar other) { in_place(self, other, "aten.bitwise_xor.Scalar"); }
void ilshift(const Tensor& self, const Tensor& other) { in_place(self, other, "aten.__lshift__.Tensor"); }
void ilshift_scalar(const Tensor& self, Scalar other) { in_place(self, other, "aten.__lshift__.Scalar"); }
void irshift(const Tensor& self, const Tensor& other) { in_place(self, other, "aten.__rshift__.Tensor"); }
void irshift_scalar(const Tensor& self, Scalar other) { in_place(self, other, "aten.__rshift__.Scalar"); }

void add_metadata(OpTable& ops) {
  ops.add("aten::size(Tensor self) -> int[]", size);
  ops.add("aten::size.int(Tensor self, int dim) -> int", size_int);
  ops.add("aten::stride(Tensor self) -> int[]", stride);
  ops.add("aten::stride.int(Tensor self, int dim) -> int", stride_int);
  ops.add("aten::numel(Tensor self) -> int", numel);
  ops.add("aten::dim(Tensor self) -> int", dim);
  ops.add("aten::storage_offset(Tensor self) -> int", storage_offset);
  ops.add("aten::is_contiguous(Tensor self) -> bool", is_contiguous);
  ops.add("aten::is_contiguous.memory_format(Tensor self, MemoryFormat memory_format) -> bool", is_contiguous_in);
  ops.add("aten::is_complex(Tensor self) -> bool", is_complex_tensor);
  ops.add("aten::is_floating_point(Tensor self) -> bool", is_floating_point);
  ops.add("aten::is_same_size(Tensor self, Tensor other) -> bool", is_same_size);
  ops.add("aten::_shape_as_tensor(Tensor self) -> Tensor", shape_as_tensor);
  ops.add("aten::_dim_arange(Tensor like, int dim) -> Tensor", dim_arange);
  ops.add("aten::_reshape_from_tensor(Tensor self, Tensor shape) -> Tensor", reshape_from_tensor);
}

void add_views(OpTable& ops) {
  ops.add("aten::_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)", reshape_alias);
  ops.add("aten::ravel(Tensor(a) self) -> Tensor(a)", ravel);
  ops.add("aten::_neg_view(Tensor(a) self) -> Tensor(a)", neg_view);
  ops.add("aten::_lazy_clone(Tensor self) -> Tensor", lazy_clone);
  ops.add("aten::_pin_memory(Tensor self, Device? device=None) -> Tensor", pin_memory);
  ops.add("aten::pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a)", pin_memory);
  ops.add("aten::_to_cpu(Tensor[] tensors) -> Tensor[]", to_cpu);
  ops.add("aten::data(Tensor self) -> Tensor", alias);
  ops.add("aten::_stack(Tensor[] tensors, int dim=0) -> Tensor", stack_op);
  ops.add("aten::_cast_Byte(Tensor self, bool non_blocking=False) -> Tensor", cast<DType::UInt8>);
  ops.add("aten::_cast_Char(Tensor self, bool non_blocking=False) -> Tensor", cast<DType::Int8>);
  ops.add("aten::_cast_Double(Tensor self, bool non_blocking=False) -> Tensor", cast<DType::Float64>);
  ops.add("aten::_cast_Float(Tensor self, bool non_blocking=False) -> Tensor", cast<DType::Float32>);
  ops.add("aten::_cast_Half(Tensor self, bool non_blocking=False) -> Tensor", cast<DType::Float16>);
  ops.add("aten::_cast_Int(Tensor self, bool non_blocking=False) -> Tensor", cast<DType::Int32>);
  ops.add("aten::_cast_Long(Tensor self, bool non_blocking=False) -> Tensor", cast<DType::Int64>);
  ops.add("aten::_cast_Short(Tensor self, bool non_blocking=False) -> Tensor", cast<DType::Int16>);
  ops.add("aten::chalf(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", chalf);
  ops.add("aten::resize(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor", resize);
  ops.add("aten::resize_as(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None) -> Tensor", resize_as);
  ops.add("aten::slice_inverse(Tensor(a) self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)", slice_inverse);
  ops.add("aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)", narrow_tensor);
  ops.add("aten::tensor_split.tensor_indices_or_sections(Tensor(a -> *) self, Tensor tensor_indices_or_sections, int dim=0) -> Tensor(a)[]", tensor_split_tensor);
  ops.add("aten::_pad_enum(Tensor self, SymInt[] pad, int mode, float? value=None) -> Tensor", pad_enum);
  ops.add("aten::fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)", fill_diagonal);
  ops.add("aten::linspace.Tensor_Tensor(Tensor start, Tensor end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", linspace_tt);
  ops.add("aten::linspace.Tensor_Scalar(Tensor start, Scalar end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", linspace_ts);
  ops.add("aten::linspace.Scalar_Tensor(Scalar start, Tensor end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", linspace_st);
  ops.add("aten::logspace.Tensor_Tensor(Tensor start, Tensor end, int steps, float base=10., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", logspace_tt);
  ops.add("aten::logspace.Tensor_Scalar(Tensor start, Scalar end, int steps, float base=10., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", logspace_ts);
  ops.add("aten::logspace.Scalar_Tensor(Scalar start, Tensor end, int steps, float base=10., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", logspace_st);
  ops.add("aten::range(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", range);
  ops.add("aten::range.step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", range_step);
}

void add_combined(OpTable& ops) {
  ops.add("aten::_add_relu.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", add_relu);
  ops.add("aten::_add_relu.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", add_relu_scalar);
  ops.add("aten::_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, bool use_gelu=False) -> Tensor", addmm_activation);
  ops.add("aten::_aminmax(Tensor self) -> (Tensor, Tensor)", aminmax_all);
  ops.add("aten::_aminmax.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor, Tensor)", aminmax_dim);
  ops.add("aten::_logcumsumexp(Tensor self, int dim) -> Tensor", logcumsumexp);
  ops.add("aten::_masked_scale(Tensor self, Tensor mask, float scale) -> Tensor", masked_scale);
  ops.add("aten::_cummax_helper(Tensor self, Tensor(a!) values, Tensor(b!) indices, int dim) -> ()", cumulative_helper<true>);
  ops.add("aten::_cummin_helper(Tensor self, Tensor(a!) values, Tensor(b!) indices, int dim) -> ()", cumulative_helper<false>);
  ops.add("aten::native_norm(Tensor self, Scalar p=2) -> Tensor", native_norm);
  ops.add("aten::native_norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, ScalarType? dtype) -> Tensor", native_norm_dim);
  ops.add("aten::__iand__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", iand);
  ops.add("aten::__iand__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", iand_scalar);
  ops.add("aten::__ior__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", ior);
  ops.add("aten::__ior__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", ior_scalar);
  ops.add("aten::__ixor__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", ixor);
  ops.add("aten::__ixor__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", ixor_scalar);
  ops.add("aten::__ilshift__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", ilshift);
  ops.add("aten::__ilshift__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", ilshift_scalar);
  ops.add("aten::__irshift__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", irshift);
  ops.add("aten::__irshift__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", irshift_scalar);
}

void add_backends(OpTable& ops) {
  ops.add("aten::_convolution.deprecated(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, int[] output_padding, SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled) -> Tensor", convolution_deprecated);
  ops.add("aten::_convolution_mode(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, str padding, SymInt[] dilation, SymInt groups) -> Tensor", convolution_mode);
  ops.add("aten::convolution_overrideable(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> Tensor", convolution);
  ops.add("aten::mkldnn_convolution(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups) -> Tensor", mkldnn_convolution);
  ops.add("aten::mkldnn_linear(Tensor self, Tensor weight, Tensor? bias=None) -> Tensor", mkldnn_linear);
  ops.add("aten::cudnn_convolution(Tensor self, Tensor weight, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic, bool allow_tf32) -> Tensor", cudnn_convolution);
  ops.add("aten::cudnn_convolution_transpose(Tensor self, Tensor weight, SymInt[] padding, SymInt[] output_padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic, bool allow_tf32) -> Tensor", cudnn_convolution_transpose);
  ops.add("aten::cudnn_convolution_relu(Tensor self, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, SymInt groups) -> Tensor", convolution_relu);
  ops.add("aten::cudnn_convolution_add_relu(Tensor self, Tensor weight, Tensor z, Scalar? alpha, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, SymInt groups) -> Tensor", convolution_add_relu);
  ops.add("aten::miopen_convolution(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic) -> Tensor", miopen_convolution);
  ops.add("aten::miopen_depthwise_convolution(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic) -> Tensor", miopen_convolution);
  ops.add("aten::miopen_convolution_relu(Tensor self, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, SymInt groups) -> Tensor", convolution_relu);
  ops.add("aten::miopen_convolution_add_relu(Tensor self, Tensor weight, Tensor z, Scalar? alpha, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, SymInt groups) -> Tensor", convolution_add_relu);
  ops.add("aten::slow_conv3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0]) -> Tensor", slow_conv);
  ops.add("aten::slow_conv3d_forward(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias, SymInt[3] stride, SymInt[3] padding) -> Tensor", slow_conv_forward);
  ops.add("aten::thnn_conv2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0]) -> Tensor", slow_conv);
  ops.add("aten::_slow_conv2d_forward(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias, SymInt[2] stride, SymInt[2] padding) -> Tensor", slow_conv_forward);
  ops.add("aten::slow_conv_dilated2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] dilation=[1, 1]) -> Tensor", slow_conv_dilated);
  ops.add("aten::slow_conv_dilated3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] dilation=[1, 1, 1]) -> Tensor", slow_conv_dilated);
  ops.add("aten::slow_conv_transpose2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] output_padding=[0, 0], SymInt[2] dilation=[1, 1]) -> Tensor", slow_conv_transpose);
  ops.add("aten::slow_conv_transpose3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] output_padding=[0, 0, 0], SymInt[3] dilation=[1, 1, 1]) -> Tensor", slow_conv_transpose);
  ops.add("aten::_conv_depthwise2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias, SymInt[2] stride, SymInt[2] padding, SymInt[2] dilation) -> Tensor", conv_depthwise);
  ops.add("aten::conv_depthwise3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias, SymInt[3] stride, SymInt[3] padding, SymInt[3] dilation) -> Tensor", conv_depthwise);
  ops.add("aten::conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor", conv_tbc);
  ops.add("aten::cudnn_batch_norm(Tensor input, Tensor weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float exponential_average_factor, float epsilon) -> (Tensor, Tensor, Tensor, Tensor)", cudnn_batch_norm);
  ops.add("aten::miopen_batch_norm(Tensor input, Tensor weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float exponential_average_factor, float epsilon) -> (Tensor, Tensor, Tensor)", miopen_batch_norm);
  ops.add("aten::_batch_norm_with_update(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, Tensor(b!) running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor)", batch_norm_with_update);
  ops.add("aten::_batch_norm_with_update_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor, Tensor running_mean_out, Tensor running_var_out)", batch_norm_with_update_functional);
  ops.add("aten::_batch_norm_no_update(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor)", batch_norm_no_update);
  ops.add("aten::_batch_norm_impl_index(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> (Tensor, Tensor, Tensor, Tensor, int)", batch_norm_impl_index);
}

}  // namespace

void add_older_name_ops(OpTable& ops) {
  add_metadata(ops);
  add_views(ops);
  add_combined(ops);
  add_backends(ops);
}

}  // namespace pt2::interp
