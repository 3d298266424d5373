"""Cases at the edges of what operators take: types and layouts that are rare, nothing, poles, memory that is resized."""
import torch
from op_cases import INF, NAN, aten, randn


def mended(w):
    """What once differed from PyTorch, found by random arguments."""
    q, k = randn(2, 3, 4, 8), randn(2, 3, 5, 8)
    for dtype in (torch.float32, torch.float16):
        for query in (q, q.permute(0, 2, 1, 3).contiguous().permute(0, 2, 1, 3), q.mT.contiguous().mT):
            w.add(aten.scaled_dot_product_attention.default, query.to(dtype), k.to(dtype), k.to(dtype))
            w.add(aten.scaled_dot_product_attention.default, query.to(dtype), k.to(dtype), k[..., :3].to(dtype))
    w.add(aten.renorm.default, torch.tensor(1.0), 2, 0, 1.0)
    w.add(aten.renorm.default, torch.ones(2, 2, dtype=torch.bool), 2, 0, 1.0)
    for dims in ([], [0, 0], [0, -2]):
        for op in (aten.fft_fftn, aten.fft_rfftn, aten.fft_irfftn):
            w.add(op.default, randn(3, 4), None, dims)
    w.add(aten.fft_fft.default, randn(4).half())
    w.add(aten.fft_rfft.default, randn(4, 6).t(), 4, 0)
    w.add(aten.conv_transpose2d.input, q, randn(3, 2, 3, 3), None, [1, 2], [0, 0], [1, 1])
    w.add(aten.convolution.default, q[0], randn(2, 3, 3, 3), None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)
    w.add(aten.conv2d.default, randn(6, 5, 4).permute(2, 0, 1), randn(2, 4, 2, 2))
    w.add(aten.max_pool2d.default, q, [1, 2], [], [1, 0], [2, 1])
    for op in (aten.adaptive_avg_pool2d, aten.adaptive_max_pool2d):
        w.add(op.default, torch.ones(1, 2, 4, 4, dtype=torch.int64), [2, 2])
    w.add(aten.max_pool1d.default, torch.ones(2, 3, 4, dtype=torch.int64), [2])
    w.add(aten.meshgrid.indexing, [torch.ones(2), torch.ones(2, dtype=torch.int64)], indexing="ij")
    rows, index = randn(4, 5).t(), torch.tensor([[0, 1, 2]])
    w.add(aten.scatter.src, rows, 0, index, rows)
    w.add(aten.scatter_add.default, rows, 0, index, rows)
    w.add(aten.scatter_reduce.two, rows, 0, index, rows, "amax")
    w.add(aten.index_copy.default, rows, 0, torch.tensor([1]), rows[:1])
    w.add(aten.index_add.default, rows, 0, torch.tensor([1]), rows[:1])
    for dtype in (torch.bfloat16, torch.float16):
        stats = [t.to(dtype) for t in (randn(3), randn(3), randn(3).abs(), randn(3).abs())]
        for training in (False, True):
            w.add(aten.native_batch_norm.default, q.to(dtype), *stats, training, 0.1, 1e-5)
        a, b = randn(6).to(dtype), randn(6, seed=1)
        for reduction in (0, 1, 2):
            w.add(aten.hinge_embedding_loss.default, a, b.sign(), 1.0, reduction)
            w.add(aten.margin_ranking_loss.default, a, b.to(dtype), b.sign(), 0.5, reduction)
            w.add(aten.soft_margin_loss.default, a, b.sign().to(dtype), reduction)
            w.add(aten.poisson_nll_loss.default, a, b.abs().to(dtype), True, True, 1e-8, reduction)
    w.add(aten.take_along_dim.default, randn(3, 4), torch.tensor([[-1], [0], [3]]), 1)
    w.add(aten.take_along_dim.default, randn(3, 4), torch.tensor([-1, 5]))
    w.add(aten.take_along_dim.default, randn(3, 4), torch.tensor([[-5]]), 1)
    w.add(torch.ops.quantized_decomposed.convert_element_type.no_fuse, randn(3), torch.float16)
    numbers = torch.tensor([[1, 2], [1, 2], [0, 1]])
    for flags in ((False, False), (True, False), (True, True)):
        w.add(aten.unique_dim.default, numbers, 0, True, *flags)
        w.add(aten.unique_dim.default, numbers[0], -1, True, *flags)
        w.add(aten.unique_consecutive.default, numbers, *flags, 0)
        w.add(aten.unique_consecutive.default, numbers, *flags)
    w.add(aten.kl_div.default, randn(3), torch.tensor([True, False, True]))
    w.add(aten.instance_norm.default, q, None, None, randn(3), None, True, 0.1, 1e-5, False)
    w.add(aten._upsample_bilinear2d_aa.vec, q.to(torch.bfloat16), [2, 3], False, None)


