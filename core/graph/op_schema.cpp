#include "core/graph/op_schema.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace pt2 {

namespace {

struct SyntaxError { std::string message; };

constexpr std::pair<std::string_view, SchemaBase> kBases[] = {
    {"Tensor", SchemaBase::Tensor},         {"int", SchemaBase::Int},
    {"SymInt", SchemaBase::SymInt},         {"float", SchemaBase::Float},
    {"bool", SchemaBase::Bool},             {"Scalar", SchemaBase::Scalar},
    {"complex", SchemaBase::Complex},       {"str", SchemaBase::Str},
    {"ScalarType", SchemaBase::ScalarType}, {"Layout", SchemaBase::Layout},
    {"MemoryFormat", SchemaBase::MemoryFormat}, {"Device", SchemaBase::Device},
    {"Generator", SchemaBase::Generator},   {"Dimname", SchemaBase::Dimname},
};

// Enum defaults are written as numbers of the C++ library, which are not those of the Export IR.
DType dtype_from_c10(int64_t number) {
  constexpr std::array kTypes = {DType::UInt8,   DType::Int8,    DType::Int16,     DType::Int32,     DType::Int64,      DType::Float16,
                                 DType::Float32, DType::Float64, DType::Complex32, DType::Complex64, DType::Complex128, DType::Bool,
                                 DType::QInt8,   DType::QUInt8,  DType::QInt32,    DType::BFloat16};
  return number >= 0 && number < int64_t(kTypes.size()) ? kTypes[number] : DType::Unknown;
}

MemoryFormat memory_format_from_c10(int64_t number) {
  constexpr std::array kFormats = {MemoryFormat::Contiguous, MemoryFormat::Preserve, MemoryFormat::ChannelsLast, MemoryFormat::ChannelsLast3d};
  return number >= 0 && number < int64_t(kFormats.size()) ? kFormats[number] : MemoryFormat::Unknown;
}

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  OpSchema schema() {
    OpSchema s;
    s.source = text_;
    s.name = std::string(word("an operator name", ":"));
    if (s.name.find("::") == std::string::npos) fail("expected namespace::name");
    if (accept('.')) s.overload = std::string(word("an overload name", ""));
    expect('(');
    bool keyword_only = false;
    while (!accept(')')) {
      if (accept("...")) s.is_vararg = true;
      else if (accept('*')) keyword_only = true;
      else s.parameters.push_back(parameter(s, keyword_only));
      skip_spaces();
      if (!accept(',') && peek() != ')') fail("expected , or )");
      skip_spaces();
    }
    skip_spaces();
    if (!accept("->")) fail("expected ->");
    skip_spaces();
    if (accept('(')) {
      while (!accept(')')) {
        s.returns.push_back(one_return());
        if (!accept(',') && peek() != ')') fail("expected , or )");
        skip_spaces();
      }
    } else {
      s.returns.push_back(one_return());
    }
    skip_spaces();
    if (at_ < text_.size()) fail("unexpected text after the schema");
    return s;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw SyntaxError{what + " at character " + std::to_string(at_)}; }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_spaces() { while (peek() == ' ') ++at_; }
  bool accept(char c) {
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  bool accept(std::string_view s) {
    if (!text_.substr(at_).starts_with(s)) return false;
    at_ += s.size();
    return true;
  }
  void expect(char c) { if (!accept(c)) fail(std::string("expected ") + c); }
  std::string_view word(const char* what, std::string_view also) {
    const size_t begin = at_;
    while (at_ < text_.size() && (is_word(text_[at_]) || also.find(text_[at_]) != std::string_view::npos)) ++at_;
    if (at_ == begin) fail(std::string("expected ") + what);
    return text_.substr(begin, at_ - begin);
  }
  // The text up to the parenthesis that closes the one just before the current place.
  std::string_view inside_parentheses() {
    const size_t begin = at_;
    for (int depth = 1; at_ < text_.size(); ++at_) {
      if (text_[at_] == '(') ++depth;
      if (text_[at_] == ')' && --depth == 0) return text_.substr(begin, at_++ - begin);
    }
    fail("a parenthesis is not closed");
  }

  SchemaType type() {
    SchemaType t;
    if (accept('(')) {
      t.text = "(" + std::string(inside_parentheses()) + ")";
    } else {
      t.text = word("a type", ".");
      for (const auto& [name, base] : kBases)
        if (name == t.text) t.base = base;
      const bool container = t.text == "Dict" || t.text == "RRef" || t.text == "Future" || t.text == "Await" || t.text == "Union";
      if (container && accept('(')) t.text += "(" + std::string(inside_parentheses()) + ")";
    }
    while (true) {
      if (accept('(')) {
        t.alias = inside_parentheses();
      } else if (accept('[')) {
        t.item_optional = std::exchange(t.optional, false);
        ++t.list_depth;
        t.text += '[';
        if (peek() != ']') {
          const std::string_view digits = word("a list size", "");
          std::from_chars(digits.data(), digits.data() + digits.size(), t.list_size);
          t.text += digits;
        }
        expect(']');
        t.text += ']';
      } else if (accept('?')) {
        t.optional = true;
        t.text += '?';
      } else {
        return t;
      }
    }
  }

  SchemaParameter parameter(OpSchema& schema, bool keyword_only) {
    SchemaParameter p;
    p.keyword_only = keyword_only;
    p.type = type();
    skip_spaces();
    p.name = word("a parameter name", "");
    if (accept('=')) {
      const size_t begin = at_;
      p.default_value = literal(schema, p.type.base, p.type.is_list());
      p.default_text = text_.substr(begin, at_ - begin);
    }
    return p;
  }

  SchemaReturn one_return() {
    SchemaReturn r;
    r.type = type();
    skip_spaces();
    if (is_word(peek())) r.name = word("a name", "");
    return r;
  }

  // One level of brackets is all that schemas have.
  Argument literal(OpSchema& schema, SchemaBase base, bool list_allowed) {
    if (list_allowed && accept('[')) {
      ListArg list;
      while (!accept(']')) {
        list.items.push_back(literal(schema, base, false));
        if (!accept(',') && peek() != ']') fail("expected , or ]");
        skip_spaces();
      }
      return {std::move(list)};
    }
    if (peek() == '"' || peek() == '\'') return {std::string_view(string(schema))};
    const std::string_view w = word("a default value", ".+-");
    if (w == "None") return {NoneArg{}};
    if (w == "True") return {true};
    if (w == "False") return {false};
    const char* end = w.data() + w.size();
    int64_t integer = 0;
    if (auto r = std::from_chars(w.data(), end, integer); r.ec == std::errc() && r.ptr == end) {
      switch (base) {
        case SchemaBase::Float: return {double(integer)};
        case SchemaBase::ScalarType: return {dtype_from_c10(integer)};
        case SchemaBase::MemoryFormat: return {memory_format_from_c10(integer)};
        default: return {integer};
      }
    }
    double real = 0;
    if (auto r = std::from_chars(w.data(), end, real); r.ec == std::errc() && r.ptr == end) return {real};
    fail("a default value that is no literal: " + std::string(w));
  }

  const std::string& string(OpSchema& schema) {
    const char quote = text_[at_++];
    std::string s;
    while (at_ < text_.size() && text_[at_] != quote) {
      char c = text_[at_++];
      if (c == '\\' && at_ < text_.size()) {
        c = text_[at_++];
        constexpr std::string_view kFrom = "ntfvrab0", kTo("\n\t\f\v\r\a\b\0", 8);
        if (const size_t i = kFrom.find(c); i != std::string_view::npos) c = kTo[i];
      }
      s += c;
    }
    if (!accept(quote)) fail("a string is not closed");
    return schema.texts.emplace_front(std::move(s));
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

Result<OpSchema> parse_op_schema(std::string_view text) {
  try {
    return Parser(text).schema();
  } catch (const SyntaxError& e) {
    return Error{ErrorKind::Failed, "operator schema: " + e.message, std::string(text), ""};
  }
}

std::string OpSchema::target() const {
  const size_t colons = name.find("::");
  return name.substr(0, colons) + "." + name.substr(colons + 2) + "." + (overload.empty() ? "default" : overload);
}

const SchemaParameter* OpSchema::parameter(std::string_view parameter_name) const {
  auto it = std::find_if(parameters.begin(), parameters.end(), [&](const SchemaParameter& p) { return p.name == parameter_name; });
  return it == parameters.end() ? nullptr : &*it;
}

bool OpSchema::has_tag(std::string_view tag) const { return std::find(tags.begin(), tags.end(), tag) != tags.end(); }

}  // namespace pt2
