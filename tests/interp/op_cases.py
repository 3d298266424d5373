"""Cases for the operators that are made of others (interp/ops/call.h) and for rare ones; make_op_values.py runs them."""
import torch
import torch.ao.quantization.fx._decomposed  # the operators PT2E leaves

aten, prims = torch.ops.aten, torch.ops.prims
NAN, INF = float("nan"), float("inf")


def randn(*sizes, dtype=torch.float32, seed=0):
    """Values that do not depend on what was drawn before."""
    return torch.randn(*sizes, dtype=dtype, generator=torch.Generator().manual_seed(seed))


def layouts(x):
    """A batch of matrices as it is, column by column in memory, and every second one of a larger batch."""
    yield x
    yield x.mT.contiguous().mT
    yield torch.stack([x, x], 1)[:, 0]


def linear_algebra(w):
    square, tall, wide = randn(2, 4, 4), randn(2, 5, 3), randn(2, 3, 5)
    positive = square @ square.mT + torch.eye(4)
    for dtype in (torch.float32, torch.float64, torch.complex128):
        for base in (square, tall, wide, randn(3, 3), randn(0, 3, 3)):
            for a in layouts(base.to(dtype)):
                w.add(aten.linalg_lu.default, a)
                w.add(aten.geqrf.default, a)
                w.add(aten._linalg_det.default, a)
            w.add(aten.linalg_matrix_rank.default, base.to(dtype), 1.0)
            w.add(aten.linalg_matrix_rank.atol_rtol_float, base.to(dtype))
            w.add(aten.linalg_matrix_rank.atol_rtol_float, base.to(dtype), atol=0.5, rtol=0.1)
            for p in (None, 1, -1, 2, -2, INF, -INF):
                w.add(aten.linalg_cond.default, base.to(dtype), p)
            for p in ("fro", "nuc", "wrong"):
                w.add(aten.linalg_cond.p_str, base.to(dtype), p)
        a, b = square.to(dtype), randn(2, 4, 3).to(dtype)
        lu, pivots = torch.linalg.lu_factor(a)
        for data in (True, False):
            w.add(aten.lu_unpack.default, lu, pivots, data, not data)
        w.add(aten.linalg_lu_solve.default, lu, pivots, b)
        w.add(aten.linalg_lu_solve.default, lu, pivots, b, adjoint=True)
        w.add(aten.linalg_lu_solve.default, lu, pivots, b.mT, left=False)
        w.add(aten.linalg_lu_solve.default, lu, pivots, b.mT, left=False, adjoint=True)
        w.add(aten.linalg_lu_solve.default, lu, pivots, b.mT)
        w.add(aten.lu_solve.default, b, lu, pivots)
        w.add(aten._linalg_solve_ex.default, a, b)
        w.add(aten.linalg_slogdet.default, a)
        w.add(aten.slogdet.default, a)
        for m in (tall.to(dtype), a):
            reflectors, tau = torch.geqrf(m)
            w.add(aten.linalg_householder_product.default, reflectors, tau)
            w.add(aten.orgqr.default, reflectors, tau[..., :2])
            for transpose in (False, True):
                w.add(aten.ormqr.default, reflectors, tau, randn(2, m.shape[-2], 2).to(dtype), True, transpose)
                w.add(aten.ormqr.default, reflectors, tau, randn(2, 2, m.shape[-2]).to(dtype), False, transpose)
        w.add(aten.linalg_householder_product.default, wide.to(dtype), randn(2, 3).to(dtype))
        for driver in (None, "gels", "gelsd", "gelss", "gelsy", "wrong"):
            w.add(aten.linalg_lstsq.default, tall.to(dtype), randn(2, 5, 2).to(dtype), driver=driver)
        w.add(aten.linalg_lstsq.default, tall.to(dtype), randn(2, 5).to(dtype))
        w.add(aten.linalg_lstsq.default, a, b)
        factor = torch.linalg.cholesky(positive.to(dtype))
        w.add(aten.cholesky_inverse.default, factor)
        w.add(aten.cholesky_inverse.default, factor.mT.conj().resolve_conj(), True)
        w.add(aten.svd.default, a, True, False)
        w.add(aten.pinverse.default, a, 1e-6)
        w.add(aten.linalg_pinv.rcond_tensor, a, torch.tensor(1e-3, dtype=torch.float64))
        w.add(aten.matrix_power.default, a, 3)
        w.add(aten.linalg_vecdot.default, a, b.mT[:, :1], dim=-1)
        w.add(aten.linalg_vecdot.default, a[0, 0], a[0, 1])
    for sizes in ((0, 0), (0, 3), (3, 0), (2, 0, 0), (0, 2, 2)):
        a = torch.zeros(sizes)
        for op in (aten._linalg_svd, aten.linalg_svdvals, aten.linalg_qr, aten._linalg_eigh, aten.linalg_eig, aten.linalg_eigvals, aten.linalg_inv_ex, aten.linalg_pinv.atol_rtol_float,
                   aten._linalg_det, aten.linalg_slogdet, aten.linalg_cholesky_ex, aten.linalg_matrix_exp, aten.linalg_lu, aten.geqrf, aten.linalg_matrix_rank.atol_rtol_float):
            w.add(op, a)
        w.add(aten._linalg_svd.default, a, True)
        w.add(aten.linalg_qr.default, a, "complete")
        w.add(aten.linalg_matrix_power.default, a, 2)
        w.add(aten.linalg_lstsq.default, a, torch.zeros(sizes[:-1] + (2,)))
        w.add(aten._linalg_solve_ex.default, a, torch.zeros(sizes[:-1] + (2,)))
        for order in (1, -1, 2, -2, INF, -INF):
            w.add(aten.linalg_matrix_norm.default, a, order)
        for order in ("fro", "nuc"):
            w.add(aten.linalg_matrix_norm.str_ord, a, order)
    for op in (aten._linalg_svd, aten.linalg_eig):
        w.add(op, torch.tensor([[NAN, 1.0], [1.0, 2.0]]))
    w.add(aten._linalg_solve_ex.default, torch.stack([positive[0]] * 3), randn(3, 4))
    w.add(aten.linalg_matrix_rank.tol_tensor, square, torch.tensor([0.1, 3.0]))
    w.add(aten.linalg_matrix_rank.atol_rtol_tensor, positive, atol=torch.tensor(0.5), hermitian=True)
    w.add(aten.linalg_tensorinv.default, randn(6, 4, 8, 3), 2)
    w.add(aten.linalg_tensorinv.default, randn(4, 2, 2), 1)
    w.add(aten.linalg_tensorinv.default, randn(6, 4, 8, 2), 2)
    w.add(aten.linalg_tensorsolve.default, torch.eye(24).reshape(6, 4, 2, 3, 4), randn(6, 4))
    w.add(aten.linalg_tensorsolve.default, (torch.eye(6) * 2).reshape(2, 3, 2, 3).movedim(1, 3), randn(2, 3), [3, 2])
    for x in (randn(4), torch.tensor([1, 2, 3]), randn(2, 3), torch.tensor([True, False]), torch.tensor(2.0)):
        w.add(aten.linalg_vander.default, x)
        w.add(aten.linalg_vander.default, x, N=5)
        w.add(aten.vander.default, x)
        w.add(aten.vander.default, x, 2, True)
    w.add(aten.nuclear_norm.default, square[0])
    w.add(aten.nuclear_norm.dim, square, [1, 2], True)
    w.add(aten.frobenius_norm.dim, square, [1, 2])
    w.add(aten.frobenius_norm.dim, square, [0], True)
    w.add(aten.linalg_diagonal.default, square, offset=1)
    w.add(aten.linalg_matmul.default, square, tall)
    w.add(aten.qr.default, tall, False)


