#pragma once
// Where one input's value comes from, in a word, and the list of what it may come from instead.
#include <string>

#include "views/shell/ui.h"

namespace pt2::views {

// What goes for inputs without a value of their own.
struct InputDefaults {
  bool samples = false;      // they are taken from the file's samples
  bool has_samples = false;  // it has any
};

// `given`: the text chosen for the input; empty: none. `from_bundle`: a value came with the bundle.
void draw_input_source(ShellContext& c, const Document& document, const InputSpec& spec, const std::string& given, bool from_bundle, const InputDefaults& defaults);

}  // namespace pt2::views
