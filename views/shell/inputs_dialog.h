#pragma once
// Where the values of a program's inputs come from, before it runs.
#include "views/shell/ui.h"

namespace pt2::views {

void draw_inputs_dialog(ShellContext& context);

}  // namespace pt2::views
