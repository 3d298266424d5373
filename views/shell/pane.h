#pragma once
// A pane is one file: it draws from const data and pushes commands, keeps no copy of document data, holds ids, survives its document
// closing.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/layout/geometry.h"
#include "views/commands/command.h"
#include "views/shell/frame_input.h"
#include "views/shell/theme.h"
#include "views/widgets/compare_view.h"
#include "views/widgets/item_probe.h"
#include "views/workspace/derived_cache.h"
#include "views/workspace/workspace.h"

namespace pt2::views {

class ImageStore;  // views/shell/images.h
struct RowCursor;   // views/widgets/row_cursor.h

struct PaneContext {
  const Workspace& workspace;
  const Document* document;   // the one to show; null: none. Loading and failed documents are drawn by the shell in the centre.
  CommandQueue& commands;
  JobQueue& jobs;
  DerivedCache& derived;
  const Theme& theme;
  ItemProbe& probe;
  FrameInput& input;          // keys not used yet; panes act on them only while focused
  bool focused = false;       // the pane has the keyboard
  Side side = Side::None;
  bool animate = true;        // false: reduced motion, software rendering, scripts
  ImageStore* images = nullptr;  // null: there is no graphics device
  CompareView* compare = nullptr;  // of the two graphs of a comparison
  std::vector<Rect>* kept_clear = nullptr;  // where on the screen no message may lie over the pane
  RowCursor* cursor = nullptr;  // of rows, where the pane just got the keyboard
  double* next_frame = nullptr;  // when something on screen changes by itself, in Workspace::now; the earliest counts

  void draw_again_in(double seconds) const {
    if (next_frame) *next_frame = std::min(*next_frame, workspace.now + seconds);
  }
  // Pushes a command for the pane's own document.
  void push(std::string id, CommandArgument argument = {}, std::string origin = {}) const {
    commands.push(std::move(id), std::move(argument), document ? document->id : DocumentId(), std::move(origin));
  }
  // "graph", and "graph.a", "graph.b" in a comparison.
  std::string graph_prefix() const { return side == Side::None ? "graph" : side == Side::A ? "graph.a" : "graph.b"; }
};

using StringMap = std::map<std::string, std::string>;

class Pane {
 public:
  virtual ~Pane() = default;
  // Fills the current ImGui child window.
  virtual void draw(PaneContext& context) = 0;
  // Optional: what should survive a restart; and what `dump state` says about the pane (JSON values by key, "graph" → "{…}").
  virtual StringMap save() const { return {}; }
  virtual void restore(const StringMap&) {}
  virtual StringMap dump(const PaneContext&) const { return {}; }
};

}  // namespace pt2::views
