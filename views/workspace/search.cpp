#include "views/workspace/search.h"

#include <algorithm>
#include <charconv>
#include <regex>
#include <unordered_map>

#include "core/graph/results.h"
#include "core/graph/shown_frame.h"
#include "core/graph/targets.h"
#include "views/workspace/labels.h"
#include "views/workspace/op_family.h"

namespace pt2::views {
namespace {

struct FieldName { std::string_view name; SearchField field; };
constexpr FieldName kFields[] = {
    {"name", SearchField::Name}, {"op", SearchField::Op}, {"mod", SearchField::Module}, {"dt", SearchField::DType},
    {"shape", SearchField::Shape}, {"file", SearchField::File}, {"user", SearchField::User}, {"const", SearchField::Const},
    {"nan", SearchField::NaN}, {"inf", SearchField::Inf}, {"time", SearchField::Time}};

// A regular expression looks at no more of a text than this: its matcher recurses.
constexpr size_t kRegexReach = 400;

char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; }
// One term made ready: case folded, regex compiled, numbers read.
class Matcher {
 public:
  Matcher(const SearchTerm& term, bool match_case) : term_(term), match_case_(match_case) {
    if (!match_case) needle_ = fold_case(term.text);
    else needle_ = term.text;
    pattern_ = needle_.find_first_of("*?") != needle_.npos;
    if (term.regex) regex_.emplace(term.text, match_case ? std::regex::ECMAScript : std::regex::ECMAScript | std::regex::icase);
  }

  const SearchTerm& term() const { return term_; }

  bool text(std::string_view text) const {
    if (regex_) {
      text = text.substr(0, kRegexReach);
      return std::regex_search(text.begin(), text.end(), *regex_);
    }
    if (pattern_) return match_case_ ? glob_match(needle_, text) : glob_match(needle_, fold_case(text));
    if (match_case_) return text.find(needle_) != text.npos;
    return std::search(text.begin(), text.end(), needle_.begin(), needle_.end(), [](char a, char b) { return lower(a) == b; }) != text.end();
  }

  // The whole of a part of a path, one of several calls being meant by its name alone: "conv" is "conv@1", too.
  bool part(std::string_view wanted, std::string_view part) const {
    const std::string own = folded(part);
    return glob_match(wanted, own) || glob_match(wanted, std::string_view(own).substr(0, own.find('@')));
  }

  bool has_wildcards() const { return pattern_; }
  std::string folded(std::string_view text) const { return match_case_ ? std::string(text) : fold_case(text); }
  const std::string& needle() const { return needle_; }

 private:
  const SearchTerm& term_;
  bool match_case_, pattern_ = false;
  std::string needle_;
  std::optional<std::regex> regex_;
};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool digit(char c) { return c >= '0' && c <= '9'; }

// As text somewhere in the path, but no number is cut: "h.1" is in "h.1.attn" and not in "h.10", nor is it the second call in "conv@1".
bool holds_with_whole_numbers(std::string_view path, std::string_view text) {
  for (size_t at = path.find(text); at != path.npos; at = path.find(text, at + 1)) {
    const size_t end = at + text.size();
    const bool cut_before = at > 0 && digit(text.front()) && (digit(path[at - 1]) || path[at - 1] == '@');
    const bool cut_after = end < path.size() && digit(text.back()) && digit(path[end]);
    if (!cut_before && !cut_after) return true;
  }
  return false;
}

// With wildcards the parts of the pattern, one after the other somewhere in the path.
bool module_matches(const Matcher& matcher, std::string_view path) {
  if (matcher.term().regex) return matcher.text(path);
  std::string_view pattern = matcher.needle();
  while (pattern.ends_with('.')) pattern.remove_suffix(1);
  if (pattern.empty()) return true;
  if (!matcher.has_wildcards()) return holds_with_whole_numbers(matcher.folded(path), pattern);
  const auto wanted = split(pattern, '.'), parts = split(path, '.');
  return std::search(parts.begin(), parts.end(), wanted.begin(), wanted.end(), [&](std::string_view part, std::string_view one) { return matcher.part(one, part); }) != parts.end();
}

std::string_view bare_class(std::string_view type) { return type.substr(type.rfind('.') + 1); }

// A class by its name, with its package or the end of that.
bool is_class(const Matcher& matcher, std::string_view type) {
  if (type.empty()) return false;
  if (matcher.term().regex) return matcher.text(type);
  if (matcher.has_wildcards()) return matcher.text(type) || matcher.text(bare_class(type));
  const std::string own = matcher.folded(type);
  return own == matcher.needle() || own.ends_with('.' + matcher.needle());
}

// Any part of a class's name; its package counts where a word has a dot: else "torch" would be in all of them.
bool names_class(const Matcher& matcher, std::string_view type) { return matcher.text(matcher.needle().find('.') == std::string::npos ? bare_class(type) : type); }

// Whether a size is a symbol or worked out from it: "s1" is in "2*s1" and not in "s10".
bool has_symbol(const SymInt& size, std::string_view symbol) {
  const std::string text = size.text();
  const auto of_name = [](char c) { return digit(c) || c == '_' || (lower(c) >= 'a' && lower(c) <= 'z'); };
  for (size_t at = text.find(symbol); at != text.npos; at = text.find(symbol, at + 1)) {
    const size_t end = at + symbol.size();
    if ((at == 0 || !of_name(text[at - 1])) && (end == text.size() || !of_name(text[end]))) return true;
  }
  return false;
}

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

// "[4*s63,Max(1,u0)]" in its sizes: commas within parentheses are of an expression.
std::vector<std::string_view> sizes_of(std::string_view wanted) {
  std::vector<std::string_view> sizes;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i < wanted.size(); ++i) {
    depth += wanted[i] == '(' ? 1 : wanted[i] == ')' ? -1 : 0;
    if (wanted[i] != ',' || depth > 0) continue;
    sizes.push_back(wanted.substr(begin, i - begin));
    begin = i + 1;
  }
  sizes.push_back(wanted.substr(begin));
  return sizes;
}

