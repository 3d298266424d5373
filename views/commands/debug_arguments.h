#pragma once
// What commands of the debugger share: when they can run, and how their arguments are written.
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "views/commands/availability.h"
#include "views/workspace/debug_session.h"

namespace pt2::views {

inline interp::Debugger& debugger(CommandContext& c) { return *c.document->debug->debugger(); }

Availability needs_pause(const Workspace& workspace);
Availability needs_running(const Workspace& workspace);
Availability needs_run(const Workspace& workspace);      // something was recorded
Availability needs_started(const Workspace& workspace);

// "12 rest": takes the number and the blank after it off.
std::optional<size_t> number_in(std::string_view& text);
// "name=value" or "name value"; an empty value takes it back.
std::pair<std::string, std::string> name_and_value(const CommandArgument& argument);

}  // namespace pt2::views
