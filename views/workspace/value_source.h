#pragma once
// Where the value of a node comes from: what a run recorded, else the file's weights, constants and sample inputs. One seam for the
// Tensor pane, whatever the source; reading is a job.
#include <optional>
#include <string>

#include "core/tensor/tensor.h"
#include "interp/execution_trace.h"
#include "views/workspace/derived_cache.h"
#include "views/workspace/document.h"

namespace pt2::views {

struct ShownValue {
  enum class State : uint8_t { None, Loading, Ready } state = State::None;
  std::optional<Tensor> tensor;
  std::string text;    // Ready without tensor: the value in words: "3", "[1, 2]", "None"
  std::string origin;  // "parameter", "sample input", "step 12" …
  std::string note;    // None: why there is no value; Ready: what to know about it
  std::optional<interp::TraceRef> dropped;  // None: it was recorded and dropped; it can be computed again
  std::string key;     // names the value in full: equal keys, equal values
};

ShownValue shown_value(const Document& document, NodeRef node, DerivedCache& derived);
// A tensor of a file without program.
ShownValue shown_tensor(const Document& document, const std::string& name, DerivedCache& derived);

}  // namespace pt2::views
