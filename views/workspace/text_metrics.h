#pragma once
// How wide texts are, so that boxes are sized before anything is drawn. The same numbers serve the window and rendered pictures.
#include <functional>
#include <string_view>

namespace pt2::views {

// The text styles of the graph, with their size in world units.
enum class TextStyle : uint8_t {
  Name,   // Roboto Medium 13: names of operators and pills, titles of folded groups
  Op,     // Roboto 11: operator names
  Title,  // Roboto 11: titles of open groups
  Code,   // Roboto Medium 9: family codes
  Mono,   // JetBrains Mono 10: chips, edge labels, stub tags
};
float text_size(TextStyle style);         // font size
float text_line_height(TextStyle style);  // what a line takes up

using MeasureText = std::function<float(TextStyle, std::string_view)>;
// Advance widths of the embedded fonts.
MeasureText default_measure();

}  // namespace pt2::views
