#include "core/base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace pt2 {
void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "pt2scope: internal error: %s (%s:%d)\n", condition, file, line);
  std::abort();
}
}  // namespace pt2