def statistics(w):
    x = randn(3, 6)
    for dtype in (torch.float32, torch.float64, torch.int64, torch.complex64, torch.bool):
        w.add(aten.cov.default, (x * 3).to(dtype))
        w.add(aten.corrcoef.default, (x * 3).to(dtype))
    for t in (x[0], torch.tensor(2.0), randn(2, 3, 4), randn(3, 0), x.t()):
        w.add(aten.cov.default, t)
        w.add(aten.corrcoef.default, t)
    f, a = torch.tensor([1, 2, 0, 1, 3, 1]), torch.tensor([0.5, 1, 2, 0.1, 1, 1])
    for correction in (0, 1, 5):
        w.add(aten.cov.default, x, correction=correction)
        w.add(aten.cov.default, x, correction=correction, fweights=f)
        w.add(aten.cov.default, x, correction=correction, aweights=a)
        w.add(aten.cov.default, x, correction=correction, fweights=f, aweights=a)
    w.add(aten.cov.default, x, fweights=a)
    w.add(aten.cov.default, x, fweights=-f)
    for dtype in (torch.float32, torch.float64, torch.int64):
        values = (randn(40) * 4).to(dtype)
        w.add(aten.histogram.bin_ct, values, 5)
        w.add(aten.histogram.bin_ct, values, 4, range=[-2.0, 3.0], weight=values.abs(), density=True)
        w.add(aten.histogram.bins_tensor, values, torch.tensor([-3.0, -1.0, 0.5, 4.0]).to(dtype))
        w.add(aten.histogram.bins_tensor, values, torch.tensor([-3.0, -1.0, 0.5, 4.0]).to(dtype), density=True)
    w.add(aten.histogram.bin_ct, torch.ones(4), 3)
    w.add(aten.histogram.bin_ct, torch.tensor([1.0, NAN]), 3)
    w.add(aten.histogram.bin_ct, torch.zeros(0), 3)
    w.add(aten.histogram.bin_ct, randn(4), 0)
    points = randn(30, 2)
    w.add(aten._histogramdd_bin_edges.default, points, [3, 4])
    w.add(aten._histogramdd_from_bin_cts.default, points, [3, 4], density=True)
    w.add(aten._histogramdd_from_bin_tensors.default, points, [torch.tensor([-1.0, 0.0, 1.0]), torch.tensor([-2.0, 0.5])], weight=randn(30).abs())
    for t in (randn(5, 6), randn(5, 6, dtype=torch.complex64), torch.arange(30).reshape(5, 6)):
        for order in (1, 2, 3):
            w.add(aten.gradient.scalarint, t, edge_order=order)
            w.add(aten.gradient.scalarint, t, spacing=2.5, dim=-1, edge_order=order)
            w.add(aten.gradient.array, t, dim=[1, 0], edge_order=order)
            w.add(aten.gradient.scalarrayarray, t, spacing=[2.0, 0.5], dim=[0, 1], edge_order=order)
            w.add(aten.gradient.tensorarrayint, t, spacing=[torch.tensor([0.0, 1, 3, 4, 8]), torch.tensor([0.0, 2, 3, 4, 6, 7])], edge_order=order)
    w.add(aten.gradient.scalarint, randn(1, 6))
    for r in (0, 1, 2, 3, 6):
        w.add(aten.combinations.default, torch.tensor([3, 1, 4, 1, 5]), r)
        w.add(aten.combinations.default, torch.tensor([3, 1, 4]), r, True)
    w.add(aten.combinations.default, randn(2, 2))


