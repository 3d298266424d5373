#pragma once
#include <memory>

#include "views/shell/pane.h"

namespace pt2::views {

// What became what between the two programs side by side.
std::unique_ptr<Pane> make_compare_pane();
// The two texts of a comparison, line beside line; drawn by the shell in place of the graphs.
std::unique_ptr<Pane> make_compare_text_pane();

}  // namespace pt2::views
