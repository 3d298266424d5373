#include "app/cli/run_output.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <set>

#include "app/cli/words.h"
#include "core/base/display.h"
#include "core/base/text.h"
#include "core/graph/shown_frame.h"
#include "core/graph/written_memory.h"
#include "core/tensor/view.h"
#include "core/text/aligned_table.h"
#include "interp/break_check.h"

namespace pt2::app {

using interp::RunReport;

namespace {

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

// "model.py:41" where the file says where a node comes from.
std::string source_of(const Program& program, NodeRef ref) {
  const auto frames = parse_stack_trace(program.node(ref).meta->stack_trace);
  const SourceFrame* frame = shown_frame(frames);
  return frame ? std::string(frame->file) + ":" + std::to_string(frame->line) : "";
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

// A line for each operator that ran, with what it gave.
void print_table(RunTable table, const RunReport& report) {
  const std::vector<std::string> marks = std::move(table.marks);
  const bool full = table.full();
  const PageSection section = std::move(table).section("");
  if (section.rows.empty()) return;
  std::set<std::string> different;
  for (const auto& m : report.mismatched) different.insert(m.node);
  constexpr size_t kNode = 0, kTime = 2, kValue = 3;
  std::vector<TableRow> rows{{"step", "node"}};
  rows[0].insert(rows[0].end(), section.columns.begin() + kValue, section.columns.end());
  rows[0].insert(rows[0].end(), {"time", "mark"});
  for (size_t i = 0; i < section.rows.size(); ++i) {
    std::vector<std::string> cells = section.rows[i].cells;
    cells.resize(section.columns.size());
    TableRow& row = rows.emplace_back(TableRow{std::to_string(i + 1), display(cells[kNode])});
    for (size_t c = kValue; c < cells.size(); ++c) row.push_back(display(cells[c]));
    row.insert(row.end(), {cells[kTime], marks[i] + (different.contains(cells[kNode]) ? "≠" : "")});
  }
  constexpr size_t kWidest = 48;
  for (const std::string& line : aligned_rows(rows, kWidest)) std::puts(line.c_str());
  if (full) std::printf("… and more: %s lines are shown\n", with_commas(uint64_t(section.rows.size())).c_str());
}

void print_results(const RunReport& report, const Program& program) {
  for (size_t i = 0; i < report.outputs.size(); ++i)
    std::printf("output %s: %s\n", display(output_name(program, i)).c_str(), display(value_line(report.outputs[i])).c_str());
  for (const auto& w : report.written) std::printf("written %s (%s): %s\n", display(w.target).c_str(), w.kind.c_str(), display(value_line(w.value)).c_str());
}

void print_comparison(const RunReport& report, const Colors& colors) {
  std::printf("compared %s: %s\n", counted(report.compared, "node").c_str(), colors(report.mismatched.empty() ? Tone::Good : Tone::Error, differ_text(report)).c_str());
  for (const auto& m : report.mismatched) {
    char numbers[128];
    std::snprintf(numbers, sizeof numbers, "max abs %.6g, max rel %.6g, %zu of %zu elements", m.difference.max_abs, m.difference.max_rel, size_t(m.difference.different), size_t(m.difference.elements));
    std::printf("  %s (%s): %s\n", display(m.node).c_str(), display(m.target).c_str(), m.difference.reason.empty() ? numbers : display(m.difference.reason).c_str());
  }
}

// The last line: how the run ended, what failed, and how it compares.
std::string verdict(const RunReport& report, bool compared, const Colors& colors) {
  std::string text = report.stopped_at && !report.finished ? colors(Tone::Warning, "stopped at") + " " + display(*report.stopped_at) + ": " + display(report.stop_reason)
                                                          : colors(report.failed.empty() ? Tone::Good : Tone::Warning, "finished");
  if (!report.failed.empty())
    text += "; " + colors(Tone::Error, counted(report.failed.size(), "node") + " failed") + ", " + counted(report.blocked.size(), "node") + " got no value because of that";
  if (report.first_divergence) text += "; first divergence: " + colors(Tone::Error, display(*report.first_divergence));
  else if (compared && !report.mismatched.empty()) text += "; " + colors(Tone::Error, differ_text(report));
  else if (compared) text += "; " + counted(report.compared, "node") + " compared, none differs";
  return text;
}

}  // namespace

Json run_json(const RunReport& report, const Program& program, bool profile) {
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

void report_problems(const RunReport& report, const Program& program, const std::string& file) {
  for (const std::string& warning : report.warnings) std::fprintf(stderr, "warning: %s: %s\n", display(file).c_str(), display(warning).c_str());
  constexpr size_t kListed = 20;
  for (size_t i = 0; i < report.failed.size() && i < kListed; ++i) {
    const auto& f = report.failed[i];
    std::string source = source_of(program, f.ref);
    std::fprintf(stderr, "error: %s: node \"%s\" (%s): %s\n", display(file).c_str(), display(f.node).c_str(), display(f.target).c_str(),
                 display_cut(f.message, 2000).c_str());
    const bool writes = may_write_to_all(program.graphs[f.ref.graph], f.ref.node);
    const char* advice = writes                                 ? "It may write to the tensors it is given: they, what shares their memory and what depends on it have no value from here on; everything else still runs."
                         : f.kind != ErrorKind::Limit           ? "What depends on it has no value; everything else still runs."
                         : f.message.find("iteration") == std::string::npos ? "Give smaller inputs, or raise --memory."
                                                                            : "Give smaller inputs, or raise --max-iterations.";
    std::fprintf(stderr, "  %s%s%s\n", display(source).c_str(), source.empty() ? "" : ". ",
                 advice);
  }
  if (report.failed.size() > kListed) std::fprintf(stderr, "error: … and %zu more failed\n", report.failed.size() - kListed);
  if (report.stopped_by)
    std::fprintf(stderr, "error: %s: node \"%s\": %s\n", display(file).c_str(), display(report.stopped_at.value_or("")).c_str(), display(report.stop_reason).c_str());
}

void print_run(const RunReport& report, const Program& program, const RunText& what, RunTable table, const Colors& colors) {
  if (!what.quiet) {
    std::printf("%s: ran %s of %s nodes in %.3f s, at most %s for results and scratch\n", display(program.name).c_str(), with_commas(uint64_t(report.executed)).c_str(),
                with_commas(uint64_t(report.nodes)).c_str(), report.seconds, bytes_text(report.peak_bytes).c_str());
    if (!report.symbols.empty()) {
      std::printf("symbols:");
      for (const auto& [name, value] : report.symbols) std::printf(" %s = %" PRId64, display(name).c_str(), value);
      std::printf("\n");
    }
    print_table(std::move(table), report);
    print_results(report, program);
  }
  for (const std::string& place : report.not_reached) std::printf("%s %s\n", colors(Tone::Warning, "never reached:").c_str(), display(place).c_str());
  if (what.compared && !(what.quiet && report.mismatched.empty())) print_comparison(report, colors);
  if (what.profile) print_profile(report);
  std::puts(verdict(report, what.compared, colors).c_str());
}

}  // namespace pt2::app
