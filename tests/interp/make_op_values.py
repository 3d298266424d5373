#!/usr/bin/env python3
"""Cases for single operators with the results PyTorch computes: tests/data/ops/{cases.json,tensors.bin}.

op_values_test.cpp replays them through the operator table. Needs torch; the files are committed, so building and testing do not.
A case is [operator, arguments, keyword arguments, expected, written]; expected is the list of results or {"raises": message}; written
holds the tensors an in-place operator changed. A tensor is {"t": dtype, "s": sizes, "d": strides, "o": offset, "b": [start, bytes] of its
storage in tensors.bin}; numbers stand as they are, with {"f": "nan" | "inf" | "-inf"} for those JSON lacks, complex ones as {"c": [re, im]}.
"""
import json
import math
import os
import sys
import warnings

import op_cases
import op_edge_cases
import torch

warnings.filterwarnings("ignore")
torch.manual_seed(0)
aten = torch.ops.aten
NAN, INF = float("nan"), float("inf")
FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
INTS = [torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8]
COMPLEX = [torch.complex64, torch.complex128]
ALL = FLOATS + INTS + [torch.bool] + COMPLEX


class Writer:
    def __init__(self):
        self.blob, self.known, self.cases = bytearray(), {}, []

    def tensor(self, t):
        if t.is_conj() or t.is_neg():
            t = t.resolve_conj().resolve_neg()
        storage = bytes(t.untyped_storage()) if t.numel() else b""
        if storage not in self.known:
            self.blob += b"\0" * (-len(self.blob) % 16)
            self.known[storage] = len(self.blob)
            self.blob += storage
        return {"t": str(t.dtype)[6:], "s": list(t.shape), "d": list(t.stride()), "o": t.storage_offset() if t.numel() else 0,
                "b": [self.known[storage], len(storage)]}

    def value(self, v):
        if isinstance(v, torch.Tensor):
            return self.tensor(v)
        if isinstance(v, (list, tuple)):
            return [self.value(x) for x in v]
        if isinstance(v, float) and not math.isfinite(v):
            return {"f": str(v)}
        if isinstance(v, complex):
            return {"c": [v.real, v.imag]}
        if isinstance(v, torch.dtype):
            return {"dtype": str(v)[6:]}
        if isinstance(v, torch.memory_format):
            return {"format": str(v)[6:]}
        return v

    def add(self, op, *args, **kwargs):
        overload = op if isinstance(op, torch._ops.OpOverload) else op.default

        def copied(v):
            if isinstance(v, torch.Tensor):
                # The same storage layout, its own bytes.
                storage = v.untyped_storage().clone()
                return torch.empty(0, dtype=v.dtype).set_(storage, v.storage_offset(), v.shape, v.stride())
            return [copied(x) for x in v] if isinstance(v, (list, tuple)) else v

        before = ([self.value(a) for a in args], {k: self.value(v) for k, v in kwargs.items()})
        live = [copied(a) for a in args]
        live_kwargs = {k: copied(v) for k, v in kwargs.items()}
        written = []
        try:
            result = overload(*live, **live_kwargs)
            expected = [self.value(r) for r in (result if isinstance(result, tuple) else (result,))] if result is not None else []
            for i, p in enumerate(overload._schema.arguments):
                if p.alias_info is not None and p.alias_info.is_write:
                    source = live[i] if i < len(live) else live_kwargs.get(p.name)
                    written.append([p.name, self.value(source)])
        except Exception as error:  # noqa: BLE001
            if "Could not run" in str(error):
                return
            expected = {"raises": str(error).split("\n")[0][:100]}
        name = str(overload)
        self.cases.append([name, *before, expected] + ([written] if written else []))


def vector(dtype, special=True):
    """A few telling values of a dtype."""
    if dtype == torch.bool:
        return torch.tensor([True, False, True, True, False])
    if dtype.is_complex:
        values = [0j, 1 + 2j, -0.5 + 0.25j, 2 - 1j, -1.5 - 0.75j, 0.3j, 3 + 0j]
        return torch.tensor(values, dtype=dtype)
    if dtype.is_floating_point:
        values = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 0.3, 2.5, -3.5, 7.25, -0.99, 1e-3, 20.0, -20.0]
        return torch.tensor(values + ([NAN, INF, -INF] if special else []), dtype=dtype)
    info = torch.iinfo(dtype)
    values = [0, 1, 2, 3, 5, 7, 100, info.max] + ([-1, -2, -5, -100, info.min] if info.min < 0 else [])
    return torch.tensor(values, dtype=dtype)


def layouts(dtype=torch.float32):
    """The same kind of values in every layout."""
    n = lambda *s: (torch.arange(math.prod(s)) % 13 - 6).reshape(s).to(dtype) / (4 if dtype.is_floating_point else 1)
    yield n()
    yield n(0, 3)
    yield n(2, 3, 4).permute(2, 0, 1)
    yield n(2, 3, 2, 2).contiguous(memory_format=torch.channels_last)
    yield n(4, 6)[::2, 1::2]
    yield n(3, 1).expand(3, 4)
    yield n(4, 5).t()[1:]


