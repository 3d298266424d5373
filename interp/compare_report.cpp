#include "interp/compare_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "core/base/display.h"
#include "core/base/json_tree.h"
#include "core/base/text.h"
#include "core/diff/signature_diff.h"
#include "core/diff/summary.h"
#include "interp/called_groups.h"
#include "interp/compare_outputs.h"
#include "interp/run_failures.h"
#include "interp/group_comparer.h"
#include "interp/judgement.h"
#include "interp/value_names.h"

namespace pt2::interp {

namespace {

constexpr GroupKind kKinds[] = {GroupKind::Same, GroupKind::Changed, GroupKind::Decomposed, GroupKind::Merged, GroupKind::Added, GroupKind::Removed};

std::string number(double value, int digits = 17) {
  if (std::isnan(value)) return "\"nan\"";
  if (std::isinf(value)) return value < 0 ? "\"-inf\"" : "\"inf\"";
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

std::string plain_number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

// JSON is UTF-8: bytes that are none become U+FFFD.
std::string valid_utf8(std::string_view text) {
  std::string valid;
  while (const auto at = invalid_utf8(text)) {
    valid.append(text.substr(0, *at)).append("\xEF\xBF\xBD");
    text.remove_prefix(*at + 1);
  }
  return valid.append(text);
}

// Writes objects and lists with the commas where they belong. Texts go out unchanged, escaped as JSON asks.
class JsonText {
 public:
  std::string text;
  JsonText& key(std::string_view name) {
    comma();
    text += json_quoted(name) + ": ";
    after_key_ = true;
    return *this;
  }
  JsonText& raw(std::string_view value) {
    comma();
    text += value;
    return *this;
  }
  JsonText& string(std::string_view value) { return raw(json_quoted(valid_utf8(value))); }
  JsonText& count(size_t value) { return raw(std::to_string(value)); }
  JsonText& real(double value) { return raw(number(value)); }
  JsonText& truth(bool value) { return raw(value ? "true" : "false"); }
  JsonText& truth(const std::optional<bool>& value) { return raw(!value ? "null" : *value ? "true" : "false"); }
  JsonText& line() {  // what follows begins a line of its own
    comma();
    text += "\n  ";
    first_ = true;
    return *this;
  }
  JsonText& open(char bracket) {
    comma();
    text += bracket;
    first_ = true;
    return *this;
  }
  JsonText& close(char bracket) {
    text += bracket;
    first_ = false;
    return *this;
  }

 private:
  void comma() {
    if (!first_ && !after_key_) text += ", ";
    first_ = after_key_ = false;
  }
  bool first_ = true, after_key_ = false;
};

void add_names(JsonText& out, std::string_view key, const Program& program, const std::vector<NodeRef>& nodes) {
  out.key(key).open('[');
  for (NodeRef ref : nodes) out.string(qualified_name(program, ref));
  out.close(']');
}

// No numbers where there are not two values.
void add_difference(JsonText& out, const std::optional<bool>& equal, const ValueDifference& d, bool compared) {
  for (const auto& [key, value] : {std::pair("max_abs", d.max_abs), std::pair("max_rel", d.max_rel), std::pair("cosine", d.cosine), std::pair("max_ulp", d.max_ulp), std::pair("snr_db", d.snr_db)})
    compared && !std::isnan(d.max_abs) ? out.key(key).real(value) : out.key(key).raw("null");
  out.key("equal").truth(equal);
}

void add_cause(JsonText& out, Cause cause) {
  if (cause == Cause::None) out.key("cause").raw("null").key("judged_by").raw("null");
  else out.key("cause").string(cause_name(cause)).key("judged_by").string(cause_explanation(cause));
}

// A field of a CSV row, quoted where it must be.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == text.npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// "body_graph_0@2": a call without the slash that leads to its nodes.
std::string call_text(const std::string& call) { return call.substr(0, call.find_last_not_of('/') + 1); }

// A table cell of Markdown.
std::string cell(const std::string& text) {
  std::string escaped;
  for (char c : display(text)) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}
std::string code_cell(const std::string& text) { return text.empty() ? "" : "`" + cell(text) + "`"; }

// "bn.running_var", where the placeholder stands for a weight or buffer; else its own name.
std::string input_name(const Program& program, NodeRef placeholder) {
  for (const InputSpec& spec : program.signature.inputs)
    if (spec.node == placeholder.node && !spec.target.empty()) return std::string(spec.target);
  return qualified_name(program, placeholder);
}

const GroupNumbers* numbers_of(const ComparisonView& view, size_t group) { return view.numbers ? &view.numbers->groups[group] : nullptr; }

size_t groups_that_differ(const RunComparison& numbers) {
  return size_t(std::count_if(numbers.groups.begin(), numbers.groups.end(), [](const GroupNumbers& group) { return group.equal == false; }));
}

size_t groups_of_nan(const RunComparison& numbers) {
  return size_t(std::count_if(numbers.groups.begin(), numbers.groups.end(), [](const GroupNumbers& group) { return group.equal && group.difference.all_nan(); }));
}

void add_output(JsonText& out, const OutputNumbers& o) {
  out.open('{').key("left").string(o.left).key("right").string(o.right);
  if (!o.written.empty()) out.key("kind").string(o.written);
  add_difference(out, o.equal, o.difference, o.measured());
  add_cause(out, o.cause);
  out.close('}');
}

void add_changes(JsonText& out, const NodeGroup& group) {
  out.key("changes").open('[');
  for (const std::string& change : group.changes) out.string(change);
  out.close(']').key("changed_values").open('[');
  for (const ValueChange& value : group.values) out.open('{').key("what").string(value.what).key("left").string(value.left).key("right").string(value.right).close('}');
  out.close(']');
}

// Every group has the same keys: null says that there was nothing to compare, or that it was not asked.
void add_numbers(JsonText& out, const ComparisonView& view, const GroupNumbers& n) {
  add_difference(out, n.equal, n.difference, n.equal.has_value());
  out.key("compared");
  if (n.equal) out.open('[').string(name_in_call(view.left, n.left, n.left_call)).string(name_in_call(view.right, n.right, n.right_call)).close(']');
  else out.raw("null");
  add_cause(out, n.cause);
  auto if_compared = [&n](bool value) { return n.equal ? std::optional(value) : std::nullopt; };
  out.key("carried_in").truth(if_compared(n.carried_in)).key("operand_differs").truth(if_compared(n.operand_differs)).key("local").truth(n.local).key("not_judged");
  n.not_judged.empty() ? out.raw("null") : out.string(n.not_judged);
  out.key("differing_inputs").open('[');
  for (NodeRef input : n.differing_inputs) out.string(input_name(view.left, input));
  out.close(']');
}

bool shown(const ComparisonView& view, const NodeGroup& group) { return !view.only || *view.only == group.kind; }

}  // namespace

std::string comparison_json(const ComparisonView& view) {
  JsonText out;
  out.open('{').key("schema").string("pt2scope/compare").key("version").count(1).key("left").string(view.left_name).key("right").string(view.right_name);
  out.key("summary").open('{');
  for (GroupKind kind : kKinds) out.key(group_kind_name(kind)).count(view.diff.count(kind));
  out.key("matched_fraction_left").real(view.diff.matched_fraction_left).key("matched_fraction_right").real(view.diff.matched_fraction_right);
  if (view.numbers) out.key("numbers_differ").count(groups_that_differ(*view.numbers)).key("outputs_differ").count(differing_outputs(*view.numbers).size()).key("all_nan").count(groups_of_nan(*view.numbers));
  out.close('}');
  out.key("ran").truth(view.numbers != nullptr).key("inputs");
  view.numbers ? out.string(view.numbers->inputs) : out.raw("null");
  out.key("notes").open('[');
  if (view.numbers)
    for (const std::string& note : view.numbers->notes) out.string(note);
  if (const std::string failures = view.numbers ? failures_text(*view.numbers) : ""; !failures.empty()) out.string(failures);
  if (!view.problem.empty()) out.string(view.problem);
  out.close(']');
  const bool parted = view.numbers && view.numbers->first_divergence;
  out.key("numbers_agree").truth(view.numbers && !cut_short(*view.numbers) ? std::optional(numbers_agree(*view.numbers)) : std::nullopt);
  out.key("first_divergence").raw(parted ? std::to_string(*view.numbers->first_divergence) : "null");
  out.key("groups").open('[');
  for (size_t i = 0; i < view.diff.groups.size(); ++i) {
    const NodeGroup& group = view.diff.groups[i];
    out.line().open('{');
    add_names(out, "left", view.left, group.left);
    add_names(out, "right", view.right, group.right);
    out.key("kind").string(group_kind_name(group.kind)).key("evidence").string(evidence_name(group.evidence)).key("confidence").real(group.confidence);
    add_changes(out, group);
    if (const GroupNumbers* n = numbers_of(view, i)) add_numbers(out, view, *n);
    out.close('}');
  }
  out.close(']');
  if (view.numbers) {
    for (const auto& [key, list] : {std::pair("outputs", &view.numbers->outputs), std::pair("written", &view.numbers->written)}) {
      out.key(key).open('[');
      for (const OutputNumbers& o : *list) add_output(out, o);
      out.close(']');
    }
  }
  if (view.weights) {
    out.key("weights").open('[');
    for (const WeightDifference& w : view.weights->different) {
      out.open('{').key("name").string(w.name());
      if (!w.problem.empty()) out.key("problem").string(w.problem);
      else add_difference(out, w.difference.equal, w.difference, true);
      out.close('}');
    }
    out.close(']');
  }
  out.key("signature_changes").open('[');
  for (const std::string& change : view.diff.signature_changes) out.string(change);
  out.close(']').key("renamed").open('[');
  for (const RenamedModule& module : view.diff.renamed)
    out.open('{').key("left").string(module.left).key("right").string(module.right).key("count").count(module.inputs.size()).close('}');
  out.close(']').key("op_changes").open('[');
  for (const OpChange& change : view.diff.op_changes)
    out.open('{').key("target").string(change.target).key("left").count(size_t(change.left)).key("right").count(size_t(change.right)).close('}');
  out.close(']').key("module_changes").open('[');
  for (const ModuleCounts& m : module_counts(view.left, view.right, view.diff)) {
    if (m.different == 0 && m.left == m.right) continue;
    out.open('{').key("module").string(m.path).key("counterpart");
    m.counterpart.empty() ? out.raw("null") : out.string(m.counterpart);
    out.key("left").count(size_t(m.left)).key("right").count(size_t(m.right)).key("same").count(size_t(m.same)).key("different").count(size_t(m.different)).close('}');
  }
  out.close(']').close('}');
  return out.text + "\n";
}

std::string comparison_csv(const ComparisonView& view) {
  std::string text = "left,right,kind,evidence,confidence,equal,max_abs,max_rel,max_ulp,cosine,snr_db,cause,carried_in,local,left_call,right_call\n";
  for (size_t i = 0; i < view.diff.groups.size(); ++i) {
    const NodeGroup& group = view.diff.groups[i];
    if (!shown(view, group)) continue;
    char confidence[16];
    std::snprintf(confidence, sizeof confidence, "%.3f", group.confidence);
    text += csv_field(group.left.empty() ? "" : group_names(view.left, group.left)) + "," + csv_field(group.right.empty() ? "" : group_names(view.right, group.right)) + "," +
            std::string(group_kind_name(group.kind)) + "," + std::string(evidence_name(group.evidence)) + "," + confidence;
    const GroupNumbers* n = numbers_of(view, i);
    if (n && n->equal) {
      const ValueDifference& d = n->difference;
      text += std::string(*n->equal ? ",true" : ",false");
      for (double value : {d.max_abs, d.max_rel, d.max_ulp, d.cosine, d.snr_db}) text += "," + (std::isnan(d.max_abs) ? std::string() : plain_number(value));
      text += "," + (n->cause == Cause::None ? std::string() : std::string(cause_name(n->cause))) + (n->carried_in ? ",true," : ",false,") + (n->local ? (*n->local ? "true" : "false") : "") + "," + csv_field(call_text(n->left_call)) + "," + csv_field(call_text(n->right_call));
    } else {
      text += ",,,,,,,,,,,";
    }
    text += "\n";
  }
  if (view.only) return text;
  for (const OutputNumbers* o : view.numbers ? all_outputs(*view.numbers) : std::vector<const OutputNumbers*>()) {
    text += csv_field(o->left) + "," + csv_field(o->right) + "," + (o->written.empty() ? "output" : o->written) + ",,," + (!o->equal ? "" : *o->equal ? "true" : "false");
    for (double value : {o->difference.max_abs, o->difference.max_rel, o->difference.max_ulp, o->difference.cosine, o->difference.snr_db}) text += "," + (o->measured() ? plain_number(value) : std::string());
    text += "," + (o->cause == Cause::None ? std::string() : std::string(cause_name(o->cause))) + ",,,,\n";
  }
  if (!view.weights) return text;
  for (const WeightDifference& w : view.weights->different) {
    text += csv_field(w.left) + "," + csv_field(w.right) + ",weight,,,false";
    for (double value : {w.difference.max_abs, w.difference.max_rel, w.difference.max_ulp, w.difference.cosine, w.difference.snr_db}) text += "," + (w.problem.empty() ? plain_number(value) : std::string());
    text += "," + csv_field(w.problem) + ",,,,\n";
  }
  return text;
}

std::string comparison_markdown(const ComparisonView& view) {
  std::string text = "# " + cell(view.left_name) + " and " + cell(view.right_name) + "\n\n";
  for (GroupKind kind : kKinds) text += (kind == GroupKind::Same ? "" : " · ") + std::string(group_kind_name(kind)) + " " + std::to_string(view.diff.count(kind));
  text += "\n";
  if (view.numbers) text += "\nNumbers: " + numbers_count_text(*view.numbers) + ". Inputs: " + cell(view.numbers->inputs) + ".\n";
  if (const std::string verdict = divergence_text(view); !verdict.empty()) text += "\n" + verdict + "\n";
  text += "\n| | A | B | kind | evidence | numbers |\n| --- | --- | --- | --- | --- | --- |\n";
  for (size_t i = 0; i < view.diff.groups.size(); ++i) {
    const NodeGroup& group = view.diff.groups[i];
    if (!shown(view, group)) continue;
    const GroupNumbers* n = numbers_of(view, i);
    text += "| " + std::string(group_sign(group.kind)) + " | " + code_cell(group.left.empty() ? "" : group_names(view.left, group.left)) + " | " +
            code_cell(group.right.empty() ? "" : group_names(view.right, group.right)) + " | " + cell(group_kind_text(group)) + " | " +
            std::string(evidence_name(group.evidence)) + " | " + (n ? group_numbers_text(view.left, *n) : "") + " |\n";
  }
  const auto outputs = view.numbers ? all_outputs(*view.numbers) : std::vector<const OutputNumbers*>();
  if (!outputs.empty()) text += "\n## Outputs\n\n";
  for (const OutputNumbers* o : outputs) text += "- " + cell(output_name(*o)) + ": " + cell(output_text(*o)) + "\n";
  const auto signature = diff::gathered_signature_changes(view.left, view.right, view.diff);
  if (!signature.empty()) text += "\n## Signature\n\n";
  for (const std::string& change : signature) text += "- " + cell(change) + "\n";
  text += "\n## Operators\n\n| operator | A | B | Δ |\n| --- | ---: | ---: | ---: |\n";
  for (const OpChange& op : operator_counts(view.left, view.right))
    text += "| " + code_cell(op.target) + " | " + std::to_string(op.left) + " | " + std::to_string(op.right) + " | " + (op.right > op.left ? "+" : "") + std::to_string(op.right - op.left) + " |\n";
  text += "\n## Modules\n\n| module | A | B | same | different |\n| --- | ---: | ---: | ---: | ---: |\n";
  for (const ModuleCounts& m : module_counts(view.left, view.right, view.diff))
    text += "| " + code_cell(module_title(m)) + " | " + std::to_string(m.left) + " | " + std::to_string(m.right) + " | " + std::to_string(m.same) + " | " + std::to_string(m.different) + " |\n";
  if (view.weights) text += "\n## Weights\n\n" + std::to_string(view.weights->different.size()) + " of " + std::to_string(view.weights->compared) + " differ.\n";
  if (view.weights)
    for (const WeightDifference& w : view.weights->different) text += "- `" + cell(w.name()) + "`: " + (w.problem.empty() ? "max abs Δ " + plain_number(w.difference.max_abs) : cell(w.problem)) + "\n";
  return text;
}

std::string group_names(const Program& program, const std::vector<NodeRef>& nodes, const std::string& call) {
  std::string text;
  for (NodeRef ref : nodes) text += (text.empty() ? "" : ", ") + display(name_in_call(program, ref, call));
  return nodes.size() == 1 ? text : "{" + text + "}";
}

std::string group_names_cut(const Program& program, const std::vector<NodeRef>& nodes, const std::string& call) {
  constexpr size_t kNamed = 6;
  if (nodes.size() <= kNamed + 1) return group_names(program, nodes, call);
  std::string text = group_names(program, {nodes.begin(), nodes.begin() + kNamed}, call);
  return text.insert(text.size() - 1, " and " + with_commas(uint64_t(nodes.size() - kNamed)) + " more");
}

const char* group_sign(GroupKind kind) {
  switch (kind) {
    case GroupKind::Same: return " ";
    case GroupKind::Added: return "+";
    case GroupKind::Removed: return "-";
    default: return "~";
  }
}

namespace {

// "eps 1e-05 → 0.01".
std::string value_change_text(const ValueChange& change) {
  constexpr size_t kShown = 60;  // a long list is in the JSON
  auto shortened = [](const std::string& text) { return display(text.size() > kShown ? text.substr(0, kShown) + "…" : text); };
  return display(change.what) + " " + shortened(change.left) + " → " + shortened(change.right);
}

bool has_change(const NodeGroup& group, std::string_view what) { return std::find(group.changes.begin(), group.changes.end(), what) != group.changes.end(); }

std::string joined(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& one : texts) text += (text.empty() ? "" : ", ") + one;
  return text;
}

std::string differing_inputs_text(const Program& left, const GroupNumbers& n) {
  std::string inputs;
  for (NodeRef input : n.differing_inputs) inputs += (inputs.empty() ? "" : ", ") + display(input_name(left, input));
  return inputs.empty() ? inputs : inputs + (n.differing_inputs.size() == 1 ? " differs" : " differ");
}

// The sub-graphs these nodes call in which something is not the same: "true_graph_0, false_graph_0".
std::string differing_subgraphs(const Program& program, const std::vector<NodeRef>& nodes, const std::unordered_map<NodeRef, size_t>& group_of, const Diff& diff) {
  std::vector<std::string> names;
  for (GraphId graph : called_graphs(program, nodes)) {
    const bool differs = std::any_of(group_of.begin(), group_of.end(), [&](const auto& entry) { return entry.first.graph == graph && diff.groups[entry.second].kind != GroupKind::Same; });
    if (differs) names.push_back(display(program.graphs[graph].name));
  }
  return joined(names);
}

}  // namespace

std::string group_changes_text(const NodeGroup& group) {
  std::vector<std::string> texts;
  if (has_change(group, "operands")) texts.emplace_back("operands");
  for (const ValueChange& value : group.values) texts.push_back(value_change_text(value));
  return joined(texts);
}

std::string group_kind_text(const NodeGroup& group) {
  const std::string changes = group_changes_text(group);
  return std::string(group_kind_name(group.kind)) + (changes.empty() ? "" : ": " + changes);
}

std::string group_cause_text(const Program& left, const GroupNumbers& n) {
  if (n.cause == Cause::None) return {};
  std::vector<std::string> texts{std::string(cause_name(n.cause))};
  if (!n.left_call.empty()) texts.push_back("in " + display(call_text(n.left_call)));
  if (n.local) texts.emplace_back(*n.local ? "arises here" : n.cause == Cause::DType ? "no more than the type explains" : "carried in");
  else if (n.carried_in) texts.emplace_back("carried in");
  else if (!n.not_judged.empty()) texts.push_back("not judged alone: " + n.not_judged);
  else if (n.operand_differs) texts.emplace_back("an operand differs already");
  if (!n.differing_inputs.empty()) texts.push_back(differing_inputs_text(left, n));
  return joined(texts);
}

std::string group_numbers_text(const Program& left, const GroupNumbers& n) {
  if (!n.equal) return {};
  char text[48] = "";
  if (!std::isnan(n.difference.max_abs)) std::snprintf(text, sizeof text, "max abs Δ %.3g  ", n.difference.max_abs);  // of other shapes there is none
  const std::string cause = group_cause_text(left, n), sign = *n.equal ? "" : "≠", why = cause.empty() ? "" : (sign.empty() ? "(" : " (") + cause + ")";
  const std::string all = text + sign + why;
  return all.substr(0, all.find_last_not_of(' ') + 1);
}

std::string equal_text(const ComparisonView& view) {
  std::string same = "structure", left_out;
  for (const auto& [what, compared] : {std::pair("numbers", view.numbers != nullptr), std::pair("weights", view.weights != nullptr)}) {
    std::string& list = compared ? same : left_out;
    list += (list.empty() ? "" : " and ") + std::string(what);
  }
  return "equal (" + same + (left_out.empty() ? ")" : "; " + left_out + " not compared)");
}

std::string numbers_count_text(const RunComparison& numbers) {
  size_t compared = 0;
  for (const GroupNumbers& group : numbers.groups) compared += group.equal.has_value();
  const size_t differ = groups_that_differ(numbers);
  return std::to_string(differ) + " of " + std::to_string(compared) + (compared == 1 ? " compared group differs" : " compared groups differ");
}

bool numbers_agree(const RunComparison& numbers) { return !numbers.first_divergence && differing_outputs(numbers).empty() && run_failures(numbers).empty(); }

namespace {

// "output relu → batch_norm (different, max abs Δ 2.91)", as many as one reads.
std::string outputs_that_differ(const RunComparison& numbers) {
  constexpr size_t kNamed = 3;
  const auto differing = differing_outputs(numbers);
  std::string text;
  for (size_t i = 0; i < std::min(differing.size(), kNamed); ++i) text += (i ? ", " : "") + output_name(*differing[i]) + " (" + output_text(*differing[i]) + ")";
  return text + (differing.size() > kNamed ? " and " + std::to_string(differing.size() - kNamed) + " more" : "");
}

// " All 9 outputs agree.", where what parted on the way is in none of them.
std::string agreeing_outputs(const RunComparison& numbers) {
  const auto outputs = all_outputs(numbers);
  if (outputs.empty() || std::any_of(outputs.begin(), outputs.end(), [](const OutputNumbers* output) { return output->equal != true; })) return {};
  return outputs.size() == 1 ? " The output agrees." : " All " + std::to_string(outputs.size()) + " outputs agree.";
}

std::string nan_text(const RunComparison& numbers) {
  const size_t count = groups_of_nan(numbers);
  if (count == 0) return {};
  return " In " + std::to_string(count) + (count == 1 ? " group" : " groups") + " all elements are NaN on both sides.";
}

// ", max abs Δ 8.96e-05", where that is a number.
std::string measured_text(const ValueDifference& difference) {
  char text[40];
  std::snprintf(text, sizeof text, ", max abs Δ %.3g", difference.max_abs);
  return difference.comparable && std::isfinite(difference.max_abs) ? text : "";
}

// What is said of the numbers of a group that differ, from its name on.
std::string divergence_of_group(const ComparisonView& view, size_t g) {
  const NodeGroup& group = view.diff.groups[g];
  const GroupNumbers& n = view.numbers->groups[g];
  std::string text = group_names_cut(view.left, group.left, n.left_call) + ": " + std::string(cause_name(n.cause)) + measured_text(n.difference) + ". " + std::string(cause_explanation(n.cause));
  if (n.local == false && n.cause == Cause::DType) return text + " On the first program's values it is no more than the coarser type explains.";
  if (n.local == false) return text + " With the first program's operands it does not arise: it was carried in.";
  if (!n.not_judged.empty()) text += " Whether it arises there is not known: " + n.not_judged + ".";
  const bool same_values = n.same_operands && n.differing_inputs.empty() && !has_change(group, "operands");  // within the group: what it reads as a whole may be the same
  if (n.local == true) text += !same_values ? " It arises there." : operands_in_order(view.left, view.right, view.diff, view.numbers->groups, g) ? " It arises there: the operands were the same." : " It arises there: its operands hold the same values, maybe in another order.";
  if (!n.differing_inputs.empty()) text += " " + differing_inputs_text(view.left, n) + ".";
  if (const std::string inner = differing_subgraphs(view.left, group.left, view.diff.left_group, view.diff); !inner.empty()) text += " What it calls differs: " + inner + ".";
  // Other nodes gave them the same values. What reads the counterparts of the same nodes reads them in another order.
  const bool only_names = n.equal_operands && !n.same_operands && group.changes == std::vector<std::string>{"operands"};
  if (!group.changes.empty() && !only_names) text += " The calls differ: " + group_changes_text(group) + ".";
  return text;
}

std::string first_divergence_text(const ComparisonView& view) {
  const size_t first = *view.numbers->first_divergence;
  const std::string text = "The numbers first part at " + divergence_of_group(view, first);
  const auto more = first_arising(*view.numbers);
  return more && *more != first ? text + " More than types explain first arises at " + divergence_of_group(view, *more) : text;
}

// Which run failed, and how far the numbers agree up to there. `parted`: where they do not.
std::string failed_text(const RunComparison& numbers, const std::string& failures, const std::string& parted) {
  const std::string text = "The numbers could not be compared: " + failures + (failures.ends_with('.') ? " " : ". ");
  if (numbers.first_divergence || !differing_outputs(numbers).empty()) return text + parted;
  const auto compared = std::count_if(numbers.groups.begin(), numbers.groups.end(), [](const GroupNumbers& group) { return group.equal.has_value(); });
  return text + (compared == 0 ? "No group has numbers on both sides." : "Up to there they agree (" + std::to_string(compared) + (compared == 1 ? " group)." : " groups)."));
}

}  // namespace

std::optional<size_t> first_arising(const RunComparison& numbers) {
  if (!numbers.first_divergence) return std::nullopt;
  const GroupNumbers& first = numbers.groups[*numbers.first_divergence];
  if (first.cause != Cause::DType || first.local != false) return numbers.first_divergence;
  const auto arises = std::find_if(numbers.order.begin(), numbers.order.end(), [&](size_t group) { return numbers.groups[group].local == true; });
  return arises == numbers.order.end() ? numbers.first_divergence : *arises;
}

std::string divergence_text(const ComparisonView& view) {
  if (!view.numbers) return view.problem.empty() ? "" : "The numbers could not be compared: " + display(view.problem) + ".";
  const RunComparison& numbers = *view.numbers;
  const std::string text = numbers.first_divergence ? first_divergence_text(view) + agreeing_outputs(numbers)
                           : numbers_agree(numbers) ? "The numbers agree everywhere they can be compared."
                                                    : "The numbers of the groups agree, but not " + outputs_that_differ(numbers) + ".";
  if (const std::string failures = failures_text(numbers); !failures.empty()) return failed_text(numbers, failures, text) + nan_text(numbers);
  return text + nan_text(numbers);
}

}  // namespace pt2::interp
