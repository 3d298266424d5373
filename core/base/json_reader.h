#pragma once
// Reads Python's dialect of JSON: what json.dumps writes, which is JSON plus bare NaN and Infinity (programs up to PyTorch 2.6), escaped
// lone surrogates and integers of any size. It pulls: the caller asks for the next member or element and may leave, remember an offset
// and come back. So a program of 100 MB is decoded in whatever order suits, one small tree at a time, and none of it is kept twice.
// Nothing here recurses; depth is limited.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace pt2 {

// BigInt: an integer beyond 64 bits.
enum class JsonKind : uint8_t { Null, Bool, Int, BigInt, Float, String, Array, Object, Raw };

// Thrown by JsonReader and JsonCursor; caught by the public function of the module that uses them.
struct JsonError {
  std::string message;
  std::string path;      // "nodes[12].inputs[1].arg", empty at the root or for syntax errors
  bool limit = false;    // a limit was hit, the text itself may be right
};

class JsonReader {
 public:
  // `text` must outlive the reader.
  explicit JsonReader(std::string_view text, size_t max_depth = 512) : text_(text), max_depth_(max_depth) {}

  std::string_view text() const { return text_; }
  size_t offset() const { return at_; }
  // Goes to a value met before: where a skip began, or offset() of that time.
  void seek(size_t offset) { at_ = offset; first_ = false; }

  // The kind of the next value: Int stands for any number.
  JsonKind peek();
  // One value passed over; its text. Where large containers end is remembered, so skipping what encloses them is quick.
  std::string_view skip();

  // for (begin_object(); next_member(key);) …: one value must be read or skipped for each. `key` is valid until the next call.
  void begin_object();
  bool next_member(std::string_view& key);
  void begin_array();
  bool next_element();

  // A string; `storage` holds it when it had escapes, else the result points into the text.
  std::string_view read_string(std::string& storage);
  struct Scalar { JsonKind kind = JsonKind::Null; int64_t integer = 0; double number = 0; std::string_view text; };
  // null, true, false or a number; `text` as written.
  Scalar read_scalar();
  // Only white space may follow.
  void expect_end();

  size_t max_depth() const { return max_depth_; }
  [[noreturn]] void fail(const std::string& message, size_t offset) const;
  [[noreturn]] void fail_depth(size_t offset) const;

 private:
  char current();  // next character that is no white space, '\0' at the end; not consumed
  void expect(char c, const char* what);
  bool next(char close);
  size_t string_end(size_t quote) const;  // offset of the closing quote
  void unescape(std::string_view escaped, std::string& out) const;
  std::string_view skip_container();

  std::string_view text_;
  size_t max_depth_;
  size_t at_ = 0;
  bool first_ = false;  // just after an opening bracket: no comma is due
  std::string key_;
  std::unordered_map<size_t, size_t> container_end_;
};

}  // namespace pt2
