# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""many.py FOLDER: writes carried.mlir, with many carried values, and functions.mlir, with many calls."""

import pathlib
import sys

TILES, FUNCTIONS = 200, 40


def carried() -> str:
    """A loop that rotates tiles 0, 1, 2, ...: after n iterations the first contains n."""
    tile = "tile<64xi32>"
    types = ", ".join([tile] * TILES)
    constants = "\n".join(f"    %k{i} = constant <i32: {i}> : {tile}" for i in range(TILES))
    initial = ", ".join(f"%c{i} = %k{i}" for i in range(TILES))
    rotated = ", ".join(f"%c{(i + 1) % TILES}" for i in range(TILES))
    return f"""cuda_tile.module @m {{
  entry @carried(%n: tile<i32>) {{
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
{constants}
    %r:{TILES} = for %i in (%0 to %n, step %1) : tile<i32> iter_values({initial}) -> ({types}) {{
      continue {rotated} : {types}
    }}
    %first = extract %r#0[%0] : {tile} -> tile<1xi32>
    %last = extract %r#{TILES - 1}[%1] : {tile} -> tile<1xi32>
    %t = print_tko "%d %d\\n", %first, %last : tile<1xi32>, tile<1xi32> -> token
  }}
}}
"""


def functions() -> str:
    """Computes pow of the same two tiles many times, and stores each result to another row."""
    tile, view = "tile<4xf64>", f"tensor_view<{FUNCTIONS}x4xf64, strides=[4, 1]>"
    rows = f"partition_view<tile=(1x4), {view}>"
    body = "".join(f"""    %p{i} = pow %x, %y : {tile}
    %q{i} = reshape %p{i} : {tile} -> tile<1x4xf64>
    %r{i} = constant <i32: {i}> : tile<i32>
    %t{i} = store_view_tko weak %q{i}, %rows[%r{i}, %0] : tile<1x4xf64>, {rows}, tile<i32> -> token
""" for i in range(FUNCTIONS))
    load = "load_ptr_tko weak %{0}s : tile<4xptr<f64>> -> tile<4xf64>, token"
    operands = "".join(f"""    %{n}1 = reshape %{n}p : tile<ptr<f64>> -> tile<1xptr<f64>>
    %{n}4 = broadcast %{n}1 : tile<1xptr<f64>> -> tile<4xptr<f64>>
    %{n}s = offset %{n}4, %i : tile<4xptr<f64>>, tile<4xi32> -> tile<4xptr<f64>>
    %{n}, %{n}t = {load.format(n)}
""" for n in "xy")
    return f"""cuda_tile.module @m {{
  entry @functions(%xp: tile<ptr<f64>>, %yp: tile<ptr<f64>>, %out: tile<ptr<f64>>) {{
    %0 = constant <i32: 0> : tile<i32>
    %i = iota : tile<4xi32>
{operands}    %view = make_tensor_view %out, shape = [{FUNCTIONS}, 4], strides = [4, 1] : {view}
    %rows = make_partition_view %view : {rows}
{body}  }}
}}
"""


folder = pathlib.Path(sys.argv[1])
(folder / "carried.mlir").write_text(carried())
(folder / "functions.mlir").write_text(functions())
