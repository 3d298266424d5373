#include "app/session_edits.h"

#include <nlohmann/json.hpp>

#include "interp/value_names.h"
#include "views/workspace/debug_session.h"

namespace pt2::app {

using interp::EditText;
using nlohmann::ordered_json;

namespace {

std::string text_of(const ordered_json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

ordered_json entry_of(const EditText& edit, const Program& program) {
  if (edit.kind == EditText::Kind::Input) return {{"input", edit.part}, {"text", edit.text}};
  ordered_json entry{{"node", interp::name_in_call(program, edit.node, edit.call)}};
  if (edit.kind == EditText::Kind::Argument) entry["argument"] = edit.part;
  else if (!edit.part.empty()) entry["index"] = edit.part;
  entry["text"] = edit.text;
  return entry;
}

// Without a node: not one of this program.
EditText edit_of(const ordered_json& entry, const Program& program) {
  const interp::NamedNode named = interp::find_named_node(program, text_of(entry, "node")).value_or(interp::NamedNode{});
  EditText edit{EditText::Kind::Value, named.node, text_of(entry, "index"), text_of(entry, "text"), named.call};
  if (const std::string argument = text_of(entry, "argument"); !argument.empty()) edit.kind = EditText::Kind::Argument, edit.part = argument;
  if (const std::string input = text_of(entry, "input"); !input.empty()) edit.kind = EditText::Kind::Input, edit.part = input;
  return edit;
}

}  // namespace

ordered_json write_edits(const views::Document& document) {
  ordered_json list = ordered_json::array();
  for (const EditText& edit : document.debug->debugger()->edit_texts()) list.push_back(entry_of(edit, *document.program()));
  return list;
}

ordered_json read_edits(const ordered_json& value, views::Document& document) {
  if (!value.is_array()) return {};
  const Program& program = *document.program();
  // The debugger calls it, and the session has the debugger.
  const auto dropped = [&session = *document.debug](const std::string& edit, const std::string& why) {
    if (session.on_log) session.on_log("An edit of the session was dropped, " + edit + ": " + why);
  };
  std::vector<EditText> edits;
  for (const ordered_json& entry : value) {
    if (!entry.is_object()) continue;
    EditText edit = edit_of(entry, program);
    if (edit.text.empty()) dropped(entry.dump(-1, ' ', false, ordered_json::error_handler_t::replace), "it says nothing");
    else if (edit.kind != EditText::Kind::Input && !edit.node.node) dropped("\"" + text_of(entry, "node") + "\" = " + edit.text, "the program has no such node");
    else edits.push_back(std::move(edit));
  }
  if (edits.empty()) return {};
  document.debug->debugger()->restore_edits(std::move(edits), [dropped, &program](const EditText& edit, const Error& error) {
    const std::string place = edit.kind == EditText::Kind::Input ? edit.part : interp::name_in_call(program, edit.node, edit.call) + (edit.part.empty() || edit.part[0] == '[' ? "" : ".") + edit.part;
    dropped(place + " = " + edit.text, error.message);
  });
  return {};
}

}  // namespace pt2::app