# What is not finite, what is too large for an integer, and scales of zero.
def edges(w):
    odd = torch.tensor([[NAN, INF, -INF, 1e30, -1e30, 1.0], [-1.0, 0.0, 2e9, 5e8, 3.9, 1e18]])
    zero = torch.tensor(0, dtype=torch.int32)
    for x in (odd, odd.double(), odd.half(), odd.bfloat16()):
        w.add(aten.gelu.default, x)
        w.add(aten.gelu.default, x, approximate="tanh")
        w.add(aten.fake_quantize_per_tensor_affine_cachemask.default, x, 0.1, 5, -128, 127)
        w.add(aten.fake_quantize_per_tensor_affine_cachemask.default, x, 0.0, 0, -128, 127)
    w.add(aten.gelu.default, odd.t())
    w.add(aten.gelu.default, odd[0, 1])
    for scale in (0.1, 0.0):
        w.add(aten.fake_quantize_per_tensor_affine.tensor_qparams, odd, torch.tensor(scale), zero, -128, 127)
        w.add(torch.ops.quantized_decomposed.quantize_per_tensor.default, odd[1], scale, 0, -128, 127, torch.int8)
    for zero_point in (torch.tensor([3, 5], dtype=torch.int32), torch.tensor([3.0, 5.0])):
        for scales in ([0.2, 0.1], [0.2, 0.0]):
            w.add(aten.fake_quantize_per_channel_affine_cachemask.default, odd, torch.tensor(scales), zero_point, 0, 0, 255)


