#pragma once
// Convolutions of integers, one product at a time: no product kernel takes them. They are computed as uint64_t, so that they wrap around.
#include "interp/convolve_patches.h"

namespace pt2::interp {

// out += the convolution of `in`. `weight` is dense, of 64 bits as both images are; in the transposed form `g` is the geometry of the
// convolution whose gradient this is.
void convolve_integers(const Image& in, const uint64_t* weight, const Image& out, const Geometry& g, int64_t groups, bool transposed);

}  // namespace pt2::interp
