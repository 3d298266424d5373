#pragma once
// What each rule that Problems names means; that of the marked problem is lit.
namespace pt2::views {

struct ShellContext;

void draw_rules(ShellContext& c);

}  // namespace pt2::views
