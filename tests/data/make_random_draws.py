#!/usr/bin/env python3
"""Writes random/: a program that draws from every distribution in several dtypes and sizes, and the checksum of what PyTorch draws.

    python make_random_draws.py

random/draws.pt2 returns one tensor per draw. random/draws.tsv has a line per output: its name and the CRC-32 of the bytes of its value after
torch.manual_seed(7). Sizes lie on both sides of the vectorised blocks. Made with PyTorch 2.13.0.
"""
import os
import zlib

import torch
import torch.nn.functional as F

OUT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "random")
SIZES = (1, 15, 16, 17, 1000, 40001)
FLOATS = (torch.float32, torch.float64, torch.float16, torch.bfloat16)
INTEGERS = (torch.int64, torch.int32, torch.uint8)


def draws():
    """name -> function that draws"""
    found = {}

    def add(name, function, *keys):
        found["_".join([name] + [str(key).removeprefix("torch.") for key in keys])] = function

    for n in SIZES:
        for d in FLOATS:
            add("rand", lambda n=n, d=d: torch.rand(n, dtype=d), n, d)
            add("randn", lambda n=n, d=d: torch.randn(n, dtype=d), n, d)
            add("uniform", lambda n=n, d=d: torch.empty(n, dtype=d).uniform_(-2, 3), n, d)
            add("exponential", lambda n=n, d=d: torch.empty(n, dtype=d).exponential_(0.7), n, d)
            add("normal", lambda n=n, d=d: torch.empty(n, dtype=d).normal_(1, 2), n, d)
            add("bernoulli", lambda n=n, d=d: torch.bernoulli(torch.full((n,), 0.4, dtype=d)), n, d)
            add("bernoulli_p", lambda n=n, d=d: torch.empty(n, dtype=d).bernoulli_(0.3), n, d)
            add("dropout", lambda n=n, d=d: F.dropout(torch.ones(n, dtype=d), 0.3, True), n, d)
        for d in (torch.float32, torch.float64, torch.bfloat16):
            add("rrelu", lambda n=n, d=d: F.rrelu(-torch.ones(n, dtype=d), 0.1, 0.3, True), n, d)
        for d in INTEGERS + (torch.float32,):
            add("randint", lambda n=n, d=d: torch.randint(3, 101, (n,), dtype=d), n, d)
        add("randint_wide", lambda n=n: torch.randint(-(2**40), 2**40, (n,)), n)
        add("randperm", lambda n=n: torch.randperm(n), n)
        add("normal_of_tensors", lambda n=n: torch.normal(torch.arange(n).float(), torch.ones(n) * 2), n)
        add("normal_of_mean", lambda n=n: torch.normal(torch.arange(n).float(), 1.5), n)
        add("normal_of_std", lambda n=n: torch.normal(0.5, torch.ones(n) * 2), n)
        add("multinomial_replaced", lambda n=n: torch.multinomial(torch.arange(1, n + 1).float(), 20, True), n)
        add("multinomial_one", lambda n=n: torch.multinomial(torch.arange(1, n + 1).float(), 1), n)
        add("multinomial", lambda n=n: torch.multinomial(torch.arange(1, 2 * n + 1).double().view(2, n), min(n, 13)), n)
        add("geometric", lambda n=n: torch.empty(n).geometric_(0.3), n)
        add("log_normal", lambda n=n: torch.empty(n).log_normal_(0.3, 0.5), n)
        add("cauchy", lambda n=n: torch.empty(n).cauchy_(0.3, 0.5), n)
        add("poisson", lambda n=n: torch.poisson(torch.full((n,), 3.3)), n)
    return found


class Draws(torch.nn.Module):
    def forward(self):
        return tuple(draw() for draw in draws().values())


def checksum(tensor):
    return zlib.crc32(tensor.contiguous().view(torch.uint8).numpy().tobytes())


def main():
    os.makedirs(OUT, exist_ok=True)
    program = torch.export.export(Draws(), (), strict=False)
    for node in program.graph.nodes:
        for key in ("stack_trace", "nn_module_stack", "torch_fn", "source_fn_stack"):
            node.meta.pop(key, None)
    torch.export.save(program, os.path.join(OUT, "draws.pt2"))
    torch.manual_seed(7)
    values = program.module()()
    with open(os.path.join(OUT, "draws.tsv"), "w", encoding="utf-8") as f:
        for name, value in zip(draws(), values, strict=True):
            f.write(f"{name}\t{checksum(value):08x}\n")


if __name__ == "__main__":
    main()
