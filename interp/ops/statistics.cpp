// Covariance, histograms, numerical gradients, combinations.
#include <algorithm>
#include <cmath>
#include <optional>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/item.h"
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
using MaybeFloats = std::optional<std::vector<double>>;
using Dims = std::span<const int64_t>;

Tensor times(const Tensor& a, const Tensor& b) { return call("aten.mul.Tensor", a, b); }
Tensor plus(const Tensor& a, const Tensor& b) { return call("aten.add.Tensor", a, b); }
Tensor minus(const Tensor& a, const Tensor& b) { return call("aten.sub.Tensor", a, b); }
Tensor over(const Tensor& a, const Tensor& b) { return call("aten.div.Tensor", a, b); }

// ---- Covariance ------------------------------------------------------------------------------------------------------------------------

void check_weights(const Tensor& w, std::string_view name, bool integral, int64_t observations) {
  check(w.dim() <= 1, "cov(): expected ", name, " to have one or fewer dimensions but got ", name, " with ", w.dim(), " dimensions");
  check(integral ? is_integral(w.dtype) : is_floating(w.dtype), "cov(): expected ", name, " to have ", integral ? "integral" : "floating point",
        " dtype but got ", name, " with ", w.dtype, " dtype");
  check(w.numel() == observations, "cov(): expected ", name, " to have the same numel as there are observations in the input but got ", w.numel(), " != ", observations);
  check(w.numel() == 0 || item(call("aten.min.default", w)).to_double() >= 0, "cov(): ", name, " cannot be negative");
}

Tensor cov(const Tensor& self, int64_t correction, const MaybeTensor& fweights, const MaybeTensor& aweights) {
  check(self.dim() <= 2, "cov(): expected input to have two or fewer dimensions but got an input with ", self.dim(), " dimensions");
  check(self.dtype != DType::Bool, "cov(): bool dtype is not supported for input");
  const Tensor in = self.dim() < 2 ? reshape(self, Shape{1, -1}) : self;
  const int64_t observations = in.sizes[1];
  MaybeTensor w;
  if (fweights) check_weights(*fweights, "fweights", true, observations), w = fweights;
  if (aweights) check_weights(*aweights, "aweights", false, observations), w = w ? times(*w, *aweights) : *aweights;
  const Tensor total = w ? call("aten.sum.default", *w) : full({}, DType::Int64, Scalar(observations));
  check(!w || item(total).to_double() != 0, "cov(): weights sum to zero, can't be normalized");
  const Tensor mean = over(call("aten.sum.dim_IntList", w ? times(in, *w) : in, Shape{1}), total);
  Tensor norm;
  if (w && aweights && correction != 0) norm = minus(total, over(call("aten.mul.Scalar", call("aten.sum.default", times(*w, *aweights)), correction), total));
  else norm = call("aten.sub.Scalar", total, correction);
  if (!(item(norm).to_double() > 0)) norm = zeros(Shape{}, norm.dtype);
  const Tensor centred = minus(in, unsqueeze(mean, 1));
  const Tensor weighted = transpose(w ? times(centred, *w) : centred, 0, 1);
  const Tensor products = call("aten.mm.default", centred, is_complex(weighted.dtype) ? call("aten.conj_physical.default", weighted) : weighted);
  return call("aten.squeeze.default", over(products, norm));
}

Tensor corrcoef(const Tensor& self) {
  check(self.dim() <= 2, "corrcoef(): expected input to have two or fewer dimensions but got an input with ", self.dim(), " dimensions");
  const Tensor c = cov(self, 1, std::nullopt, std::nullopt);
  if (c.dim() == 0) return over(c, c);  // 1, or NaN
  const Tensor variance = diagonal(c, 0, 0, 1);
  const Tensor deviation = call("aten.sqrt.default", is_complex(c.dtype) ? call("aten.real.default", variance) : variance);
  const Tensor r = over(over(c, unsqueeze(deviation, 1)), unsqueeze(deviation, 0));
  auto clipped = [](const Tensor& t) { return call("aten.clamp.default", t, -1, 1); };
  if (!is_complex(r.dtype)) return clipped(r);
  return call("aten.complex.default", clipped(call("aten.real.default", r)), clipped(call("aten.imag.default", r)));
}

// ---- Histograms ------------------------------------------------------------------------------------------------------------------------

struct Histogram {
  Tensor counts;
  std::vector<Tensor> edges;  // one tensor for each dimension of the points
};

