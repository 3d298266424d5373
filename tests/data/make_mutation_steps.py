#!/usr/bin/env python3
"""Writes mutating/steps.npz: what the values of the programs of mutating/ hold: at first, and after each node that changed them, by PyTorch itself.

Keys: `program/node/value`, where `node` wrote to the memory of `value` or made it. On the programs' sample inputs. Made with PyTorch 2.13.0.
"""
import glob
import os

import numpy
import torch

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mutating")


class Watch(torch.fx.Interpreter):
    def __init__(self, module, program, found):
        super().__init__(module, garbage_collect_values=False)
        self.program, self.found, self.held = program, found, {}

    def run_node(self, n):
        value = super().run_node(n)
        for owner, tensor in [*self.env.items(), (n, value)]:
            if not isinstance(tensor, torch.Tensor):
                continue
            now = tensor.detach().clone()
            before = self.held.get(owner.name)
            if before is None or not torch.equal(before, now):
                self.found[f"{self.program}/{n.name}/{owner.name}"] = now.numpy()
                self.held[owner.name] = now
        return value


def main():
    found = {}
    for path in sorted(glob.glob(os.path.join(HERE, "*.pt2"))):
        ep = torch.export.load(path)
        given = dict(ep.state_dict, **ep.constants)
        users = list(torch.utils._pytree.tree_flatten(ep.example_inputs)[0])
        flat = [given[s.target] if s.target else users.pop(0) for s in ep.graph_signature.input_specs]
        with torch.no_grad():
            Watch(ep.graph_module, os.path.basename(path)[:-4], found).run(*flat)
    numpy.savez_compressed(os.path.join(HERE, "steps.npz"), **found)


if __name__ == "__main__":
    main()
