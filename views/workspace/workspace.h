#pragma once
// All the window knows that is not pixels: documents, the active one, messages, and what is open around them. GUI-free, owned by the
// UI thread, changed by commands only.
#include <ctime>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/jobs.h"
#include "core/diff/mapping.h"
#include "core/layout/layout_engine.h"
#include "views/workspace/colors.h"
#include "views/workspace/document.h"
#include "views/workspace/preferences.h"

namespace pt2 {
struct BundleRequest;
namespace interp { struct CompareRunsRequest; }
}

namespace pt2::views {

struct PictureRequest;
struct ReportRequest;

enum class LogLevel : uint8_t { Info, Warning, Error };
struct LogLine { std::time_t time; LogLevel level; std::string text; };

struct RecentFile { std::string path; std::time_t when = 0; size_t nodes = 0; bool pinned = false, missing = false; };

inline constexpr int kTourCards = 4;

enum class Layout : uint8_t { Browse, Debug, Compare };

// A path that a command wants: the dialog "path" asks for it and runs the command with it.
struct PathRequest {
  std::string command, title;
  std::string name;   // to save: what the file is called at first
  bool save = false;  // false: an existing file
  bool folders = false;  // a folder will do as well
  std::string before;    // stands before the path in the command's argument: "x="
  std::string back;      // the dialog it was asked from, which comes back; empty: none
};

// What is open around the documents. The shell draws from it; commands change it.
struct Interface {
  ThemeName theme = ThemeName::Dark;
  int font_percent = 100;
  bool left = true, right = true, bottom = true, graph_only = false;
  Layout layout = Layout::Browse;
  bool palette = false;
  std::string palette_start;   // what the palette's field begins with
  std::string dialog;          // "open", "open_compare", "help", "about", "settings", "inputs", …; empty: none
  PathRequest path;            // what the dialog "path" asks for
  std::string unsaved_command; // what the dialog "unsaved" goes on with: "file.close" or "file.quit"
  std::string shown_pane;      // a pane that asks to be brought to front; the shell clears it
  std::string focus;           // an area or pane that asks for the keyboard; the shell clears it
  std::string focused_pane;    // the pane that has the keyboard: what some keys mean depends on it
  bool full_screen = false;
  bool reduced_motion = false; // no animations: set by the user, scripts and software rendering
  std::string renderer, version;  // for About
  bool wheel_scrolls = false;  // the graph's wheel scrolls and Ctrl+wheel zooms
  std::string editor;          // command template, "code -g {file}:{line}"
  std::string source_roots;    // "prefix=prefix;…": where files of the exporting machine are here
  std::string settings_file;
  Preferences preferences;
  std::vector<std::string> searches;           // queries, the latest last
  std::vector<std::string> last_documents;  // open when the window closed, if those are wanted back
  int tour = 0;                // the card of the tour that is shown, from 1; 0: none
  bool tour_seen = false;      // it comes by itself only once
  std::string bundle_weights = "all";  // "none", or names with blanks between
  bool bundle_values = true;   // recorded ones go into a bundle
  bool quit = false;
  uint64_t reset_layout = 0;   // counts requests
  uint64_t edit_watch = 0;     // counts requests to edit the selected watch
  std::string clipboard;       // text to put there; the application clears it
};

// How the two graphs of a comparison move together.
enum class CompareSync : uint8_t { ByMatch, Locked, Off };
struct ComparisonResult;  // comparison.h

struct Comparison {
  DocumentId left, right;
  CompareSync sync = CompareSync::ByMatch;
  bool only_differences = false;  // modules without a difference are folded, groups without one are not listed
  bool all_links = false;         // lines for everything that changed, not only for the selection
  // What "Run both" asked for: A's inputs as they were set then, and the tolerance; null: it was not asked.
  std::shared_ptr<const interp::CompareRunsRequest> asked;
  uint64_t runs = 0;              // counts what was asked
  bool isolate = false;           // judge groups alone, too
  bool weights = false;           // compare weights too
  std::optional<size_t> step;     // lockstep: groups up to this one were stepped over; none: all numbers show
  bool stepping = false;          // lockstep is on
  NodeRef picked_left, picked_right;  // chosen last on each side, apart from the counterparts selected along; none: nothing was
  Mapping mapping;                // pairs set by hand
  std::string mapping_file;       // where they are kept; empty: nowhere yet
  std::string numbers_key;        // what the numbers of `result` are called in the cache
  std::shared_ptr<const ComparisonResult> result;  // the latest there is; set once a frame
  bool active() const { return left && right; }
};

struct Toast { std::string text; double until = 0; LogLevel level = LogLevel::Info; };

// What a command asks of the Tensor pane, which owns how values are looked at: "slice" with "0, :". The pane does it in order, once the
// value meant is there.
struct TensorRequest {
  uint64_t serial = 0;  // grows
  std::string verb, argument;
};

class Workspace {
 public:
  explicit Workspace(JobQueue& jobs) : jobs_(jobs) {}

