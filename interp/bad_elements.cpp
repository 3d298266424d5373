#include "interp/bad_elements.h"

#include <algorithm>
#include <cmath>

#include "interp/convert.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

Shape index_of(const Shape& sizes, int64_t flat) {
  Shape index(sizes.size());
  for (size_t d = sizes.size(); d-- > 0; flat /= std::max<int64_t>(sizes[d], 1)) index[d] = flat % std::max<int64_t>(sizes[d], 1);
  return index;
}

int64_t offset_of(const Tensor& tensor, const Shape& index) {
  int64_t offset = tensor.offset;
  for (size_t d = 0; d < index.size(); ++d) offset += index[d] * tensor.strides[d];
  return offset;
}

std::optional<Shape> index_at(const Tensor& tensor, int64_t offset) {
  std::vector<size_t> dims;
  for (size_t d = 0; d < tensor.sizes.size(); ++d)
    if (tensor.sizes[d] > 1 && tensor.strides[d] > 0) dims.push_back(d);
  std::sort(dims.begin(), dims.end(), [&](size_t a, size_t b) { return tensor.strides[a] > tensor.strides[b]; });
  Shape index(tensor.sizes.size(), 0);
  int64_t rest = offset - tensor.offset;
  if (rest < 0 || tensor.numel() == 0) return std::nullopt;
  for (size_t d : dims) {
    index[d] = rest / tensor.strides[d];
    if (index[d] >= tensor.sizes[d]) return std::nullopt;
    rest -= index[d] * tensor.strides[d];
  }
  return rest == 0 ? std::optional(index) : std::nullopt;
}

double badness(const std::byte* element, DType dtype) {
  alignas(16) double value[2] = {0, 0};
  const bool complex = is_complex(dtype);
  loader(dtype, complex ? Compute::C128 : Compute::F64)(element, 0, value, 1);
  for (double part : {value[0], value[1]})
    if (!std::isfinite(part)) return part;
  return 0;
}

bool same_kind(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool can_be_bad(DType dtype) { return item_size(dtype) > 0 && (is_floating(dtype) || is_complex(dtype)); }

double badness_at(const Tensor& tensor, const Shape& index) {
  if (!can_be_bad(tensor.dtype)) return 0;
  return badness(tensor.storage.data() + offset_of(tensor, index) * item_size(tensor.dtype), tensor.dtype);
}

std::vector<Tensor> tensors_of(const RuntimeValue& value) {
  std::vector<Tensor> tensors;
  for_each_tensor(value, [&](const Tensor& tensor) { tensors.push_back(tensor); });
  return tensors;
}

std::vector<int64_t> bad_elements(const Tensor& tensor) {
  return elements_that(tensor, [](double bad) { return bad != 0; });
}

}  // namespace pt2::interp
