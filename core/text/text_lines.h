#pragma once
// Printed programs as lines, each with the node it belongs to, so that the text pane and the graph can stay in step.
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.h"

namespace pt2 {

struct TextLine {
  std::string text;
  NodeRef node;  // none: a heading, an empty line, a part of the signature
};
using TextLines = std::vector<TextLine>;

// The lines joined by newlines; none after the last.
std::string joined(const TextLines& lines);
// Splits at newlines; all lines belong to `node`.
void append_lines(TextLines& lines, std::string_view text, NodeRef node = {});

}  // namespace pt2
