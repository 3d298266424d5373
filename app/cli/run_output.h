#pragma once
// What `run` says of a run: as text for people, as JSON, and its problems on standard error.
#include <string>

#include "app/cli/color.h"
#include "app/cli/json_output.h"
#include "app/picture/run_table.h"
#include "interp/run_report.h"

namespace pt2::app {

Json run_json(const interp::RunReport& report, const Program& program, bool profile);
void report_problems(const interp::RunReport& report, const Program& program, const std::string& file);

struct RunText {
  bool compared, profile;  // there was a reference; times are asked for
  bool quiet;              // only stops, failures and mismatches, and the verdict
};
inline constexpr size_t kMostLines = 4'000;  // of operators: a loop may run more than anybody reads
// `table` has the lines of operators; the last line is the verdict.
void print_run(const interp::RunReport& report, const Program& program, const RunText& what, RunTable table, const Colors& colors);

}  // namespace pt2::app
