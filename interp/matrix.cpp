#include "interp/matrix.h"

#include <algorithm>
#include <complex>
#include <limits>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/kernel_context.h"
#include "interp/parallel.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

constexpr int64_t kSmallProduct = 1 << 18;  // multiplications that one thread does quicker than two

// As much as fits in 64 bits.
int64_t multiplications(int64_t m, int64_t n, int64_t k) {
  int64_t count = 0;
  return __builtin_mul_overflow(m, n, &count) || __builtin_mul_overflow(count, k, &count) ? std::numeric_limits<int64_t>::max() : count;
}

void call_kernel(const MatrixProduct<float>& p) { matrix_kernels().product_f32(p); }
void call_kernel(const MatrixProduct<double>& p) { matrix_kernels().product_f64(p); }

// Complex numbers and integers: rare and small in programs, so plain loops.
template <class T>
void call_kernel(const MatrixProduct<T>& p) {
  for (int64_t i = 0; i < p.m; ++i) {
    T* row = p.c + i * p.c_row;
    if (!p.accumulate) std::fill(row, row + p.n, T(0));
    for (int64_t x = 0; x < p.k; ++x) {
      if (x % 64 == 0) throw_if_stopped();
      const T factor = p.a[i * p.a_row + x * p.a_column];
      const T* b = p.b + x * p.b_row;
      for (int64_t j = 0; j < p.n; ++j) row[j] += factor * b[j * p.b_column];
    }
  }
}

template <class T>
void multiply_parallel(const MatrixProduct<T>& p) {
  if (p.m == 0 || p.n == 0) return;
  const ProductCut cut = cut_product(p.m, p.n, p.k, thread_count());
  const int64_t length = cut.by_rows ? p.m : p.n;
  if (cut.slice >= length && cut.depth >= p.k) return call_kernel(p);
  parallel_for((length + cut.slice - 1) / cut.slice, 1, [&](int64_t begin, int64_t end) {
    for (int64_t s = begin; s < end; ++s) {
      const int64_t from = s * cut.slice, count = std::min(cut.slice, length - from);
      MatrixProduct<T> part = p;
      if (cut.by_rows) {
        part.m = count;
        part.a += from * p.a_row;
        part.c += from * p.c_row;
      } else {
        part.n = count;
        part.b += from * p.b_column;
        part.c += from;
      }
      for (int64_t k = 0; k < p.k; k += cut.depth) {
        throw_if_stopped();
        MatrixProduct<T> piece = part;
        piece.k = std::min(cut.depth, p.k - k);
        piece.a += k * p.a_column;
        piece.b += k * p.b_row;
        piece.accumulate = p.accumulate || k > 0;
        call_kernel(piece);
      }
    }
  });
}

DType compute_dtype(DType dtype) {
  switch (dtype) {
    case DType::Float64: return DType::Float64;
    case DType::Complex32: case DType::Complex64: case DType::Complex128: return DType::Complex128;
    default: return is_floating(dtype) ? DType::Float32 : DType::Int64;
  }
}

// In the compute type, one of the last two strides 1.
Tensor operand(const Tensor& tensor, DType dtype) {
  const Tensor t = as_dtype(tensor, dtype);
  const size_t r = t.sizes.size() - 2, c = t.sizes.size() - 1;
  const bool rows_dense = t.strides[c] == 1 || t.sizes[c] <= 1, columns_dense = t.strides[r] == 1 || t.sizes[r] <= 1;
  return rows_dense || columns_dense ? t : as_contiguous(t);
}

// Strides of the last two dimensions with the unit stride spelt out where a dimension of size 1 leaves it open.
struct MatrixStrides { int64_t row, column; };
MatrixStrides matrix_strides(const Tensor& t) {
  const size_t r = t.sizes.size() - 2, c = t.sizes.size() - 1;
  if (t.strides[c] == 1 || t.sizes[c] <= 1) return {t.sizes[r] <= 1 ? std::max<int64_t>(1, t.sizes[c]) : t.strides[r], 1};
  return {1, t.strides[c]};
}

template <class T>
void batched(const Tensor& a, const Tensor& b, const Tensor& c, bool accumulate) {
  const int64_t batches = c.sizes[0];
  const MatrixStrides as = matrix_strides(a), bs = matrix_strides(b);
  auto product = [&](int64_t i) {
    MatrixProduct<T> p;
    p.m = c.sizes[1];
    p.n = c.sizes[2];
    p.k = a.sizes[2];
    p.a = a.data<T>() + i * a.strides[0];
    p.a_row = as.row, p.a_column = as.column;
    p.b = b.data<T>() + i * b.strides[0];
    p.b_row = bs.row, p.b_column = bs.column;
    p.c = c.data<T>() + i * p.m * p.n;
    p.c_row = p.n;
    p.accumulate = accumulate;
    return p;
  };
  if (batches == 1 || multiplications(c.sizes[1], c.sizes[2], a.sizes[2]) > kLongProduct) {
    for (int64_t i = 0; i < batches; ++i) multiply_parallel(product(i));
    return;
  }
  const int64_t cost = c.sizes[1] * c.sizes[2] * std::max<int64_t>(1, a.sizes[2]) / 4;
  parallel_for(batches, grain_for(cost), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) call_kernel(product(i));
  });
}

