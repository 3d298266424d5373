#pragma once
// What a user set up for one document (session_fields.h), kept in the files of a session (session_store.h): in the state folder by the
// document's path, or in a file of the user's choice (--session).
#include <memory>
#include <string>
#include <vector>

#include "app/session_store.h"
#include "views/workspace/document.h"

namespace pt2::app {

class Session {
 public:
  // `path` empty: nothing is kept.
  explicit Session(std::string path);

  // Where the session of a file is kept by default; empty without a state folder.
  static std::string path_for(const std::string& file, const std::string& program);

  // Sets up a document that was just loaded.
  void restore(views::Document& document, std::vector<std::string>& notes);
  // After what the user did: appends what changed to the journal.
  void record(views::Document& document);
  // At the end, and before the document goes: one file with all of it. Nothing is written for a document nobody set anything up for.
  void save(views::Document& document);
  // Keeps it in that file from now on.
  Result<void> save_as(views::Document& document, const std::string& path);

  SessionStore& store() { return *store_; }

 private:
  SessionFields written(const views::Document& document) const;
  void describe(const views::Document& document);

  std::unique_ptr<SessionStore> store_;
  SessionFields seen_;      // what the document's fields were when they were looked at last
  SessionFields homeless_;  // entries of lists that have no place in this program
  bool restored_ = false;
};

}  // namespace pt2::app
