#include "app/bundle.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/session_fields.h"
#include "views/workspace/debug_session.h"

namespace pt2::app {

using nlohmann::ordered_json;
using namespace pt2::views;

namespace {

std::string session_json(const Document& document) {
  ordered_json json = ordered_json::object();
  for (const SessionField& field : session_fields())
    if (ordered_json value = field.shared ? field.write(document) : ordered_json(); !value.empty()) json[field.key] = std::move(value);
  return json.empty() ? std::string() : json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

void set_up_session(const std::string& text, Document& document, std::vector<std::string>& notes) {
  const ordered_json json = ordered_json::parse(text, nullptr, false);
  if (!json.is_object()) return notes.push_back("The bundle's breakpoints and notes cannot be read: they are no JSON object");
  for (const SessionField& field : session_fields())
    if (const auto it = json.find(field.key); field.shared && it != json.end()) field.read(*it, document);
  document.debug->sync();
}

constexpr const char* kParameters[] = {"attached", "nodes", "hidden"};

std::string view_json(const Document& document) {
  const Program& program = *document.program();
  const auto& modules = program.modules.modules;
  const GraphView& view = document.graph;
  ordered_json json{{"version", 1}};
  json["root"] = view.root ? ordered_json(modules[view.root].path) : ordered_json();
  json["expanded"] = ordered_json::array();
  for (size_t i = 1; i < modules.size() && i < view.expanded.size(); ++i)
    if (view.expanded[ModuleId(i)]) json["expanded"].push_back(modules[ModuleId(i)].path);
  json["subgraphs"] = ordered_json::array();
  for (const GraphId graph : view.expanded_subgraphs) json["subgraphs"].push_back(program.graphs[graph].name);
  json["hidden"] = ordered_json::array();
  for (const NodeRef node : view.hidden) json["hidden"].push_back(node_path(program, node));
  json["parameters"] = kParameters[size_t(view.parameters)];
  json["direction"] = view.direction == Direction::LeftRight ? "LR" : "TB";
  json["getitem"] = view.show_getitem;
  json["color_by"] = std::string(overlay_name(document.overlay == OverlayKind::Data ? OverlayKind::Family : document.overlay));
  const Selection& selection = document.selection.current();
  json["selection"] = selection.shown().node ? ordered_json(node_path(program, selection.shown())) : ordered_json();
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::vector<std::string> texts(const ordered_json& object, const char* key) {
  std::vector<std::string> list;
  if (const auto it = object.find(key); it != object.end() && it->is_array())
    for (const ordered_json& entry : *it)
      if (entry.is_string()) list.push_back(entry.get<std::string>());
  return list;
}
std::string text(const ordered_json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

// What names nothing here is passed over.
void apply_view(const std::string& view_text, Document& document) {
  const ordered_json json = ordered_json::parse(view_text, nullptr, false);
  if (!json.is_object()) return;
  const Program& program = *document.program();
  GraphView& view = document.graph;
  view.root = program.modules.find(text(json, "root"));
  if (view.root == program.modules.root()) view.root = {};
  if (json.contains("expanded")) {
    for (size_t i = 1; i < view.expanded.size(); ++i) view.expanded[ModuleId(i)] = 0;
    for (const std::string& path : texts(json, "expanded"))
      if (const ModuleId module = program.modules.find(path)) view.expanded[module] = 1;
  }
  const auto subgraphs = texts(json, "subgraphs");
  for (size_t g = 0; g < program.graphs.size(); ++g)
    if (std::find(subgraphs.begin(), subgraphs.end(), program.graphs[GraphId(g)].name) != subgraphs.end()) view.expanded_subgraphs.insert(GraphId(g));
  for (const std::string& name : texts(json, "hidden"))
    if (const NodeRef node = find_node(program, name); node.node) view.hidden.insert(node);
  for (size_t i = 0; i < std::size(kParameters); ++i)
    if (text(json, "parameters") == kParameters[i]) view.parameters = ParameterMode(i);
  view.direction = text(json, "direction") == "LR" ? Direction::LeftRight : Direction::TopDown;
  if (const auto it = json.find("getitem"); it != json.end() && it->is_boolean()) view.show_getitem = it->get<bool>();
  document.overlay = overlay_from_name(text(json, "color_by")).value_or(OverlayKind::Family);
  if (const NodeRef node = find_node(program, text(json, "selection")); node.node) document.selection.select(Selection::of_node(node));
}

}  // namespace

void describe_session(const Document& document, BundleRequest& request) {
  request.session = session_json(document);
  request.view = view_json(document);
}

bool looks_like_bundle(const OpenedFile& file) {
  const auto entries = file.archive->entries();
  return std::any_of(entries.begin(), entries.end(), [](const std::string& name) { return name.find("/pt2scope/") != name.npos; });
}

void apply_bundle(BundleContent content, Document& document, bool first_time, std::vector<std::string>& notes) {
  if (!content.problem.empty()) notes.push_back("The values of the bundle cannot be read: " + content.problem);
  if (first_time && !content.session.empty()) set_up_session(content.session, document, notes);
  if (first_time && !content.view.empty()) apply_view(content.view, document);
  if (!content.values.tensors.empty() && document.debug->reference_name.empty())
    document.debug->use_reference(std::make_shared<const TensorFile>(std::move(content.values)), "values of the bundle");
}

}  // namespace pt2::app