// The lowest and highest value that count: as given, or of the data; never the same.
std::pair<double, double> outer_edges(const Tensor& column, const MaybeFloats& range, size_t dimension) {
  double low = 0, high = 1;
  if (range) {
    low = (*range)[2 * dimension], high = (*range)[2 * dimension + 1];
  } else if (column.numel() > 0) {
    low = item(call("aten.min.default", column)).to_double(), high = item(call("aten.max.default", column)).to_double();
  }
  check(std::isfinite(low) && std::isfinite(high), "histogram: dimension ", dimension, "'s range [", low, ", ", high, "] is not finite");
  check(low <= high, "torch.histogramdd: min should not exceed max, but got min ", low, " max ", high, " for dimension ", dimension);
  if (low == high) low -= 0.5, high += 0.5;
  return {low, high};
}

std::vector<Tensor> equal_bins(const Tensor& points, Dims bins, const MaybeFloats& range) {
  check(!range || range->size() == 2 * bins.size(), "torch.histogramdd: for a ", bins.size(), "-dimensional histogram, range should have ", 2 * bins.size(), " elements");
  std::vector<Tensor> edges;
  for (size_t d = 0; d < bins.size(); ++d) {
    check(bins[d] > 0, "torch.histogramdd: bins must be > 0, but got ", bins[d], " for dimension ", d);
    const auto [low, high] = outer_edges(select(points, 1, static_cast<int64_t>(d)), range, d);
    edges.push_back(call("aten.linspace.default", low, high, bins[d] + 1, points.dtype));
  }
  return edges;
}

// The bin of a value, the last one with both its ends; -1 where it is outside or NaN.
int64_t bin_of(double value, const std::vector<double>& edges) {
  if (edges.size() < 2 || !(value >= edges.front() && value <= edges.back())) return -1;
  const auto after = std::upper_bound(edges.begin(), edges.end(), value);
  return std::min<int64_t>(after - edges.begin(), static_cast<int64_t>(edges.size()) - 1) - 1;
}

std::vector<double> numbers(const Tensor& t) {
  const Tensor dense = as_contiguous(t, DType::Float64);
  return {dense.data<double>(), dense.data<double>() + dense.numel()};
}

Tensor count(const Tensor& points, const std::vector<Tensor>& edges, const MaybeTensor& weight) {
  Shape sizes;
  std::vector<std::vector<double>> limits;
  for (const Tensor& e : edges) {
    check(e.dim() == 1 && e.numel() > 0, "torch.histogramdd: bins tensors should have one dimension and at least one edge, found ", e.sizes);
    check(e.dtype == points.dtype, "torch.histogramdd: input and bins should have the same dtype, found ", points.dtype, " and ", e.dtype);
    limits.push_back(numbers(e));
    sizes.push_back(e.numel() - 1);
  }
  const std::vector<double> values = numbers(points), weights = weight ? numbers(*weight) : std::vector<double>();
  const int64_t width = points.sizes[1], rows = points.sizes[0];
  check(!weight || weight->numel() == rows, "torch.histogramdd: if weight tensor is provided it should have the same shape as the input tensor excluding its innermost dimension");
  check(!weight || weight->dtype == points.dtype, "torch.histogramdd: if weight tensor is provided, input tensor and weight tensor should have the same dtype");
  const Tensor counts = zeros(sizes, DType::Float64);
  for (int64_t r = 0; r < rows; ++r) {
    if (r % 1024 == 0) throw_if_stopped();
    int64_t at = 0;
    for (int64_t d = 0; d < width && at >= 0; ++d) {
      const int64_t bin = bin_of(values[static_cast<size_t>(r * width + d)], limits[static_cast<size_t>(d)]);
      at = bin < 0 ? -1 : at * sizes[static_cast<size_t>(d)] + bin;
    }
    if (at >= 0) counts.data<double>()[at] += weight ? weights[static_cast<size_t>(r)] : 1;
  }
  return to_dtype(counts, points.dtype);
}

// Counts as a density: the integral over all bins is 1.
Tensor density_of(const Tensor& counts, const std::vector<Tensor>& edges) {
  Tensor result = over(counts, call("aten.sum.default", counts));
  for (size_t d = 0; d < edges.size(); ++d) {
    Shape sizes(edges.size(), 1);
    sizes[d] = edges[d].numel() - 1;
    result = over(result, reshape(call("aten.diff.default", edges[d]), sizes));
  }
  return result;
}

