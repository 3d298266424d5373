#include "views/workspace/program_facts.h"

#include <sys/utsname.h>

#include <thread>

#include "core/base/display.h"
#include "core/base/text.h"
#include "core/graph/caller_paths.h"
#include "core/parameters.h"
#include "views/workspace/labels.h"
#include "views/workspace/workspace.h"

namespace pt2::views {

namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

std::string number(double value) { return number_label(value, 6); }

// "float32[2, 3]  batch['mask']": how a caller reaches it, where that says more than the name.
std::string with_path(std::string type, const std::string& path) { return path.empty() ? type : type + "  " + path; }

void add_inputs(Facts& facts, const Program& program) {
  const std::vector<std::string> paths = shown_input_paths(program);
  for (size_t i = 0; i < program.signature.inputs.size(); ++i) {
    const InputSpec& input = program.signature.inputs[i];
    if (input.kind == InputKind::UserInput && input.node) facts.emplace_back("input " + std::string(input.name), with_path(type_label(program.root_graph().node(input.node).val), paths[i]));
  }
}

void add_outputs(Facts& facts, const Program& program) {
  const std::vector<std::string> paths = shown_output_paths(program);
  for (size_t i = 0; i < program.signature.outputs.size(); ++i) {
    const OutputSpec& output = program.signature.outputs[i];
    const NodeId* id = output.value.as<NodeId>();
    const std::string_view name = id ? program.root_graph().node(*id).name : output.name;
    std::string text = with_path(id ? type_label(program.root_graph().node(*id).val) : argument_label(program.root_graph(), output.value), paths[i]);
    if (!output.target.empty()) text += "  " + std::string(kind_name(output.kind)) + " of " + std::string(output.target);
    facts.emplace_back(name.empty() ? "output" : "output " + std::string(name), std::move(text));
  }
}

std::string system_text() {
  utsname system{};
  if (::uname(&system) != 0) return "unknown";
  return std::string(system.sysname) + " " + system.release + " " + system.machine + ", " + std::to_string(std::thread::hardware_concurrency()) + " processors";
}

}  // namespace

Facts program_facts(const std::string& path, const OpenedFile& file, const Program& program) {
  size_t nodes = 0;
  for (const Graph& graph : program.graphs) nodes += graph.nodes().size();
  Facts facts = {{"file", path},
                 {"container", std::string(container_name(file.archive->container()))},
                 {"schema", std::to_string(program.schema_version.major) + "." + std::to_string(program.schema_version.minor)},
                 {"PyTorch", program.torch_version.empty() ? "not said" : std::string(program.torch_version)},
                 {"program", program.name + (program.dialect.empty() ? "" : " (" + std::string(program.dialect) + ")")},
                 {"nodes", with_commas(uint64_t{nodes})},
                 {"parameters", parameter_text(count_parameters(program, file.archive->tensors(program.name)))}};
  add_inputs(facts, program);
  add_outputs(facts, program);
  for (const auto& [symbol, range] : program.range_constraints)
    facts.emplace_back("symbol " + std::string(symbol), (range.min ? number(*range.min) : "-∞") + " … " + (range.max ? number(*range.max) : "∞"));
  return facts;
}

std::string facts_text(const Workspace& workspace) {
  const Interface& ui = workspace.ui;
  std::string text = "pt2scope " + ui.version + "\nrenderer: " + (ui.renderer.empty() ? "none" : ui.renderer) + "\nsystem: " + system_text() + "\n";
  for (const auto& document : workspace.documents()) {
    text += "\n";
    if (!document->program()) text += "file: " + display(document->path) + "\n";
    else
      for (const auto& [name, fact] : program_facts(document->path, *document->file(), *document->program())) text += display(name) + ": " + display(fact) + "\n";
    if (auto* failed = std::get_if<LoadFailed>(&document->state)) text += "cannot be opened: " + display(failed->error.message) + "\n";
  }
  return text;
}

}  // namespace pt2::views
