#include "app/session_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "app/settings.h"
#include "core/archive/byte_source.h"
#include "core/base/crc32.h"
#include "core/base/limits.h"

namespace pt2::app {

using nlohmann::ordered_json;

struct SessionStore::Save {
  SessionFields fields;
  std::string checksum;
  bool newer = false;
};

namespace {

constexpr int kFormat = 2;  // 1 had no checksum
constexpr uint64_t kJournalBytes = 256 << 10;  // a longer journal is made a save
constexpr std::string_view kChecksum = ",\n  \"checksum\": \"";

std::string hex(uint32_t value) {
  char text[12];
  std::snprintf(text, sizeof text, "%08x", value);
  return text;
}
std::string checksum_of(std::string_view text) { return hex(crc32_of(std::as_bytes(std::span(text)))); }

// Neither an error nor a text: there is no such file.
Result<std::optional<std::string>> read_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 && (errno == ENOENT || errno == ENOTDIR)) return std::optional<std::string>();
  auto source = open_byte_source(path);
  if (!source) return source.error();
  if ((*source)->size() > limits::kOtherJsonBytes) return Error{ErrorKind::Limit, "is larger than a session can be", "", ""};
  auto text = (*source)->text(0, (*source)->size());
  if (!text) return text.error();
  return std::optional(std::move(*text));
}

// How deep brackets nest, at least: writing JSON recurses.
int nesting(std::string_view text) {
  int depth = 0, deepest = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char ch = text[i];
    if (quoted && ch == '\\') ++i;
    else if (ch == '"') quoted = !quoted;
    else if (!quoted && (ch == '[' || ch == '{')) deepest = std::max(deepest, ++depth);
    else if (!quoted && (ch == ']' || ch == '}')) --depth;
  }
  return deepest;
}

std::optional<SessionFields> fields_of(std::string_view text) {
  if (nesting(text) > int(limits::kJsonDepth)) return std::nullopt;
  const ordered_json json = ordered_json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  SessionFields fields;
  for (const auto& [key, value] : json.items()) fields[key] = value.dump();
  return fields;
}

}  // namespace

// nullopt: damaged.
std::optional<SessionStore::Save> SessionStore::parse_save(std::string_view text) {
  auto fields = fields_of(text);
  if (!fields) return std::nullopt;
  Save save{std::move(*fields), checksum_of(text)};
  const ordered_json format = ordered_json::parse(save.fields.contains("format") ? save.fields["format"] : "0", nullptr, false);
  save.newer = format.is_number() && format.get<double>() > kFormat;
  if (const size_t at = text.rfind(kChecksum); at != text.npos) {
    save.checksum = text.substr(at + kChecksum.size(), 8);
    if (save.checksum != checksum_of(text.substr(0, at))) return std::nullopt;
  } else if (save.fields.contains("format") && !save.newer) {
    return std::nullopt;  // written by hand it has neither
  }
  for (const char* own : {"format", "version", "checksum"}) save.fields.erase(own);
  return save;
}

namespace {

std::string object_text(const SessionFields& fields) {
  std::string text = "{";
  for (const auto& [key, value] : fields) text += (text.size() > 1 ? "," : "") + ordered_json(key).dump() + ":" + value;
  return text + "}";
}

}  // namespace

std::string session_text(const SessionFields& fields) {
  ordered_json json{{"format", kFormat}};
  for (const auto& [key, value] : fields) json[key] = ordered_json::parse(value, nullptr, false);
  std::string text = json.dump(2, ' ', false, ordered_json::error_handler_t::replace);
  text.resize(text.size() - 2);  // "\n}"
  return text + std::string(kChecksum) + checksum_of(text) + "\"\n}\n";
}

SessionStore::~SessionStore() {
  if (lock_ < 0) return;
  ::unlink((path_ + ".lock").c_str());  // while it is held: nobody else has this file
  ::close(lock_);
}

// True: the session is ours, or nothing can be written there anyhow, which the first write will tell.
bool SessionStore::lock() {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), error);
  const std::string name = path_ + ".lock";
  for (int attempt = 0; attempt < 10; ++attempt) {
    const int fd = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) return true;
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
      const bool held = errno == EWOULDBLOCK;
      ::close(fd);
      return !held;
    }
    // Its last holder may have removed the file meanwhile.
    struct stat ours {}, there {};
    if (::fstat(fd, &ours) == 0 && ::stat(name.c_str(), &there) == 0 && ours.st_ino == there.st_ino && ours.st_dev == there.st_dev) {
      lock_ = fd;
      return true;
    }
    ::close(fd);
  }
  return false;
}

Result<void> SessionStore::claim() {
  if (lock()) return {};
  return Error{ErrorKind::Failed, path_ + ": another window keeps its session there", "", "Choose another name."};
}