# Sizes of 0, where PyTorch takes them.
def empties(w):
    def add(*case):
        w.add(*case)
        if isinstance(w.cases[-1][3], dict):  # what PyTorch refuses
            w.cases.pop()

    for rank, conv, transposed in ((1, aten.conv1d.default, aten.conv_transpose1d.default), (2, aten.conv2d.default, aten.conv_transpose2d.input),
                                   (3, aten.conv3d.default, aten.conv_transpose3d.input)):
        for kernel in (1, 3):
            for lead in ((0, 4), (2, 4)):
                for last in (5, 0):
                    x = torch.zeros(*lead, *[5] * (rank - 1), last)
                    add(conv, x, torch.zeros(3, lead[1], *[kernel] * rank), torch.ones(3), [1], [1])
                    add(conv, x, torch.zeros(0, lead[1], *[kernel] * rank))
                    add(transposed, x, torch.zeros(lead[1], 3, *[kernel] * rank), torch.ones(3))
        x, depthwise = torch.zeros(0, 4, *[5] * rank), torch.zeros(4, 1, *[3] * rank)
        add(conv, x, depthwise, None, [1], [0], [1], 4)
        add(conv, x.double(), torch.zeros(6, 2, *[3] * rank).double(), None, [2], [0], [1], 2)
        add(transposed, x, depthwise, None, [1], [0], [0], 4)
    for n, c in ((0, 4), (2, 4)):
        x = torch.zeros(n, c, 5, 5)
        for transposed in (False, True):
            add(aten.convolution_backward.default, torch.zeros(n, 4, 5, 5), x, torch.zeros(4, 4, 3, 3), [4], [1, 1], [1, 1], [1, 1], transposed, [0, 0], 1, [True] * 3)
    images = [torch.zeros(0, 3, 6, 6), torch.zeros(2, 0, 6, 6), torch.zeros(2, 3, 0, 6), torch.zeros(2, 3, 6, 0), torch.zeros(0, 6, 6)]
    for x in images + [x.contiguous(memory_format=torch.channels_last) for x in images[:3]]:
        add(aten.max_pool2d_with_indices.default, x, [2, 2])
        add(aten.max_pool2d.default, x, [2, 2], [1, 1], [1, 1])
        add(aten.avg_pool2d.default, x, [2, 2])
        add(aten._adaptive_avg_pool2d.default, x, [2, 3])
        add(aten.adaptive_avg_pool2d.default, x, [0, 3])
        add(aten.adaptive_max_pool2d.default, x, [2, 3])
        add(aten.reflection_pad2d.default, x, [1, 1, 1, 1])
        add(aten.replication_pad2d.default, x, [1, 1, 1, 1])
        add(aten.im2col.default, x, [2, 2], [1, 1], [0, 0], [1, 1])
        for op in (aten.upsample_nearest2d, aten._upsample_nearest_exact2d):
            add(op.default, x, [3, 4])
        for op in (aten.upsample_bilinear2d, aten.upsample_bicubic2d, aten._upsample_bilinear2d_aa, aten._upsample_bicubic2d_aa):
            add(op.default, x, [3, 4], False)
            add(op.default, x, [0, 4], False)
        for mode in (0, 1, 2):
            add(aten.grid_sampler.default, x, torch.zeros(x.shape[0], 2, 2, 2), mode, 0, False)
            add(aten.grid_sampler.default, x, torch.zeros(x.shape[0], 0, 2, 2), mode, 0, False)
        c = x.shape[1] if x.dim() > 1 else 0
        for training in (True, False):
            add(aten.native_batch_norm.default, x, torch.ones(c), torch.zeros(c), torch.zeros(c), torch.ones(c), training, 0.1, 1e-5)
        add(aten.group_norm.default, x, 1)
        add(aten.instance_norm.default, x, None, None, None, None, True, 0.1, 1e-5, False)
        add(aten.layer_norm.default, x, list(x.shape[-1:]))
        add(aten.layer_norm.default, x, list(x.shape[-2:]))
        add(aten._softmax.default, x, -1, False)
        add(aten._log_softmax.default, x, 0, False)
        add(aten.glu.default, x, -1)
        add(aten.cumsum.default, x, 1)
        add(aten.roll.default, x, [1], [0])
        add(aten.roll.default, x, [1])
        add(aten.pixel_shuffle.default, x, 1)
        add(aten.channel_shuffle.default, x, 1)
        add(aten.sort.default, x, -1)
        add(aten.topk.default, x, 0, -1)
        add(aten.kthvalue.default, x, 1, -1)
        add(aten.median.default, x)
        add(aten.mode.default, x, -1)
        add(aten.cdist.default, x, x)
        add(aten.bucketize.Tensor, x, torch.zeros(0))
        add(aten.unfold.default, x, -1, 2, 1)
        add(aten.linear.default, x, torch.zeros(4, x.shape[-1]), torch.ones(4))
        add(aten.bilinear.default, x, x, torch.zeros(2, x.shape[-1], x.shape[-1]), None)
        add(aten.matmul.default, x, x.mT)
        add(aten.renorm.default, x, 2, 0, 1.0)
        add(aten.repeat.default, x, [1] * x.dim())
        add(aten.chunk.default, x, 2)
        add(aten.tensor_split.sections, x, 3)
        add(aten.fft_fft.default, x)
        add(aten.fft_irfft.default, x)
        add(aten.prelu.default, x, torch.ones(1))
        add(aten.take.default, x, torch.zeros(0, dtype=torch.int64))
        add(aten.repeat_interleave.self_int, x, 2, 0)
        add(aten.logcumsumexp.default, x, -1)
        add(aten.rot90.default, x)
        add(aten.scaled_dot_product_attention.default, x, x, x)
        add(aten.scaled_dot_product_attention.default, x, x, x, None, 0.0, True)
        add(aten.nll_loss2d_forward.default, x, torch.zeros(x.shape[0], *x.shape[2:], dtype=torch.int64), None, 1, -100)
        add(aten.cross_entropy_loss.default, x, torch.zeros(x.shape[0], *x.shape[2:], dtype=torch.int64))
        add(aten.mse_loss.default, x, x)
        add(aten.cosine_similarity.default, x, x)
        add(aten.var_mean.correction, x, [-1])
    for x in (torch.zeros(0, 3, 4, 4, 4), torch.zeros(2, 3, 0, 4, 4)):
        add(aten.max_pool3d_with_indices.default, x, [2, 2, 2])
        add(aten.avg_pool3d.default, x, [2, 2, 2])
        add(aten.upsample_trilinear3d.default, x, [2, 3, 4], False)
        add(aten.grid_sampler_3d.default, x, torch.zeros(x.shape[0], 2, 2, 2, 3), 0, 0, False)
        add(aten.adaptive_avg_pool3d.default, x, [2, 2, 2])
    for sizes in ((0, 3, 4), (2, 0, 4), (2, 3, 0)):
        add(aten.bmm.default, torch.zeros(sizes), torch.zeros(sizes).mT)
        add(aten.baddbmm.default, torch.ones(sizes[0], sizes[1], sizes[1]), torch.zeros(sizes), torch.zeros(sizes).mT)
        add(aten.addbmm.default, torch.ones(sizes[1], sizes[1]), torch.zeros(sizes), torch.zeros(sizes).mT)
        add(aten.addmm.default, torch.ones(3), torch.zeros(sizes[1:]), torch.zeros(sizes[2], 3))
        add(aten.max_pool1d.default, torch.zeros(sizes), [2])
        add(aten.avg_pool1d.default, torch.zeros(sizes), [2])
        add(aten.upsample_linear1d.default, torch.zeros(sizes), [3], False)
        add(aten.col2im.default, torch.zeros(sizes), [3, 3], [2, 2], [1, 1], [0, 0], [1, 1])
        add(aten.embedding.default, torch.zeros(3, sizes[2]), torch.zeros(sizes[:2], dtype=torch.int64))
        add(aten.pdist.default, torch.zeros(sizes[1:]))
        add(aten.affine_grid_generator.default, torch.zeros(sizes[0], 2, 3), [sizes[0], 1, sizes[1], 3], False)
        x, hidden = torch.zeros(sizes), torch.zeros(1, sizes[1], 5)
        gates = lambda n: [torch.ones(n * 5, sizes[2]), torch.ones(n * 5, 5), torch.ones(n * 5), torch.ones(n * 5)]
        add(aten.lstm.input, x, [hidden, hidden], gates(4), True, 1, 0.0, False, False, False)
        add(aten.gru.input, x, hidden, gates(3), True, 1, 0.0, False, False, False)
        add(aten.rnn_tanh.input, x, hidden, gates(1), True, 1, 0.0, False, False, False)
    add(aten.lstm_cell.default, torch.zeros(0, 4), [torch.zeros(0, 5)] * 2, torch.ones(20, 4), torch.ones(20, 5))