Tensor points_of(const Tensor& self) {
  check(self.dim() >= 2, "torch.histogramdd: input tensor should have at least 2 dimensions, but got ", self.dim());
  check(is_floating(self.dtype), "\"histogramdd\" not implemented for '", scalar_type_name(self.dtype), "'");
  return reshape(self, Shape{-1, self.sizes.back()});
}
Histogram histogram_of(const Tensor& points, std::vector<Tensor> edges, const MaybeTensor& weight, bool density) {
  check(static_cast<int64_t>(edges.size()) == points.sizes[1], "torch.histogramdd: expected ", points.sizes[1], " sequences of bin edges for a ", points.sizes[1],
        "-dimensional histogram but got ", edges.size());
  Histogram h{count(points, edges, weight), std::move(edges)};
  if (density) h.counts = density_of(h.counts, h.edges);
  return h;
}

using TensorAndEdges = std::tuple<Tensor, std::vector<Tensor>>;

TensorAndEdges histogramdd_bins(const Tensor& self, Dims bins, const MaybeFloats& range, const MaybeTensor& weight, bool density) {
  const Tensor points = points_of(self);
  check(static_cast<int64_t>(bins.size()) == points.sizes[1], "torch.histogramdd: The size of bins must be equal to the innermost dimension of the input.");
  Histogram h = histogram_of(points, equal_bins(points, bins, range), weight, density);
  return {h.counts, h.edges};
}
TensorAndEdges histogramdd_int(const Tensor& self, int64_t bins, const MaybeFloats& range, const MaybeTensor& weight, bool density) {
  return histogramdd_bins(self, Shape(static_cast<size_t>(points_of(self).sizes[1]), bins), range, weight, density);
}
TensorAndEdges histogramdd_edges(const Tensor& self, const std::vector<Tensor>& bins, const MaybeFloats&, const MaybeTensor& weight, bool density) {
  Histogram h = histogram_of(points_of(self), bins, weight, density);
  return {h.counts, h.edges};
}
std::vector<Tensor> histogramdd_bin_edges(const Tensor& self, Dims bins, const MaybeFloats& range, const MaybeTensor&, bool) {
  return equal_bins(points_of(self), bins, range);
}
Tensor histogramdd_from_bins(const Tensor& self, Dims bins, const MaybeFloats& range, const MaybeTensor& weight, bool density) {
  return std::get<0>(histogramdd_bins(self, bins, range, weight, density));
}
Tensor histogramdd_from_edges(const Tensor& self, const std::vector<Tensor>& bins, const MaybeTensor& weight, bool density) {
  return histogram_of(points_of(self), bins, weight, density).counts;
}

MaybeTensor flat_weight(const MaybeTensor& weight) { return weight ? MaybeTensor(reshape(*weight, Shape{-1})) : std::nullopt; }
using Two = std::tuple<Tensor, Tensor>;
Two histogram_bins(const Tensor& self, int64_t bins, const MaybeFloats& range, const MaybeTensor& weight, bool density) {
  const auto [counts, edges] = histogramdd_bins(reshape(self, Shape{-1, 1}), Shape{bins}, range, flat_weight(weight), density);
  return {counts, edges[0]};
}
Two histogram_edges(const Tensor& self, const Tensor& bins, const MaybeTensor& weight, bool density) {
  const auto [counts, edges] = histogramdd_edges(reshape(self, Shape{-1, 1}), {bins}, std::nullopt, flat_weight(weight), density);
  return {counts, edges[0]};
}

// ---- Numerical gradients ---------------------------------------------------------------------------------------------------------------

// Σ factor · f over three neighbours along `dim`, the first at `start`; `count` of them.
Tensor three_points(const Tensor& f, int64_t dim, int64_t start, int64_t count, const Tensor& a, const Tensor& b, const Tensor& c) {
  auto part = [&](int64_t shift, const Tensor& factor) { return times(narrow(f, dim, start + shift, count), factor); };
  return plus(plus(part(0, a), part(1, b)), part(2, c));
}

