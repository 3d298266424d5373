#include "interp/what_if.h"

#include <algorithm>
#include <cmath>

#include "interp/edited_value.h"
#include "interp/value_names.h"
#include "interp/recorded_values.h"

namespace pt2::interp {

namespace {
bool holds_in(const std::string& call, std::optional<std::string_view> path) { return !path || means_call(call, *path); }

// A value of symbolic sizes is spread over those of the run; where they are not known yet it is once the node was computed.
void spread_again(const Program& program, ValueEdit& edit, const std::map<std::string, int64_t>& symbols) {
  const TensorMeta* meta = tensor_meta(program.node(edit.node).val);
  if (edit.value.is_none() || !meta || std::none_of(meta->sizes.begin(), meta->sizes.end(), [](const SymInt& size) { return size.is_symbolic(); })) return;
  auto value = fit_value_edit(program, edit.node, {}, edit.given, {}, nullptr, symbols);
  edit.value = value ? std::move(*value) : RuntimeValue();
}
}  // namespace

// What was said of one call goes before what was said of all.
const ValueEdit* Edits::value_of(NodeRef node, std::optional<std::string_view> path) const {
  const ValueEdit* found = nullptr;
  for (const ValueEdit& e : values)
    if (e.node == node && holds_in(e.call, path) && (!found || found->call.empty())) found = &e;
  return found;
}

bool Edits::changes_arguments_of(NodeRef node, std::optional<std::string_view> path) const {
  return std::any_of(arguments.begin(), arguments.end(), [&](const ArgumentEdit& e) { return e.node == node && holds_in(e.call, path); });
}

bool Edits::touches(NodeRef ref, const Program& program, std::optional<std::string_view> path) const {
  if (empty()) return false;
  if (value_of(ref, path) || changes_arguments_of(ref, path)) return true;
  const Node& node = program.node(ref);
  return ref.graph == program.root() && node.kind == NodeKind::Placeholder &&
         std::any_of(inputs.begin(), inputs.end(), [&](const InputEdit& e) { return e.name == node.name; });
}

void ArgumentEdits::arguments(const Frame& frame, NodeId id, NamedValues& named) {
  for (const ArgumentEdit& edit : edits_) {
    if (edit.node != NodeRef{frame.graph, id} || !means_call(edit.call, frame.path)) continue;
    auto it = std::find_if(named.begin(), named.end(), [&](const auto& argument) { return argument.first == edit.argument; });
    if (it == named.end()) {
      // Given by position: of the schema, or as the argument's number where there is no schema.
      size_t position = named.size();
      if (const OpSchema* schema = find_op_schema(program_.node(edit.node).target)) {
        for (size_t i = 0; i < schema->parameters.size(); ++i)
          if (schema->parameters[i].name == edit.argument) position = i;
      } else {
        position = static_cast<size_t>(std::strtoull(edit.argument.c_str(), nullptr, 10));
      }
      if (position < named.size() && named[position].first.empty()) it = named.begin() + static_cast<ptrdiff_t>(position);
    }
    if (it != named.end()) it->second = edit.value;
    else named.emplace_back(edit.argument, edit.value);
  }
}

// ---- Values -----------------------------------------------------------------------------------------------------------------------------

ValueEdits::ValueEdits(std::shared_ptr<const Program> program, const Edits& edits, std::map<std::string, int64_t> symbols)
    : program_(std::move(program)), symbols_(std::move(symbols)) {
  edits_.values = edits.values;
  for (ValueEdit& edit : edits_.values) spread_again(*program_, edit, symbols_);
  for (const ValueEdit& edit : edits_.values)
    if (edit.given.is_none())
      for (std::string& name : names_in(edit.text + edit.index, *program_)) {
        if (name.find('/') == name.npos && !name.starts_with(kOfProgram)) names_.insert(std::move(name));
        else paths_.emplace(name, find_value(*program_, name, edit.node.graph));
      }
}

std::optional<RuntimeValue> ValueEdits::instead(const Frame& frame, NodeId id) {
  const NodeRef ref{frame.graph, id};
  const ValueEdit* edit = edits_.value_of(ref, frame.path);
  return edit && !edit->value.is_none() && !returns_what_it_wrote(program_->node(ref)) ? std::optional(edit->value) : std::nullopt;
}

// From the call's own value, which may be without one: of an operator that is not implemented, or that failed. What an in-place operator gives is
// memory that others see: they see what is written there in its place.
void ValueEdits::computed(const Frame& frame, NodeId id, NodeRun& run, RuntimeValue& value) {
  const NodeRef ref{frame.graph, id};
  const auto edits = value_edits_of(edits_, ref, frame.path);
  const bool in_place = returns_what_it_wrote(program_->node(ref));
  if (edits.empty() || (!edits[0]->value.is_none() && !in_place)) return;
  const std::optional<RuntimeValue> computed = run.done() ? std::optional(value) : std::nullopt;
  const auto names = [&](std::string_view name) { return name == program_->node(ref).name ? computed : named(name); };
  std::optional<RuntimeValue> edited = computed;
  for (const ValueEdit* edit : edits) {
    auto given = edit->given.is_none() ? parse_given(*program_, ref, edit->text, names) : Result<RuntimeValue>(edit->given);
    if (given) given = fit_value_edit(*program_, ref, edit->index, *given, names, edited ? &*edited : nullptr, symbols_);
    if (!given && !computed) return;  // that it has no value says more
    run.supplied = true;
    if (!given) {
      run.outcome = Failed{"its edit \"" + edit->shown() + "\" has no value here: " + given.error().message};
      return;
    }
    edited = std::move(*given);
  }
  if (in_place && computed) copy_onto(*value.as<Tensor>(), *edited->as<Tensor>());
  else value = std::move(*edited);
  run.outcome = Done{};
}

void ValueEdits::node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) {
  const std::string_view name = program_->graphs[frame.graph].node(id).name;
  if (!run.done()) return;
  if (names_.contains(name)) mentioned_.back()[std::string(name)] = value;
  for (const auto& [path, meant] : paths_)
    if (meant.node == NodeRef{frame.graph, id} && means_call(meant.calls, frame.path)) mentioned_.front()[path] = value;
}