def convolutions_of_other_types(w):
    for dtype in (torch.int64, torch.int32, torch.uint8, torch.bool, torch.complex64, torch.complex128):
        def values(*sizes, seed=0):
            real = (randn(*sizes, seed=seed) * 4).round().to(dtype)
            return real + 1j * (randn(*sizes, seed=seed + 9) * 4).round().to(dtype) if dtype.is_complex else real
        for rank, conv, transposed in ((1, aten.conv1d.default, aten.conv_transpose1d.default), (2, aten.conv2d.default, aten.conv_transpose2d.input),
                                       (3, aten.conv3d.default, aten.conv_transpose3d.input)):
            x = values(2, 4, *[3, 4, 5][-rank:])
            w.add(conv, x, values(6, 4, *[3] * rank, seed=1), values(6, seed=2), [2], [1])
            w.add(conv, x, values(6, 2, *[2] * rank, seed=1), None, [1], [0], [2], 2)
            w.add(conv, x, values(4, 1, *[2] * rank, seed=1), values(4, seed=2), [1], [1], [1], 4)
            w.add(conv, x[0], values(3, 4, *[1] * rank, seed=1))
            w.add(transposed, x, values(4, 3, *[3] * rank, seed=1), values(3, seed=2), [2], [1], [1])
            w.add(transposed, x, values(4, 3, *[2] * rank, seed=1), None, [1], [0], [0], 2, [2])
            w.add(conv, x[:0], values(6, 4, *[3] * rank, seed=1))
            w.add(transposed, x[:0], values(4, 3, *[3] * rank, seed=1))
        last = values(2, 4, 5, 5).contiguous(memory_format=torch.channels_last)
        w.add(aten.conv2d.default, last, values(3, 4, 3, 3, seed=1))
        if not dtype.is_complex:
            w.add(aten.convolution.default, last, values(3, 4, 3, 3, seed=1), values(3), [1, 1], [1, 1], [1, 1], False, [0, 0], 1)
        w.add(aten.convolution_backward.default, values(2, 3, 5, 5), last, values(3, 4, 3, 3, seed=1), [3], [1, 1], [1, 1], [1, 1], False, [0, 0], 1, [True] * 3)
        w.add(aten.conv2d.padding, values(2, 4, 5, 5), values(3, 4, 2, 2, seed=1), None, [1], "same")
    for dtype in (torch.int64, torch.int8):
        most = torch.full((1, 1, 3, 3), torch.iinfo(dtype).max, dtype=dtype)
        w.add(aten.conv2d.default, most, most[:, :, :2, :2])
        w.add(aten.conv2d.default, most, most[:, :, :2, :2].double())


