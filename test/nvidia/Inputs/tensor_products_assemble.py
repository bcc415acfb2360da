# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Assembles products by `tcgen05.mma` of all element types and of large tiles with ptxas, for all targets that have it.

`tensor_products_assemble.py TILEWRIGHT FOLDER` fails if ptxas refuses one, or if it spills registers.
"""

import re
import subprocess
import sys

from tensor_products import initials, large, tiles, types
from warpgroup_kernels import text_of
from warpgroups import folder, run


def main() -> None:
    assembled = 0
    cases = [case for group in (tiles, types, large, initials) for case in group()]
    for case in cases[::3]:
        source = folder / "k.mlir"
        source.write_text(text_of(case))
        for target in ("sm_100a", "sm_103a", "sm_110a"):
            ptx = folder / "k.ptx"
            run("compile", source, "--target", target, "--emit", "ptx", "-o", ptx)
            has_kind = not (target == "sm_103a" and case.element == "i8")
            if ("tcgen05.mma" in ptx.read_text()) != has_kind:
                sys.exit(f"{case.name} for {target}: it must {'' if has_kind else 'not '}use tcgen05.mma")
            done = subprocess.run(["ptxas", "-v", f"-arch={target}", ptx, "-o", folder / "k.cubin"], capture_output=True, text=True)
            spilled = re.findall(r"(\d+) bytes spill", done.stderr)
            if done.returncode or not spilled or any(map(int, spilled)):
                sys.exit(f"{case.name} for {target}:\n{done.stderr}")
            assembled += 1
    print(f"{assembled} assembled")


if __name__ == "__main__":
    main()
