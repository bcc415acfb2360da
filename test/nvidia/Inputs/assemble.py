# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""assemble.py TILEWRIGHT FOLDER FILE...: compiles each file for each target, and assembles the PTX with ptxas. Fails if
something is refused, or if ptxas spills registers."""

import pathlib
import re
import subprocess
import sys

TARGETS = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90a", "sm_100a", "sm_103a", "sm_110a", "sm_120a")


def main(tilewright: str, folder: str, *files: str) -> int:
    assembled = 0
    for file in files:
        for target in TARGETS:
            ptx = pathlib.Path(folder) / f"{pathlib.Path(file).stem}-{target}.ptx"
            subprocess.run([tilewright, "compile", file, "--target", target, "-o", str(ptx)], check=True)
            ended = subprocess.run(["ptxas", "-v", f"-arch={target}", str(ptx), "-o", str(ptx.with_suffix(".cubin"))],
                                   capture_output=True, text=True)
            spilled = [int(bytes) for bytes in re.findall(r"(\d+) bytes spill", ended.stderr)]
            if ended.returncode or any(spilled) or not spilled:
                print(f"{file} for {target}:\n{ended.stderr}", file=sys.stderr)
                return 1
            assembled += 1
    print(f"{assembled} assembled")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
