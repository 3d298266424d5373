#pragma once
// The program's own file browser, to open and to save. The disk is looked at in jobs only, as network mounts may block.
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "views/shell/ui.h"

namespace pt2::views {

class PathPicker {
 public:
  // Draws the dialog while `workspace.ui.dialog` is "open", "open_compare" or "path" (see PathRequest).
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
  // What a job found at a path.
  struct Found {
    std::string path;
    bool typed = false, file = false;  // typed: it may be a file
    std::string select;                // the row to stand on
    Listing listing;                   // of a folder
  };
  static Listing list(const std::string& folder, const Job& job);
  void go(ShellContext& c, const std::string& folder, std::string select = {});
  void look(ShellContext& c, const std::string& path, bool typed, std::string select = {});
  void take_found(ShellContext& c);
  void choose(ShellContext& c, const std::string& path);
  void choose_row(ShellContext& c, const Entry& entry);
  void accept(ShellContext& c, const std::string& path);
  void begin(ShellContext& c);
  void places(ShellContext& c, float height);
  int entries(ShellContext& c, float height);  // the one chosen, -1: none
  void foot(ShellContext& c, size_t count, bool& accepted);
  std::vector<size_t> shown() const;
  bool is_wanted(const std::string& name) const;
  static bool saving(const ShellContext& c) { return c.workspace.ui.dialog == "path" && c.workspace.ui.path.save; }

  bool was_open_ = false, show_all_ = false, show_hidden_ = false, focus_filter_ = false, focus_name_ = false, was_asked_ = false;
  std::string folder_, path_field_, filter_, name_;
  std::string wanted_;                    // what the dialog asks for, with the endings it takes: "Load inputs (.json)"; empty: a program
  std::vector<std::string> home_places_;  // "Documents" …, those there are
  std::optional<double> reading_since_;   // none: `listing_` is what there is
  std::optional<Found> found_;            // by a job; taken in the next frame
  Listing listing_;
  int selected_ = 0;
  int sort_column_ = 0;
  bool sort_down_ = false;
};

}  // namespace pt2::views
