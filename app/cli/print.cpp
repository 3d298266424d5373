// `print`: the text that PyTorch prints for the program.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/color.h"
#include "app/cli/subcommands.h"
#include "core/base/display.h"
#include "core/load.h"
#include "core/module_form.h"
#include "core/symbolic/guards.h"
#include "core/text/print_program.h"
#include "core/text/print_table.h"

namespace pt2::app {

namespace {

struct Options {
  std::string file, format = "readable", module, color;
  bool source = false;
};

TextLines guard_lines(const Program& program) {
  TextLines lines;
  for (const Guard& guard : program_guards(program)) lines.push_back({display(guard.text), {}});
  return lines;
}

// `program` becomes the one that the lines' nodes belong to.
TextLines lines_of(const OpenedFile& file, std::shared_ptr<const Program>& program, const Options& options, ModuleId module) {
  if (options.format == "graph") return graph_lines(*program, program->root());
  if (options.format == "table") return table_lines(*program, {module, options.source});
  if (options.format == "guards") return guard_lines(*program);
  TextLines lines;
  if (options.format == "signature") append_lines(lines, signature_text(*program));
  else if (options.format == "constraints") append_lines(lines, "Range constraints: " + range_constraints_text(*program));
  else if (options.format == "module") {
    program = module_form(file, program).program;
    return graph_lines(*program, program->root());
  } else {
    return readable_lines(*program);
  }
  return lines;
}

int run_print(const Options& options) {
  const auto [path, name] = split_program_name(options.file);
  LoadOptions load;
  load.only_program = name;
  const auto opened = open_file(path, load);
  if (!opened) return report(path, opened.error());
  auto program = (*opened)->program(name);
  if (!program) return report(path, Error{ErrorKind::CannotOpen, name.empty() ? "the file holds no program" : "the file holds no program \"" + name + "\"", "", "`pt2scope info` lists what it holds."});
  ModuleId module;
  if (!options.module.empty()) {
    module = program->modules.find(options.module);
    if (!module) return report(path, Error{ErrorKind::Failed, "no module call \"" + options.module + "\"", "", "`pt2scope print FILE --format table` shows the module of each node."});
  }
  TextLines lines = lines_of(**opened, program, options, module);
  if (module && options.format != "table") std::erase_if(lines, [&](const TextLine& line) { return !is_inside(*program, line.node, module); });
  const Colors colors(options.color);
  // The readable form says the source of a block of nodes above it.
  const auto is_comment = [](const TextLine& line) {
    const size_t at = line.text.find_first_not_of(' ');
    return at != line.text.npos && line.text[at] == '#';
  };
  if (options.source && options.format != "table")
    for (TextLine& line : lines)
      if (line.node.node && !is_comment(line))
        if (const std::string source = source_text(*program, line.node, true); !source.empty()) line.text += colors(Tone::Faint, "  # " + source);
  if (colors.on())
    for (TextLine& line : lines)
      if (is_comment(line)) line.text = colors(Tone::Faint, line.text);
  std::string text = joined(lines);
  if (!text.ends_with('\n')) text += '\n';
  std::fwrite(text.data(), 1, text.size(), stdout);
  return kDone;
}

}  // namespace

std::function<int()> declare_print(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("FILE", options->file, "A .pt2 file, or FILE#NAME for one program of several")->required();
  app.add_option("--format", options->format,
                 "readable (print(ep)), graph, signature, constraints, module (the unlifted form): what PyTorch prints; table, guards: more")
      ->check(CLI::IsMember({"readable", "graph", "signature", "constraints", "module", "table", "guards"}));
  app.add_option("--module", options->module, "Only the lines of this module call, such as layer1.0.conv");
  app.add_flag("--source", options->source, "Add the source line of each node");
  add_color_option(app, options->color);
  app.footer("Example: pt2scope print model.pt2 --format graph");
  return [options] { return run_print(*options); };
}

}  // namespace pt2::app
