#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many machine instructions does an iteration of a product take?

Compiles kernels for a GPU, assembles them with `ptxas`, and disassembles them with `nvdisasm` (PyPI: nvidia-cuda-nvdisasm).
For each innermost loop with matrix instructions or with copies by tensor maps, it prints how many instructions, and how many
of these, are between its label and its last backward branch. What waits for an mbarrier a second time lies elsewhere.

    scripts/loop_instructions.py --target sm_100a --nvdisasm PATH KERNEL.mlir ...
"""

import argparse
import os
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
INSTRUCTION = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)(?:.*`\((\.L_x_\d+)\))?")
LABEL = re.compile(r"(\.L_x_\d+):$")
COUNTED = re.compile(r"(UTC\w*MMA|[A-Z]*GMMA|HMMA|IMMA|QMMA|OMMA|DMMA|UTMALDG|UTCBAR|SYNCS|BAR|LDSM|LDS|STS|LDG|STG)\b")
INTERESTING = re.compile(r"MMA|UTMALDG")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernels", nargs="+", type=pathlib.Path)
    parser.add_argument("--target", required=True)
    parser.add_argument("--nvdisasm", default="nvdisasm")
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build/bin")
    arguments = parser.parse_args()
    for kernel in arguments.kernels:
        for instructions in loops(disassembled(kernel, arguments)):
            kinds = {}
            for name in instructions:
                if found := COUNTED.match(name):
                    kinds[found[1]] = kinds.get(found[1], 0) + 1
            print(f"{kernel.name}: {len(instructions)} instructions:", ", ".join(f"{n} {kind}" for kind, n in kinds.items()))


def disassembled(kernel: pathlib.Path, arguments) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        cubin = os.path.join(folder, "kernel.cubin")
        subprocess.run([arguments.programs / "tilewright", "compile", kernel, "--target", arguments.target, "--emit", "cubin",
                        "-o", cubin], check=True)
        return subprocess.run([arguments.nvdisasm, "-c", cubin], check=True, capture_output=True, text=True).stdout.splitlines()


def loops(lines: list[str]) -> list[list[str]]:
    """The names of the instructions of each innermost loop that is of interest."""
    labels, names, ends = {}, [], {}
    for line in lines:
        if label := LABEL.match(line.strip()):
            labels[label[1]] = len(names)
        elif found := INSTRUCTION.search(line):
            names.append(found[1])
            if found[1].startswith("BRA") and found[2] in labels:
                ends[labels[found[2]]] = len(names)
    inner = [(first, end) for first, end in ends.items()
             if not any((first, end) != (a, b) and first <= a and b <= end for a, b in ends.items())]
    bodies = [names[first:end] for first, end in sorted(inner)]
    return [body for body in bodies if any(INTERESTING.search(name) for name in body)]


if __name__ == "__main__":
    main()
