#include "interp/ops/call.h"

#include "interp/check.h"
#include "interp/op_table.h"

namespace pt2::interp {

Results call_with(std::string_view target, std::vector<RuntimeValue> arguments) {
  const Op* op = builtin_ops().find(target);
  check(op, "this build has no ", target);
  for (size_t i = arguments.size(); i < op->defaults.size(); ++i) arguments.push_back(op->defaults[i]);
  return op->call(current_context(), arguments);
}

}  // namespace pt2::interp
