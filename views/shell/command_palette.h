#pragma once
// Go to anything by name: nodes of the active program, modules (`@`), operators (`#`), steps (`:`), commands (`>`).
#include <string>
#include <vector>

#include "views/shell/ui.h"

namespace pt2::views {

class CommandPalette {
 public:
  void draw(ShellContext& c);

 private:
  struct Entry {
    enum class Kind : uint8_t { Node, Module, Operator, Command, Document, Tensor } kind;
    std::string text, detail, keys;
    NodeRef node;
    ModuleId module;
    DocumentId document;
    std::string command;
    int score = 0;
    std::vector<uint32_t> marks;
    NodeId unlifted = {};  // a node that only the unlifted form has
    size_t place = 0;  // without a text to find: recently used commands, then menus, and all else as the program has it
  };
  void find(ShellContext& c);
  void find_tensors(const Document& document, std::string_view needle);
  void find_modules(const Program& program, std::string_view needle);
  void find_nodes(const Document& document, std::string_view needle);
  void find_commands(ShellContext& c, std::string_view needle, int bonus);
  void add(Entry entry, std::string_view needle, int bonus, size_t place);
  void choose(ShellContext& c, const Entry& entry);

  bool was_open_ = false;
  bool to_end_ = false;  // the cursor goes behind the text once the field has the keyboard
  std::string query_, found_for_;
  std::weak_ptr<const Program> found_in_;
  std::vector<Entry> entries_;
  std::vector<std::string> recent_;  // commands chosen here, the last one first
  size_t total_ = 0;
  int selected_ = 0;
};

}  // namespace pt2::views