UNARY = """abs acos acosh angle asin asinh atan atanh bitwise_not ceil conj_physical cos cosh deg2rad digamma erf erfc erfinv exp exp2
expm1 floor frac i0 isfinite isinf isnan isneginf isposinf isreal lgamma log log10 log1p log2 logical_not logit nan_to_num neg positive
rad2deg reciprocal relu round rsqrt sgn sigmoid sign signbit silu sin sinc sinh sqrt square tan tanh trunc mish hardswish hardsigmoid
log_sigmoid selu relu6 gelu hardtanh leaky_relu elu celu softplus hardshrink softshrink count_nonzero.default zeros_like ones_like clone
special_entr special_erfcx special_i0e special_i1 special_i1e special_ndtr special_ndtri special_log_ndtr special_modified_bessel_i0 special_modified_bessel_k0 special_modified_bessel_k1 special_scaled_modified_bessel_k0
special_scaled_modified_bessel_k1 special_spherical_bessel_j0 any.default all.default sum.default mean.default prod.default max.default min.default
amax amin argmax argmin nansum std.default var.default logcumsumexp!0 cumsum!0 cumprod!0 cummax!0 cummin!0 median.default nanmedian.default
nonzero argwhere sort.default _unique2 unique_consecutive real imag view_as_real""".split()


def unary(w):
    for entry in UNARY:
        name, _, dim = entry.partition("!")
        base, _, overload = name.partition(".")
        op = getattr(getattr(aten, base), overload or "default")
        extra = [int(dim)] if dim else []
        nan_safe = base not in ("sort", "_unique2", "unique_consecutive", "gelu")  # gelu(inf) depends on the processor
        for dtype in ALL:
            w.add(op, vector(dtype, special=nan_safe), *extra)
        if not dim and base not in ("digamma", "lgamma", "erfinv", "i0", "real", "imag", "nonzero", "argwhere") and not base.startswith("special"):
            for x in list(layouts())[:3]:
                w.add(op, x)
    for x in list(layouts())[3:]:
        for op in (aten.exp.default, aten.relu.default, aten.clone.default, aten.neg.default, aten.sum.default, aten.isnan.default):
            w.add(op, x)
    for decimals in (-1, 0, 2):
        w.add(aten.round.decimals, vector(torch.float64), decimals=decimals)
    w.add(aten.gelu.default, vector(torch.float32), approximate="tanh")
    w.add(aten.gelu.default, vector(torch.float32), approximate="other")
    w.add(aten.logit.default, torch.tensor([0.0, 0.2, 0.9, 1.0, 1.5]), 0.1)
    w.add(aten.nan_to_num.default, vector(torch.float16), 1.0, 5.0, -5.0)
    for n in range(4):
        w.add(aten.polygamma.default, n, torch.tensor([0.5, 1.0, 2.5, 10.0, 0.1]))
    for base in ("bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1"):
        w.add(getattr(aten, "special_" + base).default, torch.linspace(0.1, 30, 20))
        w.add(getattr(aten, "special_" + base).default, torch.ones(1, dtype=torch.float16))
    w.add(aten.mvlgamma.default, torch.tensor([2.5, 4.0, 10.0]), 3)


BINARY = """add.Tensor sub.Tensor mul.Tensor div.Tensor floor_divide remainder.Tensor fmod.Tensor pow.Tensor_Tensor maximum minimum fmax fmin
atan2 hypot copysign.Tensor nextafter gcd lcm heaviside logaddexp logaddexp2 xlogy.Tensor special_xlog1py eq.Tensor ne.Tensor lt.Tensor le.Tensor
gt.Tensor ge.Tensor logical_and logical_or logical_xor bitwise_and.Tensor bitwise_or.Tensor bitwise_xor.Tensor bitwise_left_shift.Tensor
bitwise_right_shift.Tensor isclose ldexp.Tensor float_power.Tensor_Tensor rsub.Tensor special_zeta igamma igammac complex polar""".split()
PAIRS = [(torch.float32, torch.float32), (torch.float64, torch.float32), (torch.float16, torch.float16), (torch.bfloat16, torch.float16),
         (torch.bfloat16, torch.bfloat16), (torch.int64, torch.float32), (torch.int64, torch.int64), (torch.int32, torch.int8), (torch.uint8, torch.int8),
         (torch.uint8, torch.uint8), (torch.bool, torch.bool), (torch.bool, torch.int32), (torch.complex64, torch.float64), (torch.complex128, torch.complex128)]


def grid(dtype, column):
    v = vector(dtype)
    if not dtype.is_floating_point and not dtype.is_complex and dtype != torch.bool:
        v = v[v != 0][:7]
    else:
        v = v[:9] if dtype.is_floating_point else v[:5]
    return v.reshape(-1, 1) if column else v


