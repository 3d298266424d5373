// A recursive-descent parser that evaluates as it reads; depth is limited, arithmetic on tensors is the operators' own.
#include "interp/watch_expression.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <span>
#include <utility>

#include "core/tensor/view.h"
#include "interp/allocation.h"
#include "interp/break_check.h"
#include "interp/call_by_name.h"
#include "interp/check.h"
#include "interp/higher_order.h"
#include "interp/item.h"
#include "interp/memory_limit.h"
#include "interp/python_functions.h"
#include "interp/value_names.h"

namespace pt2::interp {

namespace {

RuntimeValue call_op(std::string_view target, std::vector<RuntimeValue> arguments) {
  const Op* op = builtin_ops().find(target);
  check(op, "this build has no ", target);
  std::vector<std::pair<std::string_view, RuntimeValue>> named;
  for (RuntimeValue& value : arguments) named.emplace_back("", std::move(value));
  return call_operator(*op, current_context(), named);
}

using Arguments = std::vector<std::pair<std::string_view, RuntimeValue>>;

RuntimeValue call_python(std::string_view target, const std::vector<RuntimeValue>& arguments) { return find_python_function(target)(arguments); }

// Of a tensor of several elements: whether any is not zero. None: of what is no number.
std::optional<bool> truth_of(const RuntimeValue& value) {
  if (const auto* tensor = value.as<Tensor>()) {
    if (tensor->numel() == 1 && !is_complex(tensor->dtype)) return item(*tensor).to_double() != 0;
    const ValueCounts counts = count_values(value);
    return counts.zeros < counts.elements;
  }
  if (const auto* d = value.as<double>()) return *d != 0;
  if (const auto* i = value.as<int64_t>()) return *i != 0;
  if (const auto* b = value.as<bool>()) return *b;
  return std::nullopt;
}

class Evaluator {
 public:
  Evaluator(std::string_view text, const Program& program, const NameLookup& lookup, GraphId here) : text_(text), program_(program), lookup_(lookup), here_(here) {}

  RuntimeValue all() {
    RuntimeValue value = disjunction();
    skip();
    check(at_ == text_.size(), "\"", text_.substr(at_), "\" is not understood");
    return value;
  }

