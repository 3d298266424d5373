#include "core/tensor/tensor_files.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "core/archive/archive.h"
#include "core/archive/npy_header.h"
#include "core/archive/safetensors_header.h"
#include "core/archive/zip_writer.h"
#include "core/base/file_writer.h"
#include "core/base/json_tree.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/tensor/archived_tensors.h"
#include "core/tensor/element.h"
#include "core/tensor/mapped_storage.h"
#include "core/tensor/view.h"

namespace pt2 {

namespace {

constexpr size_t kBufferBytes = 1 << 20;

// Passes the elements on in row-major order, as bytes in pieces of about a megabyte.
template <class Sink>
Result<void> stream(const Tensor& tensor, Sink&& sink) {
  const size_t item = static_cast<size_t>(item_size(tensor.dtype));
  Result<void> result = check_mapping(tensor.storage);
  const auto pass = [&](const std::byte* bytes, size_t size) {
    for (size_t at = 0; at < size && result; at += kBufferBytes) result = sink(std::span(bytes + at, std::min(kBufferBytes, size - at)));
  };
  if (is_contiguous(tensor)) {
    pass(tensor.bytes(), static_cast<size_t>(tensor.numel()) * item);
  } else {
    std::vector<std::byte> buffer;
    buffer.reserve(kBufferBytes + item);
    for_each_run(tensor, [&](const std::byte* at, int64_t count, int64_t step) {
      for (int64_t i = 0; i < count && result; ++i, at += step) {
        buffer.insert(buffer.end(), at, at + item);
        if (buffer.size() < kBufferBytes) continue;
        result = sink(std::span<const std::byte>(buffer));
        buffer.clear();
      }
    });
    if (result && !buffer.empty()) result = sink(std::span<const std::byte>(buffer));
  }
  return result ? check_mapping(tensor.storage) : result;
}

// What NumPy has no type for becomes the next larger one that holds every value.
Result<Tensor> widened_for_numpy(const Tensor& tensor) {
  DType wide = tensor.dtype;
  if (tensor.dtype == DType::BFloat16 || (is_floating(tensor.dtype) && item_size(tensor.dtype) == 1)) wide = DType::Float32;
  else if (tensor.dtype == DType::Complex32) wide = DType::Complex64;
  else if (tensor.dtype == DType::QInt8) wide = DType::Int8;
  else if (tensor.dtype == DType::QInt32) wide = DType::Int32;
  else if (tensor.dtype == DType::QUInt8 || tensor.dtype == DType::QUInt4x2 || tensor.dtype == DType::QUInt2x4 || tensor.dtype == DType::Float4E2M1FnX2) wide = DType::UInt8;
  if (wide == tensor.dtype) return tensor;
  Tensor result = tensor;
  result.dtype = wide;
  if (item_size(wide) == item_size(tensor.dtype)) return result;
  auto storage = uninitialized_storage(static_cast<uint64_t>(tensor.numel()) * static_cast<uint64_t>(item_size(wide)));
  if (!storage) return storage.error();
  auto* out = reinterpret_cast<float*>(storage->data());
  for_each_run(tensor, [&](const std::byte* at, int64_t count, int64_t step) {
    for (int64_t i = 0; i < count; ++i, at += step) {
      const Element element = read_element(tensor.dtype, at);
      if (const auto* pair = std::get_if<std::complex<double>>(&element)) {
        *out++ = static_cast<float>(pair->real());
        *out++ = static_cast<float>(pair->imag());
      } else {
        *out++ = static_cast<float>(std::get<double>(element));
      }
    }
  });
  return Tensor{*storage, wide, tensor.sizes, contiguous_strides(tensor.sizes), 0};
}

// A header entry; complex numbers become pairs.
struct Stored { std::string_view dtype; Shape shape; uint64_t bytes; bool complex; };
Result<Stored> stored_form(std::string_view name, const Tensor& tensor) {
  Stored stored{safetensors_dtype(tensor.dtype), tensor.sizes, static_cast<uint64_t>(tensor.numel()) * static_cast<uint64_t>(item_size(tensor.dtype)), is_complex(tensor.dtype)};
  if (stored.complex) {
    stored.dtype = safetensors_dtype(tensor.dtype == DType::Complex32 ? DType::Float16 : tensor.dtype == DType::Complex64 ? DType::Float32 : DType::Float64);
    stored.shape.push_back(2);
  }
  if (stored.dtype.empty()) return Error{ErrorKind::Failed, "\"" + std::string(name) + "\" is of a type that .safetensors does not have", "", ""};
  return stored;
}

class HeaderText {
 public:
  void add(std::string_view name, const Stored& stored, uint64_t begin) {
    entries_ += (entries_.empty() ? "" : ",") + json_quoted(name) + R"(:{"dtype":")" + std::string(stored.dtype) + R"(","shape":[)";
    for (size_t i = 0; i < stored.shape.size(); ++i) entries_ += (i ? "," : "") + std::to_string(stored.shape[i]);
    entries_ += "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(begin + stored.bytes) + "]}";
    if (stored.complex) complex_ += (complex_.empty() ? "" : ",") + std::string(name);
  }
  std::string text(std::map<std::string, std::string> metadata) const {
    if (!complex_.empty()) metadata["complex"] = complex_;
    else metadata.erase("complex");
    std::string text = "{";
    if (!metadata.empty()) {
      text += "\"__metadata__\":{";
      bool first = true;
      for (const auto& [key, value] : metadata) {
        text += (first ? "" : ",") + json_quoted(key) + ":" + json_quoted(value);
        first = false;
      }
      text += entries_.empty() ? "}" : "},";
    }
    return text + entries_ + "}";
  }

