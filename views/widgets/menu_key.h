#pragma once
#include "views/shell/pane.h"

namespace pt2::views {

// Whether the keyboard asks the pane for the context menu of its selection: the Menu key, or Shift+F10.
bool menu_key(PaneContext& context);

// After an item that has a context menu: opens it by its name, below the item, where the keyboard asked for it.
void open_menu_below_item(const char* popup);

}  // namespace pt2::views
