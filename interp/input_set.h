#pragma once
// All that was chosen for a program's inputs as a JSON file to keep and hand on:
//   {"pt2scope": "inputs", "version": 1, "inputs": {"x": "x.npy", "mask": "bernoulli(0.5)"}, "file": "all.safetensors", "samples": true,
//    "seed": 0, "symbols": {"s0": 4}, "cast": false, "ignore_ranges": false, "reference": "values.safetensors"}
// Everything but the first two may be left out. Paths are taken from the folder of the JSON file.
#include <string>
#include <vector>

#include "interp/program_inputs.h"

namespace pt2::interp {

struct InputSet {
  InputRequest request;
  std::string reference;              // a file of values by node name, or a folder; empty: none
  std::vector<std::string> warnings;  // of what was read: names that the program has not
};

bool is_input_set(std::string_view path);  // by its name

// As it stands in `path`; files below that folder are named from there.
std::string input_set_text(const InputSet& set, const std::string& path);
// What `--inputs FILE` means: values by name, or such a set, before which goes what was asked for already. Its reference is the window's.
// Gives the warnings.
Result<std::vector<std::string>> add_inputs(const std::string& path, const Program& program, InputRequest& request);
// An error where it is no such file, or where none of its names fits the program.
Result<InputSet> read_input_set(const std::string& path, const Program& program);

}  // namespace pt2::interp
