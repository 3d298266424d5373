// The tour: four cards that say how to begin. Nothing waits for them.
#include "imgui_internal.h"
#include "views/compat.h"
#include "views/shell/shell.h"

namespace pt2::views {

namespace {

struct Card { const char *title, *text; };
constexpr Card kCards[kTourCards] = {
    {"Select", "Every box is an operator, chips in it are its parameters. Click one: text, arguments, source and tensor follow. A double click folds a module, the wheel zooms, F fits everything. "
               "Ctrl+P finds anything by name."},
    {"Step", "F5 asks for the inputs and runs, F10 steps over the next box, F11 into a folded module, F7 looks back. F9 sets a breakpoint on the selection; Run can stop at the first NaN."},
    {"Inspect", "Double click a box after a run: the Tensor pane shows its numbers as a grid, a picture or a histogram, and against a reference the difference. Watch takes expressions such as relu.max()."},
    {"Compare", "Ctrl+Shift+O puts a second program beside this one: what became what, and where the numbers part. F8 goes from difference to difference."},
};

}  // namespace

void draw_tour(ShellContext& c, ImVec2 pos, ImVec2 size) {
  const int step = c.workspace.ui.tour;
  if (step < 1 || step > kTourCards || !c.workspace.ui.dialog.empty() || c.workspace.ui.palette) return;
  const Card& card = kCards[step - 1];
  const float width = std::min(c.px(420), size.x - c.px(24));
  ImGui::SetNextWindowPos(ImVec2(IM_FLOOR(pos.x + (size.x - width) / 2), IM_FLOOR(pos.y + size.y - c.px(16))), ImGuiCond_Always, ImVec2(0, 1));
  ImGui::SetNextWindowSize(ImVec2(width, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(c.px(14), c.px(12)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, c.px(6));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, c.theme.color4(Role::Raised));
  ImGui::PushStyleColor(ImGuiCol_Border, c.theme.color4(Role::Accent));
  compat::push_font(c.theme.fonts.table);
  ImGui::Begin("##tour", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing);
  ImGui::TextUnformatted((std::string(card.title) + "  " + std::to_string(step) + " of " + std::to_string(kTourCards)).c_str());
  c.probe.item("tour/title", card.title);
  ImGui::PushTextWrapPos(0);
  ImGui::PushStyleColor(ImGuiCol_Text, c.theme.color(Role::Text2));
  ImGui::TextUnformatted(card.text);
  ImGui::PopStyleColor();
  ImGui::PopTextWrapPos();
  auto button = [&](const char* label, const char* argument) {
    if (ImGui::Button(label)) c.commands.push("help.tour", std::string(argument));
    c.probe.item(std::string("tour/") + argument, label);
    ImGui::SameLine();
  };
  button(step == kTourCards ? "Done" : "Next", "next");
  if (step > 1) button("Back", "back");
  if (step < kTourCards) button("Skip the tour", "skip");
  if (!c.workspace.active()) {
    if (ImGui::Button("Open the sample")) c.commands.push("file.open_sample");
    c.probe.item("tour/sample", "Open the sample");
  } else {
    ImGui::NewLine();
  }
  ImGui::End();
  ImGui::PopFont();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(2);
}

}  // namespace pt2::views
