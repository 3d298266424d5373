// `dump state`: what a window script and a test can know of the window, as one JSON object. The keys are a contract.
#include <nlohmann/json.hpp>

#include "app/application.h"
#include "app/cli/json_output.h"
#include "interp/value_names.h"
#include "interp/shape_forecast.h"
#include "views/workspace/comparison.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/unlifted_form.h"

namespace pt2::app {

using nlohmann::ordered_json;
using namespace pt2::views;

namespace {

ordered_json node_json(const Program* program, NodeRef ref) {
  if (!program || !ref.node) return nullptr;
  return node_path(*program, ref);
}

ordered_json rectangle(ImVec2 min, ImVec2 max) {
  auto round = [](float v) { return double(int(v * 10 + 0.5f)) / 10; };
  return ordered_json::array({round(min.x), round(min.y), round(max.x - min.x), round(max.y - min.y)});
}

ordered_json document_json(const Document& document) {
  ordered_json json;
  json["path"] = document.path;
  json["program"] = document.program() ? ordered_json(document.program()->name) : document.program_name.empty() ? ordered_json() : ordered_json(document.program_name);
  json["state"] = document.loaded() ? "ready" : std::holds_alternative<Loading>(document.state) ? "loading" : "failed";
  if (auto* failed = std::get_if<LoadFailed>(&document.state)) json["error"] = failed->error.message;
  if (!document.changed.empty()) json["changed"] = document.changed;
  return json;
}

ordered_json selection_json(const Document* document) {
  const Program* program = document ? document->program() : nullptr;
  const Selection selection = document ? document->selection.current() : Selection();
  ordered_json json;
  json["document"] = document ? ordered_json(document->title()) : ordered_json();
  json["node"] = node_json(program, selection.node);
  json["nodes"] = ordered_json::array();
  if (selection.node.node) json["nodes"].push_back(node_json(program, selection.node));
  for (NodeRef other : selection.others) json["nodes"].push_back(node_json(program, other));
  json["module"] = program && selection.module ? ordered_json(program->modules.modules[selection.module].path) : ordered_json();
  json["value"] = node_json(program, selection.value);
  const UnliftedForm* form = document ? document->unlifted() : nullptr;
  json["unlifted"] = form && selection.unlifted ? ordered_json(form->program->root_graph().node(selection.unlifted).name) : ordered_json();
  json["edge"] = selection.edge.from.node ? ordered_json{{"from", node_json(program, selection.edge.from)}, {"to", node_json(program, selection.edge.to)}, {"index", selection.edge.index}} : ordered_json();
  return json;
}

ordered_json graph_json(const Document& document) {
  const Program& program = *document.program();
  const auto& modules = program.modules.modules;
  ordered_json json;
  json["root"] = document.graph.root ? ordered_json(modules[document.graph.root].path) : ordered_json();
  json["expanded"] = ordered_json::array();
  for (size_t i = 1; i < modules.size() && i < document.graph.expanded.size(); ++i)
    if (document.graph.expanded[ModuleId(i)]) json["expanded"].push_back(modules[ModuleId(i)].path);
  constexpr const char* modes[] = {"attached", "nodes", "hidden"};
  json["params"] = modes[size_t(document.graph.parameters)];
  constexpr const char* kinds[] = {nullptr, "upstream", "downstream", "both", "path", "origin"};
  const Highlight& lit = document.highlight;
  json["color_by"] = std::string(overlay_name(document.overlay));
  if (document.data)
    json["data"] = {{"file", document.data->file}, {"column", document.data->columns[document.data_column].name}, {"matched", document.data->matched}, {"unknown", document.data->unknown.size()}};
  json["highlight"] = lit.kind == Highlight::Kind::None ? ordered_json() : ordered_json{{"kind", kinds[size_t(lit.kind)]}, {"nodes", lit.nodes.size()}};
  return json;
}

// The same keys while no program is open.
ordered_json no_graph() {
  return {{"root", nullptr}, {"expanded", ordered_json::array()}, {"unlifted", false}, {"params", nullptr}, {"color_by", nullptr}, {"highlight", nullptr},
          {"hover", nullptr}, {"zoom", nullptr}, {"pan", nullptr}, {"visible", 0}};
}

ordered_json names_json(const Document* document, const std::vector<NodeRef>& nodes) {
  ordered_json list = ordered_json::array();
  for (NodeRef node : nodes) list.push_back(node_json(document ? document->program() : nullptr, node));
  return list;
}

ordered_json compare_json(const Workspace& workspace, const ComparisonResult& result) {
  const Diff& diff = *result.diff;
  const Comparison& pair = workspace.comparison;
  ordered_json json;
  for (GroupKind kind : {GroupKind::Same, GroupKind::Changed, GroupKind::Decomposed, GroupKind::Merged, GroupKind::Added, GroupKind::Removed})
    json[std::string(group_kind_name(kind))] = diff.count(kind);
  constexpr const char* kSync[] = {"by_match", "locked", "off"};
  json["sync"] = kSync[size_t(pair.sync)];
  json["only_differences"] = pair.only_differences;
  json["linked"] = pair.mapping.linked.size();
  json["unlinked"] = pair.mapping.unlinked.size();
  const bool stepped = pair.stepping && pair.step && result.numbers();
  json["step"] = stepped ? ordered_json(result.numbers()->position(*pair.step) + 1) : ordered_json();
  json["step_group"] = stepped ? ordered_json(group_name(result, *pair.step)) : ordered_json();
  const auto parted_at = told_divergence(pair);
  json["first_divergence"] = parted_at ? ordered_json(*parted_at) : ordered_json();
  const bool told = result.numbers() && (parted_at || all_told(pair));
  json["numbers_agree"] = told ? ordered_json(interp::numbers_agree(*result.numbers())) : ordered_json();
  json["inputs"] = inputs_of_both(result, pair);
  json["selected"] = nullptr;
  if (const auto group = selected_group(workspace, diff))
    json["selected"] = {{"left", names_json(workspace.document(workspace.comparison.left), diff.groups[*group].left)},
                        {"right", names_json(workspace.document(workspace.comparison.right), diff.groups[*group].right)}};
  return json;
}

const char* action_name(interp::BreakpointAction action) {
  constexpr const char* names[] = {"stop", "log", "collect"};
  return names[size_t(action)];
}

// The reference, the way of a NaN, and edits with what they changed.
void add_what_if(ordered_json& json, const DebugSession& debug, const Program& program) {
  const interp::Debugger& debugger = *debug.debugger();
  json["reference"] = debug.reference_name.empty() ? ordered_json() : ordered_json{{"name", debug.reference_name}, {"matches", debug.reference_matches}};
  if (!debug.reference_name.empty())
    json["reference"].update({{"compared", debug.compared.values}, {"mismatched", debug.compared.different}});
  json["producer"] = nullptr;
  if (const interp::NonfiniteSlice* slice = debugger.slice()) {
    ordered_json path = ordered_json::array();
    for (const interp::SliceStep& step : slice->path) {
      const std::string& call = debugger.trace().frames()[step.at.frame].path;
      path.push_back({{"node", node_json(&program, debug.node_of(step.at))}, {"call", call.empty() ? ordered_json() : ordered_json(call.substr(0, call.size() - 1))},
                      {"index", step.known ? ordered_json(step.index) : ordered_json()}});
    }
    json["producer"] = {{"node", path[0]["node"]}, {"call", path[0]["call"]}, {"index", path[0]["index"]}, {"origin", slice->origin}, {"path", path}};
  }
  json["edits"] = ordered_json::array();
  const interp::Edits& edits = debugger.edits();
  for (const interp::InputEdit& e : edits.inputs) json["edits"].push_back({{"node", e.name}, {"kind", "input"}, {"text", e.text}});
  for (const interp::ValueEdit& e : edits.values) json["edits"].push_back({{"node", interp::name_in_call(program, e.node, e.call)}, {"kind", "value"}, {"text", e.shown()}});
  for (const interp::ArgumentEdit& e : edits.arguments) json["edits"].push_back({{"node", interp::name_in_call(program, e.node, e.call)}, {"kind", "argument"}, {"argument", e.argument}, {"text", e.text}});
  for (const interp::EditText& e : debugger.waiting_edits())
    json["edits"].push_back({{"node", interp::name_in_call(program, e.node, e.call)}, {"kind", "value"}, {"text", e.part.empty() ? e.text : e.part + " = " + e.text}, {"waiting", true}});
  json["changed"] = ordered_json::array();
  for (const interp::StepTrace& step : debugger.trace().steps())
    if (const interp::ValueDifference* change = debugger.change(step.at)) {
      ordered_json one{{"node", debugger.trace().frames()[step.at.frame].path + std::string(program.node(debug.node_of(step.at)).name)}};
      one["max_abs"] = change->comparable ? json_number(change->max_abs) : ordered_json();
      one["reason"] = change->comparable ? ordered_json() : ordered_json(change->reason);
      json["changed"].push_back(std::move(one));
    }
  json["symbols"] = nullptr;
  if (!debug.request.symbols.empty()) {
    const interp::ShapeForecast forecast = interp::forecast_shapes(program, debug.request.symbols);
    json["symbols"] = {{"values", forecast.symbols}, {"violations", forecast.violations}, {"input_bytes", forecast.input_bytes}, {"value_bytes", forecast.value_bytes}};
  }
}

}  // namespace

std::string Application::dump_state() {
  const Document* document = workspace_.active();
  const Program* program = document ? document->program() : nullptr;
  const DebugSession* debug = document ? document->debug.get() : nullptr;
  const Interface& ui = workspace_.ui;
  ordered_json json;
  json["documents"] = ordered_json::array();
  for (const auto& one : workspace_.documents()) json["documents"].push_back(document_json(*one));
  json["selection"] = selection_json(document);
  json["cursor"] = debug ? node_json(program, debug->cursor) : ordered_json();
  json["position"] = debug && !debug->position.empty() ? ordered_json(debug->position) : ordered_json();
  json["executed"] = debug ? debug->executed : 0;
  json["run_state"] = run_state_name(debug ? debug->state : RunState::NotStarted);
  json["stop_reason"] = debug && !debug->stop_reason.empty() ? ordered_json(debug->stop_reason) : ordered_json();
  json["breakpoints"] = ordered_json::array();
  json["watches"] = ordered_json::array();
  if (debug) {
    for (const Breakpoint& b : debug->breakpoints)
      json["breakpoints"].push_back({{"node", node_json(program, b.node)}, {"enabled", b.enabled}, {"condition", b.condition.empty() ? ordered_json() : ordered_json(b.condition)}, {"hits", b.hits},
                                     {"where", b.where}, {"action", action_name(b.action)}});
    for (const Watch& w : debug->watches) json["watches"].push_back({{"expression", w.expression}, {"value", w.value}});
  }
  json["marks"] = ordered_json::array();
  if (program)
    for (const Mark& mark : document->marks.list)
      json["marks"].push_back({{"node", node_json(program, mark.node)}, {"module", mark.module ? ordered_json(program->modules.modules[mark.module].path) : ordered_json()},
                               {"key", mark.key ? ordered_json(mark.key) : ordered_json()}, {"note", mark.note}});
  if (debug) add_what_if(json, *debug, *program);
  json["panes"] = shell_.visible_panes();
  json["step"] = debug ? debug->executed : 0;
  json["steps"] = debug ? debug->steps : 0;
  json["tour"] = ui.tour;
  json["focus"] = ui.focused_pane;
  json["dialog"] = ui.palette ? ordered_json("palette") : ui.dialog.empty() ? ordered_json() : ordered_json(ui.dialog);
  json["toast"] = workspace_.toasts.empty() ? ordered_json() : ordered_json(workspace_.toasts.back().text);
  json["theme"] = ui.theme == ThemeName::Dark ? "dark" : "light";
  json["scale"] = theme_.scale;
  static const Search kNoSearch;
  const Search& search = document ? document->search : kNoSearch;
  json["search"] = {{"query", search.query}, {"count", search.hits.size()}, {"index", search.index ? ordered_json(*search.index) : ordered_json()}, {"open", search.open}};
  json["graph"] = program ? graph_json(*document) : no_graph();
  if (workspace_.comparison.active())
    if (workspace_.comparison.result) json["compare"] = compare_json(workspace_, *workspace_.comparison.result);
  // What panes know: objects are merged, so that the graph's camera joins its folding.
  ShellContext context = shell_context();
  for (const auto& [key, text] : shell_.dump(context)) {
    ordered_json value = ordered_json::parse(text, nullptr, false);
    if (value.is_discarded()) continue;
    if (json.contains(key) && json[key].is_object() && value.is_object()) json[key].update(value);
    else json[key] = std::move(value);
  }
  json["problems"] = ordered_json::array();
  if (document)
    for (const Finding& finding : document->problems) {
      constexpr const char* severities[] = {"error", "warning", "note"};
      json["problems"].push_back({{"severity", severities[size_t(finding.severity)]}, {"rule", finding.rule}, {"message", finding.message}, {"where", finding.where}});
    }
  json["jobs"] = ordered_json::array();
  for (const JobInfo& job : jobs_->jobs()) json["jobs"].push_back({{"title", job.title}, {"stage", job.stage}, {"running", job.running}});
  json["probes"] = ordered_json::array();
  for (const ProbeItem& item : probe_.items()) json["probes"].push_back({{"name", item.name}, {"text", item.text}, {"rectangle", rectangle(item.min, item.max)}, {"enabled", item.enabled}});
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace pt2::app
