# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests transposed copies on the PTX machine against NumPy: accesses must be coalesced.

Arrays have aligned or unaligned rows, with or without gaps between them; tiles may extend beyond them;
arrays are row-major or column-major.
`layouts.py TILEWRIGHT FOLDER`
"""

import itertools
import pathlib
import re
import subprocess
import sys

import numpy as np

tilewright, folder = sys.argv[1], pathlib.Path(sys.argv[2])
TILE = 32
NUMPY = {"i8": np.int8, "f16": np.float16, "f32": np.float32, "f64": np.float64}


def apart(extent: int, unit: int) -> int:
    return -(-extent // unit) * unit


def kernel(element: str, rows: int, columns: int, by_columns: bool, unit: int) -> str:
    """out[j, i] = in[i, j]; `in` is row-major or column-major, `out` row-major. The distance between rows
    (columns) is a multiple of `unit` elements."""
    strides = (1, apart(rows, unit)) if by_columns else (apart(columns, unit), 1)
    tile = f"tile<{TILE}x{TILE}x{element}>"

    def view(name, extents, steps):
        tensor = f"tensor_view<{extents[0]}x{extents[1]}x{element}, strides=[{steps[0]},{steps[1]}]>"
        cut = f"partition_view<tile=({TILE}x{TILE}), padding_value = zero, {tensor}>"
        return cut, (f"%{name}v = make_tensor_view %{name}, shape = {list(extents)}, strides = {list(steps)} : {tensor}\n"
                     f"    %{name}p = make_partition_view %{name}v : {cut}")
    source, make_source = view("in", (rows, columns), strides)
    target, make_target = view("out", (columns, rows), (apart(rows, unit), 1))
    return f"""cuda_tile.module @m {{
  entry @k(%in: tile<ptr<{element}>>, %out: tile<ptr<{element}>>) {{
    {make_source}
    {make_target}
    %x, %y, %z = get_tile_block_id : tile<i32>
    %t, %k = load_view_tko weak %inp[%x, %y] : {source}, tile<i32> -> {tile}, token
    %p = permute %t [1, 0] : {tile} -> {tile}
    %done = store_view_tko weak %p, %outp[%y, %x] : {tile}, {target}, tile<i32> -> token
    return
  }}
}}
"""


def run(*words) -> str:
    done = subprocess.run([tilewright, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def check(element: str, rows: int, columns: int, by_columns: bool, unit: int, rng) -> None:
    what = f"{element} {rows}x{columns} by {'columns' if by_columns else 'rows'}, units of {unit}"
    source = folder / "transpose.mlir"
    source.write_text(kernel(element, rows, columns, by_columns, unit))
    plan = run("compile", source, "--target", "sm_80", "--emit", "plan")
    exchanges = len(re.findall("through [0-9]+ bytes of shared memory|lane shuffles", plan))
    # For a column-major input, threads hold elements that are adjacent in both arrays.
    if exchanges != (0 if by_columns else 1):
        sys.exit(f"{what}: {exchanges} exchanges\n{plan}")
    given = (columns, rows) if by_columns else (rows, columns)
    values = rng.integers(-100, 100, (given[0], apart(given[1], unit))).astype(NUMPY[element])
    np.save(folder / "in.npy", values)
    before = rng.integers(-100, 100, (columns, apart(rows, unit))).astype(NUMPY[element])
    np.save(folder / "before.npy", before)
    run("run", source, "--target", "sm_80", "--grid", f"{-(-rows // TILE)},{-(-columns // TILE)}",
        "--arg", folder / "in.npy", "--arg", f"{folder / 'before.npy'},out={folder / 'out.npy'}")
    inside = values[:, :given[1]]
    before[:, :rows] = inside if by_columns else inside.T
    if not np.array_equal(np.load(folder / "out.npy"), before):  # including unchanged gaps
        sys.exit(f"{what}: the result differs")


def main() -> None:
    rng = np.random.default_rng(3)
    count = 0
    for element, extents, by_columns in itertools.product(
            NUMPY, ((64, 64), (96, 32), (100, 70), (33, 48)), (False, True)):
        for unit in (1, 16) if extents[0] % 16 or extents[1] % 16 else (1,):
            check(element, *extents, by_columns, unit, rng)
            count += 1
    print(f"{count} transposed")


main()
