# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests reductions that select an element. `selections.py TILEWRIGHT FOLDER`

The largest or the smallest element in rows of 256 and its index, which is the first among equal elements. NaNs win
against all numbers, as in NumPy's argmax, or lose, as in nanargmax. A loop over each row computes the expected results.
"""

import itertools
import pathlib
import subprocess
import sys

import numpy as np

ROWS, COLUMNS = 16, 256
KERNEL = """!x = !cuda_tile.tensor_view<{rows}x{columns}x{type}, strides=[{columns}, 1]>
!x_rows = !cuda_tile.partition_view<tile=(1x{columns}), tensor_view<{rows}x{columns}x{type}, strides=[{columns}, 1]>>
!i = !cuda_tile.tensor_view<{rows}xi32, strides=[1]>
!i_one = !cuda_tile.partition_view<tile=(1), tensor_view<{rows}xi32, strides=[1]>>
cuda_tile.module @m {{
  entry @choose(%x_at: tile<ptr<{type}>>, %i_at: tile<ptr<i32>>) {{
    %zero = constant <i32: 0> : tile<i32>
    %r, %r_y, %r_z = get_tile_block_id : tile<i32>
    %x = make_tensor_view %x_at, shape = [{rows}, {columns}], strides = [{columns}, 1] : !x
    %x_rows = make_partition_view %x : !x_rows
    %row, %t0 = load_view_tko weak %x_rows[%r, %zero] : !x_rows, tile<i32> -> tile<1x{columns}x{type}>, token
    %numbers = iota : tile<{columns}xi32>
    %index = reshape %numbers : tile<{columns}xi32> -> tile<1x{columns}xi32>
    %chosen, %where = reduce %row, %index dim=1 identities=[{nothing} : {type}, 0 : i32]
        : tile<1x{columns}x{type}>, tile<1x{columns}xi32> -> tile<1x{type}>, tile<1xi32>
    (%a: tile<{type}>, %b: tile<{type}>, %m: tile<i32>, %n: tile<i32>) {{
      %better = cmpf {better} ordered %a, %b : tile<{type}> -> tile<i1>
      %equal = cmpf equal ordered %a, %b : tile<{type}> -> tile<i1>
      %a_nan = cmpf not_equal unordered %a, %a : tile<{type}> -> tile<i1>
      %b_nan = cmpf not_equal unordered %b, %b : tile<{type}> -> tile<i1>
      %nans = andi %a_nan, %b_nan : tile<i1>
      %one_nan = xori %nans, %{preferred} : tile<i1>
      %first = ori %better, %one_nan : tile<i1>
      %alike = ori %equal, %nans : tile<i1>
      %before = cmpi less_than %m, %n, signed : tile<i32> -> tile<i1>
      %tie = andi %alike, %before : tile<i1>
      %keep = ori %first, %tie : tile<i1>
      %c = select %keep, %a, %b : tile<i1>, tile<{type}>
      %k = select %keep, %m, %n : tile<i1>, tile<i32>
      yield %c, %k : tile<{type}>, tile<i32>
    }}
    %i = make_tensor_view %i_at, shape = [{rows}], strides = [1] : !i
    %i_one = make_partition_view %i : !i_one
    %t1 = store_view_tko weak %where, %i_one[%r] : tile<1xi32>, !i_one, tile<i32> -> token
    return
  }}
}}
"""


def rows(kind: type) -> np.ndarray:
    """Few distinct numbers, so that many are equal; more NaNs in later rows, and only NaNs in the last one."""
    random = np.random.default_rng(1)
    values = random.integers(-3, 4, (ROWS, COLUMNS)).astype(kind)
    for row in range(ROWS):
        values[row, random.permutation(COLUMNS)[:row * row]] = np.nan
    values[-1] = np.nan
    values[0, 200] = np.nan
    return values


def chosen(row: np.ndarray, better, are_nans_preferred: bool) -> int:
    best = 0
    for index, value in enumerate(row):
        if np.isnan(value) or np.isnan(row[best]):
            if np.isnan(value) != np.isnan(row[best]) and np.isnan(value) == are_nans_preferred:
                best = index
        elif better(value, row[best]):
            best = index
    return best


def main() -> None:
    tilewright, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    types = {"f16": np.float16, "f32": np.float32, "f64": np.float64}
    orders = {"greater_than": np.greater, "less_than": np.less}
    cases = list(itertools.product(types, orders, (False, True)))
    wrong = 0
    for type_, order, are_nans_preferred in cases:
        values = rows(types[type_])
        np.save(folder / "x.npy", values)
        nothing = np.nan if are_nans_preferred else -np.inf if order == "greater_than" else np.inf
        bits = np.array(nothing, types[type_]).tobytes()[::-1].hex().upper()
        (folder / "choose.mlir").write_text(KERNEL.format(
            rows=ROWS, columns=COLUMNS, type=type_, better=order, nothing=f"0x{bits}",
            preferred="a_nan" if are_nans_preferred else "b_nan"))
        subprocess.run([tilewright, "run", folder / "choose.mlir", "--grid", str(ROWS), "--arg", folder / "x.npy",
                        "--arg", f"zeros({ROWS}xi32),out={folder / 'found.npy'}"], check=True)
        expected = [chosen(row, orders[order], are_nans_preferred) for row in values]
        found = np.load(folder / "found.npy").tolist()
        if found != expected:
            wrong += 1
            print(f"{type_}, {order}, NaNs {'first' if are_nans_preferred else 'last'}: found {found}, expected {expected}")
    print(f"{len(cases)} ways to choose, {wrong} of them wrong")


main()