// In an expression `*` multiplies; elsewhere it and `?` are wildcards.
bool is_expression(std::string_view size) { return std::any_of(size.begin(), size.end(), [](char c) { return (lower(c) >= 'a' && lower(c) <= 'z') || c == '('; }); }
bool is_symbol(std::string_view size) { return is_expression(size) && !digit(size[0]) && std::all_of(size.begin(), size.end(), [](char c) { return digit(c) || c == '_' || (lower(c) >= 'a' && lower(c) <= 'z'); }); }

bool size_matches(const SymInt& size, std::string_view wanted) {
  const std::string text = without_spaces(size.text());
  return is_expression(wanted) ? text == wanted : glob_match(wanted, text);
}

// A symbol or an expression without brackets is looked for among all sizes.
bool shape_matches(const TensorMeta& meta, std::string_view wanted) {
  const bool bracketed = wanted.starts_with('[');
  if (bracketed) wanted.remove_prefix(1);
  if (wanted.ends_with(']')) wanted.remove_suffix(1);
  if (wanted.empty()) return meta.sizes.empty();
  const auto sizes = sizes_of(wanted);
  if (!bracketed && sizes.size() == 1 && is_expression(wanted))
    return std::any_of(meta.sizes.begin(), meta.sizes.end(), [&](const SymInt& size) { return is_symbol(wanted) ? has_symbol(size, wanted) : size_matches(size, wanted); });
  return std::equal(sizes.begin(), sizes.end(), meta.sizes.begin(), meta.sizes.end(), [](std::string_view one, const SymInt& size) { return size_matches(size, one); });
}

// Whether it holds for the type of the value, of several results for that of one of them.
template <class Condition>
bool any_type(const Graph& graph, NodeId id, Condition&& condition) {
  if (const TensorMeta* tensor = tensor_meta(graph.node(id).val)) return condition(*tensor);
  const auto results = taken_results(graph, id);
  return std::any_of(results.begin(), results.end(), [&](const auto& result) {
    const TensorMeta* tensor = tensor_meta(graph.node(result.second).val);
    return tensor && condition(*tensor);
  });
}

// ">1ms", "<=20us", "3s"; without unit milliseconds, without sign "at least".
bool time_matches(double us, std::string_view wanted) {
  bool less = wanted.starts_with('<');
  while (!wanted.empty() && (wanted[0] == '<' || wanted[0] == '>' || wanted[0] == '=')) wanted.remove_prefix(1);
  double number = 0;
  auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  if (error != std::errc{}) return false;
  std::string_view unit(end, size_t(wanted.data() + wanted.size() - end));
  double scale = unit == "s" ? 1e6 : unit == "us" || unit == "µs" ? 1 : 1e3;
  return less ? us < number * scale : us >= number * scale;
}

// Frames and labels are worked out once for each of the few distinct texts behind thousands of nodes.
class NodeFacts {
 public:
  explicit NodeFacts(const Program& program) : program_(program), targets_(placeholder_targets(program)) {}

