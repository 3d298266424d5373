#pragma once
#include "views/shell/pane.h"

namespace pt2::views {

// In a list: whether the keyboard asks for the menu of one of its rows, and not of another list's in the pane.
bool menu_key_of_list(PaneContext& context);

// After a row's item, while the keyboard asks for a menu in its list: whether it is this row's. The one with the cursor; where no cursor
// is seen in the list, the selected one; where none is selected, the one pressed last.
bool menu_of_row(const PaneContext& context, bool selected, bool any_selected = true);

}  // namespace pt2::views
