#include "app/settings.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/file_writer.h"

namespace pt2::app {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

std::string folder(const char* variable, const char* below_home) {
  if (const char* set = std::getenv(variable); set && *set == '/') return std::string(set) + "/pt2scope";
  const char* home = std::getenv("HOME");
  return home && *home ? std::string(home) + below_home + "/pt2scope" : std::string();
}

// An object, also where the file is missing or broken.
ordered_json read_object(const std::string& path, std::string& text, std::vector<std::string>& notes) {
  text.clear();
  std::ifstream in(path, std::ios::binary);
  if (!in) return ordered_json::object();
  text.assign(std::istreambuf_iterator<char>(in), {});
  ordered_json json = ordered_json::parse(text, nullptr, false);
  if (json.is_object()) return json;
  std::error_code error;
  fs::rename(path, path + ".bad", error);
  notes.push_back(path + " was not readable as settings and was moved to " + path + ".bad");
  text.clear();
  return ordered_json::object();
}

template <class T>
void take(const ordered_json& json, const char* key, T& value) {
  auto it = json.find(key);
  if (it == json.end()) return;
  if constexpr (std::is_same_v<T, bool>) {
    if (it->is_boolean()) value = it->get<bool>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (it->is_string()) value = it->get<std::string>();
  } else if constexpr (std::is_integral_v<T>) {
    if (!it->is_number_integer()) return;
    if (const auto number = it->get<int64_t>(); std::in_range<T>(number)) value = T(number);
  } else {
    if (it->is_number() && std::isfinite(it->get<T>())) value = it->get<T>();
  }
}

ordered_json parse_kept(const std::string& text) {
  ordered_json json = ordered_json::parse(text, nullptr, false);
  return json.is_object() ? json : ordered_json::object();
}

constexpr std::pair<const char*, views::AreaLayout views::ShellLayout::*> kAreas[] = {
    {"left", &views::ShellLayout::left}, {"right", &views::ShellLayout::right}, {"bottom", &views::ShellLayout::bottom}};

}  // namespace

std::string config_folder() { return folder("XDG_CONFIG_HOME", "/.config"); }
std::string state_folder() { return folder("XDG_STATE_HOME", "/.local/state"); }
std::string cache_folder() { return folder("XDG_CACHE_HOME", "/.cache"); }

std::string replace_file(const std::string& path, std::string_view text, unsigned mode, const std::string& backup) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  Result<FileWriter> file = FileWriter::create(path, mode);
  Result<void> done = file ? file->write(text) : file.error();
  if (done) done = file->commit_durably(backup);
  return done ? std::string() : path + ": " + done.error().message;
}

void Settings::load(views::Workspace& workspace, views::ShellLayout& layout, views::CommandRegistry& registry, std::vector<std::string>& notes) {
  if (config_folder().empty() || state_folder().empty()) return;
  settings_.path = config_folder() + "/settings.json";
  keys_.path = config_folder() + "/keys.json";
  layout_.path = state_folder() + "/layout.json";
  recent_.path = state_folder() + "/recent.json";
  views::Interface& ui = workspace.ui;
  ui.settings_file = settings_.path;

  const ordered_json settings = read_object(settings_.path, settings_.text, notes);
  std::string theme;
  take(settings, "theme", theme);
  if (theme == "light") ui.theme = views::ThemeName::Light;
  take(settings, "font_percent", ui.font_percent);
  ui.font_percent = std::clamp(ui.font_percent, 80, 200);
  take(settings, "reduced_motion", ui.reduced_motion);
  take(settings, "wheel_scrolls", ui.wheel_scrolls);
  take(settings, "editor", ui.editor);
  take(settings, "source_roots", ui.source_roots);
  if (auto kept = settings.find("preferences"); kept != settings.end() && kept->is_object())
    for (const auto& [name, value] : kept->items())
      if (const views::PreferenceRow* row = views::find_preference(name)) row->set(ui.preferences, value.is_string() ? value.get<std::string>() : value.dump());
  // Whoever has settings has been here before.
  ui.tour_seen = !settings_.text.empty();
  take(settings, "tour_seen", ui.tour_seen);
  if (!ui.tour_seen) ui.tour = 1;

  const ordered_json keys = read_object(keys_.path, keys_.text, notes);
  for (const auto& [id, chord] : keys.items())
    if (chord.is_string()) registry.keys.emplace_back(id, chord.get<std::string>());

  const ordered_json arrangement = read_object(layout_.path, layout_.text, notes);
  for (auto [name, member] : kAreas) {
    auto it = arrangement.find(name);
    if (it == arrangement.end() || !it->is_object()) continue;
    views::AreaLayout& area = layout.*member;
    if (auto panes = it->find("panes"); panes != it->end() && panes->is_array()) {
      area.panes.clear();
      for (const auto& pane : *panes)
        if (pane.is_string()) area.panes.push_back(pane.get<std::string>());
    }
    take(*it, "active", area.active);
    take(*it, "size", area.size);
  }
  if (auto closed = arrangement.find("closed"); closed != arrangement.end() && closed->is_array())
    for (const auto& pane : *closed)
      if (pane.is_string()) layout.closed.push_back(pane.get<std::string>());
  layout.complete();
  take(arrangement, "show_left", ui.left);
  take(arrangement, "show_right", ui.right);
  if (auto documents = arrangement.find("documents"); ui.preferences.restore_documents && documents != arrangement.end() && documents->is_array())
    for (const auto& path : *documents)
      if (path.is_string()) ui.last_documents.push_back(path.get<std::string>());

  const ordered_json recent = read_object(recent_.path, recent_.text, notes);
  if (auto searches = recent.find("searches"); searches != recent.end() && searches->is_array())
    for (const auto& query : *searches)
      if (query.is_string()) ui.searches.push_back(query.get<std::string>());
  if (auto files = recent.find("files"); files != recent.end() && files->is_array()) {
    for (const auto& entry : *files) {
      if (!entry.is_object()) continue;
      views::RecentFile file;
      take(entry, "path", file.path);
      int64_t when = 0;
      take(entry, "when", when);
      file.when = std::time_t(when);
      take(entry, "operators", file.nodes);
      take(entry, "pinned", file.pinned);
      if (!file.path.empty()) workspace.recent.push_back(std::move(file));
    }
  }
}

