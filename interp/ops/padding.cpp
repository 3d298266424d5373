// Padding with a constant, reflected, replicated or wrapped values; patches to columns and back.
#include <algorithm>
#include <array>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/parallel.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using Ints = std::span<const int64_t>;

// `pad` has (before, after) pairs from the last dimension; negative numbers cut.
Tensor constant_pad_nd(const Tensor& self, Ints pad, Scalar value) {
  check(pad.size() % 2 == 0 && static_cast<int64_t>(pad.size() / 2) <= self.dim(), "Length of pad must be even and at most twice the number of dimensions, found ",
        pad.size());
  Shape sizes = self.sizes, from_sizes = self.sizes, to_start(self.sizes.size(), 0), from_start(self.sizes.size(), 0);
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    const size_t d = self.sizes.size() - 1 - i;
    const int64_t before = checked_extent(pad[2 * i]), after = checked_extent(pad[2 * i + 1]);
    sizes[d] += before + after;
    check(sizes[d] >= 0, "The input size ", self.sizes[d], ", plus negative padding ", before, " and ", after, " resulted in a negative output size");
    from_start[d] = std::max<int64_t>(0, -before);
    to_start[d] = std::max<int64_t>(0, before);
    from_sizes[d] = self.sizes[d] - from_start[d] - std::max<int64_t>(0, -after);
  }
  const MemoryFormat format = self.dim() == 4 || self.dim() == 5 ? suggested_format(self) : MemoryFormat::Contiguous;
  const Tensor result = empty(sizes, self.dtype, format);
  fill(result, value);
  if (std::any_of(from_sizes.begin(), from_sizes.end(), [](int64_t n) { return n <= 0; })) return result;
  auto shifted = [&](const Tensor& t, const Shape& start) {
    int64_t offset = t.offset;
    for (size_t d = 0; d < start.size(); ++d) offset += start[d] * t.strides[d];
    return make_view(t, from_sizes, t.strides, offset);
  };
  copy_into(shifted(result, to_start), shifted(self, from_start));
  return result;
}

enum class Border { Reflect, Replicate, Circular };

int64_t source_index(Border border, int64_t i, int64_t size) {
  switch (border) {
    case Border::Reflect: {
      if (i < 0) i = -i;
      return i >= size ? 2 * (size - 1) - i : i;
    }
    case Border::Replicate: return std::clamp<int64_t>(i, 0, size - 1);
    case Border::Circular: return (i % size + size) % size;
  }
  return 0;
}

// Dimension by dimension: each is a gather along it, for any element type by its bytes.
Tensor pad_dim(const Tensor& input, size_t dim, int64_t before, int64_t after, Border border) {
  const int64_t size = input.sizes[dim], padded = size + before + after;
  check(border != Border::Reflect || (before < size && after < size), "Padding size should be less than the corresponding input dimension, but got: padding (",
        before, ", ", after, ") at dimension ", static_cast<int64_t>(dim), " of input ", input.sizes);
  check(border != Border::Circular || (before <= size && after <= size), "Padding value causes wrapping around more than once.");
  check(size > 0 && padded >= 0, "padding: input size ", size, " with padding (", before, ", ", after, ") gives size ", padded);
  Shape sizes = input.sizes;
  sizes[dim] = padded;
  const Tensor result = empty(sizes, input.dtype);
  Shape one = input.sizes;
  one[dim] = 1;
  for (int64_t i = 0; i < padded; ++i)
    copy_into(make_view(result, one, result.strides, result.offset + i * result.strides[dim]),
              make_view(input, one, input.strides, input.offset + source_index(border, i - before, size) * input.strides[dim]));
  return result;
}

template <Border border>
Tensor pad_borders(const Tensor& self, Ints padding) {
  check(padding.size() % 2 == 0 && static_cast<int64_t>(padding.size() / 2) <= self.dim(), "padding size is expected to be even and to fit the input, found ",
        padding.size(), " numbers for ", self.dim(), " dimensions");
  const MemoryFormat format = self.dim() == 4 || self.dim() == 5 ? suggested_format(self) : MemoryFormat::Contiguous;
  Tensor result = self;
  for (size_t i = 0; i < padding.size() / 2; ++i)
    result = pad_dim(result, self.sizes.size() - 1 - i, checked_extent(padding[2 * i]), checked_extent(padding[2 * i + 1]), border);
  return to_dtype(result, self.dtype, format);
}

