# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transposed copies on the PTX machine, against NumPy: what is side by side in memory is read and written together.

Arrays have rows that are aligned or not, tiles end inside of them or not, and lie by rows or by columns.
`layouts.py TILEWRIGHT FOLDER`
"""

import pathlib
import re
import subprocess
import sys

import numpy as np

tilewright, folder = sys.argv[1], pathlib.Path(sys.argv[2])
TILE = 32
NUMPY = {"i8": np.int8, "f16": np.float16, "f32": np.float32, "f64": np.float64}


def kernel(element: str, rows: int, columns: int, by_columns: bool) -> str:
    """out[j, i] = in[i, j]; `in` is stored by rows or by columns, `out` by rows."""
    strides = (1, rows) if by_columns else (columns, 1)
    tile = f"tile<{TILE}x{TILE}x{element}>"

    def view(name, extents, steps):
        tensor = f"tensor_view<{extents[0]}x{extents[1]}x{element}, strides=[{steps[0]},{steps[1]}]>"
        cut = f"partition_view<tile=({TILE}x{TILE}), padding_value = zero, {tensor}>"
        return cut, (f"%{name}v = make_tensor_view %{name}, shape = {list(extents)}, strides = {list(steps)} : {tensor}\n"
                     f"    %{name}p = make_partition_view %{name}v : {cut}")
    source, make_source = view("in", (rows, columns), strides)
    target, make_target = view("out", (columns, rows), (rows, 1))
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


def main() -> None:
    rng = np.random.default_rng(3)
    count = 0
    for element in NUMPY:
        for rows, columns in ((64, 64), (96, 32), (100, 70), (33, 48)):
            for by_columns in (False, True):
                what = f"{element} {rows}x{columns} by {'columns' if by_columns else 'rows'}"
                source = folder / "transpose.mlir"
                source.write_text(kernel(element, rows, columns, by_columns))
                plan = run("compile", source, "--target", "sm_80", "--emit", "plan")
                exchanges = len(re.findall("bytes of shared memory, filled|shuffles", plan))
                # By columns, threads hold what is side by side in both arrays.
                if exchanges != (0 if by_columns else 1):
                    sys.exit(f"{what}: {exchanges} exchanges\n{plan}")
                values = rng.integers(-100, 100, (rows, columns)).astype(NUMPY[element])
                np.save(folder / "in.npy", np.ascontiguousarray(values.T if by_columns else values))
                grid = f"{-(-rows // TILE)},{-(-columns // TILE)}"
                run("run", source, "--target", "sm_80", "--grid", grid, "--arg", folder / "in.npy", "--arg",
                    f"empty({columns}x{rows}x{element}),out={folder / 'out.npy'}")
                if not np.array_equal(np.load(folder / "out.npy"), values.T):
                    sys.exit(f"{what}: the result differs")
                count += 1
    print(f"{count} transposed")


main()
