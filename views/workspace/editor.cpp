#include "views/workspace/editor.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

extern char** environ;

namespace pt2::views {

namespace {

constexpr std::string_view kKnownEditors[] = {"code -g {file}:{line}",   "codium -g {file}:{line}",          "subl {file}:{line}",       "zed {file}:{line}",
                                              "kate -l {line} {file}",   "gvim --remote-silent +{line} {file}", "idea --line {line} {file}", "gnome-text-editor {file}"};

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (const char c : text) {
    if (quote ? c == quote : c == '"' || c == '\'') {
      quote = quote ? 0 : c;
      if (!in_word) words.emplace_back(), in_word = true;
    } else if (!quote && (c == ' ' || c == '\t')) {
      in_word = false;
    } else {
      if (!in_word) words.emplace_back(), in_word = true;
      words.back() += c;
    }
  }
  return words;
}

bool put_in(std::string& word, std::string_view name, const std::string& value) {
  bool found = false;
  for (size_t at = 0; (at = word.find(name, at)) != word.npos; at += value.size(), found = true) word.replace(at, name.size(), value);
  return found;
}

std::vector<std::string> filled(std::string_view text, const std::string& file, int64_t line) {
  std::vector<std::string> words = words_of(text);
  bool names_file = false;
  for (size_t i = 1; i < words.size(); ++i) {
    put_in(words[i], "{line}", std::to_string(line));
    names_file |= put_in(words[i], "{file}", file);
  }
  if (!names_file && !words.empty()) words.push_back(file);
  return words;
}

bool is_on_path(const std::string& program) {
  if (program.find('/') != program.npos) return ::access(program.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  for (std::string_view folders = path ? path : ""; !folders.empty();) {
    const size_t end = std::min(folders.find(':'), folders.size());
    if (end > 0 && ::access((std::string(folders.substr(0, end)) + "/" + program).c_str(), X_OK) == 0) return true;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return false;
}

}  // namespace

std::string local_source_path(const std::string& file, std::string_view roots) {
  while (!roots.empty()) {
    const size_t end = std::min(roots.find(';'), roots.size());
    const std::string_view pair = roots.substr(0, end);
    const size_t equals = pair.find('=');
    if (equals != pair.npos && equals > 0 && file.starts_with(pair.substr(0, equals))) return std::string(pair.substr(equals + 1)) + file.substr(equals);
    roots.remove_prefix(std::min(end + 1, roots.size()));
  }
  return file;
}

std::vector<std::string> editor_command(const EditorChoice& choice, const std::string& file, int64_t line) {
  const std::string path = file.starts_with('-') ? "./" + file : file;  // never an option
  if (!choice.setting.empty()) return filled(choice.setting, path, line);
  for (std::string_view known : kKnownEditors)
    if (choice.is_installed(std::string(known.substr(0, known.find(' '))))) return filled(known, path, line);
  const std::string& terminal_editor = choice.visual.empty() ? choice.editor : choice.visual;
  if (terminal_editor.empty() || !choice.is_installed("x-terminal-emulator")) return {};
  return filled("x-terminal-emulator -e " + terminal_editor + " +{line} {file}", path, line);
}

Result<void> open_in_editor(const std::string& setting, const std::string& file, int64_t line) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    return Error{ErrorKind::Failed, "there is no file " + file + " on this machine", "", "Say in the settings, under source roots, which folder stands for that of the exporting machine."};
  const auto variable = [](const char* name) { const char* value = std::getenv(name); return std::string(value ? value : ""); };
  const std::vector<std::string> words = editor_command({setting, variable("VISUAL"), variable("EDITOR"), is_on_path}, file, line);
  if (words.empty()) return Error{ErrorKind::Failed, "no editor was found", "", "Set one in the settings, for example: code -g {file}:{line}"};
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  if (const int failed = ::posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ))
    return Error{ErrorKind::Failed, words[0] + " cannot be started: " + std::strerror(failed), "", "Set another editor in the settings."};
  std::thread([child] { ::waitpid(child, nullptr, 0); }).detach();  // so that it leaves no trace once it ends
  return {};
}

}  // namespace pt2::views
