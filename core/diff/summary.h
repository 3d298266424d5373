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
};
std::vector<ModuleCounts> module_counts(const Program& left, const Program& right, const Diff& diff);

// An input or output with what it is on each side; empty where a side has none.
struct SignatureRow {
  bool output = false;
  std::string key;             // "user input 0", "parameter conv.weight"
  std::string left_name, right_name, left_type, right_type;
  NodeRef left, right;
  bool differs() const { return left_type != right_type || left_name.empty() != right_name.empty(); }
};
std::vector<SignatureRow> signature_rows(const Program& left, const Program& right);

}  // namespace pt2
