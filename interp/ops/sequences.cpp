// Sequences of different lengths: padded, packed, segment by segment; embeddings with bounded rows.
#include <algorithm>
#include <cmath>
#include <limits>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/ops/view.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using MaybeTensor = std::optional<Tensor>;
using Ints = std::span<const int64_t>;
using Two = std::tuple<Tensor, Tensor>;

std::vector<int64_t> numbers(const Tensor& t) {
  const Tensor dense = as_contiguous(t, DType::Int64);
  return {dense.data<int64_t>(), dense.data<int64_t>() + dense.numel()};
}
Tensor tensor_of(const std::vector<int64_t>& numbers) {
  const Tensor t = empty(Shape{static_cast<int64_t>(numbers.size())}, DType::Int64);
  std::copy(numbers.begin(), numbers.end(), t.data<int64_t>());
  return t;
}

// ---- Padded and packed -----------------------------------------------------------------------------------------------------------------

Tensor pad_sequence(const std::vector<Tensor>& sequences, bool batch_first, double padding_value, std::string_view padding_side) {
  check(!sequences.empty(), "received an empty list of sequences");
  check(padding_side == "left" || padding_side == "right", "Expected padding_side to be one of left or right, but got ", padding_side, ".");
  check(sequences[0].dim() > 0, "pad_sequence: expected sequences with at least one dimension");
  int64_t longest = 0;
  for (const Tensor& s : sequences) {
    check(s.dim() == sequences[0].dim() && std::equal(s.sizes.begin() + 1, s.sizes.end(), sequences[0].sizes.begin() + 1),
          "The size of the sequences must agree but for the first dimension: ", sequences[0].sizes, " and ", s.sizes);
    longest = std::max(longest, s.sizes[0]);
  }
  const auto count = static_cast<int64_t>(sequences.size());
  Shape sizes = batch_first ? Shape{count, longest} : Shape{longest, count};
  sizes.insert(sizes.end(), sequences[0].sizes.begin() + 1, sequences[0].sizes.end());
  const Tensor result = full(sizes, sequences[0].dtype, Scalar(padding_value));
  for (int64_t i = 0; i < count; ++i) {
    const Tensor& from = sequences[static_cast<size_t>(i)];
    copy_into(narrow(select(result, batch_first ? 0 : 1, i), 0, padding_side == "left" ? longest - from.sizes[0] : 0, from.sizes[0]), from);
  }
  return result;
}

Two pack_padded_sequence(const Tensor& input, const Tensor& lengths, bool batch_first) {
  check(input.numel() > 0, "Cannot pack empty tensors.");
  check(input.dim() >= 2 && lengths.dim() == 1 && lengths.dtype == DType::Int64, "`lengths` argument should be a 1D CPU int64 tensor, but got ", lengths.dim(), "D ",
        lengths.dtype, " tensor");
  const Tensor x = batch_first ? transpose(input, 0, 1) : input;  // [time, batch, …]
  const std::vector<int64_t> all = numbers(lengths);
  check(static_cast<int64_t>(all.size()) == x.sizes[1], "Expected `len(lengths)` to be equal to batch_size, but got ", all.size(), " (batch_size=", x.sizes[1], ")");
  for (size_t i = 0; i < all.size(); ++i) {
    check(all[i] > 0, "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0");
    check(i == 0 || all[i] <= all[i - 1], "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True.");
  }
  check(all[0] <= x.sizes[0], "lengths: ", all[0], " is longer than the sequences, ", x.sizes[0]);
  std::vector<Tensor> rows;
  std::vector<int64_t> batch_sizes;
  for (int64_t t = 0; t < all[0]; ++t) {
    const int64_t running = std::count_if(all.begin(), all.end(), [t](int64_t length) { return length > t; });
    batch_sizes.push_back(running);
    rows.push_back(narrow(select(x, 0, t), 0, 0, running));
  }
  return {cat(rows, 0), tensor_of(batch_sizes)};
}

Two pad_packed_sequence(const Tensor& data, const Tensor& batch_sizes, bool batch_first, Scalar padding_value, int64_t total_length) {
  const std::vector<int64_t> running = numbers(batch_sizes);
  check(batch_sizes.dim() == 1 && !running.empty() && running[0] > 0, "batch_sizes should always be on CPU and one-dimensional, and not empty");
  const auto steps = static_cast<int64_t>(running.size());
  check(total_length <= 0 || total_length >= steps, "Expected total_length to be at least the length of the longest sequence in input, but got total_length=", total_length,
        " and max sequence length being ", steps);
  Shape sizes{std::max(steps, total_length), running[0]};
  sizes.insert(sizes.end(), data.sizes.begin() + 1, data.sizes.end());
  const Tensor padded = full(sizes, data.dtype, padding_value);
  std::vector<int64_t> lengths(static_cast<size_t>(running[0]), 0);
  int64_t row = 0;
  for (int64_t t = 0; t < steps; ++t) {
    const int64_t count = running[static_cast<size_t>(t)];
    check(count > 0 && count <= running[0], "batch_sizes must be positive and not rise, found ", count);
    copy_into(narrow(select(padded, 0, t), 0, 0, count), narrow(data, 0, row, count));
    for (int64_t i = 0; i < count; ++i) ++lengths[static_cast<size_t>(i)];
    row += count;
  }
  return {batch_first ? transpose(padded, 0, 1) : padded, tensor_of(lengths)};
}

