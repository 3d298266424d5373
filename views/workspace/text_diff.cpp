#include "views/workspace/text_diff.h"

#include <algorithm>
#include <map>

#include "views/workspace/comparison.h"

namespace pt2::views {

namespace {

// Lines by what they show; a graph's header and return by the graph.
struct Index {
  std::map<NodeRef, size_t> nodes;
  std::map<GraphId, size_t> headers, returns;
  std::map<GraphId, std::vector<size_t>> placeholders;
};

Index index_of(const std::vector<FxLine>& lines) {
  Index index;
  for (size_t i = 0; i < lines.size(); ++i) {
    const FxLine& line = lines[i];
    switch (line.kind) {
      case FxLine::Kind::Header: index.headers.emplace(line.graph, i); break;
      case FxLine::Kind::Return: index.returns.emplace(line.graph, i); break;
      case FxLine::Kind::Placeholder: index.placeholders[line.graph].push_back(i); break;
      case FxLine::Kind::Node: index.nodes.emplace(line.node, i); break;
      default: break;
    }
  }
  return index;
}

size_t find(const std::map<GraphId, size_t>& lines, GraphId graph) {
  const auto it = lines.find(graph);
  return it == lines.end() ? TextDiffRow::kNone : it->second;
}

std::vector<size_t> lines_of(const std::map<GraphId, std::vector<size_t>>& lines, GraphId graph) {
  const auto it = lines.find(graph);
  return it == lines.end() ? std::vector<size_t>() : it->second;
}

// The lines of a group beside each other, in order: those of one operator, then those that give the group's value, then those that read the same,
// as far as there are partners.
class GroupRows {
 public:
  GroupRows(const Program& left, const Program& right, const Diff& diff, const TextDiff& text) : left_(left), right_(right), diff_(diff), text_(text) {}

  std::vector<TextDiffRow> pair(const std::vector<size_t>& ls, const std::vector<size_t>& rs, size_t group) const {
    constexpr size_t kMostCells = 10'000;  // larger groups stand as they come
    constexpr size_t kNone = TextDiffRow::kNone;
    const size_t n = ls.size(), m = rs.size();
    std::vector<TextDiffRow> rows;
    if (n == m || n == 0 || m == 0 || n * m > kMostCells) {
      for (size_t i = 0; i < std::max(n, m); ++i) rows.push_back({i < n ? ls[i] : kNone, i < m ? rs[i] : kNone, group});
      return rows;
    }
    std::vector<size_t> alike(n * m), best((n + 1) * (m + 1), 0);
    auto at = [&](size_t i, size_t j) -> size_t& { return best[i * (m + 1) + j]; };
    for (size_t i = n; i-- > 0;)
      for (size_t j = m; j-- > 0;) {
        alike[i * m + j] = likeness(text_.left[ls[i]].node, text_.right[rs[j]].node);
        at(i, j) = std::max({at(i + 1, j + 1) + alike[i * m + j], at(i + 1, j), at(i, j + 1)});
      }
    for (size_t i = 0, j = 0; i < n || j < m;) {
      if (i < n && j < m && at(i, j) == at(i + 1, j + 1) + alike[i * m + j]) rows.push_back({ls[i++], rs[j++], group});
      else if (j >= m || (i < n && at(i, j) == at(i + 1, j))) rows.push_back({ls[i++], kNone, group});
      else rows.push_back({kNone, rs[j++], group});
    }
    return rows;
  }

