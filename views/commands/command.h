#pragma once
// One row per command: it gives the menu entry, the shortcut, the palette line, the toolbar tooltip, the line of a window script and
// the entry point of tests.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/jobs.h"
#include "views/workspace/workspace.h"

namespace pt2::views {

enum class ArgumentKind : uint8_t { None, Path, Node, Value, Module, Text };

// What a pane pushes, or what a script or the palette wrote (then a string, resolved by the command's ArgumentKind).
using CommandArgument = std::variant<std::monostate, std::string, NodeRef, ModuleId, ScopeId, Selection>;

// Empty reason: enabled.
struct Availability {
  std::string reason;
  bool enabled() const { return reason.empty(); }
};

struct CommandContext {
  Workspace& workspace;
  Document* document;        // the one meant; null: none
  std::string_view origin;   // the pane it came from
};

inline constexpr std::string_view kMenus[] = {"File", "Edit", "View", "Go", "Run", "Compare", "Help"};  // in their order

struct Command {
  std::string_view id, title, menu, default_shortcut, help;  // "debug.step_over", "Step over", "Run", "F10", …
  ArgumentKind argument = ArgumentKind::None;
  Availability (*availability)(const Workspace&) = nullptr;  // null: always
  // The same where the argument says what would else be the selection; null: as without.
  Availability (*availability_with_argument)(const Workspace&) = nullptr;
  void (*run)(CommandContext&, const CommandArgument&) = nullptr;
  bool (*checked)(const Workspace&) = nullptr;               // for entries that are on or off
  std::string_view group;                                    // entries of a menu with different groups are separated
};

struct CommandCall {
  std::string id;
  CommandArgument argument;
  DocumentId document;  // none: the active one
  std::string origin;
};

// Panes push while they draw; the application runs everything at one point of the frame.
class CommandQueue {
 public:
  void push(std::string id, CommandArgument argument = {}, DocumentId document = {}, std::string origin = {}) {
    calls_.push_back({std::move(id), std::move(argument), document, std::move(origin)});
  }
  std::vector<CommandCall> take() { return std::exchange(calls_, {}); }
  bool empty() const { return calls_.empty(); }

 private:
  std::vector<CommandCall> calls_;
};

}  // namespace pt2::views
