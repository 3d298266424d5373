#pragma once
// The families of operators. To add one: its function here, a row in all_ops.cpp, a file beside this one.
namespace pt2::interp {

class OpTable;

// Random numbers and the symbols' operators: with the interpreter itself.
void add_random_ops(OpTable& ops);    // rand, randn, randint, bernoulli, dropout, normal, multinomial …
void add_symbolic_ops(OpTable& ops);  // sym_size, _assert_scalar, _local_scalar_dense …

// Element by element, shapes, indexing, creation, reductions, sorting.

// Matrix products, convolution, pooling, normalization, attention and what else is heavy or whole-layer.
void add_matmul_ops(OpTable& ops);       // mm, bmm, addmm, linear, matmul, einsum …
void add_convolution_ops(OpTable& ops);  // conv1d … conv_transpose3d, convolution, convolution_backward
void add_pooling_ops(OpTable& ops);      // max_pool2d, avg_pool2d, adaptive ones, max_unpool2d …
void add_softmax_ops(OpTable& ops);      // softmax, log_softmax and their gradients
void add_normalization_ops(OpTable& ops);  // batch_norm, layer_norm, group_norm, instance_norm, rms_norm …

}  // namespace pt2::interp
