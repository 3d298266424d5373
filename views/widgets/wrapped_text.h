#pragma once
// Text of any length, wrapped at the position that was pushed.
#include <string>
#include <string_view>

namespace pt2::views {

// ImGui draws what wraps in one go, and takes no more than 16,383 characters so; a longer text is drawn in pieces, one item for all. Past
// limits::kPaneTextBytes it is cut. `text` has passed display(); `whole`: bytes of what it is the beginning of. Returns the line that says how much
// is shown; empty: all.
std::string wrapped_text(std::string_view text, size_t whole = 0);

}  // namespace pt2::views
