#include "app/session.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/session_fields.h"
#include "app/settings.h"
#include "core/archive/program_archive.h"
#include "core/base/display.h"
#include "views/workspace/debug_session.h"

namespace pt2::app {

using nlohmann::ordered_json;

namespace {

// Tells whether the file is still the program that a session was made with.
std::string identity_of(const views::Document& document) {
  ordered_json json{{"name", document.program()->name}, {"bytes", document.stamp ? document.stamp->size : 0}, {"members_crc32", archive_fingerprint(*document.file()->archive)}};
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// While the file is read again there is the debugger of before and no program.
bool has_program(const views::Document& document) { return document.program() && document.debug && document.debug->debugger(); }

// "2 of its breakpoints and the note on mul_20: no certain place, so kept and not shown"
std::string waiting_text(const SessionFields& homeless) {
  std::string text;
  for (const auto& [key, value] : homeless) {
    const ordered_json entries = ordered_json::parse(value, nullptr, false);
    if (key != "marks") {
      text += (text.empty() ? "" : " and ") + std::to_string(entries.size()) + " of its " + key;
      continue;
    }
    for (const ordered_json& entry : entries) {
      const bool of_node = entry.contains("node");
      const auto name = entry.find(of_node ? "node" : "module");
      if (name != entry.end() && name->is_string()) text += (text.empty() ? "" : " and ") + std::string(entry.contains("note") ? "the note on " : "the bookmark on ") + display_cut(name->get<std::string>(), 60);
    }
  }
  return text + ": no certain place, so kept and not shown";
}

}  // namespace

Session::Session(std::string path, DiskQueue& disk, Report report)
    : disk_(disk), report_(std::move(report)), has_files_(!path.empty()), store_(std::make_shared<std::shared_ptr<SessionStore>>(std::make_shared<SessionStore>(std::move(path)))) {}

// It lets go of its files when all is written, before another session may take them.
Session::~Session() {
  disk_.submit([store = std::move(store_)] { return store->reset(), true; }, [](bool) {});
}

std::string Session::path_for(const std::string& file, const std::string& program) {
  const std::string folder = state_folder();
  if (folder.empty()) return {};
  std::error_code error;
  const std::string name = std::filesystem::weakly_canonical(file, error).string() + "#" + program;
  uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (unsigned char byte : name) hash = (hash ^ byte) * 1099511628211u;
  char text[24];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return folder + "/files/" + text + ".json";
}

void Session::open(const views::Document& document, std::function<void(Opened)> done) {
  if (!has_program(document)) return;
  fresh_ = written(document);
  if (!has_files_) return done({});
  const auto work = [store = store_] {
    Opened opened;
    opened.first_time = !(*store)->exists();
    opened.fields = (*store)->open(opened.notes);
    return opened;
  };
  disk_.submit(work, [alive = std::weak_ptr(alive_), done = std::move(done)](Opened opened) {
    if (!alive.expired()) done(std::move(opened));
  });
}

void Session::restore(views::Document& document, Opened& opened) {
  if (!has_program(document)) return;
  restored_ = true;
  const SessionFields& fields = opened.fields;
  const bool touched = written(document) != fresh_;
  for (const SessionField& field : session_fields()) {
    const auto it = fields.find(field.key);
    if (it == fields.end()) continue;
    const ordered_json homeless = field.read(ordered_json::parse(it->second, nullptr, false), document);
    if (!homeless.empty()) homeless_[field.key] = homeless.dump();
  }
  if (const auto it = fields.find("program"); it != fields.end() && it->second != identity_of(document) && !homeless_.empty())
    opened.notes.push_back(document.path + " is not the program that its session was made with: " + waiting_text(homeless_));
  describe(document);
  document.debug->sync();
  seen_ = touched ? fields : written(document);
}

void Session::describe(const views::Document& document) {
  SessionFields fields{{"file", ordered_json(document.path).dump(-1, ' ', false, ordered_json::error_handler_t::replace)}, {"program", identity_of(document)}};
  disk_.submit([store = store_, fields = std::move(fields)] { return (*store)->describe(fields), true; }, [](bool) {});
}

SessionFields Session::written(const views::Document& document) const {
  SessionFields fields;
  for (const SessionField& field : session_fields()) {
    ordered_json value = field.write(document);
    if (auto kept = homeless_.find(field.key); kept != homeless_.end())
      for (const ordered_json& entry : ordered_json::parse(kept->second)) value.push_back(entry);
    fields[field.key] = value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  }
  return fields;
}

template <class Work>
void Session::write(Work work) {
  auto attempt = [store = store_, work = std::move(work)]() mutable {
    work(**store);
    return (*store)->problem();
  };
  disk_.submit(std::move(attempt), report_);
}

void Session::record(const views::Document& document) {
  if (!restored_ || !has_program(document)) return;
  SessionFields now = written(document), changed;
  std::set_difference(now.begin(), now.end(), seen_.begin(), seen_.end(), std::inserter(changed, changed.end()));
  seen_ = std::move(now);
  if (changed.empty()) return;
  unflushed_ = true;
  write([changed = std::move(changed)](SessionStore& store) { store.keep(changed); });
}

void Session::flush() {
  if (!std::exchange(unflushed_, false)) return;
  write([](SessionStore& store) { store.flush(); });
}

void Session::save(const views::Document& document) {
  record(document);
  if (restored_) write([](SessionStore& store) { store.save(); });
}

void Session::save_as(const views::Document& document, const std::string& path, std::function<void(Result<void>)> done) {
  if (!restored_ || !has_program(document)) return done(Error{ErrorKind::Failed, "there is no program to keep a session of", "", ""});
  seen_ = written(document);
  const auto work = [store = store_, path, fields = seen_]() -> Result<void> {
    auto other = std::make_shared<SessionStore>(path);
    if (auto claimed = other->claim(); !claimed) return claimed;
    other->describe((*store)->fields());  // with what an unknown version kept there
    other->keep(fields);
    other->save();
    if (!other->problem().empty()) return Error{ErrorKind::Failed, other->problem(), "", ""};
    *store = std::move(other);
    return {};
  };
  disk_.submit(work, [report = report_, done = std::move(done)](Result<void> saved) {
    if (saved) report({});
    done(std::move(saved));
  });
}

}  // namespace pt2::app
