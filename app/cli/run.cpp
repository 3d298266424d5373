// `run`: executes the program on the CPU and reports node by node.
#include <csignal>
#include <pthread.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <thread>

#include "app/cli/color.h"
#include "app/cli/json_output.h"
#include "app/cli/repro_output.h"
#include "app/cli/subcommands.h"
#include "app/cli/words.h"
#include "core/base/display.h"
#include "core/base/text.h"
#include "core/graph/shown_frame.h"
#include "core/load.h"
#include "core/tensor/view.h"
#include "interp/break_check.h"
#include "interp/input_set.h"
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
  bool no_samples = false, isolate = false, profile = false, json = false;
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

Json strings(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(text);
  return list;
}

// An output spec's name: of the node it returns, else the constant's place.
std::string output_name(const Program& program, size_t i) {
  if (i >= program.signature.outputs.size()) return "output#" + std::to_string(i);
  const OutputSpec& spec = program.signature.outputs[i];
  if (const NodeId* id = spec.value.as<NodeId>()) return std::string(program.root_graph().node(*id).name);
  return spec.name.empty() ? "output#" + std::to_string(i) : std::string(spec.name);
}

std::string value_dtype(const interp::RuntimeValue& value) {
  if (const auto* tensor = value.as<Tensor>()) return std::string(dtype_name(tensor->dtype));
  if (value.is<int64_t>()) return "int";
  if (value.is<double>()) return "float";
  if (value.is<bool>()) return "bool";
  if (value.is<std::string>()) return "str";
  return value.is_none() ? "none" : interp::kind_text(value);
}

Json number_value(const interp::RuntimeValue& value) {
  if (const auto* i = value.as<int64_t>()) return *i;
  if (const auto* d = value.as<double>()) return json_number(*d);
  if (const auto* b = value.as<bool>()) return *b;
  if (const auto* s = value.as<std::string>()) return *s;
  return nullptr;
}

// As of `tensor`: the extremes are of finite elements.
Json counts_json(const interp::RuntimeValue& value) {
  const interp::ValueCounts counts = interp::count_values(value);
  return {{"min", counts.any ? json_number(counts.min) : Json(nullptr)}, {"max", counts.any ? json_number(counts.max) : Json(nullptr)}, {"nan", counts.nan}, {"inf", counts.inf}};
}

Json report_json(const RunReport& report, const Program& program, bool profile) {
  Json object{{"schema", "pt2scope/run"}, {"version", 1}, {"program", program.name}, {"nodes", report.nodes}, {"executed", report.executed}};
  Json failed = Json::array();
  for (const auto& f : report.failed) failed.push_back({{"node", f.node}, {"target", f.target}, {"message", f.message}});
  object["failed"] = std::move(failed);
  object["unsupported"] = strings(report.unsupported);
  object["blocked"] = strings(report.blocked);
  object["compared"] = report.compared;
  object["differing"] = report.differing;
  Json mismatched = Json::array();
  for (const auto& m : report.mismatched) {
    Json entry{{"node", m.node}, {"target", m.target}, {"max_abs", json_number(m.difference.max_abs)}, {"max_rel", json_number(m.difference.max_rel)},
               {"cosine", json_number(m.difference.cosine)}};
    if (!m.difference.reason.empty()) entry["reason"] = m.difference.reason;
    mismatched.push_back(std::move(entry));
  }
  object["mismatched"] = std::move(mismatched);
  object["first_divergence"] = report.first_divergence ? Json(*report.first_divergence) : Json(nullptr);
  object["not_in_reference"] = strings(report.not_in_reference);
  object["taken_from_reference"] = strings(report.taken_from_reference);
  Json outputs = Json::array();
  for (size_t i = 0; i < report.outputs.size(); ++i) {
    const auto& value = report.outputs[i];
    Json entry{{"name", output_name(program, i)}, {"dtype", value_dtype(value)}};
    const auto* tensor = value.as<Tensor>();
    entry["shape"] = tensor ? Json(tensor->sizes) : Json(nullptr);
    if (tensor) entry.update(counts_json(value));
    else entry["value"] = number_value(value);
    outputs.push_back(std::move(entry));
  }
  object["outputs"] = std::move(outputs);
  Json mutated = Json::array();
  for (const auto& w : report.written) {
    Json entry{{"target", w.target}, {"kind", w.kind}};
    if (w.value.is<Tensor>()) entry.update(counts_json(w.value));
    mutated.push_back(std::move(entry));
  }
  object["mutated"] = std::move(mutated);
  object["symbols"] = Json::object();
  for (const auto& [name, value] : report.symbols) object["symbols"][name] = value;
  object["seconds"] = report.seconds;
  object["peak_bytes"] = report.peak_bytes;
  object["finished"] = report.finished;
  object["stopped_at"] = report.stopped_at ? Json(*report.stopped_at) : Json(nullptr);
  object["not_reached"] = strings(report.not_reached);
  object["stop_reason"] = report.stop_reason.empty() ? Json(nullptr) : Json(report.stop_reason);
  object["warnings"] = strings(report.warnings);
  if (profile) {
    Json rows = Json::array();
    for (const auto& [node, p] : report.profile)
      rows.push_back({{"node", node}, {"target", p.target}, {"calls", p.calls}, {"us", p.elapsed_us}, {"bytes", p.bytes}});
    object["profile"] = std::move(rows);
  }
  return object;
}

