#include "interp/breakpoints.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "core/diff/diff.h"
#include "interp/execution_plan.h"
#include "interp/value_names.h"
#include "interp/watch_expression.h"

namespace pt2::interp {

namespace {

std::string number_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", number);
  return text;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<double> number(std::string_view text) {
  const std::string copy(trimmed(text));
  if (copy.empty()) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  return *end == '\0' ? std::optional(value) : std::nullopt;
}

std::optional<uint64_t> count(std::string_view text) {
  text = trimmed(text);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

// One condition without counts. False: not one of the fixed words.
bool parse_words(std::string_view text, Breakpoint& b) {
  struct Word { std::string_view text; BreakpointCondition condition; };
  static constexpr Word kWords[] = {
      {"always", BreakpointCondition::Always},        {"", BreakpointCondition::Always},
      {"nan", BreakpointCondition::NaN},              {"inf", BreakpointCondition::Inf},
      {"nan/inf", BreakpointCondition::NonFinite},    {"all zero", BreakpointCondition::AllZero},
      {"shape \xe2\x89\xa0 meta", BreakpointCondition::ShapeDiffers}, {"shape != meta", BreakpointCondition::ShapeDiffers},
      {"dtype \xe2\x89\xa0 meta", BreakpointCondition::DTypeDiffers}, {"dtype != meta", BreakpointCondition::DTypeDiffers},
      {"mismatch", BreakpointCondition::Mismatch},    {"error", BreakpointCondition::Error},
  };
  const std::string word = lower(text);
  for (const Word& w : kWords)
    if (word == w.text) {
      b.condition = w.condition;
      return true;
    }
  for (const auto& [prefix, condition] : {std::pair{std::string_view("|x| >"), BreakpointCondition::AbsGreater}, {"x <", BreakpointCondition::Less}})
    if (word.starts_with(prefix))
      if (auto threshold = number(text.substr(prefix.size()))) {
        b.condition = condition;
        b.threshold = *threshold;
        return true;
      }
  // "mismatch > 1e-3", "mismatch > 1e-3/1e-2": absolute and relative.
  if (word.starts_with("mismatch >")) {
    const std::string_view rest = text.substr(10);
    const size_t slash = rest.find('/');
    const auto atol = number(rest.substr(0, slash));
    const auto rtol = slash == std::string_view::npos ? std::optional(0.0) : number(rest.substr(slash + 1));
    if (!atol || !rtol) return false;
    b.condition = BreakpointCondition::Mismatch;
    b.tolerance = {*rtol, *atol};
    return true;
  }
  return false;
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

}  // namespace

bool matches_glob(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0, star = std::string_view::npos, star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) ++p, ++t;
    else if (p < pattern.size() && pattern[p] == '*') star = p++, star_text = t;
    else if (star != std::string_view::npos) p = star + 1, t = ++star_text;
    else return false;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string condition_text(const Breakpoint& b) {
  std::string text;
  switch (b.condition) {
    case BreakpointCondition::Always: break;  // counts alone say enough
    case BreakpointCondition::NaN: text = "NaN"; break;
    case BreakpointCondition::Inf: text = "Inf"; break;
    case BreakpointCondition::NonFinite: text = "NaN/Inf"; break;
    case BreakpointCondition::AbsGreater: text = "|x| > " + number_text(b.threshold); break;
    case BreakpointCondition::Less: text = "x < " + number_text(b.threshold); break;
    case BreakpointCondition::AllZero: text = "all zero"; break;
    case BreakpointCondition::ShapeDiffers: text = "shape != meta"; break;
    case BreakpointCondition::DTypeDiffers: text = "dtype != meta"; break;
    case BreakpointCondition::Mismatch:
      text = "mismatch";
      if (b.tolerance.atol) text += " > " + number_text(*b.tolerance.atol);
      if (b.tolerance.atol && b.tolerance.rtol && *b.tolerance.rtol != 0) text += "/" + number_text(*b.tolerance.rtol);
      break;
    case BreakpointCondition::Expression: text = b.expression; break;
    case BreakpointCondition::Error: text = "error"; break;
  }
  const auto add = [&](const std::string& count) { text += (text.empty() ? "" : ", ") + count; };
  if (b.hit_at_least > 0) add("hit >= " + std::to_string(b.hit_at_least));
  if (b.every > 1) add("every " + std::to_string(b.every));
  return text.empty() ? "always" : text;
}

bool parse_condition(std::string_view text, Breakpoint& breakpoint, std::string& problem) {
  Breakpoint parsed = breakpoint;
  parsed.hit_at_least = 0;
  parsed.every = 1;
  parsed.condition = BreakpointCondition::Always;
  parsed.expression.clear();
  parsed.tolerance = {};
  // Counts stand last, after commas.
  text = trimmed(text);
  while (true) {
    const size_t comma = text.rfind(',');
    const std::string_view last = trimmed(comma == std::string_view::npos ? text : text.substr(comma + 1));
    std::optional<uint64_t> at_least, every;
    for (std::string_view prefix : {std::string_view("hit >="), std::string_view("hit \xe2\x89\xa5")})
      if (last.starts_with(prefix)) at_least = count(last.substr(prefix.size()));
    if (last.starts_with("every ")) every = count(last.substr(6));
    if (!at_least && !every) break;
    if (at_least) parsed.hit_at_least = *at_least;
    if (every) parsed.every = std::max<uint64_t>(1, *every);
    text = comma == std::string_view::npos ? std::string_view() : trimmed(text.substr(0, comma));
  }
  if (!parse_words(text, parsed)) {
    if (lower(text).starts_with("hit") || lower(text).starts_with("every")) {
      problem = "expected a number: hit >= 2, every 3";
      return false;
    }
    parsed.condition = BreakpointCondition::Expression;
    parsed.expression = std::string(text);
  }
  breakpoint = std::move(parsed);
  return true;
}

std::string where_text(const Breakpoint& b, const Program& program) {
  switch (b.kind) {
    case BreakpointKind::Node: return name_in_call(program, b.node, b.call);
    case BreakpointKind::Op: return "op=" + b.pattern;
    case BreakpointKind::ModuleEnter: return "module=" + b.pattern;
    case BreakpointKind::ModuleExit: return "exit=" + b.pattern;
    case BreakpointKind::Source: return b.pattern;
    case BreakpointKind::Symbol: return "symbol=" + b.pattern;
    case BreakpointKind::Data: return "data=" + qualified_name(program, b.node);
    case BreakpointKind::Any: return "any";
  }
  return "";
}

std::string place_and_condition(const Breakpoint& b, const Program& program) { return where_text(b, program) + " if " + condition_text(b); }

std::string unknown_name(const Breakpoint& b, const Program& program) {
  return b.condition == BreakpointCondition::Expression ? unknown_name(b.expression, program) : std::string();
}

std::string later_name(const Breakpoint& b, const Program& program) {
  if (b.condition != BreakpointCondition::Expression || b.kind != BreakpointKind::Node) return {};
  for (const std::string& name : names_in(b.expression, program))
    if (const ValueName meant = find_value(program, name, b.node.graph);
        meant.node.node && meant.node.graph == b.node.graph && meant.node.node.index > b.node.node.index && meant.calls.find('@') == std::string::npos)
      return name;
  return {};
}

namespace {

// The first operator that belongs to a place; none: the run never comes to it.
NodeRef first_at(const Breakpoint& place, const Program& program) {
  const PlaceWalk walk(program);
  for (size_t g = 0; g < program.graphs.size(); ++g)
    for (size_t n = 0; n < program.graphs[GraphId(g)].nodes().size(); ++n)
      if (const NodeRef ref{GraphId(g), NodeId(n)}; program.node(ref).kind == NodeKind::CallFunction && walk.contains(place, ref, {})) return ref;
  return {};
}

std::optional<Breakpoint> read_place(std::string_view text, const Program& program) {
  Breakpoint b;
  struct Prefix { std::string_view text; BreakpointKind kind; };
  for (const Prefix& prefix : {Prefix{"op=", BreakpointKind::Op}, {"module=", BreakpointKind::ModuleEnter}, {"exit=", BreakpointKind::ModuleExit},
                               {"symbol=", BreakpointKind::Symbol}})
    if (text.starts_with(prefix.text)) {
      b.kind = prefix.kind;
      b.pattern = std::string(text.substr(prefix.text.size()));
      return b;
    }
  if (text == "any") {
    b.kind = BreakpointKind::Any;
    return b;
  }
  if (text.starts_with("data=")) {
    const auto named = find_named_node(program, text.substr(5));
    if (!named || !named->call.empty()) return std::nullopt;
    b.kind = BreakpointKind::Data;
    b.node = named->node;
    return b;
  }
  if (auto named = find_named_node(program, text)) {
    b.node = named->node;
    b.call = std::move(named->call);
    return b;
  }
  const size_t colon = text.rfind(':');
  if (colon != std::string_view::npos && colon > 0 && count(text.substr(colon + 1))) {
    b.kind = BreakpointKind::Source;
    b.pattern = std::string(text);
    return b;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Breakpoint> parse_breakpoint(std::string_view text, const Program& program) {
  std::optional<Breakpoint> b = read_place(trimmed(text), program);
  const bool by_pattern = b && !b->pattern.empty();
  const bool named = b && (b->kind == BreakpointKind::Node || b->kind == BreakpointKind::Data || b->kind == BreakpointKind::Any);
  return named || (by_pattern && first_at(*b, program).node) ? b : std::nullopt;
}

bool has_symbol(const Program& program, const std::string& symbol) {
  Breakpoint place;
  place.kind = BreakpointKind::Symbol;
  place.pattern = symbol;
  return first_at(place, program).node.valid() || std::any_of(program.range_constraints.begin(), program.range_constraints.end(), [&](const auto& range) { return range.first == symbol; });
}

std::vector<Breakpoint> built_in_rules() {
  std::vector<Breakpoint> rules(3);
  const BreakpointCondition conditions[] = {BreakpointCondition::NonFinite, BreakpointCondition::Error, BreakpointCondition::Mismatch};
  for (size_t i = 0; i < rules.size(); ++i) {
    rules[i].kind = BreakpointKind::Any;
    rules[i].condition = conditions[i];
    rules[i].built_in = true;
    rules[i].enabled = conditions[i] == BreakpointCondition::Error;
  }
  return rules;
}

// ---- Places -----------------------------------------------------------------------------------------------------------------------------

bool PlaceWalk::in_module(NodeRef ref, const std::string& pattern) const {
  if (!ref.node.valid() || ref.graph != program_.root()) return false;
  for (ModuleId m = program_.node(ref).module; m.valid() && program_.modules.modules.contains(m); m = program_.modules.modules[m].parent)
    if (matches_glob(pattern, program_.modules.modules[m].path)) return true;
  return false;
}

NodeRef PlaceWalk::first_use(const std::string& symbol) const {
  for (const auto& [name, node] : first_uses_)
    if (name == symbol) return node;
  NodeRef found;
  for (size_t g = 0; g < program_.graphs.size() && !found.node.valid(); ++g) {
    const Graph& graph = program_.graphs[GraphId(g)];
    for (size_t n = 0; n < graph.nodes().size() && !found.node.valid(); ++n)
      if (const Node& node = graph.node(NodeId(n)); node.kind == NodeKind::CallFunction && uses_symbol(node, symbol)) found = {GraphId(g), NodeId(n)};
  }
  first_uses_.emplace_back(symbol, found);
  return found;
}

bool PlaceWalk::contains(const Breakpoint& b, NodeRef ref, std::string_view path) const {
  const Node& node = program_.node(ref);
  if (b.kind != BreakpointKind::Node && b.kind != BreakpointKind::ModuleEnter && b.kind != BreakpointKind::ModuleExit && node.kind != NodeKind::CallFunction) return false;
  switch (b.kind) {
    case BreakpointKind::Node: return b.node == ref && means_call(b.call, path);
    case BreakpointKind::Op: return matches_glob(b.pattern, shown_target(node));
    case BreakpointKind::ModuleEnter:
    case BreakpointKind::ModuleExit: return in_module(ref, b.pattern);
    case BreakpointKind::Source: return source_matches(node, b.pattern);
    case BreakpointKind::Symbol: return first_use(b.pattern) == ref;
    case BreakpointKind::Data: return false;
    case BreakpointKind::Any: return true;
  }
  return false;
}

bool PlaceWalk::enters(const Breakpoint& b, NodeRef next, std::string_view path) const {
  switch (b.kind) {
    case BreakpointKind::Node:
    case BreakpointKind::Op:
    case BreakpointKind::Symbol:
    case BreakpointKind::Any: return contains(b, next, path);
    case BreakpointKind::ModuleEnter: return in_module(next, b.pattern) && !in_module(last_of_root_, b.pattern);
    case BreakpointKind::Source:
      // An earlier node of the same graph: the next iteration of a loop.
      return contains(b, next, path) && !(last_.node.valid() && last_.graph == next.graph && last_.node.index < next.node.index && contains(b, last_, path));
    default: return false;
  }
}

bool PlaceWalk::leaves(const Breakpoint& b, NodeRef ended) const {
  if (b.kind != BreakpointKind::ModuleExit || !in_module(ended, b.pattern) || program_.node(ended).kind != NodeKind::CallFunction) return false;
  const Graph& root = program_.root_graph();
  for (size_t n = ended.node.index + 1; n < root.nodes().size(); ++n)
    if (root.node(NodeId(n)).kind == NodeKind::CallFunction) return !in_module({program_.root(), NodeId(n)}, b.pattern);
  return true;
}

void PlaceWalk::passed(NodeRef ended) {
  if (program_.node(ended).kind != NodeKind::CallFunction) return;
  last_ = ended;
  if (ended.graph == program_.root()) last_of_root_ = ended;
}

}  // namespace pt2::interp
