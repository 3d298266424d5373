#include "interp/lines.h"

namespace pt2::interp {

void for_each_line(std::span<const Tensor* const> tensors, int64_t dim, FunctionRef<void(std::span<const Line>)> body) {
  std::vector<Tensor> without(tensors.size());
  std::vector<const Tensor*> pointers;
  std::vector<Line> shape;
  int64_t longest = 1;
  for (size_t t = 0; t < tensors.size(); ++t) {
    const Tensor& tensor = *tensors[t];
    without[t] = tensor;
    if (tensor.dim() > 0) {
      shape.push_back({nullptr, tensor.strides[dim] * item_size(tensor.dtype), tensor.sizes[dim], tensor.dtype});
      without[t].sizes.erase(without[t].sizes.begin() + dim);
      without[t].strides.erase(without[t].strides.begin() + dim);
    } else {
      shape.push_back({nullptr, item_size(tensor.dtype), 1, tensor.dtype});
    }
    longest = std::max(longest, shape.back().size);
    pointers.push_back(&without[t]);
  }
  const StridedLoop loop = strided_loop(without[0].sizes, pointers);
  parallel_for(loop.numel(), grain_for(longest * 4), [&](int64_t begin, int64_t end) {
    std::vector<Line> lines = shape;
    for_each_row(loop, begin, end, [&](std::byte* const* p, const int64_t* strides, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        for (size_t t = 0; t < lines.size(); ++t) lines[t].data = p[t] + i * strides[t];
        body(lines);
      }
    });
  });
}

}  // namespace pt2::interp
