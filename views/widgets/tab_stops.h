#pragma once
// Tab and Shift+Tab lead through what can be used in a pane or a dialog, in the order it is drawn in: fields, buttons, boxes to check, lists to
// choose from, sections, links; a list of rows is one stop, in which arrows walk. ImGui's own tabbing knows only fields, and of one window.
struct ImGuiWindow;

namespace pt2::views::tab_stops {

// Before a frame is drawn; whether Tab leads on in it.
void begin_frame(bool leads);
// The last item, where the keyboard can use it.
void add();
// The same of a row: of the rows in a window there is one stop, the one with the cursor or else the first.
void add_row();
// Whether it does: a field that has the keyboard is left, as by a click elsewhere.
bool leads();
// Whether the cursor is on an item that Tab led to, other than a row: keys are that item's.
bool hold_cursor();
// From the item with the cursor to the next or the previous one in a window and its children, in the next frame.
void walk(const ImGuiWindow* within, bool back);

}  // namespace pt2::views::tab_stops
