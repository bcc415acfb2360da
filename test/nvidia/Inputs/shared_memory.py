# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the forms of shared memory on a product of bf16 tiles of 128x128x64, whose stages need more than 48 KiB.

`shared_memory.py TILEWRIGHT ROOT FOLDER` runs it on the PTX machine and compares with NumPy: integers, so that sums are
exact, and extents that are no multiples of the tiles. With `--cubin`, it prints the sizes in cubins; with `--gpu`, it runs on a GPU.
"""

import pathlib
import re
import string
import struct
import subprocess
import sys

import numpy as np

tilewright, root, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
M, N, K = 136, 200, 328
SOURCE = folder / "product.mlir"


def run(*words: object) -> str:
    done = subprocess.run([tilewright, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def plan_of(target: str, form: str) -> str:
    return run("compile", SOURCE, "--target", target, "--shared-memory", form, "--emit", "plan")


def is_right(*options: str) -> tuple[bool, str]:
    """Whether the sums are those of NumPy, and the remarks."""
    random = np.random.default_rng(7)
    a, b = (random.integers(-4, 5, shape).astype(np.float16) for shape in ((M, K), (K, N)))
    np.save(folder / "a.npy", a)
    np.save(folder / "b.npy", b)
    said = run("run", SOURCE, *options, "--grid", f"{-(-M // 128)},{-(-N // 128)}", "--arg", folder / "a.npy",
               "--arg", folder / "b.npy", "--arg", f"zeros({M}x{N}xf32),out={folder / 'c.npy'}",
               *(word for extent in (M, N, K) for word in ("--arg", extent)))
    return np.array_equal(np.load(folder / "c.npy"), a.astype(np.float32) @ b.astype(np.float32)), said


def results(target: str, form: str) -> int:
    """How many schedules are right."""
    return sum(is_right("--device", "ptx", "--target", target, "--shared-memory", form, "--schedule", schedule)[0]
               for schedule in ("up", "down", "random"))


def sizes_in(elf: bytes, name: bytes) -> tuple[int, list[int]]:
    """The size of a section, and those of the loaded segments without bytes in the file that start where it does."""
    segments, sections = struct.unpack_from("<QQ", elf, 0x20)
    segment_step, segment_count, step, count, strings = struct.unpack_from("<HHHHH", elf, 0x36)
    texts, = struct.unpack_from("<Q", elf, sections + strings * step + 0x18)
    for header in range(sections, sections + count * step, step):
        if elf[texts + struct.unpack_from("<I", elf, header)[0]:].startswith(name + b"\0"):
            offset, size = struct.unpack_from("<QQ", elf, header + 0x18)
    loaded = []
    for header in range(segments, segments + segment_count * segment_step, segment_step):
        kind, _, begin, _, _, in_file, in_memory, _ = struct.unpack_from("<IIQQQQQQ", elf, header)
        if kind == 1 and begin == offset and not in_file:
            loaded.append(in_memory)
    return size, loaded


text = string.Template((root / "bench/kernels/gemm.mlir").read_text())
SOURCE.write_text(text.substitute(T="f16", S="f32", TM=128, TN=128, TK=64, mma="mmaf", signs="", nothing="0.0"))
if "--cubin" in sys.argv:
    for target in ("sm_80", "sm_89"):
        run("compile", SOURCE, "--target", target, "--shared-memory", "cubin", "-o", folder / "k.cubin")
        of_section, of_segments = sizes_in((folder / "k.cubin").read_bytes(), b".nv.shared.gemm")
        print(f"{target}: {of_section} bytes in the section, {' and '.join(map(str, of_segments))} in its segment")
    sys.exit()
if "--gpu" in sys.argv:
    right, said = is_right("--device", "gpu", "--remarks", *sys.argv[sys.argv.index("--gpu") + 1:])
    size = re.search(r"\d+ bytes of (dynamic )?shared memory", said)[0]
    sys.exit(print(f"launched with {size}; the sums are {'right' if right else 'wrong'}"))
run("compile", SOURCE, "--target", "sm_80", "--shared-memory", "dynamic", "-o", folder / "dynamic.ptx")
for target, form in (("sm_80", "dynamic"), ("sm_86", "dynamic"), ("sm_80", "static")):
    plan = plan_of(target, form)
    size = re.search(r"\d+ bytes of (dynamic )?shared memory", plan)[0]
    way = re.search(r"\d+ pipeline stages of \d+ bytes|copied immediately before the product", plan)[0]
    print(f"{target}, {form}: {size}, {way}; {results(target, form)} schedules agree")
