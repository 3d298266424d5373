#!/usr/bin/env python3
"""Opens, shows, runs and compares programs with pt2scope and with PyTorch, in one run and in alternation, and prints the ratios and whether
the goals are met.

usage: run.py BUILD_DIR [MODELS_DIR] [--rounds N] [--threads N] [--only REGEX] [--busy] [--no-run]

BUILD_DIR was configured with -DPT2_BENCH=ON. MODELS_DIR holds resnet50.pt2, gpt2.pt2 and llama32.pt2, or whatever .pt2 files are of
interest; without it only the programs made here are measured. --no-run leaves the runs out: opening, showing and comparing alone. PyTorch is the peer: where it is not installed
its side is skipped. Every figure is the median of N rounds (A B A B, default 7) after one that does not count. On a busy machine the clock
measures the neighbours: --busy lets the peer's threads wait without spinning and holds the goals against processor time.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import scale

MB = 1e6
# Anonymous megabytes while every value is kept; the run against PyTorch eager, which keeps nothing; milliseconds to open; milliseconds from
# the start of the process to the first picture and its peak of resident megabytes; milliseconds to unfold everything and to compare.
GOALS = {
    "resnet50": {"run": 0.9, "memory": 160},
    "gpt2": {"run": 1.0, "memory": 270, "open": 10, "picture": 250, "picture_memory": 150},
    "llama32": {"picture": 300},
    "llama32_decomp": {"open": 80, "compare": 500},
    "synth10k": {"picture": 500, "picture_memory": 200, "unfold": 500},
    "synth50k": {"open": 900, "picture": 1500, "picture_memory": 300, "unfold": 2000, "compare": 5000},
    "big": {"picture": 250, "picture_memory": 100},
}
NODE_GOAL_US = 2.0
TINY_NODES = 10_000
SLOW_LOAD_NODES = 8_000  # torch.export.load takes 2 ms a node: beyond, its side is left out


class Lines:
    """A program that answers each line with a line of numbers."""

    def __init__(self, command):
        environment = dict(os.environ, PYTHONWARNINGS="ignore")
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{line}: no answer")
        return [float(x) for x in answer.split()]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


# ---- The peer's side, in a process of its own -------------------------------------------------------------------------------------------

def tiny_module(torch):
    """The chain of run_bench's `:tiny`."""
    graph = torch.fx.Graph()
    last = other = graph.placeholder("x")
    aten = torch.ops.aten
    for i in range(TINY_NODES):
        before = last
        arguments = (last, other) if i % 4 in (0, 3) else (last,)
        target = (aten.add.Tensor, aten.relu.default, aten.neg.default, aten.mul.Tensor)[i % 4]
        last = graph.call_function(target, arguments)
        if i % 4 == 1:
            other = before
    graph.output((last,))
    return torch.fx.GraphModule(torch.nn.Module(), graph), (torch.randn(2, 8),)


def serve_peer(path, threads):
    import torch

    torch.set_num_threads(threads)
    if path == ":tiny":
        module, arguments = tiny_module(torch)
    else:
        program = torch.export.load(path)
        module, arguments = program.module(), program.example_inputs[0]

    class Keep(torch.fx.Interpreter):
        def run_node(self, node):
            value = self.kept[node.name] = super().run_node(node)
            return value

    def interpret():
        interpreter = Keep(module, garbage_collect_values=False)
        interpreter.kept = {}
        interpreter.run(*arguments)
        return interpreter.kept

    def opened():
        return torch.export.load(path)

    work = {"eager": lambda: module(*arguments), "interpret": interpret, "open": opened}
    with torch.no_grad():
        for line in sys.stdin:
            command = line.strip()
            if command == "memory":
                kept = interpret()
                anonymous = re.search(r"RssAnon:\s*(\d+)", open("/proc/self/status").read())
                print(anonymous.group(1), flush=True)
                del kept
                continue
            wall, cpu = time.perf_counter(), time.process_time()
            result = work[command]()
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            print(wall * 1e3, cpu * 1e3, flush=True)
            del result


