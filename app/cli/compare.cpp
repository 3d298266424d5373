// `compare`: what became what between two programs and, with inputs, where their numbers part.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "app/cli/color.h"
#include "app/cli/inputs_option.h"
#include "app/cli/repro_output.h"
#include "app/cli/subcommands.h"
#include "core/base/display.h"
#include "core/diff/mapping.h"
#include "core/diff/signature_diff.h"
#include "core/load.h"
#include "interp/compare_outputs.h"
#include "interp/compare_report.h"
#include "interp/value_names.h"

namespace pt2::app {

namespace {

struct Options {
  std::string left, right, inputs, map, only, format = "text", repro, folder, color, fail_on = "any";
  std::vector<std::string> input;
  std::optional<uint64_t> seed;
  std::optional<double> rtol, atol;
  bool no_samples = false, weights = false, isolate = false, json = false;
};

struct Side {
  std::string path;
  std::shared_ptr<const OpenedFile> file;
  std::shared_ptr<const Program> program;
};

// Everything that can be said; numbers and weights where they were asked for.
struct Answer {
  Diff diff;
  std::optional<interp::RunComparison> numbers;
  std::optional<interp::WeightComparison> weights;
  std::string problem;  // why there are no numbers although they were asked for
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

bool numbers_differ(const Answer& answer) { return answer.numbers && !interp::numbers_agree(*answer.numbers); }

bool differs(const Answer& answer) {
  return answer.diff.count(GroupKind::Same) != answer.diff.groups.size() || !answer.diff.signature_changes.empty() || (answer.weights && !answer.weights->different.empty()) ||
         numbers_differ(answer);
}

bool runs(const Options& options) { return !options.inputs.empty() || !options.repro.empty() || options.isolate || !options.input.empty() || options.seed; }

// What the options ask for together; nothing where they go together.
std::string contradiction(const Options& options) {
  if ((options.rtol || options.atol) && !runs(options) && !options.weights) return "--rtol and --atol are for numbers: add --seed, --inputs or --input to run both programs, or --weights";
  if (options.fail_on == "numbers" && !runs(options)) return "--fail-on numbers needs a run: add --seed, --inputs or --input";
  if (options.no_samples && !runs(options)) return "--no-samples needs a run: add --seed, --inputs or --input";
  if (options.json && options.format != "text") return "--json and --format " + options.format + " do not go together";
  if (options.repro.empty() != options.folder.empty()) return "--repro GROUP and -o FOLDER belong together";
  return {};
}

std::optional<GroupKind> kind_of(const std::string& name) {
  for (GroupKind kind : {GroupKind::Same, GroupKind::Changed, GroupKind::Decomposed, GroupKind::Merged, GroupKind::Added, GroupKind::Removed})
    if (name == group_kind_name(kind)) return kind;
  return std::nullopt;
}

interp::ComparisonView view_of(const Options& options, const Side& left, const Side& right, const Answer& answer) {
  return {*left.program, *right.program, options.left, options.right, answer.diff, answer.numbers ? &*answer.numbers : nullptr, answer.weights ? &*answer.weights : nullptr, kind_of(options.only), answer.problem};
}

Tone tone_of(GroupKind kind) { return kind == GroupKind::Added ? Tone::Added : kind == GroupKind::Removed ? Tone::Removed : Tone::Changed; }

void print_groups(const interp::ComparisonView& view, const Colors& colors) {
  for (size_t i = 0; i < view.diff.groups.size(); ++i) {
    const NodeGroup& group = view.diff.groups[i];
    const interp::GroupNumbers* numbers = view.numbers ? &view.numbers->groups[i] : nullptr;
    // What is the same needs no line, unless it was asked for or its numbers differ.
    if (view.only ? group.kind != *view.only : group.kind == GroupKind::Same && !(numbers && numbers->equal == false)) continue;
    const std::string a = group.left.empty() ? "" : interp::group_names(view.left, group.left), b = group.right.empty() ? "" : interp::group_names(view.right, group.right);
    const std::string arrow = a.empty() ? b : b.empty() ? a : a + " → " + b;
    const std::string sign = group.kind == GroupKind::Same ? interp::group_sign(group.kind) : colors(tone_of(group.kind), interp::group_sign(group.kind));
    std::string text = numbers ? interp::group_numbers_text(view.left, *numbers) : "";
    if (numbers && numbers->equal == false) text = colors(Tone::Error, text);
    const std::string kind = interp::group_kind_text(group) + (group.evidence == Evidence::Manual ? ", paired by hand" : "");
    std::printf("%s %s  %s  %s\n", sign.c_str(), arrow.c_str(), kind.c_str(), text.c_str());
  }
}

void print_answer(const Options& options, const Side& left, const Side& right, const Answer& answer) {
  const interp::ComparisonView view = view_of(options, left, right, answer);
  const Colors colors(options.color);
  if (options.json || options.format != "text") {
    const std::string text = options.json ? interp::comparison_json(view) : options.format == "csv" ? interp::comparison_csv(view) : interp::comparison_markdown(view);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return;
  }
  const std::string inputs = answer.numbers ? "inputs: " + display(answer.numbers->inputs) + "\n" : "", verdict = interp::divergence_text(view);
  if (!differs(answer)) {
    std::printf("%s%s\n", inputs.c_str(), colors(Tone::Good, interp::equal_text(view)).c_str());
    if (!verdict.empty() && !answer.numbers) std::puts(colors(Tone::Error, verdict).c_str());
    return;
  }
  std::string line;
  for (GroupKind kind : {GroupKind::Same, GroupKind::Changed, GroupKind::Decomposed, GroupKind::Merged, GroupKind::Added, GroupKind::Removed})
    line += (line.empty() ? "" : " · ") + std::string(group_kind_name(kind)) + ' ' + std::to_string(answer.diff.count(kind));
  std::printf("%s\nmatched: %.1f %% of A, %.1f %% of B\n", line.c_str(), 100 * answer.diff.matched_fraction_left, 100 * answer.diff.matched_fraction_right);
  if (answer.numbers) std::printf("numbers: %s\n%s", interp::numbers_count_text(*answer.numbers).c_str(), inputs.c_str());
  for (const std::string& change : diff::gathered_signature_changes(view.left, view.right, view.diff)) std::printf("signature: %s\n", display(change).c_str());
  std::puts("");
  print_groups(view, colors);
  if (answer.weights) {
    for (const interp::WeightDifference& w : view.weights->different)
      std::printf("weight %s: %s\n", display(w.name()).c_str(), w.problem.empty() ? ("max abs Δ " + std::to_string(w.difference.max_abs)).c_str() : display(w.problem).c_str());
    if (answer.weights->different.empty()) std::printf("weights: all %zu equal\n", answer.weights->compared);
  }
  if (verdict.empty()) return;
  std::puts("");
  for (const interp::OutputNumbers* o : answer.numbers ? interp::all_outputs(*answer.numbers) : std::vector<const interp::OutputNumbers*>()) {
    const std::string text = interp::output_text(*o);
    std::printf("%s: %s\n", interp::output_name(*o).c_str(), (!o->equal ? text : colors(*o->equal ? Tone::Good : Tone::Error, text)).c_str());
  }
  std::puts(colors(answer.numbers && interp::numbers_agree(*answer.numbers) ? Tone::Good : Tone::Error, verdict).c_str());
}

void report_failures(const std::string& path, const interp::RunReport& run) {
  for (const interp::FailedNode& failed : run.failed)
    std::fprintf(stderr, "error: %s: node \"%s\" (%s): %s\n", display(path).c_str(), display(failed.node).c_str(), display(failed.target).c_str(),
                 display(failed.message).c_str());
}

struct NamedGroup { size_t index; std::string call; };

// GROUP is the group's index in the JSON answer, or a node of it on either side; of one call of a sub-graph, "body_graph_0@2/NODE".
std::optional<NamedGroup> find_group(const std::string& text, const Diff& diff, const Program& left, const Program& right) {
  if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos) {
    const size_t number = std::strtoul(text.c_str(), nullptr, 10);
    if (number < diff.groups.size()) return NamedGroup{number, {}};
  }
  for (const bool first : {true, false}) {
    const auto named = interp::find_named_node(first ? left : right, text);
    const auto& group_of = first ? diff.left_group : diff.right_group;
    const auto found = named ? group_of.find(named->node) : group_of.end();
    if (found != group_of.end()) return NamedGroup{found->second, named->call};
  }
  return std::nullopt;
}

int write_group(const Options& options, const Side& left, const Side& right, const interp::CompareRunsRequest& request) {
  // The same groups as the answer with numbers has.
  const interp::ProgramSide a{left.file.get(), left.program}, b{right.file.get(), right.program};
  auto numbers = interp::compare_runs(a, b, request);
  if (!numbers) return report(left.path, numbers.error());
  const auto group = find_group(options.repro, numbers->diff, *left.program, *right.program);
  if (!group) return fail_usage("--repro " + options.repro + ": there is no group of this index, and no node of this name in a group");
  return report_repro(left.path, interp::write_group_repro(a, b, numbers->diff, group->index, request, options.folder, group->call), "pt2scope/compare", options.json);
}

int run(const Options& options) {
  if (const std::string problem = contradiction(options); !problem.empty()) return fail_usage(problem);
  Side left, right;
  if (const int status = open_side(options.left, left); status != kDone) return status;
  if (const int status = open_side(options.right, right); status != kDone) return status;
  interp::CompareRunsRequest request;
  request.tolerance = {options.rtol, options.atol};
  request.isolate = options.isolate;
  if (!options.map.empty()) {
    const auto mapping = read_mapping(options.map);
    if (!mapping && !std::filesystem::exists(options.map)) return report(options.map, mapping.error());
    if (!mapping) return fail_usage(mapping.error().where + ": " + mapping.error().message);
    if (auto applied = apply_mapping(*mapping, *left.program, *right.program, request.matching); !applied)
      return fail_usage(options.map + ": " + applied.error().message);
  }
  Answer answer;
  int status = kDone;
  if (runs(options)) {
    for (const std::string& assignment : options.input) {
      const size_t equals = assignment.find('=');
      if (equals == std::string::npos || equals == 0) return fail_usage("--input expects NAME=VALUE, found \"" + assignment + "\"");
      request.inputs.texts.emplace_back(assignment.substr(0, equals), assignment.substr(equals + 1));
    }
    request.inputs.seed = options.seed;
    request.inputs.use_sample_inputs = !options.no_samples;
    if (const int taken = take_inputs(options.inputs, *left.program, request.inputs); taken != kDone) return taken;
    request.seed = request.inputs.seed.value_or(0);
    if (!options.repro.empty()) return write_group(options, left, right, request);
    auto numbers = interp::compare_runs({left.file.get(), left.program}, {right.file.get(), right.program}, request);
    if (!numbers) {  // what can be said without a run is said all the same
      status = report(left.path + " and " + right.path, numbers.error());
      const Error& error = numbers.error();
      answer.problem = (error.where.empty() ? "" : error.where + ": ") + error.message;
    } else {
      report_failures(left.path, numbers->left);
      report_failures(right.path, numbers->right);
      for (const std::string& note : numbers->notes) std::fprintf(stderr, "note: %s\n", display(note).c_str());
      answer.numbers = std::move(*numbers);
    }
  }
  answer.diff = answer.numbers ? answer.numbers->diff : diff_programs(*left.program, *right.program, request.matching);
  if (options.weights) answer.weights = interp::compare_weights({left.file.get(), left.program}, {right.file.get(), right.program}, answer.diff, request.tolerance);
  print_answer(options, left, right, answer);
  if (status != kDone) return status;
  return (options.fail_on == "numbers" ? numbers_differ(answer) : differs(answer)) ? kAnswerIsNo : kDone;
}

}  // namespace

std::function<int()> declare_compare(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("A", o->left, "The first program, FILE or FILE#NAME")->required();
  app.add_option("B", o->right, "The second program")->required();
  app.add_option("--inputs", o->inputs, "Run both on these inputs, named as A's placeholders (.safetensors, .npz, .npy, .pt), or on a set of inputs that the window saved (.json)");
  app.add_option("--input", o->input, "NAME=VALUE: one input of A")->allow_extra_args(false);
  app.add_option("--seed", o->seed, "Run both; inputs that are neither given nor among the file's sample inputs are filled by this seed");
  app.add_flag("--no-samples", o->no_samples, "Leave out the file's sample inputs: what is not given is filled by --seed");
  app.add_flag("--weights", o->weights, "Compare weights and constants too");
  app.add_option("--rtol", o->rtol, "Relative tolerance; default by dtype, as torch.testing.assert_close");
  app.add_option("--atol", o->atol, "Absolute tolerance; default by dtype");
  app.add_option("--repro", o->repro, "Write this group (a node of it, or its index in the groups of --json; in one call of a sub-graph: GRAPH@2/NODE) as small .pt2 files with their inputs and a script that shows the difference in PyTorch");
  app.add_option("-o", o->folder, "With --repro: the folder to write to");
  app.add_flag("--isolate", o->isolate, "Run both; where groups differ, say whether the difference arises there: each group of B alone on A's values");
  app.add_option("--map", o->map, "Pairs fixed by hand: lines LEFT = RIGHT (together) or LEFT ! RIGHT (not)");
  app.add_option("--fail-on", o->fail_on, "any: exit status 1 when anything differs; numbers: only when values of the runs do")->check(CLI::IsMember({"any", "numbers"}))->capture_default_str();
  app.add_option("--only", o->only, "Show groups of this kind only")->check(CLI::IsMember({"same", "changed", "decomposed", "merged", "added", "removed"}));
  app.add_option("--format", o->format, "text, md or csv")->check(CLI::IsMember({"text", "md", "csv"}));
  app.add_flag("--json", o->json, "One JSON object on stdout");
  add_color_option(app, o->color);
  app.footer("Example: pt2scope compare exported.pt2 decomposed.pt2 --inputs inputs.safetensors");
  return [o] { return run(*o); };
}

}  // namespace pt2::app