// Along one dimension, from the distances of neighbours: a tensor [n - 1] that broadcasts along `dim`.
Tensor gradient_along(const Tensor& f, int64_t dim, const Tensor& steps, int64_t edge_order) {
  const int64_t n = f.sizes[static_cast<size_t>(dim)];
  const Tensor before = narrow(steps, dim, 0, n - 2), after = narrow(steps, dim, 1, n - 2), sum = plus(before, after);
  const Tensor centre = three_points(f, dim, 0, n - 2, call("aten.neg.default", over(after, times(before, sum))), over(minus(after, before), times(before, after)),
                                     over(before, times(after, sum)));
  auto slope = [&](int64_t i) { return over(minus(narrow(f, dim, i + 1, 1), narrow(f, dim, i, 1)), narrow(steps, dim, i, 1)); };
  if (edge_order == 1) return cat({slope(0), centre, slope(n - 2)}, dim);
  auto edge = [&](int64_t first, bool at_start) {
    const Tensor d1 = narrow(steps, dim, first, 1), d2 = narrow(steps, dim, first + 1, 1), both = plus(d1, d2);
    const Tensor middle = over(both, times(d1, d2));
    if (at_start)
      return three_points(f, dim, first, 1, call("aten.neg.default", over(plus(d1, both), times(d1, both))), middle, call("aten.neg.default", over(d1, times(d2, both))));
    return three_points(f, dim, first, 1, over(d2, times(d1, both)), call("aten.neg.default", middle), over(plus(d2, both), times(d2, both)));
  };
  return cat({edge(0, true), centre, edge(n - 3, false)}, dim);
}

// `spacing` by position in `dims`: 0-dimensional steps, or coordinates.
std::vector<Tensor> gradient(const Tensor& self, const std::vector<Tensor>& spacing, Dims dims, int64_t edge_order) {
  check(edge_order == 1 || edge_order == 2, "torch.gradient only supports edge_order=1 and edge_order=2.");
  check(!is_integral(self.dtype) || self.dtype != DType::Bool, "torch.gradient does not support bool");
  check(spacing.size() == dims.size(), "torch.gradient expected spacing to be unspecified, a scalar, or a list of length ", dims.size(), ", but got ", spacing.size());
  std::vector<Tensor> results;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t dim = normalize_dim(dims[i], self.dim()), n = self.sizes[static_cast<size_t>(dim)];
    check(n >= edge_order + 1, "torch.gradient expected each dimension size to be at least edge_order+1");
    check(spacing[i].dim() == 0 || spacing[i].numel() == n, "torch.gradient expected the coordinates of dimension ", dim, " to have ", n, " elements");
    const Tensor steps = spacing[i].dim() == 0 ? call("aten.expand.default", spacing[i], Shape{n - 1}) : call("aten.diff.default", spacing[i]);
    Shape sizes(static_cast<size_t>(self.dim()), 1);
    sizes[static_cast<size_t>(dim)] = n - 1;
    results.push_back(gradient_along(self, dim, reshape(steps, sizes), edge_order));
  }
  return results;
}

Shape every_dim(const Tensor& self) {
  Shape dims;
  for (int64_t d = 0; d < self.dim(); ++d) dims.push_back(d);
  return dims;
}
Shape these_or_all(const Tensor& self, std::optional<int64_t> dim) { return dim ? Shape{*dim} : every_dim(self); }
std::vector<Tensor> steps_of(const Tensor& self, const std::vector<Scalar>& numbers) {
  std::vector<Tensor> steps;
  for (const Scalar& n : numbers) steps.push_back(full({}, floating_result(self.dtype), n));
  return steps;
}
std::vector<Tensor> gradient_array(const Tensor& self, Dims dim, int64_t edge_order) {
  return gradient(self, steps_of(self, std::vector<Scalar>(dim.size(), Scalar(1))), dim, edge_order);
}
std::vector<Tensor> gradient_scalararray(const Tensor& self, Scalar spacing, Dims dim, int64_t edge_order) {
  return gradient(self, steps_of(self, std::vector<Scalar>(dim.size(), spacing)), dim, edge_order);
}
std::vector<Tensor> gradient_scalarint(const Tensor& self, std::optional<Scalar> spacing, std::optional<int64_t> dim, int64_t edge_order) {
  return gradient_scalararray(self, spacing.value_or(Scalar(1)), these_or_all(self, dim), edge_order);
}
std::vector<Tensor> gradient_scalarrayarray(const Tensor& self, const std::vector<Scalar>& spacing, Dims dim, int64_t edge_order) {
  return gradient(self, steps_of(self, spacing), dim, edge_order);
}
std::vector<Tensor> gradient_scalarrayint(const Tensor& self, const std::vector<Scalar>& spacing, std::optional<int64_t> dim, int64_t edge_order) {
  return gradient(self, steps_of(self, spacing), these_or_all(self, dim), edge_order);
}
std::vector<Tensor> gradient_tensorarray(const Tensor& self, const std::vector<Tensor>& spacing, Dims dim, int64_t edge_order) {
  return gradient(self, spacing, dim, edge_order);
}
std::vector<Tensor> gradient_tensorarrayint(const Tensor& self, const std::vector<Tensor>& spacing, std::optional<int64_t> dim, int64_t edge_order) {
  return gradient(self, spacing, these_or_all(self, dim), edge_order);
}

