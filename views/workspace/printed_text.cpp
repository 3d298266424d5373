#include "views/workspace/printed_text.h"

#include <algorithm>

#include "core/base/display.h"
#include "core/text/print_program.h"
#include "core/text/print_table.h"

namespace pt2::views {
namespace {

constexpr size_t kNowhere = size_t(-1);

bool in_name(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

size_t indentation(std::string_view text) { return std::min(text.find_first_not_of(' '), text.size()); }

TextLines all_graphs(const Program& program) {
  TextLines lines = graph_lines(program, program.root());
  for (size_t i = 0; i < program.graphs.size(); ++i) {
    const GraphId graph(i);
    if (graph == program.root()) continue;
    lines.push_back({"", {}});
    lines.push_back({"# " + graph_path(program, graph), {}});
    for (TextLine& line : graph_lines(program, graph)) lines.push_back(std::move(line));
  }
  return lines;
}

FxLine::Kind kind_of(const Node& node) {
  switch (node.kind) {
    case NodeKind::Output: return FxLine::Kind::Return;
    case NodeKind::CallFunction: return FxLine::Kind::Node;
    default: return FxLine::Kind::Placeholder;
  }
}

// Whether a name may stand for a node there: not the part of a longer one (`torch.ops.aten.relu`), not the name of an argument (`dim = 1`).
bool stands_alone(std::string_view text, size_t begin, size_t end) {
  if (begin > 0 && text[begin - 1] == '.') return false;
  const bool first = begin == indentation(text);
  return first || !text.substr(end).starts_with(" = ") || text.substr(0, begin).ends_with("= ") || text.substr(0, begin).ends_with(";  ");
}

}  // namespace

std::vector<NamedPart> cut_at_names(const Graph& graph, std::string_view text, bool bare) {
  std::vector<NamedPart> parts;
  size_t done = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size();) {
    quoted ^= bare && text[i] == '"';
    const bool sign = !bare && text[i] == '%';
    if (quoted || !(sign || (bare && in_name(text[i])))) {
      ++i;
      continue;
    }
    size_t end = i + sign;
    while (end < text.size() && in_name(text[end])) ++end;
    const NodeId node = graph.find(text.substr(i + sign, end - i - sign));
    if (node && (sign || stands_alone(text, i, end))) {
      if (done < i) parts.push_back({text.substr(done, i - done), {}});
      parts.push_back({text.substr(i, end - i), node});
      done = end;
    }
    i = std::max(end, i + 1);
  }
  if (done < text.size()) parts.push_back({text.substr(done), {}});
  return parts;
}

void append_plain(std::vector<FxPiece>& pieces, std::string_view text) {
  constexpr std::string_view kTarget = "[target=", kOps = "torch.ops.";
  size_t from = text.find(kTarget), end = std::string_view::npos;
  if (from != text.npos) end = text.find(']', from += kTarget.size());
  else if ((from = text.find(kOps)) != text.npos) end = text.find('(', from);
  const auto add = [&](std::string_view part, FxTextRole role) {
    if (!part.empty()) pieces.push_back({display(part), role, {}, {}});
  };
  if (end == text.npos) return add(text, FxTextRole::Plain);
  add(text.substr(0, from), FxTextRole::Plain);
  add(text.substr(from, end - from), FxTextRole::Operator);
  add(text.substr(end), FxTextRole::Plain);
}

PrintedText::PrintedText(std::shared_ptr<const Program> program, TextForm form)
    : program_(std::move(program)), form_(form), text_(form == TextForm::Readable ? readable_lines(*program_) : all_graphs(*program_)),
      lines_(text_.size()), heading_(program_->graphs.size(), kNowhere), followed_(program_->graphs.size(), true) {
  GraphId graph = program_->root();
  for (size_t i = text_.size(); i-- > 0;) {
    const TextLine& text = text_[i];
    if (text.node.node) graph = text.node.graph;
    lines_[i] = {FxLine::Kind::Blank, text.node, graph, {}, uint32_t(i), {}};
    const std::string_view code = std::string_view(text.text).substr(indentation(text.text));
    if (code.starts_with("def forward(") || code.starts_with("graph():")) {
      lines_[i].kind = FxLine::Kind::Header;
      heading_[graph] = i;
    }
    // The last line of a node defines it; those before are of its stack trace.
    if (!text.node.node || !place_.emplace(text.node, i).second) continue;
    const Node& node = program_->node(text.node);
    lines_[i].kind = kind_of(node);
    const std::string name = (form == TextForm::Graph ? "%" : "") + std::string(node.name);
    if (node.kind == NodeKind::CallFunction && !code.starts_with(name)) followed_[graph.index] = false;
  }
}

size_t PrintedText::line_of(NodeRef node) const {
  if (auto it = place_.find(node); it != place_.end()) return it->second;
  return heading_.contains(node.graph) ? heading_[node.graph] : kNowhere;
}

std::vector<FxPiece> PrintedText::pieces(const FxLine& line) const {
  const std::string_view text = text_[line.count].text;
  std::vector<FxPiece> pieces;
  const size_t indent = indentation(text);
  if (indent < text.size() && text[indent] == '#') return {{display(text), FxTextRole::Comment, {}, {}}};
  const bool code = line.node.node || line.kind == FxLine::Kind::Header;
  if (!code || !followed_[line.graph.index]) return {{display(text), FxTextRole::Plain, {}, {}}};
  const bool bare = form_ == TextForm::Readable || line.kind == FxLine::Kind::Return;
  size_t at = 0;
  for (const NamedPart& part : cut_at_names(program_->graphs[line.graph], text, bare)) {
    if (part.node) pieces.push_back({display(part.text), at == indent ? FxTextRole::Defined : FxTextRole::Name, part.node, {}});
    else append_plain(pieces, part.text);
    at += part.text.size();
  }
  return pieces;
}

}  // namespace pt2::views
