#include "interp/convolve_integers.h"

#include "interp/parallel.h"

namespace pt2::interp {

namespace {

// Two channels that a filter joins: positions of `placed` are those of g.out, `read` lies under the kernel.
struct Joined {
  const Image& placed;
  const Image& read;
  const Geometry& g;
  int64_t batch, placed_channel, read_channel;

  static uint64_t* plane(const Image& image, int64_t batch, int64_t channel) {
    return reinterpret_cast<uint64_t*>(image.data) + batch * image.batch_stride + channel * image.channel_stride;
  }
  static int64_t at(const Image& image, int64_t d, int64_t h, int64_t w) { return d * image.strides[0] + h * image.strides[1] + w * image.strides[2]; }

  // product(element of placed, element of read, kernel position) wherever the kernel lies inside.
  template <class Product>
  void for_each(Product product) const {
    uint64_t* const p = plane(placed, batch, placed_channel);
    uint64_t* const r = plane(read, batch, read_channel);
    int64_t kernel = 0;
    for (int64_t kd = 0; kd < g.kernel[0]; ++kd)
      for (int64_t kh = 0; kh < g.kernel[1]; ++kh)
        for (int64_t kw = 0; kw < g.kernel[2]; ++kw, ++kernel)
          for (int64_t od = 0; od < g.out[0]; ++od)
            for (int64_t oh = 0; oh < g.out[1]; ++oh) {
              const int64_t id = od * g.stride[0] - g.padding[0] + kd * g.dilation[0], ih = oh * g.stride[1] - g.padding[1] + kh * g.dilation[1];
              if (id < 0 || id >= read.sizes[0] || ih < 0 || ih >= read.sizes[1]) continue;
              for (int64_t ow = 0; ow < g.out[2]; ++ow) {
                const int64_t iw = ow * g.stride[2] - g.padding[2] + kw * g.dilation[2];
                if (iw >= 0 && iw < read.sizes[2]) product(p[at(placed, od, oh, ow)], r[at(read, id, ih, iw)], kernel);
              }
            }
  }
};

}  // namespace

void convolve_integers(const Image& in, const uint64_t* weight, const Image& out, const Geometry& g, int64_t groups, bool transposed) {
  const Image& placed = transposed ? in : out;
  const Image& read = transposed ? out : in;
  const int64_t read_channels = read.channels / groups, joined = in.channels / groups;
  parallel_for(out.batch * out.channels, grain_for(placed.positions() * g.volume() * joined * 4), [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {  // an output channel each: nothing is written by two
      const int64_t channel = task % out.channels, group = channel / (out.channels / groups);
      for (int64_t c = 0; c < joined; ++c) {
        const int64_t other = group * joined + c, placed_channel = transposed ? other : channel, read_channel = transposed ? channel : other;
        const uint64_t* const filter = weight + (placed_channel * read_channels + read_channel % read_channels) * g.volume();
        const Joined pair{placed, read, g, task / out.channels, placed_channel, read_channel};
        if (transposed) pair.for_each([filter](uint64_t from, uint64_t& to, int64_t k) { to += from * filter[k]; });
        else pair.for_each([filter](uint64_t& to, uint64_t from, int64_t k) { to += from * filter[k]; });
      }
    }
  });
}

}  // namespace pt2::interp
