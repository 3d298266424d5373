#include "interp/break_check.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/tensor/view.h"
#include "interp/arising.h"
#include "interp/convert.h"
#include "interp/log_message.h"
#include "interp/nonfinite_constants.h"
#include "interp/recorded_values.h"
#include "interp/watch_expression.h"

namespace pt2::interp {

namespace {

void count_tensor(const Tensor& tensor, ValueCounts& counts) {
  const bool complex = is_complex(tensor.dtype);
  const Compute compute = complex ? Compute::C128 : Compute::F64;
  if (item_size(tensor.dtype) == 0) return;
  const LoadFunction load = loader(tensor.dtype, compute);
  constexpr int64_t kBlock = 512;
  alignas(16) std::array<double, 2 * kBlock> block;
  for_each_run(tensor, [&](const std::byte* first, int64_t count, int64_t step) {
    for (int64_t begin = 0; begin < count; begin += kBlock) {
      const int64_t n = std::min(kBlock, count - begin);
      load(first + begin * step, step, block.data(), n);
      counts.elements += n;
      for (int64_t i = 0; i < n; ++i) {
        const double real = block[complex ? 2 * i : i], imaginary = complex ? block[2 * i + 1] : 0;
        if (std::isnan(real) || std::isnan(imaginary)) {
          ++counts.nan;
          continue;
        }
        if (std::isinf(real) || std::isinf(imaginary)) {
          ++counts.inf;
          counts.negative_inf += !complex && real < 0;
          continue;
        }
        if (real == 0 && imaginary == 0) ++counts.zeros;
        const double x = complex ? std::hypot(real, imaginary) : real;
        counts.min = counts.any ? std::min(counts.min, x) : x;
        counts.max = counts.any ? std::max(counts.max, x) : x;
        counts.any = true;
      }
    }
  });
}

// "1 NaN, 2 Inf of 4", "2 NaN of 4, 1 of them made here". `made`: of the NaN that are told, else of the Inf; 0: nothing is known of that.
std::string nonfinite_text(int64_t nan, int64_t inf, int64_t elements, int64_t made) {
  std::string text = nan ? std::to_string(nan) + " NaN" : "";
  if (inf) text += (nan ? ", " : "") + std::to_string(inf) + " Inf";
  text += " of " + std::to_string(elements);
  if (made && made < (nan ? nan : inf)) text += ", " + std::to_string(made) + (nan && inf ? " NaN" : "") + " of them made here";
  return text;
}

bool shape_differs(const Node& node, const RuntimeValue& value) {
  const TensorMeta* meta = tensor_meta(node.val);
  const auto* tensor = value.as<Tensor>();
  if (!meta || !tensor) return false;
  if (meta->sizes.size() != tensor->sizes.size()) return true;
  for (size_t d = 0; d < meta->sizes.size(); ++d)
    if (!meta->sizes[d].is_symbolic() && meta->sizes[d].value != tensor->sizes[d]) return true;
  return false;
}

// What the program was given: looked at by who reads it first.
bool held_before(const Frame& frame, const Node& node) { return node.kind == NodeKind::GetAttr || (node.kind == NodeKind::Placeholder && frame.path.empty()); }

bool ignores(const Breakpoint& b, NodeRef ref) { return std::find(b.ignored.begin(), b.ignored.end(), ref) != b.ignored.end(); }

}  // namespace

ValueCounts count_values(const RuntimeValue& value) {
  ValueCounts counts;
  for (const auto& [key, tensor] : recorded_tensors("", value)) count_tensor(tensor, counts);
  return counts;
}

BreakCheck::BreakCheck(const Program& program, std::vector<Breakpoint> breakpoints, const ReferenceCheck* check)
    : program_(program), check_(check), walk_(program) {
  set_breakpoints(std::move(breakpoints));
}

bool BreakCheck::counts_as_hit(Breakpoint& b) {
  ++b.hits;
  return b.hits >= b.hit_at_least && (b.every <= 1 || (b.hits - b.hit_at_least) % b.every == 0);
}

void BreakCheck::set_breakpoints(std::vector<Breakpoint> breakpoints) {
  breakpoints_ = std::move(breakpoints);
  mentioned_.clear();
  for (const Breakpoint& b : breakpoints_)
    for (const std::string* text : {&b.expression, &b.message})
      for (const std::string& name : names_in(*text, program_)) mention(name);
}

void BreakCheck::mention(const std::string& name) {
  for (size_t g = 0; g < program_.graphs.size(); ++g) {
    ValueName value = find_value(program_, name, GraphId(g));
    const bool known = std::any_of(mentioned_.begin(), mentioned_.end(), [&](const ValueName& m) { return m.node == value.node && m.calls == value.calls; });
    if (value.node.node && !known) mentioned_.push_back(std::move(value));
  }
}

void BreakCheck::set_known(const ValueName& name, const std::string& frame_path, RuntimeValue value) { known_[{name.node, name.calls}] = {frame_path, std::move(value)}; }

// What is left of a value: of a node of the same graph that is named alone, not that of an earlier call.
const RuntimeValue* BreakCheck::known(const ValueName& name, const Frame& frame) const {
  const auto it = known_.find({name.node, name.calls});
  if (it == known_.end()) return nullptr;
  return !name.calls.empty() || name.node.graph != frame.graph || it->second.frame_path == frame.path ? &it->second.value : nullptr;
}

// Names of an expression at a node that just ended: values of its frame, also those it let go of. "x" is the node's own where nothing else
// is called so.
NameLookup BreakCheck::names_at(const Frame& frame, NodeId id, const RuntimeValue& value) const {
  return [this, &frame, id, &value](std::string_view name) -> std::optional<RuntimeValue> {
    const bool own_x = name == "x" && !program_.graphs[frame.graph].find(name).valid() && !program_.root_graph().find(name).valid();
    if (own_x) return value;
    const ValueName meant = find_value(program_, name, frame.graph);
    if (!meant.node.node) {
      const auto symbol = symbols_.find(std::string(name));
      return symbol == symbols_.end() ? std::nullopt : std::optional<RuntimeValue>(symbol->second);
    }
    if (meant.node.graph == frame.graph && means_call(meant.calls, frame.path)) {
      if (meant.node.node == id) return value;
      if (const RuntimeValue& other = frame.values[meant.node.node]; !other.is_none()) return other;
    }
    const RuntimeValue* left = known(meant, frame);
    return left ? std::optional(*left) : std::nullopt;
  };
}

std::string BreakCheck::message(const std::string& pattern, const Frame& frame, NodeId id, const RuntimeValue& value) const {
  return filled_message(pattern, [&](std::string_view part) {
    if (part == "name") return frame.path + std::string(program_.graphs[frame.graph].node(id).name);
    if (auto field = value_field(part, value)) return *field;
    return evaluate_watch(part, program_, names_at(frame, id, value), frame.graph).text;
  });
}

void BreakCheck::act(size_t index, const Frame& frame, NodeId id, const RuntimeValue& value, std::string reason) {
  const Breakpoint& b = breakpoints_[index];
  const NodeRef ref{frame.graph, id};
  if (b.action == BreakpointAction::Log) log_.push_back(b.message.empty() ? reason : message(b.message, frame, id, value));
  else if (b.action == BreakpointAction::Collect) collected_.push_back({index, ref, frame.path + std::string(program_.node(ref).name), summary(value)});
  else if (!reason_) reason_ = StopReason{std::move(reason), index, ref, b.built_in && b.condition == BreakpointCondition::NonFinite && news_.inf && !news_.nan, {}};
  else reason_->text += "; " + reason, reason_->others.emplace_back(index, ref);
}

std::optional<StopReason> BreakCheck::before(const Frame& frame, NodeId id) {
  const NodeRef ref{frame.graph, id};
  if (stands_before_ && stands_before_->first == frame.path && stands_before_->second == id) return std::nullopt;
  stands_before_.emplace(frame.path, id);
  const Node& node = program_.node(ref);
  reason_.reset();
  for (size_t i = 0; i < breakpoints_.size(); ++i) {
    Breakpoint& b = breakpoints_[i];
    // What is logged or collected is the node's value: after it.
    if (!b.enabled || b.condition != BreakpointCondition::Always || b.action != BreakpointAction::Stop) continue;
    if (node.kind != NodeKind::CallFunction && b.kind != BreakpointKind::Node) continue;
    if (!walk_.enters(b, ref, frame.path) || ignores(b, ref) || !counts_as_hit(b)) continue;
    act(i, frame, id, RuntimeValue(), "breakpoint " + where_text(b, program_) + " before " + frame.path + std::string(node.name));
  }
  return std::exchange(reason_, std::nullopt);
}

bool BreakCheck::condition_holds(const Breakpoint& b, const Frame& frame, NodeId id, const NodeRun& run, const RuntimeValue& value, std::string& what) {
  const Node& node = program_.graphs[frame.graph].node(id);
  if (b.condition == BreakpointCondition::Error) {
    if (const auto* failed = std::get_if<Failed>(&run.outcome)) what = failed->message;
    else if (const auto* unsupported = std::get_if<Unsupported>(&run.outcome)) what = "no implementation of " + unsupported->target;
    else return false;
    return true;
  }
  if (!run.done()) return false;
  switch (b.condition) {
    case BreakpointCondition::Always: what = b.kind == BreakpointKind::Data ? "written" : condition_text(b); return true;
    case BreakpointCondition::ShapeDiffers: what = "shape differs from the declared one"; return shape_differs(node, value);
    case BreakpointCondition::DTypeDiffers: {
      const TensorMeta* meta = tensor_meta(node.val);
      const auto* tensor = value.as<Tensor>();
      if (!meta || !tensor || meta->dtype == tensor->dtype) return false;
      what = "dtype " + std::string(dtype_name(tensor->dtype)) + ", declared " + std::string(dtype_name(meta->dtype));
      return true;
    }
    case BreakpointCondition::Mismatch: {
      const auto difference = mismatch(b, frame, id, value);
      if (!difference) return false;
      what = difference->comparable ? "max abs error " + summary(difference->max_abs) + " against the reference" : difference->reason + " in the reference";
      return true;
    }
    case BreakpointCondition::Expression:
      what = b.expression;
      return holds(b.expression, program_, names_at(frame, id, value)).value_or(false);
    default: break;
  }
  const ValueCounts& counts = counts_of(value);
  switch (b.condition) {
    case BreakpointCondition::NaN: what = nonfinite_text(counts.nan, counts.inf, counts.elements, 0); return counts.nan > 0;
    case BreakpointCondition::Inf: what = nonfinite_text(counts.nan, counts.inf, counts.elements, 0); return counts.inf > 0;
    case BreakpointCondition::NonFinite:
      what = nonfinite_text(b.built_in && !news_.nan ? 0 : counts.nan, b.built_in && !news_.inf ? 0 : counts.inf, counts.elements, b.built_in ? news_.made : 0);
      return counts.nan > 0 || counts.inf > 0;
    case BreakpointCondition::AbsGreater:
      what = condition_text(b);
      return counts.inf > 0 || (counts.any && std::max(std::abs(counts.min), std::abs(counts.max)) > b.threshold);
    case BreakpointCondition::Less: what = condition_text(b); return counts.negative_inf > 0 || (counts.any && counts.min < b.threshold);
    case BreakpointCondition::AllZero: what = "all zero"; return counts.elements > 0 && counts.zeros == counts.elements;
    default: return false;
  }
}

// The rules for the first NaN and the first mismatch stop where something goes wrong, not at all that follows from it.
bool BreakCheck::is_news(const Breakpoint& b, const Frame& frame, NodeId id) {
  if (!b.built_in || b.condition == BreakpointCondition::Error) return true;
  if (b.condition != BreakpointCondition::Mismatch) return (b.condition != BreakpointCondition::Inf && news_.nan) || (b.condition != BreakpointCondition::NaN && news_.inf);
  const std::set<NodeId>& bad = bad_.back().mismatched;
  bool news = !bad.contains(id);  // a higher-order node: nothing inside it was bad
  for (const NodeArgument& argument : program_.graphs[frame.graph].node(id).inputs)
    for_each_node(argument.value, [&](NodeId input) { news = news && !bad.contains(input); });
  return news;
}

// Of the node that ended last; none: it does not differ, or there is nothing to compare it with.
std::optional<ValueDifference> BreakCheck::mismatch(const Breakpoint& b, const Frame& frame, NodeId id, const RuntimeValue& value) const {
  if (!check_) return std::nullopt;
  auto difference = b.tolerance.atol ? check_->compare(frame.path + std::string(program_.graphs[frame.graph].node(id).name), value, b.tolerance) : check_->last_difference();
  return difference && !difference->equal ? difference : std::nullopt;
}

// Also while the rule is off: turned on later it does not stop at what only inherits.
void BreakCheck::note_mismatch(const Frame& frame, NodeId id, const RuntimeValue& value) {
  for (const Breakpoint& b : breakpoints_)
    if (b.built_in && b.condition == BreakpointCondition::Mismatch && walk_.contains(b, {frame.graph, id}, frame.path) && mismatch(b, frame, id, value)) bad_.back().mismatched.insert(id);
}

void BreakCheck::set_reference(const ReferenceCheck* check) {
  check_ = check;
  for (BadNodes& level : bad_) level.mismatched.clear();
}

void BreakCheck::note_held(size_t depth, const Frame& frame) {
  const Graph& graph = program_.graphs[frame.graph];
  if (depth > 0) inherit_mismatches(bad_[depth - 1], graph, bad_[depth]);
  for (const Breakpoint& b : breakpoints_) {
    if (!check_ || !b.built_in || b.condition != BreakpointCondition::Mismatch) continue;
    for (size_t n = 0; n < frame.values.size(); ++n) {
      const NodeId id(n);
      if (frame.values[id].is_none() || !walk_.contains(b, {frame.graph, id}, frame.path)) continue;
      const auto difference = check_->compare(frame.path + std::string(graph.node(id).name), frame.values[id], b.tolerance);
      if (difference && !difference->equal) bad_[depth].mismatched.insert(id);
    }
  }
}

bool BreakCheck::follows_nonfinite() const {
  return std::any_of(breakpoints_.begin(), breakpoints_.end(), [](const Breakpoint& b) { return b.built_in && b.enabled && b.condition == BreakpointCondition::NonFinite; });
}

const ValueCounts& BreakCheck::counts_of(const RuntimeValue& value) {
  if (!counts_) counts_ = count_values(value);
  return *counts_;
}

// What an argument holds that ended, or was read, while the rule was off: its reader only inherits it.
void BreakCheck::note_unseen(const Frame& frame, NodeId input) {
  BadNodes& here = bad_.back();
  const Graph& graph = program_.graphs[frame.graph];
  const auto unseen = [&](NodeId id) { return here.unseen.valid() && id <= here.unseen; };
  const auto readers = graph.users(input);
  if (!unseen(input) || (held_before(frame, graph.node(input)) && std::none_of(readers.begin(), readers.end(), unseen))) return;
  const ValueCounts held = count_values(frame.values[input]);
  if (held.nan) here.nan.insert(input);
  if (held.inf) here.inf.insert(input);
}

// Whether the NaN or Inf of a value came up in this node: no argument held NaN, or none held anything of the kind. An Inf that the program asks
// for, by a constant, is none that came up.
void BreakCheck::note_nonfinite(const Frame& frame, NodeId id, const RuntimeValue& value) {
  BadNodes& here = bad_.back();
  const Graph& graph = program_.graphs[frame.graph];
  const Node& node = graph.node(id);
  const bool given = node.kind == NodeKind::Placeholder;
  if (node.kind == NodeKind::Output || node.kind == NodeKind::GetAttr || (given && frame.path.empty())) return;  // looked at by who reads it
  const ValueCounts& counts = counts_of(value);
  if (counts.nan == 0 && counts.inf == 0) return;
  std::vector<NodeId> arguments;
  for (const NodeArgument& argument : node.inputs) for_each_node(argument.value, [&](NodeId input) { arguments.push_back(input); });
  for (NodeId input : arguments) note_unseen(frame, input);
  const auto written_here = [&](NodeId of) {
    bool written = false;
    for_each_tensor(frame.values[of], [&](const Tensor& tensor) { written = written || std::find(rewritten_.begin(), rewritten_.end(), tensor.storage.identity()) != rewritten_.end(); });
    return written;
  };
  const auto any_in = [&](const std::set<NodeId>& bad) { return std::any_of(arguments.begin(), arguments.end(), [&](NodeId input) { return bad.contains(input); }); };
  const bool inside = given || here.callers.contains(id);
  news_.nan = counts.nan > 0 && !inside && !any_in(here.nan);
  news_.inf = counts.inf > 0 && !inside && !any_in(here.nan) && !any_in(here.inf) && !asks_for_infinity(node);
  if (news_.nan || news_.inf)
    for (NodeId input : arguments) {  // the first who reads a bad input tells of it
      if (!held_before(frame, graph.node(input)) || written_here(input)) continue;
      const ValueCounts held = count_values(frame.values[input]);
      if (held.nan) here.nan.insert(input);
      if (held.inf) here.inf.insert(input);
      if (held.inf && (graph.node(input).kind == NodeKind::GetAttr || is_constant(program_, input))) news_.inf = false;
    }
  if (!inside && node.kind == NodeKind::CallFunction && ((counts.nan && !news_.nan) || (counts.inf && !news_.inf))) note_arising(frame, node, value);
  auto mark = [&](NodeId bad) {
    if (counts.nan) here.nan.insert(bad);
    if (counts.inf) here.inf.insert(bad);
  };
  mark(id);
  for (size_t n = 0; n < id.index && !rewritten_.empty(); ++n)
    if (written_here(NodeId(n))) mark(NodeId(n));
}

// An element-wise operator may make a NaN or Inf of its own beside those that it inherits.
void BreakCheck::note_arising(const Frame& frame, const Node& node, const RuntimeValue& value) {
  const ArisingElements arising = arising_elements(node, value, [&](NodeId input) { return &frame.values[input]; });
  if (arising.nan && !news_.nan) news_.nan = true, news_.made = arising.nan;
  if (!arising.inf || news_.inf || asks_for_infinity(node)) return;
  news_.inf = true;
  if (!news_.nan) news_.made = arising.inf;
}

// What a call was given that mismatches already is no news inside. Of NaN and Inf its placeholders tell.
void BreakCheck::inherit_mismatches(const BadNodes& outside, const Graph& graph, BadNodes& inside) {
  if (outside.mismatched.empty()) return;
  for (size_t n = 0; n < graph.placeholder_count(); ++n) inside.mismatched.insert(NodeId(n));
}

void BreakCheck::entered(const Frame& frame) {
  BadNodes inside;
  inherit_mismatches(bad_.back(), program_.graphs[frame.graph], inside);
  bad_.push_back(std::move(inside));
}

void BreakCheck::left(const Frame& frame) {
  const BadNodes inside = std::move(bad_.back());
  bad_.pop_back();
  bad_.back().callers.insert(frame.caller);
  if (!inside.mismatched.empty()) bad_.back().mismatched.insert(frame.caller);
}

void BreakCheck::before_write(const Frame&, NodeId, const Tensor& tensor) {
  for (const auto& [placeholder, storage] : placeholders_)
    if (storage == tensor.storage.identity()) written_.push_back(placeholder);
  rewritten_.push_back(tensor.storage.identity());
}

void BreakCheck::storage_replaced(const Frame&, NodeId, const Storage& before, const Storage& after) {
  for (auto& [placeholder, storage] : placeholders_)
    if (storage == before.identity()) storage = after.identity();
  rewritten_.push_back(after.identity());
}

// The node gives the value that the placeholder takes once the program ends.
bool BreakCheck::mutates(const Breakpoint& b, NodeRef ref) const {
  if (ref.graph != program_.root()) return false;
  for (const OutputSpec& output : program_.signature.outputs) {
    const auto* value = output.value.as<NodeId>();
    if (!value || *value != ref.node || output.kind == OutputKind::UserOutput || output.target.empty()) continue;
    for (const InputSpec& input : program_.signature.inputs)
      if (input.node == b.node.node && (input.target == output.target || input.name == output.target)) return true;
  }
  return false;
}

void BreakCheck::node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) {
  const NodeRef ref{frame.graph, id};
  stands_before_.reset();
  const Node& node = program_.node(ref);
  const std::string name = frame.path + std::string(node.name);
  if (node.kind == NodeKind::Placeholder && frame.path.empty())
    if (const auto* tensor = value.as<Tensor>()) placeholders_.emplace_back(ref, tensor->storage.identity());
  counts_.reset();
  news_ = {};
  if (!follows_nonfinite()) bad_.back().unseen = id;
  else if (run.done()) note_nonfinite(frame, id, value);
  for (const ValueName& mentioned : mentioned_)
    if (run.done() && mentioned.node == ref && means_call(mentioned.calls, frame.path)) set_known(mentioned, frame.path, value);
  for (size_t i = 0; i < breakpoints_.size(); ++i) {
    Breakpoint& b = breakpoints_[i];
    const bool always = b.condition == BreakpointCondition::Always;
    if (!b.enabled || ignores(b, ref)) continue;
    bool here = false;
    switch (b.kind) {
      case BreakpointKind::Data: here = std::find(written_.begin(), written_.end(), b.node) != written_.end() || mutates(b, ref); break;
      case BreakpointKind::ModuleExit: here = walk_.leaves(b, ref); break;
      default: here = !always ? walk_.contains(b, ref, frame.path) : b.action != BreakpointAction::Stop && walk_.enters(b, ref, frame.path);
    }
    std::string what;
    if (!here || !condition_holds(b, frame, id, run, value, what) || !is_news(b, frame, id) || !counts_as_hit(b)) continue;
    const bool leaves = always && b.kind == BreakpointKind::ModuleExit;
    const std::string rule = b.built_in ? "rule: first " + condition_text(b) : always ? where_text(b, program_) : condition_text(b);
    act(i, frame, id, value, "after " + name + ": " + (leaves ? "leaving " + b.pattern : rule.starts_with(what) ? rule : what + " (" + rule + ")"));
  }
  if (run.done()) note_mismatch(frame, id, value);
  written_.clear();
  rewritten_.clear();
  walk_.passed(ref);
}

std::optional<StopReason> BreakCheck::taken_reason() { return std::exchange(reason_, std::nullopt); }

std::vector<std::string> BreakCheck::take_log() { return std::exchange(log_, {}); }
std::vector<Collected> BreakCheck::take_collected() { return std::exchange(collected_, {}); }

}  // namespace pt2::interp