def losses(w):
    x, labels = randn(3, 5), torch.tensor([1, 4, 0])
    for dtype in (torch.float32, torch.float64):
        y = x.to(dtype)
        for reduction in (0, 1, 2):
            for p in (1, 2, 3):
                w.add(aten.multi_margin_loss.default, y, labels, p, 0.7, None, reduction)
                w.add(aten.multi_margin_loss.default, y, labels, p, 1, torch.tensor([1, 2, 0.5, 1, 1], dtype=dtype), reduction)
            w.add(aten.multi_margin_loss.default, y[0], labels[:1], 1, 1, None, reduction)
            grad = randn(3).to(dtype) if reduction == 0 else torch.tensor(1.5, dtype=dtype)
            w.add(aten.multi_margin_loss_backward.default, grad, y, labels, 2, 1, None, reduction)
            targets = torch.tensor([[1, 2, -1, 0, 0], [3, -1, 0, 0, 0], [0, 1, 2, 3, 4]])
            w.add(aten.multilabel_margin_loss_forward.default, y, targets, reduction)
            w.add(aten.multilabel_margin_loss_forward.default, y[0], targets[0], reduction)
            w.add(aten.multilabel_margin_loss.default, y, targets, reduction)
            w.add(aten.multilabel_margin_loss_backward.default, grad, y, targets, reduction, torch.zeros(3, 5, dtype=dtype))
    w.add(aten.multi_margin_loss.default, x, labels + 1)
    w.add(aten.multi_margin_loss.default, x, labels[:2])
    log_probs = randn(12, 3, 6).log_softmax(-1)
    padded, flat = torch.tensor([[1, 2, 2, 5], [3, 3, 1, 1], [4, 0, 0, 0]]), torch.tensor([1, 2, 2, 3, 3, 4])
    inputs, lengths = [12, 10, 3], [4, 2, 1]
    for dtype in (torch.float32, torch.float64, torch.float16):
        w.add(aten._ctc_loss.default, log_probs.to(dtype), padded.clamp(min=1), [12] * 3, [4] * 3)
    for reduction in (0, 1, 2):
        w.add(aten.ctc_loss.IntList, log_probs, padded, inputs, lengths, 0, reduction)
        w.add(aten.ctc_loss.IntList, log_probs, flat, inputs, [3, 2, 1], 0, reduction, True)
        w.add(aten.ctc_loss.Tensor, log_probs, padded, torch.tensor(inputs), torch.tensor(lengths), 0, reduction)
        w.add(aten.ctc_loss.IntList, log_probs, padded, [2, 10, 3], [4, 2, 1], 0, reduction, True)
        w.add(aten.ctc_loss.IntList, log_probs, padded, [2, 10, 3], [4, 2, 1], 0, reduction, False)
        w.add(aten.ctc_loss.IntList, log_probs[:, 0], padded[0], [12], [4], 0, reduction)
    w.add(aten._ctc_loss.default, log_probs, padded, [13, 10, 3], lengths)
    w.add(aten._ctc_loss.default, log_probs, padded, inputs, [5, 2, 1])
    w.add(aten.ctc_loss.IntList, log_probs, padded, inputs, [0, 2, 1])
    w.add(aten._ctc_loss.default, log_probs, padded, inputs, lengths, 6)


def spectra(w):
    signal, window = randn(2, 100), torch.hann_window(16)
    spectrum = torch.stft(signal, 16, 4, window=window, return_complex=True)
    for length in (None, 100, 50, 104):
        w.add(aten.istft.default, spectrum, 16, 4, None, window, length=length)
    w.add(aten.istft.default, spectrum[0], 16, 4, None, window)
    w.add(aten.istft.default, spectrum, 16, 4, 12, window[:12] + 0.1)
    w.add(aten.istft.default, spectrum, 16, 4, None, window, True, True)
    w.add(aten.istft.default, spectrum, 16, 4, None, window, False)
    w.add(aten.istft.default, spectrum, 16, 4, None, window + 0.5, False)
    w.add(aten.istft.default, spectrum.to(torch.complex128), 16, None, None, None)
    w.add(aten.istft.default, randn(2, 16, 9, dtype=torch.complex64), 16, 4, None, window, onesided=False, return_complex=True)
    w.add(aten.istft.default, spectrum, 18, 4, None, None)
    w.add(aten.istft.default, signal, 16)
    for mode in ("reflect", "constant", "replicate"):
        w.add(aten.stft.center, signal, 16, 4, None, window, True, mode, False, None, True)
    w.add(aten.stft.center, signal[0], 16, 4, 12, window[:12], False, "reflect", True, False, True)
    half = randn(2, 4, 5, dtype=torch.complex64)
    for norm in (None, "ortho", "forward"):
        w.add(aten.fft_hfft2.default, half, norm=norm)
        w.add(aten.fft_ihfft2.default, half.real, norm=norm)
        w.add(aten.fft_hfftn.default, half, None, None, norm)
        w.add(aten.fft_hfftn.default, half, [3, 6], None, norm)
        w.add(aten.fft_ihfftn.default, half.real, [3, 6], [0, 2], norm)


def transform_layouts(w):
    x = randn(2, 4, 5, 6, dtype=torch.complex64)
    for t in (x, x.permute(2, 0, 3, 1), x[:, ::2]):
        for dims in ([0], [1], [2], [3], [0, 2], [2, 1], [1, 3], [0, 1, 2]):
            w.add(aten._fft_c2c.default, t, dims, 1, True)
            w.add(aten._fft_r2c.default, t.real, dims, 0, True)
            w.add(aten._fft_r2c.default, t.real, dims, 0, False)
            w.add(aten._fft_c2r.default, t, dims, 2, 2 * t.shape[dims[-1]] - 2)


