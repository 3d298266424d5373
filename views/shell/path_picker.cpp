#include "views/shell/path_picker.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "core/base/display.h"
#include "core/base/text.h"
#include "imgui_internal.h"
#include "views/compat.h"
#include "views/widgets/check_box.h"
#include "views/widgets/tab_stops.h"
#include "views/widgets/table_heads.h"
#include "views/widgets/text_field.h"
#include "views/workspace/labels.h"
#include "views/workspace/save_requests.h"

namespace pt2::views {

namespace fs = std::filesystem;

namespace {

constexpr const char* kJob = "picker";
constexpr double kSayReadingAfter = 0.15;  // seconds: most folders are there before

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

// A file that is saved under a name without an ending gets that of the name first offered.
std::string with_ending(std::string name, const std::string& offered) {
  return fs::path(name).extension().empty() ? name + fs::path(offered).extension().string() : name;
}

}  // namespace

PathPicker::Listing PathPicker::list(const std::string& folder, const Job& job) {
  Listing listing;
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(folder, error);
  listing.folder = error ? folder : canonical.string();
  error.clear();
  for (fs::directory_iterator it(listing.folder, fs::directory_options::skip_permission_denied, error), end; !error && it != end && !job.stopped(); it.increment(error)) {
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
}

void PathPicker::go(ShellContext& c, const std::string& folder, std::string select) {
  std::error_code error;
  const fs::path path = fs::absolute(folder, error).lexically_normal();
  folder_ = path.has_filename() || !path.has_relative_path() ? path.string() : path.parent_path().string();
  path_field_ = folder_;
  filter_.clear();
  selected_ = 0;
  focus_filter_ = true;
  look(c, folder_, false, std::move(select));
}

void PathPicker::look(ShellContext& c, const std::string& path, bool typed, std::string select) {
  listing_ = {};
  reading_since_ = c.input.time;
  c.jobs().submit(
      kJob, "Listing " + path,
      [found = Found{path, typed, false, std::move(select), {}}](Job& job) mutable {
        std::error_code error;
        found.file = found.typed && !fs::is_directory(found.path, error);
        if (!found.file) found.listing = list(found.path, job);
        return std::move(found);
      },
      [this](Found found) { found_ = std::move(found); });
}

void PathPicker::take_found(ShellContext& c) {
  if (!found_) return;
  const Found found = std::move(*found_);
  found_.reset();
  reading_since_.reset();
  if (found.file) return accept(c, found.path);
  listing_ = found.listing;
  if (found.typed || path_field_ == folder_) path_field_ = listing_.folder;  // another one may be typed by now
  if (found.typed) filter_.clear(), selected_ = 0, focus_filter_ = true;
  folder_ = listing_.folder;
  const std::vector<size_t> order = shown();
  for (size_t i = 0; i < order.size(); ++i)
    if (listing_.entries[order[i]].name == found.select) selected_ = int(i);
}

// By its ending: one that the dialog names, or any of programs and tensors where it names none.
bool PathPicker::is_wanted(const std::string& name) const {
  const std::string ending = fs::path(name).extension().string();
  const size_t named = wanted_.find("(.");
  return named == wanted_.npos || ending.empty() ? is_program_file(name) : wanted_.find(ending, named) != wanted_.npos;
}

std::vector<size_t> PathPicker::shown() const {
  std::vector<size_t> order;
  std::vector<int> scores(listing_.entries.size());
  for (size_t i = 0; i < listing_.entries.size(); ++i) {
    const Entry& entry = listing_.entries[i];
    if (!show_hidden_ && entry.name.starts_with('.')) continue;
    if (!entry.folder && !show_all_ && !is_wanted(entry.name)) continue;
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

namespace {

// What is typed or pasted to find an entry, and is no part of a name.
bool is_path(const std::string& text) { return text.starts_with("~") || text.find('/') != text.npos; }

std::string full_path(std::string text, const std::string& folder) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
  text.erase(0, std::min(text.size(), text.find_first_not_of(" \t")));
  if (text == "~" || text.starts_with("~/")) return home_folder() + text.substr(1);
  return (fs::path(folder) / text).string();
}

}  // namespace

// What was typed: a folder to go to, or the file.
void PathPicker::choose(ShellContext& c, const std::string& path) {
  const Interface& ui = c.workspace.ui;
  if (ui.dialog == "path" && ui.path.folders && path == folder_) accept(c, path);
  else look(c, path, true);
}

void PathPicker::choose_row(ShellContext& c, const Entry& entry) {
  const std::string path = (fs::path(listing_.folder) / entry.name).string();
  if (entry.folder) go(c, path);
  else accept(c, path);
}

void PathPicker::accept(ShellContext& c, const std::string& path) {
  Interface& ui = c.workspace.ui;
  const bool asked = ui.dialog == "path";
  if (asked) c.commands.push(ui.path.command, ui.path.before + (saving(c) ? with_ending(path, ui.path.name) : path), {}, std::string(kFromPathDialog));
  else c.commands.push(ui.dialog == "open_compare" ? "file.open_compare" : "file.open", path);
  ui.dialog = asked ? ui.path.back : std::string();
  was_open_ = false;  // it may be asked for again before the next frame
}

// Where the last file was, else where the program was started.
void PathPicker::begin(ShellContext& c) {
  const Interface& ui = c.workspace.ui;
  const bool asked = ui.dialog == "path";
  std::error_code error;
  std::string start = folder_.empty() ? fs::current_path(error).string() : folder_;
  if (const Document* document = c.workspace.active(); document && !(asked && was_asked_)) start = fs::absolute(document->path, error).parent_path().string();
  was_asked_ = asked;
  wanted_ = asked ? ui.path.title : std::string();
  name_ = asked && ui.path.save ? ui.path.name : std::string();
  c.jobs().submit(
      "picker places", "",
      [home = home_folder()](Job&) {
        std::vector<std::string> there;
        std::error_code ignored;
        for (const char* name : {"Documents", "Downloads", "Desktop"})
          if (fs::is_directory(home + "/" + name, ignored)) there.push_back(name);
        return there;
      },
      [this](std::vector<std::string> there) { home_places_ = std::move(there); });
  go(c, start.empty() ? "/" : start);
  focus_name_ = !name_.empty();
  focus_filter_ = !focus_name_;
}

void PathPicker::places(ShellContext& c, float height) {
  compat::begin_child("places", ImVec2(c.px(170), height));
  auto place = [&](const char* glyph, const std::string& label, const std::string& path) {
    ImGui::PushID(path.c_str());
    if (ImGui::Selectable(("  " + std::string(glyph) + "  " + display_cut(label, 22)).c_str(), path == folder_)) go(c, path);
    tab_stops::add_row();
    ui::tooltip(c, display(path));
    ImGui::PopID();
  };
  std::error_code error;
  place(icon::home, "Home", home_folder());
  place(icon::folder, "Started in", fs::current_path(error).string());
  for (const std::string& name : home_places_) place(icon::folder, name, home_folder() + "/" + name);
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
}

int PathPicker::entries(ShellContext& c, float height) {
  const std::vector<size_t> order = shown();
  const int count = int(order.size());
  selected_ = std::clamp(selected_, 0, std::max(0, count - 1));
  bool scroll = false;
  auto move = [&](int to) { selected_ = std::clamp(to, 0, std::max(0, count - 1)), scroll = true; };
  if (c.input.pressed(Key::Down)) move(selected_ + 1);
  if (c.input.pressed(Key::Up)) move(selected_ - 1);
  if (c.input.pressed(Key::PageDown)) move(selected_ + 12);
  if (c.input.pressed(Key::PageUp)) move(selected_ - 12);
  int chosen = -1;
  const ImGuiTableFlags flags = kTableLook | ImGuiTableFlags_ScrollY | ImGuiTableFlags_Sortable | ImGuiTableFlags_BordersOuter;
  if (!begin_list("entries", 3, flags, ImVec2(-1, height))) return chosen;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("Name", ImGuiTableColumnFlags_WidthStretch | ImGuiTableColumnFlags_DefaultSort);
  ImGui::TableSetupColumn("Size", ImGuiTableColumnFlags_WidthFixed, c.px(80));
  ImGui::TableSetupColumn("Modified", ImGuiTableColumnFlags_WidthFixed, c.px(130));
  table_heads();
  if (ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs(); specs && specs->SpecsDirty && specs->SpecsCount) {
    sort_column_ = specs->Specs[0].ColumnIndex;
    sort_down_ = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
    specs->SpecsDirty = false;
  }
  if (reading_since_) {
    const double seconds = c.input.time - *reading_since_;
    if (seconds < kSayReadingAfter) {
      c.requests.wake_at(*reading_since_ + kSayReadingAfter);
    } else {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextDisabled("Reading…");
      c.probe.item("picker/reading", "Reading…");
    }
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
        if (saving(c) && !entry.folder) name_ = entry.name;
        if (ImGui::IsMouseDoubleClicked(0)) chosen = i;
      }
      tab_stops::add_row();
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
  if (scroll && (selected_ < clipper.DisplayStart || selected_ >= clipper.DisplayEnd)) ImGui::SetScrollY(float(selected_) * (ImGui::GetTextLineHeight() + ImGui::GetStyle().CellPadding.y * 2) - height / 2);
  ImGui::EndTable();
  return chosen;
}

// The name of what is saved, notes and buttons.
void PathPicker::foot(ShellContext& c, size_t count, bool& accepted) {
  const bool save = saving(c);
  const std::string saved = save ? with_ending(name_, c.workspace.ui.path.name) : std::string();
  const bool replaces = save && std::any_of(listing_.entries.begin(), listing_.entries.end(), [&](const Entry& entry) { return entry.name == saved; });
  std::string note = !listing_.error.empty() ? "Cannot list this folder: " + listing_.error : "";
  if (note.empty() && !count && !reading_since_) note = !filter_.empty() ? "Nothing matches" : show_all_ || save ? "" : "No such file here";
  if (note.empty() && replaces) note = "\"" + display_cut(saved, 60) + "\" exists and will be replaced";
  if (save) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Name");
    ImGui::SameLine(c.px(178));
    ImGui::SetNextItemWidth(-1);
    if (focus_name_) {
      ImGui::SetKeyboardFocusHere();
      focus_name_ = false;
      c.requests.again = true;
    }
    accepted |= input_text("##name", name_, "Name of the file", ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    c.probe.item("picker/name", name_);
  }
  ImGui::TextDisabled("%s", note.c_str());
  c.probe.item("picker/note", note);
  check_box("All files", &show_all_);
  c.probe.item("picker/all", "All files");
  ImGui::SameLine();
  check_box("Hidden files", &show_hidden_);
  if (c.workspace.ui.dialog == "path" && c.workspace.ui.path.folders) {
    ImGui::SameLine(ImGui::GetWindowWidth() - c.px(16 + 188 + 130));
    if (ImGui::Button("Use this folder", ImVec2(c.px(122), 0))) accept(c, folder_);
    c.probe.item("picker/folder", folder_);
  }
  ImGui::SameLine(ImGui::GetWindowWidth() - c.px(16 + 188));
  if (ImGui::Button("Cancel", ImVec2(c.px(90), 0))) c.workspace.ui.dialog = c.workspace.ui.dialog == "path" ? c.workspace.ui.path.back : std::string();
  tab_stops::add();
  ImGui::SameLine();
  const bool possible = save ? !name_.empty() : count > 0;
  ImGui::BeginDisabled(!possible);
  accepted |= ImGui::Button(save ? "Save" : "Open", ImVec2(c.px(90), 0));
  ImGui::EndDisabled();
  c.probe.item(save ? "picker/save" : "picker/open", save ? "Save" : "Open", possible);
  accepted &= possible;
}

void PathPicker::draw(ShellContext& c) {
  const Interface& ui = c.workspace.ui;
  if (ui.dialog != "open" && ui.dialog != "open_compare" && ui.dialog != "path") {
    if (std::exchange(was_open_, false)) c.jobs().cancel(kJob);  // what it finds is not wanted any more
    found_.reset();
    return;
  }
  if (!was_open_) {
    was_open_ = true;
    begin(c);
  }
  take_found(c);
  if (ui.dialog.empty()) return;
  const char* title = ui.dialog == "path" ? ui.path.title.c_str() : ui.dialog == "open_compare" ? "Open to compare" : "Open a program";
  if (!ui::begin_dialog(c, "path picker", title, ImVec2(820, 560))) return;

  // Path field: a folder or file can be typed or pasted.
  ImGui::SetNextItemWidth(-c.px(80));
  const bool entered = input_text("##path", path_field_, "Path", ImGuiInputTextFlags_EnterReturnsTrue);
  c.probe.item("picker/path", path_field_);
  if (entered) {
    focus_filter_ = true;
    choose(c, full_path(path_field_, folder_));
  }
  ImGui::SameLine();
  if (ImGui::Button("Parent", ImVec2(-1, 0))) go(c, fs::path(folder_).parent_path().string(), fs::path(folder_).filename().string());
  c.probe.item("picker/parent", "Parent");

  const float height = ImGui::GetContentRegionAvail().y - c.px(saving(c) ? 92 : 64);
  places(c, height);
  ImGui::SameLine();
  ImGui::BeginGroup();
  ImGui::SetNextItemWidth(-1);
  if (focus_filter_) {
    ImGui::SetKeyboardFocusHere();
    focus_filter_ = false;
    c.requests.again = true;
  }
  const std::string before = filter_;
  bool accepted = input_text("##filter", filter_, "Type to find", ImGuiInputTextFlags_EnterReturnsTrue);
  const bool in_filter = ImGui::IsItemActive() || accepted;
  c.probe.item("picker/filter", filter_);
  if (filter_ != before) selected_ = 0;
  focus_filter_ |= accepted;  // Enter leaves the keyboard where it was
  if (accepted && is_path(filter_)) {
    accepted = false;
    choose(c, full_path(std::exchange(filter_, {}), folder_));
  }
  if (in_filter && before.empty() && c.input.pressed(Key::Backspace)) go(c, fs::path(folder_).parent_path().string(), fs::path(folder_).filename().string());
  int chosen = entries(c, height - ImGui::GetFrameHeightWithSpacing());
  ImGui::EndGroup();

  const std::vector<size_t> order = shown();
  if (saving(c)) {
    // Enter in the filter opens a folder; what is saved is named below.
    if (accepted && !order.empty()) chosen = selected_;
    accepted = false;
  }
  foot(c, order.size(), accepted);
  if (accepted && saving(c)) {
    choose(c, (fs::path(folder_) / name_).string());
  } else {
    if (accepted && !order.empty()) chosen = selected_;
    if (chosen >= 0 && chosen < int(order.size())) choose_row(c, listing_.entries[order[size_t(chosen)]]);
  }
  ui::end_dialog(c);
}

}  // namespace pt2::views
