#include "views/shell/rules.h"

#include <span>
#include <utility>

#include "core/base/display.h"
#include "core/verify/verify.h"
#include "views/compat.h"
#include "views/shell/shell.h"
#include "views/workspace/problems.h"

namespace pt2::views {

namespace {

void text(const ShellContext& c, Role role, std::string_view words) {
  ImGui::PushStyleColor(ImGuiCol_Text, c.theme.color(role));
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(words.data(), words.data() + words.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

Role role_of(Severity severity) { return severity == Severity::Error ? Role::Breakpoint : severity == Severity::Warning ? Role::Warning : Role::Text2; }

void row(ShellContext& c, const VerifyRule& rule, bool lit, bool appearing) {
  ImGui::TableNextRow();
  if (lit) ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, c.theme.color(Role::SelectionRow));
  ImGui::TableNextColumn();
  if (lit && appearing) ImGui::SetScrollHereY(0.3f);
  compat::push_font(c.theme.fonts.mono_small);
  text(c, Role::Text, rule.name);
  ImGui::PopFont();
  text(c, role_of(rule.severity), severity_text(rule.severity));
  ImGui::TableNextColumn();
  text(c, Role::Text, rule.title);
  c.probe.item((lit ? "rules/lit/" : "rules/") + std::string(rule.name), std::string(rule.title));
  text(c, Role::Text2, rule.explanation);
}

void section(ShellContext& c, const char* title, std::span<const VerifyRule> rules, std::string_view lit, bool appearing) {
  ImGui::Dummy(ImVec2(0, c.px(4)));
  text(c, Role::Accent, title);
  if (!ImGui::BeginTable(title, 2, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit)) return;
  ImGui::TableSetupColumn("rule", ImGuiTableColumnFlags_WidthFixed, c.px(210));
  ImGui::TableSetupColumn("meaning", ImGuiTableColumnFlags_WidthStretch);
  for (const VerifyRule& rule : rules) row(c, rule, rule.name == lit, appearing);
  ImGui::EndTable();
}

}  // namespace

void draw_rules(ShellContext& c) {
  if (!ui::begin_dialog(c, "rules", "Rules of problems", ImVec2(860, 640))) return;
  const bool appearing = ImGui::IsWindowAppearing();
  const Document* document = c.workspace.active();
  const auto problem = document ? current_problem(*document) : std::nullopt;
  const Finding* finding = problem ? &document->problems[*problem] : nullptr;
  if (finding) {
    text(c, Role::Text, display(finding->message));
    c.probe.item("rules/problem", display(finding->message));
    if (!finding->advice.empty()) text(c, Role::Text2, display(finding->advice));
    ImGui::Separator();
  }
  const std::string_view lit = finding ? std::string_view(finding->rule) : std::string_view();
  compat::begin_child("rules body", ImVec2(0, 0));
  section(c, "What a program holds to", verify_rules(), lit, appearing);
  section(c, "While a file is read", reading_rules(), lit, appearing);
  section(c, "While both programs of a comparison run", running_rules(), lit, appearing);
  ImGui::EndChild();
  ui::end_dialog(c);
}

}  // namespace pt2::views