bool is_one(const Scalar& factor) { return factor.to_complex() == 1.0; }
Tensor scaled(const Tensor& t, const Scalar& factor) {
  if (is_one(factor)) return t;
  return map<NumberTypes>({"mul", t.dtype, t.dtype}, [factor](auto x) { return x * factor.to<decltype(x)>(); }, t);
}

}  // namespace

ProductCut cut_product(int64_t m, int64_t n, int64_t k, int threads) {
  constexpr int64_t kBlock = 16;  // of the kernels' registers
  constexpr int64_t kWide = 512;  // each call packs its operands anew: narrower slices would mostly pack
  ProductCut cut{m >= n, std::max(m, n), k};
  const int64_t length = std::max(m, n), other = std::max<int64_t>(1, std::min(m, n));
  const int64_t product = multiplications(m, n, k);
  if (product > kLongProduct) {
    cut.depth = std::clamp<int64_t>(kLongProduct / other / std::min(length, kWide), std::min<int64_t>(k, 256), k);
    cut.slice = std::min(length, std::max(kBlock, kLongProduct / other / cut.depth / kBlock * kBlock));
  }
  // As few slices as there are threads.
  if (threads > 1 && product >= kSmallProduct) cut.slice = std::min(cut.slice, ((length + threads - 1) / threads + kBlock - 1) / kBlock * kBlock);
  return cut;
}

void multiply(const MatrixProduct<float>& product) { multiply_parallel(product); }
void multiply(const MatrixProduct<double>& product) { multiply_parallel(product); }

Tensor batched_product(const Tensor& a, const Tensor& b, const ProductTerms& terms) {
  check(a.dim() == 3 && b.dim() == 3, "batch1 must be a 3D tensor");
  check(a.sizes[0] == b.sizes[0] && a.sizes[2] == b.sizes[1], "Expected size for first two dimensions of batch2 tensor to be: [", a.sizes[0],
        ", ", a.sizes[2], "] but got: [", b.sizes[0], ", ", b.sizes[1], "].");
  check(a.dtype == b.dtype, "expected m1 and m2 to have the same dtype, but got: ", scalar_type_name(a.dtype), " != ", scalar_type_name(b.dtype));
  check(a.dtype != DType::Bool, "\"addmm_impl_cpu_\" not implemented for 'Bool'");
  const DType compute = compute_dtype(a.dtype);
  const Shape sizes{a.sizes[0], a.sizes[1], b.sizes[2]};
  Tensor c = empty(sizes, compute);
  check_convertible(terms.alpha, a.dtype);
  check_convertible(terms.beta, a.dtype);
  const bool add = terms.addend && terms.beta.to_bool();
  const bool accumulate = add && is_one(terms.alpha);
  if (accumulate) copy_into(c, expand_to(scaled(as_dtype(*terms.addend, compute), terms.beta), sizes));
  const Tensor left = operand(a, compute), right = operand(b, compute);
  switch (compute) {
    case DType::Float32: batched<float>(left, right, c, accumulate); break;
    case DType::Float64: batched<double>(left, right, c, accumulate); break;
    case DType::Int64: batched<int64_t>(left, right, c, accumulate); break;
    default: batched<std::complex<double>>(left, right, c, accumulate); break;
  }
  if (!accumulate) {
    c = scaled(c, terms.alpha);
    if (add) {
      const Tensor addend = expand_to(scaled(as_dtype(*terms.addend, compute), terms.beta), sizes);
      c = map<NumberTypes>({"add", compute, compute}, [](auto x, auto y) { return x + y; }, c, addend);
    }
  }
  return as_dtype(c, a.dtype);
}

Tensor matrix_product(const Tensor& a, const Tensor& b, const ProductTerms& terms) {
  check(a.dim() == 2 && b.dim() == 2, "mat1 and mat2 must be matrices, found ", a.dim(), "-D and ", b.dim(), "-D");
  check(a.sizes[1] == b.sizes[0], "mat1 and mat2 shapes cannot be multiplied (", a.sizes[0], "x", a.sizes[1], " and ", b.sizes[0], "x",
        b.sizes[1], ")");
  auto as_batch = [](const Tensor& t) { return make_view(t, {1, t.sizes[0], t.sizes[1]}, {0, t.strides[0], t.strides[1]}, t.offset); };
  const Tensor c = batched_product(as_batch(a), as_batch(b), terms);
  return make_view(c, {c.sizes[1], c.sizes[2]}, {c.strides[1], c.strides[2]}, c.offset);
}

