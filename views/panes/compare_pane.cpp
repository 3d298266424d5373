// What became what between two programs: a row per group, with the numbers where both were run.
#include "views/panes/compare_pane.h"

#include <algorithm>
#include <cstdio>

#include "core/base/display.h"
#include "core/base/text.h"
#include "interp/compare_runs.h"
#include "views/widgets/text_table.h"
#include "views/workspace/comparison.h"

namespace pt2::views {

namespace {

constexpr size_t kNamesShown = 6;

std::string names(const Program& program, const std::vector<NodeRef>& nodes) {
  std::string text;
  for (size_t i = 0; i < std::min(nodes.size(), kNamesShown); ++i) text += (i ? ", " : "") + display(qualified_name(program, nodes[i]));
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
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

using Numbers = Result<interp::RunComparison>;

class ComparePane : public Pane {
 public:
  void draw(PaneContext& context) override {
    const Comparison& pair = context.workspace.comparison;
    const Document *left = context.workspace.document(pair.left), *right = context.workspace.document(pair.right);
    if (!left || !right) {
      ImGui::TextDisabled("No two programs are compared: File, Open to compare…");
      return;
    }
    const std::string key = comparison_key(context.workspace);
    std::shared_ptr<const Diff> diff = comparison_diff(context.workspace, context.derived);
    if (!diff) {
      ImGui::TextDisabled("%s", key.empty() && left->loaded() && right->loaded() ? "One of the files holds no program" : "Comparing…");
      return;
    }
    // With numbers the programs are matched again, values being evidence.
    std::shared_ptr<const Numbers> outcome = wanted_numbers_ == key ? numbers_of(context, key, std::get<Loaded>(left->state), std::get<Loaded>(right->state)) : nullptr;
    const interp::RunComparison* numbers = outcome && *outcome ? &**outcome : nullptr;
    if (numbers) diff = std::shared_ptr<const Diff>(outcome, &numbers->diff);
    const Program &a = *left->program(), &b = *right->program();
    const auto& groups = diff->groups;
    const std::optional<size_t> selected = selected_group(context.workspace, *diff);
    summary(context, *diff, outcome.get(), numbers, key);
    if (shown_diff_ != diff.get() || shown_key_ != key || shown_only_ != only_) {
      shown_diff_ = diff.get();
      shown_key_ = key;
      shown_only_ = only_;
      ++rows_revision_;
      shown_.clear();
      for (size_t i = 0; i < groups.size(); ++i)
        if (!only_ || groups[i].kind != GroupKind::Same || differs(numbers, i)) shown_.push_back(i);
    }
    if (selected != selected_) {
      selected_ = selected;
      table_.reveal_selected();
    }
    walk(context, groups, selected);
    static const std::vector<TextTable::Column> columns = {{"", 18}, {"A", 260, false, true}, {"B", 320, false, true}, {"Kind", 96}, {"What differs", 240}, {"Matched by", 100}, {"Sure", 52, true}, {"max abs Δ", 90, true}, {"cosine", 80, true}};
    TextTable::Rows rows;
    rows.count = shown_.size();
    rows.revision = rows_revision_;
    rows.text = [&](size_t row, int column) { return cell(a, b, groups[shown_[row]], numbers ? &numbers->groups[shown_[row]] : nullptr, column); };
    rows.selected = [&](size_t row) { return selected && *selected == shown_[row]; };
    rows.probe = [&](size_t row) { return "compare/row/" + std::to_string(shown_[row]); };
    rows.color = [&](size_t row, int column) -> ImU32 {
      if (column == 0 || column == 3) return context.theme.color(role(groups[shown_[row]].kind));
      if (column >= 7 && differs(numbers, shown_[row])) return context.theme.color(Role::Warning);
      return 0;
    };
    const auto events = table_.draw(context, "##groups", columns, rows);
    if (events.clicked != TextTable::Events::kNone) select(context, groups[shown_[events.clicked]]);
  }

 private:
  static bool differs(const interp::RunComparison* numbers, size_t group) { return numbers && numbers->groups[group].equal == false; }

  static std::string cell(const Program& a, const Program& b, const NodeGroup& group, const interp::GroupNumbers* numbers, int column) {
    switch (column) {
      case 0: return sign(group.kind);
      case 1: return names(a, group.left);
      case 2: return names(b, group.right);
      case 3: return std::string(group_kind_name(group.kind));
      case 4: {
        std::string text;
        for (const std::string& change : group.changes) text += (text.empty() ? "" : ", ") + display(change);
        if (numbers && numbers->cause != interp::Cause::None)
          text += (text.empty() ? "" : "; ") + std::string("numbers: ") + std::string(interp::cause_name(numbers->cause)) + (numbers->carried_in ? " (carried in)" : "");
        return text;
      }
      case 5: return std::string(evidence_name(group.evidence));
      case 6: return group.evidence == Evidence::None ? "" : std::to_string(int(group.confidence * 100 + 0.5)) + " %";
      case 7: return numbers && numbers->equal ? number(numbers->difference.max_abs) : "";
      default: return numbers && numbers->equal ? number(numbers->difference.cosine) : "";
    }
  }

  // Both on the left program's sample inputs, or on filled ones.
  static std::shared_ptr<const Numbers> numbers_of(PaneContext& context, const std::string& key, const Loaded& left, const Loaded& right) {
    return context.derived.get<Numbers>("numbers " + key, "Running both programs", [left, right](Job& job) {
      interp::CompareRunsRequest request;
      request.stop = job.stop();
      return interp::compare_runs({left.file.get(), left.program}, {right.file.get(), right.program}, request);
    });
  }

  static void select(PaneContext& context, const NodeGroup& group) {
    const Comparison& pair = context.workspace.comparison;
    // The side that has nodes is selected last, so that it stays the active one.
    const bool left_last = !group.left.empty();
    for (bool left : {!left_last, left_last})
      context.commands.push("select.set", selection_of_group(left ? group.left : group.right), left ? pair.left : pair.right, "compare");
  }

  // F8 and Shift+F8 walk over what differs.
  static void walk(PaneContext& context, const std::vector<NodeGroup>& groups, std::optional<size_t> selected) {
    const bool forward = context.input.pressed(Chord{Key::F8}), backward = context.input.pressed(Chord{Key::F8, false, true, false});
    if (forward == backward) return;
    const size_t count = groups.size();
    size_t at = selected ? *selected : forward ? count - 1 : 0;
    for (size_t tried = 0; tried < count; ++tried) {
      at = (at + (forward ? 1 : count - 1)) % count;
      if (groups[at].kind != GroupKind::Same) return select(context, groups[at]);
    }
  }

  void summary(PaneContext& context, const Diff& diff, const Numbers* outcome, const interp::RunComparison* numbers, const std::string& key) {
    auto count = [&](GroupKind kind) { return with_commas(uint64_t(diff.count(kind))); };
    const std::string text = "equal " + count(GroupKind::Same) + " · changed " + count(GroupKind::Changed) + " · decomposed " + count(GroupKind::Decomposed) + " · merged " + count(GroupKind::Merged) +
                             " · added " + count(GroupKind::Added) + " · removed " + count(GroupKind::Removed);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(text.c_str());
    context.probe.item("compare/summary", text);
    ImGui::SameLine(0, context.theme.px(16));
    const bool running = wanted_numbers_ == key && !outcome;
    ImGui::BeginDisabled(running || numbers);
    if (ImGui::Button(running ? "Running…" : "Run both")) wanted_numbers_ = key;
    context.probe.item("compare/run_both", "Run both", !running && !numbers);
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::Checkbox("Only differences", &only_);
    context.probe.item("compare/only", "Only differences");
    if (numbers) {
      ImGui::SameLine();
      ImGui::BeginDisabled(!numbers->first_divergence);
      if (ImGui::Button("First divergence")) select(context, diff.groups[*numbers->first_divergence]);
      context.probe.item("compare/first_divergence", "First divergence", numbers->first_divergence.has_value());
      ImGui::EndDisabled();
      ImGui::SameLine();
      const std::string verdict = numbers->first_divergence ? "The numbers part" : "The numbers agree within the tolerance";
      ImGui::TextUnformatted(verdict.c_str());
      context.probe.item("compare/verdict", verdict);
    } else if (outcome) {
      ImGui::SameLine();
      ImGui::TextUnformatted(display(outcome->error().message).c_str());
    }
    for (const std::string& change : diff.signature_changes) ImGui::TextDisabled("Signature: %s", display(change).c_str());
  }

  TextTable table_;
  std::vector<size_t> shown_;  // indices of groups
  const Diff* shown_diff_ = nullptr;
  std::string shown_key_, wanted_numbers_;
  bool only_ = false, shown_only_ = false;
  uint64_t rows_revision_ = 0;
  std::optional<size_t> selected_;
};

}  // namespace

std::unique_ptr<Pane> make_compare_pane() { return std::make_unique<ComparePane>(); }

}  // namespace pt2::views
