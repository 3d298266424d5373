#include "app/session_marks.h"

#include <nlohmann/json.hpp>

#include "core/graph/shown_frame.h"

namespace pt2::app {

using nlohmann::ordered_json;
using views::Mark;

namespace {

std::string text_of(const ordered_json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

// What else than its name tells an operator: names are numbered anew with each export, and lines of a file move.
ordered_json traits_of(const Program& program, NodeRef ref) {
  const Node& node = program.node(ref);
  ordered_json traits{{"target", node.target}};
  if (program.modules.modules.contains(node.module)) traits["module"] = program.modules.modules[node.module].path;
  const auto frames = parse_stack_trace(node.meta->stack_trace);
  if (const SourceFrame* frame = shown_frame(frames); frame && !frame->code.empty()) traits["code"] = frame->code;
  return traits;
}

// Without a node: the program has none of that name, or another operator has it now.
NodeRef find_marked(const Program& program, const ordered_json& entry) {
  const NodeRef node = views::find_node(program, text_of(entry, "node"));
  const auto traits = entry.find("traits");
  return node.node && traits != entry.end() && *traits != ordered_json::parse(traits_of(program, node).dump(-1, ' ', false, ordered_json::error_handler_t::replace)) ? NodeRef() : node;
}

int key_of(const ordered_json& entry) {
  const auto key = entry.find("key");
  return key != entry.end() && key->is_number_integer() && key->get<int64_t>() > 0 && key->get<int64_t>() < 10 ? key->get<int>() : 0;
}

views::WaitingMark waiting_mark(const ordered_json& entry) {
  const std::string node = text_of(entry, "node");
  const auto traits = entry.find("traits");
  const std::string target = traits != entry.end() && traits->is_object() ? text_of(*traits, "target") : std::string();
  return {node.empty() ? "module " + text_of(entry, "module") : node, target, key_of(entry), text_of(entry, "note")};
}

}  // namespace

ordered_json write_marks(const views::Document& document) {
  const Program& program = *document.program();
  ordered_json list = ordered_json::array();
  for (const Mark& mark : document.marks.list) {
    ordered_json entry;
    if (mark.module) entry["module"] = program.modules.modules[mark.module].path;
    else entry["node"] = views::node_path(program, mark.node), entry["traits"] = traits_of(program, mark.node);
    if (mark.key) entry["key"] = mark.key;
    if (!mark.note.empty()) entry["note"] = mark.note;
    list.push_back(std::move(entry));
  }
  return list;
}

ordered_json read_marks(const ordered_json& value, views::Document& document) {
  ordered_json homeless = ordered_json::array();
  if (!value.is_array()) return homeless;
  const Program& program = *document.program();
  for (const ordered_json& entry : value) {
    if (!entry.is_object()) continue;
    Mark mark;
    if (const std::string node = text_of(entry, "node"); !node.empty()) mark.node = find_marked(program, entry);
    if (const std::string module = text_of(entry, "module"); !module.empty()) mark.module = program.modules.find(module);
    if (!mark.node.node && !mark.module) {
      homeless.push_back(entry);
      document.marks.waiting.push_back(waiting_mark(entry));
      continue;
    }
    mark.key = key_of(entry);
    if (mark.key && document.marks.find_key(mark.key)) mark.key = 0;
    mark.note = text_of(entry, "note");
    if (mark.key || !mark.note.empty()) document.marks.list.push_back(std::move(mark));
  }
  return homeless;
}

}  // namespace pt2::app
