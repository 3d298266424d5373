// Both texts of a comparison side by side: what belongs together stands in one row, what differs within a line is marked.
#include <algorithm>
#include <cmath>

#include "core/base/display.h"
#include "views/compat.h"
#include "views/panes/compare_pane.h"
#include "views/workspace/comparison.h"
#include "views/workspace/text_diff.h"

namespace pt2::views {

namespace {

const char* sign(GroupKind kind) { return kind == GroupKind::Same ? "" : kind == GroupKind::Added ? "+" : kind == GroupKind::Removed ? "−" : "~"; }
Role role(GroupKind kind) { return kind == GroupKind::Added ? Role::Added : kind == GroupKind::Removed ? Role::Removed : Role::Changed; }

class CompareTextPane : public Pane {
 public:
  void draw(PaneContext& context) override {
    const Comparison& pair = context.workspace.comparison;
    if (!pair.result) return ImGui::TextDisabled("Comparing…");
    if (seen_ != pair.result || only_ != pair.only_differences) {
      seen_ = pair.result;
      only_ = pair.only_differences;
      text_ = make_text_diff(*seen_->left, *seen_->right, *seen_->diff, options_);
      if (only_) std::erase_if(text_.rows, [&](const TextDiffRow& row) { return row.group != TextDiffRow::kNone && !seen_->differs(row.group); });
      selected_.reset();
    }
    const Theme& theme = context.theme;
    ImGui::PushStyleColor(ImGuiCol_ChildBg, theme.color(Role::Canvas));
    compat::push_font(theme.fonts.mono);
    if (compat::begin_child("##both", {0, 0}, false, ImGuiWindowFlags_NoNavInputs)) {
      const float height = ImGui::GetTextLineHeightWithSpacing();
      const auto selected = selected_group(context.workspace, *seen_->diff);
      if (selected != selected_ && selected) reveal(*selected, height);
      selected_ = selected;
      // Shift and the wheel move both texts sideways.
      if (ImGui::IsWindowHovered() && ImGui::GetIO().KeyShift) shift_ = std::max(0.0f, shift_ - (ImGui::GetIO().MouseWheel + ImGui::GetIO().MouseWheelH) * 4 * height);
      const ImVec2 origin = ImGui::GetCursorScreenPos();
      ImGuiListClipper clipper;
      clipper.Begin(int(text_.rows.size()), height);
      while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd && size_t(i) < text_.rows.size(); ++i) row(context, size_t(i), {origin.x, origin.y + float(i) * height}, height);
    }
    ImGui::EndChild();
    ImGui::PopFont();
    ImGui::PopStyleColor();
  }

 private:
  void reveal(size_t group, float height) {
    const size_t at = text_.row_of(group);
    if (at == TextDiffRow::kNone) return;
    const float y = float(at) * height, top = ImGui::GetScrollY(), view = ImGui::GetWindowHeight();
    if (y < top + height || y > top + view - 3 * height) ImGui::SetScrollY(std::max(0.0f, y - view * 0.4f));
  }

