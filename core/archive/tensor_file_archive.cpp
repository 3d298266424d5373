// Files that hold tensors and no program, behind the same interface: one set of tensors under the empty program name.
#include <algorithm>
#include <memory>

#include "core/archive/containers.h"
#include "core/archive/npy_header.h"
#include "core/archive/safetensors_header.h"
#include "core/archive/tensor_set.h"
#include "core/archive/torch_save.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/tensor/view.h"

namespace pt2 {

namespace {

class TensorFileArchive final : public Archive {
 public:
  explicit TensorFileArchive(Container container) : container_(container) {}

  Container container() const override { return container_; }
  std::vector<std::string> models() const override { return {}; }
  Result<std::string> model_json(std::string_view) const override {
    return Error{ErrorKind::CannotOpen, "is a file of tensors (" + std::string(container_name(container_)) + ") and holds no program", "", "Open a .pt2 file that torch.export.save wrote."};
  }
  std::vector<TensorInfo> tensors(std::string_view) const override { return set.infos(); }
  Result<Tensor> read_tensor(std::string_view, TensorRole role, std::string_view name) const override { return set.read(role, name); }
  Result<PickleValue> sample_inputs(std::string_view) const override { return PickleValue{}; }
  std::vector<std::string> extra_files() const override {
    std::vector<std::string> names;
    for (const auto& [key, value] : metadata) names.push_back(key);
    return names;
  }
  Result<std::string> extra_file(std::string_view name) const override {
    const auto it = metadata.find(std::string(name));
    if (it == metadata.end()) return Error{ErrorKind::Failed, "the file's metadata has no \"" + std::string(name) + "\"", "", ""};
    return it->second;
  }
  std::vector<std::string> entries() const override {
    std::vector<std::string> names;
    for (const StoredTensor& tensor : set.tensors()) names.push_back(tensor.info.name);
    return names;
  }
  std::vector<Finding> check() const override { return findings; }

  TensorSet set;
  std::map<std::string, std::string> metadata;
  std::vector<Finding> findings;

 private:
  Container container_;
};

constexpr uint64_t kNpyHead = limits::kNpyHeaderBytes + 12;

// An array inside a member: what follows its header.
class NpzRecords final : public RecordStore {
 public:
  explicit NpzRecords(std::shared_ptr<const ZipReader> zip) : zip_(std::move(zip)) {}
  void add(std::string record, uint64_t header_bytes) { headers_[std::move(record)] = header_bytes; }
  std::optional<uint64_t> size(std::string_view record) const override {
    const auto it = headers_.find(record);
    const ZipMember* member = zip_->find(record);
    return it == headers_.end() || !member ? std::nullopt : std::optional(member->size - std::min(member->size, it->second));
  }
  Result<void> check(std::string_view record) const override {
    const auto offset = zip_->data_offset(*zip_->find(record));
    return offset ? Result<void>() : Result<void>(offset.error());
  }

 protected:
  Result<Storage> load(std::string_view record) const override {
    const uint64_t header = headers_.find(record)->second;
    auto whole = zip_->storage(*zip_->find(record));
    if (!whole) return whole;
    const uint64_t size = whole->size_bytes() - std::min<uint64_t>(whole->size_bytes(), header);
    if (header % 16 == 0) return Storage(whole->owner(), whole->data() + header, size);
    auto aligned = uninitialized_storage(size);  // a header of odd length: numbers would lie across their alignment
    if (aligned) std::copy_n(whole->data() + header, size, aligned->data());
    return aligned;
  }

