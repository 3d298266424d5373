// Settings on one page, with a field that finds them by their words.
#include <utility>

#include "imgui_internal.h"
#include "views/compat.h"
#include "views/shell/shell.h"
#include "views/widgets/check_box.h"
#include "views/widgets/tab_stops.h"
#include "views/widgets/text_field.h"
#include "views/workspace/labels.h"

namespace pt2::views {

namespace {

// Draws the rows whose words hold the filter, under headings that have such a row.
class SettingsPage {
 public:
  SettingsPage(ShellContext& c, const std::string& filter) : c_(c), filter_(fold_case(filter)) {}

  void heading(const char* title) { heading_ = title; }
  // Starts a row; false where the filter leaves it out.
  bool row(const char* title, const char* words = "") {
    if (fold_case(std::string(heading_) + ' ' + title + ' ' + words).find(filter_) == std::string::npos) return false;
    if (shown_heading_ != heading_) {
      ImGui::Spacing();
      ImGui::TextDisabled("%s", heading_);
      shown_heading_ = heading_;
    }
    any_ = true;
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(title);
    ImGui::SameLine(c_.px(220));
    return true;
  }
  bool any() const { return any_; }

  // One of two or three, as radio buttons.
  void choice(std::string_view name, std::initializer_list<std::pair<const char*, const char*>> values) {
    const std::string now = find_preference(name)->text(c_.workspace.ui.preferences);
    bool first = true;
    for (const auto& [value, label] : values) {
      if (!std::exchange(first, false)) ImGui::SameLine();
      if (radio_button((std::string(label) + "##" + std::string(name)).c_str(), now == value)) set(name, value);
      c_.probe.item("settings/" + std::string(name) + "/" + value, now == value ? "on" : "off");
    }
  }
  void flag(std::string_view name, const char* label) {
    bool on = find_preference(name)->text(c_.workspace.ui.preferences) == "true";
    if (check_box((std::string(label) + "##" + std::string(name)).c_str(), &on)) set(name, on ? "true" : "false");
    c_.probe.item("settings/" + std::string(name), on ? "on" : "off");
  }
  // A number, taken with Enter or when the field is left.
  void field(std::string_view name, const char* unit) {
    const std::string now = find_preference(name)->text(c_.workspace.ui.preferences);
    std::string text = now;
    ImGui::SetNextItemWidth(c_.px(100));
    const bool entered = input_text(("##" + std::string(name)).c_str(), text, "auto", ImGuiInputTextFlags_EnterReturnsTrue);
    if ((entered || ImGui::IsItemDeactivatedAfterEdit()) && text != now) set(name, text.empty() ? "auto" : text);
    c_.probe.item("settings/" + std::string(name), now);
    ImGui::SameLine();
    ImGui::TextDisabled("%s", unit);
  }

 private:
  void set(std::string_view name, const std::string& value) { c_.commands.push("settings.set", std::string(name) + " " + value); }

