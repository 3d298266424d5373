// Two programs side by side: running both, walking over differences, pairs set by hand, reports; and minimal reproductions.
#include <algorithm>
#include <charconv>
#include <fstream>

#include "core/base/display.h"
#include "core/base/file_writer.h"
#include "interp/repro.h"
#include "interp/run_failures.h"
#include "views/commands/availability.h"
#include "views/commands/command_registry.h"
#include "views/commands/words.h"
#include "views/workspace/comparison.h"
#include "views/workspace/debug_session.h"

namespace pt2::views {

namespace {

Comparison& pair_of(CommandContext& c) { return c.workspace.comparison; }

Availability needs_comparison(const Workspace& w) { return {w.comparison.active() ? "" : "no two programs are compared"}; }
Availability needs_result(const Workspace& w) {
  if (Availability a = needs_comparison(w); !a.enabled()) return a;
  return {w.comparison.result ? "" : "the programs are still being compared"};
}
Availability needs_no_run(const Workspace& w) {
  if (Availability a = needs_result(w); !a.enabled()) return a;
  return {w.comparison.asked && !w.comparison.result->outcome ? "both are running" : ""};
}
Availability needs_numbers(const Workspace& w) {
  if (Availability a = needs_result(w); !a.enabled()) return a;
  return {w.comparison.result->numbers() ? "" : "the programs were not run yet: Compare, Run both"};
}
Availability needs_two_programs(const Workspace& w) {
  const Document* document = w.active();
  return {document && document->file() && document->file()->programs.size() > 1 ? "" : "the file holds one program"};
}
Availability needs_both_selected(const Workspace& w) {
  if (Availability a = needs_result(w); !a.enabled()) return a;
  const auto [left, right] = link_candidates(w);
  return {left.node && right.node ? "" : "click a node on each side"};
}
Availability needs_side(const Workspace& w) {
  if (Availability a = needs_result(w); !a.enabled()) return a;
  return {w.active_id() == w.comparison.left || w.active_id() == w.comparison.right ? "" : "no compared program is shown"};
}
Availability needs_node_of_side(const Workspace& w) {
  if (Availability a = needs_side(w); !a.enabled()) return a;
  return {w.active()->selection.current().shown().node ? "" : "no node of a compared program is selected"};
}
Availability needs_group(const Workspace& w) {
  if (Availability a = needs_result(w); !a.enabled()) return a;
  return {selected_group(w, *w.comparison.result->diff) ? "" : "no node of a group is selected"};
}

// Without a path the dialog asks for one and runs the command again. `ending` is that of the name proposed; empty: an existing file.
bool asked_for_path(CommandContext& c, const CommandArgument& a, const char* command, const char* title, const std::string& ending = {}) {
  if (!text_argument(a).empty()) return false;
  const Document* document = c.workspace.document(pair_of(c).active() ? pair_of(c).left : c.workspace.active_id());
  std::string name = document ? document->path.substr(document->path.rfind('/') + 1) : std::string();
  if (name.ends_with(".pt2")) name.resize(name.size() - 4);
  c.workspace.ui.dialog = "path";
  c.workspace.ui.path = {command, title, ending.empty() ? "" : name + ending, !ending.empty()};
  return true;
}
std::string error_text(const Error& error) { return error.message + (error.where.empty() ? "" : ": " + error.where); }

// Files are written by a job; the text is made there too. `said` is shown where it worked.
template <class Text>
void write_file_job(CommandContext& c, const std::string& path, std::string said, Text text) {
  c.workspace.jobs().submit(
      "write " + path, "Writing " + path,
      [path, text = std::move(text)](Job&) { return write_file(path, text()); },
      [workspace = &c.workspace, said = std::move(said)](Result<void> done) {
        if (!done) workspace->toast(error_text(done.error()), LogLevel::Error);
        else if (!said.empty()) workspace->toast(said);
      });
}

void two_programs(CommandContext& c, const CommandArgument&) {
  const Document& document = *c.document;
  for (const auto& program : document.file()->programs)
    if (program.get() != document.program()) {
      const DocumentId left = document.id;
      c.workspace.compare(left, c.workspace.open(document.path + "#" + program->name));
      c.workspace.ui.shown_pane = "compare";
      return;
    }
}
void swap_sides(CommandContext& c, const CommandArgument&) {
  c.workspace.swap_sides();
  pair_of(c).mapping = turned(pair_of(c).mapping);
  keep_pairs(c.workspace);
}
void leave(CommandContext& c, const CommandArgument&) {
  pair_of(c) = {};
  c.workspace.ui.layout = Layout::Browse;
  c.workspace.ui.left = true;
  c.workspace.ui.bottom = false;
}

// With the inputs that A has now.
void ask_both(Workspace& workspace) {
  Comparison& pair = workspace.comparison;
  pair.asked = std::make_shared<const interp::CompareRunsRequest>(run_of_both(workspace));
  ++pair.runs;
  pair.stepping = false;
}
void run_both(CommandContext& c, const CommandArgument&) {
  ask_both(c.workspace);
  c.workspace.ui.shown_pane = "compare";
}
void isolate(CommandContext& c, const CommandArgument&) {
  if (!pair_of(c).asked) ask_both(c.workspace);
  pair_of(c).isolate = true;
  pair_of(c).stepping = false;  // it judges all groups
}
void weights(CommandContext& c, const CommandArgument&) { pair_of(c).weights = true; }

void walk(CommandContext& c, bool forward) {
  const ComparisonResult& result = *pair_of(c).result;
  const auto group = next_difference(result, selected_group(c.workspace, *result.diff), forward);
  if (group) select_group(c.workspace, *result.diff, *group);
  else c.workspace.toast("The programs do not differ");
}
void next(CommandContext& c, const CommandArgument&) { walk(c, true); }
void previous(CommandContext& c, const CommandArgument&) { walk(c, false); }
// The counterpart of a node in the other graph, near enough to be read, and the keyboard there.
void find_match(CommandContext& c, const CommandArgument& a) {
  const Comparison& pair = pair_of(c);
  const bool left = c.document->id == pair.left;
  const NodeRef node = node_argument(a).node ? node_argument(a) : c.document->selection.current().shown();
  std::vector<NodeRef> others = counterparts(*pair.result->diff, left, node);
  Document* other = c.workspace.document(left ? pair.right : pair.left);
  if (others.empty() || !other) return c.workspace.toast("It has no counterpart in " + std::string(left ? "B" : "A"), LogLevel::Info);
  const Program &own = left ? *pair.result->left : *pair.result->right, &theirs = left ? *pair.result->right : *pair.result->left;
  std::stable_partition(others.begin(), others.end(), [closest = closest_counterpart(*pair.result->diff, left, own, node, theirs)](NodeRef ref) { return ref == closest; });
  go_to(*other, selection_of_group(others));
  c.workspace.activate(other->id);
  c.workspace.ui.focus = left ? "centre.b" : "centre";
}
void first_divergence(CommandContext& c, const CommandArgument&) {
  const ComparisonResult& result = *pair_of(c).result;
  const auto group = interp::first_arising(*result.numbers());
  if (!group) {
    if (const auto failed = interp::failed_group(*result.numbers())) select_group(c.workspace, *result.diff, *failed);
    return c.workspace.toast(result.verdict);
  }
  select_group(c.workspace, *result.diff, *group);
  if (group != result.numbers()->first_divergence) c.workspace.toast("Up to " + group_name(result, *group) + " the types explain all differences");
}

// Lockstep: a cursor over the groups, in the order they ran, that stops where the numbers part.
std::string parted_text(const ComparisonResult& result, size_t group) {
  return group_name(result, group) + ": " + interp::group_numbers_text(*result.left, result.numbers()->groups[group]);
}
// What was said of the group that is left no longer stands.
void leave_step(CommandContext& c) {
  Comparison& pair = pair_of(c);
  if (pair.stepping && pair.step && *pair.step < pair.result->numbers()->groups.size())
    std::erase_if(c.workspace.toasts, [said = parted_text(*pair.result, *pair.step)](const Toast& toast) { return toast.text == said; });
  pair.step.reset();
}
void step_to(CommandContext& c, std::optional<size_t> group) {
  Comparison& pair = pair_of(c);
  leave_step(c);
  pair.stepping = true;
  pair.step = group;
  if (!group) return;
  select_group(c.workspace, *pair.result->diff, *group);
  if (pair.result->numbers()->groups[*group].equal == false) c.workspace.toast(parted_text(*pair.result, *group));
}
// Where the cursor stands in the order of the groups; none: before the first.
std::optional<size_t> step_position(const Comparison& pair) {
  return pair.stepping && pair.step ? std::optional(pair.result->numbers()->position(*pair.step)) : std::nullopt;
}
void step(CommandContext& c, const CommandArgument&) {
  const auto& order = pair_of(c).result->numbers()->order;
  const auto at = step_position(pair_of(c));
  const size_t next = at ? *at + 1 : 0;
  if (next < order.size()) step_to(c, order[next]);
  else c.workspace.toast("That was the last group");
}
void step_back(CommandContext& c, const CommandArgument&) {
  const auto& order = pair_of(c).result->numbers()->order;
  const auto at = step_position(pair_of(c));
  step_to(c, at && *at > 0 ? std::optional(order[*at - 1]) : std::nullopt);
}
void run_to_divergence(CommandContext& c, const CommandArgument&) {
  const interp::RunComparison& numbers = *pair_of(c).result->numbers();
  const auto at = step_position(pair_of(c));
  for (size_t i = at ? *at + 1 : 0; i < numbers.order.size(); ++i)
    if (numbers.groups[numbers.order[i]].equal == false) return step_to(c, numbers.order[i]);
  if (!numbers.order.empty()) step_to(c, numbers.order.back());
  const bool outputs = !numbers.first_divergence && !interp::numbers_agree(numbers);
  c.workspace.toast(outputs ? pair_of(c).result->verdict : "No further group is beyond the tolerance");
}
void show_all(CommandContext& c, const CommandArgument&) {
  leave_step(c);
  pair_of(c).stepping = false;
}

void only_differences(CommandContext& c, const CommandArgument& a) {
  pair_of(c).only_differences = switch_argument(c, a, pair_of(c).only_differences).value_or(pair_of(c).only_differences);
  fold_equal_modules(c.workspace, pair_of(c).only_differences);
}
void sync(CommandContext& c, const CommandArgument& a) {
  CompareSync& now = pair_of(c).sync;
  const auto wanted = text_argument(a).empty() ? (size_t(now) + 1) % 3 : word_argument(c, a, {"by_match", "locked", "off"});
  if (!wanted) return;
  now = CompareSync(*wanted);
  constexpr const char* kSaid[] = {"The graphs move by match", "The graphs move together", "The graphs move apart"};
  c.workspace.toast(kSaid[size_t(now)]);
}
void links(CommandContext& c, const CommandArgument&) { pair_of(c).all_links = !pair_of(c).all_links; }

std::pair<std::string, std::string> selected_pair(const Workspace& w) {
  const Document *left = w.document(w.comparison.left), *right = w.document(w.comparison.right);
  const auto nodes = link_candidates(w);
  return {qualified_name(*left->program(), nodes.first), qualified_name(*right->program(), nodes.second)};
}
// A file of pairs with these in it: its comments stay, and the lines of those that are still set.
std::string updated_pairs(const std::string& path, const Mapping& mapping) {
  std::ifstream in(path, std::ios::binary);
  if (!in || !read_mapping(path)) return mapping_text(mapping);
  Mapping added = mapping;
  std::string text;
  for (std::string line; std::getline(in, line);) {
    const Result<Mapping> pair = parse_mapping(line, path);
    size_t set = 0;
    for (const auto& names : pair->linked) set += std::erase(added.linked, names);
    for (const auto& names : pair->unlinked) set += std::erase(added.unlinked, names);
    if (set || pair->empty()) text += line + "\n";
  }
  const std::string lines = mapping_text(added);
  return text + (text.empty() ? lines : lines.substr(lines.find('\n') + 1));
}
void write_mapping(CommandContext& c, std::string said) {
  keep_pairs(c.workspace);
  const std::string path = pair_of(c).mapping_file;
  if (!path.empty()) write_file_job(c, path, std::move(said), [path, mapping = pair_of(c).mapping] { return updated_pairs(path, mapping); });
}
void link(CommandContext& c, const CommandArgument&) {
  const auto names = selected_pair(c.workspace);
  Mapping& mapping = pair_of(c).mapping;
  std::erase(mapping.unlinked, names);
  if (std::find(mapping.linked.begin(), mapping.linked.end(), names) == mapping.linked.end()) mapping.linked.push_back(names);
  pair_of(c).picked_left = pair_of(c).picked_right = {};
  c.workspace.toast("Linked " + names.first + " with " + names.second);
  write_mapping(c, {});
}
// Every pair of the selected group is taken apart; a pair linked by hand is simply forgotten.
void unlink(CommandContext& c, const CommandArgument&) {
  const ComparisonResult& result = *pair_of(c).result;
  const NodeGroup& group = result.diff->groups[*selected_group(c.workspace, *result.diff)];
  Mapping& mapping = pair_of(c).mapping;
  std::vector<std::pair<std::string, std::string>> pairs;
  for (NodeRef l : group.left)
    for (NodeRef r : group.right) pairs.emplace_back(qualified_name(*result.left, l), qualified_name(*result.right, r));
  if (pairs.empty()) return c.workspace.toast("It has no counterpart to be taken apart from", LogLevel::Info);
  size_t forgotten = 0;
  for (const auto& names : pairs) forgotten += std::erase(mapping.linked, names);
  if (forgotten == 0) mapping.unlinked.insert(mapping.unlinked.end(), pairs.begin(), pairs.end());
  c.workspace.toast((forgotten ? "The pair set by hand is forgotten: " : "Unlinked ") + interp::group_names_cut(*result.left, group.left) + (forgotten ? " and " : " from ") + interp::group_names_cut(*result.right, group.right));
  write_mapping(c, {});
}
// Files stay as they are: what is set from now on is another list.
void forget_links(CommandContext& c, const CommandArgument&) {
  Comparison& pair = pair_of(c);
  if (!pair.mapping_file.empty()) c.workspace.toast("Pairs are forgotten; " + pair.mapping_file + " stays as it is");
  pair.mapping = {};
  pair.mapping_file.clear();
  keep_pairs(c.workspace);
}
void save_mapping(CommandContext& c, const CommandArgument& a) {
  if (asked_for_path(c, a, "compare.save_mapping", "Keep pairs in a file", ".map")) return;
  pair_of(c).mapping_file = text_argument(a);
  write_mapping(c, "Pairs are kept in " + pair_of(c).mapping_file);
}
void load_mapping(CommandContext& c, const CommandArgument& a) {
  if (asked_for_path(c, a, "compare.load_mapping", "Take pairs from a file")) return;
  const std::string path = text_argument(a);
  c.workspace.jobs().submit("read " + path, "Reading " + path, [path](Job&) { return read_mapping(path); }, [workspace = &c.workspace, path](Result<Mapping> mapping) {
    if (!mapping) return workspace->toast(error_text(mapping.error()), LogLevel::Error);
    workspace->comparison.mapping = std::move(*mapping);
    workspace->comparison.mapping_file.clear();  // a file that is only read is never written
    keep_pairs(*workspace);
  });
}

void export_report(CommandContext& c, const CommandArgument& a) {
  if (asked_for_path(c, a, "compare.export", "Export the comparison (.md, .csv, .json)", ".compare.md")) return;
  const std::string path = text_argument(a);
  auto* made = path.ends_with(".json") ? interp::comparison_json : path.ends_with(".csv") ? interp::comparison_csv : path.ends_with(".md") ? interp::comparison_markdown : nullptr;
  if (!made) return c.workspace.toast("The name's ending says what is written: .md, .csv or .json", LogLevel::Warning);
  write_file_job(c, path, "Written to " + path, [made, result = pair_of(c).result, view = pair_of(c).result->view(c.workspace)] { return made(view); });
}

// Reproductions run programs, so they are jobs; the outcome is a toast.
template <class Work>
void write_repro_job(CommandContext& c, const std::string& folder, Work work) {
  c.workspace.jobs().submit("repro " + folder, "Writing a reproduction", std::move(work), [workspace = &c.workspace, folder](Result<interp::Repro> repro) {
    if (!repro) return workspace->toast(repro.error().message + (repro.error().advice.empty() ? "" : ". " + repro.error().advice), LogLevel::Error);
    std::string text = "Written to " + folder + ": " + std::to_string(repro->files.size()) + " files";
    for (const std::string& note : repro->notes) text += "; " + note;
    workspace->toast(std::move(text));
  });
}
void repro_group(CommandContext& c, const CommandArgument& a) {
  if (asked_for_path(c, a, "compare.repro", "Folder for the reproduction", ".repro")) return;
  const auto result = pair_of(c).result;
  const size_t group = *selected_group(c.workspace, *result->diff);
  const std::string folder = text_argument(a);
  write_repro_job(c, folder, [result, group, folder, asked = pair_of(c).asked ? *pair_of(c).asked : run_of_both(c.workspace)](Job& job) {
    interp::CompareRunsRequest request = asked;
    request.stop = job.stop();
    return interp::write_group_repro({result->left_file.get(), result->left}, {result->right_file.get(), result->right}, *result->diff, group, request, folder);
  });
}

// The nodes a reproduction is written of: the selected ones, or those of the selected module.
std::vector<NodeRef> selected_nodes(const Document& document) {
  const Selection& selection = document.selection.current();
  std::vector<NodeRef> nodes;
  if (selection.module) {
    const auto& modules = document.program()->modules.modules;
    std::vector<ModuleId> pending{selection.module};
    while (!pending.empty()) {
      const Module& module = modules[pending.back()];
      pending.pop_back();
      for (NodeId id : module.nodes) nodes.push_back({document.program()->root(), id});
      pending.insert(pending.end(), module.children.begin(), module.children.end());
    }
  } else if (selection.shown().node) {
    nodes.push_back(selection.shown());
    nodes.insert(nodes.end(), selection.others.begin(), selection.others.end());
  }
  return nodes;
}
Availability needs_selected_nodes(const Workspace& w) {
  if (Availability a = needs_program(w); !a.enabled()) return a;
  return {selected_nodes(*w.active()).empty() ? "no node and no module is selected" : ""};
}
void repro_selection(CommandContext& c, const CommandArgument& a) {
  if (asked_for_path(c, a, "debug.repro", "Folder for the reproduction", ".repro")) return;
  const auto& loaded = std::get<Loaded>(c.document->state);
  const std::string folder = text_argument(a);
  interp::RunRequest run;
  if (c.document->debug) {  // the inputs chosen for this program
    run.inputs = c.document->debug->request;
    run.seed = run.inputs.seed.value_or(0);
  }
  const std::vector<NodeRef> nodes = selected_nodes(*c.document);
  std::string call;  // the one whose values are shown
  if (const auto shown = c.document->debug ? c.document->debug->debugger()->shown(nodes[0]) : std::nullopt) call = c.document->debug->debugger()->trace().frames()[shown->frame].path;
  const interp::Edits edits = c.document->debug ? c.document->debug->debugger()->edits() : interp::Edits();
  write_repro_job(c, folder, [file = loaded.file, program = loaded.program, nodes, call, run, folder, edits](Job& job) mutable {
    run.stop = job.stop();
    return interp::write_repro(*file, program, nodes, run, folder, call, edits);
  });
}

bool only_on(const Workspace& w) { return w.comparison.only_differences; }
bool links_on(const Workspace& w) { return w.comparison.all_links; }
bool run_on(const Workspace& w) { return w.comparison.asked != nullptr; }
bool isolate_on(const Workspace& w) { return w.comparison.isolate; }

// A group by its number, as a row of the pane has it.
void go_to_group(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a);
  size_t group = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), group);
  if (read.ec == std::errc() && group < pair_of(c).result->diff->groups.size()) select_group(c.workspace, *pair_of(c).result->diff, group);
  else c.workspace.toast("There is no group " + display(text), LogLevel::Warning);
}

