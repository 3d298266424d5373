// The zip of PyTorch 2.1 to 2.7: one program, and up to three torch.save files inside. 2.1 and 2.2 called those .json; 2.1 kept constant
// tensors in the program's JSON, as base64 of torch.save files.
#include "core/archive/containers.h"
#include "core/archive/program_archive.h"
#include "core/base/base64.h"
#include "core/base/json_tree.h"
#include "core/base/limits.h"

namespace pt2 {

namespace {

constexpr const char* kModel = "model";
constexpr std::string_view kProgram = "serialized_exported_program.json";

class LegacyArchive final : public ProgramArchive {
 public:
  explicit LegacyArchive(std::shared_ptr<const ZipReader> zip);
  Container container() const override { return Container::Legacy; }
  Result<std::string> model_json(std::string_view model) const override {
    if (model != kModel) return Error{ErrorKind::Failed, "the archive holds one program, \"model\"", "", ""};
    return text(kProgram, limits::kModelJsonBytes, "model_json");
  }
  std::optional<std::string> version_entry() const override { return version_; }

 private:
  bool add_pickled_either(const std::string& name, TensorRole role) { return add_pickled(name + ".pt", kModel, role) || add_pickled(name + ".json", kModel, role); }
  void add_json_constants();
  void add_constant(const std::string& name, std::string_view base64);

  std::optional<std::string> version_;
};

LegacyArchive::LegacyArchive(std::shared_ptr<const ZipReader> zip) : ProgramArchive(std::move(zip), "", "extra_files/") {
  models_ = {kModel};
  auto version = text("version", 4096, "version");
  if (version) version_ = std::move(*version);
  else warn("archive.version", version.error());
  if (!add_pickled_either("serialized_state_dict", TensorRole::Weight))
    findings_.push_back({Severity::Warning, "archive.state-dict", "the archive has no such member, so the program has no weights", "serialized_state_dict.pt", "The graph can be browsed; nodes that need weights will not run.", {}});
  if (!add_pickled_either("serialized_constants", TensorRole::Constant) && version_ && version_->starts_with('1')) add_json_constants();
  add_samples("serialized_example_inputs.pt", kModel);
}

// graph_module.graph.constants: name → base64.
void LegacyArchive::add_json_constants() {
  const auto json = model_json(kModel);
  if (!json) return;  // opening the program says why
  try {
    JsonReader reader(*json);
    std::string_view key;
    size_t depth = 0;
    constexpr std::string_view kPath[] = {"graph_module", "graph", "constants"};
    reader.begin_object();
    while (reader.next_member(key)) {
      if (depth < 3 && key == kPath[depth]) {
        if (reader.peek() != JsonKind::Object) return;
        reader.begin_object();
        ++depth;
      } else if (depth == 3) {
        const std::string name(key);
        std::string storage;
        if (reader.peek() == JsonKind::String) add_constant(name, reader.read_string(storage));
        else reader.skip();
      } else {
        reader.skip();
      }
    }
  } catch (const JsonError&) {
    // Opening the program meets the same error and reports it with its place.
  }
}

void LegacyArchive::add_constant(const std::string& name, std::string_view base64) {
  const std::string where = std::string(kProgram) + ": constants[\"" + name + "\"]";
  auto bytes = decode_base64(base64);
  if (!bytes) return warn("archive.constant", {ErrorKind::Failed, "is not base64", where, ""}, "Nodes that need this constant will not run.");
  auto read = read_torch_save(source_of(std::move(*bytes)), where, TensorNaming::Keys);
  if (!read) return warn("archive.constant", read.error(), "Nodes that need this constant will not run.");
  findings_.insert(findings_.end(), read->findings.begin(), read->findings.end());
  for (StoredTensor& tensor : read->tensors) {
    tensor.info.role = TensorRole::Constant;
    tensor.info.name = tensor.info.name == "tensor" ? name : name + "." + tensor.info.name;
    payloads(kModel).tensors.add(std::move(tensor));
  }
}

}  // namespace

Result<std::shared_ptr<Archive>> open_legacy_archive(ZipReader zip) {
  if (!zip.find(kProgram))
    return Error{ErrorKind::CannotOpen, "the archive has a member \"version\", but holds no program", std::string(kProgram), "The file is damaged or of another kind. Export the model again."};
  return std::shared_ptr<Archive>(std::make_shared<LegacyArchive>(std::make_shared<const ZipReader>(std::move(zip))));
}

}  // namespace pt2
