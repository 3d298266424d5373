#include "app/bundle.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/session_fields.h"
#include "app/session_view.h"
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

std::string view_json(const Document& document) {
  const Program& program = *document.program();
  const auto& modules = program.modules.modules;
  const GraphView& view = document.graph;
  ordered_json json{{"version", 1}};
  json["root"] = view.root ? ordered_json(modules[view.root].path) : ordered_json();
  json.update(write_view(document));
  json["hidden"] = ordered_json::array();
  for (const NodeRef node : view.hidden) json["hidden"].push_back(node_path(program, node));
  json["color_by"] = std::string(overlay_name(document.overlay == OverlayKind::Data ? OverlayKind::Family : document.overlay));
  const Selection& selection = document.selection.current();
  json["selection"] = selection.shown().node ? ordered_json(node_path(program, selection.shown())) : ordered_json();
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
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
  read_view(json, document);
  for (const std::string& name : texts(json, "hidden"))
    if (const NodeRef node = find_node(program, name); node.node) view.hidden.insert(node);
  document.overlay = overlay_from_name(text(json, "color_by")).value_or(OverlayKind::Family);
  if (const NodeRef node = find_node(program, text(json, "selection")); node.node) document.selection.select(Selection::of_node(node));
}

// The inputs of the run whose values the bundle has: whoever gets it has none of its maker's files. `chosen`: inputs were set here before.
void take_inputs(const TensorFile& values, bool chosen, Document& document) {
  const Program& program = *document.program();
  auto inputs = std::make_shared<TensorFile>();
  for (const InputSpec& spec : program.signature.inputs) {
    if (spec.kind != InputKind::UserInput || !spec.node || spec.constant) continue;
    const std::string name(program.root_graph().node(spec.node).name);
    if (const Tensor* value = values.find(name)) inputs->tensors.emplace_back(name, *value);
  }
  interp::InputRequest& request = document.debug->request;
  if (inputs->tensors.empty()) return;
  if (!chosen) std::erase_if(request.texts, [&](const auto& text) { return inputs->find(text.first) != nullptr; });
  request.tensors_path.clear();
  request.tensors = std::move(inputs);
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
  const bool chosen = !document.debug->request.texts.empty(), file_chosen = !document.debug->request.tensors_path.empty();
  if (first_time && !content.session.empty()) set_up_session(content.session, document, notes);
  if (!file_chosen) take_inputs(content.values, chosen, document);
  if (first_time && !content.view.empty()) apply_view(content.view, document);
  if (!content.values.tensors.empty() && document.debug->reference_name.empty())
    document.debug->use_reference(std::make_shared<const TensorFile>(std::move(content.values)), "values of the bundle");
}

}  // namespace pt2::app
