#pragma once
// What kind of difference there is between two values, and by what that was judged.
#include <string_view>

#include "interp/compare_values.h"

namespace pt2::interp {

// What a difference looks like, judged by the values alone.
enum class Cause : uint8_t {
  None,        // equal, or nothing to compare
  Rounding,    // a few units in the last place of the type
  Nan,         // NaN on one side alone
  Inf,         // infinity against a number or the other infinity
  DType,       // another element type
  Shape,       // another shape
  Layout,      // the same elements in another order: transposed, another memory format
  Saturation,  // integers at the end of their range on one side
  Random,      // the group draws random numbers or returns uninitialised memory
  Missing,     // one side has no such value
  Values,      // anything else
};
std::string_view cause_name(Cause cause);        // "rounding", "nan" …
std::string_view cause_explanation(Cause cause); // by what it was judged, a sentence

// `random`: one of the nodes draws random numbers or returns uninitialised memory.
Cause cause_of(const Tensor& left, const Tensor& right, const ValueDifference& difference, bool random);

}  // namespace pt2::interp
