#include "views/shell/key_sheet.h"

#include <algorithm>

namespace pt2::views {

namespace {

struct KeyRow { const char *keys, *action, *commands = ""; };  // commands: those of the keys, in their order
constexpr KeyRow kGraph[] = {
    {"Down, Up", "First consumer, first producer"}, {"Left, Right", "Previous, next sibling"}, {"Home, End", "First, last box"},
    {"PgUp, PgDn, K, J", "Previous, next in execution order"}, {"Shift with any of these", "Add to the selection"},
    {"Space", "Fold or unfold"}, {"Enter", "Tensor pane; module alone"}, {"Backspace", "Leave module", "view.leave_module"},
    {"I, O", "Select all inputs, outputs"}, {"U, D", "Highlight upstream, downstream", "view.upstream, view.downstream"},
    {"Shift+U, Shift+D", "Highlight the path from the previous selection"}, {"F", "Fit all", "view.fit"}, {"Z", "Fit selection", "view.fit_selection"},
    {"+, -, 1", "Zoom in, out, 100 %", "view.zoom_in, view.zoom_out, view.actual_size"}, {"P", "Parameters: attached, nodes, hidden", "view.parameters"},
    {"L", "Direction", "view.direction"}, {"M", "Mini-map"}, {"H, Shift+H", "Hide, unhide all", "view.hide_node, view.unhide_all"},
    {"Ctrl+I", "The card of the selection"}, {"S", "Comparison: how one graph moves the other", "compare.sync"}, {"=", "Comparison: link the selected nodes", "compare.link"},
    {"Menu, Shift+F10", "Context menu; also in text and tables"}};
constexpr KeyRow kGraphMouse[] = {
    {"Wheel", "Zoom at the pointer"}, {"Drag on empty space", "Pan (also with the middle button)"}, {"Click, Shift+click", "Select, add to the selection"},
    {"Ctrl+drag", "Rubber band"}, {"Double click", "Node: tensor; module: fold or unfold"}, {"Alt+click an edge", "Go to its far end"}, {"Right click", "Menu"}};
constexpr KeyRow kText[] = {
    {"Up, Down, Enter", "Previous, next line; tensor pane"}, {"Click a name", "Select it"}, {"Ctrl+click a name", "Go to where it is made"}, {"Click the gutter", "Breakpoint"}};
constexpr KeyRow kEverywhere[] = {
    {"/", "Find", "search.open"}, {"?", "This sheet", "help.keyboard"}, {"[, ]", "Back, forward; also mouse buttons 4 and 5", "go.back, go.forward"},
    {"Tab, Shift+Tab", "Next, previous field, button or link of the pane or dialog"}};

template <size_t N>
KeySection section(const char* title, const KeyRow (&rows)[N]) {
  KeySection section{title, {}};
  for (const KeyRow& row : rows) section.rows.emplace_back(row.keys, row.action);
  return section;
}

// "A, B" taken apart at its next comma.
std::string_view next_of(std::string_view& list) {
  const std::string_view one = list.substr(0, list.find(", "));
  list.remove_prefix(std::min(list.size(), one.size() + 2));
  return one;
}

// Every chord of a command; the user's own takes the place of all that it had.
std::string all_keys(const CommandRegistry& registry, const Command& command) {
  if (const bool own = std::any_of(registry.keys.begin(), registry.keys.end(), [&](const auto& key) { return key.first == command.id; }); own) return registry.shortcut(command);
  std::string keys;
  for (const char c : command.default_shortcut) keys += c == ' ' ? std::string(", ") : std::string(1, c);
  return keys;
}

}  // namespace

std::vector<KeySection> key_sheet(const CommandRegistry& registry) {
  std::vector<KeySection> sheet;
  for (const char* menu : {"Run", "File", "Edit", "Go", "View", "Compare", "Help"}) {
    KeySection section{menu, {}};
    for (const Command& command : registry.commands())
      if (const std::string keys = all_keys(registry, command); command.menu == menu && !keys.empty()) section.rows.emplace_back(keys, command.title);
    sheet.push_back(std::move(section));
  }
  sheet.push_back(section("Outside of text fields", kEverywhere));
  sheet.push_back(section("In the graph", kGraph));
  sheet.push_back(section("Mouse in the graph", kGraphMouse));
  sheet.push_back(section("In the text", kText));
  return sheet;
}

std::string_view graph_key(std::string_view command) {
  for (const KeyRow& row : kGraph)
    for (std::string_view keys = row.keys, commands = row.commands; !commands.empty();) {
      const std::string_view key = next_of(keys);
      if (next_of(commands) == command) return key;
    }
  return {};
}

std::string menu_keys(const CommandRegistry& registry, const Command& command) {
  const std::string keys = registry.shortcut(command);
  return keys.empty() ? std::string(graph_key(command.id)) : keys;
}

}  // namespace pt2::views