  const std::vector<SourceFrame>& frames(const Node& node) {
    auto [it, added] = frames_.try_emplace(node.meta->stack_trace.data());
    if (added) it->second = parse_stack_trace(node.meta->stack_trace);
    return it->second;
  }
  const std::string& module_path(const Node& node) const {
    static const std::string none;
    return program_.modules.modules.contains(node.module) ? program_.modules.modules[node.module].path : none;
  }
  // Whether it holds for the class of a module that the node is in; `root`: of the whole program's, too.
  template <class Condition>
  bool any_class(const Node& node, bool root, Condition&& condition) const {
    const auto& modules = program_.modules.modules;
    for (ModuleId m = node.module; modules.contains(m); m = modules[m].parent)
      if ((root || modules[m].parent) && condition(modules[m].type)) return true;
    return false;
  }
  // What a parameter, buffer or constant is called in the model.
  std::string_view target(NodeRef ref) const { return ref.graph == program_.root() && ref.node.index < targets_.size() ? targets_[ref.node.index] : std::string_view(); }

 private:
  const Program& program_;
  const std::vector<std::string_view> targets_;
  std::unordered_map<const char*, std::vector<SourceFrame>> frames_;
};

bool file_matches(const Matcher& matcher, const std::vector<SourceFrame>& frames) {
  std::string_view wanted = matcher.needle();
  int64_t line = 0;
  if (size_t colon = wanted.rfind(':'); colon != wanted.npos && colon + 1 < wanted.size()) {
    auto [end, error] = std::from_chars(wanted.data() + colon + 1, wanted.data() + wanted.size(), line);
    if (error == std::errc{} && end == wanted.data() + wanted.size()) wanted = wanted.substr(0, colon);
    else line = 0;
  }
  for (const SourceFrame& frame : frames) {
    if (line && frame.line != line) continue;
    std::string file = fold_case(frame.file);
    if (file.find(fold_case(wanted)) != file.npos) return true;
  }
  return false;
}

bool const_matches(const Matcher& matcher, const Graph& graph, const Node& node) {
  for (const NodeArgument& argument : node.inputs) {
    bool constant = true;
    for_each_node(argument.value, [&](NodeId) { constant = false; });
    if (constant && (matcher.text(argument.name) || matcher.text(argument_label(graph, argument.value)))) return true;
  }
  return false;
}

bool named(const Matcher& m, NodeRef ref, const Node& node, const NodeFacts& known, const SearchFacts& facts) {
  if (const std::string_view target = known.target(ref); !target.empty() && m.text(target)) return true;
  return m.text(node.name) || (node.kind == NodeKind::GetAttr && m.text("get_attr " + std::string(node.target))) || (facts.other_name && m.text(facts.other_name(ref)));
}

bool holds(const Matcher& m, NodeRef ref, const Graph& graph, const Node& node, NodeFacts& facts, const SearchFacts& run) {
  switch (m.term().field) {
    case SearchField::Any: {
      if (named(m, ref, node, facts, run) || m.text(short_target(node.target)) || m.text(facts.module_path(node)) || m.text(type_label(node.val))) return true;
      if (facts.any_class(node, false, [&](std::string_view type) { return names_class(m, type); })) return true;
      const SourceFrame* frame = shown_frame(facts.frames(node));
      return frame && m.text(frame->file);
    }
    case SearchField::Name: return named(m, ref, node, facts, run);
    case SearchField::Op: return node.kind == NodeKind::CallFunction && (m.text(short_target(node.target)) || m.text(target_base(node.target)));
    case SearchField::Module: return module_matches(m, facts.module_path(node)) || facts.any_class(node, true, [&](std::string_view type) { return is_class(m, type); });
    case SearchField::DType:
      return any_type(graph, ref.node, [&](const TensorMeta& type) { return fold_case(dtype_short_name(type.dtype)) == m.needle() || fold_case(dtype_name(type.dtype)) == m.needle(); });
    case SearchField::Shape: return any_type(graph, ref.node, [&](const TensorMeta& type) { return shape_matches(type, m.term().text); });
    case SearchField::File: return file_matches(m, facts.frames(node));
    case SearchField::User: {
      auto users = graph.users(ref.node);
      return std::any_of(users.begin(), users.end(), [&](NodeId user) { return m.text(graph.node(user).name); });
    }
    case SearchField::Const: return node.kind == NodeKind::CallFunction && const_matches(m, graph, node);
    case SearchField::NaN:
    case SearchField::Inf: {
      const auto& has = m.term().field == SearchField::NaN ? run.has_nan : run.has_inf;
      if (!has || node.kind == NodeKind::Output) return false;  // it repeats what others gave
      const auto found = has(ref);
      return found && *found == (m.needle() != "false");
    }
    case SearchField::Time: {
      if (!run.time_us) return false;
      auto us = run.time_us(ref);
      return us && time_matches(*us, m.term().text);
    }
  }
  return false;
}