constexpr Command kCommands[] = {
    {.id = "compare.two_programs", .title = "Two programs of this file", .menu = "Compare", .help = "Put the file's other program beside this one", .availability = needs_two_programs, .run = two_programs, .group = "open"},
    {.id = "compare.swap", .title = "Swap sides", .menu = "Compare", .help = "A becomes B", .availability = needs_comparison, .run = swap_sides, .group = "open"},
    {.id = "compare.close", .title = "Stop comparing", .menu = "Compare", .help = "Show one program at a time again", .availability = needs_comparison, .run = leave, .group = "open"},
    {.id = "compare.next", .title = "Next difference", .menu = "Compare", .default_shortcut = "F8", .help = "The next group that is not the same, or whose numbers differ", .availability = needs_result, .run = next, .group = "walk"},
    {.id = "compare.previous", .title = "Previous difference", .menu = "Compare", .default_shortcut = "Shift+F8", .help = "", .availability = needs_result, .run = previous, .group = "walk"},
    {.id = "compare.group", .title = "Go to group", .menu = "", .help = "Select a group of the Compare pane, by its number, on both sides", .argument = ArgumentKind::Text, .availability = needs_result, .run = go_to_group},
    {.id = "compare.find_match", .title = "Find match", .menu = "Compare", .help = "The counterpart of the node in the other graph, near enough to be read", .argument = ArgumentKind::Node, .availability = needs_node_of_side, .availability_with_argument = needs_side, .run = find_match, .group = "walk"},
    {.id = "compare.only_differences", .title = "Only differences", .menu = "Compare", .help = "Fold modules without a difference and list only what differs; on or off", .argument = ArgumentKind::Text, .availability = needs_result, .run = only_differences, .checked = only_on, .group = "walk"},
    {.id = "compare.run", .title = "Run both", .menu = "Compare", .help = "On the inputs set for A (or for B, where A has none), aligned by the signatures; then every group has numbers", .availability = needs_no_run, .run = run_both, .checked = run_on, .group = "numbers"},
    {.id = "compare.isolate", .title = "Judge groups alone", .menu = "Compare", .help = "Run B again, each group on A's values: does a difference arise there, or is it carried in?", .availability = needs_result, .run = isolate, .checked = isolate_on, .group = "numbers"},
    {.id = "compare.first_divergence", .title = "First divergence", .menu = "Compare", .help = "The first group, in the order they ran, whose numbers differ by more than the tolerance", .availability = needs_numbers, .run = first_divergence, .group = "numbers"},
    {.id = "compare.step", .title = "Step group by group", .menu = "Compare", .default_shortcut = "Ctrl+F8", .help = "Both programs over one group", .availability = needs_numbers, .run = step, .group = "lockstep"},
    {.id = "compare.step_back", .title = "Step one group back", .menu = "Compare", .help = "", .availability = needs_numbers, .run = step_back, .group = "lockstep"},
    {.id = "compare.run_to_divergence", .title = "Run to the next divergence", .menu = "Compare", .help = "Both programs on, until a group is beyond the tolerance", .availability = needs_numbers, .run = run_to_divergence, .group = "lockstep"},
    {.id = "compare.show_all", .title = "Show all numbers", .menu = "Compare", .help = "Leave lockstep", .availability = needs_numbers, .run = show_all, .group = "lockstep"},
    {.id = "compare.weights", .title = "Compare weights", .menu = "Compare", .help = "Weights and constants by name", .availability = needs_result, .run = weights, .group = "numbers"},
    {.id = "compare.link", .title = "Link the two selected nodes", .menu = "Compare", .help = "They belong together, whatever the evidence says", .availability = needs_both_selected, .run = link, .group = "pairs"},
    {.id = "compare.unlink", .title = "Unlink the selected group", .menu = "Compare", .help = "Its nodes do not belong together", .availability = needs_group, .run = unlink, .group = "pairs"},
    {.id = "compare.forget_links", .title = "Forget pairs set by hand", .menu = "Compare", .help = "A file they are kept in or came from stays as it is", .availability = needs_comparison, .run = forget_links, .group = "pairs"},
    {.id = "compare.save_mapping", .title = "Keep pairs in a file…", .menu = "Compare", .help = "As compare --map reads it; later pairs are added to it", .argument = ArgumentKind::Path, .availability = needs_comparison, .run = save_mapping, .group = "pairs"},
    {.id = "compare.load_mapping", .title = "Take pairs from a file…", .menu = "Compare", .help = "The file is only read", .argument = ArgumentKind::Path, .availability = needs_comparison, .run = load_mapping, .group = "pairs"},
    {.id = "compare.sync", .title = "Move graphs by match, together, apart", .menu = "Compare", .help = "How pan, zoom and folding of one graph move the other: by_match, locked or off; without a word the next of them", .argument = ArgumentKind::Text, .availability = needs_comparison, .run = sync, .group = "look"},
    {.id = "compare.links", .title = "Lines to all changed nodes", .menu = "Compare", .help = "Between the graphs; else only for the selection", .availability = needs_comparison, .run = links, .checked = links_on, .group = "look"},
    {.id = "compare.export", .title = "Export the comparison…", .menu = "Compare", .help = "To .md, .csv or .json", .argument = ArgumentKind::Path, .availability = needs_result, .run = export_report, .group = "files"},
    {.id = "compare.repro", .title = "Write a reproduction of the group…", .menu = "Compare", .help = "Both sides as small .pt2 files with their inputs, and a script for PyTorch", .argument = ArgumentKind::Path, .availability = needs_group, .run = repro_group, .group = "files"},
    {.id = "debug.repro", .title = "Write a reproduction of the selection…", .menu = "Run", .help = "The selected nodes or module as a small .pt2 with recorded inputs, and a script for PyTorch", .argument = ArgumentKind::Path, .availability = needs_selected_nodes, .run = repro_selection, .group = "repro"},
};

}  // namespace

std::span<const Command> compare_commands() { return kCommands; }

}  // namespace pt2::views
