// The files of a session: what is kept is found again, whatever broke in between.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "app/session_store.h"
#include "tests/support/scratch.h"

using namespace pt2;
using namespace pt2::app;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write_text(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

struct Opened {
  SessionFields fields;
  std::vector<std::string> notes;
};
Opened opened(const std::string& path) {
  Opened result;
  SessionStore store(path);
  result.fields = store.open(result.notes);
  return result;
}

// Kept, and not saved, as when the process is killed.
void keep_and_die(const std::string& path, const std::vector<SessionFields>& changes) {
  SessionStore store(path);
  std::vector<std::string> notes;
  store.open(notes);
  for (const SessionFields& change : changes) store.keep(change);
  REQUIRE(store.problem() == "");
}

size_t files_like(const std::filesystem::path& folder, const std::string& part) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) count += entry.path().filename().string().find(part) != std::string::npos;
  return count;
}

}  // namespace

TEST_CASE("sessions: what was kept is found again without a save, and a save is a whole file with a checksum") {
  const test::Scratch scratch;
  const std::string path = scratch.path("deep/er/s.json");
  keep_and_die(path, {{{"watches", "[\"relu\"]"}}, {{"watches", "[\"relu\",\"add\"]"}, {"inputs", "{\"x\":\"1\"}"}}});
  CHECK_FALSE(std::filesystem::exists(path));
  CHECK(std::filesystem::exists(path + ".journal"));
  const Opened again = opened(path);
  CHECK(again.notes.empty());
  CHECK(again.fields.at("watches") == "[\"relu\",\"add\"]");
  CHECK(again.fields.at("inputs") == "{\"x\":\"1\"}");
  // Opening made a save of the journal.
  CHECK_FALSE(std::filesystem::exists(path + ".journal"));
  CHECK_FALSE(std::filesystem::exists(path + ".lock"));
  const auto json = nlohmann::json::parse(text_of(path));
  CHECK(json["format"] == 2);
  CHECK(json["watches"] == nlohmann::json{"relu", "add"});
  CHECK(json["checksum"].get<std::string>().size() == 8);
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  CHECK(opened(path).fields == again.fields);
}

TEST_CASE("sessions: a torn last record is dropped, and one that was changed ends the journal") {
  const test::Scratch scratch;
  const std::string path = scratch.path("s.json");
  keep_and_die(path, {{{"a", "1"}}, {{"b", "2"}}, {{"c", "3"}}});
  const std::string journal = text_of(path + ".journal");
  for (size_t cut = 0; cut <= journal.size(); ++cut) {
    std::filesystem::remove(path);
    write_text(path + ".journal", journal.substr(0, cut));
    const Opened found = opened(path);
    CHECK(found.notes.empty());
    // Records in order: never the second without the first.
    CHECK(found.fields.size() <= 3);
    if (found.fields.contains("c")) CHECK(found.fields.contains("b"));
    if (found.fields.contains("b")) CHECK(found.fields.contains("a"));
    if (cut == journal.size()) CHECK(found.fields.size() == 3);
  }
  for (size_t i = 0; i < journal.size(); ++i) {
    std::filesystem::remove(path);
    std::string changed = journal;
    changed[i] = char(changed[i] ^ 0x20);
    write_text(path + ".journal", changed);
    for (const auto& [key, value] : opened(path).fields) CHECK(value == (key == "a" ? "1" : key == "b" ? "2" : "3"));
  }
}

TEST_CASE("sessions: a journal that was left behind by a save does not come back") {
  const test::Scratch scratch;
  const std::string path = scratch.path("s.json");
  keep_and_die(path, {{{"a", "1"}}});
  opened(path);
  keep_and_die(path, {{{"a", "2"}}});
  const std::string left = text_of(path + ".journal");
  opened(path);  // saves 2
  keep_and_die(path, {{{"a", "3"}}});
  opened(path);  // saves 3
  write_text(path + ".journal", left);
  CHECK(opened(path).fields.at("a") == "3");
}

