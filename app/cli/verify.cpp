// `verify`: what a file and its programs do not hold to.
#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/cli/color.h"
#include "app/cli/json_output.h"
#include "app/cli/problems.h"
#include "app/cli/subcommands.h"
#include "app/cli/words.h"
#include "core/base/display.h"
#include "core/base/text.h"
#include "core/load.h"
#include "core/verify/verify.h"
#include "views/workspace/problems.h"

namespace pt2::app {

namespace {

Json findings_json(const std::string& path, const std::vector<Finding>& findings) {
  Json json{{"schema", "pt2scope/verify"}, {"version", 1}, {"file", path}, {"findings", Json::array()}};
  size_t counts[3] = {};
  for (const Finding& finding : findings) {
    ++counts[size_t(finding.severity)];
    json["findings"].push_back(
        {{"severity", views::severity_text(finding.severity)}, {"rule", finding.rule}, {"message", finding.message}, {"where", finding.where}, {"advice", finding.advice}});
  }
  json["summary"] = {{"errors", counts[0]}, {"warnings", counts[1]}, {"notes", counts[2]}};
  return json;
}

void print_findings(const std::string& path, const std::vector<Finding>& findings, const Colors& colors) {
  constexpr Tone kTones[] = {Tone::Error, Tone::Warning, Tone::Note};
  size_t counts[3] = {};
  for (const Finding& finding : findings) {
    ++counts[size_t(finding.severity)];
    std::string text = display(path) + ": ";
    if (!finding.where.empty()) text += display_cut(finding.where, 500) + ": ";
    text += colors(kTones[size_t(finding.severity)], views::severity_text(finding.severity)) + ": ";
    text += display_cut(finding.message, 1000) + "  " + colors(Tone::Faint, "[" + display(finding.rule) + "]");
    if (!finding.advice.empty()) text += "\n  " + display_cut(finding.advice, 1000);
    std::printf("%s\n", text.c_str());
  }
  std::printf("%s: %s, %s, %s\n", display(path).c_str(), counted(counts[0], "error").c_str(), counted(counts[1], "warning").c_str(), counted(counts[2], "note").c_str());
}

int list_rules(bool json) {
  Json rules = Json::array();
  std::vector<VerifyRule> all = verify_rules();
  for (const auto rules : {reading_rules(), running_rules()}) all.insert(all.end(), rules.begin(), rules.end());
  for (const VerifyRule& rule : all) {
    if (json)
      rules.push_back({{"rule", std::string(rule.name)}, {"severity", views::severity_text(rule.severity)}, {"title", std::string(rule.title)}, {"explanation", std::string(rule.explanation)}});
    else
      std::printf("%-28s %-8s %s\n%38s%s\n", std::string(rule.name).c_str(), views::severity_text(rule.severity), std::string(rule.title).c_str(), "", std::string(rule.explanation).c_str());
  }
  if (json) print_json({{"schema", "pt2scope/verify"}, {"version", 1}, {"rules", rules}});
  return kDone;
}

struct Options {
  std::string file, color;
  bool json = false, rules = false, strict = false;
};

int run_verify(const Options& asked) {
  const auto [path, name] = split_program_name(asked.file);
  LoadOptions options;
  options.only_program = name;
  const auto file = open_file(path, options);
  if (!file) return report(path, file.error());
  const std::vector<Finding> findings = verify_findings(**file);
  if (asked.json) print_json(findings_json(path, findings));
  else print_findings(path, findings, Colors(asked.color));
  const auto counts = [&](const Finding& f) { return f.severity == Severity::Error || (asked.strict && f.severity == Severity::Warning); };
  return std::any_of(findings.begin(), findings.end(), counts) ? kAnswerIsNo : kDone;
}

}  // namespace

std::function<int()> declare_verify(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("FILE", options->file, "A .pt2 file, or FILE#NAME for one program of several");
  app.add_flag("--json", options->json, "Print one JSON object");
  app.add_flag("--rules,--list-rules", options->rules, "List the rules instead");
  app.add_flag("--strict", options->strict, "Warnings count for the exit status, too");
  add_color_option(app, options->color);
  app.footer("Example: pt2scope verify model.pt2\nExit status 1 when there is a finding of severity error, with --strict also a warning.");
  return [options]() -> int {
    if (options->rules) return list_rules(options->json);
    if (!options->file.empty()) return run_verify(*options);
    std::fputs("error: FILE is missing\n  Name a .pt2 file, or ask for --rules.\n", stderr);
    return kUsage;
  };
}

}  // namespace pt2::app
