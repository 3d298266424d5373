#include "interp/kernel_context.h"

#include <limits>

#include "interp/check.h"
#include "interp/random.h"

namespace pt2::interp {

namespace {
thread_local const KernelContext* installed = nullptr;
}

const KernelContext& current_context() {
  if (installed) return *installed;
  thread_local Generator generator;
  thread_local const KernelContext outside{std::make_shared<MemoryBudget>(std::numeric_limits<size_t>::max()), {}, &generator, 0};
  return outside;
}

ContextScope::ContextScope(const KernelContext& context) : previous_(installed) { installed = &context; }
ContextScope::~ContextScope() { installed = previous_; }

void throw_if_stopped() {
  if (current_context().stop.stop_requested()) throw KernelError("stopped", ErrorKind::Stopped);
}

}  // namespace pt2::interp
