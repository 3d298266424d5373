#pragma once
// How a caller reaches what goes into a program and what comes out of it, by the containers the file tells of.
#include <algorithm>
#include <string>
#include <vector>

#include "core/graph/program.h"
#include "core/graph/tree_spec.h"

namespace pt2 {

// What goes back to the caller.
bool is_returned(const OutputSpec& spec);
// What is written back to an input.
bool is_mutation(OutputKind kind);
// What a caller gives or gets: user inputs, and what is returned.
bool is_of_caller(const InputSpec& spec);
bool is_of_caller(const OutputSpec& spec);
template <class Spec>
size_t count_of_caller(const std::vector<Spec>& specs) {
  return size_t(std::count_if(specs.begin(), specs.end(), [](const Spec& spec) { return is_of_caller(spec); }));
}

// How the program as a whole is called; null: the file does not say it.
const ModuleCall* root_call(const Program& program);
// Positional and keyword arguments. PyTorch 2.1 wrote the positional ones alone where there are no others.
bool has_keyword_arguments(const TreeSpec& in_spec);

// For each user input from (arguments, keyword arguments), "[1]['mask']", and for each returned value from the result, "['aux'][0]", in the
// order of the signature's; nothing where that is not known.
std::vector<std::string> caller_input_paths(const Program& program);
std::vector<std::string> caller_output_paths(const Program& program);

// The same for people, one for each spec of the signature. Empty where a path says no more than name or place do: an argument that is the
// input, the values of a tuple.
std::vector<std::string> shown_input_paths(const Program& program);   // "batch['mask']", by the names of forward's arguments
std::vector<std::string> shown_output_paths(const Program& program);  // "['aux'][0]"

}  // namespace pt2
