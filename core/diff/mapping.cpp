#include "core/diff/mapping.h"

#include <fstream>
#include <iterator>
#include <map>

namespace pt2 {

namespace {

std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  return first == text.npos ? std::string() : std::string(text.substr(first, text.find_last_not_of(" \t\r") + 1 - first));
}

std::map<std::string, NodeRef> nodes_by_name(const Program& program) {
  std::map<std::string, NodeRef> nodes;
  for (size_t g = 0; g < program.graphs.size(); ++g)
    for (size_t i = 0; i < program.graphs[GraphId(g)].nodes().size(); ++i) {
      const NodeRef ref{GraphId(g), NodeId(i)};
      nodes.emplace(qualified_name(program, ref), ref);
    }
  return nodes;
}

}  // namespace

Result<Mapping> parse_mapping(std::string_view text, const std::string& where) {
  Mapping mapping;
  size_t number = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    line = line.substr(0, line.find('#'));
    if (trimmed(line).empty()) continue;
    const size_t at = line.find_first_of("=!");
    if (at == line.npos) return Error{ErrorKind::CannotOpen, "expected LEFT = RIGHT or LEFT ! RIGHT", where + ":" + std::to_string(number), ""};
    (line[at] == '=' ? mapping.linked : mapping.unlinked).emplace_back(trimmed(line.substr(0, at)), trimmed(line.substr(at + 1)));
  }
  return mapping;
}

Result<Mapping> read_mapping(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error{ErrorKind::CannotOpen, "the mapping file cannot be read", path, ""};
  return parse_mapping(std::string(std::istreambuf_iterator<char>(in), {}), path);
}

std::string mapping_text(const Mapping& mapping) {
  std::string text = "# Pairs for pt2scope compare --map: LEFT = RIGHT belong together, LEFT ! RIGHT do not.\n";
  for (const auto& [left, right] : mapping.linked) text += left + " = " + right + "\n";
  for (const auto& [left, right] : mapping.unlinked) text += left + " ! " + right + "\n";
  return text;
}

Result<void> apply_mapping(const Mapping& mapping, const Program& left, const Program& right, DiffOptions& options) {
  const auto lnodes = nodes_by_name(left), rnodes = nodes_by_name(right);
  for (const bool linked : {true, false})
    for (const auto& [a, b] : linked ? mapping.linked : mapping.unlinked) {
      const auto l = lnodes.find(a), r = rnodes.find(b);
      if (l == lnodes.end()) return Error{ErrorKind::CannotOpen, "there is no node \"" + a + "\" in the first program", "", ""};
      if (r == rnodes.end()) return Error{ErrorKind::CannotOpen, "there is no node \"" + b + "\" in the second program", "", ""};
      (linked ? options.linked : options.unlinked).emplace_back(l->second, r->second);
    }
  return {};
}

}  // namespace pt2