def binary(w):
    for entry in BINARY:
        base, _, overload = entry.partition(".")
        op = getattr(getattr(aten, base), overload or "default")
        for a, b in PAIRS:
            w.add(op, grid(a, True), grid(b, False))
        w.add(op, torch.tensor(2.5), torch.tensor([1, 2, 3]))                                   # 0-dimensional float, integers
        w.add(op, torch.tensor([1, 2, 3], dtype=torch.int32), torch.tensor(2, dtype=torch.int64))
        w.add(op, torch.ones(2, 3), torch.ones(2))                                               # do not broadcast
        w.add(op, torch.ones(2, 0), torch.ones(1))
        w.add(op, torch.rand(2, 3, 4).permute(1, 2, 0), torch.rand(3, 4, 2))
    specials = torch.tensor([NAN, INF, -INF, 0.0, -0.0, 1.0, -2.5])
    for op in (aten.maximum.default, aten.minimum.default, aten.fmax.default, aten.fmin.default, aten.pow.Tensor_Tensor, aten.div.Tensor, aten.remainder.Tensor,
               aten.floor_divide.default, aten.fmod.Tensor, aten.atan2.default, aten.lt.Tensor, aten.eq.Tensor, aten.xlogy.Tensor, aten.hypot.default):
        w.add(op, specials.reshape(-1, 1), specials)
    for base in ("div", "floor_divide", "remainder", "fmod"):
        op = {"div": aten.div.Tensor_mode, "floor_divide": aten.floor_divide.default, "remainder": aten.remainder.Tensor, "fmod": aten.fmod.Tensor}[base]
        extra = {"rounding_mode": "trunc"} if base == "div" else {}
        w.add(op, torch.tensor([1, 2]), torch.tensor([0, 1]), **extra)
    for mode in ("floor", "trunc", None, "wrong"):
        for a, b in ((torch.float32, torch.float32), (torch.int64, torch.int64), (torch.float16, torch.float16), (torch.int8, torch.uint8), (torch.bool, torch.bool)):
            w.add(aten.div.Tensor_mode, grid(a, True), grid(b, False), rounding_mode=mode)
    for scalar in (2, -3, 0.5, True, 1 + 1j, 300):
        for dtype in (torch.float32, torch.bfloat16, torch.int64, torch.int8, torch.uint8, torch.bool, torch.complex64):
            for op in (aten.add.Tensor, aten.mul.Tensor, aten.eq.Scalar, aten.lt.Scalar, aten.pow.Tensor_Scalar, aten.pow.Scalar, aten.clamp.default, aten.rsub.Scalar,
                       aten.remainder.Scalar, aten.bitwise_and.Scalar, aten.full_like.default, aten.masked_fill.Scalar, aten.add_.Tensor, aten.mul_.Scalar, aten.fill_.Scalar):
                x = grid(dtype, False)
                if op is aten.pow.Scalar and isinstance(scalar, complex):
                    continue
                if op is aten.pow.Scalar:
                    w.add(op, scalar, x)
                elif op is aten.masked_fill.Scalar:
                    w.add(op, x, torch.arange(x.numel()) % 2 == 0, scalar)
                else:
                    w.add(op, x, scalar)
    for e in (0, 1, 2, 3, 0.5, -0.5, -1, -2, 2.5):
        for dtype in (torch.float32, torch.float64, torch.int64, torch.complex64, torch.float16):
            w.add(aten.pow.Tensor_Scalar, vector(dtype), e)
    for alpha in (2, 0.5, True, 1j):
        for dtype in (torch.float32, torch.int64, torch.bool, torch.complex64, torch.bfloat16):
            w.add(aten.add.Tensor, grid(dtype, True), grid(dtype, False), alpha=alpha)
            w.add(aten.sub.Tensor, grid(dtype, True), grid(dtype, False), alpha=alpha)
    x, y, z = torch.rand(3, 1), torch.rand(4), torch.rand(3, 4)
    for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.complex64, torch.bool):
        a, b, c = x.mul(9).to(dtype), y.mul(9).to(dtype), z.mul(9).to(dtype) + 1 if dtype != torch.bool else z > 0.5
        w.add(aten.addcmul.default, a, b, c, value=2)
        w.add(aten.addcdiv.default, a, b, c, value=0.5)
        w.add(aten.lerp.Scalar, a, b, 0.3)
        w.add(aten.lerp.Tensor, a, b, c)
        w.add(aten.clamp.Tensor, a, b, c)
        w.add(aten.clamp.Tensor, a, None, c)
        w.add(aten.clamp.default, c, 1, 4.5)
        w.add(aten.clamp.default, c, None, None)
        w.add(aten.where.self, z > 0.5, a, b)
        w.add(aten.where.ScalarOther, z > 0.5, a, 2.5)
        w.add(aten.where.ScalarSelf, z > 0.5, 1, a)
        w.add(aten.masked_fill.Tensor, a, z > 0.5, torch.tensor(3).to(dtype))
    w.add(aten.where.self, z, z, z)
    w.add(aten.where.Scalar, z > 0.5, 1.0, 2)
    w.add(aten.clamp.default, torch.tensor([1.0, NAN, 3.0]), NAN, 2.0)
    w.add(aten.masked_fill_.Scalar, torch.zeros(3, 4), z > 0.5, -INF)
    w.add(aten.masked_fill.Scalar, torch.zeros(3, dtype=torch.int32), torch.tensor([True, False, True]), INF)
    w.add(aten.add_.Tensor, torch.zeros(3), torch.ones(2, 3))
    w.add(aten.add_.Tensor, torch.zeros(1).expand(3), torch.ones(3))
    w.add(aten.mul_.Tensor, torch.ones(3, dtype=torch.int64), torch.ones(3))
    w.add(aten.div_.Tensor, torch.ones(3, dtype=torch.int64), 2)
    w.add(aten.relu_.default, torch.arange(-3.0, 3.0).reshape(2, 3).t())
    w.add(aten.exp_.default, torch.arange(3))
    w.add(aten.copy_.default, torch.zeros(2, 3, dtype=torch.int32), torch.tensor([1.7, -2.7, 3.2]))
    w.add(aten.copy_.default, torch.zeros(2, 3), torch.zeros(2, 2))
    for n in range(6):
        for p in ("chebyshev_polynomial_t", "chebyshev_polynomial_u", "hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l", "legendre_polynomial_p"):
            w.add(getattr(aten, "special_" + p).n_scalar, torch.tensor([-0.7, 0.0, 0.3, 1.0, 1.5], dtype=torch.float64), n)


