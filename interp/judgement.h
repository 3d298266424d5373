#pragma once
// One value of each of two programs, held against each other.
#include "interp/difference_cause.h"

namespace pt2::interp {

// How far the second program's value is from the first one's, which sets the scale, and of what kind the difference is.
struct Judgement {
  ValueDifference difference;
  Cause cause = Cause::None;
};
// Floating-point values of two types have numbers, too. They are unequal by their types, unless a tolerance was given: then it decides.
Judgement judge(const Tensor& left, const Tensor& right, const Tolerance& tolerance, bool random = false);

}  // namespace pt2::interp
