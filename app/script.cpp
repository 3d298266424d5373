#include "app/script.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "imgui.h"
#include "imgui_internal.h"

namespace pt2::app {

using nlohmann::json;
using views::Chord;
using views::InputEvent;
using views::Key;

namespace {

constexpr int kIdleFrames = 4;           // in a row; then nothing settles any more
constexpr double kDoubleClickGap = 0.4;  // seconds between two clicks that are no double click

double wall_seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

InputEvent move_event(float x, float y) {
  InputEvent e{InputEvent::Type::Move};
  e.x = x, e.y = y;
  return e;
}
InputEvent button_event(int button, bool down) {
  InputEvent e{InputEvent::Type::Button};
  e.button = button, e.down = down;
  return e;
}
InputEvent key_event(const Chord& chord, bool down) {
  InputEvent e{InputEvent::Type::Key};
  e.chord = chord, e.down = down;
  return e;
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r' || text.back() == '\t')) text.pop_back();
  size_t begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? std::string() : text.substr(begin);
}

// "selection.node", "breakpoints[0].hits", "count(documents)" in a JSON value; null where it is not there.
const json* look_up(const json& state, const std::string& path) {
  const json* at = &state;
  for (size_t i = 0; i < path.size();) {
    if (path[i] == '.') {
      ++i;
    } else if (path[i] == '[') {
      const size_t close = path.find(']', i);
      if (close == std::string::npos) return nullptr;
      size_t index = 0;
      try { index = std::stoul(path.substr(i + 1, close - i - 1)); } catch (const std::exception&) { return nullptr; }
      if (!at->is_array() || index >= at->size()) return nullptr;
      at = &(*at)[index];
      i = close + 1;
    } else {
      const size_t end = std::min(path.find_first_of(".[", i), path.size());
      auto it = at->is_object() ? at->find(path.substr(i, end - i)) : at->end();
      if (!at->is_object() || it == at->end()) return nullptr;
      at = &*it;
      i = end;
    }
  }
  return at;
}

bool holds(const json& found, const std::string& op, const json& wanted) {
  if (op == "==") return found == wanted;
  if (op == "!=") return found != wanted;
  if (op == ">=") return found >= wanted;
  if (op == "<=") return found <= wanted;
  if (op == "has") {
    if (found.is_string() && wanted.is_string()) return found.get<std::string>().find(wanted.get<std::string>()) != std::string::npos;
    if (found.is_array()) return std::find(found.begin(), found.end(), wanted) != found.end();
  }
  return false;
}

// How alike two names are, for "nearest names" in failures.
size_t shared_prefix(const std::string& a, const std::string& b) {
  return size_t(std::mismatch(a.begin(), a.begin() + std::ptrdiff_t(std::min(a.size(), b.size())), b.begin()).first - a.begin());
}

}  // namespace

Script::Script(Application& application, std::string name, const std::string& text, std::function<std::string(const std::string&)> take_screenshot)
    : app_(application), name_(std::move(name)), take_screenshot_(std::move(take_screenshot)) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines_.push_back(trimmed(line));
  output = [](const std::string& line) {
    std::fputs(line.c_str(), stdout);
    std::fputc('\n', stdout);
    std::fflush(stdout);
  };
}

void Script::fail(const std::string& message) {
  std::string text = name_ + ":" + std::to_string(line_) + ": " + message;
  std::fprintf(stderr, "error: %s\n", text.c_str());
  status_ = 1;
  finished_ = true;
}

const views::ProbeItem* Script::need(const std::string& probe) {
  const views::ProbeItem* item = app_.probe().find(probe);
  if (item && item->enabled) return item;
  if (item) {
    fail("\"" + probe + "\" is disabled");
    return nullptr;
  }
  std::vector<std::string> names;
  for (const auto& one : app_.probe().items()) names.push_back(one.name);
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) { return shared_prefix(a, probe) > shared_prefix(b, probe); });
  std::string list;
  for (size_t i = 0; i < std::min<size_t>(names.size(), 12); ++i) list += (i ? ", " : "") + names[i];
  fail("there is no \"" + probe + "\" on screen. Nearest: " + (list.empty() ? "nothing" : list));
  return nullptr;
}

void Script::frames(int count) {
  steps_.push_back([left = count]() mutable { return left-- <= 0; });
}

void Script::pause_between_clicks() {
  steps_.push_back([this] { return last_click_ < 0 || app_.workspace().now - last_click_ > kDoubleClickGap || (app_.request_frames(1), false); });
}

void Script::move_to(const std::string& probe) {
  steps_.push_back([this, probe] {
    const views::ProbeItem* item = need(probe);
    if (!item) return true;
    x_ = (item->min.x + item->max.x) / 2;
    y_ = (item->min.y + item->max.y) / 2;
    app_.input.push(move_event(x_, y_));
    return true;
  });
  frames(2);
}

