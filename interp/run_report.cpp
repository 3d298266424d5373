#include "interp/run_report.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>

#include "core/base/limits.h"
#include "interp/break_check.h"
#include "interp/memory_limit.h"
#include "interp/recorded_values.h"
#include "interp/sign_choice.h"
#include "interp/unsupported.h"

namespace pt2::interp {

namespace {

std::string unsupported_text(const std::string& target) {
  const std::string_view reason = why_unsupported(target);
  return "this build has no implementation of " + target + (reason.empty() ? "" : ": " + std::string(reason));
}

// Writes every value right after its node ran.
class Recorder : public RunListener {
 public:
  Recorder(const Program& program, SafetensorsWriter writer) : program_(program), writer_(std::move(writer)) {}

  void node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) override {
    const Node& node = program_.graphs[frame.graph].node(id);
    if (run.done() && node.kind != NodeKind::Output) add(recorded_tensors(frame.path + std::string(node.name), value, node));
  }

  void add(const std::vector<std::pair<std::string, Tensor>>& tensors) {
    for (const auto& [name, tensor] : tensors)
      if (problem_.has_value()) problem_ = writer_.add(name, tensor);
  }

  Result<void> finish() { return problem_.has_value() ? writer_.finish() : problem_; }

 private:
  const Program& program_;
  SafetensorsWriter writer_;
  Result<void> problem_;
};

// Counts, failures and the profile.
class Bookkeeper : public RunListener {
 public:
  Bookkeeper(const Program& program, RunReport& report) : program_(program), report_(report) {}

  void node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue&) override {
    const Node& node = program_.graphs[frame.graph].node(id);
    const NodeRef ref{frame.graph, id};
    const std::string name = node.kind == NodeKind::Output ? frame.path + "output" : frame.path + std::string(node.name);
    if (run.done()) executed_.insert(ref);
    if (const auto* failed = std::get_if<Failed>(&run.outcome)) report_.failed.push_back({name, ref, shown_target(node), failed->message, failed->kind});
    if (const auto* unsupported = std::get_if<Unsupported>(&run.outcome)) {
      report_.failed.push_back({name, ref, shown_target(node), unsupported_text(unsupported->target), ErrorKind::Failed});
      if (std::find(report_.unsupported.begin(), report_.unsupported.end(), unsupported->target) == report_.unsupported.end())
        report_.unsupported.push_back(unsupported->target);
    }
    if (std::holds_alternative<Blocked>(run.outcome)) report_.blocked.push_back(name);
    auto [it, added] = places_.emplace(ref, report_.profile.size());
    if (added) {
      const std::string_view graph = program_.graphs[frame.graph].name;
      report_.profile.emplace_back((graph.empty() ? "" : std::string(graph) + "/") + std::string(node.name), NodeProfile{shown_target(node)});
    }
    NodeProfile& profile = report_.profile[it->second].second;
    ++profile.calls;
    profile.elapsed_us += run.elapsed_us;
    profile.bytes += run.bytes;
    report_.executed = executed_.size();
  }

 private:
  const Program& program_;
  RunReport& report_;
  std::set<NodeRef> executed_;
  std::map<NodeRef, size_t> places_;
};

// Values from a file for what cannot be evaluated.
class GivenValues : public RunListener {
 public:
  GivenValues(const ExecutionPlan& plan, const TensorFile& values) : plan_(plan), values_(values) {
    for (NodeRef ref : plan.unsupported) unsupported_.insert(ref);
  }

  std::optional<RuntimeValue> instead(const Frame& frame, NodeId id) override {
    if (!unsupported_.contains({frame.graph, id})) return std::nullopt;
    const std::string key = frame.path + std::string(plan_.program->graphs[frame.graph].node(id).name);
    if (const Tensor* tensor = values_.find(key)) return RuntimeValue(*tensor);
    std::vector<RuntimeValue> items;
    while (const Tensor* item = values_.find(key + "#" + std::to_string(items.size()))) items.emplace_back(*item);
    if (items.empty()) return std::nullopt;
    return make_tuple(std::move(items));
  }

