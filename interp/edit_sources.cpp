#include "interp/edit_sources.h"

#include <algorithm>

#include "interp/value_names.h"
#include "interp/watch_expression.h"

namespace pt2::interp {

bool builds_on_computed(const ValueEdit& edit, const Program& program) {
  const auto names = names_in(edit.text, program);
  return !edit.index.empty() || std::find(names.begin(), names.end(), program.node(edit.node).name) != names.end();
}

EditSources::EditSources(const ExecutionTrace& trace, const Program& program, const ValueEdit& edit, TraceRef node, const RuntimeValue& computed)
    : program_(program), edit_(edit) {
  const std::string own(program.node(edit.node).name);
  if (builds_on_computed(edit, program)) sources_.push_back({own, node, computed});
  for (const std::string& name : names_in(edit.text + edit.index, program)) {
    const bool known = std::any_of(sources_.begin(), sources_.end(), [&](const EditSource& s) { return s.name == name; });
    const auto at = known ? std::nullopt : named(trace, name, node);
    if (!at) continue;
    const RuntimeValue* value = trace.value(*at);
    complete_ = complete_ && value;
    if (value) sources_.push_back({name, *at, *value});
  }
}

// Of the innermost call that has it; with calls before it, of the one that ran last.
std::optional<TraceRef> EditSources::named(const ExecutionTrace& trace, std::string_view name, TraceRef node) const {
  const auto before = trace.step_of(node);
  const auto ran = [&](TraceRef ref) {
    const auto step = trace.step_of(ref);
    return step && before && *step < *before;
  };
  const ValueName meant = find_value(program_, name, edit_.node.graph);
  if (!meant.calls.empty() || name.starts_with(kOfProgram)) {
    const auto calls = trace.calls_of(meant.node.graph);
    for (size_t i = calls.size(); i-- > 0;)
      if (const TraceRef ref{calls[i], meant.node.node}; means_call(meant.calls, trace.frames()[calls[i]].path) && ran(ref)) return ref;
    return std::nullopt;
  }
  for (FrameId frame = node.frame;; frame = trace.frames()[frame].caller.frame) {
    const NodeId id = program_.graphs[trace.frames()[frame].graph].find(name);
    if (id.valid() && ran({frame, id})) return TraceRef{frame, id};
    if (frame.index == 0) return std::nullopt;
  }
}

std::optional<RuntimeValue> EditSources::value_of(const std::vector<RuntimeValue>& values, const std::map<std::string, int64_t>& symbols) const {
  const NameLookup names = [&](std::string_view name) -> std::optional<RuntimeValue> {
    for (size_t i = 0; i < sources_.size(); ++i)
      if (sources_[i].name == name) return values[i];
    const auto symbol = symbols.find(std::string(name));
    return symbol == symbols.end() ? std::nullopt : std::optional<RuntimeValue>(symbol->second);
  };
  const auto given = parse_given(program_, edit_.node, edit_.text, names);
  if (!given) return std::nullopt;
  const RuntimeValue* current = builds_on_computed(edit_, program_) ? &values.front() : nullptr;
  auto value = fit_value_edit(program_, edit_.node, edit_.index, *given, names, current, symbols);
  return value ? std::optional(std::move(*value)) : std::nullopt;
}

}  // namespace pt2::interp
