#pragma once
// Fields for a line of text, over a std::string. Tab comes to them.
#include <string>

#include "views/shell/pane.h"

namespace pt2::views {

// Before a field of the current window that is not in use: what is typed into it next is undone by itself.
void forget_undo(const char* id);
// A one-line text field over a std::string. True when it was edited.
bool input_text(const char* id, std::string& text, const char* hint = "", ImGuiInputTextFlags flags = 0);

// A field as wide as the pane over a list, for what is to be added to it: Enter pushes `command` with the text and keeps the field ready.
void add_line(PaneContext& context, std::string& typed, const char* hint, const char* command, const char* pane);

}  // namespace pt2::views
