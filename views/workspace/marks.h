#pragma once
// Bookmarks and notes: what a user left on nodes and modules. Kept with the session of the program.
#include <string>
#include <string_view>
#include <vector>

#include "views/workspace/selection.h"

namespace pt2::views {

struct Mark {
  NodeRef node;      // either this
  ModuleId module;   // or this
  int key = 0;       // 1 … 9: Ctrl and that digit goes there; 0: none
  std::string note;

  bool on(NodeRef other) const { return node.node && node == other; }
  bool on(ModuleId other) const { return module && module == other; }
  Selection selection() const { return module ? Selection::of_module(module) : Selection::of_node(node); }
};

// Of the session, without a certain place in this program: shown, not gone to.
struct WaitingMark {
  std::string on;      // the name it had: "relu", "module layer1"
  std::string target;  // the operator it was on; empty: unknown, or a module
  int key = 0;
  std::string note;
};

struct Marks {
  std::vector<Mark> list;  // in the order they were set
  std::vector<WaitingMark> waiting;

  const Mark* find(NodeRef node) const;
  const Mark* find(const Selection& selection) const;
  const Mark* find_key(int key) const;
  // The mark of what is selected, made if there is none; null: nothing is selected that can have one.
  Mark* at(const Selection& selection);
  // Gives the key to what is selected and takes it from what had it.
  void set_key(const Selection& selection, int key);
  void remove(const Selection& selection);
  int free_key() const;  // 0: all nine are taken
};

}  // namespace pt2::views
