#include "app/session_marks.h"

#include <nlohmann/json.hpp>

namespace pt2::app {

using nlohmann::ordered_json;
using views::Mark;

namespace {

std::string text_of(const ordered_json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

}  // namespace

ordered_json write_marks(const views::Document& document) {
  const Program& program = *document.program();
  ordered_json list = ordered_json::array();
  for (const Mark& mark : document.marks.list) {
    ordered_json entry;
    if (mark.module) entry["module"] = program.modules.modules[mark.module].path;
    else entry["node"] = views::node_path(program, mark.node);
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
    if (const std::string node = text_of(entry, "node"); !node.empty()) mark.node = views::find_node(program, node);
    if (const std::string module = text_of(entry, "module"); !module.empty()) mark.module = program.modules.find(module);
    if (!mark.node.node && !mark.module) {
      homeless.push_back(entry);
      continue;
    }
    if (const auto key = entry.find("key"); key != entry.end() && key->is_number_integer() && key->get<int64_t>() > 0 && key->get<int64_t>() < 10) mark.key = key->get<int>();
    if (mark.key && document.marks.find_key(mark.key)) mark.key = 0;
    mark.note = text_of(entry, "note");
    if (mark.key || !mark.note.empty()) document.marks.list.push_back(std::move(mark));
  }
  return homeless;
}

}  // namespace pt2::app