 private:
  struct Nested {
    explicit Nested(int& depth) : depth_(depth) { check(++depth_ < 64, "the expression is nested too deeply"); }
    ~Nested() { --depth_; }
    int& depth_;
  };

  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(std::string_view token) {
    skip();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) { check(take(token), "expected \"", token, "\""); }
  std::string_view name() {
    skip();
    const size_t begin = at_;
    while (at_ < text_.size() && (at_ == begin ? name_start(text_[at_]) : name_part(text_[at_]))) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  std::string_view value_name() {
    skip();
    const std::string_view rest = text_.substr(at_);
    const size_t length = begins_name(rest) ? name_length(rest, program_) : 0;
    at_ += length;
    return rest.substr(0, length);
  }

  // Whole words only: "or" does not begin "order".
  bool take_word(std::string_view word) {
    skip();
    const size_t end = at_ + word.size();
    return (end >= text_.size() || !name_part(text_[end])) && take(word);
  }
  // As Python joins truths, but each side is worked out.
  RuntimeValue disjunction() {
    RuntimeValue left = conjunction();
    while (take_word("or")) {
      const bool right = truth(conjunction());
      left = truth(left) || right;
    }
    return left;
  }
  RuntimeValue conjunction() {
    RuntimeValue left = negation();
    while (take_word("and")) {
      const bool right = truth(negation());
      left = truth(left) && right;
    }
    return left;
  }
  RuntimeValue negation() {
    if (!take_word("not")) return comparison();
    Nested nested(depth_);
    return !truth(negation());
  }
  static bool truth(const RuntimeValue& value) {
    const auto known = truth_of(value);
    check(known.has_value(), kind_text(value), " is neither true nor false");
    return *known;
  }

  RuntimeValue comparison() {
    Nested nested(depth_);
    RuntimeValue left = sum();
    struct Row { std::string_view token, function, op; };
    static constexpr Row kRows[] = {{"==", "_operator.eq", "aten.eq.Tensor"}, {"!=", "_operator.ne", "aten.ne.Tensor"}, {"<=", "_operator.le", "aten.le.Tensor"},
                                    {">=", "_operator.ge", "aten.ge.Tensor"}, {"<", "_operator.lt", "aten.lt.Tensor"}, {">", "_operator.gt", "aten.gt.Tensor"}};
    for (const Row& row : kRows)
      if (take(row.token)) return binary(row.function, row.op, left, sum());
    return left;
  }
  RuntimeValue sum() {
    RuntimeValue left = product();
    for (;;) {
      if (take("+")) left = binary("_operator.add", "aten.add.Tensor", left, product());
      else if (take("-")) left = binary("_operator.sub", "aten.sub.Tensor", left, product());
      else return left;
    }
  }
  RuntimeValue product() {
    RuntimeValue left = unary();
    for (;;) {
      if (take("//")) left = binary("_operator.floordiv", "aten.floor_divide.default", left, unary());
      else if (take("*")) left = binary("_operator.mul", "aten.mul.Tensor", left, unary());
      else if (take("/")) left = binary("_operator.truediv", "aten.div.Tensor", left, unary());
      else if (take("%")) left = binary("_operator.mod", "aten.remainder.Tensor", left, unary());
      else return left;
    }
  }
  RuntimeValue unary() {
    Nested nested(depth_);
    if (!take("-")) return postfix();
    RuntimeValue value = unary();
    if (value.is<Tensor>()) return call_op("aten.neg.default", {value});
    return call_python("_operator.neg", {value});
  }
  RuntimeValue binary(std::string_view function, std::string_view op, const RuntimeValue& a, const RuntimeValue& b) {
    if (a.is<Tensor>() || b.is<Tensor>()) return a.is<Tensor>() ? call_op(op, {a, b}) : call_op(op, {call_op("aten.scalar_tensor.default", {a}), b});
    return call_python(function, {a, b});
  }

  RuntimeValue postfix() {
    RuntimeValue value = primary();
    for (;;) {
      if (take("[")) value = subscript(value);
      else if (at_ + 1 < text_.size() && text_[at_] == '.' && name_start(text_[at_ + 1])) {
        ++at_;
        value = member(value, name());
      } else return value;
    }
  }

  RuntimeValue primary() {
    skip();
    if (take("(")) {
      RuntimeValue value = disjunction();
      expect(")");
      return value;
    }
    if (take("[")) return list();
    if (take("'")) return quoted();
    check(at_ < text_.size(), "expected a name or a number");
    const char c = text_[at_];
    if (std::isdigit(static_cast<unsigned char>(c)) || (c == '.' && at_ + 1 < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_ + 1]))))
      return number();
    const std::string_view word = value_name();
    check(!word.empty(), "\"", text_.substr(at_, 1), "\" is not understood");
    if (word == "True" || word == "true") return true;
    if (word == "False" || word == "false") return false;
    if (word == "nan") return std::nan("");
    if (word == "inf") return HUGE_VAL;
    if (word == "None") return {};
    if (take("(")) return call(word, {});
    if (auto value = lookup_(word)) return *value;
    if (find_value(program_, word, here_).node.node) fail("\"", word, "\" is not evaluated yet, or not kept");
    for (const Graph& graph : program_.graphs)
      if (graph.find(word).valid()) fail("several sub-graphs have a \"", word, "\": write ", graph.name, "/", word);
    fail("unknown name \"", word, "\"");
  }

  RuntimeValue number() {
    const std::string rest(text_.substr(at_));
    char *end_int = nullptr, *end_float = nullptr;
    const long long integer = std::strtoll(rest.c_str(), &end_int, 10);
    const double real = std::strtod(rest.c_str(), &end_float);
    at_ += static_cast<size_t>(end_float - rest.c_str());
    return end_float > end_int ? RuntimeValue(real) : RuntimeValue(int64_t{integer});
  }

