// A table of nodes: every cell has a column and a value, every error a place.
#include <cstdlib>

#include "core/node_table.h"
#include "tests/fuzz/fuzz_target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto table = pt2::parse_node_table(as_text(data, size));
  if (!table) {
    if (!table.error().where.starts_with("line ") || table.error().message.empty()) std::abort();
    return 0;
  }
  for (const auto& row : table->rows)
    for (const auto& [column, text] : row.cells)
      if (column >= table->columns.size() || text.empty()) std::abort();
  return 0;
}
