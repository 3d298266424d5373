#include "views/commands/debug_arguments.h"

#include <charconv>

#include "views/commands/command_registry.h"

namespace pt2::views {

namespace {
const DebugSession* session(const Workspace& w) { return w.active() ? w.active()->debug.get() : nullptr; }
}  // namespace

Availability needs_pause(const Workspace& w) {
  if (Availability a = needs_program(w); !a.enabled()) return a;
  const DebugSession* s = session(w);
  return {s && s->debugger()->state() == interp::RunState::Running ? "the program is running" : ""};
}

Availability needs_running(const Workspace& w) {
  if (Availability a = needs_program(w); !a.enabled()) return a;
  const DebugSession* s = session(w);
  return {s && s->debugger()->state() == interp::RunState::Running ? "" : "the program is not running"};
}

Availability needs_run(const Workspace& w) {
  if (Availability a = needs_pause(w); !a.enabled()) return a;
  return {session(w)->debugger()->trace().steps().empty() ? "nothing was run yet" : ""};
}

Availability needs_started(const Workspace& w) {
  if (Availability a = needs_program(w); !a.enabled()) return a;
  return {session(w)->debugger()->state() == interp::RunState::NotStarted ? "nothing was run yet" : ""};
}

std::optional<size_t> number_in(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  size_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(size_t(end - text.data()));
  if (text.starts_with(' ')) text.remove_prefix(1);
  return value;
}

std::pair<std::string, std::string> name_and_value(const CommandArgument& argument) {
  const std::string text = text_argument(argument);
  const size_t end = text.find_first_of(" =");
  if (end == text.npos) return {text, ""};
  const size_t begin = text.find_first_not_of(' ', text[end] == '=' ? end + 1 : text.find_first_not_of(' ', end));
  std::string value = begin == text.npos ? "" : text.substr(begin);
  if (text[end] == ' ' && value.starts_with("= ")) value.erase(0, 2);
  return {text.substr(0, end), std::move(value)};
}

}  // namespace pt2::views
