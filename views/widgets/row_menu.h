#pragma once
#include "views/shell/pane.h"

namespace pt2::views {

// After a row's item, while the keyboard asks for a menu in its list: whether it is this row's. The one with the cursor; where no cursor
// is seen in the list, the selected one.
bool menu_of_row(const PaneContext& context, bool selected);

}  // namespace pt2::views