 private:
  const ExecutionPlan& plan_;
  const TensorFile& values_;
  std::set<NodeRef> unsupported_;
};

std::string_view mutation_kind(InputKind kind) {
  switch (kind) {
    case InputKind::Parameter: return "parameter_mutation";
    case InputKind::Buffer: return "buffer_mutation";
    case InputKind::UserInput: return "user_input_mutation";
    default: return "constant_mutation";
  }
}

// What was written to, in place or as a mutation output, with its value after the run.
std::vector<WrittenInput> written_values(const Interpreter& interpreter, bool finished) {
  const Program& program = interpreter.program();
  std::vector<WrittenInput> written;
  for (const InputSpec& spec : program.signature.inputs) {
    if (!spec.node.valid() || spec.node.index >= program.root_graph().placeholder_count()) continue;
    const std::string name(program.root_graph().node(spec.node).name);
    const std::string target(spec.target.empty() ? std::string_view(name) : spec.target);
    std::optional<RuntimeValue> value;
    if (interpreter.input_written(spec.node.index)) value = interpreter.input(spec.node.index);
    const auto& outputs = program.signature.outputs;
    for (size_t i = 0; finished && i < outputs.size() && i < interpreter.outputs().size(); ++i) {
      const OutputKind kind = outputs[i].kind;
      const bool by_target = kind == OutputKind::BufferMutation || kind == OutputKind::ParameterMutation;
      if ((by_target && !spec.target.empty() && outputs[i].target == spec.target) ||
          (kind == OutputKind::UserInputMutation && (outputs[i].target == spec.name || outputs[i].target == name)))
        value = interpreter.outputs()[i];
    }
    if (value) written.push_back({name, target, std::string(mutation_kind(spec.kind)), std::move(*value)});
  }
  return written;
}

// A break as it was asked for: a place, or "nan" of any operator.
std::string break_text(const Breakpoint& b, const Program& program) {
  if (b.kind != BreakpointKind::Any || b.condition == BreakpointCondition::Always) return where_text(b, program);
  std::string text = condition_text(b);
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return text;
}

}  // namespace