def gradients(w):
    x, y = randn(3, 4), randn(3, 4, seed=1)
    for dtype in (torch.float32, torch.float64):
        for reduction in (0, 1, 2):
            g = randn(3, 4, seed=2).to(dtype) if reduction == 0 else torch.tensor(1.5, dtype=dtype)
            a, b = x.to(dtype), y.to(dtype)
            w.add(aten.smooth_l1_loss_backward.default, g, a, b, reduction, 0.7)
            w.add(aten.huber_loss_backward.default, g, a, b, reduction, 0.7)
            w.add(aten.soft_margin_loss_backward.default, g, a, b, reduction)
            w.add(aten.binary_cross_entropy_backward.default, g, a.sigmoid(), b.sigmoid(), None, reduction)
            w.add(aten.binary_cross_entropy_backward.default, g, a.sigmoid(), b.sigmoid(), b.abs(), reduction)
    p, q = randn(2, 4, 3), randn(2, 5, 3, seed=1)
    for norm in (0.0, 1.0, 2.0, 3.0, INF):
        w.add(aten._cdist_backward.default, randn(2, 4, 5, seed=2), p, q, norm, aten._cdist_forward(p, q, norm, None))
        w.add(aten._pdist_backward.default, randn(6, seed=2), p[0], norm, aten._pdist_forward(p[0], norm))
    w.add(aten._euclidean_dist.default, p, q)
    w.add(aten.value_selecting_reduction_backward.default, randn(3), 1, torch.tensor([1, 3, 0]), [3, 4], False)
    w.add(aten.value_selecting_reduction_backward.default, randn(3, 1), 1, torch.tensor([[1], [3], [0]]), [3, 4], True)
    w.add(aten.index_select_backward.default, randn(3, 2), [3, 4], 1, torch.tensor([1, 1]))
    w.add(aten.gather_backward.default, randn(3, 2), x, 1, torch.tensor([[0, 1], [2, 2], [3, 0]]), False)
    w.add(aten.masked_select_backward.default, randn(int((x > 0).sum())), x, x > 0)
    w.add(aten.masked_scatter_backward.default, x, x > 0, [2, 5])
    w.add(aten.trace_backward.default, torch.tensor(2.0), [3, 4])
    w.add(aten.cummaxmin_backward.default, y, x, torch.cummax(x, 1)[1], 1)
    w.add(aten.embedding_backward.default, randn(2, 3), torch.tensor([1, 4]), 5, -1, False, False)
    w.add(aten._unsafe_masked_index_put_accumulate.default, x, torch.tensor([True, False, True]), [torch.tensor([0, 9, 2]), torch.tensor([1, 1, -7])], randn(3))
    w.add(aten.rrelu_with_noise_backward.default, y, x, x.abs(), 0.1, 0.3, True, False)
    w.add(aten.rrelu_with_noise_backward.default, y, x, x.abs(), 0.1, 0.3, False, False)
    w.add(aten.fake_quantize_per_tensor_affine_cachemask_backward.default, y, x > 0)
    w.add(aten._weight_norm_interface_backward.default, y, x, randn(3, 1), x.norm(dim=1, keepdim=True), 0)
    w.add(aten._weight_norm_interface_backward.default, y, x, randn(1, 4), x.norm(dim=0, keepdim=True), 1)
    for align in (False, True):
        w.add(aten.affine_grid_generator_backward.default, randn(2, 3, 5, 2), [2, 3, 3, 5], align)
        w.add(aten.affine_grid_generator_backward.default, randn(2, 4, 3, 5, 3), [2, 3, 4, 3, 5], align)


def pooling(w):
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        image = randn(2, 3, 7, 9).to(dtype)
        w.add(aten.fractional_max_pool2d.default, image, [2, 3], [4, 3], torch.rand(2, 3, 2).to(dtype))
        w.add(aten.fractional_max_pool2d.default, image[0], [2, 2], [3, 1], torch.rand(1, 3, 2).to(dtype))
        w.add(aten.fractional_max_pool3d.default, randn(2, 3, 7, 6, 8).to(dtype), [2, 3, 2], [3, 2, 4], torch.rand(2, 3, 3).to(dtype))
    w.add(aten.fractional_max_pool2d.default, torch.full((1, 1, 4, 4), NAN), [2, 2], [2, 2], torch.rand(1, 1, 2))
    w.add(aten.fractional_max_pool2d.default, image, [6, 6], [4, 4], torch.rand(2, 3, 2))
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        g = randn(1, 2, 6, 5).to(dtype)
        for layout in (g, g.contiguous(memory_format=torch.channels_last)):
            w.add(aten.upsample_nearest2d_backward.default, layout, [6, 5], [1, 2, 4, 3])
            w.add(aten._upsample_nearest_exact2d_backward.default, layout, [6, 5], [1, 2, 4, 3], 1.5, 1.7)
            for align in (False, True):
                w.add(aten.upsample_bilinear2d_backward.default, layout, [6, 5], [1, 2, 4, 3], align)
                w.add(aten.upsample_bicubic2d_backward.default, layout, [6, 5], [1, 2, 4, 3], align)
        w.add(aten.upsample_linear1d_backward.default, g[0], [5], [2, 6, 3], False)
        w.add(aten.upsample_nearest1d_backward.default, g[0], [5], [2, 6, 3])
        w.add(aten.upsample_trilinear3d_backward.default, g[None], [2, 6, 5], [1, 1, 3, 4, 3], False)
    g = randn(1, 2, 3, 4)
    for align in (False, True):
        w.add(aten._upsample_bilinear2d_aa_backward.default, g, [3, 4], [1, 2, 6, 9], align)
        w.add(aten._upsample_bicubic2d_aa_backward.default, g, [3, 4], [1, 2, 6, 9], align)
    w.add(aten.upsample_nearest2d_backward.default, g, [6, 5], [1, 2, 4, 3])