// The gradient: what was read several times is added up. Per dimension, from the outermost back.
template <Border border>
Tensor pad_borders_backward(const Tensor& grad_output, const Tensor& self, Ints padding) {
  Tensor gradient = to_dtype(grad_output, native_dtype(compute_type(grad_output.dtype)), MemoryFormat::Contiguous);
  for (size_t i = 0; i < padding.size() / 2; ++i) {
    const size_t dim = self.sizes.size() - 1 - i;
    Shape sizes = gradient.sizes, one = gradient.sizes;
    sizes[dim] = self.sizes[dim];
    one[dim] = 1;
    const Tensor folded = zeros(sizes, gradient.dtype);
    for (int64_t k = 0; k < gradient.sizes[dim]; ++k) {
      const Tensor to = make_view(folded, one, folded.strides, folded.offset + source_index(border, k - checked_extent(padding[2 * i]), self.sizes[dim]) * folded.strides[dim]);
      const Tensor from = make_view(gradient, one, gradient.strides, gradient.offset + k * gradient.strides[dim]);
      map_into<FieldTypes>(to, {"pad_backward", gradient.dtype, gradient.dtype}, [](auto a, auto b) { return a + b; }, to, from);
    }
    gradient = folded;
  }
  return to_dtype(gradient, grad_output.dtype);
}

Tensor pad(const Tensor& self, Ints pad, std::string_view mode, std::optional<double> value) {
  if (mode == "constant") {
    const double v = value.value_or(0.0);
    return constant_pad_nd(self, pad, Scalar(v));
  }
  check(!value || *value == 0, "Padding mode \"", mode, "\" doesn't take in value argument");
  if (mode == "reflect") return pad_borders<Border::Reflect>(self, pad);
  if (mode == "replicate") return pad_borders<Border::Replicate>(self, pad);
  check(mode == "circular", "Unrecognised padding mode ", mode);
  return pad_borders<Border::Circular>(self, pad);
}
Tensor pad_circular(const Tensor& self, Ints pad) { return pad_borders<Border::Circular>(self, pad); }

// ---- Patches ---------------------------------------------------------------------------------------------------------------------------

struct Patches { std::array<int64_t, 2> kernel, dilation, padding, stride, out; };

Patches patches_of(int64_t height, int64_t width, Ints kernel, Ints dilation, Ints padding, Ints stride) {
  Patches p;
  const std::array<int64_t, 2> in{height, width};
  for (size_t d = 0; d < 2; ++d) {
    auto at = [d](Ints v) { return checked_extent(v.size() == 1 ? v[0] : v[d]); };
    p.kernel[d] = at(kernel), p.dilation[d] = at(dilation), p.padding[d] = at(padding), p.stride[d] = at(stride);
    check(p.kernel[d] > 0 && p.dilation[d] > 0 && p.stride[d] > 0 && p.padding[d] >= 0, "im2col: kernel size, dilation and stride should be greater than zero");
    const int64_t span = in[d] + 2 * p.padding[d] - p.dilation[d] * (p.kernel[d] - 1) - 1;
    check(span >= 0, "im2col: the sliding blocks do not fit: input ", in[d], ", kernel ", p.kernel[d]);
    p.out[d] = span / p.stride[d] + 1;
  }
  return p;
}

// Calls visit(row of columns, column, image position) for every pair inside the image of one plane.
template <class Visit>
void for_patches(const Patches& p, int64_t height, int64_t width, Visit visit) {
  for (int64_t kh = 0; kh < p.kernel[0]; ++kh)
    for (int64_t kw = 0; kw < p.kernel[1]; ++kw)
      for (int64_t oh = 0; oh < p.out[0]; ++oh) {
        const int64_t ih = oh * p.stride[0] - p.padding[0] + kh * p.dilation[0];
        if (ih < 0 || ih >= height) continue;
        for (int64_t ow = 0; ow < p.out[1]; ++ow) {
          const int64_t iw = ow * p.stride[1] - p.padding[1] + kw * p.dilation[1];
          if (iw >= 0 && iw < width) visit(kh * p.kernel[1] + kw, oh * p.out[1] + ow, ih * width + iw);
        }
      }
}

Tensor im2col(const Tensor& self, Ints kernel_size, Ints dilation, Ints padding, Ints stride) {
  check(self.dim() == 3 || self.dim() == 4, "im2col: Expected 3D or 4D (batch mode) tensor, but got ", self.sizes);
  const size_t lead = self.sizes.size() - 3;
  const int64_t batch = lead ? self.sizes[0] : 1, channels = self.sizes[lead], height = self.sizes[lead + 1], width = self.sizes[lead + 2];
  const Patches p = patches_of(height, width, kernel_size, dilation, padding, stride);
  const int64_t volume = p.kernel[0] * p.kernel[1], columns = p.out[0] * p.out[1];
  Shape sizes{channels * volume, columns};
  if (lead) sizes.insert(sizes.begin(), batch);
  const DType native = native_dtype(compute_type(self.dtype));
  const Tensor from = as_contiguous(self, native), result = zeros(sizes, native);
  dispatch(NumberTypes(), self.dtype, "im2col", [&]<class T>() {
    parallel_for(batch * channels, grain_for(volume * columns), [&](int64_t begin, int64_t end) {
      for (int64_t plane = begin; plane < end; ++plane) {
        const T* image = from.data<T>() + plane * height * width;
        T* to = result.data<T>() + plane * volume * columns;
        for_patches(p, height, width, [&](int64_t row, int64_t column, int64_t position) { to[row * columns + column] = image[position]; });
      }
    });
  });
  return to_dtype(result, self.dtype);
}

