#include "interp/ops/einsum.h"

#include <algorithm>
#include <array>
#include <string>

#include "interp/check.h"
#include "interp/matrix.h"
#include "interp/ops/reduction.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

constexpr int kLetters = 52, kEllipsis = 16;
constexpr int kLabels = kLetters + kEllipsis;  // the dimensions an ellipsis stands for get labels of their own, counted from the last

int label_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  fail("einsum(): invalid subscript given at index: subscripts must be in [a-zA-Z]");
}

struct Subscript { std::vector<int> before, after; bool ellipsis = false; };

Subscript parse(std::string_view text) {
  Subscript s;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') continue;
    if (text[i] == '.') {
      check(text.substr(i, 3) == "..." && !s.ellipsis, "einsum(): found '.' that is not part of any ellipsis");
      s.ellipsis = true;
      i += 2;
      continue;
    }
    (s.ellipsis ? s.after : s.before).push_back(label_of(text[i]));
  }
  return s;
}

std::vector<int> labels_of(const Subscript& s, int64_t ellipsis_rank) {
  std::vector<int> labels = s.before;
  for (int64_t i = ellipsis_rank; i-- > 0;) labels.push_back(kLetters + static_cast<int>(i));
  labels.insert(labels.end(), s.after.begin(), s.after.end());
  return labels;
}

// A tensor with a label for each dimension, each label once.
struct Labelled { Tensor tensor; std::vector<int> labels; };

// Repeated labels become diagonals.
Labelled with_diagonals(const Tensor& t, const std::vector<int>& labels) {
  Labelled result;
  Shape sizes, strides;
  for (size_t i = 0; i < labels.size(); ++i) {
    const auto seen = std::find(result.labels.begin(), result.labels.end(), labels[i]);
    if (seen == result.labels.end()) {
      result.labels.push_back(labels[i]);
      sizes.push_back(t.sizes[i]);
      strides.push_back(t.strides[i]);
      continue;
    }
    const size_t at = static_cast<size_t>(seen - result.labels.begin());
    check(sizes[at] == t.sizes[i], "einsum(): dimensions of a repeated subscript differ: ", sizes[at], " and ", t.sizes[i]);
    strides[at] += t.strides[i];
  }
  result.tensor = make_view(t, sizes, strides, t.offset);
  return result;
}

// Dimensions in the order of `labels`; those the tensor lacks have size 1.
Tensor arranged(const Labelled& x, const std::vector<int>& labels) {
  Shape sizes, strides;
  for (int label : labels) {
    const auto at = std::find(x.labels.begin(), x.labels.end(), label);
    sizes.push_back(at == x.labels.end() ? 1 : x.tensor.sizes[static_cast<size_t>(at - x.labels.begin())]);
    strides.push_back(at == x.labels.end() ? 0 : x.tensor.strides[static_cast<size_t>(at - x.labels.begin())]);
  }
  return make_view(x.tensor, sizes, strides, x.tensor.offset);
}

Tensor flattened(const Tensor& t, const Shape& sizes) {
  if (auto strides = view_strides(t.sizes, t.strides, sizes)) return make_view(t, sizes, *strides, t.offset);
  const Tensor dense = as_contiguous(t);
  return make_view(dense, sizes, contiguous_strides(sizes), dense.offset);
}

