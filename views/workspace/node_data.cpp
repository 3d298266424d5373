#include "views/workspace/node_data.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/base/display.h"
#include "core/base/text.h"
#include "core/node_table.h"
#include "views/workspace/document.h"

namespace pt2::views {

namespace {

constexpr size_t kNamedUnknown = 5;

std::optional<double> number_of(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return text.empty() || *end ? std::nullopt : std::optional(number);
}

}  // namespace

std::optional<size_t> NodeData::column(std::string_view name) const {
  for (size_t i = 0; i < columns.size(); ++i)
    if (columns[i].name == name) return i;
  return std::nullopt;
}

std::string NodeData::summary() const {
  std::string text = file + ": values for " + with_commas(uint64_t(matched)) + (matched == 1 ? " node" : " nodes");
  if (unknown.empty()) return text;
  text += ", " + with_commas(uint64_t(unknown.size())) + (unknown.size() == 1 ? " name is" : " names are") + " not in the program: ";
  for (size_t i = 0; i < std::min(unknown.size(), kNamedUnknown); ++i) text += (i ? ", " : "") + display_cut(unknown[i], 60);
  return text + (unknown.size() > kNamedUnknown ? ", …" : "");
}

std::pair<std::string, std::string> split_column(const std::string& argument) {
  std::error_code error;
  const size_t colon = argument.rfind(':');
  if (colon == argument.npos || colon == 0 || std::filesystem::exists(argument, error)) return {argument, ""};
  return {argument.substr(0, colon), argument.substr(colon + 1)};
}

NodeData match_nodes(const Program& program, const NodeTable& table, const std::string& path) {
  NodeData data;
  data.file = std::filesystem::path(path).filename().string();
  for (const std::string& name : table.columns) data.columns.push_back({name, false, {}, {}});
  for (const NodeTable::Row& row : table.rows) {
    const NodeRef node = find_node(program, row.node);
    if (!node.node) {
      data.unknown.push_back(row.node);
      continue;
    }
    ++data.matched;
    for (const auto& [column, text] : row.cells) data.columns[column].cells[node] = text;
  }
  for (NodeData::Column& column : data.columns) {
    for (const auto& [node, cell] : column.cells) {
      const auto number = number_of(cell);
      column.text |= !number;
      if (number) column.numbers[node] = *number;
    }
    if (column.text) column.numbers.clear();
  }
  return data;
}

Result<NodeData> read_node_data(const Program& program, const std::string& path) {
  const Result<NodeTable> table = read_node_table(path);
  if (!table) return table.error();
  NodeData data = match_nodes(program, *table, path);
  if (!data.matched) return Error{ErrorKind::Failed, "it names no node of this program", "", data.unknown.empty() ? "It has no rows." : "Its first name is \"" + display_cut(data.unknown[0], 60) + "\"; names are those that print shows."};
  return data;
}

}  // namespace pt2::views