def backward(w):
    g, x = torch.tensor([1.0, -2.0, 0.5, 3.0, 1.0]), torch.tensor([-4.0, -0.3, 0.0, 0.4, 2.5])
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        a, b = g.to(dtype), x.to(dtype)
        w.add(aten.threshold_backward.default, a, b, 0)
        w.add(aten.sigmoid_backward.default, a, b.sigmoid())
        w.add(aten.tanh_backward.default, a, b.tanh())
        w.add(aten.gelu_backward.default, a, b)
        w.add(aten.gelu_backward.default, a, b, approximate="tanh")
        w.add(aten.silu_backward.default, a, b)
        w.add(aten.mish_backward.default, a, b)
        w.add(aten.leaky_relu_backward.default, a, b, 0.1, False)
        w.add(aten.hardtanh_backward.default, a, b, -1, 1)
        w.add(aten.elu_backward.default, a, 1.5, 1.1, 0.7, False, b)
        w.add(aten.elu_backward.default, a, 1.5, 1.1, 0.7, True, b)
        w.add(aten.softplus_backward.default, a, b, 2.0, 3.0)
        w.add(aten.hardsigmoid_backward.default, a, b)
        w.add(aten.hardswish_backward.default, a, b)
        w.add(aten.hardshrink_backward.default, a, b, 0.35)
        w.add(aten.softshrink_backward.default, a, b, 0.35)
        w.add(aten.log_sigmoid_backward.default, a, b, (-b.abs()).exp())
        w.add(aten.logit_backward.default, a, b, 0.1)
        w.add(aten.logit_backward.default, a, b)
        w.add(aten.glu_backward.default, torch.ones(2, 2, dtype=dtype), torch.rand(2, 4).to(dtype), 1)
        w.add(aten.glu.default, torch.rand(2, 4).to(dtype), -1)
        w.add(aten.glu.default, torch.rand(2, 3).to(dtype), -1)
        w.add(aten.prelu.default, torch.randn(2, 3, 2).to(dtype), torch.tensor([0.1, 0.2, 0.3], dtype=dtype))
        w.add(aten.threshold.default, b, 0.1, 20)
        w.add(aten.softplus.default, b, 2.0, 3.0)
        w.add(aten.hardtanh.default, b, -0.5, 0.5)