// ---- Combinations ----------------------------------------------------------------------------------------------------------------------

// How many ways there are to choose `r` of `n`; throws where they cannot be counted.
int64_t ways_to_choose(int64_t n, int64_t r) {
  int64_t ways = 1;
  for (int64_t i = 1; i <= std::min(r, n - r); ++i) {
    check(!__builtin_mul_overflow(ways, n - i + 1, &ways), "combinations: there are too many");
    ways /= i;
  }
  return n < r ? 0 : ways;
}

Tensor combinations(const Tensor& self, int64_t r, bool with_replacement) {
  check(self.dim() == 1, "Expect a 1D vector, but got shape ", self.sizes);
  check(r >= 0, "Expect a non-negative number, but got ", r);
  if (r == 0) return empty(Shape{0}, self.dtype);
  const int64_t n = self.numel(), distinct = with_replacement && n > 0 ? n + checked_extent(r) - 1 : n;
  const int64_t rows = n == 0 ? 0 : ways_to_choose(distinct, r);
  const Tensor at = empty(Shape{rows, rows > 0 ? r : checked_extent(r)}, DType::Int64);
  int64_t* chosen = at.data<int64_t>();
  for (int64_t i = 0; i < r && rows > 0; ++i) chosen[i] = with_replacement ? 0 : i;
  // Increasing tuples in lexicographic order: the last place that can still rise does, what follows starts behind it.
  for (int64_t row = 1; row < rows; ++row, chosen += r) {
    throw_if_stopped();
    int64_t* next = chosen + r;
    std::copy_n(chosen, r, next);
    int64_t place = r - 1;
    while (next[place] >= (with_replacement ? n - 1 : n - (r - place))) --place;
    ++next[place];
    for (int64_t i = place + 1; i < r; ++i) next[i] = next[i - 1] + (with_replacement ? 0 : 1);
  }
  return call("aten.take.default", self, at);
}

}  // namespace

void add_statistics_ops(OpTable& ops) {
  ops.add("aten::cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) -> Tensor", cov);
  ops.add("aten::corrcoef(Tensor self) -> Tensor", corrcoef);
  ops.add("aten::histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)", histogram_bins);
  ops.add("aten::histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)", histogram_edges);
  ops.add("aten::histogramdd(Tensor self, int[] bins, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges)", histogramdd_bins);
  ops.add("aten::histogramdd.int_bins(Tensor self, int bins, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges)", histogramdd_int);
  ops.add("aten::histogramdd.TensorList_bins(Tensor self, Tensor[] bins, float[]? range=None, Tensor? weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges)", histogramdd_edges);
  ops.add("aten::_histogramdd_bin_edges(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool density=False) -> Tensor[]", histogramdd_bin_edges);
  ops.add("aten::_histogramdd_from_bin_cts(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool density=False) -> Tensor", histogramdd_from_bins);
  ops.add("aten::_histogramdd_from_bin_tensors(Tensor self, Tensor[] bins, *, Tensor? weight=None, bool density=False) -> Tensor", histogramdd_from_edges);
  ops.add("aten::gradient.array(Tensor self, *, int[] dim, int edge_order=1) -> Tensor[]", gradient_array);
  ops.add("aten::gradient.scalararray(Tensor self, *, Scalar spacing, int[] dim, int edge_order=1) -> Tensor[]", gradient_scalararray);
  ops.add("aten::gradient.scalarint(Tensor self, *, Scalar? spacing=None, int? dim=None, int edge_order=1) -> Tensor[]", gradient_scalarint);
  ops.add("aten::gradient.scalarrayarray(Tensor self, *, Scalar[] spacing, int[] dim, int edge_order=1) -> Tensor[]", gradient_scalarrayarray);
  ops.add("aten::gradient.scalarrayint(Tensor self, *, Scalar[] spacing, int? dim=None, int edge_order=1) -> Tensor[]", gradient_scalarrayint);
  ops.add("aten::gradient.tensorarray(Tensor self, *, Tensor[] spacing, int[] dim, int edge_order=1) -> Tensor[]", gradient_tensorarray);
  ops.add("aten::gradient.tensorarrayint(Tensor self, *, Tensor[] spacing, int? dim=None, int edge_order=1) -> Tensor[]", gradient_tensorarrayint);
  ops.add("aten::combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor", combinations);
}

}  // namespace pt2::interp