  RuntimeValue list() {
    std::vector<RuntimeValue> items;
    while (!take("]")) {
      if (!items.empty()) expect(",");
      items.push_back(disjunction());
    }
    return make_list(std::move(items));
  }
  RuntimeValue quoted() {
    const size_t end = text_.find('\'', at_);
    check(end != text_.npos, "expected \"'\"");
    const size_t begin = std::exchange(at_, end + 1);
    return std::string(text_.substr(begin, end - begin));
  }

  // "rtol=" of an argument; empty, and nothing read, where there is none.
  std::string_view keyword() {
    const size_t begin = at_;
    const std::string_view word = name();
    if (!word.empty() && take("=") && (at_ >= text_.size() || text_[at_] != '=')) return word;
    at_ = begin;
    return {};
  }

  // What follows `NAME(`; of a method the value itself comes first.
  RuntimeValue call(std::string_view function, Arguments arguments) {
    const bool method = !arguments.empty();
    for (bool first = true; !take(")"); first = false) {
      if (!first) expect(",");
      const std::string_view key = keyword();
      arguments.emplace_back(key, disjunction());
    }
    const bool own = arguments.size() == 1 && arguments[0].first.empty() && (method || function == "abs");
    if (own)
      if (auto result = member_call(arguments[0].second, function)) return *result;
    return call_by_name(function, arguments);
  }

  // `[0, 1:3, ...]` of a tensor; `[i]` of a list.
  RuntimeValue subscript(RuntimeValue value) {
    int64_t dim = 0;
    bool first = true;
    while (!take("]")) {
      if (!first) expect(",");
      first = false;
      if (take("...")) {
        check(value.is<Tensor>(), "expected a tensor");
        int64_t after = 0;  // dimensions that follow the dots
        for (size_t i = at_; i < text_.size() && text_[i] != ']'; ++i) after += text_[i] == ',';
        dim = value.as<Tensor>()->dim() - after;
        continue;
      }
      std::optional<int64_t> bounds[3];
      size_t parts = 0;
      bool slice = false;
      for (;;) {
        skip();
        if (at_ < text_.size() && text_[at_] != ':' && text_[at_] != ',' && text_[at_] != ']') bounds[parts] = integer(comparison());
        if (parts < 2 && take(":")) {
          slice = true;
          ++parts;
        } else break;
      }
      if (const auto* list = value.as<ListValue>()) {
        check(!slice && bounds[0], "expected an index");
        const int64_t size = static_cast<int64_t>(list->items->size()), i = *bounds[0] < 0 ? *bounds[0] + size : *bounds[0];
        check(i >= 0 && i < size, "index ", *bounds[0], " is out of range for ", size, " items");
        value = RuntimeValue((*list->items)[i]);
        continue;
      }
      check(value.is<Tensor>(), "a number has no items");
      if (slice) {
        auto optional = [](const std::optional<int64_t>& i) { return i ? RuntimeValue(*i) : RuntimeValue(); };
        value = call_op("aten.slice.Tensor", {value, dim, optional(bounds[0]), optional(bounds[1]), bounds[2].value_or(1)});
        ++dim;
      } else {
        check(bounds[0].has_value(), "expected an index");
        value = call_op("aten.select.int", {value, dim, *bounds[0]});
      }
    }
    return value;
  }

  static int64_t integer(const RuntimeValue& value) {
    if (const auto* i = value.as<int64_t>()) return *i;
    if (const auto* t = value.as<Tensor>(); t && t->numel() == 1 && !is_floating(t->dtype)) return item(*t).to_int();
    fail("expected an int, found ", kind_text(value));
  }

  RuntimeValue member(const RuntimeValue& value, std::string_view what) {
    const auto* tensor = value.as<Tensor>();
    if (what == "shape" && tensor) return make_list(std::vector<RuntimeValue>(tensor->sizes.begin(), tensor->sizes.end()));
    if (what == "dtype" && tensor) return std::string(dtype_name(tensor->dtype));
    if (what == "T" && tensor) return call_op("aten.t.default", {value});
    expect("(");
    return call(what, {{std::string_view(), value}});
  }

