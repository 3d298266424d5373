#pragma once
// The one front door: path → archive → decode → programs.
#include <atomic>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/archive/archive.h"
#include "core/graph/program.h"

namespace pt2 {

struct OpenedFile {
  std::string path;
  std::shared_ptr<const Archive> archive;
  std::vector<std::shared_ptr<const Program>> programs;  // in the archive's order; those that could not be decoded are missing, with a finding
  std::vector<Finding> findings;                         // about the file as a whole; its programs have their own

  // `name` empty: the program called "model", else the only or first one. Null: no such program.
  std::shared_ptr<const Program> program(std::string_view name = {}) const;
};

struct LoadOptions {
  std::string only_program;                                  // decode just this one
  std::function<void(std::string_view stage)> progress;      // "Read archive", "Parse program" …; called on the loading thread
  std::stop_token stop;
};

// Fails only where nothing is readable; an archive without programs (a tensor file, an AOTInductor package) opens with none.
// When every program of an archive is unreadable, the error of the first is returned.
Result<std::shared_ptr<const OpenedFile>> open_file(const std::string& path, const LoadOptions& options = {});

// Parameters, buffers and constants of the signature that the archive does not hold.
std::vector<Finding> missing_weights(const Archive& archive, const Program& program);

// Splits FILE#NAME; a file whose real name holds '#' is taken whole where it exists.
std::pair<std::string, std::string> split_program_name(const std::string& argument);

}  // namespace pt2
