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


torch.manual_seed(0)
os.makedirs("pairs", exist_ok=True)
for name, module, inputs in (("aliasing", Aliasing(), (torch.arange(6.0).reshape(2, 3),)), ("attention", Attention(), (torch.randn(1, 4, 8),))):
    exported = torch.export.export(module, inputs)
    torch.export.save(exported, f"pairs/{name}.pt2")
    torch.export.save(exported.run_decompositions(), f"pairs/{name}_decomposed.pt2")
