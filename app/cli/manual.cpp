// `completion` and `manual`: what a shell and man(1) want to know, written from the same options that --help shows.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>

#include "app/cli/subcommands.h"

namespace pt2::app {

namespace {

constexpr std::string_view kFilePatterns[] = {"pt2", "safetensors", "npz", "npy", "pt", "pth"};

bool shown(const CLI::App& app) { return !app.get_group().empty(); }

std::vector<const CLI::App*> subcommands_of(const CLI::App& program) {
  std::vector<const CLI::App*> found;
  for (const CLI::App* sub : program.get_subcommands([](const CLI::App*) { return true; }))
    if (shown(*sub)) found.push_back(sub);
  return found;
}

// One option as shells and the manual see it.
struct OptionFacts {
  std::vector<std::string> names;     // "-o", "--output"; empty: an operand
  std::string operand;                // its name, for operands
  std::string help, value;            // value: "OUT.png"; empty for flags
  std::vector<std::string> choices;
  bool takes_file = false;
};

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts(1);
  for (char c : text) {
    if (c == at) parts.emplace_back();
    else parts.back() += c;
  }
  return parts;
}

OptionFacts facts_of(const CLI::Option& option) {
  OptionFacts facts;
  for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) facts.names.push_back("--" + name);
  facts.operand = facts.names.empty() ? option.get_name() : "";
  facts.help = option.get_description();
  if (option.get_items_expected_max() == 0) return facts;
  // CLI11 keeps the choices of IsMember in the type's name: "TEXT:{dark,light}".
  const std::string type = option.get_type_name();
  const size_t open = type.find('{'), close = type.rfind('}');
  if (open != type.npos && close != type.npos) facts.choices = split(std::string_view(type).substr(open + 1, close - open - 1), ',');
  facts.value = type.substr(0, type.find(':'));
  if (facts.value.empty() || facts.value == "TEXT") facts.value = "VALUE";
  constexpr std::string_view kFiles[] = {"--inputs", "--record", "--reference", "--values", "--output", "--script", "--screenshot", "--session", "--map"};
  for (const std::string& name : facts.names) facts.takes_file |= std::find(std::begin(kFiles), std::end(kFiles), name) != std::end(kFiles);
  facts.takes_file |= facts.operand == "FILE" || facts.operand == "A" || facts.operand == "B";
  return facts;
}

std::vector<OptionFacts> options_of(const CLI::App& app) {
  std::vector<OptionFacts> facts;
  for (const CLI::Option* option : app.get_options()) facts.push_back(facts_of(*option));
  return facts;
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(between)) + word;
  return text;
}

// In single quotes for any of the shells.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (char c : text) {
    if (c == '\'') out += "'\\''";
    else if (c == '\n') out += ' ';
    else out += c;
  }
  return out + "'";
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (size_t at = 0; (at = text.find(what, at)) != text.npos; at += with.size()) text.replace(at, what.size(), with);
  return text;
}

// --- bash ---

void bash_case(std::string& out, const CLI::App& app, const std::string& extra_words) {
  std::vector<std::string> names;
  std::string values;
  for (const OptionFacts& option : options_of(app)) {
    for (const std::string& name : option.names) names.push_back(name);
    if (option.names.empty() || option.value.empty()) continue;
    values += "        " + joined(option.names, "|") + ") ";
    values += !option.choices.empty() ? "COMPREPLY=($(compgen -W " + shell_quoted(joined(option.choices, " ")) + " -- \"$cur\"))"
              : option.takes_file     ? "COMPREPLY=($(compgen -f -- \"$cur\"))"
                                      : "COMPREPLY=()";
    values += "; return ;;\n";
  }
  if (!values.empty()) out += "      case \"$prev\" in\n" + values + "      esac\n";
  out += "      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W " + shell_quoted(joined(names, " ")) + " -- \"$cur\")); return; fi\n";
  if (!extra_words.empty()) out += "      COMPREPLY=($(compgen -W " + shell_quoted(extra_words) + " -- \"$cur\"))\n";
}

