// `report`: one self-contained HTML page about a program, to attach to an issue.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "app/cli/output_file.h"
#include "app/cli/problems.h"
#include "app/cli/subcommands.h"
#include "app/picture/comparison_page.h"
#include "core/base/text.h"
#include "core/diff/mapping.h"
#include "core/layout/layout_engine.h"
#include "core/parameters.h"
#include "core/tensor/tensor_stats.h"
#include "core/tensor/view.h"
#include "interp/compare_report.h"
#include "views/workspace/labels.h"

namespace pt2::app {

using namespace views;

namespace {

constexpr size_t kMostViews = 400;       // modules with a picture of their own
constexpr size_t kMostBoxes = 30'000;    // of all pictures: the page stays one that a browser opens at once
constexpr size_t kMostRows = 20'000;     // of one table

struct Options {
  std::string file, other, out, inputs, reference, theme = "light";
  uint64_t seed = 0;
  std::string map;
  std::optional<double> rtol, atol;
  bool run = false, weights = false, isolate = false;
};

struct Opened {
  std::string path, title;
  std::shared_ptr<const OpenedFile> file;
  std::shared_ptr<const Program> program;
};

Result<Opened> open(const std::string& argument) {
  const auto [path, name] = split_program_name(argument);
  LoadOptions load;
  load.only_program = name;
  auto file = open_file(path, load);
  if (!file) return file.error();
  auto program = (*file)->program(name);
  if (!program) return Error{ErrorKind::CannotOpen, "it holds no program" + (name.empty() ? "" : " called \"" + name + "\""), "", "`pt2scope info` lists what it holds."};
  return Opened{path, std::filesystem::path(path).filename().string() + (name.empty() ? "" : "#" + name), *file, program};
}

std::string number(double value) { return number_label(value, 6); }

// ---- The pictures: the program as the window opens it, and the inside of each module.

class Pictures {
 public:
  Pictures(std::shared_ptr<const Program> program, PictureStyle style)
      : program_(std::move(program)), tree_(std::make_shared<const ScopeTree>(*program_)), style_(style), engine_({.child_program = own_program_path()}) {}

  // A note on what was left out, where something was.
  Result<std::string> draw(const std::string& title, std::vector<PageView>& views) {
    if (auto done = add("", title, initial_view(*program_, *tree_), views); !done) return done.error();
    size_t left_out = 0;
    for (const Scope& scope : tree_->scopes()) {
      if (scope.kind != ScopeKind::Module || scope.part != 1 || scope.graph != program_->root() || scope.items.size() < 2) continue;
      const std::string path(program_->modules.modules[scope.module].path);
      if (std::any_of(views.begin(), views.end(), [&](const PageView& view) { return view.module == path; })) continue;
      if (views.size() >= kMostViews || boxes_ >= kMostBoxes) {
        ++left_out;
        continue;
      }
      GraphView view = initial_view(*program_, *tree_);
      view.root = scope.module;
      expand_levels(view, *tree_, 0);
      if (auto done = add(path, path, view, views); !done) return done.error();
    }
    return left_out == 0 ? std::string() : with_commas(uint64_t{left_out}) + " modules have no picture of their own here, to keep the page small; `pt2scope render --module PATH` draws them.";
  }

 private:
  Result<void> add(std::string module, std::string title, const GraphView& view, std::vector<PageView>& views) {
    GraphScene scene = make_scene(program_, tree_, view, measure_);
    Result<Layout> layout = engine_.layout(layout_request(scene, measure_));
    if (!layout) return layout.error();
    const auto painter = make_svg_painter({layout->bounds.w, layout->bounds.h}, 1, measure_);
    draw_picture(*painter, scene, *layout, style_, measure_);
    boxes_ += scene.boxes.size();
    views.push_back({std::move(module), std::move(title), std::move(scene), painter->finish()});
    return {};
  }

