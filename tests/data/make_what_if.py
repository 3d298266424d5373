#!/usr/bin/env python3
"""Writes what_if.npz: values of programs of programs/ with edits, by PyTorch itself.

Each key is `edit/node`: the value of `node` when the program runs with the edit, through torch.fx.Interpreter on its sample inputs.
Made with PyTorch 2.13.0.
"""
import os

import numpy
import torch

HERE = os.path.dirname(os.path.abspath(__file__))


class Edited(torch.fx.Interpreter):
    def __init__(self, module, values, arguments):
        super().__init__(module)
        self.edited_values, self.edited_arguments, self.seen = values, arguments, {}

    def run_node(self, n):
        if n.name in self.edited_arguments:
            index, argument = self.edited_arguments[n.name]
            n.args = tuple(argument if i == index else a for i, a in enumerate(n.args))
        value = self.edited_values[n.name](self) if n.name in self.edited_values else super().run_node(n)
        if isinstance(value, torch.Tensor):
            self.seen[n.name] = value.detach().clone()
        return value


def run(program, values={}, arguments={}, inputs=None):
    ep = torch.export.load(os.path.join(HERE, "programs", program + ".pt2"))
    args = inputs or ep.example_inputs[0]
    given = dict(ep.state_dict, **ep.constants)
    flat, users = [], list(args)
    for spec in ep.graph_signature.input_specs:
        flat.append(given[spec.target] if spec.target else users.pop(0))
    interpreter = Edited(ep.graph_module, values, arguments)
    with torch.no_grad():
        interpreter.run(*flat)
    return interpreter.seen


def elements_of_relu(i):
    value = i.env[next(n for n in i.module.graph.nodes if n.name == "linear_1")].relu()
    value[0, :2] = 7
    return value


def main():
    cases = {
        "linear_2=0": run("shared_module", {"linear_2": lambda i: torch.zeros(2, 3)}),
        "relu=relu*2": run("shared_module", {"relu": lambda i: i.env[next(n for n in i.module.graph.nodes if n.name == "linear_1")].relu() * 2}),
        "relu=relu*2,x=ones": run("shared_module", {"relu": lambda i: i.env[next(n for n in i.module.graph.nodes if n.name == "linear_1")].relu() * 2}, inputs=(torch.ones(2, 3),)),
        "relu[0,:2]=7,x=ones": run("shared_module", {"relu": elements_of_relu}, inputs=(torch.ones(2, 3),)),
        "x=ones": run("shared_module", inputs=(torch.ones(2, 3),)),
        "mul_=3": run("mutations", arguments={"mul_": (1, 3)}),
        "lt=9": run("nan_sources", arguments={"lt": (1, 9)}),
    }
    numpy.savez_compressed(os.path.join(HERE, "what_if.npz"), **{f"{case}/{name}": value.numpy() for case, seen in cases.items() for name, value in seen.items()})


if __name__ == "__main__":
    main()
