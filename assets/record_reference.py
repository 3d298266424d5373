#!/usr/bin/env python3
"""Records every intermediate value of a PyTorch program, as a reference for pt2scope.

    python3 record_reference.py MODEL.pt2 -o OUT.safetensors            # its sample inputs
    python3 record_reference.py MODEL.pt2 --inputs X.pt -o OUT.npz      # a tuple of arguments, or a dict by name, saved with torch.save
    pt2scope run MODEL.pt2 --reference OUT.safetensors

or from Python, for an ExportedProgram or, under forward hooks, for any module:

    from record_reference import record, record_module, save
    save("out.safetensors", record(exported_program, args, kwargs))
    save("out.npz", record_module(module, args, kwargs, program=exported_program))

Keys are the names of the exported graph's nodes: `relu`; `split#0`, `split#1` for lists and tuples; `body_graph_0@2/add` for a node in the
third call of a sub-graph; `output#0` what the program returns; `final/buffer` the value after the run of each input that was written to.
Only PyTorch (and for .npz NumPy) is needed. Needs Python 3.9 and PyTorch 2.1 or later.
"""
import argparse
import copy
import json
import struct
import sys

import torch


def flatten(key, value, into):
    """A value as the tensors it is recorded as."""
    if isinstance(value, torch.Tensor):
        into[key] = value.detach().clone()
    elif isinstance(value, (list, tuple)):
        for i, item in enumerate(value):
            flatten(f"{key}#{i}", item, into)
    elif isinstance(value, bool):
        into[key] = torch.tensor(value)
    elif isinstance(value, int):
        into[key] = torch.tensor(value, dtype=torch.int64)
    elif isinstance(value, float):
        into[key] = torch.tensor(value, dtype=torch.float64)
    # Strings, None and others have no place in a file of tensors.


class Recorder(torch.fx.Interpreter):
    """Runs a graph module node by node; sub-graphs of higher-order operators too, each call under a prefix of its own."""

    def __init__(self, module, values, prefix="", calls=None):
        super().__init__(module, garbage_collect_values=False)
        self.values, self.prefix, self.calls = values, prefix, {} if calls is None else calls

    def get_attr(self, target, args, kwargs):
        value = super().get_attr(target, args, kwargs)
        return self.recording(target, value) if isinstance(value, torch.fx.GraphModule) else value

    def recording(self, name, module):
        outer = self

        class Body(torch.nn.Module):
            def forward(self, *args):
                path = outer.prefix + name
                number = outer.calls[path] = outer.calls.get(path, -1) + 1
                return Recorder(module, outer.values, f"{path}@{number}/", outer.calls).run(*args)

        return Body()

    def call_function(self, target, args, kwargs):
        name = getattr(target, "_name", None) or getattr(target, "__name__", "")
        plain = PLAIN.get(name)
        if plain and any(isinstance(a, torch.nn.Module) for a in args):
            return plain(*args, **kwargs)
        return super().call_function(target, args, kwargs)

    def run_node(self, n):
        value = super().run_node(n)
        if n.op in ("placeholder", "call_function"):
            flatten(self.prefix + n.name, value, self.values)
        return value


def plain_cond(predicate, true_fn, false_fn, operands=()):
    taken = bool(predicate.item()) if isinstance(predicate, torch.Tensor) else bool(predicate)
    return (true_fn if taken else false_fn)(*operands)


def plain_while_loop(cond_fn, body_fn, carried, additional=()):
    carried = tuple(carried)
    while bool(cond_fn(*carried, *additional)):
        carried = tuple(body_fn(*carried, *additional))
    return carried


# PyTorch's own compile a body before they run it; the same in plain Python calls it, which can be watched.
PLAIN = {"cond": plain_cond, "while_loop": plain_while_loop}


