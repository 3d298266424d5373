// What mouse, keys and the context menu do in the graph pane.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/display.h"
#include "core/base/json_tree.h"
#include "core/base/text.h"
#include "core/graph/results.h"
#include "core/graph/shown_frame.h"
#include "views/panes/graph_pane.h"
#include "views/widgets/menu_key.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/labels.h"

namespace pt2::views {
namespace {

constexpr float kEdgeReach = 6;  // px from an edge that still hit it

Rect chip_rect(const Rect& box, const Chip& chip) { return {box.x + chip.rect.x, box.y + chip.rect.y, chip.rect.w, chip.rect.h}; }

// The entries of a node's metadata as the file has them, as one JSON object.
std::string metadata_json(const NodeMeta& meta) {
  std::string text;
  auto add = [&](std::string_view key, std::string_view value) {
    if (!value.empty()) text += (text.empty() ? "" : ", ") + json_quoted(key) + ": " + json_quoted(value);
  };
  for (const auto& [key, value] : {std::pair<std::string_view, std::string_view>{"stack_trace", meta.stack_trace}, {"nn_module_stack", meta.nn_module_stack}, {"source_fn_stack", meta.source_fn_stack},
                                   {"torch_fn", meta.torch_fn}, {"from_node", meta.from_node}, {"custom", meta.custom}})
    add(key, value);
  for (const auto& [key, value] : meta.other) add(key, value);
  return text.empty() ? text : "{" + text + "}";
}

// From where the keys walk on: from the node that was added last while a selection is extended, otherwise from what is selected.
BoxId walked_from(const GraphPicture& picture, const Selection& selection, BoxId walked_to) {
  if (picture.scene.boxes.contains(walked_to)) {
    const auto& others = selection.others;
    if (std::find(others.begin(), others.end(), selection_of(picture.scene, walked_to).node) != others.end()) return walked_to;
  }
  return picture.box_of(selection);
}

}  // namespace

GraphPane::Hover GraphPane::hover_at(ImVec2 world) const {
  Hover hover;
  const Point p{world.x, world.y};
  if (BoxId box = picture_->box_at(p)) {
    hover.box = box;
    if (canvas_.zoom() >= kZoomNames)
      for (const Chip& chip : picture_->scene.chips_of(picture_->scene.boxes[box]))
        if (chip_rect(picture_->layout.boxes[box], chip).contains(p)) hover.chip = chip.placeholder;
    return hover;
  }
  if (canvas_.zoom() >= kZoomBadges)
    for (const OutStub& stub : picture_->layout.out_stubs)
      if (stub.tag.contains(p)) {
        hover.stub = &stub;
        return hover;
      }
  hover.title = picture_->cluster_at(p, true);
  if (hover.title) return hover;
  if (canvas_.zoom() >= kZoomBadges) hover.edge = picture_->edge_at(p, kEdgeReach / canvas_.scale());
  hover.cluster = picture_->cluster_at(p, false);
  return hover;
}

void GraphPane::select(PaneContext& context, Selection selection) { context.push("select.set", std::move(selection), "graph"); }

void GraphPane::add_to_selection(PaneContext& context, BoxId box) {
  const Selection added = selection_of(picture_->scene, box);
  Selection selection = context.document->selection.current();
  if (!added.node.node || !selection.node.node) return select(context, added);
  if (auto it = std::find(selection.others.begin(), selection.others.end(), added.node); it != selection.others.end()) {
    selection.others.erase(it);
  } else if (selection.node == added.node) {
    if (selection.others.empty()) return select(context, {});
    selection.node = selection.others.front();
    selection.others.erase(selection.others.begin());
  } else {
    selection.others.push_back(added.node);
  }
  select(context, std::move(selection));
}

void GraphPane::toggle(PaneContext& context, ScopeId scope) {
  if (!scope) return;
  const Rect r = picture_->rect_of(scope);
  anchor_ = Anchor{scope, {}, canvas_.screen_from_world({r.x, r.y})};
  context.push("view.toggle_scope", scope, "graph");
}

// Space: the selected module, else the sub-graph a selected operator runs, else the module it lies in.
void GraphPane::toggle_selected(PaneContext& context) {
  const Selection& selection = context.document->selection.current();
  const GraphScene& scene = picture_->scene;
  if (selection.module) {
    for (ScopeId scope : scene.tree->scopes_of(selection.module))
      if (!picture_->rect_of(scope).empty()) return toggle(context, scope);
    return;
  }
  const NodeRef node = selection.shown();
  if (!node.node) return;
  if (BoxId box = scene.box_of(node); box && scene.boxes[box].folded()) return toggle(context, scene.boxes[box].scope);
  const NodeRef in_tree = scene.in_tree(node);
  if (!in_tree.node) return;
  for (const Scope& scope : scene.tree->scopes())
    if (scope.kind == ScopeKind::Subgraph && scope.reader == in_tree.node && scope.parent && (*scene.tree)[scope.parent].graph == in_tree.graph)
      return toggle(context, scene.tree->scope_of(scope.graph));
  const ScopeId around = scene.tree->scope_of(in_tree);
  if (around != scene.tree->root()) {
    toggle(context, around);
    if ((*scene.tree)[around].kind == ScopeKind::Module) select(context, Selection::of_module((*scene.tree)[around].module));
  }
}

void GraphPane::open_selected(PaneContext& context) {
  const Selection& selection = context.document->selection.current();
  if (selection.module) context.push("view.open_module", selection.module, "graph");
  else if (selection.shown().node) context.push("view.pane", std::string("tensor"), "graph");
}

// A module shown alone is left to what was shown before it: folded as it was, and soon with the camera where it was. None: nothing was left so.
std::optional<GraphView> GraphPane::view_outside(const Document& document) {
  const ModuleId from = requested_.root, to = document.graph.root;
  if (from == to || !picture_) return std::nullopt;
  back_to_.reset();
  if (!outside_.empty() && outside_.back().opened != from) outside_.clear();
  // Who opens a module or goes somewhere asks for the camera; who leaves does not.
  if (seen_camera_ != document.camera.revision) {
    if (to) outside_.push_back({to, from, requested_.expanded[to] != 0, fitted_, canvas_.target_center(), canvas_.target_zoom()});
    return std::nullopt;
  }
  if (outside_.empty()) return std::nullopt;
  back_to_ = outside_.back();
  outside_.pop_back();
  GraphView view = document.graph;
  view.root = back_to_->root;
  view.expanded[from] = back_to_->unfolded;
  return view;
}

// Alt+click: to the end that is farther away from the pointer.
void GraphPane::jump_along(PaneContext& context, size_t index) {
  const SceneEdge& edge = picture_->scene.edges[index];
  const ImVec2 mouse = canvas_.world_from_screen(ImGui::GetIO().MousePos);
  auto distance = [&](BoxId box) {
    const Point c = picture_->layout.boxes[box].center();
    return std::hypot(c.x - mouse.x, c.y - mouse.y);
  };
  jump_to(context, distance(edge.from) > distance(edge.to) ? edge.from : edge.to);
}

void GraphPane::jump_to(PaneContext& context, BoxId box) {
  const Rect& r = picture_->layout.boxes[box];
  reveal(context, r, context.animate, reading_zoom(context.theme, r));
  fitted_ = false;
  select(context, selection_of(picture_->scene, box));
}

std::vector<BoxId> GraphPane::readers_of(const OutStub& stub) const {
  std::vector<BoxId> readers;
  for (uint32_t e : picture_->edges_out_of(stub.from))
    if (picture_->layout.edges[e].stub == stub.number) readers.push_back(picture_->scene.edges[e].to);
  return readers;
}

// A cut line is followed to its reader; of several one is chosen.
void GraphPane::follow_stub(PaneContext& context, const OutStub& stub) {
  readers_ = readers_of(stub);
  if (readers_.size() == 1) return jump_to(context, readers_.front());
  if (!readers_.empty()) ImGui::OpenPopup("##readers");
}

void GraphPane::readers_menu(PaneContext& context) {
  if (!ImGui::BeginPopup("##readers")) return;
  ImGui::TextDisabled("%s places read it", with_commas(uint64_t(readers_.size())).c_str());
  for (size_t i = 0; i < readers_.size(); ++i) {
    if (!picture_->scene.boxes.contains(readers_[i])) continue;  // another picture came
    const SceneBox& box = picture_->scene.boxes[readers_[i]];
    const std::string title = display_cut(box.title, 80);
    if (ImGui::MenuItem((title + "##" + std::to_string(i)).c_str(), display_cut(box.subtitle, 60).c_str())) jump_to(context, readers_[i]);
    context.probe.item(context.graph_prefix() + "/reader/" + std::to_string(i), title);
  }
  ImGui::EndPopup();
}

void GraphPane::handle_mouse(PaneContext& context, const Canvas::Events& events) {
  const GraphScene& scene = picture_->scene;
  const ImGuiIO& io = ImGui::GetIO();
  const Hover before = hover_;
  const ImVec2 was = std::exchange(pointer_, io.MousePos);  // ImGui has no delta for the first move into the window
  if (was.x != pointer_.x || was.y != pointer_.y || io.MouseWheel != 0 || ImGui::IsAnyMouseDown() || events.clicked || events.right_clicked) pointer_rests_ = false;
  hover_ = events.hovered && !pointer_rests_ ? hover_at(events.mouse) : Hover{};
  if (!(hover_ == before)) {
    hover_since_ = context.workspace.now;
    if (!pointer_rests_) card_by_key_ = false;
  }
  if (hover_.edge != GraphPicture::kNoEdge || hover_.box || hover_.title || hover_.stub) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);

