# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares random reductions and scans that share their loops with the reference machine, bit for bit
except for NaNs: maxima and minima of floats, sums of integers, argmax, for several types of different
widths in one kernel. Arguments: tilewright, a folder, names of CPUs."""

import pathlib
import random
import subprocess
import sys

import numpy as np

PROGRAM, FOLDER, CPUS = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
KERNELS = 24
TYPES = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "f32": np.float32,
         "f64": np.float64}


class Kernel:
    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.columns = self.random.choice([2, 4, 8, 16, 64, 256])
        self.body: list[str] = []
        self.arrays: list[tuple[str, str, tuple[int, ...]]] = []  # name, type, shape
        types = [self.random.choice(list(TYPES)) for _ in range(self.random.choice([1, 2, 3]))]
        self.loaded = [(self.load(k, of), of) for k, of in enumerate(types)]
        self.inputs = len(self.arrays)
        for _ in range(self.random.randint(1, 4)):
            value, of = self.random.choice(self.loaded)
            self.random.choice([self.reduce, self.reduce, self.index, self.scan])(value, of)

    def view(self, of: str, shape: tuple[int, ...]) -> tuple[str, str]:
        name = f"a{len(self.arrays)}"
        self.arrays.append((name, of, shape))
        extents, strides = list(shape), [shape[1], 1] if len(shape) == 2 else [1]
        tensor = f"tensor_view<{'x'.join(map(str, shape))}x{of}, strides={strides}>"
        view = f"partition_view<tile=({'x'.join(map(str, shape))}), {tensor}>"
        self.body += [f"%{name}t = make_tensor_view %{name}, shape = {extents}, strides = {strides} : {tensor}",
                      f"%{name}v = make_partition_view %{name}t : {view}"]
        return name, view

    def tile(self, of: str) -> str:
        return f"tile<1x{self.columns}x{of}>"

    def load(self, number: int, of: str) -> str:
        name, view = self.view(of, (1, self.columns))
        self.body.append(f"%v{number}, %l{number} = load_view_tko weak %{name}v[%0, %0] : {view}, tile<i32> "
                         f"-> {self.tile(of)}, token")
        return f"%v{number}"

    def store(self, value: str, of: str, shape: tuple[int, ...]) -> None:
        name, view = self.view(of, shape)
        places, tile = ", ".join(["%0"] * len(shape)), f"tile<{'x'.join(map(str, shape))}x{of}>"
        self.body.append(f"%{name}k = store_view_tko weak {value}, %{name}v[{places}] : {tile}, {view}, "
                         "tile<i32> -> token")

    def combine(self, of: str) -> str:
        if of[0] == "f":
            flag = self.random.choice(["", "propagate_nan"])
            return f"{self.random.choice(['maxf', 'minf'])} %a, %b {flag}"
        return self.random.choice(["addi %a, %b", "xori %a, %b", "andi %a, %b", "maxi %a, %b signed",
                                   "mini %a, %b unsigned"])

    def reduce(self, value: str, of: str) -> None:
        result, zero = f"%r{len(self.body)}", "0.0" if of[0] == "f" else "0"
        self.body.append(f"""{result} = reduce {value} dim=1 identities=[{zero} : {of}] : {self.tile(of)} -> tile<1x{of}>
(%a: tile<{of}>, %b: tile<{of}>) {{
  %n = {self.combine(of)} : tile<{of}>
  yield %n : tile<{of}>
}}""")
        self.store(result, of, (1,))

    def index(self, value: str, of: str) -> None:
        n, size, is_float = len(self.body), self.columns, of[0] == "f"
        compare = f"cmpf greater_than ordered %a, %b : tile<{of}>" if is_float else \
            f"cmpi greater_than %a, %b, signed : tile<{of}>"
        self.body += [f"%i{n} = iota : tile<{size}xi32>",
                      f"%j{n} = reshape %i{n} : tile<{size}xi32> -> tile<1x{size}xi32>",
                      f"""%m{n}, %w{n} = reduce {value}, %j{n} dim=1 identities=[{'0.0' if is_float else 0} : {of}, 0 : i32] : {self.tile(of)}, {self.tile('i32')} -> tile<1x{of}>, tile<1xi32>
(%a: tile<{of}>, %b: tile<{of}>, %c: tile<i32>, %d: tile<i32>) {{
  %greater = {compare} -> tile<i1>
  %x = select %greater, %a, %b : tile<i1>, tile<{of}>
  %y = select %greater, %c, %d : tile<i1>, tile<i32>
  yield %x, %y : tile<{of}>, tile<i32>
}}"""]
        self.store(f"%m{n}", of, (1,))
        self.store(f"%w{n}", "i32", (1,))

    def scan(self, value: str, of: str) -> None:
        result, zero = f"%s{len(self.body)}", "0.0" if of[0] == "f" else "0"
        self.body.append(f"""{result} = scan {value} dim=1 reverse={self.random.choice(['true', 'false'])} identities=[{zero} : {of}] : {self.tile(of)} -> {self.tile(of)}
(%a: tile<{of}>, %b: tile<{of}>) {{
  %n = {self.combine(of)} : tile<{of}>
  yield %n : tile<{of}>
}}""")
        self.store(result, of, (1, self.columns))

    def text(self) -> str:
        parameters = ", ".join(f"%{name}: tile<ptr<{of}>>" for name, of, _ in self.arrays)
        lines = "\n".join(self.body)
        return (f"cuda_tile.module @m {{\nentry @k({parameters}) {{\n"
                f"%0 = constant <i32: 0> : tile<i32>\n{lines}\nreturn\n}}\n}}\n")

    def values(self, of: str, shape: tuple[int, ...]) -> np.ndarray:
        """Few distinct values, so that equal ones, zeros of both signs and NaNs are combined."""
        some = [0.0, -0.0, 1.5, -2.5, np.nan, np.inf, 1e-310] if of[0] == "f" else [0, 1, -1, 100, -128]
        some = self.random.sample(some, self.random.randint(1, len(some)))
        return np.array([self.random.choice(some) for _ in range(shape[1])], TYPES[of]).reshape(shape)


def run(kernel: Kernel, inputs: list[np.ndarray], *device: str) -> list[np.ndarray]:
    source = FOLDER / "kernel.mlir"
    source.write_text(kernel.text())
    arguments = []
    for number, (name, of, shape) in enumerate(kernel.arrays):
        array = inputs[number] if number < kernel.inputs else np.zeros(shape, TYPES[of])
        np.save(FOLDER / f"{name}.npy", array)
        out = "" if number < kernel.inputs else f",out={FOLDER / name}-out.npy"
        arguments += ["--arg", f"{FOLDER / name}.npy{out}"]
    subprocess.run([PROGRAM, "run", source, "--quiet", "--grid", "1", *device, *arguments], check=True)
    return [np.load(f"{FOLDER / name}-out.npy") for name, _, _ in kernel.arrays[kernel.inputs:]]


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    wrong = 0
    for seed in range(KERNELS):
        kernel = Kernel(seed)
        inputs = [kernel.values(of, shape) for _, of, shape in kernel.arrays[:kernel.inputs]]
        expected = run(kernel, inputs, "--device", "reference")
        for cpu in CPUS:
            for want, got in zip(expected, run(kernel, inputs, "--device", "cpu", "--cpu", cpu)):
                same = (want == got) & (np.signbit(want) == np.signbit(got)) if want.dtype.kind == "f" \
                    else want == got
                if not (same | ((want != want) & (got != got))).all():
                    print(f"kernel {seed} on {cpu}: {got}, expected {want}\n{kernel.text()}")
                    wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