// Sums a and b over the labels that `keep` lacks; the result has the labels of `keep` that either has, in that order.
Labelled contract(const Labelled& a, const Labelled& b, const std::array<bool, kLabels>& keep) {
  std::array<int64_t, kLabels> size_a, size_b;
  size_a.fill(-1), size_b.fill(-1);
  for (size_t i = 0; i < a.labels.size(); ++i) size_a[a.labels[i]] = a.tensor.sizes[i];
  for (size_t i = 0; i < b.labels.size(); ++i) size_b[b.labels[i]] = b.tensor.sizes[i];
  std::vector<int> batch, only_a, only_b, summed;
  Shape batch_sizes;
  for (int label = 0; label < kLabels; ++label) {
    const int64_t x = size_a[label], y = size_b[label];
    if (x < 0 && y < 0) continue;
    if (x >= 0 && y >= 0 && x != y && x != 1 && y != 1) fail("einsum(): operands do not broadcast: sizes ", x, " and ", y, " for one subscript");
    if (x >= 0 && y >= 0 && (keep[label] || x != y)) batch.push_back(label), batch_sizes.push_back(std::max(x, y));
    else if (x >= 0 && y >= 0) summed.push_back(label);
    else if (x >= 0) only_a.push_back(label);
    else only_b.push_back(label);
  }
  auto concat = [](std::initializer_list<const std::vector<int>*> lists) {
    std::vector<int> out;
    for (auto* list : lists) out.insert(out.end(), list->begin(), list->end());
    return out;
  };
  auto count = [](const Tensor& t, size_t from, size_t to) {
    int64_t n = 1;
    for (size_t i = from; i < to; ++i) n *= t.sizes[i];
    return n;
  };
  auto expand_batch = [&](Tensor t) {
    Shape sizes = t.sizes;
    for (size_t i = 0; i < batch.size(); ++i) sizes[i] = batch_sizes[i];
    return expand_to(t, sizes);
  };
  const Tensor x = expand_batch(arranged(a, concat({&batch, &only_a, &summed})));
  const Tensor y = expand_batch(arranged(b, concat({&batch, &summed, &only_b})));
  const size_t nb = batch.size(), na = only_a.size(), ns = summed.size(), no = only_b.size();
  const int64_t bs = checked_numel(batch_sizes), m = count(x, nb, nb + na), k = count(x, nb + na, nb + na + ns), n = count(y, nb + ns, nb + ns + no);
  const Tensor c = batched_product(flattened(x, {bs, m, k}), flattened(y, {bs, k, n}));
  Labelled result;
  result.labels = concat({&batch, &only_a, &only_b});
  Shape sizes = batch_sizes;
  for (size_t i = 0; i < na; ++i) sizes.push_back(x.sizes[nb + i]);
  for (size_t i = 0; i < no; ++i) sizes.push_back(y.sizes[nb + ns + i]);
  result.tensor = make_view(c, sizes, contiguous_strides(sizes), c.offset);
  return result;
}

}  // namespace

