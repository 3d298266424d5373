#include "views/workspace/debug_session.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "interp/value_names.h"
#include "interp/program_inputs.h"
#include "views/workspace/document.h"
#include "views/workspace/preferences.h"

namespace pt2::views {

std::string_view run_state_name(RunState state) {
  switch (state) {
    case RunState::NotStarted: return "not_started";
    case RunState::Paused: return "paused";
    case RunState::Running: return "running";
    case RunState::Finished: return "finished";
    case RunState::Failed: return "failed";
  }
  return "";
}

DebugSession::DebugSession(std::shared_ptr<const OpenedFile> file, std::shared_ptr<const Program> program, JobQueue& jobs)
    : program_(program),
      jobs_(jobs),
      debugger_(std::make_unique<interp::Debugger>(std::move(file), std::move(program), jobs)),
      facts_(std::make_unique<RunFacts>(program_, *debugger_, jobs)) {
  debugger_->on_changed = [this] { sync(); };
  debugger_->on_problem = [this](const Error& error) {
    const std::string text = error.message + (error.advice.empty() ? "" : ". " + error.advice);
    const bool start_failed = std::exchange(starting_, false);
    if (start_failed) {
      problem = text;
      problem_of_ranges = interp::ignoring_ranges_helps(error);
      problem_of_dtype = interp::casting_helps(error);
    }
    then_ = Then::Stay;
    if (on_problem) on_problem(text, start_failed);
  };
  sync();
}

DebugSession::~DebugSession() {
  debugger_->on_changed = nullptr;
  debugger_->on_problem = nullptr;
}

void DebugSession::start(Then then, interp::Breakpoint to) {
  problem.clear();
  asked_for_inputs = true;
  starting_ = true;
  then_ = then;
  then_to_ = std::move(to);
  if (request.seed) debugger_->options.seed = *request.seed;
  debugger_->start(request);
}

void DebugSession::sync() {
  const interp::Debugger& d = *debugger_;
  const bool ran = state == RunState::Running;
  state = RunState(uint8_t(d.state()));
  // In the past a finished run is shown as it was: something runs next.
  if ((state == RunState::Finished || state == RunState::Failed) && d.in_the_past() && d.cursor()) state = RunState::Paused;
  cursor = {};
  position.clear();
  if (const auto at = d.cursor()) {
    const auto& frames = d.trace().frames();
    cursor = {frames.contains(at->frame) ? frames[at->frame].graph : program_->root(), at->node};
    const std::string name = interp::name_in_call(*program_, cursor, frames.contains(at->frame) ? frames[at->frame].path : "");
    const auto call = d.returned_from();
    position = call ? "in " + name + ", after " + frames[*call].path.substr(0, frames[*call].path.size() - 1) : "before " + name;
  }
  stop_reason = d.stop_reason();
  if (stop_reason == "finished") stop_reason.clear();  // the state says it
  if (state == RunState::Paused && d.in_the_past()) stop_reason = "looking back";
  executed = d.executed();
  steps = d.total();
  breakpoints.clear();
  for (size_t i = 0; i < d.breakpoints.size(); ++i) {
    const interp::Breakpoint& b = d.breakpoints[i];
    if (b.built_in) continue;
    std::string condition = condition_text(b);
    breakpoints.push_back({b.node, b.enabled, condition == "always" ? "" : std::move(condition), b.hits, interp::where_text(b, *program_), b.action, i});
  }
  watches.clear();
  for (const interp::Watch& w : d.watches) watches.push_back({w.expression, w.value, w.changed});
  facts_->update();
  if (both_ && place() != both_at_) both_.reset();
  if (std::exchange(logged_run_, d.run_number()) != d.run_number()) {
    logged_ = 0;
    if (on_run) on_run();
  }
  for (; logged_ < d.log().size(); ++logged_)
    if (on_log) on_log(d.log()[logged_]);
  if (origin_wanted_ && !d.slice_under_way()) {
    origin_wanted_ = false;
    if (d.slice()) show_origin();
    else if (on_problem) on_problem("It holds neither NaN nor Inf, or is not kept", false);
  }
  compare();
  if (starting_ && d.state() != interp::RunState::Running) go_on();
  if (ran && d.state() == interp::RunState::Paused && d.stopped_by() && on_stop) on_stop(d.stopped_by()->node);
}

void DebugSession::compare() {
  if (state == RunState::Running) return logged_comparison_.clear();
  compared = {};
  if (!debugger_->reference()) return;
  for (const interp::StepTrace& step : debugger_->trace().steps())
    if (const auto* difference = debugger_->difference(step.at)) {
      ++compared.values;
      if ((*difference)->equal) continue;
      if (++compared.different == 1) compared.first = node_of(step.at);
    }
  if (const std::string text = compared_text(); state == RunState::Finished && !text.empty() && std::exchange(logged_comparison_, text) != text && on_log) on_log("Finished: " + text);
}

std::string DebugSession::compared_text() const {
  if (!compared.values) return {};
  const std::string values = with_commas(uint64_t(compared.values)) + (compared.values == 1 ? " value" : " values");
  if (!compared.different) return values + (compared.values == 1 ? " is" : " are") + " as in the reference";
  return with_commas(uint64_t(compared.different)) + " of " + values + (compared.different == 1 ? " differs" : " differ") + " from the reference, first " + node_path(*program_, compared.first);
}

std::string DebugSession::nonfinite_text() const {
  const bool nan = facts_->with_nan().values > 0;
  const RunFacts::Found& found = nan ? facts_->with_nan() : facts_->with_inf();
  if (!found.values) return {};
  std::string text = std::string(nan ? "NaN" : "Inf") + " in " + with_commas(uint64_t(found.values)) + (found.values == 1 ? " value" : " values") + ", first " + node_path(*program_, node_of(found.first));
  if (const RunFacts::Found& inf = facts_->with_inf(); nan && inf.values) {
    const bool before = debugger_->trace().step_of(inf.first) < debugger_->trace().step_of(found.first);
    text += "; Inf in " + with_commas(uint64_t(inf.values)) + " more, first " + node_path(*program_, node_of(inf.first)) + (before ? " (earlier)" : "");
  }
  return text;
}

std::optional<interp::TraceRef> DebugSession::first_nonfinite() const {
  const RunFacts::Found& found = facts_->with_nan().values ? facts_->with_nan() : facts_->with_inf();
  return found.values ? std::optional(found.first) : std::nullopt;
}

void DebugSession::show_both(std::optional<ValuesOfBoth> values) {
  both_ = std::move(values);
  both_at_ = place();
}

void DebugSession::find_origin(interp::TraceRef ref, std::optional<Shape> index) {
  origin_wanted_ = true;
  debugger_->find_origin(ref, interp::Nonfinite::NaN, std::move(index));
}

void DebugSession::show_origin() {
  if (debugger_->slice() && on_origin) on_origin();
}

namespace {
std::string nonfinite_name(double value) { return value != value ? "NaN" : value > 0 ? "Inf" : "-Inf"; }
}  // namespace

std::string DebugSession::origin_text() const {
  if (debugger_->slice_under_way()) return "looking where it comes from…";
  const interp::NonfiniteSlice* slice = debugger_->slice();
  if (!slice) return {};
  const interp::SliceStep& from = slice->producer();
  const interp::SliceStep& to = slice->path.back();
  const auto named = [&](const interp::SliceStep& step) { return interp::name_in_call(*program_, node_of(step.at), debugger_->trace().frames()[step.at.frame].path); };
  const auto element = [&](const interp::SliceStep& step) {
    std::string text = named(step);
    for (size_t d = 0; d < step.index.size(); ++d) text += (d ? ", " : "[") + std::to_string(step.index[d]);
    return text + (step.index.empty() ? "" : "]");
  };
  const std::string made = nonfinite_name(from.value), asked = nonfinite_name(to.value);
  std::string text = asked + std::string(slice->path.size() > 1 ? " of " + named(to) : "");
  // Where Inf became NaN on the way.
  const auto turned = std::find_if(slice->path.begin(), slice->path.end(), [&](const interp::SliceStep& step) { return nonfinite_name(step.value) == asked; });
  if (made != asked && turned + 1 != slice->path.end()) text += ", made by " + element(*turned) + ",";
  text += " comes from " + (made == asked ? "" : made + " in ") + element(from) + " (" + slice->origin + ")";
  if (slice->path.size() > 1) text += ", " + std::to_string(slice->path.size() - 1) + (slice->path.size() == 2 ? " node upstream" : " nodes upstream");
  return text;
}

// A started run stands before its first operator: on to where it was meant to go.
void DebugSession::go_on() {
  starting_ = false;
  const Then what = std::exchange(then_, Then::Stay);
  interp::Debugger& d = *debugger_;
  if (d.state() != interp::RunState::Paused) return;
  if (what == Then::RunWithoutStopping) return d.run_without_stopping();
  if (d.stopped_by()) return;  // a breakpoint on that operator
  if (what == Then::Run) d.run();
  else if (what == Then::RunTo && (then_to_.kind != interp::BreakpointKind::Node || then_to_.node != cursor)) d.run_to(std::move(then_to_));
}

const Breakpoint* DebugSession::breakpoint_at(NodeRef node) const {
  for (const Breakpoint& b : breakpoints)
    if (node.node && b.node == node) return &b;
  return nullptr;
}

void DebugSession::load_reference(const std::string& path) {
  const std::string tag = "reference:" + std::to_string(uintptr_t(this));
  reference_problem.clear();
  if (path.empty()) {
    jobs_.cancel(tag);
    return use_reference(nullptr, {});
  }
  reading_reference = true;
  jobs_.submit(
      tag, "Reading the reference",
      [path](Job&) -> Result<std::shared_ptr<const TensorFile>> {
        auto file = read_tensor_file(path);
        if (!file) return file.error();
        return std::make_shared<const TensorFile>(std::move(*file));
      },
      [self = std::weak_ptr<DebugSession*>(self_), path](Result<std::shared_ptr<const TensorFile>> file) {
        auto alive = self.lock();
        if (!alive) return;
        DebugSession& session = **alive;
        session.reading_reference = false;
        if (file) return session.use_reference(std::move(*file), path);
        session.reference_problem = file.error().message + (file.error().advice.empty() ? "" : ". " + file.error().advice);
        if (session.on_problem) session.on_problem("Cannot read the reference " + path + ": " + session.reference_problem, false);
      });
}

void DebugSession::use_reference(std::shared_ptr<const TensorFile> reference, std::string name) {
  reference_name = std::move(name);
  reference_matches = 0;
  if (reference)
    for (const auto& [key, tensor] : reference->tensors) {
      const std::string_view node = std::string_view(key).substr(0, key.find('#'));
      reference_matches += node.find('/') != node.npos || program_->root_graph().find(node).valid();
    }
  debugger_->set_reference(std::move(reference));
}

void follow_run(Document& document, NodeRef node) {
  const Selection& now = document.selection.current();
  if (!node.node || !(now.empty() || now == Selection::of_node(document.debug->followed))) return;
  document.debug->followed = node;
  document.selection.select(Selection::of_node(node));
}

void prepare_runs(const Preferences& preferences, DebugSession& session) {
  interp::DebuggerOptions& options = session.debugger()->options;
  options.threads = preferences.threads.value_or(0);
  options.trace_bytes = preferences.value_megabytes.value_or(0) << 20;
  options.tolerance = {preferences.rtol, preferences.atol};
}

}  // namespace pt2::views