def reductions(w):
    x = torch.randn(3, 4, 5)
    holes = torch.where(x > 1, NAN, x)
    inputs = [x, x.permute(2, 0, 1), x[:, ::2, 1:], holes, x.to(torch.bfloat16), (x * 10).to(torch.int32), x > 0, x.to(torch.complex64), x.double(), torch.zeros(2, 0, 3),
              torch.tensor(2.5), torch.randn(2, 3, 4, 5).contiguous(memory_format=torch.channels_last)]
    for t in inputs:
        for dims in ([0], [-1], [0, 2], [], None):
            for keep in (False, True):
                for op in (aten.sum.dim_IntList, aten.mean.dim, aten.nansum.default):
                    w.add(op, t, dims, keep)
                if dims is not None:
                    for op in (aten.amax.default, aten.amin.default, aten.logsumexp.default):
                        w.add(op, t, dims, keep)
                for op in (aten.any.dims, aten.all.dims):
                    w.add(op, t, dims, keep)
                w.add(aten.linalg_vector_norm.default, t, 2, dims, keep)
            w.add(aten.var.correction, t, dims, correction=1)
            w.add(aten.std.correction, t, dims, correction=0, keepdim=True)
            w.add(aten.var_mean.correction, t, dims, correction=2)
        for dim in (0, -1, 3):
            w.add(aten.max.dim, t, dim)
            w.add(aten.min.dim, t, dim, True)
            w.add(aten.argmax.default, t, dim)
            w.add(aten.argmin.default, t, dim, True)
            w.add(aten.prod.dim_int, t, dim)
            w.add(aten.any.dim, t, dim)
            w.add(aten.cumsum.default, t, dim)
            w.add(aten.cumprod.default, t, dim)
            w.add(aten.cummax.default, t, dim)
            w.add(aten.cummin.default, t, dim)
            w.add(aten.logcumsumexp.default, t, dim)
            w.add(aten.sort.stable, t, stable=True, dim=dim, descending=False)
            w.add(aten.sort.stable, t, stable=True, dim=dim, descending=True)
            w.add(aten.median.dim, t, dim)
            w.add(aten.nanmedian.dim, t, dim, True)
            w.add(aten.kthvalue.default, t, 2, dim)
            w.add(aten.diff.default, t, 1, dim)
        w.add(aten.argmax.default, t)
        w.add(aten.argmax.default, t, None, True)
        w.add(aten.aminmax.default, t)
        w.add(aten.aminmax.default, t, dim=0)
    distinct = torch.randperm(20).reshape(4, 5)
    for k in (0, 1, 3, 5, 6):
        w.add(aten.topk.default, distinct.float(), k)
        w.add(aten.topk.default, distinct, k, 0, False)
    w.add(aten.topk.default, torch.tensor([3.0, NAN, 1.0, 5.0]), 2)
    for p in (0, 1, 2, 3, INF, -INF, 0.5, -1):
        w.add(aten.linalg_vector_norm.default, x, p, [1])
        w.add(aten.norm.ScalarOpt_dim, x, p, [0, 1], True)
    w.add(aten.norm.Scalar, x, 2)
    for dtype in (torch.float64, torch.bfloat16, torch.int64, torch.complex64):
        w.add(aten.sum.dim_IntList, x, [1], dtype=dtype)
        w.add(aten.mean.dim, x, [1], dtype=dtype)
        w.add(aten.cumsum.default, x, 1, dtype=dtype)
        w.add(aten.prod.default, x[0, :2], dtype=dtype)
    w.add(aten.mode.default, torch.tensor([[1, 2, 2, 3], [4, 4, 1, 1], [5, 6, 7, 8]]), -1)
    w.add(aten.sum.default, torch.full((1,), 0.1).expand(100000))
    w.add(aten.mean.default, (torch.full((3, 1), 1e4) + 0.1).expand(3, 50000))
    for mode in ("linear", "lower", "higher", "midpoint", "nearest"):
        w.add(aten.quantile.default, x, torch.tensor([0.1, 0.5, 0.9]), 1, interpolation=mode)
    w.add(aten.quantile.scalar, holes, 0.3, 2, True)
    w.add(aten.nanquantile.scalar, holes, 0.3, 2)
    w.add(aten.quantile.scalar, x, 0.25)
    w.add(aten.histc.default, x, 5, -1, 1)
    w.add(aten.histc.default, x, 4)
    w.add(aten.bincount.default, torch.tensor([1, 1, 3]), None, 6)
    w.add(aten.bincount.default, torch.tensor([1, 1, 3]), torch.tensor([0.5, 1.0, 2.0]))
    w.add(aten.bincount.default, torch.tensor([-1]))
    bounds = torch.tensor([1.0, 3.0, 5.0, 7.0])
    for right in (False, True):
        w.add(aten.searchsorted.Tensor, bounds, torch.tensor([[0.0, 1.0, 4.0], [7.0, 8.0, NAN]]), right=right)
        w.add(aten.bucketize.Tensor, torch.tensor([0, 3, 5, 9]), bounds, right=right, out_int32=True)
    w.add(aten.searchsorted.Tensor, torch.stack([bounds, bounds * 2]), torch.tensor([[1.0, 6.0], [6.0, 20.0]]))
    w.add(aten.searchsorted.Scalar, bounds, 3.0, side="right")
    w.add(aten._unique2.default, torch.tensor([3, 1, 2, 1, 3]), True, True, True)
    w.add(aten.unique_dim.default, torch.tensor([[2, 1], [0, 1], [2, 1]]), 0, True, True, True)
    w.add(aten.unique_consecutive.default, torch.tensor([1, 1, 2, 2, 1]), True, True)
    w.add(aten.isin.Tensor_Tensor, torch.tensor([1, 2, 3, 4]), torch.tensor([2.0, 4.0]))
    w.add(aten.isin.Tensor_Scalar, torch.tensor([1, 2, 3, 4]), 3, invert=True)
    w.add(aten.trapezoid.dx, x, dx=0.5, dim=1)
    w.add(aten.cumulative_trapezoid.dx, x, dx=0.5)
    w.add(aten.trapezoid.x, x, torch.rand(5))
    w.add(aten.trace.default, torch.rand(3, 4))
    w.add(aten.cross.default, torch.rand(2, 3), torch.rand(2, 3))
    w.add(aten.linalg_cross.default, torch.rand(3, 2), torch.rand(3, 2), dim=0)


