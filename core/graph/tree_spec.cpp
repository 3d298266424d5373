#include "core/graph/tree_spec.h"

#include <algorithm>
#include <utility>

#include "core/base/json_tree.h"

namespace pt2 {

namespace {

std::string key_text(JsonCursor key) {
  if (key.is_string()) return std::string(key.text());
  if (key.is_object())  // {"__enum__": true, "fqn": "module:Class", "name": "MEMBER"}
    if (auto name = key.find("name"); name && name->is_string()) return std::string(name->text());
  return key.dump();
}

std::vector<std::string> key_list(JsonCursor list) {
  std::vector<std::string> keys;
  if (list.is_array())
    for (JsonCursor key : list.elements()) keys.push_back(key_text(key));
  return keys;
}

// The keys that a context names, in the order of the children.
std::vector<std::string> keys_in(std::string_view type, JsonCursor context) {
  if (context.is_object()) {  // namedtuples up to 2.3
    const auto fields = context.find("fields");
    return fields ? key_list(*fields) : std::vector<std::string>();
  }
  if (!context.is_string()) return {};
  const bool list = type == "builtins.dict" || type == "collections.OrderedDict";
  const std::string_view text = context.text();
  if (!list && type != "collections.defaultdict" && !text.starts_with("[[")) return {};
  try {
    JsonReader reader(text);
    JsonTree tree;
    const JsonCursor value = tree.read(reader);
    if (list) return key_list(value);
    if (value.is_object()) {
      const auto keys = value.find("dict_context");
      return keys ? key_list(*keys) : std::vector<std::string>();
    }
    // A dataclass: [[fields], [fields that are None]].
    if (value.is_array())
      for (JsonCursor fields : value.elements()) return key_list(fields);
  } catch (const JsonError&) {
    // A registered type may write what it likes; its children are numbered then.
  }
  return {};
}

bool is_dict(const TreeSpecNode& node) { return node.type == "builtins.dict" || node.type == "collections.OrderedDict" || node.type == "collections.defaultdict"; }

// "net.Point"; up to 2.3 {"class_name": "Point", "fields": …}.
std::string class_name(const TreeSpecNode& node) {
  if (node.type != "collections.namedtuple" || node.context.empty()) return node.type;
  constexpr std::string_view kBefore = "\"class_name\": \"";
  const size_t at = node.context.find(kBefore);
  if (at == std::string::npos) return node.context;
  const size_t begin = at + kBefore.size();
  return node.context.substr(begin, node.context.find('"', begin) - begin);
}

// What stands around the children of a container. A type that Python has no brackets for stands by its name; so does a namedtuple.
std::pair<std::string, std::string> brackets_of(const TreeSpecNode& node) {
  if (node.type == "builtins.tuple") return {"(", node.children.size() == 1 ? ",)" : ")"};
  if (node.type == "builtins.list") return {"[", "]"};
  if (node.type == "builtins.dict") return {"{", "}"};
  const std::string name = class_name(node);
  const std::string shown = name.substr(name.rfind('.') + 1);
  return is_dict(node) ? std::pair(shown + "({", std::string("})")) : std::pair(shown + "(", std::string(")"));
}

bool is_number(std::string_view key) { return !key.empty() && key.find_first_not_of("0123456789.-") == std::string_view::npos; }

}  // namespace

size_t TreeSpec::leaf_count() const {
  return size_t(std::count_if(nodes.begin(), nodes.end(), [](const TreeSpecNode& node) { return node.is_leaf(); }));
}

Result<TreeSpec> parse_tree_spec(std::string_view json) {
  TreeSpec spec;
  try {
    JsonReader reader(json);
    reader.skip();  // holds the text to its depth limit and its brackets
    reader.expect_end();
    reader.seek(0);
    JsonTree tree;
    const JsonCursor document = tree.read(reader);
    // [protocol, node]
    std::vector<JsonCursor> parts;
    for (JsonCursor part : document.elements()) parts.push_back(part);
    if (parts.size() != 2) document.fail("expected a list of the protocol's number and the root");
    struct Waiting { JsonCursor node; uint32_t parent; };
    std::vector<Waiting> waiting{{parts[1], 0}};
    while (!waiting.empty()) {
      const auto [node, parent] = waiting.back();
      waiting.pop_back();
      const uint32_t index = uint32_t(spec.nodes.size());
      if (index > 0) spec.nodes[parent].children.push_back(index);
      TreeSpecNode& made = spec.nodes.emplace_back();
      if (auto type = node.find("type")) made.type = type->as_string();
      if (auto context = node.find("context")) {
        made.context = context->is_string() ? std::string(context->text()) : context->dump();
        made.keys = keys_in(made.type, *context);
      }
      if (auto children = node.find("children_spec")) {
        const size_t at = waiting.size();
        for (JsonCursor child : children->elements()) waiting.push_back({child, index});
        std::reverse(waiting.begin() + std::ptrdiff_t(at), waiting.end());
      }
    }
  } catch (const JsonError& error) {
    return Error{error.limit ? ErrorKind::Limit : ErrorKind::Failed, error.message, error.path, "How inputs or outputs are nested is not known."};
  }
  return spec;
}

std::vector<std::string> leaf_paths(const TreeSpec& spec, const std::map<std::string, std::vector<std::string>>& namedtuple_fields) {
  std::vector<std::string> paths;
  std::vector<std::string> path_of(spec.nodes.size());
  for (size_t i = 0; i < spec.nodes.size(); ++i) {  // parents come first
    const TreeSpecNode& node = spec.nodes[i];
    if (node.is_leaf()) paths.push_back(path_of[i]);
    const auto known = namedtuple_fields.find(node.context);
    const bool is_namedtuple = node.type == "collections.namedtuple";
    const std::vector<std::string>& names = is_namedtuple && known != namedtuple_fields.end() ? known->second : node.keys;
    for (size_t k = 0; k < node.children.size(); ++k) {
      std::string step = "[" + std::to_string(k) + "]";
      if (k < names.size()) step = !is_dict(node) ? "." + names[k] : is_number(names[k]) ? "[" + names[k] + "]" : "['" + names[k] + "']";
      path_of[node.children[k]] = path_of[i] + step;
    }
  }
  return paths;
}

std::string tree_text(const TreeSpec& spec) {
  std::vector<std::string> text_of(spec.nodes.size());
  for (size_t i = spec.nodes.size(); i-- > 0;) {  // children come after their parents
    const TreeSpecNode& node = spec.nodes[i];
    if (node.is_leaf()) {
      text_of[i] = "*";
      continue;
    }
    const std::vector<std::string> names = node.type == "collections.namedtuple" ? std::vector<std::string>() : node.keys;
    const auto [open, close] = brackets_of(node);
    text_of[i] = open;
    for (size_t k = 0; k < node.children.size(); ++k) {
      std::string& child = text_of[node.children[k]];
      text_of[i] += k ? ", " : "";
      if (k < names.size()) text_of[i] += is_dict(node) ? (is_number(names[k]) ? names[k] : "'" + names[k] + "'") + ": " : names[k] + "=";
      text_of[i] += std::exchange(child, {});
    }
    text_of[i] += close;
  }
  return text_of.empty() ? "" : text_of[0];
}

TreeSpec with_sorted_keys(TreeSpec spec) {
  for (TreeSpecNode& node : spec.nodes) {
    if (!is_dict(node) || node.keys.size() != node.children.size()) continue;
    std::vector<std::pair<std::string, uint32_t>> entries;
    for (size_t k = 0; k < node.keys.size(); ++k) entries.emplace_back(std::move(node.keys[k]), node.children[k]);
    std::sort(entries.begin(), entries.end());
    for (size_t k = 0; k < entries.size(); ++k) {
      node.keys[k] = std::move(entries[k].first);
      node.children[k] = entries[k].second;
    }
  }
  return spec;
}

}  // namespace pt2
