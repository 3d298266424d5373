// Random use of the real window: monkey SECONDS SEED FILE…
//
// Clicks, drags and types on what is on screen, runs commands with arguments that fit and that do not, opens and closes files. It ends with status 1
// when memory grows without bound or a frame takes too long; a crash shows itself. What was done last is in monkey.log in the
// folder that is printed.
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "tests/gui/driver.h"
#include "tests/support/scratch.h"

using namespace pt2;
using Clock = std::chrono::steady_clock;

namespace {

#if defined(PT2_SANITIZED)
constexpr bool kSanitized = true;  // freed memory is kept for a while, and everything is slow
#else
constexpr bool kSanitized = false;
#endif
constexpr double kLongestFrame = kSanitized ? 60 : 10;  // seconds
constexpr double kSlowFrame = kSanitized ? 10 : 1;      // is told with what was done before it
constexpr double kGrowth = 1.5;                         // of resident memory at rest, …
constexpr double kSlackMiB = 64;                        // … and what caches may keep besides

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// Of this thread, so that other work on the machine does not count.
double busy_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

double resident_mib() {
  std::ifstream in("/proc/self/statm");
  double all = 0, resident = 0;
  in >> all >> resident;
  return resident * double(::sysconf(_SC_PAGESIZE)) / 1048576;
}

// What the arguments of commands look like; for any command, since wrong ones must be refused.
constexpr const char* kTexts[] = {"",      "1",       "0",        "-1",    "3",           "999999999999", "1e30",     "nan",        "on",        "off",      "0,:",     ":,0:2",     "[0, 1]",
                                  "0, 0",  "1, 0",    "auto",     "hex",   "family",      "time",         "dtype",    "module",     "0 1",       "dark",     "light",   "timeline",  "tensor",
                                  "node",  "compare", "problems", "text",  "breakpoints", "watch",        "log",      "signature",  "stop",      "log",      "collect", "0 stop",    "0 log",
                                  "1 nan", "0 |x| > 1", "op=aten.*", "any", "module=*",   "hit >= 2",     "s0 4",     "x 1",        "x 0.5",     "relu * 2", "relu",    "relu.max()", "x[0, 0]",
                                  "(",     "relu +",  "0 relu",   "0 {name} {max}",       "by_match",     "locked",   "nodes",      "hidden",    "attached", "op:conv", "dt:float32", "/re.*/",
                                  "\xc3\xa4\xe2\x82\xac", "foo:bar", "user:",   "left",   "right",        "bottom",   "centre",     "levels",    "log10",    "%s%n",    "##x",       "../../x"};
constexpr const char* kKeys[] = {"Escape", "Enter",  "Tab",    "Space",  "Up",     "Down",   "Left",        "Right",  "Home", "End",  "PageUp", "PageDown", "Backspace", "Delete", "F5",     "F6",
                                 "F9",     "F10",    "F11",    "Shift+F11", "Shift+F10", "F8", "Ctrl+F",   "Ctrl+P", "Ctrl+Shift+P", "Ctrl+A", "Ctrl+C", "Ctrl+V", "Ctrl+Z", "Ctrl+Tab", "Ctrl+=", "Ctrl+-",
                                 "Ctrl+0", "Ctrl+1", "Ctrl+2", "1",      "2",      "F",      "G",           "K",      "J",    "N",    "H",      "I",        "Shift+F5",  "Alt+Left", "Alt+Right", "Ctrl+Shift+D"};

class Monkey {
 public:
  Monkey(uint64_t seed, std::vector<std::string> files, const std::string& folder)
      : random_(seed), files_(std::move(files)), folder_(folder), log_(::open((folder + "/monkey.log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600)), driver_(options(), 1440, 900) {}
  ~Monkey() { ::close(log_); }

  // False: something is wrong, and was said.
  bool run(double seconds) {
    const auto begin = Clock::now();
    rest();
    const double interval = std::min(seconds / 6, 60.0);
    double next_rest = interval;
    std::vector<double> at_rest;
    std::printf("monkey: resident %.1f MiB at the beginning\n", resident_mib());
    while (seconds_since(begin) < seconds && good_) {
      act();
      if (seconds_since(begin) < next_rest) continue;
      next_rest += interval;
      rest();
      at_rest.push_back(resident_mib());
      std::printf("monkey: %.0f s, %zu actions, %zu frames, longest %.2f s, resident %.1f MiB with nothing open\n", seconds_since(begin), actions_, frames_, longest_, at_rest.back());
      std::fflush(stdout);
      // By then everything was used once.
      const double first = at_rest[std::min<size_t>(1, at_rest.size() - 1)];
      if (!kSanitized && at_rest.back() > first * kGrowth + kSlackMiB) fail("memory grows without bound: " + std::to_string(first) + " to " + std::to_string(at_rest.back()) + " MiB");
    }
    for (const std::string& name : names_twice_) std::printf("monkey: two items on screen were called %s\n", name.c_str());
    std::printf("monkey: %zu actions in %.0f s, %zu of them commands, %zu frames, %s\n", actions_, seconds_since(begin), commands_, frames_, good_ ? "all well" : "FAILED");
    if (!good_) print_last_actions();
    return good_;
  }

 private:
  void print_last_actions() const {
    std::ifstream in(folder_ + "/monkey.log");
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    for (size_t i = lines.size() < 20 ? 0 : lines.size() - 20; i < lines.size(); ++i) std::fprintf(stderr, "  %s\n", lines[i].c_str());
  }
  app::ApplicationOptions options() const {
    app::ApplicationOptions o = gui::Driver::options({files_.front()});
    o.session = folder_ + "/session.json";
    return o;
  }
  size_t below(size_t n) { return n ? std::uniform_int_distribution<size_t>(0, n - 1)(random_) : 0; }
  template <class T>
  const auto& one_of(const T& list) { return list[below(std::size(list))]; }
  void fail(const std::string& what) {
    std::fprintf(stderr, "monkey: %s\n", what.c_str());
    good_ = false;
  }
  void log(const std::string& what) {
    last_ = std::to_string(++actions_) + " " + what;
    const std::string line = last_ + "\n";
    if (::write(log_, line.data(), line.size()) < 0) good_ = false;
  }

  void frames(size_t count = 1) {
    for (; count > 0; --count, ++frames_) {
      const double begin = busy_seconds();
      driver_.frame();
      const double took = busy_seconds() - begin;
      longest_ = std::max(longest_, took);
      if (took > kSlowFrame) std::printf("monkey: a frame of %.2f s after %s\n", took, last_.c_str());
      if (took > kLongestFrame) fail("a frame took " + std::to_string(took) + " s");
    }
    driver_.app.workspace().ui.quit = false;
    for (; duplicates_ < driver_.duplicates.size(); ++duplicates_)
      if (names_twice_.insert(driver_.duplicates[duplicates_]).second) log("two items on screen are called " + driver_.duplicates[duplicates_]);
  }
  void settle(double patience) {
    const auto begin = Clock::now();
    do {
      if (!driver_.app.jobs().idle()) driver_.app.jobs().wait(0.01);
      frames();
    } while (!driver_.app.idle() && seconds_since(begin) < patience);
  }
  // Nothing open and nothing going on.
  void rest() {
    key("Escape");
    key("Escape");
    driver_.app.workspace().ui.dialog.clear();
    driver_.app.workspace().ui.palette = false;
    while (!driver_.app.workspace().documents().empty()) command("file.close_anyway", "");
    settle(20);
    ::malloc_trim(0);
  }

  void act() {
    saving_is_not_for_us();
    if (driver_.app.workspace().documents().empty()) return command("file.open", one_of(files_));
    const size_t choice = below(100);
    if (choice < 35) mouse(0, 1);
    else if (choice < 40) mouse(0, 2);
    else if (choice < 45) mouse(1, 1);
    else if (choice < 52) drag();
    else if (choice < 57) scroll();
    else if (choice < 69) key(one_of(kKeys));
    else if (choice < 73) type();
    else if (choice < 97) any_command();
    else if (choice < 98) below(2) ? resize() : change_on_disk();
    else if (choice < 99) settle(2);
    else look();
    frames(below(4));
    if (!driver_.app.jobs().idle() && below(2)) driver_.app.jobs().wait(0.01);
  }
  // A click could choose any file of this machine to write to; commands with paths of our own save often enough.
  void saving_is_not_for_us() {
    auto& ui = driver_.app.workspace().ui;
    if (ui.dialog == "path" && ui.path.save) ui.dialog.clear();
  }

  // A point in a random item that can be clicked.
  bool aim(std::string& name) {
    const auto& items = driver_.app.probe().items();
    if (items.empty()) return false;
    const views::ProbeItem& item = one_of(items);
    name = item.name;
    x_ = item.min.x + (item.max.x - item.min.x) * float(below(101)) / 100;
    y_ = item.min.y + (item.max.y - item.min.y) * float(below(101)) / 100;
    move();
    return true;
  }
  void move() {
    views::InputEvent e{views::InputEvent::Type::Move};
    e.x = x_, e.y = y_;
    driver_.app.input.push(e);
    frames();
  }
  void button(int number, bool down) {
    views::InputEvent e{views::InputEvent::Type::Button};
    e.button = number, e.down = down;
    driver_.app.input.push(e);
    frames();
  }
  void mouse(int number, int times) {
    std::string name;
    if (!aim(name)) return frames();
    log((number ? "right click " : times > 1 ? "double click " : "click ") + name);
    for (int i = 0; i < times; ++i) button(number, true), button(number, false);
  }
  void drag() {
    std::string name;
    if (!aim(name)) return frames();
    const float dx = float(below(401)) - 200, dy = float(below(401)) - 200;
    log("drag " + name + " " + std::to_string(dx) + " " + std::to_string(dy));
    const int number = below(5) ? 0 : 2;
    button(number, true);
    for (int i = 0; i < 4; ++i) x_ += dx / 4, y_ += dy / 4, move();
    button(number, false);
  }
  void scroll() {
    std::string name;
    if (!aim(name)) return frames();
    log("scroll " + name);
    views::InputEvent e{views::InputEvent::Type::Wheel};
    e.y = float(below(11)) - 5;
    driver_.app.input.push(e);
    frames();
  }
  void key(const std::string& text) {
    const auto chord = views::parse_chord(text);
    if (!chord) return;
    log("key " + text);
    for (bool down : {true, false}) {
      views::InputEvent e{views::InputEvent::Type::Key};
      e.chord = *chord, e.down = down;
      if (!down) e.chord.ctrl = e.chord.shift = e.chord.alt = false;
      driver_.app.input.push(e);
      frames();
    }
  }
  void type() {
    const std::string text = one_of(kTexts);
    log("type " + text);
    for (unsigned char ch : text) {
      views::InputEvent e{views::InputEvent::Type::Char};
      e.character = ch;
      driver_.app.input.push(e);
      frames();
    }
    if (below(2)) key("Enter");
  }
  void resize() {
    const float width = float(320 + below(1800)), height = float(240 + below(1000));
    log("resize " + std::to_string(width) + " " + std::to_string(height));
    driver_.resize(width, height);
    driver_.app.set_display_scale(float(50 + below(200)) / 100);
  }
  // Another program takes a file's place, and that is read.
  void change_on_disk() {
    const std::string &file = one_of(files_), next = folder_ + "/next";
    std::filesystem::copy_file(folder_ + "/originals/" + std::filesystem::path(one_of(files_)).filename().string(), next, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::rename(next, file);
    log("changed on disk " + file);
    if (below(4)) command("file.reload", "");
  }
  // The state dump goes through all panes.
  void look() {
    log("dump state");
    (void)driver_.state();
  }

  void command(const std::string& id, const std::string& argument) {
    log("command " + id + " " + argument);
    ++commands_;
    (void)driver_.app.run_command(argument.empty() ? id : id + " " + argument);
    frames();
  }
  void any_command() {
    const views::Command& chosen = one_of(driver_.app.registry().commands());
    const std::string id(chosen.id);
    if (id.starts_with("file.quit")) return;
    command(id, below(8) ? argument(chosen) : std::string(one_of(kTexts)));
  }
  std::string argument(const views::Command& chosen) {
    using views::ArgumentKind;
    switch (chosen.argument) {
      case ArgumentKind::None: return {};
      case ArgumentKind::Path: return path(std::string(chosen.id));
      case ArgumentKind::Node:
      case ArgumentKind::Value: return below(4) ? node() : std::string();
      case ArgumentKind::Module: return below(4) ? module() : std::string();
      case ArgumentKind::Text: return below(3) ? one_of(kTexts) : node() + (below(2) ? " " + std::string(one_of(kTexts)) : std::string());
    }
    return {};
  }
  std::string path(const std::string& id) {
    const bool reads = id == "file.open" || id == "file.open_compare" || id == "compare.load_mapping" || id == "debug.reference" || id == "tensor.compare_with_file";
    constexpr const char* kEnds[] = {".npy", ".npz", ".safetensors", ".png", ".json", ".txt", "", ".svg", ".md", ".html"};
    if (!reads || !below(4)) return folder_ + "/out" + std::to_string(below(5)) + one_of(kEnds);
    return below(10) ? one_of(files_) : std::string(below(2) ? "/nowhere/x.pt2" : folder_);
  }
  const Program* program() {
    const views::Document* document = driver_.app.workspace().active();
    return document ? document->program() : nullptr;
  }
  std::string node() {
    const Program* p = program();
    if (!p || p->graphs.empty()) return "relu";
    const GraphId graph(below(p->graphs.size()));
    const size_t count = p->graphs[graph].nodes().size();
    return count ? views::node_path(*p, {graph, NodeId(below(count))}) : "relu";
  }
  std::string module() {
    const Program* p = program();
    if (!p || p->modules.modules.empty()) return "layer";
    return std::string(p->modules.modules[ModuleId(below(p->modules.modules.size()))].path);
  }

  std::mt19937_64 random_;
  std::vector<std::string> files_;
  std::string folder_;
  int log_;
  size_t actions_ = 0, frames_ = 0, commands_ = 0, duplicates_ = 0;
  std::set<std::string> names_twice_;
  double longest_ = 0;
  std::string last_;  // action
  bool good_ = true;
  float x_ = 0, y_ = 0;
  gui::Driver driver_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return std::fprintf(stderr, "usage: monkey SECONDS SEED FILE…\n"), 2;
  const double seconds = std::atof(argv[1]);
  const uint64_t seed = std::strtoull(argv[2], nullptr, 10);
  // Everything happens in a folder of its own, on copies: nothing that is clicked there does harm, and no editor is found.
  const test::Scratch scratch;
  std::vector<std::string> files;
  std::filesystem::create_directory(scratch.folder / "originals");
  for (int i = 3; i < argc; ++i) {
    const std::filesystem::path name = std::filesystem::path(argv[i]).filename();
    files.push_back(scratch.folder / name);
    for (const std::filesystem::path& copy : {scratch.folder / name, scratch.folder / "originals" / name}) std::filesystem::copy_file(argv[i], copy);
  }
  std::filesystem::current_path(scratch.folder);
  ::setenv("PATH", "/nowhere", 1);
  for (const char* home : {"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"}) ::setenv(home, scratch.folder.c_str(), 1);
  std::printf("monkey: seed %llu, %g s, log %s\n", static_cast<unsigned long long>(seed), seconds, scratch.path("monkey.log").c_str());
  std::fflush(stdout);
  Monkey monkey(seed, files, scratch.folder.string());
  return monkey.run(seconds) ? 0 : 1;
}
