#pragma once
// Every fact on screen can be copied: a right click on it opens a menu with "Copy".
#include <string>
#include <string_view>

#include "views/shell/pane.h"

namespace pt2::views {

// Of the last item.
void copy_menu(const char* id, const std::string& text);
// Of what lies in a rectangle of the current window: a fact of several items, or one that is only drawn.
void copy_menu(const char* id, const std::string& text, ImVec2 min, ImVec2 max);
// After the text of a fact: its name on screen, and the menu.
void copied_probe(PaneContext& context, std::string_view name, const std::string& text);

}  // namespace pt2::views
