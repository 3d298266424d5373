#pragma once
// The files of one session. PATH is the last save, PATH.bak the one before, PATH.journal what was done since, PATH.lock is held by the window
// whose session it is. Whatever breaks or is killed in between, what was kept is there or the state before it is.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/journal.h"
#include "core/base/result.h"

namespace pt2::app {

using SessionFields = std::map<std::string, std::string>;  // JSON texts by key

// As it stands in a file: an object with the number of the format first and a checksum of all before it last.
std::string session_text(const SessionFields& fields);

class SessionStore {
 public:
  explicit SessionStore(std::string path) : path_(std::move(path)) {}
  ~SessionStore();
  SessionStore(const SessionStore&) = delete;
  SessionStore& operator=(const SessionStore&) = delete;

  // The last save with the journal on top; nothing where there is none. `notes` gets what was wrong and what became of it.
  SessionFields open(std::vector<std::string>& notes);
  // Takes the lock for a file that is to be written anew.
  Result<void> claim();

  // Fields that say what the session is for. They are written along with the next change.
  void describe(const SessionFields& fields);
  // Fields that the user changed.
  void keep(const SessionFields& changed);
  // Makes a save of the journal; nothing where none is needed.
  void save();
  // What was appended lasts through a power cut; all is written anew where it cannot.
  void flush();
  bool exists() const;  // something was kept there

  const std::string& path() const { return path_; }
  const SessionFields& fields() const { return fields_; }
  // Why changes are in memory only; empty: all are on disk.
  const std::string& problem() const { return problem_; }

 private:
  struct Save;
  static std::optional<Save> parse_save(std::string_view text);
  bool lock();
  void read(std::vector<std::string>& notes);
  std::optional<Save> restore_backup(bool damaged, std::vector<std::string>& notes);
  bool has_journal() const;
  Result<void> replay();
  bool append(const SessionFields& changed);

  std::string path_;
  SessionFields fields_;
  std::string base_;                  // checksum of the save that a journal belongs to; empty: there is no save
  std::unique_ptr<Journal> journal_;  // null until something is to be appended
  std::string frozen_;                // why nothing may be written; empty: it may
  std::string problem_;
  int lock_ = -1;
  bool unsaved_ = false, unflushed_ = false;
};

}  // namespace pt2::app
