// What the reliability contract forbids, looked for in the sources: starting programs, loading code, formats that are no literals.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace fs = std::filesystem;

namespace {

// Calls `see(path from the root, text)` for each source of the product.
template <class See>
void each_source(See see) {
  const fs::path root = PT2_SOURCE_DIR;
  for (const char* layer : {"core", "interp", "views", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(root / layer)) {
      const std::string extension = entry.path().extension();
      if (extension != ".h" && extension != ".cpp") continue;
      std::ifstream in(entry.path(), std::ios::binary);
      see(fs::relative(entry.path(), root).string(), std::string(std::istreambuf_iterator<char>(in), {}));
    }
}

// The argument after `skipped` others of the call whose "(" is at `open`: where it begins.
size_t argument_at(const std::string& text, size_t open, int skipped) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    if (depth == 1 && skipped == 0) {
      if (text[i] == ' ' || text[i] == '\n') continue;
      return i;
    }
    if (text[i] == '(' || text[i] == '{') ++depth;
    else if (text[i] == ')' || text[i] == '}') --depth;
    else if (text[i] == ',' && depth == 1) --skipped;
    if (depth == 0) break;
  }
  return std::string::npos;
}

// A literal, or a choice of two.
bool literal_at(const std::string& text, size_t at) {
  if (at >= text.size()) return false;
  if (text[at] == '"') return true;
  const size_t choice = text.find('?', at);
  return choice < text.find('\n', at) && text.compare(choice, 3, "? \"") == 0 && text.find(" : \"", choice) < text.find('\n', at);
}

}  // namespace

TEST_CASE("programs are started in two places only: the layout's child, and the user's own editor") {
  const std::regex starts(R"((^|[^\w.>:])(::)?(std::)?(system|popen|exec[lv]p?e?|posix_spawnp?|fork|vfork|dlopen|wordexp)\s*\()");
  std::set<std::string> found;
  each_source([&](const std::string& file, const std::string& text) {
    if (std::regex_search(text, starts)) found.insert(file);
  });
  CHECK(found == std::set<std::string>{"core/layout/layout_process.cpp", "views/workspace/editor.cpp"});
}

TEST_CASE("what ImGui formats is a literal") {
  const std::regex call(R"(ImGui::(Text|TextDisabled|TextWrapped|BulletText|SetTooltip|SetItemTooltip|TextColored|LabelText)\()");
  int calls = 0;
  each_source([&](const std::string& file, const std::string& text) {
    for (auto it = std::sregex_iterator(text.begin(), text.end(), call); it != std::sregex_iterator(); ++it) {
      ++calls;
      const std::string name = (*it)[1];
      const size_t at = argument_at(text, size_t(it->position() + it->length() - 1), name == "TextColored" || name == "LabelText" ? 1 : 0);
      CHECK_MESSAGE(literal_at(text, at), file, ": ", text.substr(size_t(it->position()), 80));
    }
  });
  CHECK(calls > 10);
}
