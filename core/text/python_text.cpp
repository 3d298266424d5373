#include "core/text/python_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "core/base/json_tree.h"

namespace pt2 {

namespace {

// repr's digits; `point_zero`: floats show ".0" where there is nothing behind the point, the parts of a complex number do not.
std::string float_digits(double value, bool point_zero) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 40> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::fabs(value), std::chars_format::scientific).ptr;
  const std::string_view shortest(buffer.data(), size_t(end - buffer.data()));
  const size_t e = shortest.find('e');
  std::string digits(shortest.substr(0, e));
  if (digits.size() > 1) digits.erase(1, 1);
  int exponent = 0;
  const char* from = buffer.data() + e + 1;
  std::from_chars(*from == '+' ? from + 1 : from, end, exponent);
  std::string text = std::signbit(value) ? "-" : "";
  if (exponent < -4 || exponent >= 16) {
    text += digits.substr(0, 1);
    if (digits.size() > 1) text += "." + digits.substr(1);
    char tail[8];
    std::snprintf(tail, sizeof tail, "e%+03d", exponent);
    return text + tail;
  }
  if (exponent < 0) return text + "0." + std::string(size_t(-exponent - 1), '0') + digits;
  const size_t whole = size_t(exponent) + 1;
  if (digits.size() <= whole) return text + digits + std::string(whole - digits.size(), '0') + (point_zero ? ".0" : "");
  return text + digits.substr(0, whole) + "." + digits.substr(whole);
}

// Decodes one UTF-8 character at `at`; a byte that is none counts as itself.
uint32_t next_character(std::string_view text, size_t at, size_t& length) {
  const auto byte = [&](size_t i) { return i < text.size() ? uint8_t(text[i]) : uint8_t(0); };
  const uint8_t first = byte(at);
  length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (length == 1 || at + length > text.size()) return length = 1, first;
  uint32_t code = first & (0xFF >> (length + 1));
  for (size_t i = 1; i < length; ++i) code = (code << 6) | (byte(at + i) & 0x3F);
  return code;
}

// What str.isprintable calls no printable character, without the unassigned ones.
bool is_unprintable(uint32_t c) {
  constexpr std::pair<uint32_t, uint32_t> kRanges[] = {
      {0x00, 0x1F}, {0x7F, 0xA0}, {0xAD, 0xAD}, {0x600, 0x605}, {0x61C, 0x61C}, {0x6DD, 0x6DD}, {0x1680, 0x1680}, {0x180E, 0x180E},
      {0x2000, 0x200F}, {0x2028, 0x202F}, {0x205F, 0x206F}, {0x3000, 0x3000}, {0xD800, 0xF8FF}, {0xFEFF, 0xFEFF}, {0xFFF0, 0xFFFB},
      {0xFFFE, 0xFFFF}, {0xE0000, 0x10FFFF}};
  for (const auto& [low, high] : kRanges)
    if (c >= low && c <= high) return true;
  return false;
}

std::string device_repr(const Device& device) {
  return "device(type='" + device.type + "'" + (device.index < 0 ? "" : ", index=" + std::to_string(device.index)) + ")";
}

std::string_view short_operator(std::string_view name) {
  for (std::string_view prefix : {"torch.ops.higher_order.", "torch.ops."})
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  return name;
}

std::string operator_repr(std::string_view name) {
  if (name.starts_with("torch.ops.higher_order.")) return std::string(short_operator(name));
  const std::string_view op = short_operator(name);
  const size_t dot = op.rfind('.');
  return "<OpOverload(op='" + std::string(op.substr(0, dot)) + "', overload='" + std::string(dot == std::string_view::npos ? "" : op.substr(dot + 1)) + "')>";
}

// Recursion is bounded by the depth of JSON that the loader takes.
class ArgumentPrinter {
 public:
  ArgumentPrinter(ArgumentStyle style, const NodeName& name) : style_(style), name_(name) {}

  void print(const Argument& argument) {
    std::visit([this](const auto& value) { one(value); }, argument.value);
  }
  std::string text;

