#include "core/base/json_tree.h"

#include <algorithm>
#include <limits>

#include "core/base/limits.h"
#include "core/base/text.h"

namespace pt2 {

namespace {

std::string kind_text(JsonKind kind) {
  switch (kind) {
    case JsonKind::Null: return "null";
    case JsonKind::Bool: return "a bool";
    case JsonKind::Int: return "an integer";
    case JsonKind::BigInt: return "an integer beyond 64 bits";
    case JsonKind::Float: return "a float";
    case JsonKind::String: return "a string";
    case JsonKind::Array: return "a list";
    case JsonKind::Object: return "an object";
    case JsonKind::Raw: break;
  }
  return "a value";
}

// No genuine text is longer: the end is cut off, and the text says so.
std::string_view bounded(std::string_view text, std::string& storage) {
  if (text.size() <= limits::kStringBytes) return text;
  size_t end = limits::kStringBytes;
  while (end > 0 && (text[end] & 0xC0) == 0x80) --end;  // not in the middle of a character
  storage = std::string(text.substr(0, end)) + "… (cut: " + with_commas(limits::kStringBytes) + " of " + with_commas(uint64_t{text.size()}) + " bytes are kept)";
  return storage;
}

}  // namespace

std::string_view JsonTree::keep(std::string_view text, std::string& storage) {
  if (text.empty()) return {};
  if (text.data() != storage.data()) return text;
  return texts_.emplace_back(std::move(storage));
}

JsonCursor JsonTree::read(JsonReader& reader, std::span<const RawMember> raw) {
  values_.clear();
  texts_.clear();
  struct Open { uint32_t index; bool object; };
  std::vector<Open> open;
  std::string storage;
  std::string_view key;
  do {
    if (!open.empty()) {
      // Another child of the innermost container, or its end?
      const bool more = open.back().object ? reader.next_member(key) : reader.next_element();
      if (!more) {
        values_[open.back().index].end = uint32_t(values_.size());
        open.pop_back();
        continue;
      }
    }
    Value value;
    if (!open.empty() && open.back().object) {
      const bool in_text = key.data() >= reader.text().data() && key.data() < reader.text().data() + reader.text().size();
      value.key = in_text || key.empty() ? key : std::string_view(texts_.emplace_back(key));
    }
    const uint32_t index = uint32_t(values_.size());
    value.end = index + 1;
    const bool member = !open.empty() && open.back().object;
    if (member && std::any_of(raw.begin(), raw.end(), [&](const RawMember& r) {
          return r.key == value.key && r.parent == values_[open.back().index].key;
        })) {
      value.kind = JsonKind::Raw;
      value.text = reader.skip();
    } else {
      value.kind = reader.peek();
      if (value.kind == JsonKind::Object || value.kind == JsonKind::Array) {
        if (open.size() >= reader.max_depth()) reader.fail_depth(reader.offset());
        value.kind == JsonKind::Object ? reader.begin_object() : reader.begin_array();
        open.push_back({index, value.kind == JsonKind::Object});
      } else if (value.kind == JsonKind::String) {
        value.text = keep(bounded(reader.read_string(storage), storage), storage);
      } else {
        const JsonReader::Scalar scalar = reader.read_scalar();
        value.kind = scalar.kind;
        value.integer = scalar.integer;
        value.number = scalar.number;
        value.text = scalar.text;
      }
    }
    values_.push_back(value);
  } while (!open.empty());
  return JsonCursor(this, 0);
}

void JsonCursor::fail(const std::string& message) const { throw JsonError{message, path(), false}; }

std::string_view JsonCursor::as_string() const {
  if (kind() != JsonKind::String) fail("expected a string, found " + kind_text(kind()));
  return value().text;
}

int64_t JsonCursor::as_int() const {
  if (kind() != JsonKind::Int && kind() != JsonKind::Bool) {
    const bool number = kind() == JsonKind::BigInt || kind() == JsonKind::Float;
    fail("expected an integer of 64 bits, found " + (number ? std::string(text().substr(0, 40)) : kind_text(kind())));
  }
  return value().integer;
}

bool JsonCursor::as_bool() const {
  if (kind() != JsonKind::Bool) fail("expected true or false, found " + kind_text(kind()));
  return value().integer != 0;
}

double JsonCursor::as_float() const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (kind()) {
    case JsonKind::Int: case JsonKind::BigInt: case JsonKind::Float: return value().number;
    case JsonKind::String:
      if (text() == "NaN") return std::numeric_limits<double>::quiet_NaN();
      if (text() == "Infinity") return kInfinity;
      if (text() == "-Infinity") return -kInfinity;
      [[fallthrough]];
    default: fail("expected a number, found " + kind_text(kind()));
  }
}

std::optional<JsonCursor> JsonCursor::find(std::string_view key) const {
  std::optional<JsonCursor> found;
  for (JsonCursor member : members())
    if (member.key() == key) found = member;
  if (found && found->is_null()) return {};
  return found;
}

JsonCursor JsonCursor::at(std::string_view key) const {
  if (auto found = find(key)) return *found;
  fail("\"" + std::string(key) + "\" is missing");
}

JsonCursor::Children JsonCursor::children() const { return {tree_, index_ + 1, value().end}; }

JsonCursor::Children JsonCursor::elements() const {
  if (kind() != JsonKind::Array) fail("expected a list, found " + kind_text(kind()));
  return children();
}

JsonCursor::Children JsonCursor::members() const {
  if (kind() != JsonKind::Object) fail("expected an object, found " + kind_text(kind()));
  return children();
}

size_t JsonCursor::size() const {
  size_t n = 0;
  for ([[maybe_unused]] JsonCursor child : children()) ++n;
  return n;
}

std::string JsonCursor::path() const {
  std::string path;
  uint32_t at = 0;
  while (at != index_) {
    // The child of `at` that is or holds index_.
    uint32_t child = at + 1, position = 0;
    while (tree_->values_[child].end <= index_) {
      child = tree_->values_[child].end;
      ++position;
    }
    if (tree_->values_[at].kind == JsonKind::Array) {
      path += "[" + std::to_string(position) + "]";
    } else {
      if (!path.empty()) path += ".";
      path += tree_->values_[child].key;
    }
    at = child;
  }
  return path;
}

std::string JsonCursor::dump() const {
  std::string out;
  struct Open { uint32_t end; char close; };
  std::vector<Open> open;
  bool comma = false;
  for (uint32_t i = index_; i < value().end || !open.empty();) {
    if (!open.empty() && i == open.back().end) {
      out += open.back().close;
      open.pop_back();
      comma = true;
      continue;
    }
    const JsonTree::Value& v = tree_->values_[i];
    if (comma) out += ", ";
    comma = true;
    if (!open.empty() && open.back().close == '}') out += json_quoted(v.key) + ": ";
    if (v.kind == JsonKind::Object || v.kind == JsonKind::Array) {
      out += v.kind == JsonKind::Object ? '{' : '[';
      open.push_back({v.end, v.kind == JsonKind::Object ? '}' : ']'});
      comma = false;
    } else if (v.kind == JsonKind::String) {
      out += json_quoted(v.text);
    } else {
      out += v.text;
    }
    ++i;
  }
  return out;
}

std::string json_quoted(std::string_view text) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          out += "\\u00";
          out += kHex[(c >> 4) & 15];
          out += kHex[c & 15];
        } else {
          out += c;
        }
    }
  }
  return out + "\"";
}

}  // namespace pt2
