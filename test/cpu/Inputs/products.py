# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests complete matrix products, computed tile by tile in a loop, for every operand type.

    products.py TILEWRIGHT [CPU]
    products.py --write FOLDER

Multiplies matrices whose extents are not multiples of any tile, with integers so small that all
formats represent them and all sums are exact, and compares with NumPy bit by bit, for this processor
or the named CPU. --write only writes the kernels.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

M, N, K = 70, 150, 90
TILES = (32, 64, 32)
LARGEST = 4
# The integers from 0 to 4 in each format.
MAGNITUDES = {"f8E4M3FN": np.array([0x00, 0x38, 0x40, 0x44, 0x48], np.uint8),
              "f8E5M2": np.array([0x00, 0x3C, 0x40, 0x42, 0x44], np.uint8)}
KINDS = {"f32": "f32", "f64": "f64", "f16": "f32", "bf16": "f32", "tf32": "f32",
         "f8E4M3FN": "f32", "f8E5M2": "f16", "i8": "i32"}
WORDS = {"f16": np.float16, "f32": np.float32, "tf32": np.float32, "f64": np.float64,
         "i8": np.int8, "i32": np.int32}

KERNEL = """
!a = !cuda_tile.partition_view<tile=({tm}x{tk}), padding_value = zero, tensor_view<?x?x{factor}, strides=[?,1]>>
!b = !cuda_tile.partition_view<tile=({tk}x{tn}), padding_value = zero, tensor_view<?x?x{factor}, strides=[?,1]>>
!c = !cuda_tile.partition_view<tile=({tm}x{tn}), tensor_view<?x?x{sum}, strides=[?,1]>>
cuda_tile.module @m {{
  entry @product(%a: tile<ptr<{factor}>>, %b: tile<ptr<{factor}>>, %c: tile<ptr<{sum}>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>) {{
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %va = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?x{factor}, strides=[?,1]>
    %vb = make_tensor_view %b, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?x{factor}, strides=[?,1]>
    %vc = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?x{sum}, strides=[?,1]>
    %pa = make_partition_view %va : !a
    %pb = make_partition_view %vb : !b
    %pc = make_partition_view %vc : !c
    %rows, %turns = get_index_space_shape %pa : !a -> tile<i32>
    %none = constant <{sum}: {none}> : tile<{tm}x{tn}x{sum}>
    %all = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%before = %none) -> (tile<{tm}x{tn}x{sum}>) {{
      %l, %t0 = load_view_tko weak %pa[%x, %i] : !a, tile<i32> -> tile<{tm}x{tk}x{factor}>, token
      %r, %t1 = load_view_tko weak %pb[%i, %y] : !b, tile<i32> -> tile<{tk}x{tn}x{factor}>, token
      %next = {multiply} : tile<{tm}x{tk}x{factor}>, tile<{tk}x{tn}x{factor}>, tile<{tm}x{tn}x{sum}>
      continue %next : tile<{tm}x{tn}x{sum}>
    }}
    %t = store_view_tko weak %all, %pc[%x, %y] : tile<{tm}x{tn}x{sum}>, !c, tile<i32> -> token
  }}
}}
"""


def main() -> int:
    if sys.argv[1] == "--write":
        for factor, sums in KINDS.items():
            (pathlib.Path(sys.argv[2]) / f"{factor}.mlir").write_text(kernel(factor, sums))
        return 0
    cpu = ["--cpu", sys.argv[2]] if len(sys.argv) > 2 else []
    random, wrong = np.random.default_rng(seed=7), []
    for factor, sums in KINDS.items():
        a, b = (random.integers(-LARGEST, LARGEST + 1, shape) for shape in ((M, K), (K, N)))
        found = multiplied([sys.argv[1], "run", *cpu], factor, sums, a, b)
        if not np.array_equal(found, (a @ b).astype(WORDS[sums])):
            wrong.append(f"{factor} to {sums}")
    print("wrong: " + ", ".join(wrong) if wrong else f"{len(KINDS)} products are right")
    return 1 if wrong else 0


def kernel(factor: str, sums: str) -> str:
    tm, tn, tk = TILES
    multiply = "mmai %l, %r, %before signed signed" if factor == "i8" else "mmaf %l, %r, %before"
    return KERNEL.format(tm=tm, tn=tn, tk=tk, factor=factor, sum=sums, multiply=multiply,
                         none="0" if sums == "i32" else "0.0")


def multiplied(run: list[str], factor: str, sums: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    tm, tn, _ = TILES
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        program, result = folder / "product.mlir", folder / "c.npy"
        program.write_text(kernel(factor, sums))
        np.save(folder / "a.npy", encoded(a, factor))
        np.save(folder / "b.npy", encoded(b, factor))
        np.save(folder / "zeros.npy", np.zeros((M, N), WORDS[sums]))
        values = [folder / "a.npy", folder / "b.npy", f"{folder / 'zeros.npy'},out={result}", M, N, K]
        subprocess.run([*run, program, "--device", "cpu", "--entry", "product",
                        "--grid", f"{-(-M // tm)},{-(-N // tn)}", "--threads", "2",
                        *(word for value in values for word in ("--arg", str(value)))], check=True)
        return np.load(result)


def encoded(numbers: np.ndarray, factor: str) -> np.ndarray:
    if factor == "bf16":
        return (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    if factor in MAGNITUDES:
        return MAGNITUDES[factor][abs(numbers)] | np.where(numbers < 0, 0x80, 0).astype(np.uint8)
    return numbers.astype(WORDS[factor])


if __name__ == "__main__":
    sys.exit(main())
