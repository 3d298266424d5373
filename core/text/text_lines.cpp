#include "core/text/text_lines.h"

namespace pt2 {

std::string joined(const TextLines& lines) {
  size_t bytes = 0;
  for (const TextLine& line : lines) bytes += line.text.size() + 1;
  std::string text;
  text.reserve(bytes);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) text += '\n';
    text += lines[i].text;
  }
  return text;
}

void append_lines(TextLines& lines, std::string_view text, NodeRef node) {
  while (true) {
    const size_t newline = text.find('\n');
    lines.push_back({std::string(text.substr(0, newline)), node});
    if (newline == std::string_view::npos) return;
    text.remove_prefix(newline + 1);
  }
}

}  // namespace pt2