def shapes(w):
    x = torch.arange(24.0).reshape(2, 3, 4)
    p = x.permute(2, 0, 1)
    for t in (x, p, x[:, ::2], torch.zeros(2, 0, 4), torch.tensor(1.0)):
        for size in ([6, 4], [-1], [2, 3, 4], [4, -1, 2], [-1, -1], [5, 5], [], [0, -1], [24, 1]):
            for op in (aten.view.default, aten.reshape.default, aten.view_copy.default):
                w.add(op, t, size)
        for dim in (0, 1, -1, -3, 3, -4):
            w.add(aten.unsqueeze.default, t, dim)
            w.add(aten.squeeze.dim, t, dim)
            w.add(aten.select.int, t, dim, 1)
            w.add(aten.select.int, t, dim, -5)
            w.add(aten.unbind.int, t, dim)
            w.add(aten.split.Tensor, t, 2, dim)
            w.add(aten.chunk.default, t, 3, dim)
            w.add(aten.flip.default, t, [dim])
            w.add(aten.slice.Tensor, t, dim, 1, 3)
            w.add(aten.slice.Tensor, t, dim, -2, 100, 2)
            w.add(aten.slice.Tensor, t, dim, None, -1)
            w.add(aten.narrow.default, t, dim, 1, 2)
            w.add(aten.unfold.default, t, dim, 2, 1)
            w.add(aten.roll.default, t, [1], [dim])
            w.add(aten.transpose.int, t, 0, dim)
            w.add(aten.movedim.int, t, 0, dim)
            w.add(aten.stack.default, [t, t + 1], dim)
            w.add(aten.cat.default, [t, t * 2], dim)
            w.add(aten.tensor_split.sections, t, 3, dim)
            w.add(aten.repeat_interleave.self_int, t, 2, dim)
            w.add(aten.index_select.default, t, dim, torch.tensor([1, 0, 1]))
            w.add(aten.diagonal.default, t, 0, dim, 0)
            w.add(aten.select_scatter.default, t, torch.ones(3, 4), dim, 0)
        for d0, d1 in ((0, -1), (1, 2), (0, 0), (2, 1)):
            w.add(aten.flatten.using_ints, t, d0, d1)
        w.add(aten.permute.default, t, [2, 0, 1])
        w.add(aten.permute.default, t, [0, 1])
        w.add(aten.permute.default, t, [0, 0, 1])
        w.add(aten.expand.default, t, [5, 2, 3, 4])
        w.add(aten.expand.default, t, [-1, 3, 4])
        w.add(aten.expand.default, t, [2, 3, 5])
        w.add(aten.repeat.default, t, [2, 1, 3])
        w.add(aten.repeat.default, t, [2, 1, 1, 2])
        w.add(aten.repeat.default, t, [2])
        w.add(aten.tile.default, t, [2])
        w.add(aten.squeeze.default, t)
        w.add(aten.squeeze.dims, t, [0, 1])
        w.add(aten.unflatten.int, t, -1, [2, -1])
        w.add(aten.clone.default, t)
        w.add(aten.clone.default, t, memory_format=torch.contiguous_format)
        w.add(aten.contiguous.default, t)
        w.add(aten.roll.default, t, [5])
        w.add(aten.rot90.default, t, 1, [0, 1])
        w.add(aten.tril.default, t, 0)
        w.add(aten.triu.default, t, 1)
        w.add(aten.as_strided.default, t, [2, 2], [1, 3], 1)
        w.add(aten.as_strided.default, t, [2, 2], [100, 3], 1)
        w.add(aten._to_copy.default, t, dtype=torch.float16)
        w.add(aten.to.dtype, t, torch.float32)
        w.add(aten.to.dtype, t, torch.int64)
        w.add(aten.slice_scatter.default, t, torch.ones(2, 1, 4), 1, 0, 1)
        w.add(aten.diff.default, t)
    image = torch.rand(1, 8, 2, 2)
    for t in (image, image.contiguous(memory_format=torch.channels_last), torch.rand(1, 7, 2, 2)):
        w.add(aten.pixel_shuffle.default, t, 2)
        w.add(aten.pixel_unshuffle.default, t, 2)
        w.add(aten.channel_shuffle.default, t, 4)
        w.add(aten.cat.default, [t, t], 1)
        w.add(aten.cat.default, [t, t.contiguous()], 1)
        w.add(aten.to.dtype, t, torch.float64)
    w.add(aten.cat.default, [torch.ones(2, 2), torch.ones(0), torch.ones(2, 2, dtype=torch.int64)], 0)
    w.add(aten.cat.default, [torch.ones(2, 2), torch.ones(2, 3)], 0)
    w.add(aten.cat.default, [torch.ones(2), torch.ones(2, dtype=torch.complex64), torch.ones(1, dtype=torch.bool)], 0)
    w.add(aten.cat.default, [torch.ones(2, 2), torch.tensor(1.0)], 0)
    w.add(aten.cat.default, [], 0)
    w.add(aten.stack.default, [torch.ones(2), torch.ones(3)], 0)
    w.add(aten.split_with_sizes.default, x, [1, 3], 2)
    w.add(aten.split_with_sizes.default, x, [1, 1], 2)
    w.add(aten.hstack.default, [torch.ones(2, 3), torch.zeros(2, 1)])
    w.add(aten.vstack.default, [torch.ones(3), torch.zeros(2, 3)])
    w.add(aten.dstack.default, [torch.ones(3), torch.zeros(3)])
    w.add(aten.column_stack.default, [torch.ones(3), torch.zeros(3, 2)])
    w.add(aten.block_diag.default, [torch.ones(2, 3), torch.tensor(5.0), torch.ones(2)])
    w.add(aten.cartesian_prod.default, [torch.arange(2), torch.arange(3)])
    w.add(aten.meshgrid.indexing, [torch.arange(2), torch.arange(3)], indexing="xy")
    w.add(aten.broadcast_tensors.default, [torch.ones(2, 1), torch.ones(3)])
    w.add(aten.diag.default, torch.rand(3), 1)
    w.add(aten.diag.default, torch.rand(3, 4), -1)
    w.add(aten.diag_embed.default, torch.rand(2, 3), -1)
    w.add(aten.diag_embed.default, torch.rand(2, 3), 1, 0, 2)
    w.add(aten.diagonal_scatter.default, torch.zeros(3, 4), torch.ones(3), 1)
    w.add(aten.as_strided_scatter.default, torch.zeros(3, 4), torch.ones(2, 2), [2, 2], [4, 2], 1)
    w.add(aten.slice_backward.default, torch.ones(2, 2), [2, 5], 1, 0, 4, 2)
    w.add(aten.select_backward.default, torch.ones(5), [2, 5], 0, 1)
    w.add(aten.unfold_backward.default, torch.ones(2, 3, 3), [2, 5], 1, 3, 1)
    w.add(aten.repeat_interleave.Tensor, torch.tensor([1, 0, 2]))
    w.add(aten.repeat_interleave.self_Tensor, x, torch.tensor([1, 0, 2]), 1)
    w.add(aten.view.dtype, torch.arange(4, dtype=torch.int32), torch.int16)
    w.add(aten.view.dtype, torch.arange(4, dtype=torch.int32), torch.float32)
    w.add(aten.view.dtype, torch.arange(8, dtype=torch.int8).reshape(2, 4), torch.int32)
    w.add(aten.view.dtype, torch.arange(3, dtype=torch.int8), torch.int32)
    w.add(aten.view_as_complex.default, torch.rand(3, 2))
    w.add(aten.view_as_complex.default, torch.rand(3, 3))


