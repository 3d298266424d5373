#pragma once
#include <cstddef>

namespace pt2::interp {

// What results and scratch of a run may take: half of the available memory, at most RLIMIT_AS and the control group's limit less 256 MiB.
size_t default_memory_bytes();
// What recorded values may take of it: a quarter, at least 64 MiB.
size_t default_trace_bytes(size_t memory_bytes);

}  // namespace pt2::interp
