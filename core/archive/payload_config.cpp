#include "core/archive/payload_config.h"

#include "core/base/json_tree.h"

namespace pt2 {

namespace {

PayloadEntry entry_at(std::string_view name, const JsonCursor& value) {
  PayloadEntry entry;
  entry.name = name;
  try {
    entry.path_name = value.at("path_name").as_string();
    if (const auto parameter = value.find("is_param")) entry.is_parameter = parameter->as_bool();
    if (const auto pickle = value.find("use_pickle")) entry.use_pickle = pickle->as_bool();
    if (const auto meta = value.find("tensor_meta")) entry.meta = tensor_meta_at(*meta);
  } catch (const JsonError& error) {
    entry.problem = error.path.empty() ? error.message : error.path + ": " + error.message;
  }
  return entry;
}

}  // namespace

Result<std::vector<PayloadEntry>> parse_payload_config(std::string_view json) {
  std::vector<PayloadEntry> entries;
  try {
    JsonReader reader(json);
    JsonTree tree;
    std::string_view key;
    bool found = false;
    reader.begin_object();
    while (reader.next_member(key)) {
      if (key != "config") {
        reader.skip();
        continue;
      }
      found = true;
      reader.begin_object();
      while (reader.next_member(key)) {
        const std::string name(key);
        entries.push_back(entry_at(name, tree.read(reader)));
      }
    }
    reader.expect_end();
    if (!found) return Error{ErrorKind::CannotOpen, "has no member \"config\"", "", ""};
    return entries;
  } catch (const JsonError& error) {
    return Error{error.limit ? ErrorKind::Limit : ErrorKind::CannotOpen, (error.path.empty() ? "" : error.path + ": ") + error.message, "", ""};
  }
}

}  // namespace pt2
