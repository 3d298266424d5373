#pragma once
// How a rule is written: a function that looks at a program and reports, and a row with its name and words.
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/archive/archive.h"
#include "core/graph/op_schema.h"
#include "core/verify/verify.h"

namespace pt2::verify_detail {

struct Subject {
  const Program& program;
  const Archive* archive;                // may be null
  const std::vector<TensorInfo>& stored;  // weights and constants of the archive
};

class Report {
 public:
  Report(const Program& program, const VerifyRule& rule, std::vector<Finding>& findings) : program_(program), rule_(rule), findings_(findings) {}
  // About a node: the place names it, its graph and its source line.
  void node(NodeRef ref, std::string message);
  // About an entry of the signature: `list` is "input" or "output".
  void spec(std::string_view list, size_t index, std::string message, NodeRef ref = {});
  void program(std::string message);

 private:
  void add(std::string where, std::string message, NodeRef ref);
  const Program& program_;
  const VerifyRule& rule_;
  std::vector<Finding>& findings_;
};

struct Rule {
  VerifyRule words;
  void (*check)(const Subject&, Report&);
};

std::span<const Rule> structure_rules();
std::span<const Rule> signature_rules();
std::span<const Rule> meta_rules();
std::span<const Rule> dialect_rules();
std::span<const Rule> symbol_rules();
std::span<const Rule> trap_rules();

// Every node of every graph, in execution order.
template <class Visit>
void for_each_node_of(const Program& program, Visit&& visit) {
  for (size_t g = 0; g < program.graphs.size(); ++g)
    for (size_t i = 0; i < program.graphs[GraphId(g)].nodes().size(); ++i)
      visit(NodeRef{GraphId(g), NodeId(i)}, program.graphs[GraphId(g)].node(NodeId(i)));
}

// The argument of that parameter; null where it was not given.
const Argument* argument_named(const Node& node, std::string_view name);
// Whether every operator of the program may only return new values: what run_decompositions() gives, and plain exports up to 2.5.
bool is_functional(const Program& program);
std::string quoted(std::string_view text);

}  // namespace pt2::verify_detail