# ---- Measuring and printing -------------------------------------------------------------------------------------------------------------

class Table:
    def __init__(self):
        self.missed = 0

    def row(self, what, ours, peer="", ratio="", goal="", reached=None):
        word = "" if reached is None else "reached" if reached else "MISSED"
        self.missed += reached is False
        print(f"{what:<34} {ours:>14} {peer:>14} {ratio:>16} {goal:>12} {word}", flush=True)


def medians(answers):
    return [statistics.median(column) for column in zip(*answers)]


def alternate(rounds, sides):
    """sides: (process, command) or None for an absent peer. Their medians, after one round that does not count."""
    answers = [[] for _ in sides]
    for i in range(rounds + 1):
        for side, collected in zip(sides, answers):
            if side:
                answer = side[0].ask(side[1])
                if i > 0:
                    collected.append(answer)
    return [medians(a) if a else None for a in answers]


def ms(times):
    return f"{times[0]:.1f} ms"


def ratio_text(ours, peer):
    return f"{ours[0] / peer[0]:.2g}x ({ours[1] / peer[1]:.2g}x)"


def process(command):
    """Milliseconds on the clock and peak resident megabytes of one process, from its start to its end."""
    begin = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ, PYTHONWARNINGS="ignore"))
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {child.returncode}")
    return (time.perf_counter() - begin) * 1e3, usage.ru_maxrss * 1024 / MB


def measure_picture(table, name, path, arguments, build, has_peer):
    """From nothing to the graph on screen; the peer only loads."""
    goals = GOALS.get(name, {})
    with tempfile.NamedTemporaryFile("w", suffix=".steps") as script:
        script.write("wait idle\n")
        script.flush()
        show = [os.path.join(build, "pt2scope"), path, "--offscreen", "--script", script.name]
        process(show)
        mine = medians([process(show) for _ in range(max(5, arguments.rounds))])
    theirs = process([sys.executable, "-c", f"import torch; torch.export.load({path!r})"]) if has_peer else None
    for what, i, unit, goal in (("process start -> picture : loaded", 0, "ms", goals.get("picture")), ("peak resident memory of it", 1, "MB", goals.get("picture_memory"))):
        table.row("  " + what, f"{mine[i]:.0f} {unit}", f"{theirs[i]:.0f} {unit}" if theirs else "", f"{mine[i] / theirs[i]:.2g}x" if theirs else "",
                  f"<= {goal} {unit}" if goal else "", mine[i] <= goal if goal else None)

    answers = scale.measure(os.path.join(build, "scale_bench"), path)
    for what, key in (("unfold everything", "unfold"), ("a frame, all in sight", "whole_median"), ("a frame, zoomed in", "near_median"), ("search", "search"), ("compare with itself", "compare")):
        goal = goals.get(key)
        table.row(f"  {what}", f"{answers[key]:.2f} ms", "", "", f"<= {goal} ms" if goal else "", answers[key] <= goal if goal else None)


