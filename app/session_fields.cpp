#include "app/session_fields.h"

#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/session_edits.h"
#include "app/session_marks.h"
#include "app/session_view.h"
#include "interp/program_inputs.h"
#include "views/workspace/debug_session.h"

namespace pt2::app {

using interp::BreakpointAction;
using interp::BreakpointCondition;
using nlohmann::ordered_json;

namespace {

constexpr const char* kActions[] = {"stop", "log", "collect"};

std::string string_of(const ordered_json& object, const char* key) {
  auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

ordered_json write_breakpoints(const views::Document& document) {
  const Program& program = *document.program();
  ordered_json list = ordered_json::array();
  for (const interp::Breakpoint& breakpoint : document.debug->debugger()->breakpoints) {
    if (breakpoint.built_in) continue;
    ordered_json entry{{"where", interp::where_text(breakpoint, program)}, {"enabled", breakpoint.enabled}};
    if (breakpoint.condition != BreakpointCondition::Always || breakpoint.hit_at_least > 0 || breakpoint.every > 1) entry["condition"] = interp::condition_text(breakpoint);
    if (breakpoint.action != BreakpointAction::Stop) entry["action"] = kActions[size_t(breakpoint.action)];
    if (!breakpoint.message.empty()) entry["message"] = breakpoint.message;
    for (NodeRef node : breakpoint.ignored) entry["ignored"].push_back(views::node_path(program, node));
    list.push_back(std::move(entry));
  }
  return list;
}

std::optional<interp::Breakpoint> breakpoint_of(const ordered_json& entry, const Program& program) {
  std::optional<interp::Breakpoint> breakpoint = interp::parse_breakpoint(string_of(entry, "where"), program);
  if (!breakpoint) return breakpoint;
  std::string problem;
  if (const std::string condition = string_of(entry, "condition"); !condition.empty()) interp::parse_condition(condition, *breakpoint, problem);
  if (auto enabled = entry.find("enabled"); enabled != entry.end() && enabled->is_boolean()) breakpoint->enabled = enabled->get<bool>();
  const std::string action = string_of(entry, "action");
  for (size_t i = 0; i < std::size(kActions); ++i)
    if (action == kActions[i]) breakpoint->action = BreakpointAction(i);
  breakpoint->message = string_of(entry, "message");
  if (auto ignored = entry.find("ignored"); ignored != entry.end() && ignored->is_array())
    for (const ordered_json& name : *ignored)
      if (const NodeRef node = name.is_string() ? views::find_node(program, name.get<std::string>()) : NodeRef(); node.node) breakpoint->ignored.push_back(node);
  return breakpoint;
}

ordered_json read_breakpoints(const ordered_json& list, views::Document& document) {
  ordered_json homeless = ordered_json::array();
  interp::Debugger& debugger = *document.debug->debugger();
  if (!list.is_array()) return homeless;
  for (const ordered_json& entry : list) {
    if (!entry.is_object()) continue;
    if (auto breakpoint = breakpoint_of(entry, *document.program())) debugger.breakpoints.push_back(std::move(*breakpoint));
    else homeless.push_back(entry);
  }
  debugger.breakpoints_changed();
  return homeless;
}

// The built-in rules: whether each is on, and where it was told to do nothing.
ordered_json write_rules(const views::Document& document) {
  ordered_json list = ordered_json::array();
  for (const interp::Breakpoint& rule : document.debug->debugger()->breakpoints) {
    if (!rule.built_in) continue;
    ordered_json entry{{"condition", interp::condition_text(rule)}, {"enabled", rule.enabled}};
    for (NodeRef node : rule.ignored) entry["ignored"].push_back(views::node_path(*document.program(), node));
    list.push_back(std::move(entry));
  }
  return list;
}

ordered_json read_rules(const ordered_json& list, views::Document& document) {
  interp::Debugger& debugger = *document.debug->debugger();
  if (!list.is_array()) return {};
  for (const ordered_json& entry : list)
    for (interp::Breakpoint& rule : debugger.breakpoints) {
      if (!entry.is_object() || !rule.built_in || string_of(entry, "condition") != interp::condition_text(rule)) continue;
      if (auto enabled = entry.find("enabled"); enabled != entry.end() && enabled->is_boolean()) rule.enabled = enabled->get<bool>();
      if (auto ignored = entry.find("ignored"); ignored != entry.end() && ignored->is_array())
        for (const ordered_json& name : *ignored)
          if (const NodeRef node = name.is_string() ? views::find_node(*document.program(), name.get<std::string>()) : NodeRef(); node.node) rule.ignored.push_back(node);
    }
  debugger.breakpoints_changed();
  return {};
}

ordered_json write_watches(const views::Document& document) {
  ordered_json list = ordered_json::array();
  for (const interp::Watch& watch : document.debug->debugger()->watches) list.push_back(watch.expression);
  return list;
}

ordered_json read_watches(const ordered_json& list, views::Document& document) {
  if (list.is_array())
    for (const ordered_json& expression : list)
      if (expression.is_string()) document.debug->debugger()->add_watch(expression.get<std::string>());
  return {};
}

// A file's path as it is wherever the session is opened; other texts as they are.
std::string absolute_where_file(const std::string& text) {
  std::error_code error;
  const auto given = text.empty() ? std::nullopt : interp::given_file(text);
  if (!given || !std::filesystem::is_regular_file(given->path, error)) return text;
  const std::filesystem::path path = std::filesystem::absolute(given->path, error);
  return error ? text : path.lexically_normal().string() + (given->key.empty() ? "" : "#" + given->key);
}

ordered_json write_inputs(const views::Document& document) {
  ordered_json inputs = ordered_json::object();
  for (const auto& [name, value] : document.debug->request.texts) inputs[name] = absolute_where_file(value);
  return inputs;
}

ordered_json read_inputs(const ordered_json& inputs, views::Document& document) {
  if (inputs.is_object())
    for (const auto& [name, value] : inputs.items())
      if (value.is_string()) document.debug->request.texts.emplace_back(name, value.get<std::string>());
  return {};
}

ordered_json write_inputs_file(const views::Document& document) {
  const std::string path = absolute_where_file(document.debug->request.tensors_path);
  return path.empty() ? ordered_json() : ordered_json(path);
}

// One that is gone is asked for no more.
ordered_json read_inputs_file(const ordered_json& path, views::Document& document) {
  std::error_code error;
  if (path.is_string() && std::filesystem::exists(path.get<std::string>(), error)) document.debug->request.tensors_path = path.get<std::string>();
  return {};
}

// How inputs are filled that have no value of their own; nothing where that was left as it is.
ordered_json write_filling(const views::Document& document) {
  const interp::InputRequest& request = document.debug->request;
  if (!request.seed && request.use_sample_inputs && !request.cast) return {};
  return {{"seed", request.seed.value_or(0)}, {"samples", request.use_sample_inputs}, {"cast", request.cast}};
}

ordered_json read_filling(const ordered_json& filling, views::Document& document) {
  if (!filling.is_object()) return {};
  interp::InputRequest& request = document.debug->request;
  if (const auto seed = filling.find("seed"); seed != filling.end() && seed->is_number_unsigned()) request.seed = seed->get<uint64_t>();
  if (const auto samples = filling.find("samples"); samples != filling.end() && samples->is_boolean()) request.use_sample_inputs = samples->get<bool>();
  if (const auto cast = filling.find("cast"); cast != filling.end() && cast->is_boolean()) request.cast = cast->get<bool>();
  return {};
}

ordered_json write_symbols(const views::Document& document) {
  ordered_json symbols = ordered_json::object();
  for (const auto& [name, value] : document.debug->request.symbols) symbols[name] = value;
  return symbols;
}

ordered_json read_symbols(const ordered_json& symbols, views::Document& document) {
  if (symbols.is_object())
    for (const auto& [name, value] : symbols.items())
      if (value.is_number_integer()) document.debug->request.symbols[name] = value.get<int64_t>();
  return {};
}

using NamePairs = std::vector<std::pair<std::string, std::string>>;

// Pairs set by hand, by the path of the other program.
ordered_json write_pairs(const views::Document& document) {
  ordered_json all = ordered_json::object();
  for (const auto& [other, mapping] : document.pairs) all[other] = {{"linked", mapping.linked}, {"unlinked", mapping.unlinked}};
  return all;
}

NamePairs name_pairs(const ordered_json& entry, const char* key) {
  NamePairs pairs;
  if (const auto list = entry.find(key); list != entry.end() && list->is_array())
    for (const ordered_json& names : *list)
      if (names.is_array() && names.size() == 2 && names[0].is_string() && names[1].is_string()) pairs.emplace_back(names[0].get<std::string>(), names[1].get<std::string>());
  return pairs;
}

ordered_json read_pairs(const ordered_json& all, views::Document& document) {
  if (!all.is_object()) return {};
  for (const auto& [other, entry] : all.items()) {
    if (!entry.is_object() || document.pairs.count(other)) continue;  // what was set meanwhile stays
    Mapping mapping{name_pairs(entry, "linked"), name_pairs(entry, "unlinked")};
    if (!mapping.empty()) document.pairs[other] = std::move(mapping);
  }
  return {};
}

constexpr SessionField kFields[] = {
    {"breakpoints", write_breakpoints, read_breakpoints},
    {"rules", write_rules, read_rules},
    {"watches", write_watches, read_watches},
    {"inputs", write_inputs, read_inputs},
    {"inputs_file", write_inputs_file, read_inputs_file},
    {"filling", write_filling, read_filling},
    {"symbols", write_symbols, read_symbols},
    {"marks", write_marks, read_marks},
    {"view", write_view, read_view, false},  // a bundle has its own, with more
    {"pairs", write_pairs, read_pairs, false},  // they name files of the one who made them
    {"edits", write_edits, read_edits, false},  // an edit may name a file of the one who made it
};

}  // namespace

std::span<const SessionField> session_fields() { return kFields; }

}  // namespace pt2::app
