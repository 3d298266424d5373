#pragma once
// The text of a cell of any table: where it does not fit or its table ends it is cut, with "…", and a tooltip has all of it.
#include <string_view>

#include "views/shell/theme.h"

namespace pt2::views {

enum class CellAlign : uint8_t { Left, LeftWithEnd, Right };  // LeftWithEnd: cut near its beginning
// In the current font, in what is left of the cell. `color` 0: the usual one. True where all of it is seen.
bool cell_text(const Theme& theme, std::string_view text, ImU32 color = 0, CellAlign align = CellAlign::Left);

}  // namespace pt2::views