def inputs_of(program, args, kwargs):
    """The values of the graph's placeholders, in order, parameters and buffers first as the signature says."""
    given = dict(program.state_dict)
    given.update(getattr(program, "constants", None) or getattr(program, "tensor_constants", None) or {})
    # Aliases stay aliases, and the program itself is not written to.
    given = copy.deepcopy(given)
    from torch.utils import _pytree

    user_names = [n.name for n, spec in zip((n for n in program.graph.nodes if n.op == "placeholder"), program.graph_signature.input_specs) if spec.kind.name == "USER_INPUT"]
    if kwargs and not args and set(kwargs) <= set(user_names):  # as files of inputs name them: those left out are the sample's
        sample = _pytree.tree_flatten(program.example_inputs)[0] if program.example_inputs else [None] * len(user_names)
        args, kwargs = [kwargs.get(name, value) for name, value in zip(user_names, sample)], {}
    order = getattr(program.call_spec, "in_spec", None)
    if kwargs and order is not None and order.type is tuple and len(order.children_specs if hasattr(order, "children_specs") else order.children()) == 2:
        names = (order.children_specs if hasattr(order, "children_specs") else order.children())[1].context
        kwargs = {name: kwargs[name] for name in names}
    users = list(_pytree.tree_leaves((args, kwargs)) if hasattr(_pytree, "tree_leaves") else _pytree.tree_flatten((args, kwargs))[0])
    users = [u.clone() if isinstance(u, torch.Tensor) else u for u in users]
    values = []
    for spec in program.graph_signature.input_specs:
        values.append(users.pop(0) if spec.kind.name == "USER_INPUT" else given.get(spec.target))
    return values


def record(program, args=None, kwargs=None):
    """Every value of an ExportedProgram, by node name; with its sample inputs where none are given."""
    if args is None:
        if not program.example_inputs:
            raise ValueError("the program holds no sample inputs: give some")
        args, kwargs = program.example_inputs
    inputs = inputs_of(program, tuple(args), dict(kwargs or {}))
    before = [v.clone() if isinstance(v, torch.Tensor) else None for v in inputs]
    values = {}
    try:
        with torch.no_grad():
            results = Recorder(program.graph_module, values).run(*inputs)
    except Exception as error:
        error.recorded_values = values  # up to the node that failed
        raise
    results = list(results) if isinstance(results, (list, tuple)) else [results]
    for i, result in enumerate(results):
        flatten(f"output#{i}", result, values)
    names = [n.name for n in program.graph.nodes if n.op == "placeholder"]
    targets = {}
    for name, spec, value, was in zip(names, program.graph_signature.input_specs, inputs, before):
        targets[spec.target or name] = name
        if isinstance(value, torch.Tensor) and not torch.equal(value, was):
            flatten(f"final/{name}", value, values)
    for spec, result in zip(program.graph_signature.output_specs, results):
        if spec.kind.name.endswith("MUTATION") and spec.target in targets:
            flatten(f"final/{targets[spec.target]}", result, values)
    return values


def record_module(module, args=(), kwargs=None, program=None):
    """The outputs of a module's submodules under forward hooks. With the program that was exported from it, each takes the name of the node
    that ends the submodule's call there; without, `path` of the submodule (`path@1` for its second call)."""
    outputs, calls = {}, {}

    def hook(path):
        def remember(_, __, output):
            number = calls[path] = calls.get(path, -1) + 1
            outputs[path + (f"@{number}" if number else "")] = output

        return remember

    handles = [m.register_forward_hook(hook(path)) for path, m in module.named_modules() if path]
    try:
        with torch.no_grad():
            result = module(*copy.deepcopy(args), **copy.deepcopy(kwargs or {}))
    finally:
        for handle in handles:
            handle.remove()
    values = {}
    if program is None:
        for path, output in outputs.items():
            flatten(path, output, values)
    else:
        for path, name in last_nodes(program).items():
            if isinstance(outputs.get(path), torch.Tensor):
                flatten(name, outputs[path], values)
    # User outputs only: a module returns no mutations.
    kinds = [s.kind.name for s in program.graph_signature.output_specs] if program is not None else []
    leaves = torch.utils._pytree.tree_flatten(result)[0]
    for i, leaf in enumerate(leaves):
        flatten(f"output#{i + sum(k != 'USER_OUTPUT' for k in kinds)}", leaf, values)
    return values