def names(w):
    x, n = randn(3, 4), torch.tensor([[7, 2], [5, 4]])
    for t in (x, x.t(), x[:, ::2], torch.zeros(0, 3), torch.tensor(1.0)):
        w.add(aten.ravel.default, t)
        w.add(aten._shape_as_tensor.default, t)
    for a in ("and", "or", "xor", "lshift", "rshift"):
        w.add(getattr(aten, f"__i{a}__").Tensor, n.clone(), torch.tensor([1, 3]))
        w.add(getattr(aten, f"__i{a}__").Scalar, n.clone(), 2)
    w.add(aten.__iand__.Tensor, torch.tensor([1]), torch.tensor([[1, 3]]))
    w.add(aten.__iand__.Tensor, torch.tensor([True]), torch.tensor([3]))
    for t in (torch.zeros(4, 3), torch.zeros(7, 3), torch.zeros(3, 7), torch.zeros(3, 3, 3), torch.zeros(3, 4, 3), torch.zeros(3)):
        for wrap in (False, True):
            w.add(aten.fill_diagonal_.default, t, 2.5, wrap)
    ends = torch.tensor(-1), torch.tensor(2.5), torch.tensor([1.0])
    for dtype in (None, torch.float64, torch.int64, torch.float16):
        w.add(aten.linspace.Tensor_Tensor, ends[0], ends[1], 7, dtype=dtype)
        w.add(aten.linspace.Tensor_Scalar, ends[0], 3, 7, dtype=dtype)
        w.add(aten.linspace.Scalar_Tensor, 0, ends[1], 7, dtype=dtype)
        w.add(aten.logspace.Tensor_Tensor, ends[0], ends[1], 5, dtype=dtype)
        w.add(aten.logspace.Scalar_Tensor, 0, ends[1], 5, 2.0, dtype=dtype)
        w.add(aten.range.step, 1, 8, 2, dtype=dtype)
        w.add(aten.range.step, 1, 8, 1, dtype=dtype)
    w.add(aten.linspace.Tensor_Tensor, ends[0], ends[2], 7)
    w.add(aten.range.step, 1, 2.5, 0.25)
    w.add(aten.range.step, 5, 1, -2)
    w.add(aten.range.step, 5, 1, 2)
    w.add(aten._add_relu.Tensor, x, x.flip(0), alpha=2)
    w.add(aten._addmm_activation.default, x[0], x[:, :3], x)
    w.add(aten._addmm_activation.default, x[0], x[:, :3], x, use_gelu=True)
    w.add(aten._aminmax.dim, x, 1, True)
    for dtype in ("Byte", "Char", "Double", "Float", "Half", "Int", "Long", "Short"):
        w.add(getattr(aten, f"_cast_{dtype}").default, x * 3)
    w.add(aten.narrow.Tensor, x, 1, torch.tensor(1), 2)
    w.add(aten.tensor_split.tensor_indices_or_sections, x, torch.tensor([1, 3]), 1)
    w.add(aten.tensor_split.tensor_indices_or_sections, x, torch.tensor(2), 1)
    w.add(aten._pad_enum.default, x[None], [1, 1], 1)
    image, weight = randn(2, 3, 6, 6), randn(4, 3, 3, 3)
    w.add(aten._convolution_mode.default, image, weight, None, [1, 1], "same", [2, 2], 1)
    w.add(aten.thnn_conv2d.default, image, weight, [3, 3], None, [2, 2], [1, 1])
    w.add(aten.slow_conv_dilated2d.default, image, weight, [3, 3], None, [1, 1], [2, 2], [2, 2])
    w.add(aten.slow_conv_transpose2d.default, image, randn(3, 4, 3, 3), [3, 3], randn(4), [2, 2], [1, 1], [1, 1])
    w.add(aten.slow_conv3d.default, randn(2, 3, 5, 5, 5), randn(4, 3, 3, 3, 3), [3, 3, 3])
    w.add(aten.conv_tbc.default, randn(6, 2, 3), randn(3, 3, 4), randn(4), 1)
    w.add(aten._batch_norm_with_update_functional.default, image, randn(3), randn(3), torch.zeros(3), torch.ones(3), 0.1, 1e-5)
    w.add(aten._batch_norm_no_update.default, image, randn(3), randn(3), torch.zeros(3), torch.ones(3), 0.1, 1e-5)


def primitives(w):
    x, y = randn(3, 4), randn(3, 4, seed=1)
    for name in "abs cbrt cos erf_inv exp2 floor isfinite lgamma neg reciprocal round rsqrt sign sqrt tanh bessel_i1e ndtri".split():
        w.add(getattr(prims, name).default, x)
    for name in "add sub mul div maximum atan2 fmod remainder pow nextafter eq lt".split():
        w.add(getattr(prims, name).default, x, y)
    w.add(prims.div.default, torch.tensor([7, -7]), torch.tensor([2, 2]))
    w.add(prims.shift_left.default, torch.tensor([7, -7]), torch.tensor([2, 2]))
    w.add(prims.broadcast_in_dim.default, x, [3, 2, 4], [0, 2])
    w.add(prims.collapse_view.default, randn(2, 3, 4), 1, 2)
    w.add(prims.collapse.default, randn(2, 3, 4).mT, 1, 2)
    w.add(prims.split_dim.default, x, 1, 2)
    w.add(prims.squeeze.default, x[None], [0])
    w.add(prims.transpose.default, x, [1, 0])
    w.add(prims.rev.default, x, [1])
    w.add(prims.reshape.default, x, [4, 3])
    w.add(prims.convert_element_type.default, x * 3, torch.int64)
    w.add(prims.where.default, x > 0, x, y)
    w.add(prims.cat.default, [x, y], 1)
    for dims in ([0], [0, 1], [1]):
        w.add(prims.sum.default, x, dims)
        w.add(prims.prod.default, x, dims)
        w.add(prims.amax.default, x, dims)
        w.add(prims.var.default, x, dims, 1)
    w.add(prims.fft_r2c.default, x, dim=[1], onesided=True)
    w.add(prims.fft_c2c.default, x.to(torch.complex64), dim=[0, 1], forward=False)
    w.add(prims.fft_c2r.default, x.to(torch.complex64), dim=[1], last_dim_size=6)