void Script::click(const std::string& probe, int button, int times) {
  pause_between_clicks();
  move_to(probe);
  // Hovering may have changed the picture: the item must still be where the pointer is.
  steps_.push_back([this, probe] {
    const views::ProbeItem* item = need(probe);
    if (item && (x_ < item->min.x || x_ > item->max.x || y_ < item->min.y || y_ > item->max.y)) {
      x_ = (item->min.x + item->max.x) / 2;
      y_ = (item->min.y + item->max.y) / 2;
      app_.input.push(move_event(x_, y_));
    }
    return true;
  });
  frames(1);
  for (int i = 0; i < times; ++i) {
    for (bool down : {true, false}) {
      steps_.push_back([this, button, down] {
        app_.input.push(button_event(button, down));
        return true;
      });
      frames(1);
    }
  }
  steps_.push_back([this] {
    last_click_ = app_.workspace().now;
    return true;
  });
  frames(2);
}

void Script::press_key(const std::string& text) {
  const std::optional<Chord> chord = views::parse_chord(text);
  if (!chord) {
    // A printable sign that is no key of its own: "?", "/", "+".
    if (text.size() == 1) {
      steps_.push_back([this, text] {
        InputEvent e{InputEvent::Type::Char};
        e.character = static_cast<unsigned char>(text[0]);
        app_.input.push(e);
        return true;
      });
      frames(3);
      return;
    }
    return fail("there is no key \"" + text + "\"");
  }
  for (bool down : {true, false}) {
    steps_.push_back([this, chord = *chord, down] {
      Chord now = chord;
      if (!down) now.ctrl = now.shift = now.alt = false;
      app_.input.push(key_event(now, down));
      // What a keyboard types along with the key.
      const bool plain = !chord.ctrl && !chord.alt && down;
      if (plain && chord.key >= Key::A && chord.key <= Key::Z) {
        InputEvent e{InputEvent::Type::Char};
        e.character = uint32_t((chord.shift ? 'A' : 'a') + int(chord.key) - int(Key::A));
        app_.input.push(e);
      }
      if (plain && chord.key == Key::Slash) {
        InputEvent e{InputEvent::Type::Char};
        e.character = chord.shift ? '?' : '/';
        app_.input.push(e);
      }
      if (plain && (chord.key == Key::LeftBracket || chord.key == Key::RightBracket)) {
        InputEvent e{InputEvent::Type::Char};
        e.character = chord.key == Key::LeftBracket ? '[' : ']';
        app_.input.push(e);
      }
      return true;
    });
    frames(1);
  }
  frames(2);
}

bool Script::expect(const std::string& rest) {
  if (rest.starts_with("state.")) {
    const size_t space = rest.find(' ');
    const size_t after = space == std::string::npos ? space : rest.find(' ', space + 1);
    if (after == std::string::npos) return fail("write: expect state.PATH OP JSON"), false;
    const std::string path = rest.substr(6, space - 6), op = rest.substr(space + 1, after - space - 1);
    const json wanted = json::parse(rest.substr(after + 1), nullptr, false);
    if (wanted.is_discarded()) return fail("\"" + rest.substr(after + 1) + "\" is not JSON"), false;
    const json state = json::parse(app_.dump_state());
    const json* found = look_up(state, path);
    if (found && holds(*found, op, wanted)) return true;
    return fail("state." + path + " is " + (found ? found->dump() : "not there") + ", expected " + op + " " + wanted.dump()), false;
  }
  const size_t space = rest.find(' ');
  const std::string probe = rest.substr(0, space), what = space == std::string::npos ? "exists" : trimmed(rest.substr(space));
  const views::ProbeItem* item = app_.probe().find(probe);
  if (what == "absent") return !item || (fail("\"" + probe + "\" is on screen"), false);
  if (!item) return need(probe) != nullptr;
  if (what == "exists") return true;
  if (what.starts_with("text ")) {
    const json wanted = json::parse(what.substr(5), nullptr, false);
    if (!wanted.is_string()) return fail("write: expect PROBE text \"…\""), false;
    return item->text.find(wanted.get<std::string>()) != std::string::npos || (fail("\"" + probe + "\" shows \"" + item->text + "\", expected \"" + wanted.get<std::string>() + "\""), false);
  }
  return fail("expect knows: exists, absent, text \"…\", state.PATH"), false;
}

// Looks at what became of the last command, which may have gone on in a job: before every line but those that wait.
bool Script::stopped_by_failure(const std::string& line) {
  if (!failures_ || line.starts_with("wait")) return false;
  if (line.starts_with("expect state.toast")) {
    failures_ = app_.workspace().failures;
  } else if (app_.workspace().failures > *failures_) {
    line_ = command_line_;
    fail(app_.workspace().failure);
    return true;
  } else if (!line.starts_with("expect") && line != "dump state" && !line.starts_with("screenshot")) {
    failures_.reset();
  }
  return false;
}

