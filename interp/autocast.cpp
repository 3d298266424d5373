#include "interp/autocast.h"

#include <algorithm>

namespace pt2::interp {

namespace {

enum class Policy { None, Lower, Float32, Promote };

bool contains(std::span<const std::string_view> sorted, std::string_view name) { return std::binary_search(sorted.begin(), sorted.end(), name); }

Policy policy_of(const OpSchema& schema) {
  static constexpr std::string_view kLower[] = {
      "_native_multi_head_attention", "addbmm", "addmm", "baddbmm", "bmm", "conv1d", "conv2d", "conv3d", "conv_tbc", "conv_transpose1d",
      "conv_transpose2d", "conv_transpose3d", "linalg_vecdot", "linear", "matmul", "mkldnn_rnn_layer", "mm", "prelu", "scaled_dot_product_attention"};
  static constexpr std::string_view kFloat32[] = {
      "adaptive_avg_pool3d", "avg_pool3d", "binary_cross_entropy", "binary_cross_entropy_with_logits", "cdist", "cholesky", "cholesky_inverse",
      "cholesky_solve", "cosine_embedding_loss", "cross_entropy_loss", "ctc_loss", "fft_fft", "fft_fft2", "fft_fftn", "fft_hfft", "fft_ifft",
      "fft_ifft2", "fft_ifftn", "fft_ihfft", "fft_irfft", "fft_irfft2", "fft_irfftn", "fft_rfft", "fft_rfft2", "fft_rfftn", "fractional_max_pool2d",
      "fractional_max_pool3d", "geqrf", "grid_sampler", "hinge_embedding_loss", "huber_loss", "inverse", "kl_div", "l1_loss", "linalg_cholesky",
      "linalg_cholesky_ex", "linalg_cond", "linalg_eig", "linalg_eigh", "linalg_eigvals", "linalg_eigvalsh", "linalg_householder_product",
      "linalg_inv", "linalg_inv_ex", "linalg_lstsq", "linalg_matrix_rank", "linalg_qr", "linalg_solve", "linalg_svd", "linalg_svdvals",
      "linalg_tensorinv", "linalg_tensorsolve", "lu_solve", "margin_ranking_loss", "max_pool3d", "max_unpool2d", "max_unpool3d", "mse_loss",
      "multi_margin_loss", "multilabel_margin_loss", "multilabel_margin_loss_forward", "nanquantile", "nll_loss", "nll_loss2d", "orgqr", "ormqr",
      "pinverse", "poisson_nll_loss", "polar", "prod", "qr", "quantile", "reflection_pad1d", "reflection_pad2d", "replication_pad1d",
      "replication_pad2d", "replication_pad3d", "smooth_l1_loss", "soft_margin_loss", "stft", "svd", "trace", "triangular_solve",
      "triplet_margin_loss", "view_as_complex"};
  static constexpr std::string_view kPromote[] = {"cat", "index_copy", "stack"};
  std::string_view name = schema.name;
  if (!name.starts_with("aten::")) return Policy::None;
  name.remove_prefix(6);
  if (contains(kLower, name)) return Policy::Lower;
  if (contains(kFloat32, name)) return Policy::Float32;
  if (contains(kPromote, name)) return Policy::Promote;
  return Policy::None;
}

// Autocast leaves double precision and everything that is not floating point alone.
bool eligible(const Tensor& tensor) { return is_floating(tensor.dtype) && tensor.dtype != DType::Float64; }

int width(DType dtype) { return dtype == DType::Float32 ? 2 : 1; }

RuntimeValue cast(const RuntimeValue& value, DType dtype, const OpTable& ops, const KernelContext& context) {
  if (const auto* list = value.as<ListValue>()) {
    std::vector<RuntimeValue> items;
    for (const RuntimeValue& item : *list->items) items.push_back(cast(item, dtype, ops, context));
    return list->is_tuple ? make_tuple(std::move(items)) : make_list(std::move(items));
  }
  const auto* tensor = value.as<Tensor>();
  const Op* to_copy = ops.find("aten._to_copy.default");
  if (!tensor || !eligible(*tensor) || tensor->dtype == dtype || !to_copy) return value;
  std::vector<RuntimeValue> arguments = to_copy->defaults;
  arguments[0] = value;
  arguments[1] = RuntimeValue::Value(dtype);
  return std::move(to_copy->call(context, arguments)[0]);
}

}  // namespace

void apply_autocast(const Autocast& autocast, const Op& op, std::span<RuntimeValue> arguments, const OpTable& ops, const KernelContext& context) {
  const Policy policy = policy_of(op.schema);
  if (policy == Policy::None) return;
  DType dtype = policy == Policy::Lower ? autocast.dtype : DType::Float32;
  if (policy == Policy::Promote) {
    dtype = autocast.dtype;
    for (const RuntimeValue& argument : arguments)
      for_each_tensor(argument, [&](const Tensor& tensor) {
        if (eligible(tensor) && width(tensor.dtype) > width(dtype)) dtype = tensor.dtype;
      });
  }
  for (RuntimeValue& argument : arguments) argument = cast(argument, dtype, ops, context);
}

}  // namespace pt2::interp
