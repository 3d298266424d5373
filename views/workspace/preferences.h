#pragma once
// What a user chose once for all files: the settings dialog and `settings.set` write it, settings.json keeps it.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "views/workspace/graph_view.h"

namespace pt2::views {

// Of the Text pane: ours, and as PyTorch prints str(ep) and str(ep.graph).
enum class TextForm : uint8_t { Compact, Readable, Graph };

struct Preferences {
  bool patterns = false;                   // families of operators differ by hatches, too
  // How a program opens.
  Direction direction = Direction::TopDown;
  ParameterMode parameters = ParameterMode::Attached;
  bool getitem = false;
  TextForm text_form = TextForm::Compact;
  size_t max_boxes = 3000;                 // more are laid out only when asked again: they say nothing to the eye
  // Of runs; none: by the machine, and by dtype.
  std::optional<size_t> value_megabytes;   // recorded values that are kept
  std::optional<int> threads;
  std::optional<double> rtol, atol;
  // Of files.
  size_t recent_files = 20;
  bool restore_documents = false;          // open what was open when the window closed
};

// A preference as text: "TB", "hidden", "true", "3000", "auto".
struct PreferenceRow {
  std::string_view name, values;  // in settings.json; what it may be
  std::string (*text)(const Preferences&);
  bool (*set)(Preferences&, const std::string& text);  // false: this is none of its values
};
// "on" and "true", "off" and "false"; none: something else.
std::optional<bool> switch_from_text(std::string_view text);

std::span<const PreferenceRow> preference_rows();
const PreferenceRow* find_preference(std::string_view name);

}  // namespace pt2::views