 private:
  std::string entries_, complex_;
};

// Length and header, padded with blanks so that the data begins at a multiple of 8, and at `size` where that is given.
std::string framed_header(std::string header, size_t size = 0) {
  header.append(size > header.size() + 8 ? size - header.size() - 8 : (8 - header.size() % 8) % 8, ' ');
  std::string text;
  for (int i = 0; i < 8; ++i) text += static_cast<char>(header.size() >> (8 * i));
  return text + header;
}

Result<void> write_safetensors(FileWriter& out, const TensorFile& file) {
  std::vector<Stored> forms;
  for (const auto& [name, tensor] : file.tensors) {
    auto form = stored_form(name, tensor);
    if (!form) return form.error();
    forms.push_back(std::move(*form));
  }
  // No gaps are allowed, so tensors are aligned by writing those of wide elements first.
  std::vector<size_t> order(forms.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto width = [&](size_t i) { return item_size(file.tensors[i].second.dtype); };
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return width(a) > width(b); });
  std::vector<uint64_t> begins(forms.size());
  uint64_t at = 0;
  for (const size_t i : order) {
    begins[i] = at;
    at += forms[i].bytes;
  }
  HeaderText header;
  for (size_t i = 0; i < forms.size(); ++i) header.add(file.tensors[i].first, forms[i], begins[i]);
  if (auto done = out.write(framed_header(header.text(file.metadata))); !done) return done;
  for (const size_t i : order)
    if (auto done = stream(file.tensors[i].second, [&](auto bytes) { return out.write(bytes); }); !done) return done;
  return {};
}

template <class Writer>
Result<void> write_npy(const Tensor& tensor, Writer&& write) {
  const auto wide = widened_for_numpy(tensor);
  if (!wide) return wide.error();
  const std::string header = npy_header_text(wide->dtype, wide->sizes);
  if (Result<void> done = write(std::as_bytes(std::span(header))); !done) return done;
  return stream(*wide, write);
}

Result<void> write_npz(FileWriter& out, const TensorFile& file) {
  if (!out.replaceable()) return Error{ErrorKind::Failed, "is no regular file, and a .npz file cannot be written in one go", "", "Give the path of a file."};
  ZipWriter zip(out);
  for (const auto& [name, tensor] : file.tensors) {
    if (auto begun = zip.begin(name + ".npy"); !begun) return begun;
    if (auto done = write_npy(tensor, [&](std::span<const std::byte> bytes) { return zip.write(bytes); }); !done) return done;
    if (auto ended = zip.end(); !ended) return ended;
  }
  return zip.finish();
}

// In the order of their names.
Result<TensorFile> read_tensor_folder(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<fs::path> paths;
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->path().extension() == ".npy" && it->is_regular_file(ignored)) paths.push_back(it->path());
    if (paths.size() > limits::kArchiveMembers) return Error{ErrorKind::Limit, "holds more than " + with_commas(limits::kArchiveMembers) + " .npy files", "", ""};
  }
  if (error) return Error{ErrorKind::CannotOpen, "the folder cannot be read: " + error.message(), "", ""};
  if (paths.empty()) return Error{ErrorKind::CannotOpen, "holds no .npy files", "", "Give a folder of .npy files, or a .safetensors, .npz, .npy or .pt file."};
  std::sort(paths.begin(), paths.end());
  TensorFile file;
  for (const fs::path& one : paths) {
    auto read = read_tensor_file(one.string());
    if (!read) return read.error();
    for (auto& [name, tensor] : read->tensors) file.tensors.emplace_back(one.lexically_relative(path).replace_extension().generic_string(), std::move(tensor));
  }
  return file;
}

}  // namespace

