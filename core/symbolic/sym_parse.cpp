// One grammar for the spellings that occur: Python expressions. sympy's srepr (`Mul(Integer(2), Symbol('s77', positive=True))`) is calls of
// constructors, its str (`2*s77`) is operators, and guards are Python whose symbols are paths (`L['x'].size()[0]`).
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "core/symbolic/sym_tree.h"

namespace pt2::symbolic {

namespace {

struct BinaryOperator { const char* text; int binding; };
// Longer spellings first. Comparisons chain and are handled apart.
constexpr BinaryOperator kOperators[] = {{"or", 1}, {"and", 2}, {"|", 5}, {"^", 6}, {"&", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9},
                                         {"//", 10}, {"**", 12}, {"*", 10}, {"/", 10}, {"%", 10}};
constexpr int kNotBinding = 3, kComparisonBinding = 4, kUnaryBinding = 11;
constexpr std::pair<const char*, Op> kComparisons[] = {{"==", Op::Eq}, {"!=", Op::Ne}, {"<=", Op::Le}, {">=", Op::Ge}, {"<", Op::Lt}, {">", Op::Gt}};

struct Constructor { const char* name; Op op; size_t arity; };
constexpr Constructor kRelations[] = {{"Equality", Op::Eq, 2}, {"Unequality", Op::Ne, 2}, {"LessThan", Op::Le, 2}, {"StrictLessThan", Op::Lt, 2},
                                      {"GreaterThan", Op::Ge, 2}, {"StrictGreaterThan", Op::Gt, 2}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Parser {
 public:
  Parser(std::string_view text, Dialect dialect) : text_(text), dialect_(dialect) {}

  Parsed run() {
    TreePtr tree = expression(0);
    skip_spaces();
    if (at_ < text_.size()) fail("unexpected text");
    return {std::move(tree), constructors_};
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw Failure{what + " at character " + std::to_string(at_)}; }
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void skip_spaces() { while (peek() == ' ') ++at_; }
  bool at_text(const char* s) const {
    if (!text_.substr(at_).starts_with(s)) return false;
    return !is_letter(s[0]) || !(is_letter(peek(std::strlen(s))) || is_digit(peek(std::strlen(s))));
  }
  bool accept(char c) {
    skip_spaces();
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) { if (!accept(c)) fail(std::string("expected ") + c); }
  TreePtr counted(TreePtr tree) {
    if (++terms_ > int(limits::kSymExprTerms)) throw Failure{"more than " + std::to_string(limits::kSymExprTerms) + " terms"};
    return tree;
  }

  struct Deeper {
    explicit Deeper(Parser& parser) : parser(parser) {
      if (++parser.depth_ > kMaxDepth) throw Failure{"deeper than " + std::to_string(kMaxDepth) + " levels"};
    }
    ~Deeper() { --parser.depth_; }
    Parser& parser;
  };

  // Precedence climbing: operators that bind at least as strongly as `least`.
  TreePtr expression(int least) {
    Deeper deeper(*this);
    TreePtr left = unary();
    while (true) {
      skip_spaces();
      if (least <= kComparisonBinding && comparison_ahead()) {
        left = comparison_chain(std::move(left));
        continue;
      }
      const BinaryOperator* op = operator_ahead();
      if (!op || op->binding < least) return left;
      at_ += std::strlen(op->text);
      const bool right_associative = op->binding == 12;
      TreePtr right = expression(right_associative ? kUnaryBinding : op->binding + 1);
      left = counted(binary(op->text, std::move(left), std::move(right)));
    }
  }

  const BinaryOperator* operator_ahead() const {
    for (const BinaryOperator& op : kOperators) {
      if (!at_text(op.text)) continue;
      if (op.text[0] == '*' && op.text[1] == 0 && peek(1) == '*') continue;
      return &op;
    }
    return nullptr;
  }

  const std::pair<const char*, Op>* comparison_ahead() const {
    if (at_text("<<") || at_text(">>")) return nullptr;
    for (const auto& c : kComparisons)
      if (at_text(c.first)) return &c;
    return nullptr;
  }

  TreePtr comparison_chain(TreePtr left) {
    std::vector<TreePtr> parts;
    while (const auto* c = comparison_ahead()) {
      at_ += std::strlen(c->first);
      TreePtr right = expression(kComparisonBinding + 1);
      parts.push_back(counted(make_node(c->second, {left, right})));
      left = std::move(right);
      skip_spaces();
    }
    return parts.size() == 1 ? parts[0] : make_node(Op::And, std::move(parts));
  }

  TreePtr binary(std::string_view op, TreePtr a, TreePtr b) {
    if (op == "+") return make_add({std::move(a), std::move(b)});
    if (op == "-") return make_add({std::move(a), make_mul({make_integer(-1), std::move(b)})});
    if (op == "*") return make_mul({std::move(a), std::move(b)});
    if (op == "**") return make_power(std::move(a), std::move(b));
    if (op == "//") return make_function("FloorDiv", {std::move(a), std::move(b)});
    if (op == "%") return make_function("PythonMod", {std::move(a), std::move(b)});
    if (op == "<<") return make_function("LShift", {std::move(a), std::move(b)});
    if (op == ">>") return make_function("RShift", {std::move(a), std::move(b)});
    if (op == "^") return make_function("BitwiseFn_bitwise_xor", {std::move(a), std::move(b)});
    if (op == "and" || op == "&") return make_node(Op::And, {std::move(a), std::move(b)});
    if (op == "or" || op == "|") return make_node(Op::Or, {std::move(a), std::move(b)});
    if (dialect_ == Dialect::Guard) return make_function("IntTrueDiv", {std::move(a), std::move(b)});
    return make_mul({std::move(a), make_power(std::move(b), make_integer(-1))});
  }

  static TreePtr make_power(TreePtr base, TreePtr exponent) {
    if (is_rational(*base) && base->p != 0 && exponent->op == Op::Integer && exponent->p == -1) return make_rational(base->q, base->p);
    return make_node(Op::Pow, {std::move(base), std::move(exponent)});
  }

  TreePtr unary() {
    skip_spaces();
    if (accept('-')) return counted(make_mul({make_integer(-1), expression(kUnaryBinding)}));
    if (accept('+')) return expression(kUnaryBinding);
    if (accept('~')) return counted(make_node(Op::Not, {expression(kUnaryBinding)}));
    if (at_text("not")) {
      at_ += 3;
      return counted(make_node(Op::Not, {expression(kNotBinding)}));
    }
    return primary();
  }

  TreePtr primary() {
    skip_spaces();
    if (accept('(')) {
      TreePtr inside = expression(0);
      if (accept(',')) {  // (value, condition)
        inside = make_node(Op::Tuple, {std::move(inside), expression(0)});
      }
      expect(')');
      return inside;
    }
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return counted(number());
    if (!is_letter(peek())) fail(at_ < text_.size() ? "unexpected character" : "unexpected end");
    const size_t begin = at_;
    std::string_view name = word();
    if (dialect_ == Dialect::Guard && (peek() == '.' || peek() == '[')) {
      while (postfix()) {}
      const std::string_view path = text_.substr(begin, at_ - begin);
      // A dotted function (`torch.sym_max(…)`) ends in its call, without anything indexed.
      const size_t parenthesis = path.find('(');
      if (path.find('[') < parenthesis || parenthesis == std::string_view::npos || !path.ends_with(')') || path.ends_with("()"))
        return counted(make_symbol(path));
      at_ = begin + parenthesis;
      name = path.substr(path.rfind('.', parenthesis) + 1);
      name = name.substr(0, name.find('('));
    }
    return counted(accept('(') ? call(name) : named(name));
  }

  std::string_view word() {
    const size_t begin = at_;
    while (is_letter(peek()) || is_digit(peek())) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  // `.name`, `[…]` or `(…)` after a name; strings inside may hold brackets.
  bool postfix() {
    if (peek() == '.') {
      ++at_;
      return !word().empty();
    }
    if (peek() != '[' && peek() != '(') return false;
    int depth = 0;
    char quote = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (quote) {
        if (c == '\\') ++at_;
        else if (c == quote) quote = 0;
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '[' || c == '(') {
        ++depth;
      } else if ((c == ']' || c == ')') && --depth == 0) {
        ++at_;
        return true;
      }
    }
    fail("a bracket is not closed");
  }

  TreePtr number() {
    const char* begin = text_.data() + at_;
    const char* end = text_.data() + text_.size();
    int64_t integer = 0;
    auto i = std::from_chars(begin, end, integer);
    const bool is_integer = i.ptr == end || (*i.ptr != '.' && *i.ptr != 'e' && *i.ptr != 'E');
    if (is_integer) {
      if (i.ec != std::errc()) fail("a number does not fit 64 bits");
      at_ += i.ptr - begin;
      return make_integer(integer);
    }
    double real = 0;
    auto r = std::from_chars(begin, end, real);
    if (r.ec != std::errc()) fail("a number is out of range");
    at_ += r.ptr - begin;
    return make_float(real);
  }

  TreePtr named(std::string_view name) {
    if (name == "True" || name == "true") return note(name == "true", Op::True);
    if (name == "False" || name == "false") return note(name == "false", Op::False);
    if (name == "int_oo") return make_leaf(Op::IntInfinity);
    if (name == "oo" || name == "inf") return make_leaf(Op::Infinity);
    if (name == "nan") return make_leaf(Op::NotANumber);
    return make_symbol(name);
  }
  TreePtr note(bool constructor, Op op) {
    constructors_ |= constructor;
    return make_leaf(op);
  }

  std::string quoted() {
    skip_spaces();
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("expected a quoted text");
    const size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail("a quoted text is not closed");
    std::string s(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return s;
  }

  // `, positive=True, integer=True)` after a quoted text: the least value they leave to an integer.
  std::optional<int64_t> assumptions() {
    std::optional<int64_t> least;
    bool integer = false;
    while (accept(',')) {
      skip_spaces();
      const std::string_view key = word();
      expect('=');
      skip_spaces();
      if (peek() == '-') ++at_;
      const std::string_view value = word();
      if (value.empty()) fail("expected a value");
      if (value != "True") continue;
      if (key == "integer") integer = true;
      if (key == "positive") least = 1;
      if (key == "nonnegative") least = std::max(least.value_or(0), int64_t(0));
    }
    expect(')');
    return integer || !least ? least : int64_t(0);
  }

  TreePtr call(std::string_view name) {
    if (name == "Symbol" || name == "Dummy") {
      constructors_ = true;
      const std::string symbol = quoted();
      return make_symbol(symbol, assumptions());
    }
    if (name == "Float") {
      constructors_ = true;
      const std::string digits = quoted();
      assumptions();
      char* end = nullptr;
      const double value = std::strtod(digits.c_str(), &end);
      if (digits.empty() || *end) fail("a Float that is no number");
      return make_float(value);
    }
    std::vector<TreePtr> args;
    while (!accept(')')) {
      if (!args.empty()) expect(',');
      args.push_back(expression(0));
    }
    if (name == "Integer" || name == "Rational") {
      constructors_ = true;
      for (const TreePtr& arg : args)
        if (arg->op != Op::Integer) fail("expected an integer");
      if (args.size() == 1) return args[0];
      if (args.size() != 2) fail("expected one or two integers");
      return make_rational(args[0]->p, args[1]->p);
    }
    if (name == "Add" || name == "Mul") {
      constructors_ = true;
      return name == "Add" ? make_add(std::move(args)) : make_mul(std::move(args));
    }
    if (name == "Pow" && args.size() == 2) {
      constructors_ = true;
      return make_power(args[0], args[1]);
    }
    for (const Constructor& relation : kRelations)
      if (name == relation.name && args.size() == relation.arity) {
        constructors_ = true;
        return make_node(relation.op, std::move(args));
      }
    if ((name == "And" || name == "Or") && !args.empty()) {
      constructors_ = true;
      return make_node(name == "And" ? Op::And : Op::Or, std::move(args));
    }
    if (name == "Not" && args.size() == 1) {
      constructors_ = true;
      return make_node(Op::Not, std::move(args));
    }
    if (name == "ExprCondPair" && args.size() == 2) return make_node(Op::Tuple, std::move(args));
    if (name == "Eq" && args.size() == 2) return make_node(Op::Eq, std::move(args));
    if (name == "Ne" && args.size() == 2) return make_node(Op::Ne, std::move(args));
    if (name == "sqrt" && args.size() == 1) return make_node(Op::Pow, {args[0], make_rational(1, 2)});
    return make_function(name, std::move(args));
  }

  std::string_view text_;
  Dialect dialect_;
  size_t at_ = 0;
  int depth_ = 0, terms_ = 0;
  bool constructors_ = false;
};

}  // namespace

Parsed parse(std::string_view text, Dialect dialect) {
  if (text.size() > limits::kSymExprCharacters)
    throw Failure{std::to_string(text.size()) + " characters, more than " + std::to_string(limits::kSymExprCharacters)};
  return Parser(text, dialect).run();
}

}  // namespace pt2::symbolic
