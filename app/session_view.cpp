#include "app/session_view.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pt2::app {

using nlohmann::ordered_json;
using namespace pt2::views;

namespace {

constexpr const char* kParameters[] = {"attached", "nodes", "hidden"};

}  // namespace

std::vector<std::string> texts(const ordered_json& object, const char* key) {
  std::vector<std::string> list;
  if (const auto it = object.find(key); it != object.end() && it->is_array())
    for (const ordered_json& entry : *it)
      if (entry.is_string()) list.push_back(entry.get<std::string>());
  return list;
}

ordered_json write_view(const Document& document) {
  const Program& program = *document.program();
  const auto& modules = program.modules.modules;
  const GraphView& view = document.graph;
  ordered_json json;
  json["expanded"] = ordered_json::array();
  for (size_t i = 1; i < modules.size() && i < view.expanded.size(); ++i)
    if (view.expanded[ModuleId(i)]) json["expanded"].push_back(modules[ModuleId(i)].path);
  json["subgraphs"] = ordered_json::array();
  for (const GraphId graph : view.expanded_subgraphs)
    if (program.graphs.contains(graph)) json["subgraphs"].push_back(program.graphs[graph].name);
  json["parameters"] = kParameters[size_t(view.parameters)];
  json["direction"] = view.direction == Direction::LeftRight ? "LR" : "TB";
  json["getitem"] = view.show_getitem;
  return json;
}

ordered_json read_view(const ordered_json& json, Document& document) {
  if (!json.is_object()) return {};
  const Program& program = *document.program();
  GraphView& view = document.graph;
  if (json.contains("expanded")) {
    for (size_t i = 1; i < view.expanded.size(); ++i) view.expanded[ModuleId(i)] = 0;
    for (const std::string& path : texts(json, "expanded"))
      if (const ModuleId module = program.modules.find(path); module && module.index < view.expanded.size()) view.expanded[module] = 1;
  }
  const auto subgraphs = texts(json, "subgraphs");
  for (size_t g = 0; g < program.graphs.size(); ++g)
    if (std::find(subgraphs.begin(), subgraphs.end(), program.graphs[GraphId(g)].name) != subgraphs.end()) view.expanded_subgraphs.insert(GraphId(g));
  const auto is = [&](const char* key, std::string_view text) {
    const auto it = json.find(key);
    return it != json.end() && it->is_string() && it->get_ref<const std::string&>() == text;
  };
  for (size_t i = 0; i < std::size(kParameters); ++i)
    if (is("parameters", kParameters[i])) view.parameters = ParameterMode(i);
  view.direction = is("direction", "LR") ? Direction::LeftRight : Direction::TopDown;
  if (const auto it = json.find("getitem"); it != json.end() && it->is_boolean()) view.show_getitem = it->get<bool>();
  return {};
}

}  // namespace pt2::app
