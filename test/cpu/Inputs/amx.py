# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests matrix products with AMX tiles.

    LD_PRELOAD=AMX.so amx.py TILEWRIGHT LIBRARIES FOLDER

Compiles kernels as libraries for a processor with AMX, at every optimisation level, and launches
them in this process, which has AMX or emulates it (amx.c): products in a loop over partial tiles, which
fill AMX tiles or do not; in a loop with other operations after the product; and in chains, from a fused
accumulator. Operands are chosen so that sums are
exact in any order, and results are compared with NumPy bit by bit; random bf16 operands are compared
within the bound of docs/cpu.md.
"""

import ctypes
import itertools
import pathlib
import subprocess
import sys

import numpy as np

from products import KERNEL, encoded

TARGET = "native+amx-int8+amx-bf16"
USES_AMX = 4  # twUsesAmx of runtime/Kernel.h
SIGNS = {"signed": (-128, 128), "unsigned": (0, 256)}
# Rows, columns and k of the kernel's tiles.
SHAPES = ((32, 64, 32), (64, 64, 64), (16, 16, 64), (8, 8, 128), (32, 8, 32), (64, 32, 256),
          (16, 128, 16))

# Extents along k, for few and many steps, with full and partial AMX tiles.
DEPTHS = (270, 1120)

BEHIND = """
!a = !cuda_tile.partition_view<tile=(1x{m}x{k}), padding_value = zero, tensor_view<2x70x300x{factor}, strides=[21000,300,1]>>
!b = !cuda_tile.partition_view<tile=(1x{k}x{n}), padding_value = zero, tensor_view<2x300x150x{factor}, strides=[45000,150,1]>>
!c = !cuda_tile.partition_view<tile=(1x{m}x{n}), tensor_view<2x70x150x{sum}, strides=[10500,150,1]>>
!sums = !cuda_tile.tile<1x{m}x{n}x{sum}>
cuda_tile.module @m {{
  entry @product(%a: tile<ptr<{factor}>>, %b: tile<ptr<{factor}>>, %c: tile<ptr<{sum}>>) {{
    %x, %y, %z = get_tile_block_id : tile<i32>
    %va = make_tensor_view %a, shape = [2, 70, 300], strides = [21000, 300, 1] : tensor_view<2x70x300x{factor}, strides=[21000,300,1]>
    %vb = make_tensor_view %b, shape = [2, 300, 150], strides = [45000, 150, 1] : tensor_view<2x300x150x{factor}, strides=[45000,150,1]>
    %vc = make_tensor_view %c, shape = [2, 70, 150], strides = [10500, 150, 1] : tensor_view<2x70x150x{sum}, strides=[10500,150,1]>
    %pa = make_partition_view %va : !a
    %pb = make_partition_view %vb : !b
    %pc = make_partition_view %vc : !c
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %turns = constant <i32: {turns}> : tile<i32>
    %none = constant <{sum}: {none}> : !sums
    %most = constant <{sum}: {most}> : !sums
    %all = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%before = %none) -> (!sums) {{
      %l, %t0 = load_view_tko weak %pa[%z, %x, %i] : !a, tile<i32> -> tile<1x{m}x{k}x{factor}>, token
      %r, %t1 = load_view_tko weak %pb[%z, %i, %y] : !b, tile<i32> -> tile<1x{k}x{n}x{factor}>, token
      %next = {multiply} %l, %r, %before {signs}: tile<1x{m}x{k}x{factor}>, tile<1x{k}x{n}x{factor}>, !sums
      continue %next : !sums
    }}
    %bounded = {bound} %all, %most {sign}: !sums
    %t = store_view_tko weak %bounded, %pc[%z, %x, %y] : !sums, !c, tile<i32> -> token
  }}
}}
"""

CHAIN = """
cuda_tile.module @m {{
  entry @product(%a: tile<ptr<{factor}>>, %b: tile<ptr<{factor}>>, %c: tile<ptr<{sum}>>, %d: tile<ptr<{sum}>>) {{
    %zero = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %a, shape = [2, {m}, {k}], strides = [{mk}, {k}, 1] : tensor_view<2x{m}x{k}x{factor}, strides=[{mk},{k},1]>
    %vb = make_tensor_view %b, shape = [2, {k}, {n}], strides = [{kn}, {n}, 1] : tensor_view<2x{k}x{n}x{factor}, strides=[{kn},{n},1]>
    %vc = make_tensor_view %c, shape = [2, {m}, {n}], strides = [{mn}, {n}, 1] : tensor_view<2x{m}x{n}x{sum}, strides=[{mn},{n},1]>
    %vd = make_tensor_view %d, shape = [2, {m}, {n}], strides = [{mn}, {n}, 1] : tensor_view<2x{m}x{n}x{sum}, strides=[{mn},{n},1]>
    %pa = make_partition_view %va : partition_view<tile=(2x{m}x{k}), tensor_view<2x{m}x{k}x{factor}, strides=[{mk},{k},1]>>
    %pb = make_partition_view %vb : partition_view<tile=(2x{k}x{n}), tensor_view<2x{k}x{n}x{factor}, strides=[{kn},{n},1]>>
    %pc = make_partition_view %vc : partition_view<tile=(2x{m}x{n}), tensor_view<2x{m}x{n}x{sum}, strides=[{mn},{n},1]>>
    %pd = make_partition_view %vd : partition_view<tile=(2x{m}x{n}), tensor_view<2x{m}x{n}x{sum}, strides=[{mn},{n},1]>>
    %l, %t0 = load_view_tko weak %pa[%zero, %zero, %zero] : partition_view<tile=(2x{m}x{k}), tensor_view<2x{m}x{k}x{factor}, strides=[{mk},{k},1]>>, tile<i32> -> tile<2x{m}x{k}x{factor}>, token
    %r, %t1 = load_view_tko weak %pb[%zero, %zero, %zero] : partition_view<tile=(2x{k}x{n}), tensor_view<2x{k}x{n}x{factor}, strides=[{kn},{n},1]>>, tile<i32> -> tile<2x{k}x{n}x{factor}>, token
    %before, %t2 = load_view_tko weak %pc[%zero, %zero, %zero] : partition_view<tile=(2x{m}x{n}), tensor_view<2x{m}x{n}x{sum}, strides=[{mn},{n},1]>>, tile<i32> -> tile<2x{m}x{n}x{sum}>, token
    %double = {add} %before, %before {rounding}: tile<2x{m}x{n}x{sum}>
    %once = {multiply} %l, %r, %double {signs}: tile<2x{m}x{k}x{factor}>, tile<2x{k}x{n}x{factor}>, tile<2x{m}x{n}x{sum}>
    %twice = {multiply} %l, %r, %once {signs}: tile<2x{m}x{k}x{factor}>, tile<2x{k}x{n}x{factor}>, tile<2x{m}x{n}x{sum}>
    %nothing = constant <{sum}: {none}> : tile<2x{m}x{n}x{sum}>
    %alone = {multiply} %l, %r, %nothing {signs}: tile<2x{m}x{k}x{factor}>, tile<2x{k}x{n}x{factor}>, tile<2x{m}x{n}x{sum}>
    %both = {add} %once, %twice {rounding}: tile<2x{m}x{n}x{sum}>
    %sum = {add} %both, %alone {rounding}: tile<2x{m}x{n}x{sum}>
    %t3 = store_view_tko weak %sum, %pd[%zero, %zero, %zero] : tile<2x{m}x{n}x{sum}>, partition_view<tile=(2x{m}x{n}), tensor_view<2x{m}x{n}x{sum}, strides=[{mn},{n},1]>>, tile<i32> -> token
  }}
}}
"""


class Runner:
    def __init__(self, tilewright: str, libraries: str, folder: str):
        self.tilewright, self.folder = tilewright, pathlib.Path(folder)
        self.runtime = ctypes.CDLL(f"{libraries}/libtilewright-runtime.so", ctypes.RTLD_GLOBAL)
        self.count = 0

    def run(self, text: str, grid: tuple[int, ...], *arguments) -> None:
        """Arrays are passed as addresses."""
        self.count += 1
        program = self.folder / f"{self.count}.mlir"
        program.write_text(text)
        library = program.with_suffix(".so")
        subprocess.run([self.tilewright, "compile", program, "--target", f"cpu={TARGET}",
                        f"-O{self.count % 4}", "-o", library], check=True)
        compiled = ctypes.CDLL(str(library))
        flags = (ctypes.c_uint64 * 5).in_dll(compiled, "product_kernel")[4]
        assert flags & USES_AMX, "no product of tiles is generated"
        values = [ctypes.c_void_p(a.ctypes.data) if isinstance(a, np.ndarray) else ctypes.c_int32(a)
                  for a in arguments]
        status = compiled.product_launch((ctypes.c_uint32 * 3)(*grid, *(1,) * (3 - len(grid))), *values, ctypes.c_int(2))
        assert status == 0, f"the launch ends with {status}"

    def in_a_loop(self, factor: str, shape, multiply: str, a: np.ndarray, b: np.ndarray,
                  start=0) -> np.ndarray:
        (m, k), n = a.shape, b.shape[1]
        tm, tn, tk = shape
        sums, of = (np.int32, "i32") if factor == "i8" else (np.float32, "f32")
        c = np.full((m, n), -1, sums)
        none = str(start) if factor == "i8" else f"{start}.0"
        text = KERNEL.format(tm=tm, tn=tn, tk=tk, factor=factor, sum=of, multiply=multiply, none=none)
        self.run(text, (-(-m // tm), -(-n // tn)), a, b, c, m, n, k)
        return c

    def with_something_behind(self, factor: str, shape, a, b: np.ndarray, most: int) -> np.ndarray:
        """A batched product; no sum exceeds `most`."""
        m, n, k = shape
        of, multiply, signs, bound, sign, none = (
            ("i32", "mmai", "signed signed ", "mini", "signed ", "0") if factor == "i8" else
            ("f32", "mmaf", "", "minf", "", "0.0"))
        c = np.full((2, 70, 150), -1, np.int32 if factor == "i8" else np.float32)
        text = BEHIND.format(m=m, n=n, k=k, factor=factor, sum=of, multiply=multiply, signs=signs,
                             bound=bound, sign=sign, none=none, turns=-(-300 // k),
                             most=str(most) if factor == "i8" else f"{most}.0")
        self.run(text, (-(-70 // m), -(-150 // n), 2), a, b, c)
        return c

    def chained(self, factor: str, shape, a, b, c: np.ndarray) -> np.ndarray:
        """Two products added to 2 c, which are fused, and a separate one: 4 (a b) + 4 c in total."""
        m, n, k = shape
        of, multiply, signs, add, rounding, none = (
            ("i32", "mmai", "signed signed ", "addi", "", "0") if factor == "i8" else
            ("f32", "mmaf", "", "addf", "rounding<nearest_even> ", "0.0"))
        d = np.zeros_like(c)
        self.run(CHAIN.format(m=m, n=n, k=k, mk=m * k, kn=k * n, mn=m * n, factor=factor, sum=of,
                              add=add, rounding=rounding, multiply=multiply, signs=signs, none=none),
                 (1, 1), a, b, c, d)
        return d


def main() -> int:
    runner, random, count = Runner(*sys.argv[1:]), np.random.default_rng(seed=5), 0

    def expect(what, found, expected):
        nonlocal count
        count += 1
        assert np.array_equal(found, expected), f"{what}: {(found != expected).sum()} elements differ"

    # Integers with all values and signs; sums wrap around. Accumulators start at zero, or not.
    for shape, (left, right) in itertools.product(SHAPES, itertools.product(SIGNS, SIGNS)):
        if shape[2] < 32:
            continue  # too narrow for tiles of i8
        k, start = DEPTHS[count % 2], 7 * (count // 2 % 2)
        a, b = (random.integers(*SIGNS[sign], extents)
                for sign, extents in ((left, (70, k)), (right, (k, 150))))
        found = runner.in_a_loop("i8", shape, f"mmai %l, %r, %before {left} {right}",
                                 a.astype(np.uint8), b.astype(np.uint8), start=start)
        expect(f"i8 {left} {right} {shape} {k}", found, (a @ b + start).astype(np.int32))
    for shape in ((32, 64, 32), (64, 64, 64), (8, 8, 128)):
        a, b = (random.integers(-128, 128, extents) for extents in ((2, 70, 300), (2, 300, 150)))
        found = runner.with_something_behind("i8", shape, a.astype(np.uint8), b.astype(np.uint8), 9999)
        expect(f"i8 {shape}, bounded", found, np.minimum(a @ b, 9999).astype(np.int32))
    a, b = (random.integers(-128, 128, s) for s in ((2, 32, 64), (2, 64, 32)))
    c = random.integers(-2**31, 2**31, (2, 32, 32))
    found = runner.chained("i8", (32, 32, 64), a.astype(np.uint8), b.astype(np.uint8),
                           c.astype(np.int32))
    expect("i8, a chain", found, (4 * (a @ b + c)).astype(np.uint64).astype(np.uint32).view(np.int32))

    # Small whole numbers.
    for shape, factor in itertools.product(SHAPES, ("bf16", "f8E4M3FN", "f8E5M2")):
        k, start = DEPTHS[count % 2], 3 * (count // 2 % 2)
        a, b = (random.integers(-4, 5, extents) for extents in ((70, k), (k, 150)))
        found = runner.in_a_loop(factor, shape, "mmaf %l, %r, %before", encoded(a, factor),
                                 encoded(b, factor), start=start)
        expect(f"{factor} {shape} {k}", found, (a @ b + start).astype(np.float32))
    for shape in ((32, 64, 16), (64, 64, 64)):
        a, b = (random.integers(-4, 5, extents) for extents in ((2, 70, 300), (2, 300, 150)))
        found = runner.with_something_behind("bf16", shape, encoded(a, "bf16"), encoded(b, "bf16"), 99)
        expect(f"bf16 {shape}, bounded", found, np.minimum(a @ b, 99).astype(np.float32))
    a, b = (random.integers(-4, 5, s) for s in ((2, 16, 32), (2, 32, 64)))
    c = random.integers(-99, 99, (2, 16, 64)).astype(np.float32)
    found = runner.chained("bf16", (16, 64, 32), encoded(a, "bf16"), encoded(b, "bf16"), c)
    expect("bf16, a chain", found, (4 * (a @ b + c)).astype(np.float32))

    # Loops without iterations return the initial value, which may be a constant -0.
    for factor, start in (("i8", 5), ("i8", 0), ("bf16", 5), ("bf16", 0)):
        nothing = np.zeros(0, np.uint8)
        multiply = "mmai %l, %r, %before signed signed" if factor == "i8" else "mmaf %l, %r, %before"
        found = runner.in_a_loop(factor, (32, 64, 32), multiply, nothing.reshape(70, 0),
                                 nothing.reshape(0, 150), start=start)
        expect(f"{factor}, no iteration", found, np.full((70, 150), start, found.dtype))
    found = runner.in_a_loop("bf16", (32, 64, 32), "mmaf %l, %r, %before", nothing.reshape(70, 0),
                             nothing.reshape(0, 150), start="-0")
    expect("bf16, -0", np.signbit(found), np.ones((70, 150), bool))

    # Arbitrary numbers: one rounding per product, per addition of two sums, and per instruction.
    a, b = (random.standard_normal(extents, np.float32).view(np.uint32) >> 16
            for extents in ((70, 300), (300, 150)))
    exact_a, exact_b = ((x << 16).view(np.float32).astype(np.float64) for x in (a, b))
    found = runner.in_a_loop("bf16", (64, 64, 64), "mmaf %l, %r, %before", a.astype(np.uint16),
                             b.astype(np.uint16))
    bound = 300 * 2.0**-24 * (abs(exact_a) @ abs(exact_b))
    errors = abs(found - exact_a @ exact_b)
    assert (errors <= bound).all(), f"off by {(errors / bound).max()} of the bound"
    print(f"{count + 1} products are right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
