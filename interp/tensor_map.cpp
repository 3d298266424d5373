#include "interp/tensor_map.h"

#include <algorithm>
#include <cstring>

namespace pt2::interp {

namespace {

// Elements of a block: three buffers of the widest compute type stay in a first-level cache.
constexpr int64_t kBlock = 1024;

// Strides in bytes of a tensor seen under `sizes`, 0 where it is broadcast.
Shape broadcast_strides(const Tensor& tensor, std::span<const int64_t> sizes) {
  check(broadcastable_to(tensor.sizes, sizes), "output with shape ", sizes, " doesn't match the broadcast shape ", tensor.sizes);
  Shape strides(sizes.size(), 0);
  const size_t lead = sizes.size() - tensor.sizes.size();
  for (size_t d = 0; d < tensor.sizes.size(); ++d)
    if (tensor.sizes[d] == sizes[d + lead]) strides[d + lead] = tensor.strides[d] * item_size(tensor.dtype);
  return strides;
}

// TensorIterator's order of the dimensions, innermost first: an insertion sort, because the comparison is no total order.
std::vector<size_t> dimension_order(std::span<const int64_t> sizes, const std::vector<Shape>& strides) {
  const size_t rank = sizes.size();
  std::vector<size_t> order(rank);
  for (size_t i = 0; i < rank; ++i) order[i] = rank - 1 - i;
  const auto compare = [&](size_t a, size_t b) {
    for (const Shape& s : strides) {
      if (s[a] == 0 || s[b] == 0) continue;
      if (s[a] != s[b]) return s[a] < s[b] ? -1 : 1;
      if (sizes[a] > sizes[b]) return 1;
    }
    return 0;
  };
  for (size_t i = 1; i < rank; ++i)
    for (size_t at = i, before = i; before-- > 0;) {
      const int c = compare(order[before], order[at]);
      if (c > 0) {
        std::swap(order[before], order[at]);
        at = before;
      } else if (c < 0) break;
    }
  return order;
}

StridedLoop make_loop(std::span<const int64_t> sizes, std::span<const Tensor* const> tensors, std::vector<Shape> strides, const std::vector<size_t>& order) {
  StridedLoop loop;
  loop.strides.resize(tensors.size());
  for (const Tensor* tensor : tensors) loop.data.push_back(tensor->bytes());
  for (size_t d : order) {
    if (sizes[d] == 1) continue;
    const size_t last = loop.sizes.size();
    bool joins = last > 0;
    for (size_t t = 0; t < tensors.size() && joins; ++t) joins = strides[t][d] == loop.strides[t].back() * loop.sizes.back();
    if (joins) {
      loop.sizes.back() *= sizes[d];
    } else {
      loop.sizes.push_back(sizes[d]);
      for (size_t t = 0; t < tensors.size(); ++t) loop.strides[t].push_back(strides[t][d]);
    }
  }
  if (loop.sizes.empty()) {
    loop.sizes.push_back(1);
    for (Shape& s : loop.strides) s.push_back(0);
  }
  return loop;
}

}  // namespace

int64_t StridedLoop::numel() const {
  int64_t n = 1;
  for (int64_t size : sizes) n *= size;
  return n;
}

StridedLoop strided_loop(std::span<const int64_t> sizes, std::span<const Tensor* const> tensors) {
  std::vector<Shape> strides;
  for (const Tensor* tensor : tensors) strides.push_back(broadcast_strides(*tensor, sizes));
  const auto order = dimension_order(sizes, strides);
  return make_loop(sizes, tensors, std::move(strides), order);
}

StridedLoop ordered_loop(std::span<const int64_t> sizes, std::span<const Tensor* const> tensors) {
  std::vector<Shape> strides;
  for (const Tensor* tensor : tensors) strides.push_back(broadcast_strides(*tensor, sizes));
  std::vector<size_t> order(sizes.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = order.size() - 1 - i;
  return make_loop(sizes, tensors, std::move(strides), order);
}

void for_each_row(const StridedLoop& loop, int64_t begin, int64_t end, RowFunction row) {
  if (begin >= end) return;
  const size_t rank = loop.sizes.size(), operands = loop.data.size();
  std::vector<int64_t> at(rank);
  std::vector<std::byte*> pointers(loop.data);
  std::vector<int64_t> inner(operands);
  for (size_t t = 0; t < operands; ++t) inner[t] = loop.strides[t][0];
  int64_t rest = begin;
  for (size_t d = 0; d < rank; ++d) {
    at[d] = rest % loop.sizes[d];
    rest /= loop.sizes[d];
    for (size_t t = 0; t < operands; ++t) pointers[t] += at[d] * loop.strides[t][d];
  }
  for (int64_t position = begin; position < end;) {
    const int64_t count = std::min(loop.sizes[0] - at[0], end - position);
    row(pointers.data(), inner.data(), count);
    position += count;
    if (position >= end) return;
    for (size_t t = 0; t < operands; ++t) pointers[t] -= at[0] * loop.strides[t][0];
    at[0] = 0;
    for (size_t d = 1; d < rank; ++d) {
      for (size_t t = 0; t < operands; ++t) pointers[t] += loop.strides[t][d];
      if (++at[d] < loop.sizes[d]) break;
      for (size_t t = 0; t < operands; ++t) pointers[t] -= at[d] * loop.strides[t][d];
      at[d] = 0;
    }
  }
}

void parallel_rows(const StridedLoop& loop, RowFunction row) {
  parallel_for(loop.numel(), kElementGrain, [&](int64_t begin, int64_t end) { for_each_row(loop, begin, end, row); });
}

Shape result_strides(std::span<const int64_t> sizes, std::span<const Tensor* const> inputs) {
  checked_numel(sizes);
  const auto all = [&](auto&& holds) { return std::all_of(inputs.begin(), inputs.end(), holds); };
  if (all([&](const Tensor* t) { return std::equal(t->sizes.begin(), t->sizes.end(), sizes.begin(), sizes.end()); })) {
    if (all([](const Tensor* t) { return is_contiguous(*t); })) return contiguous_strides(sizes);
    if (all([](const Tensor* t) { return is_contiguous_as(*t, MemoryFormat::ChannelsLast); })) return strides_for(sizes, MemoryFormat::ChannelsLast);
    if (all([&](const Tensor* t) { return t->strides == inputs[0]->strides; }) && is_non_overlapping_and_dense(*inputs[0])) return inputs[0]->strides;
  }
  std::vector<Shape> strides;
  for (const Tensor* t : inputs) strides.push_back(broadcast_strides(*t, sizes));
  const auto order = dimension_order(sizes, strides);
  bool in_order = true;
  for (size_t i = 0; i < order.size(); ++i) in_order &= order[i] == order.size() - 1 - i;
  if (in_order) return contiguous_strides(sizes);
  Shape result(sizes.size());
  uint64_t next = 1;
  for (size_t d : order) {
    result[d] = static_cast<int64_t>(next);
    next *= static_cast<uint64_t>(sizes[d]);
  }
  return result;
}

namespace {

// One operand of map_blocks while a thread walks its share: where its elements lie, and a buffer where they cannot be used in place.
struct BlockStream {
  const BlockOperand* operand;
  const Shape* strides;
  std::byte* data;
  int64_t item, native;      // bytes of an element in memory, of a computed one
  bool in_place = false;     // element type and compute type are the same bits
  bool dense = false;        // all elements of the loop lie one after another
  bool constant = false;     // all elements are one
  bool rounds = false;
  LoadFunction load = nullptr;
  StoreFunction store = nullptr;
};

bool used_in_place(const BlockOperand& operand, bool output) {
  const DType dtype = operand.tensor->dtype;
  const bool rounds = !output && operand.rounded != DType::Unknown && needs_rounding(dtype, operand.rounded);
  // Bool elements of a file may hold any byte; only what we computed ourselves is surely 0 or 1.
  return dtype == native_dtype(operand.compute) && !rounds && (output || dtype != DType::Bool);
}

// What most calls are: all tensors of one shape, dense, in the types that are computed in. Most are small, and to walk strides costs more than to
// compute them. False: it is something else.
bool map_dense(std::span<const int64_t> sizes, std::span<const BlockOperand> operands, int outputs, BlockFunction body, int64_t grain) {
  constexpr size_t kMost = 4;
  if (operands.size() > kMost) return false;
  for (size_t t = 0; t < operands.size(); ++t) {
    const Tensor& tensor = *operands[t].tensor;
    if (!std::equal(sizes.begin(), sizes.end(), tensor.sizes.begin(), tensor.sizes.end()) || !is_contiguous(tensor)) return false;
    if (!used_in_place(operands[t], t < static_cast<size_t>(outputs))) return false;
  }
  parallel_for(checked_numel(sizes), grain, [&](int64_t begin, int64_t end) {
    void* buffers[kMost];
    for (int64_t position = begin; position < end; position += kBlock) {
      for (size_t t = 0; t < operands.size(); ++t) buffers[t] = operands[t].tensor->bytes() + position * item_size(operands[t].tensor->dtype);
      body(buffers, std::min(kBlock, end - position));
    }
  });
  return true;
}

}  // namespace

void map_blocks(std::span<const int64_t> sizes, std::span<const BlockOperand> operands, int outputs, BlockFunction body, int64_t grain) {
  if (map_dense(sizes, operands, outputs, body, grain)) return;
  std::vector<const Tensor*> tensors;
  for (const BlockOperand& operand : operands) tensors.push_back(operand.tensor);
  const StridedLoop loop = strided_loop(sizes, tensors);
  const int64_t numel = loop.numel();
  if (numel == 0) return;

  std::vector<BlockStream> streams(operands.size());
  for (size_t t = 0; t < streams.size(); ++t) {
    BlockStream& s = streams[t];
    const DType dtype = operands[t].tensor->dtype;
    const bool output = t < static_cast<size_t>(outputs);
    s = {&operands[t], &loop.strides[t], loop.data[t], item_size(dtype), compute_size(operands[t].compute)};
    s.rounds = !output && operands[t].rounded != DType::Unknown && needs_rounding(dtype, operands[t].rounded);
    s.in_place = used_in_place(operands[t], output);
    s.dense = loop.sizes.size() == 1 && (*s.strides)[0] == s.item;
    for (int64_t expected = s.item, d = 0; loop.sizes.size() > 1 && d < static_cast<int64_t>(loop.sizes.size()); expected *= loop.sizes[d], ++d) {
      s.dense = (*s.strides)[d] == expected;
      if (!s.dense) break;
    }
    s.constant = !output && std::all_of(s.strides->begin(), s.strides->end(), [](int64_t stride) { return stride == 0; });
    if (output) s.store = storer(operands[t].compute, dtype);
    else s.load = loader(dtype, operands[t].compute);
  }

  parallel_for(numel, grain, [&](int64_t begin, int64_t end) {
    const auto count_of_operands = streams.size();
    const int64_t buffer_bytes = kBlock * 16;
    alignas(64) std::byte on_stack[4 * kBlock * 16];
    std::vector<std::byte> on_heap(count_of_operands > 4 ? (count_of_operands - 4) * static_cast<size_t>(buffer_bytes) + 64 : 0);
    std::vector<std::byte*> buffers(count_of_operands);
    std::vector<void*> used(count_of_operands);
    for (size_t t = 0; t < count_of_operands; ++t) {
      buffers[t] = t < 4 ? on_stack + static_cast<int64_t>(t) * buffer_bytes
                         : on_heap.data() + (64 - reinterpret_cast<uintptr_t>(on_heap.data()) % 64) % 64 + static_cast<int64_t>(t - 4) * buffer_bytes;
      BlockStream& s = streams[t];
      if (!s.constant) continue;
      s.load(s.data, 0, buffers[t], std::min(kBlock, end - begin));
      if (s.rounds) round_to(s.operand->rounded, s.operand->compute, buffers[t], std::min(kBlock, end - begin));
    }

    // The rows of a block as (offsets, count), so that each operand is loaded in one go.
    std::vector<int64_t> at(loop.sizes.size());
    const bool long_rows = loop.sizes[0] >= kBlock;
    for (int64_t position = begin; position < end;) {
      int64_t rest = position;
      for (size_t d = 0; d < at.size(); ++d) {
        at[d] = rest % loop.sizes[d];
        rest /= loop.sizes[d];
      }
      int64_t count = std::min(kBlock, end - position);
      if (long_rows) count = std::min(count, loop.sizes[0] - at[0]);
      const bool one_row = at[0] + count <= loop.sizes[0];

      // Walks the rows of this block: step(pointer, stride, offset in the block, count).
      const auto rows_of = [&](const BlockStream& s, auto&& step) {
        const Shape& strides = *s.strides;
        std::vector<int64_t> place;
        std::byte* pointer = s.data;
        for (size_t d = 0; d < at.size(); ++d) pointer += at[d] * strides[d];
        if (one_row) return step(pointer, strides[0], int64_t{0}, count);
        place = at;
        for (int64_t done = 0; done < count;) {
          const int64_t n = std::min(loop.sizes[0] - place[0], count - done);
          step(pointer, strides[0], done, n);
          done += n;
          pointer -= place[0] * strides[0];
          place[0] = 0;
          for (size_t d = 1; d < place.size(); ++d) {
            pointer += strides[d];
            if (++place[d] < loop.sizes[d]) break;
            pointer -= place[d] * strides[d];
            place[d] = 0;
          }
        }
      };
      const auto direct = [&](const BlockStream& s) -> std::byte* {
        if (!s.in_place) return nullptr;
        if (s.dense) return s.data + position * s.item;
        if (!one_row || (*s.strides)[0] != s.item) return nullptr;
        std::byte* pointer = s.data;
        for (size_t d = 0; d < at.size(); ++d) pointer += at[d] * (*s.strides)[d];
        return pointer;
      };

      for (size_t t = 0; t < count_of_operands; ++t) {
        const BlockStream& s = streams[t];
        used[t] = s.constant ? nullptr : direct(s);
        if (used[t]) continue;
        used[t] = buffers[t];
        if (s.constant || t < static_cast<size_t>(outputs)) continue;
        if (s.dense) s.load(s.data + position * s.item, s.item, buffers[t], count);
        else rows_of(s, [&](std::byte* p, int64_t stride, int64_t done, int64_t n) { s.load(p, stride, buffers[t] + done * s.native, n); });
        if (s.rounds) round_to(s.operand->rounded, s.operand->compute, buffers[t], count);
      }
      body(used.data(), count);
      for (size_t t = 0; t < static_cast<size_t>(outputs); ++t) {
        const BlockStream& s = streams[t];
        if (used[t] != buffers[t]) continue;
        if (s.dense) s.store(buffers[t], s.data + position * s.item, s.item, count);
        else rows_of(s, [&](std::byte* p, int64_t stride, int64_t done, int64_t n) { s.store(buffers[t] + done * s.native, p, stride, n); });
      }
      position += count;
    }
  });
}

BlockOperand detail::input_operand(const Tensor& tensor, Compute compute, const Signature& signature) {
  const bool precise = signature.precise_scalars && tensor.numel() == 1 && (signature.common == DType::Float16 || signature.common == DType::BFloat16);
  return {&tensor, compute, precise ? DType::Unknown : signature.common};
}

void check_computable(const Signature& signature) {
  check(!is_floating(signature.common) || item_size(signature.common) > 1 || signature.result == DType::Bool, "\"", signature.name, "\" not implemented for '",
        scalar_type_name(signature.common), "'");
}

Tensor to_dtype(const Tensor& tensor, DType dtype, MemoryFormat format) {
  Tensor result = empty_like(tensor, dtype, format);
  copy_into(result, tensor);
  return result;
}

Tensor as_dtype(const Tensor& tensor, DType dtype) { return tensor.dtype == dtype ? tensor : to_dtype(tensor, dtype); }

Tensor as_contiguous(const Tensor& tensor) { return as_contiguous(tensor, tensor.dtype); }

Tensor as_contiguous(const Tensor& tensor, DType dtype) {
  return tensor.dtype == dtype && is_contiguous(tensor) ? tensor : to_dtype(tensor, dtype, MemoryFormat::Contiguous);
}

namespace {

template <class Bits>
void copy_rows(const StridedLoop& loop) {
  parallel_rows(loop, [](std::byte* const* p, const int64_t* strides, int64_t count) {
    if (strides[0] == sizeof(Bits) && strides[1] == sizeof(Bits)) {
      std::memcpy(p[0], p[1], static_cast<size_t>(count) * sizeof(Bits));
    } else if (strides[0] == sizeof(Bits) && strides[1] == 0) {
      std::fill_n(reinterpret_cast<Bits*>(p[0]), count, *reinterpret_cast<const Bits*>(p[1]));
    } else {
      for (int64_t i = 0; i < count; ++i) *reinterpret_cast<Bits*>(p[0] + i * strides[0]) = *reinterpret_cast<const Bits*>(p[1] + i * strides[1]);
    }
  });
}

struct alignas(8) Bits16 { uint64_t words[2]; };

}  // namespace

void copy_into(const Tensor& to, const Tensor& from) {
  check(broadcastable_to(from.sizes, to.sizes), "The expanded size of the tensor ", to.sizes, " must match the existing size ", from.sizes);
  if (to.numel() == 0) return;
  if (memory_overlaps(to, from)) {
    if (to.bytes() == from.bytes() && to.sizes == from.sizes && to.strides == from.strides && to.dtype == from.dtype) return;
    return copy_into(to, to_dtype(from, from.dtype, MemoryFormat::Contiguous));
  }
  if (to.dtype == from.dtype) {
    const Tensor* tensors[] = {&to, &from};
    const StridedLoop loop = strided_loop(to.sizes, tensors);
    switch (item_size(to.dtype)) {
      case 1: return copy_rows<uint8_t>(loop);
      case 2: return copy_rows<uint16_t>(loop);
      case 4: return copy_rows<uint32_t>(loop);
      case 8: return copy_rows<uint64_t>(loop);
      default: return copy_rows<Bits16>(loop);
    }
  }
  // Through a type that loses nothing of either side's range: the source's own, but truth before it is cut to an integer.
  const Compute compute = to.dtype == DType::Bool ? Compute::Bool : compute_type(from.dtype);
  if (is_complex(from.dtype) && is_complex(to.dtype)) {
    const BlockOperand operands[] = {{&to, Compute::C128}, {&from, Compute::C128}};
    return map_blocks(to.sizes, operands, 1, [](void* const* b, int64_t n) { std::memcpy(b[0], b[1], static_cast<size_t>(n) * sizeof(Complex)); });
  }
  const BlockOperand operands[] = {{&to, compute}, {&from, compute}};
  const int width = compute_size(compute);
  map_blocks(to.sizes, operands, 1, [&](void* const* b, int64_t n) { std::memcpy(b[0], b[1], static_cast<size_t>(n * width)); });
}

void fill(const Tensor& tensor, const Scalar& value) {
  if (tensor.numel() == 0) return;
  Tensor one = empty({}, tensor.dtype);
  switch (value.kind()) {
    case Scalar::Kind::Complex: {
      const Complex number = value.to_complex();
      storer(Compute::C128, tensor.dtype)(&number, one.bytes(), 0, 1);
      break;
    }
    case Scalar::Kind::Float: {
      const double number = value.to_double();
      storer(Compute::F64, tensor.dtype)(&number, one.bytes(), 0, 1);
      break;
    }
    default: {
      const int64_t number = value.to_int();
      storer(Compute::I64, tensor.dtype)(&number, one.bytes(), 0, 1);
    }
  }
  copy_into(tensor, one);
}

void check_writable(const Tensor& tensor) {
  check(!has_internal_overlap(tensor), "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
        "Please clone() the tensor before performing the operation.");
}

bool memory_overlaps(const Tensor& a, const Tensor& b) {
  if (!a.storage.shares_with(b.storage) || a.numel() == 0 || b.numel() == 0) return false;
  const auto end = [](const Tensor& t) {
    int64_t last = 0;
    for (size_t d = 0; d < t.sizes.size(); ++d) last += (t.sizes[d] - 1) * t.strides[d];
    return t.bytes() + (last + 1) * item_size(t.dtype);
  };
  return a.bytes() < end(b) && b.bytes() < end(a);
}

}  // namespace pt2::interp
