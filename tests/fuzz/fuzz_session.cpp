// What is kept for the user, as texts: the first byte says which file they are. Reading must come back, and what was taken from them must be
// what is written and read again.
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/journal.h"
#include "app/session_fields.h"
#include "app/session_store.h"
#include "app/settings.h"
#include "embedded/sample_program.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/scratch.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/workspace.h"

using namespace pt2;
using namespace pt2::app;
using nlohmann::ordered_json;

namespace {

void must(bool holds) {
  if (!holds) std::abort();
}

void write_text(const std::string& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

// A folder of files, emptied for each input, and the program that sessions are about.
struct World {
  test::Scratch scratch;
  JobQueue jobs{1};
  std::shared_ptr<const OpenedFile> file;

  World() {
    for (const char* home : {"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"}) ::setenv(home, scratch.folder.c_str(), 1);
    const auto bytes = embedded::sample_program();
    write_text(scratch.path("sample.pt2"), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    file = *open_file(scratch.path("sample.pt2"));
    std::filesystem::create_directory(scratch.folder / "pt2scope");
  }
  void clear() {
    for (const char* folder : {"session", "pt2scope"}) {
      std::filesystem::remove_all(scratch.folder / folder);
      std::filesystem::create_directory(scratch.folder / folder);
    }
  }
  std::string session() const { return scratch.path("session/s.json"); }
};

// A document that was just loaded, with what a session says of it.
struct Restored {
  views::Document document;
  explicit Restored(World& world, const SessionFields& fields) : jobs(world.jobs) {
    document.state = views::Loaded{world.file, world.file->program(), {}, {}};
    document.debug = std::make_unique<views::DebugSession>(world.file, world.file->program(), jobs);
    for (const SessionField& field : session_fields())
      if (const auto it = fields.find(field.key); it != fields.end()) field.read(ordered_json::parse(it->second, nullptr, false), document);
    document.debug->sync();
    while (!jobs.idle()) {
      jobs.wait(1);
      jobs.deliver();
    }
  }
  SessionFields written() const {
    SessionFields fields;
    for (const SessionField& field : session_fields()) fields[field.key] = field.write(document).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    return fields;
  }
  JobQueue& jobs;
};

void journal_of(const std::string& path, std::string_view lines) {
  const auto journal = Journal::create(path);
  must(bool(journal));
  must(bool((*journal)->append("")));  // no save before it
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    must(bool((*journal)->append(lines.substr(0, end))));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

// A text of a save whose checksum is right, so that more than the checksum is tested.
std::string sound_save(std::string_view text) {
  const ordered_json json = ordered_json::parse(text, nullptr, false);
  if (!json.is_object()) return std::string(text);
  SessionFields fields;
  for (const auto& [key, value] : json.items()) fields[key] = value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  return session_text(fields);
}

void restore(World& world) {
  const std::string path = world.session();
  SessionFields fields;
  {
    SessionStore store(path);
    std::vector<std::string> notes;
    fields = store.open(notes);
    for (const auto& field : fields) must(ordered_json::accept(field.second));
    for (const std::string& note : notes) must(note.find(path) == 0);
  }
  // What opening left is sound.
  {
    SessionStore store(path);
    std::vector<std::string> notes;
    must(store.open(notes) == fields);
  }
  const SessionFields taken = Restored(world, fields).written();
  must(Restored(world, taken).written() == taken);
}

void load_settings(World& world) {
  views::Workspace workspace(world.jobs);
  views::ShellLayout layout = views::ShellLayout::standard();
  views::CommandRegistry registry;
  Settings settings;
  std::vector<std::string> notes;
  settings.load(workspace, layout, registry, notes);
  must(workspace.ui.font_percent >= 80 && workspace.ui.font_percent <= 200);
  for (const views::AreaLayout* area : {&layout.left, &layout.right, &layout.bottom}) must(std::isfinite(area->size));
  DiskQueue disk(world.jobs);
  settings.save(workspace, layout, disk, [](const std::string&) { std::abort(); });
  disk.finish();
  world.jobs.deliver();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static World world;
  if (size == 0) return 0;
  const std::string_view text = as_text(data, size).substr(1);
  const std::string settings = world.scratch.path("pt2scope/");
  world.clear();
  switch (data[0]) {
    case 'h': write_text(world.session(), text); break;  // by hand
    case 's': write_text(world.session(), sound_save(text)); break;
    case 'b':
      write_text(world.session(), "damaged");
      write_text(world.session() + ".bak", sound_save(text));
      break;
    case 'j': write_text(world.session() + ".journal", text); break;
    case 'r': journal_of(world.session() + ".journal", text); break;
    case 'p': write_text(settings + "settings.json", text); break;
    case 'k': write_text(settings + "keys.json", text); break;
    case 'l': write_text(settings + "layout.json", text); break;
    case 'n': write_text(settings + "recent.json", text); break;
    default: return 0;
  }
  if (std::string_view("pkln").find(static_cast<char>(data[0])) != std::string_view::npos) load_settings(world);
  else restore(world);
  return 0;
}
