#include "interp/convolve_patches.h"

#include <algorithm>

namespace pt2::interp {

namespace {

void read_rows(const PatchRows<float>& rows) { patch_kernels().read_f32(rows); }
void read_rows(const PatchRows<double>& rows) { patch_kernels().read_f64(rows); }

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
PatchReader<T>::PatchReader(const Image& image, const Geometry& g, int64_t first, int64_t count, const PanelLayout& panels) : image_(image), geometry_(g) {
  for (int64_t at = 0; at < count;) {
    const int64_t left = count - at / panels.width * panels.width;
    const bool single = left < panels.width && left <= PanelLayout::kFewColumns;
    const int64_t panel_first = single ? at : count - left, panel_width = single ? 1 : left < panels.width ? panels.kept(left) : panels.width;
    const int64_t panel_columns = std::min(count - panel_first, panel_width);
    const int64_t position = first + at, column = position % g.out[2], row = position / g.out[2] % g.out[1], depth = position / (g.out[2] * g.out[1]);
    segments_.push_back({depth, row, column, std::min(g.out[2] - column, panel_columns - (at - panel_first)), panel_first, panel_width, at - panel_first});
    at += segments_.back().count;
    if (at == count && panel_width > panel_columns) segments_.push_back({0, 0, 0, panel_width - panel_columns, panel_first, panel_width, panel_columns, true});
  }
}

template <class T>
void PatchReader<T>::place_copies(int64_t kernel_position, int64_t first_row, int64_t rows) {
  const Geometry& g = geometry_;
  const int64_t kw = kernel_position % g.kernel[2], kh = kernel_position / g.kernel[2] % g.kernel[1], kd = kernel_position / (g.kernel[2] * g.kernel[1]);
  const int64_t step = g.stride[2], width = image_.sizes[2];
  copies_.clear();
  for (const Segment& s : segments_) {
    PatchCopy copy;
    copy.to = s.panel_first * rows + first_row * s.panel_width + s.panel_column;
    copy.to_step = g.volume() * s.panel_width;
    const int64_t d = s.depth * g.stride[0] - g.padding[0] + kd * g.dilation[0], h = s.row * g.stride[1] - g.padding[1] + kh * g.dilation[1];
    if (s.filler || d < 0 || d >= image_.sizes[0] || h < 0 || h >= image_.sizes[1]) {
      copy.before = s.count;
    } else {
      const int64_t first = s.column * step - g.padding[2] + kw * g.dilation[2], last = first + (s.count - 1) * step;
      // Output columns whose input column lies inside.
      const int64_t low = first >= 0 ? 0 : std::min(s.count, (-first + step - 1) / step);
      const int64_t high = std::max(low, last < width ? s.count : first >= width ? 0 : std::clamp((width - 1 - first) / step + 1, low, s.count));
      copy.from = d * image_.strides[0] + h * image_.strides[1] + (first + low * step) * image_.strides[2];
      copy.before = low, copy.count = high - low, copy.after = s.count - high;
    }
    copies_.push_back(copy);
  }
}

template <class T>
void PatchReader<T>::read(int64_t batch, int64_t channel, int64_t begin, int64_t end, T* to) {
  const int64_t volume = geometry_.volume();
  const T* const base = reinterpret_cast<const T*>(image_.data) + batch * image_.batch_stride + channel * image_.channel_stride;
  for (int64_t position = 0; position < volume; ++position) {
    const int64_t row = begin + (position - begin % volume + volume) % volume;  // the first from `begin` on with this kernel position
    if (row >= end) continue;
    place_copies(position, row - begin, end - begin);
    PatchRows<T> rows;
    rows.channel = base + row / volume * image_.channel_stride;
    rows.channel_step = image_.channel_stride, rows.column_step = geometry_.stride[2] * image_.strides[2];
    rows.rows = (end - row + volume - 1) / volume;
    rows.copies = copies_.data(), rows.copy_count = static_cast<int64_t>(copies_.size());
    rows.to = to;
    read_rows(rows);
  }
}

template class PatchReader<float>;
template class PatchReader<double>;

}  // namespace pt2::interp