def creation(w):
    for args in ((5,), (2.5,), (0,), (-1,)):
        w.add(aten.arange.default, *args)
    for args in ((1, 10, 3), (1.0, 2.0, 0.25), (5, 0, -2), (0, 1, 0), (0, 5, -1), (0, 1, 0.1)):
        w.add(aten.arange.start_step, *args)
    w.add(aten.arange.start_step, 0, 5.5, 1, dtype=torch.int64)
    w.add(aten.arange.start_step, 0, 5, 1, dtype=torch.float16)
    for dtype in (torch.float32, torch.float64, torch.float16, torch.int64):
        w.add(aten.linspace.default, -1, 2.5, 7, dtype=dtype)
    for n in (0, 1):
        w.add(aten.linspace.default, 3, 5, n)
    w.add(aten.logspace.default, 0, 2, 5)
    for value in (1, 2.5, True, 1 + 2j):
        w.add(aten.full.default, [2, 2], value)
        w.add(aten.scalar_tensor.default, value)
        w.add(aten.full.default, [2], value, dtype=torch.int32)
        w.add(aten.new_full.default, torch.zeros(1, dtype=torch.bfloat16), [2], value)
    w.add(aten.full.default, [2], 300, dtype=torch.int8)
    w.add(aten.full.default, [2], -1, dtype=torch.uint8)
    w.add(aten.full.default, [2], 1e10, dtype=torch.float16)
    w.add(aten.full.default, [-1], 1)
    w.add(aten.zeros.default, [2, 0])
    w.add(aten.eye.m, 2, 3)
    w.add(aten.eye.default, 3, dtype=torch.int64)
    for offset in (-1, 0, 2):
        w.add(aten.tril_indices.default, 3, 4, offset)
        w.add(aten.triu_indices.default, 3, 4, offset)
    w.add(aten.one_hot.default, torch.tensor([0, 2, 1]), 4)
    w.add(aten.one_hot.default, torch.tensor([0, 2, 1]))
    w.add(aten.one_hot.default, torch.tensor([0, 2, 1]), 2)
    for name in ("hann", "hamming", "blackman", "bartlett", "kaiser"):
        w.add(getattr(aten, name + "_window").default, 6)
        w.add(getattr(aten, name + "_window").periodic, 5, False)
    floats = torch.tensor([0.0, 1.9, -1.9, 200.7, -200.7, 3e9, 1e20, -1e20])
    for dtype in ALL:
        w.add(aten._to_copy.default, floats[:4], dtype=dtype)
        w.add(aten._to_copy.default, vector(torch.int64), dtype=dtype)
        w.add(aten._to_copy.default, vector(torch.bool), dtype=dtype)
        w.add(aten._to_copy.default, vector(torch.complex64), dtype=dtype)
    for dtype in (torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz):
        w.add(aten._to_copy.default, floats, dtype=dtype)
        w.add(aten._to_copy.default, floats.to(dtype), dtype=torch.float32)
        w.add(aten.add.Tensor, floats.to(dtype), floats.to(dtype))
    for dtype in (torch.uint16, torch.uint32, torch.uint64):
        w.add(aten._to_copy.default, torch.tensor([0, 1, 70000, 2**40]), dtype=dtype)
        w.add(aten._to_copy.default, torch.tensor([0, 1, 77], dtype=dtype), dtype=torch.float32)
        w.add(aten.add.Tensor, torch.tensor([0, 1, 77], dtype=dtype), 1.5)
    w.add(aten.copy.default, torch.zeros(3, 2).t(), torch.rand(2, 3))
    w.add(aten.fill.Tensor, torch.zeros(2, 2), torch.tensor(3))
    w.add(aten.fill.Tensor, torch.zeros(2, 2), torch.ones(2))


