#pragma once
// The signs that stand at a box of the graph and in its chips. Each has a shape of its own, so that none is told apart by colour alone; the
// legend lists them all.
#include <vector>

#include "views/shell/theme.h"
#include "views/workspace/graph_scene.h"

namespace pt2::views {

enum class Badge : uint8_t { Breakpoint, Conditional, BreakpointOff, BreakpointInside, Current, Executed, Failed, NonFinite, Mismatch, Mutated, Changed, Added, Removed, Edited, Bookmark, Note };
struct BadgeRow {
  Badge badge;
  const char *name, *text;
};
inline constexpr BadgeRow kBadges[] = {
    {Badge::Breakpoint, "breakpoint", "Breakpoint"},
    {Badge::Conditional, "conditional", "Breakpoint with a condition"},
    {Badge::BreakpointOff, "breakpoint_off", "Breakpoint that is off"},
    {Badge::BreakpointInside, "breakpoint_inside", "Breakpoint in what is folded"},
    {Badge::Current, "current", "Current: runs next"},
    {Badge::Executed, "executed", "Executed"},
    {Badge::Failed, "failed", "Failed"},
    {Badge::NonFinite, "nonfinite", "Holds NaN or Inf"},
    {Badge::Mismatch, "mismatch", "Numbers differ from those compared with"},
    {Badge::Mutated, "mutated", "Writes a buffer, parameter or input"},
    {Badge::Changed, "changed", "Changed: in the other program, by an edit"},
    {Badge::Added, "added", "Added: only in B"},
    {Badge::Removed, "removed", "Removed: only in A"},
    {Badge::Edited, "edited", "Edited by you"},
    {Badge::Bookmark, "bookmark", "Bookmark 1 to 9"},
    {Badge::Note, "note", "Note"},
};

// Where the signs of one box stand. They never lie on each other, on the box's text or on what is beside the box:
// - From kSignsOutside on they form a column at each side of the box and reach no farther out than half of the gap that layouts leave there; a ribbon
//   hangs over the upper edge. A column with no room for all shrinks, then loses the least grave ones.
// - Below, boxes have no text, and their signs stand in a row inside the box, the gravest first, as many as there is room for, but always one.
// The gravest: what went wrong, where the run stands, what the user set, what became of it, what is merely so.
struct PlacedBadge {
  Badge badge;
  ImVec2 center;
  float size;
};
inline constexpr float kSignsOutside = 0.40f, kSignReach = 10, kSignInside = 8;  // a zoom; world units out from the edge, and into the box's padding
// Sorts `badges` by gravity. `unit`: pixels of a world unit; `scale`: those of a pixel of the design.
void place_badges(std::vector<Badge>& badges, ImVec2 min, ImVec2 max, float unit, float scale, std::vector<PlacedBadge>& placed);

// In a square of `size` around `center`. `color` 0: its own.
void draw_badge(ImDrawList* list, const Theme& theme, Badge badge, ImVec2 center, float size, ImU32 color = 0);
// The ribbon of a bookmark with its digit, or of a note (0), in such a square.
void draw_ribbon(ImDrawList* list, const Theme& theme, ImVec2 center, float size, int bookmark);
// The sign before a chip's text: a table of numbers for what is one, with as many lines as suit its kind.
void draw_chip_sign(ImDrawList* list, ChipKind kind, ImVec2 min, float side, ImU32 color);

}  // namespace pt2::views
