#pragma once
// What is kept between runs: $XDG_CONFIG_HOME/pt2scope/{settings,keys}.json and $XDG_STATE_HOME/pt2scope/{layout,recent}.json. Unknown keys
// are kept; a broken file is moved to .bad with a note; a file is replaced as a whole (temporary, then rename).
#include <functional>
#include <string>
#include <vector>

#include "app/disk_queue.h"
#include "views/commands/command_registry.h"
#include "views/shell/shell.h"
#include "views/workspace/workspace.h"

namespace pt2::app {

class Settings {
 public:
  // Reads all four files; `notes` gets what went wrong.
  void load(views::Workspace& workspace, views::ShellLayout& layout, views::CommandRegistry& registry, std::vector<std::string>& notes);
  // What scripts and slow renderers have set by now is not the user's choice and is not kept.
  void begin(const views::Workspace& workspace) { motion_ = workspace.ui.reduced_motion; }
  // Has the disk's queue write what changed since it was read or written. `note` says what went wrong, once per cause.
  void save(const views::Workspace& workspace, const views::ShellLayout& layout, DiskQueue& disk, const std::function<void(std::string)>& note);

 private:
  // The text a file has, and what it held, so that unknown keys stay.
  struct File {
    std::string path, text;
    bool failed = false;  // to be written
  };
  File settings_, keys_, layout_, recent_;
  std::string last_note_;
  bool motion_ = false;
};

// $XDG_CONFIG_HOME, $XDG_STATE_HOME, $XDG_CACHE_HOME with the program's name, or their defaults under HOME; empty without HOME.
std::string config_folder();
std::string state_folder();
std::string cache_folder();
// Replaces a file as a whole, so that it lasts; `backup`: where the old one stays. Folders are made. Returns an error text that names the
// file, or nothing.
std::string replace_file(const std::string& path, std::string_view text, unsigned mode = 0600, const std::string& backup = {});

}  // namespace pt2::app
