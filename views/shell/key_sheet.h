#pragma once
// The sheet of keys and mouse: commands by their menus, then what belongs to the graph and the text.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "views/commands/command_registry.h"

namespace pt2::views {

struct KeySection {
  std::string title;
  std::vector<std::pair<std::string, std::string>> rows;  // keys, what they do
};
std::vector<KeySection> key_sheet(const CommandRegistry& registry);

// The key that does the same as the command while the graph has the keyboard ("F"); empty: none.
std::string_view graph_key(std::string_view command);

// What menus and the palette say beside a command: its shortcut, else its key in the graph.
std::string menu_keys(const CommandRegistry& registry, const Command& command);

}  // namespace pt2::views