SessionFields SessionStore::open(std::vector<std::string>& notes) {
  if (path_.empty()) return {};
  if (!lock()) {
    frozen_ = path_ + ": another window keeps this session; what is set up here stays in this window";
    notes.push_back(frozen_);
  }
  read(notes);
  return fields_;
}

void SessionStore::read(std::vector<std::string>& notes) {
  const auto freeze = [&](std::string why) { notes.push_back(frozen_ = path_ + ": " + std::move(why)); };
  auto text = read_file(path_);
  if (!text) return freeze(text.error().message + ". It is left as it is, and nothing is kept.");
  std::optional<Save> save = *text ? parse_save(**text) : std::nullopt;
  if (save) base_ = save->checksum;
  else save = restore_backup(text->has_value(), notes);
  if (save) fields_ = std::move(save->fields);
  if (save && save->newer) return freeze("was written by a newer pt2scope. It is only read, and nothing is kept.");
  if (auto replayed = replay(); !replayed) return freeze("its journal " + replayed.error().message + ". Both are left as they are, and nothing is kept.");
  this->save();
}

// The last save is damaged or not there: the one before and the journal have almost all.
std::optional<SessionStore::Save> SessionStore::restore_backup(bool damaged, std::vector<std::string>& notes) {
  std::string note = path_ + ": is gone.";
  if (damaged) {
    note = path_ + ": is damaged";
    const std::string moved = path_ + ".damaged-" + std::to_string(std::time(nullptr));
    if (frozen_.empty() && ::rename(path_.c_str(), moved.c_str()) == 0) note += " and was moved to " + moved;
    note += ".";
  }
  std::optional<Save> save;
  if (auto before = read_file(path_ + ".bak"); before && *before) save = parse_save(**before);
  if (!save && !damaged) return save;  // there never was one
  unsaved_ = save.has_value();
  const bool kept = has_journal();
  if (save) note += kept ? " The save before it was restored, and what the journal had." : " The save before it was restored.";
  else note += kept ? " What the journal had was restored." : " There is nothing of before to restore: the session begins anew.";
  notes.push_back(std::move(note));
  return save;
}

// Whether the journal has more than the checksum of the save it belongs to.
bool SessionStore::has_journal() const {
  const auto bytes = read_file(path_ + ".journal");
  return bytes && *bytes && Journal::read(**bytes).records.size() > 1;
}

Result<void> SessionStore::replay() {
  auto bytes = read_file(path_ + ".journal");
  if (!bytes) return bytes.error();
  if (!*bytes) return {};
  const Journal::Records journal = Journal::read(**bytes);
  // One that was left behind belongs to an older save, which has all of it.
  if (journal.records.empty() || (!base_.empty() && journal.records.front() != base_)) return {};
  for (size_t i = 1; i < journal.records.size(); ++i) {
    auto changed = fields_of(journal.records[i]);
    if (!changed) break;
    describe(*changed);
    unsaved_ = true;
  }
  return {};
}

void SessionStore::describe(const SessionFields& fields) {
  for (const auto& [key, value] : fields) fields_[key] = value;
}

void SessionStore::keep(const SessionFields& changed) {
  if (path_.empty() || changed.empty()) return;
  describe(changed);
  unsaved_ = true;
  if (!frozen_.empty()) {
    problem_ = frozen_;
    return;
  }
  // After a failure the end of the journal is unknown: all is written anew.
  if (!problem_.empty() || !append(changed) || journal_->bytes() > kJournalBytes) save();
}

bool SessionStore::append(const SessionFields& changed) {
  if (!journal_) {
    auto journal = Journal::create(path_ + ".journal");
    if (!journal || !(*journal)->append(base_)) return false;
    journal_ = std::move(*journal);
  }
  if (!journal_->append(object_text(changed))) return false;
  unflushed_ = true;
  return true;
}

void SessionStore::save() {
  if (!unsaved_ || !frozen_.empty()) return;
  const std::string text = session_text(fields_);
  problem_ = replace_file(path_, text, 0600, path_ + ".bak");
  if (!problem_.empty()) return;
  unsaved_ = unflushed_ = false;
  base_ = parse_save(text)->checksum;
  journal_.reset();
  ::unlink((path_ + ".journal").c_str());  // one that stays belongs to the save before
}

void SessionStore::flush() {
  if (!std::exchange(unflushed_, false)) return;
  const auto flushed = journal_->flush();
  if (flushed) return;
  problem_ = flushed.error().message;
  save();
}

bool SessionStore::exists() const {
  std::error_code error;
  return !path_.empty() && (std::filesystem::exists(path_, error) || std::filesystem::exists(path_ + ".journal", error));
}

}  // namespace pt2::app