def lists(w):
    a, b = [randn(3), randn(2, 2)], [randn(3, seed=1), randn(2, 2, seed=2)]
    for name in "abs ceil cos erf exp floor frac lgamma log2 neg reciprocal round sigmoid sign sqrt tanh trunc".split():
        w.add(getattr(aten, f"_foreach_{name}").default, a)
    for name in ("add", "sub", "mul", "div", "pow", "maximum", "minimum", "clamp_max", "clamp_min"):
        op = getattr(aten, f"_foreach_{name}")
        w.add(op.List, a, b)
        w.add(op.Scalar, a, 2)
        w.add(op.ScalarList, a, [2.0, -1.5])
    w.add(aten._foreach_add.List, a, b, alpha=0.5)
    w.add(aten._foreach_add.List, a, b[:1])
    w.add(aten._foreach_mul.Tensor, a, torch.tensor(3.0))
    w.add(aten._foreach_pow.ScalarAndTensor, 2.0, a)
    for name in ("addcmul", "addcdiv"):
        w.add(getattr(aten, f"_foreach_{name}").Scalar, a, b, b, 0.5)
        w.add(getattr(aten, f"_foreach_{name}").ScalarList, a, b, b, [0.5, 2.0])
        w.add(getattr(aten, f"_foreach_{name}").Tensor, a, b, b, torch.tensor([0.5, 2.0]))
    w.add(aten._foreach_lerp.Scalar, a, b, 0.25)
    w.add(aten._foreach_lerp.List, a, b, b)
    w.add(aten._foreach_norm.Scalar, a)
    w.add(aten._foreach_norm.Scalar, a, 1, torch.float64)
    w.add(aten._foreach_max.default, a)
    w.add(aten._foreach_add_.List, [t.clone() for t in a], b, alpha=2)
    w.add(aten._foreach_addcmul_.Scalar, [t.clone() for t in a], b, b, 0.5)
    w.add(aten._foreach_zero_.default, [t.clone() for t in a])


