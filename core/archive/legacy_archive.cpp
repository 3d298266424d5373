#include "core/archive/containers.h"
#include "core/base/limits.h"

namespace pt2 {

namespace {

class LegacyArchive final : public Archive {
 public:
  explicit LegacyArchive(ZipReader zip) : zip_(std::move(zip)) {}
  Container container() const override { return Container::Legacy; }
  std::vector<std::string> models() const override { return {"model"}; }
  Result<std::string> model_json(std::string_view) const override {
    const ZipMember* member = zip_.find("serialized_exported_program.json");
    if (!member) return Error{ErrorKind::CannotOpen, "the archive holds no program", "serialized_exported_program.json", ""};
    return zip_.read(*member, limits::kModelJsonBytes, "model_json");
  }
  std::optional<std::string> version_entry() const override {
    const auto text = zip_.read(*zip_.find("version"), 4096, "version");
    return text ? std::optional<std::string>(*text) : std::nullopt;
  }
  std::vector<TensorInfo> tensors(std::string_view) const override { return {}; }
  Result<Tensor> read_tensor(std::string_view, TensorRole, std::string_view name) const override { return Error{ErrorKind::Failed, "no tensor of this name", std::string(name), ""}; }
  Result<PickleValue> sample_inputs(std::string_view) const override { return PickleValue{}; }
  std::vector<std::string> extra_files() const override { return {}; }
  Result<std::string> extra_file(std::string_view name) const override { return Error{ErrorKind::Failed, "no extra file of this name", std::string(name), ""}; }
  std::vector<std::string> entries() const override {
    std::vector<std::string> names;
    for (const ZipMember& member : zip_.members()) names.push_back(member.name);
    return names;
  }
  std::vector<Finding> check() const override { return zip_.findings(); }

 private:
  ZipReader zip_;
};

}  // namespace

Result<std::shared_ptr<Archive>> open_legacy_archive(ZipReader zip) { return std::shared_ptr<Archive>(std::make_shared<LegacyArchive>(std::move(zip))); }

}  // namespace pt2