std::string bash_completion(const CLI::App& program) {
  std::string names, cases;
  for (const CLI::App* sub : subcommands_of(program)) {
    names += (names.empty() ? "" : " ") + sub->get_name();
    cases += "    " + sub->get_name() + ")\n";
    bash_case(cases, *sub, "");
    cases += "      ;;\n";
  }
  std::string out = "# bash completion of pt2scope; written by `pt2scope completion bash`\n_pt2scope() {\n"
                    "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=\n"
                    "  COMPREPLY=()\n"
                    "  ((COMP_CWORD > 1)) && command=${COMP_WORDS[1]}\n"
                    "  case \"$command\" in\n" + cases + "    *)\n";
  std::string words = names;
  std::string top;
  bash_case(top, program, "");
  out += top + "      if ((COMP_CWORD == 1)); then COMPREPLY=($(compgen -W " + shell_quoted(words) + " -- \"$cur\")); fi\n      ;;\n  esac\n";
  std::string pattern;
  for (std::string_view suffix : kFilePatterns) pattern += (pattern.empty() ? "" : "|") + std::string(suffix);
  out += "  # Operands are files; folders lead to them.\n"
         "  local file\n"
         "  while IFS= read -r file; do\n"
         "    if [[ -d $file || $file =~ \\.(" + pattern + ")$ ]]; then COMPREPLY+=(\"$file\"); fi\n"
         "  done < <(compgen -f -- \"$cur\")\n"
         "}\ncomplete -o filenames -F _pt2scope pt2scope\n";
  return out;
}

// --- zsh ---

std::string zsh_text(std::string text) {
  text = replaced(std::move(text), "\\", "\\\\");
  for (const char* sign : {"[", "]", ":"}) text = replaced(std::move(text), sign, std::string("\\") + sign);
  return text;
}

std::string zsh_arguments(const CLI::App& app, const std::string& indent) {
  std::string pattern;
  for (std::string_view suffix : kFilePatterns) pattern += (pattern.empty() ? "" : "|") + std::string(suffix);
  const std::string files = "_files -g \"*.(" + pattern + ")(-.)\"";
  std::string out;
  for (const OptionFacts& option : options_of(app)) {
    std::string action = !option.choices.empty() ? "(" + joined(option.choices, " ") + ")" : option.takes_file ? "_files" : "";
    if (option.names.empty()) {
      out += " \\\n" + indent + shell_quoted("*:" + zsh_text(option.operand) + ":" + (option.takes_file ? files : action));
      continue;
    }
    for (const std::string& name : option.names) {
      std::string spec = name + "[" + zsh_text(option.help) + "]";
      if (!option.value.empty()) spec += ":" + zsh_text(option.value) + ":" + action;
      out += " \\\n" + indent + shell_quoted("*" + spec);
    }
  }
  return out;
}

std::string zsh_completion(const CLI::App& program) {
  std::string commands, cases;
  for (const CLI::App* sub : subcommands_of(program)) {
    commands += "    " + shell_quoted(sub->get_name() + ":" + zsh_text(sub->get_description())) + "\n";
    cases += "    " + sub->get_name() + ") shift words; ((CURRENT--)); _arguments" + zsh_arguments(*sub, "      ") + " ;;\n";
  }
  return "#compdef pt2scope\n# written by `pt2scope completion zsh`\n_pt2scope() {\n  local -a commands\n  commands=(\n" + commands +
         "  )\n  if ((CURRENT == 2)); then _describe -t commands 'pt2scope command' commands; fi\n  case $words[2] in\n" + cases + "    *) _arguments" +
         zsh_arguments(program, "      ") + " ;;\n  esac\n}\n_pt2scope \"$@\"\n";
}

// --- fish ---

void fish_options(std::string& out, const CLI::App& app, const std::string& condition) {
  for (const OptionFacts& option : options_of(app)) {
    if (option.names.empty()) continue;
    out += "complete -c pt2scope -n " + shell_quoted(condition);
    for (const std::string& name : option.names) out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.choices.empty()) out += " -x -a " + shell_quoted(joined(option.choices, " "));
    else if (option.takes_file) out += " -r -F";
    else if (!option.value.empty()) out += " -x";
    out += " -d " + shell_quoted(option.help) + "\n";
  }
}

std::string fish_completion(const CLI::App& program) {
  std::string names, out = "# written by `pt2scope completion fish`\n", rest;
  for (const CLI::App* sub : subcommands_of(program)) {
    names += (names.empty() ? "" : " ") + sub->get_name();
    rest += "complete -c pt2scope -n __fish_use_subcommand -a " + sub->get_name() + " -d " + shell_quoted(sub->get_description()) + "\n";
    fish_options(rest, *sub, "__fish_seen_subcommand_from " + sub->get_name());
  }
  out += rest;
  fish_options(out, program, "not __fish_seen_subcommand_from " + names);
  return out;
}

// --- man ---

std::string roff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (char c : text) {
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else if (line_start && (c == '.' || c == '\'')) out += std::string("\\&") + c;
    else out += c;
    line_start = c == '\n';
  }
  return out;
}

