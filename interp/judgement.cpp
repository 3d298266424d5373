#include "interp/judgement.h"

#include "interp/element_math.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

// A type that holds the numbers of both.
DType wider(DType left, DType right) {
  if (item_size(left) == item_size(right)) return DType::Float32;
  return item_size(left) > item_size(right) ? left : right;
}

}  // namespace

Judgement judge(const Tensor& left, const Tensor& right, const Tolerance& tolerance, bool random) {
  const bool other_type = left.dtype != right.dtype && left.sizes == right.sizes && is_floating(left.dtype) && is_floating(right.dtype);
  if (!other_type) {
    const ValueDifference difference = compare_tensors(right, left, tolerance);
    return {difference, cause_of(left, right, difference, random)};
  }
  const DType type = wider(left.dtype, right.dtype);
  const Tensor a = as_contiguous(left, type), b = as_contiguous(right, type);
  ValueDifference difference = compare_tensors(b, a, tolerance);
  difference.max_ulp *= precision_of(type).epsilon() / precision_of(left.dtype).epsilon();  // counted in the first one's type
  if (tolerance.rtol || tolerance.atol) return {difference, cause_of(a, b, difference, random)};
  difference.equal = difference.comparable = false;
  difference.reason = compare_tensors(right, left, tolerance).reason;
  return {difference, cause_of(left, right, difference, random)};
}

}  // namespace pt2::interp
