#include "interp/break_check.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/tensor/view.h"
#include "interp/convert.h"
#include "interp/recorded_values.h"

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
        if (std::isinf(real) || std::isinf(imaginary)) ++counts.inf;
        if (real == 0 && imaginary == 0) ++counts.zeros;
        const double x = complex ? std::hypot(real, imaginary) : real;
        counts.min = counts.any ? std::min(counts.min, x) : x;
        counts.max = counts.any ? std::max(counts.max, x) : x;
        counts.any = true;
      }
    }
  });
}

std::string of(int64_t count, int64_t elements, const char* what) {
  return std::to_string(count) + " " + what + " of " + std::to_string(elements);
}

// "model.py:41" against the frames of a stack trace: the file's last part is enough.
bool source_matches(const Node& node, std::string_view place) {
  const size_t colon = place.rfind(':');
  const std::string_view file = place.substr(0, colon);
  for (const SourceFrame& frame : parse_stack_trace(node.meta->stack_trace))
    if (std::to_string(frame.line) == place.substr(colon + 1) &&
        (frame.file == file || (frame.file.size() > file.size() && frame.file.ends_with(file) && frame.file[frame.file.size() - file.size() - 1] == '/')))
      return true;
  return false;
}

bool uses_symbol(const Node& node, const std::string& symbol) {
  auto has = [&](const SymExpr& expr) {
    const auto names = free_symbols(expr);
    return std::find(names.begin(), names.end(), symbol) != names.end();
  };
  if (const TensorMeta* meta = tensor_meta(node.val)) {
    for (const SymInt& size : meta->sizes)
      if (size.is_symbolic() && has(*size.expr)) return true;
  } else if (const SymMeta* meta = sym_meta(node.val)) {
    return meta->expr && has(*meta->expr);
  }
  return false;
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

std::string with_values(std::string message, const std::string& node, const RuntimeValue& value) {
  const ValueCounts counts = count_values(value);
  const std::pair<std::string, std::string> fields[] = {{"{name}", node},
                                                        {"{min}", std::to_string(counts.min)},
                                                        {"{max}", std::to_string(counts.max)},
                                                        {"{nan}", std::to_string(counts.nan)},
                                                        {"{inf}", std::to_string(counts.inf)}};
  for (const auto& [field, text] : fields)
    for (size_t at = message.find(field); at != std::string::npos; at = message.find(field, at + text.size())) message.replace(at, field.size(), text);
  return message;
}

}  // namespace

ValueCounts count_values(const RuntimeValue& value) {
  ValueCounts counts;
  for (const auto& [key, tensor] : recorded_tensors("", value)) count_tensor(tensor, counts);
  return counts;
}

BreakCheck::BreakCheck(const Program& program, std::vector<Breakpoint> breakpoints, const ReferenceCheck* check)
    : program_(program), breakpoints_(std::move(breakpoints)), check_(check) {}

bool BreakCheck::in_module(NodeRef ref, const std::string& pattern) const {
  if (ref.graph != program_.root()) return false;
  for (ModuleId m = program_.node(ref).module; m.valid() && program_.modules.modules.contains(m); m = program_.modules.modules[m].parent)
    if (matches_glob(pattern, program_.modules.modules[m].path)) return true;
  return false;
}

bool BreakCheck::place_matches(const Breakpoint& b, NodeRef ref) const {
  const Node& node = program_.node(ref);
  switch (b.kind) {
    case BreakpointKind::Node: return b.node == ref;
    case BreakpointKind::Op: return node.kind == NodeKind::CallFunction && matches_glob(b.pattern, shown_target(node));
    case BreakpointKind::ModuleEnter:
    case BreakpointKind::ModuleExit: return in_module(ref, b.pattern);
    case BreakpointKind::Source: return node.kind == NodeKind::CallFunction && source_matches(node, b.pattern);
    case BreakpointKind::Symbol: return node.kind == NodeKind::CallFunction && uses_symbol(node, b.pattern);
    case BreakpointKind::Data: return false;
    case BreakpointKind::Any: return node.kind == NodeKind::CallFunction;
  }
  return false;
}

bool BreakCheck::counts_as_hit(Breakpoint& b) {
  ++b.hits;
  return b.hits >= b.hit_at_least && (b.every <= 1 || (b.hits - std::max<uint64_t>(b.hit_at_least, 1)) % b.every == 0);
}

void BreakCheck::act(size_t index, const std::string& node, const RuntimeValue& value, std::string reason) {
  const Breakpoint& b = breakpoints_[index];
  if (b.action == BreakpointAction::Log) log_.push_back(b.message.empty() ? reason : with_values(b.message, node, value));
  else if (b.action == BreakpointAction::Collect) collected_.push_back({index, node, value});
  else if (!reason_) reason_ = std::move(reason);
}