  // The methods that give a number where there is one to give. None: another.
  std::optional<RuntimeValue> member_call(RuntimeValue value, std::string_view what) {
    if (!value.is<Tensor>()) {
      if (what == "abs") return call_python("_operator.abs", {value});
      return std::nullopt;
    }
    static constexpr std::pair<std::string_view, int64_t ValueCounts::*> kCounts[] = {
        {"nan", &ValueCounts::nan}, {"inf", &ValueCounts::inf}, {"zeros", &ValueCounts::zeros}, {"numel", &ValueCounts::elements}};
    for (const auto& [method, count] : kCounts)
      if (what == method) return count_values(value).*count;
    const DType dtype = value.as<Tensor>()->dtype;
    if ((what == "mean" || what == "std") && !is_floating(dtype) && !is_complex(dtype))
      value = call_op("aten._to_copy.default", {value, RuntimeValue::Value(DType::Float64)});
    static constexpr std::pair<std::string_view, std::string_view> kOps[] = {
        {"min", "aten.min.default"}, {"max", "aten.max.default"}, {"mean", "aten.mean.default"}, {"std", "aten.std.default"}, {"sum", "aten.sum.default"},
        {"abs", "aten.abs.default"}, {"any", "aten.any.default"}, {"all", "aten.all.default"}, {"sqrt", "aten.sqrt.default"}, {"exp", "aten.exp.default"},
        {"log", "aten.log.default"}, {"argmax", "aten.argmax.default"}, {"argmin", "aten.argmin.default"}, {"isnan", "aten.isnan.default"}};
    for (const auto& [method, op] : kOps)
      if (what == method) {
        const RuntimeValue result = call_op(op, {value});
        const auto* tensor = result.as<Tensor>();
        return tensor && tensor->dim() == 0 ? RuntimeValue(item(*tensor)) : result;
      }
    return std::nullopt;
  }

  std::string_view text_;
  const Program& program_;
  const NameLookup& lookup_;
  const GraphId here_;
  size_t at_ = 0;
  int depth_ = 0;
};

std::string number_text(double number) {
  if (std::isnan(number)) return "nan";  // printf tells the sign of one
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", number);
  return text;
}

}  // namespace

std::string summary(const RuntimeValue& value) {
  if (const auto* tensor = value.as<Tensor>()) {
    std::string text = std::string(dtype_short_name(tensor->dtype)) + shape_text(tensor->sizes);
    const ValueCounts counts = count_values(value);
    if (counts.inf && tensor->numel() == 1) text += counts.negative_inf ? " = -inf" : " = inf";
    else if (counts.any && tensor->numel() == 1) text += " = " + number_text(counts.min);
    else if (counts.any) text += "  min " + number_text(counts.min) + "  max " + number_text(counts.max);
    if (counts.nan) text += "  NaN " + std::to_string(counts.nan);
    if (counts.inf > counts.negative_inf) text += "  Inf " + std::to_string(counts.inf - counts.negative_inf);
    if (counts.negative_inf) text += "  -Inf " + std::to_string(counts.negative_inf);
    return text;
  }
  if (const auto* b = value.as<bool>()) return *b ? "True" : "False";
  if (const auto* i = value.as<int64_t>()) return std::to_string(*i);
  if (const auto* d = value.as<double>()) return number_text(*d);
  if (const auto* c = value.as<std::complex<double>>()) return number_text(c->real()) + (c->imag() < 0 ? "" : "+") + number_text(c->imag()) + "j";
  if (const auto* s = value.as<std::string>()) return *s;
  if (value.is_none()) return "None";
  if (const auto* list = value.as<ListValue>()) {
    std::string text = list->is_tuple ? "(" : "[";
    for (size_t i = 0; i < list->items->size() && i < 16; ++i) text += (i ? ", " : "") + summary((*list->items)[i]);
    return text + (list->items->size() > 16 ? ", …" : "") + (list->is_tuple ? ")" : "]");
  }
  return kind_text(value);
}

