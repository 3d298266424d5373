#include "core/archive/containers.h"
#include "core/base/limits.h"

namespace pt2 {

namespace {

class Pt2Archive final : public Archive {
 public:
  Pt2Archive(ZipReader zip, std::string root) : zip_(std::move(zip)), root_(std::move(root)) {
    const std::string folder = root_ + "models/";
    for (const ZipMember& member : zip_.members())
      if (member.name.starts_with(folder) && member.name.ends_with(".json")) models_.push_back(member.name.substr(folder.size(), member.name.size() - folder.size() - 5));
  }
  Container container() const override { return Container::Pt2Archive; }
  std::vector<std::string> models() const override { return models_; }
  Result<std::string> model_json(std::string_view model) const override {
    const ZipMember* member = zip_.find(root_ + "models/" + std::string(model) + ".json");
    if (!member) return Error{ErrorKind::Failed, "the archive holds no program of this name", "models/" + std::string(model) + ".json", ""};
    return zip_.read(*member, limits::kModelJsonBytes, "model_json");
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
  std::string root_;
  std::vector<std::string> models_;
};

}  // namespace

Result<std::shared_ptr<Archive>> open_pt2_archive(ZipReader zip, std::string root) {
  return std::shared_ptr<Archive>(std::make_shared<Pt2Archive>(std::move(zip), std::move(root)));
}

}  // namespace pt2