Result<TensorFile> archived_tensors(const Archive& archive) {
  TensorFile file;
  for (const TensorInfo& info : archive.tensors("")) {
    auto tensor = archive.read_tensor("", info.role, info.name);
    if (!tensor) return tensor.error();
    file.tensors.emplace_back(info.name, std::move(*tensor));
  }
  if (archive.container() == Container::Safetensors)
    for (const std::string& key : archive.extra_files())
      if (auto text = archive.extra_file(key)) file.metadata[key] = std::move(*text);
  return file;
}

Result<TensorFile> read_tensor_file(const std::string& path) {
  if (std::error_code error; std::filesystem::is_directory(path, error)) return read_tensor_folder(path);
  auto archive = open_archive(path);
  if (!archive) return archive.error();
  if (!(*archive)->models().empty() || (*archive)->container() == Container::AotInductor)
    return Error{ErrorKind::CannotOpen, "is a program, not a file of tensors", "", "Give a .safetensors, .npz, .npy or .pt file."};
  return archived_tensors(**archive);
}

Result<void> write_tensor_file(const std::string& path, const TensorFile& file) {
  const bool safetensors = path.ends_with(".safetensors"), npz = path.ends_with(".npz"), npy = path.ends_with(".npy");
  if (!safetensors && !npz && !npy) return Error{ErrorKind::Failed, "the kind of file is told by its name, which should end in .safetensors, .npz or .npy", "", ""};
  if (npy && file.tensors.size() != 1) return Error{ErrorKind::Failed, "a .npy file holds one tensor, there are " + with_commas(uint64_t{file.tensors.size()}), "", "Write a .safetensors or .npz file."};
  auto out = FileWriter::create(path);
  if (!out) return out.error();
  const Result<void> done = safetensors ? write_safetensors(*out, file)
                            : npz       ? write_npz(*out, file)
                                        : write_npy(file.tensors.front().second, [&](std::span<const std::byte> bytes) { return out->write(bytes); });
  if (!done) return done;
  return out->commit();
}

struct SafetensorsWriter::State {
  FileWriter out;
  size_t reserved;  // bytes left for the length and header
  HeaderText header;
  uint64_t data_bytes = 0;
};

SafetensorsWriter::SafetensorsWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
SafetensorsWriter::SafetensorsWriter(SafetensorsWriter&&) noexcept = default;
SafetensorsWriter& SafetensorsWriter::operator=(SafetensorsWriter&&) noexcept = default;
SafetensorsWriter::~SafetensorsWriter() = default;

Result<SafetensorsWriter> SafetensorsWriter::create(const std::string& path, size_t expected_tensors) {
  constexpr size_t kEntryBytes = 128;
  auto out = FileWriter::create(path);
  if (!out) return out.error();
  if (!out->replaceable()) return Error{ErrorKind::Failed, "is no regular file, and a .safetensors file cannot be written in one go", "", "Give the path of a file."};
  const size_t reserved = (4096 + expected_tensors * kEntryBytes) / 8 * 8;
  if (auto done = out->write(std::string(reserved, ' ')); !done) return done.error();
  return SafetensorsWriter(std::make_unique<State>(State{std::move(*out), reserved, {}, 0}));
}

Result<void> SafetensorsWriter::add(std::string_view name, const Tensor& tensor) {
  const auto form = stored_form(name, tensor);
  if (!form) return form.error();
  state_->header.add(name, *form, state_->data_bytes);
  state_->data_bytes += form->bytes;
  return stream(tensor, [&](auto bytes) { return state_->out.write(bytes); });
}

Result<void> SafetensorsWriter::finish(std::map<std::string, std::string> metadata) {
  std::string header = framed_header(state_->header.text(std::move(metadata)), state_->reserved);
  if (header.size() > state_->reserved) {  // move the data up, from its end so that nothing is overwritten
    const uint64_t shift = header.size() - state_->reserved;
    std::vector<std::byte> buffer(kBufferBytes);
    for (uint64_t left = state_->data_bytes; left > 0;) {
      const uint64_t size = std::min<uint64_t>(left, buffer.size());
      left -= size;
      const auto piece = std::span(buffer).first(size);
      if (auto done = state_->out.read_at(state_->reserved + left, piece); !done) return done;
      if (auto done = state_->out.write_at(state_->reserved + left + shift, piece); !done) return done;
    }
  }
  if (auto done = state_->out.write_at(0, std::as_bytes(std::span(header))); !done) return done;
  return state_->out.commit();
}

}  // namespace pt2
