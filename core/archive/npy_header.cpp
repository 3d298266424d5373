#include "core/archive/npy_header.h"

#include <charconv>

#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/tensor/view.h"

namespace pt2 {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

// '<f4' and so on; the first character is the byte order.
constexpr std::pair<std::string_view, DType> kDescriptions[] = {
    {"b1", DType::Bool}, {"u1", DType::UInt8}, {"u2", DType::UInt16}, {"u4", DType::UInt32}, {"u8", DType::UInt64}, {"i1", DType::Int8}, {"i2", DType::Int16},
    {"i4", DType::Int32}, {"i8", DType::Int64}, {"f2", DType::Float16}, {"f4", DType::Float32}, {"f8", DType::Float64}, {"c8", DType::Complex64}, {"c16", DType::Complex128}};

// Just the Python that such a header holds: strings, True, False and a tuple of numbers, at one level.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}
  struct Failure { std::string message; };

  void parse(NpyHeader& header) {
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr") {
        if (current() != '\'' && current() != '"') fail("descr: structured types are not supported");
        description(string(), header);
        has_descr = true;
      } else if (key == "fortran_order") {
        fortran_ = word("True");
        if (!fortran_ && !word("False")) fail("fortran_order is neither True nor False");
        has_order = true;
      } else if (key == "shape") {
        shape(header);
        has_shape = true;
      } else {
        fail("unknown key '" + std::string(key.substr(0, 40)) + "'");
      }
      if (!accept(',') && current() != '}') fail("expected a comma or the end of the dict");
    }
    if (current() != '\0') fail("text after the dict");
    if (!has_descr || !has_order || !has_shape) fail("descr, fortran_order or shape is missing");
    header.strides = contiguous_strides(header.sizes);
    if (fortran_) {
      uint64_t stride = 1;  // wraps only where a size of 0 leaves no element to reach
      for (size_t i = 0; i < header.sizes.size(); ++i) {
        header.strides[i] = static_cast<int64_t>(stride);
        stride *= static_cast<uint64_t>(std::max<int64_t>(header.sizes[i], 1));
      }
    }
  }

 private:
  [[noreturn]] static void fail(std::string message) { throw Failure{std::move(message)}; }
  char current() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (current() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(std::string("expected '") + c + "' at character " + std::to_string(at_));
  }
  bool word(std::string_view w) {
    current();
    if (!text_.substr(at_).starts_with(w)) return false;
    at_ += w.size();
    return true;
  }
  std::string_view string() {
    const char quote = current();
    if (quote != '\'' && quote != '"') fail("expected a string at character " + std::to_string(at_));
    const size_t end = text_.find(quote, at_ + 1);
    if (end == text_.npos) fail("a string without an end");
    const std::string_view result = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return result;
  }
  void description(std::string_view descr, NpyHeader& header) {
    const char order = descr.empty() ? '?' : descr[0];
    const std::string_view type = descr.substr(descr.empty() ? 0 : 1);
    if (type.starts_with('O')) fail("descr '" + std::string(descr.substr(0, 20)) + "': object arrays are pickles; nothing of it was run");
    for (const auto& [text, dtype] : kDescriptions)
      if (text == type && (order == '<' || order == '>' || order == '|' || order == '=')) {
        header.dtype = dtype;
        header.big_endian = order == '>';
        return;
      }
    fail("descr '" + std::string(descr.substr(0, 20)) + "': no tensor type is like it");
  }
  void shape(NpyHeader& header) {
    header.sizes.clear();  // of a key that comes twice the last counts, as in Python
    expect('(');
    while (!accept(')')) {
      current();
      int64_t size = 0;
      const char* const begin = text_.data() + at_;
      const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), size);
      if (error == std::errc::result_out_of_range) fail("shape: a size beyond 64 bits");
      if (error != std::errc()) fail("shape: expected a number at character " + std::to_string(at_));
      if (size < 0) fail("shape: a negative size, " + std::to_string(size));
      at_ += static_cast<size_t>(end - begin);
      header.sizes.push_back(size);
      if (header.sizes.size() > limits::kTensorRank) fail("shape: more than " + std::to_string(limits::kTensorRank) + " dimensions (limit)");
      if (!accept(',') && current() != ')') fail("shape: expected a comma or the end of the tuple");
    }
    if (!checked_numel(header.sizes)) fail("shape " + shape_text(header.sizes) + ": more elements than 64 bits can count");
  }

  std::string_view text_;
  size_t at_ = 0;
  bool fortran_ = false;
};

}  // namespace

bool looks_like_npy(std::string_view first_bytes) { return first_bytes.starts_with(kMagic); }

Result<NpyHeader> parse_npy_header(std::string_view bytes) {
  const auto damaged = [](std::string message) { return Error{ErrorKind::CannotOpen, std::move(message), "npy header", "The file is damaged or no plain array. Save it again with numpy.save."}; };
  if (!looks_like_npy(bytes)) return damaged("the magic bytes of a .npy file are missing");
  if (bytes.size() < 12) return damaged("the header is cut off");
  const int major = static_cast<unsigned char>(bytes[6]);
  if (major < 1 || major > 3) return damaged("format version " + std::to_string(major) + " is not known (1 to 3 are)");
  const size_t lead = major == 1 ? 10 : 12;
  uint64_t length = 0;
  for (size_t i = lead; i-- > 8;) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  if (length > limits::kNpyHeaderBytes) return Error{ErrorKind::Limit, "is said to have " + with_commas(length) + " bytes (limit " + with_commas(limits::kNpyHeaderBytes) + ")", "npy header", "No genuine array has such a header."};
  if (lead + length > bytes.size()) return damaged("is said to have " + with_commas(length) + " bytes, the file has " + with_commas(uint64_t{bytes.size()}));
  NpyHeader header;
  header.size_bytes = lead + length;
  try {
    Parser(bytes.substr(lead, length)).parse(header);
  } catch (const Parser::Failure& failure) {
    return damaged(failure.message);
  }
  return header;
}

std::string npy_header_text(DType dtype, std::span<const int64_t> sizes) {
  std::string descr = "<f4";
  for (const auto& [text, known] : kDescriptions)
    if (known == dtype) descr = (item_size(dtype) == 1 ? "|" : "<") + std::string(text);
  std::string dict = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < sizes.size(); ++i) dict += (i ? ", " : "") + std::to_string(sizes[i]);
  dict += sizes.size() == 1 ? ",), }" : "), }";
  constexpr size_t kLead = 10, kAlignment = 64;
  dict.append(kAlignment - (kLead + dict.size() + 1) % kAlignment, ' ');
  dict += '\n';
  std::string text(kMagic);
  text += {'\x01', '\x00', static_cast<char>(dict.size() & 0xFF), static_cast<char>(dict.size() >> 8)};
  return text + dict;
}

}  // namespace pt2