def bytes_resized(w):
    x = (randn(2, 3, 6, 7) * 90 + 128).clamp(0, 255).to(torch.uint8)
    rgba = (randn(1, 4, 9, 11) * 90 + 128).clamp(0, 255).to(torch.uint8)
    edges = torch.tensor([0, 255] * 32, dtype=torch.uint8).reshape(1, 1, 8, 8)
    for t in (x, rgba, x[:, :1], edges, x[:0], x[:, :, ::2], randn(2, 5, 4, 4).abs().mul(60).to(torch.uint8)):
        for layout in (t, t.contiguous(memory_format=torch.channels_last)):
            for op in (aten.upsample_bilinear2d, aten.upsample_bicubic2d, aten._upsample_bilinear2d_aa, aten._upsample_bicubic2d_aa):
                for sizes in ([3, 9], [8, 4], [6, 7], [6, 3]):
                    for align in (False, True):
                        w.add(op.default, layout, sizes, align)
                w.add(op.default, layout, [9, 10], False, 1.5, 1.5)
                w.add(op.vec, layout, None, False, [0.6, 1.7])
    w.add(aten.upsample_linear1d.default, x[0], [5], False)
    w.add(aten.upsample_linear1d.default, x[0], [9], True)
    w.add(aten.upsample_trilinear3d.default, x[None], [2, 3, 4], False)
    w.add(aten.upsample_trilinear3d.default, x[None], [4, 9, 9], True)
    for dtype in (torch.int8, torch.int64):
        w.add(aten.upsample_bilinear2d.default, x.to(dtype), [3, 9], False)


def bags(w):
    weight, per_sample = randn(7, 3), randn(8, seed=3)
    for index in (torch.int64, torch.int32):
        for offset in (torch.int64, torch.int32):
            indices = torch.tensor([1, 3, 5, 0, 0, 2, 6, 1], dtype=index)
            for offsets in ([0, 2, 2, 5], [0, 3, 8], [0], [0, 4, 8, 8]):
                offsets = torch.tensor(offsets, dtype=offset)
                for last in (False, True)[: len(offsets)]:
                    for mode in (0, 1, 2):
                        for padding in (None, 1, -1):
                            w.add(aten.embedding_bag.padding_idx, weight, indices, offsets, False, mode, False, None, last, padding)
                        for op in (aten._embedding_bag, aten._embedding_bag_forward_only):
                            w.add(op.default, weight, indices, offsets, False, mode, False, None, last)
                            w.add(op.default, weight, indices, offsets, False, mode, False, None, last, 1)
                    w.add(aten._embedding_bag.default, weight, indices, offsets, False, 0, False, per_sample, last)
                    w.add(aten._embedding_bag.default, weight, indices, offsets, False, 0, False, per_sample, last, 1)
    for sizes in ((7, 0), (7, 3)):
        w.add(aten._embedding_bag.default, torch.zeros(sizes), torch.zeros(0, dtype=torch.int64), torch.tensor([0, 0]), False, 1)
    half, indices = weight.half(), torch.tensor([1, 3, 5, 0, 0, 2, 6, 1])
    w.add(aten._embedding_bag.default, half, indices, torch.tensor([0, 2]), False, 0)
    w.add(aten._embedding_bag.default, half, indices, torch.tensor([0, 2, 8]), False, 0, False, None, True)


