#include "core/encode/torch_save_writer.h"

#include <cstring>

#include "core/archive/zip_writer.h"

namespace pt2 {

namespace {

// Opcodes of pickle, protocol 2.
constexpr char kMark = '(', kTuple = 't', kEmptyList = ']', kAppends = 'e', kEmptyDict = '}', kSetItems = 'u', kNone = 'N', kTrue = '\x88',
               kFalse = '\x89', kLong1 = '\x8a', kFloat = 'G', kUnicode = 'X', kGlobal = 'c', kReduce = 'R', kPersistentId = 'Q', kStop = '.';

Result<void> add_member(ZipWriter& zip, std::string name, std::span<const std::byte> content) {
  if (auto done = zip.begin(std::move(name)); !done) return done;
  if (auto done = zip.write(content); !done) return done;
  return zip.end();
}

}  // namespace

TorchSaveWriter& TorchSaveWriter::none() { return pickle_ += kNone, *this; }
TorchSaveWriter& TorchSaveWriter::value(bool v) { return pickle_ += v ? kTrue : kFalse, *this; }

TorchSaveWriter& TorchSaveWriter::value(int64_t v) {
  pickle_ += kLong1;
  pickle_ += '\x08';
  for (int i = 0; i < 8; ++i) pickle_ += static_cast<char>(static_cast<uint64_t>(v) >> (8 * i));
  return *this;
}

TorchSaveWriter& TorchSaveWriter::value(double v) {
  uint64_t bits;
  std::memcpy(&bits, &v, 8);
  pickle_ += kFloat;
  for (int i = 7; i >= 0; --i) pickle_ += static_cast<char>(bits >> (8 * i));
  return *this;
}

TorchSaveWriter& TorchSaveWriter::value(std::complex<double> v) {
  global("__builtin__", "complex");
  begin_tuple().value(v.real()).value(v.imag()).end_tuple();
  return pickle_ += kReduce, *this;
}

TorchSaveWriter& TorchSaveWriter::value(std::string_view v) {
  pickle_ += kUnicode;
  for (int i = 0; i < 4; ++i) pickle_ += static_cast<char>(v.size() >> (8 * i));
  return pickle_ += v, *this;
}

// torch._utils._rebuild_tensor_v3(storage, offset, sizes, strides, requires_grad, hooks, dtype): the form that has every dtype.
TorchSaveWriter& TorchSaveWriter::value(const Tensor& v) {
  size_t record = 0;
  while (record < records_.size() && records_[record].identity != v.storage.identity()) ++record;
  if (record == records_.size()) records_.push_back({v.storage.identity(), v.storage});
  global("torch._utils", "_rebuild_tensor_v3");
  begin_tuple();
  begin_tuple().value(std::string_view("storage"));
  global("torch.storage", "UntypedStorage");
  value(std::string_view(std::to_string(record))).value(std::string_view("cpu")).value(static_cast<int64_t>(v.storage.size_bytes())).end_tuple();
  pickle_ += kPersistentId;
  value(v.offset);
  integers(v.sizes);
  integers(v.strides);
  value(false);
  global("collections", "OrderedDict");
  begin_tuple().end_tuple();
  pickle_ += kReduce;
  global("torch", dtype_name(v.dtype));
  end_tuple();
  return pickle_ += kReduce, *this;
}

TorchSaveWriter& TorchSaveWriter::begin_tuple() { return pickle_ += kMark, *this; }
TorchSaveWriter& TorchSaveWriter::end_tuple() { return pickle_ += kTuple, *this; }
TorchSaveWriter& TorchSaveWriter::begin_list() { return pickle_ += kEmptyList, pickle_ += kMark, *this; }
TorchSaveWriter& TorchSaveWriter::end_list() { return pickle_ += kAppends, *this; }
TorchSaveWriter& TorchSaveWriter::begin_dict() { return pickle_ += kEmptyDict, pickle_ += kMark, *this; }
TorchSaveWriter& TorchSaveWriter::end_dict() { return pickle_ += kSetItems, *this; }

void TorchSaveWriter::global(std::string_view module, std::string_view name) {
  pickle_ += kGlobal;
  pickle_.append(module).append("\n").append(name).append("\n");
}

void TorchSaveWriter::integers(const Shape& numbers) {
  begin_tuple();
  for (int64_t number : numbers) value(number);
  end_tuple();
}

Result<std::string> TorchSaveWriter::bytes() const {
  std::string out;
  ZipWriter zip(out);
  auto text = [&](const char* name, std::string_view content) { return add_member(zip, std::string("archive/") + name, std::as_bytes(std::span(content))); };
  if (auto done = text("data.pkl", pickle_ + kStop); !done) return done.error();
  if (auto done = text(".format_version", "1"); !done) return done.error();
  if (auto done = text(".storage_alignment", "64"); !done) return done.error();
  if (auto done = text("byteorder", "little"); !done) return done.error();
  for (size_t i = 0; i < records_.size(); ++i)
    if (auto done = add_member(zip, "archive/data/" + std::to_string(i), {records_[i].storage.data(), records_[i].storage.size_bytes()}); !done) return done.error();
  if (auto done = text("version", "3\n"); !done) return done.error();
  if (auto done = zip.finish(); !done) return done.error();
  return out;
}

}  // namespace pt2