  if (events.press_dragging || events.press_released) {
    const WorldRect band{std::min(events.press.x, events.mouse.x), std::min(events.press.y, events.mouse.y), std::max(events.press.x, events.mouse.x),
                         std::max(events.press.y, events.mouse.y)};
    if (events.press_released) {
      Selection selection;
      picture_->box_grid.visit({band.x0, band.y0, band.width(), band.height()}, [&](uint32_t i) {
        const NodeRef node = selection_of(scene, BoxId(i)).node;
        if (!node.node) return;
        if (!selection.node.node) selection.node = node;
        else selection.others.push_back(node);
      });
      select(context, std::move(selection));
    } else {
      const ImVec2 a = canvas_.screen_from_world({band.x0, band.y0}), b = canvas_.screen_from_world({band.x1, band.y1});
      ImDrawList* list = ImGui::GetForegroundDrawList();
      list->AddRectFilled(a, b, context.theme.color(Role::Accent, 0.15f));
      list->AddRectFilled(a, {b.x, a.y + 1}, context.theme.color(Role::Accent));
      list->AddRectFilled({a.x, b.y - 1}, b, context.theme.color(Role::Accent));
    }
  }
  if (events.double_clicked) {
    if (hover_.chip) context.push("view.pane", std::string("tensor"), "graph");
    else if (hover_.box && scene.boxes[hover_.box].folded()) toggle(context, scene.boxes[hover_.box].scope);
    else if (hover_.box) context.push("view.pane", std::string("tensor"), "graph");
    else if (hover_.title) toggle(context, scene.clusters[hover_.title].scope);
    else if (hover_.cluster && hover_.edge == GraphPicture::kNoEdge) toggle(context, scene.clusters[hover_.cluster].scope);
    return;
  }
  if (events.right_clicked) {
    menu_node_ = context.document->selection.current().shown();
    menu_at_ = io.MousePos;
    if (hover_.box) {
      const Selection selection = selection_of(scene, hover_.box);
      if (!context.document->selection.current().holds(selection.node)) {
        const Selection meant = hover_.chip ? Selection::of_value({scene.program->root(), hover_.chip}) : selection;
        menu_node_ = meant.shown();
        select(context, meant);
      }
    } else if (ClusterId cluster = hover_.title ? hover_.title : hover_.cluster; cluster && scene.clusters[cluster].kind == ScopeKind::Module) {
      menu_node_ = {};
      select(context, Selection::of_module(scene.clusters[cluster].module));
    }
    ImGui::OpenPopup("##graph menu");
    return;
  }
  if (!events.clicked || events.click_count > 1) return;
  came_from_ = walked_to_ = {};
  if (hover_.chip) {
    select(context, Selection::of_value({scene.program->root(), hover_.chip}));
    context.push("view.pane", std::string("tensor"), "graph");
  } else if (hover_.box) {
    if (io.KeyShift || io.KeyCtrl) add_to_selection(context, hover_.box);
    else select(context, selection_of(scene, hover_.box));
  } else if (hover_.stub) {
    follow_stub(context, *hover_.stub);
  } else if (hover_.title && scene.clusters[hover_.title].kind == ScopeKind::Module) {
    select(context, Selection::of_module(scene.clusters[hover_.title].module));
  } else if (hover_.edge != GraphPicture::kNoEdge) {
    const SceneEdge& edge = scene.edges[hover_.edge];
    const bool on_tag = picture_->layout.edges[hover_.edge].stub && picture_->layout.edges[hover_.edge].stub_tag.contains({events.mouse.x, events.mouse.y});
    if (io.KeyAlt || on_tag) return jump_along(context, hover_.edge);
    EdgeRef ref;
    const auto values = scene.values_of(edge);
    ref.from = values.empty() ? scene.boxes[edge.from].node : values[0];
    ref.to = scene.boxes[edge.to].node;
    select(context, Selection::of_edge(ref));
  } else if (hover_.cluster && scene.clusters[hover_.cluster].kind == ScopeKind::Module) {
    select(context, Selection::of_module(scene.clusters[hover_.cluster].module));
  } else if (!context.document->selection.current().empty()) {
    select(context, {});
  }
}

