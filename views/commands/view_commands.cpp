// What is shown and how: areas, theme, sizes, the graph's folding and camera.
#include <algorithm>

#include "core/base/display.h"
#include "views/commands/availability.h"
#include "views/commands/command_registry.h"
#include "views/commands/words.h"
#include "views/workspace/centre_view.h"
#include "views/workspace/unlifted_form.h"
#include "views/workspace/view_text.h"

namespace pt2::views {

namespace {

Interface& ui(CommandContext& c) { return c.workspace.ui; }

void toggle_left(CommandContext& c, const CommandArgument&) { ui(c).left = !ui(c).left; }
void toggle_right(CommandContext& c, const CommandArgument&) { ui(c).right = !ui(c).right; }
void toggle_bottom(CommandContext& c, const CommandArgument&) { ui(c).bottom = !ui(c).bottom; }
void graph_only(CommandContext& c, const CommandArgument&) { ui(c).graph_only = !ui(c).graph_only; }
void full_screen(CommandContext& c, const CommandArgument&) { ui(c).full_screen = !ui(c).full_screen; }
void show_pane(CommandContext& c, const CommandArgument& a) {
  const std::string pane = text_argument(a);
  if (one_of(c, pane, {"modules", "signature", "marks", "node", "tensor", "source", "timeline", "watch", "breakpoints", "compare", "problems", "log"})) ui(c).shown_pane = pane;
}
void reset_layout(CommandContext& c, const CommandArgument&) {
  ++ui(c).reset_layout;
  ui(c).left = ui(c).right = true;
  ui(c).bottom = ui(c).layout != Layout::Browse;
  ui(c).graph_only = false;
}

void set_layout(CommandContext& c, Layout layout) {
  ui(c).layout = layout;
  ui(c).left = layout != Layout::Compare;
  ui(c).right = true;
  ui(c).bottom = layout != Layout::Browse;
  ui(c).graph_only = false;
}
void layout_browse(CommandContext& c, const CommandArgument&) { set_layout(c, Layout::Browse); }
void layout_debug(CommandContext& c, const CommandArgument&) { set_layout(c, Layout::Debug); }
void layout_compare(CommandContext& c, const CommandArgument&) { set_layout(c, Layout::Compare); }

void toggle_theme(CommandContext& c, const CommandArgument& a) {
  if (text_argument(a).empty()) ui(c).theme = ui(c).theme == ThemeName::Dark ? ThemeName::Light : ThemeName::Dark;
  else if (const auto name = word_argument(c, a, {"dark", "light"})) ui(c).theme = *name ? ThemeName::Light : ThemeName::Dark;
}
constexpr int kFontPercents[] = {80, 90, 100, 110, 125, 150, 175, 200};
void larger(CommandContext& c, const CommandArgument&) {
  for (int percent : kFontPercents)
    if (percent > ui(c).font_percent) return void(ui(c).font_percent = percent);
}
void smaller(CommandContext& c, const CommandArgument&) {
  for (auto it = std::rbegin(kFontPercents); it != std::rend(kFontPercents); ++it)
    if (*it < ui(c).font_percent) return void(ui(c).font_percent = *it);
}
void normal_size(CommandContext& c, const CommandArgument&) { ui(c).font_percent = 100; }

// Folding. Without an argument: the selected module, or the one of the selected node.
ModuleId selected_module(const Document& document) {
  const Selection& selection = document.selection.current();
  if (selection.module) return selection.module;
  if (NodeRef node = selection.shown(); node.node && node.graph == document.program()->root()) return document.program()->node(node).module;
  return {};
}
ModuleId meant_module(CommandContext& c, const CommandArgument& a) {
  auto* module = std::get_if<ModuleId>(&a);
  return module ? *module : selected_module(*c.document);
}
Availability needs_selected_module(const Workspace& w) {
  if (Availability a = needs_program(w); !a.enabled()) return a;
  const ModuleId module = selected_module(*w.active());
  if (!module) return {"no module is selected"};
  return {module == w.active()->program()->modules.root() ? "the root module is the whole program" : ""};
}
void set_module(CommandContext& c, ModuleId module, bool expanded) {
  if (!module) return;
  const ScopeTree& tree = *c.document->scopes();
  for (ScopeId scope : tree.scopes_of(module)) set_expanded(c.document->graph, tree, scope, expanded);
  // What is unfolded must be seen: everything around it unfolds as well.
  const auto& modules = c.document->program()->modules.modules;
  for (ModuleId m = modules[module].parent; expanded && m; m = modules[m].parent) c.document->graph.expanded[m] = 1;
}
void fold(CommandContext& c, const CommandArgument& a) { set_module(c, meant_module(c, a), false); }
void unfold(CommandContext& c, const CommandArgument& a) { set_module(c, meant_module(c, a), true); }
void toggle_fold(CommandContext& c, const CommandArgument& a) {
  const ModuleId module = meant_module(c, a);
  if (module) set_module(c, module, !c.document->graph.expanded[module]);
}
void toggle_scope(CommandContext& c, const CommandArgument& a) {
  auto* scope = std::get_if<ScopeId>(&a);
  const ScopeTree& tree = *c.document->scopes();
  if (scope) set_expanded(c.document->graph, tree, *scope, !is_expanded(c.document->graph, tree, *scope));
}
void expand_all(CommandContext& c, const CommandArgument&) { expand_levels(c.document->graph, *c.document->scopes(), -1); }
void fold_all(CommandContext& c, const CommandArgument&) { expand_levels(c.document->graph, *c.document->scopes(), 0); }
void initial_folds(CommandContext& c, const CommandArgument&) {
  const GraphView as_opened = initial_view(*c.document);
  c.document->graph.expanded = as_opened.expanded;
  c.document->graph.expanded_subgraphs = as_opened.expanded_subgraphs;
  c.document->graph.expanded_chunks = as_opened.expanded_chunks;
}
// What is on screen, where a layout was refused; or what was refused, to be laid out anyway.
void take_view(CommandContext& c, const CommandArgument& a) {
  if (auto view = view_from_text(text_argument(a), *c.document)) c.document->graph = std::move(*view);
}
// The sub-graph that the node names, or those that the operator runs.
std::vector<GraphId> run_subgraphs(const Program& program, NodeRef ref) {
  const Node& node = program.node(ref);
  if (node.subgraph) return {node.subgraph};
  std::vector<GraphId> graphs;
  for (const NodeArgument& input : node.inputs)
    for_each_node(input.value, [&](NodeId read) {
      if (const GraphId graph = program.graphs[ref.graph].node(read).subgraph) graphs.push_back(graph);
    });
  return graphs;
}
void toggle_subgraph(CommandContext& c, const CommandArgument& a) {
  const NodeRef node = node_argument(a);
  if (!node.node) return;
  const std::vector<GraphId> graphs = run_subgraphs(*c.document->program(), node);
  if (graphs.empty()) return c.workspace.toast(display(node_path(*c.document->program(), node)) + " runs no sub-graph", LogLevel::Warning);
  auto& open = c.document->graph.expanded_subgraphs;
  const bool all_open = std::all_of(graphs.begin(), graphs.end(), [&](GraphId graph) { return open.contains(graph); });
  for (const GraphId graph : graphs) {
    if (all_open) open.erase(graph);
    else open.insert(graph);
  }
}

void camera(CommandContext& c, CameraRequest::Kind kind) { c.document->camera = {kind, c.document->camera.revision + 1}; }

void open_module(CommandContext& c, const CommandArgument& a) {
  const ModuleId module = meant_module(c, a);
  c.document->graph.root = module && module != c.document->program()->modules.root() ? module : ModuleId();
  if (module) c.document->graph.expanded[module] = 1;
  camera(c, CameraRequest::Kind::FitAll);
}
void leave_module(CommandContext& c, const CommandArgument&) {
  GraphView& graph = c.document->graph;
  if (!graph.root) return;
  const ModuleId parent = c.document->program()->modules.modules[graph.root].parent;
  graph.root = parent == c.document->program()->modules.root() ? ModuleId() : parent;
}
Availability can_open_module(const Workspace& w) {
  if (Availability a = needs_selected_module(w); !a.enabled()) return a;
  return {selected_module(*w.active()) == w.active()->graph.root ? "the module is shown alone already" : ""};
}
Availability can_leave_module(const Workspace& w) {
  if (Availability a = needs_program(w); !a.enabled()) return a;
  return {w.active()->graph.root ? "" : "no module is shown alone"};
}

void parameters(CommandContext& c, const CommandArgument& a) {
  ParameterMode& now = c.document->graph.parameters;
  if (text_argument(a).empty()) now = ParameterMode((int(now) + 1) % 3);
  else if (const auto mode = word_argument(c, a, {"attached", "nodes", "hidden"})) now = ParameterMode(*mode);
}
void direction(CommandContext& c, const CommandArgument&) {
  Direction& now = c.document->graph.direction;
  now = now == Direction::TopDown ? Direction::LeftRight : Direction::TopDown;
}
void getitem(CommandContext& c, const CommandArgument&) { c.document->graph.show_getitem = !c.document->graph.show_getitem; }
// The form is made once, in a job; the picture of the program stays until it is there.
void unlifted(CommandContext& c, const CommandArgument& a) {
  const auto wanted = switch_argument(c, a, c.document->graph.unlifted);
  if (!wanted) return;
  const bool on = *wanted;
  auto show = [](Document& document, bool shown) {
    if (document.graph.unlifted == shown) return;
    document.graph.unlifted = shown;
    document.graph.expanded_chunks.clear();  // runs of nodes differ between the two
    if (document.selection.current().unlifted) document.selection.select({});
    if (!document.search.query.empty()) run_search(document, document.search.query);
  };
  const std::string tag = "unlift:" + std::to_string(c.document->id.index);
  c.workspace.jobs().cancel(tag);
  const Loaded& loaded = std::get<Loaded>(c.document->state);
  if (!on || loaded.unlifted) return show(*c.document, on);
  c.workspace.jobs().submit(
      tag, "Unlifting " + c.document->title(), [file = loaded.file, program = loaded.program](Job&) { return make_unlifted_form(*file, program); },
      [&workspace = c.workspace, id = c.document->id, program = loaded.program, show](std::shared_ptr<const UnliftedForm> form) {
        Document* document = workspace.document(id);
        Loaded* now = document ? std::get_if<Loaded>(&document->state) : nullptr;
        if (!now || now->program != program) return;
        now->unlifted = std::move(form);
        show(*document, true);
      });
}
void text_form(CommandContext& c, const CommandArgument& a) {
  const std::string wanted = text_argument(a);
  const PreferenceRow& row = *find_preference("text_form");
  if (wanted.empty()) ui(c).preferences.text_form = TextForm((int(ui(c).preferences.text_form) + 1) % 3);
  else if (!row.set(ui(c).preferences, wanted)) return c.workspace.toast("The text is " + std::string(row.values) + ", not \"" + display(wanted) + "\"", LogLevel::Warning);
  if (c.document->graph.unlifted) unlifted(c, std::string("off"));  // a form of its own
  if (c.document->view == CentreView::Graph) c.document->view = CentreView::Text;
  ui(c).graph_only = false;
}

// Graphs of a comparison that move along with each other are shown whole together.
void fit(CommandContext& c, const CommandArgument&) {
  camera(c, CameraRequest::Kind::FitAll);
  const Comparison& pair = c.workspace.comparison;
  const DocumentId id = c.document->id;
  if (pair.sync == CompareSync::Off || (id != pair.left && id != pair.right)) return;
  if (Document* other = c.workspace.document(id == pair.left ? pair.right : pair.left)) other->camera = {CameraRequest::Kind::FitAll, other->camera.revision + 1};
}
void fit_selection(CommandContext& c, const CommandArgument&) { camera(c, CameraRequest::Kind::FitSelection); }
void actual_size(CommandContext& c, const CommandArgument&) { camera(c, CameraRequest::Kind::ActualSize); }
void zoom_in(CommandContext& c, const CommandArgument&) { camera(c, CameraRequest::Kind::ZoomIn); }
void zoom_out(CommandContext& c, const CommandArgument&) { camera(c, CameraRequest::Kind::ZoomOut); }

// The two sides of a comparison show the same, whichever of them is active. Who wants the text has done with the graph alone.
void set_view(CommandContext& c, CentreView view) {
  if (view != CentreView::Graph) ui(c).graph_only = false;
  c.document->view = view;
  const Comparison& pair = c.workspace.comparison;
  if (c.document->id != pair.left && c.document->id != pair.right) return;
  for (DocumentId id : {pair.left, pair.right})
    if (Document* side = c.workspace.document(id)) side->view = view;
}
void view_graph(CommandContext& c, const CommandArgument&) { set_view(c, CentreView::Graph); }
void view_text(CommandContext& c, const CommandArgument&) { set_view(c, CentreView::Text); }
void view_both(CommandContext& c, const CommandArgument&) { set_view(c, CentreView::Both); }
void swap_view(CommandContext& c, const CommandArgument&) { set_view(c, shown_view(c.workspace, *c.document) == CentreView::Graph ? CentreView::Text : CentreView::Graph); }

void highlight(CommandContext& c, const CommandArgument& a, Highlight::Kind kind) {
  const Program& program = *c.document->program();
  const NodeRef given = node_argument(a), start = given.node ? given : c.document->selection.current().shown();
  Highlight& lit = c.document->highlight;
  if (!start.node || (lit.kind == kind && !given.node)) return void(lit = {});
  const Graph& graph = program.graphs[start.graph];
  lit = {kind, graph.node(start.node).kind == NodeKind::CallFunction, {}};
  auto walk = [&](bool up) {
    std::vector<NodeId> todo{start.node};
    while (!todo.empty()) {
      const NodeId at = todo.back();
      todo.pop_back();
      auto visit = [&](NodeId next) {
        if (lit.nodes.insert({start.graph, next}).second) todo.push_back(next);
      };
      if (up) for (const NodeArgument& input : graph.node(at).inputs) for_each_node(input.value, visit);
      else for (NodeId user : graph.users(at)) visit(user);
    }
  };
  if (kind != Highlight::Kind::Downstream) walk(true);
  if (kind == Highlight::Kind::Both) {
    const auto upstream = std::exchange(lit.nodes, {});
    walk(false);
    lit.nodes.insert(upstream.begin(), upstream.end());
  } else if (kind == Highlight::Kind::Downstream) {
    walk(false);
  }
  lit.nodes.insert(start);
  if (lit.nodes.size() > 1) return;
  // All would be quiet but the node itself.
  lit = {};
  const std::string name = "\"" + display(graph.node(start.node).name) + "\"";
  c.workspace.toast(kind == Highlight::Kind::Upstream ? "Nothing comes before " + name : kind == Highlight::Kind::Downstream ? "Nothing comes after " + name : "Nothing is connected with " + name);
}
void upstream(CommandContext& c, const CommandArgument& a) { highlight(c, a, Highlight::Kind::Upstream); }
void downstream(CommandContext& c, const CommandArgument& a) { highlight(c, a, Highlight::Kind::Downstream); }
void both_ways(CommandContext& c, const CommandArgument& a) { highlight(c, a, Highlight::Kind::Both); }

bool left_on(const Workspace& w) { return w.ui.left; }
bool right_on(const Workspace& w) { return w.ui.right; }
bool bottom_on(const Workspace& w) { return w.ui.bottom; }
bool browse_on(const Workspace& w) { return w.ui.layout == Layout::Browse; }
bool debug_on(const Workspace& w) { return w.ui.layout == Layout::Debug; }
bool compare_on(const Workspace& w) { return w.ui.layout == Layout::Compare; }
bool unlifted_on(const Workspace& w) { return w.active() && w.active()->graph.unlifted; }
bool getitem_on(const Workspace& w) { return w.active() && w.active()->graph.show_getitem; }

constexpr Command kCommands[] = {
    {.id = "view.left", .title = "Left panes", .menu = "View", .default_shortcut = "Ctrl+B", .help = "Show or hide the left panes", .run = toggle_left, .checked = left_on, .group = "areas"},
    {.id = "view.right", .title = "Right panes", .menu = "View", .default_shortcut = "Ctrl+Alt+B", .help = "Show or hide the right panes", .run = toggle_right, .checked = right_on, .group = "areas"},
    {.id = "view.bottom", .title = "Bottom panes", .menu = "View", .default_shortcut = "Ctrl+J", .help = "Show or hide the bottom panes", .run = toggle_bottom, .checked = bottom_on, .group = "areas"},
    {.id = "view.graph_only", .title = "Graph only", .menu = "View", .default_shortcut = "Ctrl+Shift+G", .help = "Hide every pane but the graph", .run = graph_only, .group = "areas"},
    {.id = "view.full_screen", .title = "Full screen", .menu = "View", .default_shortcut = "Alt+Enter", .help = "", .run = full_screen, .group = "areas"},
    {.id = "view.layout_browse", .title = "Layout: browse", .menu = "View", .help = "No bottom panes", .run = layout_browse, .checked = browse_on, .group = "layout"},
    {.id = "view.layout_debug", .title = "Layout: debug", .menu = "View", .help = "All panes", .run = layout_debug, .checked = debug_on, .group = "layout"},
    {.id = "view.layout_compare", .title = "Layout: compare", .menu = "View", .help = "Two documents side by side", .run = layout_compare, .checked = compare_on, .group = "layout"},
    {.id = "view.reset_layout", .title = "Reset layout", .menu = "View", .help = "Panes and sizes as they were at first", .run = reset_layout, .group = "layout"},
    {.id = "view.graph", .title = "Graph", .menu = "View", .help = "Show the graph", .availability = needs_program, .run = view_graph, .group = "centre"},
    {.id = "view.text", .title = "Text", .menu = "View", .help = "Show the FX text", .availability = needs_program, .run = view_text, .group = "centre"},
    {.id = "view.both", .title = "Graph and text", .menu = "View", .help = "Show both side by side", .availability = needs_program, .run = view_both, .group = "centre"},
    {.id = "view.swap", .title = "Swap graph and text", .menu = "View", .default_shortcut = "F12", .help = "", .availability = needs_program, .run = swap_view, .group = "centre"},
    {.id = "view.fold_module", .title = "Fold module", .menu = "View", .help = "Show a module as one box", .argument = ArgumentKind::Module, .availability = needs_selected_module, .availability_with_argument = needs_program, .run = fold, .group = "fold"},
    {.id = "view.unfold_module", .title = "Unfold module", .menu = "View", .help = "Show what is in a module", .argument = ArgumentKind::Module, .availability = needs_selected_module, .availability_with_argument = needs_program, .run = unfold, .group = "fold"},
    {.id = "view.toggle_module", .title = "Fold or unfold module", .menu = "", .help = "", .argument = ArgumentKind::Module, .availability = needs_program, .run = toggle_fold},
    {.id = "view.toggle_scope", .title = "Fold or unfold group", .menu = "", .help = "", .availability = needs_program, .run = toggle_scope},
    {.id = "view.toggle_subgraph", .title = "Fold or unfold sub-graph", .menu = "", .help = "Of an operator that runs some: all of them; or the one that the node names", .argument = ArgumentKind::Node, .availability = needs_program, .run = toggle_subgraph},
    {.id = "view.take", .title = "Show as it was", .menu = "", .help = "For the window itself: folding and parameters as it writes them", .argument = ArgumentKind::Text, .availability = needs_program, .run = take_view},
    {.id = "view.fold_all", .title = "Fold all modules", .menu = "View", .help = "", .availability = needs_program, .run = fold_all, .group = "fold"},
    {.id = "view.unfold_all", .title = "Unfold all modules", .menu = "View", .help = "", .availability = needs_program, .run = expand_all, .group = "fold"},
    {.id = "view.initial_folds", .title = "Fold as opened", .menu = "View", .help = "", .availability = needs_program, .run = initial_folds, .group = "fold"},
    {.id = "view.open_module", .title = "Show module alone", .menu = "View", .help = "Make a module the root of the picture", .argument = ArgumentKind::Module, .availability = can_open_module, .availability_with_argument = needs_program, .run = open_module, .group = "fold"},
    {.id = "view.leave_module", .title = "Leave module", .menu = "View", .help = "Show what is around the module", .availability = can_leave_module, .run = leave_module, .group = "fold"},
    {.id = "view.parameters", .title = "Parameters: attached, nodes, hidden", .menu = "View", .help = "How parameters, buffers and constants are drawn: attached, nodes or hidden; without a word the next of them", .argument = ArgumentKind::Text, .availability = needs_program, .run = parameters, .group = "graph"},
    {.id = "view.direction", .title = "Top down or left to right", .menu = "View", .help = "", .availability = needs_program, .run = direction, .group = "graph"},
    {.id = "view.getitem", .title = "Show getitem", .menu = "View", .help = "Draw getitem nodes as boxes", .availability = needs_program, .run = getitem, .checked = getitem_on, .group = "graph"},
    {.id = "view.unlifted", .title = "Unlifted form", .menu = "View", .help = "What ep.module() is: get_attr for parameters and buffers, the guards, copies that write mutations back", .argument = ArgumentKind::Text, .availability = needs_program, .run = unlifted, .checked = unlifted_on, .group = "graph"},
    {.id = "view.text_form", .title = "Text: compact, readable, graph", .menu = "", .help = "What the Text pane shows: compact, or as PyTorch prints str(ep) (readable) or str(ep.graph) (graph)", .argument = ArgumentKind::Text, .availability = needs_program, .run = text_form},
    {.id = "view.upstream", .title = "Highlight upstream", .menu = "View", .help = "Everything the selection comes from", .argument = ArgumentKind::Node, .availability = needs_selected_node, .availability_with_argument = needs_program, .run = upstream, .group = "highlight"},
    {.id = "view.downstream", .title = "Highlight downstream", .menu = "View", .help = "Everything that comes from the selection", .argument = ArgumentKind::Node, .availability = needs_selected_node, .availability_with_argument = needs_program, .run = downstream, .group = "highlight"},
    {.id = "view.both_ways", .title = "Highlight both", .menu = "View", .help = "", .argument = ArgumentKind::Node, .availability = needs_selected_node, .availability_with_argument = needs_program, .run = both_ways, .group = "highlight"},
    {.id = "view.fit", .title = "Fit all", .menu = "View", .help = "", .availability = needs_program, .run = fit, .group = "camera"},
    {.id = "view.fit_selection", .title = "Fit selection", .menu = "View", .help = "", .availability = needs_program, .run = fit_selection, .group = "camera"},
    {.id = "view.actual_size", .title = "Zoom 100 %", .menu = "View", .help = "", .availability = needs_program, .run = actual_size, .group = "camera"},
    {.id = "view.zoom_in", .title = "Zoom in", .menu = "View", .help = "", .availability = needs_program, .run = zoom_in, .group = "camera"},
    {.id = "view.zoom_out", .title = "Zoom out", .menu = "View", .help = "", .availability = needs_program, .run = zoom_out, .group = "camera"},
    {.id = "view.theme", .title = "Toggle theme", .menu = "View", .default_shortcut = "Ctrl+Shift+D", .help = "dark or light; without a word the other one", .argument = ArgumentKind::Text, .run = toggle_theme, .group = "look"},
    {.id = "view.larger", .title = "Larger text", .menu = "View", .default_shortcut = "Ctrl+=", .help = "", .run = larger, .group = "look"},
    {.id = "view.smaller", .title = "Smaller text", .menu = "View", .default_shortcut = "Ctrl+-", .help = "", .run = smaller, .group = "look"},
    {.id = "view.normal_size", .title = "Normal text size", .menu = "View", .default_shortcut = "Ctrl+0", .help = "", .run = normal_size, .group = "look"},
    {.id = "view.pane", .title = "Show pane", .menu = "", .help = "Bring a pane to front: modules, signature, marks, node, tensor, source, timeline, watch, breakpoints, compare, problems or log", .argument = ArgumentKind::Text, .run = show_pane},
};

}  // namespace

std::span<const Command> view_commands() { return kCommands; }

}  // namespace pt2::views