// "  model.py:41." where the file says where a node comes from.
std::string source_of(const Program& program, NodeRef ref) {
  const auto frames = parse_stack_trace(program.node(ref).meta->stack_trace);
  const SourceFrame* frame = shown_frame(frames);
  return frame ? std::string(frame->file) + ":" + std::to_string(frame->line) : "";
}

void report_problems(const RunReport& report, const Program& program, const std::string& file) {
  for (const std::string& warning : report.warnings) std::fprintf(stderr, "warning: %s: %s\n", display(file).c_str(), display(warning).c_str());
  constexpr size_t kListed = 20;
  for (size_t i = 0; i < report.failed.size() && i < kListed; ++i) {
    const auto& f = report.failed[i];
    std::string source = source_of(program, f.ref);
    std::fprintf(stderr, "error: %s: node \"%s\" (%s): %s\n", display(file).c_str(), display(f.node).c_str(), display(f.target).c_str(),
                 display_cut(f.message, 2000).c_str());
    const char* advice = f.kind != ErrorKind::Limit             ? "What depends on it has no value; everything else still runs."
                         : f.message.find("iteration") == std::string::npos ? "Give smaller inputs, or raise --memory."
                                                                            : "Give smaller inputs, or raise --max-iterations.";
    std::fprintf(stderr, "  %s%s%s\n", display(source).c_str(), source.empty() ? "" : ". ",
                 advice);
  }
  if (report.failed.size() > kListed) std::fprintf(stderr, "error: … and %zu more failed\n", report.failed.size() - kListed);
  if (report.stopped_by)
    std::fprintf(stderr, "error: %s: node \"%s\": %s\n", display(file).c_str(), display(report.stopped_at.value_or("")).c_str(), display(report.stop_reason).c_str());
}

std::string value_line(const interp::RuntimeValue& value) {
  if (const auto* tensor = value.as<Tensor>()) {
    std::string text = std::string(dtype_name(tensor->dtype)) + shape_text(tensor->sizes);
    const interp::ValueCounts counts = interp::count_values(value);
    char numbers[160];
    if (counts.inf && tensor->numel() == 1) std::snprintf(numbers, sizeof numbers, counts.negative_inf ? " = -inf" : " = inf");
    else if (counts.any && tensor->numel() == 1) std::snprintf(numbers, sizeof numbers, " = %.9g", counts.min);
    else if (counts.any) std::snprintf(numbers, sizeof numbers, "  min %.6g  max %.6g", counts.min, counts.max);
    else numbers[0] = '\0';
    text += numbers;
    if (counts.nan) text += "  NaN " + with_commas(counts.nan);
    if (counts.inf > counts.negative_inf) text += "  Inf " + with_commas(counts.inf - counts.negative_inf);
    if (counts.negative_inf) text += "  -Inf " + with_commas(counts.negative_inf);
    return text;
  }
  const Json number = number_value(value);
  return number.is_null() ? interp::kind_text(value) : value_dtype(value) + " " + number.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void print_profile(const RunReport& report) {
  std::vector<size_t> order(report.profile.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return report.profile[a].second.elapsed_us > report.profile[b].second.elapsed_us; });
  double total = 0;
  for (const auto& [node, p] : report.profile) total += p.elapsed_us;
  std::printf("\n%12s %6s %7s %12s  %s\n", "time", "share", "calls", "bytes", "node");
  for (size_t i : order) {
    const auto& [node, p] = report.profile[i];
    if (p.elapsed_us <= 0) continue;
    std::printf("%9.1f us %5.1f%% %7" PRId64 " %12s  %s (%s)\n", p.elapsed_us, total > 0 ? 100 * p.elapsed_us / total : 0, p.calls, with_commas(uint64_t(p.bytes)).c_str(),
                display(node).c_str(), display(p.target).c_str());
  }
}

