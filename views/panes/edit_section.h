#pragma once
// What if: the part of the Node pane where a value or a constant argument is edited, and what the edit changed.
#include <map>
#include <string>

#include "views/shell/pane.h"

namespace pt2::views {

class EditSection {
 public:
  // `focus`: the field for the value takes the keyboard.
  void draw(PaneContext& context, NodeRef node, bool focus);

 private:
  // `part`: what of the node an empty text takes back; empty: what the command is about.
  void field(PaneContext& context, const char* label, const std::string& name, const std::string& hint, const std::string& edited, const std::string& command, const std::string& part = {});

  NodeRef node_;
  struct Typed { std::string text, of; };  // of: the edit it began with
  std::map<std::string, Typed> typed_;     // by field
};

}  // namespace pt2::views
