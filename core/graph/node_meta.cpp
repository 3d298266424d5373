#include "core/graph/node_meta.h"

#include <algorithm>
#include <charconv>

#include "core/base/json_tree.h"

namespace pt2 {

namespace {

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// The parts of `text` between `separator`s that stand outside of brackets.
std::vector<std::string_view> split_outside_brackets(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '[') ++depth;
    else if (c == ')' || c == ']') --depth;
    else if (c == separator && depth <= 0) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// `File "model.py", line 12, in forward`
bool parse_frame(std::string_view line, SourceFrame& frame) {
  if (!line.starts_with("File \"")) return false;
  const size_t quote = line.find("\", line ", 6);
  if (quote == std::string_view::npos) return false;
  frame.file = line.substr(6, quote - 6);
  const std::string_view rest = line.substr(quote + 8);
  const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), frame.line);
  if (problem != std::errc()) return false;
  const std::string_view after = rest.substr(size_t(end - rest.data()));
  frame.function = after.starts_with(", in ") ? after.substr(5) : std::string_view();
  return true;
}

constexpr std::string_view kNoModule = "_empty_nn_module_stack_from_metadata_hook";

}  // namespace

std::vector<SourceFrame> parse_stack_trace(std::string_view stack_trace) {
  std::vector<SourceFrame> frames;
  for (const std::string_view line : split(stack_trace, '\n')) {
    const std::string_view text = trimmed(line);
    SourceFrame frame;
    if (parse_frame(text, frame)) frames.push_back(frame);
    else if (!frames.empty() && frames.back().code.empty()) frames.back().code = text;
  }
  return frames;
}

std::vector<ModuleStackEntry> parse_nn_module_stack(std::string_view nn_module_stack) {
  std::vector<ModuleStackEntry> entries;
  if (nn_module_stack.empty()) return entries;
  for (const std::string_view item : split(nn_module_stack, ';')) {
    ModuleStackEntry entry;
    if (const size_t bracket = item.find(":("); bracket != std::string_view::npos && item.ends_with(')')) {  // 2.1
      const auto parts = split_outside_brackets(item.substr(bracket + 2, item.size() - bracket - 3), ',');
      entry = {item.substr(0, bracket), parts[0], parts.size() > 1 ? parts[1] : std::string_view()};
    } else {
      const auto parts = split_outside_brackets(item, ',');
      if (parts.size() < 2) continue;
      entry = {parts[0], parts[1], parts.size() > 2 ? parts[2] : std::string_view()};
    }
    if (entry.key == kNoModule) continue;
    entries.push_back(entry);
  }
  return entries;
}

std::vector<SourceFn> parse_source_fn_stack(std::string_view source_fn_stack) {
  std::vector<SourceFn> entries;
  if (source_fn_stack.empty()) return entries;
  for (const std::string_view item : split(source_fn_stack, ';')) {
    const size_t comma = item.find(',');
    entries.push_back({item.substr(0, comma), comma == std::string_view::npos ? std::string_view() : item.substr(comma + 1)});
  }
  return entries;
}

std::vector<FromNodeEntry> parse_from_node(std::string_view from_node) {
  std::vector<FromNodeEntry> entries;
  if (from_node.empty()) return entries;
  try {
    JsonReader reader(from_node);
    JsonTree tree;
    // Depth first, in order: entries still to visit, the next one last.
    std::vector<std::pair<JsonCursor, int>> waiting;
    auto push = [&](JsonCursor list, int parent) {
      if (!list.is_array()) return;
      const size_t at = waiting.size();
      for (JsonCursor item : list.elements()) waiting.emplace_back(item, parent);
      std::reverse(waiting.begin() + std::ptrdiff_t(at), waiting.end());
    };
    push(tree.read(reader), -1);
    while (!waiting.empty()) {
      const auto [item, parent] = waiting.back();
      waiting.pop_back();
      if (!item.is_object()) continue;
      FromNodeEntry entry;
      entry.parent = parent;
      auto text = [&](std::string_view key) {
        auto value = item.find(key);
        return value && value->is_string() ? std::string(value->text()) : std::string();
      };
      entry.name = text("name");
      entry.target = text("target");
      entry.pass_name = text("pass_name");
      entry.action = text("action");
      if (auto id = item.find("graph_id"); id && id->kind() == JsonKind::Int) entry.graph_id = id->as_int();
      entries.push_back(std::move(entry));
      if (auto inner = item.find("from_node")) push(*inner, int(entries.size()) - 1);
    }
  } catch (const JsonError&) {
    // Provenance that cannot be read is none; what was read until then stays.
  }
  return entries;
}

}  // namespace pt2
