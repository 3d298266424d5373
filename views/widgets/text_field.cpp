#include "views/widgets/text_field.h"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include "views/widgets/tab_stops.h"

namespace pt2::views {

// Dear ImGui takes up its undo records again when one comes back to a field. They are of the text it had; where that is another by now, as of
// another node, undo would change what it does not know, and write behind the end of a shorter one.
void forget_undo(const char* id) {
  const ImGuiID field = ImGui::GetID(id);
  if (ImGuiInputTextState* state = ImGui::GetInputTextState(field); state && ImGui::GetActiveID() != field) state->ID = 0;
}

bool input_text(const char* id, std::string& text, const char* hint, ImGuiInputTextFlags flags) {
  forget_undo(id);
  const bool edited = ImGui::InputTextWithHint(id, hint, &text, flags);
  if (tab_stops::leads() && ImGui::IsItemActive()) ImGui::ClearActiveID();
  tab_stops::add();
  return edited;
}

void add_line(PaneContext& context, std::string& typed, const char* hint, const char* command, const char* pane) {
  ImGui::SetNextItemWidth(-1);
  if (input_text("##add", typed, hint, ImGuiInputTextFlags_EnterReturnsTrue) && !typed.empty()) {
    context.push(command, typed, pane);
    typed.clear();
    ImGui::SetKeyboardFocusHere(-1);
  }
  context.probe.item(std::string(pane) + "/add", typed);
}

}  // namespace pt2::views
