#include "views/shell/path_picker.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "core/base/display.h"
#include "core/base/text.h"
#include "imgui_internal.h"
#include "views/compat.h"
#include "views/workspace/labels.h"

namespace pt2::views {

namespace fs = std::filesystem;

namespace {

bool is_program_file(const std::string& name) {
  const std::string extension = fs::path(name).extension().string();
  return extension == ".pt2" || extension == ".pt" || extension == ".pth" || extension == ".ep" || extension == ".safetensors" || extension == ".npz" || extension == ".npy";
}

std::string date_text(std::time_t time) {
  std::tm local{};
  localtime_r(&time, &local);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &local);
  return text;
}

std::string home_folder() {
  const char* home = std::getenv("HOME");
  return home && *home ? home : "/";
}

}  // namespace

void PathPicker::go(ShellContext& c, std::string folder, std::string select) {
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(fs::path(folder), error);
  folder_ = error ? folder : canonical.string();
  path_field_ = folder_;
  filter_.clear();
  select_after_ = std::move(select);
  selected_ = 0;
  focus_filter_ = true;
  list(c);
}

void PathPicker::list(ShellContext& c) {
  listing_busy_ = true;
  c.jobs().submit(
      "picker", "Listing " + folder_,
      [folder = folder_](Job& job) {
        Listing listing;
        listing.folder = folder;
        std::error_code error;
        for (fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end; !error && it != end && !job.stopped(); it.increment(error)) {
          Entry entry;
          std::error_code ignored;
          entry.name = it->path().filename().string();
          entry.folder = it->is_directory(ignored);
          if (!entry.folder) entry.size = it->file_size(ignored);
          if (ignored) entry.size = 0;
          const auto written = it->last_write_time(ignored);
          if (!ignored) entry.modified = std::chrono::system_clock::to_time_t(std::chrono::file_clock::to_sys(written));
          listing.entries.push_back(std::move(entry));
        }
        if (error) listing.error = error.message();
        return listing;
      },
      [this](Listing listing) {
        listing_ = std::move(listing);
        listing_busy_ = false;
        const std::vector<size_t> order = shown();
        for (size_t i = 0; i < order.size(); ++i)
          if (listing_.entries[order[i]].name == select_after_) selected_ = int(i);
      });
}

std::vector<size_t> PathPicker::shown() const {
  std::vector<size_t> order;
  std::vector<int> scores(listing_.entries.size());
  for (size_t i = 0; i < listing_.entries.size(); ++i) {
    const Entry& entry = listing_.entries[i];
    if (!show_hidden_ && entry.name.starts_with('.')) continue;
    if (!entry.folder && !show_all_ && !is_program_file(entry.name)) continue;
    scores[i] = ui::fuzzy_score(filter_, entry.name);
    if (scores[i] >= 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const Entry &x = listing_.entries[a], &y = listing_.entries[b];
    if (!filter_.empty() && scores[a] != scores[b]) return scores[a] > scores[b];
    if (x.folder != y.folder) return x.folder;
    if (sort_column_ == 1 && x.size != y.size) return (x.size < y.size) != sort_down_;
    if (sort_column_ == 2 && x.modified != y.modified) return (x.modified < y.modified) != sort_down_;
    return (x.name < y.name) != (sort_down_ && sort_column_ == 0);
  });
  return order;
}

void PathPicker::choose(ShellContext& c, const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return go(c, path);
  const bool compare = c.workspace.ui.dialog == "open_compare";
  c.workspace.ui.dialog.clear();
  c.commands.push(compare ? "file.open_compare" : "file.open", path);
}

