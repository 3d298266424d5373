#include "views/commands/words.h"

#include <algorithm>

#include "core/base/display.h"
#include "views/commands/command_registry.h"
#include "views/workspace/preferences.h"

namespace pt2::views {

bool one_of(CommandContext& c, const std::string& word, std::initializer_list<std::string_view> words) {
  if (std::find(words.begin(), words.end(), word) != words.end()) return true;
  std::string list;
  for (const std::string_view w : words) list.append(list.empty() ? "" : ", ").append(w);
  c.workspace.toast("\"" + display(word) + "\" is none of " + list, LogLevel::Warning);
  return false;
}

std::optional<bool> switch_argument(CommandContext& c, const CommandArgument& argument, bool now) {
  const std::string word = text_argument(argument);
  if (word.empty()) return !now;
  if (const auto on = switch_from_text(word)) return on;
  one_of(c, word, {"on", "off"});
  return std::nullopt;
}

std::optional<size_t> word_argument(CommandContext& c, const CommandArgument& argument, std::initializer_list<std::string_view> words) {
  const std::string word = text_argument(argument);
  if (!one_of(c, word, words)) return std::nullopt;
  return size_t(std::find(words.begin(), words.end(), word) - words.begin());
}

}  // namespace pt2::views
