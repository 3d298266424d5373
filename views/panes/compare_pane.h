#pragma once
#include <memory>

#include "views/shell/pane.h"

namespace pt2::views {

// What became what between the two programs side by side.
std::unique_ptr<Pane> make_compare_pane();

}  // namespace pt2::views