void Settings::save(const views::Workspace& workspace, const views::ShellLayout& layout, DiskQueue& disk, const std::function<void(std::string)>& note) {
  if (settings_.path.empty()) return;
  const views::Interface& ui = workspace.ui;
  ordered_json settings = parse_kept(settings_.text);
  settings["theme"] = ui.theme == views::ThemeName::Dark ? "dark" : "light";
  settings["font_percent"] = ui.font_percent;
  if (std::exchange(motion_, ui.reduced_motion) != ui.reduced_motion) settings["reduced_motion"] = ui.reduced_motion;
  settings["wheel_scrolls"] = ui.wheel_scrolls;
  settings["editor"] = ui.editor;
  settings["source_roots"] = ui.source_roots;
  settings["tour_seen"] = ui.tour_seen;
  for (const views::PreferenceRow& row : views::preference_rows()) {
    const std::string text = row.text(ui.preferences);
    const ordered_json value = ordered_json::parse(text, nullptr, false);
    settings["preferences"][std::string(row.name)] = value.is_discarded() ? ordered_json(text) : value;
  }

  ordered_json arrangement = parse_kept(layout_.text);
  arrangement["version"] = 1;
  for (auto [name, member] : kAreas) {
    const views::AreaLayout& area = layout.*member;
    arrangement[name] = {{"panes", area.panes}, {"active", area.active}, {"size", area.size}};
  }
  arrangement["closed"] = layout.closed;
  if (ui.layout == views::Layout::Browse) arrangement["show_left"] = ui.left, arrangement["show_right"] = ui.right;

  arrangement["documents"] = ordered_json::array();
  for (const auto& document : workspace.documents()) {
    std::error_code error;
    arrangement["documents"].push_back(fs::absolute(document->path, error).string() + (document->program_name.empty() ? "" : "#" + document->program_name));
  }

  ordered_json recent = parse_kept(recent_.text);
  recent["searches"] = workspace.ui.searches;
  recent["files"] = ordered_json::array();
  for (const views::RecentFile& file : workspace.recent)
    recent["files"].push_back({{"path", file.path}, {"when", int64_t(file.when)}, {"operators", file.nodes}, {"pinned", file.pinned}});

  const auto write = [&](File& file, const ordered_json& json) {
    std::string text = json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
    if (text == file.text && !file.failed) return;
    file.text = text;
    file.failed = false;
    disk.submit([path = file.path, text = std::move(text)] { return replace_file(path, text); },
                [this, &file, note](const std::string& problem) {
                  if (problem.empty()) return;
                  file.failed = true;
                  if (problem != last_note_) note(last_note_ = problem);
                });
  };
  write(settings_, settings);
  write(layout_, arrangement);
  write(recent_, recent);
}

}  // namespace pt2::app