// ---- Segments --------------------------------------------------------------------------------------------------------------------------

struct Segments {
  int64_t outer = 1, count = 0, inner = 1;  // around the axis that is cut; segments for each outer index
  std::vector<int64_t> offsets;             // [outer, count + 1], along the axis
  int64_t begin(int64_t o, int64_t s) const { return offsets[static_cast<size_t>(o * (count + 1) + s)]; }
};
Segments segments_of(const Tensor& data, const Tensor& given, bool as_lengths, bool unsafe, int64_t axis) {
  check(given.dim() >= 1 && axis == given.dim() - 1 && axis < data.dim(), "segment_reduce: Expected axis to be the last dimension of lengths or offsets but got ", axis, ".");
  for (int64_t d = 0; d < axis; ++d) check(given.sizes[static_cast<size_t>(d)] == data.sizes[static_cast<size_t>(d)], "segment_reduce: lengths and data differ in dimension ", d);
  Segments s;
  s.count = given.sizes.back() - (as_lengths ? 0 : 1);
  check(s.count >= 0, "segment_reduce: offsets must have at least one element");
  for (int64_t d = 0; d < data.dim(); ++d) (d < axis ? s.outer : s.inner) *= d == axis ? 1 : data.sizes[static_cast<size_t>(d)];
  const std::vector<int64_t> all = numbers(given);
  const int64_t along = data.sizes[static_cast<size_t>(axis)], width = given.sizes.back();
  for (int64_t o = 0; o < s.outer; ++o) {
    int64_t sum = 0;
    if (as_lengths) s.offsets.push_back(0);
    for (int64_t i = 0; i < width; ++i) {
      const int64_t n = all[static_cast<size_t>(o * width + i)];
      check(n >= 0, "lengths contains negative value!");
      sum = as_lengths ? sum + n : n;
      check(sum <= along, "segment_reduce: Expected all rows of lengths along axis to sum to data.size(axis), found ", sum, " for ", along);
      s.offsets.push_back(sum);
    }
    check(!as_lengths || unsafe || sum == along, "segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) when !unsafe.");
  }
  return s;
}

double segment_value(std::string_view reduce, const double* x, int64_t stride, int64_t n, std::optional<double> initial) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double value = initial ? *initial : reduce == "max" ? -kInfinity : reduce == "min" ? kInfinity : reduce == "prod" ? 1 : 0;
  for (int64_t i = 0; i < n; ++i) {
    const double d = x[i * stride];
    if (reduce == "max") value = std::isnan(d) || d > value ? d : value;
    else if (reduce == "min") value = std::isnan(d) || d < value ? d : value;
    else if (reduce == "prod") value *= d;
    else value += d;
  }
  if (reduce != "mean") return value;
  if (n == 0) return initial ? value : std::numeric_limits<double>::quiet_NaN();
  return value / static_cast<double>(n);
}

Tensor segment_reduce(const Tensor& data, std::string_view reduce, const MaybeTensor& lengths, const MaybeTensor& indices, const MaybeTensor& offsets, int64_t axis, bool unsafe,
                      std::optional<Scalar> initial) {
  check(reduce == "max" || reduce == "mean" || reduce == "min" || reduce == "sum" || reduce == "prod", "unsupported reduction given! ", reduce);
  check(data.numel() > 0, "segment_reduce: expected data with elements");
  check(!indices, "segment_reduce(): indices based reduction is not supported yet.");
  check(lengths || offsets, "segment_reduce(): Either lengths or offsets must be defined.");
  const int64_t dim = normalize_dim(axis, data.dim());
  const Segments s = segments_of(data, offsets ? *offsets : *lengths, !offsets, unsafe, dim);
  Shape sizes = data.sizes;
  const int64_t along = sizes[static_cast<size_t>(dim)];
  sizes[static_cast<size_t>(dim)] = s.count;
  const Tensor x = as_contiguous(data, DType::Float64), result = empty(sizes, DType::Float64);
  const auto start = initial ? std::optional(initial->to_double()) : std::nullopt;
  for (int64_t o = 0; o < s.outer; ++o, throw_if_stopped())
    for (int64_t i = 0; i < s.count; ++i)
      for (int64_t k = 0; k < s.inner; ++k)
        result.data<double>()[(o * s.count + i) * s.inner + k] =
            segment_value(reduce, x.data<double>() + (o * along + s.begin(o, i)) * s.inner + k, s.inner, s.begin(o, i + 1) - s.begin(o, i), start);
  return to_dtype(result, data.dtype);
}

