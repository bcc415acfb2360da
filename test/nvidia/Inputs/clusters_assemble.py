# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assembles products of clusters with ptxas: `clusters_assemble.py TILEWRIGHT FOLDER` fails if registers are spilled, or if
ptxas serialises instructions, of which its notes C75xx inform."""

import re
import subprocess
import sys

from clusters import grids, ordered, tiles
from warpgroup_kernels import Case, text_of
from warpgroup_loops import persistent
from warpgroups import folder, run


def large():
    """Tiles whose accumulators take 128 registers of each thread."""
    for element, total in (("f16", "f32"), ("bf16", "f32"), ("f16", "f16")):
        yield Case(f"256x256x64, {element}, {total}", element=element, total=total, tile=(256, 256, 64))
    yield persistent((256, 256, 64))


def main() -> None:
    assembled = 0
    for case in (case for group in (large, tiles, grids, ordered) for case in group()):
        source, ptx = folder / "k.mlir", folder / "k.ptx"
        source.write_text(text_of(case))
        run("compile", source, "--target", "sm_90a", "--emit", "ptx", "-o", ptx)
        if ".blocksareclusters" not in ptx.read_text():
            sys.exit(f"{case.name}: it must be a cluster")
        done = subprocess.run(["ptxas", "-v", "-arch=sm_90a", ptx, "-o", folder / "k.cubin"], capture_output=True, text=True)
        spilled = re.findall(r"(\d+) bytes spill", done.stderr)
        if done.returncode or not spilled or any(map(int, spilled)) or re.search(r"C75\d\d", done.stderr):
            sys.exit(f"{case.name}:\n{done.stderr}")
        assembled += 1
    print(f"{assembled} assembled")


if __name__ == "__main__":
    main()
