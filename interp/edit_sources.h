#pragma once
// What an edited value was made of: the values that the edit's expression names, as they were when the node ran, and the expression worked out
// again with other values in their place.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interp/execution_trace.h"
#include "interp/what_if.h"

namespace pt2::interp {

struct EditSource {
  std::string name;
  TraceRef at;         // the edited node itself: what it computes
  RuntimeValue value;
};

class EditSources {
 public:
  // `computed`: what the node gives without the edit; none: it gives nothing.
  EditSources(const ExecutionTrace& trace, const Program& program, const ValueEdit& edit, TraceRef node, const RuntimeValue& computed);

  const std::vector<EditSource>& sources() const { return sources_; }
  bool complete() const { return complete_; }  // false: a value it names is not kept
  // What the node gives where the sources have these values, in their order; none: nothing.
  std::optional<RuntimeValue> value_of(const std::vector<RuntimeValue>& values, const std::map<std::string, int64_t>& symbols) const;

 private:
  std::optional<TraceRef> named(const ExecutionTrace& trace, std::string_view name, TraceRef node) const;

  const Program& program_;
  const ValueEdit& edit_;
  std::vector<EditSource> sources_;
  bool complete_ = true;
};

// Whether the edit's text or its index has to do with what the node itself computes.
bool builds_on_computed(const ValueEdit& edit, const Program& program);

}  // namespace pt2::interp