def last_nodes(program):
    """Module call -> the node of the exported graph that gives its result: the last in it that is read from outside it."""
    def paths(node):
        stack = [entry[0] if isinstance(entry, tuple) else entry for entry in (node.meta.get("nn_module_stack") or {}).values()]
        return {p for p in stack if p}

    found = {}
    for node in program.graph.nodes:
        if node.op != "call_function":
            continue
        for path in paths(node):
            if any(path not in paths(user) for user in node.users):
                found[path] = node.name
    return found


DTYPES = {"bool": "BOOL", "uint8": "U8", "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64", "uint16": "U16", "uint32": "U32", "uint64": "U64",
          "float16": "F16", "bfloat16": "BF16", "float32": "F32", "float64": "F64", "float8_e4m3fn": "F8_E4M3", "float8_e5m2": "F8_E5M2"}


def raw(tensor):
    """The elements of a dense copy, as bytes, without NumPy."""
    dense = tensor.detach().cpu().contiguous()
    if dense.numel() == 0:
        return b""
    return bytes(dense.reshape(-1).view(torch.uint8).untyped_storage()[: dense.numel() * dense.element_size()])


def save_safetensors(path, values):
    header, complex_keys, blobs, at = {}, [], [], 0
    for key, tensor in values.items():
        tensor = tensor.detach().resolve_conj().resolve_neg() if tensor.layout == torch.strided else tensor.detach().to_dense()
        tensor = tensor.clone(memory_format=torch.contiguous_format)
        if tensor.is_complex():
            tensor = torch.view_as_real(tensor).contiguous()
            complex_keys.append(key)
        name = str(tensor.dtype).replace("torch.", "")
        if tensor.is_quantized or name not in DTYPES:
            print(f"left out {key}: no place for {tensor.dtype} in a .safetensors file", file=sys.stderr)
            continue
        blob = raw(tensor)
        header[key] = {"dtype": DTYPES[name], "shape": list(tensor.shape), "data_offsets": [at, at + len(blob)]}
        blobs.append(blob)
        at += len(blob)
    header["__metadata__"] = {"complex": ",".join(complex_keys), "torch": torch.__version__}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        for blob in blobs:
            f.write(blob)


def save_npz(path, values):
    import numpy

    arrays = {}
    for key, tensor in values.items():
        if tensor.dtype in (torch.bfloat16,) or tensor.is_quantized:
            print(f"left out {key}: NumPy has no {tensor.dtype}", file=sys.stderr)
        else:
            arrays[key] = tensor.detach().resolve_conj().cpu().numpy()
    numpy.savez(path, **arrays)


def save(path, values):
    """Writes .safetensors or .npz, as the name says."""
    if path.endswith(".npz"):
        save_npz(path, values)
    elif path.endswith(".safetensors"):
        save_safetensors(path, values)
    else:
        raise ValueError("the name should end in .safetensors or .npz")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="a .pt2 file written by torch.export.save")
    parser.add_argument("-o", "--output", required=True, help="OUT.safetensors or OUT.npz")
    parser.add_argument("--inputs", help="a tuple of positional arguments, or a dict of keyword arguments or of placeholder names, written by torch.save")
    parser.add_argument("--seed", type=int, help="torch.manual_seed before the run")
    options = parser.parse_args()
    try:
        import torch.ao.quantization.fx._decomposed  # noqa: F401  the operators of quantized programs
    except ImportError:
        pass
    program = torch.export.load(options.model)
    args, kwargs = None, None
    if options.inputs:
        given = torch.load(options.inputs)
        args, kwargs = ((), given) if isinstance(given, dict) else (tuple(given) if isinstance(given, (list, tuple)) else (given,), {})
    if options.seed is not None:
        torch.manual_seed(options.seed)
    try:
        values, failed = record(program, args, kwargs), None
    except Exception as error:
        values, failed = getattr(error, "recorded_values", {}), error
    if not failed or values:
        save(options.output, values)
        print(f"{len(values)} values in {options.output}")
    if failed:
        raise failed


if __name__ == "__main__":
    main()
