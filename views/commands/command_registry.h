#pragma once
// All commands, in menu order.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "views/commands/command.h"

namespace pt2::views {

class CommandRegistry {
 public:
  CommandRegistry();  // with every command of the product
  void add(std::span<const Command> rows) { commands_.insert(commands_.end(), rows.begin(), rows.end()); }
  const std::vector<Command>& commands() const { return commands_; }
  const Command* find(std::string_view id) const;
  // The command a key chord ("Ctrl+Shift+P") stands for, after the user's own key table; of several the last that can run now. One given as "Ctrl+1…9" stands for nine chords:
  // the command gets the digit as its argument.
  struct Shortcut { const Command* command = nullptr; std::string argument; };
  Shortcut by_shortcut(const Workspace& workspace, std::string_view chord) const;
  std::string shortcut(const Command& command) const;

  // Resolves the argument and runs the command; says why when it cannot.
  Result<void> run(Workspace& workspace, const CommandCall& call) const;

  std::vector<std::pair<std::string, std::string>> keys;  // the user's: command id → chord

 private:
  std::vector<Command> commands_;
};

// The tables, one per area.
std::span<const Command> file_commands();
std::span<const Command> navigate_commands();
std::span<const Command> view_commands();
std::span<const Command> graph_commands();
std::span<const Command> place_commands();
std::span<const Command> overlay_commands();
std::span<const Command> debug_commands();
std::span<const Command> input_commands();
std::span<const Command> what_if_commands();
std::span<const Command> tensor_commands();
std::span<const Command> source_commands();
std::span<const Command> compare_commands();
std::span<const Command> bundle_commands();
std::span<const Command> save_commands();
std::span<const Command> settings_commands();
std::span<const Command> help_commands();

// Typed access to arguments once resolved.
NodeRef node_argument(const CommandArgument& argument);
std::string text_argument(const CommandArgument& argument);

}  // namespace pt2::views
