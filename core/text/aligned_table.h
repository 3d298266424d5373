#pragma once
// Cells in columns as wide as they need, for texts that people read.
#include <cstddef>
#include <string>
#include <vector>

namespace pt2 {

using TableRow = std::vector<std::string>;

// A line for each row: columns two blanks apart, nothing after the last cell. The last column is as wide as it is; of the others what is
// wider than `widest` ends in "…", so that all rows stay in line.
std::vector<std::string> aligned_rows(const std::vector<TableRow>& rows, size_t widest = 120);

}  // namespace pt2
