#pragma once
#include <string>

namespace pt2::app {

// A fatal signal writes one line to stderr and to `path` and ends the process as it would have without. Signals that somebody else handles
// already (a sanitizer) are left alone.
void install_crash_log(const std::string& path);

}  // namespace pt2::app