  std::shared_ptr<const Program> program_;
  std::shared_ptr<const ScopeTree> tree_;
  PictureStyle style_;
  MeasureText measure_ = default_measure();
  LayoutEngine engine_;
  size_t boxes_ = 0;
};

// ---- The tables.

PageSection summary(const Opened& opened, const std::string& note) {
  PageSection section{"Summary", note, {}, {"operator", "calls"}, {}};
  const Program& program = *opened.program;
  size_t nodes = 0;
  std::map<std::string, size_t> ops;
  for (const Graph& graph : program.graphs) {
    nodes += graph.nodes().size();
    for (const Node& node : graph.nodes())
      if (node.kind == NodeKind::CallFunction) ++ops[interp::shown_target(node)];
  }
  section.facts = {{"file", opened.path},
                   {"container", std::string(container_name(opened.file->archive->container()))},
                   {"schema", std::to_string(program.schema_version.major) + "." + std::to_string(program.schema_version.minor)},
                   {"PyTorch", program.torch_version.empty() ? "not said" : std::string(program.torch_version)},
                   {"program", program.name + (program.dialect.empty() ? "" : " (" + std::string(program.dialect) + ")")},
                   {"nodes", with_commas(uint64_t{nodes})},
                   {"parameters", parameter_text(count_parameters(program, opened.file->archive->tensors(program.name)))}};
  for (const InputSpec& input : program.signature.inputs)
    if (input.kind == InputKind::UserInput && input.node) section.facts.emplace_back("input " + std::string(input.name), type_label(program.root_graph().node(input.node).val));
  for (const OutputSpec& output : program.signature.outputs)
    if (const NodeId* id = output.value.as<NodeId>()) section.facts.emplace_back("output " + std::string(program.root_graph().node(*id).name), type_label(program.root_graph().node(*id).val));
  for (const auto& [symbol, range] : program.range_constraints)
    section.facts.emplace_back("symbol " + std::string(symbol), (range.min ? number(*range.min) : "-∞") + " … " + (range.max ? number(*range.max) : "∞"));
  std::vector<std::pair<std::string, size_t>> order(ops.begin(), ops.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [op, calls] : order) section.rows.push_back({{op, with_commas(uint64_t{calls})}, ""});
  return section;
}

// Two sentences: messages are written without a full stop, advice with one.
std::string with_advice(const Finding& finding) { return finding.advice.empty() ? finding.message : finding.message + ". " + finding.advice; }

PageSection findings(const Opened& opened) {
  const std::vector<Finding> all = verify_findings(*opened.file);
  PageSection section{"Findings " + std::to_string(all.size()), all.empty() ? "Nothing is wrong or odd by the rules of the Export IR." : "", {}, {"severity", "rule", "message", "where"}, {}};
  for (const Finding& finding : all) {
    if (section.rows.size() == kMostRows) break;
    const std::string node = finding.node.graph && opened.file->programs.size() == 1 ? qualified_name(*opened.program, finding.node) : "";
    section.rows.push_back({{severity_name(finding.severity), finding.rule, with_advice(finding), finding.where}, node});
  }
  return section;
}

// A line per operator that ran, with the statistics of its value.
class RunTable : public interp::RunListener {
 public:
  RunTable(const Program& program, Page& page) : program_(program), page_(page) {}

  void node_done(const interp::Frame& frame, NodeId id, const interp::NodeRun& run, interp::RuntimeValue& value) override {
    const NodeRef ref{frame.graph, id};
    const Node& node = program_.node(ref);
    if (node.kind != NodeKind::CallFunction || rows_.size() >= kMostRows) return;
    const std::string name = qualified_name(program_, ref), time = number(run.elapsed_us) + " µs";
    auto& facts = page_.node_facts[name];
    facts = {{"time", time}};
    std::vector<std::string> cells{frame.path + std::string(node.name), interp::shown_target(node), time};
    if (const auto* failed = std::get_if<interp::Failed>(&run.outcome)) cells.push_back("failed: " + failed->message);
    else if (const auto* unsupported = std::get_if<interp::Unsupported>(&run.outcome)) cells.push_back("no implementation of " + unsupported->target);
    else if (std::holds_alternative<interp::Blocked>(run.outcome)) cells.push_back("waits for a node that failed");
    if (!run.done()) facts.emplace_back("run", cells.back());
    bool first = true;
    interp::for_each_tensor(value, [&](const Tensor& tensor) {
      const std::string type = std::string(dtype_name(tensor.dtype)) + shape_text(tensor.sizes);
      const auto stats = tensor_stats(tensor, {}, 1);
      std::string low, high, mean, bad;
      if (stats) {
        if (stats->nan || stats->inf()) nonfinite.insert(ref);
        low = element_text(tensor.dtype, stats->min);
        high = element_text(tensor.dtype, stats->max);
        if (stats->mean) mean = number(*stats->mean);
        if (stats->nan) bad += with_commas(uint64_t(stats->nan)) + " NaN ";
        if (stats->inf()) bad += with_commas(uint64_t(stats->inf())) + " Inf";
      }
      facts.emplace_back("value", type + "  min " + low + "  max " + high + "  mean " + mean + (bad.empty() ? "" : "  " + bad));
      if (first) cells.insert(cells.end(), {type, low, high, mean, bad});
      first = false;
    });
    rows_.push_back({std::move(cells), name});
  }