 private:
  void one(NoneArg) { text += "None"; }
  void one(NodeId id) { text += (style_ == ArgumentStyle::GraphText ? "%" : "") + name_(id); }
  void one(bool value) { text += value ? "True" : "False"; }
  void one(int64_t value) { text += std::to_string(value); }
  void one(double value) { text += python_float(value); }
  void one(std::complex<double> value) { text += python_complex(value); }
  void one(std::string_view value) { text += style_ == ArgumentStyle::GraphText ? std::string(value) : python_repr(value); }
  void one(DType value) { text += "torch." + std::string(dtype_name(value)); }
  void one(MemoryFormat value) { text += memory_format_name(value); }
  void one(TensorLayout value) { text += layout_name(value); }
  void one(const Device& value) { text += style_ == ArgumentStyle::GraphText ? device_text(value) : device_repr(value); }
  void one(const OperatorArg& value) {
    if (style_ == ArgumentStyle::GraphText) text += short_operator(value.name);
    else text += style_ == ArgumentStyle::Code ? std::string(value.name) : operator_repr(value.name);
  }
  void one(const UnknownArg& value) { text += value.json; }
  void one(const ListArg& list) { sequence(list.items, "[", "]"); }
  void one(const TupleArg& tuple) { sequence(tuple.items, "(", tuple.items.size() == 1 ? ",)" : ")"); }
  void one(const DictArg& dict) {
    // FX knows lists and tuples only; a dict is printed by Python itself.
    const ArgumentStyle outside = style_;
    if (style_ == ArgumentStyle::Code) style_ = ArgumentStyle::Repr;
    text += "{";
    for (size_t i = 0; i < dict.items.size(); ++i) {
      if (i > 0) text += ", ";
      text += (style_ == ArgumentStyle::GraphText ? std::string(dict.items[i].first) : python_repr(dict.items[i].first)) + ": ";
      print(dict.items[i].second);
    }
    text += "}";
    style_ = outside;
  }
  void sequence(const std::vector<Argument>& items, const char* open, const char* close) {
    text += open;
    for (size_t i = 0; i < items.size(); ++i) {
      if (i > 0) text += ", ";
      print(items[i]);
    }
    text += close;
  }

  ArgumentStyle style_;
  const NodeName& name_;
};

// Where the first `count` characters of UTF-8 text end.
size_t characters_end(std::string_view text, size_t count) {
  size_t at = 0, length = 1;
  for (; count > 0 && at < text.size(); --count, at += length) next_character(text, at, length);
  return at;
}

void append_json_repr(std::string& text, const JsonCursor& json) {
  switch (json.kind()) {
    case JsonKind::Null: text += "None"; return;
    case JsonKind::Bool: text += json.as_bool() ? "True" : "False"; return;
    case JsonKind::String: text += python_repr(json.as_string()); return;
    case JsonKind::Array: {
      text += "[";
      bool first = true;
      for (const JsonCursor& element : json.elements()) {
        text += std::exchange(first, false) ? "" : ", ";
        append_json_repr(text, element);
      }
      text += "]";
      return;
    }
    case JsonKind::Object: {
      text += "{";
      bool first = true;
      for (const JsonCursor& member : json.members()) {
        text += (std::exchange(first, false) ? "" : ", ") + python_repr(member.key()) + ": ";
        append_json_repr(text, member);
      }
      text += "}";
      return;
    }
    case JsonKind::Float: text += python_float(json.as_float()); return;
    default: text += json.text(); return;
  }
}

}  // namespace

std::string python_float(double value) { return float_digits(value, true); }

std::string python_complex(std::complex<double> value) {
  const std::string imaginary = float_digits(value.imag(), false) + "j";
  if (value.real() == 0 && !std::signbit(value.real())) return imaginary;
  return "(" + float_digits(value.real(), false) + (imaginary[0] == '-' ? "" : "+") + imaginary + ")";
}

std::string python_repr(std::string_view text) {
  const bool doubled = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos;
  const char quote = doubled ? '"' : '\'';
  std::string out(1, quote);
  char buffer[16];
  for (size_t i = 0; i < text.size();) {
    size_t length = 1;
    const uint32_t c = next_character(text, i, length);
    if (c == '\n') out += "\\n";
    else if (c == '\r') out += "\\r";
    else if (c == '\t') out += "\\t";
    else if (c == '\\' || c == uint32_t(quote)) out += {'\\', char(c)};
    else if (is_unprintable(c)) {
      std::snprintf(buffer, sizeof buffer, c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
      out += buffer;
    } else {
      out += text.substr(i, length);
    }
    i += length;
  }
  return out + quote;
}

std::string python_annotation(std::string_view json) {
  constexpr size_t kShownCharacters = 40;
  try {
    JsonReader reader(json);
    JsonTree tree;
    const JsonCursor annotation = tree.read(reader);
    if (!annotation.is_object() || annotation.size() == 0) return "";
    std::string text = "{";
    for (const JsonCursor& member : annotation.members()) {
      std::string value;
      append_json_repr(value, member);
      const std::string shown = member.is_string() ? std::string(member.as_string()) : value;
      const size_t cut = characters_end(shown, kShownCharacters);
      if (cut < shown.size()) value = python_repr(shown.substr(0, cut) + "...");
      text += (text.size() > 1 ? ", " : "") + python_repr(member.key()) + ": " + value;
    }
    return text + "}";
  } catch (const JsonError&) {
    return "";
  }
}

std::string argument_text(const Argument& argument, ArgumentStyle style, const NodeName& name) {
  ArgumentPrinter printer(style, name);
  printer.print(argument);
  return std::move(printer.text);
}

}  // namespace pt2