// What stands for a field in a word and is none; "aten::add" and "model.py:41" have none.
std::string_view unknown_field(std::string_view word) {
  const size_t colon = word.find(':');
  if (colon == 0 || colon == word.npos || colon + 1 >= word.size() || word[colon + 1] == ':') return {};
  const std::string_view field = word.substr(0, colon);
  return std::all_of(field.begin(), field.end(), [](char c) { return c >= 'a' && c <= 'z'; }) ? field : std::string_view();
}

std::string field_names() {
  std::string names;
  for (const FieldName& field : kFields) names += (names.empty() ? "" : " ") + std::string(field.name) + ":";
  return names;
}

}  // namespace

SearchQuery parse_search_query(std::string_view text, bool match_case) {
  SearchQuery query;
  query.match_case = match_case;
  size_t at = 0;
  while (at < text.size()) {
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    SearchTerm term;
    if (text[at] == '-' && at + 1 < text.size() && text[at + 1] != ' ') {
      term.negated = true;
      ++at;
    }
    size_t word_end = std::min(text.find(' ', at), text.size());
    for (const FieldName& field : kFields)
      if (text.substr(at, word_end - at).starts_with(field.name) && at + field.name.size() < word_end && text[at + field.name.size()] == ':') {
        term.field = field.field;
        at += field.name.size() + 1;
        break;
      }
    if (term.field == SearchField::Any)
      if (const std::string_view field = unknown_field(text.substr(at, word_end - at)); !field.empty()) query.problem = "there is no field \"" + std::string(field) + ":\"; there are " + field_names();
    if (at < text.size() && (text[at] == '/' || text[at] == '"')) {
      size_t close = text.find(text[at], at + 1);
      term.regex = text[at] == '/' && close != text.npos;
      if (close == text.npos) close = text.size();  // still being typed
      term.text = text.substr(at + 1, close - at - 1);
      at = close + 1;
    } else {
      // A shape may hold spaces after its commas.
      size_t end = text.substr(at).starts_with('[') ? std::min(text.find(']', at), text.size() - 1) + 1 : std::min(text.find(' ', at), text.size());
      term.text = text.substr(at, end - at);
      at = end;
    }
    if (term.field == SearchField::Shape && !term.regex) term.text = without_spaces(std::move(term.text));
    if (term.text.empty()) continue;
    if (term.field == SearchField::Shape && !term.regex && term.text.starts_with('[') != term.text.ends_with(']')) query.problem = "a shape is written as [1,3,*]: a bracket is missing";
    if (term.field == SearchField::NaN && term.text != "true" && term.text != "false") query.problem = "nan: is true or false";
    if (term.field == SearchField::Inf && term.text != "true" && term.text != "false") query.problem = "inf: is true or false";
    if (term.regex) {
      try {
        std::regex check(term.text);
      } catch (const std::regex_error&) {
        query.problem = "/" + term.text + "/ is not a regular expression";
      }
    }
    query.terms.push_back(std::move(term));
  }
  return query;
}

std::string search_for_size(std::string_view size) { return "shape:" + (size.find(' ') == size.npos ? std::string(size) : '"' + std::string(size) + '"'); }

std::vector<NodeRef> search_nodes(const Program& program, const SearchQuery& query, const SearchFacts& facts) {
  std::vector<NodeRef> found;
  if (query.empty() || !query.problem.empty()) return found;
  std::vector<Matcher> matchers;
  for (const SearchTerm& term : query.terms) matchers.emplace_back(term, query.match_case);
  NodeFacts node_facts(program);
  for (size_t g = 0; g < program.graphs.size(); ++g) {
    const Graph& graph = program.graphs[GraphId(g)];
    for (size_t n = 0; n < graph.nodes().size(); ++n) {
      NodeRef ref{GraphId(g), NodeId(n)};
      const Node& node = graph.node(ref.node);
      if (node.subgraph) continue;
      if (std::all_of(matchers.begin(), matchers.end(), [&](const Matcher& m) {
            return holds(m, ref, graph, node, node_facts, facts) != m.term().negated;
          }))
        found.push_back(ref);
    }
  }
  return found;
}

}  // namespace pt2::views
