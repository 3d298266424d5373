#pragma once
// What stands at the head of a report: of a program for its page, and of the window for whoever asks what it runs on.
#include <string>
#include <utility>
#include <vector>

#include "core/load.h"

namespace pt2::views {

class Workspace;

// Names and texts: file, container, schema, PyTorch, program, nodes, parameters, each input and output with how a caller reaches it, symbols.
std::vector<std::pair<std::string, std::string>> program_facts(const std::string& path, const OpenedFile& file, const Program& program);

// Version, renderer, system, and the facts of every open file; a line each.
std::string facts_text(const Workspace& workspace);

}  // namespace pt2::views
