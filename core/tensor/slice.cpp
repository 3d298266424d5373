#include "core/tensor/slice.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

namespace pt2 {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

Error problem(std::string message) { return {ErrorKind::Failed, std::move(message), "", "Write one index or range for each dimension, as in \"0, :, 2:4\" or \"..., ::2\"."}; }

std::optional<int64_t> number(std::string_view text) {
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Result<TensorSlice> slice_tensor(const Tensor& tensor, std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('[') && text.ends_with(']')) text = trimmed(text.substr(1, text.size() - 2));
  std::vector<std::string_view> parts;
  for (size_t begin = 0; !text.empty() && begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  if (!parts.empty() && parts.back().empty()) parts.pop_back();  // "0," is one index
  const size_t rank = tensor.sizes.size();
  const auto dots = size_t(std::count(parts.begin(), parts.end(), "..."));
  if (dots > 1) return problem("\"...\" can stand only once");
  if (parts.size() - dots > rank) return problem(std::to_string(parts.size() - dots) + " indices for a tensor of " + std::to_string(rank) + " dimensions");

  TensorSlice slice;
  slice.view = tensor;
  slice.view.sizes.clear();
  slice.view.strides.clear();
  size_t dim = 0;
  auto whole = [&] {
    slice.dims.push_back({0, 1, tensor.sizes[dim], false});
    slice.view.sizes.push_back(tensor.sizes[dim]);
    slice.view.strides.push_back(tensor.strides[dim]);
    ++dim;
  };
  for (std::string_view part : parts) {
    if (part == "...") {
      for (size_t skipped = rank - (parts.size() - 1); skipped > 0; --skipped) whole();
      continue;
    }
    const int64_t size = tensor.sizes[dim], stride = tensor.strides[dim];
    const size_t colon = part.find(':');
    if (colon == part.npos) {
      const auto index = number(part);
      if (!index) return problem("\"" + std::string(part) + "\" is no index");
      if (*index < -size || *index >= size)
        return problem("index " + std::string(part) + " is outside dimension " + std::to_string(dim) + " of size " + std::to_string(size));
      const int64_t at = *index < 0 ? *index + size : *index;
      slice.view.offset += at * stride;
      slice.dims.push_back({at, 1, 1, true});
      ++dim;
      continue;
    }
    const size_t second = part.find(':', colon + 1);
    const std::string_view texts[3] = {trimmed(part.substr(0, colon)), trimmed(part.substr(colon + 1, second == part.npos ? part.npos : second - colon - 1)),
                                       second == part.npos ? std::string_view() : trimmed(part.substr(second + 1))};
    std::optional<int64_t> numbers[3];
    for (int i = 0; i < 3; ++i)
      if (!texts[i].empty() && !(numbers[i] = number(texts[i]))) return problem("\"" + std::string(texts[i]) + "\" is no number");
    const int64_t step = numbers[2].value_or(1);
    if (step <= 0) return problem("the step " + std::to_string(step) + " is not positive");
    auto clipped = [size](int64_t v) { return std::clamp<int64_t>(v < 0 ? v + size : v, 0, size); };
    const int64_t start = clipped(numbers[0].value_or(0)), stop = clipped(numbers[1].value_or(size));
    const int64_t count = stop <= start ? 0 : (stop - start - 1) / step + 1;
    slice.dims.push_back({start, step, count, false});
    slice.view.offset += count ? start * stride : 0;
    slice.view.sizes.push_back(count);
    slice.view.strides.push_back(count > 1 ? stride * step : stride);
    ++dim;
  }
  while (dim < rank) whole();
  return slice;
}

std::vector<int64_t> index_from_flat(int64_t flat, const Shape& sizes) {
  std::vector<int64_t> index(sizes.size(), 0);
  for (size_t d = sizes.size(); d-- > 0;) {
    index[d] = flat % sizes[d];
    flat /= sizes[d];
  }
  return index;
}

int64_t flat_from_index(const std::vector<int64_t>& index, const Shape& sizes) {
  int64_t flat = 0;
  for (size_t d = 0; d < index.size(); ++d) flat = flat * sizes[d] + index[d];
  return flat;
}

}  // namespace pt2
