"""pt2scope from Python: look at an exported program, and hold a run of it against PyTorch's.

    import pt2scope
    ep = torch.export.export(model, (x,))
    pt2scope.show(ep)             # opens the window; in a notebook the graph as a picture
    pt2scope.record(ep, (x,))     # runs it in PyTorch, and opens the window with these inputs and every value as the reference

Each takes an ExportedProgram or the path of a .pt2 file and returns a View. The program `pt2scope` is found on the PATH, or by the
environment variable PT2SCOPE. No dependency but PyTorch: put this folder on PYTHONPATH, or copy this file and record_reference.py next to
your code.
"""
import atexit
import os
import shutil
import subprocess
import sys
import tempfile

__all__ = ["show", "record", "View"]


def _program():
    name = os.environ.get("PT2SCOPE") or shutil.which("pt2scope")
    if not name:
        raise FileNotFoundError("the program pt2scope is not on the PATH; set PT2SCOPE to where it is")
    return name


def _in_notebook():
    """Whether the last value of a cell is shown as HTML."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and hasattr(shell, "kernel")


def _has_display():
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class View:
    """A program in a file, and what can be shown of it."""

    def __init__(self, path, inputs=None, reference=None, folder=None):
        self.path, self.inputs, self.reference = path, inputs, reference
        self.process = None
        self._folder = folder
        if folder:
            atexit.register(self._clean)

    def open(self, *options):
        """Opens the window, which lives on by itself. `options`: of the command line, such as "--layout", "debug"."""
        command = [_program(), self.path, *options]
        if self.inputs:
            command += ["--inputs", self.inputs]
        if self.reference:
            command += ["--reference", self.reference]
        # Nothing of the script's: who reads its output would wait for the window to close.
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        return self

    def svg(self, *options):
        """The graph as a picture. `options`: of `pt2scope render`, such as "--fold", "modules"."""
        return self._output("render", self.path, "--format", "svg", "-o", "-", *options)

    def text(self, format="readable"):
        """What `pt2scope print` gives."""
        return self._output("print", self.path, "--format", format)

    @staticmethod
    def _output(*arguments):
        done = subprocess.run([_program(), *arguments], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip() or f"pt2scope ended with status {done.returncode}")
        return done.stdout

    def _repr_html_(self):
        svg = self.svg()
        return f'<div style="max-height:80vh;overflow:auto">{svg[svg.find("<svg"):]}</div>'

    def __repr__(self):
        return f"pt2scope.View({self.path!r})"

    def _clean(self):
        # A window that is still open goes on reading its file.
        if self.process is None or self.process.poll() is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def _saved(program):
    """The path of the program's file, and the folder made for it."""
    if isinstance(program, (str, os.PathLike)):
        return os.fspath(program), None
    import torch

    folder = tempfile.mkdtemp(prefix="pt2scope-")
    path = os.path.join(folder, "program.pt2")
    torch.export.save(program, path)
    return path, folder


def _shown(view):
    if not _in_notebook():
        if not _has_display():
            raise RuntimeError("there is no display; the methods svg() and text() of pt2scope.View(path) need none")
        view.open()
    return view


def show(program):
    """Opens the window on a program; in a notebook the returned View shows its graph."""
    path, folder = _saved(program)
    return _shown(View(path, folder=folder))


def record(program, args=None, kwargs=None, seed=None):
    """Runs a program in PyTorch, node by node, and opens the window with the same inputs and every value as the reference: a run there
    marks the first node that differs. Without arguments the program's example inputs are taken."""
    import torch

    import record_reference

    path, folder = _saved(program)
    exported = torch.export.load(path) if folder is None else program
    if folder is None:
        folder = tempfile.mkdtemp(prefix="pt2scope-")
    if seed is not None:
        torch.manual_seed(seed)
    values = record_reference.record(exported, args, kwargs)
    users = set(exported.graph_signature.user_inputs)
    inputs, reference = os.path.join(folder, "inputs.safetensors"), os.path.join(folder, "reference.safetensors")
    record_reference.save(inputs, {name: value for name, value in values.items() if name in users})
    record_reference.save(reference, values)
    return _shown(View(path, inputs, reference, folder))
