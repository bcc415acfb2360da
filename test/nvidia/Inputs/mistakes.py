# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutation testing: checks that mistakes planted in the compiler's PTX are detected.

Each mistake is an edit of one place. It is detected if the PTX machine reports something, or if the result
differs. `mistakes.py TILEWRIGHT FOLDER EXAMPLES`
"""

import pathlib
import re
import subprocess
import sys

import numpy as np

from products import folder, kernel, run, tilewright

examples = pathlib.Path(sys.argv[3])
rng = np.random.default_rng(2)


def ptx_of(source: pathlib.Path) -> str:
    return run("compile", source, "--target", "sm_80", "--emit", "ptx", "-o", "-")


def outcome(text: str, arguments: list) -> str:
    """The machine's report, or the bytes of the result."""
    threads = re.search(r"\.reqntid (\d+)", text)[1]
    (folder / "mistake.ptx").write_text(text)
    done = subprocess.run([tilewright, "ptx", folder / "mistake.ptx", "--block", threads,
                           *(word for a in arguments for word in ("--arg", a))], capture_output=True, text=True)
    if done.returncode == 3:
        return "finding"
    if done.returncode:
        sys.exit(f"exit status {done.returncode}: {done.stdout}{done.stderr}")
    return np.load(folder / "out.npy").tobytes().hex()


def plant(name: str, text: str, arguments: list, mistakes: list) -> None:
    right = outcome(text, arguments)
    if right == "finding":
        sys.exit(f"{name}: there is a finding without a mistake")
    for what, pattern, replacement in mistakes:
        places = list(re.finditer(pattern, text, re.M))
        found = sum(outcome(text[:place.start()] + place.expand(replacement) + text[place.end():], arguments) != right
                    for place in places)
        print(f"{name}: {what}: {found} of {len(places)} found")


# A product whose operands are loaded in chunks.
product = folder / "product.mlir"
product.write_text(kernel("f16", "f32", (128, 32, 512)))
arrays = []
for name, shape in (("a", (128, 512)), ("b", (512, 32))):
    np.save(folder / f"{name}.npy", rng.integers(-3, 4, shape).astype(np.float16))
    arrays.append(folder / f"{name}.npy")
arrays += ["zeros(128x32xf32)", f"empty(128x32xf32),out={folder / 'out.npy'}"]
plant("product", ptx_of(product), arrays, [
    ("a barrier less", r"^\s*(bar|barrier)\.[\w.]*sync[^;]*;$", ""),
    ("rows for columns", r"\.trans", ""),
    ("pieces of 16 bytes of another row", r"(xor\.b32\s+%r\d+), (%r\d+), %r\d+;", r"\1, \2, 16;"),
])

# A row is reduced twice: across the lanes of a warp, then across warps.
# The maximum is in the last lane, so that the first one, which writes the warp's result, needs every shuffle.
row = rng.standard_normal((1, 1000)).astype(np.float32)
row[0, 127] = 10
np.save(folder / "x.npy", row)
plant("softmax", ptx_of(examples / "softmax.mlir"),
      [folder / "x.npy", "1", "1000", "1000", "1", f"empty(1x1000xf32),out={folder / 'out.npy'}", "1", "1000", "1000",
       "1"], [
    ("a barrier less", r"^\s*(bar|barrier)\.[\w.]*sync[^;]*;$", ""),
    ("a shuffle from the same lane", r"(shfl\.sync\.bfly\.b32[^;]*), \d+, 31, -1;", r"\1, 0, 31, -1;"),
])