Tensor matmul(const Tensor& a, const Tensor& b) {
  check(a.dim() > 0 && b.dim() > 0, "both arguments to matmul need to be at least 1D, but they are ", a.dim(), "D and ", b.dim(), "D");
  // Vectors are matrices of one row or one column, dropped from the result.
  auto with_dim = [](const Tensor& t, size_t at) {
    Shape sizes = t.sizes, strides = t.strides;
    sizes.insert(sizes.begin() + static_cast<long>(at), 1);
    strides.insert(strides.begin() + static_cast<long>(at), 1);
    return make_view(t, sizes, strides, t.offset);
  };
  const Tensor left = a.dim() == 1 ? with_dim(a, 0) : a;
  const Tensor right = b.dim() == 1 ? with_dim(b, 1) : b;
  const size_t ld = left.sizes.size(), rd = right.sizes.size();
  const int64_t m = left.sizes[ld - 2], k = left.sizes[ld - 1], n = right.sizes[rd - 1];
  check(k == right.sizes[rd - 2], "mat1 and mat2 shapes cannot be multiplied (", m, "x", k, " and ", right.sizes[rd - 2], "x", n, ")");
  const Shape batch = broadcast_shapes(std::span(left.sizes).first(ld - 2), std::span(right.sizes).first(rd - 2));
  Shape result_sizes = batch;
  if (a.dim() > 1) result_sizes.push_back(m);
  if (b.dim() > 1) result_sizes.push_back(n);

  Tensor c;
  if (rd == 2) {  // one matrix for all batches: fold them into the rows
    const Tensor rows = as_contiguous(left);
    const int64_t count = checked_numel(batch) * m;
    c = matrix_product(make_view(rows, {count, k}, {k, 1}, rows.offset), right);
  } else {
    auto batched_view = [&](const Tensor& t, int64_t rows, int64_t columns) {
      Shape sizes = batch;
      sizes.push_back(rows);
      sizes.push_back(columns);
      Tensor expanded = expand_to(t, sizes);
      const Shape flat{checked_numel(batch), rows, columns};
      if (auto strides = view_strides(expanded.sizes, expanded.strides, flat)) return make_view(expanded, flat, *strides, expanded.offset);
      expanded = as_contiguous(expanded);
      return make_view(expanded, flat, contiguous_strides(flat), expanded.offset);
    };
    c = batched_product(batched_view(left, m, k), batched_view(right, k, n));
  }
  return make_view(c, result_sizes, contiguous_strides(result_sizes), c.offset);
}

Tensor linear(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias) {
  check(weight.dim() == 2 || weight.dim() == 1, "linear: weight must be 1-D or 2-D, found ", weight.dim(), "-D");
  if (weight.dim() == 1) {
    const Tensor product = matmul(input, weight);
    if (!bias) return product;
    return map<NumberTypes>({"add", product.dtype, product.dtype}, [](auto x, auto y) { return x + y; }, product, *bias);
  }
  const Tensor transposed = make_view(weight, {weight.sizes[1], weight.sizes[0]}, {weight.strides[1], weight.strides[0]}, weight.offset);
  check(input.dim() > 0 && input.sizes.back() == weight.sizes[1], "mat1 and mat2 shapes cannot be multiplied (",
        input.dim() > 0 ? input.numel() / std::max<int64_t>(1, input.sizes.back()) : 1, "x", input.dim() > 0 ? input.sizes.back() : 1, " and ", weight.sizes[1], "x",
        weight.sizes[0], ")");
  // PyTorch multiplies what is not contiguous first and adds the bias to that: in half types it is rounded twice.
  if (bias && input.dim() > 2 && !is_contiguous(input) && (input.dtype == DType::Float16 || input.dtype == DType::BFloat16)) {
    const Tensor product = linear(input, weight, std::nullopt);
    return map<NumberTypes>({"add", product.dtype, product.dtype}, [](auto x, auto y) { return x + y; }, product, *bias);
  }
  const Tensor rows = as_contiguous(input);
  Shape result_sizes(input.sizes.begin(), input.sizes.end() - 1);
  const int64_t count = checked_numel(result_sizes);
  result_sizes.push_back(weight.sizes[0]);
  const Tensor c = matrix_product(make_view(rows, {count, weight.sizes[1]}, {weight.sizes[1], 1}, rows.offset), transposed, {bias});
  return make_view(c, result_sizes, contiguous_strides(result_sizes), c.offset);
}

}  // namespace pt2::interp