 private:
  // Never 0: any pair is better than none.
  size_t likeness(NodeRef l, NodeRef r) const {
    constexpr size_t kSameOperator = 64, kGivesValue = 16, kOperand = 2;
    const bool both_give = gives_value(diff_, true, left_, l) && gives_value(diff_, false, right_, r);
    return 1 + kSameOperator * (left_.node(l).target == right_.node(r).target) + kGivesValue * both_give + kOperand * shared_operands(diff_, true, left_, l, right_, r);
  }
  const Program &left_, &right_;
  const Diff& diff_;
  const TextDiff& text_;
};

}  // namespace

size_t TextDiff::row_of(size_t group) const {
  for (size_t i = 0; i < rows.size(); ++i)
    if (rows[i].group == group) return i;
  return TextDiffRow::kNone;
}

TextDiff make_text_diff(const Program& left, const Program& right, const Diff& diff, const FxTextOptions& options) {
  TextDiff text;
  text.left = fx_lines(left, options);
  text.right = fx_lines(right, options);
  const Index a = index_of(text.left), b = index_of(text.right);
  const std::map<NodeRef, NodeRef> aligned(diff.placeholders.begin(), diff.placeholders.end());

  // Groups stand graph by graph; where the graph changes, the one before is closed and the next opened.
  GraphId lgraph, rgraph;
  bool open = false;
  auto close = [&] {
    if (open) text.rows.push_back({find(a.returns, lgraph), find(b.returns, rgraph), TextDiffRow::kNone});
    if (open && text.rows.back().left == TextDiffRow::kNone && text.rows.back().right == TextDiffRow::kNone) text.rows.pop_back();
  };
  // Inputs that are the same ones beside each other, then those that only the right program has.
  auto input_rows = [&](GraphId l, GraphId r) {
    std::map<NodeRef, size_t> theirs;
    for (const size_t line : lines_of(b.placeholders, r)) theirs.emplace(text.right[line].node, line);
    for (const size_t line : lines_of(a.placeholders, l)) {
      const auto partner = aligned.find(text.left[line].node);
      const auto other = partner == aligned.end() ? theirs.end() : theirs.find(partner->second);
      text.rows.push_back({line, other == theirs.end() ? TextDiffRow::kNone : other->second, TextDiffRow::kNone});
      if (other != theirs.end()) theirs.erase(other);
    }
    for (const auto& rest : theirs) text.rows.push_back({TextDiffRow::kNone, rest.second, TextDiffRow::kNone});
  };
  auto begin = [&](GraphId l, GraphId r) {
    close();
    lgraph = l, rgraph = r, open = true;
    text.rows.push_back({find(a.headers, l), find(b.headers, r), TextDiffRow::kNone});
    if (text.rows.back().left == TextDiffRow::kNone && text.rows.back().right == TextDiffRow::kNone) text.rows.pop_back();
    input_rows(l, r);
  };
  begin(left.root(), right.root());
  const GroupRows paired(left, right, diff, text);
  for (size_t g = 0; g < diff.groups.size(); ++g) {
    const NodeGroup& group = diff.groups[g];
    const GraphId l = group.left.empty() ? GraphId() : group.left[0].graph, r = group.right.empty() ? GraphId() : group.right[0].graph;
    const bool same_graph = (l.valid() && l == lgraph) || (r.valid() && r == rgraph);
    if (!same_graph) begin(l, r);
    else if (l.valid() && r.valid()) lgraph = l, rgraph = r;
    std::vector<size_t> ls, rs;
    for (NodeRef ref : group.left)
      if (const auto it = a.nodes.find(ref); it != a.nodes.end()) ls.push_back(it->second);
    for (NodeRef ref : group.right)
      if (const auto it = b.nodes.find(ref); it != b.nodes.end()) rs.push_back(it->second);
    const auto rows = paired.pair(ls, rs, g);
    text.rows.insert(text.rows.end(), rows.begin(), rows.end());
  }
  close();
  return text;
}

void mark_pieces(const std::vector<FxPiece>& left, const std::vector<FxPiece>& right, std::vector<uint8_t>& left_marks, std::vector<uint8_t>& right_marks) {
  left_marks.assign(left.size(), 0);
  right_marks.assign(right.size(), 0);
  const size_t n = left.size(), m = right.size();
  constexpr size_t kMostCells = 250'000;  // very long lines are marked as a whole
  if (n * m > kMostCells) {
    std::fill(left_marks.begin(), left_marks.end(), 1);
    std::fill(right_marks.begin(), right_marks.end(), 1);
    return;
  }
  std::vector<uint32_t> longest((n + 1) * (m + 1), 0);
  auto at = [&](size_t i, size_t j) -> uint32_t& { return longest[i * (m + 1) + j]; };
  for (size_t i = n; i-- > 0;)
    for (size_t j = m; j-- > 0;) at(i, j) = left[i].text == right[j].text ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  size_t i = 0, j = 0;
  while (i < n || j < m) {
    if (i < n && j < m && left[i].text == right[j].text) ++i, ++j;
    else if (j >= m || (i < n && at(i + 1, j) >= at(i, j + 1))) left_marks[i++] = 1;
    else right_marks[j++] = 1;
  }
}

}  // namespace pt2::views