  std::set<NodeRef> nonfinite;  // whose values hold NaN or Inf

  PageSection section(const Result<interp::RunReport>& report) {
    PageSection section{"Run", "", {}, {"node", "operator", "time", "value", "min", "max", "mean", "NaN, Inf"}, std::move(rows_)};
    if (!report) {
      section.note = report.error().message;
      return section;
    }
    section.note = "Ran " + with_commas(uint64_t{report->executed}) + " of " + with_commas(uint64_t{report->nodes}) + " nodes in " + number(report->seconds) + " s, at most " +
                   bytes_text(report->peak_bytes) + " for results.";
    for (const std::string& warning : report->warnings) section.facts.emplace_back("warning", warning);
    if (report->compared) section.facts.emplace_back("reference", with_commas(uint64_t{report->compared}) + " nodes compared, " + with_commas(uint64_t{report->differing}) + " differ");
    if (report->first_divergence) section.facts.emplace_back("first divergence", *report->first_divergence);
    for (const auto& m : report->mismatched) {
      const std::string text = m.difference.reason.empty() ? "max abs " + number(m.difference.max_abs) + ", max rel " + number(m.difference.max_rel) : m.difference.reason;
      page_.node_facts[m.node].emplace_back("differs from the reference", text);
      section.facts.emplace_back(m.node, text);
    }
    return section;
  }

 private:
  const Program& program_;
  Page& page_;
  std::vector<PageRow> rows_;
};

// Everything a comparison can say; numbers and weights where they were asked for.
struct Compared {
  Diff diff;
  std::optional<interp::RunComparison> numbers;
  std::optional<interp::WeightComparison> weights;
  std::string problem;
};

Result<Compared> compare(const Options& options, const interp::InputRequest& inputs, const Opened& left, const Opened& right) {
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
  if (options.weights) compared.weights = interp::compare_weights(a, b, request.tolerance);
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

  Page page;
  page.title = left->title;
  PictureStyle style{options.theme == "dark" ? ThemeName::Dark : ThemeName::Light, {}, {}, {}};
  // The pictures show what a run found.
  std::optional<PageSection> run;
  if (options.run || !options.reference.empty()) {
    interp::RunRequest request;
    request.inputs = given;
    request.seed = options.seed;
    if (!options.reference.empty()) request.reference = &reference;
    RunTable table(*left->program, page);
    request.listener = &table;
    run = table.section(interp::run_program(*left->file, left->program, request));
    style.nonfinite = std::move(table.nonfinite);
  }
  Pictures pictures(left->program, style);
  const auto note = pictures.draw(left->title, page.views);
  if (!note) return report(options.file, note.error());
  page.sections.push_back(summary(*left, *note));
  page.sections.push_back(findings(*left));
  if (run) page.sections.push_back(std::move(*run));
  if (!options.other.empty()) {
    auto right = open(options.other);
    if (!right) return report(options.other, right.error());
    const auto compared = compare(options, given, *left, *right);
    if (!compared) return report(options.map, compared.error());
    const interp::ComparisonView view{*left->program, *right->program, left->title, right->title, compared->diff, compared->numbers ? &*compared->numbers : nullptr,
                                      compared->weights ? &*compared->weights : nullptr, std::nullopt, compared->problem};
    for (PageView& picture : page.views) picture.marks = comparison_marks(view, true);
    std::vector<PageView> others;
    if (const auto drawn = Pictures(right->program, {style.theme, {}, {}, {}}).draw(right->title, others); !drawn) return report(options.other, drawn.error());
    for (PageView& picture : others) {
      picture.other = true;
      picture.marks = comparison_marks(view, false);
      page.views.push_back(std::move(picture));
    }
    page.sections.push_back(comparison_section(view));
  }
  const Result<void> done = write_output(options.out, html_page(page, style));
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
  return [options] { return make_report(*options); };
}

}  // namespace pt2::app
