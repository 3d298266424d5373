#pragma once
// A whole run in one go, as the command line and tests want it: what ran, what failed and why, what it took.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/load.h"
#include "core/tensor/tensor_files.h"
#include "interp/breakpoints.h"
#include "interp/interpreter.h"
#include "interp/program_inputs.h"
#include "interp/reference_check.h"

namespace pt2::interp {

struct RunRequest {
  InputRequest inputs;
  uint64_t seed = 0;
  std::string until;                                // stop after this node
  std::vector<Breakpoint> breaks;
  std::string record_path;                          // .safetensors to write every value to
  const TensorFile* reference = nullptr;
  ReferenceOptions comparison;
  const TensorFile* given_values = nullptr;         // values of nodes that cannot be evaluated, by key
  size_t memory_bytes = 0;                          // 0: default_memory_bytes()
  int64_t max_iterations = 0, max_node_runs = 0;    // 0: the limits of the contract
  int threads = 0;
  std::stop_token stop;
  RunListener* listener = nullptr;                  // also told what happens
  std::function<void(size_t node_runs)> progress;   // now and then
};

struct FailedNode {
  std::string node;
  NodeRef ref;
  std::string target, message;
  ErrorKind kind = ErrorKind::Failed;
};

struct NodeProfile {
  std::string target;
  int64_t calls = 0;
  double elapsed_us = 0;
  size_t bytes = 0;
};

struct WrittenInput { std::string name, target, kind; RuntimeValue value; };

struct RunReport {
  size_t nodes = 0, executed = 0;
  std::vector<FailedNode> failed;               // unsupported ones among them
  std::vector<std::string> unsupported;         // targets, each once
  std::vector<std::string> blocked;             // nodes
  size_t compared = 0, differing = 0;           // nodes
  std::vector<Mismatch> mismatched;
  std::optional<std::string> first_divergence;
  std::vector<std::string> not_in_reference, taken_from_reference;
  std::vector<RuntimeValue> outputs;            // in the order of the output specs; empty when it did not finish
  std::vector<WrittenInput> written;
  std::map<std::string, int64_t> symbols;
  std::vector<std::string> warnings;
  bool finished = false;
  std::optional<std::string> stopped_at;
  std::string stop_reason;
  std::vector<std::string> not_reached;         // breaks that a finished run did not come to: places, and "nan", "inf", "mismatch"
  std::optional<ErrorKind> stopped_by;          // Stopped or Limit
  double seconds = 0;
  size_t peak_bytes = 0;
  std::vector<std::pair<std::string, NodeProfile>> profile;  // by node, in the order of first execution
};

// An error: the inputs do not fit, the record cannot be written. What happens to nodes is in the report.
Result<RunReport> run_program(const OpenedFile& file, std::shared_ptr<const Program> program, const RunRequest& request);

}  // namespace pt2::interp
