// `compare`: what became what between two programs and, with inputs, where their numbers part.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cinttypes>
#include <fstream>
#include <map>
#include <set>

#include "app/cli/json_output.h"
#include "app/cli/repro_output.h"
#include "app/cli/subcommands.h"
#include "core/base/display.h"
#include "core/diff/diff.h"
#include "core/load.h"
#include "interp/compare_runs.h"

namespace pt2::app {

namespace {

struct Options {
  std::string left, right, inputs, map, only, format = "text", repro, folder;
  std::vector<std::string> input;
  std::optional<uint64_t> seed;
  std::optional<double> rtol, atol;
  bool weights = false, json = false;
};

struct Side {
  std::string path;
  std::shared_ptr<const OpenedFile> file;
  std::shared_ptr<const Program> program;
};

struct WeightChange { std::string name; interp::ValueDifference difference; std::string problem; };

// Everything that can be said; numbers and weights where they were asked for.
struct Answer {
  Diff diff;
  std::optional<interp::RunComparison> numbers;
  std::vector<WeightChange> weights;   // those that differ
  size_t weights_compared = 0;
};

int fail_usage(const std::string& message) {
  std::fprintf(stderr, "error: %s\n", display(message).c_str());
  return kUsage;
}

int open_side(const std::string& argument, Side& side) {
  const auto [path, name] = split_program_name(argument);
  side.path = path;
  auto file = open_file(path);
  if (!file) return report(path, file.error());
  side.file = *file;
  side.program = side.file->program(name);
  if (side.program) return kDone;
  std::string names;
  for (const auto& program : side.file->programs) names += (names.empty() ? "" : ", ") + program->name;
  return report(path, {ErrorKind::CannotOpen, name.empty() ? "the file holds no program" : "there is no program \"" + name + "\"", "",
                       names.empty() ? "" : "It holds: " + names + "."});
}

// A line of a mapping file is `LEFT = RIGHT` (the two belong together) or `LEFT ! RIGHT` (they do not), with the names of the groups.
Result<void> read_mapping(const std::string& path, const Program& left, const Program& right, DiffOptions& matching) {
  std::ifstream in(path);
  if (!in) return Error{ErrorKind::CannotOpen, "the mapping file cannot be read", path, ""};
  auto index = [](const Program& program) {
    std::map<std::string, NodeRef> nodes;
    for (size_t g = 0; g < program.graphs.size(); ++g)
      for (size_t i = 0; i < program.graphs[GraphId(g)].nodes().size(); ++i) {
        const NodeRef ref{GraphId(g), NodeId(i)};
        nodes.emplace(qualified_name(program, ref), ref);
      }
    return nodes;
  };
  const auto lnodes = index(left), rnodes = index(right);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    line = line.substr(0, line.find('#'));
    const size_t at = line.find_first_of("=!");
    auto trimmed = [](std::string s) {
      s.erase(0, s.find_first_not_of(" \t\r"));
      s.erase(s.find_last_not_of(" \t\r") + 1);
      return s;
    };
    if (trimmed(line).empty()) continue;
    const std::string where = path + ":" + std::to_string(number);
    if (at == std::string::npos) return Error{ErrorKind::CannotOpen, "expected LEFT = RIGHT or LEFT ! RIGHT", where, ""};
    const auto l = lnodes.find(trimmed(line.substr(0, at))), r = rnodes.find(trimmed(line.substr(at + 1)));
    if (l == lnodes.end() || r == rnodes.end())
      return Error{ErrorKind::CannotOpen, "there is no node \"" + trimmed(l == lnodes.end() ? line.substr(0, at) : line.substr(at + 1)) + "\" in the " + (l == lnodes.end() ? "first" : "second") + " program", where, ""};
    (line[at] == '=' ? matching.linked : matching.unlinked).emplace_back(l->second, r->second);
  }
  return {};
}

void compare_weights(const Side& left, const Side& right, const interp::Tolerance& tolerance, Answer& answer) {
  for (const TensorRole role : {TensorRole::Weight, TensorRole::Constant}) {
    std::map<std::string, bool> names;
    for (const Side* side : {&left, &right})
      for (const TensorInfo& info : side->file->archive->tensors(side->program->name))
        if (info.role == role) names[info.name] = true;
    for (const auto& [name, present] : names) {
      auto a = left.file->archive->read_tensor(left.program->name, role, name);
      auto b = right.file->archive->read_tensor(right.program->name, role, name);
      ++answer.weights_compared;
      if (!a || !b) {
        answer.weights.push_back({name, {}, a ? "only in the first program" : b ? "only in the second program" : a.error().message});
        continue;
      }
      interp::ValueDifference d = interp::compare_tensors(*b, *a, tolerance);
      if (!d.equal) answer.weights.push_back({name, d, d.comparable ? "" : d.reason});
    }
  }
}

bool differs(const Answer& answer) {
  if (answer.diff.count(GroupKind::Same) != answer.diff.groups.size() || !answer.diff.signature_changes.empty() || !answer.weights.empty()) return true;
  if (!answer.numbers) return false;
  if (answer.numbers->first_divergence) return true;
  return std::any_of(answer.numbers->outputs.begin(), answer.numbers->outputs.end(), [](const auto& o) { return o.equal == false; });
}

// ---- Output ----------------------------------------------------------------------------------------------------------------------------

Json equal_json(const std::optional<bool>& equal) { return equal ? Json(*equal) : Json(nullptr); }

void add_difference(Json& object, const std::optional<bool>& equal, const interp::ValueDifference& d) {
  object["max_abs"] = equal ? json_number(d.max_abs) : Json(nullptr);
  object["max_rel"] = equal ? json_number(d.max_rel) : Json(nullptr);
  object["cosine"] = equal ? json_number(d.cosine) : Json(nullptr);
  object["equal"] = equal_json(equal);
}

Json names_json(const Program& program, const std::vector<NodeRef>& nodes) {
  Json list = Json::array();
  for (NodeRef ref : nodes) list.push_back(qualified_name(program, ref));
  return list;
}

Json answer_json(const Options& options, const Side& left, const Side& right, const Answer& answer) {
  Json out;
  out["schema"] = "pt2scope/compare";
  out["version"] = 1;
  out["left"] = options.left;
  out["right"] = options.right;
  Json summary;
  for (GroupKind kind : {GroupKind::Same, GroupKind::Changed, GroupKind::Decomposed, GroupKind::Merged, GroupKind::Added, GroupKind::Removed})
    summary[std::string(group_kind_name(kind))] = answer.diff.count(kind);
  summary["matched_fraction_left"] = answer.diff.matched_fraction_left;
  summary["matched_fraction_right"] = answer.diff.matched_fraction_right;
  out["summary"] = std::move(summary);
  out["first_divergence"] = answer.numbers && answer.numbers->first_divergence ? Json(*answer.numbers->first_divergence) : Json(nullptr);
  Json groups = Json::array();
  for (size_t i = 0; i < answer.diff.groups.size(); ++i) {
    const NodeGroup& group = answer.diff.groups[i];
    Json g;
    g["left"] = names_json(*left.program, group.left);
    g["right"] = names_json(*right.program, group.right);
    g["kind"] = group_kind_name(group.kind);
    g["evidence"] = evidence_name(group.evidence);
    g["confidence"] = group.confidence;
    if (!group.changes.empty()) g["changes"] = group.changes;
    if (answer.numbers) {
      const interp::GroupNumbers& n = answer.numbers->groups[i];
      add_difference(g, n.equal, n.difference);
      if (n.equal) {
        g["compared"] = {qualified_name(*left.program, n.left), qualified_name(*right.program, n.right)};
        g["cause"] = n.cause == interp::Cause::None ? Json(nullptr) : Json(interp::cause_name(n.cause));
        g["carried_in"] = n.carried_in;
      }
    }
    groups.push_back(std::move(g));
  }
  out["groups"] = std::move(groups);
  if (answer.numbers) {
    Json outputs = Json::array();
    for (const interp::OutputNumbers& o : answer.numbers->outputs) {
      Json entry;
      entry["left"] = o.left;
      entry["right"] = o.right;
      add_difference(entry, o.equal, o.difference);
      outputs.push_back(std::move(entry));
    }
    out["outputs"] = std::move(outputs);
  }
  if (options.weights) {
    Json weights = Json::array();
    for (const WeightChange& w : answer.weights) {
      Json entry;
      entry["name"] = w.name;
      if (!w.problem.empty()) entry["problem"] = w.problem;
      else add_difference(entry, w.difference.equal, w.difference);
      weights.push_back(std::move(entry));
    }
    out["weights"] = std::move(weights);
  }
  out["signature_changes"] = answer.diff.signature_changes;
  Json ops = Json::array();
  for (const OpChange& change : answer.diff.op_changes) ops.push_back({{"target", change.target}, {"left", change.left}, {"right", change.right}});
  out["op_changes"] = std::move(ops);
  return out;
}

std::string names_text(const Program& program, const std::vector<NodeRef>& nodes) {
  std::string text;
  for (NodeRef ref : nodes) text += (text.empty() ? "" : ", ") + display(qualified_name(program, ref));
  return nodes.size() == 1 ? text : "{" + text + "}";
}

std::string numbers_text(const interp::GroupNumbers& n) {
  if (!n.equal) return {};
  char text[96];
  std::snprintf(text, sizeof text, "max abs Δ %.3g%s", n.difference.max_abs, *n.equal ? "" : "  ≠");
  std::string out = text;
  if (n.cause != interp::Cause::None) out += " (" + std::string(interp::cause_name(n.cause)) + (n.carried_in ? ", carried in)" : ")");
  return out;
}

const char* glyph(GroupKind kind) {
  switch (kind) {
    case GroupKind::Same: return " ";
    case GroupKind::Added: return "+";
    case GroupKind::Removed: return "-";
    default: return "~";
  }
}

std::string kind_text(const NodeGroup& group) {
  std::string text{group_kind_name(group.kind)};
  for (size_t i = 0; i < group.changes.size(); ++i) text += (i ? ", " : ": ") + group.changes[i];
  return text;
}

void print_groups(const Options& options, const Side& left, const Side& right, const Answer& answer) {
  const bool markdown = options.format == "md", csv = options.format == "csv";
  if (markdown) std::puts("| | A | B | kind | evidence | numbers |\n| --- | --- | --- | --- | --- | --- |");
  if (csv) std::puts("left,right,kind,evidence,confidence,equal,max_abs,max_rel,cosine,cause");
  for (size_t i = 0; i < answer.diff.groups.size(); ++i) {
    const NodeGroup& group = answer.diff.groups[i];
    if (!options.only.empty() && options.only != group_kind_name(group.kind)) continue;
    const interp::GroupNumbers numbers = answer.numbers ? answer.numbers->groups[i] : interp::GroupNumbers();
    const std::string a = group.left.empty() ? "" : names_text(*left.program, group.left), b = group.right.empty() ? "" : names_text(*right.program, group.right);
    if (csv) {
      std::printf("\"%s\",\"%s\",%s,%s,%.3f,%s,%.9g,%.9g,%.9g,%s\n", a.c_str(), b.c_str(), std::string(group_kind_name(group.kind)).c_str(),
                  std::string(evidence_name(group.evidence)).c_str(), group.confidence, numbers.equal ? (*numbers.equal ? "true" : "false") : "",
                  numbers.difference.max_abs, numbers.difference.max_rel, numbers.difference.cosine, std::string(interp::cause_name(numbers.cause)).c_str());
    } else if (markdown) {
      std::printf("| %s | `%s` | `%s` | %s | %s | %s |\n", glyph(group.kind), a.c_str(), b.c_str(), kind_text(group).c_str(),
                  std::string(evidence_name(group.evidence)).c_str(), numbers_text(numbers).c_str());
    } else if (group.kind != GroupKind::Same || numbers.equal == false || options.only == "same") {
      const std::string arrow = a.empty() ? b : b.empty() ? a : a + " → " + b;
      std::printf("%s %s  %s  %s\n", glyph(group.kind), arrow.c_str(), kind_text(group).c_str(), numbers_text(numbers).c_str());
    }
  }
}

void print_answer(const Options& options, const Side& left, const Side& right, const Answer& answer) {
  if (options.format == "csv") return print_groups(options, left, right, answer);
  if (!differs(answer)) {
    std::puts("equal");
    return;
  }
  std::string line;
  for (GroupKind kind : {GroupKind::Same, GroupKind::Changed, GroupKind::Decomposed, GroupKind::Merged, GroupKind::Added, GroupKind::Removed})
    line += (line.empty() ? "" : " · ") + std::string(group_kind_name(kind)) + ' ' + std::to_string(answer.diff.count(kind));
  std::printf("%s\nmatched: %.1f %% of A, %.1f %% of B\n", line.c_str(), 100 * answer.diff.matched_fraction_left, 100 * answer.diff.matched_fraction_right);
  for (const std::string& change : answer.diff.signature_changes) std::printf("signature: %s\n", display(change).c_str());
  std::puts("");
  print_groups(options, left, right, answer);
  for (const WeightChange& w : answer.weights)
    std::printf("weight %s: %s\n", display(w.name).c_str(), w.problem.empty() ? ("max abs Δ " + std::to_string(w.difference.max_abs)).c_str() : display(w.problem).c_str());
  if (options.weights && answer.weights.empty()) std::printf("weights: all %zu equal\n", answer.weights_compared);
  if (!answer.numbers) return;
  std::puts("");
  for (const interp::OutputNumbers& o : answer.numbers->outputs)
    std::printf("output %s → %s: %s\n", display(o.left).c_str(), display(o.right).c_str(),
                !o.equal ? "no numbers" : *o.equal ? "equal" : ("different, max abs Δ " + std::to_string(o.difference.max_abs)).c_str());
  if (answer.numbers->first_divergence) {
    const size_t g = *answer.numbers->first_divergence;
    const interp::GroupNumbers& n = answer.numbers->groups[g];
    std::printf("The numbers first part at %s: %s. %s\n", names_text(*left.program, answer.diff.groups[g].left).c_str(),
                std::string(interp::cause_name(n.cause)).c_str(), std::string(interp::cause_explanation(n.cause)).c_str());
  } else {
    std::puts("The numbers agree everywhere they can be compared.");
  }
}

void report_failures(const std::string& path, const interp::RunReport& run) {
  for (const interp::FailedNode& failed : run.failed)
    std::fprintf(stderr, "error: %s: node \"%s\" (%s): %s\n", display(path).c_str(), display(failed.node).c_str(), display(failed.target).c_str(),
                 display(failed.message).c_str());
}

// GROUP is the group's number in the JSON answer, or a node of it on either side.
const NodeGroup* find_group(const std::string& text, const Diff& diff, const Program& left, const Program& right) {
  if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos) {
    const size_t number = std::strtoul(text.c_str(), nullptr, 10);
    if (number < diff.groups.size()) return &diff.groups[number];
  }
  for (const bool first : {true, false})
    for (const NodeGroup& group : diff.groups)
      for (NodeRef ref : first ? group.left : group.right)
        if (qualified_name(first ? left : right, ref) == text) return &group;
  return nullptr;
}

