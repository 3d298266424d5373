#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/picture/html_page.h"
#include "core/base/display.h"
#include "core/diff/diff.h"
#include "core/graph/shown_frame.h"
#include "embedded/page_script.h"
#include "embedded/page_style.h"
#include "views/workspace/labels.h"

namespace pt2::app {

using namespace views;

namespace {

std::string_view text_of(std::span<const std::byte> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

std::string hex(uint32_t rgb) {
  char text[16];
  std::snprintf(text, sizeof text, "#%06X", rgb);
  return text;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

using Json = nlohmann::ordered_json;

Json facts(const GraphScene& scene, const SceneBox& box) {
  Json list = Json::array();
  auto add = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) list.push_back({display_cut(key, 100), display_cut(value, 400)});
  };
  if (!box.node.graph) return list;
  const Program& program = *scene.program;
  const Graph& graph = program.graphs[box.node.graph];
  const Node& node = graph.node(box.node.node);
  if (box.kind == BoxKind::Module) add("module", program.modules.modules[box.module].path);
  if (box.folded()) return list;
  add("output", type_label(node.val));
  if (node.module && program.modules.modules.contains(node.module)) add("module", program.modules.modules[node.module].path);
  if (node.kind == NodeKind::CallFunction)
    for (const NodeArgument& argument : node.inputs) add(argument.name.empty() ? "argument" : argument.name, argument_label(graph, argument.value));
  for (const Chip& chip : scene.chips_of(box)) {
    const Node& placeholder = program.root_graph().node(chip.placeholder);
    add(chip.written ? "writes" : "reads", std::string(chip.text) + " (" + std::string(placeholder.name) + ")");
  }
  if (node.meta) {
    const auto frames = parse_stack_trace(node.meta->stack_trace);
    if (const SourceFrame* frame = shown_frame(frames)) add("source", std::string(frame->file) + ":" + std::to_string(frame->line) + " " + std::string(frame->code));
  }
  return list;
}

Json box_json(const Page& page, const PageView& view, const SceneBox& box) {
  Json json{{"name", display(box.title)}, {"op", display(box.subtitle)}, {"facts", facts(view.scene, box)}};
  if (box.kind == BoxKind::Module) {
    const std::string_view path = view.scene.program->modules.modules[box.module].path;
    for (size_t v = 0; v < page.views.size(); ++v)
      if (v > 0 && page.views[v].module == path && page.views[v].other == view.other && &page.views[v] != &view) json["view"] = v;
  } else if (box.node.graph) {
    const std::string name = qualified_name(*view.scene.program, box.node);
    json["node"] = name;
    if (auto it = page.node_facts.find(name); !view.other && it != page.node_facts.end())
      for (const auto& [key, value] : it->second) json["facts"].push_back({display(key), display_cut(value, 400)});
  }
  return json;
}

void add_marks(const PageView& view, Json& boxes) {
  const std::vector<std::string> marks = box_marks(view.scene, view.marks);
  for (size_t box = 0; box < marks.size(); ++box)
    if (!marks[box].empty()) boxes[box]["mark"] = marks[box];
}

Json displayed(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(display_cut(text, 2000));
  return list;
}

// Inside <script> only "</" could end the text early.
std::string script_json(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace), out;
  out.reserve(text.size());
  for (char c : text) {
    if (c == '<') out += "\\u003c";
    else out += c;
  }
  return out;
}

}  // namespace

std::string html_page(const Page& page, const PictureStyle& style) {
  Json views = Json::array(), sections = Json::array();
  std::string pictures;
  for (size_t v = 0; v < page.views.size(); ++v) {
    const PageView& view = page.views[v];
    Json boxes = Json::array(), edges = Json::array();
    for (const SceneBox& box : view.scene.boxes) boxes.push_back(box_json(page, view, box));
    add_marks(view, boxes);
    for (const SceneEdge& edge : view.scene.edges) edges.push_back({edge.from.index, edge.to.index});
    views.push_back({{"module", view.module}, {"title", display(view.title)}, {"boxes", std::move(boxes)}, {"edges", std::move(edges)}, {"other", view.other}});
    pictures += "<template id=\"view" + std::to_string(v) + "\">\n" + view.svg + "</template>\n";
  }
  for (const PageSection& section : page.sections) {
    Json rows = Json::array(), facts = Json::array();
    for (const PageRow& row : section.rows) rows.push_back({{"cells", displayed(row.cells)}, {"node", row.node}, {"other", row.other_node}, {"folded", row.folded}});
    for (const auto& [key, value] : section.facts) facts.push_back(displayed({key, value}));
    sections.push_back({{"title", section.title}, {"note", display(section.note)}, {"facts", std::move(facts)}, {"columns", section.columns}, {"rows", std::move(rows)}});
  }
  std::string out = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
                    escaped(page.title) + "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>:root{color-scheme:" + std::string(style.theme == ThemeName::Dark ? "dark" : "light") + ";";
  const std::pair<const char*, Role> roles[] = {{"canvas", Role::Canvas}, {"panel", Role::Panel}, {"border", Role::Border}, {"text", Role::Text},
                                                {"text2", Role::Text2}, {"accent", Role::Accent}, {"up", Role::Upstream}, {"down", Role::Downstream},
                                                {"changed", Role::Changed}, {"added", Role::Added}, {"removed", Role::Removed}, {"differs", Role::NonFinite}};
  for (const auto& [name, role] : roles) out += std::string("--") + name + ":" + hex(color_rgb(style.theme, role)) + ";";
  out += "}\n";
  out += text_of(embedded::page_style());
  out += "</style></head>\n<body><div id=\"view\"></div>\n" + pictures +
         "<div id=\"bar\"><button id=\"fit\" title=\"Fit (f)\">Fit</button><input id=\"find\" placeholder=\"Find a node\" aria-label=\"Find a node\"><span id=\"path\"></span></div>\n"
         "<div id=\"card\" hidden></div>\n<div id=\"sheet\" hidden></div>\n<script>\nconst PAGE=" +
         script_json({{"views", std::move(views)}, {"sections", std::move(sections)}}) + ";\n";
  out += text_of(embedded::page_script());
  return out + "</script></body></html>\n";
}

}  // namespace pt2::app
