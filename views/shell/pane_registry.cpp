#include "views/shell/pane_registry.h"

namespace pt2::views {

std::span<const PaneRow> pane_rows() { return {}; }

}  // namespace pt2::views