// ---- Embeddings ------------------------------------------------------------------------------------------------------------------------

// The rows that are looked up, scaled down to a norm of max_norm where it is larger.
Tensor embedding_renorm(const Tensor& self, const Tensor& indices, double max_norm, double norm_type) {
  check(self.dim() == 2, "embedding_renorm_: self must be a matrix, found ", self.sizes);
  const Tensor result = to_dtype(self, DType::Unknown);
  std::vector<int64_t> rows = numbers(indices);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  for (int64_t r : rows) {
    throw_if_stopped();
    const Tensor row = select(result, 0, r);
    const Tensor norm = call("aten.norm.Scalar", row, norm_type);
    const double size = as_contiguous(norm, DType::Float64).data<double>()[0];
    if (size > max_norm) copy_into(row, call("aten.mul.Scalar", row, max_norm / (size + 1e-7)));
  }
  return result;
}

// Σ over `sumdim` of the product of three tensors, each with dimensions of size 1 put in.
Tensor trilinear(const Tensor& i1, const Tensor& i2, const Tensor& i3, Ints expand1, Ints expand2, Ints expand3, Ints sumdim, Unused) {
  const auto expanded = [](Tensor t, Ints dims) {
    const int64_t rank = t.dim() + static_cast<int64_t>(dims.size());
    std::vector<int64_t> ordered;
    for (int64_t d : dims) ordered.push_back(normalize_dim(d, rank));
    std::sort(ordered.begin(), ordered.end());
    for (int64_t d : ordered) t = unsqueeze(t, d);
    return t;
  };
  const Tensor a = expanded(i1, expand1), b = expanded(i2, expand2), c = expanded(i3, expand3);
  check(a.dim() == b.dim() && a.dim() == c.dim(), "_trilinear: expected tensors of one rank, found ", a.dim(), ", ", b.dim(), " and ", c.dim());
  const Tensor product = call("aten.mul.Tensor", call("aten.mul.Tensor", a, b), c);
  return sumdim.empty() ? product : call("aten.sum.dim_IntList", product, sumdim, false, product.dtype);
}

Tensor trapz_dx(const Tensor& y, double dx, int64_t dim) { return call("aten.trapezoid.dx", y, dx, dim); }
Tensor trapz_x(const Tensor& y, const Tensor& x, int64_t dim) { return call("aten.trapezoid.x", y, x, dim); }

// One tensor of several, and back.
Tensor flatten_dense_tensors(const std::vector<Tensor>& tensors) {
  check(!tensors.empty(), "flatten_dense_tensors: expected a non-empty list of tensors");
  std::vector<Tensor> flat;
  for (const Tensor& t : tensors) flat.push_back(reshape(as_contiguous(t), Shape{-1}));
  return cat(flat, 0);
}
std::vector<Tensor> unflatten_dense_tensors(const Tensor& flat, const std::vector<Tensor>& tensors) {
  std::vector<Tensor> results;
  int64_t at = 0;
  for (const Tensor& like : tensors) {
    results.push_back(like.numel() == 0 ? empty(like.sizes, flat.dtype) : view(narrow(flat, 0, at, like.numel()), like.sizes));
    at += like.numel();
  }
  return results;
}

}  // namespace

void add_sequence_ops(OpTable& ops) {
  ops.add("aten::pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0., str padding_side=\"right\") -> Tensor", pad_sequence);
  ops.add("aten::_pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first) -> (Tensor, Tensor)", pack_padded_sequence);
  ops.add("aten::_pad_packed_sequence(Tensor data, Tensor batch_sizes, bool batch_first, Scalar padding_value, int total_length) -> (Tensor, Tensor)", pad_packed_sequence);
  ops.add("aten::segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None, Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor", segment_reduce);
  ops.add("aten::embedding_renorm(Tensor self, Tensor indices, float max_norm, float norm_type) -> Tensor", embedding_renorm);
  ops.add("aten::_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, int unroll_dim=1) -> Tensor", trilinear);
  ops.add("aten::trapz.dx(Tensor y, *, float dx=1., int dim=-1) -> Tensor", trapz_dx);
  ops.add("aten::trapz.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor", trapz_x);
  ops.add("aten::flatten_dense_tensors(Tensor[] tensors) -> Tensor", flatten_dense_tensors);
  ops.add("aten::unflatten_dense_tensors(Tensor flat, Tensor[] tensors) -> Tensor[]", unflatten_dense_tensors);
}

}  // namespace pt2::interp