void GraphPane::step(PaneContext& context, Walk way, bool extend) {
  const Selection& selection = context.document->selection.current();
  const BoxId from = walked_from(*picture_, selection, walked_to_);
  BoxId to = walk(*picture_, from, way, walked_to_ == from ? came_from_ : BoxId());
  // Of several things that are selected each is a node: folded modules are passed over.
  auto is_node = [&](BoxId box) { return bool(selection_of(picture_->scene, box).node.node); };
  for (BoxId last = from; extend && to && to != last && !is_node(to);) last = std::exchange(to, walk(*picture_, to, way));
  if (!to || (extend && !is_node(to))) return;
  if (way == Walk::Consumer || way == Walk::Producer) came_from_ = to == from ? came_from_ : from;
  else if (way != Walk::PreviousSibling && way != Walk::NextSibling) came_from_ = {};
  walked_to_ = to;
  if (to == from && !extend) return;
  const Rect& r = picture_->layout.boxes[to];
  if (const float nearer = reading_zoom(context.theme, r); nearer > canvas_.target_zoom() || !everything_in_sight()) {
    reveal(context, r, context.animate, nearer);
    fitted_ = false;
  }
  const NodeRef node = selection_of(picture_->scene, to).node;
  if (!extend) select(context, selection_of(picture_->scene, to));
  else if (!selection.holds(node)) add_to_selection(context, to);
}

