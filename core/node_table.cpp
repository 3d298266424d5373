#include "core/node_table.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <unordered_map>

#include "core/base/display.h"
#include "core/base/json_reader.h"

namespace pt2 {

namespace {

struct TableError {
  std::string message;
  size_t offset;
};

std::string line_and_column(std::string_view text, size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const size_t line_start = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
  // Columns count characters, not bytes.
  const auto column = std::count_if(before.begin() + std::ptrdiff_t(line_start), before.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return "line " + std::to_string(std::count(before.begin(), before.end(), '\n') + 1) + ", column " + std::to_string(column + 1);
}

struct Cell {
  std::string text;
  size_t offset = 0;
};

// RFC 4180: cells in quotes may hold anything, a quote in them stands twice.
class CsvReader {
 public:
  CsvReader(std::string_view text, char separator) : text_(text), separator_(separator) {}

  bool done() const { return at_ >= text_.size(); }
  std::vector<Cell> line() {
    std::vector<Cell> cells;
    do cells.push_back(cell());
    while (take(separator_));
    take('\r');
    if (!done() && !take('\n')) throw TableError{"something follows the closing quote of a cell", at_};
    return cells;
  }

 private:
  bool take(char c) { return !done() && text_[at_] == c && (++at_, true); }
  Cell cell() {
    while (!done() && text_[at_] == ' ') ++at_;
    Cell cell{{}, at_};
    if (!take('"')) {
      while (!done() && text_[at_] != separator_ && text_[at_] != '\n' && text_[at_] != '\r') cell.text += text_[at_++];
      cell.text.erase(cell.text.find_last_not_of(' ') + 1);
      return cell;
    }
    for (;; ++at_) {
      if (done()) throw TableError{"a cell begins with a quote and has no end", cell.offset};
      if (text_[at_] == '"' && !(at_ + 1 < text_.size() && text_[at_ + 1] == '"')) break;
      if (text_[at_] == '"') ++at_;
      cell.text += text_[at_];
    }
    ++at_;
    return cell;
  }

  std::string_view text_;
  char separator_;
  size_t at_ = 0;
};

NodeTable parse_csv(std::string_view text) {
  const std::string_view head = text.substr(0, text.find('\n'));
  char separator = ',';
  for (const char candidate : {'\t', ';'})
    if (std::count(head.begin(), head.end(), candidate) > std::count(head.begin(), head.end(), separator)) separator = candidate;
  CsvReader reader(text, separator);
  const std::vector<Cell> names = reader.line();
  size_t node = 0;
  for (const char* own : {"name", "node"})
    for (size_t i = 0; i < names.size(); ++i)
      if (names[i].text == own) node = i;
  NodeTable table;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i == node) continue;
    if (names[i].text.empty()) throw TableError{"a column has no name", names[i].offset};
    table.columns.push_back(names[i].text);
  }
  if (table.columns.empty()) throw TableError{"the header names no column of values beside the nodes", 0};
  while (!reader.done()) {
    const std::vector<Cell> cells = reader.line();
    if (cells.size() == 1 && cells[0].text.empty()) continue;
    if (cells.size() != names.size())
      throw TableError{"a row of " + std::to_string(cells.size()) + " cells; the header has " + std::to_string(names.size()), cells.back().offset};
    if (cells[node].text.empty()) throw TableError{"the name of the node is missing", cells[node].offset};
    NodeTable::Row row{cells[node].text, {}};
    for (size_t i = 0; i < cells.size(); ++i)
      if (i != node && !cells[i].text.empty()) row.cells.emplace_back(i - (i > node), cells[i].text);
    table.rows.push_back(std::move(row));
  }
  return table;
}

class JsonTable {
 public:
  explicit JsonTable(std::string_view text) : reader_(text) {}

  NodeTable read() {
    if (reader_.peek() == JsonKind::Object) read_nodes();
    else if (reader_.peek() == JsonKind::Array) read_rows();
    else reader_.fail("expected an object of nodes or a list of rows", reader_.offset());
    reader_.expect_end();
    return std::move(table_);
  }

 private:
  void read_nodes() {
    reader_.begin_object();
    for (std::string_view key; reader_.next_member(key);) {
      table_.rows.push_back({std::string(key), {}});
      if (reader_.peek() == JsonKind::Object) read_cells(nullptr);
      else set("value", value());
    }
  }
  void read_rows() {
    reader_.begin_array();
    while (reader_.next_element()) {
      reader_.peek();
      const size_t begin = reader_.offset();
      table_.rows.emplace_back();
      if (reader_.peek() != JsonKind::Object) reader_.fail("expected an object with \"node\" and values", begin);
      read_cells(&table_.rows.back().node);
      if (table_.rows.back().node.empty()) reader_.fail("this row has no \"node\"", begin);
    }
  }
  void read_cells(std::string* node) {
    reader_.begin_object();
    for (std::string_view key; reader_.next_member(key);) {
      const std::string column(key);
      std::string text = value();
      if (node && (column == "node" || (column == "name" && node->empty()))) *node = std::move(text);
      else set(column, std::move(text));
    }
  }
  std::string value() {
    const JsonKind kind = reader_.peek();
    if (kind == JsonKind::String) return std::string(reader_.read_string(storage_));
    if (kind == JsonKind::Object || kind == JsonKind::Array) reader_.fail("expected a number or a text", reader_.offset());
    const JsonReader::Scalar scalar = reader_.read_scalar();
    return scalar.kind == JsonKind::Null ? std::string() : std::string(scalar.text);
  }
  void set(const std::string& column, std::string text) {
    const auto [known, added] = index_.emplace(column, table_.columns.size());
    if (added) table_.columns.push_back(column);
    if (!text.empty()) table_.rows.back().cells.emplace_back(known->second, std::move(text));
  }

  JsonReader reader_;
  NodeTable table_;
  std::unordered_map<std::string, size_t> index_;  // of columns
  std::string storage_;
};

constexpr std::string_view kAdvice = "A CSV with a header and the node's name in a column \"node\", or JSON such as {\"conv2d\": 1.5}.";

}  // namespace

Result<NodeTable> parse_node_table(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  auto failed = [&](const std::string& message, size_t offset) { return Error{ErrorKind::CannotOpen, message, line_and_column(text, offset), std::string(kAdvice)}; };
  if (const auto bad = invalid_utf8(text)) return failed("this is no UTF-8 text", *bad);
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return failed("the table is empty", 0);
  try {
    return text[first] == '{' || text[first] == '[' ? JsonTable(text).read() : parse_csv(text);
  } catch (const TableError& error) {
    return failed(error.message, error.offset);
  } catch (const JsonError& error) {
    // "byte 12: what is wrong"
    size_t offset = 0;
    const size_t colon = error.message.find(": ");
    if (error.message.starts_with("byte ") && colon != error.message.npos) std::from_chars(error.message.data() + 5, error.message.data() + colon, offset);
    return failed(error.message.substr(colon == error.message.npos ? 0 : colon + 2), offset);
  }
}

Result<NodeTable> read_node_table(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error{ErrorKind::CannotOpen, std::string("cannot be read: ") + std::strerror(errno), "", "Check that the file exists and may be read."};
  return parse_node_table(std::string(std::istreambuf_iterator<char>(in), {}));
}

}  // namespace pt2
