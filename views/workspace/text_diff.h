#pragma once
// The texts of two programs line beside line, by what became what, with the parts of a line that differ marked.
#include <cstdint>
#include <vector>

#include "core/diff/diff.h"
#include "views/workspace/fx_text.h"

namespace pt2::views {

struct TextDiffRow {
  static constexpr size_t kNone = size_t(-1);
  size_t left = kNone, right = kNone;  // lines of TextDiff
  size_t group = kNone;                // none: headers, inputs, returns
};

struct TextDiff {
  std::vector<FxLine> left, right;
  std::vector<TextDiffRow> rows;       // graph by graph in the left program's order, groups as the Diff has them
  // The first row of a group; kNone where it is not listed.
  size_t row_of(size_t group) const;
};

TextDiff make_text_diff(const Program& left, const Program& right, const Diff& diff, const FxTextOptions& options);

// Which pieces of one line have no equal in the other: a longest common subsequence of their texts.
void mark_pieces(const std::vector<FxPiece>& left, const std::vector<FxPiece>& right, std::vector<uint8_t>& left_marks, std::vector<uint8_t>& right_marks);

}  // namespace pt2::views
