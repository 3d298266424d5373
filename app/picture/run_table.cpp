#include "app/picture/run_table.h"

#include <array>
#include <iterator>
#include <string_view>

#include "core/base/text.h"
#include "core/diff/diff.h"
#include "core/tensor/tensor_stats.h"
#include "core/tensor/view.h"
#include "interp/execution_plan.h"
#include "interp/nonfinite_constants.h"
#include "views/workspace/labels.h"

namespace pt2::app {

namespace {

std::string number(double value) { return views::number_label(value, 6); }

bool holds_infinity(const interp::RuntimeValue& value) {
  bool found = false;
  interp::for_each_tensor(value, [&](const Tensor& tensor) {
    const auto stats = tensor_stats(tensor, {}, 0);
    found = found || (stats && stats->inf());
  });
  return found;
}

// What gives an Inf without an operator: a constant of the program, and what a call was given.
bool hands_on_infinity(const Program& program, const std::string& path, NodeRef ref) {
  const NodeKind kind = program.node(ref).kind;
  return kind == NodeKind::Placeholder && (!path.empty() || interp::is_constant(program, ref.node));
}

// The cells of a tensor: type, min, max, mean, NaN and Inf; empty where there is none.
std::vector<std::string> tensor_texts(const Tensor& tensor, const TensorStats& stats, bool alarming) {
  std::vector<std::string> texts{std::string(dtype_name(tensor.dtype)) + shape_text(tensor.sizes), "", "", stats.mean ? number(*stats.mean) : "", ""};
  if (stats.min.index() != 0) {
    texts[1] = element_text(tensor.dtype, stats.min);
    texts[2] = element_text(tensor.dtype, stats.max);
  }
  if (stats.nan) texts[4] = with_commas(uint64_t(stats.nan)) + " NaN";
  if (stats.inf()) texts[4] += (stats.nan ? ", " : "") + with_commas(uint64_t(stats.inf())) + (alarming ? " Inf" : " Inf, asked for");
  return texts;
}

bool is_empty_batch(const interp::RuntimeValue& value) {
  const auto* batch = value.as<interp::BatchedValue>();
  return batch && batch->examples->empty();
}

// The type of one example, as the file declares it.
std::string example_text(const Node& node) {
  const TensorMeta* declared = tensor_meta(node.val);
  if (!declared) return "a batch";
  std::vector<int64_t> sizes;
  for (const SymInt& size : declared->sizes) sizes.push_back(size.value);
  return std::string(dtype_name(declared->dtype)) + shape_text(sizes);
}

std::string fact_text(const std::vector<std::string>& texts) {
  static constexpr std::array<std::string_view, 5> kBefore{"", "  min ", "  max ", "  mean ", "  "};
  std::string text;
  for (size_t i = 0; i < texts.size(); ++i)
    if (!texts[i].empty()) text.append(kBefore[i]).append(texts[i]);
  return text;
}

}  // namespace

// By the rule of "Stop on first NaN or Inf": an Inf that a constant asks for, and what only reads such a one, is no alarm. What goes into a
// call and comes out of it is asked for until an Inf came up.
void RunTable::note_infinity(const std::string& path, NodeRef ref) {
  const Node& node = program_.node(ref);
  bool came_in = false, asked = interp::asks_for_infinity(node), inside = node.kind == NodeKind::Placeholder && !path.empty();
  for (const NodeArgument& argument : node.inputs)
    for_each_node(argument.value, [&](NodeId input) {
      const NodeRef read{ref.graph, input};
      came_in = came_in || nonfinite.contains(read);
      asked = asked || asked_.contains(read);
      inside = inside || program_.node(read).kind == NodeKind::GetAttr;
    });
  if (inside && !asked) came_in = came_in || !nonfinite.empty();
  const bool constant = node.kind == NodeKind::Placeholder && !inside;
  (came_in || !(asked || inside || constant) ? nonfinite : asked_).insert(ref);
}

bool RunTable::full() const { return rows_.size() >= most_rows_; }

void RunTable::add(const std::string& path, NodeRef ref, const interp::NodeRun& run, const interp::RuntimeValue* value) {
  const Node& node = program_.node(ref);
  if (full()) return;
  if (node.kind != NodeKind::CallFunction) {
    if (value && hands_on_infinity(program_, path, ref) && holds_infinity(*value)) note_infinity(path, ref);
    return;
  }
  const std::string name = qualified_name(program_, ref), time = number(run.elapsed_us) + " µs";
  auto& facts = node_facts[name];
  facts = {{"time", time}};
  std::vector<std::string> cells{path + std::string(node.name), interp::shown_target(node), time};
  std::string mark = "✓";
  if (const auto* failed = std::get_if<interp::Failed>(&run.outcome)) mark = "✗", cells.push_back("failed: " + failed->message);
  else if (const auto* unsupported = std::get_if<interp::Unsupported>(&run.outcome)) mark = "⊘", cells.push_back("no implementation of " + unsupported->target);
  else if (std::holds_alternative<interp::Blocked>(run.outcome)) mark = "–", cells.push_back("waits for a node that failed");
  else if (!value) cells.push_back("its value is not kept");
  if (!run.done() || !value) facts.emplace_back("run", cells.back());
  bool first = true;
  if (value)
    interp::for_each_tensor(*value, [&](const Tensor& tensor) {
      const auto stats = tensor_stats(tensor, {}, 0);
      if (stats && stats->nan) mark = "N", nonfinite.insert(ref);
      else if (stats && stats->inf()) note_infinity(path, ref);
      if (mark == "✓" && stats && stats->inf() && nonfinite.contains(ref)) mark = "∞";
      std::vector<std::string> texts = tensor_texts(tensor, stats ? *stats : TensorStats(), nonfinite.contains(ref));
      facts.emplace_back("value", fact_text(texts));
      if (first) cells.insert(cells.end(), texts.begin(), texts.end());
      first = false;
    });
  if (value && first && is_empty_batch(*value)) cells.push_back(example_text(node) + ", no elements");
  rows_.push_back({std::move(cells), name});
  marks.push_back(std::move(mark));
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

void RunTableListener::node_done(const interp::Frame& frame, NodeId id, const interp::NodeRun& run, interp::RuntimeValue& value) {
  table_.add(frame.path, {frame.graph, id}, run, &value);
}

}  // namespace pt2::app
