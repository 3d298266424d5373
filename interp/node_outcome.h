#pragma once
// What became of a node.
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/ids.h"
#include "core/base/result.h"

namespace pt2::interp {

struct NotRun {};
struct Done {};
struct Failed { std::string message; ErrorKind kind = ErrorKind::Failed; };
struct Unsupported { std::string target; };  // no implementation of this operator
struct Blocked { NodeRef waits_for; };       // got no value because of a node that failed

using NodeOutcome = std::variant<NotRun, Done, Failed, Unsupported, Blocked>;

struct NodeRun {
  NodeOutcome outcome;
  double elapsed_us = 0;
  size_t bytes = 0;           // of the tensors it made; views count nothing
  bool drew_random = false;   // took numbers from the generator
  bool uninitialized = false; // returns memory as it was
  bool supplied = false;      // its value was given, not computed
  bool done() const { return std::holds_alternative<Done>(outcome); }
};

}  // namespace pt2::interp