Tensor einsum(std::string_view equation, const std::vector<Tensor>& operands) {
  check(!operands.empty(), "einsum(): must provide at least one operand");
  const size_t arrow = equation.find("->");
  std::string_view inputs = equation.substr(0, arrow);
  std::vector<Subscript> subscripts;
  for (size_t begin = 0; begin <= inputs.size();) {
    const size_t comma = std::min(inputs.find(',', begin), inputs.size());
    subscripts.push_back(parse(inputs.substr(begin, comma - begin)));
    begin = comma + 1;
  }
  check(subscripts.size() == operands.size(), "einsum(): ", subscripts.size(), " subscripts were given for ", operands.size(), " operands");

  std::vector<Labelled> terms;
  int64_t ellipsis_rank = 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    const int64_t named = static_cast<int64_t>(subscripts[i].before.size() + subscripts[i].after.size());
    const int64_t rest = operands[i].dim() - named;
    check(rest >= 0 && (rest == 0 || subscripts[i].ellipsis) && rest <= kEllipsis, "einsum(): the number of subscripts in the equation (", named,
          ") does not match the number of dimensions (", operands[i].dim(), ") for operand ", static_cast<int64_t>(i));
    ellipsis_rank = std::max(ellipsis_rank, rest);
    terms.push_back(with_diagonals(operands[i], labels_of(subscripts[i], rest)));
  }
  std::vector<int> output;
  if (arrow != std::string_view::npos) {
    const Subscript s = parse(equation.substr(arrow + 2));
    output = labels_of(s, s.ellipsis ? ellipsis_rank : 0);
  } else {
    // The ellipsis, then the letters that occur once, in alphabetical order; a letter twice in one operand counts twice.
    std::array<int, kLabels> occurrences{};
    for (size_t i = 0; i < operands.size(); ++i)
      for (const auto* part : {&subscripts[i].before, &subscripts[i].after})
        for (int label : *part) ++occurrences[label];
    for (int64_t i = ellipsis_rank; i-- > 0;) output.push_back(kLetters + static_cast<int>(i));
    for (int label = 0; label < kLetters; ++label)
      if (occurrences[label] == 1) output.push_back(label);
  }

  // A label may be summed once no later operand and not the output has it.
  Labelled result = terms[0];
  auto keep_for = [&](size_t next) {
    std::array<bool, kLabels> keep{};
    for (int label : output) keep[label] = true;
    for (size_t i = next; i < terms.size(); ++i)
      for (int label : terms[i].labels) keep[label] = true;
    return keep;
  };
  for (size_t i = 1; i < terms.size(); ++i) result = contract(result, terms[i], keep_for(i + 1));
  // What is left over and not in the output is summed: a product with ones.
  std::vector<int> rest;
  for (int label : result.labels)
    if (std::find(output.begin(), output.end(), label) == output.end()) rest.push_back(label);
  if (!rest.empty()) {
    if (!is_floating(result.tensor.dtype) && !is_complex(result.tensor.dtype)) result.tensor = to_dtype(result.tensor, DType::Int64);  // as sums of integers are
    const Tensor one = full({}, result.tensor.dtype, Scalar(1));
    Shape ones_sizes;
    for (int label : rest) ones_sizes.push_back(result.tensor.sizes[static_cast<size_t>(
        std::find(result.labels.begin(), result.labels.end(), label) - result.labels.begin())]);
    result = contract(result, {expand_to(one, ones_sizes), rest}, keep_for(terms.size()));
  }
  return arranged(result, output);
}

namespace {

// What is contracted with a dimension of size 1 is summed.
Tensor summed_where_one(const Tensor& t, std::span<const int64_t> dims, const Tensor& other, std::span<const int64_t> dims_other) {
  std::vector<int64_t> summed;
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t d = normalize_dim(dims[i], t.dim());
    if (other.sizes[normalize_dim(dims_other[i], other.dim())] == 1 && t.sizes[d] != 1) summed.push_back(d);
  }
  return summed.empty() ? t : sum(t, summed, true, t.dtype);
}

}  // namespace

Tensor tensordot(const Tensor& first, const Tensor& second, std::span<const int64_t> dims_a, std::span<const int64_t> dims_b) {
  check(dims_a.size() == dims_b.size(), "both dimension lists should have same length");
  check(first.dim() + second.dim() <= kLabels, "tensordot: too many dimensions");
  const Tensor a = summed_where_one(first, dims_a, second, dims_b), b = summed_where_one(second, dims_b, first, dims_a);
  Labelled x{a, {}}, y{b, {}};
  std::array<bool, kLabels> keep;
  keep.fill(true);
  for (int64_t i = 0; i < a.dim(); ++i) x.labels.push_back(static_cast<int>(i));
  for (int64_t i = 0; i < b.dim(); ++i) y.labels.push_back(static_cast<int>(a.dim() + i));
  for (size_t i = 0; i < dims_a.size(); ++i) {
    const int64_t da = normalize_dim(dims_a[i], a.dim()), db = normalize_dim(dims_b[i], b.dim());
    check(a.sizes[da] == b.sizes[db], "contracted dimensions need to match, but first has size ", a.sizes[da],
          " in dim ", da, " and second has size ", b.sizes[db], " in dim ", db);
    y.labels[db] = static_cast<int>(da);
    keep[da] = false;
  }
  std::vector<int> order;
  const Labelled c = contract(x, y, keep);
  for (const auto* labels : {&x.labels, &y.labels})
    for (int label : *labels)
      if (keep[label]) order.push_back(label);
  return as_contiguous(arranged(c, order));
}

}  // namespace pt2::interp
