#pragma once
// Random numbers in tensors, drawn as PyTorch's CPU kernels draw them: the same bits in the same order, so that a seed gives equal values.
#include "core/tensor/tensor.h"
#include "interp/random.h"

namespace pt2::interp {

// Each fills `tensor`, element after element in the order of its memory.
void fill_uniform(const Tensor& tensor, double from, double to, Generator& generator);
void fill_normal(const Tensor& tensor, double mean, double std, Generator& generator);  // complex: real and imaginary part share the variance
void fill_exponential(const Tensor& tensor, double lambda, Generator& generator);
void fill_geometric(const Tensor& tensor, double p, Generator& generator);
void fill_cauchy(const Tensor& tensor, double median, double sigma, Generator& generator);
void fill_log_normal(const Tensor& tensor, double mean, double std, Generator& generator);
void fill_bernoulli(const Tensor& tensor, double p, Generator& generator);
void fill_bernoulli(const Tensor& tensor, const Tensor& p, Generator& generator);  // p broadcasts to tensor
void fill_integers(const Tensor& tensor, int64_t from, uint64_t range, Generator& generator);  // from … from + range - 1
void fill_all_integers(const Tensor& tensor, Generator& generator);                            // tensor.random_() without bounds
void fill_gamma(const Tensor& tensor, const Tensor& shape, Generator& generator);
// Where the tensor is contiguous.
void fill_binomial(const Tensor& tensor, const Tensor& count, const Tensor& probability, Generator& generator);
void fill_poisson(const Tensor& tensor, const Tensor& rate, Generator& generator);

// A draw of uniform_real_distribution<double>(0, 1).
double uniform_double(Generator& generator);

}  // namespace pt2::interp