WatchResult evaluate_watch(std::string_view expression, const Program& program, const NameLookup& lookup, GraphId here) {
  WatchResult result;
  KernelContext context = current_context();
  if (context.memory->limit_bytes() == SIZE_MAX) context.memory = std::make_shared<MemoryBudget>(default_memory_bytes());  // outside a run
  const ContextScope scope(context);
  try {
    RuntimeValue value = Evaluator(expression, program, lookup, here.valid() ? here : program.root()).all();
    result.text = summary(value);
    if (const auto* tensor = value.as<Tensor>(); tensor && tensor->numel() == 1 && !is_complex(tensor->dtype)) result.number = item(*tensor).to_double();
    else if (const auto* d = value.as<double>()) result.number = *d;
    else if (const auto* i = value.as<int64_t>()) result.number = static_cast<double>(*i);
    else if (const auto* b = value.as<bool>()) result.number = *b;
    result.value = std::move(value);
  } catch (const std::exception& error) {
    result.failed = true;
    result.text = error.what();
  }
  return result;
}

std::optional<bool> holds(std::string_view expression, const Program& program, const NameLookup& lookup) {
  const WatchResult result = evaluate_watch(expression, program, lookup);
  return result.failed || !result.value ? std::nullopt : truth_of(*result.value);
}

namespace {

// Whether a bracket opens an index, which it does behind a value; else a list.
bool opens_index(std::string_view before) {
  const size_t last = before.find_last_not_of(' ');
  return last != before.npos && (name_part(before[last]) || before[last] == ')' || before[last] == ']');
}

// Calls visit(name, what follows it) for the names of an expression that are not those of members. In an index "::" is of a slice.
template <class Visit>
void for_each_name(std::string_view expression, const Program& program, Visit&& visit) {
  std::vector<bool> in_index;  // by bracket
  for (size_t i = 0; i < expression.size();) {
    const size_t begin = i;
    const char c = expression[i];
    if (c == '(' || c == '[') in_index.push_back(c == '[' && opens_index(expression.substr(0, i)));
    if ((c == ')' || c == ']') && !in_index.empty()) in_index.pop_back();
    const bool of_program = c == ':' && begins_name(expression.substr(i)) && (in_index.empty() || !in_index.back());
    ++i;
    if (of_program) {
      i = begin + name_length(expression.substr(begin), program);
      visit(expression.substr(begin, i - begin), std::string_view());
      continue;
    }
    if (!name_part(c)) continue;
    // The e of 1e-3 is no name, nor is 'mean'.
    const bool member = begin > 0 && (expression[begin - 1] == '.' || expression[begin - 1] == '\'');
    const bool named = name_start(expression[begin]) && !member;
    if (named) i = begin + name_length(expression.substr(begin), program);
    while (!named && i < expression.size() && name_part(expression[i])) ++i;
    if (!named) continue;
    const size_t next = std::min(expression.find_first_not_of(' ', i), expression.size());
    visit(expression.substr(begin, i - begin), expression.substr(next, 2));
  }
}

bool is_call(std::string_view next) { return next.starts_with('('); }
bool is_keyword(std::string_view next) { return next.starts_with('=') && next != "=="; }  // of an argument

}  // namespace

std::vector<std::string> names_in(std::string_view expression, const Program& program) {
  std::vector<std::string> names;
  for_each_name(expression, program, [&](std::string_view name, std::string_view next) {
    if (!is_call(next) && !is_keyword(next)) names.emplace_back(name);
  });
  return names;
}

std::string unknown_name(std::string_view expression, const Program& program) {
  static constexpr std::string_view kWords[] = {"True", "true", "False", "false", "None", "nan", "inf", "x", "and", "or", "not"};
  std::string unknown;
  for_each_name(expression, program, [&](std::string_view name, std::string_view next) {
    if (!unknown.empty() || std::find(std::begin(kWords), std::end(kWords), name) != std::end(kWords)) return;
    if (is_keyword(next)) return;
    const bool known = is_call(next) ? is_callable_by_name(name)
                                : std::any_of(program.graphs.begin(), program.graphs.end(), [&](const Graph& graph) { return graph.find(name).valid(); }) ||
                                      find_value(program, name, program.root()).node.node || has_symbol(program, std::string(name));
    if (!known) unknown = name;
  });
  return unknown;
}

}  // namespace pt2::interp
