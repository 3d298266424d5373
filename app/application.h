#pragma once
// The program behind the window: documents, jobs, commands, panes, settings. frame() is the whole loop body; who calls it (a window, an
// offscreen context, a test) only supplies input and shows ImGui's draw data.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/disk_queue.h"
#include "app/session.h"
#include "app/settings.h"
#include "core/base/jobs.h"
#include "views/commands/command_registry.h"
#include "views/shell/frame_input.h"
#include "views/shell/shell.h"
#include "views/workspace/comparison.h"
#include "views/workspace/workspace.h"

struct ImGuiContext;

namespace pt2::app {

struct ApplicationOptions {
  std::vector<std::string> files;               // one, or two to compare
  std::optional<views::ThemeName> theme;
  std::string layout;                           // "browse", "debug", "compare"
  std::string select;                           // a node to select once the file is there
  std::vector<std::string> breakpoints;         // nodes to stop at
  std::optional<float> scale;                   // instead of the display's
  std::string inputs, session, reference;       // files of input values; of breakpoints and watches; of values by node name
  std::string layout_program;                   // started as `PROGRAM layout` for Graphviz; empty: in this process, as in tests
  bool keep_settings = true;                    // read and write the user's settings; off in tests and offscreen
  bool probes = false;                          // record items on screen from the first frame on
  bool reduced_motion = false;
};

class Application {
 public:
  explicit Application(ApplicationOptions options);
  ~Application();
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;

  // Rebuilds fonts and style where scale or theme changed. A back end calls it before it prepares its own frame.
  void update_theme();
  // Deliver jobs, shortcuts to commands, draw, run commands. Afterwards ImGui::GetDrawData() is the picture.
  void frame(views::FrameInput input);

  // The scale of the display; fonts and sizes follow before the next frame.
  void set_display_scale(float scale);
  // Grows when the font atlas was rebuilt and must be uploaded again.
  int fonts_revision() const { return fonts_revision_; }
  // Something changed or is still settling; else sleep until next_frame_time().
  bool wants_frame() const;
  double next_frame_time() const { return requests_.at; }
  // Called by whoever received input or was woken.
  void request_frames(int count = 3) { frames_wanted_ = std::max(frames_wanted_, count); }
  bool quit() const { return workspace_.ui.quit; }
  std::string window_title() const;
  void dropped(const std::vector<std::string>& paths);
  // The driver was reset, and the window is made again: everything is kept first, then said.
  void graphics_lost();

  // Runs a command as a menu entry would; for scripts and tests.
  Result<void> run_command(const std::string& line);
  std::string dump_state();
  // No job, no command, no input and no frame is outstanding.
  bool idle() const;

  views::InputQueue input;
  views::ImageStore* images = nullptr;  // of the back end that draws; null: no pictures
  views::Workspace& workspace() { return workspace_; }
  const views::CommandRegistry& registry() const { return registry_; }
  views::ItemProbe& probe() { return probe_; }
  views::Shell& shell() { return shell_; }
  JobQueue& jobs() { return *jobs_; }
  const views::Theme& theme() const { return theme_; }

 private:
  void run_commands();
  void compare_anew();
  Result<void> run_call(const views::CommandCall& call);
  void happened() {
    something_happened_ = true;
    request_frames();
  }
  void document_loaded(views::Document& document);
  void open_bundle(const views::Document& document, bool first_time);
  void look_at_files_when_due();
  void save_settings_when_due();
  void record_sessions();
  void flush_sessions();
  void save_sessions();
  void save_settings();
  void session_opened(views::DocumentId id, Session::Opened opened, bool first);
  void select_asked();
  void session_reported(views::DocumentId id, const std::string& problem);
  views::ShellContext shell_context();

  ApplicationOptions options_;
  std::unique_ptr<JobQueue> jobs_;
  std::unique_ptr<DiskQueue> disk_;
  views::Workspace workspace_;
  views::CommandRegistry registry_;
  views::CommandQueue commands_;
  std::unique_ptr<views::DerivedCache> derived_;
  views::SelectionCarrier carrier_;
  views::Shell shell_;
  views::Theme theme_;
  views::ItemProbe probe_;
  views::FrameInput frame_input_;
  views::FrameRequests requests_;
  Settings settings_;
  std::map<views::DocumentId, Session> sessions_;
  ImGuiContext* imgui_ = nullptr;
  float display_scale_ = 1, built_scale_ = 0;
  views::ThemeName styled_ = views::ThemeName::Dark;
  int fonts_revision_ = 0, frames_wanted_ = 3;
  std::string node_asked_;  // by --select, until it is selected
  bool something_happened_ = false;  // since the files were looked at
  double files_looked_at_ = -1e30;
  double settings_due_ = 1e30, flush_due_ = 1e30;
  std::string settings_text_;
};

}  // namespace pt2::app
