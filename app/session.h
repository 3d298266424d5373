#pragma once
// What a user set up for one file: breakpoints, watches, chosen inputs. Kept as JSON in the state folder by the file's path, or in a file
// of the user's choice (--session). Breakpoints whose node is gone stay in the file until it has that node again.
#include <string>
#include <vector>

#include "views/workspace/document.h"

namespace pt2::app {

class Session {
 public:
  Session() = default;
  explicit Session(std::string path) : path_(std::move(path)) {}

  // Where the session of a file is kept by default; empty without a state folder.
  static std::string path_for(const std::string& file, const std::string& program);

  // Sets up a document that was just loaded.
  void restore(views::Document& document, std::vector<std::string>& notes);
  // Writes what changed; nothing is written for a document nobody set anything up for.
  void save(const views::Document& document, std::vector<std::string>& notes);

 private:
  std::string path_, text_;
  std::vector<std::string> unresolved_;  // breakpoints' JSON
  bool restored_ = false;
};

}  // namespace pt2::app
