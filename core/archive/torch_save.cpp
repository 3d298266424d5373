#include "core/archive/torch_save.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "core/archive/unpickler.h"
#include "core/base/checked.h"
#include "core/base/limits.h"
#include "core/base/text.h"

namespace pt2 {

namespace {

constexpr uint64_t kUnfoldedValues = 1'000'000;  // of a value in which parts are shared

std::string joined(const std::string& where, const std::string& inside) { return where.empty() ? inside : inside.empty() ? where : where + ": " + inside; }

// Turns the unpickler's table into a PickleValue and names the tensors by their paths. Shared parts are made once and stay shared.
class Converter {
 public:
  Converter(const Unpickler& pickle, TensorNaming naming) : pickle_(pickle), naming_(naming) {}

  struct Named { std::string name; uint32_t tensor; };
  std::vector<Named> named;  // tensors by name, in order
  std::string problem;       // set where convert() gives nothing
  ErrorKind problem_kind = ErrorKind::CannotOpen;

  std::optional<PickleValue> convert();

 private:
  struct Frame {
    PickleId id;
    std::string path;
    bool attributes = false;  // a dict of an object's attributes
    size_t next = 0;
    uint64_t leaves = 1;
    PickleList done;
  };
  struct Made { PickleValue value; uint64_t leaves; };

  const std::vector<PickleId>& children(PickleId id) const { return pickle_.item(id).kind == PickleKind::Opaque ? pickle_.opaque(id).arguments : pickle_.list(id); }
  bool is_container(PickleId id) const;
  PickleValue leaf(PickleId id, const std::string& path);
  PickleValue close(Frame& frame) const;
  std::string child_path(const Frame& frame) const;
  std::string key_text(PickleId key) const;

