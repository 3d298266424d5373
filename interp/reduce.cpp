#include "interp/reduce.h"

#include <algorithm>

namespace pt2::interp {

Shape reduced_sizes(std::span<const int64_t> sizes, std::span<const int64_t> dims, bool keepdim) {
  Shape result;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const bool reduced = std::find(dims.begin(), dims.end(), static_cast<int64_t>(d)) != dims.end();
    if (!reduced) result.push_back(sizes[d]);
    else if (keepdim) result.push_back(1);
  }
  return result;
}

detail::ReducePlan detail::plan_reduction(const Tensor& result, const Tensor& self, std::span<const int64_t> dims) {
  Tensor kept = self, reduced = self, target = result;
  kept.sizes.clear(), kept.strides.clear(), reduced.sizes.clear(), reduced.strides.clear();
  const bool keepdim = result.dim() == self.dim();
  target.sizes.clear(), target.strides.clear();
  int64_t at = 0;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (std::find(dims.begin(), dims.end(), d) != dims.end()) {
      reduced.sizes.push_back(self.sizes[d]);
      reduced.strides.push_back(self.strides[d]);
      if (keepdim) ++at;
    } else {
      kept.sizes.push_back(self.sizes[d]);
      kept.strides.push_back(self.strides[d]);
      target.sizes.push_back(self.sizes[d]);
      target.strides.push_back(result.strides[at++]);
    }
  }
  // Along the memory of self, not of the result.
  const Tensor* kept_tensors[] = {&kept, &target};
  const Tensor* reduced_tensors[] = {&reduced};
  ReducePlan plan{strided_loop(kept.sizes, kept_tensors), strided_loop(reduced.sizes, reduced_tensors)};
  std::swap(plan.kept.strides[0], plan.kept.strides[1]);
  std::swap(plan.kept.data[0], plan.kept.data[1]);
  const int64_t kept_stride = plan.kept.strides[1][0], reduced_stride = plan.reduced.strides[0][0];
  plan.across = plan.kept.sizes[0] > 1 && plan.reduced.numel() > 1 && kept_stride < reduced_stride;
  return plan;
}

}  // namespace pt2::interp