std::optional<std::string> BreakCheck::before(const Frame& frame, NodeId id) {
  const NodeRef ref{frame.graph, id};
  if (stopped_before_ && stopped_before_->first == frame.path && stopped_before_->second == id) return std::nullopt;
  stopped_before_.reset();
  const Node& node = program_.node(ref);
  const std::string name = frame.path + std::string(node.name);
  reason_.reset();
  for (size_t i = 0; i < breakpoints_.size(); ++i) {
    Breakpoint& b = breakpoints_[i];
    if (!b.enabled || b.condition != BreakpointCondition::Always || b.kind == BreakpointKind::Data || b.kind == BreakpointKind::Any) continue;
    if (node.kind != NodeKind::CallFunction && b.kind != BreakpointKind::Node) continue;
    const bool inside = place_matches(b, ref);
    bool met = inside;
    if (b.kind == BreakpointKind::ModuleEnter || b.kind == BreakpointKind::ModuleExit) {
      const bool was_inside = last_module_.valid() && ref.graph == program_.root() &&
                              [&] {
                                for (ModuleId m = last_module_; m.valid() && program_.modules.modules.contains(m); m = program_.modules.modules[m].parent)
                                  if (matches_glob(b.pattern, program_.modules.modules[m].path)) return true;
                                return false;
                              }();
      if (ref.graph != program_.root()) continue;
      met = b.kind == BreakpointKind::ModuleEnter ? inside && !was_inside : !inside && was_inside;
    }
    if (met && counts_as_hit(b)) act(i, name, RuntimeValue(), "breakpoint " + where_text(b, program_) + " before " + name);
  }
  if (ref.graph == program_.root() && node.kind == NodeKind::CallFunction) last_module_ = node.module;
  if (!reason_) return std::nullopt;
  stopped_before_.emplace(frame.path, id);
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
    case BreakpointCondition::Always: what = "written"; return b.kind == BreakpointKind::Data;
    case BreakpointCondition::ShapeDiffers: what = "shape differs from the declared one"; return shape_differs(node, value);
    case BreakpointCondition::DTypeDiffers: {
      const TensorMeta* meta = tensor_meta(node.val);
      const auto* tensor = value.as<Tensor>();
      if (!meta || !tensor || meta->dtype == tensor->dtype) return false;
      what = "dtype " + std::string(dtype_name(tensor->dtype)) + ", declared " + std::string(dtype_name(meta->dtype));
      return true;
    }
    case BreakpointCondition::Mismatch:
      what = "mismatch with the reference";
      return differs ? differs(frame, id, value) : check_ && check_->last_differs();
    case BreakpointCondition::Expression: {
      const auto holds = expression ? expression(frame, id, value, b.expression) : std::nullopt;
      what = b.expression;
      return holds.value_or(false);
    }
    default: break;
  }
  const ValueCounts counts = count_values(value);
  switch (b.condition) {
    case BreakpointCondition::NaN: what = of(counts.nan, counts.elements, "NaN"); return counts.nan > 0;
    case BreakpointCondition::Inf: what = of(counts.inf, counts.elements, "Inf"); return counts.inf > 0;
    case BreakpointCondition::NonFinite:
      what = counts.nan ? of(counts.nan, counts.elements, "NaN") : of(counts.inf, counts.elements, "Inf");
      return counts.nan > 0 || counts.inf > 0;
    case BreakpointCondition::AbsGreater:
      what = condition_text(b);
      return counts.inf > 0 || (counts.any && std::max(std::abs(counts.min), std::abs(counts.max)) > b.threshold);
    case BreakpointCondition::Less: what = condition_text(b); return counts.any && counts.min < b.threshold;
    case BreakpointCondition::AllZero: what = "all zero"; return counts.elements > 0 && counts.zeros == counts.elements;
    default: return false;
  }
}

void BreakCheck::before_write(const Frame&, NodeId, const Tensor& tensor) {
  for (const auto& [index, identity] : watched_)
    if (identity == tensor.storage.identity()) data_written_.push_back(index);
}

void BreakCheck::node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) {
  const NodeRef ref{frame.graph, id};
  const Node& node = program_.node(ref);
  const std::string name = frame.path + std::string(node.name);
  if (node.kind == NodeKind::Placeholder && frame.path.empty())
    for (size_t i = 0; i < breakpoints_.size(); ++i)
      if (const auto* tensor = value.as<Tensor>(); tensor && breakpoints_[i].kind == BreakpointKind::Data && breakpoints_[i].node == ref)
        watched_.emplace_back(i, tensor->storage.identity());
  for (size_t i = 0; i < breakpoints_.size(); ++i) {
    Breakpoint& b = breakpoints_[i];
    const bool written = std::find(data_written_.begin(), data_written_.end(), i) != data_written_.end();
    if (!b.enabled || (b.condition == BreakpointCondition::Always && b.kind != BreakpointKind::Data)) continue;
    if (b.kind == BreakpointKind::Data ? !written : !place_matches(b, ref)) continue;
    std::string what;
    if (!condition_holds(b, frame, id, run, value, what) || !counts_as_hit(b)) continue;
    const std::string rule = b.kind == BreakpointKind::Data ? where_text(b, program_) : b.built_in ? "rule: " + condition_text(b) : condition_text(b);
    act(i, name, value, "after " + name + ": " + what + " (" + rule + ")");
  }
  data_written_.clear();
}

std::optional<std::string> BreakCheck::taken_reason() { return std::exchange(reason_, std::nullopt); }

std::vector<std::string> BreakCheck::take_log() { return std::exchange(log_, {}); }
std::vector<BreakCheck::Collected> BreakCheck::take_collected() { return std::exchange(collected_, {}); }

}  // namespace pt2::interp
