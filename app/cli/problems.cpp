#include "app/cli/problems.h"

#include <cstdio>

#include "core/base/display.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/sample_inputs.h"
#include "core/verify/verify.h"

namespace pt2::app {

namespace {

void append(std::vector<Finding>& all, std::vector<Finding> more) { all.insert(all.end(), more.begin(), more.end()); }

std::string more_text(size_t n) { return "and " + with_commas(uint64_t(n)) + " more"; }

}  // namespace

std::vector<Finding> all_findings(const OpenedFile& file) {
  std::vector<Finding> all = archive_findings(*file.archive, file.programs);
  append(all, file.findings);
  for (const auto& program : file.programs) {
    append(all, program->findings);
    append(all, missing_weights(*file.archive, *program));
  }
  return all;
}

void report_warnings(const std::string& file, const std::vector<Finding>& findings) {
  for (size_t i = 0; i < findings.size() && i < limits::kListedProblems; ++i) {
    const Finding& finding = findings[i];
    std::string text = (finding.severity == Severity::Note ? "note: " : "warning: ") + display(file) + ": ";
    if (!finding.where.empty()) text += display_cut(finding.where, 500) + ": ";
    text += display_cut(finding.message, 1000);
    if (!finding.advice.empty()) text += "\n  " + display_cut(finding.advice, 1000);
    std::fprintf(stderr, "%s\n", text.c_str());
  }
  if (findings.size() > limits::kListedProblems)
    std::fprintf(stderr, "warning: %s: %s\n", display(file).c_str(), more_text(findings.size() - limits::kListedProblems).c_str());
}

Json warnings_json(const std::vector<Finding>& findings) {
  Json list = Json::array();
  for (size_t i = 0; i < findings.size() && i < limits::kListedProblems; ++i)
    if (findings[i].severity != Severity::Note) list.push_back({{"message", findings[i].message}, {"where", findings[i].where}});
  if (findings.size() > limits::kListedProblems) list.push_back({{"message", more_text(findings.size() - limits::kListedProblems)}, {"where", ""}});
  return list;
}

std::vector<Finding> verify_findings(const OpenedFile& file) {
  std::vector<Finding> all = archive_findings(*file.archive, file.programs);
  const auto append = [&](const std::vector<Finding>& more) { all.insert(all.end(), more.begin(), more.end()); };
  append(file.findings);
  for (const auto& program : file.programs) {
    for (const Finding& finding : program->findings)
      if (finding.rule.starts_with("format.")) all.push_back(finding);
    append(verify(*program, file.archive.get()));
  }
  return all;
}

}  // namespace pt2::app
