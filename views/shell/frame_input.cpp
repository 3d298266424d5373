#include "views/shell/frame_input.h"

#include <algorithm>

namespace pt2::views {

namespace {

struct KeyName { Key key; std::string_view name; };
constexpr KeyName kNames[] = {
    {Key::Up, "Up"}, {Key::Down, "Down"}, {Key::Left, "Left"}, {Key::Right, "Right"}, {Key::Enter, "Enter"}, {Key::Escape, "Escape"},
    {Key::Space, "Space"}, {Key::Tab, "Tab"}, {Key::Home, "Home"}, {Key::End, "End"}, {Key::PageUp, "PageUp"}, {Key::PageDown, "PageDown"},
    {Key::Backspace, "Backspace"}, {Key::Delete, "Delete"}, {Key::Insert, "Insert"}, {Key::Menu, "Menu"}, {Key::Minus, "-"}, {Key::Equal, "="},
    {Key::Comma, ","}, {Key::Period, "."}, {Key::Slash, "/"}, {Key::Backquote, "`"}, {Key::LeftBracket, "["}, {Key::RightBracket, "]"},
    {Key::Ctrl, "Ctrl"}, {Key::Shift, "Shift"}, {Key::Alt, "Alt"}, {Key::Super, "Super"}, {Key::Escape, "Esc"}, {Key::Enter, "Return"}};

Key key_of(std::string_view name) {
  if (name.size() == 1) {
    const char c = name[0];
    if (c >= 'A' && c <= 'Z') return Key(int(Key::A) + (c - 'A'));
    if (c >= 'a' && c <= 'z') return Key(int(Key::A) + (c - 'a'));
    if (c >= '0' && c <= '9') return Key(int(Key::D0) + (c - '0'));
  }
  if (name.size() >= 2 && name[0] == 'F' && std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; }) && name.size() <= 3) {
    const int n = name.size() == 2 ? name[1] - '0' : (name[1] - '0') * 10 + (name[2] - '0');
    if (n >= 1 && n <= 12) return Key(int(Key::F1) + n - 1);
  }
  for (const KeyName& k : kNames)
    if (k.name == name) return k.key;
  return Key::None;
}

}  // namespace

std::optional<Chord> parse_chord(std::string_view text) {
  Chord chord;
  for (;;) {
    if (text.starts_with("Ctrl+")) chord.ctrl = true, text.remove_prefix(5);
    else if (text.starts_with("Shift+")) chord.shift = true, text.remove_prefix(6);
    else if (text.starts_with("Alt+")) chord.alt = true, text.remove_prefix(4);
    else break;
  }
  chord.key = key_of(text);
  if (chord.key == Key::None) return std::nullopt;
  return chord;
}

std::string chord_text(const Chord& chord) {
  std::string text = std::string(chord.ctrl ? "Ctrl+" : "") + (chord.shift ? "Shift+" : "") + (chord.alt ? "Alt+" : "");
  if (chord.key >= Key::A && chord.key <= Key::Z) return text + char('A' + int(chord.key) - int(Key::A));
  if (chord.key >= Key::D0 && chord.key <= Key::D9) return text + char('0' + int(chord.key) - int(Key::D0));
  if (chord.key >= Key::F1 && chord.key <= Key::F12) return text + "F" + std::to_string(int(chord.key) - int(Key::F1) + 1);
  for (const KeyName& k : kNames)
    if (k.key == chord.key) return text.append(k.name);
  return text;
}

bool FrameInput::pressed(const Chord& chord) {
  auto it = std::find_if(events.begin(), events.end(), [&](const InputEvent& e) { return e.type == InputEvent::Type::Key && e.down && !e.used && e.chord == chord; });
  if (it == events.end()) return false;
  it->used = true;
  return true;
}

bool FrameInput::typed(uint32_t character) {
  auto it = std::find_if(events.begin(), events.end(), [&](const InputEvent& e) { return e.type == InputEvent::Type::Char && !e.used && e.character == character; });
  if (it == events.end()) return false;
  it->used = true;
  return true;
}

std::vector<InputEvent> InputQueue::take_frame() {
  using Type = InputEvent::Type;
  std::vector<InputEvent> frame;
  bool moved = false, button = false, key = false, character = false;
  while (!events_.empty()) {
    const InputEvent& e = events_.front();
    if (e.type == Type::Move && button) break;
    if (e.type == Type::Button && (button || (moved && !e.down))) break;
    if (e.type == Type::Key && (key || character)) break;
    if (e.type == Type::Char && character) break;
    moved |= e.type == Type::Move;
    button |= e.type == Type::Button;
    key |= e.type == Type::Key;
    character |= e.type == Type::Char;
    frame.push_back(e);
    events_.pop_front();
  }
  return frame;
}

}  // namespace pt2::views
