#pragma once
// One small tree of JSON values: a node of a graph, an entry of a table. It is filled, decoded and used again for the next.
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json_reader.h"

namespace pt2 {

class JsonCursor;

class JsonTree {
 public:
  // Member `key` of the objects under `parent` ("" for the tree's root and for elements of lists).
  struct RawMember { std::string_view parent, key; };

  // Reads the next value of `reader`; earlier cursors end. Members named by `raw` are not parsed: kind Raw, `text` as written.
  JsonCursor read(JsonReader& reader, std::span<const RawMember> raw = {});

 private:
  friend class JsonCursor;
  struct Value {
    std::string_view key;   // in its object
    std::string_view text;  // of a string, a number, or raw
    int64_t integer = 0;
    double number = 0;
    uint32_t end = 0;       // index behind its last descendant
    JsonKind kind = JsonKind::Null;
  };
  std::string_view keep(std::string_view text, std::string& storage);

  std::vector<Value> values_;  // depth first
  std::deque<std::string> texts_;
};

// A value in a tree, and where it is. Accessors throw JsonError with the path of what is not as it should be.
class JsonCursor {
 public:
  JsonKind kind() const { return value().kind; }
  std::string_view key() const { return value().key; }
  bool is_null() const { return kind() == JsonKind::Null; }
  bool is_object() const { return kind() == JsonKind::Object; }
  bool is_array() const { return kind() == JsonKind::Array; }
  bool is_string() const { return kind() == JsonKind::String; }

  std::string_view as_string() const;
  int64_t as_int() const;      // Int or Bool
  bool as_bool() const;
  double as_float() const;     // any number, or the texts "NaN", "Infinity", "-Infinity"
  // Text of a number as written, of raw values, of strings.
  std::string_view text() const { return value().text; }

  // The member of an object; nothing where it is missing or null. Of equal keys the last counts, as in Python.
  std::optional<JsonCursor> find(std::string_view key) const;
  JsonCursor at(std::string_view key) const;

  struct Children;
  // Elements of a list or members of an object; throws for other kinds.
  Children elements() const;
  Children members() const;
  size_t size() const;  // number of children

  // "inputs[1].arg.as_tensor", from the tree's root.
  std::string path() const;
  std::string dump() const;  // compact JSON text of it
  [[noreturn]] void fail(const std::string& message) const;

 private:
  friend class JsonTree;
  JsonCursor(const JsonTree* tree, uint32_t index) : tree_(tree), index_(index) {}
  const JsonTree::Value& value() const { return tree_->values_[index_]; }
  Children children() const;

  const JsonTree* tree_;
  uint32_t index_;
};

struct JsonCursor::Children {
  struct Iterator {
    const JsonTree* tree;
    uint32_t index;
    JsonCursor operator*() const { return JsonCursor(tree, index); }
    Iterator& operator++() { return index = tree->values_[index].end, *this; }
    bool operator!=(const Iterator& other) const { return index != other.index; }
  };
  const JsonTree* tree;
  uint32_t first, last;
  Iterator begin() const { return {tree, first}; }
  Iterator end() const { return {tree, last}; }
};

// `text` in quotes, control characters escaped.
std::string json_quoted(std::string_view text);

}  // namespace pt2
