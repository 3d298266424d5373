// The embedded table is text sorted by operator, so a target is found by bisection in the text itself: nothing to prepare at start-up, and
// only the few dozen schemas a program uses are ever parsed.
#include <memory>
#include <mutex>
#include <unordered_map>

#include "core/graph/op_schema.h"
#include "embedded/op_schemas.h"

namespace pt2 {

namespace {

// The table without its heading line.
std::string_view table_text() {
  const auto bytes = embedded::op_schemas();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.substr(text.find('\n') + 1);
}

OpTableRow split_row(std::string_view line) {
  const size_t first = line.find('\t'), second = line.find('\t', first + 1);
  return {line.substr(0, first), line.substr(first + 1, second - first - 1), line.substr(second + 1)};
}

std::optional<OpTableRow> find_row(std::string_view op) {
  std::string_view text = table_text();
  while (!text.empty()) {
    const size_t middle = text.size() / 2;
    const size_t newline = middle == 0 ? std::string_view::npos : text.rfind('\n', middle - 1);
    const size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    const size_t end = text.find('\n', begin);
    const OpTableRow row = split_row(text.substr(begin, end - begin));
    if (row.op == op) return row;
    text = op < row.op ? text.substr(0, begin) : text.substr(end + 1);
  }
  return std::nullopt;
}

std::string_view without_prefix(std::string_view target) {
  constexpr std::string_view kPrefix = "torch.ops.";
  return target.starts_with(kPrefix) ? target.substr(kPrefix.size()) : target;
}

std::unique_ptr<const OpSchema> parse_row(const OpTableRow& row) {
  auto parsed = parse_op_schema(row.schema);
  PT2_ASSERT(parsed.has_value());  // every row is checked by a test
  std::string_view tags = row.tags;
  while (!tags.empty()) {
    const size_t comma = tags.find(',');
    parsed->tags.emplace_back(tags.substr(0, comma));
    tags = comma == std::string_view::npos ? std::string_view() : tags.substr(comma + 1);
  }
  return std::make_unique<const OpSchema>(std::move(*parsed));
}

}  // namespace

const OpSchema* find_op_schema(std::string_view target) {
  const std::string_view op = without_prefix(target);
  static std::mutex mutex;
  static std::unordered_map<std::string_view, std::unique_ptr<const OpSchema>> parsed;  // keys are in the embedded table
  std::lock_guard lock(mutex);
  if (auto it = parsed.find(op); it != parsed.end()) return it->second.get();
  const auto row = find_row(op);
  if (!row || row->schema.empty()) return nullptr;
  return parsed.emplace(row->op, parse_row(*row)).first->second.get();
}

bool is_known_op(std::string_view target) { return find_row(without_prefix(target)).has_value(); }

std::vector<OpTableRow> op_table_rows() {
  std::vector<OpTableRow> rows;
  for (std::string_view text = table_text(); !text.empty();) {
    const size_t end = text.find('\n');
    rows.push_back(split_row(text.substr(0, end)));
    text = text.substr(end + 1);
  }
  return rows;
}

}  // namespace pt2
