// What the bar over the graph says of the picture: how its layout goes, what is lit, which form it shows and what is hidden.
#include "core/base/text.h"
#include "views/panes/graph_pane.h"
#include "views/widgets/cell_text.h"
#include "views/workspace/highlight.h"

namespace pt2::views {
namespace {

constexpr double kSayWaitingAfter = 0.25;

float button_width(const char* label) { return ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x; }

// Where the next note would not fit beside those before it, it begins another line.
void make_room(float width, float start, float right) {
  if (const float x = ImGui::GetCursorPosX(); x > start + 1 && x + width > right) ImGui::NewLine();
}

void note(const PaneContext& context, const std::string& text, const char* name) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(text.c_str());
  context.probe.item(context.graph_prefix() + name, text);
  ImGui::SameLine();
}

}  // namespace

// Of a layout that is under way, was cancelled or refused. False: there is a picture of what was asked for.
bool GraphPane::layout_note(PaneContext& context) {
  const Theme& theme = context.theme;
  const std::string prefix = context.graph_prefix() + "/";
  if (waiting_) {
    const double seconds = context.workspace.now - waiting_since_;
    if (seconds <= kSayWaitingAfter) {
      context.draw_again_in(kSayWaitingAfter - seconds + 0.01);
      return true;
    }
    ImGui::AlignTextToFramePadding();
    ImGui::Text("Laying out… %.0f s", seconds);
    ImGui::SameLine();
    if (ImGui::Button("Cancel##layout")) {
      context.jobs.cancel(job_tag_);
      waiting_ = false;
      cancelled_ = true;
    }
    ImGui::SameLine();
    context.draw_again_in(0.5);
    return true;
  }
  if (picture_ && cancelled_) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Layout cancelled");
    ImGui::SameLine();
    if (ImGui::Button("Lay out")) submit(context);
    context.probe.item(prefix + "lay_out", "Lay out");
    ImGui::SameLine();
    return true;
  }
  if (!picture_ || problem_.empty()) return false;
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(theme.color4(Role::Warning), "%s", problem_.c_str());
  ImGui::SameLine();
  const bool pressed = ImGui::Button("Lay out anyway");
  context.probe.item(prefix + "lay_out", "Lay out anyway");
  if (pressed) lay_out_refused(context);
  ImGui::SameLine();
  if (ImGui::Button("Fold modules")) {
    problem_.clear();
    refused_.reset();
    context.push("view.initial_folds", {}, "graph");
  }
  context.probe.item(prefix + "fold_modules", "Fold modules");
  ImGui::SameLine();
  return true;
}

// A change of the picture comes alone, what holds for the picture side by side.
void GraphPane::notes(PaneContext& context, float start, float right) {
  if (layout_note(context)) return;
  const Document& document = *context.document;
  const Theme& theme = context.theme;
  const std::string prefix = context.graph_prefix() + "/";
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  if (const std::string nothing = no_counterpart(context); !nothing.empty()) {
    const float side = ImGui::GetTextLineHeight(), pad = theme.px(4);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float middle = at.y + ImGui::GetFrameHeight() / 2;
    ImGui::GetWindowDrawList()->AddCircle({at.x + side / 2, middle}, side / 2 - 2, theme.color(context.side == Side::A ? Role::Added : Role::Removed), 0, 2);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + side + pad);
    ImGui::AlignTextToFramePadding();
    cell_text(theme, nothing);
    context.probe.item(prefix + "no_counterpart", nothing);
    ImGui::SameLine();
  }
  if (document.highlight.kind != Highlight::Kind::None) {
    const std::string text = highlight_text(document.highlight, *document.program());
    make_room(ImGui::CalcTextSize(text.c_str()).x, start, right);
    note(context, text, "/highlight");
  }
  if (document.graph.unlifted) {
    constexpr const char* kLabel = "Unlifted ×";
    make_room(button_width(kLabel), start, right);
    if (ImGui::Button(kLabel)) context.push("view.unlifted", std::string("off"), "graph");
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("This is ep.module(); click for the program itself");
    context.probe.item(prefix + "unlifted", "Unlifted");
    ImGui::SameLine();
  }
  if (!document.graph.hidden.empty()) {
    const std::string text = hidden_text(document.graph, *document.program());
    make_room(ImGui::CalcTextSize(text.c_str()).x + spacing + button_width("Show"), start, right);
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
    note(context, text, "/hidden");
    ImGui::PopStyleColor();
    if (ImGui::Button("Show")) context.push("view.unhide_all", {}, "graph");
    context.probe.item(prefix + "unhide", "Show");
    ImGui::SameLine();
  }
}

}  // namespace pt2::views
