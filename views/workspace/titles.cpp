#include "views/workspace/titles.h"

#include <algorithm>
#include <filesystem>

namespace pt2::views {

namespace {

// The last `count` parts of a path.
std::string ending(const std::string& path, size_t count) {
  size_t at = path.size();
  for (size_t i = 0; i < count && at != 0 && at != path.npos; ++i) at = at == 0 ? path.npos : path.rfind('/', at - 1);
  return at == path.npos ? path : path.substr(std::min(path.size(), at + (path[at] == '/')));
}

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string absolute(const std::string& path) {
  std::error_code error;
  const auto full = std::filesystem::absolute(path, error);
  return error ? path : full.lexically_normal().string();
}

}  // namespace

std::vector<std::string> distinct_names(std::span<const std::string> paths) {
  std::vector<std::string> full, names;
  for (const std::string& path : paths) full.push_back(absolute(path));
  for (const std::string& path : full) {
    size_t parts = 1;
    // One file may be there twice: nothing tells it from itself.
    auto shared = [&](const std::string& other) { return other != path && ending(other, parts) == ending(path, parts); };
    while (ending(path, parts) != path && std::any_of(full.begin(), full.end(), shared)) ++parts;
    names.push_back(ending(path, parts));
  }
  return names;
}

std::string distinct_title(const Workspace& workspace, const Document& document) {
  const std::string title = document.title();
  const std::string_view name = name_of(document.path);
  // Asked for in each frame, and most files have a name of their own.
  const auto& all = workspace.documents();
  if (std::none_of(all.begin(), all.end(), [&](const auto& other) { return other->path != document.path && name_of(other->path) == name; })) return title;
  std::vector<std::string> paths{document.path};
  for (const auto& other : all) paths.push_back(other->path);
  return distinct_names(paths).front() + title.substr(std::min(title.size(), name.size()));
}

}  // namespace pt2::views
