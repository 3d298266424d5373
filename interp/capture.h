#pragma once
// What some nodes of a run read and gave, for a program that is cut out of it. Of the reproduction (repro.h).
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "interp/interpreter.h"

namespace pt2::interp {

// A Python value as a program writes it; `texts` keeps its strings. None: tensors and others cannot be written.
std::optional<Argument> argument_of(const RuntimeValue& value, std::deque<std::string>& texts);

// Watches a run for what the nodes read and what they give.
class Capture : public RunListener {
 public:
  // `edits` come first; `then` hears of what a node gave afterwards, and may change it for later nodes.
  Capture(const Program& program, GraphId graph, const std::vector<NodeId>& nodes, const std::string& call, std::vector<RunListener*> edits, RunListener* then);

  std::optional<RuntimeValue> instead(const Frame& frame, NodeId id) override;
  void arguments(const Frame& frame, NodeId id, NamedValues& named) override {
    for (RunListener* edit : edits_) edit->arguments(frame, id, named);
  }
  void computed(const Frame& frame, NodeId id, NodeRun& run, RuntimeValue& value) override {
    for (RunListener* edit : edits_) edit->computed(frame, id, run, value);
  }
  void entered(const Frame& frame) override {
    for (RunListener* edit : edits_) edit->entered(frame);
  }
  void left(const Frame& frame) override {
    for (RunListener* edit : edits_) edit->left(frame);
  }
  void before_write(const Frame& frame, NodeId id, const Tensor& tensor) override;
  void node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) override;

  // After the run: the constants and tensors of a cut. An error: the nodes did not run, or somebody wrote to what they read in between.
  Result<void> finish();

  std::unordered_map<NodeId, Tensor> tensors;
  std::unordered_map<NodeId, Argument> constants;
  std::vector<std::string> notes;
  std::set<NodeId> random;  // of these nodes: no two runs give the same there, as they draw, or read what was drawn

 private:
  void record(const Frame& frame, NodeId id, const NodeRun& run, const RuntimeValue& value);
  bool reads_random(NodeId id) const;
  // All that is there before `next` runs, at once: what shares memory is seen to share it.
  void read_values(const Frame& frame, NodeId next);
  void keep(NodeId id, const RuntimeValue& value);

  const Graph& graph_;
  const GraphId graph_id_;
  const std::string call_;
  const std::vector<RunListener*> edits_;
  RunListener* const then_;
  const std::set<NodeId> nodes_;
  const std::vector<NodeId> outside_;
  std::unordered_map<NodeId, std::string> missing_;
  std::set<const void*> memories_;
  std::deque<std::string> texts_;
  std::string path_, writer_;
  bool begun_ = false, ended_ = false;
};

}  // namespace pt2::interp
