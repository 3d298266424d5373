#include "views/workspace/document.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/diff/diff.h"
#include "core/graph/results.h"
#include "interp/value_names.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/run_facts.h"
#include "views/workspace/search.h"
#include "views/workspace/unlifted_form.h"

namespace pt2::views {

Document::Document() = default;
Document::~Document() = default;
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;

std::string Document::title() const {
  std::string name = std::filesystem::path(path).filename().string();
  auto* l = std::get_if<Loaded>(&state);
  if (!program_name.empty()) name += "#" + program_name;
  else if (l && l->program && l->file->programs.size() > 1) name += "#" + l->program->name;
  return name;
}

std::string Document::pairs_key() const {
  std::error_code error;
  return std::filesystem::absolute(path, error).lexically_normal().string() + "#" + (program() ? program()->name : program_name);
}

const ScopeTree* Document::scopes() const {
  if (const UnliftedForm* form = unlifted()) return form->scopes.get();
  auto* l = std::get_if<Loaded>(&state);
  return l ? l->scopes.get() : nullptr;
}

void reveal(Document& document, NodeRef node) {
  if (const UnliftedForm* form = document.unlifted()) node = form->here(node);
  if (node.node) reveal(document.graph, *document.scopes(), node);
}

namespace {

bool lifted(const Program& program, NodeId placeholder) {
  const auto& inputs = program.signature.inputs;
  return std::any_of(inputs.begin(), inputs.end(), [&](const InputSpec& i) { return i.node == placeholder && i.kind != InputKind::UserInput && i.kind != InputKind::Token; });
}

// The node that must be in sight for another one to be seen: of a parameter its first reader. The program's inputs are seen wherever one is: none.
NodeRef where_seen(const Program& program, NodeRef ref) {
  if (program.node(ref).kind != NodeKind::Placeholder || ref.graph != program.root()) return ref;
  const auto readers = program.graphs[ref.graph].users(ref.node);
  return lifted(program, ref.node) && !readers.empty() ? NodeRef{ref.graph, readers[0]} : NodeRef{};
}

bool is_in(const Program& program, ModuleId module, ModuleId outer) {
  const auto& modules = program.modules.modules;
  while (module != outer && modules.contains(module)) module = modules[module].parent;
  return module == outer;
}

// A module is seen by any of its nodes.
void unhide_module(std::set<NodeRef>& hidden, const Program& program, ModuleId module) {
  std::vector<NodeRef> inside;
  for (size_t g = 0; g < program.graphs.size(); ++g)
    for (size_t n = 0; n < program.graphs[GraphId(g)].nodes().size(); ++n)
      if (const NodeRef ref{GraphId(g), NodeId(n)}; is_in(program, program.node(ref).module, module)) inside.push_back(ref);
  if (std::all_of(inside.begin(), inside.end(), [&](NodeRef ref) { return hidden.contains(ref); }))
    for (const NodeRef ref : inside) hidden.erase(ref);
}

// What is gone to comes back where it was hidden: a node with the calls whose result it is.
void unhide(Document& document, const Selection& selection) {
  std::set<NodeRef>& hidden = document.graph.hidden;
  if (hidden.empty()) return;
  const Program& program = *document.program();
  if (selection.module) return unhide_module(hidden, program, selection.module);
  for (NodeRef ref = selection.shown(); ref.node;) {
    hidden.erase(ref);
    hidden.erase(where_seen(program, ref));
    const Node& node = program.node(ref);
    NodeId call;
    if (is_getitem(node))
      for (const NodeArgument& input : node.inputs) for_each_node(input.value, [&](NodeId id) { call = id; });
    ref = call ? NodeRef{ref.graph, call} : NodeRef();
  }
}

}  // namespace

void go_to(Document& document, const Selection& selection, std::string_view origin) {
  if (document.program()) unhide(document, selection);
  if (const ScopeTree* tree = document.scopes()) {
    const UnliftedForm* form = document.unlifted();
    const NodeRef shown = selection.shown(), seen = shown.node ? where_seen(*document.program(), shown) : NodeRef();
    const NodeRef node = !form ? seen : selection.unlifted ? NodeRef{form->program->root(), selection.unlifted} : form->here(seen);
    if (node.node) show_inside(document.graph, *tree, tree->scope_of(node));
    else if (selection.module && !tree->scopes_of(selection.module).empty()) show_inside(document.graph, *tree, (*tree)[tree->scopes_of(selection.module).front()].parent);
  }
  document.selection.select(selection, origin);
  document.camera = {CameraRequest::Kind::ReadSelection, document.camera.revision + 1};
}

GraphView initial_view(const Document& document) {
  const UnliftedForm* form = document.unlifted();
  return initial_view(form ? *form->program : *document.program(), *document.scopes());
}

NodeRef find_node(const Program& program, std::string_view name) { return interp::find_value(program, name); }

std::string node_path(const Program& program, NodeRef ref) { return ref.node ? qualified_name(program, ref) : std::string(); }

std::string shown_name(const Document& document, const Selection& selection) {
  const UnliftedForm* form = document.unlifted();
  const NodeRef shown = selection.shown(), here = !form ? NodeRef() : selection.unlifted ? NodeRef{form->program->root(), selection.unlifted} : form->here(shown);
  return here.node ? form_name(*form, here) : node_path(*document.program(), shown);
}

SearchHit find_in_form(const Document& document, std::string_view name) {
  const UnliftedForm* form = document.unlifted();
  if (!form) return {};
  const Graph& graph = form->program->root_graph();
  for (size_t i = 0; i < graph.nodes().size(); ++i)
    if (const NodeRef here{form->program->root(), NodeId(i)}; graph.node(here.node).name == name || form_name(*form, here) == name) {
      const NodeRef original = form->original(here);
      return {original.node ? original : NodeRef(), original.node ? NodeId() : here.node};
    }
  return {};
}

namespace {

bool asks_for_run(const SearchQuery& query) {
  return std::any_of(query.terms.begin(), query.terms.end(), [](const SearchTerm& t) { return t.field == SearchField::NaN || t.field == SearchField::Inf || t.field == SearchField::Time; });
}

uint64_t run_revision(const Document& document) { return document.debug && document.debug->facts() ? document.debug->facts()->revision() : 0; }

// What the run knows of nodes: of one that ran several times, whether any of its values holds NaN or Inf, and the longest.
SearchFacts run_facts_of(const Document& document, const SearchQuery& query) {
  if (!asks_for_run(query) || !document.debug || !document.debug->debugger()) return {};
  const interp::Debugger& debugger = *document.debug->debugger();
  const RunFacts* facts = document.debug->facts();
  struct Known { bool nan = false, inf = false; double us = 0; };
  auto known = std::make_shared<std::map<NodeRef, Known>>();
  for (const interp::StepTrace& step : debugger.trace().steps()) {
    Known& node = (*known)[document.debug->node_of(step.at)];
    if (const ValueFact* fact = facts ? facts->find(step.at) : nullptr) {
      node.nan = node.nan || fact->nan > 0;
      node.inf = node.inf || fact->nonfinite > fact->nan;
    }
    node.us = std::max(node.us, step.run.elapsed_us);
  }
  auto find = [known](NodeRef ref) { return known->find(ref) == known->end() ? nullptr : &known->at(ref); };
  return {[find](NodeRef ref) { const Known* node = find(ref); return node ? std::optional(node->nan) : std::nullopt; },
          [find](NodeRef ref) { const Known* node = find(ref); return node ? std::optional(node->inf) : std::nullopt; },
          [find](NodeRef ref) { const Known* node = find(ref); return node ? std::optional(node->us) : std::nullopt; }, {}};
}

}  // namespace

void run_search(Document& document, const std::string& query) {
  Search& search = document.search;
  search.query = query;
  search.hits.clear();
  search.index.reset();
  search.error.clear();
  search.run_revision = run_revision(document);
  if (!document.program()) return;
  const SearchQuery parsed = parse_search_query(query, search.match_case);
  search.error = parsed.problem;
  // "No hit" would read as "no NaN".
  if (search.error.empty() && asks_for_run(parsed) && (!document.debug || !document.debug->debugger() || document.debug->debugger()->trace().steps().empty()))
    search.error = "run the program first: nan:, inf: and time: are about values of a run";
  const UnliftedForm* form = document.unlifted();
  SearchFacts facts = run_facts_of(document, parsed);
  if (!form) {
    for (const NodeRef ref : search_nodes(*document.program(), parsed, facts)) search.hits.push_back({ref, {}});
    return;
  }
  // By the names of the form, of which the run knows nothing.
  const auto of_original = [form](auto fact) { return !fact ? fact : decltype(fact)([form, fact](NodeRef here) { return fact(form->original(here)); }); };
  facts = {of_original(facts.has_nan), of_original(facts.has_inf), of_original(facts.time_us), [&document, form](NodeRef here) { return node_path(*document.program(), form->original(here)); }};
  for (const NodeRef here : search_nodes(*form->program, parsed, facts)) {
    const NodeRef original = form->original(here);
    search.hits.push_back({original.node ? original : NodeRef(), original.node ? NodeId() : here.node});
  }
}

void refresh_search(Document& document) {
  Search& search = document.search;
  if (search.query.empty() || search.run_revision == run_revision(document) || (document.debug && document.debug->state == RunState::Running)) return;
  if (!asks_for_run(parse_search_query(search.query, search.match_case))) return void(search.run_revision = run_revision(document));
  const std::optional<SearchHit> active = search.index ? std::optional(search.hits[*search.index]) : std::nullopt;
  run_search(document, search.query);
  for (size_t i = 0; active && i < search.hits.size(); ++i)
    if (search.hits[i] == *active) search.index = i;
}

void step_search(Document& document, int direction) {
  Search& search = document.search;
  const size_t count = search.hits.size();
  if (count == 0) return;
  search.index = !search.index ? (direction > 0 ? 0 : count - 1) : (*search.index + count + direction) % count;
  const SearchHit& hit = search.hits[*search.index];
  go_to(document, hit.unlifted ? Selection::of_unlifted(hit.unlifted) : Selection::of_node(hit.node));
}

}  // namespace pt2::views
