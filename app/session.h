#pragma once
// What a user set up for one document (session_fields.h), kept in the files of a session (session_store.h): in the state folder by the
// document's path, or in a file of the user's choice (--session). Its files are read and written by the disk's queue alone.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/disk_queue.h"
#include "app/session_store.h"
#include "views/workspace/document.h"

namespace pt2::app {

class Session {
 public:
  // Why what was set up is in memory only; empty: it is on disk. Called after each attempt.
  using Report = std::function<void(const std::string& problem)>;
  // `path` empty: nothing is kept.
  Session(std::string path, DiskQueue& disk, Report report);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Where the session of a file is kept by default; empty without a state folder.
  static std::string path_for(const std::string& file, const std::string& program);

  struct Opened {
    SessionFields fields;
    std::vector<std::string> notes;
    bool first_time = true;  // there was none
  };
  // Reads what is kept of a document that was just loaded; at once where there is nothing to read.
  void open(const views::Document& document, std::function<void(Opened)> done);
  // Sets the document up. What was set up meanwhile stays.
  void restore(views::Document& document, Opened& opened);
  // After what the user did: appends what changed to the journal.
  void record(const views::Document& document);
  // Makes what was recorded last through a power cut.
  void flush();
  // At the end, and before the document goes: one file with all of it. Nothing is written for a document nobody set anything up for.
  void save(const views::Document& document);
  // Keeps it in that file from now on.
  void save_as(const views::Document& document, const std::string& path, std::function<void(Result<void>)> done);

 private:
  SessionFields written(const views::Document& document) const;
  void describe(const views::Document& document);
  template <class Work>
  void write(Work work);

  DiskQueue& disk_;
  Report report_;
  const bool has_files_;
  std::shared_ptr<std::shared_ptr<SessionStore>> store_;  // the disk's queue has it; save_as() puts another there
  SessionFields fresh_;     // what a document has that nobody touched
  SessionFields seen_;      // what the document's fields were when they were looked at last
  SessionFields homeless_;  // entries of lists that have no place in this program
  bool restored_ = false, unflushed_ = false;
  std::shared_ptr<char> alive_ = std::make_shared<char>();  // who closes a document asks no more what was kept of it
};

}  // namespace pt2::app
