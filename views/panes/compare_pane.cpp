// What became what between two programs: a row per group, with the numbers where both were run; signatures, weights, and the counts by
// operator and by module.
#include "views/panes/compare_pane.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "core/base/display.h"
#include "core/base/text.h"
#include "core/diff/summary.h"
#include "interp/value_names.h"
#include "views/widgets/check_box.h"
#include "views/widgets/copy_menu.h"
#include "views/widgets/line_break.h"
#include "views/widgets/text_field.h"
#include "views/widgets/text_table.h"
#include "views/widgets/wrapped_text.h"
#include "views/workspace/comparison.h"
#include "views/workspace/labels.h"

namespace pt2::views {

namespace {

constexpr size_t kNamesShown = 6;

// With the call of their sub-graph that the numbers are of.
std::string names(const Program& program, const std::vector<NodeRef>& nodes, const std::string& call) {
  std::string text;
  for (size_t i = 0; i < std::min(nodes.size(), kNamesShown); ++i) text += (i ? ", " : "") + display(interp::name_in_call(program, nodes[i], call));
  if (nodes.size() > kNamesShown) text += ", … (" + std::to_string(nodes.size()) + ")";
  return text;
}

const char* sign(GroupKind kind) {
  switch (kind) {
    case GroupKind::Same: return "=";
    case GroupKind::Added: return "+";
    case GroupKind::Removed: return "−";
    default: return "~";
  }
}

Role role(GroupKind kind) {
  switch (kind) {
    case GroupKind::Same: return Role::Text2;
    case GroupKind::Added: return Role::Added;
    case GroupKind::Removed: return Role::Removed;
    default: return Role::Changed;
  }
}

std::string number(double value) {
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

std::string delta(int left, int right) { return right > left ? "+" + std::to_string(right - left) : right < left ? "−" + std::to_string(left - right) : ""; }

class ComparePane : public Pane {
 public:
  void draw(PaneContext& context) override {
    const Comparison& pair = context.workspace.comparison;
    const Document *left = context.workspace.document(pair.left), *right = context.workspace.document(pair.right);
    if (!left || !right) {
      ImGui::TextDisabled("No two programs are compared: File, Open to compare…");
      return;
    }
    if (!pair.result) {
      const bool nothing = left->loaded() && right->loaded() && (!left->program() || !right->program());
      ImGui::TextDisabled("%s", nothing ? "One of the files holds no program" : "Comparing…");
      return;
    }
    const ComparisonResult& result = *pair.result;
    if (seen_ != pair.result || shown_only_ != pair.only_differences || shown_step_ != step_key(pair)) {
      if (seen_ != pair.result) count(result);
      seen_ = pair.result;
      shown_only_ = pair.only_differences;
      shown_step_ = step_key(pair);
      ++rows_revision_;
      shown_.clear();
      for (size_t i = 0; i < result.diff->groups.size(); ++i)
        if (!shown_only_ || result.diff->groups[i].kind != GroupKind::Same || numbers_agree(pair, i) == false) shown_.push_back(i);
      table_.reveal_selected();
    }
    summary(context, result);
    tabs(context, result);
    switch (tab_) {
      case Tab::Groups: groups(context, result); break;
      case Tab::Signature: signature(context); break;
      case Tab::Weights: weights(context, result); break;
      case Tab::Operators: operators(context); break;
      case Tab::Modules: modules(context); break;
    }
  }

 private:
  enum class Tab { Groups, Signature, Weights, Operators, Modules };

  static std::string step_key(const Comparison& pair) { return pair.stepping ? "step " + (pair.step ? std::to_string(*pair.step) : "") : ""; }

  void count(const ComparisonResult& result) {
    summary_.clear();
    for (GroupKind kind : {GroupKind::Same, GroupKind::Changed, GroupKind::Decomposed, GroupKind::Merged, GroupKind::Added, GroupKind::Removed})
      summary_ += (summary_.empty() ? "" : " · ") + std::string(group_kind_name(kind)) + " " + with_commas(uint64_t(result.diff->count(kind)));
    operators_ = operator_counts(*result.left, *result.right);
    modules_ = module_counts(*result.left, *result.right, *result.diff);
    signature_ = signature_rows(*result.left, *result.right, *result.diff);
    returned_ = result.numbers() ? numbers_of_outputs(*result.numbers(), signature_) : std::vector<const interp::OutputNumbers*>(signature_.size());
  }

  // By row of the signatures. What is written to without an output for it, as in programs that are not functional, gets a row of its own.
  static std::vector<const interp::OutputNumbers*> numbers_of_outputs(const interp::RunComparison& numbers, std::vector<SignatureRow>& rows) {
    std::vector<const interp::OutputNumbers*> found(rows.size());
    auto row_of = [&rows](const std::string& key) { return size_t(std::find_if(rows.begin(), rows.end(), [&key](const SignatureRow& row) { return row.of == SignatureRow::Of::Output && row.key == key; }) - rows.begin()); };
    for (const interp::OutputNumbers& returned : numbers.outputs)
      if (const size_t row = row_of(spec_title(returned.title)); row < rows.size()) found[row] = &returned;
    for (const interp::OutputNumbers& written : numbers.written) {
      const std::string key = spec_title(written.written, written.left.empty() ? written.right : written.left);
      size_t row = row_of(key);
      if (row == rows.size()) {
        rows.push_back({SignatureRow::Of::Output, key, written.left, written.right, "", "", {}, {}});
        found.push_back(nullptr);
      }
      found[row] = &written;
    }
    return found;
  }

  // In lockstep a group has numbers once it was stepped over.
  static const interp::GroupNumbers* numbers_of(const Comparison& pair, size_t group) {
    return numbers_agree(pair, group) ? &pair.result->numbers()->groups[group] : nullptr;
  }

  void summary(PaneContext& context, const ComparisonResult& result) {
    const Comparison& pair = context.workspace.comparison;
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(summary_.c_str());
    copied_probe(context, "compare/summary", summary_);
    auto button = [&](const char* title, const char* command, const char* probe, bool enabled = true) {
      go_on(ImGui::CalcTextSize(title).x + 2 * ImGui::GetStyle().FramePadding.x, ImGui::GetStyle().ItemSpacing.x);
      ImGui::BeginDisabled(!enabled);
      if (ImGui::Button(title)) context.commands.push(command);
      context.probe.item(probe, title, enabled);
      ImGui::EndDisabled();
    };
    const bool running = pair.asked && !result.outcome;
    const interp::RunComparison* numbers = result.numbers();
    button(running ? "Running…" : "Run both", "compare.run", "compare/run_both", !running);
    go_on(ImGui::CalcTextSize("Only differences").x + ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x, ImGui::GetStyle().ItemSpacing.x);
    bool only = pair.only_differences;
    if (check_box("Only differences", &only)) context.commands.push("compare.only_differences", std::string(only ? "on" : "off"));
    context.probe.item("compare/only", "Only differences");
    const Preferences& preferences = context.workspace.ui.preferences;
    go_on(context.theme.px(220), context.theme.px(12));
    tolerance_field(context, "rtol", rtol_, preferences.rtol);
    ImGui::SameLine();
    tolerance_field(context, "atol", atol_, preferences.atol);
    if (numbers) {
      button("First divergence", "compare.first_divergence", "compare/first_divergence", !result.numbers_agree());
      button("Step", "compare.step", "compare/step");
      button("Run to divergence", "compare.run_to_divergence", "compare/run_to_divergence");
      if (pair.stepping) button("Show all", "compare.show_all", "compare/show_all");
      button(pair.isolate ? "Groups are judged alone" : "Judge groups alone", "compare.isolate", "compare/isolate", !pair.isolate && numbers->first_divergence);
      const bool parted = numbers->first_divergence ? numbers_agree(pair, *numbers->first_divergence).has_value() : all_told(pair) && !result.numbers_agree();
      const std::string verdict = parted || all_told(pair) ? result.verdict : "So far the numbers agree within the tolerance";
      ImGui::TextColored(context.theme.color4(parted ? Role::Warning : Role::Executed), "%s", parted ? "≠" : "✓");
      ImGui::SameLine();
      ImGui::PushTextWrapPos(0);
      wrapped_text(verdict);
      ImGui::PopTextWrapPos();
      copied_probe(context, "compare/verdict", verdict);
      inputs(context, result, ImGui::GetItemRectSize().y < 1.5f * ImGui::GetTextLineHeight());
    } else if (result.outcome) {
      const Error& error = result.outcome->error();
      const std::string problem = display((error.where.empty() ? "" : error.where + ": ") + error.message);
      ImGui::PushTextWrapPos(0);
      wrapped_text(problem);
      ImGui::PopTextWrapPos();
      copied_probe(context, "compare/verdict", problem);
    }
    if (!result.problem.empty()) {
      ImGui::PushStyleColor(ImGuiCol_Text, context.theme.color4(Role::Warning));
      ImGui::PushTextWrapPos(0);
      wrapped_text("The pairs set by hand are left out: " + display(result.problem));
      ImGui::PopTextWrapPos();
      ImGui::PopStyleColor();
    }
  }

  // On what both ran, and what was set anew since; after the verdict where that takes one line.
  void inputs(PaneContext& context, const ComparisonResult& result, bool beside) {
    auto say = [&](const char* probe, Role role, const std::string& text) {
      if (std::exchange(beside, true)) go_on(ImGui::CalcTextSize(text.c_str()).x, context.theme.px(12));
      ImGui::TextColored(context.theme.color4(role), "%s", text.c_str());
      copied_probe(context, probe, text);
    };
    say("compare/inputs", Role::Text2, inputs_of_both(result, context.workspace.comparison));
    if (const std::string changed = changed_since_run(context.workspace); !changed.empty()) say("compare/changed", Role::Warning, "Other " + changed + " since: Run both runs again");
  }

  // Over the item: beside it are buttons to be seen, below it the verdict.
  static void tip_above(const PaneContext& context, const char* text) {
    const float wrap = context.theme.px(320), width = ImGui::CalcTextSize(text, nullptr, false, wrap).x + 2 * ImGui::GetStyle().WindowPadding.x;
    const ImVec2 item = ImGui::GetItemRectMin();
    ImGui::SetNextWindowPos(ImVec2(std::max(0.0f, std::min(item.x, ImGui::GetIO().DisplaySize.x - width)), item.y - context.theme.px(4)), ImGuiCond_Always, ImVec2(0, 1));
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(wrap);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    context.probe.add("compare/tip", ImGui::GetWindowPos(), ImVec2(ImGui::GetWindowPos().x + ImGui::GetWindowSize().x, ImGui::GetWindowPos().y + ImGui::GetWindowSize().y), text);
    ImGui::EndTooltip();
  }

  // What both ran under is no longer what is typed: they run again.
  static void tolerance_field(PaneContext& context, const char* name, std::string& typed, const std::optional<double>& set) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(context.theme.color4(Role::Text2), "%s", name);
    ImGui::SameLine(0, context.theme.px(4));
    ImGui::SetNextItemWidth(context.theme.px(72));
    ImGui::PushID(name);
    const bool entered = input_text("##value", typed, "by dtype", ImGuiInputTextFlags_EnterReturnsTrue), active = ImGui::IsItemActive();
    const bool done = entered || ImGui::IsItemDeactivatedAfterEdit();
    ImGui::PopID();
    const std::string shown = set ? number_label(*set, 6) : "";
    context.probe.item(std::string("compare/") + name, shown.empty() ? "by dtype" : shown);
    if (ImGui::IsItemHovered()) tip_above(context, "Of Run both and of values held against a reference; empty: as torch.testing.assert_close for the dtype");
    if (done && typed != shown) {
      context.push("settings.set", std::string(name) + (typed.empty() ? " auto" : " " + typed), "compare");
      if (context.workspace.comparison.asked) context.commands.push("compare.run");
    } else if (!active) {
      typed = shown;
    }
  }

  void tabs(PaneContext& context, const ComparisonResult& result) {
    const bool numbers = all_told(context.workspace.comparison);
    size_t signature = 0;
    for (size_t i = 0; i < signature_.size(); ++i) signature += row_differs(i, numbers);
    const std::string titles[] = {groups_title(), "Signature " + std::to_string(signature),
                                  result.weights ? "Weights " + std::to_string(result.weights->different.size()) : "Weights", "Operators", "Modules"};
    constexpr const char* kProbes[] = {"groups", "signature", "weights", "operators", "modules"};
    for (int i = 0; i < 5; ++i) {
      if (i) ImGui::SameLine(0, context.theme.px(2));
      const bool on = int(tab_) == i;
      ImGui::PushStyleColor(ImGuiCol_Button, context.theme.color4(on ? Role::Raised : Role::Panel));
      ImGui::PushStyleColor(ImGuiCol_Text, context.theme.color4(on ? Role::Text : Role::Text2));
      if (ImGui::Button((titles[i] + "###tab" + std::to_string(i)).c_str())) tab_ = Tab(i);
      context.probe.item(std::string("compare/tab/") + kProbes[i], titles[i]);
      ImGui::PopStyleColor(2);
    }
  }

  std::string groups_title() const {
    const std::string all = with_commas(uint64_t(shown_.size()));
    return "Groups " + (table_.filter.empty() ? all : with_commas(uint64_t(found_)) + " of " + all);
  }

  void groups(PaneContext& context, const ComparisonResult& result) {
    const Comparison& pair = context.workspace.comparison;
    const Program &a = *result.left, &b = *result.right;
    const auto& groups = result.diff->groups;
    ImGui::SameLine(0, context.theme.px(12));
    table_.filter_box(context, "Filter by node, operator, module, kind");
    context.probe.item("compare/filter", table_.filter);
    const std::optional<size_t> selected = selected_group(context.workspace, *result.diff);
    if (selected != selected_) {
      selected_ = selected;
      table_.reveal_selected();
    }
    static const std::vector<TextTable::Column> columns = {{"", 18}, {"A", 0, false, true}, {"B", 0, false, true}, {"Kind", 76}, {"What differs", 0}, {"Matched by", 84}, {"Sure", 40, true},
                                                           {"max |Δ|", 58, true}, {"max rel", 54, true}, {"ulp", 46, true}, {"cos", 54, true}, {"SNR", 46, true}};
    TextTable::Rows rows;
    rows.count = shown_.size();
    rows.revision = rows_revision_;
    rows.text = [&](size_t row, int column) { return cell(a, b, groups[shown_[row]], numbers_of(pair, shown_[row]), column); };
    rows.words = [&](size_t row) { return filter_words(a, groups[shown_[row]].left) + filter_words(b, groups[shown_[row]].right); };
    rows.selected = [&](size_t row) { return selected && *selected == shown_[row]; };
    rows.probe = [&](size_t row) { return "compare/row/" + std::to_string(shown_[row]); };
    rows.color = [&](size_t row, int column) -> ImU32 {
      if (column == 0 || column == 3) return context.theme.color(role(groups[shown_[row]].kind));
      const interp::GroupNumbers* n = column >= 7 ? numbers_of(pair, shown_[row]) : nullptr;
      return n && n->equal == false ? context.theme.color(Role::Warning) : 0;
    };
    rows.menu = [&](size_t) {
      if (ImGui::MenuItem("Link the two selected nodes", "=")) context.commands.push("compare.link");
      if (ImGui::MenuItem("Unlink this group")) context.commands.push("compare.unlink");
      context.probe.item("compare/menu/unlink", "Unlink this group");
      if (ImGui::MenuItem("Write a reproduction…")) context.commands.push("compare.repro");
    };
    const auto events = table_.draw(context, "##groups", columns, rows);
    if (std::exchange(found_, table_.shown()) != table_.shown()) context.draw_again_in(0);  // the tab says how many
    if (events.clicked == TextTable::Events::kNone) return;
    selected_ = shown_[events.clicked];  // it is in sight: nothing moves under the pointer
    context.commands.push("compare.group", std::to_string(*selected_));
  }

  // What a filter finds although no column shows it.
  static std::string filter_words(const Program& program, const std::vector<NodeRef>& nodes) {
    std::string words;
    for (NodeRef ref : nodes) {
      const Node& node = program.node(ref);
      words += ' ' + qualified_name(program, ref) + ' ' + std::string(node.target);
      if (program.modules.modules.contains(node.module)) words += ' ' + std::string(program.modules.modules[node.module].path);
    }
    return words;
  }

  static std::string cell(const Program& a, const Program& b, const NodeGroup& group, const interp::GroupNumbers* numbers, int column) {
    switch (column) {
      case 0: return numbers && numbers->equal == false ? std::string(sign(group.kind)) + "≠" : sign(group.kind);
      case 1: return names(a, group.left, numbers ? numbers->left_call : "");
      case 2: return names(b, group.right, numbers ? numbers->right_call : "");
      case 3: return std::string(group_kind_name(group.kind));
      case 4: {
        // The numbers first: what changed may be long, and what is cut off is at the end.
        const std::string cause = numbers ? interp::group_cause_text(a, *numbers) : "", changes = interp::group_changes_text(group);
        return cause.empty() ? changes : "≠ " + cause + (changes.empty() ? "" : "; " + changes);
      }
      case 5: return group.evidence == Evidence::Manual ? "paired by hand" : std::string(evidence_name(group.evidence));
      case 6: return group.evidence == Evidence::None ? "" : std::to_string(int(group.confidence * 100 + 0.5)) + " %";
      default: break;
    }
    if (!numbers || !numbers->equal) return "";
    const interp::ValueDifference& d = numbers->difference;
    const double values[] = {d.max_abs, d.max_rel, d.max_ulp, d.cosine, d.snr_db};
    return std::isnan(d.max_abs) ? "" : number(values[column - 7]);  // of other shapes there are none
  }

  bool row_differs(size_t i, bool numbers) const { return signature_[i].differs() || (numbers && returned_[i] && returned_[i]->equal == false); }

  void signature(PaneContext& context) {
    static const std::vector<TextTable::Column> columns = {{"", 18},           {"", 46}, {"Which", 0}, {"A", 0, false, true}, {"type in A", 0, false, true}, {"B", 0, false, true}, {"type in B", 0, false, true},
                                                           {"max |Δ|", 58, true}};
    const bool numbers = all_told(context.workspace.comparison);
    auto apart = [this, numbers](size_t i) { return numbers && returned_[i] && returned_[i]->equal == false; };
    auto mark = [](const SignatureRow& row) { return row.left_name.empty() ? "+" : row.right_name.empty() ? "−" : row.differs() ? "~" : "="; };
    TextTable::Rows rows;
    rows.count = signature_.size();
    rows.revision = rows_revision_;
    rows.text = [&](size_t i, int column) -> std::string {
      constexpr const char* kOf[] = {"input", "output", ""};
      const SignatureRow& row = signature_[i];
      const interp::OutputNumbers* its = numbers ? returned_[i] : nullptr;
      const std::string sign = apart(i) ? row.differs() ? std::string(mark(row)) + "≠" : "≠" : mark(row);
      const std::string cells[] = {sign, kOf[size_t(row.of)], display(row.key), display(row.left_name), display(row.left_type), display(row.right_name), display(row.right_type),
                                   its && its->measured() ? number(its->difference.max_abs) : ""};
      return cells[column];
    };
    rows.probe = [&](size_t i) { return "compare/signature/" + std::to_string(i); };
    rows.color = [&](size_t i, int column) -> ImU32 {
      const SignatureRow& row = signature_[i];
      if (apart(i) && (column == 7 || (column == 0 && !row.differs()))) return context.theme.color(Role::Warning);
      const bool marked = column == 0 || column == 4 || column == 6 || (row.other_value && (column == 3 || column == 5));
      if (!row.differs() || !marked) return 0;
      return context.theme.color(row.left_name.empty() ? Role::Added : row.right_name.empty() ? Role::Removed : Role::Changed);
    };
    const auto events = signature_table_.draw(context, "##signature", columns, rows);
    if (events.clicked == TextTable::Events::kNone) return;
    const SignatureRow& row = signature_[events.clicked];
    const Comparison& pair = context.workspace.comparison;
    if (row.right.node) context.commands.push("select.node", row.right, pair.right, "compare");
    if (row.left.node) context.commands.push("select.node", row.left, pair.left, "compare");
  }

  void weights(PaneContext& context, const ComparisonResult& result) {
    if (!result.weights) {
      if (context.workspace.comparison.weights) return ImGui::TextDisabled("Comparing weights…");
      if (ImGui::Button("Compare weights")) context.commands.push("compare.weights");
      context.probe.item("compare/weights", "Compare weights");
      return;
    }
    const auto& different = result.weights->different;
    const std::string said = different.empty() ? "All " + with_commas(uint64_t(result.weights->compared)) + " weights and constants are equal"
                                               : with_commas(uint64_t(different.size())) + " of " + with_commas(uint64_t(result.weights->compared)) + " differ";
    ImGui::TextUnformatted(said.c_str());
    copied_probe(context, "compare/weights_verdict", said);
    static const std::vector<TextTable::Column> columns = {{"Weight", 0, false, true}, {"What", 0}, {"max |Δ|", 58, true}, {"max rel", 54, true}, {"ulp", 46, true}, {"cos", 54, true}};
    TextTable::Rows rows;
    rows.count = different.size();
    rows.revision = rows_revision_;
    rows.text = [&](size_t i, int column) -> std::string {
      const interp::WeightDifference& w = different[i];
      if (column == 0) return display(w.name());
      if (column == 1) return w.problem.empty() ? with_commas(uint64_t(w.difference.different)) + " of " + with_commas(uint64_t(w.difference.elements)) + " elements" : display(w.problem);
      const double values[] = {w.difference.max_abs, w.difference.max_rel, w.difference.max_ulp, w.difference.cosine};
      return w.problem.empty() ? number(values[column - 2]) : "";
    };
    weights_table_.draw(context, "##weights", columns, rows);
  }

  void operators(PaneContext& context) {
    static const std::vector<TextTable::Column> columns = {{"", 18}, {"Operator", 0, false, true}, {"A", 60, true}, {"B", 60, true}, {"Δ", 60, true}};
    TextTable::Rows rows;
    rows.count = operators_.size();
    rows.revision = rows_revision_;
    auto mark = [](const OpChange& op) { return op.left == 0 ? "+" : op.right == 0 ? "−" : op.left != op.right ? "~" : "="; };
    rows.text = [&](size_t i, int column) -> std::string {
      const OpChange& op = operators_[i];
      const std::string cells[] = {mark(op), display(short_target(op.target)), std::to_string(op.left), std::to_string(op.right), delta(op.left, op.right)};
      return cells[column];
    };
    rows.probe = [&](size_t i) { return "compare/operator/" + std::to_string(i); };
    rows.color = [&](size_t i, int column) -> ImU32 {
      const OpChange& op = operators_[i];
      if (op.left == op.right || (column != 0 && column != 4)) return 0;
      return context.theme.color(op.left == 0 ? Role::Added : op.right == 0 ? Role::Removed : Role::Changed);
    };
    operators_table_.draw(context, "##operators", columns, rows);
  }

  void modules(PaneContext& context) {
    static const std::vector<TextTable::Column> columns = {{"", 18}, {"Module", 0, false, true}, {"A", 60, true}, {"B", 60, true}, {"Δ", 60, true}, {"Equal", 60, true}, {"Other", 60, true}};
    TextTable::Rows rows;
    rows.count = modules_.size();
    rows.revision = rows_revision_;
    rows.text = [&](size_t i, int column) -> std::string {
      const ModuleCounts& m = modules_[i];
      const std::string cells[] = {module_sign(m), display(module_title(m)), std::to_string(m.left), std::to_string(m.right), delta(m.left, m.right), std::to_string(m.same), std::to_string(m.different)};
      return cells[column];
    };
    rows.probe = [&](size_t i) { return "compare/module/" + std::to_string(i); };
    rows.color = [&](size_t i, int column) -> ImU32 { return modules_[i].different && (column == 0 || column == 6) ? context.theme.color(Role::Changed) : 0; };
    const auto events = modules_table_.draw(context, "##modules", columns, rows);
    if (events.clicked != TextTable::Events::kNone && !modules_[events.clicked].path.empty()) context.commands.push("select.module", modules_[events.clicked].path, {}, "compare");
  }

  Tab tab_ = Tab::Groups;
  TextTable table_, signature_table_, weights_table_, operators_table_, modules_table_;
  std::shared_ptr<const ComparisonResult> seen_;
  std::string summary_;
  std::vector<OpChange> operators_;
  std::vector<ModuleCounts> modules_;
  std::vector<SignatureRow> signature_;
  std::vector<const interp::OutputNumbers*> returned_;  // by row of signature_; null: there are no numbers
  std::vector<size_t> shown_;  // indices of groups
  size_t found_ = 0;           // of them, by the filter
  std::string rtol_, atol_;    // as they are typed
  bool shown_only_ = false;
  std::string shown_step_;
  uint64_t rows_revision_ = 0;
  std::optional<size_t> selected_;
};

}  // namespace

std::unique_ptr<Pane> make_compare_pane() { return std::make_unique<ComparePane>(); }

}  // namespace pt2::views
