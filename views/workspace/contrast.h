#pragma once
// Text that can be read on any colour, as WCAG measures contrast. Colours are 0xRRGGBB.
#include <cstdint>

namespace pt2::views {

// 1 … 21.
double contrast(uint32_t a, uint32_t b);
// White or black, whichever stands out more: at least 4.5 : 1 on any fill.
uint32_t text_on(uint32_t fill);
// What a plate below that text is blended with, so that it stands out even more: the other one.
inline uint32_t plate_below(uint32_t text) { return contrast(text, 0) > contrast(text, 0xFFFFFF) ? 0x000000 : 0xFFFFFF; }

}  // namespace pt2::views
