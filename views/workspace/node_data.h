#pragma once
// What a table of another tool says about the nodes of a program: shown as colours, in the Node pane and on cards.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/graph/program.h"

namespace pt2 {
struct NodeTable;
}

namespace pt2::views {

struct NodeData {
  struct Column {
    std::string name;
    bool text = false;                     // not all of its values are numbers
    std::map<NodeRef, std::string> cells;  // as the file has them
    std::map<NodeRef, double> numbers;     // of a column of numbers
  };
  std::string file;  // its name without folders
  std::vector<Column> columns;
  size_t matched = 0;                // rows whose node the program has
  std::vector<std::string> unknown;  // names it does not have

  std::optional<size_t> column(std::string_view name) const;
  // "latency.csv: 3 nodes, 2 names unknown: foo, bar"
  std::string summary() const;
};

// "cost.csv" or "cost.csv:latency": a file and one of its columns; a file whose real name holds ':' is taken whole.
std::pair<std::string, std::string> split_column(const std::string& argument);

NodeData match_nodes(const Program& program, const NodeTable& table, const std::string& path);
Result<NodeData> read_node_data(const Program& program, const std::string& path);

}  // namespace pt2::views
