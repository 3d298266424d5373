"""The modules behind programs/. Stack traces in the files show this file as models.py."""
import collections
import dataclasses

import torch
import torch.nn as nn
import torch.nn.functional as F

MODELS = {}  # name -> function that gives (module, args, kwargs, dynamic_shapes, options)


def model(build):
    MODELS[build.__name__] = build
    return build


class ConvBnRelu(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 4, 3, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(4)

    def forward(self, x):
        return F.relu(self.bn(self.conv(x)))


@model
def conv_bn_train():
    return ConvBnRelu(), (torch.randn(2, 2, 4, 4),), {}, None, {"train": True}


class BuiltinNames(nn.Module):
    """Arguments called like builtins use up the generated names of operators with several results."""

    def forward(self, input, max, id):
        values, indices = torch.max(input, dim=0)
        return values + max, indices, torch.max(max, dim=0).values, id * 2, torch.aminmax(input).max


@model
def builtin_names():
    return BuiltinNames(), (torch.randn(3, 4), torch.randn(3, 4), torch.randn(2)), {}, None, {}


class ConstantInputs(nn.Module):
    def forward(self, x, maxLen: int, flag: bool, mode: str, eps: float, nothing=None, input=3):
        return x * maxLen + eps + (1 if flag else 0) + input


@model
def constant_inputs():
    return ConstantInputs(), (torch.randn(3), 5, True, "a b", 1e-5, None, 7), {}, None, {}


Point = collections.namedtuple("Point", ["x", "y"])
torch.utils._pytree._register_namedtuple(Point, serialized_type_name="data.Point")


@dataclasses.dataclass
class Batch:
    values: torch.Tensor
    mask: torch.Tensor


torch.export.register_dataclass(Batch, serialized_type_name="data.Batch")


class Containers(nn.Module):
    def forward(self, pair, batch, *rest, k=None, **more):
        total = pair[0] + rest[0] + batch.values * batch.mask
        return {"z": total, "p": Point(pair[1], more["more"][0]), "none": None}, Batch(total, pair[1])


@model
def containers():
    args = ((torch.ones(2), torch.zeros(2)), Batch(torch.ones(2), torch.ones(2)), torch.ones(2))
    return Containers(), args, {"k": None, "more": [torch.ones(3)]}, None, {}


class NestedCond(nn.Module):
    def forward(self, x, y):
        def inner(a, b):
            return torch.cond(b.sum() > 1, lambda a, b: (a + b, a * 2), lambda a, b: (a - b, b * 3), (a, b))

        return torch.cond(x.sum() > 0, inner, lambda a, b: (a * b, b * 2), (x, y))


@model
def nested_cond():
    return NestedCond(), (torch.randn(3), torch.randn(3)), {}, None, {}


class WhileLoop(nn.Module):
    def forward(self, i, x):
        return torch._higher_order_ops.while_loop(lambda i, x: i < 5, lambda i, x: (i + 1, x * 2), (i, x))


@model
def while_loop():
    return WhileLoop(), (torch.tensor(0), torch.randn(3)), {}, None, {}


class Regions(nn.Module):
    """Sub-graphs that call modules."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        y = self.linear(x)
        with torch.no_grad():
            z = y * 2 + 1
        with torch.autocast("cpu", dtype=torch.bfloat16):
            q = self.linear(z)
        return q, z


@model
def regions():
    return Regions(), (torch.randn(2, 3),), {}, None, {}


class Lists(nn.Module):
    """Operators that return lists and tuples, some results unused."""

    def forward(self, x):
        a, b, c = torch.split(x, 2)
        rows = torch.unbind(x)
        return a, c, rows[1], torch.topk(x, 2, dim=1).indices, torch.stack(rows), torch.where(x > 0)


@model
def lists():
    return Lists(), (torch.randn(6, 4),), {}, None, {}


class Scalars(nn.Module):
    """Numbers, dtypes and devices as arguments."""

    def forward(self, x):
        a = x.clamp(min=float("-inf"), max=1e308) * float("nan") + x.new_full((2,), float("inf")) + 1e-7
        b = torch.add(torch.view_as_complex(x.reshape(1, 2)), 1 + 2j)
        c = torch.empty(2, device="cpu", dtype=torch.float16, memory_format=torch.contiguous_format)
        return a, b, c.zero_(), x.to(torch.bfloat16), torch.zeros(2, layout=torch.strided)


@model
def scalars():
    return Scalars(), (torch.randn(2),), {}, None, {}


class DataDependent(nn.Module):
    def forward(self, x, f):
        n = x.max().item()
        torch._check(n >= 2)
        torch._check(n < 10)
        found = torch.nonzero(x)
        return torch.zeros(n), found, found.shape[0] * 2, x * f.item()


@model
def data_dependent():
    return DataDependent(), (torch.tensor([1, 0, 3]), torch.tensor(1.5)), {}, None, {}


class Symbolic(nn.Module):
    def forward(self, x, n: int):
        rows, columns = x.shape
        return torch.zeros(max(rows, columns)), torch.ones(rows // 2 + columns % 3), x * (rows / columns), x.expand(rows, columns) + n


@model
def symbolic():
    shapes = {"x": {0: torch.export.Dim("rows", min=2, max=100), 1: torch.export.Dim("columns", min=3, max=50)}, "n": torch.export.Dim.DYNAMIC}
    return Symbolic(), (torch.randn(4, 6), 5), {}, shapes, {}


class Mutations(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(2))
        self.register_buffer("scratch", torch.ones(2), persistent=False)
        self.offset = torch.tensor([1.0, 2.0])
        self.weight = nn.Parameter(torch.ones(2))
        self.same = self.weight

    def forward(self, x):
        self.count.add_(x)
        self.scratch.mul_(2)
        x.add_(1)
        return self.count + self.scratch + self.offset + self.weight + self.same


@model
def mutations():
    return Mutations(), (torch.randn(2),), {}, None, {}


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        return self.linear(self.linear(x)).relu()


class SharedModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()
        self.tail = nn.Sequential(Block(), nn.Tanh())

    def forward(self, x):
        return self.block(self.block(x)) + self.tail(x)


@model
def shared_module():
    return SharedModule(), (torch.randn(2, 3),), {}, None, {"strict": True}


@torch.library.custom_op("data::several", mutates_args=("y",))
def several(x: torch.Tensor, y: torch.Tensor, scale: float = 0.5) -> tuple[torch.Tensor, torch.Tensor]:
    y.add_(x)
    return x * scale, x + scale


several.register_fake(lambda x, y, scale=0.5: (torch.empty_like(x), torch.empty_like(x)))


class CustomOp(nn.Module):
    """An operator no reader can know; decomposed, it is called through auto_functionalized_v2."""

    def forward(self, x, y):
        a, b = torch.ops.data.several(x, y, scale=0.25)
        return b, y


@model
def custom_op():
    return CustomOp(), (torch.randn(2), torch.randn(2)), {}, None, {"decompose": True}


@torch.library.custom_op("data::store", mutates_args=("memory",))
def store(memory: torch.Tensor, x: torch.Tensor) -> None:
    memory.add_(x.sum())


@torch.library.custom_op("data::swish", mutates_args=())
def swish(x: torch.Tensor) -> torch.Tensor:
    return x * x.sigmoid()


swish.register_fake(torch.empty_like)


class UnknownWrite(nn.Module):
    """Operators no reader can know: one that only writes, to memory that is read before, through a view and to choose a branch; one that only computes."""

    def __init__(self):
        super().__init__()
        self.register_buffer("memory", torch.zeros(4, 3))

    def forward(self, x):
        before = self.memory + 1
        view = self.memory.view(-1)
        y = torch.ops.data.swish(x)
        torch.ops.data.store(self.memory, x)
        chosen = torch.cond(self.memory.sum() > 3, lambda a: a + 1, lambda a: a - 1, (x,))
        return chosen, view * 2, before, y, x * 3


@model
def unknown_write():
    return UnknownWrite(), (torch.ones(2, 3),), {}, None, {}


class EmptyBatch(nn.Module):
    """A vmap over no example."""

    def forward(self, x):
        def double(row):
            return row * 2 + 1

        return torch.vmap(double)(x[2:])


@model
def empty_batch():
    return EmptyBatch(), (torch.ones(2, 3),), {}, None, {}


class NanSources(nn.Module):
    """Two places that make NaN, which meet in one value and part again."""

    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(2, 3))

    def forward(self, x, y):
        root = torch.sqrt(x)  # NaN in row 0
        ratio = y / y  # NaN in row 1
        joined = torch.cat([root * 2, ratio.t().contiguous().t()], dim=1)
        rows = joined @ torch.ones(6, 2)
        self.total.add_(root + ratio)
        chosen = torch.where(x < 0, ratio, root)  # of row 0 the finite one
        return rows[0], F.softmax(rows, dim=1)[1], self.total[0] + 1, chosen


@model
def nan_sources():
    return NanSources(), (torch.tensor([[1.0, -4.0, 9.0], [1.0, 1.0, 1.0]]), torch.tensor([[2.0, 2.0, 2.0], [3.0, 3.0, 0.0]])), {}, None, {}


class Resized(nn.Module):
    """resize_ gives the object itself another shape; a view of its memory stays."""

    def forward(self, x):
        y = x.clone()
        flat = y.view(-1)
        y.relu_()
        y.resize_(3, 3)
        y[2].fill_(5.0)
        return y * 2, flat + 1


@model
def resized():
    return Resized(), (torch.tensor([[-1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]),), {}, None, {}


class Renumbered(nn.Module):
    """Decomposed, other operators have the names: the old mul is mul_1, and mul a part of addcmul."""

    def forward(self, x, y):
        a = torch.addcmul(x, x, y)
        b = x * y
        c = torch.addcmul(b, a, y)
        return a + b * c


@model
def renumbered():
    return Renumbered(), (torch.tensor([1.0, -2.0]), torch.tensor([0.5, 3.0])), {}, None, {"decompose": True}


class MaskedRows(nn.Module):
    """NaN made of Inf: by rows that are masked throughout, and of single elements by operators that mix those of one slice."""

    def forward(self, x, mask, wide, signal):
        scores = x.masked_fill(mask, float("-inf"))
        rows = F.softmax(scores, dim=-1)
        logs = F.log_softmax(scores, dim=-1)
        columns = torch.softmax(scores, dim=0)
        spread = wide.var(-1, keepdim=True)  # of float16: Inf of its own in row 2
        sums = torch.cumsum(signal, -1)
        windows = F.conv1d(signal, torch.ones(1, 3, 3))
        normed = F.layer_norm(signal, (3, 6))
        return rows @ x, logs, columns, spread, sums, windows, normed, signal.transpose(1, 2) @ torch.ones(3, 2), torch.sort(signal, -1)[0]


@model
def masked_rows():
    mask = torch.ones(4, 4, dtype=torch.bool).triu(1)
    mask[2] = True
    wide = torch.tensor([[60000.0, -60000.0, torch.inf, 1.0], [1.0, 2.0, 3.0, 4.0], [60000.0, -60000.0, 60000.0, -60000.0]], dtype=torch.float16)
    signal = torch.arange(18.0).reshape(3, 1, 6).transpose(0, 1).contiguous()
    signal[0, 1, 3] = torch.inf
    return MaskedRows(), (torch.arange(16.0).reshape(4, 4), mask, wide, signal), {}, None, {}


class LoopToNan(nn.Module):
    """The root of a negative number in the sixth turn of a loop; a map whose second call makes NaN."""

    def forward(self, i, x):
        i, y = torch._higher_order_ops.while_loop(lambda i, x: i < 6, lambda i, x: (i + 1, torch.sqrt(x - 0.5)), (i, x))
        return y.sum(), torch._higher_order_ops.map(lambda row: torch.log(row), x.reshape(3, 1) - torch.tensor([[1.0], [10.0], [1.0]])) * 2


@model
def loop_to_nan():
    return LoopToNan(), (torch.tensor(0), torch.tensor([4.0, 9.0, 16.0])), {}, None, {}


class TwoOrigins(nn.Module):
    """NaN of two more origins in values that hold an inherited one: 0/0, and the root of a negative number."""

    def forward(self, x, c):
        z = torch.log(x) / c
        return F.relu(z), torch.sqrt(z)


@model
def two_origins():
    return TwoOrigins(), (torch.tensor([-1.0, 1.0, 2.0, 0.5]), torch.tensor([1.0, 0.0, 1.0, 1.0])), {}, None, {}


class NonzeroRows(nn.Module):
    """A count that nothing limits: its range ends at sys.maxsize - 1, the range of a size without a limit has no end."""

    def forward(self, x):
        return x.nonzero()


@model
def nonzero_rows():
    return NonzeroRows(), (torch.tensor([0.0, 2.0, 3.0]),), {}, ({0: torch.export.Dim.DYNAMIC},), {}
