#pragma once
// Runs a program node by node: a stack of frames, one step at a time. The only caller of kernels; nothing thrown passes it.
#include <map>
#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "interp/execution_plan.h"
#include "interp/frame.h"
#include "interp/node_outcome.h"
#include "interp/random.h"

namespace pt2::interp {

using NamedValues = std::vector<std::pair<std::string_view, RuntimeValue>>;

// Who watches a run: the trace, the recorder, the comparison with a reference. Called on the thread that runs.
class RunListener {
 public:
  virtual ~RunListener() = default;
  // A node ran, failed or was blocked, and nobody was told yet: both may be changed (an edit of what it gave).
  virtual void computed(const Frame&, NodeId, NodeRun& run, RuntimeValue& value) { (void)run, (void)value; }
  // A node ran, failed or was blocked. `value` may be changed: what the listener leaves there is what later nodes read.
  virtual void node_done(const Frame&, NodeId, const NodeRun&, RuntimeValue& value) { (void)value; }
  // The bytes of `tensor`'s storage are about to be written by this node.
  virtual void before_write(const Frame&, NodeId, const Tensor& tensor) { (void)tensor; }
  // A value to take instead of running the node (an edit, values of a custom operator from a file).
  virtual std::optional<RuntimeValue> instead(const Frame&, NodeId) { return std::nullopt; }
  // The arguments of a call, before they are bound: what the listener leaves there is what the operator gets.
  virtual void arguments(const Frame&, NodeId, NamedValues& named) { (void)named; }
  // With copy_before_write: what shared `before` now shares `after`, which holds the same bytes and is about to be written.
  virtual void storage_replaced(const Frame&, NodeId, const Storage& before, const Storage& after) { (void)before, (void)after; }
  virtual void entered(const Frame&) {}  // a sub-graph's frame was pushed
  virtual void left(const Frame&) {}     // … ended, its values still there
};

struct InterpreterOptions {
  KernelContext context;                       // memory, stop token, threads; its generator is set by the interpreter
  std::optional<uint64_t> seed;                // none: the default seed
  bool keep_values = false;                    // false: a frame lets go of a value after its last reader
  bool copy_before_write = false;              // operators write to copies: memory that was seen once never changes
  int64_t max_iterations = 100'000;            // of one while_loop
  bool pause_in_loops = false;                 // StepKind::LoopLimit there; false: the node fails
  int64_t max_node_runs = 10'000'000;          // of the whole run
};

enum class StepKind : uint8_t {
  RanNode,    // the node ended: done, failed, unsupported or blocked
  EnteredBody,  // a higher-order node called a sub-graph; its first node is next
  Finished,   // nothing is left
  Stopped,    // cancelled; the node did not run and is still the next
  Limit,      // max_node_runs is reached
  LoopLimit,  // max_iterations are; the next step goes on for as many again
};
struct Step {
  StepKind kind = StepKind::Finished;
  NodeRef node;         // the node that ended, or that called
  size_t depth = 0;     // of its frame: 0 for the program
};

class Interpreter {
 public:
  Interpreter(std::shared_ptr<const ExecutionPlan> plan, const OpTable& ops, InterpreterOptions options);
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  void add_listener(RunListener* listener) { listeners_.push_back(listener); }
  void remove_listener(RunListener* listener) { std::erase(listeners_, listener); }
  // Values of the root's placeholders, in order; MissingValue where there is none. Discards what ran before.
  // `problems`: by placeholder, why it has no value; may be shorter.
  void start(std::vector<RuntimeValue> inputs, std::vector<std::string> problems = {});
  // Tensors that get_attr nodes name (constants in files of 2.1).
  void set_attributes(std::map<std::string, RuntimeValue> attributes) { attributes_ = std::move(attributes); }
  // After StepKind::Limit: so many more.
  void allow_node_runs(int64_t more) { options_.max_node_runs += more; }
  // Runs one node, or enters a sub-graph, or ends one.
  Step step();

  // Runs one node of a frame whose values are given, sub-graphs and all, and returns what it gives. `generator`: its state before it;
  // `listener`: may be null.
  static Result<RuntimeValue> evaluate(std::shared_ptr<const ExecutionPlan> plan, const OpTable& ops, InterpreterOptions options, Frame frame,
                                       NodeId node, const Generator* generator, RunListener* listener = nullptr);

  const ExecutionPlan& plan() const { return *plan_; }
  const Program& program() const { return *plan_->program; }
  size_t depth() const { return frames_.size(); }
  const Frame& frame(size_t depth) const;
  // The node that runs next; none once finished.
  std::optional<NodeRef> next() const;
  // The next node is a higher-order one that already made calls.
  bool resumes() const;
  // What the program returned, in the order of the output specs; once finished. Missing items are MissingValue.
  const std::vector<RuntimeValue>& outputs() const { return outputs_; }
  // The value, now, of the root's placeholder number i.
  const RuntimeValue& input(size_t i) const { return inputs_[i]; }
  // Whether that placeholder's storage was written to.
  bool input_written(size_t i) const;
  int64_t node_runs() const { return node_runs_; }
  // When the node that listeners are told of had its value.
  std::chrono::steady_clock::time_point ended() const { return ended_; }
  Generator& generator() { return generator_; }
  void set_stop(std::stop_token stop) { options_.context.stop = std::move(stop); }

 private:
  struct Activation;
  Activation& top() { return *frames_.back(); }
  void push_frame(GraphId graph, std::vector<RuntimeValue> arguments, NodeId caller, const Autocast& autocast);
  template <class Work>
  bool guarded(Activation& activation, NodeRun& run, Work&& work);
  void run_node(Activation& activation, NodeId id, NodeRun& run, RuntimeValue& value);
  RuntimeValue call_node(Activation& activation, NodeId id, std::vector<std::pair<std::string_view, RuntimeValue>> named, NodeRun& run);
  Step resume_higher_order();
  Step finish_node(Activation& activation, NodeId id, NodeRun run, RuntimeValue value);
  Step finish_graph(NodeRef output, size_t depth, RuntimeValue value);
  bool write_anew(Activation& activation, NodeId id, const Op& op, std::span<RuntimeValue> arguments);
  void replace_storage(Activation& activation, NodeId id, std::span<RuntimeValue> arguments, const Storage& before, const Storage& after);
  void resize_object(Activation& activation, NodeId id, std::span<RuntimeValue> arguments, const Tensor& resized);
  void poison_written(Activation& activation, NodeId id);

  std::shared_ptr<const ExecutionPlan> plan_;
  const OpTable& ops_;
  InterpreterOptions options_;
  Generator generator_;
  std::vector<RunListener*> listeners_;
  std::vector<std::unique_ptr<Activation>> frames_;
  std::unordered_map<std::string, int64_t> calls_;  // of a sub-graph, by its path
  std::vector<RuntimeValue> inputs_, outputs_;
  std::map<std::string, RuntimeValue> attributes_;
  std::unordered_set<const void*> written_;         // identities of storages; `inputs_` keeps those that matter alive
  int64_t node_runs_ = 0;
  std::chrono::steady_clock::time_point ended_;
};

}  // namespace pt2::interp
