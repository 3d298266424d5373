#pragma once
// Findings as people and scripts read them.
#include <string>
#include <vector>

#include "app/cli/json_output.h"
#include "core/load.h"

namespace pt2::app {

// Everything odd about a file: its archive, its programs, what could not be read, weights that are missing.
std::vector<Finding> all_findings(const OpenedFile& file);
// What was odd while reading, then what the rules of the Export IR say: for `verify` and `report`.
std::vector<Finding> verify_findings(const OpenedFile& file);
// `warning: file: where: message\n  advice` on stderr; the first twenty, then how many more.
void report_warnings(const std::string& file, const std::vector<Finding>& findings);
// The same as a list of `message` and `where`, with the same limit.
Json warnings_json(const std::vector<Finding>& findings);

}  // namespace pt2::app
