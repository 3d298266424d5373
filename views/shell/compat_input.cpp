// How ImGui is told about input, before and after its event queue (1.87).
#include <algorithm>
#include <utility>

#include "imgui.h"
#include "imgui_internal.h"
#include "views/shell/frame_input.h"

namespace pt2::views {

namespace {

// Tab is not ImGui's: views/widgets/tab_stops.h.

// Enter presses what has the cursor, as Space does; in a field it ends the typing.
bool presses_item(const InputEvent& e, const ImGuiIO& io) {
  const bool modified = e.chord.ctrl || e.chord.shift || e.chord.alt;
  return e.chord.key == Key::Enter && (!e.down || (!modified && !io.WantTextInput));
}

}  // namespace

// ImGui 1.86 has key arrays indexed by the back end's codes (our Key) and a map for the 22 keys it knows; later versions take events.
#if IMGUI_VERSION_NUM < 18700

void prepare_imgui_input() {
  ImGuiIO& io = ImGui::GetIO();
  constexpr std::pair<ImGuiKey, Key> map[] = {
      {ImGuiKey_LeftArrow, Key::Left}, {ImGuiKey_RightArrow, Key::Right}, {ImGuiKey_UpArrow, Key::Up},
      {ImGuiKey_DownArrow, Key::Down}, {ImGuiKey_PageUp, Key::PageUp}, {ImGuiKey_PageDown, Key::PageDown}, {ImGuiKey_Home, Key::Home},
      {ImGuiKey_End, Key::End}, {ImGuiKey_Insert, Key::Insert}, {ImGuiKey_Delete, Key::Delete}, {ImGuiKey_Backspace, Key::Backspace},
      {ImGuiKey_Space, Key::Space}, {ImGuiKey_Enter, Key::Enter}, {ImGuiKey_Escape, Key::Escape}, {ImGuiKey_KeyPadEnter, Key::Enter},
      {ImGuiKey_A, Key::A}, {ImGuiKey_C, Key::C}, {ImGuiKey_V, Key::V}, {ImGuiKey_X, Key::X}, {ImGuiKey_Y, Key::Y}, {ImGuiKey_Z, Key::Z}};
  for (auto [theirs, ours] : map) io.KeyMap[theirs] = int(ours);
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors | ImGuiBackendFlags_RendererHasVtxOffset;
}

void feed_imgui(const FrameInput& input) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(input.width, input.height);
  io.DeltaTime = std::clamp(float(input.delta), 1e-4f, 0.25f);
  for (const InputEvent& e : input.events) {
    switch (e.type) {
      case InputEvent::Type::Move: io.MousePos = ImVec2(e.x, e.y); break;
      case InputEvent::Type::Button:
        if (e.button < 3) io.MouseDown[e.button] = e.down;
        break;
      case InputEvent::Type::Wheel: io.MouseWheelH += e.x, io.MouseWheel += e.y; break;
      case InputEvent::Type::Key:
        io.KeysDown[int(e.chord.key)] = e.down;
        io.KeyCtrl = e.chord.ctrl, io.KeyShift = e.chord.shift, io.KeyAlt = e.chord.alt;
        if (presses_item(e, io)) io.KeysDown[int(Key::Space)] = e.down;
        break;
      case InputEvent::Type::Char: io.AddInputCharacter(e.character); break;
      case InputEvent::Type::Focus: io.AddFocusEvent(e.down); break;
    }
  }
  // Escape makes 1.86 look into the window of the innermost popup, also of one that was opened in the last frame and not begun yet.
  auto& popups = ImGui::GetCurrentContext()->OpenPopupStack;
  if (io.KeysDown[int(Key::Escape)])
    while (!popups.empty() && !popups.back().Window) popups.pop_back();
}

#else

void prepare_imgui_input() { ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_HasMouseCursors | ImGuiBackendFlags_RendererHasVtxOffset; }

void feed_imgui(const FrameInput& input) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(input.width, input.height);
  io.DeltaTime = std::clamp(float(input.delta), 1e-4f, 0.25f);
  constexpr std::pair<Key, ImGuiKey> map[] = {
      {Key::Left, ImGuiKey_LeftArrow}, {Key::Right, ImGuiKey_RightArrow}, {Key::Up, ImGuiKey_UpArrow},
      {Key::Down, ImGuiKey_DownArrow}, {Key::PageUp, ImGuiKey_PageUp}, {Key::PageDown, ImGuiKey_PageDown}, {Key::Home, ImGuiKey_Home},
      {Key::End, ImGuiKey_End}, {Key::Insert, ImGuiKey_Insert}, {Key::Delete, ImGuiKey_Delete}, {Key::Backspace, ImGuiKey_Backspace},
      {Key::Space, ImGuiKey_Space}, {Key::Enter, ImGuiKey_Enter}, {Key::Escape, ImGuiKey_Escape},
      {Key::A, ImGuiKey_A}, {Key::C, ImGuiKey_C}, {Key::V, ImGuiKey_V}, {Key::X, ImGuiKey_X}, {Key::Y, ImGuiKey_Y}, {Key::Z, ImGuiKey_Z}};
  for (const InputEvent& e : input.events) {
    switch (e.type) {
      case InputEvent::Type::Move: io.AddMousePosEvent(e.x, e.y); break;
      case InputEvent::Type::Button:
        if (e.button < 3) io.AddMouseButtonEvent(e.button, e.down);
        break;
      case InputEvent::Type::Wheel: io.AddMouseWheelEvent(e.x, e.y); break;
      case InputEvent::Type::Key:
#if IMGUI_VERSION_NUM >= 18900
        io.AddKeyEvent(ImGuiMod_Ctrl, e.chord.ctrl), io.AddKeyEvent(ImGuiMod_Shift, e.chord.shift), io.AddKeyEvent(ImGuiMod_Alt, e.chord.alt);
#else
        io.AddKeyEvent(ImGuiKey_ModCtrl, e.chord.ctrl), io.AddKeyEvent(ImGuiKey_ModShift, e.chord.shift), io.AddKeyEvent(ImGuiKey_ModAlt, e.chord.alt);
#endif
        for (auto [ours, theirs] : map)
          if (ours == e.chord.key) io.AddKeyEvent(theirs, e.down);
        if (presses_item(e, io)) io.AddKeyEvent(ImGuiKey_Space, e.down);
        break;
      case InputEvent::Type::Char: io.AddInputCharacter(e.character); break;
      case InputEvent::Type::Focus: io.AddFocusEvent(e.down); break;
    }
  }
}

#endif

void show_keyboard_cursor() {
#if IMGUI_VERSION_NUM >= 19140
  ImGui::SetNavCursorVisible(true);
#else
  ImGui::GetCurrentContext()->NavDisableHighlight = false;
#endif
}

}  // namespace pt2::views
