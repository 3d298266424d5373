#include "interp/ops/all_ops.h"

#include "interp/op_table.h"

namespace pt2::interp {

namespace {

// Random numbers and the symbols' operators: with the interpreter itself.
void add_interpreter_ops(OpTable& ops) {
  add_random_ops(ops);
  add_symbolic_ops(ops);
}

// Element by element, shapes, indexing, creation, reductions, sorting.
void add_element_ops(OpTable& ops) {
  add_arithmetic_ops(ops);
  add_math_ops(ops);
  add_comparison_ops(ops);
  add_selection_ops(ops);
  add_activation_ops(ops);
  add_activation_backward_ops(ops);
  add_view_ops(ops);
  add_splitting_ops(ops);
  add_joining_ops(ops);
  add_creation_ops(ops);
  add_reduction_ops(ops);
  add_scan_ops(ops);
  add_sorting_ops(ops);
  add_unique_ops(ops);
  add_indexing_ops(ops);
  add_scatter_ops(ops);
  add_complex_ops(ops);
  add_special_ops(ops);
}

// Matrix products, convolution, pooling, normalization, attention and what else is heavy or whole-layer.
void add_layer_ops(OpTable& ops) {
  add_matmul_ops(ops);
  add_convolution_ops(ops);
  add_pooling_ops(ops);
  add_softmax_ops(ops);
  add_normalization_ops(ops);
  add_normalization_backward_ops(ops);
  add_attention_ops(ops);
  add_embedding_ops(ops);
  add_padding_ops(ops);
  add_upsample_ops(ops);
  add_grid_sample_ops(ops);
  add_loss_ops(ops);
  add_recurrent_ops(ops);
  add_quantized_ops(ops);
  add_fft_ops(ops);
  add_linalg_ops(ops);
  add_matrix_function_ops(ops);
}

// Made of the operators above, or at home in few programs.
void add_composed_ops(OpTable& ops) {
  add_linalg_factor_ops(ops);
  add_linalg_composed_ops(ops);
  add_statistics_ops(ops);
  add_margin_loss_ops(ops);
  add_spectral_ops(ops);
  add_older_name_ops(ops);
  add_foreach_ops(ops);
  add_prims_ops(ops);
  add_fused_attention_ops(ops);
  add_sequence_ops(ops);
  add_gradient_ops(ops);
  add_sampled_pooling_ops(ops);
  add_grouped_matmul_ops(ops);
  add_quantized_affine_ops(ops);
  add_linear_cross_entropy_ops(ops);
  add_rare_ops(ops);
}

}  // namespace

const OpTable& builtin_ops() {
  static const OpTable table = [] {
    OpTable ops;
    add_interpreter_ops(ops);
    add_element_ops(ops);
    add_layer_ops(ops);
    add_composed_ops(ops);
    return ops;
  }();
  return table;
}

}  // namespace pt2::interp
