#pragma once
// The texts PyTorch prints of a program, character for character, as lines of the text pane: each with its node, with names to follow.
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/text_lines.h"
#include "views/workspace/fx_text.h"
#include "views/workspace/preferences.h"

namespace pt2::views {

class PrintedText {
 public:
  // `form`: Readable or Graph. The latter has the graphs of sub-graphs below the root's, which str(ep.graph) leaves out.
  PrintedText(std::shared_ptr<const Program> program, TextForm form);

  const std::vector<FxLine>& lines() const { return lines_; }  // FxLine::count: which
  std::vector<FxPiece> pieces(const FxLine& line) const;
  // Where a node is defined; of a placeholder without a line of its own the heading of its function. npos: nowhere.
  size_t line_of(NodeRef node) const;

 private:
  std::shared_ptr<const Program> program_;
  TextForm form_;
  TextLines text_;
  std::vector<FxLine> lines_;
  std::unordered_map<NodeRef, size_t> place_;
  IdVector<GraphId, size_t> heading_;
  std::vector<bool> followed_;  // by graph: names in its text are those of its nodes
};

// A piece of printed text, or the name of a node of `graph` in it. `bare`: names stand as in Python code, else with a % before them.
struct NamedPart {
  std::string_view text;
  NodeId node;
};
std::vector<NamedPart> cut_at_names(const Graph& graph, std::string_view text, bool bare);
// What stands between names; what is called, as `[target=…]` or `torch.ops…`, is a piece of its own.
void append_plain(std::vector<FxPiece>& pieces, std::string_view text);

}  // namespace pt2::views
