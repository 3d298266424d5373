#include "core/text/aligned_table.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace pt2 {

namespace {

size_t shown_width(std::string_view text) {
  return size_t(std::count_if(text.begin(), text.end(), [](char c) { return (uint8_t(c) & 0xC0) != 0x80; }));
}

std::string cell(std::string text, size_t width) {
  if (shown_width(text) > width) {
    while (shown_width(text) >= width) {
      while ((uint8_t(text.back()) & 0xC0) == 0x80) text.pop_back();
      text.pop_back();
    }
    text += "…";
  }
  return text.append(width - shown_width(text), ' ');
}

}  // namespace

std::vector<std::string> aligned_rows(const std::vector<TableRow>& rows, size_t widest) {
  std::vector<size_t> widths;
  for (const TableRow& row : rows)
    for (size_t c = 0; c < row.size(); ++c) {
      if (c == widths.size()) widths.push_back(0);
      widths[c] = std::max(widths[c], std::min(shown_width(row[c]), widest));
    }
  std::vector<std::string> lines;
  for (const TableRow& row : rows) {
    std::string& line = lines.emplace_back();
    for (size_t c = 0; c < row.size(); ++c) line += (c ? "  " : "") + (c + 1 < widths.size() ? cell(row[c], widths[c]) : row[c]);
    line.erase(line.find_last_not_of(' ') + 1);
  }
  return lines;
}

}  // namespace pt2