Result<RunReport> run_program(const OpenedFile& file, std::shared_ptr<const Program> program, const RunRequest& request) {
  const OpTable& ops = builtin_ops();
  auto plan = std::make_shared<const ExecutionPlan>(make_execution_plan(program, ops));
  InterpreterOptions options;
  options.context.memory = std::make_shared<MemoryBudget>(request.memory_bytes ? request.memory_bytes : default_memory_bytes());
  options.context.stop = request.stop;
  options.context.threads = request.threads;
  options.seed = request.seed;
  options.max_iterations = request.max_iterations ? request.max_iterations : static_cast<int64_t>(limits::kLoopIterations);
  options.max_node_runs = request.max_node_runs ? request.max_node_runs : static_cast<int64_t>(limits::kNodeEvaluations);
  ContextScope scope(options.context);

  auto inputs = make_program_inputs(*program, *file.archive, request.inputs);
  if (!inputs) return inputs.error();
  std::optional<Recorder> recorder;
  if (!request.record_path.empty()) {
    auto writer = SafetensorsWriter::create(request.record_path, plan->node_count + 64);
    if (!writer) return writer.error();
    recorder.emplace(*program, std::move(*writer));
  }

  RunReport report;
  report.nodes = plan->node_count;
  report.symbols = inputs->symbols;
  report.warnings = inputs->warnings;
  Interpreter interpreter(plan, ops, options);
  Bookkeeper bookkeeper(*program, report);
  std::optional<GivenValues> given;
  std::optional<SignFollower> signs;
  std::optional<ReferenceCheck> check;
  std::optional<BreakCheck> breaks;
  std::optional<IsolateNodes> isolate;
  interpreter.add_listener(&bookkeeper);
  if (request.given_values) interpreter.add_listener(&given.emplace(*plan, *request.given_values));
  if (request.reference) interpreter.add_listener(&signs.emplace(*program, *request.reference));
  if (request.reference) interpreter.add_listener(&check.emplace(*program, *request.reference, request.comparison));
  if (recorder) interpreter.add_listener(&*recorder);
  if (request.listener) interpreter.add_listener(request.listener);
  if (!request.breaks.empty()) interpreter.add_listener(&breaks.emplace(*program, request.breaks, check ? &*check : nullptr));
  if (check && request.comparison.isolate) interpreter.add_listener(&isolate.emplace(*check));

  std::vector<RuntimeValue> values;
  std::vector<std::string> problems;
  for (ProgramInput& input : inputs->inputs) {
    values.push_back(std::move(input.value));
    problems.push_back(std::move(input.problem));
  }
  const auto begin = std::chrono::steady_clock::now();
  interpreter.set_attributes(std::move(inputs->attributes));
  interpreter.start(std::move(values), std::move(problems));
  auto name_of = [&](NodeRef ref, size_t depth) {
    return (depth < interpreter.depth() ? interpreter.frame(depth).path : std::string()) + std::string(program->node(ref).name);
  };
  auto stop_at = [&](std::string node, std::string reason) {
    report.stopped_at = std::move(node);
    report.stop_reason = std::move(reason);
  };
  while (auto next = interpreter.next()) {
    const size_t depth = interpreter.depth() - 1;
    const std::string path = interpreter.frame(depth).path;
    if (breaks)
      if (auto reason = breaks->before(interpreter.frame(depth), next->node)) {
        stop_at(name_of(*next, depth), reason->text);
        break;
      }
    const Step step = interpreter.step();
    if (step.kind == StepKind::Stopped || step.kind == StepKind::Limit) {
      const bool limit = step.kind == StepKind::Limit;
      report.stopped_by = limit ? ErrorKind::Limit : ErrorKind::Stopped;
      stop_at(name_of(step.node, step.depth), limit ? "still running after " + std::to_string(options.max_node_runs) + " node evaluations (limit)" : "stopped");
      break;
    }
    const Node& node = program->node(step.node);
    const std::string name = path + std::string(node.name);
    if (step.kind == StepKind::RanNode && breaks)
      if (auto reason = breaks->taken_reason()) {
        stop_at(name, reason->text);
        break;
      }
    if (step.kind == StepKind::RanNode && !request.until.empty() && (request.until == name || request.until == node.name)) {
      stop_at(name, "--until " + name);
      break;
    }
    if (request.progress && interpreter.node_runs() % 64 == 0) request.progress(static_cast<size_t>(interpreter.node_runs()));
  }
  report.finished = !interpreter.next();
  if (breaks && report.finished)
    for (const Breakpoint& b : breaks->breakpoints())
      if (b.hits == 0) report.not_reached.push_back(break_text(b, *program));
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  report.outputs = interpreter.outputs();
  report.written = written_values(interpreter, report.finished);
  for (size_t i = 0; i < report.outputs.size(); ++i) {
    const std::string key = "output#" + std::to_string(i);
    if (recorder) recorder->add(recorded_tensors(key, report.outputs[i]));
    if (check) check->check(key, "output", report.outputs[i]);
  }
  for (const WrittenInput& input : report.written) {
    if (recorder) recorder->add(recorded_tensors("final/" + input.name, input.value));
    if (check && report.finished) check->check("final/" + input.name, "final/" + input.name, input.value);
  }
  if (recorder)
    if (auto done = recorder->finish(); !done) return done.error();
  if (check) {
    report.compared = check->compared();
    report.differing = check->differing();
    report.mismatched = check->mismatched();
    report.not_in_reference = check->not_in_reference();
    report.taken_from_reference = check->taken_from_reference();
    if (!report.mismatched.empty()) report.first_divergence = report.mismatched[0].node;
  }
  report.peak_bytes = options.context.memory->peak_bytes();
  return report;
}

}  // namespace pt2::interp
