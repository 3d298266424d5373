// `print`: the text that PyTorch prints for the program.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/subcommands.h"
#include "core/graph/unlift.h"
#include "core/load.h"
#include "core/text/print_program.h"

namespace pt2::app {

namespace {

struct Options {
  std::string file, format = "readable";
};

std::string text_of(const OpenedFile& file, std::shared_ptr<const Program> shared, const std::string& format) {
  const Program& program = *shared;
  if (format == "graph") return joined(graph_lines(program, program.root()));
  if (format == "signature") return signature_text(program);
  if (format == "constraints") return "Range constraints: " + range_constraints_text(program);
  if (format == "module") {
    const auto inputs = file.archive->sample_inputs(program.name);
    const bool has_inputs = inputs && !std::holds_alternative<PickleNone>(inputs->value);
    const UnliftedProgram module = unlift(std::move(shared), has_inputs ? GuardsNode::AfterInputs : GuardsNode::None);
    return joined(graph_lines(*module.program, module.program->root()));
  }
  return joined(readable_lines(program));
}

int run_print(const Options& options) {
  const auto [path, name] = split_program_name(options.file);
  LoadOptions load;
  load.only_program = name;
  auto opened = open_file(path, load);
  if (!opened) return report(path, opened.error());
  const auto program = (*opened)->program(name);
  if (!program) return report(path, Error{ErrorKind::CannotOpen, name.empty() ? "no program in this file" : "no program \"" + name + "\" in this file", "", ""});
  std::string text = text_of(**opened, program, options.format);
  if (!text.ends_with('\n')) text += '\n';
  std::fwrite(text.data(), 1, text.size(), stdout);
  return kDone;
}

}  // namespace

std::function<int()> declare_print(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("FILE", options->file, "A .pt2 file, or FILE#NAME for one program of several")->required();
  app.add_option("--format", options->format, "readable (print(ep)), graph, signature, constraints, or module (the unlifted form)")
      ->check(CLI::IsMember({"readable", "graph", "signature", "constraints", "module"}));
  app.footer("Example: pt2scope print model.pt2 --format graph");
  return [options] { return run_print(*options); };
}

}  // namespace pt2::app
