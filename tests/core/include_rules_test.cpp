// What the linker cannot check: a layer includes only what the table of the architecture page allows it to know.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

constexpr const char* kLayers[] = {"core", "interp", "views", "app"};

struct Rule {
  std::string files;      // regex over the path from the root
  std::string forbidden;  // regex over the included name
  std::string except;     // files that are the seam; empty: none
};

const std::vector<Rule> kRules = {
    {"core/.*", "(interp|views|app)/.*", ""},
    {"core/.*", "(imgui|GLFW|GL|EGL|Eigen|cairo).*", ""},
    {"interp/.*", "(views|app)/.*", ""},
    {"interp/.*", "(imgui|GLFW|GL|EGL|nlohmann|graphviz|cairo).*", ""},
    {"views/.*", "app/.*", ""},
    {"views/.*", "(GLFW|GL|EGL|nlohmann|graphviz|cairo).*", ""},
    {"views/(workspace|commands)/.*", "(imgui|views/(shell|panes|widgets)).*", ""},
    {".*", "graphviz/.*", "core/layout/graphviz_layout\\.cpp"},
    {"(core|views|app|tests)/.*", "Eigen/.*", ""},
    {".*", "GLFW/.*", "app/window.*\\.cpp"},
};

}  // namespace

TEST_CASE("each layer includes only what it may know") {
  const fs::path root = PT2_SOURCE_DIR;
  const std::regex include_line(R"rx(^\s*#\s*include\s*[<"]([^>"]+)[>"])rx");
  std::vector<std::string> broken;
  int files = 0;
  for (const char* layer : kLayers) {
    if (!fs::exists(root / layer)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / layer)) {
      const std::string extension = entry.path().extension();
      if (extension != ".h" && extension != ".cpp") continue;
      ++files;
      const std::string file = fs::relative(entry.path(), root);
      std::ifstream in(entry.path());
      std::smatch match;
      for (std::string line; std::getline(in, line);) {
        if (line.find("#include") == std::string::npos || !std::regex_search(line, match, include_line)) continue;
        const std::string included = match[1];
        for (const Rule& rule : kRules)
          if (std::regex_match(file, std::regex(rule.files)) && std::regex_match(included, std::regex(rule.forbidden)) &&
              (rule.except.empty() || !std::regex_match(file, std::regex(rule.except))))
            broken.push_back(file + " includes " + included);
      }
    }
  }
  CHECK(files > 5);
  for (const std::string& line : broken) FAIL_CHECK(line);
}

TEST_CASE("ImGui's version is asked in the compat files only") {
  const fs::path root = PT2_SOURCE_DIR;
  for (const char* layer : kLayers) {
    if (!fs::exists(root / layer)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / layer)) {
      const std::string name = entry.path().filename();
      if (!entry.is_regular_file() || name.starts_with("compat") || name.starts_with("fonts") || name.starts_with("platform")) continue;
      std::ifstream in(entry.path());
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      CHECK_MESSAGE(text.find("IMGUI_VERSION_NUM") == std::string::npos, entry.path().string());
    }
  }
}
