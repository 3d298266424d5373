#pragma once
// Where the value of a node comes from: what a run recorded, else the file's weights, constants and sample inputs. One seam for the
// Tensor pane, whatever the source; reading is a job.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/tensor.h"
#include "interp/execution_trace.h"
#include "views/workspace/derived_cache.h"
#include "views/workspace/workspace.h"

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
// As it was once a step of the run had ended.
ShownValue value_at_step(const Document& document, NodeRef node, size_t step);
// By the name of a node, or of a tensor where the document holds no program.
ShownValue named_value(const Document& document, const std::string& name, DerivedCache& derived);

// What a value is held against.
struct CompareWith {
  enum class Kind : uint8_t { None, Reference, Step, Value, Other, Original, File, Kept } kind = Kind::None;
  std::string text;  // Value: its name; File: PATH or PATH#KEY
  size_t step = 0;   // Step: the value as it was once that step had ended
  friend bool operator==(const CompareWith&, const CompareWith&) = default;
};
// "reference", "step 12", "value relu", "other", "original", "file a.npy", "kept", "none"; the inverse of compare_text().
std::optional<CompareWith> compare_from_text(std::string_view text);
std::string compare_text(const CompareWith& with);
std::string compare_title(const CompareWith& with);  // "reference", "step 12", "relu", "other program", "run without edits", "a.npy", "kept value"

// The value that `name` of a document is held against; its note says why there is none. Not for Kind::Kept, which the asker has.
ShownValue compared_value(const Workspace& workspace, const Document& document, const std::string& name, const ShownValue& own, const CompareWith& with, DerivedCache& derived);

// Steps at which the value was another one: what it was first, after each write to it, in other calls of its graph.
struct OtherStep { size_t step; std::string title; };
std::vector<OtherStep> other_steps(const Document& document, const std::string& name);

}  // namespace pt2::views
