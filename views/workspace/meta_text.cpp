#include "views/workspace/meta_text.h"

#include <algorithm>

#include "core/base/display.h"

namespace pt2::views {

std::string sizes_text(const std::vector<SymInt>& sizes) {
  std::string text = "[";
  for (const SymInt& size : sizes) text += (text.size() > 1 ? ", " : "") + display(size.text());
  return text + "]";
}

std::string hints_text(const std::vector<SymInt>& sizes) {
  std::string text;
  for (const SymInt& size : sizes)
    if (size.is_symbolic() && size.has_hint) {
      const std::string hint = display(size.text()) + "=" + std::to_string(size.value);
      if (text.find(hint) == text.npos) text += (text.empty() ? "" : ", ") + hint;
    }
  return text;
}

std::string memory_format_text(const TensorMeta& meta) {
  std::vector<int64_t> sizes, strides;
  for (const SymInt& s : meta.sizes) sizes.push_back(s.value);
  for (const SymInt& s : meta.strides) strides.push_back(s.value);
  if (sizes.size() != strides.size()) return "";
  for (const SymInt& s : meta.sizes)
    if (s.is_symbolic() && !s.has_hint) return "";
  auto dense = [&](const std::vector<size_t>& order) {
    int64_t expected = 1;
    for (size_t d : order) {
      if (sizes[d] != 1 && strides[d] != expected) return false;
      expected *= std::max<int64_t>(sizes[d], 1);
    }
    return true;
  };
  std::vector<size_t> order;
  for (size_t d = sizes.size(); d-- > 0;) order.push_back(d);
  if (dense(order)) return "contiguous";
  if (sizes.size() == 4 && dense({1, 3, 2, 0})) return "channels last";
  if (sizes.size() == 5 && dense({1, 4, 3, 2, 0})) return "channels last 3d";
  return "strided";
}

std::optional<uint64_t> byte_count(const TensorMeta& meta) {
  uint64_t bytes = uint64_t(item_size(meta.dtype));
  for (const SymInt& size : meta.sizes) {
    if (size.is_symbolic() && !size.has_hint) return std::nullopt;
    if (__builtin_mul_overflow(bytes, uint64_t(std::max<int64_t>(size.value, 0)), &bytes)) return std::nullopt;
  }
  return bytes;
}

bool any_symbolic(const TensorMeta& meta) {
  return std::any_of(meta.sizes.begin(), meta.sizes.end(), [](const SymInt& size) { return size.is_symbolic(); });
}

}  // namespace pt2::views
