#pragma once
// A Finding: something odd that does not stop the work. Shown as a warning by `info`, in the Problems pane and by `verify`.
#include <string>
#include <vector>

#include "core/base/ids.h"

namespace pt2 {

enum class Severity { Error, Warning, Note };

struct Finding {
  Severity severity = Severity::Warning;
  std::string rule;     // "format.unknown-argument", …: a key to look up
  std::string message;  // what is wrong, with both numbers or names
  std::string where;    // as Error::where
  std::string advice;   // what it means, what to do; may be empty
  NodeRef node;         // where it concerns a node
};

}  // namespace pt2