 private:
  std::shared_ptr<const ZipReader> zip_;
  std::map<std::string, uint64_t, std::less<>> headers_;
};

StoredTensor array(const NpyHeader& header, std::string name, std::string record, std::shared_ptr<const RecordStore> records) {
  StoredTensor tensor;
  tensor.info.name = std::move(name);
  tensor.info.dtype = header.dtype;
  tensor.info.sizes = header.sizes;
  tensor.info.strides = header.strides;
  tensor.info.record = record;
  tensor.record = std::move(record);
  tensor.records = std::move(records);
  tensor.big_endian = header.big_endian;
  return tensor;
}

// Complex tensors are written as pairs of real numbers and named in the metadata under "complex", separated by commas.
void restore_complex(StoredTensor& tensor, std::string_view names) {
  for (size_t at = 0; at <= names.size();) {
    const size_t end = std::min(names.find(',', at), names.size());
    if (names.substr(at, end - at) == tensor.info.name) {
      TensorInfo& info = tensor.info;
      const DType complex = info.dtype == DType::Float32 ? DType::Complex64 : info.dtype == DType::Float64 ? DType::Complex128 : info.dtype == DType::Float16 ? DType::Complex32 : DType::Unknown;
      if (complex == DType::Unknown || info.sizes.empty() || info.sizes.back() != 2) return;
      info.dtype = complex;
      info.sizes.pop_back();
      info.strides = contiguous_strides(info.sizes);
      return;
    }
    at = end + 1;
  }
}

}  // namespace

Result<std::shared_ptr<Archive>> open_safetensors(std::shared_ptr<const ByteSource> source) {
  const auto damaged = [](std::string message, ErrorKind kind = ErrorKind::CannotOpen) { return Error{kind, std::move(message), "safetensors header", "The file is damaged or no .safetensors file. Write it again."}; };
  const auto lead = source->text(0, 8);
  if (!lead) return lead.error();
  uint64_t length = 0;
  for (size_t i = 8; i-- > 0;) length = length << 8 | static_cast<unsigned char>((*lead)[i]);
  if (length > limits::kSafetensorsHeaderBytes) return damaged("is said to have " + with_commas(length) + " bytes (limit " + with_commas(limits::kSafetensorsHeaderBytes) + ")", ErrorKind::Limit);
  if (length > source->size() - 8) return damaged("is said to have " + with_commas(length) + " bytes, the file has " + with_commas(source->size()));
  const auto json = source->text(8, length);
  if (!json) return json.error();
  const uint64_t data = 8 + length;
  auto header = parse_safetensors_header(*json, source->size() - data);
  if (!header) return header.error();

  auto archive = std::make_shared<TensorFileArchive>(Container::Safetensors);
  archive->findings = std::move(header->findings);
  archive->metadata = std::move(header->metadata);
  std::map<std::string, std::pair<uint64_t, uint64_t>, std::less<>> regions;
  for (const SafetensorsEntry& entry : header->entries) regions[entry.name] = {data + entry.begin, entry.end - entry.begin};
  const auto records = region_records(source, std::move(regions));
  const auto complex = archive->metadata.find("complex");
  for (const SafetensorsEntry& entry : header->entries) {
    StoredTensor tensor;
    tensor.info.name = tensor.record = tensor.info.record = entry.name;
    tensor.info.dtype = entry.dtype;
    tensor.info.sizes = entry.sizes;
    tensor.info.strides = contiguous_strides(entry.sizes);
    tensor.records = records;
    if (entry.dtype == DType::Unknown) {
      tensor.info.note = "of the type " + entry.dtype_text + ", which is not known here";
      tensor.problem = Error{ErrorKind::Failed, "\"" + entry.name + "\" is of the type " + entry.dtype_text + ", which is not known here", "safetensors header", ""};
      archive->findings.push_back(finding_of(tensor));
    }
    if (complex != archive->metadata.end()) restore_complex(tensor, complex->second);
    archive->set.add(std::move(tensor));
  }
  return std::shared_ptr<Archive>(std::move(archive));
}

Result<std::shared_ptr<Archive>> open_npy(std::shared_ptr<const ByteSource> source) {
  const auto head = source->text(0, std::min<uint64_t>(source->size(), kNpyHead));
  if (!head) return head.error();
  const auto header = parse_npy_header(*head);
  if (!header) return header.error();
  auto archive = std::make_shared<TensorFileArchive>(Container::Npy);
  const uint64_t size = source->size() - header->size_bytes;
  StoredTensor tensor = array(*header, "tensor", "data", region_records(source, {{"data", {header->size_bytes, size}}}));
  if (const std::string wrong = view_problem(header->dtype, header->sizes, header->strides, 0, size); !wrong.empty())
    return Error{ErrorKind::CannotOpen, "the file is truncated: the array " + wrong, at_byte(header->size_bytes), "The download or copy is incomplete. Fetch or save it again."};
  archive->set.add(std::move(tensor));
  return std::shared_ptr<Archive>(std::move(archive));
}

Result<std::shared_ptr<Archive>> open_npz(ZipReader reader) {
  const auto zip = std::make_shared<const ZipReader>(std::move(reader));
  auto archive = std::make_shared<TensorFileArchive>(Container::Npz);
  archive->findings = zip->findings();
  const auto records = std::make_shared<NpzRecords>(zip);
  for (const ZipMember& member : zip->members()) {
    constexpr std::string_view kSuffix = ".npy";
    if (!member.name.ends_with(kSuffix)) continue;
    std::string name = member.name.substr(0, member.name.size() - kSuffix.size());
    const auto head = zip->head(member, kNpyHead);
    const auto header = head ? parse_npy_header(*head) : Result<NpyHeader>(head.error());
    StoredTensor tensor;
    if (header) {
      records->add(member.name, header->size_bytes);
      tensor = array(*header, std::move(name), member.name, records);
      check_stored(tensor);
    } else {
      Error error = header.error();
      tensor.info.name = std::move(name);
      tensor.info.record = member.name;
      tensor.info.note = error.message;
      if (error.where != member.name) error.where = member.name + (error.where.empty() ? "" : ": " + error.where);
      tensor.problem = std::move(error);
    }
    if (tensor.problem) archive->findings.push_back(finding_of(tensor));
    archive->set.add(std::move(tensor));
  }
  return std::shared_ptr<Archive>(std::move(archive));
}

Result<std::shared_ptr<Archive>> open_torch_save(std::shared_ptr<const ByteSource> source) {
  auto read = read_torch_save(std::move(source), "", TensorNaming::Keys);
  if (!read) return read.error();
  if (read->tensors.empty() && !read->findings.empty()) {
    const Finding& finding = read->findings.front();
    return Error{ErrorKind::CannotOpen, finding.message, finding.where, "The file holds no tensor. " + finding.advice};
  }
  auto archive = std::make_shared<TensorFileArchive>(Container::TorchSave);
  archive->findings = std::move(read->findings);
  archive->set.add_all(std::move(read->tensors), TensorRole::Tensor);
  return std::shared_ptr<Archive>(std::move(archive));
}

}  // namespace pt2
