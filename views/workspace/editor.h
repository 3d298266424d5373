#pragma once
// Source lines in the user's own editor.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace pt2::views {

// A path of the exporting machine as it is here: `roots` are pairs "prefix=folder" with semicolons between, the first that fits counts.
std::string local_source_path(const std::string& file, std::string_view roots);

struct EditorChoice {
  std::string setting;                                    // "code -g {file}:{line}"; empty: the first known editor that is there
  std::string visual, editor;                             // $VISUAL, $EDITOR: run in a terminal
  std::function<bool(const std::string&)> is_installed;   // a program of this name is on the PATH
};
// The program and its arguments. A template is cut into words once, at spaces outside quotes; then {file} and {line} are put in, so that
// nothing in a path is ever a word, an option or a command of its own. Empty: there is no editor.
std::vector<std::string> editor_command(const EditorChoice& choice, const std::string& file, int64_t line);

// With the environment's choice; the file must be there. Waits for nothing.
Result<void> open_in_editor(const std::string& setting, const std::string& file, int64_t line);

}  // namespace pt2::views
