#pragma once
// `--inputs FILE` of the subcommands that run programs.
#include <string>

#include "interp/program_inputs.h"

namespace pt2::app {

// Adds what the file gives to what was asked for, unless no file is named; its warnings go to stderr. kDone, else what was reported.
int take_inputs(const std::string& file, const Program& program, interp::InputRequest& request);

}  // namespace pt2::app
