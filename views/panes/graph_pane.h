#pragma once
// The graph of a document on a plane to pan and zoom. The picture (scene and layout) is made in a job; the one before stays until the
// new one is there, and what was clicked keeps its place on the screen.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "views/shell/pane.h"
#include "views/widgets/canvas.h"
#include "views/widgets/graph_draw.h"
#include "views/widgets/range_control.h"
#include "views/workspace/graph_picture.h"

namespace pt2::views {

class GraphPane : public Pane {
 public:
  void draw(PaneContext& context) override;
  StringMap dump(const PaneContext& context) const override;
  bool close_card();

 private:
  // What is under the pointer, the topmost first.
  struct Hover {
    NodeId chip;          // with `box`
    BoxId box;
    const OutStub* stub = nullptr;
    ClusterId title;      // a cluster by its title
    size_t edge = GraphPicture::kNoEdge;
    ClusterId cluster;    // a cluster's inside
    friend bool operator==(const Hover&, const Hover&) = default;
  };
  // What must keep its place when the next picture comes.
  struct Anchor { ScopeId scope; NodeRef node; ImVec2 screen{0, 0}; };

  // graph_pane.cpp: the picture and its drawing.
  void take_program(const Document& document);
  void request_picture(PaneContext& context);
  void keep_selected_in_place(const PaneContext& context);
  void submit(PaneContext& context);
  void lay_out_refused(PaneContext& context);
  void accept(std::shared_ptr<const GraphPicture> picture);
  void draw_scene(PaneContext& context);
  void empty_state(PaneContext& context, ImVec2 size);

  // graph_pane_camera.cpp: what is in sight.
  void follow(PaneContext& context);
  bool camera_back(PaneContext& context);
  // The least zoom that a place gone to can be read at; 0: as it is.
  float reading_zoom(const Theme& theme, const Rect& r) const;
  void fit_all(bool animate);
  bool any_box_in(const WorldRect& world) const;
  bool selection_in_view(const Document& document) const;
  bool everything_in_sight() const;
  void reveal(const PaneContext& context, const Rect& r, bool animate, float least_zoom = 0);
  bool reveal_beginning(const Rect& module, bool animate, float least_zoom);
  void clear_of(const Rect& corner, bool left, const WorldRect& box, bool animate);

  // graph_pane_looks.cpp: what each box and edge looks like.
  static constexpr float kDimmed = 0.35f;
  void mark_hits(const Document& document);
  void mark_highlight(const Document& document);
  void mark_overlay(const Document& document);
  void mark_run(const Document& document);
  void mark_bookmarks(const Document& document);
  void mark_breakpoints(const Document& document);
  BoxState box_state(const PaneContext& context, BoxId id) const;
  EdgeState edge_state(const PaneContext& context, size_t edge) const;
  std::string hidden_inputs(const GraphView& view, BoxId box) const;
  Rect room_above(BoxId box) const;

  // graph_pane_compare.cpp: one side of a comparison.
  void mark_compare(const PaneContext& context);
  void compare_look(const PaneContext& context, BoxId id, BoxState& state) const;
  void add_anchors(PaneContext& context);
  void find_again(const Selection& selection);
  std::pair<NodeRef, ImVec2> matched_in_view(const PaneContext& context) const;
  void follow_other(PaneContext& context);
  std::string no_counterpart(const PaneContext& context) const;

  // graph_pane_probes.cpp
  void probes(PaneContext& context);

  // graph_pane_input.cpp: mouse, keys, menu.
  Hover hover_at(ImVec2 world) const;
  void handle_mouse(PaneContext& context, const Canvas::Events& events);
  void handle_keys(PaneContext& context);
  void select(PaneContext& context, Selection selection);
  void add_to_selection(PaneContext& context, BoxId box);
  void step(PaneContext& context, Walk walk, bool extend);
  void toggle(PaneContext& context, ScopeId scope);
  void toggle_selected(PaneContext& context);
  void open_selected(PaneContext& context);
  std::optional<GraphView> view_outside(const Document& document);
  void jump_along(PaneContext& context, size_t edge);
  void jump_to(PaneContext& context, BoxId box);
  std::vector<BoxId> readers_of(const OutStub& stub) const;
  void follow_stub(PaneContext& context, const OutStub& stub);
  void readers_menu(PaneContext& context);
  void menu(PaneContext& context);

  // graph_pane_notes.cpp: what the bar says of the picture.
  void notes(PaneContext& context, float start, float right);
  bool layout_note(PaneContext& context);

  // graph_pane_overlay.cpp: what lies over and around the canvas.
  void header(PaneContext& context);
  void zoom_field(PaneContext& context, float width);
  void overlay_menu(PaneContext& context, float width);
  void draw_overlay_scale(PaneContext& context);
  bool over_overlay_scale(const PaneContext& context) const;
  void draw_minimap(PaneContext& context);
  bool minimap_shown(const PaneContext& context) const { return minimap_shown(context, canvas_.visible()); }
  bool minimap_shown(const PaneContext& context, const WorldRect& view) const;
  bool faint_minimap(const PaneContext& context) const;
  bool over_boxes(const Rect& card) const;
  Rect minimap_rect(const PaneContext& context) const;  // screen
  void hover_card(PaneContext& context);
  float begin_card(const PaneContext& context, float widest) const;
  std::string module_card(const Selection& selection) const;
  std::string folded_card(BoxId box, const char* advice) const;

