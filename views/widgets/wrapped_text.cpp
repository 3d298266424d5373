#include "views/widgets/wrapped_text.h"

#include <algorithm>

#include "core/base/limits.h"
#include "core/base/text.h"
#include "imgui.h"

namespace pt2::views {

namespace {

constexpr size_t kPiece = 4000;  // bytes

// Where a piece of at most `most` bytes ends: after a line, else between two characters.
size_t piece_end(std::string_view text, size_t most) {
  if (text.size() <= most) return text.size();
  if (const size_t line = text.rfind('\n', most - 1); line != text.npos) return line + 1;
  size_t end = most;
  while (end > 1 && (text[end] & 0xC0) == 0x80) --end;
  return end;
}

}  // namespace

std::string wrapped_text(std::string_view text, size_t whole) {
  whole = std::max(whole, text.size());
  if (whole <= kPiece) {
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    return {};
  }
  text = text.substr(0, piece_end(text, limits::kPaneTextBytes));
  const std::string cut = text.size() < whole ? with_commas(uint64_t(text.size())) + " of " + with_commas(uint64_t(whole)) + " bytes are shown" : std::string();
  ImGui::BeginGroup();
  while (!text.empty()) {
    const size_t end = piece_end(text, kPiece);
    const size_t shown = end - (text[end - 1] == '\n');
    ImGui::TextUnformatted(text.data(), text.data() + shown);
    text.remove_prefix(end);
  }
  if (!cut.empty()) ImGui::TextDisabled("%s", cut.c_str());
  ImGui::EndGroup();
  return cut;
}

}  // namespace pt2::views
