#include "views/workspace/editor.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace pt2::views;

namespace {

using Words = std::vector<std::string>;

EditorChoice with(Words installed, std::string setting = "", std::string visual = "", std::string editor = "") {
  return {std::move(setting), std::move(visual), std::move(editor),
          [installed = std::move(installed)](const std::string& name) { return std::find(installed.begin(), installed.end(), name) != installed.end(); }};
}

}  // namespace

TEST_CASE("an editor's template is cut into words before the path is put in") {
  CHECK(editor_command(with({}, "code -g {file}:{line}"), "/a b/net.py", 41) == Words{"code", "-g", "/a b/net.py:41"});
  CHECK(editor_command(with({}, "'/opt/my editor' --line={line} \"{file}\""), "/x; rm -rf $HOME/n.py", 3) == Words{"/opt/my editor", "--line=3", "/x; rm -rf $HOME/n.py"});
  CHECK(editor_command(with({}, "ed"), "/n.py", 3) == Words{"ed", "/n.py"});
  CHECK(editor_command(with({}, "ed {file}"), "--evil.py", 3) == Words{"ed", "./--evil.py"});
  CHECK(editor_command(with({}, "ed {file}"), "/{line}.py", 3) == Words{"ed", "/{line}.py"});
}

TEST_CASE("without a template: a known editor, else that of the environment in a terminal, else none") {
  CHECK(editor_command(with({"subl", "gvim"}, "", "vim"), "/n.py", 7) == Words{"subl", "/n.py:7"});
  CHECK(editor_command(with({"x-terminal-emulator"}, "", "vim", "nano"), "/n.py", 7) == Words{"x-terminal-emulator", "-e", "vim", "+7", "/n.py"});
  CHECK(editor_command(with({"x-terminal-emulator"}, "", "", "nano -l"), "/n.py", 7) == Words{"x-terminal-emulator", "-e", "nano", "-l", "+7", "/n.py"});
  CHECK(editor_command(with({}, "", "vim"), "/n.py", 7).empty());
}

TEST_CASE("source roots say where folders of the exporting machine are here") {
  CHECK(local_source_path("/train/repo/net.py", "/other=/x;/train=/home/me/src") == "/home/me/src/repo/net.py");
  CHECK(local_source_path("/train/net.py", "") == "/train/net.py");
  CHECK(local_source_path("/train/net.py", ";=;junk;/elsewhere=/y") == "/train/net.py");
}

TEST_CASE("a file that is not there opens no editor") {
  const auto opened = open_in_editor("true {file}", "/no/such/net.py", 1);
  REQUIRE(!opened);
  CHECK(opened.error().message == "there is no file /no/such/net.py on this machine");
}
