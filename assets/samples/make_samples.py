#!/usr/bin/env python3
"""Writes the bundled sample programs (needs PyTorch 2.13; never part of the build).

conv_bn_relu.pt2             as torch.export.export gives it, with sample inputs
conv_bn_relu_decomposed.pt2  the same program after run_decompositions()
conv_bn_relu_nan.pt2         a negative running variance makes batch_norm's fourth channel NaN: the "first NaN" exercise
"""
import linecache
import pathlib

import torch

SOURCE = '''\
import torch.nn as nn
import torch.nn.functional as F


class ConvBnReLU(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3, padding=1)
        self.bn = nn.BatchNorm2d(16)
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.relu(self.bn(self.conv(x)))
'''
# Stack traces name this file and show its lines, wherever the script runs.
NAME = "conv_bn_relu.py"
linecache.cache[NAME] = (len(SOURCE), None, SOURCE.splitlines(True), NAME)
space = {"__name__": "conv_bn_relu"}
exec(compile(SOURCE, NAME, "exec"), space)

here = pathlib.Path(__file__).parent


def make(nan):
    torch.manual_seed(0)
    model = space["ConvBnReLU"]().eval()
    with torch.no_grad():
        model.bn.running_mean.uniform_(-0.2, 0.2)
        model.bn.running_var.uniform_(0.5, 1.5)
        if nan:
            model.bn.running_var[3] = -1.0
    return torch.export.export(model, (torch.randn(1, 3, 32, 32),))


def save(program, name):
    """Saves with the library's own frames named from its package on, not from where it is installed."""
    site = str(pathlib.Path(torch.__file__).parent.parent) + "/"
    for node in program.graph.nodes:
        if "stack_trace" in node.meta:
            node.meta["stack_trace"] = node.meta["stack_trace"].replace(site, "")
    torch.export.save(program, here / name)


program = make(nan=False)
decomposed = program.run_decompositions()
save(program, "conv_bn_relu.pt2")
save(decomposed, "conv_bn_relu_decomposed.pt2")
save(make(nan=True), "conv_bn_relu_nan.pt2")
