#include "app/picture/run_table.h"

#include <iterator>

#include "core/base/text.h"
#include "core/diff/diff.h"
#include "core/tensor/tensor_stats.h"
#include "core/tensor/view.h"
#include "interp/execution_plan.h"
#include "views/workspace/labels.h"

namespace pt2::app {

namespace {

std::string number(double value) { return views::number_label(value, 6); }

}  // namespace

bool RunTable::full() const { return rows_.size() >= kMostRows; }

void RunTable::add(const std::string& path, NodeRef ref, const interp::NodeRun& run, const interp::RuntimeValue* value) {
  const Node& node = program_.node(ref);
  if (node.kind != NodeKind::CallFunction || full()) return;
  const std::string name = qualified_name(program_, ref), time = number(run.elapsed_us) + " µs";
  auto& facts = node_facts[name];
  facts = {{"time", time}};
  std::vector<std::string> cells{path + std::string(node.name), interp::shown_target(node), time};
  if (const auto* failed = std::get_if<interp::Failed>(&run.outcome)) cells.push_back("failed: " + failed->message);
  else if (const auto* unsupported = std::get_if<interp::Unsupported>(&run.outcome)) cells.push_back("no implementation of " + unsupported->target);
  else if (std::holds_alternative<interp::Blocked>(run.outcome)) cells.push_back("waits for a node that failed");
  else if (!value) cells.push_back("its value is not kept");
  if (!run.done() || !value) facts.emplace_back("run", cells.back());
  bool first = true;
  if (value)
    interp::for_each_tensor(*value, [&](const Tensor& tensor) {
      const std::string type = std::string(dtype_name(tensor.dtype)) + shape_text(tensor.sizes);
      const auto stats = tensor_stats(tensor, {}, 1);
      std::string low, high, mean, bad;
      if (stats) {
        if (stats->nan || stats->inf()) nonfinite.insert(ref);
        low = element_text(tensor.dtype, stats->min);
        high = element_text(tensor.dtype, stats->max);
        if (stats->mean) mean = number(*stats->mean);
        if (stats->nan) bad += with_commas(uint64_t(stats->nan)) + " NaN ";
        if (stats->inf()) bad += with_commas(uint64_t(stats->inf())) + " Inf";
      }
      facts.emplace_back("value", type + "  min " + low + "  max " + high + "  mean " + mean + (bad.empty() ? "" : "  " + bad));
      if (first) cells.insert(cells.end(), {type, low, high, mean, bad});
      first = false;
    });
  rows_.push_back({std::move(cells), name});
}

void RunTable::add_difference(const std::string& node, const interp::ValueDifference& difference) {
  const std::string text = difference.reason.empty() ? "max abs " + number(difference.max_abs) + ", max rel " + number(difference.max_rel) : difference.reason;
  node_facts[node].emplace_back("differs from the reference", text);
  differences_.emplace_back(node, text);
}

PageSection RunTable::section(std::string note, std::vector<std::pair<std::string, std::string>> facts) && {
  facts.insert(facts.end(), std::make_move_iterator(differences_.begin()), std::make_move_iterator(differences_.end()));
  return {"Run", std::move(note), std::move(facts), {"node", "operator", "time", "value", "min", "max", "mean", "NaN, Inf"}, std::move(rows_)};
}

}  // namespace pt2::app