  // Opens a file in a new tab (or shows the tab it is in) and starts loading it. `argument` may be FILE#NAME.
  DocumentId open(const std::string& argument);
  void close(DocumentId id);
  // Shows two documents side by side.
  void compare(DocumentId left, DocumentId right);
  void swap_sides();  // of the comparison
  void reload(DocumentId id);
  void activate(DocumentId id) { active_ = id; }

  const std::vector<std::unique_ptr<Document>>& documents() const { return documents_; }
  Document* document(DocumentId id);
  const Document* document(DocumentId id) const { return const_cast<Workspace*>(this)->document(id); }
  DocumentId active_id() const { return active_; }
  Document* active() { return document(active_); }
  const Document* active() const { return document(active_); }

  Interface ui;
  Comparison comparison;
  std::vector<RecentFile> recent;
  std::shared_ptr<LayoutEngine> layout_engine;  // with Graphviz in a child process, set by the application; null: in this process
  std::function<void(const Document&, BundleRequest&)> describe;  // adds the session and the view to a bundle
  std::function<Result<std::string>()> sample;  // gives the path of the bundled example

  // Write what a job took along to a file; they draw, which panes do on the screen only.
  std::function<Result<void>(const PictureRequest&, const std::string& path, Job&)> write_picture;
  std::function<Result<void>(const ReportRequest&, const std::string& path, Job&)> write_report;

  // Keeps what was set up for a document in that file from now on; `done` says whether it can.
  std::function<void(const Document&, const std::string& path, std::function<void(Result<void>)> done)> save_session;

  void log(LogLevel level, std::string text);
  const std::deque<LogLine>& messages() const { return messages_; }
  void ask_tensor_pane(std::string verb, std::string argument = {});
  const std::deque<TensorRequest>& tensor_requests() const { return tensor_requests_; }
  // Looks, in a job, whether the files of the documents are still what was opened.
  void look_at_files();
  // Said for five seconds over the window and kept in the log.
  void toast(std::string text, LogLevel level = LogLevel::Info);
  std::vector<Toast> toasts;
  // What was refused or failed last, and how often that was: scripts end at it.
  void failed(std::string text) { failure = std::move(text), ++failures; }
  std::string failure;
  size_t failures = 0;
  double now = 0;  // seconds, of the current frame

  // Called on the UI thread once a document is Loaded or LoadFailed.
  std::function<void(Document&)> on_loaded;

  JobQueue& jobs() const { return jobs_; }

 private:
  void load(Document& document);
  void order_tabs();
  void verify_document(const Document& document);
  JobQueue& jobs_;
  std::vector<std::unique_ptr<Document>> documents_;
  DocumentId active_;
  size_t next_id_ = 0;
  std::deque<LogLine> messages_;
  std::deque<TensorRequest> tensor_requests_;  // the last few
  uint64_t tensor_serial_ = 0;
};

}  // namespace pt2::views
