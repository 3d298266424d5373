#pragma once
// The program's own file browser. Folders are listed in a job, as network mounts may block.
#include <ctime>
#include <string>
#include <vector>

#include "views/shell/ui.h"

namespace pt2::views {

class PathPicker {
 public:
  // Draws the dialog while `workspace.ui.dialog` is "open" or "open_compare".
  void draw(ShellContext& c);

 private:
  struct Entry {
    std::string name;
    bool folder = false;
    uint64_t size = 0;
    std::time_t modified = 0;
  };
  struct Listing {
    std::string folder, error;
    std::vector<Entry> entries;
  };
  void go(ShellContext& c, std::string folder, std::string select = {});
  void list(ShellContext& c);
  void choose(ShellContext& c, const std::string& path);
  std::vector<size_t> shown() const;

  bool was_open_ = false, show_all_ = false, show_hidden_ = false, listing_busy_ = false, focus_filter_ = false;
  std::string folder_, path_field_, filter_, select_after_;
  Listing listing_;
  int selected_ = 0;
  int sort_column_ = 0;
  bool sort_down_ = false;
};

}  // namespace pt2::views
