#include "core/archive/stored_tensor.h"

#include <algorithm>
#include <bit>

#include "core/base/text.h"
#include "core/tensor/mapped_storage.h"
#include "core/tensor/view.h"

namespace pt2 {

namespace {

constexpr std::string_view kNoValues = "The graph can be browsed; this tensor has no values and nodes that need it will not run.";

void set_problem(StoredTensor& tensor, std::string message) {
  tensor.problem = Error{ErrorKind::Failed, "\"" + tensor.info.name + "\" " + std::move(message), tensor.info.record, std::string(kNoValues)};
}

// Numbers of a complex element are swapped one by one.
int swap_width(DType dtype) { return is_complex(dtype) ? item_size(dtype) / 2 : item_size(dtype); }

template <class T>
void negate_every(std::byte* data, int64_t count, int64_t first, int64_t step) {
  T* numbers = reinterpret_cast<T*>(data);
  for (int64_t i = first; i < count; i += step) numbers[i] = -numbers[i];
}

// Elements of less than a byte, the first in the lowest bits, become bytes.
Result<Tensor> unpacked(const Tensor& packed) {
  const int per_byte = elements_per_stored_byte(packed.dtype), bits = 8 / per_byte;
  const auto extent = static_cast<uint64_t>(checked_extent(packed.sizes, packed.strides, packed.offset).value_or(0));
  auto storage = uninitialized_storage(extent);
  if (!storage) return storage.error();
  for (uint64_t i = 0; i < extent; ++i)
    storage->data()[i] = packed.storage.data()[i / static_cast<uint64_t>(per_byte)] >> static_cast<int>(i % static_cast<uint64_t>(per_byte)) * bits & std::byte((1 << bits) - 1);
  return Tensor{*storage, packed.dtype, packed.sizes, packed.strides, packed.offset};
}

// torch keeps conj() and neg() as marks on the tensor; the stored numbers are those before.
Result<Tensor> resolve_marks(const StoredTensor& stored, const Tensor& tensor) {
  auto copy = contiguous(tensor);
  if (!copy) return copy;
  if (copy->storage.shares_with(tensor.storage)) {  // already in order: the shared storage must stay as it is
    auto storage = uninitialized_storage(static_cast<uint64_t>(tensor.numel()) * static_cast<uint64_t>(item_size(tensor.dtype)));
    if (!storage) return storage.error();
    std::copy_n(copy->bytes(), storage->size_bytes(), storage->data());
    copy = Tensor{*storage, tensor.dtype, tensor.sizes, contiguous_strides(tensor.sizes), 0};
  }
  const bool complex = is_complex(tensor.dtype);
  const int64_t count = copy->numel() * (complex ? 2 : 1);
  const auto apply = [&](int64_t first, int64_t step) {
    switch (tensor.dtype) {
      case DType::Float32:
      case DType::Complex64: negate_every<float>(copy->bytes(), count, first, step); break;
      case DType::Float64:
      case DType::Complex128: negate_every<double>(copy->bytes(), count, first, step); break;
      case DType::Float16:
      case DType::BFloat16:
      case DType::Complex32:
        for (int64_t i = first; i < count; i += step) copy->data<uint16_t>()[i] ^= 0x8000;
        break;
      default: break;
    }
  };
  if (stored.conjugate && complex) apply(1, 2);
  if (stored.negate) apply(0, 1);
  return copy;
}

}  // namespace

void check_stored(StoredTensor& tensor, uint64_t storage_bytes) {
  TensorInfo& info = tensor.info;
  const auto present = tensor.records ? tensor.records->size(tensor.record) : std::nullopt;
  if (!present) return set_problem(tensor, "needs this member, which the archive does not have");
  if (*present == 0 && checked_numel(info.sizes).value_or(0) != 0) {
    if (const std::string wrong = view_problem(info.dtype, info.sizes, info.strides, info.offset, INT64_MAX); !wrong.empty()) return set_problem(tensor, wrong);
    tensor.zeros = true;
    info.note = "no data in the file (fake tensor): zeros";
    return;
  }
  if (*present < storage_bytes)
    return set_problem(tensor, "has a storage of " + with_commas(storage_bytes) + " bytes, the member has " + with_commas(*present));
  if (const std::string wrong = view_problem(info.dtype, info.sizes, info.strides, info.offset, *present); !wrong.empty()) return set_problem(tensor, wrong);
  if (const auto inside = tensor.records->check(tensor.record); !inside)
    tensor.problem = Error{inside.error().kind, "\"" + info.name + "\": " + inside.error().message, inside.error().where, std::string(kNoValues)};
}

void check_stored(StoredTensor& tensor) { check_stored(tensor, 0); }

Finding finding_of(const StoredTensor& tensor) { return {Severity::Warning, "archive.tensor", tensor.problem->message, tensor.problem->where, tensor.problem->advice, {}}; }

Result<Tensor> read_stored(const StoredTensor& stored) {
  const TensorInfo& info = stored.info;
  if (stored.problem) return *stored.problem;
  if (!stored.records) return Error{ErrorKind::Failed, "\"" + info.name + "\" has no values of its own: " + info.note, info.record, ""};
  Tensor tensor{Storage(), info.dtype, info.sizes, info.strides, info.offset};
  if (stored.zeros) {
    const auto extent = checked_extent(info.sizes, info.strides, info.offset);
    auto storage = zero_storage(static_cast<uint64_t>(extent.value_or(0)) * static_cast<uint64_t>(item_size(info.dtype)));
    if (!storage) return storage.error();
    tensor.storage = *storage;
    return tensor;
  }
  const bool swapped = stored.big_endian == (std::endian::native == std::endian::little);
  auto storage = stored.records->storage(stored.record, swapped ? swap_width(info.dtype) : 1);
  if (!storage) {
    Error error = storage.error();
    if (error.where.empty()) error.where = info.record;
    return error;
  }
  tensor.storage = *storage;
  const bool packed = elements_per_stored_byte(info.dtype) > 1, marked = stored.conjugate || stored.negate;
  if (packed || marked)
    if (auto right = check_mapping(tensor.storage); !right) return right.error();
  if (packed) return unpacked(tensor);
  if (marked) return resolve_marks(stored, tensor);
  return tensor;
}

}  // namespace pt2