  // graph_pane_banner.cpp
  void draw_banner(PaneContext& context);

  Canvas canvas_;
  std::shared_ptr<const GraphPicture> picture_;
  Rect boxes_;                   // around all boxes of the picture
  std::shared_ptr<const Program> program_;
  GraphView requested_;          // of the picture shown or under way
  std::optional<GraphView> refused_;  // has too many boxes: waits for a word while the picture before it goes on
  bool waiting_ = false, cancelled_ = false, dense_allowed_ = false, take_back_ = false;
  double waiting_since_ = 0;
  std::string problem_;          // why there is no picture of `requested_`
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  std::string job_tag_;
  std::weak_ptr<bool> job_;      // gone once the job is over or was cancelled
  std::shared_ptr<LayoutEngine> engine_;

  float seen_unit_ = 0;          // pixels of a world unit at 100 % in the last frame
  bool fitted_ = true;           // the camera shows everything, and does after another layout
  int settling_ = 0;             // frames in which a picture just opened follows the pane's size
  ImVec2 fitted_size_{0, 0};
  std::pair<uint64_t, uint64_t> edits_of_;  // the debugger's revision and that of its facts …
  std::string edits_;                       // … and what the banner then says of edits
  float fitted_scale_ = 0;       // the height of the scale of colours then
  bool first_picture_ = true;
  CentreView seen_view_ = CentreView::Graph;
  std::optional<Anchor> anchor_;
  bool moved_under_camera_ = false;  // another layout came, and nothing was to stay where it was
  uint64_t seen_selection_ = 0, seen_camera_ = 0;
  // Where the camera stood when a selection was left, and over what.
  struct Camera { Selection selection; ImVec2 center{0, 0}; float zoom = 0; std::weak_ptr<const GraphPicture> picture; };
  std::vector<Camera> cameras_;
  // Where a module was shown alone from: leaving it leads back there.
  struct Outside { ModuleId opened, root; bool unfolded = false, fitted = false; ImVec2 center{0, 0}; float zoom = 0; };
  std::vector<Outside> outside_;
  std::optional<Outside> back_to_;  // once its picture comes
  Camera frame_start_, left_;    // of this frame and the one before: what a selection then made led away from
  Selection last_current_;
  std::vector<BoxId> readers_;   // to choose from, of a cut line

  Hover hover_;
  double hover_since_ = 0;
  ImVec2 pointer_{0, 0};         // where it was in the last frame
  bool pointer_rests_ = false;   // a key or another pane took over: nothing is under the pointer until it moves
  bool card_by_key_ = false;     // the card was asked for with the keyboard …
  int card_frame_ = -2;          // … and last drawn in this frame of ImGui's
  float card_height_ = 0;        // then
  bool minimap_on_ = true, minimap_drag_ = false, menu_open_ = false;
  ImVec2 menu_at_{0, 0};
  NodeRef menu_node_, previous_selection_, last_selection_;
  BoxId came_from_, walked_to_;
  std::string zoom_text_;
  bool edit_zoom_ = false;

  // By box, of the picture shown: worked out again when what they came from changes.
  std::vector<uint8_t> hit_;     // HitLook
  std::vector<uint32_t> hits_inside_;
  std::string hits_of_;
  std::vector<uint8_t> lit_;     // Highlight
  std::string lit_of_;
  Overlay overlay_;
  std::vector<double> box_value_;  // by the overlay; NaN: none
  std::string overlay_of_;
  RangeControl overlay_control_;
  Rect overlay_scale_;             // on the screen; empty: none
  // What became of a box's nodes at the time shown.
  struct RunMark {
    uint32_t nodes = 0, done = 0;
    bool nonfinite = false, mismatch = false, failed = false, unsupported = false, current = false;
    bool changed = false, edited = false;  // by what-if edits
  };
  std::vector<RunMark> run_;
  std::string run_of_;
  bool run_on_ = false;            // something was run: what was not is quieter
  // Breakpoints of a folded group's nodes.
  struct BreakpointsInside { uint32_t on = 0, off = 0; };
  std::vector<BreakpointsInside> breakpoints_inside_;
  std::vector<int> bookmarks_;     // the key of the mark on a box or on what it folds; -1: none
  std::vector<NodeId> edited_values_;  // placeholders of the program that an edit changes
  std::vector<NodeId> nonfinite_values_;  // … that hold NaN or Inf
  // In a comparison: what became of a box's nodes, the first of their groups, whether numbers part in one and whether one failed.
  static constexpr size_t kNoGroup = size_t(-1);
  std::shared_ptr<const ComparisonResult> compared_;
  std::vector<DiffLook> diff_;
  std::vector<size_t> group_;
  std::vector<uint8_t> parted_, failed_;
  size_t compared_to_ = kNoGroup;  // lockstep: the group that both sides have got to
  uint64_t seen_compare_ = 0;
  ImVec2 last_center_{0, 0};
  float last_zoom_ = 0;          // 0: no frame yet
  std::vector<NeighbourLook> near_;        // inputs and outputs of the selection
  std::vector<uint8_t> selected_;
};

}  // namespace pt2::views