TEST_CASE("sessions: a damaged one is moved aside, and the save before it and the journal are used") {
  const test::Scratch scratch;
  const std::string path = scratch.path("s.json");
  keep_and_die(path, {{{"a", "1"}, {"b", "1"}}});
  opened(path);
  keep_and_die(path, {{{"a", "2"}}});
  opened(path);
  keep_and_die(path, {{{"c", "3"}}});
  const std::string good = text_of(path), journal = text_of(path + ".journal"), backup = text_of(path + ".bak");
  for (size_t i = 0; i < good.size(); i += 3) {
    CAPTURE(i);
    std::string damaged = good;
    damaged[i] = char(damaged[i] ^ 1);
    write_text(path, damaged);
    write_text(path + ".journal", journal);
    write_text(path + ".bak", backup);
    const Opened found = opened(path);
    REQUIRE(found.notes.size() == 1);
    CHECK(found.notes[0].find(path) == 0);
    CHECK(found.notes[0].find(".damaged-") != std::string::npos);
    CHECK(found.fields.at("b") == "1");
    CHECK(found.fields.at("c") == "3");
  }
  CHECK(files_like(scratch.folder, ".damaged-") > 0);
  // Nothing but rubbish is left: the program opens, and says so once.
  for (const char* name : {"", ".bak", ".journal"}) write_text(path + name, "\x01rubbish");
  const Opened found = opened(path);
  CHECK(found.fields.empty());
  CHECK(found.notes.size() == 1);
}

TEST_CASE("sessions: JSON that nests too deep is damage, not a crash") {
  const test::Scratch scratch;
  const std::string path = scratch.path("s.json");
  write_text(path, "{\"a\":" + std::string(200000, '[') + std::string(200000, ']') + "}");
  CHECK(opened(path).notes.size() == 1);
}

TEST_CASE("sessions: unknown fields stay, one written by hand needs no checksum, a newer format is only read") {
  const test::Scratch scratch;
  const std::string path = scratch.path("s.json");
  write_text(path, "{\"version\": 1, \"colour\": {\"of\": [\"my\", 1]}}");
  keep_and_die(path, {{{"a", "1"}}});
  CHECK(opened(path).fields.at("colour") == "{\"of\":[\"my\",1]}");
  CHECK(nlohmann::json::parse(text_of(path))["colour"]["of"][0] == "my");

  const std::string newer = "{\"format\": 3, \"a\": 5}";
  write_text(path, newer);
  SessionStore store(path);
  std::vector<std::string> notes;
  CHECK(store.open(notes).at("a") == "5");
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("newer") != std::string::npos);
  CHECK(store.problem() == "");  // nothing is lost yet
  store.keep({{"a", "6"}});
  CHECK(store.problem().find(path) == 0);
  store.save();
  CHECK(text_of(path) == newer);
}

TEST_CASE("sessions: the second window works on its own copy") {
  const test::Scratch scratch;
  const std::string path = scratch.path("s.json");
  std::vector<std::string> notes;
  auto first = std::make_unique<SessionStore>(path);
  first->open(notes);
  first->keep({{"a", "1"}});
  CHECK(notes.empty());
  SessionStore second(path);
  CHECK(second.open(notes).at("a") == "1");
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("another window") != std::string::npos);
  second.keep({{"a", "2"}});
  second.save();
  CHECK(second.problem().find("another window") != std::string::npos);
  CHECK_FALSE(SessionStore(path).claim());
  first->save();
  first.reset();
  CHECK(opened(path).fields.at("a") == "1");
  CHECK(SessionStore(path).claim());
}

TEST_CASE("sessions: where nothing can be written, all stays in memory and the reason names the file") {
  const test::Scratch scratch;
  write_text(scratch.path("file"), "");
  const std::string path = scratch.path("file/s.json");  // no folder can be there, not even for root
  SessionStore store(path);
  std::vector<std::string> notes;
  store.open(notes);
  store.keep({{"a", "1"}});
  CHECK(store.problem().find(path) != std::string::npos);
  CHECK(store.fields().at("a") == "1");
  std::filesystem::remove(scratch.path("file"));
  store.keep({{"b", "2"}});  // now it works again, and nothing is missing
  CHECK(store.problem() == "");
  store.save();
  CHECK(nlohmann::json::parse(text_of(path))["a"] == 1);
}

TEST_CASE("sessions: a long journal becomes a save") {
  const test::Scratch scratch;
  const std::string path = scratch.path("s.json");
  SessionStore store(path);
  std::vector<std::string> notes;
  store.open(notes);
  for (int i = 0; i < 20; ++i) store.keep({{"a", "\"" + std::string(20000, char('a' + i)) + "\""}});
  CHECK(std::filesystem::exists(path));
  CHECK(std::filesystem::file_size(path + ".journal") < 300000);
}
