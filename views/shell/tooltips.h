#pragma once
// Tooltips of several lines, and where those of menus stand.
#include <string>

#include "views/shell/ui.h"

namespace pt2::views::ui {

inline constexpr float kTooltipWidth = 420;  // at most, at scale 1

// Whatever is under the pointer. Lines end at `wrap_at`, from the tooltip's left border.
void show_tooltip(const ShellContext& c, const std::string& text, float wrap_at);
// Of an entry of the menu that is being drawn: beside the menu, so that no entry is covered.
void menu_tooltip(const ShellContext& c, const std::string& text);

}  // namespace pt2::views::ui
