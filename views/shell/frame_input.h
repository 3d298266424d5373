#pragma once
// Input as one value a frame. The window fills the queue from GLFW, scripts and tests from their lines; only then is ImGui told. Keys
// are our own, so shortcuts know nothing of GLFW and a recorded run replays exactly.
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pt2::views {

enum class Key : uint8_t {
  None, A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z,
  D0, D1, D2, D3, D4, D5, D6, D7, D8, D9,
  F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12,
  Up, Down, Left, Right, Enter, Escape, Space, Tab, Home, End, PageUp, PageDown, Backspace, Delete, Insert, Menu,
  Minus, Equal, Comma, Period, Slash, Backquote, LeftBracket, RightBracket,
  Ctrl, Shift, Alt, Super, Count
};

struct Chord {
  Key key = Key::None;
  bool ctrl = false, shift = false, alt = false;
  friend bool operator==(const Chord&, const Chord&) = default;
};
std::optional<Chord> parse_chord(std::string_view text);  // "Ctrl+Shift+P", "F10", "Ctrl+=", "?" is a character and no chord
std::string chord_text(const Chord& chord);

struct InputEvent {
  enum class Type : uint8_t { Move, Button, Wheel, Key, Char, Focus } type;
  float x = 0, y = 0;       // Move: position; Wheel: steps
  int button = 0;           // 0 left, 1 right, 2 middle, 3 back, 4 forward
  bool down = false;        // Button, Key, Focus
  bool repeat = false;      // Key
  bool used = false;        // some pane or shortcut has acted on it
  Chord chord;              // Key
  uint32_t character = 0;   // Char
};

// What one frame sees.
struct FrameInput {
  float width = 1440, height = 900;  // logical = framebuffer pixels
  double time = 0, delta = 1.0 / 60;
  std::vector<InputEvent> events;

  // Key presses of this frame (repeats too) that nothing has used yet. A pane or the shell that acts on one uses it up.
  bool pressed(const Chord& chord);
  bool pressed(Key key) { Chord chord; chord.key = key; return pressed(chord); }
  bool typed(uint32_t character);    // printable shortcuts: '/', '?', '[', …
};

class InputQueue {
 public:
  void push(InputEvent event) { events_.push_back(event); }
  bool empty() const { return events_.empty(); }
  // Events in order, until one would hide another: a release after a move, a second button change, a key after a key … wait for the
  // next frame. ImGui looks at levels, so two changes of one thing in a frame would be lost.
  std::vector<InputEvent> take_frame();

 private:
  std::deque<InputEvent> events_;
};

// Tells ImGui what happened.
void feed_imgui(const FrameInput& input);
// The item that ImGui gives the keyboard to is marked.
void show_keyboard_cursor();
// Once after ImGui::CreateContext(): key map and back-end flags.
void prepare_imgui_input();

}  // namespace pt2::views