def grid_samples(w):
    for spatial, backward in ((2, aten.grid_sampler_2d_backward), (3, aten.grid_sampler_3d_backward)):
        x, grid = randn(2, 3, *[4, 5, 6][:spatial]), randn(2, *[3, 2, 4][:spatial], spatial, seed=1)
        grad = randn(2, 3, *[3, 2, 4][:spatial], seed=2)
        for mode in (0, 1, 2):
            for padding in (0, 1, 2):
                for align in (False, True):
                    w.add(backward.default, grad, x, grid, mode, padding, align, [True, True])
                    w.add(backward.default, grad.double(), x.double(), grid.double() * 2, mode, padding, align, [True, True])
                w.add(backward.default, grad, x, grid, mode, padding, False, [False, True])
        w.add(backward.default, grad[:0], x[:0], grid[:0], 0, 0, False, [True, True])
        w.add(backward.default, grad, x, grid.round(), 0, 1, True, [True, True])
    w.add(aten.grid_sampler_2d_backward.default, randn(2, 3, 3, 2).mT.contiguous().mT, randn(2, 3, 4, 5).contiguous(memory_format=torch.channels_last), randn(2, 3, 2, 2), 0, 0, False, [True, True])
    places = torch.tensor([NAN, INF, -INF, 1e20, -1e20, 3e9, 0.3, -1.0, 1.0, 1.4])
    for spatial in (2, 3):
        x = randn(1, 2, *[4, 5, 3][:spatial])
        grid = torch.stack([places] + [torch.full_like(places, 0.1)] * (spatial - 1), -1)
        grid = torch.cat([grid, grid.flip(-1)]).reshape(1, 2, *[1] * (spatial - 2), 10, spatial)
        for dtype in (torch.float32, torch.float64):
            for mode in (0, 1, 2):
                for padding in (0, 1, 2):
                    for align in (False, True):
                        w.add(aten.grid_sampler.default, x.to(dtype), grid.to(dtype), mode, padding, align)
    for dtype in (torch.bfloat16, torch.float16):
        x, grid = (randn(2, 3, 6, 7) * 30).to(dtype), (randn(2, 5, 6, 2, seed=1) * 0.7).to(dtype)
        for mode in (0, 1, 2):
            for padding in (0, 1, 2):
                w.add(aten.grid_sampler.default, x, grid, mode, padding, False)
                w.add(aten.grid_sampler.default, x[:, :, None], torch.cat([grid, grid[..., :1]], -1)[:, None], min(mode, 1), padding, False)


def bag_gradients(w):
    indices, offsets, per_sample = torch.tensor([1, 3, 5, 0, 0, 2, 6, 1]), torch.tensor([0, 2, 2, 5]), randn(8, seed=3)
    for dtype in (torch.float32, torch.float64):
        weight, grad, factors = randn(7, 3).to(dtype), randn(4, 3, seed=2).to(dtype), per_sample.to(dtype)
        for padding in (-1, 1):
            for mode in (0, 1, 2):
                _, bag, size, largest = aten._embedding_bag(weight, indices, offsets, False, mode, False, None, False, padding)
                w.add(aten._embedding_bag_backward.default, grad, indices, offsets, bag, size, largest, 7, False, mode, False, None, padding)
            _, bag, size, largest = aten._embedding_bag(weight, indices, offsets, False, 0, False, factors, False, padding)
            w.add(aten._embedding_bag_backward.default, grad, indices, offsets, bag, size, largest, 7, False, 0, False, factors, padding)
            w.add(aten._embedding_bag_per_sample_weights_backward.default, grad, weight, indices, offsets, bag, 0, padding)