void GraphPane::handle_keys(PaneContext& context) {
  if (!context.focused || ImGui::GetIO().WantTextInput) return;
  FrameInput& input = context.input;
  if (std::any_of(input.events.begin(), input.events.end(), [](const InputEvent& e) { return e.type == InputEvent::Type::Key && e.down && e.chord.key < Key::Ctrl; })) pointer_rests_ = true;
  struct WalkKey { Key key; Walk way; };
  constexpr WalkKey kWalks[] = {{Key::Down, Walk::Consumer},    {Key::Up, Walk::Producer},   {Key::Left, Walk::PreviousSibling}, {Key::Right, Walk::NextSibling},
                                {Key::Home, Walk::First},       {Key::End, Walk::Last},      {Key::PageUp, Walk::Before},        {Key::PageDown, Walk::After},
                                {Key::K, Walk::Before},         {Key::J, Walk::After}};
  const bool sideways = picture_->scene.view.direction == Direction::LeftRight;
  for (WalkKey w : kWalks) {
    Walk way = w.way;
    // Left to right, the arrows turn with the picture.
    if (sideways) {
      if (w.key == Key::Right) way = Walk::Consumer;
      if (w.key == Key::Left) way = Walk::Producer;
      if (w.key == Key::Up) way = Walk::PreviousSibling;
      if (w.key == Key::Down) way = Walk::NextSibling;
    }
    if (input.pressed(w.key)) step(context, way, false);
    if (input.pressed(Chord{w.key, false, true, false})) step(context, way, true);
  }
  // A sign is what is typed, wherever its key is; scripts press the key alone. One press counts once.
  const bool shift_equal = input.pressed(Chord{Key::Equal, false, true, false}), equal = input.pressed(Key::Equal), minus = input.pressed(Key::Minus);
  const bool typed_plus = input.typed('+'), typed_equal = input.typed('='), typed_minus = input.typed('-');
  if (typed_plus || shift_equal) context.push("view.zoom_in", {}, "graph");
  else if (typed_equal || equal) context.push(context.side == Side::None ? "view.zoom_in" : "compare.link", {}, "graph");
  if (typed_minus || minus) context.push("view.zoom_out", {}, "graph");
  struct CommandKey { Chord chord; const char* command; };
  const CommandKey kCommands[] = {{{Key::U}, "view.upstream"},       {{Key::D}, "view.downstream"},    {{Key::F}, "view.fit"},          {{Key::Z}, "view.fit_selection"},
                                  {{Key::P}, "view.parameters"},     {{Key::L}, "view.direction"},     {{Key::H}, "view.hide_node"},    {{Key::H, false, true}, "view.unhide_all"},
                                  {{Key::D1}, "view.actual_size"},   {{Key::Backspace}, "view.leave_module"}};
  if (context.side != Side::None && input.pressed(Key::S)) context.push("compare.sync", {}, "graph");
  for (const CommandKey& k : kCommands)
    if (input.pressed(k.chord)) context.push(k.command, {}, "graph");
  for (bool downwards : {false, true})
    if (input.pressed(Chord{downwards ? Key::D : Key::U, false, true, false}) && previous_selection_.node)
      context.push("view.path", previous_selection_, "graph");
  if (input.pressed(Key::M)) minimap_on_ = !minimap_on_;
  if (input.pressed(Key::Space)) toggle_selected(context);
  if (input.pressed(Key::Enter)) open_selected(context);
  if (input.pressed(Chord{Key::I, true, false, false})) {
    card_by_key_ = !card_by_key_;
  }
  if (const bool inputs = input.pressed(Key::I); inputs || input.pressed(Key::O)) {
    const BoxId box = picture_->box_of(context.document->selection.current());
    if (!box) return;
    Selection selection;
    auto add = [&](BoxId other) {
      const NodeRef node = selection_of(picture_->scene, other).node;
      if (!node.node || selection.holds(node)) return;
      if (!selection.node.node) selection.node = node;
      else selection.others.push_back(node);
    };
    if (inputs) for (uint32_t e : picture_->edges_into(box)) add(picture_->scene.edges[e].from);
    else for (uint32_t e : picture_->edges_out_of(box)) add(picture_->scene.edges[e].to);
    if (selection.node.node) select(context, std::move(selection));
  }
  if (menu_key(context)) {
    menu_node_ = context.document->selection.current().shown();
    // At the right edge of what is selected, as far as that is in sight; without a selection in the middle.
    const ImVec2 low = canvas_.screen_min(), high = canvas_.screen_max();
    const Rect r = picture_->rect_of(context.document->selection.current());
    const ImVec2 at = r.empty() ? ImVec2((low.x + high.x) / 2, (low.y + high.y) / 2) : canvas_.screen_from_world({r.right(), r.y});
    menu_at_ = {std::clamp(at.x, low.x, high.x), std::clamp(at.y, low.y, high.y)};
    ImGui::OpenPopup("##graph menu");
  }
}

