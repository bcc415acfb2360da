# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests panels of tile blocks on the PTX machine, with the ids that a launch gives to CTAs.

A kernel multiplies tiles of a and b, and writes for each block its id and that of the grid. In some runs, one block prints
or stores outside of an array: its id must be in the output, the finding and the trace.
`rasterization.py TILEWRIGHT FOLDER`
"""

import pathlib
import re
import subprocess
import sys

import numpy as np

tilewright, folder = sys.argv[1], pathlib.Path(sys.argv[2])
TILE, K = 16, 48
#       one panel, lower than 8 or full; several, the last one lower; batches
GRIDS = ((1, 1, 1), (5, 3, 1), (3, 8, 1), (4, 9, 1), (7, 13, 1), (2, 17, 2), (1, 10, 3), (9, 1, 1))


def kernel(more: str = "", rows: str = "x", columns: str = "y") -> str:
    array = "tensor_view<?x?x?xf16, strides=[?, ?, 1]>"
    result = "tensor_view<?x?x?xf32, strides=[?, ?, 1]>"
    tiles = f"partition_view<tile=(1x{TILE}x{TILE}), padding_value = zero, {array}>"
    out = f"partition_view<tile=(1x{TILE}x{TILE}), {result}>"
    f16, f32 = f"tile<{TILE}x{TILE}xf16>", f"tile<{TILE}x{TILE}xf32>"
    return f"""cuda_tile.module @m {{
  entry @k(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %ids: tile<ptr<i32>>, %m: tile<i32>, %n: tile<i32>, %k: tile<i32>,
           %batches: tile<i32>, %chosen: tile<i32>) {{
    %mk = muli %m, %k : tile<i32>
    %kn = muli %k, %n : tile<i32>
    %mn = muli %m, %n : tile<i32>
    %av = make_tensor_view %a, shape = [%batches, %m, %k], strides = [%mk, %k, 1] : tile<i32> -> {array}
    %bv = make_tensor_view %b, shape = [%batches, %k, %n], strides = [%kn, %n, 1] : tile<i32> -> {array}
    %cv = make_tensor_view %c, shape = [%batches, %m, %n], strides = [%mn, %n, 1] : tile<i32> -> {result}
    %at = make_partition_view %av : {tiles}
    %bt = make_partition_view %bv : {tiles}
    %ct = make_partition_view %cv : {out}
    %x, %y, %z = get_tile_block_id : tile<i32>
    %nx, %ny, %nz = get_num_tile_blocks : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %2 = constant <i32: 2> : tile<i32>
    %3 = constant <i32: 3> : tile<i32>
    %6 = constant <i32: 6> : tile<i32>
    %q0, %q1, %steps = get_index_space_shape %at : {tiles} -> tile<i32>
    %zeros = constant <f32: 0.0> : {f32}
    %sums = for %i in (%0 to %steps, step %1) : tile<i32> iter_values(%s = %zeros) -> ({f32}) {{
      %l1, %lt = load_view_tko weak %at[%z, %{rows}, %i] : {tiles}, tile<i32> -> tile<1x{TILE}x{TILE}xf16>, token
      %r1, %rt = load_view_tko weak %bt[%z, %i, %{columns}] : {tiles}, tile<i32> -> tile<1x{TILE}x{TILE}xf16>, token
      %l = reshape %l1 : tile<1x{TILE}x{TILE}xf16> -> {f16}
      %r = reshape %r1 : tile<1x{TILE}x{TILE}xf16> -> {f16}
      %more = mmaf %l, %r, %s : {f16}, {f16}, {f32}
      continue %more : {f32}
    }}
    %flat = reshape %sums : {f32} -> tile<1x{TILE}x{TILE}xf32>
    %stored = store_view_tko weak %flat, %ct[%z, %{rows}, %{columns}] : tile<1x{TILE}x{TILE}xf32>, {out}, tile<i32> -> token
    %zy = muli %z, %ny : tile<i32>
    %zyy = addi %zy, %y : tile<i32>
    %row = muli %zyy, %nx : tile<i32>
    %number = addi %row, %x : tile<i32>
    %first = muli %number, %6 : tile<i32>
    %here = offset %ids, %first : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    {"".join(write_id(at, value) for at, value in enumerate(("x", "y", "z", "nx", "ny", "nz")))}
    {more}
    return
  }}
}}
"""


def write_id(at: int, value: str) -> str:
    return f"""%at{at} = constant <i32: {at}> : tile<i32>
    %to{at} = offset %here, %at{at} : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %w{at} = store_ptr_tko weak %to{at}, %{value} : tile<ptr<i32>>, tile<i32> -> token
    """


def in_chosen(what: str) -> str:
    """Something that only the block whose number is the parameter `chosen` does."""
    return f"""%is = cmpi equal %number, %chosen, signed : tile<i32> -> tile<i1>
    if %is {{
      {what}
    }}"""


def run(*words, fails: bool = False) -> str:
    done = subprocess.run([tilewright, *map(str, words)], capture_output=True, text=True)
    if bool(done.returncode) != fails:
        sys.exit(f"{' '.join(map(str, words))}: exit status {done.returncode}\n{done.stdout}{done.stderr}"[:3000])
    return done.stdout + done.stderr


def arguments(grid: tuple, chosen: int, rng) -> tuple[list, np.ndarray]:
    """Extents are a few elements smaller than the tiles."""
    m, n, batches = grid[0] * TILE - 3, grid[1] * TILE - 5, grid[2]
    a, b = rng.integers(-2, 3, (batches, m, K)), rng.integers(-2, 3, (batches, K, n))
    np.save(folder / "a.npy", a.astype(np.float16))
    np.save(folder / "b.npy", b.astype(np.float16))
    count = grid[0] * grid[1] * grid[2]
    words = [folder / "a.npy", folder / "b.npy", f"zeros({batches}x{m}x{n}xf32),out={folder / 'c.npy'}",
             f"zeros({count}x6xi32),out={folder / 'ids.npy'}", m, n, K, batches, chosen]
    return ["--grid", ",".join(map(str, grid)), *(each for word in words for each in ("--arg", word))], a @ b


def check_results(target: str, grid: tuple, expected: np.ndarray) -> None:
    if not np.array_equal(np.load(folder / "c.npy"), expected):
        sys.exit(f"{target}, {grid}: sums differ")
    z, y, x = np.meshgrid(*(np.arange(extent) for extent in reversed(grid)), indexing="ij")
    ids = np.stack([x, y, z, *(np.full_like(x, extent) for extent in grid)], axis=-1).reshape(-1, 6)
    if not np.array_equal(np.load(folder / "ids.npy"), ids):
        sys.exit(f"{target}, {grid}: ids of blocks differ")


def compiled(text: str, target: str = "sm_90a") -> list:
    """The command line that runs the kernel's PTX."""
    source, ptx = folder / "k.mlir", folder / "k.ptx"
    source.write_text(text)
    if "panels of 8 rows" not in run("compile", source, "--target", target, "--emit", "plan"):
        sys.exit("the plan has no panels")
    run("compile", source, "--target", target, "--emit", "ptx", "-o", ptx)
    return ["ptx", ptx, "--block", re.search(r"\.reqntid (\d+)", ptx.read_text())[1]]


