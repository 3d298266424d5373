#include "core/tensor/slice.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "core/base/text.h"
#include "core/tensor/view.h"

namespace pt2 {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(trimmed(text.substr(at, end - at)));
    at = end + 1;
  }
  return parts;
}

Error wrong(std::string message) { return {ErrorKind::Failed, std::move(message), "slice", "Write it as in Python: 0, :, 2:8 takes the first, all, and the third to eighth."}; }

// Empty text: `otherwise`. nullopt: no number.
std::optional<int64_t> number(std::string_view text, int64_t otherwise) {
  if (text.empty()) return otherwise;
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

Result<void> apply(std::string_view item, size_t dim, Tensor& view, Shape& sizes, Shape& strides) {
  const int64_t size = view.sizes[dim], stride = view.strides[dim];
  const auto parts = split(item, ':');
  if (parts.size() == 1) {
    const auto index = number(item, 0);
    if (!index || item.empty()) return wrong("\"" + std::string(item) + "\" is neither a number nor a slice");
    const int64_t at = *index < 0 ? *index + size : *index;
    if (at < 0 || at >= size) return wrong("index " + std::to_string(*index) + " is out of range for dimension " + std::to_string(dim) + " of size " + std::to_string(size));
    view.offset += at * stride;
    return {};
  }
  const auto begin = number(parts[0], 0), end = number(parts[1], size), step = number(parts.size() > 2 ? parts[2] : "", 1);
  if (parts.size() > 3 || !begin || !end || !step) return wrong("\"" + std::string(item) + "\" is no slice");
  if (*step <= 0) return wrong("the step of \"" + std::string(item) + "\" must be positive");
  const auto inside = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size); };
  const int64_t first = inside(*begin), last = std::max(inside(*end), first);
  const int64_t count = last == first ? 0 : (last - first - 1) / *step + 1;
  if (count > 0) view.offset += first * stride;
  sizes.push_back(count);
  strides.push_back(count > 1 ? stride * *step : stride);
  return {};
}

}  // namespace

Result<Tensor> sliced(const Tensor& tensor, std::string_view slice) {
  slice = trimmed(slice);
  if (slice.starts_with('[') && slice.ends_with(']')) slice = trimmed(slice.substr(1, slice.size() - 2));
  if (slice.ends_with(',')) slice.remove_suffix(1);
  if (slice.empty()) return tensor;
  const auto items = split(slice, ',');
  const size_t dims = tensor.sizes.size(), dots = static_cast<size_t>(std::count(items.begin(), items.end(), "..."));
  if (dots > 1) return wrong("\"...\" can be there only once");
  if (items.size() - dots > dims) return wrong(std::to_string(items.size() - dots) + " indices for a tensor of " + std::to_string(dims) + " dimensions, " + shape_text(tensor.sizes));
  Tensor view = tensor;
  Shape sizes, strides;
  size_t dim = 0;
  const auto keep = [&](size_t count) {
    for (; count > 0; --count, ++dim) {
      sizes.push_back(tensor.sizes[dim]);
      strides.push_back(tensor.strides[dim]);
    }
  };
  for (const std::string_view item : items) {
    if (item == "...") keep(dims - (items.size() - 1));
    else if (auto done = apply(item, dim++, view, sizes, strides); !done) return done.error();
  }
  keep(dims - dim);
  view.sizes = std::move(sizes);
  view.strides = std::move(strides);
  return view;
}

}  // namespace pt2
