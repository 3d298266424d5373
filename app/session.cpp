#include "app/session.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/session_marks.h"
#include "app/settings.h"
#include "views/workspace/debug_session.h"

namespace pt2::app {

using interp::BreakpointAction;
using interp::BreakpointCondition;
using interp::BreakpointKind;
using nlohmann::ordered_json;

namespace {

// A place as parse_breakpoint reads it.
std::string place_text(const interp::Breakpoint& breakpoint, const Program& program) {
  switch (breakpoint.kind) {
    case BreakpointKind::Node: return views::node_path(program, breakpoint.node);
    case BreakpointKind::Op: return "op=" + breakpoint.pattern;
    case BreakpointKind::ModuleEnter: return "module=" + breakpoint.pattern;
    case BreakpointKind::ModuleExit: return "exit=" + breakpoint.pattern;
    case BreakpointKind::Source: return breakpoint.pattern;
    case BreakpointKind::Symbol: return "symbol=" + breakpoint.pattern;
    case BreakpointKind::Data: return "data=" + views::node_path(program, breakpoint.node);
    case BreakpointKind::Any: return "any";
  }
  return {};
}

constexpr const char* kActions[] = {"stop", "log", "collect"};

std::string string_of(const ordered_json& object, const char* key) {
  auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

}  // namespace

std::string Session::path_for(const std::string& file, const std::string& program) {
  const std::string folder = state_folder();
  if (folder.empty()) return {};
  std::error_code error;
  const std::string name = std::filesystem::weakly_canonical(file, error).string() + "#" + program;
  uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (unsigned char byte : name) hash = (hash ^ byte) * 1099511628211u;
  char text[24];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return folder + "/files/" + text + ".json";
}

void Session::restore(views::Document& document, std::vector<std::string>& notes) {
  restored_ = true;
  if (path_.empty() || !document.debug || !document.debug->debugger()) return;
  std::ifstream in(path_, std::ios::binary);
  if (!in) return;
  text_.assign(std::istreambuf_iterator<char>(in), {});
  const ordered_json json = ordered_json::parse(text_, nullptr, false);
  if (!json.is_object()) {
    std::error_code error;
    std::filesystem::rename(path_, path_ + ".bad", error);
    notes.push_back(path_ + " was not readable as a session and was moved to " + path_ + ".bad");
    text_.clear();
    return;
  }
  const Program& program = *document.program();
  interp::Debugger& debugger = *document.debug->debugger();
  if (auto list = json.find("breakpoints"); list != json.end() && list->is_array()) {
    for (const ordered_json& entry : *list) {
      if (!entry.is_object()) continue;
      std::optional<interp::Breakpoint> breakpoint = interp::parse_breakpoint(string_of(entry, "where"), program);
      if (!breakpoint) {
        unresolved_.push_back(entry.dump());
        continue;
      }
      std::string problem;
      if (const std::string condition = string_of(entry, "condition"); !condition.empty()) interp::parse_condition(condition, *breakpoint, problem);
      if (auto enabled = entry.find("enabled"); enabled != entry.end() && enabled->is_boolean()) breakpoint->enabled = enabled->get<bool>();
      const std::string action = string_of(entry, "action");
      for (size_t i = 0; i < std::size(kActions); ++i)
        if (action == kActions[i]) breakpoint->action = BreakpointAction(i);
      breakpoint->message = string_of(entry, "message");
      debugger.breakpoints.push_back(std::move(*breakpoint));
    }
    debugger.breakpoints_changed();
  }
  if (auto list = json.find("watches"); list != json.end() && list->is_array())
    for (const ordered_json& expression : *list)
      if (expression.is_string()) debugger.add_watch(expression.get<std::string>());
  if (auto inputs = json.find("inputs"); inputs != json.end() && inputs->is_object()) {
    interp::InputRequest& request = document.debug->request;
    for (const auto& [name, value] : inputs->items())
      if (value.is_string()) request.texts.emplace_back(name, value.get<std::string>());
  }
  restore_marks(json, document);
  document.debug->sync();
}

void Session::save(const views::Document& document, std::vector<std::string>& notes) {
  if (!restored_ || path_.empty() || !document.debug || !document.debug->debugger()) return;
  const Program& program = *document.program();
  const interp::Debugger& debugger = *document.debug->debugger();
  ordered_json json = ordered_json::parse(text_, nullptr, false);
  if (!json.is_object()) json = ordered_json::object();
  json["version"] = 1;
  json["file"] = document.path;
  ordered_json breakpoints = ordered_json::array();
  for (const interp::Breakpoint& breakpoint : debugger.breakpoints) {
    if (breakpoint.built_in) continue;
    ordered_json entry{{"where", place_text(breakpoint, program)}, {"enabled", breakpoint.enabled}};
    if (breakpoint.condition != BreakpointCondition::Always || breakpoint.hit_at_least > 0 || breakpoint.every > 1) entry["condition"] = interp::condition_text(breakpoint);
    if (breakpoint.action != BreakpointAction::Stop) entry["action"] = kActions[size_t(breakpoint.action)];
    if (!breakpoint.message.empty()) entry["message"] = breakpoint.message;
    breakpoints.push_back(std::move(entry));
  }
  for (const std::string& kept : unresolved_) breakpoints.push_back(ordered_json::parse(kept, nullptr, false));
  json["breakpoints"] = std::move(breakpoints);
  json["watches"] = ordered_json::array();
  for (const interp::Watch& watch : debugger.watches) json["watches"].push_back(watch.expression);
  json["inputs"] = ordered_json::object();
  for (const auto& [name, value] : document.debug->request.texts) json["inputs"][name] = value;
  save_marks(json, document);
  if (text_.empty() && json["breakpoints"].empty() && json["watches"].empty() && json["inputs"].empty() && !json.contains("marks")) return;
  const std::string text = json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  if (text == text_) return;
  if (const std::string problem = replace_file(path_, text); !problem.empty()) notes.push_back(problem);
  else text_ = text;
}

}  // namespace pt2::app