  ShellContext& c_;
  std::string filter_;
  const char *heading_ = "", *shown_heading_ = nullptr;
  bool any_ = false;
};

void appearance(ShellContext& c, SettingsPage& page) {
  Interface& shown = c.workspace.ui;
  page.heading("Appearance");
  if (page.row("Theme", "dark light colours")) {
    if (radio_button("Dark", shown.theme == ThemeName::Dark)) c.commands.push("view.theme", "dark");
    c.probe.item("settings/dark", "Dark");
    ImGui::SameLine();
    if (radio_button("Light", shown.theme == ThemeName::Light)) c.commands.push("view.theme", "light");
    c.probe.item("settings/light", "Light");
  }
  if (page.row("Text size", "font scale larger smaller")) {
    if (ImGui::Button(" - ")) c.commands.push("view.smaller");
    c.probe.item("settings/smaller", "-");
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted((std::to_string(shown.font_percent) + " %").c_str());
    c.probe.item("settings/font", std::to_string(shown.font_percent) + " %");
    ImGui::SameLine();
    if (ImGui::Button(" + ")) c.commands.push("view.larger");
    c.probe.item("settings/larger", "+");
  }
  if (page.row("Motion", "reduced animation pulse")) {
    check_box("Reduced: no animated pan and zoom", &shown.reduced_motion);
    c.probe.item("settings/motion", shown.reduced_motion ? "on" : "off");
  }
  if (page.row("Patterns", "hatches colour blind contrast families accessibility")) page.flag("patterns", "Families of operators differ by hatches, too");
}

void graph(ShellContext& c, SettingsPage& page) {
  Interface& shown = c.workspace.ui;
  page.heading("Graph");
  if (page.row("Wheel", "zoom scroll")) {
    if (radio_button("Zooms", !shown.wheel_scrolls)) shown.wheel_scrolls = false;
    tab_stops::add();
    ImGui::SameLine();
    if (radio_button("Scrolls (Ctrl+wheel zooms)", shown.wheel_scrolls)) shown.wheel_scrolls = true;
    c.probe.item("settings/wheel", shown.wheel_scrolls ? "scrolls" : "zooms");
  }
  if (page.row("Direction", "top down left right graphs")) page.choice("direction", {{"TB", "Top down"}, {"LR", "Left to right"}});
  if (page.row("Parameters", "attached nodes hidden graphs buffers")) page.choice("parameters", {{"attached", "Attached"}, {"nodes", "Nodes"}, {"hidden", "Hidden"}});
  if (page.row("getitem", "boxes graphs results")) page.flag("getitem", "As boxes of their own");
  if (page.row("Text", "compact readable printed form")) page.choice("text_form", {{"compact", "Compact"}, {"readable", "str(ep)"}, {"graph", "str(ep.graph)"}});
  if (page.row("Most boxes", "limit layout")) page.field("max_boxes", "more are laid out when asked again");
}

void runs(SettingsPage& page) {
  page.heading("Run");
  if (page.row("Values kept", "memory megabytes")) page.field("value_memory", "MB; auto: by the memory there is");
  if (page.row("Threads")) page.field("threads", "auto: all processors");
  if (page.row("rtol", "tolerance relative")) page.field("rtol", "auto: by dtype, as torch.testing.assert_close");
  if (page.row("atol", "tolerance absolute")) page.field("atol", "auto: by dtype");
}

void source(ShellContext& c, SettingsPage& page) {
  Interface& shown = c.workspace.ui;
  page.heading("Source");
  if (page.row("Editor command", "template")) {
    ImGui::SetNextItemWidth(-1);
    input_text("##editor", shown.editor, "code -g {file}:{line}");
    c.probe.item("settings/editor", shown.editor);
  }
  if (page.row("Source roots", "folders prefix")) {
    ImGui::SetNextItemWidth(-1);
    input_text("##roots", shown.source_roots, "/exported/prefix=/here/prefix;…");
    c.probe.item("settings/roots", shown.source_roots);
  }
}

void files(ShellContext& c, SettingsPage& page) {
  page.heading("Files");
  if (page.row("Recent files", "history")) {
    page.field("recent_files", "are kept");
    ImGui::SameLine();
    if (ImGui::Button("Forget all")) c.commands.push("file.forget_recent");
    tab_stops::add();
  }
  if (page.row("At start", "restore documents")) page.flag("restore_documents", "Open what was open when the window closed");
  page.heading("Keys");
  if (page.row("Shortcuts", "keyboard remap keys.json")) {
    if (ImGui::Button("Show all")) c.workspace.ui.dialog = "help";
    tab_stops::add();
    ImGui::SameLine();
    ImGui::TextDisabled("keys.json beside the settings changes them");
  }
}

std::string file_line(const std::string& file) { return "Kept in " + file; }

}  // namespace

void draw_settings(ShellContext& c, std::string& filter) {
  if (!ImGui::IsPopupOpen("settings")) filter.clear();
  if (!ui::begin_dialog(c, "settings", "Settings", ImVec2(640, 760))) return;
  ImGui::SetNextItemWidth(-1);
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  input_text("##find settings", filter, "Find a setting");
  c.probe.item("settings/find", filter);
  const std::string& file = c.workspace.ui.settings_file;
  const float foot = ImGui::GetFrameHeightWithSpacing() + (file.empty() ? 0 : ImGui::CalcTextSize(file_line(file).c_str(), nullptr, false, ImGui::GetContentRegionAvail().x).y + ImGui::GetStyle().ItemSpacing.y);
  ImGui::BeginChild("rows", ImVec2(0, -foot));
  SettingsPage page(c, filter);
  appearance(c, page);
  graph(c, page);
  runs(page);
  source(c, page);
  files(c, page);
  if (!page.any()) ImGui::TextDisabled("Nothing is called that");
  // While rows are searched the dialog keeps its size.
  if (filter.empty()) ui::fit_dialog("settings", ui::spare_height());
  ImGui::EndChild();
  if (ImGui::Button("All as at first")) c.commands.push("settings.reset");
  c.probe.item("settings/reset", "All as at first");
  if (!file.empty()) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled("%s", file_line(file).c_str());
    ImGui::PopTextWrapPos();
  }
  ui::end_dialog(c);
}

}  // namespace pt2::views
