# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests sorting rows with bitonic merges, with numbers only and with NaNs.

    sorts.py --write COUNT TYPE ...
    sorts.py TILEWRIGHT

Prints a kernel that sorts a row with this many elements of each type, interleaving the steps; or runs
some for several processors, and compares with the same steps in NumPy.
"""

import itertools
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

WORDS = {"f32": np.float32, "f64": np.float64, "i32": np.int32}
MIN_MAX = {"f32": ("minf", "maxf", ""), "f64": ("minf", "maxf", ""),
           "i32": ("mini", "maxi", "signed ")}


def steps(count: int):
    """Yields each merge step: the size of the merged rows, and the distance of compared elements."""
    size = 2
    while size <= count:
        distance = size // 2
        while distance >= 1:
            yield size, distance
            distance //= 2
        size *= 2


def kernel(count: int, types: list[str]) -> str:
    lines = ["cuda_tile.module @m {", "  entry @sort(" + ", ".join(
        f"%{name}{i}: tile<ptr<{t}>>" for i, t in enumerate(types) for name in "xy") + ") {",
        "    %0 = constant <i32: 0> : tile<i32>", "    %1 = constant <i32: 1> : tile<i32>"]
    views = [f"tensor_view<{count}x{t}, strides=[1]>" for t in types]
    tiles = [f"partition_view<tile=({count}), {v}>" for v in views]
    now = []
    for i, (t, view, tile) in enumerate(zip(types, views, tiles)):
        for name in "xy":
            lines.append(f"    %{name}t{i} = make_tensor_view %{name}{i}, shape = [{count}], strides = [1] : {view}")
            lines.append(f"    %{name}v{i} = make_partition_view %{name}t{i} : {tile}")
        lines.append(f"    %s{i}, %k{i} = load_view_tko weak %xv{i}[%0] : {tile}, tile<i32> -> tile<{count}x{t}>, token")
        now.append(f"%s{i}")
    for number, (size, distance) in enumerate(steps(count)):
        pairs = count // (2 * distance)
        falls = [(p * 2 * distance // size) % 2 for p in range(pairs) for _ in range(distance)]
        half = f"{pairs}x1x{distance}"
        if size < count:
            bits = nested([["true" if f else "false" for f in falls[p * distance:(p + 1) * distance]]
                           for p in range(pairs)])
            lines.append(f"    %f{number} = constant <i1: {bits}> : tile<{half}xi1>")
        for i, t in enumerate(types):
            least, most, sign = MIN_MAX[t]
            lines += exchange(f"{number}_{i}", now[i], f"{count}x{t}", f"{pairs}x2x{distance}x{t}",
                              f"{half}x{t}", least, most, sign,
                              f"%f{number}" if size < count else "", f"{half}xi1")
            now[i] = f"%r{number}_{i}"
    for i, (t, tile) in enumerate(zip(types, tiles)):
        lines.append(f"    %z{i} = store_view_tko weak {now[i]}, %yv{i}[%0] : tile<{count}x{t}>, {tile}, tile<i32> -> token")
    return "\n".join([*lines, "  }", "}", ""])


def nested(rows: list[list[str]]) -> str:
    return "[" + ", ".join(f"[[{', '.join(row)}]]" for row in rows) + "]"


def exchange(n, x, row, pairs, half, least, most, sign, falls, mask):
    low, high = f"%l{n}", f"%h{n}"
    yield f"    %p{n} = reshape {x} : tile<{row}> -> tile<{pairs}>"
    yield f"    %a{n} = extract %p{n}[%0, %0, %0] : tile<{pairs}> -> tile<{half}>"
    yield f"    %b{n} = extract %p{n}[%0, %1, %0] : tile<{pairs}> -> tile<{half}>"
    yield f"    {low} = {least} %a{n}, %b{n} {sign}: tile<{half}>"
    yield f"    {high} = {most} %a{n}, %b{n} {sign}: tile<{half}>"
    if falls:
        yield f"    %u{n} = select {falls}, {high}, {low} : tile<{mask}>, tile<{half}>"
        yield f"    %v{n} = select {falls}, {low}, {high} : tile<{mask}>, tile<{half}>"
        low, high = f"%u{n}", f"%v{n}"
    yield f"    %c{n} = cat {low}, {high} dim = 1 : tile<{half}>, tile<{half}> -> tile<{pairs}>"
    yield f"    %r{n} = reshape %c{n} : tile<{pairs}> -> tile<{row}>"


def sorted_by_steps(x: np.ndarray) -> np.ndarray:
    """-0 is smaller than +0, and a number wins against a NaN in both (arithmetic, 4.20)."""
    for size, distance in steps(len(x)):
        pairs = x.reshape(-1, 2, distance)
        a, b = pairs[:, 0], pairs[:, 1]
        if x.dtype.kind == "f":
            below = (a < b) | ((a == b) & np.signbit(a))
            low, high = np.where(below, a, b), np.where(below, b, a)
            one_is_nan = np.isnan(a) != np.isnan(b)
            number = np.where(np.isnan(a), b, a)
            low, high = np.where(one_is_nan, number, low), np.where(one_is_nan, number, high)
        else:
            low, high = np.minimum(a, b), np.maximum(a, b)
        falls = (np.arange(len(pairs)) * 2 * distance // size % 2 == 1)[:, None]
        falls = falls & (size < len(x))
        x = np.stack([np.where(falls, high, low), np.where(falls, low, high)], 1).reshape(x.shape)
    return x


def numbers(of: str, count: int, random) -> np.ndarray:
    if of == "i32":
        return random.integers(-50, 50, count, dtype=np.int32)
    x = random.standard_normal(count).astype(WORDS[of])
    x[random.random(count) < 0.1] = 0.0
    x[random.random(count) < 0.1] = -0.0
    x[random.random(count) < 0.05] = np.finfo(WORDS[of]).smallest_subnormal
    return x


def main() -> int:
    if sys.argv[1] == "--write":
        print(kernel(int(sys.argv[2]), sys.argv[3:]), end="")
        return 0
    random, count = np.random.default_rng(seed=3), 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for extent, types in ((256, ["f32"]), (64, ["f32", "f64"]), (64, ["f64", "i32", "f32"])):
            (folder / "sort.mlir").write_text(kernel(extent, types))
            for cpu, level, nans in itertools.product(("native", "x86-64-v3", "x86-64"), ("-O0", "-O2"),
                                                      (0, 1, extent // 8)):
                given = [numbers(of, extent, random) for of in types]
                for x in given:
                    if x.dtype.kind == "f":
                        x[random.permutation(extent)[:nans]] = np.nan
                arguments = []
                for i, x in enumerate(given):
                    np.save(folder / f"x{i}.npy", x)
                    arguments += ["--arg", f"{folder}/x{i}.npy", "--arg",
                                  f"zeros({extent}x{types[i]}),out={folder}/y{i}.npy"]
                subprocess.run([sys.argv[1], "run", folder / "sort.mlir", "--device", "cpu", "--quiet",
                                "--no-cache", "--cpu", cpu, level, "--grid", "1", *arguments], check=True)
                for i, x in enumerate(given):
                    found, expected = np.load(folder / f"y{i}.npy"), sorted_by_steps(x)
                    words = f"u{x.itemsize}"
                    same = found.view(words) == expected.view(words)
                    same |= (found != found) & (expected != expected)
                    assert same.all(), (extent, types, cpu, level, nans, i, found, expected)
                    count += 1
    print(f"{count} rows are right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