def sequences(w):
    x = randn(5, 3, 4)
    for side in ("right", "left", "middle"):
        for first in (False, True):
            w.add(aten.pad_sequence.default, [x[:5, 0], x[:2, 1], x[:3, 2]], first, -1.5, side)
    w.add(aten.pad_sequence.default, [x[:, 0], x[0]])
    lengths = torch.tensor([5, 3, 2])
    w.add(aten._pack_padded_sequence.default, x, lengths, False)
    w.add(aten._pack_padded_sequence.default, x.transpose(0, 1), lengths, True)
    w.add(aten._pack_padded_sequence.default, x, lengths.flip(0), False)
    w.add(aten._pack_padded_sequence.default, x, torch.tensor([5, 3, 0]), False)
    data, sizes = aten._pack_padded_sequence(x, lengths, False)
    for first in (False, True):
        for total in (0, 7, 3):
            w.add(aten._pad_packed_sequence.default, data, sizes, first, -2.0, total)
    for bidirectional in (False, True):
        for name, gates in (("gru", 3), ("rnn_tanh", 1), ("rnn_relu", 1), ("lstm", 4)):
            params = []
            for layer in range(2):
                for direction in range(2 if bidirectional else 1):
                    inputs = 4 if layer == 0 else 6 if bidirectional else 3
                    params += [randn(gates * 3, inputs, seed=layer), randn(gates * 3, 3, seed=direction), randn(gates * 3, seed=3), randn(gates * 3, seed=4)]
            states = randn(len(params) // 4, 3, 3)
            w.add(getattr(aten, name).data, data, sizes, [states, states * 0.5] if name == "lstm" else states, params, True, 2, 0.0, False, bidirectional)
    for reduce in ("sum", "mean", "max", "min", "prod", "other"):
        w.add(aten.segment_reduce.default, x, reduce, lengths=torch.tensor([1, 0, 4]))
        w.add(aten.segment_reduce.default, x, reduce, lengths=torch.tensor([1, 0, 4]), initial=2.5)
        w.add(aten.segment_reduce.default, x, reduce, offsets=torch.tensor([0, 2, 5]))
        w.add(aten.segment_reduce.default, x.double(), reduce, lengths=torch.tensor([[1, 2], [0, 3], [2, 1], [3, 0], [1, 2]]), axis=1)
    w.add(aten.segment_reduce.default, x, "sum", lengths=torch.tensor([1, 1]))
    w.add(aten.segment_reduce.default, x, "sum", lengths=torch.tensor([1, 1]), unsafe=True)
    table = randn(6, 3) * 2
    for norm in (1.0, 2.0, INF):
        w.add(aten.embedding_renorm_.default, table, torch.tensor([[1, 3], [1, 5]]), 1.5, norm)
    w.add(aten._trilinear.default, randn(3, 4), randn(6, 4, 5), randn(3, 5), [1, 3], [0], [1, 2], [2, 3])
    for mode in (0, 1, 2):
        for last in (False, True):
            for op in (aten._embedding_bag.default, aten._embedding_bag_forward_only.default):
                w.add(op, table, torch.tensor([1, 3, 5, 0, 0, 2]), torch.tensor([0, 2, 6] if last else [0, 2, 2]), False, mode, False, None, last, 3)
    w.add(aten.trapz.dx, x, dx=0.5, dim=1)
    w.add(aten.trapz.x, x, randn(4), dim=2)
    w.add(aten.flatten_dense_tensors.default, [randn(2, 3).t(), randn(4)])
    w.add(aten.unflatten_dense_tensors.default, randn(10), [randn(2, 3), randn(4)])


def attention(w):
    q, k, v = randn(2, 4, 5, 8), randn(2, 4, 6, 8, seed=1), randn(2, 4, 6, 8, seed=2)
    mask = torch.ones(5, 6, dtype=torch.bool).tril()
    hidden = torch.zeros(5, 6, dtype=torch.bool)
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        args = [t.to(dtype) for t in (q, k, v)]
        w.add(aten._scaled_dot_product_attention_math.default, *args)
        w.add(aten._scaled_dot_product_attention_math.default, *args, mask)
        w.add(aten._scaled_dot_product_attention_math.default, *args, hidden)
        w.add(aten._scaled_dot_product_attention_math.default, *args, None, 0.0, True, scale=-0.3)
        w.add(aten._scaled_dot_product_attention_math.default, *args, None, 0.25, False, randn(2, 4, 5, 6) > 0)
        w.add(aten._scaled_dot_product_attention_math.default, args[0], args[1][:, :2], args[2][:, :2], enable_gqa=True)
    for causal, bias in ((False, None), (True, None), (False, randn(5, 6))):
        out, lse = aten._scaled_dot_product_flash_attention_for_cpu(q, k, v, 0.0, causal, attn_mask=bias)
        w.add(aten._scaled_dot_product_flash_attention_for_cpu_backward.default, randn(2, 4, 5, 8, seed=3), q, k, v, out, lse, 0.0, causal, attn_mask=bias)
    x, weights = randn(2, 5, 8), [randn(24, 8), randn(24), randn(8, 8), randn(8)]
    w.add(aten._transform_bias_rescale_qkv.default, randn(2, 5, 24), randn(24), 2)
    padding = torch.tensor([[0, 0, 0, 1, 1], [0, 0, 0, 0, 0]], dtype=torch.bool)
    for args in ((None, True, True), (None, False), (None, True, False), (torch.ones(5, 5).triu(1).bool(), True, True, 0), (padding, True, True, 1)):
        w.add(aten._native_multi_head_attention.default, x, x, x, 8, 2, *weights, *args)
    layer = [randn(8).abs(), randn(8), randn(8).abs(), randn(8), randn(16, 8), randn(16), randn(8, 16), randn(8)]
    for gelu in (False, True):
        for first in (False, True):
            double = [t.double() for t in (x, *weights, *layer)]
            w.add(aten._transformer_encoder_layer_fwd.default, double[0], 8, 2, *double[1:5], gelu, first, 1e-5, *double[5:])
    w.add(aten._masked_softmax.default, randn(2, 2, 5, 5), padding, 3, 1)
    w.add(aten._masked_softmax.default, randn(2, 2, 5, 5), torch.ones(5, 5).triu(1).bool(), 3, 0)


def library_stand_ins():
    """torchao's and transformers' operators, defined as those libraries define them, where they are not installed."""
    library = torch.library.Library("torchao", "FRAGMENT")
    limits = {torch.uint8: (0, 255), torch.int8: (-128, 127), torch.int32: (-(2**31), 2**31 - 1)}

    def blocks(t, size):
        size = list(t.shape) if list(size) == [-1] else [n if b == -1 else b for n, b in zip(t.shape, size)]
        split, ones, inner = [], [], []
        for n, b in zip(t.shape, size):
            inner.append(len(split) + 1)
            split += [n // b, b]
            ones += [n // b, 1]
        return t.reshape(split), ones, inner, size

    def quantize(input, block_size, scale, zero_point, output_dtype, quant_min=None, quant_max=None):
        low, high = quant_min if quant_min is not None else limits[output_dtype][0], quant_max if quant_max is not None else limits[output_dtype][1]
        x, ones, _, _ = blocks(input, block_size)
        q = torch.round(x * (1.0 / scale.reshape(ones)))
        if zero_point is not None:
            q = q + zero_point.reshape(ones)
        return q.clamp(low, high).to(output_dtype).reshape(input.shape)

    def dequantize(input, block_size, scale, zero_point, input_dtype, quant_min=None, quant_max=None, output_dtype=torch.float32):
        q, ones, _, _ = blocks(input, block_size)
        x = q.to(torch.int32)
        if zero_point is not None:
            x = x - zero_point.reshape(ones).to(torch.int32)
        return (x.to(output_dtype) * scale.reshape(ones)).reshape(input.shape).to(output_dtype)

    def choose(input, mapping_type, block_size, target_dtype, quant_min=None, quant_max=None, eps=None, scale_dtype=None, zero_point_dtype=None):
        low, high = quant_min if quant_min is not None else limits[target_dtype][0], quant_max if quant_max is not None else limits[target_dtype][1]
        x, _, inner, size = blocks(input, block_size)
        smallest, largest = x.amin(inner).clamp(max=0), x.amax(inner).clamp(min=0)
        eps = torch.finfo(input.dtype).eps if eps is None else eps
        if mapping_type == "ASYMMETRIC":
            scale = ((largest - smallest) / (high - low)).clamp(min=eps)
            zero = (low - torch.round(smallest / scale)).clamp(low, high)
        else:
            scale = (torch.maximum(-smallest, largest) / ((high - low) / 2)).clamp(min=eps)
            zero = torch.full_like(scale, int((high + low + 1) / 2))
        shape = [n // b for n, b in zip(input.shape, size) if b == 1 or b != n]
        return scale.reshape(shape).to(scale_dtype or input.dtype), zero.reshape(shape).to(zero_point_dtype or torch.int32)

    limits_schema = "Scalar? quant_min=None, Scalar? quant_max=None"
    for name, function, schema in (
        ("quantize_affine", quantize, f"(Tensor input, SymInt[] block_size, Tensor scale, Tensor? zero_point, ScalarType output_dtype, {limits_schema}) -> Tensor"),
        ("dequantize_affine", dequantize, f"(Tensor input, SymInt[] block_size, Tensor scale, Tensor? zero_point, ScalarType input_dtype, {limits_schema}, "
         "ScalarType output_dtype=6) -> Tensor"),
        ("choose_qparams_affine", choose, f"(Tensor input, str mapping_type, SymInt[] block_size, ScalarType target_dtype, {limits_schema}, float? eps=None, "
         "ScalarType? scale_dtype=None, ScalarType? zero_point_dtype=None) -> (Tensor, Tensor)")):
        library.define(name + schema)
        library.impl(name, function, "CompositeExplicitAutograd")

    def grouped(input, weight, offs):
        output, start = torch.zeros(input.shape[0], weight.shape[2], dtype=input.dtype), 0
        for group, end in enumerate(offs.tolist()):
            output[start:end] = input[start:end] @ weight[group]
            start = end
        return output

    other = torch.library.Library("transformers", "FRAGMENT")
    other.define("grouped_mm_fallback(Tensor input, Tensor weight, Tensor offs) -> Tensor")
    other.impl("grouped_mm_fallback", grouped, "CompositeExplicitAutograd")
    return library, other


def libraries(w):
    kept = library_stand_ins()
    torchao, x = torch.ops.torchao, randn(4, 8)
    for block in ([4, 8], [1, 8], [1, 4], [2, 2], [1, 1]):
        for dtype in (torch.int8, torch.uint8):
            for kind in ("SYMMETRIC", "ASYMMETRIC"):
                for values in (x, x.to(torch.bfloat16)):
                    w.add(torchao.choose_qparams_affine.default, values, kind, block, dtype)
                w.add(torchao.choose_qparams_affine.default, x, kind, block, dtype, 0, 15, 1e-3, torch.float16, torch.int8)
                scale, zero = torchao.choose_qparams_affine(x, kind, block, dtype)
                w.add(torchao.quantize_affine.default, x, block, scale, zero, dtype)
                q = torchao.quantize_affine(x, block, scale, zero, dtype)
                w.add(torchao.dequantize_affine.default, q, block, scale, zero, dtype)
        w.add(torchao.quantize_affine.default, x, block, scale, None, torch.int8, -8, 7)
        w.add(torchao.dequantize_affine.default, q.to(torch.int8), block, scale, None, torch.int8, output_dtype=torch.bfloat16)
    w.add(torchao.quantize_affine.default, x, [3, 8], torch.tensor(0.1), None, torch.int8)
    offs = torch.tensor([2, 2, 5], dtype=torch.int32)
    for dtype in (torch.float32, torch.bfloat16):
        w.add(torch.ops.transformers.grouped_mm_fallback.default, randn(6, 4).to(dtype), randn(3, 4, 5).to(dtype), offs)
    del kept


def rare(w):
    x, y = randn(3, 4), randn(3, 4, seed=1)
    for dtype in (torch.float32, torch.float64, torch.float16):
        w.add(aten.frexp.Tensor, torch.tensor([0.0, 1.0, -3.5, 1e-3, 1000.0]).to(dtype))
    w.add(aten.frexp.Tensor, torch.tensor([1]))
    for name in ("special_xlogy", "special_xlog1py"):
        w.add(getattr(aten, name).other_scalar, x.abs(), 2.5)
        w.add(getattr(aten, name).self_scalar, 2.5, x.abs())
    w.add(aten._chunk_cat.default, [randn(5, 2), randn(3, 4)], 0, 2)
    w.add(aten._chunk_cat.default, [randn(1, 2, 3), randn(1, 2, 3)], -1, 5)
    w.add(aten.dsplit.array, randn(2, 3, 4), [1, 3])
    w.add(aten.hamming_window.periodic_alpha, 7, True, 0.6)
    w.add(aten.hamming_window.periodic_alpha_beta, 7, False, 0.6, 0.4, dtype=torch.float64)
    w.add(aten.glu_jvp.default, torch.nn.functional.glu(x, 1), x, y, 1)
    w.add(aten._reshape_alias_copy.default, x, [4, 3], [3, 1])
    w.add(aten.is_signed.default, x)
    indices, offsets = torch.tensor([1, 3, 5, 0, 0, 2]), torch.tensor([0, 2, 2])
    for mode in (0, 1, 2):
        _, offset2bag, size, largest = aten._embedding_bag(randn(6, 3), indices, offsets, False, mode, False, None, False, 5)
        w.add(aten._embedding_bag_dense_backward.default, randn(3, 3), indices, offset2bag, size, largest, 6, False, mode, None, 5)
    _, where = aten.fractional_max_pool2d(randn(1, 2, 6, 6), [2, 2], [3, 3], torch.rand(1, 2, 2))
    w.add(aten.fractional_max_pool2d_backward.default, randn(1, 2, 3, 3), randn(1, 2, 6, 6), [2, 2], [3, 3], where)
    eighth = randn(16, 16).to(torch.float8_e4m3fn)
    for scales in ((torch.tensor(0.5), torch.tensor(2.0)), (randn(16, 1).abs(), randn(1, 16).abs())):
        w.add(aten._scaled_mm.default, eighth, eighth.t(), *scales, out_dtype=torch.bfloat16)
    experts, offs = randn(2, 8, 16, dtype=torch.bfloat16), torch.tensor([3, 8], dtype=torch.int32)
    w.add(aten._grouped_mm.default, randn(8, 8, dtype=torch.bfloat16), experts, offs)
    w.add(aten._grouped_mm.default, experts.mT.contiguous(), randn(8, 8, dtype=torch.bfloat16), offs)
    w.add(aten._grouped_mm.default, randn(8, 8, dtype=torch.bfloat16), randn(8, 16, dtype=torch.bfloat16), offs)


PARTS = (linear_algebra, statistics, losses, spectra, transform_layouts, gradients, pooling, names, primitives, lists, sequences, attention, libraries, rare)
