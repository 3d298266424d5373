#pragma once
// A table with a row for each node, from a file some other tool wrote: CSV with a header, or JSON. What the names mean is for who has
// the program.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace pt2 {

struct NodeTable {
  std::vector<std::string> columns;  // beside the node's own
  struct Row {
    std::string node;
    std::vector<std::pair<size_t, std::string>> cells;  // with their columns; only those with a value
  };
  std::vector<Row> rows;
};

// Errors say "line 3, column 7". JSON is {"NODE": VALUE}, {"NODE": {"COLUMN": VALUE}} or [{"node": "NODE", "COLUMN": VALUE}]; in CSV (also with
// tabs or semicolons) the nodes stand in the column called node, else name, else in the first.
Result<NodeTable> parse_node_table(std::string_view text);
Result<NodeTable> read_node_table(const std::string& path);

}  // namespace pt2