  void row(PaneContext& context, size_t index, ImVec2 at, float height) {
    const TextDiffRow& r = text_.rows[index];
    const Theme& theme = context.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float width = ImGui::GetWindowSize().x, middle = std::floor(at.x + width / 2), right = at.x + width;
    const GroupKind kind = r.group == TextDiffRow::kNone ? GroupKind::Same : seen_->diff->groups[r.group].kind;
    const bool chosen = r.group != TextDiffRow::kNone && selected_ == r.group, header = r.group == TextDiffRow::kNone;
    if (chosen) list->AddRectFilled(at, {right, at.y + height}, theme.color(Role::SelectionRow));
    else if (kind != GroupKind::Same) list->AddRectFilled(at, {right, at.y + height}, theme.color(role(kind), 0.10f));
    std::vector<FxPiece> left_pieces, right_pieces;
    if (r.left != TextDiffRow::kNone) left_pieces = fx_pieces(*seen_->left, text_.left[r.left], options_);
    if (r.right != TextDiffRow::kNone) right_pieces = fx_pieces(*seen_->right, text_.right[r.right], options_);
    std::vector<uint8_t> left_marks, right_marks;
    const bool marked = kind != GroupKind::Same || header;
    if (marked && !left_pieces.empty() && !right_pieces.empty()) mark_pieces(left_pieces, right_pieces, left_marks, right_marks);
    const bool parted = !header && numbers_agree(context.workspace.comparison, r.group) == false;
    const std::string a = half(context, "text.a/line/", left_pieces, left_marks, r.left, kind, parted, at, middle - theme.px(4), height);
    const std::string b = half(context, "text.b/line/", right_pieces, right_marks, r.right, kind, parted, {middle, at.y}, right, height);
    list->AddLine({middle - theme.px(2), at.y}, {middle - theme.px(2), at.y + height}, theme.color(Role::Border));
    context.probe.add("compare/text/", std::to_string(index), at, {right, at.y + height}, (parted ? "≠ " : "") + a + " | " + b);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (header || !ImGui::IsWindowHovered() || !ImGui::IsMouseClicked(ImGuiMouseButton_Left) || mouse.y < at.y || mouse.y >= at.y + height) return;
    context.commands.push("compare.group", std::to_string(r.group));
  }

  // One side of a row; returns its text for tests, which find it under `probe` and its number.
  std::string half(PaneContext& context, const char* probe, const std::vector<FxPiece>& pieces, const std::vector<uint8_t>& marks, size_t line, GroupKind kind, bool parted, ImVec2 at, float end, float height) {
    std::string text;
    if (pieces.empty()) return text;
    const Theme& theme = context.theme;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::string number = std::to_string(line + 1);
    const float digits = ImGui::CalcTextSize("00000").x, sign_width = ImGui::CalcTextSize("~").x;
    list->AddText({std::floor(at.x + digits - ImGui::CalcTextSize(number.c_str()).x), at.y}, theme.color(Role::Disabled), number.c_str());
    const float signs = std::floor(at.x + digits + theme.px(6));
    list->AddText({signs, at.y}, theme.color(role(kind)), sign(kind));
    if (parted) list->AddText({signs + sign_width, at.y}, theme.color(Role::Warning), "≠");
    const float begin = signs + 2 * sign_width + theme.px(8);
    list->PushClipRect({begin, at.y}, {end, at.y + height}, true);
    float x = begin - shift_;
    for (size_t i = 0; i < pieces.size(); ++i) {
      const FxPiece& piece = pieces[i];
      if (context.probe.on()) text += piece.text;
      const float width = ImGui::CalcTextSize(piece.text.c_str(), piece.text.c_str() + piece.text.size()).x;
      if (i < marks.size() && marks[i]) {
        list->AddRectFilled({x, at.y + 1}, {x + width, at.y + height - 1}, theme.color(role(kind), 0.30f), 2);
        list->AddLine({x, at.y + height - 2}, {x + width, at.y + height - 2}, theme.color(role(kind)), 1.5f);  // not by colour alone
      }
      const Role color = piece.role == FxTextRole::Type ? Role::Text2 : piece.role == FxTextRole::Operator ? Role::Executed : piece.role == FxTextRole::Comment ? Role::Disabled : piece.role == FxTextRole::Keyword ? Role::Accent : Role::Text;
      list->AddText({std::floor(x), std::floor(at.y)}, theme.color(color), piece.text.c_str(), piece.text.c_str() + piece.text.size());
      x += width;
    }
    list->PopClipRect();
    // The head of a sub-graph stands wherever groups come back to it; the first is the one that has the name.
    if (context.probe.on() && !context.probe.find(probe + number)) context.probe.add(probe, number, at, {end, at.y + height}, text);
    return text;
  }

  FxTextOptions options_;
  std::shared_ptr<const ComparisonResult> seen_;
  bool only_ = false;
  TextDiff text_;
  std::optional<size_t> selected_;
  float shift_ = 0;
};

}  // namespace

std::unique_ptr<Pane> make_compare_text_pane() { return std::make_unique<CompareTextPane>(); }

}  // namespace pt2::views
