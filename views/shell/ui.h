#pragma once
// Small pieces the shell's parts share.
#include <string>
#include <string_view>

#include "views/commands/command_registry.h"
#include "views/shell/frame_input.h"
#include "views/shell/pane.h"
#include "views/shell/theme.h"

namespace pt2::views {

namespace icon {
inline constexpr const char *play = "\xEF\x81\x8B", *pause = "\xEF\x81\x8C", *stop = "\xEF\x81\x8D", *restart = "\xEF\x80\x9E", *step_over = "\xEF\x81\xA4",
                            *step_into = "\xEF\x81\xA3", *step_out = "\xEF\x81\xA2", *step_back = "\xEF\x84\x92", *back = "\xEF\x81\x93", *forward = "\xEF\x81\x94",
                            *search = "\xEF\x80\x82", *folder = "\xEF\x81\xBB", *folder_open = "\xEF\x81\xBC", *file = "\xEF\x80\x96", *plus = "\xEF\x81\xA7", *close = "\xEF\x80\x8D",
                            *warning = "\xEF\x81\xB1", *error = "\xEF\x81\x97", *info = "\xEF\x81\x9A", *up = "\xEF\x81\xB7", *down = "\xEF\x81\xB8", *pin = "\xEF\x82\x8D",
                            *home = "\xEF\x80\x95", *command = "\xEF\x84\xA0", *cubes = "\xEF\x86\xB3", *cube = "\xEF\x86\xB2", *columns = "\xEF\x83\x9B", *angle_right = "\xEF\x84\x85",
                            *case_sensitive = "\xEF\x80\xB1", *filter = "\xEF\x82\xB0", *list = "\xEF\x80\xBA";
}

// What a frame asks of the loop; otherwise the program sleeps until something happens.
struct FrameRequests {
  bool again = false;  // draw the next frame at once: a size that settles, a field that takes the focus
  double at = 1e30;    // draw again at this time (Workspace::now): a hover card, a toast that ends, an animation
  void wake_at(double time) { at = time < at ? time : at; }
};

// What a part of the shell draws from. It changes nothing but `workspace.ui`, what is open around the documents; all else is pushed.
struct ShellContext {
  Workspace& workspace;
  const CommandRegistry& registry;
  CommandQueue& commands;
  DerivedCache& derived;
  const Theme& theme;
  ItemProbe& probe;
  FrameInput& input;
  FrameRequests& requests;
  ImageStore* images = nullptr;

  JobQueue& jobs() const { return workspace.jobs(); }
  float px(float at_scale_1) const { return theme.px(at_scale_1); }
};

namespace ui {

// A button for a command: its tooltip says title, shortcut and, when disabled, why. `label` may hold an icon.
bool command_button(ShellContext& c, std::string_view id, const char* label, std::string_view probe, bool active = false, ImVec2 size = {0, 0});
// An entry of a menu for a command, with its keys; grey where it cannot apply, and the tooltip says why. For the document, else the active one.
void command_entry(ShellContext& c, const Command& command, std::string_view probe, DocumentId document = {});
// A flat button of its own; true when clicked.
bool flat_button(const ShellContext& c, const char* id, const char* label, std::string_view probe, ImVec2 size, bool enabled = true, bool active = false);
void tooltip(const ShellContext& c, const std::string& text);
// A 5 px splitter. `value` is the size of what it bounds, in pixels at scale 1; `sign` +1 when it grows with the pointer.
// A double click brings `standard` back.
void splitter(const ShellContext& c, const char* id, ImVec2 pos, ImVec2 size, bool vertical, float& value, float sign, float standard);
// Text that ends in "…" where it does not fit; draws at `pos`.
void clipped_text(ImDrawList* draw, ImFont* font, ImVec2 pos, float width, ImU32 color, std::string_view text);
float text_width(ImFont* font, std::string_view text);
// A dialog in the middle of the window over a dimmed background; true while it is open. Always followed by end_dialog().
bool begin_dialog(ShellContext& c, const char* id, const char* title, ImVec2 size_at_scale_1);
void end_dialog(ShellContext& c);
// In a dialog, or a child that fills it: what its content leaves of the height; negative: what it lacks.
float spare_height();
// Makes the dialog of that id lower by so much from the next frame on, or higher again, up to the size it asks for.
void fit_dialog(const char* id, float spare);

// Whether letters of `needle` occur in order in `text`, ignoring case; higher is better, < 0: no. `marks` gets the matched positions.
int fuzzy_score(std::string_view needle, std::string_view text, std::vector<uint32_t>* marks = nullptr);

}  // namespace ui
}  // namespace pt2::views
