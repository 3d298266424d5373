"""Writes pairs/: programs before and after decomposition, for comparing them in both orders. Run in this folder with PyTorch 2.13."""
import os

import torch


class Aliasing(torch.nn.Module):
    """Views of memory that is written to later: functionalisation makes them anew, and drops the writes."""

    def forward(self, x):
        y = x.clone()
        row = y[0]
        flat = y.view(-1)
        kept = y.reshape(3, 2)
        flat.add_(1)
        row.mul_(2)
        y[:, 1:].fill_(0.5)
        turned = y.t()
        return turned + 1, kept, flat, row, y.detach()


class Attention(torch.nn.Module):
    """Composites, one to several and several to one."""

    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(8)
        self.attention = torch.nn.MultiheadAttention(8, 2, batch_first=True)

    def forward(self, x):
        y = self.norm(x)
        a, b = y.chunk(2, 1)
        return self.attention(y, y, y)[0], torch.nn.functional.gelu(a * 0.5 + b)


class Renumbered(torch.nn.Module):
    """Views whose names decomposition gives to others: view_1 was made from linear, view_2 from view."""

    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(8, 8)
        self.b = torch.nn.Linear(8, 8)

    def forward(self, x):
        left = self.a(x).view(2, 3, 2, 4).transpose(1, 2)
        right = self.b(x).view(2, 3, 2, 4).transpose(1, 2)
        return (left * right).transpose(1, 2).reshape(2, 3, 8).view(6, 8).view(3, 2, 8)


@torch.compiler.nested_compile_region
def region(x):
    return x.sin() + 1


class Repeated(torch.nn.Module):
    """One region called three times: the file holds its graph once per call."""

    def forward(self, x):
        return region(region(region(x)))


class Relation(torch.nn.Module):
    """Asserts of a relation between sizes, which decomposition makes again beside those there are."""

    def forward(self, x, y):
        torch._check(x.shape[0] * 2 == y.shape[0])
        return y.view(2, -1) + x


class Normed(torch.nn.Module):
    """Dynamo gives nodes names that others have in the exported graph: `to` is the third one there, the view after the write has one less before it."""

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(8))
        self.register_buffer("cache", torch.zeros(6, 2, 4))

    def norm(self, x):
        return (x.float() * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-6)).to(x.dtype) * self.weight

    def forward(self, x, at):
        heads = self.norm(x).view(6, 2, 4)
        self.cache[at] = heads.view(2, 3, 2, 4)[:1]
        return self.norm(torch.sin(self.cache + heads).view(6, 8).view(3, 16).view(6, 8))


class Written(torch.nn.Module):
    """Inputs that are written to and returned as views, one of them twice."""

    def forward(self, x, kept):
        kept[1:3] = x[0, :2]
        kept.mul_(2)
        flat = kept.view(-1)
        flat[0] = -1
        turned = x.t()
        turned.add_(1)
        return flat, flat, turned[0], x


def without(program, *keys):
    for module in program.graph_module.modules():
        for node in module.graph.nodes if isinstance(module, torch.fx.GraphModule) else ():
            for key in keys:
                node.meta.pop(key, None)
    return program


torch.manual_seed(0)
os.makedirs("pairs", exist_ok=True)
for name, module, inputs in (("aliasing", Aliasing(), (torch.arange(6.0).reshape(2, 3),)), ("attention", Attention(), (torch.randn(1, 4, 8),))):
    exported = torch.export.export(module, inputs)
    torch.export.save(exported, f"pairs/{name}.pt2")
    torch.export.save(exported.run_decompositions(), f"pairs/{name}_decomposed.pt2")

exported = torch.export.export(Written(), (torch.randn(4, 2), torch.zeros(4)))
torch.export.save(without(exported, "stack_trace"), "pairs/written.pt2")
torch.export.save(without(exported.run_decompositions(), "stack_trace"), "pairs/written_decomposed.pt2")

# One model exported with Dynamo and without: the provenance of the strict programs tells of Dynamo's graph.
for name, strict in (("normed", False), ("normed_strict", True)):
    exported = torch.export.export(Normed(), (torch.randn(6, 8), torch.tensor([0, 2, 4])), strict=strict)
    torch.export.save(without(exported, "stack_trace"), f"pairs/{name}.pt2")
    torch.export.save(without(exported.run_decompositions(), "stack_trace"), f"pairs/{name}_decomposed.pt2")

# A program whose provenance tells of a third one, and the same without metadata: the names of the third are those of other nodes here.
renumbered = without(torch.export.export(Renumbered(), (torch.randn(2, 3, 8),)).run_decompositions(), "stack_trace")
torch.export.save(renumbered, "pairs/renumbered.pt2")
torch.export.save(without(renumbered, "nn_module_stack", "from_node", "torch_fn", "source_fn_stack"), "pairs/renumbered_stripped.pt2")

relation = torch.export.export(Relation(), (torch.randn(3), torch.randn(6)), dynamic_shapes=({0: torch.export.Dim.DYNAMIC}, {0: torch.export.Dim.DYNAMIC}),
                               prefer_deferred_runtime_asserts_over_guards=True)
for name, exported in (("repeated", torch.export.export(Repeated(), (torch.randn(3),), strict=True)), ("relation", relation)):
    torch.export.save(without(exported, "stack_trace"), f"pairs/{name}.pt2")
    torch.export.save(without(exported.run_decompositions(), "stack_trace"), f"pairs/{name}_decomposed.pt2")
