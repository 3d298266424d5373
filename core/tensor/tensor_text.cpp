#include "core/tensor/tensor_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

#include "core/tensor/element.h"
#include "core/tensor/view.h"

namespace pt2 {

namespace {

// The index positions of one dimension that are shown; -1 stands for what is left out.
std::vector<int64_t> shown(int64_t size, bool cut, int64_t edge) {
  std::vector<int64_t> positions;
  if (!cut || size <= 2 * edge) {
    for (int64_t i = 0; i < size; ++i) positions.push_back(i);
    return positions;
  }
  for (int64_t i = 0; i < edge; ++i) positions.push_back(i);
  positions.push_back(-1);
  for (int64_t i = size - edge; i < size; ++i) positions.push_back(i);
  return positions;
}

std::string text_of(const Tensor& tensor, const std::byte* bytes, int precision) {
  const Element element = read_element(tensor.dtype, bytes);
  const auto* number = std::get_if<double>(&element);
  if (precision == 0 || !number || !std::isfinite(*number)) return element_text(tensor.dtype, element);
  char text[64];
  const double magnitude = std::abs(*number);
  std::snprintf(text, sizeof text, magnitude != 0 && (magnitude < 1e-4 || magnitude >= 1e8) ? "%.*e" : "%.*f", precision, *number);
  return text;
}

}  // namespace

std::string tensor_text(const Tensor& tensor, const TensorTextOptions& options) {
  const size_t dims = tensor.sizes.size();
  if (dims == 0) return text_of(tensor, tensor.bytes(), options.precision);
  const auto numel = checked_numel(tensor.sizes);
  if (numel == 0) return "[]";
  const bool cut = !numel || *numel > options.whole_up_to;
  std::vector<std::vector<int64_t>> positions;
  for (const int64_t size : tensor.sizes) positions.push_back(shown(size, cut, options.edge));

  // Two walks over the shown elements: the widest text first, so that columns line up, then the text itself. The depth is that of the
  // tensor, at most limits::kTensorRank.
  size_t width = 0;
  std::string out;
  const std::function<void(size_t, const std::byte*, bool)> walk = [&](size_t dim, const std::byte* base, bool measure) {
    const int64_t step = tensor.strides[dim] * item_size(tensor.dtype);
    const bool last = dim + 1 == dims;
    if (!measure) out += '[';
    for (size_t i = 0; i < positions[dim].size(); ++i) {
      const int64_t at = positions[dim][i];
      if (!measure && i > 0) out += last ? ", " : ",\n" + std::string(dims - dim > 2 ? 1 : 0, '\n') + std::string(dim + 1, ' ');
      if (at < 0) {
        if (!measure) out += "...";
      } else if (!last) {
        walk(dim + 1, base + at * step, measure);
      } else {
        const std::string text = text_of(tensor, base + at * step, options.precision);
        if (measure) width = std::max(width, text.size());
        else out += std::string(width - text.size(), ' ') + text;
      }
    }
    if (!measure) out += ']';
  };
  walk(0, tensor.bytes(), true);
  walk(0, tensor.bytes(), false);
  return out;
}

}  // namespace pt2
