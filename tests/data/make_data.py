#!/usr/bin/env python3
"""Writes programs/: small exported programs and the texts PyTorch itself prints for them.

    python make_data.py [NAME ...]

For each model of models.py: programs/<name>.pt2 by torch.export.save, and what the program that torch.export.load gives back prints:
<name>.graph.txt (str(ep.graph), then each sub-graph after a line `=== name`), <name>.readable.txt (str(ep)) and
<name>.signature.txt (str(ep.graph_signature)) and <name>.module.txt (str(ep.module().graph)). two_programs.pt2 is an archive of two with an extra file.
Made with PyTorch 2.13.0.

torch_save/ holds files of tensors in the format of before PyTorch 1.6.

releases/<version>/ holds files that torch.export.save of that release wrote; <name>.graph.txt is the graph as PyTorch 2.13 prints it after a
load, or for files that 2.13 refuses (2.1 to 2.5) as their own release does.
"""
import linecache
import os
import re
import sys

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "programs")


def load_models():
    """models.py under its bare name, so that no folder of this machine gets into stack traces."""
    with open(os.path.join(HERE, "models.py"), encoding="utf-8") as f:
        source = f.read()
    linecache.cache["models.py"] = (len(source), None, source.splitlines(True), "models.py")
    module = type(sys)("models")
    sys.modules["models"] = module
    exec(compile(source, "models.py", "exec"), module.__dict__)
    return module


def without_folders(text):
    return re.sub(r'File "[^"]*/(?=site-packages/|models\.py)', 'File "', text)


def scrub(program):
    for graph_module in program.graph_module.modules():
        if isinstance(graph_module, torch.fx.GraphModule):
            for node in graph_module.graph.nodes:
                if "stack_trace" in node.meta:
                    node.meta["stack_trace"] = without_folders(node.meta["stack_trace"])


def export(build):
    torch.manual_seed(0)
    module, args, kwargs, shapes, options = build()
    module.train(options.get("train", False))
    program = torch.export.export(module, args, kwargs, dynamic_shapes=shapes, strict=options.get("strict", False))
    if options.get("decompose"):
        program = program.run_decompositions()
    scrub(program)
    return program


def write_text(name, text):
    with open(os.path.join(OUT, name), "w", encoding="utf-8") as f:
        f.write(text)


def main():
    models = load_models().MODELS
    os.makedirs(OUT, exist_ok=True)
    for name in sys.argv[1:] or models:
        path = os.path.join(OUT, name + ".pt2")
        torch.export.save(export(models[name]), path)
        program = torch.export.load(path)
        parts = [str(program.graph)]
        for child, module in program.graph_module.named_modules():
            if child and isinstance(module, torch.fx.GraphModule):
                parts += ["=== " + child, str(module.graph)]
        write_text(name + ".graph.txt", "\n".join(parts))
        write_text(name + ".readable.txt", str(program))
        write_text(name + ".signature.txt", str(program.graph_signature))
        write_text(name + ".module.txt", str(program.module().graph))
    torch.export.pt2_archive._package.package_pt2(
        os.path.join(OUT, "two_programs.pt2"),
        exported_programs={"first": export(models["conv_bn_train"]), "second": export(models["constant_inputs"])},
        extra_files={"notes/read me.txt": "café"},
    )
    legacy_torch_save()


def legacy_torch_save():
    """torch_save/legacy.pt: the format of before PyTorch 1.6; protocol_4.pt: the same by a newer pickle protocol."""
    base = torch.arange(12, dtype=torch.float32)
    value = {
        "weight": torch.nn.Parameter(base.view(3, 4) / 8),
        "row": base[4:8],
        "base": base,
        "count": torch.tensor(7),
        "half": torch.tensor([0.5, -2.0], dtype=torch.bfloat16),
        "state": {"step": 3, "flags": torch.tensor([True, False, True])},
    }
    folder = os.path.join(HERE, "torch_save")
    os.makedirs(folder, exist_ok=True)
    torch.save(value, os.path.join(folder, "legacy.pt"), _use_new_zipfile_serialization=False)
    torch.save(value, os.path.join(folder, "protocol_4.pt"), _use_new_zipfile_serialization=False, pickle_protocol=4)


if __name__ == "__main__":
    main()