void PathPicker::draw(ShellContext& c) {
  const std::string& dialog = c.workspace.ui.dialog;
  const bool compare = dialog == "open_compare";
  if (dialog != "open" && !compare) {
    was_open_ = false;
    return;
  }
  if (!was_open_) {
    was_open_ = true;
    // Where the last file was, else where the program was started.
    std::error_code error;
    std::string start = folder_.empty() ? fs::current_path(error).string() : folder_;
    if (const Document* document = c.workspace.active()) start = fs::absolute(document->path, error).parent_path().string();
    go(c, start.empty() ? "/" : start);
  }
  if (!ui::begin_dialog(c, "path picker", compare ? "Open to compare" : "Open a program", ImVec2(820, 560))) return;

  // Path field: a folder or file can be typed or pasted.
  ImGui::SetNextItemWidth(-c.px(80));
  const bool entered = ui::input_text("##path", "Path", path_field_, ImGuiInputTextFlags_EnterReturnsTrue);
  c.probe.item("picker/path", path_field_);
  if (entered) {
    std::string path = path_field_;
    if (path.starts_with("~/")) path = home_folder() + path.substr(1);
    choose(c, path);
  }
  ImGui::SameLine();
  if (ImGui::Button("Parent", ImVec2(-1, 0))) go(c, fs::path(folder_).parent_path().string(), fs::path(folder_).filename().string());
  c.probe.item("picker/parent", "Parent");

  // Places
  const float foot = c.px(64);
  const float body_h = ImGui::GetContentRegionAvail().y - foot;
  compat::begin_child("places", ImVec2(c.px(170), body_h));
  auto place = [&](const char* glyph, const std::string& label, const std::string& path) {
    ImGui::PushID(path.c_str());
    if (ImGui::Selectable(("  " + std::string(glyph) + "  " + display_cut(label, 22)).c_str(), path == folder_)) go(c, path);
    ui::tooltip(c, display(path));
    ImGui::PopID();
  };
  std::error_code error;
  place(icon::home, "Home", home_folder());
  place(icon::folder, "Started in", fs::current_path(error).string());
  for (const char* name : {"Documents", "Downloads", "Desktop"})
    if (const std::string path = home_folder() + "/" + name; fs::is_directory(path, error)) place(icon::folder, name, path);
  place(icon::folder, "Whole system", "/");
  std::vector<std::string> recent_folders;
  for (const RecentFile& file : c.workspace.recent) {
    const std::string folder = fs::path(file.path).parent_path().string();
    if (recent_folders.size() < 6 && !std::count(recent_folders.begin(), recent_folders.end(), folder)) recent_folders.push_back(folder);
  }
  if (!recent_folders.empty()) {
    ImGui::Spacing();
    ImGui::TextDisabled("Recent folders");
    for (const std::string& folder : recent_folders) place(icon::folder_open, fs::path(folder).filename().string(), folder);
  }
  ImGui::EndChild();
  ImGui::SameLine();

  // Entries
  ImGui::BeginGroup();
  ImGui::SetNextItemWidth(-1);
  if (focus_filter_) {
    ImGui::SetKeyboardFocusHere();
    focus_filter_ = false;
    c.requests.again = true;
  }
  const std::string before = filter_;
  const bool open_selected = ui::input_text("##filter", "Type to find", filter_, ImGuiInputTextFlags_EnterReturnsTrue);
  c.probe.item("picker/filter", filter_);
  if (filter_ != before) selected_ = 0;
  const std::vector<size_t> order = shown();
  const int count = int(order.size());
  selected_ = std::clamp(selected_, 0, std::max(0, count - 1));
  bool scroll = false;
  auto move = [&](int to) { selected_ = std::clamp(to, 0, std::max(0, count - 1)), scroll = true; };
  if (c.input.pressed(Key::Down)) move(selected_ + 1);
  if (c.input.pressed(Key::Up)) move(selected_ - 1);
  if (c.input.pressed(Key::PageDown)) move(selected_ + 12);
  if (c.input.pressed(Key::PageUp)) move(selected_ - 12);
  if (before.empty() && c.input.pressed(Key::Backspace)) go(c, fs::path(folder_).parent_path().string(), fs::path(folder_).filename().string());
  const float table_h = body_h - ImGui::GetFrameHeightWithSpacing();
  int chosen = -1;
  if (ImGui::BeginTable("entries", 3, ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_Resizable | ImGuiTableFlags_Sortable | ImGuiTableFlags_BordersOuter, ImVec2(-1, table_h))) {
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("Name", ImGuiTableColumnFlags_WidthStretch | ImGuiTableColumnFlags_DefaultSort);
    ImGui::TableSetupColumn("Size", ImGuiTableColumnFlags_WidthFixed, c.px(80));
    ImGui::TableSetupColumn("Modified", ImGuiTableColumnFlags_WidthFixed, c.px(130));
    ImGui::TableHeadersRow();
    if (ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs(); specs && specs->SpecsDirty && specs->SpecsCount) {
      sort_column_ = specs->Specs[0].ColumnIndex;
      sort_down_ = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
      specs->SpecsDirty = false;
    }
    ImGuiListClipper clipper;
    clipper.Begin(count);
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
        const Entry& entry = listing_.entries[order[size_t(i)]];
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::PushID(i);
        if (ImGui::Selectable("##row", i == selected_, ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick)) {
          selected_ = i;
          if (ImGui::IsMouseDoubleClicked(0)) chosen = i;
        }
        if (c.probe.on()) c.probe.item("picker/row/" + std::to_string(i), entry.name);
        if (scroll && i == selected_) ImGui::SetScrollHereY(0.5f);
        ImGui::PopID();
        ImGui::SameLine();
        ImGui::TextColored(c.theme.color4(entry.folder ? Role::Accent : Role::Text2), "%s", entry.folder ? icon::folder : icon::file);
        ImGui::SameLine();
        ImGui::TextUnformatted(display(entry.name).c_str());
        ImGui::TableNextColumn();
        if (!entry.folder) ImGui::TextUnformatted(bytes_text(entry.size).c_str());
        ImGui::TableNextColumn();
        if (entry.modified) ImGui::TextUnformatted(date_text(entry.modified).c_str());
      }
    if (scroll && (selected_ < clipper.DisplayStart || selected_ >= clipper.DisplayEnd)) ImGui::SetScrollY(float(selected_) * (ImGui::GetTextLineHeight() + ImGui::GetStyle().CellPadding.y * 2) - table_h / 2);
    ImGui::EndTable();
  }
  ImGui::EndGroup();

  std::string note = listing_busy_ ? "Listing…" : !listing_.error.empty() ? "Cannot list this folder: " + listing_.error : count ? "" : filter_.empty() && !show_all_ ? "No program or tensor file here" : "Nothing matches";
  ImGui::TextDisabled("%s", note.c_str());
  ImGui::Checkbox("All files", &show_all_);
  c.probe.item("picker/all", "All files");
  ImGui::SameLine();
  ImGui::Checkbox("Hidden files", &show_hidden_);
  ImGui::SameLine(ImGui::GetWindowWidth() - c.px(16 + 188));
  if (ImGui::Button("Cancel", ImVec2(c.px(90), 0))) c.workspace.ui.dialog.clear();
  ImGui::SameLine();
  ImGui::BeginDisabled(count == 0);
  if (ImGui::Button("Open", ImVec2(c.px(90), 0)) || (open_selected && count)) chosen = selected_;
  ImGui::EndDisabled();
  c.probe.item("picker/open", "Open", count > 0);
  if (chosen >= 0 && chosen < count) choose(c, (fs::path(listing_.folder) / listing_.entries[order[size_t(chosen)]].name).string());
  ui::end_dialog(c);
}

}  // namespace pt2::views
