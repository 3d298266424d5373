#pragma once
// What the two containers of programs have in common: a zip, tensors and sample inputs per program, findings. Everything is filled when
// the archive is opened and never changes, so any thread may read it.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/archive/archive.h"
#include "core/archive/tensor_set.h"
#include "core/archive/torch_save.h"
#include "core/archive/zip_reader.h"

namespace pt2 {

class ProgramArchive : public Archive {
 public:
  std::vector<std::string> models() const override { return models_; }
  std::vector<TensorInfo> tensors(std::string_view model) const override;
  Result<Tensor> read_tensor(std::string_view model, TensorRole role, std::string_view name) const override;
  Result<PickleValue> sample_inputs(std::string_view model) const override;
  std::vector<std::string> extra_files() const override;
  Result<std::string> extra_file(std::string_view name) const override;
  std::vector<std::string> entries() const override;
  uint32_t fingerprint() const;
  std::vector<Finding> check() const override { return findings_; }

 protected:
  // `extra_folder`: where extra files are, "extra/".
  ProgramArchive(std::shared_ptr<const ZipReader> zip, std::string root, std::string extra_folder);

  struct Payloads {
    TensorSet tensors;
    PickleValue samples;
    std::optional<Error> samples_problem;
  };
  Payloads& payloads(const std::string& model) { return payloads_[model]; }

  const ZipMember* member(std::string_view name) const { return zip_->find(root_ + std::string(name)); }
  Result<std::string> text(std::string_view name, uint64_t limit, std::string_view limit_name) const;
  Error placed(Error error) const;  // member names without the root folder
  void warn(std::string rule, Error error, std::string_view advice = {});

  // Adds the tensors of a pickled dict; false where there is no such member. An empty member is an empty dict.
  bool add_pickled(const std::string& name, const std::string& model, TensorRole role);
  void add_samples(const std::string& name, const std::string& model);
  Result<TorchSave> torch_save(const std::string& name, TensorNaming naming) const;

  std::shared_ptr<const ZipReader> zip_;
  std::string root_, extra_folder_;
  std::vector<std::string> models_;
  std::vector<Finding> findings_;

 private:
  const Payloads* find_payloads(std::string_view model) const;
  std::map<std::string, Payloads, std::less<>> payloads_;
};

// Of all members' names and checksums, as the directory has them: tells one export of a model from the next. 0: no archive of programs.
uint32_t archive_fingerprint(const Archive& archive);

}  // namespace pt2
