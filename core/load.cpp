#include "core/load.h"

#include <sys/stat.h>

#include <unordered_set>

#include "core/decode/decode.h"

namespace pt2 {

namespace {

std::string place_of(const Archive& archive, const std::string& model) {
  return archive.container() == Container::Legacy ? "serialized_exported_program.json" : "models/" + model + ".json";
}

Result<std::shared_ptr<const Program>> load_program(const Archive& archive, const std::string& model, const LoadOptions& options) {
  const std::string place = place_of(archive, model);
  if (options.progress) options.progress("Parse program");
  auto json = archive.model_json(model);
  if (!json) return json.error();
  return decode_program(model, *json, place, options.stop);
}

// The `version` entry of a legacy file says the same as its JSON: "8.2", "1".
void check_version_entry(const Archive& archive, const Program& program, std::vector<Finding>& findings) {
  const auto entry = archive.version_entry();
  if (!entry) return;
  const std::string text = entry->substr(0, entry->find_last_not_of(" \r\n\t") + 1);
  const std::string major = std::to_string(program.schema_version.major);
  if (text == major + "." + std::to_string(program.schema_version.minor) || (text == major && program.schema_version.minor == 0)) return;
  findings.push_back({Severity::Warning, "format.schema-version",
                      "the entry says schema version \"" + text.substr(0, 40) + "\", the program says " + major + "." + std::to_string(program.schema_version.minor),
                      "version", "The program was read as its own JSON says.", {}});
}

bool file_exists(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0;
}

}  // namespace

std::shared_ptr<const Program> OpenedFile::program(std::string_view name) const {
  for (const auto& candidate : programs)
    if (candidate->name == (name.empty() ? "model" : name)) return candidate;
  return name.empty() && !programs.empty() ? programs.front() : nullptr;
}

std::vector<Finding> missing_weights(const Archive& archive, const Program& program) {
  std::vector<Finding> findings;
  std::unordered_set<std::string> stored;
  for (TensorInfo& tensor : archive.tensors(program.name)) stored.insert(std::move(tensor.name));
  for (size_t i = 0; i < program.signature.inputs.size(); ++i) {
    const InputSpec& input = program.signature.inputs[i];
    const bool is_tensor = input.kind == InputKind::Parameter || input.kind == InputKind::Buffer || input.kind == InputKind::TensorConstant;
    const std::string target(input.target);
    if (!is_tensor || stored.count(target)) continue;
    findings.push_back({Severity::Warning, "weights.missing", "the " + std::string(kind_name(input.kind)) + " \"" + target + "\" of input \"" + std::string(input.name) + "\" is not in the file",
                        place_of(archive, program.name) + ": graph_module.signature.input_specs[" + std::to_string(i) + "]",
                        "The graph can be browsed; this tensor has no values and nodes that need it will not run.", {GraphId(0), input.node}});
  }
  return findings;
}

Result<std::shared_ptr<const OpenedFile>> open_file(const std::string& path, const LoadOptions& options) {
  if (options.progress) options.progress("Read archive");
  auto archive = open_archive(path);
  if (!archive) return archive.error();
  auto file = std::make_shared<OpenedFile>();
  file->path = path;
  file->archive = *archive;
  std::optional<Error> first_error;
  bool found = options.only_program.empty();
  for (const std::string& model : (*archive)->models()) {
    if (!options.only_program.empty() && model != options.only_program) continue;
    found = true;
    auto program = load_program(**archive, model, options);
    if (program) {
      file->programs.push_back(*program);
      check_version_entry(**archive, **program, file->findings);
    } else {
      const Error& error = program.error();
      if (error.kind == ErrorKind::Stopped) return error;
      if (!first_error) first_error = error;
      file->findings.push_back({Severity::Error, "format.program", error.message, error.where, error.advice, {}});
    }
  }
  if (!found) {
    std::string names;
    for (const std::string& model : (*archive)->models()) names += (names.empty() ? "\"" : ", \"") + model + "\"";
    return Error{ErrorKind::CannotOpen, "there is no program \"" + options.only_program + "\" in the file", "", names.empty() ? "The file holds no programs." : "It holds " + names + "."};
  }
  if (file->programs.empty() && first_error) return *first_error;
  return std::shared_ptr<const OpenedFile>(std::move(file));
}

std::pair<std::string, std::string> split_program_name(const std::string& argument) {
  const size_t hash = argument.rfind('#');
  if (hash == std::string::npos || file_exists(argument)) return {argument, ""};
  return {argument.substr(0, hash), argument.substr(hash + 1)};
}

}  // namespace pt2
