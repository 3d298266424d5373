#pragma once
// A Diff counted up: by operator and by module, and the two signatures row by row.
#include <string>
#include <vector>

#include "core/diff/diff.h"

namespace pt2 {

// Every operator of either program, by name.
std::vector<OpChange> operator_counts(const Program& left, const Program& right);

struct ModuleCounts {
  std::string path;            // "" for the root; without call numbers both sides have alike
  int left = 0, right = 0;     // operators directly in it
  int same = 0, different = 0; // groups, by the module of their first node
  std::string counterpart;     // of a module that one side has alone: where the other side has most of its operators; "": nowhere
};
std::vector<ModuleCounts> module_counts(const Program& left, const Program& right, const Diff& diff);
// "=", "~" where something in it differs, "→" where only its name does, "+" and "−" where one side has it alone.
const char* module_sign(const ModuleCounts& module);
// "blocks.0 → layers.0", of a module of the right program "layers.0 ← blocks.0".
std::string module_title(const ModuleCounts& module);

// What an input or output is called: "buffer mutation running_mean" of kind "buffer_mutation".
std::string spec_title(std::string_view kind, std::string_view target);
std::string spec_title(std::string_view title);  // of both in one text, "buffer_mutation running_mean"

// An input, an output, or what else a caller sees (the range of a symbol), with what it is on each side; empty where a side has none.
struct SignatureRow {
  enum class Of : uint8_t { Input, Output, Interface };
  Of of = Of::Input;
  std::string key;             // "user input 0", "user output 0 → 1", "parameter conv.weight", "range of s77"
  std::string left_name, right_name, left_type, right_type;
  NodeRef left, right;
  bool other_value = false;    // an output that holds something else; or of the interface
  bool differs() const { return other_value || left_type != right_type || left_name.empty() != right_name.empty(); }
};
std::vector<SignatureRow> signature_rows(const Program& left, const Program& right, const Diff& diff);

}  // namespace pt2
