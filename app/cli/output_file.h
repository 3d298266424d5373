#pragma once
#include <string>

#include "core/base/result.h"

namespace pt2::app {

// Writes a whole result to a path, in one go or not at all; "-" is standard output.
Result<void> write_output(const std::string& path, const std::string& bytes);

}  // namespace pt2::app