// Of the innermost call that has it.
std::optional<RuntimeValue> ValueEdits::named(std::string_view name) const {
  for (size_t depth = mentioned_.size(); depth-- > 0;)
    if (auto it = mentioned_[depth].find(name); it != mentioned_[depth].end()) return it->second;
  auto symbol = symbols_.find(std::string(name));
  return symbol == symbols_.end() ? std::nullopt : std::optional<RuntimeValue>(symbol->second);
}

// ---- Replay -----------------------------------------------------------------------------------------------------------------------------

ReplayPlan::ReplayPlan(std::shared_ptr<const Program> program, std::shared_ptr<const Baseline> baseline, std::vector<bool> changed_inputs)
    : program_(std::move(program)), baseline_(std::move(baseline)) {
  Level level;
  level.graph = program_->root();
  level.original = FrameId(0);
  level.changed = std::move(changed_inputs);
  level.changed.resize(program_->root_graph().nodes().size());
  frames_.push_back(std::move(level));
}

bool ReplayPlan::reached(NodeId id, const Edits& edits) const {
  const Level& level = frames_.back();
  const Graph& graph = program_->graphs[level.graph];
  if (!level.original.valid() || level.changed[id.index] || edits.touches({level.graph, id}, *program_)) return true;
  bool any = false;
  for (const NodeArgument& argument : graph.node(id).inputs) for_each_node(argument.value, [&](NodeId input) { any = any || level.changed[input.index]; });
  return any;
}

std::optional<ReplayPlan::Reused> ReplayPlan::reuse(NodeId id, const Edits& edits) {
  const Level& level = frames_.back();
  const Node& node = program_->graphs[level.graph].node(id);
  if (node.kind != NodeKind::CallFunction || reached(id, edits)) return std::nullopt;
  const ExecutionTrace& trace = baseline_->trace;
  const TraceRef ref{level.original, id};
  const auto step = trace.step_of(ref);
  if (!step || trace.steps()[*step].wrote || trace.is_rewritten(ref)) return std::nullopt;
  const NodeRun& run = trace.steps()[*step].run;
  if (!run.done() || run.drew_random || run.uninitialized || !trace.calls_from(ref).empty()) return std::nullopt;
  bool rewritten = false;
  for (const NodeArgument& argument : node.inputs) for_each_node(argument.value, [&](NodeId input) { rewritten = rewritten || trace.is_rewritten({level.original, input}); });
  if (rewritten) return std::nullopt;
  const RuntimeValue* value = trace.value(ref);
  return value ? std::optional(Reused{*value, run}) : std::nullopt;
}

void ReplayPlan::ended(NodeId id, bool changed) {
  Level& level = frames_.back();
  level.changed[id.index] = changed;
  level.any = level.any || changed;
}

void ReplayPlan::mark_changed(size_t depth, NodeId id) {
  frames_[depth].changed[id.index] = true;
  frames_[depth].any = true;
}

void ReplayPlan::entered(GraphId graph, NodeId caller) {
  Level& from = frames_.back();
  Level level;
  level.graph = graph;
  const size_t number = from.calls[caller]++;
  if (from.original.valid()) {
    const auto calls = baseline_->trace.calls_from({from.original, caller});
    if (number < calls.size() && baseline_->trace.frames()[calls[number]].graph == graph) level.original = calls[number];
  }
  level.changed.resize(program_->graphs[graph].nodes().size());
  // What the calling node got that differs, or what came out of an earlier call of it, may come in by any input.
  bool any = from.changed[caller.index];
  for (const NodeArgument& argument : program_->graphs[from.graph].node(caller).inputs)
    for_each_node(argument.value, [&](NodeId input) { any = any || from.changed[input.index]; });
  for (size_t i = 0; any && i < program_->graphs[graph].placeholder_count(); ++i) level.changed[i] = true;
  frames_.push_back(std::move(level));
}

void ReplayPlan::left(NodeId caller) {
  const bool any = frames_.back().any || !frames_.back().original.valid();
  frames_.pop_back();
  if (any) mark_changed(frames_.size() - 1, caller);
}

std::optional<TraceRef> ReplayPlan::original(NodeId node) const {
  const FrameId frame = frames_.back().original;
  return frame.valid() ? std::optional(TraceRef{frame, node}) : std::nullopt;
}

std::optional<ValueDifference> change_between(const RuntimeValue& now, const RuntimeValue& before) {
  auto incomparable = [](std::string reason) {
    ValueDifference d;
    d.comparable = false;
    d.reason = std::move(reason);
    d.max_abs = d.max_rel = d.cosine = std::nan("");
    return d;
  };
  const auto tensors = recorded_tensors("", now), others = recorded_tensors("", before);
  if (tensors.size() != others.size()) return incomparable(kind_text(now) + ", was " + kind_text(before));
  std::optional<ValueDifference> worst;
  for (size_t i = 0; i < tensors.size(); ++i) {
    ValueDifference d = compare_tensors(tensors[i].second, others[i].second, {0, 0});
    if (!d.comparable) d.reason.replace(std::min(d.reason.size(), d.reason.find("expected")), 8, "was");
    if (!d.equal && (!worst || worse(d, *worst))) worst = std::move(d);
  }
  return worst;
}

}  // namespace pt2::interp