void Script::start_line() {
  const std::string line = lines_[line_++];
  if (line.empty() || line[0] == '#' || stopped_by_failure(line)) return;
  const size_t space = line.find(' ');
  const std::string word = line.substr(0, space), rest = space == std::string::npos ? std::string() : trimmed(line.substr(space));
  auto then = [this](Step step) { steps_.push_back(std::move(step)); };
  if (word == "wait" && rest == "idle") {
    idle_frames_ = 0;
    then([this, started = wall_seconds()] {
      idle_frames_ = app_.idle() ? idle_frames_ + 1 : 0;
      if (wall_seconds() - started > patience) fail("still busy after " + std::to_string(int(patience)) + " s");
      if (app_.jobs().idle()) app_.request_frames(idle_frames_ < kIdleFrames && app_.idle() ? 0 : 1);
      return idle_frames_ >= kIdleFrames;
    });
  } else if (word == "wait") {
    const int count = std::atoi(rest.c_str());
    if (count < 1) return fail("\"wait\" takes idle or a number of frames, not \"" + rest + "\"");
    frames(count);
  } else if (word == "click") {
    click(rest, 0, 1);
  } else if (word == "double_click") {
    click(rest, 0, 2);
  } else if (word == "right_click") {
    click(rest, 1, 1);
  } else if (word == "hover") {
    move_to(rest);
    // Cards and tooltips come after a moment.
    then([this, since = -1.0]() mutable {
      if (since < 0) since = app_.workspace().now;
      return app_.workspace().now - since > 0.6 || (app_.request_frames(1), false);
    });
  } else if (word == "drag" || word == "scroll") {
    std::istringstream in(rest);
    std::string probe;
    float a = 0, b = 0;
    const bool read = bool(in >> probe >> a) && (word == "scroll" || bool(in >> b)) && (in >> std::ws).eof();
    if (!read) return fail(word == "scroll" ? "\"scroll\" takes PROBE N, not \"" + rest + "\"" : "\"drag\" takes PROBE DX DY, not \"" + rest + "\"");
    if (word == "scroll") {
      move_to(probe);
      then([this, a] {
        InputEvent e{InputEvent::Type::Wheel};
        e.y = a;
        app_.input.push(e);
        return true;
      });
      frames(3);
      return;
    }
    pause_between_clicks();
    move_to(probe);
    then([this] { return app_.input.push(button_event(0, true)), true; });
    frames(1);
    for (int i = 1; i <= 4; ++i) {
      then([this, a, b, i] { return app_.input.push(move_event(x_ + a * float(i) / 4, y_ + b * float(i) / 4)), true; });
      frames(1);
    }
    then([this] { return app_.input.push(button_event(0, false)), last_click_ = app_.workspace().now, true; });
    frames(3);
  } else if (word == "key") {
    press_key(rest);
  } else if (word == "type") {
    for (size_t i = 0; i < rest.size();) {
      unsigned int character = 0;
      i += size_t(std::max(1, ImTextCharFromUtf8(&character, rest.data() + i, rest.data() + rest.size())));
      then([this, character] {
        InputEvent e{InputEvent::Type::Char};
        e.character = character;
        app_.input.push(e);
        return true;
      });
      frames(1);
    }
    frames(2);
  } else if (word == "expect") {
    then([this, rest] { return expect(rest), true; });
  } else if (word == "dump" && rest == "state") {
    then([this] { return output(app_.dump_state()), true; });
  } else if (word == "screenshot") {
    then([this, rest] {
      if (const std::string problem = take_screenshot_(rest); !problem.empty()) fail(problem);
      return true;
    });
  } else if (word == "lose_graphics") {
    then([this] { return lose_graphics(), true; });
    frames(1);
  } else if (app_.registry().find(word)) {
    then([this, line] {
      if (ends_at_failures) failures_ = app_.workspace().failures, command_line_ = line_;
      if (auto result = app_.run_command(line); !result) fail(result.error().message);
      return true;
    });
    frames(3);
  } else {
    fail("there is no command \"" + word + "\"");
  }
}

void Script::advance() {
  if (warm_up_ > 0) {
    // Sizes of tabs and tables settle in the first frames.
    --warm_up_;
    app_.request_frames(1);
    return;
  }
  // One step a frame, unless nothing was asked of the next frame.
  while (!finished_) {
    if (step_ < steps_.size()) {
      if (!steps_[step_]()) {
        app_.request_frames(1);
        return;
      }
      ++step_;
      if (!app_.input.empty()) return;
      continue;
    }
    steps_.clear();
    step_ = 0;
    if (line_ >= lines_.size()) {
      finished_ = true;
      stopped_by_failure("");
      return;
    }
    start_line();
  }
}

}  // namespace pt2::app
