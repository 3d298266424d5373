#pragma once
// Reductions over any dimensions of tensors of any strides. A Reducer says what one accumulator is and does:
//
//   struct Reducer {
//     using Value = float;                                          // the compute type the elements are loaded as
//     State start() const;
//     void along(State& state, const Value* x, int64_t n) const;    // n elements into one accumulator
//     void across(State* states, const Value* x, int64_t n) const;  // one element into each of n accumulators
//     void merge(State& state, const State& other) const;
//     Result finish(const State& state, int64_t count) const;       // a compute type
//   };
//
// The loops go along the memory: a reduced innermost dimension uses `along`, a kept one `across`. Sums of floats are kept in double, which is at
// least as accurate as PyTorch's cascade; a large reduction is cut into pieces of a fixed size, so results do not depend on the number of threads.
#include "interp/kernel_context.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

// The sizes of a reduction's result.
Shape reduced_sizes(std::span<const int64_t> sizes, std::span<const int64_t> dims, bool keepdim);

namespace detail {

struct ReducePlan {
  StridedLoop kept;      // operands: result, self
  StridedLoop reduced;   // operand: self
  bool across = false;   // the memory runs along a kept dimension
};
ReducePlan plan_reduction(const Tensor& result, const Tensor& self, std::span<const int64_t> dims);

// `count` elements as values of a compute type: in place, or loaded into the buffer.
template <class V>
const V* values_at(const std::byte* data, int64_t stride_bytes, int64_t count, DType dtype, LoadFunction load, V* buffer) {
  if (dtype == native_dtype(compute_of<V>()) && stride_bytes == sizeof(V) && dtype != DType::Bool) return reinterpret_cast<const V*>(data);
  load(data, stride_bytes, buffer, count);
  return buffer;
}

inline constexpr int64_t kReduceBlock = 1024;
inline constexpr int64_t kReducePiece = 1 << 16;

}  // namespace detail

// Reduces `dims` (sorted, normalised) of `self` into `result`, which has the sizes without them (or with size 1).
template <class Reducer>
void reduce_into(const Tensor& result, const Tensor& self, std::span<const int64_t> dims, const Reducer& reducer) {
  using V = typename Reducer::Value;
  using State = decltype(reducer.start());
  using R = decltype(reducer.finish(std::declval<State>(), 0));
  if (result.numel() == 0) return;
  const detail::ReducePlan plan = detail::plan_reduction(result, self, dims);
  const int64_t outputs = plan.kept.numel(), count = plan.reduced.numel();
  const LoadFunction load = loader(self.dtype, compute_of<V>());
  const StoreFunction store = storer(compute_of<R>(), result.dtype);
  const DType dtype = self.dtype;

  // The elements [begin, end) of the reduced dimensions, seen from `origin`, into one accumulator.
  const auto accumulate = [&](State& state, std::byte* origin, int64_t begin, int64_t end, StridedLoop& loop, V* buffer) {
    const auto row = [&](const std::byte* data, int64_t stride, int64_t n) {
      for (int64_t i = 0; i < n; i += detail::kReduceBlock) {
        const int64_t m = std::min(detail::kReduceBlock, n - i);
        if (i % detail::kReducePiece == 0) throw_if_stopped();
        reducer.along(state, detail::values_at(data + i * stride, stride, m, dtype, load, buffer), m);
      }
    };
    if (loop.sizes.size() == 1) return row(origin + begin * loop.strides[0][0], loop.strides[0][0], end - begin);
    loop.data[0] = origin;
    for_each_row(loop, begin, end, [&](std::byte* const* p, const int64_t* strides, int64_t n) { row(p[0], strides[0], n); });
  };

  if (outputs < 16 && count > 2 * detail::kReducePiece && !plan.across) {
    const int64_t piece_size = std::max(detail::kReducePiece, count / 4096);
    const int64_t pieces = (count - 1) / piece_size + 1;
    for_each_row(plan.kept, 0, outputs, [&](std::byte* const* p, const int64_t* strides, int64_t n) {
      for (int64_t i = 0; i < n; ++i) {
        std::vector<State> states(static_cast<size_t>(pieces), reducer.start());
        parallel_for(pieces, 1, [&](int64_t first, int64_t last) {
          StridedLoop loop = plan.reduced;
          alignas(64) V buffer[detail::kReduceBlock];
          for (int64_t piece = first; piece < last; ++piece)
            accumulate(states[piece], p[1] + i * strides[1], piece * piece_size, std::min(count, (piece + 1) * piece_size), loop, buffer);
        });
        for (size_t piece = 1; piece < states.size(); ++piece) reducer.merge(states[0], states[piece]);
        const R value = reducer.finish(states[0], count);
        store(&value, p[0] + i * strides[0], 0, 1);
      }
    });
    return;
  }

  parallel_for(outputs, grain_for(count), [&](int64_t begin, int64_t end) {
    StridedLoop loop = plan.reduced;
    alignas(64) V buffer[detail::kReduceBlock];
    std::vector<State> states;
    R values[detail::kReduceBlock];
    for_each_row(plan.kept, begin, end, [&](std::byte* const* p, const int64_t* strides, int64_t n) {
      for (int64_t done = 0; done < n; done += detail::kReduceBlock) {
        const int64_t m = std::min(detail::kReduceBlock, n - done);
        std::byte* origin = p[1] + done * strides[1];
        states.assign(static_cast<size_t>(m), reducer.start());
        if (plan.across && m > 1) {
          loop.data[0] = origin;
          for_each_row(loop, 0, count, [&](std::byte* const* q, const int64_t* step, int64_t rows) {
            for (int64_t r = 0; r < rows; ++r)
              reducer.across(states.data(), detail::values_at(q[0] + r * step[0], strides[1], m, dtype, load, buffer), m);
          });
        } else {
          for (int64_t i = 0; i < m; ++i) accumulate(states[i], origin + i * strides[1], 0, count, loop, buffer);
        }
        for (int64_t i = 0; i < m; ++i) values[i] = reducer.finish(states[i], count);
        store(values, p[0] + done * strides[0], strides[0], m);
      }
    });
  });
}

}  // namespace pt2::interp