  const Unpickler& pickle_;
  TensorNaming naming_;
  std::unordered_map<PickleId, Made> made_;
  std::set<PickleId> open_;
};

bool Converter::is_container(PickleId id) const {
  switch (pickle_.item(id).kind) {
    case PickleKind::List:
    case PickleKind::Tuple:
    case PickleKind::Set:
    case PickleKind::Dict:
    case PickleKind::Opaque: return true;
    default: return false;
  }
}

PickleValue Converter::leaf(PickleId id, const std::string& path) {
  const PickleItem& item = pickle_.item(id);
  switch (item.kind) {
    case PickleKind::Bool: return {item.integer != 0};
    case PickleKind::Int: return {item.integer};
    case PickleKind::Float: return {item.number};
    case PickleKind::String: return {std::string(pickle_.text(id))};
    case PickleKind::Bytes: return {PickleOpaque{"bytes", std::make_shared<const PickleList>(PickleList{{std::string(pickle_.text(id))}})}};
    case PickleKind::Complex: return {std::complex<double>(pickle_.complex(id).first, pickle_.complex(id).second)};
    case PickleKind::Global: return {PickleOpaque{std::string(pickle_.text(id)), std::make_shared<const PickleList>()}};
    case PickleKind::Storage: return {PickleOpaque{"torch.Storage", std::make_shared<const PickleList>()}};
    case PickleKind::Tensor:
      named.push_back({path, item.size_or_index});
      return {PickleTensor{path}};
    default: return {PickleNone{}};
  }
}

std::string Converter::key_text(PickleId key) const {
  const PickleItem& item = pickle_.item(key);
  if (item.kind == PickleKind::String) return "['" + std::string(pickle_.text(key)) + "']";
  if (item.kind == PickleKind::Int) return "[" + std::to_string(item.integer) + "]";
  return "[key]";
}

std::string Converter::child_path(const Frame& frame) const {
  const auto& items = children(frame.id);
  const bool root = frame.path.empty();
  if (pickle_.item(frame.id).kind == PickleKind::Dict) {
    if (frame.next % 2 == 0) return frame.path + ".keys()";
    const PickleId key = items[frame.next - 1];
    const bool plain = pickle_.item(key).kind == PickleKind::String && (root || frame.attributes);
    if (!plain) return frame.path + key_text(key);
    return root ? std::string(pickle_.text(key)) : frame.path + "." + std::string(pickle_.text(key));
  }
  if (root && naming_ == TensorNaming::SampleInputs) return frame.next == 0 ? "args" : "kwargs";
  return frame.path + "[" + std::to_string(frame.next) + "]";
}

PickleValue Converter::close(Frame& frame) const {
  auto items = std::make_shared<PickleList>(std::move(frame.done));
  switch (pickle_.item(frame.id).kind) {
    case PickleKind::List: return {PickleSequence{PickleSequence::List, items}};
    case PickleKind::Tuple: return {PickleSequence{PickleSequence::Tuple, items}};
    case PickleKind::Set: return {PickleSequence{PickleSequence::Set, items}};
    case PickleKind::Opaque: return {PickleOpaque{pickle_.opaque(frame.id).dotted_name, items}};
    default: break;
  }
  auto pairs = std::make_shared<std::vector<std::pair<PickleValue, PickleValue>>>();
  for (size_t i = 0; i + 1 < items->size(); i += 2) pairs->emplace_back((*items)[i], (*items)[i + 1]);
  return {PickleDict{pairs}};
}

std::optional<PickleValue> Converter::convert() {
  const PickleId root = pickle_.root();
  if (!is_container(root)) return leaf(root, "tensor");
  std::vector<Frame> frames;
  frames.push_back({root, ""});
  open_.insert(root);
  while (true) {
    Frame& frame = frames.back();
    if (frame.leaves > kUnfoldedValues) {
      problem_kind = ErrorKind::Limit;
      problem = "shared parts make it stand for more than " + with_commas(kUnfoldedValues) + " values (limit)";
      return std::nullopt;
    }
    const auto& items = children(frame.id);
    if (frame.next == items.size()) {
      Made made{close(frame), frame.leaves};
      open_.erase(frame.id);
      const PickleId id = frame.id;
      frames.pop_back();
      if (frames.empty()) return made.value;
      frames.back().done.push_back(made.value);
      frames.back().leaves += made.leaves;
      made_.emplace(id, std::move(made));
      continue;
    }
    const PickleId child = items[frame.next];
    std::string path = child_path(frame);
    const bool attributes = pickle_.item(frame.id).kind == PickleKind::Opaque && pickle_.item(child).kind == PickleKind::Dict;
    if (attributes) path = frame.path;
    ++frame.next;
    if (!is_container(child)) {
      ++frame.leaves;
      frame.done.push_back(leaf(child, path));
    } else if (const auto it = made_.find(child); it != made_.end()) {
      frame.leaves += it->second.leaves;
      frame.done.push_back(it->second.value);
    } else if (open_.contains(child)) {
      problem = "a value that contains itself";
      return std::nullopt;
    } else if (frames.size() >= limits::kPickleNesting) {
      problem_kind = ErrorKind::Limit;
      problem = "values nested deeper than " + with_commas(limits::kPickleNesting) + " (limit)";
      return std::nullopt;
    } else {
      open_.insert(child);
      frames.push_back({child, std::move(path), attributes});
    }
  }
}

// The stored form of a pickled tensor; `storage` says how many bytes the pickle declares.
StoredTensor stored(const PickledTensor& tensor, const Unpickler& pickle, std::string name, const std::shared_ptr<const RecordStore>& records, const std::string& where, bool big_endian) {
  StoredTensor result;
  TensorInfo& info = result.info;
  info.name = std::move(name);
  info.dtype = tensor.dtype;
  info.sizes = tensor.sizes;
  info.strides = tensor.strides;
  info.offset = tensor.offset;
  info.device = tensor.device;
  info.layout = tensor.layout;
  info.is_parameter = tensor.is_parameter;
  info.requires_grad = tensor.requires_grad;
  info.note = tensor.note;
  result.big_endian = big_endian;
  result.conjugate = tensor.conjugate;
  result.negate = tensor.negate;
  if (!tensor.storage) return result;
  const PickledStorage& storage = pickle.storages()[*tensor.storage];
  result.record = storage.key;
  info.record = joined(where, "data/" + storage.key);
  if (info.dtype == DType::Unknown) return result;
  if (storage.device.type == "meta") {
    info.note = "no data (meta tensor)";
    return result;
  }
  result.records = records;
  check_stored(result, storage.size_bytes);
  return result;
}

// The value and the tensors of a pickle that was read; `records` holds its storages.
Result<TorchSave> collect(const Unpickler& pickle, const std::shared_ptr<const RecordStore>& records, const std::string& where, bool big_endian, TensorNaming naming) {
  TorchSave result;
  for (Finding finding : pickle.findings()) {
    finding.where = joined(where, "data.pkl, " + finding.where);
    result.findings.push_back(std::move(finding));
  }
  Converter converter(pickle, naming);
  auto value = converter.convert();
  if (!value) return Error{converter.problem_kind, converter.problem, joined(where, "data.pkl"), "Nothing of this pickle was run. Ask where this file comes from, or export it again."};
  result.value = std::move(*value);
  std::unordered_map<std::string, size_t> place;
  const auto add = [&](std::string name, uint32_t index) {
    StoredTensor tensor = stored(pickle.tensors()[index], pickle, std::move(name), records, where, big_endian);
    const auto [it, fresh] = place.try_emplace(tensor.info.name, result.tensors.size());
    if (fresh) result.tensors.push_back(std::move(tensor));
    else result.tensors[it->second] = std::move(tensor);  // a key set twice: the last value counts, as in Python
  };
  for (const auto& [name, index] : converter.named) {
    add(name, index);
    for (const auto& [part, part_index] : pickle.tensors()[index].parts) add(name + "." + part, part_index);
  }
  for (const StoredTensor& tensor : result.tensors)
    if (tensor.problem) result.findings.push_back(finding_of(tensor));
  return result;
}

// Before PyTorch 1.6, and with _use_new_zipfile_serialization=False since, a file is a row of pickles: a magic number, a version, facts of
// the machine, the value, the keys of the storages; then each storage, the number of its elements (8 bytes) before its bytes. The first
// pickle is known by its number, which no other file begins with.
// Where the second one begins; 0: this is no such file.
size_t end_of_magic(std::string_view head) {
  constexpr std::string_view kMagic("\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 12);
  const size_t at = head.substr(0, 32).find(kMagic);
  if (at == head.npos) return 0;
  const size_t stop = head.substr(at + kMagic.size(), 3).find('.');
  return stop == head.npos ? 0 : at + kMagic.size() + stop + 1;
}

constexpr uint64_t kLegacyHead = 1 << 20;  // bytes looked at first; the pickles of a large model take more

// Reads the pickles of a legacy file. `bytes` must outlive the result's texts.
struct LegacyPickles {
  std::unique_ptr<Unpickler> value;
  std::vector<std::string> keys;
  uint64_t end = 0;  // where the first storage begins
};
Result<LegacyPickles> read_legacy_pickles(std::string_view bytes) {
  LegacyPickles result;
  size_t at = end_of_magic(bytes);
  const auto next = [&](const char* what) -> Result<std::unique_ptr<Unpickler>> {
    auto pickle = std::make_unique<Unpickler>(bytes.substr(at));
    if (auto ran = pickle->run(); !ran) {
      Error error = ran.error();
      error.where = std::string(what) + (error.where.empty() ? "" : ", " + error.where);
      return error;
    }
    at += pickle->consumed();
    return pickle;
  };
  auto version = next("the version");
  if (!version) return version.error();
  if (const PickleItem& item = (*version)->item((*version)->root()); item.kind != PickleKind::Int || item.integer != 1001)
    return Error{ErrorKind::CannotOpen, "has a version of the format of before PyTorch 1.6 that is not known (expected 1001)", "", ""};
  if (auto machine = next("the facts of the machine"); !machine) return machine.error();
  auto value = next("data.pkl");
  if (!value) return value.error();
  auto keys = next("the keys of the storages");
  if (!keys) return keys.error();
  const Unpickler& list = **keys;
  if (list.item(list.root()).kind != PickleKind::List) return Error{ErrorKind::CannotOpen, "the keys of the storages are no list", "", ""};
  for (const PickleId key : list.list(list.root())) {
    if (list.item(key).kind != PickleKind::String) return Error{ErrorKind::CannotOpen, "the key of a storage is no text", "", ""};
    result.keys.emplace_back(list.text(key));
  }
  result.value = std::move(*value);
  result.end = at;
  return result;
}

Result<TorchSave> read_legacy(std::shared_ptr<const ByteSource> source, const std::string& where, TensorNaming naming) {
  const auto placed = [&](Error error) {
    error.where = joined(where, error.where);
    return error;
  };
  std::string bytes;
  Result<LegacyPickles> pickles = Error{};
  for (uint64_t head = kLegacyHead;; head *= 8) {
    const uint64_t size = std::min({source->size(), head, uint64_t{limits::kPickleBytes}});
    auto text = source->text(0, size);
    if (!text) return placed(text.error());
    bytes = std::move(*text);
    pickles = read_legacy_pickles(bytes);
    if (pickles || size == source->size() || size == limits::kPickleBytes) break;
  }
  if (!pickles) return placed(pickles.error());
  std::map<std::string, std::pair<uint64_t, uint64_t>, std::less<>> regions;
  std::unordered_map<std::string_view, const PickledStorage*> storages;
  for (const PickledStorage& storage : pickles->value->storages()) storages.emplace(storage.key, &storage);
  uint64_t at = pickles->end;
  for (const std::string& key : pickles->keys) {
    const auto known = storages.find(key);
    if (known == storages.end()) return placed({ErrorKind::CannotOpen, "there is a storage \"" + key + "\" that no tensor names", "", "The file is damaged. Save it again."});
    const auto count = source->text(at, 8);
    if (!count) return placed({ErrorKind::CannotOpen, "the file is cut off: storage \"" + key + "\" should begin at byte " + with_commas(at) + ", the file has " + with_commas(source->size()) + " bytes", "", "The download or copy is incomplete. Fetch or save it again."});
    uint64_t elements = 0;
    for (size_t i = 8; i-- > 0;) elements = elements << 8 | static_cast<unsigned char>((*count)[i]);
    const DType dtype = known->second->dtype;
    const uint64_t item = dtype == DType::Unknown ? 1 : static_cast<uint64_t>(item_size(dtype));
    const auto size = checked_multiply<uint64_t>(elements, item);
    at += 8;
    if (!size || *size > source->size() - at)
      return placed({ErrorKind::CannotOpen, "storage \"" + key + "\" has " + with_commas(elements) + " elements of " + with_commas(item) + " bytes, " + with_commas(source->size() - at) + " bytes are left in the file", at_byte(at - 8), "The file is damaged or incomplete. Fetch or save it again."});
    regions[key] = {at, *size};
    at += *size;
  }
  return collect(*pickles->value, region_records(std::move(source), std::move(regions)), where, false, naming);
}

}  // namespace

Result<TorchSave> read_torch_save(std::shared_ptr<const ByteSource> source, const std::string& where, TensorNaming naming) {
  const auto placed = [&](Error error, const std::string& inside = "") {
    error.where = joined(where, inside.empty() ? error.where : error.where.empty() ? inside : inside + ", " + error.where);
    return error;
  };
  if (!ZipReader::looks_like_zip(*source)) {
    const auto first = source->text(0, std::min<uint64_t>(source->size(), 64));
    if (!first) return placed(first.error());
    if (end_of_magic(*first)) return read_legacy(std::move(source), where, naming);
    const bool pickle = first->starts_with('\x80');
    return placed({ErrorKind::CannotOpen, pickle ? "is a bare pickle, not what torch.save writes" : "is not the zip archive that torch.save writes", "",
                   pickle ? "Save the tensors with torch.save, or as .safetensors or .npz." : "The file is damaged or of another kind."});
  }
  auto opened = ZipReader::open(std::move(source));
  if (!opened) return placed(opened.error());
  const auto zip = std::make_shared<const ZipReader>(std::move(*opened));
  const ZipMember* pickle_member = nullptr;
  for (const ZipMember& member : zip->members())
    if (!pickle_member && (member.name == "data.pkl" || member.name.ends_with("/data.pkl"))) pickle_member = &member;
  if (!pickle_member) return placed({ErrorKind::CannotOpen, "the archive has no data.pkl, which torch.save always writes", "", "The file is damaged or of another kind."});
  const std::string root = pickle_member->name.substr(0, pickle_member->name.size() - std::string_view("data.pkl").size());
  const auto bytes = zip->read(*pickle_member, limits::kPickleBytes, "pickle_stream");
  if (!bytes) return placed(bytes.error());

  Unpickler pickle(*bytes);
  if (auto ran = pickle.run(); !ran) return placed(ran.error(), "data.pkl");
  bool big_endian = false;
  if (const ZipMember* order = zip->find(root + "byteorder")) {
    const auto text = zip->read(*order, 64, "byteorder");
    big_endian = text && *text == "big";
  }
  auto result = collect(pickle, zip_records(zip, root + "data/"), where, big_endian, naming);
  if (!result) return result;
  for (Finding finding : zip->findings()) {
    finding.where = joined(where, finding.where);
    result->findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace pt2
