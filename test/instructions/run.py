# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Do kernels still execute as many instructions as counts.json says?

Speed varies from run to run, counted instructions do not. Each case is compiled for the CPU (x86-64-v3) and
executed by one thread under callgrind, and compiled for a GPU (sm_90a) and executed on the PTX machine. A count
that differs by more than 1 % in either direction fails: a slower kernel is a regression, and a faster one is to
be written down, so that it cannot get lost again. --update writes the counts, and prints what has changed.
"""

import argparse
import array
import json
import pathlib
import platform
import re
import string
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[2]
COUNTS = pathlib.Path(__file__).with_name("counts.json")
TOLERANCE = 0.01
CPU, GPU = "x86-64-v3", "sm_90a"
CODES = {"f32": "f", "i32": "i"}  # of module array; f16 has none


@dataclass
class Case:
    name: str
    file: str  # from the root of the repository
    grid: str
    arguments: list[str | int]  # "1024xf32" for an array, else a scalar i32
    values: dict = field(default_factory=dict)  # of $N and the like in the file

    @property
    def entry(self) -> str:
        return re.search(r"entry @(\w+)", self.text)[1]

    @property
    def text(self) -> str:
        text = (ROOT / self.file).read_text()
        return string.Template(text).substitute(self.values) if self.values else text


def vector(size: int) -> list:
    return [f"{size}xf32", size, 1]


def matrix(rows: int, columns: int, kind: str = "f32") -> list:
    return [f"{rows * columns}x{kind}", rows, columns, columns, 1]


ROW = dict(N=1024, share=1 / 1024)
GEMM = dict(T="f32", S="f32", TM=64, TN=64, TK=32, mma="mmaf", signs="", nothing="0.0")

CASES = [
    Case("vector_add", "examples/vector_add.mlir", "16", vector(16384) * 3),
    Case("addition", "bench/kernels/addition.mlir", "2", vector(32768) * 3),
    Case("softmax", "examples/softmax.mlir", "32", matrix(32, 1000) * 2),
    Case("softmax of whole rows", "bench/kernels/softmax.mlir", "32", ["32768xf32", "32768xf32", 32], {"N": 1024}),
    Case("layer_norm", "bench/kernels/layer_norm.mlir", "32", ["32768xf32", "2048xf32", "32768xf32", 32],
         ROW),
    Case("rms_norm", "bench/kernels/rms_norm.mlir", "32", ["32768xf32", "1024xf32", "32768xf32", 32], ROW),
    Case("swiglu", "bench/kernels/swiglu.mlir", "16", ["16384xf32"] * 3 + [16384], {"N": 1024}),
    Case("transpose", "bench/kernels/transpose.mlir", "4,4", ["65536xf32", "65536xf32", 256, 256],
         {"TM": 64, "TN": 64}),
    Case("matmul f16", "examples/matmul.mlir", "4,4", matrix(128, 128, "f16") * 2 + matrix(128, 128)),
    Case("gemm f32", "bench/kernels/gemm.mlir", "2,2", ["16384xf32"] * 3 + [128, 128, 128], GEMM),
    Case("product", "bench/kernels/product.mlir", "2,2", matrix(128, 128) * 3),
]


def run(*command, **options) -> subprocess.CompletedProcess:
    ended = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if ended.returncode:
        raise SystemExit(f"instructions: {' '.join(map(str, command))}\nexit status {ended.returncode}: "
                         f"{ended.stderr.strip()}")
    return ended


class Counter:
    def __init__(self, programs: pathlib.Path, folder: pathlib.Path):
        self.tilewright = programs / "tilewright"
        self.libraries = programs.parent / "lib"
        self.folder = folder
        self.launcher = folder / "launcher"
        self.has_cpu = platform.machine() == "x86_64"
        if self.has_cpu:
            run("cc", "-O1", f"-I{ROOT}", ROOT / "test/cpu/Inputs/launcher.c", f"-L{self.libraries}",
                f"-Wl,-rpath,{self.libraries}", "-ltilewright-runtime", "-o", self.launcher)

    def counts(self, case: Case) -> dict[str, int]:
        file = self.folder / "kernel.mlir"
        file.write_text(case.text)
        counts = {GPU: self.on_ptx(case, file)}
        if self.has_cpu:
            counts[CPU] = self.on_cpu(case, file)
        return counts

    def on_cpu(self, case: Case, file: pathlib.Path) -> int:
        library = self.folder / "kernel.so"
        run(self.tilewright, "compile", file, "--target", f"cpu={CPU}", "-o", library)
        slots = [self.slot(number, argument) for number, argument in enumerate(case.arguments)]
        ended = run("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                    f"--toggle-collect={case.entry}_entry", self.launcher, library, f"{case.entry}_kernel",
                    f"{case.grid},1", 1, *slots)
        return int(re.search(r"Collected : (\d+)", ended.stderr)[1])

    def slot(self, number: int, argument: str | int) -> pathlib.Path | str:
        """As launcher.c takes it: a file for an array, the bits of a scalar."""
        if isinstance(argument, int):
            return hex(argument)
        size, kind = argument.split("x")
        file = self.folder / f"{number}.bin"
        if kind == "f16":
            file.write_bytes(bytes(2 * int(size)))
        else:
            file.write_bytes(array.array(CODES[kind], (at % 64 for at in range(int(size)))).tobytes())
        return file

    def on_ptx(self, case: Case, file: pathlib.Path) -> int:
        counters = self.folder / "counters.json"
        arguments = [f"--arg={argument if isinstance(argument, int) else f'zeros({argument})'}"
                     for argument in case.arguments]
        run(self.tilewright, "run", file, "--device", "ptx", "--target", GPU, "--grid", case.grid,
            f"--counters={counters}", *arguments)
        return json.loads(counters.read_text())["instructions"]


def changes(name: str, counts: dict[str, int], expected: dict[str, int]) -> list[str]:
    """A line for each count that is not as expected."""
    lines = []
    for target, count in counts.items():
        before = expected.get(target)
        if before is None:
            lines.append(f"{name} on {target}: {count} instructions, and no count before")
        elif abs(count - before) > TOLERANCE * before:
            lines.append(f"{name} on {target}: {count} instructions, expected {before} ({count / before - 1:+.1%})")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="the folder of the programs")
    parser.add_argument("--update", action="store_true", help="write counts.json")
    options = parser.parse_args()
    expected = json.loads(COUNTS.read_text()) if COUNTS.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        counter = Counter(options.programs.resolve(), pathlib.Path(folder))
        found = {case.name: counter.counts(case) for case in CASES}
    changed = [line for name, counts in found.items() for line in changes(name, counts, expected.get(name, {}))]
    print("\n".join(changed))
    if options.update:
        merged = {name: expected.get(name, {}) | counts for name, counts in found.items()}
        COUNTS.write_text(json.dumps(merged, indent=2) + "\n")
        return 0
    gone = sorted(expected.keys() - found.keys())
    for name in gone:
        print(f"{name}: counts.json has it, and there is no such case")
    print(f"{len(found)} kernels, {len(changed) + len(gone)} differences")
    return 1 if changed or gone else 0


if __name__ == "__main__":
    sys.exit(main())
