#pragma once
// Text from a file on its way to a person: what a terminal or a label would obey rather than show becomes visible.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pt2 {

// One line: invalid UTF-8 → U+FFFD; control, bidirectional and zero-width characters → escapes such as \n, \x1b, \u202e.
std::string display(std::string_view text);
// The same for text of several lines: line feeds and tabs stay.
std::string display_lines(std::string_view text);
// Where the first bytes are that are no UTF-8; nothing where all is well.
std::optional<size_t> invalid_utf8(std::string_view text);
// display(), cut after `characters` code points of the text, with "…" where something is missing.
std::string display_cut(std::string_view text, size_t characters);

}  // namespace pt2