def half_batches(w):
    for dtype in (torch.bfloat16, torch.float16):
        a, b, c = randn(4, 5).to(dtype), randn(6, 4, 7, seed=1).to(dtype), randn(6, 7, 5, seed=2).to(dtype)
        w.add(aten.addbmm.default, a, b, c)
        w.add(aten.addbmm.default, a, b, c, beta=0.3, alpha=1.7)
        w.add(aten.addbmm.default, a, b, c, beta=0)


def corners(w):
    """Degrees between -1 and 0, poles, matrices of which a half is read, integers that wrap, and losses of integers and complex numbers."""
    special = [getattr(aten, "special_" + name).default for name in (
        "chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v", "chebyshev_polynomial_w", "hermite_polynomial_h", "hermite_polynomial_he",
        "laguerre_polynomial_l", "legendre_polynomial_p", "shifted_chebyshev_polynomial_t", "shifted_chebyshev_polynomial_u",
        "shifted_chebyshev_polynomial_v", "shifted_chebyshev_polynomial_w")]
    degrees = torch.tensor([-0.3, -0.99, -1.0, -1.5, -0.0, 0.7, 1.9])
    for op in special:
        w.add(op, torch.full((7,), 5.1), degrees)
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        w.add(aten.polygamma.default, 1, torch.tensor([-8.0, -5.0, -1.0, -0.3, -7.25, 0.0, 0.4, 0.5, 3.0], dtype=dtype))
    w.add(aten.polygamma.default, 1, torch.tensor([-8, -1, 0, 1, 5], dtype=torch.int8))
    for dtype in (torch.float32, torch.float64, torch.complex64, torch.complex128):
        a = randn(2, 4, 4, dtype=dtype)
        for hermitian in (True, False):
            w.add(aten.linalg_pinv.atol_rtol_tensor, a, hermitian=hermitian)
            w.add(aten.linalg_pinv.atol_rtol_float, a, atol=0.5, hermitian=hermitian)
            w.add(aten.linalg_pinv.default, a, 0.4, hermitian)
        w.add(aten.logdet.default, a)
        w.add(aten.logdet.default, torch.zeros(3, 0, 0, dtype=dtype))
    y, x = torch.tensor([[150, 30, 180, 6], [5, 240, 120, 200]], dtype=torch.uint8), torch.tensor([1, 9, 4, 200], dtype=torch.uint8)
    for dtype in (torch.uint8, torch.int32, torch.float32, torch.float16, torch.complex64):
        for dim in (0, 1):
            for name in ("trapezoid", "cumulative_trapezoid"):
                op = getattr(aten, name)
                w.add(op.dx, y.to(dtype), dx=2.5, dim=dim)
                w.add(op.x, y.to(dtype), y.flip(1).to(dtype), dim=dim)
                w.add(op.x, y.to(dtype), x.to(dtype), dim=dim)
                w.add(op.x, y.to(dtype), x, dim=dim)
    for name in ("trapezoid", "cumulative_trapezoid"):
        op = getattr(aten, name)
        w.add(op.dx, y > 9)
        w.add(op.x, y, x > 4)
        for points in (torch.ones(0, 3), torch.ones(2, 1), torch.ones(3, 0, dtype=torch.int64)):
            w.add(op.dx, points)
            w.add(op.x, points, torch.ones(points.shape[-1]))
        w.add(op.x, randn(2, 3, 4), randn(3, 4, seed=1))
    for dtype in (torch.float32, torch.bfloat16, torch.float16, torch.complex64, torch.int64, torch.uint8, torch.int8):
        a, b, c = ((randn(3, 5, seed=seed) * 4).abs().to(dtype) for seed in (1, 2, 3))
        for p in (1.0, 2.0, 3.0, INF, 0.0):
            w.add(aten.pairwise_distance.default, a, b, p)
        w.add(aten.pairwise_distance.default, a, b[0], 2.0, 1e-6, True)
        w.add(aten.l1_loss.default, a, b)
        for reduction in (0, 1, 2):
            w.add(aten.triplet_margin_loss.default, a, b, c, 1.5, reduction=reduction)
            w.add(aten.triplet_margin_loss.default, a, b, c, swap=True, reduction=reduction)
            w.add(aten.cosine_embedding_loss.default, a, b, torch.tensor([1, -1, 1]), 0.2, reduction)
        w.add(aten.cosine_similarity.default, a, b)
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.int8, torch.uint8, torch.bool, torch.complex64):
        a = (randn(3, 5) * 4).abs().to(dtype)
        w.add(aten.hash_tensor.default, a)
        w.add(aten.hash_tensor.default, a.mT, [0])
        w.add(aten.hash_tensor.default, a, [0, 1], keepdim=True)
        w.add(aten.hash_tensor.default, a[0, 0])
    for dtype in (torch.float32, torch.float64):  # rows that are all mean
        rows = torch.tensor([[8.4783745], [-4.3228045], [1e4]]).expand(3, 21).contiguous().to(dtype)
        weight, bias = randn(21, dtype=dtype), randn(21, dtype=dtype, seed=1)
        w.add(aten.native_layer_norm.default, rows, [21], weight, bias, 1e-5)
        w.add(aten.native_layer_norm.default, rows, [21], None, None, 1e-5)
        w.add(aten.layer_norm.default, rows[:, :1].contiguous(), [1], weight[:1], bias[:1])
    w.add(aten.hash_tensor.default, torch.tensor([NAN, -0.0, 1e-40, INF]))
    w.add(aten.hash_tensor.default, torch.ones(3), mode=1)
    w.add(aten.hash_tensor.default, torch.zeros(0, 3))
    w.add(aten.hash_tensor.default, torch.zeros(0, 3), [0])
    w.add(aten.hash_tensor.default, torch.zeros(0, 3), [1])


