#pragma once
// What `run --repro` and `compare --repro` say once a reproduction is written.
#include <string>

#include "core/base/result.h"
#include "interp/repro.h"

namespace pt2::app {

// Prints the files (or the JSON object) on stdout and the notes on stderr; the exit status.
int report_repro(const std::string& file, const Result<interp::Repro>& repro, const char* schema, bool json);

}  // namespace pt2::app
