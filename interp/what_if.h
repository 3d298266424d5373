#pragma once
// What if: edits of a run, and the run before them, so that a replay computes only what the edits reach and both stay to compare.
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "interp/execution_trace.h"
#include "interp/program_inputs.h"
#include "interp/reference_check.h"
#include "interp/value_names.h"
#include "interp/watch_expression.h"

namespace pt2::interp {

// The value a node gives instead of what it computes. Also for operators without implementation. An expression over values is worked out in each
// run anew, in a sub-graph in each call, from the values there: its node's name means what the node itself computes.
struct ValueEdit {
  NodeRef node;
  std::string index;       // "[0, 3]": of these elements; empty: of all
  std::string text;        // as written: "relu * 2", "5", "cat.npy"
  std::string call;        // "body_graph_0@2/": of this call only (see value_names.h); empty: of every call
  RuntimeValue given;      // what the text stands for; none: that depends on the values of the run
  RuntimeValue value;      // what the node gives; none: that depends on them
  std::string shown() const { return index.empty() ? text : index + " = " + text; }
};
// A constant argument of a call.
struct ArgumentEdit {
  NodeRef node;
  std::string argument;    // as the schema names it
  std::string text;
  RuntimeValue value;
  std::string call;        // as of a ValueEdit
};
struct InputEdit {
  std::string name;        // of the placeholder
  std::string text;        // a number, …, a tensor file
};

// An edit as it is written, to be read again in another run: what a session keeps.
struct EditText {
  enum class Kind : uint8_t { Input, Value, Argument };
  Kind kind = Kind::Value;
  NodeRef node;            // not of inputs
  std::string part;        // name of an input or an argument; index of a value, may be empty
  std::string text;
  std::string call;        // of a sub-graph; empty: every one
  bool operator==(const EditText&) const = default;
};

struct Edits {
  std::vector<InputEdit> inputs;
  std::vector<ValueEdit> values;
  std::vector<ArgumentEdit> arguments;

  bool empty() const { return inputs.empty() && values.empty() && arguments.empty(); }
  size_t size() const { return inputs.size() + values.size() + arguments.size(); }
  // In the call with this frame path; without one, in any.
  const ValueEdit* value_of(NodeRef node, std::optional<std::string_view> path = {}) const;
  bool changes_arguments_of(NodeRef node, std::optional<std::string_view> path = {}) const;
  // Whether anything of the node itself is edited.
  bool touches(NodeRef node, const Program& program, std::optional<std::string_view> path = {}) const;
};

// The run without edits. Immutable, and each thread reads a copy of its own: copies share the tensors' memory.
struct Baseline {
  ExecutionTrace trace;
  ProgramInputs inputs;
};

// Applies constant arguments that were edited.
class ArgumentEdits : public RunListener {
 public:
  explicit ArgumentEdits(const Program& program, std::vector<ArgumentEdit> edits) : program_(program), edits_(std::move(edits)) {}
  void arguments(const Frame& frame, NodeId id, NamedValues& named) override;

 private:
  const Program& program_;
  std::vector<ArgumentEdit> edits_;
};

// Gives nodes the values they were edited to have.
class ValueEdits : public RunListener {
 public:
  ValueEdits(std::shared_ptr<const Program> program, const Edits& edits, std::map<std::string, int64_t> symbols);
  std::optional<RuntimeValue> instead(const Frame& frame, NodeId id) override;
  void computed(const Frame& frame, NodeId id, NodeRun& run, RuntimeValue& value) override;
  void node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) override;
  void entered(const Frame&) override { mentioned_.emplace_back(); }
  void left(const Frame&) override { mentioned_.pop_back(); }

 private:
  std::optional<RuntimeValue> named(std::string_view name) const;

  std::shared_ptr<const Program> program_;
  Edits edits_;
  std::map<std::string, int64_t> symbols_;
  std::set<std::string, std::less<>> names_;                                   // in the texts of edits
  std::map<std::string, ValueName, std::less<>> paths_;                        // the same of sub-graphs: "body_graph_0@2/relu"
  // What the names stand for, by frame of the stack: the run itself lets go of values that are read no more.
  std::vector<std::map<std::string, RuntimeValue, std::less<>>> mentioned_{1};
};

// Decides for each node of a replay whether its value of the baseline still holds: neither it nor anything it comes from was edited, nothing
// writes to its memory, and it drew no random numbers. A node that came out as it was before passes on no change.
class ReplayPlan {
 public:
  // `changed_inputs`: placeholders of the root with another value than in the baseline.
  ReplayPlan(std::shared_ptr<const Program> program, std::shared_ptr<const Baseline> baseline, std::vector<bool> changed_inputs);

  // What `node` gave in the baseline, if that still holds.
  struct Reused { RuntimeValue value; NodeRun run; };
  std::optional<Reused> reuse(NodeId node, const Edits& edits);
  void ended(NodeId node, bool changed);
  // A value of a frame under way (0: the program) was written to.
  void mark_changed(size_t depth, NodeId node);
  // A call by a higher-order node, which is under way in the frame below; and its end.
  void entered(GraphId graph, NodeId caller);
  void left(NodeId caller);
  // The node in the baseline; none: that call was not made there.
  std::optional<TraceRef> original(NodeId node) const;
  FrameId original_frame() const { return frames_.back().original; }
  // Whether the node of the frame under way gets anything that differs from the baseline.
  bool reached(NodeId node, const Edits& edits) const;

 private:
  struct Level {
    GraphId graph;
    FrameId original;                 // none: not in the baseline
    std::vector<bool> changed;        // by node
    std::map<NodeId, size_t> calls;   // made so far by higher-order nodes
    bool any = false;
  };
  std::shared_ptr<const Program> program_;
  std::shared_ptr<const Baseline> baseline_;
  std::vector<Level> frames_;
};

// Another dtype, shape or kind, or any bit apart: how far two values of a node are from each other. None: the same.
std::optional<ValueDifference> change_between(const RuntimeValue& now, const RuntimeValue& before);

// A node's value from a text: an expression over values (`names`), or a tensor file; spread over and converted to what the node holds:
// `current` where it was run, else as `node` declares. `index`: "[0, 3]", only these elements of the current value; may be empty.
// Reads files.
Result<ValueEdit> parse_value_edit(const Program& program, NodeRef node, std::string_view index, const std::string& text, const NameLookup& names,
                                   const RuntimeValue* current, const std::map<std::string, int64_t>& symbols);
// The two halves of it: what the text stands for, and that as what the node gives.
Result<RuntimeValue> parse_given(const Program& program, NodeRef node, const std::string& text, const NameLookup& names);
Result<RuntimeValue> fit_value_edit(const Program& program, NodeRef node, std::string_view index, const RuntimeValue& given, const NameLookup& names,
                                    const RuntimeValue* current, const std::map<std::string, int64_t>& symbols);
// A constant argument as Python writes it: 0.1, [2, 2], True, None, torch.float16, 'mean'. An error says what the schema wants.
Result<ArgumentEdit> parse_argument_edit(const Program& program, NodeRef node, const std::string& argument, const std::string& text);
// Why an input cannot be given as this text; none: it can, or it names a file, which a run will read.
std::optional<Error> check_input_edit(const Program& program, const std::string& name, const std::string& text);

}  // namespace pt2::interp