int write_group(const Options& options, const Side& left, const Side& right, const interp::CompareRunsRequest& request) {
  // The same groups as the answer with numbers has.
  const interp::ProgramSide a{left.file.get(), left.program}, b{right.file.get(), right.program};
  auto numbers = interp::compare_runs(a, b, request);
  if (!numbers) return report(left.path, numbers.error());
  const NodeGroup* group = find_group(options.repro, numbers->diff, *left.program, *right.program);
  if (!group) return fail_usage("--repro " + options.repro + ": there is no group of this number, and no node of this name in a group");
  return report_repro(left.path, interp::write_group_repro(a, b, *group, request, options.folder), "pt2scope/compare", options.json);
}

int run(const Options& options) {
  Side left, right;
  if (const int status = open_side(options.left, left); status != kDone) return status;
  if (const int status = open_side(options.right, right); status != kDone) return status;
  interp::CompareRunsRequest request;
  request.tolerance = {options.rtol, options.atol};
  if (!options.map.empty())
    if (auto read = read_mapping(options.map, *left.program, *right.program, request.matching); !read) return report(options.map, read.error());

  if (options.repro.empty() != options.folder.empty()) return fail_usage("--repro GROUP and -o FOLDER belong together");
  Answer answer;
  if (!options.inputs.empty() || !options.repro.empty() || !options.input.empty() || options.seed) {
    if (!options.inputs.empty()) {
      auto tensors = read_tensor_file(options.inputs);
      if (!tensors) return report(options.inputs, tensors.error());
      request.inputs.tensors = std::make_shared<const TensorFile>(std::move(*tensors));
    }
    for (const std::string& assignment : options.input) {
      const size_t equals = assignment.find('=');
      if (equals == std::string::npos || equals == 0) return fail_usage("--input expects NAME=VALUE, found \"" + assignment + "\"");
      request.inputs.texts.emplace_back(assignment.substr(0, equals), assignment.substr(equals + 1));
    }
    request.seed = options.seed.value_or(0);
    request.inputs.seed = options.seed;
    if (!options.repro.empty()) return write_group(options, left, right, request);
    auto numbers = interp::compare_runs({left.file.get(), left.program}, {right.file.get(), right.program}, request);
    if (!numbers) return report(left.path, numbers.error());
    report_failures(left.path, numbers->left);
    report_failures(right.path, numbers->right);
    answer.diff = numbers->diff;
    answer.numbers = std::move(*numbers);
  } else {
    answer.diff = diff_programs(*left.program, *right.program, request.matching);
  }
  if (options.weights) compare_weights(left, right, request.tolerance, answer);
  if (options.json) print_json(answer_json(options, left, right, answer));
  else print_answer(options, left, right, answer);
  return differs(answer) ? kAnswerIsNo : kDone;
}

}  // namespace

