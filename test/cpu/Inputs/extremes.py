# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Row maxima and minima of floats, with respect to signs of zeros and NaNs (arithmetic, 4.20),
compiled for each of the named CPUs. Arguments: tilewright, a folder, names."""

import pathlib
import subprocess
import sys

import numpy as np

PROGRAM, FOLDER, CPUS = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
ROWS = 512


class Format:
    """An element type, its NumPy types for patterns and values, and some patterns."""

    def __init__(self, name: str, word: type, value: type, fraction: int):
        self.name, self.word, self.value = name, word, value
        bits = 8 * np.dtype(word).itemsize
        sign, infinity = 1 << bits - 1, (1 << bits - 1) - (1 << fraction)
        one, quiet = int(value(1).view(word)), 1 << fraction - 1
        both = [0, 1, one, infinity - 1, infinity]  # zero, the least subnormal, 1, the largest
        nans = [infinity | quiet, infinity | 1, infinity | (1 << fraction) - 1]
        self.infinity = f"0x{infinity:X}", f"0x{sign | infinity:X}"
        self.numbers, self.nans = (np.array([s | x for x in some for s in (0, sign)], word)
                                   for some in (both, nans))


FORMATS = Format("f32", np.uint32, np.float32, 23), Format("f64", np.uint64, np.float64, 52)

KERNEL = """
cuda_tile.module @m {{
  entry @k(%x: tile<ptr<{of}>>, %y: tile<ptr<{of}>>) {{
    %row, %b, %c = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %xt = make_tensor_view %x, shape = [{m}, {n}], strides = [{n}, 1] : tensor_view<{m}x{n}x{of}, strides=[{n},1]>
    %yt = make_tensor_view %y, shape = [{m}], strides = [1] : tensor_view<{m}x{of}, strides=[1]>
    %xp = make_partition_view %xt : partition_view<tile=(1x{n}), tensor_view<{m}x{n}x{of}, strides=[{n},1]>>
    %yp = make_partition_view %yt : partition_view<tile=(1), tensor_view<{m}x{of}, strides=[1]>>
    %values, %t0 = load_view_tko weak %xp[%row, %0] : partition_view<tile=(1x{n}), tensor_view<{m}x{n}x{of}, strides=[{n},1]>>, tile<i32> -> tile<1x{n}x{of}>, token
    %twice = {op} %values, %values {flag} : tile<1x{n}x{of}>
    %extreme = reduce {reduced} dim=1 identities=[{identity} : {of}] : tile<1x{n}x{of}> -> tile<1x{of}> (%v: tile<{of}>, %so_far: tile<{of}>) {{
      %next = {op} %v, %so_far {flag} : tile<{of}>
      yield %next : tile<{of}>
    }}
    %t1 = store_view_tko weak %extreme, %yp[%row] : tile<1x{of}>, partition_view<tile=(1), tensor_view<{m}x{of}, strides=[1]>>, tile<i32> -> token
  }}
}}
"""


def rows(form: Format, columns: int) -> np.ndarray:
    """Rows with few distinct elements, so that zeros and NaNs determine many results."""
    random = np.random.default_rng(seed=9)
    words = np.empty((ROWS, columns), form.word)
    for row in range(ROWS):
        some = random.choice(form.numbers, random.integers(0, 4))
        nans = random.choice(form.nans, random.integers(0 if len(some) else 1, 3))
        words[row] = random.choice(np.concatenate([some, nans]), columns)
    return words.view(form.value)


def expected(values: np.ndarray, larger: bool, propagates: bool) -> list[float | None]:
    """None is a NaN."""
    results = []
    for row in values:
        numbers = row[~np.isnan(row)].astype(float).tolist()
        if not numbers or (propagates and len(numbers) < len(row)):
            results.append(None)
        else:
            keep = max if larger else min
            results.append(keep(numbers, key=lambda x: (x, np.copysign(1, x))))
    return results


def found(cpu: str, form: Format, values: np.ndarray, **parts: str) -> np.ndarray:
    source, result = FOLDER / f"{form.name}.mlir", FOLDER / "y.npy"
    source.write_text(KERNEL.format(m=ROWS, n=values.shape[1], of=form.name, **parts))
    np.save(FOLDER / "x.npy", values)
    np.save(FOLDER / "zeros.npy", np.zeros(ROWS, form.value))
    subprocess.run([PROGRAM, "run", source, "--device", "cpu", "--cpu", cpu, "--grid", str(ROWS),
                    "--quiet", "--arg", FOLDER / "x.npy", "--arg",
                    f"{FOLDER / 'zeros.npy'},out={result}"], check=True)
    return np.load(result)


def wrong_rows(cpu: str, form: Format, columns: int, reduced: str, op: str, flag: str) -> int:
    values, wrong = rows(form, columns), 0
    results = found(cpu, form, values, reduced=reduced, op=op, flag=flag,
                    identity=form.infinity[op == "maxf"])
    for row, (want, got) in enumerate(zip(expected(values, op == "maxf", bool(flag)), results)):
        same = np.isnan(got) if want is None else (
            got == form.value(want) and np.signbit(got) == np.signbit(want))
        if not same:
            print(f"{cpu}: {op} {flag} of row {row} of {form.name}: {got}, expected {want}")
            wrong += 1
    return wrong


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    # Full and partial vectors, combined with others or first within themselves.
    wrong = sum(wrong_rows(cpu, form, columns, reduced, op, flag) for cpu in CPUS for form in FORMATS
                for columns, reduced in ((2, "%twice"), (2, "%values"), (128, "%values"))
                for op in ("maxf", "minf") for flag in ("", "propagate_nan"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