def indexing(w):
    x = torch.arange(60.0).reshape(3, 4, 5)
    i, j = torch.tensor([2, 0]), torch.tensor([[1], [-1]])
    mask = x > 30
    for t in (x, x.permute(2, 1, 0), x.to(torch.int32), x > 20, x.to(torch.bfloat16)):
        for indices in ([i], [None, i], [i, j], [i, None, i], [None, j, i], [j, None, None], [torch.tensor(1)], [i.int()], [None, None, i], [torch.tensor([9])],
                        [i, torch.tensor([0, 1, 2])], [torch.tensor([], dtype=torch.int64)], [i.float()], [i, i, i, i]):
            w.add(aten.index.Tensor, t, indices)
        w.add(aten.index.Tensor, t, [None, torch.tensor([True, False, True, True])[: t.shape[1]]])
        values = torch.tensor(7).to(t.dtype)
        w.add(aten.index_put.default, t, [i, None, j], values)
        w.add(aten.index_put.default, t, [i], values.expand(t.shape[1:]))
        w.add(aten.index_put_.default, t, [torch.tensor([0, 0, 1])], values, True)
        w.add(aten.index_put.default, t, [torch.tensor([7])], values)
    w.add(aten.index.Tensor, x, [mask])
    w.add(aten.index.Tensor, x, [mask[:, :, 0], i.new_tensor([0])])
    w.add(aten.index.Tensor, x, [torch.ones(2, dtype=torch.bool)])
    w.add(aten.index_put.default, x, [mask], torch.tensor(-1.0))
    w.add(aten.index_put.default, x, [mask], torch.tensor(-1, dtype=torch.int64))
    w.add(aten.masked_select.default, x, mask)
    w.add(aten.masked_select.default, x, torch.tensor([True, False, True, False, True]))
    w.add(aten.masked_scatter.default, x, mask, torch.arange(60.0))
    w.add(aten.masked_scatter.default, x, mask, torch.arange(3.0))
    w.add(aten.nonzero.default, mask)
    w.add(aten.nonzero.default, torch.tensor(5))
    w.add(aten.nonzero_numpy.default, mask[0])
    w.add(aten.take.default, x, torch.tensor([[0, 59], [-1, 7]]))
    w.add(aten.put.default, x[0], torch.tensor([0, 3, 3]), torch.tensor([1.0, 2.0, 3.0]), True)
    index = torch.tensor([[0, 1, 2, 0, 1], [2, 0, 0, 1, 2]])
    flat, src = torch.zeros(3, 5), torch.rand(2, 5)
    for dim in (0, 1, -1, 2):
        w.add(aten.gather.default, torch.rand(3, 5), dim, index)
        w.add(aten.scatter.src, flat, dim, index, src)
        w.add(aten.scatter.value, flat, dim, index, 2.5)
        w.add(aten.scatter_add.default, flat, dim, index, src)
        for reduce in ("sum", "prod", "mean", "amax", "amin"):
            for include in (True, False):
                w.add(aten.scatter_reduce.two, flat + 0.5, dim, index, src, reduce, include_self=include)
                w.add(aten.scatter_reduce.two, (flat + 5).to(torch.int64), dim, index, (src * 20).to(torch.int64), reduce, include_self=include)
    w.add(aten.scatter.reduce, flat + 2, 0, index, src, reduce="multiply")
    w.add(aten.scatter.value_reduce, flat + 2, 0, index, 3, reduce="add")
    w.add(aten.gather.default, flat, 0, index + 2)
    w.add(aten.gather.default, flat, 0, index - 1)
    w.add(aten.gather.default, flat, 0, index.float())
    w.add(aten.scatter.src, flat, 0, index, src.double())
    w.add(aten.gather.default, torch.tensor(1.0), 0, torch.tensor([0]))
    w.add(aten.take_along_dim.default, torch.rand(3, 5), torch.rand(3, 5).argsort(1), 1)
    for dim in (0, 1):
        n = torch.tensor([1, 0, 1])
        source = torch.rand(3, 4) if dim == 0 else torch.rand(3, 3)
        base = torch.rand(3, 4)
        w.add(aten.index_add.default, base, dim, n, source, alpha=2)
        w.add(aten.index_copy.default, base, dim, n[:2], source.narrow(dim, 0, 2))
        w.add(aten.index_fill.int_Scalar, base, dim, n, -1)
        for reduce in ("prod", "mean", "amax", "amin"):
            w.add(aten.index_reduce.default, base, dim, n, source, reduce)
            w.add(aten.index_reduce.default, base, dim, n, source, reduce, include_self=False)
    w.add(aten.index_select.default, x, 0, torch.tensor([3]))
    w.add(aten.index_select.default, x, 0, torch.tensor([-1]))
    w.add(aten.index_add.default, torch.zeros(3), 0, torch.tensor([5]), torch.ones(1))


def main():
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/ops")
    os.makedirs(out, exist_ok=True)
    w = Writer()
    for part in (unary, binary, backward, reductions, shapes, creation, indexing, *op_cases.PARTS, *op_edge_cases.PARTS):
        part(w)
    with open(os.path.join(out, "cases.json"), "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in w.cases) + "\n]\n")
    with open(os.path.join(out, "tensors.bin"), "wb") as f:
        f.write(w.blob)
    print(len(w.cases), "cases,", len(w.blob), "bytes of tensors")


if __name__ == "__main__":
    main()
