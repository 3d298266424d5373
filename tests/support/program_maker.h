#pragma once
// Programs for tests, a line for each node.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/program.h"

namespace pt2::test {

// A program whose operators, shapes and module paths are given in the test; no file needed.
class ProgramMaker {
 public:
  ProgramMaker();
  // User input.
  NodeId input(std::string_view name);
  NodeId parameter(std::string_view name, std::string_view fqn, InputKind kind = InputKind::Parameter);
  // A call in the module `path` ("" for the root; "a.b" is in "a").
  NodeId call(std::string_view name, std::string_view target, const std::vector<NodeId>& inputs, std::string_view path = "");
  NodeId getitem(std::string_view name, NodeId of, int64_t index, std::string_view path = "");
  // What the file says of the value.
  void type(NodeId node, ValueMeta val) { root_.node(node).val = std::move(val); }
  // A sub-graph and the get_attr that names it: one input, one relu, one output.
  NodeId subgraph(std::string_view name);
  std::shared_ptr<const Program> finish(const std::vector<NodeId>& outputs);

 private:
  ModuleId module(std::string_view path);
  NodeId add(Node node);
  std::shared_ptr<Program> program_;
  GraphBuilder root_;
  std::vector<Graph> subgraphs_;
};

}  // namespace pt2::test
