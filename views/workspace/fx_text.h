#pragma once
// The FX text of a program as numbered lines, made line by line as they are looked at:
//   def forward(self, x: f32[1,3,32,32]):
//       conv2d: f32[1,16,32,32] = aten.conv2d.default(x, p_conv_weight, p_conv_bias)   # conv
//       return (conv2d,)
// Sub-graphs follow the root, each as a function of its own.
#include <cstdint>
#include <string>
#include <vector>

#include "core/graph/program.h"
#include "views/workspace/labels.h"

namespace pt2::views {

struct FxTextOptions {
  bool full_types = false;        // "torch.float32[1, 16]" with strides and device, else "f32[1,16]"
  bool argument_names = false;
  bool module_comments = true;
  bool source_comments = false;
  bool placeholders = false;      // a line for each parameter, buffer and constant
  friend bool operator==(const FxTextOptions&, const FxTextOptions&) = default;
};

struct FxLine {
  enum class Kind : uint8_t { Blank, Header, Placeholder, Node, Folded, Return, Guard } kind = Kind::Blank;
  NodeRef node;        // Node, Placeholder, Return; Folded: the first of its nodes
  GraphId graph;
  ModuleId module;     // Folded
  uint32_t count = 0;  // Folded: nodes in it; Guard: which
  NodeId unlifted;     // in the text of the unlifted form: the form's node
};

enum class FxTextRole : uint8_t { Plain, Name, Defined, Type, Operator, Comment, Keyword };
struct FxPiece {
  std::string text;
  FxTextRole role = FxTextRole::Plain;
  NodeId node;         // Name, Defined: of the line's graph
  NodeId unlifted;     // a name that only the unlifted form has
};

// `folded`: by module; empty: nothing is folded. A folded module shows as one line for each run of its nodes.
std::vector<FxLine> fx_lines(const Program& program, const FxTextOptions& options, const std::vector<uint8_t>& folded = {});
std::vector<FxPiece> fx_pieces(const Program& program, const FxLine& line, const FxTextOptions& options);
std::string fx_line_text(const Program& program, const FxLine& line, const FxTextOptions& options);

}  // namespace pt2::views