// "3 differ, and 1 result of the program": what the program returns or leaves in its inputs is no node.
std::string differ_text(const RunReport& report) {
  const size_t results = report.mismatched.size() - report.differing;
  return with_commas(uint64_t(report.differing)) + " differ" + (results ? ", and " + counted(results, "result") + " of the program" : "");
}

void print_report(const RunReport& report, const Program& program, const Options& options) {
  const Colors colors(options.color);
  std::printf("%s: ran %s of %s nodes in %.3f s, at most %s for results and scratch\n", display(program.name).c_str(), with_commas(uint64_t(report.executed)).c_str(),
              with_commas(uint64_t(report.nodes)).c_str(), report.seconds, bytes_text(report.peak_bytes).c_str());
  if (!report.symbols.empty()) {
    std::printf("symbols:");
    for (const auto& [name, value] : report.symbols) std::printf(" %s = %" PRId64, display(name).c_str(), value);
    std::printf("\n");
  }
  if (!report.finished && report.stopped_at) std::printf("%s %s: %s\n", colors(Tone::Warning, "stopped at").c_str(), display(*report.stopped_at).c_str(), display(report.stop_reason).c_str());
  for (const std::string& place : report.not_reached) std::printf("%s %s\n", colors(Tone::Warning, "never reached:").c_str(), display(place).c_str());
  for (size_t i = 0; i < report.outputs.size(); ++i)
    std::printf("output %s: %s\n", display(output_name(program, i)).c_str(), display(value_line(report.outputs[i])).c_str());
  for (const auto& w : report.written) std::printf("written %s (%s): %s\n", display(w.target).c_str(), w.kind.c_str(), display(value_line(w.value)).c_str());
  if (!report.failed.empty())
    std::printf("%s, %s got no value because of that\n", colors(Tone::Error, counted(report.failed.size(), "node") + " failed").c_str(), counted(report.blocked.size(), "node").c_str());
  if (!options.reference.empty()) {
    std::printf("compared %s: %s\n", counted(report.compared, "node").c_str(), colors(report.mismatched.empty() ? Tone::Good : Tone::Error, differ_text(report)).c_str());
    for (const auto& m : report.mismatched) {
      char numbers[128];
      std::snprintf(numbers, sizeof numbers, "max abs %.6g, max rel %.6g, %zu of %zu elements", m.difference.max_abs, m.difference.max_rel, size_t(m.difference.different), size_t(m.difference.elements));
      std::printf("  %s (%s): %s\n", display(m.node).c_str(), display(m.target).c_str(), m.difference.reason.empty() ? numbers : display(m.difference.reason).c_str());
    }
    if (report.first_divergence) std::printf("first divergence: %s\n", colors(Tone::Error, display(*report.first_divergence)).c_str());
  }
  if (options.profile) print_profile(report);
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
  if (!options.inputs.empty()) {
    const auto added = interp::add_inputs(options.inputs, *program, request.inputs);
    if (!added) return report(options.inputs, added.error());
    for (const std::string& warning : *added) std::fprintf(stderr, "warning: %s: %s\n", display(options.inputs).c_str(), display(warning).c_str());
  }
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
  auto result = interp::run_program(**opened, program, request);
  if (shown) std::fprintf(stderr, "\r\x1b[K");
  if (!result) return report(path, result.error());
  report_problems(*result, *program, path);
  if (options.json) print_json(report_json(*result, *program, options.profile));
  else print_report(*result, *program, options);
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
  app.add_flag("--profile", o->profile, "Time and bytes per node");
  app.add_flag("--json", o->json, "One JSON object on stdout");
  add_color_option(app, o->color);
  app.footer("Example: pt2scope run model.pt2 --inputs inputs.safetensors --record values.safetensors");
  return [o] { return run(*o); };
}

}  // namespace pt2::app
