#pragma once
// All panes. To add one: its file in views/panes and a row in pane_registry.cpp.
#include <memory>
#include <span>
#include <string_view>

#include "views/shell/pane.h"

namespace pt2::views {

enum class Area : uint8_t { Left, Right, Bottom, Centre };

struct PaneRow {
  std::string_view id, title;              // "modules", "Modules"
  Area area;                               // where it lives by default; Centre: one instance per document
  std::unique_ptr<Pane> (*make)();         // null: not shown
  int (*badge)(const Workspace&) = nullptr;  // a count beside the title: "Problems 1"
};

std::span<const PaneRow> pane_rows();

}  // namespace pt2::views
