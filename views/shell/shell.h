#pragma once
// The window around the documents: menu, toolbar, the areas of panes with their tabs and splitters, status bar, dialogs. Everything a
// person can do here is a command of the registry; the shell draws it in menus, buttons and the palette.
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "views/shell/command_palette.h"
#include "views/shell/pane_registry.h"
#include "views/shell/path_picker.h"
#include "views/shell/ui.h"
#include "views/widgets/row_cursor.h"

struct ImGuiWindow;

namespace pt2::views {

// Where panes are; kept per user. Sizes in pixels at scale 1.
struct AreaLayout {
  std::vector<std::string> panes;
  std::string active;
  float size = 0;
};
struct ShellLayout {
  AreaLayout left, right, bottom;
  std::vector<std::string> closed;  // in no area until somebody asks for them
  static ShellLayout standard();
  // Drops unknown panes and puts missing ones into their default area.
  void complete();
};

class Shell {
 public:
  Shell();
  void draw(ShellContext& c);

  ShellLayout layout;
  // Ids of the panes that were drawn, and what they say for the state dump, in the last frame.
  const std::vector<std::string>& visible_panes() const { return visible_; }
  StringMap dump(ShellContext& c);

 private:
  struct Rect { float x, y, w, h; };

  void handle_requests(ShellContext& c);
  void take_focus(ShellContext& c);
  void shortcuts(ShellContext& c);
  void draw_menu(ShellContext& c, Rect r);
  void draw_toolbar(ShellContext& c, Rect r);
  void draw_breadcrumb(ShellContext& c, float x, float y, float width);
  void draw_status(ShellContext& c, Rect r);
  void draw_area(ShellContext& c, Area area, AreaLayout& state, Rect r);
  void draw_centre(ShellContext& c, Rect r);
  void draw_links(ShellContext& c);
  void draw_document_tabs(ShellContext& c, Rect r);
  void draw_document(ShellContext& c, const Document& document, Rect r, Side side);
  void draw_pane(ShellContext& c, Pane& pane, std::string_view id, const Document* document, Rect r, Area area, Side side);
  void draw_dialogs(ShellContext& c);
  float search_height(const ShellContext& c, float width) const;
  void draw_search_bar(ShellContext& c, Rect r);
  void draw_toasts(ShellContext& c, Rect r);
  // The toolbar and the status bar by keyboard: their items in the order of the screen.
  struct BarItem { ImVec2 min, max; std::function<void()> press; };
  void add_bar_item(std::string_view bar, ImVec2 min, ImVec2 max, std::function<void()> press);
  void bar_keys(ShellContext& c, std::string_view bar);
  void tab_key(ShellContext& c);
  void tab_menu(ShellContext& c, Area area, const std::string& id);
  AreaLayout& area_layout(Area area) { return area == Area::Left ? layout.left : area == Area::Right ? layout.right : layout.bottom; }
  Pane* side_pane(std::string_view id);
  Pane* document_pane(DocumentId document, std::string_view id);
  PaneContext pane_context(ShellContext& c, const Document* document, Side side) const;

  std::map<std::string, std::unique_ptr<Pane>, std::less<>> panes_;
  std::map<std::pair<DocumentId, std::string>, std::unique_ptr<Pane>> document_panes_;
  std::unique_ptr<Pane> compare_text_;  // both texts of a comparison side by side
  mutable CompareView compare_view_;
  mutable std::vector<pt2::Rect> kept_clear_;  // by panes, of this frame
  std::vector<std::string> visible_;
  std::string focused_ = "centre";  // "left", "right", "bottom", "centre", "centre.b", "centre.text", "toolbar", "status"
  bool keyboard_focus_ = false;     // the focus came by keyboard: show a frame
  const ImGuiWindow* pane_window_ = nullptr;  // of the pane with the keyboard, in this frame
  std::optional<size_t> menu_to_open_;  // of the bar, by keyboard
  RowCursor cursor_;                // of rows in the pane that got the keyboard
  float split_ = 0.5f;              // of the centre, between two documents or graph and text
  std::vector<BarItem> bar_items_;  // of the focused bar, in this frame
  size_t bar_at_ = 0;
  uint64_t reset_seen_ = 0;
  CommandPalette palette_;
  PathPicker picker_;
  std::string search_text_, search_asked_;  // what the field holds, what was last asked for or taken from elsewhere
  DocumentId search_document_;
  double search_typed_ = -1e9;  // when its text was last changed
  std::string dialog_drawn_, note_, settings_filter_;
};

// Other screens, each in its own file. `names`: what the names of a document's page begin with.
void draw_welcome(ShellContext& c, ImVec2 pos, ImVec2 size);
void draw_loading(ShellContext& c, const Document& document, const Loading& loading, const std::string& names, ImVec2 pos, ImVec2 size);
float draw_file_banner(ShellContext& c, const Document& document, const std::string& names, ImVec2 pos, float width);
void draw_load_failed(ShellContext& c, const Document& document, const LoadFailed& failed, const std::string& names, ImVec2 pos, ImVec2 size);
void draw_help(ShellContext& c);
void draw_legend(ShellContext& c);
void draw_about(ShellContext& c);
// `filter`: the words that settings are found by.
void draw_settings(ShellContext& c, std::string& filter);
void draw_recent(ShellContext& c);
void draw_bundle_dialog(ShellContext& c);
// `text`: what is being written.
void draw_note_dialog(ShellContext& c, std::string& text);
void draw_tour(ShellContext& c, ImVec2 pos, ImVec2 size);
void draw_unsaved(ShellContext& c);  // the session is only in memory, and its document is to go

}  // namespace pt2::views
