// The archive of PyTorch 2.8 and newer. Tensors are raw records named by a configuration (2.9+) or members of a pickled dict (2.8).
#include <algorithm>

#include "core/archive/containers.h"
#include "core/archive/payload_config.h"
#include "core/archive/program_archive.h"
#include "core/base/limits.h"
#include "core/base/text.h"

namespace pt2 {

namespace {

constexpr std::string_view kBrowsable = "The graph can be browsed; its tensors have no values and nodes that need them will not run.";

class Pt2Archive final : public ProgramArchive {
 public:
  Pt2Archive(std::shared_ptr<const ZipReader> zip, std::string root);
  Container container() const override { return container_; }
  Result<std::string> model_json(std::string_view model) const override {
    return text("models/" + std::string(model) + ".json", limits::kModelJsonBytes, "model_json");
  }

 private:
  bool has_folder(std::string_view folder) const;
  void check_head();
  void add_payloads(const std::string& model, TensorRole role, const std::string& folder, const std::vector<std::string>& config_names);
  StoredTensor stored(const PayloadEntry& entry, const std::string& folder);
  void read_object(StoredTensor& tensor, const PayloadEntry& entry);

  Container container_ = Container::Pt2Archive;
  bool big_endian_ = false;
  std::shared_ptr<const RecordStore> records_;
};

Pt2Archive::Pt2Archive(std::shared_ptr<const ZipReader> zip, std::string root) : ProgramArchive(std::move(zip), std::move(root), "extra/") {
  records_ = zip_records(zip_, root_);
  const std::string folder = root_ + "models/";
  constexpr std::string_view kSuffix = ".json";
  for (const ZipMember& member : zip_->members())
    if (member.name.starts_with(folder) && member.name.ends_with(kSuffix) && member.name.size() > folder.size() + kSuffix.size()) {
      std::string model = member.name.substr(folder.size(), member.name.size() - folder.size() - kSuffix.size());
      if (std::find(models_.begin(), models_.end(), model) == models_.end()) models_.push_back(std::move(model));
    }
  if (models_.empty() && has_folder("data/aotinductor/")) {
    container_ = Container::AotInductor;
    findings_.push_back({Severity::Warning, "archive.compiled", "is a compiled package (AOTInductor): machine code without a graph", "data/aotinductor/", "Open the .pt2 that torch.export.save wrote instead.", {}});
  }
  check_head();
  for (const std::string& model : models_) {
    add_payloads(model, TensorRole::Weight, "data/weights/", {model + "_weights_config.json", model + "_model_param_config.json"});
    add_payloads(model, TensorRole::Constant, "data/constants/", {model + "_constants_config.json", model + "_model_constants_config.json"});
    add_samples("data/sample_inputs/" + model + ".pt", model);
  }
}

bool Pt2Archive::has_folder(std::string_view folder) const {
  const std::string prefix = root_ + std::string(folder);
  return std::any_of(zip_->members().begin(), zip_->members().end(), [&](const ZipMember& member) { return member.name.starts_with(prefix); });
}

void Pt2Archive::check_head() {
  if (member("archive_version")) {
    const auto version = text("archive_version", 4096, "archive_version");
    if (!version) warn("archive.version", version.error());
    else if (*version != "0" && *version != "0\n")
      findings_.push_back({Severity::Warning, "archive.version", "the archive version is \"" + *version + "\", only 0 is known", "archive_version", "Read as version 0; what is new in it is missing here.", {}});
  }
  if (member("byteorder")) {
    const auto order = text("byteorder", 4096, "byteorder");
    if (!order) warn("archive.byteorder", order.error());
    else if (*order == "big") big_endian_ = true;
    else if (*order != "little")
      findings_.push_back({Severity::Warning, "archive.byteorder", "the byte order is \"" + *order + "\", neither little nor big", "byteorder", "Read as little; values may be wrong.", {}});
  }
}

void Pt2Archive::add_payloads(const std::string& model, TensorRole role, const std::string& folder, const std::vector<std::string>& config_names) {
  if (add_pickled(folder + model + ".pt", model, role)) return;
  for (const std::string& name : config_names) {
    if (!member(folder + name)) continue;
    const auto json = text(folder + name, limits::kOtherJsonBytes, "other_json");
    if (!json) return warn("archive.config", json.error(), kBrowsable);
    auto entries = parse_payload_config(*json);
    if (!entries) {
      Error error = entries.error();
      error.where = folder + name + (error.where.empty() ? "" : ": " + error.where);
      return warn("archive.config", error, kBrowsable);
    }
    for (const PayloadEntry& entry : *entries) {
      StoredTensor tensor = stored(entry, folder);
      tensor.info.role = role;
      if (tensor.problem) findings_.push_back(finding_of(tensor));
      payloads(model).tensors.add(std::move(tensor));
    }
    return;
  }
  findings_.push_back({Severity::Warning, "archive.config", "the archive has no such member", folder + config_names.front(), std::string(kBrowsable), {}});
}

StoredTensor Pt2Archive::stored(const PayloadEntry& entry, const std::string& folder) {
  StoredTensor tensor;
  TensorInfo& info = tensor.info;
  info.name = entry.name;
  info.record = folder + entry.path_name;
  info.is_parameter = entry.is_parameter;
  const auto problem = [&](std::string message) { tensor.problem = Error{ErrorKind::Failed, "\"" + entry.name + "\" " + message, info.record, std::string(kBrowsable)}; };
  if (!entry.problem.empty()) {
    problem("has no readable description: " + entry.problem);
    return tensor;
  }
  if (entry.meta) {
    info.dtype = entry.meta->dtype;
    info.sizes = entry.meta->sizes;
    info.strides = entry.meta->strides;
    info.offset = entry.meta->offset;
    info.device = entry.meta->device;
    info.layout = entry.meta->layout;
    info.requires_grad = entry.meta->requires_grad;
  }
  if (entry.use_pickle || entry.path_name.starts_with("custom_obj_") || entry.path_name.starts_with("opaque_obj_")) {
    read_object(tensor, entry);
  } else if (!entry.meta) {
    problem("has no tensor_meta, so its bytes have no meaning");
  } else {
    tensor.records = records_;
    tensor.record = info.record;
    tensor.big_endian = big_endian_;
    check_stored(tensor);
  }
  return tensor;
}

// A record that is a pickle: a tensor that is no plain one, or an object.
void Pt2Archive::read_object(StoredTensor& tensor, const PayloadEntry& entry) {
  const std::string where = tensor.info.record;
  const auto problem = [&](std::string message) { tensor.problem = Error{ErrorKind::Failed, "\"" + entry.name + "\" " + message, where, "The graph can be browsed; nodes that need it will not run."}; };
  auto read = torch_save(where, TensorNaming::Keys);
  if (!read) return problem("is pickled, and the pickle is not readable: " + (read.error().where.empty() ? "" : read.error().where + ": ") + read.error().message);
  if (std::holds_alternative<PickleTensor>(read->value.value) && !read->tensors.empty()) {
    findings_.insert(findings_.end(), read->findings.begin(), read->findings.end());
    tensor = std::move(read->tensors.front());
    tensor.info.name = entry.name;
    tensor.info.is_parameter |= entry.is_parameter;
    return;
  }
  const auto* opaque = std::get_if<PickleOpaque>(&read->value.value);
  const std::string what = opaque ? "object of class " + opaque->dotted_name : "no tensor";
  tensor.info.note = what;
  // A script object is what these members are for; anything else that would be called is worth a warning.
  const bool script_object = opaque && (opaque->dotted_name.starts_with("__torch__.") || entry.path_name.starts_with("opaque_obj_"));
  for (Finding finding : read->findings) {
    if (script_object) finding.severity = Severity::Note;
    findings_.push_back(std::move(finding));
  }
  if (entry.meta) problem("is " + what + ", where a tensor is declared");
}

}  // namespace

Result<std::shared_ptr<Archive>> open_pt2_archive(ZipReader zip, std::string root) {
  auto archive = std::make_shared<Pt2Archive>(std::make_shared<const ZipReader>(std::move(zip)), std::move(root));
  if (archive->models().empty() && archive->container() != Container::AotInductor)
    return Error{ErrorKind::CannotOpen, "the archive holds no program: it has no member models/*.json", "models/", "Export the model with torch.export.save."};
  return std::shared_ptr<Archive>(std::move(archive));
}

}  // namespace pt2