def half_steps(w):
    """Numbers beside tensors of half types, and steps that are rounded to them: what is and what is not."""
    number, other = 8.396163642458497, 0.3
    for dtype in (torch.bfloat16, torch.float16):
        a, b = (randn(64) * 5).to(dtype), (randn(64, seed=1) * 5).to(dtype)
        for op in (aten.rsub.Scalar, aten.add.Scalar, aten.sub.Scalar, aten.mul.Scalar, aten.div.Scalar, aten.remainder.Scalar):
            w.add(op, a, number)
        for scalar in (torch.tensor(number), torch.tensor(number, dtype=torch.float64)):
            for op in (aten.add.Tensor, aten.sub.Tensor, aten.mul.Tensor, aten.div.Tensor, aten.pow.Tensor_Tensor, aten.atan2.default, aten.xlogy.Tensor):
                w.add(op, a, scalar)
                w.add(op, scalar, a)
        for op in (aten.add.Tensor, aten.sub.Tensor, aten.rsub.Tensor):
            w.add(op, a, b, alpha=other)
        ties = torch.tensor([-0.1, 0.1, 0.3, 0.7, -0.7, 2.0]).to(dtype)
        for limit in (0.1, 0.3, 0.7):
            w.add(aten.threshold.default, ties, limit, 5.3)
            for op in (aten.hardshrink.default, aten.softshrink.default, aten.gt.Scalar, aten.le.Scalar, aten.eq.Scalar, aten.clamp_min.default):
                w.add(op, ties, limit)
        for exponent in (2, 3, -1, -2, 0.5, -0.5, 1.7):
            w.add(aten.pow.Tensor_Scalar, a, exponent)
        for dim in (0, 1):
            rows = a.reshape(4, 16)
            w.add(aten.log_softmax.int, rows, dim)
            w.add(aten.logsumexp.default, rows, [dim])
            w.add(aten.cosine_similarity.default, rows, b.reshape(4, 16), dim)
        for ends in ((-1, 2.5, 7), (0, 1, 11), (3, -7.3, 30)):
            w.add(aten.linspace.default, *ends, dtype=dtype)
        w.add(aten.mean.dim, randn(6, 5, seed=2), [1], dtype=dtype)
        w.add(aten.special_ndtr.default, a)
        w.add(aten.logit.default, torch.sigmoid(a))
        w.add(aten.logit.default, torch.sigmoid(a), 0.1)
        w.add(aten.xlogy.Tensor, a.abs(), b.abs())
        w.add(aten.special_xlog1py.default, a.abs(), b.abs())


PARTS = (mended, edges, empties, convolutions_of_other_types, bytes_resized, bags, grid_samples, bag_gradients, half_batches, corners, half_steps)
