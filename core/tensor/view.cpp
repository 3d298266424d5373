#include "core/tensor/view.h"

#include <algorithm>
#include <cstring>

#include "core/base/checked.h"
#include "core/base/limits.h"
#include "core/base/text.h"

namespace pt2 {

std::optional<int64_t> checked_numel(std::span<const int64_t> sizes) {
  bool empty = false;
  for (const int64_t size : sizes) {
    if (size < 0) return std::nullopt;
    empty |= size == 0;
  }
  if (empty) return 0;
  int64_t numel = 1;
  for (const int64_t size : sizes)
    if (__builtin_mul_overflow(numel, size, &numel)) return std::nullopt;
  return numel;
}

std::optional<int64_t> checked_extent(std::span<const int64_t> sizes, std::span<const int64_t> strides, int64_t offset) {
  const auto numel = checked_numel(sizes);
  if (!numel || offset < 0 || sizes.size() != strides.size()) return std::nullopt;
  for (const int64_t stride : strides)
    if (stride < 0) return std::nullopt;
  if (*numel == 0) return 0;
  std::optional<int64_t> last = offset;
  for (size_t i = 0; i < sizes.size() && last; ++i) {
    const auto step = checked_multiply(sizes[i] - 1, strides[i]);
    last = step ? checked_add(*last, *step) : std::nullopt;
  }
  return last ? checked_add(*last, int64_t{1}) : std::nullopt;
}

std::string shape_text(std::span<const int64_t> sizes) {
  std::string text = "[";
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (i) text += ", ";
    if (i == 16 && sizes.size() > 20) return text + "… " + std::to_string(sizes.size()) + " dimensions]";
    text += std::to_string(sizes[i]);
  }
  return text + "]";
}

std::string view_problem(DType dtype, std::span<const int64_t> sizes, std::span<const int64_t> strides, int64_t offset, uint64_t storage_bytes) {
  const std::string what = std::string(dtype_name(dtype)) + " " + shape_text(sizes);
  if (sizes.size() != strides.size()) return "has " + std::to_string(sizes.size()) + " sizes " + shape_text(sizes) + " and " + std::to_string(strides.size()) + " strides";
  if (sizes.size() > limits::kTensorRank) return "has " + std::to_string(sizes.size()) + " dimensions (limit " + std::to_string(limits::kTensorRank) + ")";
  for (const int64_t size : sizes)
    if (size < 0) return "has a negative size, " + shape_text(sizes);
  for (const int64_t stride : strides)
    if (stride < 0) return "has a negative stride, " + shape_text(strides);
  if (offset < 0) return "has a negative storage offset, " + with_commas(offset);
  const auto extent = checked_extent(sizes, strides, offset);
  const auto bytes = extent ? checked_multiply(*extent, int64_t{item_size(dtype)}) : std::nullopt;
  const auto numel = checked_numel(sizes);
  if (!bytes || !numel || !checked_multiply(*numel, int64_t{item_size(dtype)})) return "needs more bytes than 64 bits can count (" + what + ", strides " + shape_text(strides) + ", offset " + with_commas(offset) + ")";
  const auto stored = static_cast<uint64_t>(*bytes - 1) / static_cast<uint64_t>(elements_per_stored_byte(dtype)) + 1;
  if (*bytes == 0 || stored <= storage_bytes) return "";
  const bool plain = offset == 0 && std::equal(strides.begin(), strides.end(), contiguous_strides(sizes).begin());
  return "needs " + with_commas(stored) + " bytes (" + what + (plain ? "" : ", strides " + shape_text(strides) + ", offset " + with_commas(offset)) + "), the member has " + with_commas(storage_bytes);
}

namespace {

template <size_t kItem>
std::byte* copy_run(std::byte* out, const std::byte* in, int64_t count, int64_t step) {
  for (int64_t i = 0; i < count; ++i, in += step, out += kItem) std::memcpy(out, in, kItem);
  return out;
}

}  // namespace

Result<Tensor> contiguous(const Tensor& tensor) {
  if (is_contiguous(tensor)) return tensor;
  const auto numel = checked_numel(tensor.sizes);
  const int item = item_size(tensor.dtype);
  const auto bytes = numel ? checked_multiply(*numel, int64_t{item}) : std::nullopt;
  if (!bytes) return Error{ErrorKind::Limit, "the tensor has more bytes than 64 bits can count", "", ""};
  auto storage = uninitialized_storage(static_cast<uint64_t>(*bytes));
  if (!storage) return storage.error();
  std::byte* out = storage->data();
  for_each_run(tensor, [&](const std::byte* in, int64_t count, int64_t step) {
    switch (item) {
      case 1: out = copy_run<1>(out, in, count, step); break;
      case 2: out = copy_run<2>(out, in, count, step); break;
      case 4: out = copy_run<4>(out, in, count, step); break;
      case 8: out = copy_run<8>(out, in, count, step); break;
      default: out = copy_run<16>(out, in, count, step); break;
    }
  });
  return Tensor{*storage, tensor.dtype, tensor.sizes, contiguous_strides(tensor.sizes), 0};
}

}  // namespace pt2
