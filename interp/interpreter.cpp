#include "interp/interpreter.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <stdexcept>

#include "core/graph/results.h"
#include "core/tensor/mapped_storage.h"
#include "interp/allocation.h"
#include "interp/autocast.h"
#include "interp/bind_arguments.h"
#include "interp/check.h"
#include "interp/shapes.h"
#include "interp/vmap.h"
#include "interp/written_arguments.h"

namespace pt2::interp {

namespace {

using Clock = std::chrono::steady_clock;
using Named = NamedValues;

double us_between(Clock::time_point begin, Clock::time_point end) { return std::chrono::duration<double, std::micro>(end - begin).count(); }

// Bytes of the result's tensors whose storage none of the arguments has.
size_t new_bytes(const RuntimeValue& value, std::span<const RuntimeValue> arguments) {
  size_t bytes = 0;
  for_each_tensor(value, [&](const Tensor& tensor) {
    bool shared = false;
    for (const RuntimeValue& argument : arguments)
      for_each_tensor(argument, [&](const Tensor& other) { shared = shared || other.storage.shares_with(tensor.storage); });
    if (!shared) bytes += tensor.storage.size_bytes();
  });
  return bytes;
}

// Weights are mapped files: their bytes are right only while nobody cuts or rewrites the file. They are checked before the call, so that damaged
// bytes are not computed with, and after it, because the file may have been cut meanwhile.
using MappedArguments = std::vector<std::pair<std::string_view, Storage>>;
MappedArguments mapped_arguments(const Named& named) {
  MappedArguments mapped;
  for (const auto& [name, value] : named)
    for_each_tensor(value, [&, name = name](const Tensor& tensor) {
      if (is_mapping(tensor.storage)) mapped.emplace_back(name, tensor.storage);
    });
  return mapped;
}
void check_files(const MappedArguments& mapped, const std::stop_token& stop) {
  for (const auto& [name, storage] : mapped) {
    const auto right = check_mapping(storage, stop);
    if (right) continue;
    const Error& error = right.error();
    if (error.kind == ErrorKind::Stopped) throw KernelError(error.message, ErrorKind::Stopped);
    fail(name.empty() ? "an argument" : "\"" + std::string(name) + "\"", " cannot be read from its file", error.where.empty() ? ", which " : ": " + error.where + ": ", error.message);
  }
}

std::vector<RuntimeValue> values_of(const Named& named) {
  std::vector<RuntimeValue> values;
  values.reserve(named.size());
  for (const auto& [name, value] : named) values.push_back(value);
  return values;
}

Storage copied(const Storage& storage) {
  Storage copy = allocate(storage.size_bytes());
  std::memcpy(copy.data(), storage.data(), storage.size_bytes());
  return copy;
}

}  // namespace

struct Interpreter::Activation {
  Frame frame;
  const Graph* graph = nullptr;
  const IdVector<NodeId, PlannedNode>* planned = nullptr;
  std::vector<RuntimeValue> arguments;           // of the placeholders
  // The higher-order node under way: it waits for the frame above.
  std::optional<HigherOrderRun> higher_order;
  NodeRun higher_order_run;
  std::optional<NodeRef> body_missing;           // some body returned no value because of this node
  std::vector<std::string> argument_problems;    // of the root's placeholders: why there is no value
};

Interpreter::Interpreter(std::shared_ptr<const ExecutionPlan> plan, const OpTable& ops, InterpreterOptions options)
    : plan_(std::move(plan)), ops_(ops), options_(std::move(options)) {
  options_.context.generator = &generator_;
  if (!options_.context.memory) options_.context.memory = std::make_shared<MemoryBudget>(SIZE_MAX);
}

Interpreter::~Interpreter() = default;

void Interpreter::start(std::vector<RuntimeValue> inputs, std::vector<std::string> problems) {
  frames_.clear();
  calls_.clear();
  written_.clear();
  outputs_.clear();
  node_runs_ = 0;
  generator_.set_seed(options_.seed.value_or(Generator::kDefaultSeed));
  inputs_ = inputs;
  push_frame(program().root(), std::move(inputs), NodeId(), Autocast());
  top().argument_problems = std::move(problems);
}

const Frame& Interpreter::frame(size_t depth) const { return frames_.at(depth)->frame; }

std::optional<NodeRef> Interpreter::next() const {
  if (frames_.empty()) return std::nullopt;
  return NodeRef{frames_.back()->frame.graph, frames_.back()->frame.next};
}

bool Interpreter::resumes() const { return !frames_.empty() && frames_.back()->higher_order.has_value(); }

bool Interpreter::input_written(size_t i) const {
  if (const auto* lost = inputs_[i].as<MissingValue>()) return lost->waits_for.node.valid();
  const auto* tensor = inputs_[i].as<Tensor>();
  return tensor && written_.contains(tensor->storage.identity());
}

void Interpreter::push_frame(GraphId graph_id, std::vector<RuntimeValue> arguments, NodeId caller, const Autocast& autocast) {
  auto activation = std::make_unique<Activation>();
  const Graph& graph = program().graphs[graph_id];
  activation->graph = &graph;
  activation->planned = &plan_->graphs[graph_id];
  activation->arguments = std::move(arguments);
  Frame& frame = activation->frame;
  frame.graph = graph_id;
  frame.caller = caller;
  frame.autocast = autocast;
  frame.next = NodeId(0);
  frame.values.resize(graph.nodes().size());
  if (!frames_.empty()) {
    const std::string_view name = graph.parent_node.valid() ? program().graphs[graph.parent].node(graph.parent_node).target : graph.name;
    const std::string path = top().frame.path + std::string(name);
    frame.path = path + "@" + std::to_string(calls_[path]++) + "/";
  }
  frames_.push_back(std::move(activation));
}

// Runs `work` as part of a node; what it throws becomes the node's outcome. False: stopped by the user, the node did not run.
template <class Work>
bool Interpreter::guarded(Activation& activation, NodeRun& run, Work&& work) {
  ContextScope scope(options_.context);
  try {
    work();
  } catch (const KernelError& error) {
    if (error.kind() == ErrorKind::Stopped) return false;
    if (activation.body_missing) run.outcome = Blocked{*activation.body_missing};
    else run.outcome = Failed{error.message(), error.kind()};
  } catch (const std::bad_alloc&) {
    run.outcome = Failed{"there is not enough memory", ErrorKind::Limit};
  } catch (const std::length_error&) {
    run.outcome = Failed{"the result is too large", ErrorKind::Limit};
  } catch (const std::exception& error) {
    run.outcome = Failed{std::string("the operator broke down: ") + error.what()};
  }
  return true;
}

Step Interpreter::step() {
  if (frames_.empty()) return {};
  Activation& activation = top();
  if (activation.higher_order) return resume_higher_order();
  const NodeId id = activation.frame.next;
  const NodeRef ref{activation.frame.graph, id};
  const size_t depth = frames_.size() - 1;
  if (options_.context.stop.stop_requested()) return {StepKind::Stopped, ref, depth};
  if (node_runs_ >= options_.max_node_runs) return {StepKind::Limit, ref, depth};
  ++node_runs_;

  NodeRun run;
  RuntimeValue value;
  const Clock::time_point begin = Clock::now();
  const int64_t draws = generator_.draws();
  bool replaced = false;
  for (RunListener* listener : listeners_)
    if (auto given = listener->instead(activation.frame, id)) {
      value = std::move(*given);
      run.outcome = Done{};
      run.supplied = replaced = true;
    }
  if (!replaced) {
    if (!guarded(activation, run, [&] { run_node(activation, id, run, value); })) {
      --node_runs_;
      activation.higher_order.reset();
      return {StepKind::Stopped, ref, depth};
    }
    if (activation.higher_order && std::holds_alternative<NotRun>(run.outcome)) {
      run.elapsed_us = us_between(begin, ended_ = Clock::now());
      activation.higher_order_run = run;
      return resume_higher_order();
    }
  }
  run.drew_random = generator_.draws() != draws;
  run.elapsed_us = us_between(begin, ended_ = Clock::now());
  return finish_node(activation, id, std::move(run), std::move(value));
}

// Goes on with the higher-order node of the top frame until it calls a body or ends.
Step Interpreter::resume_higher_order() {
  Activation& activation = top();
  const NodeId id = activation.frame.next;
  const NodeRef ref{activation.frame.graph, id};
  const size_t depth = frames_.size() - 1;
  NodeRun& run = activation.higher_order_run;
  RuntimeValue value;
  const Clock::time_point begin = Clock::now();
  bool entered = false, limit = false;
  const bool stopped = !guarded(activation, run, [&] {
    const BodyCall* call = activation.higher_order->resume();
    limit = activation.higher_order->at_limit();
    if (limit) return;
    if (!call) {
      value = std::move(activation.higher_order->result());
      // Files of 2.1 declare the one result of a call itself, not a list of one.
      if (tensor_meta(activation.graph->node(id).val) && value.items().size() == 1) value = RuntimeValue(value.items()[0]);
      run.outcome = Done{};
      return;
    }
    const Graph& body = program().graphs[call->graph];
    check(call->arguments.size() == body.placeholder_count(), "the sub-graph takes ", body.placeholder_count(), " arguments, found ",
          call->arguments.size());
    push_frame(call->graph, call->arguments, id, call->autocast.value_or(activation.frame.autocast));
    entered = true;
  });
  run.elapsed_us += us_between(begin, ended_ = Clock::now());
  if (entered) {
    for (RunListener* listener : listeners_) listener->entered(top().frame);
    return {StepKind::EnteredBody, ref, depth};
  }
  if (limit) return {StepKind::LoopLimit, ref, depth};
  if (stopped) run.outcome = Failed{"stopped", ErrorKind::Stopped};
  activation.higher_order.reset();
  activation.body_missing.reset();
  return finish_node(activation, id, std::move(run), std::move(value));
}

void Interpreter::run_node(Activation& activation, NodeId id, NodeRun& run, RuntimeValue& value) {
  const Node& node = activation.graph->node(id);
  const PlannedNode& planned = (*activation.planned)[id];
  Frame& frame = activation.frame;
  switch (planned.kind) {
    case CalleeKind::Placeholder: {
      const size_t i = id.index;
      if (i < activation.argument_problems.size() && !activation.argument_problems[i].empty()) fail(activation.argument_problems[i]);
      check(i < activation.arguments.size(), "there is no value for this input");
      value = std::move(activation.arguments[i]);
      if (const auto* missing = value.as<MissingValue>()) run.outcome = Blocked{missing->waits_for};
      else run.outcome = Done{};
      return;
    }
    case CalleeKind::GetAttr:
      if (!node.subgraph.valid()) {
        auto it = attributes_.find(std::string(node.target));
        check(it != attributes_.end(), "\"", node.target, "\" is neither a sub-graph nor a tensor of this file");
        value = it->second;
        run.outcome = Done{};
        return;
      }
      value = RuntimeValue::Value(SubgraphValue{node.subgraph});
      run.outcome = Done{};
      return;
    case CalleeKind::Output:
      if (!node.inputs.empty()) value = argument_value(node.inputs[0].value, frame);
      run.outcome = Done{};
      return;
    case CalleeKind::Unknown: run.outcome = Unsupported{shown_target(node)}; break;
    default: break;
  }

  Named named = argument_values(node, frame);
  for (RunListener* listener : listeners_) listener->arguments(frame, id, named);
  for (const auto& [name, argument] : named)
    if (auto missing = first_missing({&argument, 1})) {
      if (planned.kind == CalleeKind::Python && is_getitem(node) && !argument.is<MissingValue>()) continue;
      run.outcome = Blocked{*missing};
    }
  if (!std::holds_alternative<NotRun>(run.outcome)) return;

  if (planned.kind == CalleeKind::HigherOrder) {
    for (const auto& [name, argument] : named)
      if (const auto* given = argument.as<OperatorValue>(); given && !ops_.find(given->name) && !find_higher_order(given->name)) {
        const std::string_view target = given->name;
        run.outcome = Unsupported{std::string(target.starts_with("torch.ops.") ? target.substr(10) : target)};
        return;
      }
    HigherOrderCall call{std::move(named), &ops_, &options_.context, {options_.max_iterations, options_.pause_in_loops}, frame.autocast};
    activation.higher_order.emplace(planned.higher_order(std::move(call)));
    return;
  }
  const MappedArguments mapped = mapped_arguments(named);
  check_files(mapped, options_.context.stop);
  value = call_node(activation, id, std::move(named), run);
  check_files(mapped, options_.context.stop);
  if (const auto* missing = value.as<MissingValue>()) run.outcome = Blocked{missing->waits_for};
  else run.outcome = Done{};
}

// A call of an operator or a Python function; where a vmap is under way, example by example.
RuntimeValue Interpreter::call_node(Activation& activation, NodeId id, Named named, NodeRun& run) {
  const PlannedNode& planned = (*activation.planned)[id];
  if (has_batch(named, planned.kind == CalleeKind::RemoveBatchDim))
    return for_each_example(named, [&](Named example) { return call_node(activation, id, std::move(example), run); });
  switch (planned.kind) {
    case CalleeKind::Python: return planned.python(values_of(named));
    case CalleeKind::VmapLevel: return planned.vmap_level;
    case CalleeKind::AddBatchDim: return add_batch_dim(values_of(named));
    case CalleeKind::RemoveBatchDim: return remove_batch_dim(activation.graph->node(id), values_of(named), ops_, options_.context);
    default: break;
  }
  const Op& op = *planned.op;
  std::vector<RuntimeValue> arguments = bind_arguments(op.schema, op.defaults, named);
  if (activation.frame.autocast.enabled) apply_autocast(activation.frame.autocast, op, arguments, ops_, options_.context);
  if (options_.copy_before_write && op.functional && !planned.resizes && write_anew(activation, id, op, arguments)) return arguments[0];
  for (size_t w : planned.written) {
    std::vector<Tensor> targets;
    for_each_tensor(arguments[w], [&](const Tensor& tensor) { targets.push_back(tensor); });
    for (const Tensor& target : targets) {
      for (RunListener* listener : listeners_) listener->before_write(activation.frame, id, target);
      written_.insert(target.storage.identity());
      if (options_.copy_before_write && target.storage.identity()) replace_storage(activation, id, arguments, target.storage, copied(target.storage));
    }
  }
  RuntimeValue result = packed(op.call(options_.context, arguments));
  if (planned.resizes) resize_object(activation, id, arguments, *result.as<Tensor>());
  run.bytes += new_bytes(result, arguments);
  run.uninitialized = planned.uninitialized;
  return result;
}

// An in-place operator that gives every byte of a storage a new value needs no copy to write to: what its functional form returns becomes
// that memory. False, and nothing changed, where it is not so.
bool Interpreter::write_anew(Activation& activation, NodeId id, const Op& op, std::span<RuntimeValue> arguments) {
  const auto* given = arguments[0].as<Tensor>();
  if (!given || given->offset != 0 || !is_non_overlapping_and_dense(*given) || given->numel() == 0 ||
      given->storage.size_bytes() != static_cast<size_t>(given->numel() * item_size(given->dtype)))
    return false;
  const Tensor target = *given;
  const Results results = op.functional->call(options_.context, arguments);
  const auto* made = results[0].as<Tensor>();
  if (!made || made->dtype != target.dtype || made->sizes != target.sizes || made->strides != target.strides || made->offset != 0 ||
      made->storage.size_bytes() != target.storage.size_bytes() || new_bytes(results[0], arguments) == 0)
    return false;
  for (RunListener* listener : listeners_) listener->before_write(activation.frame, id, target);
  written_.insert(target.storage.identity());
  replace_storage(activation, id, arguments, target.storage, made->storage);
  return true;
}

// resize_ changes the tensor object itself: every node that stands for the same object (what an in-place operator returns is its argument)
// has the new shape from here on, and views of the memory see it grow.
void Interpreter::resize_object(Activation& activation, NodeId id, std::span<RuntimeValue> arguments, const Tensor& resized) {
  const auto object_of = [&](NodeId node) {
    while (true) {
      const Op* op = (*activation.planned)[node].op;
      const auto& inputs = activation.graph->node(node).inputs;
      if (!op || op->schema.returns.size() != 1 || !op->schema.returns[0].type.writes() || inputs.empty()) return node;
      const auto* self = inputs[0].value.as<NodeId>();
      if (!self) return node;
      node = *self;
    }
  };
  const Storage before = arguments[0].as<Tensor>()->storage;
  if (!resized.storage.shares_with(before)) replace_storage(activation, id, arguments, before, resized.storage);
  const NodeId object = object_of(id);
  for (size_t n = 0; n < id.index; ++n)
    if (auto* tensor = activation.frame.values[NodeId(n)].as<Tensor>(); tensor && object_of(NodeId(n)) == object) *tensor = resized;
}

// Everything that shares `before` moves to the memory that this node writes. Sub-graphs of loops are not looked for among what their
// higher-order operator holds: torch.export refuses bodies that write to their inputs.
void Interpreter::replace_storage(Activation& activation, NodeId id, std::span<RuntimeValue> arguments, const Storage& given, const Storage& after) {
  const Storage before = given;  // `given` may be one of those that move
  auto move = [&](RuntimeValue& value) {
    auto* tensor = value.as<Tensor>();
    if (!tensor) value = on_storage(value, before, after);
    else if (tensor->storage.shares_with(before)) tensor->storage = after;
  };
  for (RuntimeValue& value : arguments) move(value);
  for (auto& frame : frames_) {
    for (RuntimeValue& value : frame->frame.values) move(value);
    for (RuntimeValue& value : frame->arguments) move(value);
  }
  for (RuntimeValue& value : inputs_) move(value);
  written_.insert(after.identity());
  for (RunListener* listener : listeners_) listener->storage_replaced(activation.frame, id, before, after);
}

Result<RuntimeValue> Interpreter::evaluate(std::shared_ptr<const ExecutionPlan> plan, const OpTable& ops, InterpreterOptions options, Frame frame,
                                           NodeId node, const Generator* generator, RunListener* given) {
  const Node& called = plan->program->graphs[frame.graph].node(node);
  if (called.kind == NodeKind::Output) return called.inputs.empty() ? RuntimeValue() : argument_value(called.inputs[0].value, frame);
  options.keep_values = true;
  options.copy_before_write = true;
  Interpreter interpreter(std::move(plan), ops, std::move(options));
  if (generator) interpreter.generator_ = *generator;
  auto activation = std::make_unique<Activation>();
  activation->graph = &interpreter.program().graphs[frame.graph];
  activation->planned = &interpreter.plan_->graphs[frame.graph];
  activation->frame = std::move(frame);
  activation->frame.next = node;
  interpreter.frames_.push_back(std::move(activation));
  struct Outcome : RunListener {
    NodeId node;
    size_t deeper = 0;
    NodeOutcome outcome;
    void node_done(const Frame&, NodeId id, const NodeRun& run, RuntimeValue&) override {
      if (deeper == 0 && id == node) outcome = run.outcome;
    }
    void entered(const Frame&) override { ++deeper; }
    void left(const Frame&) override { --deeper; }
  } listener;
  listener.node = node;
  interpreter.add_listener(&listener);
  if (given) interpreter.add_listener(given);
  while (interpreter.depth() > 1 || interpreter.frame(0).next == node) {
    const Step step = interpreter.step();
    if (step.kind == StepKind::Stopped) return Error{ErrorKind::Stopped, "stopped"};
    if (step.kind == StepKind::Limit) return Error{ErrorKind::Limit, "too many node evaluations"};
  }
  if (const auto* failed = std::get_if<Failed>(&listener.outcome)) return Error{failed->kind, failed->message};
  if (!std::holds_alternative<Done>(listener.outcome)) return Error{ErrorKind::Failed, "it got no value"};
  return interpreter.frame(0).values[node];
}

Step Interpreter::finish_node(Activation& activation, NodeId id, NodeRun run, RuntimeValue value) {
  Frame& frame = activation.frame;
  const NodeRef ref{frame.graph, id};
  const size_t depth = frames_.size() - 1;
  const PlannedNode& planned = (*activation.planned)[id];
  for (RunListener* listener : listeners_) listener->computed(frame, id, run, value);
  if (run.supplied && run.done() && planned.written.empty()) run.bytes = new_bytes(value, {});
  if (!run.done()) {
    const auto* blocked = std::get_if<Blocked>(&run.outcome);
    value = RuntimeValue::Value(MissingValue{blocked ? blocked->waits_for : ref});
  }
  // What was given for an unknown operator is what it returns; what it writes is not known either way.
  if (!run.done() || planned.kind == CalleeKind::Unknown) poison_written(activation, id);
  for (RunListener* listener : listeners_) listener->node_done(frame, id, run, value);
  if (planned.kind == CalleeKind::Output) return finish_graph(ref, depth, std::move(value));
  frame.values[id] = std::move(value);
  if (!options_.keep_values)
    for (NodeId released : planned.released) frame.values[released] = RuntimeValue();
  if (!options_.keep_values && activation.graph->users(id).empty()) frame.values[id] = RuntimeValue();
  frame.next = NodeId(id.index + 1);
  return {StepKind::RanNode, ref, depth};
}

// The output node ran: its value goes to the caller.
Step Interpreter::finish_graph(NodeRef output, size_t depth, RuntimeValue value) {
  if (depth == 0) {
    outputs_ = value.is<ListValue>() ? value.items() : std::vector<RuntimeValue>{value};
    frames_.clear();
    return {StepKind::RanNode, output, depth};
  }
  for (RunListener* listener : listeners_) listener->left(top().frame);
  frames_.pop_back();
  Activation& caller = top();
  if (auto missing = first_missing({&value, 1}); missing && !caller.body_missing) caller.body_missing = missing;
  caller.higher_order->deliver(std::move(value));
  return {StepKind::RanNode, output, depth};
}

// A node that should have written to its arguments, or may have, did not: what they hold now is not what the program means. Every value that shares
// their storage loses it, in this frame and those below.
void Interpreter::poison_written(Activation& activation, NodeId id) {
  const Node& node = activation.graph->node(id);
  std::vector<const void*> storages;
  for (size_t i : written_arguments(*activation.graph, id, (*activation.planned)[id]))
    for_each_tensor(argument_value(node.inputs[i].value, activation.frame), [&](const Tensor& tensor) {
      if (tensor.storage.identity()) storages.push_back(tensor.storage.identity());
    });
  if (storages.empty()) return;
  auto poisoned = [&](const RuntimeValue& value) {
    bool found = false;
    for_each_tensor(value, [&](const Tensor& t) { found = found || std::find(storages.begin(), storages.end(), t.storage.identity()) != storages.end(); });
    return found;
  };
  const MissingValue missing{{activation.frame.graph, id}};
  for (auto& frame : frames_)
    for (RuntimeValue& value : frame->frame.values)
      if (poisoned(value)) value = RuntimeValue::Value(missing);
  for (RuntimeValue& value : inputs_)
    if (poisoned(value)) value = RuntimeValue::Value(missing);
}

}  // namespace pt2::interp