def check_grids(rng) -> int:
    runs = 0
    for target, rows, columns in (("sm_90a", "x", "y"), ("sm_80", "x", "y")):
        command = compiled(kernel(rows=rows, columns=columns), target)
        for grid in GRIDS:
            more, expected = arguments(grid, 0, rng)
            run(*command, *more, "--schedule", "random")
            check_results(target, grid, expected)
            runs += 1
    command = compiled(kernel(rows="y", columns="x"))
    for grid in ((3, 5, 1), (9, 10, 1)):
        more, expected = arguments((grid[1], grid[0], grid[2]), 0, rng)
        more[1] = ",".join(map(str, grid))
        run(*command, *more)
        check_results("columns by x", grid, expected)
        runs += 1
    return runs


def check_reports(rng) -> int:
    """Block (3, 9, 0) of a grid of 4 x 11 has number 39; it is in the panel of 3 rows, and so is run by CTA (2, 10, 0):
    9 - 8 + 3 * 3 = 10 = 2 * 4 + 2."""
    grid, chosen, name = (4, 11, 1), 39, "block (3, 9, 0)"
    outside = in_chosen("""%minus = constant <i32: -1> : tile<i32>
      %before = offset %ids, %minus : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %bad = store_ptr_tko weak %before, %x : tile<ptr<i32>>, tile<i32> -> token""")
    words, _ = arguments(grid, chosen, rng)
    source = folder / "k.mlir"
    for command in (compiled(kernel(outside)), ["run", source, "--device", "ptx"], ["run", source, "--device", "reference"]):
        found = run(*command, *words, fails=True)
        if name not in found or found.count("block (") != 1:
            sys.exit(f"the finding must name {name}:\n{found}")
    said = '%said = print_tko "%i,%i\\n", %x, %y : tile<i32>, tile<i32> -> token'
    compiled(kernel(said))
    printed = run("run", source, "--device", "ptx", *words)
    order = [f"{x},{y}" for y in range(grid[1]) for x in range(grid[0])]
    if printed.split() != order:
        sys.exit(f"blocks must print in their order:\n{printed}")
    command = compiled(kernel(in_chosen(said)))
    if run(*command, *words).split() != ["3,9"]:
        sys.exit("block (3, 9, 0) must print")
    traced = run(*command, *words, "--trace", "--trace-block", "3,9,0", "--trace-thread", "0")
    if not re.search(re.escape(name) + r", thread 0: div\.u32\(\S+ = 10, \S+ = 3\) -> \S+ = 3\n", traced):
        sys.exit(f"the trace must be of {name}, number 10 of a panel of 3 rows:\n{traced[:3000]}")
    return 6


def main() -> None:
    rng = np.random.default_rng(8)
    print(f"{check_grids(rng) + check_reports(rng)} runs agree")


main()
