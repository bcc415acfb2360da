# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The largest and the smallest of each row of floats, where signs of zeros and NaNs matter
(arithmetic, 4.20): as on a CPU of each of the given names. Arguments: tilewright, a folder, names."""

import pathlib
import subprocess
import sys

import numpy as np

PROGRAM, FOLDER, CPUS = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
ROWS, COLUMNS = 512, 128
NUMBERS = np.array([0x00000000, 0x80000000,  # zeros
                    0x00000001, 0x80000001, 0x3F800000, 0xBF800000,
                    0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000], np.uint32)
NANS = np.array([0x7FC00000, 0xFFC00000, 0x7F800001, 0xFF800001, 0x7FFFFFFF, 0xFFFFFFFF], np.uint32)

KERNEL = """
cuda_tile.module @m {{
  entry @k(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {{
    %row, %b, %c = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %xt = make_tensor_view %x, shape = [{m}, {n}], strides = [{n}, 1] : tensor_view<{m}x{n}xf32, strides=[{n},1]>
    %yt = make_tensor_view %y, shape = [{m}], strides = [1] : tensor_view<{m}xf32, strides=[1]>
    %xp = make_partition_view %xt : partition_view<tile=(1x{n}), tensor_view<{m}x{n}xf32, strides=[{n},1]>>
    %yp = make_partition_view %yt : partition_view<tile=(1), tensor_view<{m}xf32, strides=[1]>>
    %values, %t0 = load_view_tko weak %xp[%row, %0] : partition_view<tile=(1x{n}), tensor_view<{m}x{n}xf32, strides=[{n},1]>>, tile<i32> -> tile<1x{n}xf32>, token
    %extreme = reduce %values dim=1 identities=[{identity} : f32] : tile<1x{n}xf32> -> tile<1xf32> (%v: tile<f32>, %so_far: tile<f32>) {{
      %next = {op} %v, %so_far {flag} : tile<f32>
      yield %next : tile<f32>
    }}
    %t1 = store_view_tko weak %extreme, %yp[%row] : tile<1xf32>, partition_view<tile=(1), tensor_view<{m}xf32, strides=[1]>>, tile<i32> -> token
  }}
}}
"""


def rows() -> np.ndarray:
    """Rows of few different elements each, so that zeros and NaNs decide many of them."""
    random = np.random.default_rng(seed=9)
    words = np.empty((ROWS, COLUMNS), np.uint32)
    for row in range(ROWS):
        some = random.choice(NUMBERS, random.integers(0, 4))
        nans = random.choice(NANS, random.integers(0 if len(some) else 1, 3))
        words[row] = random.choice(np.concatenate([some, nans]), COLUMNS)
    return words


def expected(words: np.ndarray, larger: bool, propagates: bool) -> list[float | None]:
    """None is a NaN."""
    results = []
    for row in words.view(np.float32):
        numbers = row[~np.isnan(row)].astype(float).tolist()
        if not numbers or (propagates and len(numbers) < COLUMNS):
            results.append(None)
        else:
            keep = max if larger else min
            results.append(keep(numbers, key=lambda x: (x, np.copysign(1, x))))
    return results


def found(cpu: str, words: np.ndarray, **parts: str) -> np.ndarray:
    source, result = FOLDER / "kernel.mlir", FOLDER / "y.npy"
    source.write_text(KERNEL.format(m=ROWS, n=COLUMNS, **parts))
    np.save(FOLDER / "x.npy", words.view(np.float32))
    np.save(FOLDER / "zeros.npy", np.zeros(ROWS, np.float32))
    subprocess.run([PROGRAM, "run", source, "--device", "cpu", "--cpu", cpu, "--grid", str(ROWS),
                    "--quiet", "--arg", FOLDER / "x.npy", "--arg",
                    f"{FOLDER / 'zeros.npy'},out={result}"], check=True)
    return np.load(result)


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    words, wrong = rows(), 0
    for cpu in CPUS:
        for op, identity in (("maxf", "0xFF800000"), ("minf", "0x7F800000")):
            for flag in ("", "propagate_nan"):
                results = found(cpu, words, op=op, flag=flag, identity=identity)
                for row, (want, got) in enumerate(zip(expected(words, op == "maxf", bool(flag)),
                                                      results)):
                    same = np.isnan(got) if want is None else (
                        got == np.float32(want) and np.signbit(got) == np.signbit(want))
                    if not same:
                        print(f"{cpu}: {op} {flag} of row {row}: {got}, expected {want}")
                        wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
