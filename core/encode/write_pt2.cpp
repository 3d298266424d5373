#include "core/encode/write_pt2.h"

#include <algorithm>
#include <filesystem>
#include <unordered_set>

#include "core/archive/zip_writer.h"
#include "core/encode/encode_json.h"
#include "core/encode/encode_program.h"

namespace pt2 {

namespace {

using encode::Json;

class ArchiveWriter {
 public:
  ArchiveWriter(FileWriter& out, std::string root) : zip_(out), root_(std::move(root)) {}

  // What fails first is kept; later calls do nothing.
  void add(const std::string& name, std::span<const std::byte> bytes) {
    if (done_) done_ = zip_.begin(root_ + name);
    if (done_) done_ = zip_.write(bytes);
    if (done_) done_ = zip_.end();
  }
  void add(const std::string& name, std::string_view text) { add(name, std::as_bytes(std::span(text))); }

  // Raw records and the configuration that names them. A record holds the tensor's whole storage.
  void add_tensors(const std::string& folder, const std::string& stem, const std::string& config_name, const std::vector<std::pair<std::string, Tensor>>& tensors,
                   const std::unordered_set<std::string_view>& parameters) {
    Json config = Json::object();
    for (size_t i = 0; i < tensors.size(); ++i) {
      const auto& [name, tensor] = tensors[i];
      const std::string record = stem + std::to_string(i);
      add(folder + record, {tensor.storage.data(), tensor.storage.size_bytes()});
      Json sizes = Json::array(), strides = Json::array();
      for (int64_t size : tensor.sizes) sizes.push_back({{"as_int", size}});
      for (int64_t stride : tensor.strides) strides.push_back({{"as_int", stride}});
      Json meta{{"dtype", encode::schema_number(tensor.dtype)}, {"sizes", std::move(sizes)}, {"requires_grad", false}, {"device", encode::device_json({})},
                {"strides", std::move(strides)}, {"storage_offset", {{"as_int", tensor.offset}}}, {"layout", int(TensorLayout::Strided)}};
      config[name] = {{"path_name", record}, {"is_param", parameters.count(name) > 0}, {"use_pickle", false}, {"tensor_meta", std::move(meta)}};
    }
    add(folder + config_name, encode::json_text({{"config", std::move(config)}}));
  }

  Result<void> finish() {
    if (done_) done_ = zip_.finish();
    return done_;
  }

 private:
  ZipWriter zip_;
  std::string root_;
  Result<void> done_;
};

}  // namespace

Result<void> write_pt2(const std::string& path, const Pt2Content& content) {
  const Program& program = content.program;
  auto json = encode_program(program);
  if (!json) return json.error();
  auto file = FileWriter::create(path);
  if (!file) return file.error();
  std::unordered_set<std::string_view> parameters;
  for (const InputSpec& spec : program.signature.inputs)
    if (spec.kind == InputKind::Parameter) parameters.insert(spec.target);
  ArchiveWriter archive(*file, std::filesystem::path(path).stem().string() + "/");
  archive.add("archive_format", "pt2");
  archive.add("models/" + program.name + ".json", *json);
  try {
    archive.add_tensors("data/weights/", "weight_", program.name + "_weights_config.json", content.weights, parameters);
    archive.add_tensors("data/constants/", "tensor_", program.name + "_constants_config.json", content.constants, {});
  } catch (const encode::EncodeError& error) {
    return Error{ErrorKind::Failed, error.message, error.where, ""};
  }
  if (!content.sample_inputs.empty()) archive.add("data/sample_inputs/" + program.name + ".pt", content.sample_inputs);
  archive.add("archive_version", "0");
  archive.add("byteorder", "little");
  archive.add(".data/version", "6\n");
  if (auto done = archive.finish(); !done) return done.error();
  return file->commit();
}

}  // namespace pt2
