#pragma once
// Loops on all cores. The pool's threads block while there is nothing to do: spinning costs everybody else on the machine more than waking costs us.
#include <cstdint>

#include "interp/function_ref.h"

namespace pt2::interp {

// Elements of plain arithmetic below which a second thread does not pay.
inline constexpr int64_t kElementGrain = 32768;

// Calls body(begin, end) for ranges that cover [0, count), on several threads where count > grain. A range has at least `grain` items (the
// last one may have fewer), and at most 64 times that (with grain 1: one), so that a cancelled run stops soon. Inside `body` a nested call runs on its own thread.
// Rethrows the first exception of a body; throws KernelError of kind Stopped when the run was cancelled.
void parallel_for(int64_t count, int64_t grain, FunctionRef<void(int64_t begin, int64_t end)> body);

// How many threads a loop of the calling thread may use.
int thread_count();

// The grain for items that cost `cost` elements of plain arithmetic each.
inline int64_t grain_for(int64_t cost) { return cost >= kElementGrain ? 1 : kElementGrain / (cost > 0 ? cost : 1); }

}  // namespace pt2::interp
