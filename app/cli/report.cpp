// `report`: one self-contained HTML page about a program, to attach to an issue.
#include <CLI/CLI.hpp>
#include <filesystem>

#include "app/cli/output_file.h"
#include "app/cli/subcommands.h"
#include "app/picture/comparison_page.h"
#include "app/picture/report_page.h"
#include "app/picture/run_table.h"
#include "app/picture/saved_page.h"
#include "core/base/text.h"
#include "core/diff/mapping.h"
#include "interp/compare_report.h"
#include "views/workspace/labels.h"

namespace pt2::app {

using namespace views;

namespace {

struct Options {
  std::string file, other, out, inputs, reference, theme = "light";
  uint64_t seed = 0;
  std::string map;
  std::optional<double> rtol, atol;
  bool run = false, weights = false, isolate = false;
};

Result<ReportSubject> open(const std::string& argument) {
  const auto [path, name] = split_program_name(argument);
  LoadOptions load;
  load.only_program = name;
  auto file = open_file(path, load);
  if (!file) return file.error();
  auto program = (*file)->program(name);
  if (!program) return Error{ErrorKind::CannotOpen, "it holds no program" + (name.empty() ? "" : " called \"" + name + "\""), "", "`pt2scope info` lists what it holds."};
  return ReportSubject{path, std::filesystem::path(path).filename().string() + (name.empty() ? "" : "#" + name), *file, program};
}

PageSection run_section(RunTable table, const Result<interp::RunReport>& report) {
  if (!report) return std::move(table).section(report.error().message);
  std::vector<std::pair<std::string, std::string>> facts;
  for (const std::string& warning : report->warnings) facts.emplace_back("warning", warning);
  if (report->compared) facts.emplace_back("reference", with_commas(uint64_t{report->compared}) + " nodes compared, " + with_commas(uint64_t{report->differing}) + " differ");
  if (report->first_divergence) facts.emplace_back("first divergence", *report->first_divergence);
  return std::move(table).section("Ran " + with_commas(uint64_t{report->executed}) + " of " + with_commas(uint64_t{report->nodes}) + " nodes in " + duration_label(report->seconds * 1e6) + ", at most " +
                                      bytes_text(report->peak_bytes) + " for results and scratch.",
                                  std::move(facts));
}

// Everything a comparison can say; numbers and weights where they were asked for.
struct Compared {
  Diff diff;
  std::optional<interp::RunComparison> numbers;
  std::optional<interp::WeightComparison> weights;
  std::string problem;
};

Result<Compared> compare(const Options& options, const interp::InputRequest& inputs, const ReportSubject& left, const ReportSubject& right) {
  const interp::ProgramSide a{left.file.get(), left.program}, b{right.file.get(), right.program};
  interp::CompareRunsRequest request;
  request.inputs = inputs;
  request.seed = options.seed;
  request.tolerance = {options.rtol, options.atol};
  request.isolate = options.isolate;
  if (!options.map.empty()) {
    const auto mapping = read_mapping(options.map);
    if (!mapping) return mapping.error();
    if (auto applied = apply_mapping(*mapping, *left.program, *right.program, request.matching); !applied) return applied.error();
  }
  Compared compared;
  if (options.run || options.isolate) {
    if (auto numbers = interp::compare_runs(a, b, request)) compared.numbers = std::move(*numbers);
    else compared.problem = numbers.error().message;  // the page is written all the same
  }
  compared.diff = compared.numbers ? compared.numbers->diff : diff_programs(*left.program, *right.program, request.matching);
  if (options.weights) compared.weights = interp::compare_weights(a, b, compared.diff, request.tolerance);
  return compared;
}

int make_report(const Options& options) {
  auto left = open(options.file);
  if (!left) return report(options.file, left.error());
  TensorFile inputs, reference;
  for (const auto& [path, target] : {std::pair{&options.inputs, &inputs}, {&options.reference, &reference}})
    if (!path->empty()) {
      auto read = read_tensor_file(*path);
      if (!read) return report(*path, read.error());
      *target = std::move(*read);
    }
  interp::InputRequest given;
  given.seed = options.seed;
  if (!options.inputs.empty()) given.tensors = std::make_shared<const TensorFile>(std::move(inputs));

  ReportContent content{*left, {options.theme == "dark" ? ThemeName::Dark : ThemeName::Light, {}, {}, {}}, {}, {}};
  // The pictures show what a run found.
  if (options.run || !options.reference.empty()) {
    interp::RunRequest request;
    request.inputs = given;
    request.seed = options.seed;
    if (!options.reference.empty()) request.reference = &reference;
    RunTable table(*left->program);
    RunTableListener listener(table);
    request.listener = &listener;
    const auto run = interp::run_program(*left->file, left->program, request);
    if (run)
      for (const auto& m : run->mismatched) table.add_difference(m.node, m.difference);
    content.style.nonfinite = std::move(table.nonfinite);
    content.node_facts = std::move(table.node_facts);
    content.sections.push_back(run_section(std::move(table), run));
  }
  if (!options.other.empty()) {
    const auto right = open(options.other);
    if (!right) return report(options.other, right.error());
    const auto compared = compare(options, given, *left, *right);
    if (!compared) return report(options.map, compared.error());
    content.compare_with(*right, {*left->program, *right->program, left->title, right->title, compared->diff, compared->numbers ? &*compared->numbers : nullptr,
                                  compared->weights ? &*compared->weights : nullptr, std::nullopt, compared->problem});
  }
  LayoutEngine engine({.child_program = own_program_path()});
  const auto page = report_page(std::move(content), engine);
  if (!page) return report(options.file, page.error());
  const Result<void> done = write_output(options.out, *page);
  return done ? int(kDone) : report(options.out, done.error());
}

}  // namespace

std::function<int()> declare_report(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("FILE", options->file, "A .pt2 file; FILE#NAME for one program of several")->required();
  app.add_option("FILE2", options->other, "Also compare with this program");
  app.add_option("-o,--output", options->out, "The page: .html; - for standard output")->required()->type_name("OUT.html");
  app.add_flag("--run", options->run, "Also run, and say each value's range, NaN and time; with FILE2 compare the numbers");
  app.add_option("--inputs", options->inputs, "Values of user inputs by placeholder name (.safetensors, .npz, .npy, .pt)");
  app.add_flag("--weights", options->weights, "With FILE2: compare weights and constants too");
  app.add_flag("--isolate", options->isolate, "With FILE2: run both, and say where differences arise, as compare does");
  app.add_option("--map", options->map, "With FILE2: pairs fixed by hand, as compare reads them");
  app.add_option("--rtol", options->rtol, "With FILE2: relative tolerance; default by dtype");
  app.add_option("--atol", options->atol, "With FILE2: absolute tolerance; default by dtype");
  app.add_option("--reference", options->reference, "Run, and compare each value with the recorded one");
  app.add_option("--seed", options->seed, "State of the random generator, as torch.manual_seed(N)");
  app.add_option("--theme", options->theme, "dark or light")->check(CLI::IsMember({"dark", "light"}))->capture_default_str();
  app.footer("Example: pt2scope report model.pt2 --run -o model.html");
  return [options] {
    if (const Result<void> named = options->out == "-" ? Result<void>() : check_report_name(options->out); !named) {
      report(options->out, named.error());
      return int(kUsage);
    }
    return make_report(*options);
  };
}

}  // namespace pt2::app
