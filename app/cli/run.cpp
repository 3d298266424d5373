// `run`: executes the program on the CPU and reports node by node.
#include <csignal>
#include <pthread.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "app/cli/color.h"
#include "app/cli/inputs_option.h"
#include "app/cli/repro_output.h"
#include "app/cli/run_output.h"
#include "app/cli/subcommands.h"
#include "app/cli/words.h"
#include "core/base/display.h"
#include "core/load.h"
#include "interp/run_report.h"

namespace pt2::app {

namespace {

using interp::RunReport;

struct Options {
  std::string file, inputs, record, reference, values, until, memory;
  std::vector<std::string> input, symbol, breaks, repro;
  std::string folder, color;
  std::optional<uint64_t> seed;
  std::optional<double> rtol, atol;
  int64_t max_iterations = 0;
  int threads = 0;
  bool no_samples = false, ignore_ranges = false, isolate = false, profile = false, quiet = false, json = false;
};

// Turns an interrupt from the terminal into a stop of the run; a second one ends the program.
class InterruptWatch {
 public:
  InterruptWatch() {
    sigset_t signals;
    sigemptyset(&signals);
    for (int number : {SIGINT, SIGTERM, kEnd}) sigaddset(&signals, number);
    pthread_sigmask(SIG_BLOCK, &signals, &before_);
    thread_ = std::thread([this, signals] {
      int got = 0;
      sigwait(&signals, &got);
      if (got == kEnd) return;
      source_.request_stop();
      sigset_t end, others = before_;
      sigemptyset(&end);
      sigaddset(&end, kEnd);
      sigaddset(&others, kEnd);
      pthread_sigmask(SIG_SETMASK, &others, nullptr);
      sigwait(&end, &got);
    });
  }
  ~InterruptWatch() {
    pthread_kill(thread_.native_handle(), kEnd);
    thread_.join();
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  std::stop_token token() const { return source_.get_token(); }

 private:
  static constexpr int kEnd = SIGURG;  // to the thread: the run is over. Ignored by everybody else
  sigset_t before_;
  std::stop_source source_;
  std::thread thread_;
};

int usage(const std::string& message) {
  std::fprintf(stderr, "error: %s\n", display_lines(message).c_str());
  return kUsage;
}

// "512M", "2GiB", "1000000".
std::optional<size_t> parse_bytes(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  std::string unit(end);
  for (char& c : unit) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  static const std::pair<const char*, double> kUnits[] = {{"", 1}, {"B", 1}, {"K", 0x1p10}, {"KB", 1e3}, {"KIB", 0x1p10}, {"M", 0x1p20}, {"MB", 1e6},
                                                          {"MIB", 0x1p20}, {"G", 0x1p30}, {"GB", 1e9}, {"GIB", 0x1p30}, {"T", 0x1p40}, {"TIB", 0x1p40}};
  if (end == text.c_str() || !(number > 0)) return std::nullopt;
  for (const auto& [name, factor] : kUnits)
    if (unit == name && number * factor < 0x1p63) return static_cast<size_t>(number * factor);
  return std::nullopt;
}

std::optional<std::pair<std::string, std::string>> split_assignment(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return std::nullopt;
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

// --break: a condition for every operator, or a place.
std::optional<interp::Breakpoint> parse_break(const std::string& text, const Program& program) {
  interp::Breakpoint b;
  b.kind = interp::BreakpointKind::Any;
  if (text == "nan") b.condition = interp::BreakpointCondition::NaN;
  else if (text == "inf") b.condition = interp::BreakpointCondition::Inf;
  else if (text == "mismatch") b.condition = interp::BreakpointCondition::Mismatch;
  else return interp::parse_breakpoint(text, program);
  return b;
}

// A reference of which no key is a node's has been compared with nothing: that is no success.
bool compared_nothing(const RunReport& report, const Options& options, const TensorFile& reference) {
  if (options.reference.empty() || report.compared > 0 || report.not_in_reference.empty()) return false;
  std::fprintf(stderr, "error: %s: none of its %s has the key of a node that ran%s%s\n  Keys are the names of nodes, as --record writes them.\n", display(options.reference).c_str(),
               counted(reference.tensors.size(), "value").c_str(), reference.tensors.empty() ? "" : ": ", reference.tensors.empty() ? "" : display_cut(reference.tensors[0].first, 100).c_str());
  return true;
}

int exit_status_of(const RunReport& report) {
  if (report.stopped_by == ErrorKind::Stopped) return kStopped;
  if (report.stopped_by == ErrorKind::Limit) return kLimitHit;
  for (const auto& f : report.failed)
    if (f.kind == ErrorKind::Limit) return kLimitHit;
  return report.failed.empty() && report.mismatched.empty() ? kDone : kAnswerIsNo;
}

int run(const Options& options) {
  const auto [path, name] = split_program_name(options.file);
  LoadOptions load;
  load.only_program = name;
  auto opened = open_file(path, load);
  if (!opened) return report(path, opened.error());
  auto program = (*opened)->program(name);
  if (!program)
    return report(path, {ErrorKind::CannotOpen, name.empty() ? "it holds no program" : "it holds no program called \"" + name + "\"", "", "`pt2scope info` lists what it holds."});

  interp::RunRequest request;
  request.inputs.seed = options.seed;
  request.inputs.ignore_ranges = options.ignore_ranges;
  request.inputs.use_sample_inputs = !options.no_samples;
  request.until = options.until;
  request.record_path = options.record;
  request.comparison = {{options.rtol, options.atol}, options.isolate};
  request.max_iterations = options.max_iterations;
  request.threads = options.threads;
  if (!options.memory.empty()) {
    const auto bytes = parse_bytes(options.memory);
    if (!bytes) return usage("--memory " + options.memory + ": expected a size, for example 512M or 2GiB");
    request.memory_bytes = *bytes;
  }
  for (const std::string& text : options.input) {
    auto assignment = split_assignment(text);
    if (!assignment) return usage("--input " + text + ": expected NAME=VALUE");
    request.inputs.texts.push_back(std::move(*assignment));
  }
  for (const std::string& text : options.symbol) {
    const auto assignment = split_assignment(text);
    char* end = nullptr;
    const long long size = assignment ? std::strtoll(assignment->second.c_str(), &end, 10) : 0;
    if (!assignment || assignment->second.empty() || *end) return usage("--symbol " + text + ": expected NAME=SIZE, for example s0=4");
    request.inputs.symbols[assignment->first] = size;
  }
  for (const std::string& text : options.breaks) {
    auto b = parse_break(text, *program);
    if (!b) return usage("--break " + text + ": nothing in the program is such a place. It takes nan, inf, mismatch, any, NODE, data=INPUT, op=GLOB (as aten.log.default), module=GLOB, exit=GLOB, FILE:LINE, symbol=NAME; conditions are the window's");
    if (text == "mismatch" && options.reference.empty()) return usage("--break mismatch needs --reference");
    request.breaks.push_back(std::move(*b));
  }
  if (!options.until.empty()) {
    const auto place = interp::parse_breakpoint(options.until, *program);
    if (!place || place->kind != interp::BreakpointKind::Node) return usage("--until " + options.until + ": the program has no node of this name");
  }
  if (options.isolate && options.reference.empty()) return usage("--isolate needs --reference");

  TensorFile reference, values;
  for (const auto& [file, target] : {std::pair{&options.reference, &reference}, {&options.values, &values}})
    if (!file->empty()) {
      auto read = read_tensor_file(*file);
      if (!read) return report(*file, read.error());
      *target = std::move(*read);
    }
  if (!options.reference.empty()) request.reference = &reference;
  if (!options.values.empty()) request.given_values = &values;
  if (const int status = take_inputs(options.inputs, *program, request.inputs); status != kDone) return status;
  request.seed = request.inputs.seed.value_or(0);

  InterruptWatch interrupt;
  request.stop = interrupt.token();
  if (options.repro.empty() != options.folder.empty()) return usage("--repro NODE and -o FOLDER belong together");
  if (!options.repro.empty()) {
    std::vector<NodeRef> nodes;
    std::string call;
    for (const std::string& text : options.repro) {
      const auto place = interp::parse_breakpoint(text, *program);
      if (!place || place->kind != interp::BreakpointKind::Node) return usage("--repro " + text + ": the program has no node of this name");
      if (!nodes.empty() && place->call != call) return usage("--repro " + text + ": the nodes are not all of one call of their sub-graph");
      nodes.push_back(place->node);
      call = place->call;
    }
    return report_repro(path, interp::write_repro(**opened, program, nodes, request, options.folder, call), "pt2scope/run", options.json);
  }
  const bool terminal = isatty(STDERR_FILENO);
  const auto begin = std::chrono::steady_clock::now();
  bool shown = false;
  if (terminal)
    request.progress = [&](size_t runs) {
      if (std::chrono::steady_clock::now() - begin < std::chrono::seconds(1)) return;
      std::fprintf(stderr, "\rran %zu nodes", runs);
      shown = true;
    };
  RunTable table(*program, kMostLines);
  RunTableListener listener(table);
  if (!options.json && !options.quiet) request.listener = &listener;
  auto result = interp::run_program(**opened, program, request);
  if (shown) std::fprintf(stderr, "\r\x1b[K");
  if (!result) return report(path, result.error());
  report_problems(*result, *program, path);
  if (options.json) print_json(run_json(*result, *program, options.profile));
  else print_run(*result, *program, {.compared = !options.reference.empty(), .profile = options.profile, .quiet = options.quiet}, std::move(table), Colors(options.color));
  const bool nothing = compared_nothing(*result, options, reference);
  const int status = exit_status_of(*result);
  return status == kDone && nothing ? kAnswerIsNo : status;
}

}  // namespace

std::function<int()> declare_run(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("FILE", o->file, "A .pt2 file; FILE#NAME picks a program")->required();
  app.add_option("--inputs", o->inputs, "Values of user inputs by placeholder name (.safetensors, .npz, .npy, .pt), or a set of inputs that the window saved (.json)");
  app.add_option("--input", o->input, "NAME=VALUE: one input, a number, true/false, a string, none, a tensor file (FILE#KEY: that tensor of it), sample, or normal(), uniform(0,1), randint(0,10), bernoulli(0.5), arange()")->allow_extra_args(false);
  app.add_flag("--no-samples", o->no_samples, "Leave out the file's sample inputs: what is not given is filled by --seed");
  app.add_flag("--ignore-ranges", o->ignore_ranges, "Run although a size is out of its range or a guard does not hold: that is a warning then");
  app.add_option("--seed", o->seed, "State of the random generator, as torch.manual_seed(N)");
  app.add_option("--symbol", o->symbol, "s0=4: the size of a symbolic dimension for filled inputs")->allow_extra_args(false);
  app.add_option("--until", o->until, "Stop after this node");
  app.add_option("--break", o->breaks, "nan, inf (also one that a mask asks for), mismatch, any, op=GLOB, module=GLOB, exit=GLOB, data=INPUT, FILE:LINE, symbol=NAME, NODE or GRAPH@2/NODE: stop there (repeatable)")->allow_extra_args(false);
  app.add_option("--record", o->record, "Write every value to this .safetensors file");
  app.add_option("--reference", o->reference, "Compare each value with the recorded one of the same key");
  app.add_flag("--isolate", o->isolate, "With --reference: each result takes the recorded value, so that errors do not add up");
  app.add_option("--values", o->values, "Values of nodes whose operator this build does not have, by key as in a record");
  app.add_option("--rtol", o->rtol, "Relative tolerance; default by dtype, as torch.testing.assert_close");
  app.add_option("--atol", o->atol, "Absolute tolerance; default by dtype");
  app.add_option("--memory", o->memory, "Memory for results and scratch, for example 2GiB");
  app.add_option("--max-iterations", o->max_iterations, "Iterations of one while_loop (100,000)")->check(CLI::PositiveNumber);
  app.add_option("--threads", o->threads, "Threads of a kernel; default: all processors")->check(CLI::PositiveNumber);
  app.add_option("--repro", o->repro, "Write this node (several: NODE,NODE; in one call of a sub-graph: GRAPH@2/NODE) with the inputs it has as a .pt2 of its own and a script that shows it in PyTorch")->delimiter(',');
  app.add_option("-o", o->folder, "With --repro: the folder to write to");
  app.add_flag("-q,--quiet", o->quiet, "Only stops, failures and mismatches, and the verdict in the last line");
  app.add_flag("--profile", o->profile, "Time and bytes per node");
  app.add_flag("--json", o->json, "One JSON object on stdout");
  add_color_option(app, o->color);
  app.footer("Example: pt2scope run model.pt2 --inputs inputs.safetensors --record values.safetensors");
  return [o] { return run(*o); };
}

}  // namespace pt2::app
