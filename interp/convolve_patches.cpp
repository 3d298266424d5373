#include "interp/convolve_patches.h"

#include <algorithm>
#include <cstring>

namespace pt2::interp {

namespace {

// Short rows, mostly: a call of memcpy costs more than the row.
template <class T>
void copy_row(const T* from, T* to, int64_t count) {
  constexpr int64_t kAtOnce = 16 / sizeof(T);
  if (count < kAtOnce || count > 32 * kAtOnce) {
    std::copy(from, from + count, to);
    return;
  }
  for (int64_t i = 0; i + kAtOnce <= count; i += kAtOnce) std::memcpy(to + i, from + i, 16);
  std::memcpy(to + count - kAtOnce, from + count - kAtOnce, 16);
}

}  // namespace

Image image_of(const Tensor& t) {
  Image image;
  image.data = t.bytes();
  image.batch = t.sizes[0], image.batch_stride = t.strides[0];
  image.channels = t.sizes[1], image.channel_stride = t.strides[1];
  const size_t spatial = t.sizes.size() - 2;
  for (size_t i = 0; i < spatial; ++i) {
    image.sizes[3 - spatial + i] = t.sizes[2 + i];
    image.strides[3 - spatial + i] = t.strides[2 + i];
  }
  return image;
}

template <class T>
PatchReader<T>::PatchReader(const Image& image, const Geometry& g, int64_t first, int64_t count, int64_t panel) : image_(image), geometry_(g) {
  for (int64_t position = first; position < first + count;) {
    const int64_t column = position % g.out[2], row = position / g.out[2] % g.out[1], depth = position / (g.out[2] * g.out[1]);
    const int64_t panel_first = (position - first) / panel * panel, panel_width = std::min(panel, count - panel_first);
    const int64_t panel_column = position - first - panel_first;
    segments_.push_back({depth, row, column, std::min(g.out[2] - column, panel_width - panel_column), panel_first, panel_width, panel_column});
    position += segments_.back().count;
  }
}

template <class T>
void PatchReader<T>::place_copies(int64_t kernel_position) {
  const Geometry& g = geometry_;
  const int64_t kw = kernel_position % g.kernel[2], kh = kernel_position / g.kernel[2] % g.kernel[1], kd = kernel_position / (g.kernel[2] * g.kernel[1]);
  const int64_t step = g.stride[2], width = image_.sizes[2];
  copies_.clear();
  for (const Segment& s : segments_) {
    const int64_t d = s.depth * g.stride[0] - g.padding[0] + kd * g.dilation[0], h = s.row * g.stride[1] - g.padding[1] + kh * g.dilation[1];
    if (d < 0 || d >= image_.sizes[0] || h < 0 || h >= image_.sizes[1]) {
      copies_.push_back({0, s.count, 0, 0, &s});
      continue;
    }
    const int64_t first = s.column * step - g.padding[2] + kw * g.dilation[2], last = first + (s.count - 1) * step;
    // Output columns whose input column lies inside.
    const int64_t low = first >= 0 ? 0 : std::min(s.count, (-first + step - 1) / step);
    const int64_t high = std::max(low, last < width ? s.count : first >= width ? 0 : std::clamp((width - 1 - first) / step + 1, low, s.count));
    const int64_t from = d * image_.strides[0] + h * image_.strides[1] + (first + low * step) * image_.strides[2];
    copies_.push_back({from, low, high - low, s.count - high, &s});
  }
}

template <class T>
void PatchReader<T>::read(int64_t batch, int64_t channel, int64_t begin, int64_t end, T* to) {
  const int64_t volume = geometry_.volume(), rows = end - begin, step = geometry_.stride[2] * image_.strides[2];
  const T* const base = reinterpret_cast<const T*>(image_.data) + batch * image_.batch_stride + channel * image_.channel_stride;
  for (int64_t position = 0; position < volume; ++position) {
    int64_t row = begin + (position - begin % volume + volume) % volume;  // the first from `begin` on with this kernel position
    if (row >= end) continue;
    place_copies(position);
    for (; row < end; row += volume) {
      const T* const plane = base + row / volume * image_.channel_stride;
      for (const Copy& copy : copies_) {
        const Segment& s = *copy.segment;
        T* at = to + s.panel_first * rows + (row - begin) * s.panel_width + s.panel_column;
        at = std::fill_n(at, copy.before, T(0));
        const T* from = plane + copy.from;
        if (step == 1) copy_row(from, at, copy.count);
        else if (step == 2)
          for (int64_t i = 0; i < copy.count; ++i) at[i] = from[i * 2];  // vectorised
        else
          for (int64_t i = 0; i < copy.count; ++i) at[i] = from[i * step];
        std::fill_n(at + copy.count, copy.after, T(0));
      }
    }
  }
}

template class PatchReader<float>;
template class PatchReader<double>;

}  // namespace pt2::interp