def measure_program(table, name, path, arguments, bench, peer_command):
    goals = GOALS.get(name, {})
    judged = 1 if arguments.busy else 0  # which of (clock, processor) the goals are held against
    ours = Lines([bench, path, str(arguments.threads)])
    peer = Lines(peer_command + [path]) if peer_command else None
    rounds = arguments.rounds

    if path != ":tiny":
        nodes = ours.ask("open")[2]
        small = nodes < SLOW_LOAD_NODES
        mine, theirs = alternate(rounds if small else 5, [(ours, "open"), (peer, "open") if peer and small else None])
        goal = goals.get("open")
        table.row(f"  open ({mine[2]:,.0f} nodes)", ms(mine), ms(theirs) if theirs else "", ratio_text(mine, theirs) if theirs else "",
                  f"<= {goal} ms" if goal else "", mine[judged] <= goal if goal else None)

    mine, eager, interpreted, plain = alternate(rounds, [(ours, "run"), (peer, "eager") if peer else None, (peer, "interpret") if peer else None, (ours, "plain")])
    goal = goals.get("run")
    table.row("  run, every value kept : eager", ms(mine), ms(eager) if eager else "", ratio_text(mine, eager) if eager else "", f"<= {goal}x" if goal else "",
              mine[judged] <= goal * eager[judged] if goal and eager else None)
    if interpreted:
        table.row("  run, every value kept : FX keeping", ms(mine), ms(interpreted), ratio_text(mine, interpreted))
    table.row("  run, nothing kept : eager", ms(plain), ms(eager) if eager else "", ratio_text(plain, eager) if eager else "")
    if path == ":tiny":
        for what, times in (("every value kept", mine), ("nothing kept", plain)):
            us = times[1] * 1e3 / TINY_NODES  # processor time: what a node costs
            table.row(f"  a node, {what}", f"{us:.2f} us", f"{eager[1] * 1e3 / TINY_NODES:.2f} us" if eager else "", "", f"<= {NODE_GOAL_US} us", us <= NODE_GOAL_US)
    ours.close()
    if peer:
        peer.close()

    fresh = Lines([bench, path, str(arguments.threads)])
    peak = fresh.ask("memory")[0] * 1024 / MB
    fresh.close()
    theirs = None
    if peer_command:
        fresh = Lines(peer_command + [path])
        theirs = fresh.ask("memory")[0] * 1024 / MB
        fresh.close()
    goal = goals.get("memory")
    table.row("  anonymous memory, every value kept", f"{peak:.0f} MB", f"{theirs:.0f} MB" if theirs else "", f"{peak / theirs:.2g}x" if theirs else "",
              f"<= {goal} MB" if goal else "", peak <= goal if goal else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="the build directory")
    parser.add_argument("models", nargs="?", help="a directory with .pt2 files")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", help="a regular expression of names")
    parser.add_argument("--no-run", action="store_true", help="leave the runs out")
    parser.add_argument("--busy", action="store_true", help="the machine has other work: judge by processor time")
    parser.add_argument("--peer", action="store_true", help=argparse.SUPPRESS)  # BUILD is then the file to serve
    arguments = parser.parse_args()
    if arguments.peer:
        return serve_peer(arguments.build, arguments.threads)

    if arguments.busy:
        os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
    bench = os.path.join(arguments.build, "run_bench")
    if not os.path.exists(bench):
        sys.exit(f"{bench} is not there: configure with -DPT2_BENCH=ON and build run_bench")
    has_peer = subprocess.run([sys.executable, "-c", "import torch"], capture_output=True).returncode == 0
    if not has_peer:
        print("PyTorch is not installed for this Python: its side is skipped.")
    peer_command = [sys.executable, os.path.abspath(__file__), "--peer", "--threads", str(arguments.threads)] if has_peer else None
    model = re.search(r"model name\s*:\s*(.*)", open("/proc/cpuinfo").read())
    print(f"{model.group(1) if model else 'a processor'}, {os.cpu_count()} processors, {arguments.threads} threads, medians of {arguments.rounds}; "
          "ratios of time on the clock (of processor time)")
    table = Table()
    table.row("", "pt2scope", "PyTorch", "ratio", "goal")

    programs = [("10,000 tiny operators", ":tiny")]
    if arguments.models:
        programs += [(f[:-4], os.path.join(arguments.models, f)) for f in sorted(os.listdir(arguments.models)) if f.endswith(".pt2")]
    for name, path in programs:
        if arguments.only and not re.search(arguments.only, name):
            continue
        print(f"\n{name}")
        if path != ":tiny":
            measure_picture(table, name, path, arguments, arguments.build, has_peer)
        if not arguments.no_run:
            measure_program(table, name, path, arguments, bench, peer_command)
    layout = os.path.join(arguments.build, "layout_bench")
    if os.path.exists(layout) and not arguments.only:
        print("\nscenes and layouts, processor time", flush=True)
        subprocess.run([layout])
    return 1 if table.missed else 0


if __name__ == "__main__":
    sys.exit(main())