Tensor col2im(const Tensor& self, Ints output_size, Ints kernel_size, Ints dilation, Ints padding, Ints stride) {
  check(self.dim() == 2 || self.dim() == 3, "col2im: Expected 2D or 3D (batch mode) tensor, but got ", self.sizes);
  check(output_size.size() == 2, "col2im: output_size must have two elements");
  const int64_t height = output_size[0], width = output_size[1];
  const Patches p = patches_of(height, width, kernel_size, dilation, padding, stride);
  const int64_t volume = p.kernel[0] * p.kernel[1], columns = p.out[0] * p.out[1];
  const size_t lead = self.sizes.size() - 2;
  const int64_t batch = lead ? self.sizes[0] : 1;
  check(self.sizes[lead] % volume == 0 && self.sizes[lead + 1] == columns, "col2im: input ", self.sizes, " does not hold blocks of ", volume, " for ", columns, " positions");
  const int64_t channels = self.sizes[lead] / volume;
  Shape sizes{channels, height, width};
  if (lead) sizes.insert(sizes.begin(), batch);
  const DType native = native_dtype(compute_type(self.dtype));
  const Tensor from = as_contiguous(self, native), result = zeros(sizes, native);
  dispatch(NumberTypes(), self.dtype, "col2im", [&]<class T>() {
    parallel_for(batch * channels, grain_for(volume * columns), [&](int64_t begin, int64_t end) {
      for (int64_t plane = begin; plane < end; ++plane) {
        const T* patches = from.data<T>() + plane * volume * columns;
        T* image = result.data<T>() + plane * height * width;
        for_patches(p, height, width, [&](int64_t row, int64_t column, int64_t position) { image[position] += patches[row * columns + column]; });
      }
    });
  });
  return to_dtype(result, self.dtype);
}

}  // namespace

void add_padding_ops(OpTable& ops) {
  ops.add("aten::constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor", constant_pad_nd);
  ops.add("aten::pad(Tensor self, SymInt[] pad, str mode=\"constant\", float? value=None) -> Tensor", pad);
  ops.add("aten::_pad_circular(Tensor self, SymInt[] pad) -> Tensor", pad_circular);
  ops.add("aten::reflection_pad1d(Tensor self, SymInt[2] padding) -> Tensor", pad_borders<Border::Reflect>);
  ops.add("aten::reflection_pad2d(Tensor self, SymInt[4] padding) -> Tensor", pad_borders<Border::Reflect>);
  ops.add("aten::reflection_pad3d(Tensor self, SymInt[6] padding) -> Tensor", pad_borders<Border::Reflect>);
  ops.add("aten::replication_pad1d(Tensor self, SymInt[2] padding) -> Tensor", pad_borders<Border::Replicate>);
  ops.add("aten::replication_pad2d(Tensor self, SymInt[4] padding) -> Tensor", pad_borders<Border::Replicate>);
  ops.add("aten::replication_pad3d(Tensor self, SymInt[6] padding) -> Tensor", pad_borders<Border::Replicate>);
  ops.add("aten::reflection_pad1d_backward(Tensor grad_output, Tensor self, SymInt[2] padding) -> Tensor", pad_borders_backward<Border::Reflect>);
  ops.add("aten::reflection_pad2d_backward(Tensor grad_output, Tensor self, SymInt[4] padding) -> Tensor", pad_borders_backward<Border::Reflect>);
  ops.add("aten::reflection_pad3d_backward(Tensor grad_output, Tensor self, SymInt[6] padding) -> Tensor", pad_borders_backward<Border::Reflect>);
  ops.add("aten::replication_pad1d_backward(Tensor grad_output, Tensor self, SymInt[2] padding) -> Tensor", pad_borders_backward<Border::Replicate>);
  ops.add("aten::replication_pad2d_backward(Tensor grad_output, Tensor self, SymInt[4] padding) -> Tensor", pad_borders_backward<Border::Replicate>);
  ops.add("aten::replication_pad3d_backward(Tensor grad_output, Tensor self, SymInt[6] padding) -> Tensor", pad_borders_backward<Border::Replicate>);
  ops.add("aten::im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor", im2col);
  ops.add("aten::col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> Tensor", col2im);
}

}  // namespace pt2::interp
