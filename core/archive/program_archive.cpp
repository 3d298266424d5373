#include "core/archive/program_archive.h"

#include "core/base/crc32.h"
#include "core/base/limits.h"

namespace pt2 {

ProgramArchive::ProgramArchive(std::shared_ptr<const ZipReader> zip, std::string root, std::string extra_folder)
    : zip_(std::move(zip)), root_(std::move(root)), extra_folder_(std::move(extra_folder)) {
  for (Finding finding : zip_->findings()) {
    if (finding.where.starts_with(root_)) finding.where.erase(0, root_.size());
    findings_.push_back(std::move(finding));
  }
}

const ProgramArchive::Payloads* ProgramArchive::find_payloads(std::string_view model) const {
  const auto it = payloads_.find(model);
  return it == payloads_.end() ? nullptr : &it->second;
}

std::vector<TensorInfo> ProgramArchive::tensors(std::string_view model) const {
  const Payloads* found = find_payloads(model);
  return found ? found->tensors.infos() : std::vector<TensorInfo>();
}

Result<Tensor> ProgramArchive::read_tensor(std::string_view model, TensorRole role, std::string_view name) const {
  const Payloads* found = find_payloads(model);
  if (!found) return Error{ErrorKind::Failed, "the archive holds no program \"" + std::string(model) + "\"", "", ""};
  auto tensor = found->tensors.read(role, name);
  if (!tensor) return placed(tensor.error());
  return tensor;
}

Result<PickleValue> ProgramArchive::sample_inputs(std::string_view model) const {
  const Payloads* found = find_payloads(model);
  if (!found) return PickleValue{};
  if (found->samples_problem) return *found->samples_problem;
  return found->samples;
}

std::vector<std::string> ProgramArchive::extra_files() const {
  std::vector<std::string> names;
  const std::string folder = root_ + extra_folder_;
  for (const ZipMember& member : zip_->members())
    if (member.name.starts_with(folder) && member.name.size() > folder.size() && !member.name.ends_with('/')) names.push_back(member.name.substr(folder.size()));
  return names;
}

Result<std::string> ProgramArchive::extra_file(std::string_view name) const {
  return text(extra_folder_ + std::string(name), limits::kOtherJsonBytes, "other_json");
}

uint32_t ProgramArchive::fingerprint() const {
  uint32_t all = 0;
  for (const ZipMember& member : zip_->members()) {
    const std::string text = member.name + '\0' + std::to_string(member.crc) + '\0' + std::to_string(member.size) + '\n';
    all = crc32_of(std::as_bytes(std::span(text)), all);
  }
  return all;
}

std::vector<std::string> ProgramArchive::entries() const {
  std::vector<std::string> names;
  names.reserve(zip_->members().size());
  for (const ZipMember& member : zip_->members()) names.push_back(member.name);
  return names;
}

Result<std::string> ProgramArchive::text(std::string_view name, uint64_t limit, std::string_view limit_name) const {
  const ZipMember* found = member(name);
  if (!found) return Error{ErrorKind::Failed, "the archive has no such member", std::string(name), ""};
  auto text = zip_->read(*found, limit, limit_name);
  if (!text) return placed(text.error());
  return text;
}

Error ProgramArchive::placed(Error error) const {
  if (error.where.starts_with(root_)) error.where.erase(0, root_.size());
  return error;
}

void ProgramArchive::warn(std::string rule, Error error, std::string_view advice) {
  error = placed(std::move(error));
  findings_.push_back({Severity::Warning, std::move(rule), error.message, error.where, advice.empty() ? error.advice : std::string(advice), {}});
}

Result<TorchSave> ProgramArchive::torch_save(const std::string& name, TensorNaming naming) const {
  const ZipMember* found = member(name);
  if (!found) return Error{ErrorKind::Failed, "the archive has no such member", name, ""};
  auto source = zip_->source(*found, limits::kModelJsonBytes, "model_json");
  if (!source) return placed(source.error());
  return read_torch_save(*source, name, naming);
}

bool ProgramArchive::add_pickled(const std::string& name, const std::string& model, TensorRole role) {
  const ZipMember* found = member(name);
  if (!found) return false;
  if (found->size == 0) return true;
  auto read = torch_save(name, TensorNaming::Keys);
  if (!read) {
    warn("archive.pickle", read.error(), "The graph can be browsed; its tensors have no values and nodes that need them will not run.");
    return true;
  }
  findings_.insert(findings_.end(), read->findings.begin(), read->findings.end());
  if (const auto* dict = std::get_if<PickleDict>(&read->value.value)) {
    for (const auto& [key, value] : *dict->items) {
      const auto* text = std::get_if<std::string>(&key.value);
      const auto* opaque = std::get_if<PickleOpaque>(&value.value);
      if (!text || !opaque) continue;
      StoredTensor object;  // an entry that is no tensor: a script object, or something foreign
      object.info.name = *text;
      object.info.record = name;
      object.info.note = "object of class " + opaque->dotted_name;
      object.problem = Error{ErrorKind::Failed, "\"" + *text + "\" is an object of class " + opaque->dotted_name + ", not a tensor", name, "Nodes that need it will not run."};
      read->tensors.push_back(std::move(object));
    }
  } else {
    warn("archive.pickle", {ErrorKind::Failed, "is not a dict of tensors", name, ""}, "The graph can be browsed; its tensors have no values.");
  }
  payloads(model).tensors.add_all(std::move(read->tensors), role);
  return true;
}

void ProgramArchive::add_samples(const std::string& name, const std::string& model) {
  const ZipMember* found = member(name);
  if (!found || found->size == 0) return;
  constexpr std::string_view kAdvice = "Sample inputs are unavailable. Give inputs with --input, or ask where this file comes from.";
  auto read = torch_save(name, TensorNaming::SampleInputs);
  std::optional<Error> problem;
  if (!read) {
    problem = read.error();
  } else {
    findings_.insert(findings_.end(), read->findings.begin(), read->findings.end());
    const auto* pair = std::get_if<PickleSequence>(&read->value.value);
    if (!pair || pair->items->size() != 2) problem = Error{ErrorKind::Failed, "is not the pair (args, kwargs)", name, ""};
  }
  if (problem) {
    problem->advice = kAdvice;
    warn("archive.sample-inputs", *problem, kAdvice);
    payloads(model).samples_problem = std::move(problem);
    return;
  }
  payloads(model).samples = std::move(read->value);
  payloads(model).tensors.add_all(std::move(read->tensors), TensorRole::SampleInput);
}

uint32_t archive_fingerprint(const Archive& archive) {
  const auto* programs = dynamic_cast<const ProgramArchive*>(&archive);
  return programs ? programs->fingerprint() : 0;
}

}  // namespace pt2