void manual_options(std::string& out, const CLI::App& app) {
  for (const OptionFacts& option : options_of(app)) {
    out += ".TP\n";
    if (option.names.empty()) {
      out += "\\fI" + roff(option.operand) + "\\fR\n";
    } else {
      std::vector<std::string> names;
      for (const std::string& name : option.names) names.push_back("\\fB" + roff(name) + "\\fR");
      out += joined(names, ", ") + (option.value.empty() ? "" : " \\fI" + roff(option.value) + "\\fR") + "\n";
    }
    out += roff(option.help);
    if (!option.choices.empty() && option.help.find(option.choices.front()) == std::string::npos) out += roff(" (" + joined(option.choices, ", ") + ")");
    out += "\n";
  }
}

std::string manual_page(const CLI::App& program) {
  std::string out = std::string(".TH PT2SCOPE 1 \"\" \"pt2scope ") + PT2_VERSION + "\" \"User Commands\"\n"
                    ".SH NAME\npt2scope \\- look at and step through PyTorch Export IR (.pt2)\n"
                    ".SH SYNOPSIS\n\\fBpt2scope\\fR [\\fIOPTIONS\\fR] [\\fIFILE\\fR [\\fIFILE2\\fR]]\n.br\n"
                    "\\fBpt2scope\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] \\fIFILE\\fR\n"
                    ".SH DESCRIPTION\n"
                    "Without a command the window opens: the graph of the exported program, laid out and folded by module, in step with its text, and a debugger "
                    "that evaluates it node by node. Two files are compared. Each command gives without a window what a pane shows. "
                    "Nothing from a file is ever executed.\n"
                    ".SH OPTIONS\n";
  manual_options(out, program);
  out += ".SH COMMANDS\n";
  for (const CLI::App* sub : subcommands_of(program)) {
    out += ".SS " + roff(sub->get_name()) + "\n" + roff(sub->get_description()) + ".\n";
    manual_options(out, *sub);
    if (const std::string footer = sub->get_footer(); !footer.empty()) out += ".PP\n" + roff(footer) + "\n";
  }
  const std::pair<const char*, const char*> statuses[] = {{"0", "Done."},
                                                          {"1", "Done, and the answer is no: a node failed, a mismatch, a difference, a finding of severity error."},
                                                          {"2", "Wrong usage."},
                                                          {"3", "A file cannot be opened."},
                                                          {"4", "A limit was hit."},
                                                          {"5", "Stopped by the user."},
                                                          {"6", "A window was asked for, and there is no display or no OpenGL."}};
  out += ".SH EXIT STATUS\n";
  for (const auto& [status, meaning] : statuses) out += std::string(".TP\n.B ") + status + "\n" + roff(meaning) + "\n";
  const std::pair<const char*, const char*> environment[] = {{"XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME", "Where settings, sessions and the bundled sample are kept, each in a folder pt2scope."},
                                                             {"VISUAL, EDITOR", "The editor for source lines where no template is set in the settings and no known editor is found."},
                                                             {"NO_COLOR", "Where set, nothing is coloured."}};
  out += ".SH ENVIRONMENT\n";
  for (const auto& [name, meaning] : environment) out += std::string(".TP\n.B ") + roff(name) + "\n" + roff(meaning) + "\n";
  out += ".SH FILES\n.TP\n.I $XDG_CONFIG_HOME/pt2scope/settings.json\nSettings; keys.json beside it holds shortcuts.\n"
         ".TP\n.I $XDG_STATE_HOME/pt2scope/\nRecent files, the arrangement of panes, and breakpoints and watches by program.\n"
         ".SH EXAMPLES\n.TP\n.B pt2scope model.pt2\nOpen the window.\n.TP\n.B pt2scope exported.pt2 decomposed.pt2\nCompare two programs.\n"
         ".TP\n.B pt2scope run model.pt2 \\-\\-break nan\nRun up to the first NaN.\n"
         ".TP\n.B pt2scope model.pt2 \\-\\-offscreen \\-\\-script steps.txt \\-\\-screenshot out.png\nTake a picture of the window without a display.\n";
  return out;
}

int write(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  return kDone;
}

}  // namespace

std::function<int()> declare_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  app.footer("Example: pt2scope completion bash > ~/.local/share/bash-completion/completions/pt2scope");
  return [shell, &app] {
    const CLI::App& program = *app.get_parent();
    return write(*shell == "bash" ? bash_completion(program) : *shell == "zsh" ? zsh_completion(program) : fish_completion(program));
  };
}

std::function<int()> declare_manual(CLI::App& app) {
  app.footer("Example: pt2scope manual | man -l -");
  return [&app] { return write(manual_page(*app.get_parent())); };
}

}  // namespace pt2::app
