#pragma once
// The table of a run in a report: a line per operator that ran, with the statistics of its value.
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/picture/html_page.h"
#include "interp/compare_values.h"
#include "interp/interpreter.h"
#include "interp/node_outcome.h"
#include "interp/runtime_value.h"

namespace pt2::app {

class RunTable {
 public:
  // `most_rows`: later operators have none.
  explicit RunTable(const Program& program, size_t most_rows = kMostRows) : program_(program), most_rows_(most_rows) {}

  // Every node as it is done, also what has no line. `path`: of the call of its graph, "body_graph_0@2/". `value` null: it is not kept any more.
  void add(const std::string& path, NodeRef node, const interp::NodeRun& run, const interp::RuntimeValue* value);
  // How the value of a node, by its name, differs from the reference.
  void add_difference(const std::string& node, const interp::ValueDifference& difference);
  bool full() const;
  // `facts` come before those about differences.
  PageSection section(std::string note, std::vector<std::pair<std::string, std::string>> facts = {}) &&;

  std::set<NodeRef> nonfinite;  // whose values hold NaN, or Inf that no constant asks for
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> node_facts;  // as Page has them
  // Of each row how it went: ✓ ran, N and ∞ with NaN or Inf, ✗ failed, ⊘ has no implementation, – waits for one of these.
  std::vector<std::string> marks;

 private:
  void note_infinity(const std::string& path, NodeRef node);

  const Program& program_;
  const size_t most_rows_;
  std::set<NodeRef> asked_;  // whose values hold Inf that a constant asks for: a mask
  std::vector<PageRow> rows_;
  std::vector<std::pair<std::string, std::string>> differences_;
};

// Fills a table while the program runs.
class RunTableListener : public interp::RunListener {
 public:
  explicit RunTableListener(RunTable& table) : table_(table) {}
  void node_done(const interp::Frame& frame, NodeId id, const interp::NodeRun& run, interp::RuntimeValue& value) override;

 private:
  RunTable& table_;
};

}  // namespace pt2::app
