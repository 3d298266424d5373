#include "interp/memory_limit.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "core/base/limits.h"

namespace pt2::interp {

namespace {

// The number in a file of one line; 0 where there is none ("max", no such file).
uint64_t number_in(const char* path) {
  std::FILE* file = std::fopen(path, "r");
  if (!file) return 0;
  unsigned long long number = 0;
  if (std::fscanf(file, "%llu", &number) != 1) number = 0;
  std::fclose(file);
  return number;
}

uint64_t available_bytes() {
  std::FILE* file = std::fopen("/proc/meminfo", "r");
  if (!file) return 2 * limits::kGiB;
  char line[256];
  unsigned long long kib = 0;
  while (std::fgets(line, sizeof line, file))
    if (std::sscanf(line, "MemAvailable: %llu kB", &kib) == 1) break;
  std::fclose(file);
  return kib ? kib * 1024 : 2 * limits::kGiB;
}

uint64_t less_reserve(uint64_t bytes) { return bytes > 2 * limits::kMemoryReserveBytes ? bytes - limits::kMemoryReserveBytes : bytes / 2; }

}  // namespace

size_t default_memory_bytes() {
  uint64_t bytes = available_bytes() / 2;
#ifdef PT2_SANITIZED
  bytes = std::min<uint64_t>(bytes, limits::kGiB);  // sanitizers keep freed memory for a while, and those who watch see all of it
#endif
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) bytes = std::min<uint64_t>(bytes, less_reserve(limit.rlim_cur));
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
    if (const uint64_t group = number_in(path)) bytes = std::min(bytes, less_reserve(group));
  return bytes;
}

size_t default_trace_bytes(size_t memory_bytes) { return std::max<size_t>(memory_bytes / 4, limits::kRecordedValuesMinimumBytes); }

}  // namespace pt2::interp
