#pragma once
// Arguments that must be one of a few words; what is none of them is said, and nothing changes.
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "views/commands/command.h"

namespace pt2::views {

bool one_of(CommandContext& c, const std::string& word, std::initializer_list<std::string_view> words);
// "on" or "true", "off" or "false"; "": the other way round than `now`. None: another word, which was said.
std::optional<bool> switch_argument(CommandContext& c, const CommandArgument& argument, bool now);
// The place of the argument in the list; none: another word, which was said.
std::optional<size_t> word_argument(CommandContext& c, const CommandArgument& argument, std::initializer_list<std::string_view> words);

}  // namespace pt2::views