void GraphPane::menu(PaneContext& context) {
  ImGui::SetNextWindowPos(menu_at_, ImGuiCond_Appearing);
  if (!ImGui::BeginPopup("##graph menu")) return;
  const Document& document = *context.document;
  const Program& program = *document.program();
  // A run may select another node meanwhile: the menu keeps the one it was opened for.
  const bool moved = menu_node_.node && menu_node_ != document.selection.current().shown();
  const Selection selection = moved ? Selection::of_node(menu_node_) : document.selection.current();
  auto item = [&](const char* title, const char* keys, const char* command, CommandArgument argument = {}, bool enabled = true) {
    if (ImGui::MenuItem(title, keys, false, enabled)) {
      if (moved) select(context, selection);  // some commands go by what is selected
      context.push(command, std::move(argument), "graph");
    }
    const std::string name = context.graph_prefix() + "/menu/" + command;
    if (context.probe.on() && !context.probe.find(name)) context.probe.item(name, title, enabled);
  };
  auto copy = [&](const char* title, const std::string& text) {
    if (ImGui::MenuItem(title, nullptr, false, !text.empty())) ImGui::SetClipboardText(text.c_str());
  };
  if (const NodeRef ref = selection.shown(); ref.node) {
    const Node& node = program.node(ref);
    const bool operation = node.kind == NodeKind::CallFunction;
    ImGui::TextDisabled("%s", display_cut(node.name, 60).c_str());
    if (operation) {
      item("Run to here", "Ctrl+F10", "debug.run_to", ref);
      item("Toggle breakpoint", "F9", "debug.toggle_breakpoint", ref);
      item("Condition…", "Shift+F9", "debug.edit_condition", ref);
      item("Run to this operator", nullptr, "debug.run_until", "op=" + std::string(short_target(node.target)));
    }
    item("Add watch", nullptr, "watch.add", display(node_path(program, ref)));
    item("Edit value…", nullptr, "debug.edit", ref, gives_a_value(program.graphs[ref.graph], ref.node));
    item("Where its NaN comes from", nullptr, "debug.show_producer", ref, document.debug && !document.debug->debugger()->trace().steps().empty());
    item("Show value", "Enter", "view.pane", std::string("tensor"));
    ImGui::Separator();
    item("Highlight upstream", "U", "view.upstream");
    item("Highlight downstream", "D", "view.downstream");
    item("Highlight both", nullptr, "view.both_ways");
    item("Path from previous selection", "Shift+U", "view.path", previous_selection_, bool(previous_selection_.node));
    ImGui::Separator();
    item("Hide", "H", "view.hide_node", {}, bool(selection.node.node));
    item("Isolate with neighbours", nullptr, "view.isolate", ref);
    if (!document.graph.hidden.empty()) item("Show all hidden", "Shift+H", "view.unhide_all");
    ImGui::Separator();
    if (context.side != Side::None) {
      item("Find match", nullptr, "compare.find_match", ref);
      item("Link the two selected nodes", "=", "compare.link");
      item("Unlink the selected group", nullptr, "compare.unlink");
      item("Write a reproduction of the group…", nullptr, "compare.repro");
      ImGui::Separator();
    }
    item(document.marks.find(ref) ? "Edit note…" : "Note…", "F2", "edit.rename");
    item("Bookmark", "Ctrl+Shift+1…9", "mark.bookmark");
    ImGui::Separator();
    if (node.module && program.modules.modules.contains(node.module) && program.modules.modules[node.module].parent) item("Fold its module", nullptr, "view.fold_module", node.module);
    if (operation) item("Write a reproduction…", nullptr, "debug.repro");
    item("Go to source", nullptr, "view.pane", std::string("source"));
    item("Go to text", "F12", "view.text");
    item("Find same operator", nullptr, "search.open", "op:" + std::string(short_target(node.target)), operation);
    ImGui::Separator();
    copy("Copy name", std::string(node.name));
    copy("Copy operator", operation ? std::string(short_target(node.target)) : "");
    const auto frames = parse_stack_trace(node.meta->stack_trace);
    const SourceFrame* frame = shown_frame(frames);
    copy("Copy source line", frame ? std::string(frame->file) + ":" + std::to_string(frame->line) : "");
    copy("Copy stack trace", std::string(node.meta->stack_trace));
    copy("Copy metadata", metadata_json(*node.meta));
  } else if (selection.module) {
    const Module& module = program.modules.modules[selection.module];
    ImGui::TextDisabled("%s", display_cut(module.path, 60).c_str());
    item("Expand or fold", "Space", "view.toggle_module", selection.module);
    item("Show alone", "Enter", "view.open_module", selection.module);
    ImGui::Separator();
    item("Hide", "H", "view.hide_node", selection.module);
    item("Isolate with neighbours", nullptr, "view.isolate", selection.module);
    if (!document.graph.hidden.empty()) item("Show all hidden", "Shift+H", "view.unhide_all");
    ImGui::Separator();
    item("Note…", "F2", "edit.rename");
    item("Bookmark", "Ctrl+Shift+1…9", "mark.bookmark");
    ImGui::Separator();
    item("Run to its end", nullptr, "debug.run_until", "exit=" + module.path);
    item("Break on enter", nullptr, "breakpoint.add", "module=" + module.path);
    item("Break on exit", nullptr, "breakpoint.add", "exit=" + module.path);
    ImGui::Separator();
    copy("Copy path", module.path);
    copy("Copy type", std::string(module.type));
  } else {
    item("Fit all", "F", "view.fit");
    item("Unfold all modules", nullptr, "view.unfold_all");
    item("Fold all modules", nullptr, "view.fold_all");
    item("Fold as opened", nullptr, "view.initial_folds");
    if (!document.graph.hidden.empty()) item("Show all hidden", "Shift+H", "view.unhide_all");
    ImGui::Separator();
    item("Save graph picture…", nullptr, "file.save_picture");
  }
  ImGui::EndPopup();
}

}  // namespace pt2::views
