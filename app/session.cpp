#include "app/session.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/session_fields.h"
#include "app/settings.h"
#include "core/archive/program_archive.h"
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

}  // namespace

Session::Session(std::string path) : store_(std::make_unique<SessionStore>(std::move(path))) {}

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

void Session::restore(views::Document& document, std::vector<std::string>& notes) {
  if (!has_program(document)) return;
  restored_ = true;
  const SessionFields fields = store_->open(notes);
  for (const SessionField& field : session_fields()) {
    const auto it = fields.find(field.key);
    if (it == fields.end()) continue;
    const ordered_json homeless = field.read(ordered_json::parse(it->second, nullptr, false), document);
    if (!homeless.empty()) homeless_[field.key] = homeless.dump();
  }
  if (const auto it = fields.find("program"); it != fields.end() && it->second != identity_of(document) && !homeless_.empty())
    notes.push_back(document.path + " is not the program that its session was made with: some of its breakpoints have no place and wait");
  describe(document);
  document.debug->sync();
  seen_ = written(document);
}

void Session::describe(const views::Document& document) {
  store_->describe({{"file", ordered_json(document.path).dump(-1, ' ', false, ordered_json::error_handler_t::replace)}, {"program", identity_of(document)}});
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

void Session::record(views::Document& document) {
  if (!restored_ || !has_program(document)) return;
  SessionFields now = written(document), changed;
  std::set_difference(now.begin(), now.end(), seen_.begin(), seen_.end(), std::inserter(changed, changed.end()));
  seen_ = std::move(now);
  store_->keep(changed);
  document.session_problem = store_->problem();
}

void Session::save(views::Document& document) {
  record(document);
  store_->save();
  document.session_problem = store_->problem();
}

Result<void> Session::save_as(views::Document& document, const std::string& path) {
  if (!restored_ || !has_program(document)) return Error{ErrorKind::Failed, "there is no program to keep a session of", "", ""};
  auto store = std::make_unique<SessionStore>(path);
  if (auto claimed = store->claim(); !claimed) return claimed;
  seen_ = written(document);
  store->describe(store_->fields());  // with what an unknown version kept there
  store->keep(seen_);
  store->save();
  if (!store->problem().empty()) return Error{ErrorKind::Failed, store->problem(), "", ""};
  store_ = std::move(store);
  document.session_problem.clear();
  return {};
}

}  // namespace pt2::app
