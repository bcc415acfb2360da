# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Multiplies (a b) c on the PTX machine, with the elements of a b rounded to 16 bits, against NumPy.

Elements are integers from -2 to 2, so that all sums are exact. With 128 rows, each of 4 warps has rows of its own; with
32, two warps share them. `chained_products.py TILEWRIGHT FOLDER`
"""

import pathlib
import re
import subprocess
import sys

import numpy as np

tilewright, folder = sys.argv[1], pathlib.Path(sys.argv[2])
K, N = 32, 64


def run(*words: object) -> str:
    done = subprocess.run([tilewright, *map(str, words)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def kernel(element: str, rows: int) -> str:
    extents = {"a": (rows, K), "b": (K, N), "c": (N, N)}
    loads = "".join(f"""
    %{name}_view = make_tensor_view %{name}, shape = [{m}, {n}], strides = [{n}, 1] : tensor_view<{m}x{n}x{element}, strides=[{n},1]>
    %{name}_tiles = make_partition_view %{name}_view : partition_view<tile=({m}x{n}), tensor_view<{m}x{n}x{element}, strides=[{n},1]>>
    %{name}_tile, %{name}_token = load_view_tko weak %{name}_tiles[%0, %0] : partition_view<tile=({m}x{n}), tensor_view<{m}x{n}x{element}, strides=[{n},1]>>, tile<i32> -> tile<{m}x{n}x{element}>, token"""
                    for name, (m, n) in extents.items())
    sums, result = f"tile<{rows}x{N}xf32>", f"tensor_view<{rows}x{N}xf32, strides=[{N},1]>"
    return f"""cuda_tile.module @m {{
  entry @k(%a: tile<ptr<{element}>>, %b: tile<ptr<{element}>>, %c: tile<ptr<{element}>>, %d: tile<ptr<f32>>) {{
    %0 = constant <i32: 0> : tile<i32>{loads}
    %zeros = constant <f32: 0.0> : {sums}
    %first = mmaf %a_tile, %b_tile, %zeros : tile<{rows}x{K}x{element}>, tile<{K}x{N}x{element}>, {sums}
    %narrow = ftof %first : {sums} -> tile<{rows}x{N}x{element}>
    %second = mmaf %narrow, %c_tile, %zeros : tile<{rows}x{N}x{element}>, tile<{N}x{N}x{element}>, {sums}
    %d_view = make_tensor_view %d, shape = [{rows}, {N}], strides = [{N}, 1] : {result}
    %d_tiles = make_partition_view %d_view : partition_view<tile=({rows}x{N}), {result}>
    %stored = store_view_tko weak %second, %d_tiles[%0, %0] : {sums}, partition_view<tile=({rows}x{N}), {result}>, tile<i32> -> token
    return
  }}
}}
"""


def array(name: str, element: str, values: np.ndarray) -> str:
    """An array with these values: bf16 are the upper halves of f32."""
    np.save(folder / f"{name}.npy", values.astype(np.float16) if element == "f16" else
            (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16))
    return f"{folder / name}.npy"


for element, rows, target in (("f16", 128, "sm_80"), ("f16", 128, "sm_75"), ("bf16", 128, "sm_120"), ("bf16", 32, "sm_80")):
    source = folder / "chained.mlir"
    source.write_text(kernel(element, rows))
    random = np.random.default_rng(3)
    a, b, c = (random.integers(-2, 3, shape) for shape in ((rows, K), (K, N), (N, N)))
    way = re.findall(r"lhs is [^,]*", run("compile", source, "--target", target, "--emit", "plan"))[1]
    right = 0
    for schedule in ("up", "down", "random"):
        arguments = [array(name, element, values) for name, values in (("a", a), ("b", b), ("c", c))]
        run("run", source, "--device", "ptx", "--target", target, "--schedule", schedule, "--grid", 1,
            *(word for text in arguments for word in ("--arg", text)), "--arg", f"zeros({rows * N}xf32),out={folder / 'd.npy'}")
        right += np.array_equal(np.load(folder / "d.npy").reshape(rows, N), a @ b @ c)
    print(f"{element}, {rows} rows on {target}: {way}; {right} schedules agree")
