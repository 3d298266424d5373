#!/usr/bin/env python3
"""How cost grows with the size of the program: opens, shows, unfolds, searches, folds, runs and compares with itself each file, one process a file.

usage: scale.py BUILD_DIR FILE.pt2 …

BUILD_DIR was configured with -DPT2_BENCH=ON (target scale_bench). Files of one kind and several sizes, NAME_1000.pt2 … NAME_50000.pt2, are
followed by what a node costs in the largest compared with the smallest: 1.0 is linear. Milliseconds on the clock, MiB of peak resident memory.
"""
import argparse
import os
import re
import subprocess
import sys

COLUMNS = ["open", "picture", "unfold", "boxes", "whole_median", "near_median", "near_max", "select_median", "search", "fold", "run", "compare"]
MEMORY = ["open_mib", "picture_mib", "unfold_mib", "run_mib", "compare_mib"]


def measure(bench, path):
    answers = {}
    for arguments in ([path], [path, "compare"]):
        out = subprocess.run([bench, *arguments], capture_output=True, text=True).stdout
        for line in out.splitlines():
            name, _, value = line.partition(" ")
            if name == "failed":
                print(f"{path}: {value}", file=sys.stderr)
            else:
                answers[name] = float(value)
    return answers


def cell(value):
    return "-" if value is None else f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def print_table(title, columns, rows):
    print(f"\n{title}\n\n| program | nodes | " + " | ".join(columns) + " |\n" + "| --- " * (len(columns) + 2) + "|")
    for name, answers in rows:
        print(f"| {name} | {answers.get('nodes', 0):,.0f} | " + " | ".join(cell(answers.get(c)) for c in columns) + " |")


def growth(rows):
    kinds = {}
    for name, answers in rows:
        kind = re.sub(r"_?\d+$", "", name)
        kinds.setdefault(kind, []).append(answers)
    for kind, members in kinds.items():
        small, large = min(members, key=lambda a: a["nodes"]), max(members, key=lambda a: a["nodes"])
        if large["nodes"] > small["nodes"] * 2:
            per_node = {c: (large[c] / large["nodes"]) / (small[c] / small["nodes"]) for c in ("open", "picture", "unfold", "run", "compare") if small.get(c) and large.get(c)}
            print(f"{kind}: a node of {large['nodes']:,.0f} costs against one of {small['nodes']:,.0f}: " + ", ".join(f"{c} {r:.2g}x" for c, r in per_node.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    bench = os.path.join(arguments.build, "scale_bench")
    if not os.path.exists(bench):
        sys.exit(f"{bench} is not there: configure with -DPT2_BENCH=ON and build scale_bench")
    rows = []
    for path in arguments.files:
        rows.append((os.path.basename(path)[:-4], measure(bench, path)))
    print_table("Milliseconds", COLUMNS, rows)
    print_table("Peak resident memory after the step, MiB", MEMORY, rows)
    print()
    growth(rows)


if __name__ == "__main__":
    main()
