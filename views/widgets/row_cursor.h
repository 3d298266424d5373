#pragma once
// Rows by keyboard: once a pane got the keyboard one of its rows has ImGui's cursor, and arrows, Enter and Space go on from there.
#include "views/shell/pane.h"

namespace pt2::views {

// What the shell asks of the pane that got the keyboard.
struct RowCursor {
  bool wanted = false;   // no row has it yet
  bool offered = false;  // in this frame
};

// After a row's item: it takes the cursor where one is wanted. The first row does, and a selected one takes it over.
void offer_row(const PaneContext& context, bool selected);

// Whether the last item has the cursor, and that can be seen.
bool row_has_cursor(const PaneContext& context);

}  // namespace pt2::views
