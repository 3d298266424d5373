#include "views/shell/ui.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "imgui_internal.h"
#include "views/compat.h"
#include "views/shell/key_sheet.h"
#include "views/shell/tooltips.h"

namespace pt2::views::ui {

void tooltip(const ShellContext& c, const std::string& text) {
  if (!text.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) show_tooltip(c, text, c.px(kTooltipWidth));
}

bool flat_button(const ShellContext& c, const char* id, const char* label, std::string_view probe, ImVec2 size, bool enabled, bool active) {
  ImFont* font = ImGui::GetFont();
  const ImVec2 text = font->CalcTextSizeA(ImGui::GetFontSize(), FLT_MAX, 0, label);
  if (size.x <= 0) size.x = text.x + c.px(16);
  if (size.y <= 0) size.y = c.px(26);
  const bool clicked = compat::invisible_button(id, size) && enabled;
  const bool hovered = ImGui::IsItemHovered();
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  ImDrawList* draw = ImGui::GetWindowDrawList();
  if (enabled && (hovered || active)) draw->AddRectFilled(min, max, c.theme.color(hovered ? Role::SelectionRow : Role::Raised), c.px(4));
  const ImU32 color = c.theme.color(!enabled ? Role::Disabled : active ? Role::Accent : Role::Text);
  draw->AddText(font, ImGui::GetFontSize(), ImVec2(IM_FLOOR(min.x + (size.x - text.x) / 2), IM_FLOOR(min.y + (size.y - text.y) / 2)), color, label);
  c.probe.item(probe, label, enabled);
  return clicked;
}

bool command_button(ShellContext& c, std::string_view id, const char* label, std::string_view probe, bool active, ImVec2 size) {
  const Command* command = c.registry.find(id);
  if (!command) return false;
  const Availability available = command->availability ? command->availability(c.workspace) : Availability();
  const bool clicked = flat_button(c, std::string(id).c_str(), label, probe, size, available.enabled(), active);
  std::string text(command->title);
  if (const std::string keys = c.registry.shortcut(*command); !keys.empty()) text += "  " + keys;
  if (!available.enabled()) text += "\nNot now: " + available.reason;
  else if (!command->help.empty()) text.append("\n").append(command->help);
  tooltip(c, text);
  if (clicked) c.commands.push(std::string(id));
  return clicked;
}

void command_entry(ShellContext& c, const Command& command, std::string_view probe, DocumentId document) {
  const Availability available = command.availability ? command.availability(c.workspace) : Availability();
  const std::string keys = menu_keys(c.registry, command);
  const bool checked = command.checked && command.checked(c.workspace);
  if (ImGui::MenuItem(std::string(command.title).c_str(), keys.c_str(), checked, available.enabled())) c.commands.push(std::string(command.id), {}, document);
  c.probe.item(probe, command.title, available.enabled());
  menu_tooltip(c, available.enabled() ? std::string(command.help) : "Not now: " + available.reason);
}

void splitter(const ShellContext& c, const char* id, ImVec2 pos, ImVec2 size, bool vertical, float& value, float sign, float standard) {
  ImGui::SetCursorScreenPos(pos);
  compat::invisible_button(id, size);
  c.probe.item(id);
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemActive();
  if (hot) ImGui::SetMouseCursor(vertical ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  // Value and pointer are kept from the press on: adding mouse deltas would count the jump of the first frame.
  ImGuiStorage* storage = ImGui::GetStateStorage();
  const ImGuiID key = ImGui::GetID(id);
  const float mouse = vertical ? ImGui::GetIO().MousePos.x : ImGui::GetIO().MousePos.y;
  if (ImGui::IsItemActivated()) {
    storage->SetFloat(key, ImGui::IsMouseDoubleClicked(0) ? standard : value);
    storage->SetFloat(key + 1, mouse);
  }
  if (ImGui::IsItemActive()) value = storage->GetFloat(key) + sign * (mouse - storage->GetFloat(key + 1)) / c.theme.scale;
  const float line = std::max(1.0f, IM_FLOOR(c.px(1)));
  ImDrawList* draw = ImGui::GetWindowDrawList();
  const ImU32 color = c.theme.color(hot ? Role::Accent : Role::Border);
  const float middle = IM_FLOOR((vertical ? pos.x + size.x / 2 : pos.y + size.y / 2));
  if (vertical) draw->AddRectFilled(ImVec2(middle, pos.y), ImVec2(middle + line, pos.y + size.y), color);
  else draw->AddRectFilled(ImVec2(pos.x, middle), ImVec2(pos.x + size.x, middle + line), color);
}

float text_width(ImFont* font, std::string_view text) { return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, text.data(), text.data() + text.size()).x; }

void clipped_text(ImDrawList* draw, ImFont* font, ImVec2 pos, float width, ImU32 color, std::string_view text) {
  pos = ImVec2(IM_FLOOR(pos.x), IM_FLOOR(pos.y));
  if (text_width(font, text) <= width) return draw->AddText(font, font->FontSize, pos, color, text.data(), text.data() + text.size());
  constexpr std::string_view dots = "…";
  const float room = width - text_width(font, dots);
  if (room <= 0) return;
  const char* end = nullptr;
  const ImVec2 fits = font->CalcTextSizeA(font->FontSize, room, 0, text.data(), text.data() + text.size(), &end);
  draw->AddText(font, font->FontSize, pos, color, text.data(), end);
  draw->AddText(font, font->FontSize, ImVec2(pos.x + fits.x, pos.y), color, dots.data(), dots.data() + dots.size());
}

namespace {
// Of dialogs by the hash of their id; kept while there is a window.
ImGuiStorage& fitted_heights() { return ImGui::FindWindowByName("pt2scope")->StateStorage; }
}  // namespace

float spare_height() { return ImGui::GetContentRegionAvail().y + ImGui::GetStyle().ItemSpacing.y; }

void fit_dialog(const char* id, float spare) {
  const ImGuiWindow* dialog = ImGui::GetCurrentWindow();
  while (dialog->Flags & ImGuiWindowFlags_ChildWindow) dialog = dialog->ParentWindow;
  fitted_heights().SetFloat(ImHashStr(id), std::max(dialog->SizeFull.y - std::floor(spare), 1.0f));
}

bool begin_dialog(ShellContext& c, const char* id, const char* title, ImVec2 size) {
  ImVec2 window(std::min(c.px(size.x), c.input.width - c.px(24)), std::min(c.px(size.y), c.input.height - c.px(24)));
  if (const float fitted = fitted_heights().GetFloat(ImHashStr(id)); fitted > 0) window.y = std::min(window.y, fitted);
  if (!ImGui::IsPopupOpen(id)) ImGui::OpenPopup(id);
  ImGui::SetNextWindowPos(ImVec2(IM_FLOOR((c.input.width - window.x) / 2), IM_FLOOR((c.input.height - window.y) / 2)));
  ImGui::SetNextWindowSize(window);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(c.px(16), c.px(14)));
  const bool open = ImGui::BeginPopupModal(id, nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar();
  if (!open) return false;
  ImGui::PushStyleColor(ImGuiCol_TextDisabled, c.theme.color(Role::Text2));  // headings and explanations here, which are to be read
  compat::push_font(c.theme.fonts.heading);
  ImGui::TextUnformatted(title);
  ImGui::PopFont();
  ImGui::SameLine(ImGui::GetWindowWidth() - c.px(42));
  if (flat_button(c, "close dialog", icon::close, "dialog/close", ImVec2(c.px(26), c.px(26)))) c.workspace.ui.dialog.clear();
  compat::push_font(c.theme.fonts.table);
  return true;
}

void end_dialog(ShellContext& c) {
  if (c.workspace.ui.dialog.empty()) ImGui::CloseCurrentPopup();
  ImGui::PopFont();
  ImGui::PopStyleColor();
  ImGui::EndPopup();
}

int fuzzy_score(std::string_view needle, std::string_view text, std::vector<uint32_t>* marks) {
  if (marks) marks->clear();
  if (needle.empty()) return 0;
  auto lower = [](char ch) { return char(std::tolower(static_cast<unsigned char>(ch))); };
  // A whole occurrence beats scattered letters; the earlier, the shorter the text, the better.
  auto whole = std::search(text.begin(), text.end(), needle.begin(), needle.end(), [&](char a, char b) { return lower(a) == lower(b); });
  if (whole != text.end()) {
    const size_t at = whole - text.begin();
    if (marks) for (size_t i = 0; i < needle.size(); ++i) marks->push_back(uint32_t(at + i));
    const bool word_start = at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]));
    return 10000 + (at == 0 ? 400 : word_start ? 200 : 0) + (text.size() == needle.size() ? 1000 : 0) - int(std::min<size_t>(text.size(), 150));
  }
  int score = 5000;
  size_t at = 0, last = 0;
  for (char ch : needle) {
    if (ch == ' ') continue;
    while (at < text.size() && lower(text[at]) != lower(ch)) ++at;
    if (at == text.size()) return -1;
    const bool word_start = at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]));
    score += word_start ? 10 : 0;
    score -= int(std::min<size_t>(at - last, 20));
    if (marks) marks->push_back(uint32_t(at));
    last = ++at;
  }
  return std::max(0, score - int(std::min<size_t>(text.size(), 200)));
}

}  // namespace pt2::views::ui