std::function<int()> declare_compare(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("A", o->left, "The first program, FILE or FILE#NAME")->required();
  app.add_option("B", o->right, "The second program")->required();
  app.add_option("--inputs", o->inputs, "Run both on these inputs, named as A's placeholders (.safetensors, .npz, .npy, .pt)");
  app.add_option("--input", o->input, "NAME=VALUE: one input of A")->allow_extra_args(false);
  app.add_option("--seed", o->seed, "Run both; inputs that are not given are filled by this seed");
  app.add_flag("--weights", o->weights, "Compare weights and constants too");
  app.add_option("--rtol", o->rtol, "Relative tolerance; default by dtype, as torch.testing.assert_close");
  app.add_option("--atol", o->atol, "Absolute tolerance; default by dtype");
  app.add_option("--repro", o->repro, "Write this group (its number, or a node of it) as small .pt2 files with their inputs and a script that shows the difference in PyTorch");
  app.add_option("-o", o->folder, "With --repro: the folder to write to");
  app.add_option("--map", o->map, "Pairs fixed by hand: lines LEFT = RIGHT (together) or LEFT ! RIGHT (not)");
  app.add_option("--only", o->only, "Show groups of this kind only")->check(CLI::IsMember({"same", "changed", "decomposed", "merged", "added", "removed"}));
  app.add_option("--format", o->format, "text, md or csv")->check(CLI::IsMember({"text", "md", "csv"}));
  app.add_flag("--json", o->json, "One JSON object on stdout");
  app.footer("Example: pt2scope compare exported.pt2 decomposed.pt2 --inputs inputs.safetensors");
  return [o] { return run(*o); };
}

}  // namespace pt2::app
